"""Real server processes and real sockets."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import re
import secrets
from collections.abc import AsyncIterator, Callable
from typing import Any
from urllib.parse import urlencode

import pytest
import websockets
from websockets.asyncio.client import ClientConnection, connect

from tests.server.watching import moves_in, states_of
from tests.services import Site

Serve = Callable[..., Site]


class Visitor:
    """A browser without scripts: cookies and forms."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.cookies: dict[str, str] = {}

    def ask(self, method: str, path: str, **fields: str) -> http.client.HTTPResponse:
        """Sends a request and keeps the cookies of the answer."""
        if method == "POST":
            fields["csrfmiddlewaretoken"] = self.cookies["csrftoken"]
        headers = {"Cookie": self.cookie, "Origin": self.site.url, "Referer": f"{self.site.url}/"}
        if method == "POST":
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        connection = http.client.HTTPConnection("127.0.0.1", self.site.port, timeout=20)
        with contextlib.closing(connection):
            connection.request(method, path, urlencode(fields) if method == "POST" else None, headers)
            answer = connection.getresponse()
            answer.read()
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

    async def play(self, command: str) -> dict[str, Any]:
        """Plays a command and returns the answer."""
        message = {"type": "play", "id": secrets.token_hex(8), "seq": self.seq, "command": command}
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


async def test_a_game_is_played_and_watched_at_a_real_server(serve: Serve) -> None:
    site = serve()
    visitor = Visitor(site)
    code = await asyncio.to_thread(visitor.start_game)
    async with watching(site, code, visitor.cookie) as player, watching(site, code) as spectator:
        for number in range(6):
            await player.move(number)
        await spectator.reaches(6, 5)
        assert [state["seq"] for state in spectator.states] == list(range(7))
        assert spectator.state == player.state
    assert "Traceback" not in site.tail()


async def test_refused_handshakes_leave_no_traceback(serve: Serve) -> None:
    """R7."""
    site = serve()
    for path, origin in (
        ("/ws/other/", site.url),
        ("/ws/game/X/", "http://evil.example"),
        ("/ws/game/X/", None),
    ):
        with pytest.raises(websockets.InvalidStatus) as refused:
            await connect(f"{site.ws_url}{path}?v=1", origin=websockets.Origin(origin) if origin else None)
        assert refused.value.response.status_code == 403
    for number in range(200):
        async with connect(
            f"{site.ws_url}/ws/game/{'undefined' if number % 2 else number}/?v=1",
            origin=websockets.Origin(site.url),
        ) as socket:
            assert json.loads(await socket.recv())["code"] == 4004
            with pytest.raises(websockets.ConnectionClosed) as closed:
                await socket.recv()
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 4004
    assert "Traceback" not in site.tail()


async def test_hostile_frames_harm_nobody_else(serve: Serve) -> None:
    """B33: what the WebSocket layer itself refuses may end in a bare reset."""
    site = serve()
    visitor = Visitor(site)
    code = await asyncio.to_thread(visitor.start_game)
    async with watching(site, code, visitor.cookie) as player:
        for frame in (b"\x00", "x" * 5000, "x" * (2 << 20), "[" * 4000):
            async with connect(
                f"{site.ws_url}/ws/game/{code}/?v=1", origin=websockets.Origin(site.url)
            ) as hostile:
                with contextlib.suppress(websockets.ConnectionClosed):
                    await hostile.send(frame)
                    async with asyncio.timeout(2):
                        while json.loads(await hostile.recv())["type"] not in ("bye", "refused"):
                            pass
        await player.move(0)
    assert "Traceback" not in site.tail()


async def test_log_out_at_one_process_ends_the_socket_at_another(
    serve: Serve, postgres_url: str, redis_url: str
) -> None:
    one = serve("production")
    two = serve(like=one)
    visitor = Visitor(one)
    code = await asyncio.to_thread(visitor.start_game)
    async with watching(two, code, visitor.cookie) as player:
        await player.move(0)
        answer = await asyncio.to_thread(visitor.ask, "POST", "/accounts/logout/")
        assert answer.status == 302
        async with asyncio.timeout(2):
            bye = await player.answers.get()
        assert (bye["type"], bye["code"]) == ("bye", 4003)
