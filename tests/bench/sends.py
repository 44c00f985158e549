"""The least that a fan-out in Python costs: a loop that sends one frame to every socket, and nothing else."""

from __future__ import annotations

import selectors
import socket
from typing import Final

from config.direct import text_frame
from tests.bench import frames
from tests.bench.crowd import READY

_ACCEPTED: Final = b"HTTP/1.1 101 Switching Protocols\r\n\r\n"


def serve(port: int) -> None:
    """Serves the crowds of `rooms` at one table until it is killed."""
    watching: dict[socket.socket, None] = {}
    asked = selectors.DefaultSelector()
    with socket.create_server(("127.0.0.1", port), backlog=4096) as listener:
        asked.register(listener, selectors.EVENT_READ)
        while True:
            for key, _ in asked.select():
                sock = key.fileobj
                assert isinstance(sock, socket.socket)
                if sock is listener:
                    sock, _ = listener.accept()
                    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    asked.register(sock, selectors.EVENT_READ)
                elif not (said := sock.recv(4096)):
                    asked.unregister(sock)
                    watching.pop(sock, None)
                    sock.close()
                elif said.startswith(b"GET"):
                    sock.sendall(_ACCEPTED + text_frame(READY))
                    if b"/watch" in said.split(b"\r\n", 1)[0]:
                        watching[sock] = None
                else:
                    _tell(watching, said)


def _tell(watching: dict[socket.socket, None], said: bytes) -> None:
    """Sends what the player's frames, one after the other, ask for; a part of one would be lost."""
    while said:
        end = 6 + (said[1] & 0x7F)
        text = bytes(byte ^ said[2 + place % 4] for place, byte in enumerate(said[6:end])).decode()
        size, number = text.split()
        frame = text_frame(frames.text(size, int(number)))
        for sock in watching:
            sock.send(frame)
        said = said[end:]
