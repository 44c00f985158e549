"""Fixtures for the experiments, and the table of their figures at the end of a long run."""

from __future__ import annotations

import os
import random
import re
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Final, Literal

import pytest

from tests.conftest import Serve
from tests.faults.figures import Figure, Figures, table
from tests.faults.stage import Stage
from tests.services import PostgresServer, RedisServer, Site, new_database

Form = Literal["quick", "long"]
FORM: Final[Form] = "long" if os.environ.get("FAULTS") == "long" else "quick"
"""``bin/faults`` runs the long form of each experiment, everything else the quick one, whose figures are
printed too if ``FAULTS`` is ``quick``.
"""
SHARE: Final = float(os.environ.get("FAULTS_SHARE", "1"))
"""So much of the long form's size, for who has less time."""

_all_figures: Final[list[Figure]] = []


def size(quick: int, long: int) -> int:
    """How often, how many or how long, in this form."""
    return quick if FORM == "quick" else max(quick, round(long * SHARE))


@pytest.fixture
def choose(request: pytest.FixtureRequest) -> random.Random:
    """Chance, the same in every run of a test."""
    return random.Random(request.node.name)


@pytest.fixture
def figures(request: pytest.FixtureRequest) -> Iterator[Figures]:
    """The figures of an experiment, which are judged when it has run to its end."""
    name = re.sub(r"^test_", "", request.node.name)
    found = Figures(name, is_quick=FORM == "quick")
    yield found
    _all_figures.extend(found.rows)
    found.settle()


@pytest.fixture
def postgres_server() -> Iterator[PostgresServer]:
    """A Postgres of the test's own to stop and start again, for 20 connections and two of the test's."""
    with tempfile.TemporaryDirectory(prefix="tableau-postgres-") as folder:
        server = PostgresServer(Path(folder), connections=22)
        server.start()
        yield server
        server.end()


@pytest.fixture
def production(
    serve: Serve, postgres_server: PostgresServer, redis_server: RedisServer
) -> Callable[..., list[Site]]:
    """Makes so many processes on a Postgres and a Redis that the test may harm."""

    def make(count: int, **settings: str) -> list[Site]:
        own = {"DATABASE_URL": new_database(postgres_server.url), "REDIS_URL": redis_server.url}
        first = serve("production", start=False, RATE_LIMIT="0", **own, **settings)
        sites = [first, *(serve(like=first, start=False) for _ in range(count - 1))]
        for site in sites:
            site.spawn()
        for site in sites:
            site.wait_ready(site.answers)
        return sites

    return make


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[Stage]:
    """Tables with people at them, all in one history, which is kept if something is wrong in it."""
    async with AsyncExitStack() as stack:
        yield Stage(stack, tmp_path)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if os.environ.get("FAULTS") and _all_figures:
        terminalreporter.write_line(f"\n{table(_all_figures)}")
