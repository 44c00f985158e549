"""Memory: of a spectator who reads, and of those who have stopped reading."""

from __future__ import annotations

import os
import time
from typing import Final

from tests.bench import figures, frames
from tests.bench.crowd import ask, on_the_wire, shake
from tests.bench.fanout import gathered
from tests.bench.figures import Row, alternate, median_of, resident_bytes

SPECTATORS: Final = int(os.environ.get("BENCH_SOCKETS", "2000"))
STALLED: Final = 20
READING: Final = 50
SECONDS: Final = 8


def of_a_spectator(kind: str) -> float:
    """Resident memory for each of many spectators, in KB."""
    with gathered(kind, 1) as (_crowd, [pid]):
        before = resident_bytes(pid)
    with gathered(kind, SPECTATORS) as (crowd, [pid]):
        crowd.say(f"real {frames.FIRST_SEQ}")
        length = frames.naive_length("real") if kind == "naive" else frames.length("real")
        crowd.wait(on_the_wire(length) * SPECTATORS)
        return (resident_bytes(pid) - before) / SPECTATORS / 1024


def beside_the_stalled(kind: str, stalled: int) -> dict[str, float]:
    """While some never read what others get: the memory that a server gains, in MB, and how long it takes
    until all others have an update, p99 in ms.
    """
    with gathered(kind, READING) as (crowd, [pid]):
        stuck = [ask(crowd.port, "/0/watch", receive_buffer=4096) for _ in range(stalled)]
        for sock in stuck:
            shake(sock)
        length = frames.naive_length("big") if kind == "naive" else frames.length("big")
        before, begun, moves = resident_bytes(pid), time.monotonic(), 0
        took = []
        while time.monotonic() - begun < SECONDS:
            said = time.perf_counter()
            crowd.say(f"big {frames.FIRST_SEQ + moves}")
            moves += 1
            crowd.wait(on_the_wire(length) * READING * moves)
            took.append(time.perf_counter() - said)
        gained = resident_bytes(pid) - before
        for sock in stuck:
            sock.close()
        return {"gained": gained / 2**20, "p99": sorted(took)[len(took) * 99 // 100] * 1000}


def run() -> None:
    """Prints the table."""
    figures.head(
        "memory",
        f"Resident, of the process: {SPECTATORS:,} spectators after an update, and {STALLED} that stop"
        f" reading beside {READING} that read as many updates of 1.3 kB as they can in {SECONDS} s.",
    )
    each = alternate({"hub": lambda: of_a_spectator("hub"), "naive": lambda: of_a_spectator("naive")})
    beside = median_of(
        {
            "hub": lambda: beside_the_stalled("hub", STALLED),
            "hub, none stalled": lambda: beside_the_stalled("hub", 0),
            "naive": lambda: beside_the_stalled("naive", STALLED),
        }
    )
    stalled, none, naive = (beside[name] for name in ("hub", "hub, none stalled", "naive"))
    figures.show(
        [
            Row("10: a spectator", each["hub"], "KB", "naive", each["naive"], "<= 30 KB", True),
            Row("10: the stalled", stalled["gained"], "MB", "naive", naive["gained"], "<= 5 MB", True),
            Row("10: the others, p99", stalled["p99"], "ms", "none stalled", none["p99"], "<= 1.5"),
        ]
    )
