"""How much the solvers take on PySolFC's deals 100001 to 100200; ``BENCH_DEALS`` takes fewer of them.

Verdicts and positions are the same on every machine, times are not, though they count the processor alone.
The baseline is what was reported for the same deals by earlier solvers in Python, on two small cores.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Iterator, Sequence
from itertools import chain
from random import Random
from typing import Final, NamedTuple

from game.engine.cards import RANKS, Card, card
from game.engine.games import rules_of
from game.engine.position import Position
from game.engine.rules import Refusal, Rules
from game.engine.verdicts import Solution, Solver, Verdict
from tests.bench import figures
from tests.bench.figures import Row

ALL: Final = 200
DEALS: Final = range(100_001, 100_001 + int(os.environ.get("BENCH_DEALS", ALL)))
TRIES: Final = 5
SHORT_MS: Final = 200
"""What takes less is tried again: others on the machine only ever add to it."""
LIMIT: Final = 1_000_000
FOLDED: Final = {4: {}, 2: {"C": "S", "D": "H"}, 1: {"C": "S", "D": "S", "H": "S"}}
"""How the suits of a numbered deal are read where fewer are played with."""
ROWS: Final = {"simple-simon": (9, 8, 7, 6, 5, 4, 3, 10), "klondike": (6, 5, 4, 3, 2, 1, 7)}
"""How many columns each row of a numbered deal has a card for."""

Spread = tuple[float | None, float | None, float | None]
"""Median, 95th percentile and most."""


class Part(NamedTuple):
    """One kind of deal with what was reported of the 200: how many are won, positions, milliseconds."""

    title: str
    slug: str
    suits: int
    won: int
    positions: Spread
    ms: Spread


PARTS: Final = (
    Part("Simple Simon, 4 suits", "simple-simon", 4, 191, (2200, 16_000, 418_000), (9, 57, 4000)),
    Part("Simple Simon, 2 suits", "simple-simon", 2, 194, (None, None, None), (4, 31, 290)),
    Part("Simple Simon, 1 suit", "simple-simon", 1, 197, (None, None, 27_000), (4, 8, 37)),
    Part("Klondike", "klondike", 4, 177, (79, 4500, 74_600), (2, 230, 4000)),
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
    """Prints a table, in which a verdict that is still open, or a line that does not win, ends the run."""
    figures.head(
        "solvers",
        f"{len(DEALS)} of PySolFC's deals from number {DEALS[0]} on, every won line replayed; a deal's time"
        f" is the least of up to {TRIES}. The baseline is what earlier solvers took for 200.",
    )
    for part in PARTS:
        figures.show(rows(part))


def rows(part: Part) -> Iterator[Row]:
    """What all deals of a kind came to."""
    rules = rules_of(part.slug)
    if rules.solver is None:
        raise SystemExit(f"{part.slug} has no solver")
    positions, times, lengths = [], [], []
    for number in DEALS:
        deal = numbered_deal(rules, number, part.suits)
        found, ms = timed(rules.solver, deal)
        times.append(ms)
        positions.append(found.positions)
        if found.verdict is Verdict.UNKNOWN:
            raise SystemExit(f"{part.title}, deal {number}: not decided")
        if found.verdict is Verdict.WON:
            lengths.append(len(found.line))
            if not is_replayed(rules, deal, found):
                raise SystemExit(f"{part.title}, deal {number}: the line does not win")
    if len(DEALS) == ALL and len(lengths) != part.won:
        raise SystemExit(f"{part.title}: {len(lengths)} are won, not {part.won}")
    yield Row(f"{part.title}: won", len(lengths), f"of {len(DEALS)}")
    for name, unit, ours, theirs in (
        ("positions", "", spread(positions), part.positions),
        ("processor time", "ms", spread(times), part.ms),
    ):
        for which, figure, reported in zip(("median", "p95", "most"), ours, theirs, strict=True):
            goal = "" if reported is None else "<= 1"
            yield Row(f"{part.title}: {name}, {which}", figure, unit, "reported", reported, goal)
    yield Row(f"{part.title}: commands of a line, median", spread(lengths)[0], "")


def timed(solver: Solver, deal: Position) -> tuple[Solution, float]:
    """What a solver makes of a deal, and the milliseconds of processor time that it takes."""
    least = math.inf
    for _ in range(TRIES):
        start = time.process_time()
        found = solver.solve(deal, LIMIT)
        least = min(least, 1000 * (time.process_time() - start))
        if least > SHORT_MS:
            break
    return found, least


def spread(found: Sequence[float]) -> tuple[float, float, float]:
    """Median, 95th percentile and most."""
    ordered = sorted(found)
    return ordered[len(ordered) // 2], ordered[len(ordered) * 95 // 100], ordered[-1]
