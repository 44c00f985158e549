"""What kinds of games, ends and times are called in lists and titles, in the reader's language."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.conf import settings
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import get_language_bidi, gettext
from django.utils.translation import gettext_lazy as _

from game.engine.line import Status
from game.engine.rules import Rules
from game.models import Game

ENDS: Final[dict[str, Promise]] = {
    Status.PLAYING: _("playing"),
    Status.WON: _("won"),
    Status.GIVEN_UP: _("given up"),
}


def kind_of(rules: Rules, variant: str) -> str:
    """The game with its options: the title, and after a comma what was chosen."""
    title, options = gettext(rules.title), options_of(rules, variant)
    if not options:
        return title
    if get_language_bidi():
        # A figure after a name in another script would be drawn on the wrong side of it.
        title = f"\N{FIRST STRONG ISOLATE}{title}\N{POP DIRECTIONAL ISOLATE}"
    return gettext(", ").join([title, options])


def options_of(rules: Rules, variant: str) -> str:
    """The options alone: ``4 suits``; empty where a game has none."""
    options = rules.variants[variant]
    return gettext(", ").join(
        gettext(choice.note)
        for option in rules.options
        for choice in option.choices
        if options.get(option.name) == choice.value
    )


def kind_of_game(game: Game) -> str:
    """The game with its options."""
    return kind_of(game.rules, game.variant)


def duration(ms: int) -> str:
    """``6:07``, or ``1:02:05`` from an hour on."""
    minutes, seconds = divmod(ms // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def moment(when: datetime) -> str:
    """The time of today, else the day, in the boards' zone; the browser puts in its own."""
    local = when.astimezone(settings.BOARD_ZONE)
    today = timezone.now().astimezone(settings.BOARD_ZONE)
    if local.date() == today.date():
        return date_format(local, "H:i")
    return date_format(local, "j M" if local.year == today.year else "j M Y")
