"""Whether anybody notices the worker: a game is played and watched while ended games are looked at.

The worker is the one that the server starts beside itself. It is stopped and let go in turns, so that a busy
machine is busy for both, until it has looked at every game that `populate` has left.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import signal
import sqlite3
import tempfile
import time
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, Final

import psycopg
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin

from tests.bench import figures
from tests.bench.figures import Row, cpu_seconds
from tests.services import PostgresServer, RedisServer, Site, new_database, wait_until

GAMES: Final = int(os.environ.get("BENCH_ENDED", "240"))
"""Games to be written, a tenth of which still run."""
PACE: Final = 5
"""Moves a second, for people who hurry."""
WATCHERS: Final = 50
STRETCH_SECONDS: Final = 10
LONGEST_SECONDS: Final = float(os.environ.get("BENCH_PATIENCE", "1800"))
_PREPARE: Final = """
from django.contrib.auth import get_user_model
from game.actions import findings
from tests.bench.kept import make_game
from tests.server.conftest import Person
person = Person(get_user_model().objects.create_user("player"))
game = make_game(person)
source, targets = next(iter(game.rules.dests(game.deal).items()))
print(findings.ask_all(), game.code, person.key, f"{source}-{targets[0]}")
"""


def run() -> None:
    """Prints the table for both set-ups."""
    figures.head(
        "worker",
        f"{PACE} moves a second at one table with {WATCHERS} spectators, beside a worker that looks at the"
        f" ended games of `populate --games {GAMES}`. By the clock; the baseline has the worker stopped.",
    )
    for set_up in ("SQLite", "Postgres and Redis"):
        with ExitStack() as stack:
            measure(set_up, stack)


def measure(set_up: str, stack: ExitStack) -> None:
    """Plays until no game waits any more, and shows what was seen."""
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tableau-bench-")))
    # The user postgres must be able to enter.
    folder.chmod(0o711)
    settings = {"DJANGO_SETTINGS_MODULE": "config.settings", "RATE_LIMIT": "0", "WORKER": "1"}
    if set_up != "SQLite":
        (folder / "postgres").mkdir()
        servers = PostgresServer(folder / "postgres"), RedisServer(folder)
        for server in servers:
            server.start()
            stack.callback(server.end)
        postgres, redis = servers
        settings |= {"DATABASE_URL": new_database(postgres.url), "REDIS_URL": redis.url}
        settings |= {"SECRET_KEY": secrets.token_hex(32), "ALLOWED_ORIGINS": "http://127.0.0.1"}
    site = Site(folder, settings)
    site.manage("migrate", "-v0")
    site.manage("populate", "--games", str(GAMES), "--seed", "1")
    asked, code, key, command = site.manage("shell", "-v0", "-c", _PREPARE).split()[-4:]
    stack.callback(site.end)
    site.start()
    worker = worker_of(site)
    stack.callback(os.kill, worker, signal.SIGCONT)
    seen = asyncio.run(Table(site, worker, code, key, command).play())
    show(set_up, seen, int(asked), waiting(site), spent=cpu_seconds([worker]))


def worker_of(site: Site) -> int:
    """The id of the worker's process, once it is there."""

    def children() -> list[str]:
        found = Path(f"/proc/{site.pid}/task").glob("*/children")
        return [pid for path in found for pid in path.read_text().split()]

    wait_until(lambda: bool(children()), "a worker beside the server")
    return int(children()[0])


def waiting(site: Site) -> int:
    """How many games wait to be looked at."""
    count = "SELECT count(*) FROM game_finding WHERE is_waiting"
    if url := site.settings.get("DATABASE_URL"):
        with psycopg.connect(url) as postgres:
            row = postgres.execute(count).fetchone()
    else:
        with closing(open_sqlite(site)) as sqlite:
            row = sqlite.execute(count).fetchone()
    assert row is not None
    return int(row[0])


def open_sqlite(site: Site) -> sqlite3.Connection:
    """The database of a site that has no other."""
    return sqlite3.connect(f"{site.settings['VAR']}/tableau.sqlite3", timeout=0, isolation_level=None)


