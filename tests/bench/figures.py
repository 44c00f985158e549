"""What benchmarks share: rounds that alternate, medians, processor time of a process, and a table of rows."""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROUNDS: Final = int(os.environ.get("BENCH_ROUNDS", "3"))
PAGE_BYTES: Final = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True)
class Row:
    """One figure beside its baseline.

    ``goal`` is what the ratio (if ``is_absolute``, the figure) should reach: a text that begins with ``>=``
    or ``<=`` and a number, empty where there is none.
    """

    what: str
    figure: float
    unit: str
    baseline: str = ""
    beside: float | None = None
    goal: str = ""
    is_absolute: bool = False

    @property
    def ratio(self) -> float | None:
        return self.figure / self.beside if self.beside else None

    @property
    def verdict(self) -> str:
        """Whether the goal is met; nothing where there is none."""
        measured = self.figure if self.is_absolute else self.ratio
        if not self.goal or measured is None:
            return ""
        sign, number = self.goal.split()[:2]
        is_met = measured >= float(number) if sign == ">=" else measured <= float(number)
        return "met" if is_met else "MISSED"


def show(rows: Iterable[Row]) -> None:
    """Prints the rows as a table that Markdown reads."""
    for row in rows:
        ratio = f"{row.ratio:.2f} x {row.baseline}" if row.ratio is not None else ""
        beside = f"{row.beside:,.4g}" if row.beside is not None else ""
        cells = [row.what, f"{row.figure:,.5g} {row.unit}", beside, ratio, row.goal, row.verdict]
        print("| " + " | ".join(cells) + " |", flush=True)


def head(title: str, text: str) -> None:
    """Prints the heading of a table."""
    print(f"\n### {title}\n\n{text}\n")
    print("| what | here | baseline | ratio | goal | |\n| --- | --- | --- | --- | --- | --- |", flush=True)


def alternate(runs: dict[str, Callable[[], float]], rounds: int = ROUNDS) -> dict[str, float]:
    """The median of each run, the runs taking turns, so that a busy machine is busy for all."""
    found: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(rounds):
        for name, run in runs.items():
            found[name].append(run())
            print(f"  {name}: {found[name][-1]:,.5g}", file=sys.stderr, flush=True)
    return {name: statistics.median(figures) for name, figures in found.items()}


def median_of(
    runs: dict[str, Callable[[], dict[str, float]]], rounds: int = ROUNDS
) -> dict[str, dict[str, float]]:
    """The same for runs with several figures each."""
    found: dict[str, list[dict[str, float]]] = {name: [] for name in runs}
    for _ in range(rounds):
        for name, run in runs.items():
            found[name].append(run())
            print(f"  {name}: {found[name][-1]}", file=sys.stderr, flush=True)
    return {
        name: {key: statistics.median(each[key] for each in all_of_it) for key in all_of_it[0]}
        for name, all_of_it in found.items()
    }


def cpu_seconds(pids: Iterable[int]) -> float:
    """Processor time that processes have had, all their threads, to the nanosecond."""
    # The clock of a process is named by its id (clock_getcpuclockid); Python offers it for threads only.
    return sum(time.clock_gettime((~pid << 3) | 2) for pid in pids)


def resident_bytes(pid: int) -> int:
    """Memory of a process that is in use now."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE_BYTES
