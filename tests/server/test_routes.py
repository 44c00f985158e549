"""Every address and every command against everybody: who may do what, and what reading changes (nothing)."""

from __future__ import annotations

import typing
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Final

import pytest
from django.db import connection
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from game import wire
from game.engine import commands
from game.models import Game, User
from tests.server.conftest import Person, away
from tests.server.pages import RULES, browser_of, ended_game
from tests.server.watching import Client as Socket

ANYBODY: Final = ("anonymous", "other", "owner", "staff")


@dataclass(frozen=True)
class Row:
    """What a request gets: a status for each of `ANYBODY`, by GET and by an empty POST."""

    get: str = "200 200 200 200"
    post: str = "405 405 405 405"
    args: tuple[str, ...] = ()
    query: dict[str, str] = field(default_factory=dict)


OPEN: Final = Row()
"""Everybody may look, nobody can change anything."""
OWN: Final = Row("302 200 200 200", "302 405 405 405")
"""One's own, whoever one is; who is not logged in is led to the log-in."""

ROUTES: Final = {
    "home": OPEN,
    "live": OPEN,
    "tv": OPEN,
    "games": Row(post="302 400 400 400"),
    "game": Row(args=("GAME",)),
    # Of others' games it says what it says of none.
    "unlisted": Row("405 405 405 405", "302 404 302 404", args=("GAME",)),
    "deal": Row(args=("DEAL",)),
    "boards": OPEN,
    "find": OPEN,
    "history": OWN,
    "person": Row(args=("owner",)),
    "rules": OPEN,
    "rules_of": Row(args=(RULES.slug,)),
    "help": OPEN,
    "settings": Row(post="302 302 302 302"),
    "signup": Row("200 302 302 302", "400 302 302 302"),
    "login": Row("200 302 302 302", "400 302 302 302"),
    "logout": Row("405 405 405 405", "302 302 302 302"),
    "guest": Row("405 405 405 405", "302 302 302 302"),
    "password": Row("302 200 200 200", "302 400 400 400"),
    "data": OWN,
    "export": OWN,
    "delete": Row("302 200 200 200", "302 400 400 400"),
    "offline": OPEN,
    "jsi18n": OPEN,
    "record": Row(args=("GAME",)),
    "updates": Row(args=("GAME",)),
    "verdict": Row(args=("GAME",)),
    "favicon": OPEN,
    "manifest": OPEN,
    "robots": OPEN,
    "worker": OPEN,
    "picture": OPEN,
    "game_picture": Row(args=("GAME",), query={"seq": "0"}),
    "deal_picture": Row(args=("DEAL",)),
    "rules_picture": Row(args=(RULES.slug,)),
    "healthz": OPEN,
    "readyz": OPEN,
    # Asked for from the machine itself; to others there is no such page.
    "metrics": OPEN,
    "status": Row("404 404 404 200"),
}

PLAYED: Final = {
    "Move": "t1-t2",
    "Send": "send t1",
    "Draw": "draw",
    "Collect": "collect",
    "Undo": "undo",
    "GiveUp": "give_up",
}
"""A text of each kind of command: only the player's are looked at by the rules."""
ASKED: Final = {"Sync": {"type": "sync", "since": 0}}
"""What everybody may ask."""


def routes() -> Iterator[str]:
    """The name of every address; those of the operators' pages have a test of their own."""

    def walk(patterns: list[Any]) -> Iterator[str]:
        for pattern in patterns:
            if isinstance(pattern, URLResolver):
                if pattern.namespace != "admin":
                    yield from walk(pattern.url_patterns)
            else:
                assert isinstance(pattern, URLPattern)
                yield pattern.name or str(pattern.pattern)

    return walk(get_resolver().url_patterns)


def digest_of_everything() -> dict[str, str]:
    """What stands in each table, as a digest."""
    digests = {}
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT * FROM "{table}"')  # noqa: S608  # a name from the database itself
            rows = sorted(repr(row) for row in cursor.fetchall())
            digests[table] = sha256("\n".join(rows).encode()).hexdigest()
    return digests


