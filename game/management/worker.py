"""The worker: looks at ended games one after another, in a process of its own whose searches give way to all.

Any number may work on one database. A job is taken by a lock that falls with its process, kill -9 included,
and is held without a transaction, so that no move ever waits for a search. What is found is written at the
priority of everybody else, because a move may have to wait for that.
"""

from __future__ import annotations

import contextlib
import fcntl
import logging
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Final

from django.conf import settings
from django.db import Error, connection
from django.utils import timezone

from game.actions import findings as act
from game.actions import pool, rescues
from game.aside import Run, at_once
from game.selectors import findings
from game.selectors.periods import today

logger = logging.getLogger(__name__)

JOB_LOCK: Final = 0x7461626C
"""The first number of the advisory locks of Postgres under which jobs are taken; the second is the game's."""
ALIVE: Final = "worker.alive"
"""A file that a worker touches again and again, for the health check of its container."""
PAUSE_SECONDS: Final = 1
FILL_SECONDS: Final = 20
"""So long a full pool, and a day with its rescues or no game for one, are not asked about again."""
TROUBLE_SECONDS: Final = 5
AHEAD: Final = 16
"""So many jobs are tried for a free one before the worker rests."""
RECENT: Final = timedelta(days=1)
"""Games that ended so recently are asked for at a start: an older release may have ended them unasked."""


def work(run: Run = at_once) -> int:
    """Does all jobs that nobody else is at; how many."""
    done = 0
    while _do_one(run):
        done += 1
    return done


def fill(run: Run) -> None:
    """Fills the pool of winnable deals, and chooses the rescues of today."""
    while pool.fill_one(run):
        pass
    rescues.choose(today())


def wait_for_work(run: Run) -> None:
    """Does jobs as they come, and between them what `fill` does; trouble with the database is waited out."""
    is_begun, fills_at = False, 0.0
    while True:
        (Path(settings.VAR) / ALIVE).touch()
        try:
            if not is_begun:
                act.ask_all(timezone.now() - RECENT)
                is_begun = True
            if _do_one(run):
                continue
            if time.monotonic() >= fills_at and not pool.fill_one(run):
                rescues.choose(today())
                fills_at = time.monotonic() + FILL_SECONDS
            time.sleep(PAUSE_SECONDS if time.monotonic() < fills_at else 0)
        except Error:
            logger.warning("The worker met trouble with the database", exc_info=True)
            connection.close()
            run(connection.close)
            time.sleep(TROUBLE_SECONDS)


def _do_one(run: Run) -> bool:
    """Does the first job that is free; whether there was one."""
    for game_id in findings.waiting(AHEAD):
        with _taken(game_id) as is_mine:
            if is_mine:
                _look_at(game_id, run)
                return True
    return False


def _look_at(game_id: int, run: Run) -> None:
    try:
        act.look_at(game_id, run)
    except Error:
        raise
    except Exception:
        logger.exception("Game %s could not be looked at and is passed over", game_id)
        act.give_up_on(game_id)


@contextlib.contextmanager
def _taken(game_id: int) -> Iterator[bool]:
    """Whether this process may do a job: nobody else is at it as long as this holds."""
    if connection.vendor != "postgresql":
        with _taken_in_file(game_id) as is_mine:
            yield is_mine
        return
    key = [JOB_LOCK, game_id % 2**31]
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", key)
        is_mine = cursor.fetchone()[0]
    try:
        yield is_mine
    finally:
        if is_mine and connection.connection is not None:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s, %s)", key)


@contextlib.contextmanager
def _taken_in_file(game_id: int) -> Iterator[bool]:
    """The same for workers on one machine: each job is a byte of a file."""
    with (Path(settings.VAR) / "worker.lock").open("ab") as file:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, game_id % 2**31)
        except OSError:
            yield False
            return
        yield True


def keep_one() -> None:
    """Starts a worker beside this process, and another one whenever it ends; it ends with this process."""
    threading.Thread(target=_keep, name="worker", daemon=True).start()


def _keep() -> None:
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "analyse", "--wait", "--with-parent"]
    while True:
        # Its input closes with this process, however that ends.
        with subprocess.Popen(command, stdin=subprocess.PIPE) as process:  # noqa: S603  # our own command
            process.wait()
        logger.warning("The worker has ended with %s and is started again", process.returncode)
        time.sleep(TROUBLE_SECONDS)
