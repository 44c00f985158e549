"""Every golden case, ply by ply, against the engine."""

from __future__ import annotations

from typing import Any

import pytest

from game.engine.commands import MalformedCommandError, parse_command
from game.engine.games import GAMES
from game.engine.line import Event, Line, Status
from game.engine.piles import Role
from game.engine.position import Position
from game.engine.rules import Refusal, Rules
from tests.engine.cases import CODES, Case, case_text, command_text, games_of, load, removed_suits

SLUGS = [rules.slug for rules in GAMES]
PLAYED = [case for slug in SLUGS for case in games_of(slug)]
# One draw command stands for both stock actions: three cases ask for the wrong one of the two.
REFUSED = [case for slug in SLUGS for case in load(slug, "refused") if not case.is_other_stock_word]


def play(line: Line, text: str) -> Event | Refusal:
    try:
        return line.play(parse_command(text))
    except MalformedCommandError:
        return Refusal("malformed")


def pairs(line: Line) -> list[tuple[str, str]]:
    if line.standing.status is not Status.PLAYING:
        return []
    dests = line.rules.dests(line.standing.position)
    return [(source, target) for source, targets in dests.items() for target in targets]


def idle_pairs(rules: Rules, position: Position, legal: list[tuple[str, str]]) -> int:
    columns = {pile.name for pile in rules.layout if pile.role is Role.COLUMN}
    whole = {f"{name}x{len(position[name])}" if len(position[name]) > 1 else name for name in columns}
    return sum(source in whole and target in columns and not position[target] for source, target in legal)


def assert_stands(case: Case, line: Line, ply: dict[str, Any]) -> None:
    position = line.standing.position
    legal = pairs(line)
    assert case_text(case.rules, case.options, position) == ply["text"]
    assert len(legal) == ply["legal"]
    assert idle_pairs(case.rules, position, legal) == ply["idle"]
    assert line.standing.moves == ply["moves"]
    assert (line.standing.status is Status.WON) == ply["won"]
    if "score" in ply:
        assert line.score == ply["score"]
        assert removed_suits(case.rules, position) == ply["removed"]


@pytest.mark.parametrize("case", PLAYED, ids=lambda case: case.id)
def test_played_case(case: Case) -> None:
    line = Line(case.rules, case.deal)
    assert_stands(case, line, case.data["start"])
    for text, _, ply in case.played():
        before = line.standing
        outcome = play(line, text)
        if "refused" in ply:
            assert isinstance(outcome, Refusal)
            assert outcome.code in CODES[ply["refused"]]
            assert line.standing is before
        else:
            assert isinstance(outcome, Event), f"{text}: {outcome}"
        assert_stands(case, line, ply)


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.id)
def test_refused_case(case: Case) -> None:
    line = Line(case.rules, case.deal)
    for action in case.data["moves"]:
        play(line, command_text(action))
    assert case_text(case.rules, case.options, line.standing.position) == case.data["text"]
    before, log = line.standing, list(line.events)
    outcome = play(line, command_text(case.data["action"]))
    assert isinstance(outcome, Refusal)
    assert outcome.code in case.codes
    assert line.standing is before
    assert line.events == log


def test_every_case_file_is_read() -> None:
    """The counts of the case files: a file left out would go unnoticed otherwise."""
    assert len(games_of("simple-simon")) == 125
    assert sum(len(case.data["plies"]) for case in games_of("simple-simon")) == 11106
    assert len(load("simple-simon", "refused")) == 89
    assert len(games_of("klondike")) == 55
    assert sum(len(case.data["plies"]) for case in games_of("klondike")) == 7387
    assert len(load("klondike", "refused")) == 111
    assert len(REFUSED) == 89 + 108
