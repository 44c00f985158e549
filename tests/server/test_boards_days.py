"""In which day and week a win is, in the one zone of the boards, also where the clocks change."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.test import Client
from pytest_django.fixtures import Settings

from game.models import Period
from game.selectors.boards import Board, standings
from tests.server.sprint import SPRINT, Player, offer

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _games(monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, SPRINT)


def board(period: Period) -> list[tuple[str, int]]:
    """Names and times, from the first place down."""
    top = standings(Board(SPRINT, "D1"), period, None).top
    return [(place.row.player.username, place.row.value) for place in top]


WARSAW = ZoneInfo("Europe/Warsaw")
AUCKLAND = ZoneInfo("Pacific/Auckland")
NEW_YORK = ZoneInfo("America/New_York")


def at(text: str, zone: ZoneInfo) -> datetime:
    """A moment as the walls of a zone show it; with an offset where they show it twice."""
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=zone)


@pytest.mark.parametrize(
    ("zone", "before", "after", "kept"),
    [
        # Midnight there is another day here: 23:00 and 13:00 UTC.
        (
            WARSAW,
            "2026-11-25T23:59:59",
            "2026-11-26T00:00:00",
            [Period.WEEK, Period.ALL],
        ),
        (
            AUCKLAND,
            "2026-11-25T23:59:59",
            "2026-11-26T00:00:00",
            [Period.WEEK, Period.ALL],
        ),
        (
            NEW_YORK,
            "2026-11-25T23:59:59",
            "2026-11-26T00:00:00",
            [Period.WEEK, Period.ALL],
        ),
        # Sunday to Monday.
        (WARSAW, "2026-11-29T23:59:59", "2026-11-30T00:00:00", [Period.ALL]),
        (AUCKLAND, "2026-11-29T23:59:59", "2026-11-30T00:00:00", [Period.ALL]),
        # The year ends inside of a week, which goes on.
        (
            NEW_YORK,
            "2026-12-31T23:59:59",
            "2027-01-01T00:00:00",
            [Period.WEEK, Period.ALL],
        ),
        # Clocks go forward and back on a Sunday: the day and the week are one.
        (WARSAW, "2026-03-29T01:59:59", "2026-03-29T03:00:00", list(Period)),
        (WARSAW, "2026-10-25T02:30:00", "2026-10-25T02:30:00+01:00", list(Period)),
        (WARSAW, "2026-10-25T00:00:00", "2026-10-25T23:59:59", list(Period)),
        (NEW_YORK, "2026-11-01T23:59:59", "2026-11-02T00:00:00", [Period.ALL]),
    ],
)
def test_each_win_is_in_its_day_and_week_in_the_boards_zone(
    settings: Settings, zone: ZoneInfo, before: str, after: str, kept: list[Period]
) -> None:
    """B57: the server's own zone is UTC in all of these."""
    settings.BOARD_ZONE = zone
    with time_machine.travel(at(before, zone), tick=False) as clock:
        clock.shift(timedelta(seconds=-60))
        game = Player("ada", clock).win(ms=60_000)
        # In UTC: a moment of the doubled hour equals no moment of another zone.
        assert game.ended_at == at(before, zone).astimezone(UTC)
        assert [board(period) for period in Period] == [[("ada", 60_000)]] * 3
    with time_machine.travel(at(after, zone), tick=False):
        assert [period for period in Period if board(period)] == kept


def test_the_first_moments_of_a_day_are_its_own(settings: Settings) -> None:
    """B57: where a clock change takes midnight away, the day begins at one."""
    settings.BOARD_ZONE = ZoneInfo("Africa/Cairo")
    start = datetime(2026, 4, 23, 22, 0, tzinfo=UTC)  # 01:00 on the 24th; there is no 00:00
    with time_machine.travel(start - timedelta(seconds=1), tick=False) as clock:
        assert " 0 h 0 min" in Client().get("/boards/?rules=sprint").content.decode()
        clock.move_to(start)
        assert " 23 h 0 min" in Client().get("/boards/?rules=sprint").content.decode()


def test_the_length_of_the_day_follows_the_clock_change(settings: Settings) -> None:
    settings.BOARD_ZONE = WARSAW
    for day, hours in (("2026-03-29T00:00:00", 23), ("2026-10-25T00:00:00", 25), ("2026-05-05T00:00:00", 24)):
        with time_machine.travel(at(day, WARSAW), tick=False):
            assert f"{hours} h 0 min" in Client().get("/boards/?rules=sprint").content.decode()
