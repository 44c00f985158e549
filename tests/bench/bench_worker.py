"""``python -m tests.bench.bench_worker``: how long a move takes to be stored, with a busy worker and without.

On SQLite, where a second writer could hold up the first. Alternates stretches with and without a worker,
whose queue never runs dry, and tells the ratio of their medians and of their 95th percentiles.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

import django

MOVES: Final = 400
STRETCHES: Final = 3
JOBS: Final = 30
"""Games that end before a busy stretch."""


def main() -> None:
    """Measures and prints."""
    with tempfile.TemporaryDirectory(prefix="tableau-bench-") as folder:
        os.environ |= {"VAR": folder, "DJANGO_SETTINGS_MODULE": "config.settings", "RATE_LIMIT": "0"}
        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        measure(Path(folder))


def measure(folder: Path) -> None:
    """Plays the stretches, turn by turn."""
    from tests.server.sprint import Player

    ada = Player("Ada")
    times: dict[str, list[float]] = {"idle": [], "busy": []}
    done = 0
    for _ in range(STRETCHES):
        times["idle"] += stretch(ada)
        queue(ada)
        command = [sys.executable, "manage.py", "analyse", "--wait"]
        with subprocess.Popen(command) as worker:
            wait_for(folder / "worker.alive")
            before = waiting()
            times["busy"] += stretch(ada)
            done += before - waiting()
            worker.kill()
        (folder / "worker.alive").unlink()
    for at, name in ((0.5, "median"), (0.95, "95 %")):
        idle, busy = (sorted(times[kind])[int(len(times[kind]) * at)] for kind in ("idle", "busy"))
        print(f"{name}: idle {idle * 1000:.2f} ms, busy {busy * 1000:.2f} ms, ratio {busy / idle:.2f}")
    print(f"{len(times['busy'])} moves each; the worker looked at {done} games meanwhile")


def stretch(player: object) -> list[float]:
    """Seconds that each of `MOVES` draws took until it was stored."""
    from game.engine.games import rules_of
    from tests.server.sprint import Player

    assert isinstance(player, Player)
    game = player.start(rules_of("klondike"))
    taken = []
    for _ in range(MOVES):
        begun = time.perf_counter()
        player.play(game, "draw")
        taken.append(time.perf_counter() - begun)
    player.play(game, "give_up")
    return taken


def queue(player: object) -> None:
    """Lets games end that are worth a search."""
    from game.engine.games import GAMES
    from tests.server.sprint import Player

    assert isinstance(player, Player)
    for number in range(JOBS):
        game = player.start(GAMES[number % len(GAMES)])
        player.play(game, "give_up")


def waiting() -> int:
    """How many jobs there are."""
    from game.models import Finding

    return Finding.objects.filter(is_waiting=True).count()


def wait_for(file: Path) -> None:
    """Returns when a worker has begun."""
    deadline = time.monotonic() + 60
    while not file.exists():
        if time.monotonic() > deadline:
            raise TimeoutError("the worker does not begin")
        time.sleep(0.05)


if __name__ == "__main__":
    main()
