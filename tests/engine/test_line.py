"""A game as it is played: log, line, undo, end, digest."""

from __future__ import annotations

from hashlib import sha256

import pytest

from game.engine.commands import parse_command
from game.engine.effects import apply_effects, effects_from_json, effects_to_json, inverse
from game.engine.games import UnknownRulesError, rules_of
from game.engine.line import Event, Line, Standing, Status, actions, advance, digest, line_of, retrace
from game.engine.rules import SENTENCES, Refusal
from tests.engine.cases import games_of, load
from tests.engine.tables import SIMPLE_SIMON, TO_TWO, play_all, simon


def a_line(*commands: str) -> Line:
    line = Line(SIMPLE_SIMON, simon(t1="5H", t2="9C 8C"))
    play_all(line, commands)
    return line


def test_seq_only_grows_and_ply_falls_on_undo() -> None:
    line = Line(SIMPLE_SIMON, simon(t1="5H"))
    counts = []
    for command in ("t1-t2", "t2-t3", "undo", "undo", "t1-t4", "give_up"):
        play_all(line, [command])
        counts.append((line.standing.seq, line.standing.ply))
    assert counts == [(1, 1), (2, 2), (3, 1), (4, 0), (5, 1), (6, 1)]
    assert [event.seq for event in line.events] == [1, 2, 3, 4, 5, 6]


def test_a_new_game_is_at_seq_0_ply_0() -> None:
    standing = a_line().standing
    assert (standing.seq, standing.ply, standing.moves, standing.status) == (0, 0, 0, "playing")


def test_undo_and_give_up_are_events_not_in_the_line() -> None:
    line = a_line("t1-t3", "undo", "t2-t4", "t2-t5", "undo", "t1-t3", "give_up")
    assert [event.command for event in line_of(line.events)] == ["t2-t4", "t1-t3"]
    assert len(line.events) == 7


def test_undo_after_undo_goes_on_backwards_and_is_never_itself_undone() -> None:
    line = a_line("t1-t3", "t2-t4", "t2-t5", "undo", "undo", "undo")
    assert line.standing.position == line.deal
    with pytest.raises(AssertionError, match="nothing_to_undo"):
        play_all(line, ["undo"])


def test_undo_passes_over_what_was_undone_before() -> None:
    """The step before the last one may lie further back in the log than the one entry before it."""
    line = a_line("t1-t3", "t2-t4", "undo", "t2-t5", "undo", "undo")
    assert (line.standing.position, line.standing.tip, line.standing.moves) == (line.deal, 0, 0)


def test_undo_effects_are_the_inverse_of_what_is_undone() -> None:
    line = a_line("t2x2-t4", "undo")
    assert effects_to_json(line.events[1].effects, masked=False) == [["move", "t4", "t2", 2]]
    assert line.events[1].moves == -1


def test_give_up_ends_the_game_where_it_stands() -> None:
    line = a_line("t1-t3", "give_up")
    standing = line.standing
    assert (standing.status, standing.moves, standing.ply) == (Status.GIVEN_UP, 1, 1)
    assert actions(SIMPLE_SIMON, standing) == []
    for command in ("t3-t1", "undo", "give_up", "send t3", "t99-t1"):
        with pytest.raises(AssertionError, match="game_over"):
            play_all(line, [command])
    assert line.standing is standing


def test_a_game_may_be_given_up_before_its_first_move() -> None:
    assert a_line("give_up").standing.status is Status.GIVEN_UP


def test_actions_say_what_would_be_accepted_now() -> None:
    assert actions(SIMPLE_SIMON, a_line().standing) == ["give_up"]
    assert actions(SIMPLE_SIMON, a_line("t1-t3").standing) == ["undo", "give_up"]
    assert actions(SIMPLE_SIMON, a_line("t1-t3", "undo").standing) == ["give_up"]


def test_the_digest_is_the_sum_of_what_it_says() -> None:
    line = a_line("t1-t3")
    text = "t1/t2 9C 8C/t3 5H/t4/t5/t6/t7/t8/t9/t10/f1/f2/f3/f4|499|1|playing"
    assert digest(SIMPLE_SIMON, line.standing) == sha256(text.encode()).hexdigest()


def test_every_way_of_winning_goes_through_one_end() -> None:
    """B01: a game resumed from its stored standing and log is won by its last move like any other."""
    for case in load("simple-simon", "won")[::6]:
        line = Line(case.rules, case.deal)
        texts = [text for text, _, _ in case.played()]
        play_all(line, texts[:-1])
        resumed = Standing(
            line.standing.position,
            line.standing.seq,
            line.standing.ply,
            line.standing.moves,
            Status("playing"),
            line.standing.tip,
            line.standing.undoable,
        )
        outcome = advance(case.rules, resumed, parse_command(texts[-1]), None)
        assert not isinstance(outcome, Refusal)
        assert outcome[1].status is Status.WON
        statuses = [standing.status for _, standing in retrace(case.rules, case.deal, line.events)]
        assert set(statuses) == {Status.PLAYING}


def test_a_stored_log_is_retraced_without_asking_the_rules() -> None:
    for case in games_of("simple-simon")[::9]:
        line = Line(case.rules, case.deal)
        standings = []
        for text, _, _ in case.played():
            if isinstance(line.play(parse_command(text)), Event):
                standings.append(line.standing)
        assert [standing for _, standing in retrace(case.rules, case.deal, line.events)] == standings


def test_effects_are_stored_as_they_read_back() -> None:
    line = Line(SIMPLE_SIMON, simon(t1=f"4H {TO_TWO}", t2="5C AS"))
    play_all(line, ["t2-t1"])
    (event,) = line.events
    rows = effects_to_json(event.effects, masked=False)
    assert rows == [["move", "t2", "t1", 1], ["move", "t1", "f1", 13]]
    assert effects_from_json(rows) == event.effects
    assert apply_effects(line.standing.position, inverse(event.effects)) == line.deal


def test_20_000_moves_and_undos_keep_no_past_position() -> None:
    """B17: what the next command needs is one standing and one event, however long the game."""
    line = a_line()
    play_all(line, ["t1-t3", "undo"] * 10_000)
    assert (line.standing.seq, line.standing.ply, line.score) == (20_000, 0, 500)
    early, late = line.events[100], line.events[19_900]
    assert (early.command, early.effects, early.moves) == (late.command, late.effects, late.moves)


def test_every_refusal_code_has_a_sentence() -> None:
    assert SIMPLE_SIMON.sentence("wrong_rank") == SENTENCES["wrong_rank"]
    assert all(text[0].isupper() and text.endswith(".") for text in SENTENCES.values())
    with pytest.raises(KeyError):
        SIMPLE_SIMON.sentence("no_such_code")


def test_unknown_rules() -> None:
    with pytest.raises(UnknownRulesError, match="'spider' is none of simple-simon"):
        rules_of("spider")
