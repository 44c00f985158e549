"""Players, games and the good order after each test, for both set-ups."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any, TypeVar

import pytest
import time_machine
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.db import connections

from game import database, hub, limits
from game.engine.deals import DealCode
from game.engine.games import rules_of
from game.engine.notation import parse_position
from game.models import Game, User
from game.seats import Seat
from tests.dealt import dealt
from tests.engine.cases import GOLDEN
from tests.server.sprint import MARATHON, NOON, SPRINT, Clock, offer

Result = TypeVar("Result")


def away(work: Callable[..., Result], *arguments: Any) -> Result:
    """Does database work in a thread of its own, for tests that are themselves on an event loop."""

    def run() -> Result:
        try:
            return work(*arguments)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(run).result()


@pytest.fixture(autouse=True)
async def good_order() -> AsyncIterator[None]:
    """No hub, no thread and no connection outlives its test, and no count of guesses."""
    yield
    for counted in (limits.ON_PAGES, limits.AT_SOCKETS, limits.SHARED):
        counted.forget()
    here = hub.running()
    await hub.stop()
    database.close()
    assert here is None or not here.places.taken, "a socket kept its place"


class Person:
    """A player with an open session."""

    def __init__(self, user: User) -> None:
        self.user = user
        session = SessionStore()
        session[SESSION_KEY] = str(user.pk)
        session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
        session[HASH_SESSION_KEY] = user.get_session_auth_hash()
        session.create()
        self.session = session
        self.key = str(session.session_key)

    @property
    def cookies(self) -> dict[str, str]:
        return {"sessionid": self.key}

    @property
    def seat(self) -> Seat:
        return Seat(self.user.pk, self.key, self.user.username)


@pytest.fixture
def person(transactional_db: None) -> Callable[..., Person]:
    """Makes people who are logged in: ``person("Ada")``."""

    def make(name: str = "Ada", **fields: Any) -> Person:
        return away(lambda: Person(User.objects.create_user(name, "a fine password", **fields)))

    return make


@pytest.fixture
def ada(person: Callable[..., Person]) -> Person:
    return person("Ada")


@cache
def recorded(suits: int = 1, status: str = "won") -> dict[str, Any]:
    """The first recorded game of this kind: its deal as text, and its commands."""
    records = map(json.loads, (GOLDEN / "records.jsonl").read_text().splitlines())
    return next(
        record for record in records if record["options"] == {"suits": suits} and record["status"] == status
    )


@pytest.fixture
def start(transactional_db: None) -> Callable[..., Game]:
    """Makes a running game: ``start(person)``, ``start(person, record)`` on the deal of a record."""

    def make(player: Person, record: dict[str, Any] | None = None, **fields: Any) -> Game:
        rules = rules_of("simple-simon")
        code = DealCode(rules, "S1", "AAAAABD")
        deal = code.deal() if record is None else parse_position(record["deal"], rules.layout)
        variant = rules.variant(record["options"] if record else {"suits": 1})
        game = dealt(player.user, rules, variant, deal, deal_code=None if record else str(code), **fields)
        away(game.save)
        return game

    return make


@pytest.fixture
def commands() -> list[str]:
    """What wins the recorded game of one suit."""
    return [entry["command"] for entry in recorded()["log"]]


@pytest.fixture
def throw_away_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two games that are won by one move are offered beside the others."""
    offer(monkeypatch, SPRINT, MARATHON)


@pytest.fixture
def clock() -> Iterator[Clock]:
    """The server's clock, which stands at `NOON` until the test shifts it."""
    with time_machine.travel(NOON, tick=False) as coordinates:
        yield coordinates
