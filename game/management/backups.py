"""Copies of the whole database, made while it is in use, and the way back from one.

SQLite copies itself; Postgres has its own tools, which must be installed in the server's version or a newer
one. A copy is whole or absent, and nobody but its owner can read it: it holds what opens accounts.
"""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import subprocess
import tempfile
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import quote

from django.core.management import CommandError
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from game.management import start
from game.selectors import tables

EPOCH_SECONDS: Final = 60
"""An epoch is at least the age of the world in these units, so that none comes twice on a database that was
lost with the numbers it had used."""
FAREWELL_SECONDS: Final = 3
_SUFFIX: Final = {"sqlite": ".sqlite3", "postgresql": ".dump"}


@dataclass(frozen=True, slots=True)
class Contents:
    """What a backup says of itself: its epoch, and the migrations that its schema has had."""

    epoch: int
    migrations: frozenset[tuple[str, str]]


# Making one


def back_up(place: Path, keep: int | None = None) -> Path:
    """Copies the database to a file that is not there yet, or to a new one in a folder; returns which.

    Of its own files in the folder the ``keep`` newest stay. Raises `CommandError`.
    """
    suffix = _SUFFIX[connection.vendor]
    target = (
        place / time.strftime(f"tableau-%Y%m%dT%H%M%SZ{suffix}", time.gmtime()) if place.is_dir() else place
    )
    if target.exists():
        raise CommandError(f"{target} is there already.")
    if not target.parent.is_dir():
        raise CommandError(f"{target.parent} is no folder.")
    handle, name = tempfile.mkstemp(prefix=".backup-", dir=target.parent)
    os.close(handle)
    half_done = Path(name)
    try:
        if connection.vendor == "sqlite":
            _copy_sqlite(_sqlite_path(), half_done)
        else:
            options = ["--format=custom", "--no-owner", "--no-acl", "--file", str(half_done)]
            _run(_postgres("pg_dump", options))
        # What cannot be read again is no backup.
        read(half_done)
        with half_done.open("rb") as file:
            os.fsync(file.fileno())
        half_done.rename(target)
    finally:
        half_done.unlink(missing_ok=True)
    if keep is not None and place.is_dir():
        for old in sorted(place.glob(f"tableau-*Z{suffix}"))[:-keep]:
            old.unlink()
    return target


def _copy_sqlite(source: Path, target: Path) -> None:
    """In one step, which holds no writer up: readers and writers of WAL do not meet."""
    with closing(_open_sqlite(source)) as database, closing(sqlite3.connect(target)) as copy:
        database.backup(copy)
        # A single file, without the two beside it.
        copy.execute("PRAGMA journal_mode=DELETE")


# Reading one


def read(path: Path) -> Contents:
    """Looks through a backup of this kind of database; raises `CommandError` if it is none, or damaged."""
    if not path.is_file():
        raise CommandError(f"{path} is no file.")
    return _read_sqlite(path) if connection.vendor == "sqlite" else _read_postgres(path)


def _read_sqlite(path: Path) -> Contents:
    try:
        with closing(_open_sqlite(path)) as database:
            state = database.execute("PRAGMA integrity_check").fetchone()[0]
            if state != "ok":
                raise CommandError(f"{path} is damaged: {state}")
            migrations = database.execute("SELECT app, name FROM django_migrations").fetchall()
            epoch = database.execute("SELECT number FROM game_epoch").fetchone()
    except sqlite3.Error as error:
        raise CommandError(f"{path} is no backup of an SQLite database of Tableau: {error}") from None
    return Contents(epoch[0] if epoch else 1, frozenset(migrations))


def _read_postgres(path: Path) -> Contents:
    try:
        # All of it, so that what is damaged is noticed.
        _run([_program("pg_restore"), "--file", os.devnull, str(path)])
        of_tables = ["--data-only", "--table=django_migrations", "--table=game_epoch"]
        text = _run([_program("pg_restore"), *of_tables, "--file=-", str(path)])
    except CommandError as error:
        raise CommandError(f"{path} is no backup of a Postgres database of Tableau: {error}") from None
    rows = {
        name: [dict(zip(columns.split(", "), line.split("\t"), strict=True)) for line in body.splitlines()]
        for name, columns, body in re.findall(
            r"^COPY \S+?\.(\w+) \(([^)\n]*)\) FROM stdin;\n(.*?)\\\.$", text, re.MULTILINE | re.DOTALL
        )
    }
    if "django_migrations" not in rows:
        raise CommandError(f"{path} is no backup of Tableau.")
    migrations = frozenset((row["app"], row["name"]) for row in rows["django_migrations"])
    epoch = next((int(row["number"]) for row in rows.get("game_epoch", [])), 1)
    return Contents(epoch, migrations)


# Going back to one


