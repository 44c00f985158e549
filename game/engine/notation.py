"""Positions as text, and back: ``t1 AS KH/t2 3D/f1``, see PROTOCOL.md."""

from __future__ import annotations

from game.engine.cards import card
from game.engine.piles import Layout
from game.engine.position import Cards, Position


def parse_position(text: str, layout: Layout) -> Position:
    """The position of an unmasked text whose piles are those of ``layout``, in order.

    Raises `ValueError` that says which pile or card is wrong. Does not check that it is a whole pack.
    """
    written = text.split("/")
    if len(written) != len(layout):
        raise ValueError(f"a position has {len(layout)} piles here, not {len(written)}")
    piles: dict[str, Cards] = {}
    for pile, words in zip(layout, written, strict=True):
        name, *cards = words.split(" ")
        if name != pile.name:
            raise ValueError(f"pile {pile.name} should stand where {name!r} does")
        piles[name] = tuple(map(card, cards))
    return Position(piles)
