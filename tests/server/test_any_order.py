"""Tests with sockets, threads and transactions do not lean on each other."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from typing import Final

import pytest
from django.conf import settings

from tests.services import ROOT

SOCKETS: Final = (
    "tests/server/test_live_crowd.py",
    "tests/server/test_live_joins.py",
    "tests/server/test_socket_contract.py",
)
PLAIN: Final = ("tests/server/test_pages_programs.py", "tests/server/test_walk.py")
SAMPLE: Final = 24
SIGNS_OF_TROUBLE: Final = (
    "Task was destroyed",
    "never awaited",
    "Event loop is closed",
    "connection is closed",
    "ResourceWarning",
)


@pytest.fixture
def surroundings(request: pytest.FixtureRequest) -> dict[str, str]:
    """The set-up of this run, with a database of its own."""
    mine = {name: value for name, value in os.environ.items() if name != "VAR"}
    if not settings.IS_SQLITE:
        mine["DATABASE_URL"] = request.getfixturevalue("database_url")
    return mine


def run_pytest(surroundings: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments],
        cwd=ROOT,
        env=surroundings,
        capture_output=True,
        text=True,
        check=False,
        timeout=280,
    )


def names_in(surroundings: dict[str, str], *files: str) -> list[str]:
    listed = run_pytest(surroundings, "--collect-only", *files)
    return [line for line in listed.stdout.splitlines() if "::" in line]


def test_they_pass_in_a_random_order_sockets_first(surroundings: dict[str, str]) -> None:
    """B43: some socket tests, then some plain ones, each time others and in another order."""
    seed = random.randrange(10**6)
    order = random.Random(seed)
    every = names_in(surroundings, *SOCKETS, *PLAIN)
    with_sockets = [name for name in every if name.startswith(SOCKETS)]
    plain = [name for name in every if name.startswith(PLAIN)]
    chosen = order.sample(with_sockets, SAMPLE // 2) + order.sample(plain, SAMPLE // 2)
    outcome = run_pytest(surroundings, *chosen)
    told = f"seed {seed}\n{outcome.stdout[-4000:]}{outcome.stderr[-4000:]}"
    assert outcome.returncode == 0, told
    assert f"{SAMPLE} passed" in outcome.stdout, told
    assert not [sign for sign in SIGNS_OF_TROUBLE if sign in outcome.stdout + outcome.stderr], told
