"""Real server processes and real sockets."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable

import pytest
import websockets
from websockets.asyncio.client import connect

from tests.server.visiting import Visitor, watching
from tests.services import Site

Serve = Callable[..., Site]


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
