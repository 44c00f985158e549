"""Questions about cards in a row, asked from the table up."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from game.engine.cards import ACE, KING, Card

Follows = Callable[[Card, Card], bool]


def is_next_below(upper: Card, lower: Card) -> bool:
    """Whether ``lower`` is one rank under ``upper``, of any suit."""
    return lower.rank == upper.rank - 1


def is_next_in_suit(upper: Card, lower: Card) -> bool:
    """Whether ``lower`` is one rank under ``upper`` and of its suit."""
    return lower.rank == upper.rank - 1 and lower.suit == upper.suit


def is_next_in_other_colour(upper: Card, lower: Card) -> bool:
    """Whether ``lower`` is one rank under ``upper`` and of the other colour."""
    return lower.rank == upper.rank - 1 and lower.is_red is not upper.is_red


def is_sequence(cards: Sequence[Card], follows: Follows) -> bool:
    """Whether each card of the row follows the one before it."""
    return all(map(follows, cards, cards[1:]))


def run_length(cards: Sequence[Card], follows: Follows) -> int:
    """How many cards at the end of ``cards`` are in sequence: 0 for an empty pile, else at least 1."""
    if not cards:
        return 0
    length = 1
    while length < len(cards) and follows(cards[-length - 1], cards[-length]):
        length += 1
    return length


def is_full_run(cards: Sequence[Card]) -> bool:
    """Whether these are 13 cards of one suit from king to ace."""
    return (
        len(cards) == KING
        and cards[0].rank == KING
        and cards[-1].rank == ACE
        and is_sequence(cards, is_next_in_suit)
    )
