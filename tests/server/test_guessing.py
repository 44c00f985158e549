"""Whoever guesses passwords or codes is held up, and nobody else is."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.hashers import BasePasswordHasher
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from game import limits
from game.models import Game, User
from tests.server.conftest import Person
from tests.server.pages import browser_of, ended_game
from tests.server.sprint import Clock
from tests.server.watching import Client as Socket
from tests.services import RedisServer

PASSWORD = "a fine password"


@pytest.fixture(autouse=True)
def counting(settings: Any) -> None:
    """Limits are on, and each test has its own counters."""
    settings.RATE_LIMIT = True
    settings.CACHES = {
        "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "guessing"}
    }
    cache.clear()


def log_in(client: Client, name: str, password: str = PASSWORD, address: str = "192.0.2.1") -> int:
    sent = {"username": name, "password": password}
    return client.post("/accounts/login/", sent, REMOTE_ADDR=address).status_code


# Passwords


@pytest.mark.django_db
def test_guessing_a_password_never_locks_its_owner_out(clock: Clock) -> None:
    """By name and address together: elsewhere the owner comes in, and at home where they were before."""
    User.objects.create_user("ada", PASSWORD)
    home = Client()
    assert log_in(home, "ada") == 302
    home.post("/accounts/logout/")
    assert {log_in(Client(), "ada", "wrong") for _ in range(30)} == {400, 429}
    assert log_in(Client(), "ada") == 429, "also with the right password"
    assert log_in(Client(), "eve", "wrong") == 429, "no other name either"
    assert log_in(Client(), "ada", address="192.0.2.2") == 302
    assert log_in(home, "ada") == 302, "in a browser that the account knows, at the same address"


@pytest.mark.django_db
def test_the_cookie_of_a_familiar_browser_opens_nothing_and_is_one_accounts(clock: Clock) -> None:
    for name in ("ada", "eve"):
        User.objects.create_user(name, PASSWORD)
    browser = Client()
    log_in(browser, "ada")
    cookie = browser.cookies["tableau_familiar"]
    assert cookie["httponly"]
    thief = Client()
    thief.cookies["tableau_familiar"] = cookie.value
    assert thief.get("/history/").status_code == 302
    # It is one more place to try from, with a limit of its own; for another name it says nothing.
    assert [log_in(thief, "ada", "wrong") for _ in range(21)] == [400] * 20 + [429]
    assert [log_in(thief, "eve", "wrong") for _ in range(20)] == [400] * 19 + [429], "one was ada's own"
    for forged in ("", "x", "1:2:3", cookie.value + "x"):
        stranger = Client()
        stranger.cookies["tableau_familiar"] = forged
        assert log_in(stranger, "ada", "wrong") == 429


@pytest.mark.django_db
def test_one_name_is_tried_only_so_often_an_hour_from_an_address(clock: Clock) -> None:
    User.objects.create_user("ada", PASSWORD)
    answers = []
    for _ in range(7):
        answers += [log_in(Client(), "ADA", "wrong") for _ in range(10)]
        clock.shift(timedelta(minutes=2))
    assert answers == [400] * 60 + [429] * 10
    assert log_in(Client(), "eve", "wrong") == 400
    clock.shift(timedelta(hours=2))
    assert log_in(Client(), "ada") == 302


def test_what_was_counted_leaks_out_evenly(clock: Clock) -> None:
    """No double helping where one minute ends and the next begins."""
    clock.shift(timedelta(seconds=55))
    assert [limits.may_log_in("x") for _ in range(21)] == [True] * 20 + [False]
    clock.shift(timedelta(seconds=10))
    assert [limits.may_log_in("x") for _ in range(3)] == [True, False, False]
    clock.shift(timedelta(seconds=120))
    assert limits.may_log_in("x")


@pytest.mark.django_db
def test_while_redis_is_away_each_process_counts_and_says_so_once(
    clock: Clock,
    redis_server: RedisServer,
    settings: Any,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Nobody is locked out because the counting place does not answer, and guesses stay bounded."""
    monkeypatch.setattr("game.limits.PAUSE_SECONDS", 0)
    settings.CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": redis_server.url,
            "OPTIONS": {"socket_timeout": 0.5, "socket_connect_timeout": 0.5},
        }
    }
    User.objects.create_user("ada", PASSWORD)
    assert log_in(Client(), "ada") == 302
    assert not caplog.records
    redis_server.kill9()
    assert log_in(Client(), "ada") == 302
    assert [limits.may_log_in("192.0.2.1") for _ in range(20)] == [True] * 19 + [False]
    assert log_in(Client(), "ada") == 429
    assert log_in(Client(), "ada", address="192.0.2.2") == 302
    redis_server.start()
    assert log_in(Client(), "ada") == 302
    told = [record.getMessage() for record in caplog.records if record.name == "game.limits"]
    assert len(told) == 2
    assert "counted in each process" in told[0]
    assert "over all processes again" in told[1]
    monkeypatch.setattr("game.limits.PAUSE_SECONDS", 60)
    redis_server.kill9()
    assert limits.may_log_in("x")
    monkeypatch.setattr("game.limits.cache", None)
    assert limits.may_log_in("x"), "nobody waits for it again"


