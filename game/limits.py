"""How often something may be tried: counted by the minute, in Redis where there is one.

Counting is a courtesy to everybody else, not a gate that must hold: if the counter cannot be reached, the
attempt is let through.
"""

from __future__ import annotations

import logging
import time
from typing import Final

from django.conf import settings
from django.core.cache import cache

logger = logging.getLogger(__name__)

MINUTE: Final = 60
LOGINS_A_MINUTE: Final = 20
DRAWINGS_A_MINUTE: Final = 60
GAMES_AN_HOUR: Final = 60


def may_log_in(address: str) -> bool:
    """Whether one more log-in or sign-up from this address is within the limit; counts it."""
    return _is_within("login", address, LOGINS_A_MINUTE)


def may_draw(address: str) -> bool:
    """Whether one more picture may be drawn for this address; counts it."""
    return _is_within("drawing", address, DRAWINGS_A_MINUTE)


def _is_within(kind: str, who: str, limit: int) -> bool:
    if not settings.RATE_LIMIT:
        return True
    key = f"limit:{kind}:{who}:{int(time.time()) // MINUTE}"
    try:
        cache.add(key, 0, timeout=2 * MINUTE)
        return cache.incr(key) <= limit
    except Exception:  # whatever the cache's client raises
        logger.warning("%s attempts could not be counted", kind, exc_info=True)
        return True
