"""The catalogues: complete, in step with the sources, and of the same make as what they translate."""

from __future__ import annotations

import re
from functools import cache

import polib
import pytest
from django.conf import settings
from django.utils.translation import ngettext, override
from django.utils.translation.trans_real import DjangoTranslation

from game.engine.games import GAMES
from game.engine.rules import SENTENCES
from game.examples import example_of
from game.management.catalogues import DOMAINS, PLURALS, extract, path_of, refreshed

CATALOGUES = [(language, domain) for language in PLURALS for domain in DOMAINS]
found_in = cache(extract)

each_catalogue = pytest.mark.parametrize(("language", "domain"), CATALOGUES)


@cache
def catalogue(language: str, domain: str) -> polib.POFile:
    return polib.pofile(str(path_of(language, domain)))


def texts(entry: polib.POEntry) -> list[str]:
    """What an entry says, in every form."""
    return list(entry.msgstr_plural.values()) if entry.msgid_plural else [entry.msgstr]


def placeholders(text: str) -> list[str]:
    return sorted(re.findall(r"%\(\w+\)s|%%|\{\w+\}", text))


def marks(text: str) -> list[str]:
    """The tags of a text, in any order: a language may turn a sentence round."""
    return sorted(re.findall(r"<[^>]+>", text))


def test_every_language_but_english_has_its_catalogues() -> None:
    assert list(PLURALS) == [code for code, _ in settings.LANGUAGES if code != "en"]


@each_catalogue
def test_the_catalogue_is_in_step_with_the_sources(language: str, domain: str) -> None:
    """`bin/messages` would write exactly what is there: no new sentence, no old one, nothing by hand."""
    wanted = f"{refreshed(language, domain, found_in(domain))}\n"
    assert path_of(language, domain).read_text() == wanted, "run bin/messages"


@each_catalogue
def test_everything_is_translated(language: str, domain: str) -> None:
    missing = [entry.msgid for entry in catalogue(language, domain) if not all(texts(entry))]
    assert not missing
    assert not [entry.msgid for entry in catalogue(language, domain) if entry.fuzzy]
    assert not catalogue(language, domain).obsolete_entries()


def test_the_extraction_misses_nothing_the_browser_asks_for() -> None:
    """Every literal text of a `gettext` call in the scripts is an entry."""
    scripts = (settings.FRONTEND / "static/js").glob("*.js")
    asked = {
        text for path in scripts for text in re.findall(r'\b(?:n|p)?gettext\(\s*"([^"]+)"', path.read_text())
    }
    known = {entry.msgid for entry in found_in("djangojs")} | {
        entry.msgctxt for entry in found_in("djangojs") if entry.msgctxt
    }
    assert len(asked) > 100
    assert asked <= known


def test_what_the_engine_says_is_in_the_catalogue() -> None:
    """Sentences and choices of games are marked where they stand and translated where they are shown."""
    said = set(SENTENCES.values())
    for rules in GAMES:
        said |= {rules.title, *rules.sentences.values()}
        for option in rules.options:
            said |= {
                option.question,
                *(text for choice in option.choices for text in (choice.label, choice.note)),
            }
    assert said <= {entry.msgid for entry in found_in("django")}


@each_catalogue
def test_placeholders_and_marks_are_those_of_the_original(language: str, domain: str) -> None:
    for entry in catalogue(language, domain):
        for form, text in enumerate(texts(entry)):
            original = entry.msgid_plural or entry.msgid
            wanted = placeholders(original)
            if language == "ar" and entry.msgid_plural and form in (1, 2):
                # One and two are words of their own in Arabic: the number may be left out.
                assert set(placeholders(text)) <= set(wanted), text
                assert len(wanted) - len(placeholders(text)) <= 1, text
            elif entry.msgid_plural and form == 0:
                assert placeholders(text) in (wanted, placeholders(entry.msgid)), text
            else:
                assert placeholders(text) == wanted, text
            assert marks(text) == marks(original), text


@each_catalogue
def test_blanks_at_the_ends_and_full_stops_are_those_of_the_original(language: str, domain: str) -> None:
    for entry in catalogue(language, domain):
        for text in texts(entry):
            assert text == text.strip() or entry.msgid != entry.msgid.strip(), text
            assert (text[-1:] == " ") == (entry.msgid[-1:] == " "), text
            assert text.endswith(".") == entry.msgid.endswith("."), text
            assert "\n" not in text


@each_catalogue
def test_digits_are_western_and_what_is_set_apart_ends_again(language: str, domain: str) -> None:
    """Of the signs that steer direction only isolates stand in texts, in pairs."""
    for entry in catalogue(language, domain):
        for text in texts(entry):
            assert not re.search("[\u0660-\u0669\u06f0-\u06f9\u200e\u200f\u202a-\u202e]", text), text
            rest = re.sub("\u2066[^\u2066-\u2069]+\u2069", "", text)
            assert not re.search("[\u2066-\u2069]", rest), text


@each_catalogue
def test_plurals_have_the_forms_of_their_language(language: str, domain: str) -> None:
    count = int(PLURALS[language].split("=")[1].split(";")[0])
    assert catalogue(language, domain).metadata["Plural-Forms"] == PLURALS[language]
    for entry in catalogue(language, domain):
        if entry.msgid_plural:
            assert sorted(entry.msgstr_plural) == list(range(count)), entry.msgid


