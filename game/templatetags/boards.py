"""How the rows of boards are shown."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from game import labels
from game.engine.games import rules_of
from game.engine.rules import Ranking, Rules
from game.models import BoardRow, Game, Result, Unranked

register = template.Library()

SIGHTS: Final = {
    "": _("first sight"),
    Unranked.PRACTICE: _("practice"),
    Unranked.GUEST: _("as a guest"),
    Unranked.PACE: _("too fast to count"),
    Unranked.CLOCK: _("clock was set"),
    Unranked.REMOVED: _("taken off the boards"),
    Unranked.UNLISTED: _("unlisted"),
}


@register.filter
def compared(row: BoardRow | Result) -> str:
    """What the row's board compares: ``2:41`` or ``779``."""
    by_time = rules_of(row.rules_slug).ranking is Ranking.TIME
    return labels.duration(row.value) if by_time else str(-row.value)


@register.filter
def board_moment(when: datetime) -> SafeString:
    """A point in time in the boards' zone, which their pages name; never turned into the reader's own."""
    return format_html('<time datetime="{}">{}</time>', when.isoformat(), labels.moment(when))


@register.filter
def kind_of(rules: Rules, variant: str) -> str:
    """The game with its options."""
    return labels.kind_of(rules, variant)


@register.filter
def sight(game: Game) -> str:
    """Whether an ended game was at first sight, in a word or two."""
    return str(SIGHTS[game.unranked_because])
