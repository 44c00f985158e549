"""Where an ended game was lost: the last ply from which it could still be won.

What is lost stays lost along a line, so one ply divides it; the search may leave plies around it unknown.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from game.engine.commands import Command
from game.engine.position import Position
from game.engine.rules import Rules
from game.engine.verdicts import Lost, Solution, Solve, Verdict

LIMIT_A_PLY: Final = 20_000
"""Positions for each ply on the way back from the end."""
LIMIT_A_HALF: Final = 100_000
"""Positions for each ply asked about where the line is halved."""
LIMIT_AT_THE_TURN: Final = 200_000
"""Positions for the ply behind the last winnable one, where it is still unknown."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """What is known of a line of positions, by ply (0 is the deal).

    Every ply up to ``last_won`` can be won, every ply from ``first_lost`` on is lost, those between are
    unknown; each is None where there is no such ply. ``line`` leads from ``last_won`` to a won position
    and is never claimed to be the shortest. ``positions`` is what the answer cost.
    """

    last_won: int | None
    first_lost: int | None
    line: tuple[Command, ...]
    positions: int


Turn = tuple[int | None, int | None, Solution, int]
"""Last won and first lost ply, the solution of the last won, and the positions taken up."""


def analyse(rules: Rules, positions: Sequence[Position]) -> Analysis | None:
    """Analyses the line of an ended game: its unmasked positions from the deal (ply 0) to the last, undone
    steps left out. None if the game has no solver; `ValueError` for no positions at all.

    Takes up to a few seconds of processor time.
    """
    if rules.solver is None:
        return None
    if not positions:
        raise ValueError("a line has at least the deal")
    find = _halved if rules.solver.halves else _backwards
    last_won, first_lost, solution, taken = find(rules.solver.solve, positions)
    if last_won is None:
        return Analysis(None, first_lost, (), taken)
    if rules.solver.shorten is not None:
        solution = rules.solver.shorten(positions[last_won], solution, LIMIT_A_PLY)
        taken += solution.positions
    return Analysis(last_won, first_lost, solution.line, taken)


def _backwards(solve: Solve, positions: Sequence[Position]) -> Turn:
    """From the end backwards: the last positions are the quickest to exhaust, and what was seen of one stays
    lost for the one before it.
    """
    lost: Lost = set()
    first_lost: int | None = None
    taken = 0
    found = Solution(Verdict.UNKNOWN, (), 0)
    for ply in range(len(positions) - 1, -1, -1):
        found = solve(positions[ply], LIMIT_A_PLY, lost)
        taken += found.positions
        if found.verdict is Verdict.LOST:
            first_lost = ply
        if found.verdict is Verdict.WON:
            behind = ply + 1
            if behind < len(positions) and behind != first_lost:
                more = solve(positions[behind], LIMIT_AT_THE_TURN, lost)
                taken += more.positions
                if more.verdict is Verdict.WON:
                    return behind, first_lost, more, taken
                if more.verdict is Verdict.LOST:
                    first_lost = behind
            return ply, first_lost, found, taken
    return None, first_lost, found, taken


def _halved(solve: Solve, positions: Sequence[Position]) -> Turn:
    """By halving the line, for games whose every ply is decided quickly and whose lines are long."""
    lost: Lost = set()
    found: dict[int, Solution] = {}

    def is_before(ply: int, *verdicts: Verdict) -> bool:
        if ply not in found:
            found[ply] = solve(positions[ply], LIMIT_A_HALF, lost)
        return found[ply].verdict in verdicts

    # The last ply first: a won game is settled by it.
    end = len(positions)
    if is_before(end - 1, Verdict.WON):
        return end - 1, None, found[end - 1], found[end - 1].positions
    last_won = bisect_left(range(end), True, key=lambda ply: not is_before(ply, Verdict.WON)) - 1
    first_lost = bisect_left(
        range(end), True, key=lambda ply: not is_before(ply, Verdict.WON, Verdict.UNKNOWN)
    )
    return (
        last_won if last_won >= 0 else None,
        first_lost if first_lost < end else None,
        found.get(last_won, Solution(Verdict.UNKNOWN, (), 0)),
        sum(solution.positions for solution in found.values()),
    )
