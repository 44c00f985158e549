"""Simple Simon: the deal, moving, full runs; a test for each sentence of its rules."""

from __future__ import annotations

from collections import Counter

import pytest

from game.engine.deals import DealCode
from game.engine.line import Line
from game.engine.piles import Fan, Role
from tests.engine.tables import SIMPLE_SIMON, TO_ACE, TO_TWO, changed, done, refused, run, simon


def deal_of(variant: str) -> Line:
    return Line(SIMPLE_SIMON, DealCode(SIMPLE_SIMON, variant, "AAAAABD").deal())


# Deal


def test_52_cards_all_face_up_in_ten_columns_of_8_8_8_7_6_5_4_3_2_and_1() -> None:
    position = deal_of("S4").deal
    columns = [pile.name for pile in SIMPLE_SIMON.layout if pile.role is Role.COLUMN]
    assert columns == [f"t{i}" for i in range(1, 11)]
    assert [len(position[name]) for name in columns] == [8, 8, 8, 7, 6, 5, 4, 3, 2, 1]
    assert not position.is_hiding()


def test_columns_stand_left_to_right_in_one_row() -> None:
    places = [(pile.row, pile.column, pile.fan) for pile in SIMPLE_SIMON.layout if pile.role is Role.COLUMN]
    assert places == [(0, i, Fan.DOWN) for i in range(10)]


def test_no_stock_and_nothing_dealt_later() -> None:
    assert {pile.role for pile in SIMPLE_SIMON.layout} == {Role.COLUMN, Role.FOUNDATION}
    assert refused(SIMPLE_SIMON, deal_of("S4").deal, "draw") == "nothing_to_draw"


@pytest.mark.parametrize(
    ("variant", "pack"),
    [
        ("S1", {"S": 4}),
        ("S2", {"S": 2, "H": 2}),
        ("S4", {"S": 1, "H": 1, "D": 1, "C": 1}),
    ],
)
def test_suits_change_which_52_cards_never_how_many(variant: str, pack: dict[str, int]) -> None:
    position = deal_of(variant).deal
    cards = Counter(card.text for _, pile in position.items() for card in pile)
    assert cards == {rank + suit: count for rank in "A23456789TJQK" for suit, count in pack.items()}


def test_one_suit_is_preselected_for_a_newcomer() -> None:
    (suits,) = SIMPLE_SIMON.options
    assert [(choice.value, choice.label) for choice in suits.choices] == [
        (1, "Easy"),
        (2, "Medium"),
        (4, "Hard"),
    ]


# Moving


def test_the_last_card_goes_on_one_that_is_one_rank_higher_of_any_suit() -> None:
    position = simon(
        t1="9C 5H", t2="6H", t3="6S", t4="6D", t5="6C", t6="7H", t7="5S", t8="4H", t9="KH", t10="KS"
    )
    assert SIMPLE_SIMON.dests(position)["t1"] == ("t2", "t3", "t4", "t5")
    for target in ("t2", "t3", "t4", "t5"):
        assert changed(position, done(SIMPLE_SIMON, position, f"t1-{target}").position)["t1"] == "9C"
    for target in ("t6", "t7", "t8"):
        assert refused(SIMPLE_SIMON, position, f"t1-{target}") == "wrong_rank"


def test_several_cards_move_together_when_they_descend_by_one_and_are_of_one_suit() -> None:
    position = simon(t1="9C 5H 4H 3H", t2="6S")
    after = done(SIMPLE_SIMON, position, "t1x3-t2")
    assert changed(position, after.position) == {"t1": "9C", "t2": "6S 5H 4H 3H"}
    assert after.moves == 1


def test_the_first_of_them_lands_by_the_same_rule_as_a_single_card() -> None:
    position = simon(t1="5H 4H 3H", t2="4S", t3="6S")
    assert refused(SIMPLE_SIMON, position, "t1x3-t2") == "wrong_rank"
    done(SIMPLE_SIMON, position, "t1x3-t3")


def test_there_is_no_limit_to_their_number() -> None:
    position = simon(t1=f"4C {TO_TWO}", t2="AC", t3="AD")
    after = done(SIMPLE_SIMON, position, "t1x12-t4")
    assert after.position["t4"] == position["t1"][1:]


@pytest.mark.parametrize("target", ["t2", "t3"])
def test_a_group_of_mixed_suits_never_moves_in_one_piece_not_even_over_empty_columns(target: str) -> None:
    position = simon(t1="5H 4S", t2="6S")
    assert refused(SIMPLE_SIMON, position, f"t1x2-{target}") == "mixed_suits"
    assert "t1x2" not in SIMPLE_SIMON.dests(position)