@pytest.mark.parametrize("language", PLURALS)
def test_plurals_are_djangos_own(language: str) -> None:
    """By another formula Django keeps a second catalogue, and plurals of either would be sought in both."""
    base = vars(DjangoTranslation(language))["_catalog"]
    own = {text.strip() for text in re.findall(r"plural=.*", base[""])}
    assert own == {re.sub(r"nplurals=\d; ", "", PLURALS[language])}


MOVES = {
    "tr": {0: "0 hamle", 1: "1 hamle", 2: "2 hamle", 100: "100 hamle"},
    "pl": {
        0: "0 ruchów",
        1: "1 ruch",
        2: "2 ruchy",
        5: "5 ruchów",
        12: "12 ruchów",
        22: "22 ruchy",
        101: "101 ruchów",
    },
    "ar": {
        0: "0 نقلة",
        1: "نقلة واحدة",
        2: "نقلتان",
        3: "3 نقلات",
        11: "11 نقلة",
        100: "100 نقلة",
        103: "103 نقلات",
    },
}


@pytest.mark.parametrize("language", PLURALS)
def test_numbers_take_their_form_on_pages(language: str) -> None:
    with override(language):
        for number, text in MOVES[language].items():
            pattern = ngettext("%(moves)s move", "%(moves)s moves", number)
            assert pattern % {"moves": number} == text


CARDS = {
    "tr": {2: "3. sütun, 2 kart", 22: "3. sütun, 22 kart"},
    "pl": {
        1: "kolumna 3, 1 karta",
        2: "kolumna 3, 2 karty",
        5: "kolumna 3, 5 kart",
        12: "kolumna 3, 12 kart",
        22: "kolumna 3, 22 karty",
    },
    "ar": {
        1: "العمود 3، ورقة واحدة",
        2: "العمود 3، ورقتان",
        3: "العمود 3، 3 أوراق",
        11: "العمود 3، 11 ورقة",
        100: "العمود 3، 100 ورقة",
    },
}


@pytest.mark.parametrize("language", PLURALS)
def test_numbers_take_their_form_in_the_browser(language: str) -> None:
    said = DjangoTranslation(language, domain="djangojs")
    column = said.gettext("column %(number)s") % {"number": 3}
    for number, text in CARDS[language].items():
        pattern = said.ngettext("%(pile)s, %(count)s card", "%(pile)s, %(count)s cards", number)
        assert pattern % {"pile": column, "count": number} == text


NAMES = {
    "king of hearts": ("kupa papazı", "król kier", "ملك القلوب"),
    "ace of spades": ("maça ası", "as pik", "آس البستوني"),
    "four of diamonds": ("karo 4", "4 karo", "4 الألماس"),
    "queen of clubs": ("sinek kızı", "dama trefl", "ملكة البرسيم"),
    "jack of diamonds": ("karo valesi", "walet karo", "جاك الألماس"),
    "ten of hearts": ("kupa 10", "10 kier", "10 القلوب"),
    "king of clubs": ("sinek papazı", "król trefl", "ملك البرسيم"),
    "ace of diamonds": ("karo ası", "as karo", "آس الألماس"),
}


@pytest.mark.parametrize("name", NAMES)
def test_cards_are_called_as_people_call_them(name: str) -> None:
    """Rank and suit stand in the order of each language, and one of them is inflected."""
    said = tuple(DjangoTranslation(language, domain="djangojs").gettext(name) for language in PLURALS)
    assert said == NAMES[name]


@pytest.mark.parametrize("language", [code for code, _ in settings.LANGUAGES])
@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.slug)
def test_each_game_has_its_rules_in_each_language(rules: object, language: str) -> None:
    slug = getattr(rules, "slug", "")
    text = (settings.FRONTEND / f"templates/rules/{language}/{slug}.html").read_text()
    for block in ("heading", "description", "text"):
        assert re.search(rf"{{% block {block} %}}\s*\S", text)
    assert '{% include "rules/example.html" %}' in text
    # One marking of a sentence would be a text of another language on this page.
    assert "{% translate" not in text
    headings = len(re.findall("<h2>", text))
    english = (settings.FRONTEND / f"templates/rules/en/{slug}.html").read_text()
    assert headings == len(re.findall("<h2>", english))


def test_the_example_of_simple_simon_ends_with_851_points() -> None:
    example = example_of("simple-simon")
    last = example.boot["updates"][-1]
    assert (last["score"], last["moves"], last["status"]) == (851, 49, "won")
    crossing = example.boot["updates"][35]
    assert crossing["command"].startswith("t1x12-")
    assert example.line[35].cards == "Q♠ … A♠"


def test_the_example_of_klondike_turns_four_cards_in_four_moves() -> None:
    example = example_of("klondike")
    columns = example.boot["start"]["position"].split("/")[-7:]
    assert [column.split(" ")[-1] for column in columns] == ["6C", "9H", "AS", "8C", "5D", "QS", "7D"]
    assert [told.cards for told in example.line] == ["A♠", "8♣ → 9♥", "7♦ → 8♣", "5♦ → 6♣"]
    turned = [
        effect for change in example.boot["updates"] for effect in change["effects"] if effect[0] == "turn"
    ]
    assert len(turned) == 4
    # Hidden cards stay hidden in what the browser gets.
    assert re.search("t7( ##){6} 7D", example.boot["start"]["position"])
