"""Guests: nothing of theirs is lost under a chosen name, nothing begins to count, empty ones are cleared."""

from __future__ import annotations

import re
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from game import hub
from game.actions import games, people
from game.engine.line import Status
from game.models import Game, LogEntry, User
from tests.server.pages import RULES, browser_of, ended_game

pytestmark = pytest.mark.django_db

OLD = timedelta(days=40)


@pytest.fixture(autouse=True)
def unhurried(settings: Any) -> None:
    settings.RATE_LIMIT = False


def old_guest() -> User:
    guest = people.make_guest()
    User.objects.filter(pk=guest.pk).update(date_joined=timezone.now() - OLD)
    return guest


def cleared(*options: str) -> str:
    out = StringIO()
    call_command("clear_guests", *options, stdout=out)
    return out.getvalue().strip()


def moved(game: Game) -> None:
    LogEntry.objects.create(
        game=game, seq=1, command_id="a", command="t1-t2", effects=[], moves=1, parent=0, at_ms=1
    )


def test_a_running_game_of_a_guest_does_not_begin_to_count() -> None:
    guest = people.make_guest()
    before = games.start_new(guest, RULES, "S1")
    named = people.sign_up("zofia", "a long password", guest=guest)
    before.refresh_from_db()
    assert (named.pk, before.player_id) == (guest.pk, guest.pk)
    assert (before.ranked, before.unranked_because) == (False, "guest")
    # What is started under the name counts.
    assert games.start_new(named, RULES, "S1").ranked


@pytest.mark.parametrize("path", ["/history/", "/@{name}/", "/"])
def test_a_guest_is_told_so_and_offered_a_name(path: str) -> None:
    guest = people.make_guest()
    browser = browser_of(guest)
    text = browser.get(path.format(name=guest.username)).content.decode()
    assert "You play as a guest" in text
    assert text.count('href="/accounts/signup/"') >= 2


def test_others_and_named_people_are_not_offered_one() -> None:
    guest, ada = people.make_guest(), User.objects.create_user("ada")
    for browser, name in ((Client(), guest), (browser_of(ada), guest), (browser_of(ada), ada)):
        assert "You play as a guest" not in browser.get(name.get_absolute_url()).content.decode()


def test_sign_up_asks_for_a_name_and_a_password_only(client: Client) -> None:
    form = client.get("/accounts/signup/").context["form"]
    assert list(form.fields) == ["username", "password1"]


def test_that_a_forgotten_password_needs_the_operator_is_said_before(client: Client) -> None:
    assert "a forgotten password can only be set anew by the operator" in str(
        client.get("/accounts/signup/").content
    )


def test_old_guests_without_a_move_are_cleared_with_their_games() -> None:
    guest = old_guest()
    games.start_new(guest, RULES, "S1")
    assert cleared() == "cleared 1 guest"
    assert not User.objects.exists()
    assert not Game.objects.exists()


def test_who_played_stays() -> None:
    won, undone = old_guest(), old_guest()
    moved(ended_game(won, status=Status.WON))
    moved(games.start_new(undone, RULES, "S1"))
    assert cleared() == "cleared 0 guests"
    assert User.objects.count() == 2


def test_who_may_come_back_stays() -> None:
    browser_of(old_guest())
    fresh = people.make_guest()
    named = people.sign_up("zofia", "a long password", guest=old_guest())
    assert cleared() == "cleared 0 guests"
    assert User.objects.count() == 3
    assert {fresh, named} <= set(User.objects.all())


def test_how_old_may_be_said() -> None:
    old_guest()
    assert cleared("--older-than", "60") == "cleared 0 guests"
    assert cleared("--older-than", "20") == "cleared 1 guest"
    for wrong in ("-1", "x", "99999999999"):
        with pytest.raises(CommandError):
            cleared("--older-than", wrong)


def test_plates_say_how_many_watch(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    ada = User.objects.create_user("ada")
    game = ended_game(ada, ended_at=timezone.now(), status=Status.PLAYING)
    Game.objects.filter(pk=game.pk).update(ended_at=None)
    assert "watching" not in client.get("/live/").content.decode().split("<main")[1]
    monkeypatch.setattr(hub, "watchers", lambda game_id: 12 if game_id == game.pk else 0)
    for path in ("/", "/live/"):
        text = re.sub("<[^>]*>", "", client.get(path).content.decode())
        assert re.search("1 move · (12)?12 watching", text)
