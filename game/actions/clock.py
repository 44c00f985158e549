"""The clock of the machine is watched: when it is set, the times of games in play are wrong.

Such a game is kept and goes on, and does not count where time is what counts. A clock that runs a little fast
or slow is followed.
"""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Final

from game import database
from game.engine.games import GAMES
from game.engine.rules import Ranking
from game.models import Game, Unranked

logger = logging.getLogger(__name__)

PAUSE_SECONDS: Final = 1.0
STEP_SECONDS: Final = 5.0
"""A difference of so much within `PAUSE_SECONDS` is no drift."""


def unrank_running() -> int:
    """Takes the ranking from every game whose time counts and runs; how many there were."""
    timed = [rules.slug for rules in GAMES if rules.ranking is Ranking.TIME]
    running = Game.objects.filter(ended_at=None, first_ms__isnull=False, rules_slug__in=timed)
    return running.filter(ranked=True).update(ranked=False, unranked_because=Unranked.CLOCK)


async def watch() -> None:
    """Compares the wall clock with one that nobody can set, for ever."""
    offset = time.time() - time.monotonic()
    while True:
        await asyncio.sleep(PAUSE_SECONDS)
        now = time.time() - time.monotonic()
        if abs(now - offset) > STEP_SECONDS:
            try:
                count = await database.write(unrank_running)
            except (database.DatabaseTrouble, TimeoutError) as error:
                # The step is seen again next time.
                logger.warning("The clock was set, and games could not be marked: %r", error)
                continue
            logger.warning("The clock was set by %d s: %d games do not count", now - offset, count)
        offset = now