def restore(path: Path) -> int:
    """Puts a backup in the place of all that is in the database; returns the new epoch.

    The change is whole or absent. Raises `CommandError`, also while anybody uses the database.
    """
    contents = read(path)
    known = set(MigrationLoader(None, ignore_no_migrations=True).disk_migrations)
    if newer := sorted(
        name for app, name in contents.migrations if app == "game" and (app, name) not in known
    ):
        raise CommandError(f"{path} comes from another release ({newer[0]}): install that one first.")
    if connection.vendor == "sqlite":
        start.claim_database()
        epoch = _new_epoch(contents)
        _restore_sqlite(path, epoch)
    else:
        with start.migration_lock():
            _refuse_company()
            epoch = _new_epoch(contents)
            _restore_postgres(path, epoch)
    connection.close()
    start.migrate()
    return epoch


def _new_epoch(contents: Contents) -> int:
    now = tables.epoch() if "game_epoch" in connection.introspection.table_names() else 0
    return max(now, contents.epoch, int(time.time()) // EPOCH_SECONDS) + 1


def _restore_sqlite(path: Path, epoch: int) -> None:
    target = _sqlite_path()
    connection.close()
    with tempfile.TemporaryDirectory(prefix=".restore-", dir=target.parent) as folder:
        fresh = Path(folder) / "fresh.sqlite3"
        _copy_sqlite(path, fresh)
        with closing(sqlite3.connect(fresh)) as database, database:
            database.execute("DELETE FROM game_epoch")
            database.execute("INSERT INTO game_epoch (number) VALUES (?)", [epoch])
        # Into the same file: whoever has it open, a worker perhaps, sees the new rows too.
        with (
            closing(sqlite3.connect(fresh)) as database,
            closing(sqlite3.connect(target, timeout=20)) as live,
        ):
            database.backup(live)


def _refuse_company() -> None:
    # Who has just been stopped may take a moment to be gone.
    deadline = time.monotonic() + FAREWELL_SECONDS
    while others := _others():
        if time.monotonic() < deadline:
            time.sleep(0.1)
            continue
        raise CommandError(
            f"The database is in use ({others} other connection{'' if others == 1 else 's'}): "
            "stop all servers and workers first."
        )


def _others() -> int:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            " AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )
        return int(cursor.fetchone()[0])


def _restore_postgres(path: Path, epoch: int) -> None:
    """One transaction: what was there goes, what is in the backup comes, and the epoch rises."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT quote_ident(current_schema())")
        schema = cursor.fetchone()[0]
        cursor.execute("SELECT quote_ident(tablename) FROM pg_tables WHERE schemaname = current_schema()")
        old = [f"{schema}.{name}" for (name,) in cursor.fetchall()]
    before = f"DROP TABLE {', '.join(old)} CASCADE;\n" if old else ""
    table = f"{schema}.game_epoch"
    after = f"DELETE FROM {table}; INSERT INTO {table} (number) VALUES ({epoch});\n"  # noqa: S608  # our own
    options = [
        "--no-psqlrc",
        "--quiet",
        "--single-transaction",
        "--set=ON_ERROR_STOP=1",
        "--output",
        os.devnull,
    ]
    command, env = _postgres("psql", options)
    with tempfile.TemporaryFile() as trouble:
        psql = subprocess.Popen(command, env=env, stdin=subprocess.PIPE, stderr=trouble)  # noqa: S603
        assert psql.stdin is not None  # noqa: S101  # a pipe was asked for
        try:
            psql.stdin.write(before.encode())
            psql.stdin.flush()
            _run(
                [_program("pg_restore"), "--no-owner", "--no-acl", "--file=-", str(path)],
                into=psql.stdin.fileno(),
            )
            psql.stdin.write(after.encode())
            psql.stdin.close()
        except BaseException as error:
            # Without the end of its input it commits nothing.
            psql.kill()
            psql.wait()
            if not isinstance(error, OSError):
                raise
        if psql.wait():
            trouble.seek(0)
            raise CommandError(f"Nothing was restored: {trouble.read().decode(errors='replace').strip()}")


# Tools


def _sqlite_path() -> Path:
    return Path(str(connection.settings_dict["NAME"])).resolve()


def _open_sqlite(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True, timeout=20)


def _program(name: str) -> str:
    """The newest of the Postgres programs of this name; raises `CommandError` if there is none."""
    versions = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=lambda path: int(path.parts[4]))
    found = str(versions[-1]) if versions else shutil.which(name)
    if not found:
        raise CommandError(f"{name} is not installed. On Debian and Ubuntu: apt install postgresql-client")
    return found


Command = tuple[list[str], dict[str, str]]


def _postgres(name: str, options: list[str]) -> Command:
    """A Postgres program on this database, and the environment that holds its password."""
    arguments, env = connection.client.settings_to_cmd_args_env(connection.settings_dict, options)
    return [_program(name), *arguments[1:]], {**os.environ, **(env or {})}


def _run(command: Command | list[str], into: int | None = None) -> str:
    """Runs a program to its end; returns what it wrote, unless it goes elsewhere. Raises `CommandError`."""
    arguments, env = command if isinstance(command, tuple) else (command, None)
    done = subprocess.run(  # noqa: S603  # our own arguments
        arguments,
        env=env,
        check=False,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE if into is None else into,
        stderr=subprocess.PIPE,
    )
    if done.returncode:
        raise CommandError(done.stderr.decode(errors="replace").strip() or f"{arguments[0]} failed")
    return (done.stdout or b"").decode(errors="replace")
