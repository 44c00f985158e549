"""Row 1. The server is killed at random instants while somebody plays and three watch."""

from __future__ import annotations

import asyncio
import random
import time

from tests.conftest import Serve
from tests.faults.conftest import size
from tests.faults.figures import Figures
from tests.faults.history import worst
from tests.faults.stage import Sitting, Stage

KILLS = size(10, 200)


async def test_killed(serve: Serve, stage: Stage, figures: Figures, choose: random.Random) -> None:
    """B15: nothing acknowledged is lost, nothing comes twice, and everybody comes back; both set-ups."""
    stage.patience = 0.2
    sittings = [await stage.seat(serve(name, RATE_LIMIT="0"), 3) for name in ("embedded", "production")]
    back = await asyncio.gather(*(killed(sitting, choose) for sitting in sittings))
    for name, starts in zip(("SQLite", "Postgres"), back, strict=True):
        waited, worked = ([start[n] for start in starts] for n in (0, 1))
        figures.tell(f"{name}: kills", len(starts))
        figures.most(f"{name}: back, p99", worst(waited), 2, "s", quick=60)
        figures.tell(f"{name}: back, median", f"{worst(waited, 0.5):.3g} s")
        figures.most(f"{name}: processor time of a start, p99", worst(worked), 2, "s", quick=10)
    await stage.end(figures)


async def killed(sitting: Sitting, choose: random.Random) -> list[tuple[float, float]]:
    """Kills a table's server again and again; for each start the seconds until it answered, as they pass and
    of the processor.
    """
    playing = asyncio.create_task(sitting.player.play_on(choose, 0.01))
    back = []
    for _ in range(KILLS):
        await sitting.player.welcomed()
        await asyncio.sleep(choose.uniform(0, 0.3))
        sitting.site.kill9()
        begun = time.monotonic()
        await asyncio.to_thread(sitting.site.start)
        back.append((time.monotonic() - begun, sitting.site.processor_seconds()))
        assert not playing.done(), playing.exception()
    await sitting.player.welcomed()
    playing.cancel()
    return back
