"""``bin/bench [NAME...] [--peers FOLDER]``: the benchmarks of this folder; without names, all of them."""

from __future__ import annotations

import argparse
import importlib
import os
import platform
import resource
import tempfile
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Final

import django

NAMES: Final = (
    "engine",
    "moves",
    "fanout",
    "storm",
    "memory",
    "growth",
    "pages",
    "solvers",
    "worker",
    "peers",
)


def main() -> None:
    """Runs them one after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", choices=[[], *NAMES], metavar="NAME", help=", ".join(NAMES))
    parser.add_argument("--peers", type=Path, help="a load generator with its peers, for `peers`")
    chosen = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    if chosen.peers:
        os.environ["BENCH_PEERS"] = str(chosen.peers.resolve())
    packages = ("django", "channels", "daphne", "twisted", "channels-redis", "redis", "msgspec")
    print(
        f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC, Python {platform.python_version()},"
        f" {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}; "
        + ", ".join(f"{name} {version(name)}" for name in packages)
    )
    with tempfile.TemporaryDirectory(prefix="tableau-bench-") as folder:
        os.environ |= {"VAR": folder, "DJANGO_SETTINGS_MODULE": "config.settings"}
        os.environ |= {"RATE_LIMIT": "0", "HUMAN_PACE_MS": "0"}
        django.setup()
        for name in chosen.names or [name for name in NAMES if name != "peers" or chosen.peers]:
            importlib.import_module(f"tests.bench.{name}").run()


if __name__ == "__main__":
    main()
