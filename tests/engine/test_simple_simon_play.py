"""Simple Simon as it is played: score, end, undo, double click, nonsense; a test for each sentence."""

from __future__ import annotations

from collections import Counter

import pytest

from game.engine.line import Line, Status, actions
from tests.engine.cases import load
from tests.engine.tables import SIMPLE_SIMON, TO_TWO, changed, done, play_all, refused, run, simon

# End and score

THREE_GONE = {
    "f1": run("H", "KQJT98765432A"),
    "f2": run("D", "KQJT98765432A"),
    "f3": run("C", "KQJT98765432A"),
}


@pytest.mark.parametrize("command", ["t2-t1", "send t2"])
def test_won_when_all_four_runs_are_gone(command: str) -> None:
    """B01: by a move or a double click, won in the answer that removes the last run."""
    after = done(SIMPLE_SIMON, simon(t1=TO_TWO, t2="AS", **THREE_GONE), command)
    assert after.status is Status.WON
    assert actions(SIMPLE_SIMON, after) == []


def test_won_after_undo_and_the_same_move_and_only_then() -> None:
    """B01: the run before the last, undone and played again, does not win; the last does, once."""
    two_gone = {name: THREE_GONE[name] for name in ("f1", "f2")}
    position = simon(t1=TO_TWO, t2="AS", t3=run("C", "KQJT98765432"), t4="AC", t5="", **two_gone)
    line = Line(SIMPLE_SIMON, position)
    play_all(line, ["t2-t1"])
    assert not SIMPLE_SIMON.is_won(line.standing.position)
    play_all(line, ["undo", "t2-t1", "t4-t3"])
    assert line.standing.status is Status.WON
    for command in ("undo", "t1-t2", "give_up", "draw"):
        with pytest.raises(AssertionError, match="game_over"):
            play_all(line, [command])


def test_score_starts_at_500_and_each_move_costs_one() -> None:
    line = Line(SIMPLE_SIMON, simon(t1="5H"))
    assert line.score == 500
    play_all(line, ["t1-t2", "t2-t3"])
    assert line.score == 498


def test_each_removed_run_is_worth_100() -> None:
    after = done(SIMPLE_SIMON, simon(t1=TO_TWO, t2="AS"), "t2-t1")
    assert SIMPLE_SIMON.score(after.position, after.moves) == 599


def test_a_win_in_49_moves_scores_851() -> None:
    (case,) = [case for case in load("simple-simon", "won") if case.id == "ss1-won-score-851-600005"]
    line = Line(case.rules, case.deal)
    play_all(line, [text for text, _, _ in case.played()])
    assert (line.standing.status, line.standing.moves, line.score) == (Status.WON, 49, 851)


def test_the_score_may_fall_below_zero() -> None:
    line = Line(SIMPLE_SIMON, simon(t1="5H"))
    play_all(line, ["t1-t2", "t2-t1"] * 251)
    assert line.score == -2


# Undo


def test_score_and_move_count_go_back_with_undo() -> None:
    line = Line(SIMPLE_SIMON, simon(t1="5H"))
    play_all(line, ["t1-t2", "t2-t3", "undo"])
    assert (line.standing.moves, line.score) == (1, 499)


def test_a_removed_run_comes_back_with_the_move_that_had_completed_it() -> None:
    position = simon(t1=f"4H {TO_TWO}", t2="5C AS")
    line = Line(SIMPLE_SIMON, position)
    play_all(line, ["t2-t1", "undo"])
    assert line.standing.position == position
    assert line.score == 500


def test_after_140_moves_and_100_undos_nothing_more_can_be_taken_back_though_40_moves_stand() -> None:
    line = Line(SIMPLE_SIMON, simon(t1="5H"))
    play_all(line, ["t1-t2", "t2-t1"] * 70)
    play_all(line, ["undo"] * 100)
    assert actions(SIMPLE_SIMON, line.standing) == ["give_up"]
    with pytest.raises(AssertionError, match="nothing_to_undo"):
        play_all(line, ["undo"])
    assert line.standing.moves == 40


def test_an_undone_action_frees_its_place() -> None:
    line = Line(SIMPLE_SIMON, simon(t1="5H"))
    play_all(line, ["t1-t2", "t2-t1"] * 50)
    play_all(line, ["undo"] * 10 + ["t1-t2", "t2-t1"] * 5 + ["undo"] * 100)
    assert line.standing.position == line.deal


def test_a_forgotten_action_stays_forgotten() -> None:
    line = Line(SIMPLE_SIMON, simon(t1="5H"))
    play_all(line, ["t1-t2", "t2-t1"] * 51 + ["undo"] * 100)
    with pytest.raises(AssertionError, match="nothing_to_undo"):
        play_all(line, ["undo"])
    play_all(line, ["t1-t2", "undo"])
    with pytest.raises(AssertionError, match="nothing_to_undo"):
        play_all(line, ["undo"])


