"""A game is started, every way round, and what is refused."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connections
from django.test import Client
from django.utils import timezone

from game.actions import games
from game.engine.deals import DealCode
from game.engine.games import rules_of
from game.models import Game, LogEntry, User
from tests.server.pages import RULES, browser_of, ended_game

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada() -> User:
    return User.objects.create_user("ada", "a fine password")


@pytest.fixture
def browser(ada: User) -> Client:
    return browser_of(ada)


def start(browser: Client, **fields: Any) -> Game:
    response = browser.post("/games/", fields)
    assert response.status_code == 302, response.content.decode()
    game = Game.objects.order_by("-id")[0]
    assert response["Location"] == f"/g/{game.code}/"
    return game


def refused(browser: Client, **fields: Any) -> str:
    before = Game.objects.count()
    response = browser.post("/games/", fields)
    assert response.status_code == 400
    assert Game.objects.count() == before
    text = response.content.decode()
    assert 'role="alert"' in text
    return text


@pytest.mark.parametrize(("suits", "variant"), [("1", "S1"), ("2", "S2"), ("4", "S4")])
def test_a_fresh_deal_counts(browser: Client, ada: User, suits: str, variant: str) -> None:
    """The server draws the cards: ranked, at seq 0, with a code of the right kind."""
    game = start(browser, rules=RULES.slug, suits=suits)
    assert (game.player, game.rules_slug, game.variant) == (ada, RULES.slug, variant)
    assert (game.seq, game.ply, game.moves, game.score) == (0, 0, 0, 500)
    assert game.ranked
    assert game.unranked_because == ""
    assert game.deal_code
    assert game.deal_code.startswith(f"SS1-{variant}-")
    assert game.deal_text == game.position_text
    assert game.first_ms is None


def test_the_deal_of_a_code_is_practice(browser: Client) -> None:
    """In any spelling; these cards and no others."""
    game = start(browser, deal_code="ss1 s4 aaaaabd")
    assert game.deal_code == "SS1-S4-AAAAABD"
    assert game.deal_text.startswith("t1 KS 8S 7D 5C 6S 4C 9D 6D/")
    assert (game.ranked, game.unranked_because) == (False, "practice")


def test_a_code_may_be_said_twice_but_not_contradicted(browser: Client) -> None:
    """Rules and options beside a code repeat it or are refused."""
    start(browser, deal_code="SS1-S4-AAAAABD", rules=RULES.slug, suits="4")
    assert "contradict" in refused(browser, deal_code="SS1-S4-AAAAABD", suits="1")
    assert "contradict" in refused(browser, deal_code="SS1-S4-AAAAABD", again="0123456789")
    assert "contradict" in refused(browser, rules=RULES.slug, suits="1", again="0123456789")
    assert "contradict" in refused(browser, rules=RULES.slug, suits=["1", "4"])
    assert "contradict" in refused(browser, rules=RULES.slug, suits="1", draw="3")


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({}, "Choose a game."),
        ({"rules": "nothing"}, "There is no such game here."),
        ({"rules": RULES.slug}, "How many suits? The answer is one of these: 1, 2, 4."),
        ({"rules": RULES.slug, "suits": "3"}, "The answer is one of these: 1, 2, 4."),
        ({"rules": RULES.slug, "suits": "1.0"}, "The answer is one of these: 1, 2, 4."),
        ({"rules": RULES.slug, "suits": "١"}, "The answer is one of these: 1, 2, 4."),
        ({"deal_code": "SS1-S9-AAAAABD"}, "S9: this part is S1 / S2 / S4."),
        ({"again": "0000000000"}, "Only a game of your own can be started again."),
        ({"again": "no code"}, "Only a game of your own can be started again."),
    ],
)
def test_bad_input_is_told_on_the_page(browser: Client, fields: dict[str, str], sentence: str) -> None:
    """400, the first page, and the sentence."""
    assert sentence in refused(browser, **fields)


def test_again_gives_a_running_game_up(browser: Client) -> None:
    """One's own running game ends with an event, and the same cards lie there as practice."""
    first = start(browser, rules=RULES.slug, suits="2")
    second = start(browser, again=first.code.lower())
    first.refresh_from_db()
    assert (first.status, first.seq) == ("given_up", 1)
    assert first.ended_at is not None
    assert LogEntry.objects.get(game=first).command == "give_up"
    assert (second.deal_text, second.deal_code) == (first.deal_text, first.deal_code)
    assert (second.ranked, second.unranked_because) == (False, "practice")
    third = start(browser, again=first.code)
    assert third.deal_text == first.deal_text
    first.refresh_from_db()
    assert first.seq == 1


