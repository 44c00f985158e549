"""The way of a move from the frame to the acknowledgement, in microseconds, and what keeping it costs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

from tests.bench import figures
from tests.bench.figures import Row
from tests.bench.kept import KEEPING, STEPS
from tests.services import ROOT, PostgresServer, new_database

MEMORY: Final = "/dev/shm"  # noqa: S108  # where nothing waits for a disk


def measured(folder: str, **env: str) -> dict[str, Any]:
    """What `kept` found with its files in a folder."""
    with tempfile.TemporaryDirectory(prefix="tableau-bench-", dir=folder) as var:
        done = subprocess.run(
            [sys.executable, "-m", "tests.bench.kept"],
            cwd=ROOT,
            env=os.environ | {"VAR": var, **env},
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
        found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])["took"]
        return found


def on_postgres() -> dict[str, Any]:
    """The same on a Postgres of its own, which does not wait for its disk."""
    with tempfile.TemporaryDirectory(prefix="tableau-postgres-") as folder:
        server = PostgresServer(Path(folder))
        server.start()
        try:
            return measured(
                folder,
                DATABASE_URL=new_database(server.url),
                SECRET_KEY="only-for-benchmarks",
                ALLOWED_ORIGINS="http://127.0.0.1",
            )
        finally:
            server.end()


def show(name: str, took: dict[str, Any]) -> None:
    """Prints the table of one place."""
    figures.head(
        f"moves, {name}",
        "One player, nobody else; medians by the clock, the baseline in processor time of the server alone.",
    )
    figures.show(Row(step, *_clock(took, step)) for step in (*STEPS, "the whole"))
    bare = took["bare"][1] / 1000
    keeping = [sum(took[step][which] for step in KEEPING) for which in (0, 1)]
    figures.show(
        [
            Row("4 kB written and forced to the disk", took["the disk"][0], "us"),
            Row("8: what keeping it adds, p50", keeping[0] / 1000, "ms", "", None, "<= 0.5", True),
            Row(
                "8: the same without waiting",
                keeping[1] / 1000,
                "ms",
                "the driver alone",
                bare,
            ),
        ]
    )


def _clock(took: dict[str, Any], step: str) -> tuple[float, str, str, float]:
    clock, cpu = took[step]
    return clock, "us", "processor", cpu


def run() -> None:
    """Prints the tables."""
    show("SQLite in memory", measured(MEMORY))
    show("SQLite on the disk", measured(tempfile.gettempdir()))
    show("Postgres", on_postgres())
