"""Whether a position can still be won: what a solver answers, and what a game brings to be asked.

*Won* is a line of commands that the game's own ``step`` replays to the end; *lost* is a search that ran
out of positions; everything else is *unknown*. Efforts are counted in positions and never in time, so
that the answer is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from game.engine.commands import Command
from game.engine.position import Position


class Verdict(StrEnum):
    """What is known of a position."""

    WON = "won"
    LOST = "lost"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Solution:
    """A verdict with what it rests on.

    ``line`` leads from the position asked about to a won one, automatic effects included, and is empty
    unless the verdict is won (and where nothing is left to do); ``positions`` is how many were taken up.
    """

    verdict: Verdict
    line: tuple[Command, ...]
    positions: int


Lost = set[Hashable]
"""Positions known to be lost, in a form that only the solver that added them can read."""


class Solve(Protocol):
    """Decides a position of a running or an ended game, all cards known.

    ``limit`` is how many positions may be taken up before the answer is unknown. ``lost``, if given, holds
    what earlier searches saw exhausted, is used, and grows when this one ends so. Raises `ValueError` for
    a position that is none of this game.
    """

    def __call__(self, position: Position, limit: int, lost: Lost | None = None) -> Solution: ...


class Shorten(Protocol):
    """Seeks a shorter line of a position whose solution is won: a line no longer, never claimed to be the
    shortest, with the positions that both answers cost. ``limit`` holds for each of a few attempts.
    """

    def __call__(self, position: Position, solution: Solution, limit: int) -> Solution: ...


@dataclass(frozen=True, slots=True)
class Solver:
    """What a game brings to have verdicts; ``version`` rises whenever an answer may be another one.

    ``halves`` says that a line is analysed by halving it, not from its end: where any ply is decided quickly.
    ``thirds``, by variant: as many positions at most as a third, and two thirds, of the winnable deals take
    up before their first win, measured over 150 random deals.
    """

    solve: Solve
    version: int
    shorten: Shorten | None = None
    halves: bool = False
    thirds: Mapping[str, tuple[int, int]] = field(default_factory=dict)


def shortest(solution: Solution, others: Iterable[Solution]) -> Solution:
    """A won solution, with the shortest line among it and others that are won, and the effort of all."""
    others = list(others)
    lines = [solution.line, *(other.line for other in others if other.verdict is Verdict.WON)]
    effort = solution.positions + sum(other.positions for other in others)
    return Solution(solution.verdict, min(lines, key=len), effort)
