"""How many sockets are open, under keys such as an account or an address, over all processes of the site.

Each process writes its own counts into Redis, and they hold as long as it renews its one lease: nothing is
counted up or down between processes, so a killed one leaves nothing behind for long. Where Redis does not
answer, or is not there, the process goes by its own counts.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, Final

from django.conf import settings
from django.utils.crypto import salted_hmac

logger = logging.getLogger(__name__)

LEASE_SECONDS: Final = 15.0
RENEW_SECONDS: Final = 4.0
PATIENCE_SECONDS: Final = 0.5
"""So long a socket waits for Redis, once; while it is silent nobody does."""
KEPT_SECONDS: Final = 3600
"""A count is written again in half of this time, changed or not."""
AT_ONCE: Final = 200
"""So many keys are settled in one call."""
_SALT: Final = "tableau.places"
_PREFIX: Final = "tableau:places:"

# KEYS: the leases, then the counts under each key. ARGV: this process, what it was called before, a lease and
# how long counts are kept (ms), then for each key how many places are held, how many more are asked for, and
# the limit over all. Answers whether the lease was still good, then how many are granted under each key.
_SCRIPT: Final = """
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local lease = tonumber(ARGV[3])
redis.call('ZREM', KEYS[1], ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
-- So long lasts none, unless the clock was set back.
redis.call('ZREMRANGEBYSCORE', KEYS[1], now + 10 * lease, '+inf')
local answer = {redis.call('ZSCORE', KEYS[1], ARGV[1]) and 1 or 0}
redis.call('ZADD', KEYS[1], now + lease, ARGV[1])
redis.call('PEXPIRE', KEYS[1], lease)
local lives = {}
for _, process in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do lives[process] = true end
for i = 2, #KEYS do
  local held, asked, limit = tonumber(ARGV[3 * i - 1]), tonumber(ARGV[3 * i]), tonumber(ARGV[3 * i + 1])
  local others = 0
  local counts = redis.call('HGETALL', KEYS[i])
  for j = 1, #counts, 2 do
    if not lives[counts[j]] then
      redis.call('HDEL', KEYS[i], counts[j])
    elseif counts[j] ~= ARGV[1] then
      others = others + counts[j + 1]
    end
  end
  local granted = math.max(0, math.min(asked, limit - others - held))
  if held + granted > 0 then
    redis.call('HSET', KEYS[i], ARGV[1], held + granted)
    redis.call('PEXPIRE', KEYS[i], ARGV[4])
  else
    redis.call('HDEL', KEYS[i], ARGV[1])
  end
  answer[i] = granted
end
return answer
"""


class _Asked:
    """Those who wait for a place under one key."""

    __slots__ = ("limit", "waiting")

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.waiting: list[asyncio.Future[bool]] = []

    def wanted(self) -> tuple[int, int]:
        """How many places, and the limit."""
        return sum(not answer.cancelled() for answer in self.waiting), self.limit


class Places:
    """The places of one process. ``redis_url`` is empty where no other process can be reached."""

    def __init__(self, redis_url: str, lease_seconds: float = LEASE_SECONDS) -> None:
        self.taken: Counter[str] = Counter()
        self.is_failing = False
        self._url = redis_url
        self._is_shared = bool(redis_url)
        self._lease_ms = int(lease_seconds * 1000)
        self._pause = min(RENEW_SECONDS, lease_seconds / 3)
        self._name = secrets.token_hex(8)
        self._former_name = ""
        self._asked: dict[str, _Asked] = {}
        self._changed: set[str] = set()
        self._is_due = asyncio.Event()

    async def take(self, key: str, limit: int) -> bool:
        """Takes a place under a key, unless ``limit`` are taken over all processes; whether it did."""
        if settings.RATE_LIMIT and self.taken[key] >= limit:
            return False
        if not settings.RATE_LIMIT or not self._is_shared or self.is_failing:
            self.taken[key] += 1
            return True
        answer: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._asked.setdefault(key, _Asked(limit)).waiting.append(answer)
        self._is_due.set()
        try:
            return await answer
        except asyncio.CancelledError:
            if not answer.cancelled() and answer.result():
                self.leave([key])
            raise

    def leave(self, taken: Iterable[str]) -> None:
        """Gives a place back under each of these keys."""
        for key in taken:
            self.taken[key] -= 1
            if self.taken[key] <= 0:
                del self.taken[key]
            if settings.RATE_LIMIT and self._is_shared and not self.is_failing:
                self._changed.add(key)
                self._is_due.set()

    async def run(self) -> None:
        """Settles with the other processes what is asked and what has changed, until it is cancelled."""
        if not self._is_shared:
            return
        # Only where there is one: its client takes a tenth of a start to load.
        from redis.asyncio import Redis  # noqa: PLC0415

        redis = Redis.from_url(self._url)
        settle = redis.register_script(_SCRIPT)
        loop = asyncio.get_running_loop()
        whole_at = loop.time() + KEPT_SECONDS / 2
        try:
            while True:
                if loop.time() >= whole_at:
                    whole_at = loop.time() + KEPT_SECONDS / 2
                    self._changed.update(self.taken)
                await self._settle(settle)
                if self.is_failing:
                    await asyncio.sleep(self._pause)
                elif not self._asked and not self._changed:
                    # Not `wait_for`, which loses a cancellation that comes together with the event.
                    with suppress(TimeoutError):
                        async with asyncio.timeout(self._pause):
                            await self._is_due.wait()
                    self._is_due.clear()
        finally:
            self._is_shared = False
            self._decide(self._asked)
            with suppress(Exception):
                async with asyncio.timeout(PATIENCE_SECONDS):
                    await redis.zrem(_key("leases"), self._name)
            await redis.aclose()

    async def _settle(self, settle: Any) -> None:
        """One call to Redis, which renews the lease too."""
        keys = [*self._asked, *(self._changed - self._asked.keys())][:AT_ONCE]
        asked = {key: self._asked.pop(key) for key in keys if key in self._asked}
        self._changed.difference_update(keys)
        values: list[int | str] = [self._name, self._former_name, self._lease_ms, KEPT_SECONDS * 1000]
        for key in keys:
            values += [self.taken[key], *(asked[key].wanted() if key in asked else (0, 0))]
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                is_known, *granted = await settle([_key("leases"), *map(_key, keys)], values)
        except asyncio.CancelledError:
            self._decide(asked)
            raise
        except Exception as error:  # whatever the client raises
            self._note_trouble(error)
            self._decide(asked)
            self._decide(self._asked)
            return
        for key, free in zip(keys, granted, strict=True):
            if key in asked:
                self._answer(key, asked[key], free)
        if self.is_failing:
            logger.warning("Sockets are counted over all processes again")
        if self.is_failing or not is_known:
            # All that Redis does not know of, or has forgotten.
            self._changed.update(self.taken)
        self.is_failing = False
        self._former_name = ""

    def _note_trouble(self, error: Exception) -> None:
        if not self.is_failing:
            logger.warning("Redis fails, sockets are counted in each process: %r", error)
            # What is given back from here on stays counted under this name, which ends with its lease.
            self._former_name, self._name = self._name, secrets.token_hex(8)
        self.is_failing = True
        self._changed.clear()

    def _decide(self, waiting: dict[str, _Asked]) -> None:
        """Answers these by the counts of this process alone."""
        for key, asked in waiting.items():
            self._answer(key, asked, asked.limit - self.taken[key])
        waiting.clear()

    def _answer(self, key: str, asked: _Asked, free: int) -> None:
        for answer in asked.waiting:
            if answer.cancelled():
                # It may have been counted in Redis.
                self._changed.add(key)
                continue
            answer.set_result(free > 0)
            if free > 0:
                free -= 1
                self.taken[key] += 1


def _key(name: str) -> str:
    """Where something is counted in Redis: it tells nothing about anybody, and is this site's own."""
    return _PREFIX + salted_hmac(_SALT, name, algorithm="sha256").hexdigest()[:32]
