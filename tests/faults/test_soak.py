"""Row 11. Hours in small: people at their own pace, spectators who come and go."""

from __future__ import annotations

import asyncio
import random
import time
from statistics import linear_regression

from tests.conftest import Serve
from tests.faults.conftest import size
from tests.faults.figures import Figures
from tests.faults.history import worst
from tests.faults.stage import KLONDIKE, SIMPLE_SIMON, Sitting, Stage

PLAYERS = size(10, 50)
SPECTATORS = size(20, 200)
SECONDS = size(60, 1800)
WARM_SECONDS = size(3, 600)
PAUSE_SECONDS = 2.0
STAY_SECONDS = size(5, 60)


async def test_soak(serve: Serve, stage: Stage, figures: Figures, choose: random.Random) -> None:
    """B27: neither memory nor descriptors grow, and the log holds no error."""
    site = await asyncio.to_thread(lambda: serve("embedded", RATE_LIMIT="0"))
    sittings = [await stage.seat(site, rules=(SIMPLE_SIMON, KLONDIKE)[n % 2]) for n in range(PLAYERS)]
    until = time.monotonic() + SECONDS
    people = [
        *(asyncio.create_task(play_for_long(each, choose, until)) for each in sittings),
        *(asyncio.create_task(come_and_go(stage, choose, until)) for _ in range(SPECTATORS)),
    ]
    await asyncio.sleep(WARM_SECONDS)
    begun = time.monotonic()
    memory: list[tuple[float, float]] = []
    descriptors = []
    while time.monotonic() < until:
        memory.append(((time.monotonic() - begun) / 3600, site.memory_mb()))
        descriptors.append(site.descriptors())
        await asyncio.sleep(SECONDS / 180)
    await asyncio.gather(*people)

    slope = linear_regression(*zip(*memory, strict=True)).slope
    # Over so short a time chance counts for more than growth.
    figures.most("memory grows by", slope, 10, "MB an hour", quick=10_000)
    figures.most("memory, last less first", memory[-1][1] - memory[0][1], 10, "MB", quick=40)
    half = len(descriptors) // 2
    figures.most(
        "descriptors, most of the second half less those of the first",
        max(descriptors[half:]) - max(descriptors[:half]),
        PLAYERS,
    )
    figures.most(
        "move, p99",
        1000 * worst([took for each in sittings for took in each.player.took]),
        300,
        "ms",
        quick=5000,
    )
    await stage.end(figures)
    figures.none(
        "errors in the log",
        [line for line in site.tail(1 << 30).splitlines() if " ERROR " in line or "Traceback" in line],
    )


async def play_for_long(sitting: Sitting, choose: random.Random, until: float) -> None:
    while time.monotonic() < until:
        await asyncio.sleep(choose.uniform(0.5, 1.5) * PAUSE_SECONDS)
        await sitting.player.move(choose)


async def come_and_go(stage: Stage, choose: random.Random, until: float) -> None:
    while time.monotonic() < until:
        async with stage.visit(choose.choice(stage.sittings)):
            await asyncio.sleep(min(choose.uniform(0, 2 * STAY_SECONDS), max(0.0, until - time.monotonic())))
