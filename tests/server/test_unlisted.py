"""Unlisted games: found by their address alone, by everybody but their player, who finds them marked."""

from __future__ import annotations

import re
from typing import Any, Final

import pytest
from django.core.management import call_command
from django.test import Client

from game.actions import boards, rescues, results
from game.actions.games import list_or_unlist, start_from
from game.management import worker
from game.models import BoardRow, Game, KnownDeal, Rescue, Result, Tally, Unranked
from game.selectors.periods import today
from tests.server.endgames import LOSES, played
from tests.server.pages import ended_game
from tests.server.sprint import MARATHON, SPRINT, Clock, Player

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("throw_away_games")]

LISTS: Final = {
    "/": True,
    "/live/": False,
    "/tv/": False,
    "/games/": False,
    "/games/?player=ada": False,
    "/games/?result=won&game=marathon": False,
    "/history/": True,
    "/@ada/": True,
    "/@ada/?result=playing": True,
    "/@ada/?result=won": True,
    "/d/{won.deal_code}/": False,
    "/d/{simon.deal_code}/": True,
    "/boards/?rules=marathon&laps=1&period=all": True,
    "/g/{child.code}/": True,
    "/api/games/{child.code}": False,
}
"""Wherever games are enumerated or linked, and whether their own player still finds some of them there."""


class World:
    """Ada's games: one that runs, one on the boards, a rescue's, a best known line's; Eve looks at them."""

    def __init__(self, clock: Clock) -> None:
        self.ada, self.eve = Player("ada", clock), Player("eve", clock)
        self.won = self.ada.win(MARATHON)
        self.lost = self.ada.start(MARATHON)
        self.ada.play(self.lost, "t1-t2")
        self.ada.play(self.lost, "give_up")
        self.running = self.ada.start(MARATHON)
        self.ada.play(self.running, "t1-t2")
        self.simon = ended_game(self.ada.user, status="won")
        KnownDeal.objects.create(
            deal_code=str(self.simon.deal_code), verdict="won", moves=90, found_by=self.simon
        )
        Rescue.objects.create(
            day=today(), rules_slug="marathon", game=self.lost, ply=0, position_text=self.lost.deal_text
        )
        # Her last choice is the board that her first page shows.
        self.child = start_from(self.eve.user, self.lost.code, 0)

    @property
    def games(self) -> list[Game]:
        return [self.running, self.won, self.lost, self.simon]

    def found(self, client: Client, address: str) -> set[str]:
        """The codes of Ada's games in an answer, wherever in it."""
        answer = client.get(address.format(**vars(self)))
        assert answer.status_code in (200, 302), answer.status_code
        text = answer.content.decode() + answer.get("Location", "")
        return {game.code for game in self.games if game.code in text}


@pytest.fixture
def world(clock: Clock) -> World:
    return World(clock)


@pytest.mark.parametrize("address", LISTS)
def test_it_is_in_no_list_but_its_players_own(world: World, address: str) -> None:
    ada, eve = world.ada.client, world.eve.client
    assert world.found(ada if address == "/history/" else eve, address)
    for game in world.games:
        assert list_or_unlist(world.ada.user, game.code, unlisted=True)
    assert not world.found(eve, address)
    assert not world.found(Client(), address)
    assert bool(world.found(ada, address)) is LISTS[address]


def test_its_address_opens_it_for_everybody_and_lists_mark_it_for_its_player(world: World) -> None:
    eve, ada = world.eve.client, world.ada.client
    for game in world.games:
        list_or_unlist(world.ada.user, game.code, unlisted=True)
        page = eve.get(f"/g/{game.code}/").content.decode()
        assert '<meta name="robots" content="noindex">' in page
        assert "Unlisted: only people" not in page
        assert "Unlisted: only people" in ada.get(f"/g/{game.code}/").content.decode()
        for address in (f"/api/games/{game.code}", f"/api/games/{game.code}/updates"):
            assert eve.get(address).status_code == 200
        assert eve.get("/find/", {"code": game.code})["Location"] == f"/g/{game.code}/"
    for address in ("/history/", "/@ada/"):
        assert '<span class="chip">unlisted</span>' in ada.get(address).content.decode()
    assert "· unlisted" in ada.get("/").content.decode()
    board = eve.get("/boards/?rules=marathon&laps=1&period=all").content.decode()
    assert "<bdi>ada</bdi>" in board, "an honest win keeps its row"
    assert "by somebody whose game is unlisted" in eve.get(f"/d/{world.simon.deal_code}/").content.decode()


