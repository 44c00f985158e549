"""One open socket, as the hub sees it: what it was sent, and how far its reader lags behind."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Collection
from typing import Any, Final

from game import measures, wire
from game.seats import NOBODY, Seat

FRAME_EXTENSION: Final = "tableau.frame"
LAG_BYTES: Final = 64 * 1024
"""With so much unsent a socket gets nothing more until it has caught up."""
CAUGHT_UP_BYTES: Final = 8 * 1024
SLICE: Final = 64
"""So many sockets are served at a stretch; then the loop gets a turn, and other tables with it."""

Send = Callable[[dict[str, Any]], Awaitable[None]]


class Socket:
    """A socket that was accepted.

    ``role``, ``seat``, ``lang`` and ``person`` are known before it watches anything. ``sent`` is the newest
    seq it was told, None until it has been welcomed; until then updates are kept for it. ``lagging_since``
    is the moment, in the loop's clock, at which it was found to read too slowly, None while it reads well.
    ``crowd`` is the last frame about who watches, and ``crowd_at`` when it was sent.
    """

    __slots__ = (
        "_buffered",
        "_kept",
        "_offer",
        "_queue",
        "_send",
        "_write",
        "code",
        "crowd",
        "crowd_at",
        "lagging_since",
        "lang",
        "person",
        "role",
        "seat",
        "sent",
    )

    def __init__(self, scope: dict[str, Any], send: Send) -> None:
        self.seat: Seat = NOBODY
        self.lang = "en"
        self.person = ""
        self.role = "spectator"
        self.sent: int | None = None
        self.code: int | None = None
        self.lagging_since: float | None = None
        self.crowd = ""
        self.crowd_at = 0.0
        self._send = send
        self._kept: list[tuple[int, str]] | None = None
        self._queue: _Queue | None = None
        frames = scope.get("extensions", {}).get(FRAME_EXTENSION)
        if frames is None:
            self._queue = _Queue(send)
            self._write: Callable[[str], None] = self._queue.put
            self._offer: Callable[[str, int], bool] = self._queue.offer
            self._buffered: Callable[[], int] = self._queue.size
        else:
            self._write, self._offer = frames["send"], frames["offer"]
            self._buffered = frames["buffered"]

    @property
    def is_open(self) -> bool:
        return self.code is None

    def put(self, text: str) -> bool:
        """Sends a frame, unless the socket lags behind or is closed; whether it was sent."""
        if self.code is not None or self.lagging_since is not None:
            return False
        if self._offer(text, LAG_BYTES):
            return True
        self.lagging_since = asyncio.get_running_loop().time()
        return False

    def update(self, seq: int, text: str) -> None:
        """Sends an update unless the socket knows it already."""
        if self.sent is None:
            if self._kept is None:
                self._kept = []
            self._kept.append((seq, text))
        elif seq > self.sent and self.put(text):
            self.sent = seq

    def welcome(self, seq: int, text: str) -> None:
        """Sends the first message, which tells of everything up to ``seq``, and what came meanwhile."""
        self.sent = seq
        self.put(text)
        kept, self._kept = self._kept, None
        for newer, update in kept or ():
            self.update(newer, update)

    def told(self, seq: int) -> None:
        """Notes that the socket has been told of ``seq`` otherwise."""
        self.sent = max(self.sent or 0, seq)

    def has_caught_up(self) -> bool:
        """Whether a lagging socket can be sent to again."""
        return self._buffered() <= CAUGHT_UP_BYTES

    def catch_up(self, seq: int, text: str) -> None:
        """Ends the lag with a snapshot."""
        if self.lagging_since is None:
            return
        self.lagging_since = None
        if seq >= (self.sent or 0) and self.put(text):
            self.sent = seq

    async def close(self, bye: wire.Bye) -> None:
        """Says good-bye and closes, once; to a lagging socket too."""
        if self.code is not None:
            return
        self.code = bye.code
        measures.closed.labels(bye.code, bye.reason).inc()
        self._write(wire.encode(bye))
        if self._queue is not None:
            await self._queue.close()
        await self._send({"type": "websocket.close", "code": bye.code})

    def drop(self) -> None:
        """The other side is gone: nothing more is sent."""
        if self.code is None:
            self.code = 1006
        if self._queue is not None:
            self._queue.drop()


async def to_each(sockets: Collection[Socket], tell: Callable[..., object], *what: object) -> None:
    """Calls ``tell(socket, *what)`` for each, in slices: a big table does not hold up the others."""
    for number, socket in enumerate(tuple(sockets), 1):
        tell(socket, *what)
        if number % SLICE == 0:
            await asyncio.sleep(0)


class _Queue:
    """Frames on their way to an ASGI ``send`` that may make one wait."""

    __slots__ = ("_frames", "_send", "_size", "_task")

    def __init__(self, send: Send) -> None:
        self._send = send
        self._frames: deque[str] = deque()
        self._size = 0
        self._task: asyncio.Task[None] | None = None

    def size(self) -> int:
        return self._size

    def offer(self, text: str, limit: int) -> bool:
        if self._size > limit:
            return False
        self.put(text)
        return True

    def put(self, text: str) -> None:
        self._frames.append(text)
        self._size += len(text)
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._drain())

    async def _drain(self) -> None:
        try:
            while self._frames:
                text = self._frames[0]
                await self._send({"type": "websocket.send", "text": text})
                self._frames.popleft()
                self._size -= len(text)
        finally:
            self._task = None

    async def close(self) -> None:
        if self._task is not None:
            await asyncio.wait([self._task], timeout=1)

    def drop(self) -> None:
        if self._task is not None:
            self._task.cancel()
        self._frames.clear()
        self._size = 0
