"""The door of the sockets: who may come in, how many, and how fast they may talk."""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import parse_qsl

from django.conf import settings

from game import wire
from game.addresses import true_address
from game.engine.commands import MalformedCommandError, parse_command

Scope = dict[str, Any]

BURST: Final = 40
PER_SECOND: Final = 20
OVER_THE_RATE: Final = 100
OVER_THE_RATE_SECONDS: Final = 5.0
FLOOD_PER_SECOND: Final = 200
MALFORMED: Final = 20
MALFORMED_SECONDS: Final = 60.0
SOCKETS_AN_ACCOUNT: Final = 20
SOCKETS_AN_ADDRESS: Final = 100
TOO_MANY_RETRY_MS: Final = 10_000

_ORIGIN: Final = re.compile(r"(https?)://(\[[0-9a-f:.]+\]|[^/@:\[\]?#\s]+)(?::([0-9]{1,5}))?", re.IGNORECASE)
_DEFAULT_PORT: Final = {"http": "80", "https": "443"}
_NUMBER: Final = re.compile(r"0|[1-9][0-9]{0,15}")


def header(scope: Scope, name: bytes) -> str | None:
    """A header of the handshake; None if it is missing or was sent more than once."""
    found = [value for key, value in scope.get("headers", []) if key == name]
    return found[0].decode("latin1") if len(found) == 1 else None


def cookie(scope: Scope, name: str) -> str:
    """A cookie of the handshake, empty if there is none."""
    for part in (header(scope, b"cookie") or "").split(";"):
        key, _, value = part.strip().partition("=")
        if key == name:
            return value.strip('"')
    return ""


def normal_origin(text: str) -> str | None:
    """An origin with scheme and host in lower case and no default port; None if it is no origin."""
    match = _ORIGIN.fullmatch(text)
    if match is None:
        return None
    scheme, host, port = match.groups()
    scheme = scheme.lower()
    suffix = "" if port in (None, _DEFAULT_PORT[scheme]) else f":{port}"
    return f"{scheme}://{host.lower()}{suffix}"


def is_from_here(scope: Scope) -> bool:
    """Whether the page that opens this socket is one of ours: its whole origin is compared."""
    sent = normal_origin(header(scope, b"origin") or "")
    return sent is not None and sent in set(map(normal_origin, settings.ALLOWED_ORIGINS))


def address_of(scope: Scope) -> str:
    """The address from which a socket comes."""
    client = scope.get("client")
    forwarded = b",".join(value for key, value in scope.get("headers", []) if key == b"x-forwarded-for")
    return true_address(client[0] if client else "", forwarded.decode("latin1"))


class BadQueryError(ValueError):
    """The address of a socket is written wrongly."""


@dataclass(frozen=True, slots=True)
class Query:
    """What a socket's address asks for."""

    since: int | None
    epoch: int | None
    lang: str
    ticket: str


def read_query(query_string: bytes) -> Query:
    """Reads the part behind the question mark; raises `BadQueryError` where the contract says 4001."""
    try:
        fields = dict(parse_qsl(query_string.decode("ascii"), keep_blank_values=True))
    except ValueError as error:
        raise BadQueryError(str(error)) from None
    if fields.get("v") != str(wire.PROTOCOL_VERSION):
        raise BadQueryError("v")
    since, epoch = (_number(fields, name) for name in ("since", "epoch"))
    if since is not None and epoch is None:
        raise BadQueryError("since without epoch")
    lang = fields.get("lang", "")
    known = {code for code, _ in settings.LANGUAGES}
    return Query(since, epoch, lang if lang in known else "en", fields.get("ticket", ""))


def _number(fields: dict[str, str], name: str) -> int | None:
    text = fields.get(name)
    if text is None:
        return None
    if _NUMBER.fullmatch(text) is None:
        raise BadQueryError(name)
    return int(text)


def is_well_formed(message: wire.ClientMessage) -> bool:
    """Whether the text of a command is one, if it is a command."""
    if isinstance(message, wire.Play):
        try:
            parse_command(message.command)
        except MalformedCommandError:
            return False
    return True


class Window:
    """Counts what happened within the last ``seconds``; holds at most ``limit`` moments."""

    __slots__ = ("_limit", "_moments", "_seconds")

    def __init__(self, limit: int, seconds: float) -> None:
        self._limit = limit
        self._seconds = seconds
        self._moments: deque[float] | None = None

    def is_full(self, now: float) -> bool:
        """Counts one more; whether that makes ``limit`` of them."""
        if self._moments is None:
            self._moments = deque(maxlen=self._limit)
        self._moments.append(now)
        return len(self._moments) == self._limit and now - self._moments[0] < self._seconds


class Pace:
    """How fast one socket talks. All moments are seconds of one clock that never goes back."""

    __slots__ = ("_frames", "_malformed", "_over", "_seen", "_tokens")

    def __init__(self) -> None:
        self._tokens = float(BURST)
        self._seen = 0.0
        self._frames = Window(FLOOD_PER_SECOND + 1, 1.0)
        self._over = Window(OVER_THE_RATE, OVER_THE_RATE_SECONDS)
        self._malformed = Window(MALFORMED, MALFORMED_SECONDS)

    def is_flood(self, now: float) -> bool:
        """Counts a frame of any kind; whether there were too many in a second."""
        return settings.RATE_LIMIT and self._frames.is_full(now)

    def is_beyond_patience(self, now: float) -> bool:
        """Counts a malformed frame; whether it is the one that ends the socket."""
        return self._malformed.is_full(now)

    def wait_ms(self, now: float) -> int:
        """Takes leave for one command: 0, or after how many milliseconds to try again."""
        if not settings.RATE_LIMIT:
            return 0
        self._tokens = min(float(BURST), self._tokens + (now - self._seen) * PER_SECOND)
        self._seen = now
        # A hair less than one is one: the sum of many small parts.
        if self._tokens > 1 - 1e-6:
            self._tokens -= 1
            return 0
        return max(1, round((1 - self._tokens) / PER_SECOND * 1000))

    def is_stubborn(self, now: float) -> bool:
        """Counts a frame over the rate; whether it is the one that ends the socket."""
        return self._over.is_full(now)