@pytest.mark.parametrize("cards", ["5H 3H", "4H 5H", "5H 5H", "KH AH"])
def test_cards_that_do_not_descend_by_one_never_move_together(cards: str) -> None:
    assert refused(SIMPLE_SIMON, simon(t1=cards, t2="6S"), "t1x2-t2") == "not_a_run"


@pytest.mark.parametrize("card", ["2S", "AH", "TC", "QD"])
def test_nothing_goes_on_an_ace(card: str) -> None:
    assert refused(SIMPLE_SIMON, simon(t1=card, t2="AS"), "t1-t2") == "nothing_on_an_ace"


@pytest.mark.parametrize("last", ["QH", "2S", "AS", "KS"])
def test_a_king_goes_only_to_an_empty_column(last: str) -> None:
    position = simon(t1="3C KH", t2=last)
    assert refused(SIMPLE_SIMON, position, "t1-t2") == "king_needs_empty_column"
    done(SIMPLE_SIMON, position, "t1-t3")


@pytest.mark.parametrize("cards", ["KH", "7D", "AS", "9C 8C 7C"])
def test_an_empty_column_takes_any_card_or_any_one_suit_group(cards: str) -> None:
    position = simon(t1=f"2C {cards}")
    after = done(SIMPLE_SIMON, position, f"t1x{len(cards.split())}-t5")
    assert changed(position, after.position) == {"t1": "2C", "t5": cards}


def test_every_empty_column_is_listed_for_itself() -> None:
    assert SIMPLE_SIMON.dests(simon(t4="7D")) == {
        "t4": ("t1", "t2", "t3", "t5", "t6", "t7", "t8", "t9", "t10")
    }


def test_carrying_a_whole_column_to_an_empty_one_is_legal_and_counts() -> None:
    after = done(SIMPLE_SIMON, simon(t1="9H 8H"), "t1x2-t7")
    assert (after.moves, SIMPLE_SIMON.score(after.position, after.moves)) == (1, 499)


# Full runs


def test_a_full_run_leaves_inside_the_move_that_completed_it_and_the_cards_it_lay_on_stay() -> None:
    position = simon(t1=f"4H 9D {TO_TWO}", t2="5C AS")
    after = done(SIMPLE_SIMON, position, "t2-t1")
    assert changed(position, after.position) == {"t1": "4H 9D", "t2": "5C", "f1": TO_ACE}
    assert (after.moves, after.seq, after.ply) == (1, 1, 1)


def test_a_full_run_goes_to_the_next_free_foundation() -> None:
    position = simon(t1=TO_TWO, t2="AS", f1=run("H", "KQJT98765432A"), f2=run("D", "KQJT98765432A"))
    assert changed(position, done(SIMPLE_SIMON, position, "t2-t1").position) == {
        "t1": "",
        "t2": "",
        "f3": TO_ACE,
    }


def test_a_full_run_may_arrive_as_a_group() -> None:
    position = simon(t1=f"2D {run('S', 'KQJT98')}", t2=f"3D {run('S', '765432A')}")
    after = done(SIMPLE_SIMON, position, "t2x7-t1")
    assert changed(position, after.position) == {"t1": "2D", "t2": "3D", "f1": TO_ACE}


def test_thirteen_cards_of_two_suits_are_no_full_run() -> None:
    position = simon(t1=TO_TWO, t2="AH")
    after = done(SIMPLE_SIMON, position, "t2-t1")
    assert changed(position, after.position) == {"t1": f"{TO_TWO} AH", "t2": ""}


def test_a_full_run_that_was_dealt_stays_until_a_move_completes_one() -> None:
    """Only a column that a move ends in is looked at: nothing leaves outside a move."""
    position = simon(t1=TO_ACE, t2="5H", t3="6H")
    assert changed(position, done(SIMPLE_SIMON, position, "t2-t3").position) == {"t2": "", "t3": "6H 5H"}


@pytest.mark.parametrize("command", ["f1-t1", "f1x13-t1", "f1-f2", "send f1"])
def test_nothing_is_taken_out_of_a_removed_run(command: str) -> None:
    """B08: raw commands for the cards of a finished pile."""
    position = simon(f1=TO_ACE, t2="2H")
    assert refused(SIMPLE_SIMON, position, command) == "foundation_keeps"


@pytest.mark.parametrize("command", ["t1-f1", "t1x13-f1", "t2-f2"])
def test_nothing_is_put_on_a_foundation_by_hand(command: str) -> None:
    position = simon(t1=TO_ACE, t2="AH")
    assert refused(SIMPLE_SIMON, position, command) == "cannot_leave"