# Double click


def sent_to(**piles: str) -> str:
    """Where the last card of t5 goes by a double click."""
    position = simon(**piles)
    after = changed(position, done(SIMPLE_SIMON, position, "send t5").position)
    (target,) = after.keys() - {"t5"}
    return target


def test_double_click_prefers_a_place_whose_last_card_is_of_the_same_suit() -> None:
    assert sent_to(t1="6S", t3="6H", t4="6H", t5="9C 5H") == "t3"


def test_failing_that_an_empty_column() -> None:
    assert sent_to(t1="6S", t2="6D", t3="KC", t5="9C 5H") == "t4"


def test_failing_that_a_column_of_another_suit_that_fits() -> None:
    full = {f"t{i}": "KC" for i in (1, 2, 3, 6, 8, 10)}
    assert sent_to(**full, t4="6S", t5="9C 5H", t7="6D", t9="6C") == "t4"


def test_among_equals_the_leftmost() -> None:
    assert sent_to(t5="9C 5H") == "t1"
    assert sent_to(t1="KD", t7="6H", t5="9C 5H", t8="6H") == "t7"


def test_double_click_never_carries_a_whole_column_to_an_empty_one() -> None:
    assert refused(SIMPLE_SIMON, simon(t1="9H 8H"), "send t1x2") == "no_place"
    position = simon(t1="9H 8H", t9="TS")
    assert changed(position, done(SIMPLE_SIMON, position, "send t1x2").position) == {
        "t1": "",
        "t9": "TS 9H 8H",
    }


def test_double_click_takes_the_touched_card_with_those_below_it() -> None:
    position = simon(t1="2C 9H 8H", t9="TH")
    assert changed(position, done(SIMPLE_SIMON, position, "send t1x2").position) == {
        "t1": "2C",
        "t9": "TH 9H 8H",
    }


@pytest.mark.parametrize(
    ("column", "command", "code"),
    [
        ("5H 4S", "send t1x2", "mixed_suits"),
        ("5H 9S", "send t1x2", "not_a_run"),
        ("5H", "send t1x2", "bad_count"),
        ("5H", "send t1x0", "bad_count"),
        ("5H", "send t2", "empty_pile"),
        ("5H", "send t11", "no_such_pile"),
        ("5H", "send w", "no_such_pile"),
    ],
)
def test_a_card_that_cannot_leave_is_refused_with_the_reason(column: str, command: str, code: str) -> None:
    assert refused(SIMPLE_SIMON, simon(t1=column), command) == code


def test_a_double_click_is_logged_as_the_move_it_became() -> None:
    line = Line(SIMPLE_SIMON, simon(t1="2C 9H 8H", t9="TH"))
    play_all(line, ["send t1x2"])
    assert [event.command for event in line.events] == ["t1x2-t9"]


# Nonsense


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("t1-t1", "same_pile"),
        ("t1x2-t1", "same_pile"),
        ("t1x3-t2", "bad_count"),
        ("t1x0-t2", "bad_count"),
        ("t1x99999999999999999999-t2", "bad_count"),
        ("t3-t1", "empty_pile"),
        ("t0-t1", "no_such_pile"),
        ("t11-t1", "no_such_pile"),
        ("t1-t99", "no_such_pile"),
        ("t1-s", "no_such_pile"),
        ("w-t1", "no_such_pile"),
        ("c1-t1", "no_such_pile"),
        ("t1-f5", "no_such_pile"),
        ("collect", "nothing_to_collect"),
        ("undo", "nothing_to_undo"),
    ],
)
def test_nonsense_is_refused_and_changes_nothing(command: str, code: str) -> None:
    """B07: own column, columns -1 and 99, an empty source, a count of 0."""
    position = simon(t1="9H 8H", t2="9S")
    before = position.text
    assert refused(SIMPLE_SIMON, position, command) == code
    assert position.text == before


def test_of_four_identical_faces_the_named_position_moves() -> None:
    """B06: one suit, four fives; the asked one leaves and all cards are still there."""
    position = simon(t1="9S 5S", t2="8S 5S", t3="7S 5S", t4="5S", t5="6S")
    after = done(SIMPLE_SIMON, position, "t3-t5").position
    assert changed(position, after) == {"t3": "7S", "t5": "6S 5S"}
    assert Counter(c for _, p in after.items() for c in p) == Counter(
        c for _, p in position.items() for c in p
    )


def test_an_inner_card_does_not_leave_without_those_on_it() -> None:
    """B06: the count says how many leave; there is no way to name a card inside alone."""
    position = simon(t1="9S 8S 7S", t2="9H")
    assert changed(position, done(SIMPLE_SIMON, position, "t1x2-t2").position) == {
        "t1": "9S",
        "t2": "9H 8S 7S",
    }