class Table:
    """One player with spectators; ``seen`` are milliseconds by what they mean and what the worker did."""

    def __init__(self, site: Site, worker: int, code: str, key: str, command: str) -> None:
        self.site = site
        self.worker = worker
        self.address = f"{site.ws_url}/ws/game/{code}/?v=1"
        self.cookie = {"Cookie": f"sessionid={key}"}
        self.commands = (command, "undo")
        self.seq = 0
        self.sent_at: dict[int, float] = {}
        self.kind = "stopped"
        self.seen: dict[tuple[str, str], list[float]] = {}

    async def play(self) -> dict[tuple[str, str], list[float]]:
        """Stretches with the worker stopped and at work in turns, until no game waits."""
        async with connect(
            self.address, origin=Origin(self.site.url), additional_headers=self.cookie
        ) as player:
            crowd = [await connect(self.address, origin=Origin(self.site.url)) for _ in range(WATCHERS)]
            watching = [asyncio.create_task(self.watch(socket)) for socket in crowd]
            await self.answer(player, "welcome")
            begun = time.monotonic()
            while waiting(self.site):
                if time.monotonic() - begun > LONGEST_SECONDS:
                    break
                await self.stop_worker()
                await self.stretch(player, "stopped")
                os.kill(self.worker, signal.SIGCONT)
                await self.stretch(player, "at work")
            for task, socket in zip(watching, crowd, strict=True):
                task.cancel()
                await socket.close()
        return self.seen

    async def stop_worker(self) -> None:
        """Stops it where it holds no lock."""
        while True:
            os.kill(self.worker, signal.SIGSTOP)
            if "DATABASE_URL" in self.site.settings:
                # There it locks rows of its own jobs, and nobody else's.
                return
            try:
                with closing(open_sqlite(self.site)) as database:
                    database.execute("BEGIN IMMEDIATE")
                    database.execute("ROLLBACK")
            except sqlite3.OperationalError:
                os.kill(self.worker, signal.SIGCONT)
                await asyncio.sleep(0.01)
            else:
                return

    async def stretch(self, player: ClientConnection, kind: str) -> None:
        """Moves at a steady pace; one that is late is made at once."""
        self.kind = kind
        spent, begun = cpu_seconds([self.worker]), time.monotonic()
        for number in range(PACE * STRETCH_SECONDS):
            await asyncio.sleep(begun + number / PACE - time.monotonic())
            sent = time.monotonic()
            self.sent_at[self.seq + 1] = sent
            command = self.commands[self.seq % 2]
            play = {"type": "play", "id": f"m{self.seq}", "seq": self.seq, "command": command}
            await player.send(json.dumps(play))
            accepted = await self.answer(player, "accepted")
            self.note("acknowledged", time.monotonic() - sent)
            self.seq = accepted["seq"]
        self.note("moves a second", PACE * STRETCH_SECONDS / (time.monotonic() - begun) / 1000)
        self.note("processor", (cpu_seconds([self.worker]) - spent) / 1000)

    async def answer(self, player: ClientConnection, kind: str) -> dict[str, Any]:
        """The next message of a kind; raises `RuntimeError` for a refusal."""
        while True:
            message: dict[str, Any] = json.loads(await player.recv())
            if message["type"] == kind:
                return message
            if message["type"] == "refused":
                raise RuntimeError(message)

    async def watch(self, socket: ClientConnection) -> None:
        """Notes how long after it was sent each move came."""
        async for text in socket:
            came = time.monotonic()
            message = json.loads(text)
            if message["type"] == "update":
                self.note("delivered", came - self.sent_at[message["seq"]])

    def note(self, what: str, seconds: float) -> None:
        """Keeps a figure."""
        self.seen.setdefault((what, self.kind), []).append(1000 * seconds)


def show(
    set_up: str, seen: dict[tuple[str, str], list[float]], asked: int, left: int, *, spent: float
) -> None:
    """Prints the rows of a set-up."""

    def at(what: str, kind: str, part: float) -> float:
        found = sorted(seen[what, kind])
        return found[min(int(len(found) * part), len(found) - 1)]

    def row(what: str, part: float, goal: str = "", unit: str = "ms") -> Row:
        name = f"{set_up}: {what}" + (f" p{100 * part:.0f}" if unit == "ms" else "")
        return Row(name, at(what, "at work", part), unit, "worker stopped", at(what, "stopped", part), goal)

    figures.show(
        [
            *(
                row("acknowledged", part, goal)
                for part, goal in ((0.5, "<= 1.2"), (0.95, "<= 1.2"), (0.99, ""))
            ),
            *(row("delivered", part, goal) for part, goal in ((0.5, "<= 1.2"), (0.99, ""))),
            row("moves a second", 0.5, ">= 0.98", "/s"),
            Row(f"{set_up}: games looked at", asked - left, "", "asked for", asked, ">= 1"),
            Row(f"{set_up}: processor time for each", 1000 * spent / max(asked - left, 1), "ms"),
            Row(f"{set_up}: moves with the worker at work", len(seen["acknowledged", "at work"]), ""),
        ]
    )
