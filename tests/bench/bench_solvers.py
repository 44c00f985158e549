"""How much the solvers take on PySolFC's deals 100001 to 100200: ``python -m tests.bench.bench_solvers``.

Verdicts and positions are the same on every machine, times are not. Beside each figure stands the one of
the best earlier solvers on two small cores, reported for the same deals.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain
from random import Random
from typing import Final, NamedTuple

from game.engine.cards import RANKS, Card, card
from game.engine.games import rules_of
from game.engine.position import Position
from game.engine.rules import Refusal, Rules
from game.engine.verdicts import Solution, Verdict

DEALS: Final = range(100_001, 100_201)
LIMIT: Final = 1_000_000
FOLDED: Final = {4: {}, 2: {"C": "S", "D": "H"}, 1: {"C": "S", "D": "S", "H": "S"}}
"""How the suits of a numbered deal are read where fewer are played with."""


ROWS: Final = {"simple-simon": (9, 8, 7, 6, 5, 4, 3, 10), "klondike": (6, 5, 4, 3, 2, 1, 7)}
"""How many columns each row of a numbered deal has a card for."""


class Part(NamedTuple):
    """A row: the game, how many suits, and what was reported: verdicts, positions, milliseconds."""

    title: str
    slug: str
    suits: int
    reported: str


PARTS: Final = (
    Part("Simple Simon, 4 suits", "simple-simon", 4, "191 won, 9 lost; 2200 / 16000 / 418000; 9 / 57 / 4000"),
    Part("Simple Simon, 2 suits", "simple-simon", 2, "194 won, 6 lost; -; 4 / 31 / 290"),
    Part("Simple Simon, 1 suit", "simple-simon", 1, "197 won, 3 lost; - / - / 27000; 4 / 8 / 37"),
    Part("Klondike", "klondike", 4, "177 won, 23 lost; 79 / 4500 / 74600; 2 / 230 / 4000"),
)


def numbered_deal(rules: Rules, number: int, suits: int = 4) -> Position:
    """PySolFC's deal of a number: its shuffle, dealt row by row, for one of the two games."""
    cards = [card(rank + FOLDED[suits].get(suit, suit)) for suit in "CSHD" for rank in RANKS]
    random = Random(number)
    for last in range(len(cards) - 1, 0, -1):
        other = int(random.random() * (last + 1))
        cards[last], cards[other] = cards[other], cards[last]
    rows = ROWS[rules.slug]
    columns: list[list[Card]] = [[] for _ in range(max(rows))]
    for row in rows:
        for column in columns[:row]:
            column.append(cards.pop())
    if rules.hides_cards:
        columns.reverse()
    return rules.deal((*chain.from_iterable(columns), *reversed(cards)))


def is_replayed(rules: Rules, position: Position, solution: Solution) -> bool:
    """Whether a line leads to a won position."""
    for command in solution.line:
        step = rules.step(position, command)  # type: ignore[arg-type]
        if isinstance(step, Refusal):
            return False
        position = step.position
    return rules.is_won(position)


def run() -> None:
    """All deals, all games."""
    main(DEALS)


def main(numbers: Iterable[int]) -> None:
    """Prints a row for each game: ours, and what was reported."""
    print("verdicts; positions median / p95 / most; ms median / p95 / most")
    for part in PARTS:
        rules = rules_of(part.slug)
        if rules.solver is None:
            raise SystemExit(f"{part.slug} has no solver")
        verdicts: Counter[Verdict] = Counter()
        positions, times, lengths = [], [], []
        for number in numbers:
            deal = numbered_deal(rules, number, part.suits)
            start = time.process_time()
            found = rules.solver.solve(deal, LIMIT)
            times.append(1000 * (time.process_time() - start))
            positions.append(found.positions)
            verdicts[found.verdict] += 1
            if found.verdict is Verdict.WON:
                lengths.append(len(found.line))
                if not is_replayed(rules, deal, found):
                    raise SystemExit(f"{part.title}, deal {number}: the line does not win")
        told = ", ".join(f"{verdicts[verdict]} {verdict}" for verdict in Verdict if verdicts[verdict])
        print(f"{part.title:22} {told}; {spread(positions)}; {spread(times)}; lines {spread(lengths)}")
        print(f"{'  reported':22} {part.reported}", flush=True)


def spread(figures: Sequence[float]) -> str:
    """Median, 95th percentile and most, whole."""
    ordered = sorted(figures)
    return " / ".join(
        f"{ordered[min(int(len(ordered) * part), len(ordered) - 1)]:.0f}" for part in (0.5, 0.95, 1)
    )


if __name__ == "__main__":
    main(range(int(sys.argv[1]), int(sys.argv[2]) + 1) if len(sys.argv) > 2 else DEALS)
