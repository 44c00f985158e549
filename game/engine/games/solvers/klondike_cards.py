"""Klondike's cards as bits, and a position taken apart for the solver.

A card is the number ``4 x rank + suit``, suits in the order of ``SUITS_BY_COLOUR``, and a set of cards is an
`int` with that bit set. Cards of equal rank and colour differ in the last bit: both together are a *pair*,
named by the lower.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from game.engine.cards import ACE, KING, Card
from game.engine.position import Cards, Position
from game.engine.sequences import is_next_in_other_colour, is_sequence

SUITS_BY_COLOUR: Final = "SCHD"
FOUNDATION_OF: Final = {"H": "f1", "C": "f2", "D": "f3", "S": "f4"}
STOCK: Final = "s"
WASTE: Final = "w"

FREE: Final = 4 * (KING + 1)
"""The pair on which a black king would lie, if it were one: an empty column. (For a red one, two more.)"""


def set_of(numbers: Iterable[int]) -> int:
    """A set from the numbers in it, each named once."""
    return sum(1 << number for number in numbers)


def is_home_before(number: int, other: int) -> bool:
    """Whether ``other`` has to be home for ``number`` to be of no more use on a column (see reduction 3)."""
    is_other_colour = (number ^ other) & 2
    return number % 4 != other % 4 and other // 4 <= number // 4 - (2 if is_other_colour else 3)


ALL: Final = set_of(range(4, FREE))
ACES: Final = 0b1111 << 4 * ACE
FIRST_KING: Final = 4 * KING
KINGS: Final = 0b1111 << FIRST_KING
PARENTS: Final = [(number & ~1 ^ 2) + 4 for number in range(FREE)]
"""For each card the pair it may lie on: one rank higher, of the other colour."""
BELOW: Final = [set_of(range(4 + number % 4, number, 4)) for number in range(FREE)]
"""For each card those that go home before it."""
HOME_BEFORE: Final = [
    set_of(other for other in range(4, FREE) if is_home_before(number, other)) for number in range(FREE)
]
"""For each card those that have to be home for it to go at once."""


def number_of(card: Card) -> int:
    """The card as a number, whichever face is up."""
    return 4 * card.rank + SUITS_BY_COLOUR.index(card.suit)


def pair_of(number: int) -> int:
    """The pair that a card is one of."""
    return number & ~1


def cards_in(cards: int) -> list[int]:
    """The numbers in a set, lowest first."""
    numbers = []
    while cards:
        lowest = cards & -cards
        numbers.append(lowest.bit_length() - 1)
        cards ^= lowest
    return numbers


@lru_cache(maxsize=10_000)
def next_home(home: int) -> Sequence[int]:
    """The cards that go home next, one a suit that is not all home."""
    return tuple(cards_in((home << 4 | ACES) & ~home & ALL))


@lru_cache(maxsize=10_000)
def safe_home(home: int) -> int:
    """The set of those that go home at once, if they can be reached."""
    return set_of(card for card in next_home(home) if not HOME_BEFORE[card] & ~home)


def foundation_of(number: int) -> str:
    """The name of the pile a card goes home to."""
    return FOUNDATION_OF[SUITS_BY_COLOUR[number % 4]]


@dataclass(frozen=True)
class Table:
    """A position in numbers.

    ``stacks`` are, by column, the cards face down and the first one face up on them; ``runs`` are the cards
    face up. A column that only holds a king's run has no stack. ``stock`` and ``waste`` end with the card
    that comes next.
    """

    names: tuple[str, ...]
    stacks: tuple[tuple[int, ...], ...]
    runs: tuple[tuple[int, ...], ...]
    stock: tuple[int, ...]
    waste: tuple[int, ...]
    home: int

    @property
    def talon(self) -> int:
        """The set of the cards in stock and waste."""
        return set_of(self.stock + self.waste)


def table_of(position: Position) -> Table:
    """Takes a position apart; `ValueError` if it is none of this game."""
    if any(name not in position for name in (STOCK, WASTE, *FOUNDATION_OF.values())):
        raise ValueError("a position of this game has a stock, a waste and four foundations")
    for suit, name in FOUNDATION_OF.items():
        if any(not card.face_up or card.suit != suit for card in position[name]) or [
            card.rank for card in position[name]
        ] != list(range(ACE, len(position[name]) + 1)):
            raise ValueError(f"foundation {name} does not go up from the ace of {suit}")
    if any(card.face_up for card in position[STOCK]) or any(not card.face_up for card in position[WASTE]):
        raise ValueError("the stock lies face down and the waste face up")
    others = (STOCK, WASTE, *FOUNDATION_OF.values())
    columns = {name: cards for name, cards in position.items() if name not in others}
    runs = {name: _run(name, cards) for name, cards in columns.items()}
    numbers = [number_of(card) for _, cards in position.items() for card in cards]
    if len(numbers) != ALL.bit_count() or set_of(set(numbers)) != ALL:
        raise ValueError("a position of this game has each of the 52 cards once")
    return Table(
        names=tuple(columns),
        stacks=tuple(_stack(columns[name], len(runs[name])) for name in columns),
        runs=tuple(tuple(map(number_of, run)) for run in runs.values()),
        stock=tuple(map(number_of, position[STOCK])),
        waste=tuple(map(number_of, position[WASTE])),
        home=set_of(number_of(card) for name in FOUNDATION_OF.values() for card in position[name]),
    )


def _run(name: str, cards: Cards) -> Cards:
    down = sum(1 for card in cards if not card.face_up)
    run = cards[down:]
    if any(not card.face_up for card in run) or (cards and not run):
        raise ValueError(f"column {name} ends face down or has a face-down card on one that is face up")
    if not is_sequence(run, is_next_in_other_colour):
        raise ValueError(f"the face-up cards of column {name} do not descend in turns of colour")
    return run


def _stack(cards: Cards, run: int) -> tuple[int, ...]:
    if len(cards) == run and cards and cards[0].rank == KING:
        return ()
    return tuple(map(number_of, cards[: len(cards) - run + 1]))
