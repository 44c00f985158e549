"""The boards: which win stands where, in what order, and for whom."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client

from game.actions.accounts import delete_account
from game.actions.games import start_again, start_deal
from game.actions.people import sign_up
from game.engine.deals import parse_deal_code
from game.engine.rules import Rules
from game.models import BoardRow, Period, Result
from game.selectors.boards import Board, places_of, standings
from tests.server.sprint import MARATHON, NOON, SPRINT, Clock, Player

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("throw_away_games")]


def board(period: Period = Period.ALL, rules: Rules = SPRINT, variant: str = "D1") -> list[tuple[str, int]]:
    """Names and sortable values, from the first place down."""
    top = standings(Board(rules, variant), period, None).top
    return [(place.row.player.username, place.row.value) for place in top]


# What is compared


def test_time_is_compared_shortest_first_and_a_slower_one_changes_nothing(clock: Clock) -> None:
    ada, eve = Player("ada", clock), Player("eve", clock)
    best = ada.win(ms=50_000)
    eve.win(ms=40_000)
    ada.win(ms=90_000)
    assert board() == board(Period.TODAY) == board(Period.WEEK) == [("eve", 40_000), ("ada", 50_000)]
    assert set(BoardRow.objects.filter(player=ada.user).values_list("game_id", flat=True)) == {best.pk}
    ada.win(ms=30_000)
    assert board() == [("ada", 30_000), ("eve", 40_000)]
    assert BoardRow.objects.count() == 6


def test_scores_are_compared_highest_first_on_a_board_for_each_option(clock: Clock) -> None:
    ada, eve = Player("ada", clock), Player("eve", clock)
    ada.win(MARATHON, "L1", idle=9)
    eve.win(MARATHON, "L1", idle=3)
    eve.win(MARATHON, "L2", idle=5)
    assert board(rules=MARATHON, variant="L1") == [("eve", -496), ("ada", -490)]
    assert board(rules=MARATHON, variant="L2") == [("eve", -494)]
    assert board() == []


def test_equal_results_keep_the_earlier(clock: Clock) -> None:
    """B57"""
    ada, eve = Player("ada", clock), Player("eve", clock)
    first = eve.win(ms=50_000)
    ada.win(ms=50_000)
    again = eve.win(ms=50_000)
    assert [name for name, _value in board()] == ["eve", "ada"]
    assert BoardRow.objects.get(player=eve.user, period=Period.ALL).game == first
    assert places_of(again) == []
    assert [(took.period, took.place) for took in places_of(first)] == [("today", 1), ("week", 1), ("all", 1)]


def test_one_row_a_person_however_often_they_win(clock: Clock) -> None:
    ada = Player("ada", clock)
    for ms in (50_000, 40_000, 45_000, 39_000):
        ada.win(ms=ms)
    assert board() == [("ada", 39_000)]
    assert Result.objects.count() == 4


def test_the_time_is_the_servers_from_first_move_to_last_whatever_lies_between(clock: Clock) -> None:
    """B56"""
    ada = Player("ada", clock)
    game = ada.start()
    clock.shift(timedelta(hours=1))
    ada.play(game, "t1-t2")
    clock.shift(timedelta(minutes=10))
    ada.play(game, "undo")
    clock.shift(timedelta(seconds=1))
    ada.play(game, "t1-t2")
    clock.shift(timedelta(seconds=2))
    ada.play(game, "t2-f1")
    assert board() == [("ada", 603_000)]
    clock.shift(timedelta(days=1))
    assert Result.objects.get().elapsed_ms == 603_000
    page = ada.client.get(f"/g/{game.code}/")
    assert page.context["boot"]["result"]["elapsed_ms"] == 603_000


# What counts


def test_games_without_a_move_running_games_and_given_up_ones_stand_nowhere(clock: Clock) -> None:
    """B14"""
    ada = Player("ada", clock)
    games = [ada.start() for _ in range(20)]
    for game in games[:5]:
        ada.play(game, "give_up")
    for game in games[5:10]:
        ada.play(game, "t1-t2")
    ada.play(games[5], "give_up")
    assert not BoardRow.objects.exists()
    assert not Result.objects.exists()


def test_a_deal_played_again_is_practice_and_never_counts(clock: Clock) -> None:
    """B14"""
    ada = Player("ada", clock)
    first = ada.win(ms=50_000)
    second = ada.finish(start_again(ada.user, first.code), ms=10_000)
    third = ada.finish(start_deal(ada.user, parse_deal_code(first.deal_code or "", [SPRINT])), ms=9_000)
    assert not second.ranked
    assert not third.ranked
    assert board() == [("ada", 50_000)]
    assert Result.objects.count() == 3


def test_a_game_given_up_to_start_again_leaves_nothing_to_count(clock: Clock) -> None:
    ada = Player("ada", clock)
    game = ada.start()
    ada.play(game, "t1-t2")
    again = start_again(ada.user, game.code)
    ada.finish(again, ms=10_000)
    assert board() == []


def test_a_second_game_on_the_cards_of_a_running_one_ends_its_counting(clock: Clock) -> None:
    """Two tabs: the deal of the first is opened by its code in the second before the first is won."""
    ada = Player("ada", clock)
    first = ada.start()
    second = start_deal(ada.user, parse_deal_code(first.deal_code or "", [SPRINT]))
    ada.finish(first, ms=20_000)
    ada.finish(second, ms=10_000)
    assert board() == []


def test_a_deal_that_somebody_else_played_is_still_first_sight_for_its_own_player(clock: Clock) -> None:
    ada, eve = Player("ada", clock), Player("eve", clock)
    game = ada.win(MARATHON, "L1")
    eve.finish(start_deal(eve.user, parse_deal_code(game.deal_code or "", [MARATHON])))
    assert board(rules=MARATHON, variant="L1") == [("ada", -498)]


def test_faster_than_a_person_is_kept_and_stands_nowhere(clock: Clock) -> None:
    ada = Player("ada", clock)
    game = ada.win(ms=149)
    assert board() == []
    assert game.unranked_because == "pace"
    slow = ada.win(ms=150)
    assert slow.ranked
    assert board() == [("ada", 150)]


def test_a_game_started_as_a_guest_never_counts_also_under_the_name_chosen_later(clock: Clock) -> None:
    guest = Player("guest 7", clock, is_guest=True)
    before = guest.start()
    guest.win(ms=40_000)
    sign_up("ada", "correct horse", guest=guest.user)
    guest.log_in()
    guest.finish(before, ms=10_000)
    assert board() == []
    guest.win(ms=60_000)
    assert board() == [("ada", 60_000)]


def test_a_repeated_winning_request_enters_once(clock: Clock) -> None:
    """B55"""
    ada = Player("ada", clock)
    game = ada.start()
    ada.play(game, "t1-t2")
    clock.shift(timedelta(seconds=30))
    for _ in range(8):
        ada.play(game, "t2-f1", id="the-win")
    ada.play(game, "undo")
    ada.play(game, "give_up")
    assert Result.objects.count() == 1
    assert board() == [("ada", 30_000)]


def test_no_page_or_form_takes_a_result(clock: Clock, client: Client) -> None:
    """B55"""
    ada = Player("ada", clock)
    game = ada.start(MARATHON, "L1")
    forged = {
        "score": "99999",
        "elapsed_ms": "1",
        "time": "1",
        "moves": "1",
        "status": "won",
        "ranked": "true",
        "result": '{"score": 99999}',
        "place": "1",
        "value": "-99999",
        "player": str(ada.user.pk),
        "game": game.code,
        "ended_at": NOON.isoformat(),
    }
    pages = [
        "/",
        "/live/",
        "/games/",
        "/boards/",
        "/boards/?rules=marathon&laps=1",
        "/history/",
        "/@ada/",
        f"/g/{game.code}/",
        f"/d/{game.deal_code}/",
        f"/api/games/{game.code}",
        f"/api/games/{game.code}/updates",
        "/find/",
        "/rules/",
        "/accounts/guest/",
        "/accounts/signup/",
        "/accounts/login/",
    ]
    for address in pages:
        for method in ("post", "put", "patch", "delete", "get"):
            getattr(ada.client, method)(address, forged)
            if method != "get":
                getattr(ada.client, method)(address, forged, content_type="application/json")
    kinds = {"rules": "marathon", "laps": "1"}
    assert ada.client.post("/games/", kinds | {"score": "99999"}).status_code == 400
    game.refresh_from_db()
    assert (game.status, game.seq, game.score) == ("playing", 0, 500)
    assert not Result.objects.exists()
    assert not BoardRow.objects.exists()


# People


def test_deleted_people_stay_on_the_boards(clock: Clock, client: Client) -> None:
    """R2"""
    ada, eve = Player("ada", clock), Player("eve", clock)
    ada.win(ms=50_000)
    eve.win(ms=60_000)
    ada.start()
    delete_account(ada.user)
    ada.user.refresh_from_db()
    page = client.get("/boards/?rules=sprint&period=all")
    assert page.status_code == 200
    assert [name for name, _value in board()] == [ada.user.username, "eve"]
    assert f"<bdi>{ada.user.username}</bdi>" in page.content.decode()
    assert "<bdi>ada</bdi>" not in page.content.decode()
    assert client.get("/").status_code == 200


def test_own_row_is_shown_outside_the_top_with_its_true_place(clock: Clock) -> None:
    ada = Player("ada", clock)
    for number in range(6):
        Player(f"p{number}", clock).win(ms=10_000 + number)
    ada.win(ms=99_000)
    Player("last", clock).win(ms=100_000)
    found = standings(Board(SPRINT, "D1"), Period.ALL, ada.user, size=5)
    assert [place.place for place in found.top] == [1, 2, 3, 4, 5]
    assert found.own is not None
    assert (found.own.place, found.own.row.player) == (7, ada.user)
    inside = standings(Board(SPRINT, "D1"), Period.ALL, ada.user, size=7)
    assert inside.own is None
    assert [place.is_own for place in inside.top] == [False] * 6 + [True]


def test_a_player_without_a_win_has_no_row(clock: Clock) -> None:
    ada = Player("ada", clock)
    Player("eve", clock).win()
    assert standings(Board(SPRINT, "D1"), Period.ALL, ada.user, size=1).own is None


def test_places_are_told_for_the_periods_that_still_run(clock: Clock) -> None:
    ada, eve = Player("ada", clock), Player("eve", clock)
    eve.win(ms=20_000)
    clock.shift(timedelta(days=1))
    game = ada.win(ms=30_000)
    assert [(took.period, took.place) for took in places_of(game)] == [("today", 1), ("week", 2), ("all", 2)]
    boot = ada.client.get(f"/g/{game.code}/").context["boot"]
    assert boot["result"]["places"] == [
        {"period": "today", "place": 1},
        {"period": "week", "place": 2},
        {"period": "all", "place": 2},
    ]
    assert boot["result"]["best"] is True
    clock.shift(timedelta(days=30))
    assert [(took.period, took.place) for took in places_of(game)] == [("all", 2)]


def test_a_day_that_is_over_is_not_mended(clock: Clock) -> None:
    """A better win of today changes today's row and not yesterday's."""
    ada = Player("ada", clock)
    ada.win(ms=50_000)
    clock.shift(timedelta(days=1))
    ada.win(ms=30_000)
    days = BoardRow.objects.filter(period=Period.TODAY).order_by("starts").values_list("value", flat=True)
    assert list(days) == [50_000, 30_000]
