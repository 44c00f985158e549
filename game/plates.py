"""Drawings of tables for pages: the sign of a game and plates (small boards), as inline SVG.

Both come from the layout and a position alone, so a new game brings its own. A card is 100 wide and 140
high in the units of a drawing; colours are the style sheet's.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from django.conf import settings
from django.utils.safestring import SafeString, mark_safe

from game.engine.cards import Card
from game.engine.games import rules_of
from game.engine.piles import Fan, Layout, Pile, Role
from game.engine.position import Cards, Position
from game.engine.rules import Rules

WIDTH: Final = 100
HEIGHT: Final = 140
ASPECT: Final = 1.6
MARGIN: Final = 40
GAP: Final = 8
RANK_HIGH: Final = 42
"""How high the rank of a plate's card is; less where its column has no room."""
DOWN_STEP: Final = 16


def sign_of(rules: Rules) -> SafeString:
    """The silhouette of a game's deal: a bar for each column, as long as the column."""
    return _sign(rules.slug)


@cache
def _sign(slug: str) -> SafeString:
    rules = rules_of(slug)
    options = next(iter(rules.variants.values()))
    dealt = rules.deal(rules.pack(options))
    lengths = [len(dealt[pile.name]) for pile in rules.layout if pile.role is Role.COLUMN]
    pitch = 30 / len(lengths)
    bars = "".join(
        f"M{_n(i * pitch)} 0h{_n(pitch * 0.68)}v{_n(20 * length / max(lengths))}h-{_n(pitch * 0.68)}z"
        for i, length in enumerate(lengths)
    )
    return mark_safe(  # noqa: S308  # made of numbers alone
        '<svg class="sign ltr" viewBox="0 0 30 20" aria-hidden="true" focusable="false">'
        f'<path d="{bars}"/></svg>'
    )


