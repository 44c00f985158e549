"""Many spectators in one process that only count bytes, and the player who moves."""

from __future__ import annotations

import base64
import os
import select
import socket
import struct
import time
from typing import Final

READY: Final = "ready"
"""What a room says first; what a crowd waits for."""
PATIENCE_SECONDS: Final = 120


class Crowd:
    """``size`` sockets at the tables of a room, in turn; a player at the first."""

    def __init__(self, ports: list[int], size: int, tables: int = 1) -> None:
        self.port = ports[0]
        self._epoll = select.epoll()
        self._sockets: dict[int, socket.socket] = {}
        self.received = 0
        for start in range(0, size, 64):
            opened = [
                ask(ports[number % len(ports)], f"/{number % tables}/watch")
                for number in range(start, min(start + 64, size))
            ]
            for sock in opened:
                shake(sock)
                sock.setblocking(False)
                self._sockets[sock.fileno()] = sock
                self._epoll.register(sock, select.EPOLLIN)
        self._players = [ask(ports[0], f"/{table}/play") for table in range(tables)]
        for player in self._players:
            shake(player)

    @property
    def size(self) -> int:
        return len(self._sockets)

    def say(self, text: str, table: int = 0) -> None:
        """Sends a frame as the player of a table."""
        self._players[table].sendall(masked(text))

    def wait(self, bytes_in_all: int) -> None:
        """Reads until so much has come since the crowd gathered; raises `TimeoutError`."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while self.received < bytes_in_all:
            for fileno, _ in self._epoll.poll(0.5):
                self.received += len(self._sockets[fileno].recv(1 << 18))
            if time.monotonic() > deadline:
                raise TimeoutError(f"{self.received} of {bytes_in_all} bytes came")

    def leave(self) -> None:
        """Closes everything."""
        self._epoll.close()
        for sock in [*self._sockets.values(), *self._players]:
            sock.close()


def ask(port: int, path: str, receive_buffer: int = 0, *, is_waiting: bool = True) -> socket.socket:
    """A connection that has asked to become a WebSocket; without ``is_waiting`` it does not block."""
    sock = socket.socket()
    if receive_buffer:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    sock.settimeout(PATIENCE_SECONDS)
    sock.connect(("127.0.0.1", port))
    key = base64.b64encode(os.urandom(16)).decode()
    lines = (
        f"GET {path} HTTP/1.1",
        f"Host: 127.0.0.1:{port}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        f"Origin: http://127.0.0.1:{port}",
        f"Sec-WebSocket-Key: {key}",
        "Sec-WebSocket-Version: 13",
    )
    sock.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
    if not is_waiting:
        sock.setblocking(False)
    return sock


def shake(sock: socket.socket) -> None:
    """Waits for the answer and for `READY`; raises `ConnectionError`."""
    got = b""
    while READY.encode() not in got:
        part = sock.recv(4096)
        if not part or (b"\r\n" in got and b" 101 " not in got):
            raise ConnectionError(f"refused: {got[:80]!r}")
        got += part


def masked(text: str) -> bytes:
    """A short text frame as browsers send it."""
    payload = text.encode()
    assert len(payload) < 126
    mask = os.urandom(4)
    hidden = bytes(byte ^ mask[place % 4] for place, byte in enumerate(payload))
    return struct.pack("!BB", 0x81, 0x80 | len(payload)) + mask + hidden


def on_the_wire(length: int) -> int:
    """Bytes of an unmasked frame with its header."""
    return length + (2 if length < 126 else 4)
