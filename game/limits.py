"""How often something may be tried: counted by the minute, in Redis where there is one.

Nobody waits for a silent Redis twice, and nobody is sent away because of it: meanwhile each process goes by
its own count. Guesses at codes are always counted in this process alone, since every page of a game asks.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict
from hashlib import sha256
from typing import Final

from django.conf import settings
from django.core.cache import cache
from django.core.cache.backends.base import BaseCache
from django.core.cache.backends.locmem import LocMemCache

from game.spelling import folded_name

logger = logging.getLogger(__name__)

MINUTE: Final = 60
HOUR: Final = 3600
LOGINS_A_MINUTE: Final = 20
TRIES_AT_A_NAME_AN_HOUR: Final = 60
DRAWINGS_A_MINUTE: Final = 60
EXPORTS_AN_HOUR: Final = 6
GAMES_AN_HOUR: Final = 60
ADDRESSES_KEPT: Final = 10_000
PAUSE_SECONDS: Final = 10.0
"""So long a counter that failed is not asked again."""


def may_log_in(address: str) -> bool:
    """Whether one more log-in or sign-up from this address is within the limit; counts it."""
    return _is_within("login", address, LOGINS_A_MINUTE)


def may_try_name(name: str, address: str) -> bool:
    """The same for this name from this address; from elsewhere its owner comes in whatever is tried here."""
    pair = sha256(f"{folded_name(name)} {address}".encode()).hexdigest()
    return _is_within("name", pair, TRIES_AT_A_NAME_AN_HOUR, HOUR)


def may_return(browser: str) -> bool:
    """The same for a browser in which the account was at home before, whatever others try at its address."""
    return _is_within("return", browser, LOGINS_A_MINUTE)


def may_draw(address: str) -> bool:
    """Whether one more picture may be drawn for this address; counts it."""
    return _is_within("drawing", address, DRAWINGS_A_MINUTE)


def may_export(user_id: int) -> bool:
    """Whether all that is kept of this person may be put together once more; counts it."""
    return _is_within("export", str(user_id), EXPORTS_AN_HOUR, HOUR)


def _is_within(kind: str, who: str, limit: int, seconds: int = MINUTE) -> bool:
    return not settings.RATE_LIMIT or SHARED.count(f"{kind}:{who}", limit, seconds)


class Counters:
    """What all processes count together, and while that fails each by itself. For all threads."""

    def __init__(self) -> None:
        self._here = LocMemCache("limits", {"max_entries": 10 * ADDRESSES_KEPT})
        self._lock = threading.Lock()
        self._is_failing = False
        self._ask_at = 0.0

    def count(self, what: str, limit: int, seconds: int) -> bool:
        """Counts one more; whether that is within so many in so many seconds."""
        if time.monotonic() >= self._ask_at:
            try:
                is_within = _is_in(cache, what, limit, seconds)
            except Exception as error:  # whatever the cache's client raises
                self._note(error)
            else:
                self._note(None)
                return is_within
        return _is_in(self._here, what, limit, seconds)

    def forget(self) -> None:
        """Begins anew with what is counted here."""
        with self._lock:
            self._is_failing, self._ask_at = False, 0.0
        self._here.clear()

    def _note(self, error: Exception | None) -> None:
        """Says once that it fails, and once that it works again."""
        with self._lock:
            is_news = self._is_failing != (error is not None)
            self._is_failing = error is not None
            if error is not None:
                self._ask_at = time.monotonic() + PAUSE_SECONDS
        if is_news and error is not None:
            logger.warning("Redis fails, attempts are counted in each process: %r", error)
        elif is_news:
            logger.warning("Attempts are counted over all processes again")


def _is_in(counts: BaseCache, what: str, limit: int, seconds: int) -> bool:
    """Counts one more. What the last stretch counted leaks out evenly in this one, as from a bucket."""
    stretch, gone = divmod(time.time(), seconds)
    now, before = (f"limit:{what}:{int(stretch) - back}" for back in (0, 1))
    counts.add(now, 0, timeout=2 * seconds)
    count = counts.incr(now)
    left = min(counts.get(before, 0), limit) * (1 - gone / seconds)
    return bool(count + left <= limit)


class Guesses:
    """Codes that were none, an address a bucket: so many at once, then so many a second. For all threads."""

    def __init__(self, at_once: int, a_second: float) -> None:
        self._at_once = at_once
        self._a_second = a_second
        self._lock = threading.Lock()
        self._full_at: OrderedDict[str, float] = OrderedDict()

    def __str__(self) -> str:
        return f"{self._at_once}, then {self._a_second:g} a second"

    def wait_s(self, address: str) -> float:
        """0 if this address may name another code, else how long to wait."""
        if not settings.RATE_LIMIT:
            return 0
        with self._lock:
            full_at = self._full_at.get(address, 0.0)
        return max(0.0, full_at - time.monotonic() - (self._at_once - 1) / self._a_second)

    def count(self, address: str) -> None:
        """Notes that a code from this address named nothing."""
        now = time.monotonic()
        with self._lock:
            full_at = max(self._full_at.pop(address, now), now)
            self._full_at[address] = full_at + 1 / self._a_second
            if len(self._full_at) > ADDRESSES_KEPT:
                self._full_at.popitem(last=False)

    def forget(self) -> None:
        """Begins anew for everybody."""
        with self._lock:
            self._full_at.clear()


SHARED: Final = Counters()
ON_PAGES: Final = Guesses(at_once=60, a_second=1)
AT_SOCKETS: Final = Guesses(at_once=1200, a_second=20)
"""More at once, since pages with an unset code come back a thousand times without meaning harm."""
