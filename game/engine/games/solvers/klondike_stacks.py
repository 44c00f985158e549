"""What is left of Klondike's stacks, and the quick proof that one of their cards can never be turned."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from game.engine.games.solvers.klondike_cards import (
    ALL,
    BELOW,
    FIRST_KING,
    FREE,
    PARENTS,
    cards_in,
    set_of,
)

FREE_PLACES: Final = 0b1111 << FREE


class Layer(NamedTuple):
    """The top of a stack with so many cards left, for `WholeStacks.is_stuck`: what it may lie on, what has to
    be home before it, and what there is once it lies open; below the last card that is an empty column."""

    parents: int
    below: int
    gives: int


class Stacks(NamedTuple):
    """What follows from the cards left in stacks.

    ``turning`` and ``last`` are columns with their tops, those that lie on a card face down and those that
    do not; ``without`` are, by top, the cards left once it is gone; ``heights`` are how many cards are left
    of each stack that is, by its column, and ``free`` how many columns have none.
    """

    hidden: int
    tops: int
    turning: Sequence[tuple[int, int]]
    last: Sequence[tuple[int, int]]
    without: dict[int, int]
    heights: Sequence[tuple[int, int]]
    free: int


class WholeStacks:
    """The stacks of a position before any card of them has left."""

    def __init__(self, whole: Sequence[Sequence[int]]) -> None:
        self.whole = whole
        self.sets = [set_of(stack) for stack in whole]
        self.layers = [
            [Layer(0, 0, FREE_PLACES), *(Layer(0b11 << PARENTS[top], BELOW[top], 1 << top) for top in stack)]
            for stack in whole
        ]

    def rest(self, left: int) -> Stacks:
        """What follows from a set of cards left."""
        tops = free = 0
        turning: list[tuple[int, int]] = []
        last: list[tuple[int, int]] = []
        heights, without = [], {}
        for column, stack in enumerate(self.whole):
            height = (left & self.sets[column]).bit_count()
            if not height:
                free += 1
                continue
            top = stack[height - 1]
            tops |= 1 << top
            without[top] = left ^ 1 << top
            if height == 2 and stack[0] >= FIRST_KING:
                # A king that is turned up at the base of a column lies where it would move.
                without[top] ^= 1 << stack[0]
            (turning if height > 1 else last).append((column, top))
            heights.append((column, height))
        return Stacks(left ^ tops, tops, turning, last, without, heights, free)

    def is_stuck(self, home: int, left: int, kings: int) -> bool:
        """Whether some card face down can never be turned; then the position is lost.

        ``kings`` are those at the base of columns. Pretend that no card ever blocks another once it is face
        up, that the whole talon is open, and that one column that can be cleared is enough for all kings.
        """
        stacks = self.rest(left)
        missing = stacks.hidden
        places = ALL & ~(home | missing) | (FREE_PLACES if stacks.free > kings.bit_count() else 0)
        stuck = [(self.layers[column], height) for column, height in stacks.heights]
        goes_on = True
        while goes_on:
            goes_on = False
            for king in cards_in(kings):
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
