"""What operators do by command: to people, to results, to the boards; and the trail that each leaves."""

from __future__ import annotations

import io
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.core.management import CommandError, call_command
from django.test import Client as Browser

from game.actions.people import make_guest
from game.models import BoardRow, Deed, Game, Tally, User, WeekPlayed
from game.selectors import audit
from tests.server.conftest import Person, away
from tests.server.sprint import NOON, Clock, Player
from tests.server.watching import Client

Start = Callable[..., Game]
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("throw_away_games")]


def run(*arguments: str) -> str:
    """What a command prints."""
    out = io.StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue().strip()


def rows(model: Any, *names: str) -> list[tuple[Any, ...]]:
    return sorted(model.objects.values_list(*names))


def boards() -> list[tuple[Any, ...]]:
    return rows(BoardRow, "player_id", "rules_slug", "variant", "period", "starts", "game_id", "value")


def tallies() -> list[tuple[Any, ...]]:
    names = ("played", "won", "counted", "counted_won", "streak", "longest_streak")
    return rows(Tally, "player_id", "rules_slug", "variant", *names)


async def test_a_ban_closes_the_sockets_and_the_log_in_until_it_is_lifted(ada: Person, start: Start) -> None:
    game = start(ada)
    async with Client(game.code, cookies=ada.cookies) as player:
        await player.next("welcome")
        assert away(run, "ban", "ADA", "--because", "rude", "--by", "eve") == "Ada may come in no more"
        frame, code = await player.bye(10)
        assert (frame["reason"], code) == ("session", 4003)
    fields = {"username": "Ada", "password": "a fine password"}
    assert away(Browser().post, "/accounts/login/", fields).status_code == 400
    with pytest.raises(CommandError, match="closed already"):
        away(run, "ban", "Ada")
    assert away(run, "ban", "Ada", "--lift") == "Ada may come in again"
    assert away(Browser().post, "/accounts/login/", fields).status_code == 302
    trail = away(run, "deeds").splitlines()
    assert [line.split(": ", 1)[1] for line in trail] == ["Ada let in again", "Ada banned · rude"]
    assert " eve: " in trail[1]


def test_renamed_with_the_rules_for_names() -> None:
    ada, guest = User.objects.create_user("Ada", "a fine password"), make_guest()
    User.objects.create_user("Bob")
    for name, new_name in (("Ada", "b0b"), ("Ada", "guest 5"), ("Ada", "A\u200bda"), (guest.username, "Cy")):
        with pytest.raises(CommandError):
            run("rename", name, new_name)
    with pytest.raises(CommandError, match="nobody called"):
        run("rename", "Dora", "Cy")
    assert not Deed.objects.exists()
    assert run("rename", "ada", "Grace") == "ada is called Grace now"
    ada.refresh_from_db()
    assert ada.username == "Grace"
    # The trail keeps no name which its owner gave up.
    assert "Ada" not in run("deeds")


def test_a_new_password_opens_and_the_old_one_does_not() -> None:
    ada = User.objects.create_user("Ada", "a fine password")
    browser = Browser()
    browser.force_login(ada)
    password = run("reset_password", "Ada", "--because", "forgot it")
    assert len(password) >= 16
    assert browser.get("/history/").status_code == 302, "she is logged out"
    for known, status in (("a fine password", 400), (password, 302)):
        fields = {"username": "Ada", "password": known}
        assert Browser().post("/accounts/login/", fields).status_code == status
    with pytest.raises(CommandError):
        run("reset_password", make_guest().username)
    assert [deed.kind for deed in Deed.objects.all()] == ["password"]


def test_a_removed_result_leaves_every_number_as_if_it_had_not_counted(clock: Clock) -> None:
    """The next best win takes its place, and it can be put back."""
    ada, bob = Player("ada", clock), Player("bob", clock)
    ada.win(ms=50_000)
    bob.win(ms=45_000)
    clock.shift(timedelta(days=8))
    best = ada.win(ms=40_000)
    ada.win(ms=60_000)
    before = boards(), tallies(), rows(WeekPlayed, "player_id", "starts", "played")
    assert f"{best.code} counts no more" in run("remove_result", best.code.lower(), "--because", "a robot's")
    best.refresh_from_db()
    assert (best.ranked, best.unranked_because, best.status) == (False, "removed", "won")
    # What stands there now is what would, had the win not counted.
    assert not BoardRow.objects.filter(game=best).exists()
    values = BoardRow.objects.filter(player=ada.user).values_list("period", "value")
    assert {("today", 60_000), ("week", 60_000), ("all", 50_000)} <= set(values)
    tally = Tally.objects.get(player=ada.user)
    assert (tally.played, tally.won, tally.counted, tally.counted_won, tally.longest_streak) == (
        3,
        3,
        2,
        2,
        2,
    )
    assert not [fault for game in audit.games(ranked_only=False) for fault in audit.faults(game)]
    assert b"taken off the boards" in Browser().get(best.get_absolute_url()).content
    with pytest.raises(CommandError, match="no win that counts"):
        run("remove_result", best.code, "--because", "again")
    with pytest.raises(CommandError, match="because"):
        run("remove_result", best.code)
    run("remove_result", best.code, "--because", "no robot", "--put-back")
    assert before == (boards(), tallies(), rows(WeekPlayed, "player_id", "starts", "played"))
    assert [deed.kind for deed in Deed.objects.order_by("pk")] == ["remove", "put_back"]
    assert best.code in run("deeds")


def test_boards_follow_a_changed_zone(clock: Clock, settings: Any) -> None:
    """A win just before midnight is tomorrow's further east; nothing else changes."""
    ada = Player("ada", clock)
    clock.move_to(NOON.replace(hour=23, minute=30))
    ada.win(ms=50_000)
    clock.shift(timedelta(hours=-3))
    ada.win(ms=70_000)
    # Sunday evening is next week there.
    clock.move_to(NOON.replace(day=29, hour=23, minute=30))
    ada.win(ms=90_000)
    before = boards(), rows(WeekPlayed, "player_id", "starts", "played")
    days = {str(starts) for _, _, _, period, starts, _, _ in before[0] if period == "today"}
    assert days == {"2026-11-25", "2026-11-29"}
    BoardRow.objects.all().update(value=1)
    assert "rebuilt 1 board entries" in run("rebuild_boards")
    assert (boards(), rows(WeekPlayed, "player_id", "starts", "played")) == before
    settings.BOARD_ZONE = ZoneInfo("Europe/Warsaw")
    run("rebuild_boards")
    days = {str(starts) for _, _, _, period, starts, _, _ in boards() if period == "today"}
    assert days == {"2026-11-25", "2026-11-26", "2026-11-30"}
    weeks = [(str(starts), played) for _, starts, played in rows(WeekPlayed, "player_id", "starts", "played")]
    assert weeks == [("2026-11-23", 2), ("2026-11-30", 1)]