@pytest.mark.django_db
def test_an_unknown_name_costs_as_much_as_a_wrong_password(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same hashes and the same answer, whoever is not let in: nobody can ask who is here."""
    User.objects.create_user("ada", PASSWORD)
    User.objects.create_user("guest 123", None, is_guest=True)
    User.objects.create_user("banned", PASSWORD, is_active=False)
    from django.contrib.auth.hashers import MD5PasswordHasher

    hashed: list[str] = []
    encode = MD5PasswordHasher.encode

    def counted(self: BasePasswordHasher, password: str, salt: str) -> str:
        hashed.append(password)
        return encode(self, password, salt)

    monkeypatch.setattr(MD5PasswordHasher, "encode", counted)
    told = set()
    for name in ("ada", "nobody", "guest 123", "banned", "n" * 200):
        hashed.clear()
        client = Client()
        page = client.post("/accounts/login/", {"username": name, "password": "wrong"})
        assert page.status_code == 400
        assert len(hashed) == 1, name
        told.add("There is nobody with this name and password." in page.content.decode())
    assert told == {True}
    hashed.clear()
    assert log_in(Client(), "ada", "x" * 501) == log_in(Client(), "nobody", "x" * 501) == 400
    assert hashed == [], "nobody makes the server hash a book"


def test_no_more_than_two_hashes_at_once() -> None:
    """Each takes a hundred megabytes: a crowd at the log-in waits instead of eating the machine."""
    import threading

    from django.contrib.auth.hashers import Argon2PasswordHasher

    from game.hashers import BoundedArgon2PasswordHasher

    running, most = 0, 0
    lock, go = threading.Lock(), threading.Event()

    def slow(*_args: Any, **_kwargs: Any) -> str:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        go.wait(0.02)
        with lock:
            running -= 1
        return ""

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Argon2PasswordHasher, "encode", slow)
        patch.setattr(Argon2PasswordHasher, "verify", slow)
        hasher = BoundedArgon2PasswordHasher()
        works: list[Callable[..., object]] = [hasher.encode, hasher.verify] * 6
        threads = [threading.Thread(target=work, args=("a", "b")) for work in works]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert most == 2


def test_passwords_are_hashed_with_argon2_in_the_product() -> None:
    from config import settings as product

    assert product.PASSWORD_HASHERS == ["game.hashers.BoundedArgon2PasswordHasher"]


# Codes


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/g/{}/", "/api/games/{}", "/api/games/{}/updates", "/g/{}/picture.png"])
def test_guesses_at_codes_are_throttled_on_every_page(
    client: Client, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then a code that is one is answered in the same way, so that nothing is learned by going on."""
    monkeypatch.setattr("game.views.guesses.ON_PAGES", limits.Guesses(at_once=3, a_second=0.001))
    game = ended_game(User.objects.create_user("ada"))
    assert client.get(path.format(game.code)).status_code in (200, 302)
    asked = [path.format(f"{number:010}") for number in range(5)]
    assert [client.get(address).status_code for address in asked] == [404] * 3 + [429] * 2
    for address in (path.format(game.code), f"/find/?code={game.code}", f"/pl/g/{game.code}/"):
        answer = client.get(address)
        assert answer.status_code == 429, address
        assert int(answer["Retry-After"]) > 0
    assert client.get(f"/g/{game.code}/", REMOTE_ADDR="192.0.2.9").status_code == 200
    assert client.get("/games/").status_code == 200


async def test_guesses_at_sockets_are_throttled_too(
    ada: Person, start: Callable[..., Game], monkeypatch: pytest.MonkeyPatch
) -> None:
    """R7 allows a thousand of them; what is more is told to wait, whatever code it names."""
    game = start(ada)
    monkeypatch.setattr("game.consumers.AT_SOCKETS", limits.Guesses(at_once=3, a_second=0.001))
    ends = []
    for code in ("0" * 10, "undefined", "1" * 10, "2" * 10, game.code):
        async with Socket(code) as socket:
            ends.append((await socket.bye())[0])
    assert [end["code"] for end in ends] == [4004] * 3 + [4029] * 2
    assert (ends[-1]["reason"], ends[-1]["retry_ms"] > 0) == ("codes", True)
    async with Socket(game.code, address="192.0.2.9") as socket:
        await socket.next("welcome")


def test_a_bucket_of_guesses_fills_again_and_forgets_old_addresses(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 100.0
    monkeypatch.setattr("game.limits.time.monotonic", lambda: now)
    guesses = limits.Guesses(at_once=3, a_second=0.5)
    for _ in range(3):
        assert guesses.wait_s("x") == 0
        guesses.count("x")
    assert guesses.wait_s("x") == 2
    assert guesses.wait_s("y") == 0
    now += 2
    assert guesses.wait_s("x") == 0
    guesses.count("x")
    settings.RATE_LIMIT = False
    assert guesses.wait_s("x") == 0
    settings.RATE_LIMIT = True
    for number in range(limits.ADDRESSES_KEPT):
        guesses.count(f"n{number}")
    assert len(guesses._full_at) == limits.ADDRESSES_KEPT
    assert guesses.wait_s("x") == 0


@pytest.mark.django_db
def test_somebody_elses_game_and_none_get_the_same_answer_at_the_same_cost() -> None:
    """Played again can be only one's own; the answer does not tell whether the code was one."""
    ada, eve = User.objects.create_user("ada"), User.objects.create_user("eve")
    theirs = ended_game(ada)
    browser = browser_of(eve)
    seen = []
    for code in (theirs.code, "0123456789", "nonsense"):
        with CaptureQueriesContext(
            connection,
        ) as queries:
            answer = browser.post("/games/", {"again": code})
        # The page repeats what was sent; nothing else may differ.
        body = answer.content.decode().replace(code, "")
        body = body.replace(browser.cookies["csrftoken"].value, "")
        seen.append((answer.status_code, len(queries), "Only a game of your own" in body, len(body)))
    assert seen[0] == seen[1]
    assert seen[0][:3] == seen[2][:3]
