"""An ended game is told where it was lost: the last ply that could be won, and a way on from there."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from game.engine.analysis import LIMIT_A_GAME, Analysis, analyse, find_turn
from game.engine.commands import Command, GiveUp, Undo
from game.engine.deals import DealCode
from game.engine.games import rules_of
from game.engine.line import line_of, retrace
from game.engine.position import Position
from game.engine.rules import Refusal, Rules
from game.engine.verdicts import Verdict
from tests.engine.cases import load
from tests.engine.exhaustion import exhausted, followers, is_done, small_klondike, small_simon
from tests.engine.recorded import replayed

KLONDIKE = rules_of("klondike")
SIMPLE_SIMON = rules_of("simple-simon")
each_solved_game = pytest.mark.parametrize("rules", [KLONDIKE, SIMPLE_SIMON], ids=lambda rules: rules.slug)


def replayed_from(rules: Rules, position: Position, line: tuple[Command, ...]) -> Position:
    for command in line:
        assert not isinstance(command, Undo | GiveUp)
        step = rules.step(position, command)
        assert not isinstance(step, Refusal)
        position = step.position
    return position


def analysed(rules: Rules, positions: list[Position]) -> Analysis:
    """The analysis of a line, its own line replayed."""
    found = analyse(rules, positions)
    assert found is not None
    if found.last_won is not None:
        assert is_done(replayed_from(rules, positions[found.last_won], found.line))
    return found


def walk(rules: Rules, position: Position, random: Random) -> list[Position]:
    """A line of up to twelve steps, each any that the rules allow."""
    line = [position]
    while len(line) < 12 and (open_to := list(followers(rules, line[-1]))) and not is_done(line[-1]):
        line.append(random.choice(open_to))
    return line


@each_solved_game
def test_the_turn_is_where_trying_everything_finds_it(rules: Rules) -> None:
    small = small_klondike if rules is KLONDIKE else small_simon
    turns = set()
    for seed in range(30):
        random = Random(seed)
        positions = walk(rules, small(random), random)
        found = analysed(rules, positions)
        won = -1 if found.last_won is None else found.last_won
        assert found.first_lost == (won + 1 if won + 1 < len(positions) else None)
        if found.first_lost is not None:
            assert exhausted(rules, positions[found.first_lost], 300) is not Verdict.WON
            turns.add(won)
    assert len(turns) > 1


@each_solved_game
def test_a_won_game_was_never_lost(rules: Rules) -> None:
    line = replayed(load(rules.slug, "won")[0])
    positions = [line.deal, *(standing.position for _, standing in retrace(rules, line.deal, line.events))]
    found = analysed(rules, positions)
    assert (found.last_won, found.first_lost, found.line) == (len(positions) - 1, None, ())


@each_solved_game
def test_whole_games_that_strayed_are_analysed(rules: Rules) -> None:
    for case in load(rules.slug, "walks")[:4]:
        line = replayed(case)
        kept = line_of(line.events)
        positions = [line.deal, *(standing.position for _, standing in retrace(rules, line.deal, kept))]
        found = analysed(rules, positions)
        assert found.last_won is not None or found.first_lost is not None
        assert found.last_won is None or found.first_lost is None or found.last_won < found.first_lost


@each_solved_game
def test_what_is_not_found_within_the_limit_of_a_game_stays_unknown(rules: Rules) -> None:
    line = replayed(load(rules.slug, "walks")[0])
    positions = [line.deal, *(s.position for _, s in retrace(rules, line.deal, line_of(line.events)))]
    whole = find_turn(rules, positions, LIMIT_A_GAME)
    assert whole is not None
    lost_from = len(positions) if whole.first_lost is None else whole.first_lost
    for limit in (0, 10, whole.positions // 2):
        part = find_turn(rules, positions, limit)
        assert part is not None
        # A line is halved a few times in any case, and each ply that is asked about is looked at.
        assert part.positions <= limit + 20
        known = range(len(positions) if limit else 0)
        assert part.last_won in (None, *known[: (whole.last_won or 0) + 1])
        assert part.first_lost in (None, *known[lost_from:])


@each_solved_game
def test_a_shorter_line_is_no_longer_and_wins(rules: Rules) -> None:
    solver = rules.solver
    assert solver is not None
    assert solver.shorten is not None
    saved = 0
    for letters in ("AAAAABD", "AAAAABE"):
        deal = DealCode(rules, list(rules.variants)[-1], letters).deal()
        first = solver.solve(deal, 4000)
        if first.verdict is Verdict.WON:
            shorter = solver.shorten(deal, first, 10_000)
            assert shorter.verdict is Verdict.WON
            assert shorter.positions > first.positions
            assert len(shorter.line) <= len(first.line)
            assert is_done(replayed_from(rules, deal, shorter.line))
            saved += len(first.line) - len(shorter.line)
    assert saved


def test_a_game_without_a_solver_has_no_analysis() -> None:
    line = replayed(load(KLONDIKE.slug, "won")[0])
    assert analyse(replace(KLONDIKE, solver=None), [line.deal]) is None


def test_a_line_has_at_least_the_deal() -> None:
    with pytest.raises(ValueError, match="at least the deal"):
        analyse(KLONDIKE, [])
