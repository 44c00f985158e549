"""Who watches what, as leases: each process tells whom it has, and what is not renewed expires.

Nothing is ever counted up or down between processes, so a lost message or a killed process heals by itself.
The player of a game is not among its people.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from hashlib import sha256
from itertools import islice
from typing import Any, Final

from django.core import signing

BROWSER_COOKIE: Final = "tableau_browser"
"""Holds a signed random text, set by the pages, by which a browser's tabs are one person."""
_COOKIE_SALT: Final = "tableau.browser"

LEASE_SECONDS: Final = 45.0
NAMES_TOLD: Final = 20

People = dict[str, str]
"""Whoever is there: a key for the person -> the name of a logged-in one, else empty."""


def new_browser_cookie() -> str:
    """A value for `BROWSER_COOKIE`."""
    return signing.Signer(salt=_COOKIE_SALT).sign(secrets.token_urlsafe(12))


def person_key(user_id: int | None, browser_cookie: str) -> str:
    """One key for one person: the account, else the browser, else nothing but this socket."""
    if user_id is not None:
        return f"u{user_id}"
    try:
        browser = signing.Signer(salt=_COOKIE_SALT).unsign(browser_cookie)
    except signing.BadSignature:
        return f"s{secrets.token_hex(8)}"
    return f"b{sha256(browser.encode()).hexdigest()[:16]}"


class Crowd:
    """The people at one table: for each the number of sources that have them, and the names."""

    __slots__ = ("_names", "_sources")

    def __init__(self) -> None:
        self._sources: dict[str, int] = {}
        self._names: dict[str, str] = {}

    def __len__(self) -> int:
        return len(self._sources)

    @property
    def names(self) -> list[str]:
        """The first `NAMES_TOLD` names of logged-in people."""
        return list(islice(self._names.values(), NAMES_TOLD))

    def add(self, person: str, name: str) -> None:
        self._sources[person] = self._sources.get(person, 0) + 1
        if name:
            self._names[person] = name

    def remove(self, person: str) -> None:
        left = self._sources[person] - 1
        if left:
            self._sources[person] = left
        else:
            del self._sources[person]
            self._names.pop(person, None)


class Presence:
    """The people of all tables, as one process knows them. Moments are seconds of one clock."""

    def __init__(self) -> None:
        self._crowds: dict[int, Crowd] = {}
        self._own: dict[int, dict[str, list[str]]] = {}
        self._leases: dict[tuple[str, int], tuple[float, People]] = {}

    def __len__(self) -> int:
        return len(self._crowds)

    def crowd(self, game_id: int) -> Crowd:
        """Who is at this table; an empty crowd if nobody is."""
        return self._crowds.get(game_id) or Crowd()

    def enter(self, game_id: int, person: str, name: str) -> bool:
        """One of this process's sockets opened; whether it brought somebody new to this process."""
        sockets = self._own.setdefault(game_id, {}).setdefault(person, [])
        sockets.append(name)
        if len(sockets) == 1:
            self._add(game_id, person, name)
        return len(sockets) == 1

    def leave(self, game_id: int, person: str) -> bool:
        """One of this process's sockets closed; whether its person is gone from this process."""
        people = self._own[game_id]
        people[person].pop()
        if people[person]:
            return False
        del people[person]
        if not people:
            del self._own[game_id]
        self._remove(game_id, person)
        return True

    def own(self, game_id: int) -> People:
        """Whom this process has at a table: what it tells the others."""
        return {person: names[0] for person, names in self._own.get(game_id, {}).items()}

    def own_games(self) -> list[int]:
        """The tables at which this process has anybody."""
        return list(self._own)

    def lease(self, process: str, game_id: int, people: Mapping[str, str], now: float) -> bool:
        """Another process told whom it has at a table; whether anything changed."""
        _, before = self._leases.pop((process, game_id), (0.0, {}))
        if people:
            self._leases[process, game_id] = (now + LEASE_SECONDS, dict(people))
        for person in people.keys() - before.keys():
            self._add(game_id, person, people[person])
        for person in before.keys() - people.keys():
            self._remove(game_id, person)
        return people.keys() != before.keys()

    def expire(self, now: float) -> set[int]:
        """Drops what was not renewed; the tables where somebody is gone by that."""
        old = [key for key, (until, _) in self._leases.items() if until <= now]
        for process, game_id in old:
            self.lease(process, game_id, {}, now)
        return {game_id for _, game_id in old}

    def _add(self, game_id: int, person: str, name: str) -> None:
        crowd: Any = self._crowds.get(game_id)
        if crowd is None:
            crowd = self._crowds[game_id] = Crowd()
        crowd.add(person, name)

    def _remove(self, game_id: int, person: str) -> None:
        crowd = self._crowds[game_id]
        crowd.remove(person)
        if not crowd:
            del self._crowds[game_id]
