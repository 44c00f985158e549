"""What the server writes about itself: lines for people or, with ``LOG_FORMAT=json``, one object a line.

Every line that is about a socket or a request names it, and the game it is about: both follow the work
into threads and tasks.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from secrets import token_hex

import msgspec

_connection: ContextVar[str] = ContextVar("connection", default="")
_game: ContextVar[str] = ContextVar("game", default="")


@contextmanager
def about_connection() -> Iterator[str]:
    """Lines written inside are about one socket or one request; gives its name."""
    name = token_hex(4)
    token = _connection.set(name)
    of_game = _game.set("")
    try:
        yield name
    finally:
        _connection.reset(token)
        _game.reset(of_game)


def about_game(code: str) -> None:
    """What is written about this connection from here on is about this game, named by its canonical code."""
    _game.set(code)


class AddPlace(logging.Filter):
    """Gives each record ``connection`` and ``game``, and ``place``, which is both as a person reads them."""

    def filter(self, record: logging.LogRecord) -> bool:
        named = {"game": _game.get(), "connection": _connection.get()}
        record.__dict__.update(named)
        told = " ".join(f"{key} {value}" for key, value in named.items() if value)
        record.place = f" [{told}]" if told else ""
        return True


class SaidElsewhere(logging.Filter):
    """Keeps back what the layer's client tells of a silent Redis, once a second and with a traceback.

    The relay says it, once when it begins and once when it is over.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        # Loaded only where there is a Redis to be silent.
        from redis.exceptions import RedisError  # noqa: PLC0415

        error = record.exc_info[1] if record.exc_info else None
        return not isinstance(error, (RedisError, OSError))


class NotOfProbes(logging.Filter):
    """Keeps back that ``/readyz`` was answered with 503, each time it is asked: it says itself why, once."""

    def filter(self, record: logging.LogRecord) -> bool:
        request = getattr(record, "request", None)
        return not str(getattr(request, "path", "")).endswith("/readyz")


class JsonLines(logging.Formatter):
    """One JSON object a line: ``time`` (ISO 8601, UTC), ``level``, ``logger``, ``message``, and where known
    ``connection``, ``game`` and ``exception``.
    """

    def format(self, record: logging.LogRecord) -> str:
        told = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            "connection": getattr(record, "connection", ""),
            "game": getattr(record, "game", ""),
            "exception": self.formatException(record.exc_info) if record.exc_info else "",
        }
        return msgspec.json.encode({key: value for key, value in told.items() if value}).decode()
