"""Two wins of one person at the same moment: one row on the board, the better; both counted."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier

import pytest
from django.db import connections
from pytest_django.fixtures import Settings

from game import wire
from game.models import BoardRow, Game, Result, Tally, WeekPlayed
from tests.server.sprint import SPRINT, Player, offer

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(*works: Callable[[], object]) -> list[object]:
    """What the works return, each done in a thread of its own, all begun together."""
    barrier = Barrier(len(works))

    def begin(work: Callable[[], object]) -> object:
        try:
            barrier.wait(10)
            return work()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(works)) as threads:
        return list(threads.map(begin, works))


@pytest.mark.parametrize("has_rows", [False, True])
def test_the_better_of_two_wins_at_once_stands(
    monkeypatch: pytest.MonkeyPatch, settings: Settings, has_rows: bool
) -> None:
    offer(monkeypatch, SPRINT)
    settings.HUMAN_PACE_MS = 0
    for number in range(6):
        ada = Player(f"ada {number}")
        games = [ada.start() for _ in range(3)]
        for game, head_start_ms in zip(games, (50_000, 20_000, 90_000), strict=True):
            ada.play(game, "t1-t2")
            Game.objects.filter(pk=game.pk).update(first_ms=(game.first_ms or 0) - head_start_ms)
        slow, quick, before = games
        if has_rows:
            ada.play(before, "t1-f1")
        order = [slow, quick] if number % 2 else [quick, slow]
        answers = at_once(*(partial(ada.play, game, "t1-f1") for game in order))
        assert all(isinstance(answer, wire.Accepted) for answer in answers)
        rows = BoardRow.objects.filter(player=ada.user)
        assert set(rows.values_list("game_id", flat=True)) == {quick.pk}
        assert rows.count() == 3
        assert Result.objects.filter(player=ada.user, ranked=True).count() == 2 + has_rows
        tally = Tally.objects.get(player=ada.user)
        assert (tally.played, tally.won, tally.streak) == (2 + has_rows,) * 3
        assert WeekPlayed.objects.get(player=ada.user).played == 2 + has_rows
