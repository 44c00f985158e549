"""Two hundred names: which are let in, which not and why, and which look like one another."""

from __future__ import annotations

from typing import Final

import pytest

from game.names import LONGEST, NameRefusedError, checked_name
from game.spelling import folded_name, look_of

LET_IN: Final = (
    """
ada|Ada|ADA|zofia|Łukasz|Żółć|Gżegżółka|Ćma|Ásdís|Ðorsteinn|Þóra|Øystein|Åse|Müller|Weiß|François|Zoë|Noël|Siân
José María|O.Henry|a.b_c-9|7|42|x9|A-1|R2D2|Ali Veli|İsmail|Işıl|Şükrü|Çiğdem|Öztürk|Gülşah|ığdır|İnci
سارة|محمد|عبد الله|فاطمة|يوسف|مُحَمَّد|علي ٧|پرویز|گلناز ۷|کیان|بطوطة|لاعب 1|אברהם|שָׂרָה|Ольга|Дмитрий
Їжак|Ћира|Ѓорѓи
Ἀριστοτέλης|Ελένη|ω|Արամ|გიორგი|वृन्दा|राम ७|তানিয়া|தமிழ்|తెలుగు|ಕನ್ನಡ|മലയാളം|สมชาย|ລາວ|မြန်မာ
山田ひろし|やまだ|ヤマダ|李小龍|王芳|김민준|ひらがなカタカナ|ᏣᎳᎩ|አበበ|ᠮᠣᠩᠭᠣᠯ|Nguyễn|Đặng|Ọlá|Ṣadé|Kä-lä
""".replace("\n", "|")
    .strip("|")
    .split("|")
)

PLAIN: Final = {
    " ada ": "ada",
    "ｆｕｌｌ": "full",
    "𝒶𝒹𝒶": "ada",
    "ﬁona": "fiona",
    "Ⅷ": "VIII",
    "e\u0301va": "éva",
    "①": "1",
    "ﻣﺤﻤﺪ": "محمد",
    "ｶﾅ": "カナ",
}
"""How others are written down: in their plain form."""

NO_SIGN: Final = "letters, figures, single blanks"
ONE_SCRIPT: Final = "one script"
MARKS: Final = "marks"
KEPT_BACK: Final = "kept back"
REFUSED: Final = {
    NO_SIGN: [
        *(
            "<b>",
            "a<script>",
            "a&b",
            "a'b",
            'a"b',
            "a`b",
            "a/b",
            "a\\b",
            "a@b",
            "a#b",
            "a?b",
            "a%00b",
            "a:b",
            "a;b",
        ),
        *(
            "{{7*7}}",
            "${a}",
            "a|b",
            "a=b",
            "a+b",
            "a*b",
            "a~b",
            "a^b",
            "(a)",
            "[a]",
            "a,b",
            "a!",
            "€uro",
            "a😀",
            "♠♥",
        ),
        *("a\tb", "a\nb", "a\rb", "a\0b", "a\x1bb", "a\x7fb", "a\u0085b", "a\u2028b", "a\u2029b"),
        *(
            "a\u200bb",
            "a\u200cb",
            "a\u200db",
            "a\u2060b",
            "\ufeffab",
            "a\u00adb",
            "a\u180eb",
            "a\u2061b",
            "a\u2063b",
        ),
        *("a\u200eb", "a\u200fb", "a\u202ab", "a\u202bb", "a\u202cb", "a\u202db", "a\u202eb", "a\u061cb"),
        *(
            "a\u2066b",
            "a\u2067b",
            "a\u2068b",
            "a\u2069b",
            "a\ue000b",
            "a\ufffeb",
            "a\U000e0041b",
            "a\U000f0000b",
        ),
        *("a\u3164b", "a\u115fb", "a\u1160b", "a\uffa0b", "a\u034fb", "a\ufe0fb", "a\u17b4b", "a\U000e0100b"),
        *("a\ud800b", "a\u0378b", "a\u20ddb", "a\u0488b", "\u2800\u2800", "a\ufff9b"),
    ],
    ONE_SCRIPT: [
        *(
            "\u0430dmin",
            "p\u0430ypal",
            "\u0421oca",
            "g\u03bfogle",
            "Ad\u0430",
            "ad\u0585",
            "\u13aada",
            "adа",
            "аda",
        ),
        *(
            "ada\u0663",
            "adaसा",
            "محمدa",
            "Ольгаa",
            "ηello",
            "aليلى",
            "a\u064b",
            "ada\u05b0",
            "ада٣",
            "राम٣",
            "김a",
        ),
    ],
    MARKS: ["z" + "\u0316" * 4, "\u0301abc", "a\u0301\u0302\u0303\u0304\u0305b"],
    KEPT_BACK: [
        *(
            "admin",
            "Admin",
            "ADMIN",
            "adm1n",
            "admIn",
            "ad.min",
            "a_d_m_i_n",
            "ａｄｍｉｎ",
            "administrator",
            "r00t",
            "ROOT",
        ),
        *(
            "moderator",
            "m0derator",
            "operator",
            "staff",
            "support",
            "system",
            "tableau",
            "TabIeau",
            "tab1eau",
        ),
        *(
            "guest",
            "guest 12",
            "GUEST12",
            "Guest_7",
            "guest-9",
            "deleted",
            "deleted 12",
            "DELETED9",
            "anonymous",
        ),
    ],
    "at least one letter": ["\u0316", "...", "-", "_ _", "._-"],
    "one blank": ["a  b", "ada   lovelace"],
    "at most": ["a" * 25, "ﷺ" * 2, "ω" * 1000],
    "Choose a name": ["", " ", "   ", "\u3000"],
}

