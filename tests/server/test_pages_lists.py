"""Lists of games: what stands on them, filters, pages that lose and repeat nothing, and few queries."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from game.engine.line import Status
from game.models import Game, User
from game.selectors import periods
from tests.server.pages import NOON, RULES, browser_of, ended_game

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada() -> User:
    return User.objects.create_user("ada")


@pytest.fixture
def bob() -> User:
    return User.objects.create_user("bob")


def codes(client: Client, address: str) -> list[str]:
    response = client.get(address)
    assert response.status_code == 200
    return re.findall(r'of-game"><a href="/g/([0-9A-Z]{10})/"', response.content.decode())


def test_a_game_without_a_move_is_on_no_public_list(client: Client, ada: User) -> None:
    """B14: started and given up at once leaves no row; a running game is not among the ended."""
    ended_game(ada, first_ms=None, last_ms=10, moves=0)
    ended_game(ada, ended_at=NOON, status=Status.PLAYING)
    Game.objects.filter(status=Status.PLAYING).update(ended_at=None)
    assert codes(client, "/games/") == []


def test_scores_ends_and_links(client: Client, ada: User) -> None:
    """A row tells game, player, end, score, moves, time and when, and leads to game and player."""
    game = ended_game(ada, status=Status.WON, score=-12, moves=912, last_ms=3_666_000)
    text = client.get("/games/").content.decode()
    assert f'href="/g/{game.code}/">Simple Simon, 1 suit</a>' in text
    assert 'href="/@ada/"><bdi>ada</bdi>' in text
    for shown in (
        "won",
        "<bdi>-12</bdi>",
        ">912<",
        "<bdi>1:01:05</bdi>",
        'datetime="2026-11-30T12:00:00+00:00"',
    ):
        assert shown in text


def test_filters(client: Client, ada: User, bob: User) -> None:
    """Game, suits, result, player, deal and since, alone and together."""
    won = ended_game(ada, "S1", status=Status.WON, ended_at=NOON - timedelta(days=40))
    hard = ended_game(ada, "S4", ended_at=NOON - timedelta(days=30))
    other = ended_game(bob, "S4", ended_at=NOON)
    everything = [other.code, hard.code, won.code]
    assert codes(client, "/games/") == everything
    assert codes(client, f"/games/?game={RULES.slug}") == everything
    assert codes(client, f"/games/?game={RULES.slug}&suits=4") == [other.code, hard.code]
    assert codes(client, "/games/?suits=1") == [won.code]
    assert codes(client, "/games/?result=won") == [won.code]
    assert codes(client, "/games/?result=given_up") == [other.code, hard.code]
    assert codes(client, "/games/?player=ADA") == [hard.code, won.code]
    assert codes(client, "/games/?deal=ss1s4aaaaabd") == [other.code, hard.code]
    assert codes(client, "/games/?since=2026-10-31") == [other.code, hard.code]
    assert codes(client, "/games/?since=2026-11-01&player=ada") == []
    assert codes(client, "/games/?player=bob&suits=4&result=given_up&since=2026-11-30") == [other.code]


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("game=nothing", "There is no such game here."),
        ("suits=3", "This game has no such options."),
        ("result=lost", "A game is playing, won or given up."),
        ("player=nobody", "There is nobody called \u2068nobody\u2069 here."),
        ("since=yesterday", "A day is written like 2026-11-30."),
        ("deal=SS1-S9-AAAAABD", "S9: this part is S1 / S2 / S4."),
        ("after=x", "There is no such page."),
        ("after=999999999999999999-1", "There is no such page."),
    ],
)
def test_bad_filters_are_told(client: Client, query: str, sentence: str) -> None:
    """400 and the sentence, with the filters still there."""
    response = client.get(f"/games/?{query}")
    assert response.status_code == 400
    assert sentence in response.content.decode()


def test_since_today_and_this_week(client: Client, ada: User, settings: Any) -> None:
    """Days begin in the boards' zone, weeks on Monday."""
    today = periods.start_of(periods.today())
    monday = periods.start_of(periods.start_of_week(periods.today()))
    now = ended_game(ada, ended_at=timezone.now())
    before = ended_game(ada, ended_at=today - timedelta(microseconds=1))
    ended_game(ada, ended_at=monday - timedelta(microseconds=1))
    assert codes(client, "/games/?since=today") == [now.code]
    week = codes(client, "/games/?since=week")
    assert week == ([now.code, before.code] if today > monday else [now.code])


def all_pages(client: Client, address: str, between: Callable[[], None] = lambda: None) -> list[str]:
    found: list[str] = []
    path, step = address.partition("?")[0], address
    while step:
        found += codes(client, step)
        text = client.get(step).content.decode()
        link = re.search(r'rel="next" href="([^"]*)"', text)
        step = path + link[1].replace("&amp;", "&") if link else ""
        between()
    return found


