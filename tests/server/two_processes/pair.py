"""Two processes on one Postgres and Redis, who comes to them, and their sockets."""

from __future__ import annotations

import contextlib
import json
from collections.abc import AsyncIterator
from itertools import count
from typing import NamedTuple

import psycopg
import websockets
from websockets.asyncio.client import ClientConnection, connect

from tests.server.visiting import Visitor
from tests.services import RedisServer, Site

addresses = count(1)


class Pair(NamedTuple):
    """Both processes, and what they share."""

    one: Site
    two: Site
    redis: RedisServer

    @property
    def sites(self) -> tuple[Site, Site]:
        return self.one, self.two

    def start(self) -> None:
        """Starts both at once; returns when both answer."""
        for site in self.sites:
            site.spawn()
        for site in self.sites:
            site.wait_ready(site.answers)

    def visitor(self) -> Visitor:
        """Somebody new, at the first process, from an address of their own."""
        return Visitor(self.one, f"192.0.2.{next(addresses)}")

    def person(self, name: str) -> Visitor:
        """Somebody who has just signed up at the first process."""
        made = self.visitor()
        assert made.sign_up(name) == 302
        return made

    def staff(self, name: str) -> Visitor:
        """Somebody who runs the site."""
        made = self.person(name)
        self.sql("UPDATE game_user SET is_staff = true, is_superuser = true WHERE username = %s", name)
        return made

    def sql(self, statement: str, *values: str) -> list[tuple[object, ...]]:
        """Runs a statement behind the site's back; returns its rows."""
        with psycopg.connect(self.one.settings["DATABASE_URL"], autocommit=True) as connection:
            cursor = connection.execute(statement.encode(), values or None)
            return cursor.fetchall() if cursor.description else []

    def digests(self) -> dict[str, object]:
        """What stands in each table, as a digest."""
        tables = [
            str(name) for (name,) in self.sql("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        ]
        told = {}
        for table in tables:
            # A name from the database itself.
            rows = f'SELECT md5(string_agg(t::text, chr(10) ORDER BY t::text)) FROM "{table}" t'  # noqa: S608
            told[table] = self.sql(rows)[0][0]
        return told


@contextlib.asynccontextmanager
async def socket_of(
    site: Site, code: str, visitor: Visitor | None = None, origin: str = ""
) -> AsyncIterator[ClientConnection]:
    headers = {"X-Forwarded-For": visitor.address} if visitor else {}
    if visitor and visitor.cookies:
        headers["Cookie"] = visitor.cookie
    address = f"{site.ws_url}/ws/game/{code}/?v=1"
    async with connect(
        address, origin=websockets.Origin(origin or site.url), additional_headers=headers
    ) as socket:
        yield socket


async def first_word(socket: ClientConnection) -> dict[str, object]:
    told: dict[str, object] = json.loads(await socket.recv())
    return told
