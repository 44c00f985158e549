"""How the site fares as a whole, for those who run it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.utils import timezone

from game.models import Deed, Finding, Game
from game.selectors import tables

DEEDS: Final = 20


@dataclass(frozen=True, slots=True)
class Status:
    """``playing``: games with a move just now; ``waiting``: ended games that the worker has not looked at."""

    epoch: int
    playing: int
    waiting: int
    deeds: list[Deed]


def status() -> Status:
    """Read in a few queries, each by an index that holds little."""
    just_now = timezone.now() - settings.LIVE_FOR
    return Status(
        epoch=tables.epoch(),
        playing=Game.objects.filter(ended_at=None, last_command_at__gte=just_now).count(),
        waiting=Finding.objects.filter(is_waiting=True).count(),
        deeds=list(Deed.objects.select_related("person", "game").order_by("-at", "-id")[:DEEDS]),
    )