@pytest.mark.parametrize("address", ["/games/", "/games/?player=ada"])
def test_pages_hold_every_row_once(client: Client, ada: User, address: str) -> None:
    """In one order, also where many games end at the same moment, and while others end."""
    rows = [ended_game(ada, ended_at=NOON - timedelta(seconds=i // 40)) for i in range(130)]
    expected = [game.code for game in sorted(rows, key=lambda game: (game.ended_at, game.pk), reverse=True)]
    assert all_pages(client, address) == expected

    def add() -> None:
        ended_game(ada, ended_at=timezone.now())

    assert all_pages(client, address, add) == expected


def test_filters_stay_from_page_to_page(client: Client, ada: User, bob: User) -> None:
    """The link to older games keeps the filters."""
    mine = [ended_game(ada, "S4", ended_at=NOON - timedelta(seconds=i)).code for i in range(60)]
    for i in range(60):
        ended_game(bob, "S4", ended_at=NOON - timedelta(seconds=i))
    found = codes(client, "/games/?player=ada&suits=4")
    text = client.get("/games/?player=ada&suits=4").content.decode()
    link = re.search(r'rel="next" href="([^"]*)"', text)
    assert link
    assert "player=ada" in link[1]
    assert found + codes(client, "/games/" + link[1].replace("&amp;", "&")) == mine


def test_history_walks_all_games(ada: User) -> None:
    """Open and ended ones, the last started first, every one once."""
    rows = [ended_game(ada, ended_at=NOON) for _ in range(110)]
    assert all_pages(browser_of(ada), "/history/") == [game.code for game in reversed(rows)]


def test_running_tables(client: Client, ada: User) -> None:
    """A game with a command within five minutes is live; a paused one leaves the list."""
    live = ended_game(ada, ended_at=timezone.now(), status=Status.PLAYING)
    paused = ended_game(ada, ended_at=timezone.now() - timedelta(minutes=6), status=Status.PLAYING)
    Game.objects.update(ended_at=None)
    for path in ("/live/", "/"):
        text = client.get(path).content.decode()
        assert live.code in text
        assert paused.code not in text
    assert "1 game is being played." in client.get("/live/").content.decode()


@pytest.mark.parametrize(
    ("path", "queries"),
    [("/", 5), ("/live/", 1), ("/games/", 1), ("/games/?player=ada", 2)],
)
def test_pages_ask_a_fixed_number_of_queries(
    client: Client, ada: User, django_assert_max_num_queries: Any, path: str, queries: int
) -> None:
    """However many rows there are."""
    for number in range(6):
        player = User.objects.create_user(f"p{number}")
        game = ended_game(player, ended_at=timezone.now(), status=Status.PLAYING)
        Game.objects.filter(pk=game.pk).update(ended_at=None)
        for _ in range(5):
            ended_game(player)
            ended_game(ada)
    with django_assert_max_num_queries(queries):
        assert client.get(path).status_code == 200


@pytest.mark.parametrize(("path", "queries"), [("/", 9), ("/history/", 5), ("/games/", 4)])
def test_pages_of_somebody_logged_in_do_so_too(
    ada: User, django_assert_max_num_queries: Any, path: str, queries: int
) -> None:
    """Session and account are one query each."""
    for _ in range(12):
        ended_game(ada)
        Game.objects.filter(pk=ended_game(ada, status=Status.PLAYING).pk).update(ended_at=None)
    browser = browser_of(ada)
    with django_assert_max_num_queries(queries):
        assert browser.get(path).status_code == 200


def test_one_table_after_another(client: Client, ada: User, bob: User) -> None:
    """Round the running games from the newest to the oldest, past one's own and those that were left."""
    assert "Nobody is at a table just now." in client.get("/tv/").content.decode()
    now = timezone.now()

    def running(player: User, seconds_ago: int) -> str:
        moment = now - timedelta(seconds=seconds_ago)
        game = ended_game(player, status=Status.PLAYING, last_command_at=moment)
        Game.objects.filter(pk=game.pk).update(ended_at=None)
        return game.code

    oldest, middle, newest = running(ada, 20), running(bob, 10), running(bob, 30)
    running(ada, 3600)

    def next_after(code: str, browser: Client = client) -> str:
        return browser.get("/tv/", {"after": code})["Location"].split("/")[2]

    assert [next_after(code) for code in (newest, middle, oldest)] == [middle, oldest, newest]
    assert next_after("") == middle, "the newest command"
    assert {next_after(code, browser_of(bob)) for code in ("", newest, oldest)} == {oldest}
    link = f'href="/tv/?after={oldest}"'
    assert link in client.get(f"/g/{oldest}/?tv").content.decode()
    assert link not in client.get(f"/g/{oldest}/").content.decode()
    assert link not in browser_of(ada).get(f"/g/{oldest}/?tv").content.decode()
