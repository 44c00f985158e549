"""Where long work is done: at once, or on a thread that gives way to everything else on the machine."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol, TypeVar

Result = TypeVar("Result")


class Run(Protocol):
    """Calls and returns what the call returns, or raises what it raises."""

    def __call__(self, work: Callable[[], Result]) -> Result: ...


def at_once(work: Callable[[], Result]) -> Result:
    """Where it is asked for."""
    return work()


class Aside:
    """A thread of the lowest priority; whoever asks waits for it.

    Only that thread gives way. One that gave way while it held a lock of the database would make everybody
    wait who needs that lock, so what writes stays with the caller.
    """

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "aside", initializer=_give_way)

    def __call__(self, work: Callable[[], Result]) -> Result:
        return self._thread.submit(work).result()


def _give_way() -> None:
    # On Linux both hold for the thread that asks.
    os.nice(19)
    with contextlib.suppress(AttributeError, OSError):
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
