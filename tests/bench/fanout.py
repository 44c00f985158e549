"""Fan-out without rules and database: the product's hub beside what the tutorial of Channels leads to."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final

from tests.bench import figures, frames
from tests.bench.crowd import Crowd, on_the_wire
from tests.bench.figures import Row, alternate, cpu_seconds
from tests.services import ROOT, Process, RedisServer, free_port

CPU_SECONDS: Final = float(os.environ.get("BENCH_CPU_SECONDS", "0.5"))
WALL_SECONDS: Final = 6.0
WINDOW: Final = 4
"""Moves that are under way at once."""


class Room(Process):
    """A server of `rooms` on a port of its own."""

    def __init__(self, kind: str, folder: Path, redis_url: str = "", **env: str) -> None:
        self.port = free_port()
        command = [sys.executable, "-m", "tests.bench.rooms", kind, str(self.port), redis_url]
        var = folder / f"var-{self.port}"
        clean = {
            name: value for name, value in os.environ.items() if name not in ("REDIS_URL", "DATABASE_URL")
        }
        super().__init__(command, folder, {**clean, "VAR": str(var), **env}, cwd=ROOT)

    def start(self) -> None:
        """Returns when it lets somebody in."""
        self.spawn()
        self.wait_ready(self._answers)

    def _answers(self) -> bool:
        try:
            Crowd([self.port], 1).leave()
        except OSError:
            return False
        return True


@contextmanager
def gathered(
    kind: str, size: int, *, tables: int = 1, with_redis: bool = False, processes: int = 1
) -> Iterator[tuple[Crowd, list[int]]]:
    """A crowd in one or more rooms, and the ids of the processes that serve it."""
    with tempfile.TemporaryDirectory(prefix="tableau-bench-") as folder:
        redis = RedisServer(Path(folder)) if with_redis else None
        started: list[Process] = []
        try:
            if redis is not None:
                redis.start()
                started.append(redis)
            rooms = [Room(kind, Path(folder), redis.url if redis else "") for _ in range(processes)]
            for room in rooms:
                started.append(room)
                room.start()
            crowd = Crowd([room.port for room in rooms], size, tables)
            yield crowd, [process.pid for process in started]
            crowd.leave()
        finally:
            for process in reversed(started):
                process.kill9()


def deliveries(
    kind: str,
    size: int,
    frame: str,
    *,
    tables: int = 1,
    with_redis: bool = False,
    processes: int = 1,
) -> float:
    """Deliveries for each second of the servers' processor time, Redis included."""
    length = frames.naive_length(frame) if kind == "naive" else frames.length(frame)
    each = on_the_wire(length) * (size // tables)
    with gathered(kind, size, tables=tables, with_redis=with_redis, processes=processes) as (crowd, pids):
        moves = 0

        def move() -> None:
            nonlocal moves
            crowd.say(f"{frame} {frames.FIRST_SEQ + moves}", moves % tables)
            moves += 1
            crowd.wait(each * (moves - window))

        window = 0
        move()
        window = WINDOW * tables
        first, spent, begun = moves, cpu_seconds(pids), time.monotonic()
        while cpu_seconds(pids) - spent < CPU_SECONDS and time.monotonic() - begun < WALL_SECONDS:
            move()
        crowd.wait(each * moves)
        return (moves - first) * (size // tables) / (cpu_seconds(pids) - spent)


def run() -> None:
    """Prints the tables."""
    figures.head(
        "fan-out",
        "Deliveries for each second of processor time of the server (and Redis), the hub driven directly. "
        "`small` is 150 bytes, `real` an update of the product, `big` 1.3 kB.",
    )
    one = alternate(
        {
            "naive in memory, small": partial(deliveries, "naive", 1000, "small"),
            "naive pub/sub, small": partial(deliveries, "naive", 1000, "small", with_redis=True),
            "hub, real": partial(deliveries, "hub", 1000, "real"),
            "hub with Redis, real": partial(deliveries, "hub", 1000, "real", with_redis=True),
            "hub, small": partial(deliveries, "hub", 1000, "small"),
            "hub, big": partial(deliveries, "hub", 1000, "big"),
            "hub, 3,000": partial(deliveries, "hub", 3000, "small"),
            "hub, 100": partial(deliveries, "hub", 100, "small"),
            "sends alone, 3,000": partial(deliveries, "sends", 3000, "small"),
            "sends alone, 100": partial(deliveries, "sends", 100, "small"),
            "fallback, real": partial(deliveries, "fallback", 1000, "real"),
            "hub, 3 processes with Redis, real": partial(
                deliveries, "hub", 3000, "real", with_redis=True, processes=3
            ),
        }
    )
    unit = "/CPU-s"

    def row(what: str, name: str, baseline: str, goal: str) -> Row:
        return Row(what, one[name], unit, baseline, one.get(baseline), goal)

    figures.show(
        [
            row("1: 1,000 spectators, in memory", "hub, real", "naive in memory, small", ">= 30"),
            row("1: the same with Redis", "hub with Redis, real", "naive pub/sub, small", ">= 20"),
            row("4: `send` alone, stock daphne", "fallback, real", "naive in memory, small", ">= 6"),
            row("5: 1.3 kB", "hub, big", "hub, small", ">= 0.8"),
            row("5: 3,000 spectators", "hub, 3,000", "hub, 100", ">= 0.7"),
            row("the same of sends alone", "sends alone, 3,000", "sends alone, 100", ""),
            row(
                "three processes, 3,000 spectators",
                "hub, 3 processes with Redis, real",
                "hub with Redis, real",
                "",
            ),
        ]
    )
    many = alternate(
        {
            "naive in memory, 250 tables": partial(deliveries, "naive", 1000, "small", tables=250),
            "naive pub/sub, 250 tables": partial(
                deliveries, "naive", 1000, "small", tables=250, with_redis=True
            ),
            "hub, 250 tables": partial(deliveries, "hub", 1000, "real", tables=250),
            "hub with Redis, 250 tables": partial(
                deliveries, "hub", 1000, "real", tables=250, with_redis=True
            ),
        }
    )
    one |= many
    figures.show(
        [
            row("6: 250 tables of 4", "hub, 250 tables", "naive in memory, 250 tables", ">= 8"),
            row("6: the same with Redis", "hub with Redis, 250 tables", "naive pub/sub, 250 tables", ">= 2"),
        ]
    )
