"""Best-first search for a won position: what the solvers have in common."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from heapq import heappop, heappush
from typing import TypeVar

from game.engine.verdicts import Lost, Verdict

State = TypeVar("State", bound=Hashable)

Found = tuple[Verdict, list[State], int]
"""The verdict, the states from the first to a won one (none unless won), and how many were seen."""


def best_first(
    start: State,
    follow: Callable[[State, int], Iterable[tuple[State, int]]],
    is_won: Callable[[State], bool],
    limit: int,
    lost: Lost | None = None,
) -> Found[State]:
    """Seeks a way from ``start`` to a state that ``is_won``, most promising first, last seen first of equals.

    ``follow`` takes a state with its points and gives the states that come next with theirs; fewer points
    are more promising. States are equal if whatever follows from one follows from the other. Each is seen
    once; ``limit`` is how many may be, and ``lost`` is as in `game.engine.verdicts.Solve`.
    """
    if lost is None:
        lost = set()
    if start in lost:
        return Verdict.LOST, [], 0
    came_from: dict[State, State | None] = {start: None}
    if is_won(start):
        return Verdict.WON, [start], 1
    # A stack for each number of points: the last seen of equals comes first, and nothing is compared.
    stacks: dict[int, list[State]] = {0: [start]}
    fewest = [0]
    while fewest:
        points = fewest[0]
        stack = stacks[points]
        if not stack:
            heappop(fewest)
            del stacks[points]
            continue
        state = stack.pop()
        for child, its_points in follow(state, points):
            if child in came_from or (lost and child in lost):
                continue
            if len(came_from) >= limit:
                return Verdict.UNKNOWN, [], len(came_from)
            came_from[child] = state
            if is_won(child):
                return Verdict.WON, _path(came_from, child), len(came_from)
            if its_points not in stacks:
                stacks[its_points] = []
                heappush(fewest, its_points)
            stacks[its_points].append(child)
    lost.update(came_from)
    return Verdict.LOST, [], len(came_from)


def _path(came_from: dict[State, State | None], end: State) -> list[State]:
    path = [end]
    while (before := came_from[path[-1]]) is not None:
        path.append(before)
    path.reverse()
    return path
