"""Fixtures for all tests: real services, servers in processes of their own, and reproducible examples."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import tempfile
from collections.abc import AsyncIterator, Callable, Generator, Iterator
from pathlib import Path
from typing import Literal

import hypothesis
import pytest
from asgiref.sync import sync_to_async

from tests.services import PostgresServer, RedisServer, Site, new_database

# The same examples every time; HYPOTHESIS_PROFILE=explore looks for new ones.
hypothesis.settings.register_profile("fixed", derandomize=True, deadline=None, database=None)
hypothesis.settings.register_profile("explore", deadline=None, max_examples=2000)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fixed"))

LONGEST_SECONDS = 7200 if os.environ.get("FAULTS") == "long" else 300
SetUp = Literal["embedded", "production"]
_failed = pytest.StashKey[bool]()


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    # The browser tests run without this plugin, whose options then are unknown to a strict configuration.
    if not pluginmanager.hasplugin("asyncio"):
        for name in ("asyncio_mode", "asyncio_default_fixture_loop_scope"):
            parser.addini(name, "of no effect without the plugin")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.failed:
        item.stash[_failed] = True
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    # A test that hangs fails by its name, and the others go on.
    def give_up(*_: object) -> None:
        raise TimeoutError(f"{item.nodeid} took more than {LONGEST_SECONDS} s")

    signal.signal(signal.SIGALRM, give_up)
    signal.alarm(LONGEST_SECONDS)
    try:
        return (yield)
    finally:
        signal.alarm(0)


def pytest_unconfigure(config: pytest.Config) -> None:
    var = os.environ.get("VAR", "")
    if Path(var).name.startswith("tableau-test-"):
        shutil.rmtree(var, ignore_errors=True)


@pytest.fixture(scope="session", autouse=True)
def prepared() -> None:
    """What a start of the server prepares and pages rely on."""
    from django.conf import settings

    from game.management.start import compile_catalogues

    compile_catalogues()
    Path(settings.STATIC_ROOT).mkdir(parents=True, exist_ok=True)


@pytest.fixture(scope="session")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A Redis that every test may use and none may harm."""
    if url := os.environ.get("TEST_REDIS_URL"):
        yield url
        return
    server = RedisServer(tmp_path_factory.mktemp("redis"))
    server.start()
    yield server.url
    server.end()


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """A Postgres cluster: the address of its maintenance database."""
    if url := os.environ.get("TEST_POSTGRES_URL"):
        yield url
        return
    # Not under pytest's folder, which the user postgres may not enter.
    with tempfile.TemporaryDirectory(prefix="tableau-postgres-") as folder:
        server = PostgresServer(Path(folder))
        server.start()
        yield server.url
        server.end()


@pytest.fixture
def database_url(postgres_url: str) -> str:
    """An empty Postgres database of the test's own."""
    return new_database(postgres_url)


@pytest.fixture
def redis_server(tmp_path: Path) -> Iterator[RedisServer]:
    """A Redis of the test's own, to pause, kill and start again."""
    server = RedisServer(tmp_path)
    server.start()
    yield server
    server.end()


Serve = Callable[..., Site]


@pytest.fixture(scope="session")
def prepared_var(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ``var`` folder as a first start leaves it: files collected, SQLite migrated."""
    site = Site(tmp_path_factory.mktemp("prepared"), {})
    site.start()
    site.stop()
    return Path(site.settings["VAR"])


@pytest.fixture
def serve(request: pytest.FixtureRequest, tmp_path: Path, prepared_var: Path) -> Iterator[Serve]:
    """Makes sites: ``serve(set_up, like=site, start=True, is_first=False, **settings)``.

    ``set_up`` is "embedded" or "production" (an empty Postgres database and the shared Redis); by default the
    one that this run is about. ``like``: one more process on the data of another site. ``is_first``: nothing
    is prepared, as on a fresh checkout. Settings are environment variables. What the sites printed is shown
    if the test fails.
    """
    sites: list[Site] = []

    def make(
        set_up: SetUp | None = None,
        *,
        like: Site | None = None,
        start: bool = True,
        is_first: bool = False,
        **settings: str,
    ) -> Site:
        if like is not None:
            settings = {**like.settings, **settings}
        elif (set_up or default_set_up()) == "production":
            settings = {
                "DATABASE_URL": new_database(request.getfixturevalue("postgres_url")),
                "REDIS_URL": request.getfixturevalue("redis_url"),
                "SECRET_KEY": secrets.token_hex(32),
                "ALLOWED_ORIGINS": "http://127.0.0.1",
                **settings,
            }
        site = Site(tmp_path, settings)
        sites.append(site)
        var = Path(site.settings["VAR"])
        if not is_first and not var.exists():
            shutil.copytree(prepared_var, var)
        if start:
            site.start()
        return site

    yield make
    for site in sites:
        site.end()
    if request.node.stash.get(_failed, False):
        for site in sites:
            print(f"--- what {site.url} printed ---\n{site.tail()}")


def default_set_up() -> SetUp:
    """Which of the two set-ups this run is about."""
    return "production" if os.environ.get("DATABASE_URL", "").startswith("postgres") else "embedded"


@pytest.fixture
async def closed_connections() -> AsyncIterator[None]:
    """For async tests that use the database: closes the connection of the thread that did."""
    from django.db import connections

    yield
    await sync_to_async(connections.close_all)()
