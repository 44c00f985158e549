"""The whole product beside other servers, with the load generator of a folder that is kept elsewhere.

``BENCH_PEERS`` (``bin/bench --peers FOLDER``) holds ``run.py``, ``adapters/tableau.py``, ``peers/`` and
``venv/``; server and generator have a processor each. Players, rules, database and presence are real.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

from tests.bench import figures
from tests.bench.figures import Row, median_of
from tests.services import ROOT, free_port

SPECTATORS: Final = 1000
PHASES: Final = "closed,window=4,secs=3;rate,rate=5,secs=4"
REDIS_PORT: Final = 6390
STOCK: Final = "-m daphne -e tcp:port={port}:interface=127.0.0.1:backlog=4096 config.asgi:application"
_SEAT: Final = """
from django.contrib.auth import get_user_model
from tests.bench.kept import make_game
from tests.server.conftest import Person
person = Person(get_user_model().objects.create_user("player"))
print(make_game(person).code, person.key)
"""


def measured(
    folder: Path, server: str, *, redis: bool = False, cwd: Path | None = None, options: tuple[str, ...] = ()
) -> dict[str, float]:
    """What the generator found: deliveries for each CPU second, and latencies in ms."""
    port, python = free_port(), folder / "venv/bin/python"
    command = [str(python), "run.py", "--port", str(port), "--server", server.replace("PYTHON", str(python))]
    command += ["--cwd", str(cwd or folder / "peers")]
    command += ["--redis", str(REDIS_PORT)] if redis else []
    command += ["--", "--spectators", str(SPECTATORS), "--phases", PHASES, *options]
    # Peers that are Django's have settings of their own.
    env = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    done = subprocess.run(command, cwd=folder, env=env, check=True, stdout=subprocess.PIPE, text=True)
    found: dict[str, Any] = json.loads(done.stdout)
    closed, rate = found["medians"]
    return {
        "rate": closed["deliveries_per_server_cpu_s"],
        "lost": closed["lost"],
        "p99": rate["delivery_ms"]["p99"],
        "ack": rate["ack_ms"]["p50"],
    }


def product(folder: Path, server: str, *, redis: bool = False) -> dict[str, float]:
    """The product, on a fresh database with one game and its player."""
    with tempfile.TemporaryDirectory(prefix="tableau-bench-") as var:
        settings = {"VAR": var, "SECRET_KEY": "only-for-benchmarks", "WORKER": "0", "RATE_LIMIT": "0"}
        settings |= {"DJANGO_SETTINGS_MODULE": "config.settings", "HUMAN_PACE_MS": "0"}

        def manage(*arguments: str) -> str:
            done = subprocess.run(
                [sys.executable, "manage.py", *arguments],
                cwd=ROOT,
                env=os.environ | settings,
                check=True,
                stdout=subprocess.PIPE,
                text=True,
            )
            return done.stdout

        manage("migrate", "-v0")
        code, key = manage("shell", "-v0", "-c", _SEAT).split()[-2:]
        cookies = Path(var) / "cookies"
        cookies.write_text(f"sessionid={key}\n")
        words = [f"{name}={value}" for name, value in settings.items()] + ["PORT={port}"]
        if redis:
            words += [
                f"REDIS_URL=redis://127.0.0.1:{REDIS_PORT}/0",
                "ALLOWED_ORIGINS=http://127.0.0.1:{port}",
            ]
        options = ("--adapter", "tableau", "--opt", f"codes={code}", "--opt", f"cookies={cookies}")
        command = f"env {' '.join(words)} {shlex.quote(sys.executable)} {server}"
        return measured(folder, command, redis=redis, cwd=ROOT, options=options)


def run() -> None:
    """Prints the table."""
    folder = Path(os.environ["BENCH_PEERS"])
    daphne = "env VARIANT=naive BACKLOG=4096 LAYER={layer} PYTHON daphne_run.py {{port}}"
    runs: dict[str, Callable[[], dict[str, float]]] = {
        "naive in memory": partial(measured, folder, daphne.format(layer="memory")),
        "naive pub/sub": partial(measured, folder, daphne.format(layer="pubsub"), redis=True),
        "raw websockets": partial(measured, folder, "PYTHON wsraw.py {port}"),
        "tableau": partial(product, folder, "manage.py serve"),
        "tableau with Redis": partial(product, folder, "manage.py serve", redis=True),
        "tableau in daphne as it comes": partial(product, folder, STOCK),
    }
    if (folder / "peers/node/node_modules").exists():
        runs["boardgame.io"] = partial(
            measured, folder, "node node/bgio_srv.js {port}", options=("--adapter", "boardgameio")
        )
    found = median_of(runs)
    figures.head(
        "peers",
        f"{SPECTATORS:,} spectators of one table; the product with real frames and moves kept, beside peers"
        " that do nothing but fan out small frames.",
    )

    def row(what: str, mine: str, baseline: str, key: str, goal: str) -> Row:
        unit = "/CPU-s" if key == "rate" else "ms"
        return Row(what, found[mine][key], unit, baseline, found.get(baseline, {}).get(key), goal)

    figures.show(
        [
            row("1: deliveries", "tableau", "naive in memory", "rate", ">= 30"),
            row("1: with Redis", "tableau with Redis", "naive pub/sub", "rate", ">= 20"),
            row("2: deliveries", "tableau", "boardgame.io", "rate", ">= 2.5"),
            row("3: deliveries", "tableau", "raw websockets", "rate", ">= 0.9"),
            row("3: with Redis", "tableau with Redis", "raw websockets", "rate", ">= 0.7"),
            row("4: `send` alone", "tableau in daphne as it comes", "naive in memory", "rate", ">= 6"),
            row("7: delivery p99 at 5 moves/s", "tableau", "raw websockets", "p99", "<= 1.5"),
            row("7: acknowledged p50, commit included", "tableau", "raw websockets", "ack", ""),
        ]
    )
