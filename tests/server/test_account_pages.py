"""What is kept of a person: told on a page, handed out by page and command, deleted with the password."""

from __future__ import annotations

import gzip
import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from game.models import User
from tests.server.sprint import Clock, Player

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("throw_away_games")]


def exported(client: Client) -> Any:
    answer = client.get("/accounts/export/", headers={"accept-encoding": "gzip"})
    assert answer.status_code == 200
    assert answer["Content-Disposition"].startswith("attachment")
    return json.loads(gzip.decompress(answer.content))


def test_page_and_command_hand_out_the_name_and_the_games_and_no_more(clock: Clock) -> None:
    ada, eve = Player("ada", clock), Player("eve", clock)
    eve.win()
    won, running = ada.win(), ada.start()
    ada.play(running, "t1-t2")
    told = exported(ada.client)
    assert set(told) == {"name", "guest", "since", "preferences", "games"}
    assert told["name"] == "ada"
    assert [game["code"] for game in told["games"]] == [won.code, running.code]
    record = json.loads(ada.client.get(f"/api/games/{won.code}").content)
    assert told["games"][0] == record | {
        "started_at": won.created_at.isoformat(),
        "unlisted": False,
        "ended_at": won.ended_at and won.ended_at.isoformat(),
    }
    assert "eve" not in json.dumps(told)
    # What the rules of a running game hide is hidden from its player too.
    assert told["games"][1]["deal"] is None
    assert "##" in told["games"][1]["position"]

    printed = StringIO()
    call_command("export_person", "ADA", stdout=printed)
    assert json.loads(printed.getvalue()) == told
    with pytest.raises(CommandError):
        call_command("export_person", "nobody")
    assert json.loads(ada.client.get("/accounts/export/").content) == told, "without gzip too"


def test_no_other_row_says_who_somebody_is(clock: Clock) -> None:
    """A new field of a person has to be told, handed out and forgotten with the others."""
    kept = {
        *("id", "username", "folded", "look", "password", "is_guest", "is_staff", "is_active"),
        *("is_superuser", "date_joined", "preferences", "last_login", "groups", "user_permissions"),
    }
    fields = {field.name for field in User._meta.get_fields() if not field.auto_created or field.concrete}
    assert fields == kept
    ada = Player("ada", clock)
    ada.client.post("/accounts/logout/")
    ada.client.post("/accounts/login/", {"username": "ada", "password": "correct horse"})
    ada.user.refresh_from_db()
    assert ada.user.last_login is None


def test_an_export_a_few_times_an_hour(clock: Clock, settings: Any) -> None:
    settings.RATE_LIMIT = True
    settings.CACHES = {
        "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "export"}
    }
    ada = Player("ada", clock)
    answers = [ada.client.get("/accounts/export/").status_code for _ in range(7)]
    assert answers == [200] * 6 + [429]


def test_deletion_asks_for_the_password(clock: Clock) -> None:
    ada = Player("ada", clock)
    assert "Delete the account" in ada.client.get("/accounts/data/").content.decode()
    assert ada.client.get("/accounts/delete/").status_code == 200
    for password in ("", "wrong", "x" * 600):
        answer = ada.client.post("/accounts/delete/", {"password": password})
        assert answer.status_code == 400
    assert User.objects.get(pk=ada.user.pk).username == "ada"
    answer = ada.client.post("/accounts/delete/", {"password": "correct horse"})
    assert "Your account is deleted" in answer.content.decode()
    assert "sessionid" not in {name for name, morsel in ada.client.cookies.items() if morsel.value}
    assert User.objects.get(pk=ada.user.pk).username.startswith("deleted ")


def test_a_guest_needs_none(client: Client) -> None:
    client.post("/accounts/guest/")
    assert "Nobody can take the name" not in client.get("/accounts/delete/").content.decode()
    assert client.post("/accounts/delete/").status_code == 200
    assert User.objects.get().username.startswith("deleted ")
