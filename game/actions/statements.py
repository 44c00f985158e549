"""The statements of a move, their text made once.

Django builds the text of a query anew each time, which takes several times as long as running it. These are
made from the models and do what `select_related`, ``save(force_insert=True)`` and
``save(update_fields=…)`` would; no signal is sent, and nothing listens to one of these models.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any, Final, TypeVar

from django.contrib.sessions.models import Session
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Field, Model
from django.utils import timezone

from game.models import Game, LogEntry, User

Row = TypeVar("Row", bound=Model)

_EXPIRES: Final[Field[Any, Any]] = Session._meta.get_field("expire_date")


def locked_game(game_id: int, session_key: str = "") -> tuple[Game, str | None]:
    """A game with its player, the row of the game locked, and the data of that session if it is open.

    Raises `Game.DoesNotExist`.
    """
    connection = _connection()
    now = _EXPIRES.get_db_prep_value(timezone.now(), connection)
    found = _first(connection, _locking(connection.vendor), (session_key, now, game_id))
    if found is None:
        raise Game.DoesNotExist
    width = len(Game._meta.concrete_fields)
    game = _made(connection, Game, found[:width])
    game.player = _made(connection, User, found[width:-1])
    return game, found[-1]


def log_entry(game_id: int, seq: int) -> LogEntry:
    """One row of a log; raises `LogEntry.DoesNotExist`."""
    connection = _connection()
    found = _first(connection, _entry(connection.vendor), (game_id, seq))
    if found is None:
        raise LogEntry.DoesNotExist
    return _made(connection, LogEntry, found)


def insert(row: Model) -> None:
    """Stores a new row whose key is set; raises `IntegrityError`."""
    connection = _connection()
    values = _stored(connection, row, row._meta.concrete_fields)
    with connection.cursor() as cursor:
        cursor.execute(_inserting(type(row), connection.vendor), values)


def update(row: Model, names: tuple[str, ...]) -> None:
    """Stores these fields of a row that is locked."""
    connection = _connection()
    values = _stored(connection, row, _fields(type(row), names))
    with connection.cursor() as cursor:
        cursor.execute(_updating(type(row), names, connection.vendor), [*values, row.pk])


def _connection() -> BaseDatabaseWrapper:
    """This thread's connection itself: through Django's stand-in for it each look costs a call more."""
    return connections[DEFAULT_DB_ALIAS]


@cache
def _fields(model: type[Model], names: tuple[str, ...]) -> list[Any]:
    return [model._meta.get_field(name) for name in names]


def _first(connection: BaseDatabaseWrapper, text: str, values: Sequence[Any]) -> tuple[Any, ...] | None:
    with connection.cursor() as cursor:
        cursor.execute(text, values)
        found: tuple[Any, ...] | None = cursor.fetchone()
        return found


def _stored(connection: BaseDatabaseWrapper, row: Model, fields: Sequence[Any]) -> list[Any]:
    return [field.get_db_prep_save(getattr(row, field.attname), connection) for field in fields]


def _made(connection: BaseDatabaseWrapper, model: type[Row], values: Sequence[Any]) -> Row:
    """The row of a model from what the driver gives for its columns."""
    converted = list(values)
    names, conversions = _reading(model, connection)
    for place, column, convert in conversions:
        converted[place] = convert(converted[place], column, connection)
    return model.from_db(connection.alias, names, converted)


@lru_cache(maxsize=64)
def _reading(
    model: type[Model], connection: BaseDatabaseWrapper
) -> tuple[list[str], list[tuple[int, Any, Any]]]:
    """The attributes of a row, and what has to be done with which; a connection belongs to one thread."""
    fields = model._meta.concrete_fields
    conversions = [
        (place, column, convert)
        for place, column in enumerate(field.cached_col for field in fields)
        for convert in (*connection.ops.get_db_converters(column), *column.get_db_converters(connection))
    ]
    return [field.attname for field in fields], conversions


# The texts: for each kind of database one, made of names in our models alone


def _quoted(name: str | None) -> str:
    return _connection().ops.quote_name(name or "")


def _table(model: type[Model]) -> str:
    return _quoted(model._meta.db_table)


def _columns(model: type[Model], alias: str) -> str:
    return ", ".join(f"{alias}.{_quoted(field.column)}" for field in model._meta.concrete_fields)


@cache
def _locking(vendor: str) -> str:
    text = (
        f"SELECT {_columns(Game, 'g')}, {_columns(User, 'u')},"  # noqa: S608
        f" (SELECT session_data FROM {_table(Session)} WHERE session_key = %s AND expire_date > %s)"
        f" FROM {_table(Game)} g JOIN {_table(User)} u ON u.id = g.player_id WHERE g.id = %s"
    )
    if _connection().features.has_select_for_update:
        text += " " + _connection().ops.for_update_sql(of=("g",))
    return text


@cache
def _entry(vendor: str) -> str:
    columns = _columns(LogEntry, "l")
    return f"SELECT {columns} FROM {_table(LogEntry)} l WHERE game_id = %s AND seq = %s"  # noqa: S608


@cache
def _inserting(model: type[Model], vendor: str) -> str:
    names = [_quoted(field.column) for field in model._meta.concrete_fields]
    marks = ", ".join(["%s"] * len(names))
    return f"INSERT INTO {_table(model)} ({', '.join(names)}) VALUES ({marks})"  # noqa: S608


@cache
def _updating(model: type[Model], names: tuple[str, ...], vendor: str) -> str:
    assignments = ", ".join(f"{_quoted(field.column)} = %s" for field in _fields(model, names))
    return f"UPDATE {_table(model)} SET {assignments} WHERE {_quoted(model._meta.pk.column)} = %s"  # noqa: S608
