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

from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from typing import Final, NamedTuple

from game.engine.cards import KING
from game.engine.games.solvers.klondike_cards import (
    ALL,
    BELOW,
    FREE,
    HOME_BEFORE,
    KINGS,
    Table,
    pair_of,
    parents_of,
    set_of,
    table_of,
)
from game.engine.games.solvers.klondike_line import Action, Verb, commands
from game.engine.position import Position
from game.engine.search import best_first
from game.engine.verdicts import Lost, Solution, Solver

State = tuple[int, int, tuple[int, ...]]
"""The set of cards home, the set in the talon, and how many cards each stack has left."""

Plan = tuple[Action, ...]
"""What a step does, card by card."""

FIRST_OF_PAIRS: Final = set_of(range(0, FREE, 2))
BLACK: Final = set_of(number for number in range(FREE) if number % 4 < 2)
FIRST_SUIT: Final = set_of(range(4, FREE, 4))
FREE_COLUMN: Final = 0b0101 << FREE


LAND: Final = partial(Action, Verb.LAND)
SEND: Final = partial(Action, Verb.SEND)
MOVE: Final = partial(Action, Verb.MOVE)


class View(NamedTuple):
    """What follows from a state: the set of cards face up in columns, the pairs that are open (by their first
    bits; with an empty column also what kings lie on), and the kings at the base of a column."""

    face_up: int
    open: int
    seated: int


def solve(position: Position, limit: int, lost: Lost | None = None) -> Solution:
    """Decides a position; see `game.engine.verdicts.Solve`."""
    table = table_of(position)
    search = Search(table)
    start = (table.home, table.talon, tuple(map(len, table.stacks)))
    verdict, path, seen = best_first(start, search.follow, search.is_won, limit, lost)
    line = commands(table, search.plan(path)) if path else ()
    return Solution(verdict, line, seen)


