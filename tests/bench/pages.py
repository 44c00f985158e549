"""Every kind of page at a million games, on SQLite and on Postgres.

``BENCH_GAMES`` is how many; ``BENCH_VAR`` a folder whose populated SQLite database is used as it is,
``BENCH_DATABASE_URL`` a populated Postgres.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.bench import figures
from tests.bench.figures import Row
from tests.services import ROOT, PostgresServer, new_database


def measured(name: str, env: dict[str, str], games: int, *, is_there: bool) -> dict[str, Any]:
    """Fills the database, unless it is filled, and asks."""

    def run(*arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=ROOT,
            env=os.environ | env,
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
        return done.stdout

    run("manage.py", "migrate", "-v0")
    if not is_there:
        begun = time.monotonic()
        run("manage.py", "populate", "--games", str(games), "--longest", "20000")
        print(f"{name}: {games:,} games were written in {time.monotonic() - begun:.0f} s.\n")
    found: dict[str, Any] = json.loads(run("-m", "tests.bench.asked").splitlines()[-1])
    return found


def show(name: str, found: dict[str, Any]) -> None:
    """Prints the table of one database."""
    figures.head(
        f"pages, {name}",
        f"{found['games']:,} games. The slowest query of each page (median of 7, goal 11) in the"
        " database itself, and beside it the whole page in Django's test client.",
    )
    for page, (whole, queries, slowest) in found["pages"].items():
        figures.show([Row(f"{page}: {queries} queries", slowest, "ms", "the page", whole, "<= 2 ms", True)])


def run() -> None:
    """Prints both tables."""
    games = int(os.environ.get("BENCH_GAMES", "1000000"))
    kept = os.environ.get("BENCH_VAR")
    with tempfile.TemporaryDirectory(prefix="tableau-bench-") as folder:
        show("SQLite", measured("SQLite", {"VAR": kept or folder}, games, is_there=bool(kept)))
    env = {"SECRET_KEY": "only-for-benchmarks", "ALLOWED_ORIGINS": "http://127.0.0.1"}
    if url := os.environ.get("BENCH_DATABASE_URL"):
        show("Postgres", measured("Postgres", env | {"DATABASE_URL": url}, games, is_there=True))
        return
    with tempfile.TemporaryDirectory(prefix="tableau-postgres-") as folder:
        server = PostgresServer(Path(folder))
        server.start()
        try:
            env["DATABASE_URL"] = new_database(server.url)
            show("Postgres", measured("Postgres", env, games, is_there=False))
        finally:
            server.end()
