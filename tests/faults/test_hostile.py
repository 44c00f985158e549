"""Row 7. Malformed frames of every kind, and floods, while somebody plays at another table."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter

from tests.conftest import Serve
from tests.faults.conftest import size
from tests.faults.figures import Figures
from tests.faults.history import worst
from tests.faults.hostile import ENDED, REFUSED
from tests.faults.raw import Raw, frame, open_raw
from tests.faults.stage import Sitting, Stage
from tests.services import Site

FRAMES = size(600, 10_000)
FLOODS = size(20, 50)
PATIENCE = 20
"""The so many'th malformed frame ends a socket."""


async def test_hostile(serve: Serve, stage: Stage, figures: Figures, choose: random.Random) -> None:
    """B33: the answers and close codes of the contract, no traceback, and others notice nothing."""
    site = await asyncio.to_thread(serve, "embedded")
    sitting = await stage.seat(site, 1)
    playing = asyncio.create_task(sitting.player.play_on(choose, 0.15))
    await send_bad_frames(site, sitting, choose, 100)
    before = site.memory_mb()

    counts, wrong = await send_bad_frames(site, sitting, choose, FRAMES)
    figures.tell("frames", ", ".join(f"{count} {name}" for name, count in sorted(counts.items())))
    figures.none("other answers than the contract's", wrong)
    figures.most("memory after malformed frames", site.memory_mb() - before, 30, "MB")

    before = site.memory_mb()
    ends = [await flood(site, sitting) for _ in range(FLOODS)]
    figures.none("floods not ended with 4029", [str(code) for code, _ in ends if code != 4029])
    figures.most("a flood is ended within", max(seconds for _, seconds in ends), 1, "s", quick=20)
    figures.most("memory after floods", site.memory_mb() - before, 5, "MB", quick=8)

    assert not playing.done(), playing.exception()
    playing.cancel()
    figures.most("moves of others, p99", 1000 * worst(sitting.player.took), 300, "ms", quick=5000)
    await stage.end(figures)
    assert await asyncio.to_thread(site.stop) == 0
    figures.none("tracebacks", ["Traceback"] * site.tail(1 << 30).count("Traceback"))


async def send_bad_frames(
    site: Site, sitting: Sitting, choose: random.Random, count: int
) -> tuple[Counter[str], list[str]]:
    """Sends so many, over several sockets; how many of each kind, and what was answered wrongly."""
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    while counts.total() < count:
        raw = await open_raw(site, sitting.code)
        async with asyncio.timeout(60):
            if choose.random() < 0.5:
                await end_at_once(raw, choose, counts, wrong)
            else:
                await end_by_patience(raw, choose, counts, wrong)
        raw.close()
    return counts, wrong


async def end_at_once(raw: Raw, choose: random.Random, counts: Counter[str], wrong: list[str]) -> None:
    make = choose.choice(ENDED)
    counts[make.__name__] += 1
    raw.send(*make(choose))
    bye = await raw.answer()
    await raw.ends()
    may_reset = make.__name__ in ("huge", "bad_utf8", "reserved")
    if (bye or {}).get("code") != 4009 and not (may_reset and bye is None):
        wrong.append(f"{make.__name__}: {bye}")
    elif raw.code not in ((4009, None) if may_reset else (4009,)):
        wrong.append(f"{make.__name__}: closed with {raw.code}")


async def end_by_patience(raw: Raw, choose: random.Random, counts: Counter[str], wrong: list[str]) -> None:
    for number in range(1, PATIENCE + 1):
        make = choose.choice(REFUSED)
        counts[make.__name__] += 1
        payload = make(choose)
        raw.send(payload)
        answer = await raw.answer()
        if answer is None or answer["type"] != "refused" or answer["code"] != "malformed":
            wrong.append(f"{make.__name__} {payload[:80]!r}, frame {number}: {answer}")
            return
    await raw.ends()
    if raw.code != 4009:
        wrong.append(f"after {PATIENCE} malformed frames: closed with {raw.code}")


async def flood(site: Site, sitting: Sitting) -> tuple[int | None, float]:
    """Sends as much as it can until the socket ends; with which code, and after how many seconds."""
    raw = await open_raw(site, sitting.code)
    begun = time.monotonic()
    raw.writer.write(frame(b'{"type":"sync","since":0}') * 5000)
    async with asyncio.timeout(60):
        await raw.ends()
    raw.close()
    return raw.code, time.monotonic() - begun