class Search:
    """How states follow one another, from the stacks of one position."""

    def __init__(self, table: Table) -> None:
        self.stacks = table.stacks
        self.hidden = [
            [set_of(stack[: max(0, left - 1)]) for left in range(len(stack) + 1)] for stack in table.stacks
        ]

    def is_won(self, state: State) -> bool:
        """Whether no card lies face down in a column."""
        return max(state[2]) <= 1

    def follow(self, state: State, points: int) -> Iterator[tuple[State, int]]:
        """The states a step away, with their points: the fewer face down the better, the talon used up and
        cards home come second."""
        view = self.view(state)
        if self.is_stuck(state, view):
            return
        for after, _ in self.steps(state, view):
            child, _ = self.settled(after)
            home, talon, left = child
            face_down = sum(left) - len(left) + left.count(0)
            yield child, 10 * face_down + talon.bit_count() - home.bit_count()

    def plan(self, path: list[State]) -> Plan:
        """What was done along a path of states."""
        done: list[Action] = []
        for state, target in pairwise(path):
            for after, plan in self.steps(state, self.view(state)):
                child, sent = self.settled(after)
                if child == target:
                    done += plan + sent
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
        seated = lying & KINGS
        if left.count(0) > seated.bit_count():
            bare |= FREE_COLUMN
        return View(face_up, bare, seated)

    def steps(self, state: State, view: View) -> Iterator[tuple[State, Plan]]:
        """Every step that the reductions leave, as what it leads to and what it does."""
        yield from self._steps(state, view, from_pair=0)
        if view.open & FREE_COLUMN:
            return
        home, talon, left = state
        for column, count in enumerate(left):
            if count == 1:
                for chain in chains(parents_of(self.stacks[column][0]), talon, view.open):
                    cleared = (home, talon & ~set_of(chain), self._without_top(left, column))
                    plan = (*map(LAND, chain), MOVE(column))
                    for after, more in self._steps(cleared, self.view(cleared), from_pair=FREE):
                        yield after, plan + more

    def _steps(self, state: State, view: View, from_pair: int) -> Iterator[tuple[State, Plan]]:
        """The steps but for clearing a column; with ``from_pair`` only those that use a free one."""
        home, talon, left = state
        for column, count in enumerate(left):
            if count > 1:
                wanted = parents_of(self.stacks[column][count - 1])
                for chain in chains(wanted, talon, view.open):
                    if not from_pair or is_from_free(wanted, chain):
                        after = (home, talon & ~set_of(chain), self._without_top(left, column))
                        yield after, (*map(LAND, chain), MOVE(column))
        for first in next_home(home):
            card = first
            while talon >> card & 1:
                card += 4
            if not view.face_up >> card & 1:
                continue
            wanted = pair_of(card)
            is_bare = view.open >> wanted & 1
            for chain in [()] if is_bare else chains(wanted, talon, view.open):
                if not from_pair or is_from_free(wanted, chain):
                    cards = range(first, card + 1, 4)
                    used = set_of(chain) | set_of(cards)
                    after = (home | set_of(cards), talon & ~used, self._without(left, card))
                    yield after, (*map(LAND, chain), *map(SEND, cards))

    def settled(self, state: State) -> tuple[State, Plan]:
        """The state once every card is home that goes at once (3), and what was done."""
        plan: list[Action] = []
        while True:
            home, talon, left = state
            ready = [card for card in next_home(home) if not HOME_BEFORE[card] & ~home]
            if not ready:
                return state, tuple(plan)
            view = self.view(state)
            for card in ready:
                if talon >> card & 1 or (view.face_up >> card & 1 and view.open >> pair_of(card) & 1):
                    state = (home | 1 << card, talon & ~(1 << card), self._without(left, card))
                    plan.append(SEND(card))
                    break
            else:
                return state, tuple(plan)

    def _without(self, left: tuple[int, ...], card: int) -> tuple[int, ...]:
        """How many are left if a card goes that may be the top of a stack."""
        for column, count in enumerate(left):
            if count and self.stacks[column][count - 1] == card:
                return self._without_top(left, column)
        return left

    def _without_top(self, left: tuple[int, ...], column: int) -> tuple[int, ...]:
        count = left[column] - 1
        if count == 1 and self.stacks[column][0] >= 4 * KING:
            count = 0
        return (*left[:column], count, *left[column + 1 :])

    def is_stuck(self, state: State, view: View) -> bool:
        """Whether some card face down can never be turned; then the position is lost.

        Pretend that no card ever blocks another once it is face up, that the whole talon is open, and that
        one column that can be cleared is enough for all kings.
        """
        home, talon, left = state
        there = home | talon | view.face_up
        places = talon | view.face_up
        if view.open & FREE_COLUMN:
            places |= 0b1111 << FREE
        goes_on = True
        remaining = list(left)
        while goes_on:
            goes_on = False
            for column, count in enumerate(remaining):
                if not count:
                    continue
                top = self.stacks[column][count - 1]
                if places >> parents_of(top) & 0b11 or not BELOW[top] & ~there:
                    goes_on = True
                    remaining[column] = count - 1
                    if count == 1:
                        places |= 0b1111 << FREE
                    else:
                        there |= 1 << self.stacks[column][count - 2]
                        places |= 1 << self.stacks[column][count - 2]
            for king in range(4 * KING, FREE):
                if view.seated >> king & 1 and not BELOW[king] & ~there:
                    places |= 0b1111 << FREE
        return max(remaining) > 1


def next_home(home: int) -> list[int]:
    """The card of each suit that goes home next; none where all are."""
    cards = [4 * (home >> suit & FIRST_SUIT).bit_count() + 4 + suit for suit in range(4)]
    return [card for card in cards if card < FREE]


def is_from_free(wanted: int, chain: tuple[int, ...]) -> bool:
    """Whether a chain of talon cards for a wanted pair begins on an empty column."""
    return wanted >= FREE or (bool(chain) and chain[0] >= 4 * KING)


def chains(pair: int, talon: int, open_pairs: int) -> Iterator[tuple[int, ...]]:
    """The talon cards, highest first, that make one of a pair bare: none if one is."""
    if open_pairs >> pair & 1:
        yield ()
    for card in (pair, pair + 1):
        if talon >> card & 1:
            for chain in chains(parents_of(card), talon, open_pairs):
                yield (*chain, card)


SOLVER: Final = Solver(solve=solve, version=1)
