"""Beyond one process: what a move costs Redis and each process whose spectators watch it."""

from __future__ import annotations

import time
from typing import Final

from tests.bench import figures, frames
from tests.bench.crowd import on_the_wire
from tests.bench.fanout import gathered
from tests.bench.figures import Row, cpu_seconds, median_of

EACH: Final = 100
"""Spectators of each process."""
SECONDS: Final = 3


def costs(processes: int) -> dict[str, float]:
    """Microseconds of processor time for each move: of Redis, of the publisher, of one other process."""
    size = EACH * processes
    with gathered("hub", size, with_redis=True, processes=processes) as (crowd, [redis, first, *others]):
        each, moves, begun = on_the_wire(frames.length("real")) * size, 0, time.monotonic()
        spent = [cpu_seconds([pid]) for pid in (redis, first, *others)]
        while time.monotonic() - begun < SECONDS:
            crowd.say(f"real {frames.FIRST_SEQ + moves}")
            moves += 1
            crowd.wait(each * max(0, moves - 4))
        crowd.wait(each * moves)
        used = [
            1e6 * (cpu_seconds([pid]) - before) / moves
            for pid, before in zip((redis, first, *others), spent, strict=True)
        ]
        return {"redis": used[0], "publisher": used[1], "hearer": max(used[2:], default=0.0)}


def run() -> None:
    """Prints the table."""
    figures.head(
        "growth", f"Processor time for each move, {EACH} spectators of the same table in each process."
    )
    found = median_of({f"{count} processes": lambda count=count: costs(count) for count in (1, 2, 3)})  # type: ignore[misc]
    alone = found["1 processes"]
    for name, cost in found.items():
        figures.show(
            [
                Row(f"Redis, {name}", cost["redis"], "us", "one process", alone["redis"]),
                Row(
                    f"the player's process, {name}",
                    cost["publisher"],
                    "us",
                    "one process",
                    alone["publisher"],
                ),
                Row(f"another process, {name}", cost["hearer"], "us", "the player's", cost["publisher"]),
            ]
        )
