"""First sight or practice, every way round: how a deal was come by, and what it is called afterwards.

Each way ends in a won game; what the game, its page, the deal's page and the boards say of it must agree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Final

import pytest
import time_machine
from django.test import Client

from game.models import BoardRow, Game, Result
from tests.server.sprint import SPRINT, Player, offer

pytestmark = pytest.mark.django_db

NOON: Final = datetime(2026, 11, 25, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[time_machine.Traveller]:
    offer(monkeypatch, SPRINT)
    with time_machine.travel(NOON, tick=False) as coordinates:
        yield coordinates


def post(player: Player, **fields: str) -> Game:
    """Starts a game as the page's forms do."""
    response = player.client.post("/games/", fields)
    assert response.status_code == 302, response.content.decode()
    return Game.objects.get(code=response["Location"].split("/")[2])


def fresh(player: Player) -> Game:
    return post(player, rules=SPRINT.slug)


def by_code(player: Player) -> Game:
    return post(player, deal_code="ZZ1-D1-AAAAABD")


def by_a_long_code_in_another_spelling(player: Player) -> Game:
    return post(player, deal_code="zz1 d1 abcdefghijklmnopqrst")


def by_again_of_a_running_game(player: Player) -> Game:
    return post(player, again=fresh(player).code)


def by_again_of_a_won_game(player: Player) -> Game:
    first = player.finish(fresh(player), ms=90_000)
    return post(player, again=first.code)


def by_again_of_a_game_without_a_move(player: Player) -> Game:
    first = fresh(player)
    player.play(first, "give_up")
    return post(player, again=first.code)


def by_again_of_again(player: Player) -> Game:
    return post(player, again=by_again_of_a_running_game(player).code)


def with_a_second_game_in_another_tab(player: Player) -> Game:
    first = fresh(player)
    post(player, deal_code=str(first.deal_code))
    return first


def with_a_second_game_given_up_at_once(player: Player) -> Game:
    """It has ended by then, but the cards were seen a second time before the first game's end."""
    first = fresh(player)
    player.play(post(player, deal_code=str(first.deal_code)), "give_up")
    return first


def with_a_second_game_won_before(player: Player) -> Game:
    first = fresh(player)
    player.finish(post(player, deal_code=str(first.deal_code)), ms=90_000)
    return first


def after_moves_of_its_own(player: Player) -> Game:
    """The first game is well under way when its cards are opened again."""
    first = fresh(player)
    player.play(first, "t1-t2")
    player.play(first, "undo")
    post(player, deal_code=str(first.deal_code).lower())
    return first


PRACTICE: Final = (
    by_code,
    by_a_long_code_in_another_spelling,
    by_again_of_a_running_game,
    by_again_of_a_won_game,
    by_again_of_a_game_without_a_move,
    by_again_of_again,
    with_a_second_game_in_another_tab,
    with_a_second_game_given_up_at_once,
    with_a_second_game_won_before,
    after_moves_of_its_own,
)


def judged(player: Player, game: Game) -> tuple[bool, str, int, str]:
    """What game, boards and the deal's page say of a won game: it counts or not, why, rows, the chip."""
    boot = player.client.get(f"/g/{game.code}/").context["boot"]
    game.refresh_from_db()
    assert boot["welcome"]["game"]["ranked"] is game.ranked is boot["result"]["ranked"]
    assert Result.objects.get(game=game).ranked is game.ranked
    rows = BoardRow.objects.filter(game=game).count()
    assert bool(boot["result"]["places"]) is bool(rows)
    text = Client().get(f"/d/{game.deal_code}/").content.decode()
    row = next(row for row in text.split("<tr") if f"/g/{game.code}/" in row)
    return game.ranked, boot["result"]["reason"] or "", rows, row.partition('class="chip">')[2].split("<")[0]


@pytest.mark.parametrize("come_by", PRACTICE, ids=lambda way: way.__name__)
def test_practice(come_by: Callable[[Player], Game], clock: time_machine.Traveller) -> None:
    """B14, B48: played, kept, listed as practice, and on no board."""
    ada = Player("ada", clock)
    game = come_by(ada)
    ada.finish(game, ms=30_000)
    assert judged(ada, game) == (False, "practice: these cards had been seen before", 0, "practice")
    assert not BoardRow.objects.filter(game=game).exists()


def test_first_sight(clock: time_machine.Traveller) -> None:
    """Drawn by the server and played once: on three boards."""
    ada = Player("ada", clock)
    game = ada.finish(fresh(ada), ms=30_000)
    assert judged(ada, game) == (True, "", 3, "first sight")


def test_playing_the_cards_again_after_the_end_takes_nothing_back(clock: time_machine.Traveller) -> None:
    """First sight is judged at the end; a faster second run changes nothing about it."""
    ada = Player("ada", clock)
    game = ada.finish(fresh(ada), ms=30_000)
    second = ada.finish(post(ada, again=game.code), ms=10_000)
    assert judged(ada, game) == (True, "", 3, "first sight")
    assert judged(ada, second)[0] is False


def test_what_others_know_of_the_cards_changes_nothing(clock: time_machine.Traveller) -> None:
    ada, eve = Player("ada", clock), Player("eve", clock)
    game = fresh(ada)
    theirs = eve.finish(post(eve, deal_code=str(game.deal_code)), ms=20_000)
    ada.finish(game, ms=30_000)
    assert judged(ada, game) == (True, "", 3, "first sight")
    assert judged(eve, theirs)[3] == "practice"


def test_a_guest_and_a_win_too_fast_are_called_so(clock: time_machine.Traveller) -> None:
    """Neither counts, and neither is called practice."""
    guest, ada = Player("guest 1", clock, is_guest=True), Player("ada", clock)
    assert judged(guest, guest.finish(fresh(guest), ms=30_000)) == (
        False,
        "played as a guest",
        0,
        "as a guest",
    )
    quick = ada.finish(fresh(ada), ms=149)
    assert judged(ada, quick) == (False, "played faster than a person can", 0, "too fast to count")


def test_two_tabs_of_one_game_are_one_game(clock: time_machine.Traveller) -> None:
    """A second tab on the same table, even with a session of its own, takes nothing from first sight."""
    ada = Player("ada", clock)
    game = fresh(ada)
    Client().get(f"/g/{game.code}/")
    ada.client.get(f"/g/{game.code}/")
    ada.play(game, "t1-t2")
    ada.log_in()
    ada.client.get(f"/g/{game.code}/")
    clock.shift(30)
    ada.play(game, "t2-f1")
    assert judged(ada, game) == (True, "", 3, "first sight")
