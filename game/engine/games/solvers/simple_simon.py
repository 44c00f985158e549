"""Decides Simple Simon: best-first search over columns told apart by their cards alone.

A column is text, a letter a card: four bits of suit, four of rank, so that a card is one more than the next
of its suit. (Text is sorted quicker than `bytes`.) A state is the sorted tuple of the columns, empty ones
first: columns can change places. The runs that have left are those the columns lack.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import Final, NamedTuple

from game.engine.cards import KING, SUITS
from game.engine.commands import Command, Move
from game.engine.position import Position
from game.engine.search import best_first
from game.engine.verdicts import Lost, Solution, Solver, shortest

State = tuple[str, ...]

FOUNDATIONS: Final = ("f1", "f2", "f3", "f4")
RANK: Final = 0x0F
FULL_RUNS: Final = frozenset("".join(map(chr, range(16 * suit + KING, 16 * suit, -1))) for suit in range(4))


class Weights(NamedTuple):
    """Points for a move made, for each pair of neighbours in suit and sequence that is missing, for
    neighbours out of sequence, and for neighbours in sequence but of two suits."""

    move: int
    missing: int
    broken: int
    mixed: int


TO_DECIDE: Final = Weights(2, 4, 1, 1)
TO_SHORTEN: Final = (Weights(3, 4, 1, 0), Weights(4, 5, 1, 1))
"""Slower to a win, and then in fewer moves; neither is always the better."""


def solve(position: Position, limit: int, lost: Lost | None = None) -> Solution:
    """Decides a position; see `game.engine.verdicts.Solve`."""
    return solve_with(TO_DECIDE, position, limit, lost)


def shorten(position: Position, solution: Solution, limit: int) -> Solution:
    """Seeks a shorter line of a won position; see `game.engine.verdicts.Shorten`."""
    return shortest(solution, (solve_with(weights, position, limit, None) for weights in TO_SHORTEN))


def solve_with(weights: Weights, position: Position, limit: int, lost: Lost | None) -> Solution:
    """As `solve`, with what makes a position promising."""
    columns = columns_of(position)
    search = Search(weights)
    verdict, path, seen = best_first(state_of(columns.values()), search.follow, is_won, limit, lost)
    return Solution(verdict, tuple(commands(columns, path)), seen)


def columns_of(position: Position) -> dict[str, str]:
    """The cards of each column by its name; `ValueError` if this is no position of the game."""
    if any(name not in position for name in FOUNDATIONS):
        raise ValueError("a position of this game has foundations f1 to f4")
    if any(not card.face_up for _, pile in position.items() for card in pile):
        raise ValueError("all cards of this game lie face up")
    piles = {
        name: "".join(chr(16 * SUITS.index(card.suit) + card.rank) for card in pile)
        for name, pile in position.items()
    }
    if any(piles[name] and piles[name] not in FULL_RUNS for name in FOUNDATIONS):
        raise ValueError("a foundation of this game holds a full run or nothing")
    cards = Counter("".join(piles.values()))
    if cards.total() != 4 * KING or any(cards[card] != cards[run[0]] for run in FULL_RUNS for card in run):
        raise ValueError("the cards of this game are four full runs")
    return {name: pile for name, pile in piles.items() if name not in FOUNDATIONS}


def state_of(columns: Iterable[str]) -> State:
    """The columns, sorted."""
    return tuple(sorted(columns))


def is_won(state: State) -> bool:
    """Whether no card is left: the empty columns come first."""
    return not state[-1]


Run = tuple[int, str, str, int]
"""Cards that can move together: the rank of the first, the cards, what they leave, and the points that the
pair which they break up stood for."""


Layer = tuple[int, int]
"""A longest run in a column, for `is_stuck`: bits of what has to be there for it to leave, and bits of what
there is once nothing lies on it."""


class Column(NamedTuple):
    """What is known of the cards of a column, an empty one's ``last`` being 0; layers from the end."""

    last: int
    runs: Sequence[Run]
    layers: Sequence[Layer]


