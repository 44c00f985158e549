"""Deal codes: every spelling that is meant well, and errors that name the wrong part."""

from __future__ import annotations

import pytest

from game.engine.deals import DealCode, DealCodeError, parse_deal_code
from game.engine.games import GAMES
from game.engine.rules import Rules
from tests.engine.tables import SIMPLE_SIMON


@pytest.mark.parametrize(
    "typed",
    [
        "SS1-S1-AAAIABD",
        "ss1-s1-aaaiabd",
        "SS1S1AAAIABD",
        " ss1 s1 aaaiabd ",
        "SS1 - S1 - AAA IABD",
        "SS1–S1—AAA‑IABD",
        "SS1−S1−AAAIABD",
        "ss1\u00a0s1\u2009aaaiabd\n",
        "\ufeffSS1-S1-\u200bAAAIABD\u2028",
        "ＳＳ１－Ｓ１－ＡＡＡＩＡＢＤ",
        "ｓｓ１ｓ１ａａａｉａｂｄ",
        "ss1-s1-aaaıabd",
        "SS1-S1-AAAİABD",
        "SS1-S1-AAAİABD".lower(),
    ],
)
def test_typing_is_forgiving(typed: str) -> None:
    """Lower case, any blanks and dashes or none, full-width letters, both Turkish i."""
    assert str(parse_deal_code(typed, GAMES)) == "SS1-S1-AAAIABD"


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("", "is written like SS1-S1-AAAAABD"),
        ("hello", "is written like SS1-S1-AAAAABD"),
        ("SS1-S1-AAAA1BD", "is written like SS1-S1-AAAAABD"),
        ("SS1-S1-ÄAAAABD", "is written like SS1-S1-AAAAABD"),
        ("1-S1-AAAAABD", "is written like SS1-S1-AAAAABD"),
        ("XX1-S1-AAAAABD", "XX: no game here"),
        ("S1-S1-AAAAABD", "S: no game here"),
        ("SS2-S1-AAAAABD", "SS2: the number after SS is the version of the shuffle"),
        ("SS01-S1-AAAAABD", "SS01: the number after SS is the version of the shuffle"),
        ("SS11-S1-AAAAABD", "SS11: the number after SS is the version of the shuffle"),
        ("SS1-S3-AAAAABD", "S3: this part is S1 / S2 / S4"),
        ("SS1-S01-AAAAABD", "S01: this part is S1 / S2 / S4"),
        ("SS1-D1-AAAAABD", "D1: this part is S1 / S2 / S4"),
        ("SS1-AAAAABD", "–: this part is S1 / S2 / S4"),
        ("SS1-S1-AAAABD", "AAAABD: the last part has 7 letters, here there are 6"),
        ("SS1-S1-AAAAABDE", "AAAAABDE: the last part has 7 letters, here there are 8"),
        ("SS1-S1-", "–: the last part has 7 letters, here there are 0"),
    ],
)
def test_an_error_says_which_part_is_wrong(typed: str, said: str) -> None:
    with pytest.raises(DealCodeError) as caught:
        parse_deal_code(typed, GAMES)
    assert said in str(caught.value)
    assert caught.value.sentence % caught.value.params == str(caught.value)


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.slug)
def test_every_variant_has_codes_that_read_back(rules: Rules) -> None:
    for variant, options in rules.variants.items():
        for length in rules.code_letters:
            code = DealCode(rules, variant, "QWERTYUIOPASDFGHJKLZ"[:length])
            assert parse_deal_code(str(code), GAMES) == code
            assert code.options == options
            assert rules.variant(options) == variant


def test_no_two_games_share_a_prefix_or_a_slug() -> None:
    assert len({rules.prefix for rules in GAMES}) == len({rules.slug for rules in GAMES}) == len(GAMES)


@pytest.mark.parametrize("options", [{}, {"suits": 3}, {"suits": "4"}, {"suits": 4, "more": 1}, {"suit": 4}])
def test_options_that_no_code_stands_for(options: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="has no options"):
        SIMPLE_SIMON.variant(options)


@pytest.mark.parametrize("value", [True, 1.0])
def test_one_is_an_integer_not_something_equal_to_it(value: int) -> None:
    with pytest.raises(ValueError, match="has no options"):
        SIMPLE_SIMON.variant({"suits": value})
