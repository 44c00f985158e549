"""One pair of processes for all tests of this folder."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import default_set_up
from tests.server.two_processes.pair import Pair
from tests.server.visiting import PASSWORD
from tests.services import RedisServer, Site, new_database

BROKEN = "/@Broken/"
"""The page that a test makes fail."""


@pytest.fixture(scope="package")
def pair(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[Pair]:
    """Started at the same moment on an empty database; what they have written is looked at in the end."""
    if default_set_up() == "embedded":
        pytest.skip("needs Postgres and Redis: bin/test --production")
    redis = RedisServer(tmp_path_factory.mktemp("redis"))
    redis.start()
    settings = {
        "DATABASE_URL": new_database(request.getfixturevalue("postgres_url")),
        "REDIS_URL": redis.url,
        "SECRET_KEY": "the same at both",
        "ALLOWED_ORIGINS": "http://127.0.0.1",
        "TRUSTED_PROXIES": "127.0.0.1",
        "HUMAN_PACE_MS": "0",
        "LOG_FORMAT": "json",
        "LOG_LEVEL": "DEBUG",
    }
    folder = tmp_path_factory.mktemp("pair")
    one = Site(folder, settings)
    made = Pair(one, Site(folder, one.settings), redis)
    prepared_var: Path = request.getfixturevalue("prepared_var")
    shutil.copytree(prepared_var, one.settings["VAR"])
    try:
        made.start()
        yield made
        for site in made.sites:
            told = site.tail(1 << 30)
            assert PASSWORD not in told
            for line in told.splitlines():
                for failure in ("unforeseen end", "Internal Server Error"):
                    assert failure not in line or BROKEN in line, line
    finally:
        for process in (*made.sites, redis):
            process.resume()
            process.end()