class Search:
    """How positions follow one another; what was once found out about a column is kept."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self.column = cache(self._column)
        self.landed = cache(self._landed)

    def follow(self, state: State, points: int) -> Iterator[tuple[State, int]]:
        """The states one move away, with their points; none if the quick proof says that all is lost."""
        columns = [self.column(cards) for cards in state]
        is_full = bool(state[0])
        if is_full and is_stuck(columns):
            return
        takers: list[list[int]] = [[] for _ in range(KING + 2)]
        for place, column in enumerate(columns):
            takers[column.last].append(place)
        points += self.weights.move
        for place, column in enumerate(columns):
            for head, cards, rest, pair in column.runs:
                for target in takers[head + 1]:
                    landed, its_points = self.landed(state[target], cards)
                    after = [*state]
                    after[target] = landed
                    after[place] = rest
                    after.sort()
                    yield tuple(after), points - pair + its_points
                # A whole column on an empty one is the same position again, unless it leaves there.
                if not is_full and (rest or cards in FULL_RUNS):
                    after = [*state]
                    after[0] = "" if cards in FULL_RUNS else cards
                    after[place] = rest
                    after.sort()
                    yield tuple(after), points - pair

    def _column(self, cards: str) -> Column:
        if not cards:
            return Column(0, (), ())
        codes = cards.encode("latin-1")
        starts = [i for i in range(len(codes)) if not i or codes[i - 1] != codes[i] + 1]
        runs = [
            (codes[i] & RANK, cards[i:], cards[:i], self._pair(codes[i - 1], codes[i]) if i else 0)
            for i in range(starts[-1], len(codes))
        ]
        ends = [*starts[1:], len(codes)]
        layers = [_layer(codes[i:j]) for i, j in zip(starts, ends, strict=True)]
        return Column(codes[-1] & RANK, runs, layers[::-1])

    def _landed(self, target: str, cards: str) -> tuple[str, int]:
        """A column once a run has landed on it, and has left if it is full, with the points this adds."""
        points = self._pair(ord(target[-1]), ord(cards[0]))
        landed = target + cards
        if landed[-KING:] in FULL_RUNS:
            landed = landed[:-KING]
            if landed:
                points -= self._pair(ord(landed[-1]), KING)
        return landed, points

    def _pair(self, upper: int, lower: int) -> int:
        if upper == lower + 1:
            return -self.weights.missing
        return self.weights.mixed if upper & RANK == (lower & RANK) + 1 else self.weights.broken


def _layer(run: bytes) -> Layer:
    gives = sum(1 << card for card in run) | 1 << 64 + (run[-1] & RANK)
    if run[0] & RANK == KING:
        needs = sum(1 << card for card in range(run[-1] & ~RANK | 1, run[-1]))
    else:
        needs = 1 << 64 + (run[0] & RANK) + 1
    return needs, gives


def is_stuck(columns: Sequence[Column]) -> bool:
    """Whether no column can ever be cleared, on a table without an empty one; then the position is lost.

    Pretend that a card once uncovered stays for ever a place for the rank below. A run as it lies leaves its
    column only with its first card, be it that others have joined or left it at its end: onto a place for
    that card, or, if it is a king, by being completed, and then the missing cards must have been uncovered.
    Taking a run apart gives no new place, because the part needs one of just the rank that it uncovers.
    If even so every column keeps a run, there will never be an empty column, and no other way was left out.
    """
    there = 0
    for column in columns:
        there |= column.layers[0][1]
    depths = [0] * len(columns)
    before = -1
    while there != before:
        before = there
        for place, column in enumerate(columns):
            layers = column.layers
            depth = depths[place]
            while not layers[depth][0] & ~there:
                depth += 1
                if depth == len(layers):
                    return False
                there |= layers[depth][1]
            depths[place] = depth
    return True


def commands(columns: dict[str, str], path: Sequence[State]) -> Iterator[Command]:
    """The moves that lead along a path from the columns as they lie."""
    for before, after in pairwise(path):
        # The source is nearly always a column that is gone; but a run that leaves may uncover its like.
        gone = Counter(before) - Counter(after)
        sources = sorted(columns, key=lambda name: columns[name] not in gone)
        command, columns = next(
            (command, moved)
            for source in sources
            for command, moved in moves(columns, source, after)
            if state_of(moved.values()) == after
        )
        yield command


def moves(columns: dict[str, str], source: str, after: State) -> Iterator[tuple[Move, dict[str, str]]]:
    """Every move from a column that may lead to a state, with the columns after it."""
    cards = columns[source]
    for count in range(1, len(cards) + 1):
        if count > 1 and ord(cards[-count]) != ord(cards[-count + 1]) + 1:
            break
        if cards[:-count] not in after:
            continue
        for target, onto in columns.items():
            if not onto or ord(onto[-1]) & RANK == (ord(cards[-count]) & RANK) + 1:
                landed = onto + cards[-count:]
                if landed[-KING:] in FULL_RUNS:
                    landed = landed[:-KING]
                yield Move(source, count, target), columns | {source: cards[:-count], target: landed}


THIRDS: Final = {"S1": (923, 1130), "S2": (1234, 1617), "S4": (1817, 2461)}
SOLVER: Final = Solver(solve=solve, version=2, shorten=shorten, thirds=THIRDS)
