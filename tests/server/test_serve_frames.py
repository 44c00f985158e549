"""Frames written straight to the socket arrive like those sent through ASGI, whole and in order."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosedError, InvalidStatus

from config.direct import SharedFrame, text_frame
from config.server import DRAIN_SECONDS, MAX_BODY_BYTES, RETRY_MS, RETRY_SPREAD_MS
from tests.services import ROOT, Process, free_port

SIZES = [4, 125, 126, 760, 65_535, 65_536, 300_000]


class Bare(Process):
    """The server around the bare application."""

    def __init__(self, folder: Path, *seconds: str) -> None:
        self.port = free_port()
        command = [sys.executable, "-W", "error", "-m", "tests.server.bare", str(self.port), *seconds]
        super().__init__(command, folder, cwd=ROOT)
        self.url = f"ws://127.0.0.1:{self.port}/"

    def start(self) -> None:
        self.spawn()
        self.wait_ready(lambda: "ready" in self.tail())


@pytest.fixture
def bare(tmp_path: Path) -> Iterator[Bare]:
    server = Bare(tmp_path)
    server.start()
    yield server
    server.end()
    assert "Traceback" not in server.tail(1 << 20), server.tail()


def expected(sizes: list[int]) -> list[str]:
    return [f"{number}:".ljust(size, "x") for number, size in enumerate(sizes)]


def ask(how: str, to: str, sizes: list[int]) -> str:
    return json.dumps({"how": how, "to": to, "texts": sizes})


async def read(client: Any, count: int) -> list[str]:
    return [await asyncio.wait_for(client.recv(), 20) for _ in range(count)]


@pytest.mark.parametrize("how", ["frame", "send"])
async def test_the_same_texts_arrive_either_way(bare: Bare, how: str) -> None:
    async with connect(bare.url, max_size=None) as one, connect(bare.url, max_size=None) as other:
        await one.send(ask(how, "all", SIZES))
        assert await read(one, len(SIZES)) == expected(SIZES)
        assert await read(other, len(SIZES)) == expected(SIZES)


async def test_frames_do_not_interleave_when_the_reader_is_slow(bare: Bare) -> None:
    """Large frames, small ones, both ways of sending and pongs, to a reader that starts late."""
    sizes = [200_000, 10, 70_000, 3, 760] * 40
    async with connect(bare.url, max_size=None, max_queue=1) as client:
        pongs = []
        for how in ("frame", "send", "frame"):
            await client.send(ask(how, "me", sizes))
            pongs.append(await client.ping())
        await asyncio.sleep(0.5)
        for _ in range(3):
            assert await read(client, len(sizes)) == expected(sizes)
        await asyncio.wait_for(asyncio.gather(*pongs), 5)


async def test_what_a_stalled_reader_has_not_taken_is_told(bare: Bare) -> None:
    stalled = socket.create_connection(("127.0.0.1", bare.port))
    with closing(stalled):
        stalled.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8192)
        stalled.sendall(handshake())
        while b"\r\n\r\n" not in stalled.recv(4096):
            pass
        async with connect(bare.url, max_size=None) as client:
            sizes = [1300] * 2000
            await client.send(ask("frame", "all", sizes))
            await read(client, len(sizes))
            await client.send('{"how": "buffered"}')
            waiting = int((await read(client, 1))[0])
            # The small buffer of the OS hides little of it.
            assert 1300 * 2000 - 1_000_000 < waiting < 1300 * 2000


async def test_compression_is_never_agreed_on(bare: Bare) -> None:
    async with connect(bare.url, compression="deflate") as client:
        assert client.response is not None
        assert "Sec-WebSocket-Extensions" not in client.response.headers


async def test_sending_to_one_who_has_just_gone_is_no_error(bare: Bare) -> None:
    async with connect(bare.url) as client:
        for _ in range(20):
            gone = socket.create_connection(("127.0.0.1", bare.port))
            gone.sendall(handshake())
            gone.recv(4096)
            await client.send(ask("frame", "all", [760] * 5))
            await client.send(ask("send", "all", [760] * 5))
            gone.close()
        texts = await read(client, 200)
    assert texts == expected([760] * 5) * 40


async def test_a_flood_waits_at_the_door_and_is_all_answered(bare: Bare) -> None:
    async with connect(bare.url) as client:
        for _ in range(2000):
            await client.send(ask("frame", "me", [4]))
        assert await read(client, 2000) == ["0:xx"] * 2000


@pytest.mark.parametrize("count", [100])
async def test_polite_end_tells_every_socket_when_to_come_back(bare: Bare, count: int) -> None:
    """B44: a bye and close code 4012 for each, returns spread over more than 5 s, the end within 10 s."""
    clients = await asyncio.gather(*(connect(bare.url) for _ in range(count)))
    silent = socket.create_connection(("127.0.0.1", bare.port))
    silent.sendall(handshake())
    silent.recv(4096)
    bare.signal(signal.SIGTERM)
    delays = []
    for client in clients:
        bye = json.loads((await read(client, 1))[0])
        assert (bye["type"], bye["code"], bye["reason"]) == ("bye", 4012, "restart")
        delays.append(bye["retry_ms"])
        with pytest.raises(ConnectionClosedError) as closed:
            await client.recv()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4012
    with closing(silent):
        assert await asyncio.to_thread(bare.wait, 10) == 0
    assert all(RETRY_MS <= delay < RETRY_MS + RETRY_SPREAD_MS for delay in delays)
    assert max(delays) - min(delays) > 4000
    assert RETRY_SPREAD_MS > 5000 > DRAIN_SECONDS * 1000


async def test_the_door_is_closed_while_draining(bare: Bare) -> None:
    silent = socket.create_connection(("127.0.0.1", bare.port))
    silent.sendall(handshake())
    silent.recv(4096)
    bare.signal(signal.SIGINT)
    await asyncio.sleep(0.5)
    with closing(silent):
        assert bare.is_alive
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", bare.port))


@pytest.fixture
def impatient(tmp_path: Path) -> Iterator[Bare]:
    """Pings every 2 s and waits 5 s for the answer."""
    server = Bare(tmp_path, "2", "5")
    server.start()
    yield server
    server.end()


async def test_idle_sockets_live_dead_ones_are_cut_and_late_answers_count(impatient: Bare) -> None:
    """A ping that is answered later than the next one would have been due does not cut the socket."""
    late, dead = (socket.create_connection(("127.0.0.1", impatient.port), timeout=20) for _ in range(2))
    with closing(late), closing(dead):
        for client in (late, dead):
            client.sendall(handshake())
            client.recv(4096)
        async with connect(impatient.url, ping_interval=None) as idle:
            ping = await asyncio.to_thread(late.recv, 4096)
            assert ping[:2] == b"\x89\x0c"
            await asyncio.sleep(4)
            late.sendall(b"\x8a\x8c\0\0\0\0" + ping[2:14])
            # A socket that was cut reads as ended, or as reset.
            with contextlib.suppress(ConnectionResetError):
                while await asyncio.to_thread(dead.recv, 4096):
                    pass
            late.sendall(masked(ask("send", "me", [4])))
            received = b""
            while b"0:xx" not in received:
                part = late.recv(4096)
                assert part, "cut"
                received += part
            await idle.send(ask("send", "me", [4]))
            assert await read(idle, 1) == ["0:xx"]


def masked(text: str) -> bytes:
    """A short text frame as a client sends it."""
    return bytes([0x81, 0x80 | len(text), 0, 0, 0, 0]) + text.encode()


def test_a_request_body_is_bounded(bare: Bare) -> None:
    for size, status, body in [(1000, "200", "4\r\n1000"), (MAX_BODY_BYTES + 1, "413", "")]:
        for is_chunked in (False, True):
            answer = post(bare.port, b"x" * size, is_chunked=is_chunked)
            assert re.match(rf"HTTP/1.1 {status} .*\r\n\r\n{body}", answer, re.DOTALL), answer[:200]


def test_the_frame_of_a_text_is_made_once() -> None:
    shared = SharedFrame()
    text = "x" * 760
    assert shared.of(text) is shared.of(text)
    assert shared.of(text) == text_frame(text) == b"\x81\x7e\x02\xf8" + text.encode()
    assert text_frame("ż") == b"\x81\x02" + "ż".encode()
    assert text_frame("x" * 65_536)[:10] == b"\x81\x7f" + (65_536).to_bytes(8, "big")


def test_a_bad_handshake_is_refused(bare: Bare) -> None:
    async def try_it() -> None:
        async with connect(bare.url, subprotocols=None, additional_headers={"Sec-WebSocket-Version": "7"}):
            pass

    with pytest.raises(InvalidStatus):
        asyncio.run(try_it())


def handshake() -> bytes:
    lines = [
        "GET / HTTP/1.1",
        "Host: 127.0.0.1",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version: 13",
    ]
    return "\r\n".join([*lines, "", ""]).encode()


def post(port: int, body: bytes, *, is_chunked: bool) -> str:
    """The whole answer to a POST."""
    length = b"Transfer-Encoding: chunked" if is_chunked else b"Content-Length: %d" % len(body)
    sent = b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body) if is_chunked else body
    head = b"POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + length + b"\r\n\r\n"
    with socket.create_connection(("127.0.0.1", port), timeout=10) as client:
        client.sendall(head + sent)
        answer = b""
        while part := client.recv(65536):
            answer += part
    return answer.decode()
