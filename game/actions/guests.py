"""Guests who never played: they are forgotten after a while, with the games in which nothing was moved."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from game.models import Game, LogEntry, User

BATCH: Final = 500


def clear_guests(older_than: timedelta) -> int:
    """Deletes guests made longer ago than this who made no move and have no session left; how many.

    A game with a log is never deleted, so neither is its player, whatever was undone in it.
    """
    here = _people_with_sessions()
    moved = LogEntry.objects.filter(game__player=OuterRef("pk"))
    guests = User.objects.filter(is_guest=True, date_joined__lt=timezone.now() - older_than)
    idle = list(guests.filter(~Exists(moved)).order_by("pk").values_list("pk", flat=True))
    return sum(_forget(key) for key in idle if key not in here)


def _forget(key: int) -> bool:
    """Whether one guest could be deleted: who moves or takes a name meanwhile stays."""
    with transaction.atomic():
        guest = User.objects.select_for_update().filter(pk=key, is_guest=True).first()
        if guest is None:
            return False
        games = list(Game.objects.select_for_update().filter(player=guest).values_list("pk", flat=True))
        if LogEntry.objects.filter(game__in=games).exists():
            return False
        Game.objects.filter(pk__in=games).delete()
        guest.delete()
    return True


def _people_with_sessions() -> set[int]:
    """The keys of everybody who is logged in anywhere."""
    open_sessions = Session.objects.filter(expire_date__gt=timezone.now())
    here = set()
    for data in open_sessions.values_list("session_data", flat=True).iterator(BATCH):
        key = SessionStore().decode(data).get(SESSION_KEY)
        if key is not None:
            here.add(int(key))
    return here