def test_again_of_a_deal_without_a_code(browser: Client, ada: User) -> None:
    """An imported deal has no code and can still be played again."""
    game = ended_game(ada, deal_code=None)
    again = start(browser, again=game.code)
    assert (again.deal_code, again.deal_text, again.ranked) == (None, game.deal_text, False)


def test_again_with_somebody_elses_game_changes_nothing(browser: Client) -> None:
    """400, and their game runs on (B46)."""
    bob = User.objects.create_user("bob")
    theirs = games.start_new(bob, RULES, "S1")
    refused(browser, again=theirs.code)
    theirs.refresh_from_db()
    assert (theirs.status, theirs.seq, theirs.ranked) == ("playing", 0, True)


def test_a_second_game_on_the_deal_makes_the_running_one_practice(browser: Client) -> None:
    """First sight ends for the running game as soon as the same player opens its cards again."""
    first = start(browser, rules=RULES.slug, suits="1")
    second = start(browser, deal_code=first.deal_code)
    first.refresh_from_db()
    assert (first.status, first.ranked, first.unranked_because) == ("playing", False, "practice")
    assert not second.ranked


def test_somebody_elses_game_on_the_deal_stays_first_sight(browser: Client) -> None:
    """What another player knows of the cards takes nothing from this one."""
    theirs = games.start_new(User.objects.create_user("bob"), RULES, "S1")
    start(browser, deal_code=theirs.deal_code)
    theirs.refresh_from_db()
    assert theirs.ranked


