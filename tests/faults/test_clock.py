"""Row 5. The wall clock of the server is set by an hour and by 25, ahead and back, in mid-game."""

from __future__ import annotations

import asyncio
import random
from functools import partial
from pathlib import Path

from tests.conftest import Serve
from tests.faults.conftest import size
from tests.faults.figures import Figures
from tests.faults.history import sightings, worst
from tests.faults.stage import KLONDIKE, SIMPLE_SIMON, Sitting, Stage, record_of

HOUR = 3600
STEPS = [HOUR, -HOUR, 25 * HOUR, -25 * HOUR]
MOVES = size(4, 40)


async def test_clock(serve: Serve, stage: Stage, figures: Figures, choose: random.Random) -> None:
    """B56: no socket goes deaf, no time gets shorter; a game that time decides is kept and does not count."""
    settings = {"DJANGO_SETTINGS_MODULE": "tests.faults.shifted.settings", "RATE_LIMIT": "0"}
    sites = [
        await asyncio.to_thread(partial(serve, name, VAR=f"{stage.folder / name}", **settings))
        for name in ("embedded", "production")
    ]
    sittings = [
        await stage.seat(site, 2, rules=rules) for site in sites for rules in (KLONDIKE, SIMPLE_SIMON)
    ]
    await play(sittings, choose)
    untouched = [record_of(each.site, each.code)["ranked"] for each in sittings]
    ahead = 0
    for step in STEPS:
        ahead += step
        for site in sites:
            set_clock(Path(site.settings["VAR"]), ahead)
        await play(sittings, choose)
    async with asyncio.timeout(30):
        while any(record_of(each.site, each.code)["ranked"] for each in sittings[::2]):  # noqa: ASYNC110
            await asyncio.sleep(0.1)

    assert all(untouched)
    figures.none(
        "deaf or closed sockets",
        [
            f"{screen.who}: {screen.closings}"
            for each in sittings
            for screen in each.screens
            if screen.closings
        ],
    )
    waits = [wait.seconds for each in sittings for wait in stage.waits(each)]
    figures.most("spectators behind, p99", worst(waits), 1, "s", quick=20)
    figures.none("times that got shorter", [each.code for each in sittings if shorter(stage, each)])
    still = [record_of(each.site, each.code)["ranked"] for each in sittings]
    figures.none("games that time decides and that still count", ["game"] * sum(still[::2]))
    figures.tell("games by score that still count", sum(still[1::2]))
    assert all(still[1::2])
    await stage.end(figures)


def set_clock(var: Path, ahead: int) -> None:
    """Lets a server's clock go so many seconds ahead, from one moment to the next.

    A file that is there half written would be another time for an instant; timers that are begun then end
    at once.
    """
    (var / "clock.new").write_text(str(ahead))
    (var / "clock.new").replace(var / "clock")


async def play(sittings: list[Sitting], choose: random.Random) -> None:
    """A few commands at each table, seen by all."""
    for each in sittings:
        for _ in range(MOVES):
            await each.player.move(choose)
        await asyncio.gather(*(screen.reaches(each.player.seq, 30) for screen in each.spectators))


def shorter(stage: Stage, sitting: Sitting) -> bool:
    """Whether an event was told with less time on the game's clock than an earlier one."""
    told = {
        state["seq"]: state["elapsed_ms"]
        for entry, state in sightings(stage.history.of(sitting.code))
        if entry.what["type"] == "update"
    }
    times = [told[seq] for seq in sorted(told)]
    return times != sorted(times)
