"""The days and weeks of the boards, all in the one zone that the boards are kept in."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta
from typing import Final

from django.conf import settings
from django.utils import timezone

from game.models import Period

BEGINNING: Final = date(1, 1, 1)
"""The first day of all time."""


def day_of(moment: datetime) -> date:
    """The day of a moment in the boards' zone."""
    return moment.astimezone(settings.BOARD_ZONE).date()


def start_of(day: date) -> datetime:
    """The first moment of a day in the boards' zone."""
    return datetime.combine(day, time(), tzinfo=settings.BOARD_ZONE)


def today() -> date:
    """The day it is in the boards' zone."""
    return day_of(timezone.now())


def start_of_week(day: date) -> date:
    """The Monday of a day's week."""
    return day - timedelta(days=day.weekday())


def starts_of(day: date) -> Mapping[Period, date]:
    """The first day of each period that a day lies in."""
    return {Period.TODAY: day, Period.WEEK: start_of_week(day), Period.ALL: BEGINNING}


def until_tomorrow() -> timedelta:
    """How long the day still lasts in the boards' zone; days of clock changes are shorter or longer."""
    now = timezone.now()
    # In UTC: two times of one zone are subtracted as the walls show them, without the hour between.
    return start_of(day_of(now) + timedelta(days=1)).astimezone(UTC) - now
