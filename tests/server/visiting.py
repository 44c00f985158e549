"""Visitors of real servers: a browser without scripts, and what a socket was told."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import re
import secrets
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import urlencode

import websockets
from websockets.asyncio.client import ClientConnection, connect

from tests.server.watching import moves_in, states_of
from tests.services import Site

PASSWORD = "a fine password"


class Visitor:
    """A browser without scripts: cookies and forms; behind a proxy that tells ``address``, if any.

    ``peer`` is the other end of its connections.
    """

    def __init__(self, site: Site, address: str = "", peer: str = "127.0.0.1") -> None:
        self.site = site
        self.address = address
        self.peer = peer
        self.cookies: dict[str, str] = {}
        self.page = ""

    def at(self, site: Site) -> Visitor:
        """The same browser at another process."""
        there = Visitor(site, self.address, self.peer)
        there.cookies = self.cookies
        return there

    def ask(self, method: str, path: str, **fields: str) -> http.client.HTTPResponse:
        """Sends a request as from a page of the site; keeps the cookies and the text of the answer."""
        if method != "POST":
            return self.send(method, path)
        return self.send(method, path, fields | {"csrfmiddlewaretoken": self.cookies["csrftoken"]})

    def send(
        self, method: str, path: str, fields: dict[str, str] | None = None, **headers: str
    ) -> http.client.HTTPResponse:
        """The same with these fields and no others; ``headers`` stand in the place of a browser's."""
        sent = {"Cookie": self.cookie, "Origin": self.site.url, "Referer": f"{self.site.url}/"}
        if self.address:
            sent["X-Forwarded-For"] = self.address
        if fields is not None:
            sent["Content-Type"] = "application/x-www-form-urlencoded"
        body = None if fields is None else urlencode(fields)
        connection = http.client.HTTPConnection(
            "127.0.0.1", self.site.port, timeout=20, source_address=(self.peer, 0)
        )
        with contextlib.closing(connection):
            connection.request(method, path, body, sent | headers)
            answer = connection.getresponse()
            self.page = answer.read().decode(errors="replace")
            for name, value in answer.getheaders():
                if name.lower() == "set-cookie":
                    key, _, text = value.partition(";")[0].partition("=")
                    self.cookies[key] = text
            return answer

    @property
    def cookie(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self.cookies.items())

    def start_game(self) -> str:
        """Comes as a guest, starts a game and returns its code."""
        self.ask("GET", "/accounts/login/")
        assert self.ask("POST", "/accounts/guest/", next="/").status == 302
        return self.start_another()

    def sign_up(self, name: str) -> int:
        """Asks for an account; the status of the answer, 302 if it was given."""
        self.ask("GET", "/accounts/signup/")
        fields = {"username": name, "password1": PASSWORD}
        return self.ask("POST", "/accounts/signup/", **fields).status

    def log_in(self, name: str, password: str = PASSWORD) -> int:
        """Tries to log in; the status of the answer, 302 if that was right."""
        self.ask("GET", "/accounts/login/")
        return self.ask("POST", "/accounts/login/", username=name, password=password).status

    def start_another(self) -> str:
        """Starts a game and returns its code."""
        answer = self.ask("POST", "/games/", rules="simple-simon", suits="1")
        assert answer.status == 302, answer.status
        found = re.fullmatch(r"/g/(\w+)/", answer.getheader("Location") or "")
        assert found, answer.getheader("Location")
        return found[1]


class Seen:
    """What one socket was told: it keeps reading, and asks again as a browser does."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.states: list[dict[str, Any]] = []
        self.answers: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.task = asyncio.create_task(self._read())

    @property
    def seq(self) -> int:
        return max((int(state["seq"]) for state in self.states), default=-1)

    @property
    def state(self) -> dict[str, Any]:
        return max(self.states, key=lambda state: int(state["seq"]))

    async def _read(self) -> None:
        with contextlib.suppress(websockets.ConnectionClosed):
            async for text in self.socket:
                frame = json.loads(text)
                self.states += states_of(frame)
                if frame["type"] in ("accepted", "refused", "bye"):
                    self.answers.put_nowait(frame)
                elif frame["type"] == "beat" and frame["seq"] > self.seq:
                    await self.socket.send(json.dumps({"type": "sync", "since": self.seq}))

    async def reaches(self, seq: int, seconds: float) -> None:
        """Waits until this seq was seen."""
        async with asyncio.timeout(seconds):
            while self.seq < seq:  # noqa: ASYNC110
                await asyncio.sleep(0.02)

    async def play(self, command: str, seq: int | None = None) -> dict[str, Any]:
        """Plays a command, on the newest position unless ``seq`` says otherwise, and returns the answer."""
        seq = self.seq if seq is None else seq
        message = {"type": "play", "id": secrets.token_hex(8), "seq": seq, "command": command}
        await self.socket.send(json.dumps(message))
        async with asyncio.timeout(10):
            return await self.answers.get()

    async def move(self, number: int) -> None:
        """Plays a move or takes it back; it must be accepted."""
        await self.reaches(0, 10)
        command = "undo" if number % 2 else next(moves_in(self.state))
        answer = await self.play(command)
        assert answer["type"] == "accepted", answer
        await self.reaches(answer["seq"], 10)


@contextlib.asynccontextmanager
async def watching(site: Site, code: str, cookie: str = "") -> AsyncIterator[Seen]:
    """A socket at a table of a site."""
    headers = {"Cookie": cookie} if cookie else {}
    address = f"{site.ws_url}/ws/game/{code}/?v=1"
    async with connect(address, origin=websockets.Origin(site.url), additional_headers=headers) as socket:
        seen = Seen(socket)
        try:
            await seen.reaches(0, 10)
            yield seen
        finally:
            seen.task.cancel()