def _n(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


@cache
def plate_defs() -> SafeString:
    """The ranks that plates are drawn with, out of the card sprite; once on a page that has plates."""
    sprite = (settings.FRONTEND / "static/cards/cards.svg").read_text()
    ranks = re.findall(r'<symbol id="rank-.*?</symbol>', sprite, re.DOTALL)
    return mark_safe(  # noqa: S308  # our own file
        f'<svg class="defs" width="0" height="0" aria-hidden="true" focusable="false">{"".join(ranks)}</svg>'
    )


def pips_of(suits: str) -> SafeString:
    """Suits such as ``SHDC`` in one colour, side by side."""
    drawn = "".join(
        f'<use href="{_sprite_address()}#pip-{suit.lower()}" x="{i * 120}" width="100" height="100"/>'
        for i, suit in enumerate(suits)
    )
    wide = max(120 * len(suits) - 20, 1)
    return mark_safe(  # noqa: S308  # made of letters of the engine
        f'<svg class="pips ltr" viewBox="0 0 {wide} 100" aria-hidden="true" focusable="false">{drawn}</svg>'
    )


def plate_of(layout: Layout, position: Position) -> SafeString:
    """A small board: ranks only. Face-down cards show their backs."""
    return _drawing(layout, position, face="mini", step=0.46)


def board_of(layout: Layout, position: Position, *, is_snug: bool = False) -> SafeString:
    """A large plate, twice: with full faces, and with small ones for narrow screens.

    The style sheet shows one of the two. ``is_snug`` cuts the cloth below the longest column.
    """
    return mark_safe(  # noqa: S308  # both are made here
        _drawing(layout, position, face="full", step=0.38, is_snug=is_snug)
        + _drawing(layout, position, face="small", step=0.68, is_snug=is_snug)
    )


def drawing_of(layout: Layout, position: Position, aspect: float) -> str:
    """A large plate for a picture, ``aspect`` times as wide as high; the sprite must stand beside it.

    Where the cards of a column would not leave each other's corners free, all are smaller.
    """
    drawn = _drawing(layout, position, face="small", step=0.68, aspect=aspect, least=0.46)
    return str(drawn).replace(f"{_sprite_address()}#", "#")


def _drawing(
    layout: Layout,
    position: Position,
    *,
    face: str,
    step: float,
    aspect: float = ASPECT,
    least: float = 0,
    is_snug: bool = False,
) -> SafeString:
    places = [pile for pile in layout if not _is_idle_side(pile, layout, position)]
    across = max(pile.column for pile in places) + 1
    content = across * WIDTH + (across - 1) * GAP
    wide = max(content + 2 * MARGIN, 1000, aspect * _least_high(places, position, least))
    high = wide / aspect
    if is_snug:
        lowest = max(_top(pile) + _length(position[pile.name], step) for pile in places)
        high = min(high, lowest + MARGIN)
    left = (wide - content) / 2
    parts = [
        _pile(
            pile,
            position[pile.name],
            x=left + pile.column * (WIDTH + GAP),
            y=_top(pile),
            foot=high - MARGIN,
            face=face,
            step=step,
        )
        for pile in places
    ]
    return mark_safe(  # noqa: S308  # made of numbers and card names alone
        f'<svg class="plate-board face-{face} ltr" viewBox="0 0 {_n(wide)} {_n(high)}"'
        f' aria-hidden="true" focusable="false">{"".join(parts)}</svg>'
    )


def _top(pile: Pile) -> float:
    return MARGIN + pile.row * (HEIGHT + 3 * GAP)


def _length(cards: Cards, step: float) -> float:
    """How far down a pile reaches when its cards lie as far apart as they may."""
    return HEIGHT + sum(step * WIDTH if card.face_up else DOWN_STEP for card in cards[:-1])


def _least_high(places: list[Pile], position: Position, least: float) -> float:
    """How high the cloth is if cards leave each other ``least`` of their width; 0 if they need not."""
    if not least:
        return 0
    return (
        max(_top(pile) + _length(position[pile.name], least) for pile in places if pile.fan is Fan.DOWN)
        + MARGIN
    )


def _is_idle_side(pile: Pile, layout: Layout, position: Position) -> bool:
    """Whether a pile stands beside the columns, in a grid column of foundations that are all empty."""
    beside = [other for other in layout if other.column == pile.column]
    return all(other.role is Role.FOUNDATION and not position[other.name] for other in beside)


def _pile(pile: Pile, cards: Cards, *, x: float, y: float, foot: float, face: str, step: float) -> str:
    if not cards:
        return _slot(pile, x, y, face=face)
    if pile.fan is Fan.NONE:
        return _card(cards[-1], x, y, face=face, shown=HEIGHT)
    if pile.fan is Fan.RIGHT:
        cards = cards[-1:]
    downs = sum(not card.face_up for card in cards)
    ups = len(cards) - downs
    room = foot - y - HEIGHT - downs * DOWN_STEP
    each = min(step * WIDTH, room / max(ups - 1, 1))
    drawn = []
    for at, card in enumerate(cards):
        is_last = at == len(cards) - 1
        advance = each if card.face_up else DOWN_STEP
        drawn.append(_card(card, x, y, face=face, shown=HEIGHT if is_last else advance))
        y += advance
    return "".join(drawn)


def _slot(pile: Pile, x: float, y: float, *, face: str) -> str:
    """An empty place, with the suit that it is kept for."""
    outline = f'<rect class="outline" x="{_n(x + 1)}" y="{_n(y + 1)}" width="98" height="138" rx="5.5"/>'
    if pile.suit is None or face == "mini":
        return outline
    at = f'x="{_n(x + 31)}" y="{_n(y + 51)}" width="38" height="38"'
    return outline + f'<use class="kept-for" href="{_sprite_address()}#pip-{pile.suit.lower()}" {at}/>'


def _sprite_address() -> str:
    return f"{settings.STATIC_URL}cards/cards.svg"


def _card(card: Card, x: float, y: float, *, face: str, shown: float) -> str:
    """One card; ``shown`` is how much of its height the next card leaves."""
    at = f'x="{_n(x)}" y="{_n(y)}"'
    if not card.face_up:
        # The white edge is a stroke of 6 with its outer side on the card's edge.
        inner = f'x="{_n(x + 3)}" y="{_n(y + 3)}" width="94" height="134"'
        return f'<rect class="back" {inner} rx="4.5"/>'
    paper = f'<rect class="paper" {at} width="100" height="140" rx="{"5.5" if face == "full" else "7.5"}"/>'
    suit = card.suit.lower()
    if face == "mini":
        high = min(RANK_HIGH, max(shown - 4, 20))
        return paper + (
            f'<use class="{suit}" href="#rank-{card.text[0]}" x="{_n(x)}" y="{_n(y + 5)}"'
            f' width="100" height="{_n(high)}"/>'
        )
    face_address = f"{_sprite_address()}#{face}-{card.text}"
    return paper + f'<use class="{suit}" href="{face_address}" {at} width="100" height="140"/>'
