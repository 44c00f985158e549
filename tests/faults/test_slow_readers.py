"""Row 8. Many sockets that never read, at a table that is played fast."""

from __future__ import annotations

import asyncio
import random
import time
from typing import Any

from tests.conftest import Serve
from tests.faults.conftest import size
from tests.faults.figures import Figures
from tests.faults.history import worst
from tests.faults.raw import Raw, open_raw
from tests.faults.stage import Stage

SOCKETS = size(40, 200)
SECONDS = size(0, 60)
BUFFER_BYTES = 4096
LEFT_BEHIND = 600
"""After so many updates what lies unread in the system's own buffers has long been full."""


async def test_slow_readers(serve: Serve, stage: Stage, figures: Figures, choose: random.Random) -> None:
    """B45: memory stays, the others notice nothing; who reads again gets one snapshot, or was sent away."""
    site = await asyncio.to_thread(lambda: serve("embedded", RATE_LIMIT="0"))
    sitting = await stage.seat(site, 1)
    slow = [await open_raw(site, sitting.code, buffer=BUFFER_BYTES) for _ in range(SOCKETS)]
    await sitting.player.play_on(choose, 0, 20)
    before = site.memory_mb()
    begun = time.monotonic()
    while sitting.player.seq < LEFT_BEHIND or time.monotonic() - begun < SECONDS:
        await sitting.player.move(choose)
    figures.tell("updates not read", sitting.player.seq)
    figures.most("memory", site.memory_mb() - before, 60, "MB")
    figures.most("moves of others, p99", 1000 * worst(sitting.player.took), 300, "ms", quick=5000)
    waits = [wait.seconds for wait in stage.waits(sitting)]
    figures.most("spectators behind, p99", 1000 * worst(waits), 300, "ms", quick=5000)

    newest = sitting.player.seq
    ends = await asyncio.gather(*(read_on(raw, newest) for raw in slow))
    came_back = [frame for frame in ends if frame is not None]
    sent_away = [raw.code for raw, frame in zip(slow, ends, strict=True) if frame is None]
    figures.tell("came back, sent away", f"{len(came_back)}, {len(sent_away)}")
    figures.none(
        "came back by something else than a snapshot",
        [frame["type"] for frame in came_back if frame["type"] != "snapshot"],
    )
    # Who was sent away long before it read has been cut off, without a code.
    figures.none("sent away with another code", [str(code) for code in sent_away if code not in (4008, None)])
    for raw in slow:
        raw.close()
    await stage.end(figures)


async def read_on(raw: Raw, newest: int) -> dict[str, Any] | None:
    """Reads until the newest seq is told, and returns the frame that did so; None when the socket ends."""
    async with asyncio.timeout(60):
        while (frame := await raw.next()) is not None:
            if frame["type"] in ("update", "snapshot") and frame["seq"] >= newest:
                return frame
            if frame["type"] == "bye":
                await raw.ends()
                return None
    return None
