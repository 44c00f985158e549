"""What every game must bring so that everything else can take it as it is."""

from __future__ import annotations

import re

import pytest

from game.codes import parse_code
from game.engine.deals import DealCode, folded_code
from game.engine.games import GAMES
from game.engine.rules import SENTENCES, Rules
from game.models import CODE_LENGTH

each_game = pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.slug)


def test_slugs_letters_and_titles_are_different() -> None:
    for names in (
        [rules.slug for rules in GAMES],
        [rules.prefix for rules in GAMES],
        [r.title for r in GAMES],
    ):
        assert len(set(names)) == len(GAMES)


@each_game
def test_slugs_letters_and_variants_are_spelled_so_that_codes_can_be_read(rules: Rules) -> None:
    """A middle part stands in every code, also where nothing can be chosen: codes are longer for it."""
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", rules.slug)
    assert re.fullmatch(r"[A-Z]{2,3}", rules.prefix)
    assert all(re.fullmatch(r"[A-Z][0-9]+", variant) for variant in rules.variants)
    assert list(rules.code_letters) == sorted(rules.code_letters)


@each_game
def test_the_entry_box_takes_no_deal_code_for_a_game_code(rules: Rules) -> None:
    for variant in rules.variants:
        for length in rules.code_letters:
            code = DealCode(rules, variant, "ABCDEFGHIJKLMNOPQRST"[:length])
            assert len(folded_code(str(code))) > CODE_LENGTH
            for spelled in (str(code), str(code).lower(), folded_code(str(code)), f"/d/{code}/"):
                assert parse_code(spelled) == code


@each_game
def test_variants_are_what_the_options_offer(rules: Rules) -> None:
    offered = {option.name: {choice.value for choice in option.choices} for option in rules.options}
    for variant, options in rules.variants.items():
        assert set(options) == set(offered)
        assert all(value in offered[name] for name, value in options.items())
        assert rules.variant(options) == variant


@each_game
def test_hidden_deals_that_count_come_from_codes_too_long_to_search(rules: Rules) -> None:
    """B48: 7 letters are 33 bits, which the face-up cards give away; 20 are 94."""
    dealt = DealCode(rules, next(iter(rules.variants)), "A" * rules.code_letters[-1]).deal()
    assert dealt.is_hiding() == rules.hides_cards
    assert not rules.hides_cards or rules.code_letters[-1] >= 20


@each_game
def test_every_refusal_of_its_own_is_said_in_a_sentence(rules: Rules) -> None:
    for code in {**SENTENCES, **rules.sentences}:
        sentence = rules.sentence(code)
        assert sentence.endswith(".")
        assert sentence[0].isupper()
