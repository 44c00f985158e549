"""What a database holds of a game, read past the product."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import psycopg

from tests.services import Site

GAME: Final = """
    SELECT id, rules_slug, deal_text, position_text, seq, ply, moves, status, score
    FROM game_game WHERE code = '{}'
"""
LOG: Final = "SELECT seq, command_id, command FROM game_logentry WHERE game_id = {} ORDER BY seq"


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the log."""

    seq: int
    id: str
    command: str


@dataclass(frozen=True, slots=True)
class Stored:
    """A game and its log as they are stored."""

    code: str
    rules: str
    deal: str
    position: str
    seq: int
    ply: int
    moves: int
    status: str
    score: int | None
    log: tuple[Row, ...]


def stored_game(site: Site, code: str) -> Stored:
    """Reads a game from a site's database, whether or not the site runs."""
    game_id, rules, deal, position, seq, ply, moves, status, score = ask(site, GAME.format(code))[0]
    log = tuple(Row(*row) for row in ask(site, LOG.format(game_id)))
    return Stored(code, rules, deal, position, seq, ply, moves, status, score, log)


def ask(site: Site, query: str) -> list[tuple[Any, ...]]:
    """The rows of a query."""
    if url := site.settings.get("DATABASE_URL"):
        with _connected(url) as connection:
            return connection.execute(query.encode()).fetchall()
    with closing(sqlite3.connect(Path(site.settings["VAR"]) / "tableau.sqlite3", timeout=20)) as file:
        return file.execute(query).fetchall()


def _connected(url: str) -> psycopg.Connection[Any]:
    """A connection, as soon as one is free: one that was closed counts until the server has noticed."""
    for _ in range(50):
        with suppress(psycopg.OperationalError):
            return psycopg.connect(url, autocommit=True)
        time.sleep(0.1)
    return psycopg.connect(url, autocommit=True)
