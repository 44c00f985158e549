"""Row 9. A polite end: two processes with many sockets are restarted one after the other."""

from __future__ import annotations

import asyncio
import itertools
import random
import time
from collections.abc import Callable

from tests.faults.conftest import FORM, size
from tests.faults.figures import Figures
from tests.faults.screens import Screen
from tests.faults.stage import Stage
from tests.services import Site

PLAYERS = size(3, 20)
SPECTATORS = size(30, 500)
RESTART = 4012
LEASE_SECONDS = 90


async def test_restart(
    production: Callable[..., list[Site]], stage: Stage, figures: Figures, choose: random.Random
) -> None:
    """B44, B54: everybody is told when to come back, and does so spread; no move is lost, no lease stays."""
    sites = await asyncio.to_thread(production, 2)
    up = set(sites)
    turns = itertools.count()

    def where() -> str:
        # As a proxy does: one after the other, passing over those that are down.
        open_sites = [site for site in sites if site in up]
        return open_sites[next(turns) % len(open_sites)].ws_url

    sittings = [await stage.seat(sites[0], where=where) for _ in range(PLAYERS)]
    for number in range(SPECTATORS):
        await stage.watch(sittings[number % PLAYERS], sites[0], where)
    screens = [screen for each in sittings for screen in each.screens]
    playing = [asyncio.create_task(each.player.play_on(choose, 0.5)) for each in sittings]

    for site in sites:
        at_site = [screen for screen in screens if screen.connected_to == site.ws_url]
        before = {screen: len(screen.closings) for screen in at_site}
        up.discard(site)
        begun = time.monotonic()
        code = await asyncio.to_thread(site.stop, 30)
        figures.most("ends within", time.monotonic() - begun, 10, "s", quick=15)
        assert code == 0, site.tail()
        await asyncio.gather(*(screen.welcomed() for screen in at_site))
        figures.none(
            "not told bye and 4012",
            [
                f"{screen.who}: {screen.closings[before[screen] :]}"
                for screen in at_site
                if not was_told(screen, before[screen])
            ],
        )
        away = [seconds for screen in at_site for seconds in screen.away[-1:]]
        figures.most("all back within", max(away), 8, "s", quick=30)
        figures.tell("spread", f"{max(away) - min(away):.1f} s over {len(away)} sockets")
        if FORM == "long":
            assert max(away) - min(away) >= 4, "they came back all at once"
        await asyncio.to_thread(site.start)
        up.add(site)

    await asyncio.gather(*(each.player.reaches(each.player.seq + 1) for each in sittings))
    for task in playing:
        assert not task.done(), task.exception()
        task.cancel()
    if FORM == "long":
        await crowds_are_right(figures, [each.spectators[0] for each in sittings])
    figures.none(
        "other closes",
        [f"{screen.who}: {code}" for screen in screens for code, _ in screen.closings if code != RESTART],
    )
    await stage.end(figures)


def was_told(screen: Screen, before: int) -> bool:
    """Whether it was closed with 4012 once, and told so before."""
    closings = screen.closings[before:]
    return [(code, (bye or {}).get("code")) for code, bye in closings] == [(RESTART, RESTART)]


async def crowds_are_right(figures: Figures, watchers: list[Screen]) -> None:
    """Waits until every table's crowd is as large as it is, for a lease has been let go or has run out."""
    begun = time.monotonic()
    wanted = SPECTATORS // PLAYERS
    async with asyncio.timeout(LEASE_SECONDS + 30):
        while any(screen.crowd.get("count") != wanted for screen in watchers):  # noqa: ASYNC110
            await asyncio.sleep(0.2)
    figures.most("no stale lease after", time.monotonic() - begun, LEASE_SECONDS, "s")
