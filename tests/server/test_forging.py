"""Results come out of the log alone: whatever fields a client sends along, they change nothing."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from django.apps import apps
from django.test import Client
from django.utils import timezone

from game import wire
from game.models import BoardRow, Game, LogEntry, Result, Tally, User, WeekPlayed
from tests.server.sprint import MARATHON, Clock, Player

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("throw_away_games")]

LONG_AGO = datetime(2001, 1, 1, tzinfo=UTC).isoformat()


def everything_forged() -> dict[str, str]:
    """Each field of every model and of every record, with a value somebody would like to have there."""
    names: set[str] = set()
    for model in apps.get_models():
        for field in model._meta.get_fields():
            names |= {
                field.name,
                getattr(field, "attname", field.name),
                f"{model._meta.model_name}-0-{field.name}",
            }
    for struct in (wire.Record, wire.RecordEntry, wire.Change, wire.Play, wire.Snapshot):
        names |= set(struct.__struct_fields__)
    values = {}
    for name in names:
        is_moment = name.endswith(("_at", "starts", "date_joined", "until", "last_login"))
        is_yes = name.startswith("is_") or name in ("ranked", "won")
        values[name] = LONG_AGO if is_moment else "on" if is_yes else "won" if name == "status" else "99999"
    return values


def rows() -> list[str]:
    models: list[Any] = [Game, LogEntry, Result, BoardRow, Tally, WeekPlayed]
    return [str(list(model.objects.order_by("pk").values())) for model in models]


def test_every_field_of_every_model_posted_to_every_form(clock: Clock) -> None:
    """B55: not a score, a time, a date, a right or a place comes out of any of them."""
    ada, eve = Player("ada", clock), Player("eve", clock)
    eve.win(MARATHON, idle=3)
    running = ada.start(MARATHON)
    ada.play(running, "t1-t2")
    rights = User.objects.filter(pk=ada.user.pk).values(
        "id", "username", "is_staff", "is_superuser", "is_active", "is_guest", "date_joined", "folded", "look"
    )
    before, who = rows(), str(rights.get())
    everything = everything_forged()
    assert {"score", "moves", "elapsed_ms", "ranked", "value", "is_staff", "created_at"} <= set(everything)
    wrong_password = everything | {"old_password": "wrong", "new_password1": "x", "new_password2": "x"}
    for path, sent in {
        "/games/": everything,
        "/accounts/guest/": {name: value for name, value in everything.items() if name != "deal_code"},
        "/accounts/password/": wrong_password,
        "/accounts/delete/": everything,
        "/accounts/signup/": everything,
        "/accounts/login/": everything,
        "/settings/": everything,
        "/find/": everything,
        f"/g/{running.code}/": everything,
        f"/api/games/{running.code}": everything,
        f"/api/games/{running.code}/updates": everything,
        "/boards/": everything,
        "/@ada/": everything,
    }.items():
        ada.client.post(path, sent)
        ada.client.post(path, sent, content_type="application/json")
        ada.client.get(path, sent)
    assert rows() == before
    assert str(rights.get()) == who


def test_a_new_game_begins_at_nothing_whatever_is_sent(clock: Clock) -> None:
    ada = Player("ada", clock)
    forged = everything_forged()
    for legitimate in ("rules", "deal_code", "again", "next", "panel", "csrfmiddlewaretoken"):
        forged.pop(legitimate, None)
    sent = forged | {"rules": MARATHON.slug, "laps": "1", "panel": "1"}
    assert ada.client.post("/games/", sent).status_code == 302
    game = Game.objects.get()
    assert (game.player_id, game.seq, game.moves, game.score) == (ada.user.pk, 0, 0, 500)
    assert (game.status, game.ranked, game.variant) == ("playing", True, "L1")
    assert game.created_at == timezone.now()
    assert game.code != "99999"
    assert not Result.objects.exists()


def test_a_new_person_has_no_rights_whatever_is_sent(clock: Clock) -> None:
    client = Client()
    sent = everything_forged() | {
        "username": "eve",
        "password1": "correct horse",
    }
    assert client.post("/accounts/signup/", sent).status_code == 302
    eve = User.objects.get()
    assert not any([eve.is_staff, eve.is_superuser, eve.is_guest, eve.groups.exists()])
    assert (eve.username, eve.is_active, eve.date_joined) == ("eve", True, timezone.now())
    assert eve.check_password("correct horse")


def test_a_win_counts_once_and_at_the_servers_time(clock: Clock) -> None:
    """B55, B56: the winning command again doubles nothing, and its time is no field."""
    ada = Player("ada", clock)
    game = ada.start(MARATHON)
    ada.play(game, "t1-t2")
    clock.shift(60)
    for _ in range(3):
        ada.play(game, "t2-f1", id="the winning one")
    ada.play(game, "t2-f1")
    result = Result.objects.get()
    assert (result.elapsed_ms, result.moves, result.ended_at) == (60_000, 2, timezone.now())
    assert BoardRow.objects.count() == 3
    assert Tally.objects.get().won == 1
    for extra in ("at_ms", "elapsed_ms", "score", "time", "player"):
        with pytest.raises(wire.MalformedMessageError):
            wire.decode_client(f'{{"type":"play","id":"x","seq":0,"command":"undo","{extra}":1}}')
