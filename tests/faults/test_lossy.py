"""Row 2. A layer between two processes that loses, doubles and delays a tenth of its messages each."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable

from tests.faults.conftest import size
from tests.faults.figures import Figures
from tests.faults.history import worst
from tests.faults.stage import Stage
from tests.services import Site

GAMES = size(4, 100)
SPECTATORS = size(4, 20)
COMMANDS = size(25, 40)
PAUSE_SECONDS = size(1, 40) / 10
BEAT_SECONDS = 5


async def test_lossy(
    production: Callable[..., list[Site]], stage: Stage, figures: Figures, choose: random.Random
) -> None:
    """B36: every game ends right on every screen, and no screen is behind for longer than a beat."""
    near, far = await asyncio.to_thread(production, 2, DJANGO_SETTINGS_MODULE="tests.faults.lossy.settings")
    sittings = [await stage.seat(near) for _ in range(GAMES)]
    for sitting in sittings:
        await asyncio.gather(*(stage.watch(sitting, far) for _ in range(SPECTATORS)))
    await asyncio.gather(*(each.player.play_on(choose, PAUSE_SECONDS, COMMANDS) for each in sittings))
    await stage.end(figures)
    waits = [wait.seconds for sitting in sittings for wait in stage.waits(sitting)]
    late = sum(wait > 0.3 for wait in waits)
    figures.tell("updates watched, later than 300 ms", f"{len(waits)}, {late}")
    figures.most("stale, median", 1000 * worst(waits, 0.5), 300, "ms", quick=600)
    figures.most("stale, most", max(waits), BEAT_SECONDS, "s", quick=30)
    assert late, "the layer lost nothing"
