"""What must hold before the first request: database claimed and migrated, files collected, texts compiled.

Several processes may do each of these at the same moment, on one machine or against one database.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import shutil
import socket
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Final

import polib
import rcssmin
import rjsmin
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.files.base import ContentFile, File
from django.core.files.storage import Storage
from django.core.management import CommandError, call_command
from django.db import DEFAULT_DB_ALIAS, OperationalError, connection, connections
from django.db.migrations.executor import MigrationExecutor
from whitenoise.storage import CompressedStaticFilesStorage

from game.management import bundle

MIGRATION_LOCK: Final = 0x7461626C656175
"""The number of the advisory lock under which Postgres is migrated."""
LOCK_NOT_AVAILABLE: Final = "55P03"
"""The SQLSTATE of Postgres; its driver need not be loaded on SQLite."""
LOCK_MS: Final = 2000
LOCK_PAUSE_SECONDS: Final = 0.5
LOCK_ATTEMPTS: Final = 60
MINIFIERS: Final = {".js": rjsmin.jsmin, ".css": rcssmin.cssmin}
SCRIPTS: Final = "js/"
"""Where our own modules are, which are sent as bundles."""
IMPORT: Final = re.compile(r'^@import "([\w-]+\.css)";$', re.MULTILINE)
HALF_DONE: Final = ".collecting-"
HALF_DONE_SECONDS: Final = 600
"""A half-collected folder older than this was left by a process that died."""


def claim_database() -> None:
    """Takes the one right to serve an SQLite database, for as long as this process lives.

    The lock lies on the database file itself, whatever path leads to it, and the OS lets it go with the
    process, after kill -9 too. Commands that only use the database need no such right.
    Raises `CommandError` if another process serves it. On Postgres any number may serve.
    """
    name = str(settings.DATABASES[DEFAULT_DB_ALIAS]["NAME"])
    if connection.vendor != "sqlite" or name == ":memory:" or name.startswith("file:"):
        return
    path = Path(name).resolve()
    path.parent.mkdir(parents=True, exist_ok=True)
    # Never closed: that would also drop the locks which SQLite holds on the same file.
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise CommandError(
            f"Another process serves the database {path} already, and SQLite can have only one. "
            "Stop that one, or set DATABASE_URL and REDIS_URL to Postgres and Redis, where several may serve."
        ) from None


def bind(host: str, port: int) -> socket.socket:
    """A TCP socket bound to an address and not listening yet; raises `CommandError` if it cannot be had."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
    except OSError as error:
        raise CommandError(no_listening(host, port, error)) from None
    return listener


def no_listening(host: str, port: int, error: OSError) -> str:
    """Why the server cannot listen there, and what to do about it."""
    return (
        f"Cannot listen on {host} port {port}: {error.strerror or error}. "
        f"Set PORT (and HOST) to a free address, for example PORT={port + 1} bin/serve"
    )


def migrate() -> None:
    """Brings the schema up to date; of several processes one does it and the others wait.

    Raises `CommandError` if the database does not answer.
    """
    try:
        connection.ensure_connection()
    except OperationalError as error:
        raise CommandError(f"The database does not answer: {str(error).strip()}") from None
    with migration_lock():
        executor = MigrationExecutor(connection)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            patiently(partial(call_command, "migrate", interactive=False, verbosity=0))
    connections.close_all()


def patiently(change: Callable[[], object]) -> None:
    """Makes a change of the schema that holds nobody up for long.

    A change that waits for a lock makes everybody wait who comes after it, so it gives up after `LOCK_MS` and
    tries again later. Raises `CommandError` if it never gets its turn.
    """
    for _ in range(LOCK_ATTEMPTS):
        try:
            with _short_patience():
                change()
        except OperationalError as error:
            if getattr(error.__cause__, "sqlstate", None) != LOCK_NOT_AVAILABLE:
                raise
            time.sleep(LOCK_PAUSE_SECONDS)
        else:
            return
    raise CommandError("The schema could not be changed: somebody holds a table for very long.")


@contextlib.contextmanager
def _short_patience() -> Iterator[None]:
    if connection.vendor != "postgresql":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('lock_timeout', %s, false)", [f"{LOCK_MS}ms"])
        try:
            yield
        finally:
            cursor.execute("RESET lock_timeout")


