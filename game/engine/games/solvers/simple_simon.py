"""Decides Simple Simon: best-first search over columns told apart by their cards alone.

A column is `bytes`, a byte a card: four bits of suit, four of rank, so that a card is one more than the next
of its suit. A state is the sorted tuple of the columns that hold cards: columns can change places, and one
empty column is as good as another. The runs that have left are those the columns lack.
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

State = tuple[bytes, ...]

FOUNDATIONS: Final = ("f1", "f2", "f3", "f4")
RANK: Final = 0x0F
FULL_RUNS: Final = frozenset(bytes(range(16 * suit + KING, 16 * suit, -1)) for suit in range(4))


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
    search = Search(len(columns), weights)
    verdict, path, seen = best_first(state_of(columns.values()), search.follow, is_won, limit, lost)
    return Solution(verdict, tuple(commands(columns, path)), seen)


def columns_of(position: Position) -> dict[str, bytes]:
    """The cards of each column by its name; `ValueError` if this is no position of the game."""
    if any(name not in position for name in FOUNDATIONS):
        raise ValueError("a position of this game has foundations f1 to f4")
    if any(not card.face_up for _, pile in position.items() for card in pile):
        raise ValueError("all cards of this game lie face up")
    piles = {
        name: bytes(16 * SUITS.index(card.suit) + card.rank for card in pile)
        for name, pile in position.items()
    }
    if any(piles[name] and piles[name] not in FULL_RUNS for name in FOUNDATIONS):
        raise ValueError("a foundation of this game holds a full run or nothing")
    cards = Counter(b"".join(piles.values()))
    if cards.total() != 4 * KING or any(cards[card] != cards[run[0]] for run in FULL_RUNS for card in run):
        raise ValueError("the cards of this game are four full runs")
    return {name: pile for name, pile in piles.items() if name not in FOUNDATIONS}


def state_of(columns: Iterable[bytes]) -> State:
    """The columns that hold cards, sorted."""
    return tuple(sorted(filter(None, columns)))


def is_won(state: State) -> bool:
    """Whether no card is left."""
    return not state


class Run(NamedTuple):
    """Cards that can move together: the rank of the first, the cards, what they leave, and the points
    that the pair which they break up stood for."""

    head: int
    cards: bytes
    rest: bytes
    points: int


class Layer(NamedTuple):
    """A longest run in a column, for `is_stuck`: bits of what has to be there for it to leave, and bits
    of what there is once nothing lies on it."""

    needs: int
    gives: int


class Column(NamedTuple):
    """What is known of the cards of a column; layers from the end."""

    last: int
    suit: int
    runs: tuple[Run, ...]
    layers: tuple[Layer, ...]


class Search:
    """How positions follow one another on a table with room for so many columns."""

    def __init__(self, room: int, weights: Weights) -> None:
        self.room = room
        self.weights = weights
        self.column = cache(self._column)

    def follow(self, state: State, points: int) -> Iterator[tuple[State, int]]:
        """The states one move away, with their points; none if the quick proof says that all is lost."""
        columns = [self.column(cards) for cards in state]
        is_full = len(state) == self.room
        if is_full and is_stuck(columns):
            return
        takers: list[list[int]] = [[] for _ in range(KING + 2)]
        for place, column in enumerate(columns):
            takers[column.last - 1].append(place)
        move, missing, _, mixed = self.weights
        for place, column in enumerate(columns):
            for head, cards, rest, pair in column.runs:
                base = points + move - pair
                for target in takers[head]:
                    landed = state[target] + cards
                    its_points = base + (-missing if columns[target].suit == column.suit else mixed)
                    if landed[-KING:] in FULL_RUNS:
                        landed = landed[:-KING]
                        if landed:
                            its_points -= self._pair(landed[-1], KING)
                    after = list(state)
                    after[target] = landed
                    after[place] = rest
                    yield state_of(after), its_points
                # A whole column on an empty one is the same position again, unless it leaves there.
                if not is_full and (rest or cards in FULL_RUNS):
                    after = list(state)
                    after[place] = rest
                    if cards not in FULL_RUNS:
                        after.append(cards)
                    yield state_of(after), base

    def _column(self, cards: bytes) -> Column:
        starts = [i for i in range(len(cards)) if not i or cards[i - 1] != cards[i] + 1]
        runs = tuple(
            Run(cards[i] & RANK, cards[i:], cards[:i], self._pair(cards[i - 1], cards[i]) if i else 0)
            for i in range(starts[-1], len(cards))
        )
        ends = [*starts[1:], len(cards)]
        layers = tuple(_layer(cards[i:j]) for i, j in zip(starts, ends, strict=True))
        return Column(cards[-1] & RANK, cards[-1] >> 4, runs, layers[::-1])

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
    return Layer(needs, gives)


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
        there |= column.layers[0].gives
    depths = [0] * len(columns)
    goes_on = True
    while goes_on:
        goes_on = False
        for place, column in enumerate(columns):
            layers = column.layers
            depth = depths[place]
            while not layers[depth].needs & ~there:
                depth += 1
                if depth == len(layers):
                    return False
                there |= layers[depth].gives
            if depth != depths[place]:
                depths[place] = depth
                goes_on = True
    return True


def commands(columns: dict[str, bytes], path: Sequence[State]) -> Iterator[Command]:
    """The moves that lead along a path from the columns as they lie."""
    for before, after in pairwise(path):
        # The source is nearly always a column that is gone; but a run that leaves may uncover its like.
        gone = Counter(before) - Counter(after)
        sources = sorted(columns, key=lambda name: columns[name] not in gone)
        command, columns = next(
            (command, moved)
            for source in sources
            for command, moved in moves(columns, source)
            if state_of(moved.values()) == after
        )
        yield command


def moves(columns: dict[str, bytes], source: str) -> Iterator[tuple[Move, dict[str, bytes]]]:
    """Every move from a column, with the columns after it."""
    cards = columns[source]
    for count in range(1, len(cards) + 1):
        if count > 1 and cards[-count] != cards[-count + 1] + 1:
            break
        for target, onto in columns.items():
            if not onto or onto[-1] & RANK == (cards[-count] & RANK) + 1:
                landed = onto + cards[-count:]
                if landed[-KING:] in FULL_RUNS:
                    landed = landed[:-KING]
                yield Move(source, count, target), columns | {source: cards[:-count], target: landed}


THIRDS: Final = {"S1": (923, 1130), "S2": (1234, 1617), "S4": (1817, 2461)}
SOLVER: Final = Solver(solve=solve, version=1, shorten=shorten, thirds=THIRDS)