ALIKE: Final = [
    *(
        ("zofia", "Zofia"),
        ("zofia", "zofıa"),
        ("zofia", "zofİa"),
        ("zofia", "zofi\u0307a"),
        ("zofia", "z0fia"),
    ),
    *(
        ("Ali Veli", "AliVeli"),
        ("ali.veli", "ali-veli"),
        ("ada", "ada_"),
        ("paypal", "paypaI"),
        ("paypal", "paypa1"),
    ),
    *(("paypal", "раураӏ"), ("coca", "соса"), ("modem", "modern"), ("vvest", "west"), ("oro", "ого")),
    *(
        ("Kyiv", "Κγіν"),
        ("علي", "على"),
        ("کیان", "كيان"),
        ("سارة", "ساره"),
        ("٣٤", "34"),
        ("weiß", "weiss"),
        ("ılgın", "ilgin"),
    ),
]
DIFFERENT: Final = [
    *(
        ("ali", "al1"),
        ("sule", "şule"),
        ("lukasz", "łukasz"),
        ("ada", "adam"),
        ("clara", "dara"),
        ("eve", "éve"),
    ),
    *(
        ("guest 100", "guest 101"),
        ("deleted 11", "deleted 17"),
        ("Ольга", "Олга"),
        ("علي", "عليا"),
        ("山田", "山口"),
    ),
]


def test_the_table_has_two_hundred_names() -> None:
    names = [*LET_IN, *PLAIN, *(name for group in REFUSED.values() for name in group)]
    assert len(names) == len(set(names)) >= 200
    assert LONGEST == 24


@pytest.mark.parametrize("name", LET_IN)
def test_names_that_are_let_in_as_they_are(name: str) -> None:
    assert checked_name(name) == name


@pytest.mark.parametrize(("name", "plain"), PLAIN.items())
def test_names_that_are_let_in_in_their_plain_form(name: str, plain: str) -> None:
    assert checked_name(name) == plain
    assert folded_name(name.strip()) == folded_name(plain)


@pytest.mark.parametrize(("why", "name"), [(why, name) for why, names in REFUSED.items() for name in names])
def test_names_that_are_refused_with_the_reason(why: str, name: str) -> None:
    """R1, R6: markup, quotes, direction marks, a thousand letters never become anybody's name."""
    with pytest.raises(NameRefusedError, match=why) as refused:
        checked_name(name)
    assert not [sign for sign in str(refused.value) if ord(sign) in {0, 0x200B, 0x202E, 0x2067, 0xFEFF}]


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_names_that_look_alike(one: str, other: str) -> None:
    assert look_of(one) == look_of(other)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_names_that_do_not(one: str, other: str) -> None:
    assert look_of(one) != look_of(other)
