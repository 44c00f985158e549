"""Everybody's runs on one deal: those won, best first, then those given up, the latest first."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db.models import Q

from game.engine.line import Status
from game.models import Game, Result
from game.selectors.lists import PAGE, BadCursorError, Page, from_micros, micros

_CURSOR: Final = re.compile(r"(?:won-(-?[0-9]{1,18})|up)-(-?[0-9]{1,18})-([0-9]{1,18})")


@dataclass(frozen=True, slots=True)
class _End:
    """Where a page ended: at a won game of this value, or (None) at one that was given up."""

    value: int | None
    ended_at: datetime
    game_id: int


def runs(deal_code: str, after: str = "", size: int = PAGE) -> Page:
    """The runs on a deal that ended with a move in them, a page at a time; raises `BadCursorError`."""
    end = _read(after) if after else None
    games: list[Game] = []
    cursors: list[str] = []
    if end is None or end.value is not None:
        for result in _won(deal_code, end, size + 1):
            games.append(result.game)
            cursors.append(f"won-{result.value}-{micros(result.ended_at)}-{result.game_id}")
    if len(games) <= size:
        later = end if end is not None and end.value is None else None
        for game in _given_up(deal_code, later, size + 1 - len(games)):
            games.append(game)
            cursors.append(f"up-{micros(game.ended_at)}-{game.pk}")
    return Page(games[:size], cursors[size - 1] if len(games) > size else None)


def _won(deal_code: str, end: _End | None, limit: int) -> list[Result]:
    results = Result.objects.filter(deal_code=deal_code, game__unlisted=False)
    if end is not None and end.value is not None:
        results = results.filter(
            Q(value__gt=end.value)
            | Q(value=end.value, ended_at__gt=end.ended_at)
            | Q(value=end.value, ended_at=end.ended_at, game_id__gt=end.game_id),
            value__gte=end.value,
        )
    return list(results.select_related("game__player").order_by("value", "ended_at", "game_id")[:limit])


def _given_up(deal_code: str, end: _End | None, limit: int) -> list[Game]:
    games = Game.objects.filter(
        deal_code=deal_code,
        status=Status.GIVEN_UP,
        ended_at__isnull=False,
        first_ms__isnull=False,
        unlisted=False,
    )
    if end is not None:
        games = games.filter(
            Q(ended_at__lt=end.ended_at) | Q(ended_at=end.ended_at, id__lt=end.game_id),
            ended_at__lte=end.ended_at,
        )
    return list(games.select_related("player").order_by("-ended_at", "-id")[:limit])


def _read(text: str) -> _End:
    match = _CURSOR.fullmatch(text)
    if match is None:
        raise BadCursorError(text)
    return _End(int(match[1]) if match[1] else None, from_micros(match[2]), int(match[3]))
