"""Cards and positions as texts, and back."""

from __future__ import annotations

import copy
import pickle

import pytest

from game.engine.cards import RANKS, SUITS, card, pack
from game.engine.effects import effects_from_json
from game.engine.notation import parse_position
from game.engine.sequences import is_full_run, is_next_in_other_colour
from tests.engine.tables import SIMPLE_SIMON, simon


def test_every_card_has_two_texts_and_one_object_for_each() -> None:
    texts = [rank + suit for rank in RANKS for suit in SUITS]
    for text in texts:
        up, down = card(text), card(text.lower())
        assert (up.text, up.face_up, down.text, down.face_up) == (text, True, text.lower(), False)
        assert up.turned is down
        assert down.turned is up
        assert (up.rank, up.suit) == (down.rank, down.suit)
        assert RANKS[up.rank - 1] + up.suit == text
    assert len({card(text) for text in texts}) == 52


@pytest.mark.parametrize("text", ["", "K", "10H", "1H", "HK", "Kh", "kH", "KHS", "##", "K♥", " KH", "0S"])
def test_what_is_no_card(text: str) -> None:
    with pytest.raises(ValueError, match="is no card"):
        card(text)


def test_hearts_and_diamonds_are_red() -> None:
    assert {suit for suit in SUITS if card(f"A{suit}").is_red} == {"H", "D"}


def test_a_copied_or_pickled_card_is_the_same_card() -> None:
    for text in ("TH", "th"):
        assert copy.deepcopy(card(text)) is card(text)
        assert pickle.loads(pickle.dumps(card(text))) is card(text)  # noqa: S301


def test_a_pack_is_ace_to_king_suit_by_suit() -> None:
    assert " ".join(each.text for each in pack("SH")[:14]) == "AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AH"


def test_a_position_reads_as_written() -> None:
    position = simon(t1="KH QH", t10="5D", f2="KS")
    text = "t1 KH QH/t2/t3/t4/t5/t6/t7/t8/t9/t10 5D/f1/f2 KS/f3/f4"
    assert position.text == text
    assert parse_position(text, SIMPLE_SIMON.layout) == position


def test_a_face_down_card_is_lower_case_for_the_log_and_hidden_from_everybody() -> None:
    position = simon(t1="kh QH")
    assert position.text.startswith("t1 kh QH/")
    assert position.masked.startswith("t1 ## QH/")
    assert position.is_hiding()


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", "14 piles"),
        ("t1/t2", "14 piles"),
        ("t2/t1/t3/t4/t5/t6/t7/t8/t9/t10/f1/f2/f3/f4", "t1 should stand"),
        ("t1 ##/t2/t3/t4/t5/t6/t7/t8/t9/t10/f1/f2/f3/f4", "'##' is no card"),
        ("t1  KH/t2/t3/t4/t5/t6/t7/t8/t9/t10/f1/f2/f3/f4", "'' is no card"),
        ("t1 KH /t2/t3/t4/t5/t6/t7/t8/t9/t10/f1/f2/f3/f4", "'' is no card"),
    ],
)
def test_a_wrong_position_text_says_what_is_wrong(text: str, error: str) -> None:
    with pytest.raises(ValueError, match=error):
        parse_position(text, SIMPLE_SIMON.layout)


@pytest.mark.parametrize(
    "row", [[], ["move", "t1"], ["turn", "t1", "##"], ["jump", "t1", "t2"], ["move", "a", "b", "1"]]
)
def test_what_is_no_effect(row: list[str | int]) -> None:
    with pytest.raises(ValueError, match="is no"):
        effects_from_json([row])


def test_positions_are_equal_by_what_lies_where() -> None:
    assert simon(t1="KH") == simon(t1="KH")
    assert hash(simon(t1="KH")) == hash(simon(t1="KH"))
    assert simon(t1="KH") != simon(t2="KH")
    assert simon(t1="KH") != "t1 KH"


def test_a_position_takes_no_pile_it_does_not_have() -> None:
    with pytest.raises(KeyError, match="t99"):
        simon().put({"t99": ()})


@pytest.mark.parametrize(
    ("cards", "is_run"),
    [
        ("KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S AS", True),
        ("KS QS JS TS 9S 8S 7H 6S 5S 4S 3S 2S AS", False),
        ("QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S AS", False),
        ("AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS", False),
        ("KS QS JS TS 9S 8S 8S 6S 5S 4S 3S 2S AS", False),
    ],
)
def test_a_full_run_is_king_to_ace_in_one_suit(cards: str, is_run: bool) -> None:
    assert is_full_run([card(text) for text in cards.split()]) is is_run


def test_the_other_colour() -> None:
    follows = [
        text
        for text in ("9S", "9C", "9H", "9D", "8H", "TH")
        if is_next_in_other_colour(card("TS"), card(text))
    ]
    assert follows == ["9H", "9D"]