def test_won_so_it_is_on_no_board_but_in_its_players_numbers(clock: Clock) -> None:
    ada = Player("ada", clock)
    game = ada.start(SPRINT)
    ada.play(game, "t1-t2")
    assert ada.client.post(f"/g/{game.code}/unlisted/", {"unlisted": "1"}).status_code == 302
    clock.shift(60_000)
    ada.play(game, "t2-t1")
    clock.shift(60_000)
    assert Game.objects.get().unlisted, "a move does not list it again"
    ada.finish(game)
    assert (game.ranked, game.unranked_because) == (False, Unranked.UNLISTED)
    assert not Result.objects.get().ranked
    assert boards.rebuild_all() == 0
    assert not BoardRow.objects.exists()
    assert "unlisted when it was won" in ada.client.get(f"/g/{game.code}/").content.decode()
    assert Client().get("/@ada/").status_code == 200
    call_command("referee", "--every")
    lost = ada.start(SPRINT)
    list_or_unlist(ada.user, lost.code, unlisted=True)
    ada.play(lost, "t1-t2")
    ada.play(lost, "give_up")
    for _ in range(2):
        tally = Tally.objects.get()
        assert (tally.played, tally.won, tally.counted, tally.counted_won) == (2, 1, 2, 1)
        assert (tally.streak, tally.longest_streak) == (0, 1)
        results.recount(ada.user.pk, SPRINT.slug, "D1")
    # Once decided, it is not decided anew.
    ada.client.post(f"/g/{game.code}/unlisted/")
    game.refresh_from_db()
    assert (game.unlisted, game.ranked) == (False, False)


def test_only_its_player_may(world: World) -> None:
    """Somebody else's game is to everybody what none is."""
    eve = world.eve.client
    sentence = "There is no game of yours with this code."
    for code in (world.running.code, "0123456789", "nonsense"):
        answer = eve.post(f"/g/{code}/unlisted/", {"unlisted": "1"})
        assert (answer.status_code, sentence in answer.content.decode()) == (404, True)
        assert (
            Client()
            .post(f"/g/{code}/unlisted/", {"unlisted": "1"})["Location"]
            .startswith("/accounts/login/?next=/g/")
        )
    assert not Game.objects.filter(unlisted=True).exists()
    assert "/unlisted/" not in eve.get(f"/g/{world.running.code}/").content.decode()


def test_without_script_there_is_a_form(world: World) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(world.ada.user)
    address = f"/g/{world.running.code}/"
    for unlisted in (True, False):
        plain = (
            browser.get(address).content.decode().split('<noscript id="plain">')[1].split("</noscript>")[0]
        )
        form: Any = re.search(
            r'<form class="listing" method="post" action="(.*?)">(.*?)</form>', plain, re.DOTALL
        )
        fields = dict(re.findall(r'name="(\w+)" value="(.*?)"', form[2]))
        assert browser.post(form[1], fields)["Location"] == address
        world.running.refresh_from_db()
        assert world.running.unlisted is unlisted


def test_no_rescue_begins_from_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rescues, "FROM_PLY", 0)
    ada = Player("ada")
    lost = played(ada, LOSES, "give_up")
    assert worker.work() == 1
    list_or_unlist(ada.user, lost.code, unlisted=True)
    assert rescues.choose(today()) == 0
    list_or_unlist(ada.user, lost.code, unlisted=False)
    assert rescues.choose(today()) == 1
