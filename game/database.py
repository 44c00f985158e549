"""From the event loop to the database and back: threads that keep their connection.

`database_sync_to_async` runs everything on one thread, where one slow query delays every socket. Here
reads and writes have threads of their own, and a connection lives as long as its thread. Nothing but the
database may be waited for in them.
"""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeVar

from django.conf import settings
from django.db import Error, connection, connections

DatabaseTrouble = Error

Result = TypeVar("Result")

READERS: Final = 2
WRITERS: Final = 1 if settings.IS_SQLITE else 2
"""SQLite takes one writer at a time: a second thread would only wait inside of it. With the two of the
pages a process holds at most six connections, so three of them fit into a Postgres that gives twenty."""
PATIENCE_SECONDS: Final = 10
"""So long somebody waits for the database; what has begun may still be done afterwards."""
PAUSE_SECONDS: Final = 0.02


class _Threads:
    """Threads for one kind of work, made when first needed."""

    def __init__(self, name: str, count: int) -> None:
        self._name = name
        self._count = count
        self._lock = threading.Lock()
        self._pool: ThreadPoolExecutor | None = None
        self._barrier = threading.Barrier(count)

    async def run(self, work: Callable[..., Result], *arguments: Any) -> Result:
        """The result of ``work``; raises what it raises, and `TimeoutError`."""
        with self._lock:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(self._count, thread_name_prefix=self._name)
            pool = self._pool
        # What is written to the log from there names the same socket.
        call = contextvars.copy_context().run
        future = asyncio.get_running_loop().run_in_executor(pool, call, _call, work, arguments)
        return await asyncio.wait_for(future, PATIENCE_SECONDS)

    def close(self) -> None:
        """Ends the threads and their connections."""
        with self._lock:
            pool, self._pool = self._pool, None
        if pool is not None:
            # One job for each thread: they meet at the barrier, so none can take two.
            for _ in range(self._count):
                pool.submit(self._close_connection)
            pool.shutdown()

    def _close_connection(self) -> None:
        self._barrier.wait(PATIENCE_SECONDS)
        connections.close_all()


def _call(work: Callable[..., Result], arguments: tuple[Any, ...]) -> Result:
    used = connection.connection
    try:
        return work(*arguments)
    except Error:
        if not was_lost(used):
            raise
    return work(*arguments)


def was_lost(used: Any) -> bool:
    """Called after trouble: drops a connection that died, and tells whether that was the trouble.

    Then the work can be done again on a new one. ``used`` is the driver's connection with which it was
    done, None if there was none yet; leaving a transaction may have replaced it already.
    """
    connection.close_if_unusable_or_obsolete()
    return used is not None and connection.connection is not used


_readers: Final = _Threads("database-read", READERS)
_writers: Final = _Threads("database-write", WRITERS)


async def read(work: Callable[..., Result], *arguments: Any) -> Result:
    """Runs a function that only reads, perhaps twice if the connection was lost."""
    return await _readers.run(work, *arguments)


async def write(work: Callable[..., Result], *arguments: Any) -> Result:
    """Runs a function that writes; it must bear to be run again after a lost connection."""
    return await _writers.run(work, *arguments)


def close() -> None:
    """Ends all threads and their connections, until somebody needs them again."""
    _readers.close()
    _writers.close()


class SharedReads:
    """Reads that many ask for at the same moment and that are done once for all of them.

    Who asks gets the outcome of a read that began after the question, so nobody is told of a past that was
    over already. Reads of one key begin at least `PAUSE_SECONDS` apart.
    """

    def __init__(self) -> None:
        self._coming: dict[Hashable, asyncio.Task[Any]] = {}
        self._begun: dict[Hashable, float] = {}

    async def get(self, key: Hashable, work: Callable[..., Result], *arguments: Any) -> Result:
        """The result of ``work``, which must be the same work for the same key; raises what it raises."""
        task = self._coming.get(key)
        if task is None:
            task = self._coming[key] = asyncio.create_task(self._read(key, work, arguments))
        result: Result = await asyncio.shield(task)
        return result

    async def _read(self, key: Hashable, work: Callable[..., Result], arguments: tuple[Any, ...]) -> Result:
        loop = asyncio.get_running_loop()
        if (begun := self._begun.get(key)) is not None:
            await asyncio.sleep(max(0.0, begun + PAUSE_SECONDS - loop.time()))
        # Whoever asks from here on waits for the next read.
        del self._coming[key]
        self._begun[key] = loop.time()
        loop.call_later(PAUSE_SECONDS * 2, self._forget, key)
        return await read(work, *arguments)

    def _forget(self, key: Hashable) -> None:
        begun = self._begun.get(key)
        if begun is not None and begun + PAUSE_SECONDS <= asyncio.get_running_loop().time():
            del self._begun[key]