def test_a_drawn_deal_that_was_played_before_is_practice(ada: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even chance cannot make known cards count."""
    monkeypatch.setattr(games, "drawn_code", lambda rules, variant: DealCode(rules, variant, "AAAAAAA"))
    assert games.start_new(ada, RULES, "S1").ranked
    assert not games.start_new(ada, RULES, "S1").ranked


def test_a_guest_never_counts() -> None:
    """Not ranked, and told why."""
    guest = User.objects.create_user("guest 1", is_guest=True)
    game = games.start_new(guest, RULES, "S1")
    assert (game.ranked, game.unranked_because) == (False, "guest")


def test_the_21st_open_game_is_refused(browser: Client, ada: User, settings: Any) -> None:
    """Twenty open games, from wherever they were started; ended ones do not count."""
    for _ in range(3):
        ended_game(ada)
    for _ in range(20):
        games.start_new(ada, RULES, "S1")
    answer = refused(browser, rules=RULES.slug, suits="1")
    assert "as many as one may have" in answer
    # What is shown is the first page, not the list whose address the form was sent to.
    assert ' data-address="/"' in answer
    assert re.findall(r'<a href="([^"]+)" aria-current="page"', answer) == ["/", "/"]
    assert "as many as one may have" in refused(browser, deal_code="SS1-S4-AAAAABD")
    # Again ends one and begins one.
    start(browser, again=Game.objects.filter(ended_at=None).order_by("id")[0].code)
    assert Game.objects.filter(player=ada, ended_at=None).count() == 20


@pytest.mark.django_db(transaction=True)
def test_the_limit_holds_when_several_are_started_at_once() -> None:
    """Six clicks at the same moment with nineteen games open: one begins, five are refused."""
    ada = User.objects.create_user("ada")
    for _ in range(19):
        games.start_new(ada, RULES, "S1")

    def click(_number: int) -> bool:
        try:
            games.start_new(ada, RULES, "S1")
        except games.TooManyOpenError:
            return False
        finally:
            connections.close_all()
        return True

    with ThreadPoolExecutor(6) as pool:
        assert sorted(pool.map(click, range(6))) == [False] * 5 + [True]
    assert Game.objects.filter(player=ada).count() == 20


def test_sixty_games_an_hour(browser: Client, ada: User, settings: Any) -> None:
    """The 61st within an hour waits, told in words with 429; RATE_LIMIT=0 lets it through."""
    settings.RATE_LIMIT = True
    for _ in range(60):
        ended_game(ada, created_at=timezone.now())
    response = browser.post("/games/", {"rules": RULES.slug, "suits": "1"})
    assert response.status_code == 429
    assert "within an hour" in response.content.decode()
    assert int(response["Retry-After"]) > 0
    settings.RATE_LIMIT = False
    start(browser, rules=RULES.slug, suits="1")


def test_nobody_is_sent_to_the_log_in_and_comes_back_to_the_choice(client: Client) -> None:
    """Anonymous: the log-in, which offers to play as a guest, with the choice kept."""
    response = client.post("/games/", {"rules": RULES.slug, "suits": "4"}, follow=True)
    assert response.redirect_chain[0][0].startswith("/accounts/login/?next=")
    text = response.content.decode()
    assert 'action="/accounts/guest/"' in text
    assert not User.objects.exists()
    wanted = response.context["next"]
    assert wanted == f"/?rules={RULES.slug}&suits=4"
    home = client.post("/accounts/guest/", {"next": wanted}, follow=True)
    assert 'name="suits" value="4" checked' in home.content.decode()


def test_one_click_plays_as_a_guest(client: Client) -> None:
    """The panel of an anonymous visitor makes a guest and deals at once."""
    response = client.post("/accounts/guest/", {"rules": RULES.slug, "suits": "1", "panel": "1"})
    game = Game.objects.get()
    assert response["Location"] == f"/g/{game.code}/"
    assert game.player.is_guest


def test_the_panel_without_its_script_sends_answers_for_all_games(browser: Client) -> None:
    """Answers to the questions of other games are passed over there, and only there."""
    start(browser, rules=RULES.slug, suits="1", draw="3", panel="1")


def test_a_newcomer_is_offered_the_first_choice_and_later_the_last(browser: Client) -> None:
    """One suit at first, then what was played last."""
    assert 'name="suits" value="1" checked' in browser.get("/").content.decode()
    start(browser, rules=RULES.slug, suits="2")
    assert 'name="suits" value="2" checked' in browser.get("/").content.decode()


@pytest.mark.parametrize("prefix", ["", "/ar"])
def test_the_table_page_loads(browser: Client, prefix: str) -> None:
    """What the table begins with: the first welcome, addresses, and no secret."""
    game = start(browser, rules=RULES.slug, suits="1")
    response = browser.get(f"{prefix}/g/{game.code}/")
    boot = response.context["boot"]
    assert boot["welcome"]["role"] == "player"
    assert boot["welcome"]["snapshot"]["position"] == game.position_text
    assert boot["socket"] == f"/ws/game/{game.code}/"
    assert boot["updates"] == f"/api/games/{game.code}/updates"
    assert boot["urls"]["start"] == f"{prefix}/games/"
    assert boot["lang"] == (prefix[1:] or "en")
    assert Client().get(f"/g/{game.code}/").context["boot"]["welcome"]["role"] == "spectator"


DRAW = """
import django; django.setup()
import secrets, string
from game.actions.games import drawn_code
from game.engine.games import GAMES
print("\\n".join(str(drawn_code(GAMES[0], "S1")) for _ in range(10_000)))
"""


def test_two_processes_draw_different_deals() -> None:
    """B12: 10,000 codes each, started at the same moment; no repeats beyond chance in 26^7."""
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings"}
    both = [
        subprocess.Popen([sys.executable, "-c", DRAW], stdout=subprocess.PIPE, env=environment, text=True)
        for _ in range(2)
    ]
    drawn = [process.communicate(timeout=60)[0].split() for process in both]
    assert [len(codes) for codes in drawn] == [10_000, 10_000]
    # 20,000 codes out of 8 * 10^9: one pair in forty runs is chance, three are not.
    assert len(set(drawn[0]) | set(drawn[1])) >= 19_998


def test_every_letter_is_drawn() -> None:
    """The whole alphabet, and the longest code that the rules know."""
    rules = rules_of(RULES.slug)
    letters = "".join(games.drawn_code(rules, "S1").letters for _ in range(500))
    assert len(set(letters)) == 26
    assert isinstance(games.drawn_code(rules, "S1"), DealCode)
    assert len(games.drawn_code(rules, "S1").letters) == rules.code_letters[-1]
