"""Where an ended game was lost: the last ply from which it could still be won.

What is lost stays lost along a line, so one ply divides it; the search may leave plies around it unknown.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
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
LIMIT_A_GAME: Final = 1_000_000
"""Positions for a whole game, its undone stretches included: ten seconds or so, a minute at the very worst.
What is not decided within them stays unknown, so that no game, however long, holds up those behind it."""


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


def analyse(rules: Rules, positions: Sequence[Position]) -> Analysis | None:
    """Analyses the line of an ended game: its unmasked positions from the deal (ply 0) to the last, undone
    steps left out. None if the game has no solver; `ValueError` for no positions at all.

    Takes up to a minute of processor time, nearly always less than a second.
    """
    found = find_turn(rules, positions, LIMIT_A_GAME)
    if found is None or found.last_won is None or rules.solver is None or rules.solver.shorten is None:
        return found
    solution = Solution(Verdict.WON, found.line, found.positions)
    shorter = rules.solver.shorten(positions[found.last_won], solution, LIMIT_A_PLY)
    return replace(found, line=shorter.line, positions=shorter.positions)


def find_turn(rules: Rules, positions: Sequence[Position], limit: int) -> Analysis | None:
    """As `analyse`, with the line as it was found, and within ``limit`` positions."""
    if rules.solver is None:
        return None
    if not positions:
        raise ValueError("a line has at least the deal")
    find = _halved if rules.solver.halves else _backwards
    return find(_Plies(rules.solver.solve, positions, limit))


class _Plies:
    """The plies of a line, asked about one by one within what is left of a limit; what was found out about
    one helps with the next.
    """

    def __init__(self, solve: Solve, positions: Sequence[Position], limit: int) -> None:
        self.solve = solve
        self.positions = positions
        self.left = limit
        self.taken = 0
        self.lost: Lost = set()

    def ask(self, ply: int, limit: int) -> Solution:
        """What a search of so many positions at most makes of a ply."""
        found = self.solve(self.positions[ply], min(limit, self.left), self.lost)
        self.left = max(0, self.left - found.positions)
        self.taken += found.positions
        return found

    def analysis(self, last_won: int | None, first_lost: int | None, solution: Solution) -> Analysis:
        """What it all comes to; the solution is that of the last winnable ply."""
        return Analysis(last_won, first_lost, solution.line if last_won is not None else (), self.taken)


NOTHING_FOUND: Final = Solution(Verdict.UNKNOWN, (), 0)


def _backwards(plies: _Plies) -> Analysis:
    """From the end backwards: the last positions are the quickest to exhaust, and what was seen of one stays
    lost for the one before it.
    """
    first_lost: int | None = None
    for ply in reversed(range(len(plies.positions))):
        if not plies.left:
            break
        found = plies.ask(ply, LIMIT_A_PLY)
        if found.verdict is Verdict.LOST:
            first_lost = ply
        if found.verdict is Verdict.WON:
            behind = ply + 1
            if behind < len(plies.positions) and behind != first_lost:
                more = plies.ask(behind, LIMIT_AT_THE_TURN)
                if more.verdict is Verdict.WON:
                    return plies.analysis(behind, first_lost, more)
                if more.verdict is Verdict.LOST:
                    first_lost = behind
            return plies.analysis(ply, first_lost, found)
    return plies.analysis(None, first_lost, NOTHING_FOUND)


def _halved(plies: _Plies) -> Analysis:
    """By halving the line, for games whose every ply is decided quickly and whose lines are long."""
    found: dict[int, Solution] = {}

    def is_before(ply: int, *verdicts: Verdict) -> bool:
        if ply not in found:
            found[ply] = plies.ask(ply, LIMIT_A_HALF)
        return found[ply].verdict in verdicts

    # The last ply first: a won game is settled by it.
    end = len(plies.positions)
    if is_before(end - 1, Verdict.WON):
        return plies.analysis(end - 1, None, found[end - 1])
    last_won = bisect_left(range(end), True, key=lambda ply: not is_before(ply, Verdict.WON)) - 1
    first_lost = bisect_left(
        range(end), True, key=lambda ply: not is_before(ply, Verdict.WON, Verdict.UNKNOWN)
    )
    return plies.analysis(
        last_won if last_won >= 0 else None,
        first_lost if first_lost < end else None,
        found.get(last_won, NOTHING_FOUND),
    )
