"""Klondike: the deal, columns, foundations; a test for each sentence of its rules."""

from __future__ import annotations

import pytest

from game.engine.deals import DealCode
from game.engine.effects import effects_to_json
from game.engine.games import rules_of
from game.engine.line import Line
from game.engine.piles import Fan, Role
from game.engine.position import Position
from game.engine.rules import SENTENCES, Ranking
from tests.engine.cases import load
from tests.engine.tables import ask, changed, done, play_all, refused, run, table

KLONDIKE = rules_of("klondike")


def fortuna(**piles: str) -> Position:
    """A Klondike position."""
    return table(KLONDIKE, **piles)


def columns_taking(source: str, position: Position) -> set[str]:
    return {name for name in KLONDIKE.dests(position).get(source, ()) if name[0] == "t"}


# Deal and layout


def test_seven_columns_of_1_to_7_cards_only_the_last_of_each_face_up() -> None:
    position = DealCode(KLONDIKE, "D1", "AAAAABD").deal()
    for length in range(1, 8):
        faces = [card.face_up for card in position[f"t{length}"]]
        assert faces == [False] * (length - 1) + [True]


def test_the_other_24_cards_are_the_stock_face_down_and_the_waste_starts_empty() -> None:
    position = DealCode(KLONDIKE, "D1", "AAAAABD").deal()
    assert [card.face_up for card in position["s"]] == [False] * 24
    assert position["w"] == ()


def test_four_foundations_fixed_by_suit_left_to_right_hearts_clubs_diamonds_spades() -> None:
    foundations = [pile for pile in KLONDIKE.layout if pile.role is Role.FOUNDATION]
    assert [(pile.name, pile.suit) for pile in foundations] == [
        ("f1", "H"),
        ("f2", "C"),
        ("f3", "D"),
        ("f4", "S"),
    ]
    assert [pile.column for pile in foundations] == sorted(pile.column for pile in foundations)


def test_stock_waste_and_foundations_in_one_row_above_the_seven_columns() -> None:
    above = [pile.name for pile in KLONDIKE.layout if pile.row == 0]
    below = [(pile.name, pile.column, pile.fan) for pile in KLONDIKE.layout if pile.row == 1]
    assert above == ["s", "w", "f1", "f2", "f3", "f4"]
    assert below == [(f"t{i + 1}", i, Fan.DOWN) for i in range(7)]


def test_a_code_has_7_or_20_letters_and_a_game_that_counts_the_longer() -> None:
    assert KLONDIKE.code_letters == (7, 20)
    assert (KLONDIKE.hides_cards, KLONDIKE.ranking, KLONDIKE.undo_limit) == (True, Ranking.TIME, 500)
    assert KLONDIKE.score(fortuna(), 7) is None


# Columns


def test_a_card_goes_on_one_that_is_one_rank_higher_and_of_the_other_colour() -> None:
    position = fortuna(t1="8C", t2="9H", t3="9D", t4="9S", t5="9C", t6="TH", t7="7H")
    assert columns_taking("t1", position) == {"t2", "t3"}
    assert refused(KLONDIKE, position, "t1-t4") == "wrong_colour"
    assert refused(KLONDIKE, position, "t1-t5") == "wrong_colour"
    assert refused(KLONDIKE, position, "t1-t6") == "wrong_rank"
    assert refused(KLONDIKE, position, "t1-t7") == "wrong_rank"


def test_any_face_up_card_moves_with_all_that_lie_on_it() -> None:
    position = fortuna(t1="2c TS 9H 8C 7D", t2="JD", t3="TC", t4="9D", t5="8S")
    for count, target in ((4, "t2"), (3, "t3"), (2, "t4"), (1, "t5")):
        command = f"t1x{count}-{target}"
        after = done(KLONDIKE, position, command).position
        assert after[target] == position[target] + position["t1"][-count:]


def test_no_limit_to_their_number() -> None:
    group = "QH JC TH 9C 8H 7C 6H 5C 4H 3C 2H AC"
    after = done(KLONDIKE, fortuna(t1=group, t2="KS"), "t1x12-t2")
    assert after.position["t1"] == ()
    assert len(after.position["t2"]) == 13


def test_when_no_face_up_card_is_left_the_next_turns_up_within_the_same_move() -> None:
    position = fortuna(t1="4s kh 8C 7D", t2="9H")
    outcome = ask(KLONDIKE, position, "t1x2-t2")
    assert isinstance(outcome, tuple)
    event, after = outcome
    assert changed(position, after.position) == {"t1": "4s KH", "t2": "9H 8C 7D"}
    assert effects_to_json(event.effects, masked=False) == [["move", "t1", "t2", 2], ["turn", "t1", "KH"]]
    assert after.moves == 1


def test_a_card_turns_only_when_no_face_up_card_is_left() -> None:
    position = fortuna(t1="4s 8C 7D", t2="8S")
    assert changed(position, done(KLONDIKE, position, "t1-t2").position) == {"t1": "4s 8C", "t2": "8S 7D"}


@pytest.mark.parametrize("group", ["KH", "KH QS", "KS QD JC"])
def test_an_empty_column_takes_a_king_or_a_group_that_begins_with_one(group: str) -> None:
    position = fortuna(t1=f"4s {group}")
    count = len(group.split())
    assert changed(position, done(KLONDIKE, position, f"t1x{count}-t5").position) == {"t1": "4S", "t5": group}


