"""Playing cards: a rank, a suit, and which face is up."""

from __future__ import annotations

from typing import Final

RANKS: Final = "A23456789TJQK"
SUITS: Final = "SHDC"
ACE: Final = 1
KING: Final = 13


class Card:
    """One card as it lies: ``rank`` 1 (ace) to 13 (king), ``suit`` one of ``SHDC``, ``face_up``.

    ``text`` is rank then suit (``KH``), in lower case when the card lies face down (``kh``). There is
    exactly one object for each text, so equality is identity; ``turned`` is the same card, other face.
    Get cards from `card`, never from the constructor.
    """

    __slots__ = ("face_up", "is_red", "rank", "suit", "text", "turned")

    rank: int
    suit: str
    face_up: bool
    is_red: bool
    text: str
    turned: Card

    def __init__(self, rank: int, suit: str, face_up: bool) -> None:
        text = RANKS[rank - 1] + suit
        self.rank = rank
        self.suit = suit
        self.face_up = face_up
        self.is_red = suit in "HD"
        self.text = text if face_up else text.lower()

    def __repr__(self) -> str:
        return f"card({self.text!r})"

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return card, (self.text,)


def _every_card() -> dict[str, Card]:
    known = {}
    for suit in SUITS:
        for rank in range(ACE, KING + 1):
            up, down = Card(rank, suit, face_up=True), Card(rank, suit, face_up=False)
            up.turned, down.turned = down, up
            known[up.text], known[down.text] = up, down
    return known


_CARDS: Final = _every_card()


def card(text: str) -> Card:
    """The card of a text such as ``KH`` (face up) or ``kh`` (face down); `ValueError` for any other."""
    try:
        return _CARDS[text]
    except KeyError:
        raise ValueError(f"{text!r} is no card: a rank of {RANKS} and a suit of {SUITS}") from None


def pack(suits: str) -> tuple[Card, ...]:
    """A pack, face up: for each letter of ``suits`` (``SHDC``, ``SHSH``, ``SSSS``) ace to king."""
    return tuple(card(rank + suit) for suit in suits for rank in RANKS)
