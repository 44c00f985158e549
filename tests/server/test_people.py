"""Everybody's page: numbers that mean what they say, charts with their tables, games under filters."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client

from game import charts
from game.actions.accounts import delete_account
from game.actions.games import start_again, start_deal
from game.actions.people import sign_up
from game.engine.deals import parse_deal_code
from game.models import Tally, WeekPlayed
from game.selectors import people
from tests.server.sprint import MARATHON, SPRINT, Clock, Player

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("throw_away_games")]


def tally(player: Player, rules: str = "sprint") -> tuple[int, int, int, int]:
    """Played, won, counted, won of the counted."""
    found = Tally.objects.get(player=player.user, rules_slug=rules)
    assert found.won <= found.played
    assert found.counted_won <= found.counted <= found.played
    return found.played, found.won, found.counted, found.counted_won


def lose(player: Player) -> None:
    game = player.start()
    player.play(game, "t1-t2")
    player.play(game, "give_up")


# What the numbers count


def test_only_games_that_ended_with_a_move_are_counted(clock: Clock) -> None:
    """B14"""
    ada = Player("ada", clock)
    games = [ada.start() for _ in range(20)]
    for game in games[:5]:
        ada.play(game, "give_up")
    ada.play(games[5], "t1-t2")
    assert not Tally.objects.exists()
    assert people.counts(ada.user) == people.Counts(0, 0)
    ada.play(games[5], "give_up")
    ada.finish(games[6])
    assert tally(ada) == (2, 1, 2, 1)


def test_a_deal_won_again_and_again_does_not_pass_a_hundred_percent(clock: Clock) -> None:
    """B14"""
    ada = Player("ada", clock)
    first = ada.win()
    for _ in range(2):
        ada.finish(start_again(ada.user, first.code))
    assert tally(ada) == (3, 3, 1, 1)
    [entry] = people.fared(ada.user)
    assert entry.percent == 100
    lose(ada)
    ada.finish(start_deal(ada.user, parse_deal_code(first.deal_code or "", [SPRINT])))
    assert tally(ada) == (5, 4, 2, 1)
    [entry] = people.fared(ada.user)
    assert entry.percent == 50


def test_what_cannot_count_is_neither_won_nor_lost_where_counting_is_told(clock: Clock) -> None:
    ada = Player("ada", clock)
    ada.win(ms=100)  # faster than a person
    assert tally(ada) == (1, 1, 0, 0)
    [entry] = people.fared(ada.user)
    assert entry.percent is None
    assert entry.best is None
    assert ada.client.get("/@ada/").status_code == 200


def test_a_guests_games_are_kept_and_not_counted(clock: Clock) -> None:
    guest = Player("guest 7", clock, is_guest=True)
    guest.win()
    lose(guest)
    assert tally(guest) == (2, 1, 0, 0)
    sign_up("ada", "correct horse", guest=guest.user)
    guest.log_in()
    guest.win()
    assert tally(guest) == (3, 2, 1, 1)


def test_streaks_are_counted_wins_in_a_row(clock: Clock) -> None:
    ada = Player("ada", clock)

    def streaks() -> tuple[int, int]:
        found = Tally.objects.get(player=ada.user, rules_slug="sprint")
        return found.streak, found.longest_streak

    for _ in range(3):
        game = ada.win()
    assert streaks() == (3, 3)
    again = start_again(ada.user, game.code)
    ada.play(again, "t1-t2")
    ada.play(again, "give_up")
    assert streaks() == (3, 3), "practice breaks no streak"
    ada.win(MARATHON)
    lose(ada)
    assert streaks() == (0, 3)
    ada.win()
    assert streaks() == (1, 3)


def test_weeks_begin_on_monday_in_the_boards_zone(clock: Clock) -> None:
    ada = Player("ada", clock)
    ada.win()
    lose(ada)
    clock.shift(timedelta(weeks=2))
    ada.win()
    weeks = people.weeks(ada.user)
    assert [played for _monday, played in weeks[-4:]] == [0, 2, 0, 1]
    assert len(weeks) == people.WEEKS
    assert {monday.weekday() for monday, _played in weeks} == {0}
    assert WeekPlayed.objects.count() == 2


# Charts


def test_the_line_is_the_best_so_far_and_better_is_higher() -> None:
    drawn = charts.climb([50, 70, 30], None, "label")
    assert 'role="img" aria-label="label"' in drawn
    assert re.findall(r'cy="([0-9.]+)"', drawn) == ["28", "52", "4"]
    assert '<path class="best" d="M4 28H4V28H160V28H316V4H320"/>' in drawn
    assert "style" not in drawn


def test_the_line_begins_at_the_best_of_what_came_before() -> None:
    assert 'd="M4 4H4V4H316V4H320"' in charts.climb([50, 70], 10, "")


def test_charts_of_one_value_of_equal_values_and_of_nothing() -> None:
    assert charts.climb([5], None, "").count("<circle") == 1
    assert charts.climb([5, 5, 5], 5, "").count("<circle") == 3
    assert "<rect" not in charts.bars([0, 0], "")
    assert charts.bars([1, 0, 2], "").count("<rect") == 2


def test_a_chart_of_many_wins_knows_the_best_before_it(clock: Clock) -> None:
    ada = Player("ada", clock)
    ada.win(ms=10_000)
    for ms in (50_000, 40_000, 60_000):
        ada.win(ms=ms)
    [entry] = people.fared(ada.user)
    found = people.wins(entry, size=3)
    assert [result.value for result in found.results] == [50_000, 40_000, 60_000]
    assert found.before == 10_000
    assert people.wins(entry).before is None


# The page


def test_the_page_tells_it_all_and_again_as_tables(clock: Clock, client: Client) -> None:
    ada = Player("ada", clock)
    best = ada.win(ms=161_000)
    lose(ada)
    running = ada.start(MARATHON)
    ada.play(running, "t1-t2")
    unmoved = ada.start(MARATHON)
    text = client.get("/@ada/").content.decode()
    assert "2 games · 1 won" in text
    assert text.count('<svg class="chart') == 2
    assert "2:41" in text
    assert f'href="{best.get_absolute_url()}"' in text
    assert running.code in text
    assert unmoved.code not in text, "a game without a move is on no public list"
    assert "style=" not in text
    for prefix in ("/tr", "/pl", "/ar"):
        assert client.get(f"{prefix}/@ada/").status_code == 200


def test_filters_choose_the_games(clock: Clock, client: Client) -> None:
    ada = Player("ada", clock)
    won = ada.win(MARATHON, "L2")
    other = ada.win(MARATHON, "L1")
    clock.shift(timedelta(days=8))
    lost = ada.start()
    ada.play(lost, "t1-t2")
    ada.play(lost, "give_up")
    running = ada.start(MARATHON, "L2")
    ada.play(running, "t1-t2")

    def codes(query: str) -> list[str]:
        return [game.code for game in client.get(f"/@ada/?{query}").context["page"].games]

    assert codes("") == [running.code, lost.code, other.code, won.code]
    assert codes("game=marathon&laps=2") == [running.code, won.code]
    assert codes("result=won") == [other.code, won.code]
    assert codes("result=given_up") == [lost.code]
    assert codes("result=playing") == [running.code]
    assert codes("since=week&result=given_up") == [lost.code]
    assert codes("since=week&result=won") == []
    assert client.get("/@ada/?game=chess").status_code == 400
    assert client.get("/@ada/?after=x").status_code == 400


def test_pages_of_games_by_key_miss_nothing(clock: Clock, client: Client) -> None:
    ada = Player("ada", clock)
    games = [ada.win(ms=1_000).code for _ in range(53)]
    running = ada.start()
    ada.play(running, "t1-t2")
    first = client.get("/@ada/").context["page"]
    second = client.get(f"/@ada/?after={first.older}").context["page"]
    assert [game.code for game in first.games + second.games] == [running.code, *reversed(games)]
    assert second.older is None


def test_somebody_without_a_game_has_a_page(client: Client) -> None:
    Player("new")
    text = client.get("/@new/").content.decode()
    assert "0 games" in text
    assert '<svg class="chart' not in text
    assert client.get("/@nobody/").status_code == 404


def test_a_closed_account_keeps_its_page_under_a_neutral_name(clock: Clock, client: Client) -> None:
    """R2"""
    ada = Player("ada", clock)
    game = ada.win()
    delete_account(ada.user)
    ada.user.refresh_from_db()
    assert client.get("/@ada/").status_code == 404
    text = client.get(ada.user.get_absolute_url()).content.decode()
    assert game.code in text
    assert f"<bdi>{ada.user.username}</bdi>" in text
