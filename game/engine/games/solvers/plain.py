"""Plain best-first search over a game's own rules: no reductions, so what it says is what the rules say."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from heapq import heappop, heappush
from itertools import count

from game.engine.commands import Command, Draw, Move
from game.engine.position import Position
from game.engine.rules import Dests, Refusal, Step
from game.engine.verdicts import Lost, Solution, Solve, Verdict


def plain(
    step: Callable[[Position, Move | Draw], Step | Refusal],
    dests: Callable[[Position], Dests],
    is_won: Callable[[Position], bool],
) -> Solve:
    """A solver of the game that these functions are the rules of."""

    def solve(position: Position, limit: int, lost: Lost | None = None) -> Solution:
        known: dict[Position, tuple[Position, Command] | None] = {position: None}
        number = count()
        queue = [(0, next(number), position)]
        taken = 0
        while queue:
            _, _, here = heappop(queue)
            taken += 1
            if is_won(here):
                return Solution(Verdict.WON, _line(known, here), taken)
            if taken >= limit:
                return Solution(Verdict.UNKNOWN, (), taken)
            for move in _moves(dests(here)):
                done = step(here, move)
                if not isinstance(done, Refusal) and done.position not in known:
                    known[done.position] = (here, move)
                    off = sum(len(cards) for name, cards in done.position.items() if name[0] == "f")
                    heappush(queue, (-off, next(number), done.position))
        return Solution(Verdict.LOST, (), taken)

    return solve


def _moves(found: Dests) -> Iterator[Move | Draw]:
    for source, targets in found.items():
        for target in targets:
            if source == "s":
                yield Draw()
            else:
                name, _, size = source.partition("x")
                yield Move(name, int(size or 1), target)


def _line(known: dict[Position, tuple[Position, Command] | None], end: Position) -> tuple[Command, ...]:
    line = []
    while (step := known[end]) is not None:
        end, command = step
        line.append(command)
    return tuple(reversed(line))
