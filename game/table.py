"""One watched game in this process: its sockets, and the updates on their way to them."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from typing import Final

from game import measures
from game.selectors.tables import GameKey
from game.sockets import Socket, to_each

MAX_OUTBOX: Final = 256
"""So many updates wait at most; who misses older ones heals as after any gap."""


class Table:
    """A game and who watches it.

    ``head`` is the newest seq that was heard of in any way, ``taken`` that of the newest update.
    ``fanning_out`` is the task at work on the outbox, None while there is nothing to do.
    """

    __slots__ = ("fanning_out", "head", "key", "outbox", "sockets", "taken")

    def __init__(self, key: GameKey) -> None:
        self.key = key
        self.sockets: set[Socket] = set()
        self.head = 0
        self.taken = 0
        self.outbox: deque[tuple[int, str, float]] = deque(maxlen=MAX_OUTBOX)
        self.fanning_out: asyncio.Task[None] | None = None

    def heard_of(self, seq: int) -> None:
        """Notes how far the game has come."""
        self.head = max(self.head, seq)

    def take(self, seq: int, text: str) -> bool:
        """Puts an update into the outbox unless it is old; whether somebody must begin to fan out."""
        if seq <= self.taken:
            return False
        self.taken = seq
        self.heard_of(seq)
        self.outbox.append((seq, text, time.perf_counter()))
        return self.fanning_out is None

    async def fan_out(self) -> None:
        """Sends what waits to every socket."""
        # Two turns of the loop let the asker's answer out first.
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        try:
            while self.outbox:
                seq, text, came_at = self.outbox.popleft()
                await to_each(self.sockets, Socket.update, seq, text)
                measures.fan_out_seconds.observe(time.perf_counter() - came_at)
        finally:
            self.fanning_out = None