@pytest.mark.parametrize(("column", "command"), [("QH", "t1-t5"), ("KS QH", "t1-t5"), ("AS", "t1-t5")])
def test_an_empty_column_takes_only_a_king(column: str, command: str) -> None:
    assert refused(KLONDIKE, fortuna(t1=column), command) == "only_a_king"


def test_a_kings_whole_column_may_go_to_an_empty_one_and_counts() -> None:
    position = fortuna(t1="KS QH")
    assert columns_taking("t1x2", position) == {"t2", "t3", "t4", "t5", "t6", "t7"}
    assert done(KLONDIKE, position, "t1x2-t7").moves == 1


@pytest.mark.parametrize("command", ["t1x2-t2", "t1x3-t3", "send t1x2", "t1x2-f3"])
def test_a_face_down_card_takes_part_in_no_move(command: str) -> None:
    """B03: the hidden 9H and KD would fit if their hidden value counted."""
    position = fortuna(t1="kd 9h 8C", t2="TS", t4="5D")
    assert refused(KLONDIKE, position, command) in {"face_down", "one_card_only"}


def test_a_hidden_card_is_no_place_and_no_source_whatever_it_is() -> None:
    """B03: even where a column ends face down, which no play leads to."""
    position = fortuna(t1="ah", t2="9h", t3="8C")
    for command in ("t1-f1", "send t1", "t3-t2"):
        assert refused(KLONDIKE, position, command) == "face_down"
    assert refused(KLONDIKE, position, "collect") == "nothing_to_collect"
    assert KLONDIKE.dests(position) == {}


# Foundations


@pytest.mark.parametrize(("source", "piles"), [("t1", {"t1": "5C AH"}), ("w", {"w": "5C AH"})])
def test_the_last_of_a_column_or_the_top_of_the_waste_goes_up(source: str, piles: dict[str, str]) -> None:
    position = fortuna(**piles)
    assert changed(position, done(KLONDIKE, position, f"{source}-f1").position) == {source: "5C", "f1": "AH"}


def test_ace_first_then_up_in_suit() -> None:
    position = fortuna(t1="2H", t2="AH", t3="3H", t4="2D", f3="AD")
    assert refused(KLONDIKE, position, "t1-f1") == "wrong_rank"
    assert refused(KLONDIKE, position, "t4-f1") == "wrong_foundation"
    line = Line(KLONDIKE, position)
    play_all(line, ["t2-f1", "t1-f1", "t3-f1", "t4-f3"])
    assert line.standing.position["f1"] == (*position["t2"], *position["t1"], *position["t3"])


@pytest.mark.parametrize(("card", "target"), [("AC", "f1"), ("AH", "f2"), ("AS", "f3"), ("AD", "f4")])
def test_each_foundation_takes_its_own_suit_only(card: str, target: str) -> None:
    """B08: the ace of clubs to the hearts place, and so on."""
    assert refused(KLONDIKE, fortuna(t1=card), f"t1-{target}") == "wrong_foundation"


def test_one_card_at_a_time() -> None:
    """B06: a group, or a card inside one, never goes to a foundation."""
    position = fortuna(t1="3S 2H", f4="AS 2S", f1="AH")
    assert refused(KLONDIKE, position, "t1x2-f4") == "one_card_only"
    assert refused(KLONDIKE, position, "t1x2-f1") == "one_card_only"


@pytest.mark.parametrize("command", ["f1-t1", "f1-t2", "f1-f2", "f1x2-t1", "send f1"])
def test_nothing_comes_back_from_a_foundation(command: str) -> None:
    """B08: not to a column that would take it, not to another foundation."""
    assert refused(KLONDIKE, fortuna(f1="AH 2H", t1="3S", t3="KS"), command) == "foundation_keeps"


def test_only_undo_brings_a_card_back_from_a_foundation() -> None:
    line = Line(KLONDIKE, fortuna(t1="5C AH"))
    play_all(line, ["t1-f1", "undo"])
    assert line.standing.position == line.deal


# The example of the document


def test_the_documents_four_moves_turn_four_cards() -> None:
    (case,) = [case for case in load("klondike", "walks") if case.id == "kl-document-four-moves"]
    assert [case.deal[f"t{i}"][-1].text for i in range(1, 8)] == ["6C", "9H", "AS", "8C", "5D", "QS", "7D"]
    line = Line(case.rules, case.deal)
    play_all(line, ["t3-f4", "t4-t2", "t7-t2", "t5-t1"])
    turned = [row for event in line.events for row in effects_to_json(event.effects, masked=False)]
    assert [row[1] for row in turned if row[0] == "turn"] == ["t3", "t4", "t7", "t5"]
    assert line.standing.moves == 4
    assert line.standing.position["t2"][-3:] == tuple(fortuna(t1="9H 8C 7D")["t1"])
    play_all(line, ["t1x2-t2"])
    assert line.standing.position["t1"] == ()


def test_won_when_all_52_cards_are_on_the_foundations() -> None:
    full = {name: run(suit, "A23456789TJQK") for name, suit in zip(("f1", "f2", "f3"), "HCD", strict=True)}
    position = fortuna(**full, f4=run("S", "A23456789TJQ"), t5="KS")
    assert not KLONDIKE.is_won(position)
    for command in ("t5-f4", "send t5", "collect"):
        assert done(KLONDIKE, position, command).status == "won"


def test_a_wrong_rank_is_told_in_words_that_hold_for_foundations_too() -> None:
    assert "foundation" in KLONDIKE.sentence("wrong_rank")
    assert KLONDIKE.sentence("wrong_colour") == SENTENCES["wrong_colour"]
