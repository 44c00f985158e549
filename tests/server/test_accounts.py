"""What becomes of an account: banned and let in again, called otherwise, deleted, and what stays of it."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client

from game.actions.accounts import NAME_KEPT_FOR, admit, ban, delete_account, rename
from game.actions.games import AccountClosedError, start_again
from game.actions.people import NameTakenError, sign_up
from game.models import BoardRow, Game, KeptName, Result, Tally, User, WeekPlayed
from game.selectors import tables
from tests.server.sprint import MARATHON, Clock, Player

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("throw_away_games")]


def log_in(name: str) -> int:
    return Client().post("/accounts/login/", {"username": name, "password": "correct horse"}).status_code


def test_deletion_leaves_every_page_right_under_a_neutral_name(clock: Clock, client: Client) -> None:
    """R2: a player with live, won and ranked games goes; lists, boards, replays and records open."""
    ada, eve = Player("ada", clock), Player("eve", clock)
    won = ada.win(MARATHON)
    eve.win(MARATHON, idle=3)
    live, unmoved = ada.start(MARATHON), ada.start()
    ada.play(live, "t1-t2")
    kept = list(Result.objects.order_by("pk").values()), list(BoardRow.objects.order_by("pk").values())
    record = tables.record(won)

    delete_account(ada.user)

    ada.user.refresh_from_db()
    assert re.fullmatch(r"deleted [0-9]{3,}", ada.user.username)
    assert kept == (
        list(Result.objects.order_by("pk").values()),
        list(BoardRow.objects.order_by("pk").values()),
    )
    assert {game.status for game in Game.objects.filter(pk__in=[live.pk, unmoved.pk])} == {"given_up"}
    pages = [
        *("/", "/live/", "/games/", "/boards/?rules=marathon&laps=1&period=all", "/@eve/"),
        *(ada.user.get_absolute_url(), f"/d/{won.deal_code}/", won.get_absolute_url(), f"/g/{live.code}/"),
        *(f"/api/games/{won.code}", f"/api/games/{won.code}/updates"),
    ]
    for path in pages:
        answer = client.get(path)
        assert answer.status_code == 200, path
        assert not re.search(r"\bada\b", answer.content.decode()), path
    assert client.get("/@ada/").status_code == 404
    told = client.get(f"/api/games/{won.code}").json()
    assert told["player"] == ada.user.username
    assert (told["digest"], told["line"]) == (record.digest, record.line)


def test_deletion_keeps_nothing_but_the_games(clock: Clock) -> None:
    ada = Player("ada", clock, is_staff=True, is_superuser=True)
    ada.user.preferences = {"sound": True}
    ada.user.save()
    ada.win()
    kept = {
        model: model.objects.filter(player=ada.user).count() for model in (Game, Result, Tally, WeekPlayed)
    }
    delete_account(ada.user)
    gone = User.objects.get(pk=ada.user.pk)
    assert not any([gone.is_active, gone.is_staff, gone.is_superuser, gone.has_usable_password()])
    assert (gone.preferences, gone.last_login) == (None, None)
    assert kept == {model: model.objects.filter(player=gone).count() for model in kept}
    rows = " ".join(str(list(model.objects.values())) for model in (User, Game, Result, BoardRow, Tally))
    assert "ada" not in rows
    assert log_in("ada") == 400
    assert ada.client.get("/history/").status_code == 302
    with pytest.raises(AccountClosedError):
        start_again(gone, Game.objects.first().code)  # type: ignore[union-attr]


def test_the_name_is_not_given_out_again_for_a_while(clock: Clock) -> None:
    delete_account(Player("Zofia").user)
    for name in ("zofia", "ZOFIA", "zof1a".replace("1", "ı"), "z0fia", "zo.fia"):
        with pytest.raises(NameTakenError):
            sign_up(name, "correct horse")
    answer = Client().post("/accounts/signup/", {"username": "Zofia", "password1": "correct horse"})
    assert "Somebody has this name" in answer.content.decode()
    clock.shift(NAME_KEPT_FOR + timedelta(seconds=1))
    again = sign_up("zofia", "correct horse")
    delete_account(again)
    assert [kept.folded for kept in KeptName.objects.all()] == ["zofia"], "what is over is forgotten"


def test_a_neutral_name_is_nobodys_choice_and_is_not_kept(clock: Clock) -> None:
    guest = User.objects.create_user("guest 123", None, is_guest=True)
    delete_account(guest)
    delete_account(guest)
    assert not KeptName.objects.exists()
    for name in ("deleted 12", "Deleted12", "deleted", "deleted-7", "guest_4"):
        answer = Client().post("/accounts/signup/", {"username": name})
        assert "kept back" in answer.content.decode(), name


def test_a_ban_ends_every_session_until_it_is_lifted(clock: Clock) -> None:
    ada = Player("ada", clock)
    game = ada.start()
    ban(ada.user)
    assert log_in("ada") == 400
    assert ada.client.get("/history/").status_code == 302
    with pytest.raises(AccountClosedError):
        start_again(ada.user, game.code)
    assert Client().get("/@ada/").status_code == 200
    admit(ada.user)
    assert log_in("ada") == 302


def test_a_new_name_is_as_hard_to_get_as_at_sign_up(clock: Clock) -> None:
    ada, _eve = Player("ada", clock), Player("eve")
    rename(ada.user, "Ada")
    rename(ada.user, "ADA")
    assert User.objects.get(pk=ada.user.pk).username == "ADA"
    for name in ("eve", "EVE", "e.v.e"):
        with pytest.raises(NameTakenError):
            rename(ada.user, name)
    ada.user.refresh_from_db()
    assert (ada.user.username, ada.user.folded, ada.user.look) == ("ADA", "ada", "ada")
    assert ada.client.get("/history/").status_code == 200
