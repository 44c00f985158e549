"""Decides Klondike, all cards known: best-first search over what is left when order that does not matter is
taken away.

A state says which cards are home, which are in the talon (stock and waste), and how many of each column's
*stack* are left: the cards that lay face down, and the *top*, turned up on them. All else follows, because of
these reductions, none of which changes a verdict:

1. The talon is a set: with one card drawn and turns without end, each of its cards comes by.
2. With no card face down the game is won: the lowest card not home ends its column or is in the talon.
3. A card goes home at once if both of the other colour are home up to two ranks below it, and the other of
   its own up to three: whatever could have lain on it can go home instead, and what could have lain on that.
4. A talon card waits until it is needed: it lands on a column only to be landed on at once, in the end by
   cards from a column, and goes home only by 3 or for a card from a column to follow it at once.
5. Cards move between columns only with the top of a stack; with the last of a stack only to clear the column
   for a king that moves in at once; and without a top only off a card that goes home at once. All else that
   such moves give can be had as well when it is needed.
6. Two face-up cards of equal rank and colour, a *pair*, may swap what lies on them: if one is bare, that is
   a move, and moves back; if both are covered, only the tops beneath them tell them apart, and those are
   known. So what lies where is not kept. A pair is *open* if one of it is bare, that is if there are more of
   it face up than there are cards that must lie on it: those of the rank below and the other colour that
   are not tops.
7. Empty columns are alike, and a column with a king at its base is an empty one that is taken.

Each step turns a card or sends one home, so no line comes round to where it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final, NamedTuple

from game.engine.cards import KING
from game.engine.games.solvers.klondike_cards import (
    ALL,
    BELOW,
    FREE,
    HOME_BEFORE,
    KINGS,
    PARENTS,
    Table,
    cards_in,
    next_home,
    pair_of,
    set_of,
    table_of,
)
from game.engine.games.solvers.klondike_line import Action, commands
from game.engine.position import Position
from game.engine.search import best_first
from game.engine.verdicts import Lost, Solution, Solver, shortest

State = tuple[int, int, tuple[int, ...]]
"""The set of cards home, the set in the talon, and how many cards each stack has left."""

Plan = tuple[Action, ...]
"""What a step does, card by card."""

FIRST_OF_PAIRS: Final = set_of(range(0, FREE, 2))
BLACK: Final = set_of(number for number in range(FREE) if number % 4 < 2)
FIRST_KING: Final = 4 * KING
FREE_PLACES: Final = 0b1111 << FREE
FREE_COLUMN: Final = 0b0101 << FREE


class Weights(NamedTuple):
    """Points for each card face down in a column, in the talon, and home."""

    face_down: int
    talon: int
    home: int


TO_DECIDE: Final = Weights(10, 1, -1)
TO_SHORTEN: Final = (Weights(10, 1, 1), Weights(5, -1, -1), Weights(10, -1, 0))
"""None is always the better; the shortest of their lines is shorter than any one of them on the whole."""


class View(NamedTuple):
    """What follows from a state: the cards face up in columns, those of them that lie on one that is face up
    or, kings, at the base of a column, and the pairs that are open, by their first bits; what kings lie on
    is open if a column is empty."""

    face_up: int
    lying: int
    open: int


def solve(position: Position, limit: int, lost: Lost | None = None) -> Solution:
    """Decides a position; see `game.engine.verdicts.Solve`."""
    return solve_with(TO_DECIDE, position, limit, lost)


def shorten(position: Position, solution: Solution, limit: int) -> Solution:
    """Seeks a shorter line of a won position; see `game.engine.verdicts.Shorten`."""
    return shortest(solution, (solve_with(weights, position, limit, None) for weights in TO_SHORTEN))


def solve_with(weights: Weights, position: Position, limit: int, lost: Lost | None) -> Solution:
    """As `solve`, with what makes a position promising."""
    table = table_of(position)
    search = Search(table, weights)
    start = (table.home, table.talon, tuple(map(len, table.stacks)))
    verdict, path, seen = best_first(start, search.follow, search.is_won, limit, lost)
    line = commands(table, search.plan(path)) if path else ()
    return Solution(verdict, line, seen)


class Layer(NamedTuple):
    """The top of a stack with so many cards left, for `Search.is_stuck`: what it may lie on, what has to be
    home before it, and what there is once it lies open; below the last card that is an empty column."""

    parents: int
    below: int
    gives: int


class Search:
    """How states follow one another, from the stacks of one position."""

    def __init__(self, table: Table, weights: Weights) -> None:
        self.weights = weights
        self.stacks = table.stacks
        self.hidden = [
            [set_of(stack[: max(0, left - 1)]) for left in range(len(stack) + 1)] for stack in table.stacks
        ]
        self.layers = [
            [Layer(0, 0, FREE_PLACES), *(Layer(0b11 << PARENTS[top], BELOW[top], 1 << top) for top in stack)]
            for stack in table.stacks
        ]

    def is_won(self, state: State) -> bool:
        """Whether no card lies face down in a column."""
        return max(state[2]) <= 1

    def follow(self, state: State, points: int) -> Iterator[tuple[State, int]]:
        """The states a step away, with their points; none if the quick proof says that all is lost."""
        view = self.view(state)
        if self.is_stuck(state, view):
            return
        hidden, drawn, sent = self.weights
        for after, _ in self.steps(state, view):
            child, _ = self.settled(after)
            home, talon, left = child
            face_down = sum(left) - len(left) + left.count(0)
            yield child, hidden * face_down + drawn * talon.bit_count() + sent * home.bit_count()

    def plan(self, path: list[State]) -> Plan:
        """What was done along a path of states."""
        done: list[Action] = []
        for state, target in pairwise(path):
            for after, plan in self.steps(state, self.view(state)):
                child, sent = self.settled(after)
                if child == target:
                    done += (*plan, Action((), None, sent))
                    break
        return tuple(done)

    def view(self, state: State) -> View:
        """What follows from a state."""
        home, talon, left = state
        hidden = tops = 0
        for column, count in enumerate(left):
            if count:
                hidden |= self.hidden[column][count]
                tops |= 1 << self.stacks[column][count - 1]
        face_up = ALL & ~(home | talon | hidden)
        lying = face_up & ~tops
        # Each bit of a pair's number moves to where the pair is that it lies on.
        covered = (lying & BLACK) << 6 | (lying & ~BLACK) << 2
        one, both = (face_up | face_up >> 1), (face_up & face_up >> 1)
        one_covered, both_covered = (covered | covered >> 1), (covered & covered >> 1)
        bare = (one & ~one_covered | both & ~both_covered) & FIRST_OF_PAIRS
        if left.count(0) > (lying & KINGS).bit_count():
            bare |= FREE_COLUMN
        return View(face_up, lying, bare)

    def steps(self, state: State, view: View) -> Iterator[tuple[State, Plan]]:
        """Every step that the reductions leave, as what it leads to and what it does."""
        yield from self._steps(state, view, must_use_free=False)
        home, talon, left = state
        if view.open & FREE_COLUMN or not (talon | view.face_up & ~view.lying) & KINGS:
            return
        for column, count in enumerate(left):
            if count == 1:
                for chain in chains(self.stacks[column][0], home, talon, view):
                    cleared = (home, talon & ~set_of(chain), self._without_top(left, column))
                    clearing = Action(chain, column, ())
                    for after, plan in self._steps(cleared, self.view(cleared), must_use_free=True):
                        yield after, (clearing, *plan)

    def _steps(self, state: State, view: View, must_use_free: bool) -> Iterator[tuple[State, Plan]]:
        """The steps but for clearing a column, or only those that use an empty one."""
        home, talon, left = state
        for column, count in enumerate(left):
            if count > 1:
                top = self.stacks[column][count - 1]
                for chain in chains(top, home, talon, view):
                    if not must_use_free or (chain[0] if chain else top) >= FIRST_KING:
                        after = (home, talon & ~set_of(chain), self._without_top(left, column))
                        yield after, (Action(chain, column, ()),)
        for first in cards_in(next_home(home) & (talon | view.face_up)):
            card = first
            while talon >> card & 1:
                card += 4
            if not view.face_up >> card & 1:
                continue
            twin = card ^ 1
            if view.open >> pair_of(card) & 1:
                under: Iterable[tuple[int, ...]] = () if must_use_free else ((),)
            elif talon >> twin & 1:
                under = ((*chain, twin) for chain in chains(twin, home, talon, view))
            else:
                continue
            sent = range(first, card + 1, 4)
            for chain in under:
                if not must_use_free or chain[0] >= FIRST_KING:
                    after = (
                        home | set_of(sent),
                        talon & ~(set_of(chain) | set_of(sent)),
                        self._without(left, card),
                    )
                    yield after, (Action(chain, None, sent),)

    def settled(self, state: State) -> tuple[State, list[int]]:
        """The state once every card is home that goes at once (3), and which those are."""
        sent: list[int] = []
        while True:
            home, talon, left = state
            ready = [card for card in cards_in(next_home(home)) if not HOME_BEFORE[card] & ~home]
            card = next((card for card in ready if talon >> card & 1), None)
            if card is None and ready:
                view = self.view(state)
                bare = view.face_up & (view.open | view.open << 1)
                card = next((card for card in ready if bare >> card & 1), None)
            if card is None:
                return state, sent
            state = (home | 1 << card, talon & ~(1 << card), self._without(left, card))
            sent.append(card)

    def _without(self, left: tuple[int, ...], card: int) -> tuple[int, ...]:
        """How many are left if a card goes that may be the top of a stack."""
        for column, count in enumerate(left):
            if count and self.stacks[column][count - 1] == card:
                return self._without_top(left, column)
        return left

    def _without_top(self, left: tuple[int, ...], column: int) -> tuple[int, ...]:
        count = left[column] - 1
        if count == 1 and self.stacks[column][0] >= FIRST_KING:
            count = 0
        return (*left[:column], count, *left[column + 1 :])

    def is_stuck(self, state: State, view: View) -> bool:
        """Whether some card face down can never be turned; then the position is lost.

        Pretend that no card ever blocks another once it is face up, that the whole talon is open, and that
        one column that can be cleared is enough for all kings.
        """
        home, talon, left = state
        places = talon | view.face_up | (FREE_PLACES if view.open & FREE_COLUMN else 0)
        missing = ALL & ~(home | places)
        stuck = [(self.layers[column], count) for column, count in enumerate(left) if count]
        goes_on = True
        while goes_on:
            goes_on = False
            for king in cards_in(view.lying & KINGS):
                if not BELOW[king] & missing:
                    places |= FREE_PLACES
            for place, (layers, start) in enumerate(stuck):
                count = start
                while count and (places & layers[count].parents or not layers[count].below & missing):
                    count -= 1
                    places |= layers[count].gives
                    missing &= ~places
                if count != start:
                    stuck[place] = layers, count
                    goes_on = True
        return any(count > 1 for _, count in stuck)


def chains(card: int, home: int, talon: int, view: View) -> Iterator[tuple[int, ...]]:
    """The talon cards, highest first, that have to land for a card to find its place: none if a pair is open.

    A talon card lands beside an open pair only to keep that for the twin of ``card``, and not if the twin is
    home or lies on one of the pair already: no third card ever wants it.
    """
    pair = PARENTS[card]
    if view.open >> pair & 1:
        yield ()
        if (home | view.lying) >> (card ^ 1) & 1:
            return
    for parent in (pair, pair + 1):
        if talon >> parent & 1:
            for chain in chains(parent, home, talon, view):
                yield (*chain, parent)


THIRDS: Final = {"D1": (63, 92)}
SOLVER: Final = Solver(solve=solve, version=1, shorten=shorten, halves=True, thirds=THIRDS)
