"""Where all cards lie."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from game.engine.cards import Card

Cards = tuple[Card, ...]

HIDDEN: Final = "##"


class Position:
    """The cards of every pile, in layout order; frozen.

    ``position["t4"]`` is a tuple of cards from the table up: the last is the one that can be played.
    """

    __slots__ = ("_piles",)

    def __init__(self, piles: Mapping[str, Cards]) -> None:
        self._piles = dict(piles)

    def __getitem__(self, name: str) -> Cards:
        return self._piles[name]

    def __contains__(self, name: object) -> bool:
        return name in self._piles

    def __iter__(self) -> Iterator[str]:
        return iter(self._piles)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self._piles == other._piles

    def __hash__(self) -> int:
        return hash(tuple(self._piles.items()))

    def __repr__(self) -> str:
        return f"<Position {self.text}>"

    def items(self) -> Iterable[tuple[str, Cards]]:
        """Names and cards, in layout order."""
        return self._piles.items()

    def put(self, changed: Mapping[str, Cards]) -> Position:
        """The position in which the named piles hold these cards instead; the names must exist."""
        piles = self._piles | dict(changed)
        if len(piles) != len(self._piles):
            raise KeyError(f"no such pile among {', '.join(changed)}")
        return Position(piles)

    @property
    def text(self) -> str:
        """Every card by name, face-down ones in lower case: for the log, never for a player."""
        return "/".join(
            " ".join([name, *[card.text for card in cards]]) for name, cards in self._piles.items()
        )

    @property
    def masked(self) -> str:
        """The text that may be shown: every face-down card is ``##``."""
        return "/".join(
            " ".join([name, *[card.text if card.face_up else HIDDEN for card in cards]])
            for name, cards in self._piles.items()
        )

    def is_hiding(self) -> bool:
        """Whether any card lies face down."""
        return any(not card.face_up for cards in self._piles.values() for card in cards)
