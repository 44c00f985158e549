"""The page of boards, and their heads on the first page."""

from __future__ import annotations

import pytest
from django.test import Client

from game.selectors.boards import Board
from tests.server.sprint import MARATHON, Clock, Player

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("throw_away_games")]


def test_the_page_says_what_it_compares_and_links_to_people_and_games(clock: Clock) -> None:
    ada = Player("ada", clock)
    game = ada.win(ms=161_000)
    text = ada.client.get("/boards/?rules=sprint&suits=&period=today").content.decode()
    assert "Shortest time of each player." in text
    assert "<bdi>UTC</bdi>" in text
    assert "2:41" in text
    assert 'href="/@ada/"' in text
    assert f'href="/g/{game.code}/"' in text
    assert 'class="own"' in text
    scores = ada.client.get("/boards/?rules=marathon&laps=2&period=week").content.decode()
    assert "Highest score of each player." in scores
    assert "Nobody stands on this board this week." in scores


def test_a_board_there_is_not(clock: Clock, client: Client) -> None:
    for query in ("rules=chess", "rules=sprint&suits=4", "rules=marathon&laps=3", "period=year", "laps=9"):
        assert client.get(f"/boards/?{query}").status_code == 400
    assert client.get("/boards/?laps=2").context["board"] == Board(MARATHON, "L2")
    assert client.post("/boards/").status_code == 405
    assert client.get("/boards/").status_code == 200


def test_without_a_choice_it_is_the_board_of_the_last_game(clock: Clock) -> None:
    ada = Player("ada", clock)
    ada.start(MARATHON, "L2")
    assert ada.client.get("/boards/").context["board"] == Board(MARATHON, "L2")


def test_home_shows_the_heads_of_todays_boards_with_ones_own_row(clock: Clock) -> None:
    ada = Player("ada", clock)
    for number in range(4):
        Player(f"p{number}", clock).win(ms=10_000 + number)
    ada.win(ms=99_000)
    page = ada.client.get("/")
    text = page.content.decode()
    assert "Today’s boards" in text
    assert text.count('class="own"') == 1
    assert page.context["todays_boards"][0][1].top[0].place == 1


def test_every_language_shows_the_board(clock: Clock) -> None:
    ada = Player("ada", clock)
    ada.win()
    for prefix in ("", "/tr", "/pl", "/ar"):
        assert ada.client.get(f"{prefix}/boards/?rules=sprint").status_code == 200
