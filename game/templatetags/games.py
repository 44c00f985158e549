"""How a game is shown in lists and on plates."""

from __future__ import annotations

from datetime import datetime

from django import template
from django.contrib.auth.models import AnonymousUser
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from game import hub, labels, plates
from game.engine.deals import DealCode
from game.engine.notation import parse_position
from game.engine.position import Position
from game.models import Game, Rescue, User
from game.selectors import tables

register = template.Library()


@register.filter
def kind(game: Game | DealCode) -> str:
    """The game with its options."""
    return labels.kind_of(game.rules, game.variant)


@register.filter
def end(game: Game) -> str:
    """``won``, ``given up``, ``playing``."""
    return str(labels.ENDS[game.status])


@register.filter
def told_to(game: Game, reader: User | AnonymousUser) -> bool:
    """Whether a page may lead its reader to a game, whose code may be all that keeps others from it."""
    return not game.unlisted or game.player_id == reader.pk


@register.filter
def took(game: Game) -> str:
    """What the game's clock shows: ``6:07``."""
    return labels.duration(tables.elapsed_ms(game))


@register.filter
def watchers(game: Game) -> int:
    """How many people watch a game now; nobody watches one that is over live."""
    return 0 if game.is_over else hub.watchers(game.pk)


@register.filter
def moment(when: datetime) -> SafeString:
    """A point in time, for people and for the script that turns it into their own zone."""
    return format_html('<time datetime="{}" data-local>{}</time>', when.isoformat(), labels.moment(when))


@register.filter
def translated(text: str) -> str:
    """A text of a game in the reader's language."""
    return gettext(text) if text else ""


@register.simple_tag
def plate_defs() -> SafeString:
    """What plates are drawn with; once on a page, before the first of them."""
    return plates.plate_defs()


@register.simple_tag
def plate(game: Game) -> SafeString:
    """A small board of how a game stands."""
    return plates.plate_of(game.rules.layout, game.standing.position)


@register.simple_tag
def board(game: Game) -> SafeString:
    """A large board of how a game stands."""
    return plates.board_of(game.rules.layout, game.standing.position)


@register.simple_tag
def rescue_plate(rescue: Rescue) -> SafeString:
    """A small board of the place that a rescue begins from."""
    layout = rescue.game.rules.layout
    return plates.plate_of(layout, parse_position(rescue.position_text, layout))


@register.simple_tag
def deal_board(code: DealCode, is_open: bool = False, is_snug: bool = False) -> SafeString:
    """A large board of a deal as a player sees it at the start, or with every card face up."""
    return plates.board_of(code.rules.layout, _shown(code, is_open=is_open), is_snug=is_snug)


@register.simple_tag
def deal_text(code: DealCode, is_open: bool = False) -> str:
    """The same as text."""
    return _shown(code, is_open=is_open).masked


def _shown(code: DealCode, *, is_open: bool) -> Position:
    dealt = code.deal()
    if not is_open:
        return dealt
    turned = {name: tuple(c if c.face_up else c.turned for c in cards) for name, cards in dealt.items()}
    return Position(turned)


@register.filter
def pips(suits: str) -> SafeString:
    """Suits as small signs, an ornament beside words."""
    return plates.pips_of(suits)
