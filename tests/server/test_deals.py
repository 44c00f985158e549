"""The page of a deal: everybody's runs on it, best first, and no card too many."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client

from game.actions.accounts import delete_account
from game.actions.games import start_again, start_deal
from game.engine.deals import DealCode, parse_deal_code
from game.models import Game
from game.selectors import deals, lists
from tests.server.sprint import MARATHON, SPRINT, Clock, Player

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("throw_away_games")]


def code_of(game: Game) -> DealCode:
    return parse_deal_code(game.deal_code or "", [SPRINT, MARATHON])


def give_up(player: Player, game: Game) -> Game:
    player.play(game, "t1-t2")
    player.play(game, "give_up")
    return game


def test_runs_stand_best_first_then_those_given_up(clock: Clock, client: Client) -> None:
    ada, eve, tom = Player("ada", clock), Player("eve", clock), Player("tom", clock)
    slow = ada.win(ms=90_000)
    code = code_of(slow)
    early = give_up(tom, start_deal(tom.user, code))
    quick = eve.finish(start_deal(eve.user, code), ms=30_000)
    clock.shift(timedelta(minutes=1))
    late = give_up(tom, start_deal(tom.user, code))
    tom.play(start_deal(tom.user, code), "t1-t2")
    ada.play(start_again(ada.user, slow.code), "give_up")
    page = client.get(f"/d/{code}/")
    assert page.context["page"].games == [quick, slow, late, early]
    text = page.content.decode()
    assert text.count("first sight") == 1
    assert text.count('<span class="chip">practice</span>') == 3
    assert "0:30" in text
    assert 'name="deal_code"' in text


def test_scores_stand_highest_first(clock: Clock, client: Client) -> None:
    ada, eve = Player("ada", clock), Player("eve", clock)
    low = ada.win(MARATHON, "L1", idle=7)
    high = eve.finish(start_deal(eve.user, code_of(low)), idle=3)
    assert client.get(f"/d/{low.deal_code}/").context["page"].games == [high, low]


def test_pages_by_key_miss_nothing_and_repeat_nothing(clock: Clock) -> None:
    ada = Player("ada", clock)
    first = ada.win(ms=50_000)
    code = code_of(first)
    won = [first, *(ada.finish(start_deal(ada.user, code), ms=ms * 1000) for ms in (40, 50, 60, 50))]
    lost = [give_up(ada, start_deal(ada.user, code)) for _ in range(4)]
    expected = [won[1], won[0], won[2], won[4], won[3], *reversed(lost)]
    for size in range(1, 11):
        seen: list[Game] = []
        after: str | None = ""
        while after is not None:
            page = deals.runs(str(code), after, size)
            assert len(page.games) <= size
            seen += page.games
            after = page.older
        assert seen == expected


@pytest.mark.parametrize("after", ["x", "won-1", "up-1", "up--99999999999999999-1", "won-5-1-2-3"])
def test_a_page_there_is_not(clock: Clock, client: Client, after: str) -> None:
    with pytest.raises(lists.BadCursorError):
        deals.runs("ZY1-L1-AAAAAAA", after)
    assert client.get(f"/d/ZY1-L1-AAAAAAA/?after={after}").status_code == 404


def test_hidden_cards_stay_hidden_until_a_game_on_them_has_ended(clock: Clock, client: Client) -> None:
    ada, eve = Player("ada", clock), Player("eve", clock)
    address = "/d/ZZ1-D1-AAAAABD/"
    code = parse_deal_code("ZZ1-D1-AAAAABD", [SPRINT])

    def shown() -> str:
        # The rest of the page has a token that differs from one time to the next.
        return client.get(address).content.decode().partition("<main")[2].partition("csrfmiddlewaretoken")[0]

    before = shown()
    hidden = [card.text.upper() for card in code.deal()["t1"] if not card.face_up]
    assert len(hidden) == 20
    game = start_deal(ada.user, code)
    for command in ("t1-t2", "t1-t2", "undo"):
        ada.play(game, command)
    start_deal(eve.user, code)
    assert shown() == before
    text = client.get(address).content.decode()
    assert game.code not in text
    assert "##" in text
    ada.play(game, "give_up")
    text = client.get(address).content.decode()
    assert "##" not in text
    assert all(card in text for card in hidden)
    assert game.code in text


def test_deleted_people_keep_their_runs(clock: Clock, client: Client) -> None:
    """R2"""
    ada = Player("ada", clock)
    game = ada.win()
    delete_account(ada.user)
    ada.user.refresh_from_db()
    text = client.get(f"/d/{game.deal_code}/").content.decode()
    assert f"<bdi>{ada.user.username}</bdi>" in text
    assert ">ada<" not in text


def test_the_page_reads_a_fixed_number_of_times(
    clock: Clock, client: Client, django_assert_max_num_queries: object
) -> None:
    ada = Player("ada", clock)
    code = code_of(ada.win())
    for ms in range(1, 6):
        ada.finish(start_deal(ada.user, code), ms=ms * 1000)
    with django_assert_max_num_queries(3):  # type: ignore[operator]
        client.get(f"/d/{code}/")