class World:
    """Four people, a game and its player."""

    def __init__(self) -> None:
        self.owner = User.objects.create_user("owner", "correct horse")
        self.other = User.objects.create_user("other", "correct horse")
        self.staff = User.objects.create_superuser("boss", "correct horse")
        self.game = ended_game(self.owner)
        self.path_of = {"GAME": self.game.code, "DEAL": str(self.game.deal_code)}

    def browser(self, who: str) -> Client:
        return Client() if who == "anonymous" else browser_of(getattr(self, who))

    def path(self, name: str) -> str:
        return reverse(name, args=[self.path_of.get(arg, arg) for arg in ROUTES[name].args])


@pytest.fixture
def world(db: None, settings: Any) -> World:
    settings.RATE_LIMIT = False
    return World()


def status(answer: Any) -> int:
    if answer.streaming:
        # Read to its end, a file is closed.
        b"".join(answer)
    return int(answer.status_code)


def test_every_route_has_its_row() -> None:
    """A new address fails here until it is said who may do what with it."""
    assert sorted(routes()) == sorted(ROUTES)


def test_who_may_read_what_and_reading_changes_nothing(world: World) -> None:
    """No GET changes anything, asked by anybody of every address there is."""
    browsers = {who: world.browser(who) for who in ANYBODY}
    before = digest_of_everything()
    for name, row in ROUTES.items():
        told = [status(browsers[who].get(world.path(name), row.query)) for who in ANYBODY]
        assert told == [int(code) for code in row.get.split()], name
    for path in ("/tr/", "/pl/games/", "/ar/accounts/login/", "/nowhere/", "/g/0123456789/"):
        status(browsers["anonymous"].get(path))
    assert digest_of_everything() == before
    assert "sessionid" not in browsers["anonymous"].cookies


def test_who_may_change_what(world: World) -> None:
    browsers = {who: world.browser(who) for who in ANYBODY}
    for name, row in ROUTES.items():
        told = [status(browsers[who].post(world.path(name))) for who in ANYBODY]
        assert told == [int(code) for code in row.post.split()], name
        if row.post != OPEN.post:
            # Some of them log in or out.
            browsers = {who: world.browser(who) for who in ANYBODY}
        assert status(browsers["owner"].delete(world.path(name))) == 405, name


def test_nothing_is_changed_without_the_forms_token(world: World) -> None:
    """CSRF: at every address, by every unsafe method, also with the token from another site's page."""
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(world.owner)
    before = digest_of_everything()
    for name in ROUTES:
        assert status(browser.post(world.path(name))) == 403, name
    settings_page = world.path("settings")
    for method in ("put", "patch", "delete"):
        assert status(getattr(browser, method)(settings_page)) == 403
    browser.get(settings_page)
    sent = {"csrfmiddlewaretoken": browser.cookies["csrftoken"].value}
    for origin in ("https://evil.example", "null", "http://testserver.evil.example", "http://testserver:81"):
        assert status(browser.post(settings_page, sent, headers={"origin": origin})) == 403, origin
    assert digest_of_everything() == before
    assert status(browser.post(settings_page, sent, headers={"origin": "http://testserver"})) == 302


# Sockets


def test_every_message_and_command_has_its_row() -> None:
    """A new kind fails here until it is said who may send it."""
    assert {kind.__name__ for kind in typing.get_args(wire.ClientMessage)} == {"Play", *ASKED}
    assert {kind.__name__ for kind in typing.get_args(commands.Command)} == set(PLAYED)


@pytest.mark.parametrize("who", ANYBODY)
async def test_who_may_send_what(who: str, person: Callable[..., Person], start: Callable[..., Game]) -> None:
    """B46: only the player plays, staff neither; everybody may ask how the game stands."""
    people = {"owner": person("owner"), "other": person("other"), "staff": person("boss", is_staff=True)}
    game = start(people["owner"])
    cookies = people[who].cookies if who in people else None
    async with Socket(game.code, cookies=cookies) as socket:
        assert (await socket.next("welcome"))["role"] == ("player" if who == "owner" else "spectator")
        for message in ASKED.values():
            socket.send(message)
            assert (await socket.next())["type"] == "snapshot"
        for text in PLAYED.values():
            answer = await socket.ask(text, seq=0)
            is_let_in = answer["type"] == "accepted" or answer["code"] != "not_yours"
            assert is_let_in == (who == "owner"), text
    after = away(Game.objects.get)
    assert (after.seq > 0) == (who == "owner")
