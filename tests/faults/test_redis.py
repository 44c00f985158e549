"""Row 3. Redis hangs, is killed and started again, forgets everything; and nothing happens for a while."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable

import redis

from tests.conftest import Serve
from tests.faults.conftest import size
from tests.faults.figures import Figures
from tests.faults.history import worst
from tests.faults.stage import Stage
from tests.faults.test_database import closings
from tests.services import RedisServer, Site

HANGS_SECONDS = size(5, 30)
FIRST_SECONDS = 3
"""So long it may take to find out that Redis does not answer."""
IDLE_SECONDS = size(20, 300)


async def test_redis(
    production: Callable[..., list[Site]],
    redis_server: RedisServer,
    serve: Serve,
    stage: Stage,
    figures: Figures,
) -> None:
    """No move waits, no socket ends, and who watches at another process follows by beats; idle or not."""
    near, far = await asyncio.to_thread(production, 2)
    embedded = await asyncio.to_thread(lambda: serve("embedded", RATE_LIMIT="0"))
    choose = random.Random(3)
    sitting = await stage.seat(near, 1)
    await stage.watch(sitting, far)
    idle = [await stage.seat(site, 2) for site in (near, far, embedded)]
    quiet_until = time.monotonic() + IDLE_SECONDS
    playing = asyncio.create_task(sitting.player.play_on(choose, 0.15))

    faults = []
    redis_server.pause()
    faults.append(time.monotonic())
    await asyncio.sleep(HANGS_SECONDS)
    redis_server.resume()
    await asyncio.sleep(2)
    redis_server.kill9()
    faults.append(time.monotonic())
    await asyncio.sleep(FIRST_SECONDS + 2)
    await asyncio.to_thread(redis_server.start)
    await asyncio.sleep(2)
    redis.Redis.from_url(redis_server.url).flushall()
    await asyncio.sleep(2)
    assert not playing.done(), playing.exception()
    playing.cancel()
    await asyncio.sleep(quiet_until - time.monotonic())
    for each in idle:
        await each.player.move(choose)

    refused = sitting.player.refusals + [f"{code} {n} times" for code, n in sitting.player.put_off.items()]
    settled = [
        wait.seconds
        for wait in stage.waits(sitting)
        if not any(at <= wait.since < at + FIRST_SECONDS for at in faults)
    ]
    figures.none("moves refused", refused)
    figures.most("move, p99", 1000 * worst(sitting.player.took), 400, "ms", quick=5000)
    figures.most("spectators behind, after the first 3 s", max(settled), 2, "s", quick=20)
    figures.none("sockets closed", closings(stage.sittings))
    figures.tell("idle", f"{IDLE_SECONDS} s on both layers")
    await stage.end(figures)
