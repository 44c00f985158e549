"""A database that was filled at once holds what playing the same games would have left in it."""

from __future__ import annotations

from collections import Counter
from io import StringIO

import msgspec
import pytest
from django.core.management import call_command
from django.test import Client

from game.engine.games import GAMES
from game.engine.line import Status
from game.engine.referee import differences, replay
from game.models import BoardRow, Game, LogEntry, Result, Tally, User, WeekPlayed
from game.selectors import tables

pytestmark = pytest.mark.django_db(transaction=True)


def test_what_is_made_up_is_as_if_it_had_been_played() -> None:
    said = StringIO()
    call_command("populate", games=300, people=12, longest=60, seed=1, stdout=said)
    assert "300 games" in said.getvalue()
    games = list(Game.objects.select_related("player").order_by("pk"))
    assert len(games) == 301
    assert Counter(game.status for game in games).keys() == set(Status)
    for game in games:
        # Running games of hidden cards tell nothing to judge.
        record = msgspec.to_builtins(tables.record(game))
        if record["deal"] is not None:
            assert not list(differences(replay(record)))
        elif game.status == Status.PLAYING:
            assert game.seq == LogEntry.objects.filter(game=game).count()
    check_what_remains()
    assert games[-1].seq == 60
    ended = Game.objects.filter(status=Status.WON)[0]
    for address in ("/", "/live/", f"/@{ended.player}/", f"/g/{ended.code}/", f"/d/{ended.deal_code}/"):
        assert Client().get(address).status_code == 200


def check_what_remains() -> None:
    won = Game.objects.filter(status=Status.WON)
    assert {result.pk for result in Result.objects.all()} == {game.pk for game in won}
    ended = Game.objects.filter(ended_at__isnull=False, first_ms__isnull=False)
    for tally in Tally.objects.all():
        kind = {"player_id": tally.player_id, "rules_slug": tally.rules_slug, "variant": tally.variant}
        assert tally.played == ended.filter(**kind).count()
        assert tally.counted_won == won.filter(**kind, ranked=True).count()
    assert sum(week.played for week in WeekPlayed.objects.all()) == ended.count()
    best = {}
    for result in Result.objects.filter(ranked=True).order_by("-value", "-ended_at"):
        best[result.player_id, result.rules_slug, result.variant] = result.pk
    rows = BoardRow.objects.filter(period="all")
    assert {(row.player_id, row.rules_slug, row.variant): row.game_id for row in rows} == best
    assert {slug for _, slug, _ in best} == {rules.slug for rules in GAMES}
    assert not Game.objects.filter(player__is_guest=True, ranked=True).exists()
    assert User.objects.count() == 12
