"""A WebSocket by hand, for what no decent client does: broken frames, floods, and never reading."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import struct
from typing import Any

from tests.services import Site

TEXT, BINARY = 1, 2


class Raw:
    """An open socket at a table. ``code`` is that of the close once one has come; None after a bare reset."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self.code: int | None = None

    def send(self, payload: bytes, kind: int = TEXT) -> None:
        """Sends one frame, whatever it holds."""
        self.writer.write(frame(payload, kind))

    async def next(self) -> dict[str, Any] | None:
        """The next message; None when the socket has ended."""
        try:
            while True:
                first, second = await self.reader.readexactly(2)
                size = second & 0x7F
                if size == 126:
                    (size,) = struct.unpack("!H", await self.reader.readexactly(2))
                elif size == 127:
                    (size,) = struct.unpack("!Q", await self.reader.readexactly(8))
                payload = await self.reader.readexactly(size)
                if first & 0x0F == TEXT:
                    found: dict[str, Any] = json.loads(payload)
                    return found
                if first & 0x0F == 8:
                    self.code = struct.unpack("!H", payload[:2])[0]
                    return None
        except (asyncio.IncompleteReadError, ConnectionError):
            return None

    async def answer(self) -> dict[str, Any] | None:
        """The next ``refused``, ``accepted`` or ``bye``; None when the socket has ended."""
        while (message := await self.next()) is not None:
            if message["type"] in ("refused", "accepted", "bye"):
                return message
        return None

    async def ends(self) -> None:
        """Waits for the end."""
        while await self.next() is not None:
            pass

    def close(self) -> None:
        """Goes away without a word."""
        self.writer.transport.abort()


def frame(payload: bytes, kind: int = TEXT) -> bytes:
    """One masked frame."""
    size = len(payload)
    if size < 126:
        head = struct.pack("!BB", 0x80 | kind, 0x80 | size)
    elif size < 1 << 16:
        head = struct.pack("!BBH", 0x80 | kind, 0x80 | 126, size)
    else:
        head = struct.pack("!BBQ", 0x80 | kind, 0x80 | 127, size)
    # A mask of zeros leaves the payload as it is.
    return head + bytes(4) + payload


async def open_raw(site: Site, game: str, *, buffer: int | None = None) -> Raw:
    """Opens a socket for which the OS keeps ``buffer`` bytes: a small one shows soon who does not read."""
    sock = socket.socket()
    if buffer is not None:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    sock.setblocking(False)
    loop = asyncio.get_running_loop()
    await loop.sock_connect(sock, ("127.0.0.1", site.port))
    limit = 1 << 16 if buffer is None else buffer
    reader, writer = await asyncio.open_connection(sock=sock, limit=limit)
    lines = [
        f"GET /ws/game/{game}/?v=1 HTTP/1.1",
        f"Host: 127.0.0.1:{site.port}",
        f"Origin: {site.url}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        f"Sec-WebSocket-Key: {os.urandom(16).hex()[:22]}==",
        "Sec-WebSocket-Version: 13",
    ]
    writer.write("\r\n".join([*lines, "", ""]).encode())
    await reader.readuntil(b"\r\n\r\n")
    return Raw(reader, writer)
