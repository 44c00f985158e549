"""Row 4. Postgres is restarted, ends its connections, is away; a SQLite database can grow no more."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from pathlib import Path

import psycopg

from tests.conftest import Serve
from tests.faults.conftest import size
from tests.faults.figures import Figures
from tests.faults.history import worst
from tests.faults.stage import Sitting, Stage, record_of
from tests.services import PostgresServer, Site

SITES = size(1, 3)
PLAYERS = size(2, 20)
SPECTATORS = size(4, 500)
AWAY_SECONDS = size(4, 10)
CUTS = size(3, 20)
CONNECTIONS_A_PROCESS = 6
"""Two readers, two writers, and two pages at once."""
PAGES = size(40, 200)


async def test_database_postgres(
    production: Callable[..., list[Site]],
    postgres_server: PostgresServer,
    stage: Stage,
    figures: Figures,
    choose: random.Random,
) -> None:
    """B31: ``unavailable`` and never a false answer; the retry succeeds; few connections, no dead ones."""
    sites = await asyncio.to_thread(production, SITES)
    pids = [site.pid for site in sites]
    sittings = [await stage.seat(sites[n % SITES]) for n in range(PLAYERS)]
    for n in range(SPECTATORS):
        await stage.watch(sittings[n % PLAYERS], sites[(n + 1) % SITES])
    playing = [asyncio.create_task(each.player.play_on(choose, 0.1)) for each in sittings]
    await asyncio.sleep(size(1, 20))
    held = await connections_while(postgres_server, sites, sittings[0].code)
    for _ in range(CUTS):
        end_connections(postgres_server)
        await asyncio.sleep(0.3)
    await asyncio.to_thread(postgres_server.stop)
    await asyncio.to_thread(postgres_server.start)
    await go_on(sittings)

    await asyncio.to_thread(postgres_server.stop)
    met = [unavailable(each) for each in sittings]
    await asyncio.sleep(AWAY_SECONDS)
    async with asyncio.timeout(60):
        while any(unavailable(each) == before for each, before in zip(sittings, met, strict=True)):  # noqa: ASYNC110
            await asyncio.sleep(0.1)
    told = sum(unavailable(each) > before for each, before in zip(sittings, met, strict=True))
    await asyncio.to_thread(postgres_server.start)
    await go_on(sittings)
    for task in playing:
        assert not task.done(), task.exception()
        task.cancel()

    figures.most("connections a process", held / SITES, CONNECTIONS_A_PROCESS)
    figures.tell("players told unavailable while it was away", f"{told} of {PLAYERS}")
    figures.none("sockets closed", closings(sittings))
    figures.none(
        "processes that ended",
        [str(pid) for site, pid in zip(sites, pids, strict=True) if not site.is_alive or site.pid != pid],
    )
    assert told == PLAYERS
    await stage.end(figures)


async def go_on(sittings: list[Sitting]) -> None:
    """Waits until everybody has played two more commands."""
    await asyncio.gather(*(each.player.reaches(each.player.seq + 2) for each in sittings))


def unavailable(sitting: Sitting) -> int:
    """How often its player was told so."""
    return sitting.player.put_off.get("unavailable", 0)


def closings(sittings: list[Sitting]) -> list[str]:
    """Every close that a screen has met."""
    screens = [screen for sitting in sittings for screen in sitting.screens]
    return [f"{screen.who}: {code} {bye}" for screen in screens for code, bye in screen.closings]


async def connections_while(server: PostgresServer, sites: list[Site], code: str) -> int:
    """The most connections that the sites hold while many pages are asked for, and afterwards."""
    asking = asyncio.gather(*(asyncio.to_thread(record_of, sites[n % SITES], code) for n in range(PAGES)))
    most = 0
    # One connection counts: one that has just been closed may still be among those that are there.
    with psycopg.connect(server.url, autocommit=True) as connection:
        while not asking.done():
            most = max(most, await asyncio.to_thread(connections_beside, connection))
        await asking
        return max(most, await asyncio.to_thread(connections_beside, connection))


OTHERS = "FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"


def connections_beside(connection: psycopg.Connection[tuple[int]]) -> int:
    """How many connections the sites hold, apart from those of their clerks, one a site."""
    found = connection.execute(f"SELECT count(*) {OTHERS}".encode()).fetchone()
    assert found is not None
    return found[0] - SITES


def end_connections(server: PostgresServer) -> None:
    """Ends every connection but this one."""
    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute(f"SELECT pg_terminate_backend(pid) {OTHERS}".encode())


async def test_database_full(serve: Serve, stage: Stage, figures: Figures, choose: random.Random) -> None:
    """A full disk refuses moves as unavailable; who watches and reads sees nothing of it."""
    site = await asyncio.to_thread(
        lambda: serve("embedded", RATE_LIMIT="0", DJANGO_SETTINGS_MODULE="tests.faults.small_disk.settings")
    )
    sitting = await stage.seat(site, 2)
    playing = asyncio.create_task(sitting.player.play_on(choose, 0))
    pages = Path(site.settings["VAR"]) / "pages"
    for _ in range(size(2, 20)):
        met = unavailable(sitting)
        pages.write_text("1")
        while unavailable(sitting) < met + 2:
            assert not playing.done(), playing.exception()
            await asyncio.sleep(0.02)
        late = await stage.watch(sitting, site)
        assert late.seq == sitting.player.seq
        pages.unlink()
        await sitting.player.reaches(sitting.player.seq + 5)
    playing.cancel()
    figures.tell("times unavailable", unavailable(sitting))
    figures.none("sockets closed", closings([sitting]))
    figures.most(
        "wait of a spectator, p99", worst([w.seconds for w in stage.waits(sitting)]), 1, "s", quick=20
    )
    await stage.end(figures)