@contextlib.contextmanager
def migration_lock() -> Iterator[None]:
    """Whoever changes the schema of a Postgres database, or all that is in it, does so alone."""
    # On SQLite the right to serve is this lock already.
    if connection.vendor != "postgresql":
        yield
        return
    with connection.cursor() as cursor:
        # Asked again and again instead of waited for: a session that waits inside a statement keeps a
        # snapshot, and a migration that builds an index concurrently would wait for it in turn.
        while True:
            cursor.execute("SELECT pg_try_advisory_lock(%s)", [MIGRATION_LOCK])
            if cursor.fetchone()[0]:
                break
            time.sleep(0.1)
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [MIGRATION_LOCK])


def collect_static() -> None:
    """Copies and compresses all static files into the folder of this release, unless it is there.

    The folder appears complete or not at all. The release before stays, since another process may still
    serve it; older ones go.
    """
    root = Path(settings.STATIC_ROOT)
    if not root.is_dir():
        root.parent.mkdir(parents=True, exist_ok=True)
        half_done = Path(tempfile.mkdtemp(prefix=HALF_DONE, dir=root.parent))
        try:
            _collect_into(half_done)
            half_done.chmod(0o755)
            half_done.rename(root)
        except OSError:
            # Another process may have been first.
            if not root.is_dir():
                raise
        finally:
            shutil.rmtree(half_done, ignore_errors=True)
    os.utime(root)
    _remove_old_releases(root)


def _collect_into(folder: Path) -> None:
    sources: dict[str, Storage] = {}
    for finder in get_finders():
        for path, source in finder.list([".*", "*~"]):
            # The first finder wins, as everywhere in Django.
            sources.setdefault(path, source)
    scripts = {
        path.removeprefix(SCRIPTS): _text_of(source, path)
        for path, source in sources.items()
        if path.startswith(SCRIPTS)
    }
    for name in bundle.brought(scripts):
        del sources[SCRIPTS + name]
    storage = CompressedStaticFilesStorage(location=folder)
    for path, source in sources.items():
        storage.save(path, _as_sent(path, source, scripts))
    for _ in storage.post_process({path: (source, path) for path, source in sources.items()}):
        pass


def _as_sent(path: str, source: Storage, scripts: Mapping[str, str]) -> File[bytes]:
    """A file without what only its readers need: a third of the scripts is comments.

    A style sheet comes with those it imports in one answer, and so does a script.
    """
    minify = MINIFIERS.get(Path(path).suffix)
    if minify is None:
        with source.open(path) as file:
            return ContentFile(file.read())
    text = _text_of(source, path)
    if path.endswith(".css"):
        text = IMPORT.sub(lambda found: _text_of(source, str(Path(path).with_name(found[1]))), text)
    elif path.startswith(SCRIPTS):
        text = bundle.bundle(path.removeprefix(SCRIPTS), scripts)
    return ContentFile(minify(text).encode())


def _text_of(source: Storage, path: str) -> str:
    with source.open(path) as file:
        return str(file.read().decode())


def _remove_old_releases(current: Path) -> None:
    folders = [path for path in current.parent.iterdir() if path.is_dir()]
    for path in folders:
        if path.name.startswith(HALF_DONE) and time.time() - path.stat().st_mtime > HALF_DONE_SECONDS:
            shutil.rmtree(path, ignore_errors=True)
    releases = [path for path in folders if path != current and not path.name.startswith(HALF_DONE)]
    for path in sorted(releases, key=lambda path: path.stat().st_mtime)[:-1]:
        shutil.rmtree(path, ignore_errors=True)


def compile_catalogues() -> None:
    """Compiles each translation catalogue that is newer than its compiled form."""
    for folder in settings.LOCALE_PATHS:
        for source in Path(folder).glob("*/LC_MESSAGES/*.po"):
            target = source.with_suffix(".mo")
            if target.exists() and target.stat().st_mtime >= source.stat().st_mtime:
                continue
            handle, half_done = tempfile.mkstemp(suffix=".tmp", dir=source.parent)
            os.close(handle)
            polib.pofile(str(source)).save_as_mofile(half_done)
            Path(half_done).chmod(0o644)
            Path(half_done).replace(target)
