"""Everybody comes back at once: to the hub, behind a short queue at the door, and to naive Channels."""

from __future__ import annotations

import os
import select
import tempfile
import time
from pathlib import Path
from typing import Final

from tests.bench import figures
from tests.bench.crowd import READY, ask
from tests.bench.fanout import Room
from tests.bench.figures import Row, cpu_seconds, median_of

SOCKETS: Final = int(os.environ.get("BENCH_SOCKETS", "2000"))
SECONDS: Final = 60


def storm(kind: str, backlog: int = 4096) -> dict[str, float]:
    """Connections a second, processor time of the server for each in ms, and how many failed."""
    with tempfile.TemporaryDirectory(prefix="tableau-bench-") as folder:
        room = Room(kind, Path(folder), BACKLOG=str(backlog))
        try:
            room.start()
            spent, begun = cpu_seconds([room.pid]), time.monotonic()
            opened = [ask(room.port, "/0/watch", is_waiting=False) for _ in range(SOCKETS)]
            waiting = {sock.fileno(): sock for sock in opened}
            poll = select.epoll()
            for fileno in waiting:
                poll.register(fileno, select.EPOLLIN)
            failed = 0
            last = begun
            while waiting and time.monotonic() - begun < SECONDS:
                for fileno, _ in poll.poll(1):
                    try:
                        got = waiting[fileno].recv(4096)
                    except OSError:
                        got = b""
                    if READY.encode() in got or not got:
                        failed += not got
                        poll.unregister(fileno)
                        del waiting[fileno]
                        last = time.monotonic()
            cpu = cpu_seconds([room.pid]) - spent
            for sock in opened:
                sock.close()
            come = SOCKETS - failed - len(waiting)
            return {"rate": come / (last - begun), "cpu": 1000 * cpu / max(come, 1), "failed": SOCKETS - come}
        finally:
            room.kill9()


def run() -> None:
    """Prints the table."""
    figures.head("storm", f"{SOCKETS:,} sockets that connect at once, without rules, sessions and database.")
    found = median_of(
        {
            "hub": lambda: storm("hub"),
            "the same behind a queue of 50": lambda: storm("fallback", 50),
            "naive": lambda: storm("naive"),
        }
    )
    hub, short, naive = found["hub"], found["the same behind a queue of 50"], found["naive"]
    figures.show(
        [
            Row("9: failed", hub["failed"], "", "", None, "<= 0", True),
            Row("9: connections", hub["rate"], "/s", "behind a queue of 50", short["rate"], ">= 10"),
            Row("9: processor time for each", hub["cpu"], "ms", "naive", naive["cpu"], "<= 0.9"),
            Row("failed behind a queue of 50", short["failed"], ""),
        ]
    )
