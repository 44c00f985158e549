"""Text frames written straight to the OS socket while nothing waits in the transport.

Twisted arms and disarms a writer for every write, which costs more than the write itself. A frame that
goes to a thousand sockets is therefore made once and sent past that machinery; whatever the OS does not
take goes the ordinary way. Everything here must be called on the event loop's thread.
"""

from __future__ import annotations

import struct
from typing import Any

from twisted.internet import tcp


def text_frame(text: str) -> bytes:
    """One unmasked, unfragmented, uncompressed WebSocket text frame (RFC 6455, 5.2)."""
    payload = text.encode()
    size = len(payload)
    if size < 126:
        return struct.pack("!BB", 0x81, size) + payload
    if size < 1 << 16:
        return struct.pack("!BBH", 0x81, 126, size) + payload
    return struct.pack("!BBQ", 0x81, 127, size) + payload


class SharedFrame:
    """The frame of the newest text, so that all who are handed the same text share the same bytes."""

    __slots__ = ("_frame", "_text")

    def __init__(self) -> None:
        self._text = ""
        self._frame = text_frame("")

    def of(self, text: str) -> bytes:
        """The frame of a text; made anew only when it is another object than the last one."""
        if text is not self._text:
            self._text, self._frame = text, text_frame(text)
        return self._frame


def waiting(transport: Any) -> int:
    """Bytes that were written and not yet taken by the OS.

    Twisted tells nobody how much it holds back, hence the look into its private fields: what is left of the
    buffer being sent, and the pieces that will be joined to it.
    """
    size: int = len(transport.dataBuffer) - transport.offset + transport._tempDataLen  # noqa: SLF001
    return size


def is_plain(transport: Any) -> bool:
    """Whether bytes may go to the socket as they are: TCP without TLS or any other wrapper."""
    return type(transport) is tcp.Server and not transport.TLS


def offer(transport: Any, data: bytes, limit: int) -> bool:
    """Writes to a plain transport in order, unless more than ``limit`` bytes wait in it; whether it did.

    At once if nothing waits, else behind what waits. A broken connection is left for the ordinary write to
    find, which closes it in the ordinary way. One call, since it is made for every spectator of every move.
    """
    held = len(transport.dataBuffer) - transport.offset + transport._tempDataLen  # noqa: SLF001
    if held > limit:
        return False
    if not held and transport.connected and not transport.disconnecting:
        try:
            sent = transport.socket.send(data)
        except OSError:
            sent = 0
        if sent == len(data):
            return True
        data = data[sent:]
    transport.write(data)
    return True
