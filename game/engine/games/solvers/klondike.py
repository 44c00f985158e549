"""Decides Klondike, all cards known: best-first search over what is left when order that does not matter is
taken away.

A state says which cards are home, which are in the talon (stock and waste), and which are left in the
*stacks*: the cards that lay face down in a column, and the *top*, turned up on them. All else follows,
because of these reductions, none of which changes a verdict:

1. The talon is a set: with one card drawn and turns without end, each of its cards comes by.
2. With no card face down the game is won: the lowest card not home ends its column or is in the talon.
3. A card goes home at once if both of the other colour are home up to two ranks below it, and the other of
   its own up to three: whatever could have lain on it can go home instead, and what could have lain on that.
4. A talon card waits until it is needed: it lands on a column only to be landed on at once, in the end by
   cards from a column, and goes home only by 3 or for a card from a column to follow it at once. While a
   place is open for those cards no talon card makes one: the place that it would take can be kept for it,
   and those cards then move over to it, or what comes after them lands on it, as if it had always been there.
5. Cards move between columns only with the top of a stack; with the last of a stack only to clear the column
   for a king that moves in at once; and without a top only off a card that goes home at once. All else that
   such moves give can be had as well when it is needed.
6. Two face-up cards of equal rank and colour, a *pair*, may swap what lies on them: if one is bare, that is
   a move, and moves back; if both are covered, only the tops beneath them tell them apart, and those are
   known. So what lies where is not kept. A pair is *open* if one of it is bare, that is if there are more of
   it face up than there are cards that must lie on it: those of the rank below and the other colour that
   are not tops.
7. Empty columns are alike, and a column with a king at its base is an empty one that is taken.
8. A state is left out for one that was seen with the same cards home and in stacks and with more in the
   talon: those may land, the highest first, on the places that they have here, which makes this state of it.

Each step turns a card or sends one home, so no line comes round to where it was, nor does leaving out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import Final, NamedTuple

from game.engine.games.solvers.klondike_cards import (
    ALL,
    FIRST_KING,
    FREE,
    KINGS,
    PARENTS,
    Table,
    next_home,
    pair_of,
    safe_home,
    set_of,
    table_of,
)
from game.engine.games.solvers.klondike_line import Action, commands
from game.engine.games.solvers.klondike_stacks import WholeStacks
from game.engine.position import Position
from game.engine.search import best_first
from game.engine.verdicts import Lost, Solution, Solver, shortest

State = tuple[int, int, int]
"""The set of cards home, the set in the talon, and the set left in stacks."""

View = tuple[int, int, int]
"""What follows from a state, as sets: the cards face up in columns; those of them that lie on one that is
face up or, kings, at the base of a column; and the pairs that are open, by their first bits. What kings lie
on is open if a column is empty."""

Step = tuple[State, tuple[Action, ...]]
"""What a step leads to, and what it does card by card."""

FIRST_OF_PAIRS: Final = set_of(range(0, FREE, 2))
BLACK: Final = set_of(number for number in range(FREE) if number % 4 < 2)
FREE_COLUMN: Final = 0b0101 << FREE
NO_CARD: Final = 0


class Weights(NamedTuple):
    """Points for each card face down in a column, in the talon, and home."""

    face_down: int
    talon: int
    home: int


TO_DECIDE: Final = Weights(10, 1, -1)
TO_SHORTEN: Final = (Weights(10, 1, 1), Weights(5, -1, -1), Weights(10, -1, 0))
"""None is always the better; the shortest of their lines is shorter than any one of them on the whole."""


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
    start = (table.home, table.talon, set_of(card for stack in table.stacks for card in stack))
    verdict, path, seen = best_first(start, search.follow, search.is_won, limit, lost)
    line = commands(table, search.plan(path)) if path else ()
    return Solution(verdict, line, seen)


class Search:
    """How states follow one another, from the stacks of one position."""

    def __init__(self, table: Table, weights: Weights) -> None:
        self.weights = weights
        whole = WholeStacks(table.stacks)
        self.stacks = cache(whole.rest)
        self.is_hopeless = cache(whole.is_stuck)
        self.talons: dict[tuple[int, int], list[int]] = {}
        """The talons seen with so many cards home and in stacks (8)."""

    def is_won(self, state: State) -> bool:
        """Whether no card lies face down in a column."""
        return not self.stacks(state[2]).hidden

    def follow(self, state: State, points: int) -> Iterator[tuple[State, int]]:
        """The states a step away, with their points; none if the quick proof says that all is lost."""
        view = self.view(state)
        home, _, left = state
        if self.is_hopeless(home, left, view[1] & KINGS):
            return
        hidden, drawn, sent = self.weights
        for after, _ in self.steps(state, view):
            child, _ = self.settled(after)
            home, talon, left = child
            if not self.is_left_out(child):
                face_down = self.stacks(left).hidden.bit_count()
                yield child, hidden * face_down + drawn * talon.bit_count() + sent * home.bit_count()

    def is_left_out(self, state: State) -> bool:
        """Whether one that is as good was seen (8); if not, this one is from now on."""
        home, talon, left = state
        seen = self.talons.setdefault((home, left), [])
        for other in seen:
            if not talon & ~other:
                return True
        seen.append(talon)
        return False

    def plan(self, path: Sequence[State]) -> Iterator[Action]:
        """What was done along a path of states."""
        for state, target in pairwise(path):
            for after, actions in self.steps(state, self.view(state)):
                child, sent = self.settled(after)
                if child == target:
                    yield from actions
                    yield NO_CARD, None, sent
                    break

    def view(self, state: State) -> View:
        """What follows from a state."""
        home, talon, left = state
        stacks = self.stacks(left)
        face_up = ALL & ~(home | talon | stacks.hidden)
        lying = face_up & ~stacks.tops
        # Each bit of a pair's number moves to where the pair is that it lies on.
        covered = (lying & BLACK) << 6 | (lying & ~BLACK) << 2
        one, both = (face_up | face_up >> 1), (face_up & face_up >> 1)
        one_covered, both_covered = (covered | covered >> 1), (covered & covered >> 1)
        bare = (one & ~one_covered | both & ~both_covered) & FIRST_OF_PAIRS
        if stacks.free > (lying & KINGS).bit_count():
            bare |= FREE_COLUMN
        return face_up, lying, bare

    def steps(self, state: State, view: View) -> list[Step]:
        """Every step that the reductions leave."""
        found = self._steps(state, view, must_use_free=False)
        home, talon, left = state
        face_up, lying, bare = view
        if bare & FREE_COLUMN or not (talon | face_up & ~lying) & KINGS:
            return found
        stacks = self.stacks(left)
        for column, top in stacks.last:
            for chain in chains(top, talon, bare):
                cleared = (home, talon ^ chain, stacks.without[top])
                clearing = (chain, column, ())
                for after, actions in self._steps(cleared, self.view(cleared), must_use_free=True):
                    found.append((after, (clearing, *actions)))
        return found

    def _steps(self, state: State, view: View, must_use_free: bool) -> list[Step]:
        """The steps but for clearing a column, or only those that use an empty one."""
        home, talon, left = state
        face_up, _, bare = view
        stacks = self.stacks(left)
        found: list[Step] = []
        for column, top in stacks.turning:
            for chain in chains(top, talon, bare):
                if must_use_free and not (chain & KINGS or (not chain and top >= FIRST_KING)):
                    continue
                found.append(((home, talon ^ chain, stacks.without[top]), ((chain, column, ()),)))
        for first in next_home(home):
            goes = last = 1 << first
            while talon & last:
                last <<= 4
                goes |= last
            if not face_up & last:
                continue
            card = last.bit_length() - 1
            twin = card ^ 1
            if bare >> pair_of(card) & 1:
                under = [] if must_use_free else [NO_CARD]
            elif talon >> twin & 1:
                under = [chain | 1 << twin for chain in chains(twin, talon, bare)]
            else:
                continue
            sent = range(first, card + 1, 4)
            for chain in under:
                if not must_use_free or chain & KINGS:
                    after = (home | goes, talon & ~(chain | goes), stacks.without.get(card, left))
                    found.append((after, ((chain, None, sent),)))
        return found

    def settled(self, state: State) -> tuple[State, Sequence[int]]:
        """The state once every card is home that goes at once (3), and which those are."""
        home, talon, left = state
        sent: list[int] = []
        while safe := safe_home(home):
            ready = safe & talon
            if not ready:
                if not safe & ~self.stacks(left).hidden:
                    break
                face_up, _, bare = self.view((home, talon, left))
                ready = safe & face_up & (bare | bare << 1)
                if not ready:
                    break
            goes = ready & -ready
            card = goes.bit_length() - 1
            home, talon, left = home | goes, talon & ~goes, self.stacks(left).without.get(card, left)
            sent.append(card)
        return (home, talon, left), sent


def chains(card: int, talon: int, bare: int) -> list[int]:
    """The sets of talon cards that have to land, the highest first, for a card to find its place: of no card
    if one is open.
    """
    pair = PARENTS[card]
    if bare >> pair & 1:
        return [NO_CARD]
    parents = talon >> pair & 0b11
    if not parents:
        return []
    beyond = chains(pair, talon, bare)
    return [chain | one << pair for one in (0b01, 0b10) if parents & one for chain in beyond]


THIRDS: Final = {"D1": (61, 89)}
SOLVER: Final = Solver(solve=solve, version=2, shorten=shorten, halves=True, thirds=THIRDS)
