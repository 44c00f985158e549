"""Row 12. Several processes start at once, on one database."""

from __future__ import annotations

import time
from pathlib import Path

import psycopg
import pytest

from game.management import start
from tests.conftest import Serve
from tests.faults.conftest import size
from tests.faults.figures import Figures
from tests.services import Site, new_database, wait_until

AGAIN = size(1, 10)
OLDER = "0001"


@pytest.mark.parametrize("schema", ["empty", "older"])
def test_together_on_postgres(
    serve: Serve, figures: Figures, postgres_url: str, prepared_var: Path, schema: str
) -> None:
    """B40: of four one migrates, the others wait, and all come up; files are collected once."""
    for _ in range(AGAIN):
        is_first = schema == "empty"
        first = serve("production", start=False, is_first=is_first, DATABASE_URL=new_database(postgres_url))
        if schema == "older":
            first.manage("migrate", "game", OLDER)
        before = applied_to(first) if schema == "older" else set()
        sites = [first, *(serve(like=first, start=False) for _ in range(3))]
        start_all(sites)
        assert ("game", "0001_initial") in applied_to(first)
        assert len(applied_to(first)) > len(before)
        figures.none("migrations left", first.manage("showmigrations", "--plan").count("[ ]") * ["one"])
        assert len(releases(Path(first.settings["VAR"])) - releases(prepared_var)) == 1
        figures.none("tracebacks", [site.url for site in sites if "Traceback" in site.tail()])
        for site in sites:
            site.end()


def start_all(sites: list[Site]) -> None:
    """Starts them at once; returns when all of them answer."""
    for site in sites:
        site.spawn()
    for site in sites:
        site.wait_ready(site.answers)


def releases(var: Path) -> set[str]:
    """The folders of collected files."""
    return {folder.name for folder in (var / "static").iterdir()}


def applied_to(site: Site) -> set[tuple[str, str]]:
    """The migrations that a site's database holds, none of them twice."""
    with psycopg.connect(site.settings["DATABASE_URL"]) as connection:
        rows = connection.execute("SELECT app, name FROM django_migrations").fetchall()
    assert len(rows) == len(set(rows))
    return set(rows)


def test_a_process_that_is_killed_while_it_migrates_holds_up_nobody(serve: Serve, postgres_url: str) -> None:
    """B40: the lock falls with its session, and no half schema is left."""
    site = serve("production", start=False, DATABASE_URL=new_database(postgres_url))
    with psycopg.connect(site.settings["DATABASE_URL"], autocommit=True) as holder:
        holder.execute("SELECT pg_advisory_lock(%s)", [start.MIGRATION_LOCK])
        site.spawn()
        time.sleep(3)
        assert site.is_alive
        assert not site.answers()
    site.wait_ready(site.answers)


def test_together_on_sqlite(serve: Serve, tmp_path: Path) -> None:
    """B35: refused by whatever path it comes; commands may use the file; kill -9 frees it at once."""
    several = [serve("embedded", start=False)]
    several += [serve(like=several[0], start=False) for _ in range(2)]
    for site in several:
        site.spawn()
    wait_until(lambda: sum(site.is_alive for site in several) == 1, "two of three give up")
    (first,) = (site for site in several if site.is_alive)
    first.wait_ready(first.answers)
    for site in several:
        assert site is first or "Another process serves the database" in site.tail()
    link = tmp_path / "link.sqlite3"
    link.symlink_to(tmp_path / "var/tableau.sqlite3")
    second = serve(like=first, start=False, DATABASE_URL=f"sqlite:///{link}")
    second.spawn()
    assert second.wait(120) == 1
    assert "Another process serves the database" in second.tail()
    assert "Traceback" not in second.tail()
    assert "[X] 0001_initial" in first.manage("showmigrations", "game")
    first.kill9()
    third = serve(like=first)
    assert third.answers()
