"""Places at the door, counted over processes by leases, with a real Redis."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from redis import Redis

from game import places
from game.places import Places
from tests.services import RedisServer

KEY = "account 1"
LEASE_SECONDS = 3.0
"""Renewed every second: no stall of a busy machine may end it."""

Process = Callable[..., Places]


@pytest.fixture(autouse=True)
def with_limits(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.RATE_LIMIT = True
    # A busy machine may stand still for long, which is no failure of Redis.
    monkeypatch.setattr(places, "PATIENCE_SECONDS", 10)


async def ended(run: asyncio.Task[None]) -> None:
    """Ends a process politely."""
    run.cancel()
    await asyncio.gather(run, return_exceptions=True)


@pytest.fixture
async def process(redis_url: str) -> AsyncIterator[Process]:
    """Makes the places of one process more, which ends with the test."""
    async with contextlib.AsyncExitStack() as stack:

        def make(url: str = redis_url) -> Places:
            made = Places(url, LEASE_SECONDS)
            stack.push_async_callback(ended, asyncio.create_task(made.run()))
            return made

        yield make


async def takes(process: Places, count: int, limit: int) -> list[bool]:
    """Asks for so many places at once."""
    return list(await asyncio.gather(*(process.take(KEY, limit) for _ in range(count))))


async def until(holds: Callable[[], bool], seconds: float = 20) -> None:
    """Returns once something holds; raises `TimeoutError`."""
    async with asyncio.timeout(seconds):
        while not holds():  # noqa: ASYNC110
            await asyncio.sleep(0.02)


async def room(process: Places, limit: int, seconds: float = 20) -> None:
    """Returns once there is a place, which is taken then; raises `TimeoutError`."""
    async with asyncio.timeout(seconds):
        while not await process.take(KEY, limit):  # noqa: ASYNC110
            await asyncio.sleep(0.05)


async def full(process: Places, limit: int) -> None:
    """Returns once there is no place; raises `TimeoutError`."""
    async with asyncio.timeout(20):
        while await process.take(KEY, limit):
            process.leave([KEY])
            await asyncio.sleep(0.05)


async def test_without_redis_one_process_counts_for_itself() -> None:
    alone = Places("")
    assert await takes(alone, 4, 3) == [True] * 3 + [False]
    alone.leave([KEY])
    assert await takes(alone, 2, 3) == [True, False]
    await alone.run()


async def test_the_limit_holds_over_all_processes_however_many_ask_at_once(process: Process) -> None:
    one, two = process(), process()
    answers = await asyncio.gather(takes(one, 30, 20), takes(two, 30, 20))
    assert sum(map(sum, answers)) == 20
    assert one.taken[KEY] + two.taken[KEY] == 20
    assert await two.take("account 2", 1)
    fuller, other = (one, two) if one.taken[KEY] >= two.taken[KEY] else (two, one)
    fuller.leave([KEY, KEY])
    await room(other, 20)
    await room(other, 20)
    assert await takes(other, 5, 20) == [False] * 5


async def test_places_end_with_the_lease_of_whoever_holds_them(process: Process, redis_url: str) -> None:
    """As after kill -9 nothing is given back; here the process only stands still, and comes back."""
    one, other = process(), asyncio.new_event_loop()
    still, go_on = threading.Event(), threading.Event()
    two = Places(redis_url, LEASE_SECONDS)
    held: list[bool] = []

    async def hold() -> None:
        run = asyncio.create_task(two.run())
        held.extend(await takes(two, 3, 5))
        still.set()
        go_on.wait()
        await until(lambda: two._changed == set() and not run.done())
        held.append(await two.take(KEY, 5))
        await ended(run)

    thread = threading.Thread(target=other.run_until_complete, args=(hold(),))
    thread.start()
    await until(still.is_set)
    assert await takes(one, 3, 5) == [True, True, False]
    for _ in range(3):
        await room(one, 5)
    assert one.taken[KEY] == 5
    go_on.set()
    await asyncio.to_thread(thread.join)
    other.close()
    assert held == [True, True, True, False], "it keeps what it has, and gets no more"


async def test_a_polite_end_gives_all_back_at_once(process: Process, redis_url: str) -> None:
    one, two = process(), Places(redis_url, 9 * LEASE_SECONDS)
    run = asyncio.create_task(two.run())
    assert await takes(two, 5, 5) == [True] * 5
    assert not await one.take(KEY, 5)
    await ended(run)
    assert await takes(one, 6, 5) == [True] * 5 + [False]
    assert not await two.take(KEY, 5), "and whoever still comes is counted there"


@pytest.mark.parametrize("how", ["hangs", "is gone"])
async def test_while_redis_fails_each_counts_for_itself_and_nobody_waits(
    process: Process,
    redis_server: RedisServer,
    how: str,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(places, "PATIENCE_SECONDS", 1.5)
    caplog.set_level(logging.WARNING, "game.places")
    one, two = process(redis_server.url), process(redis_server.url)
    assert await takes(one, 3, 5) == [True] * 3
    assert await takes(two, 2, 5) == [True] * 2
    (redis_server.pause if how == "hangs" else redis_server.kill9)()
    begun = asyncio.get_running_loop().time()
    assert await takes(two, 4, 5) == [True] * 3 + [False]
    assert asyncio.get_running_loop().time() - begun < 10
    assert two.is_failing
    answer = two.take(KEY, 6)
    with pytest.raises(StopIteration):
        answer.send(None)
    await until(lambda: one.is_failing)
    one.leave([KEY] * 3)
    two.leave([KEY] * 2)
    await asyncio.to_thread(redis_server.resume if how == "hangs" else redis_server.start)
    await until(lambda: not one.is_failing and not two.is_failing)
    # Four are held at the other, and what was given back meanwhile counts no more.
    await room(one, 5)
    await full(one, 5)
    assert (one.taken[KEY], two.taken[KEY]) == (1, 4)
    told = [record.getMessage() for record in caplog.records]
    assert sum("Redis fails" in message for message in told) == 2
    assert sum("again" in message for message in told) == 2


async def test_what_redis_forgets_is_told_again_and_it_learns_of_nobody(
    process: Process, redis_server: RedisServer
) -> None:
    one, two = process(redis_server.url), process(redis_server.url)
    assert await takes(one, 5, 5) == [True] * 5
    with Redis.from_url(redis_server.url) as client:
        kept = [client.dump(name) for name in client.scan_iter()]
        assert kept
        assert not any(b"account" in text for text in [*client.scan_iter(), *kept])
        client.flushall()

        def is_told() -> bool:
            return any(client.type(name) == b"hash" for name in client.scan_iter())

        await until(is_told)
        assert not await two.take(KEY, 5)
        one.leave([KEY] * 5)
        await until(lambda: not is_told())


async def test_whoever_goes_while_asking_has_no_place(process: Process) -> None:
    one, two = process(), process()
    asking = [asyncio.create_task(one.take(KEY, 5)) for _ in range(5)]
    await asyncio.sleep(0)
    for task in asking:
        task.cancel()
    await asyncio.gather(*asking, return_exceptions=True)
    assert not one.taken
    for _ in range(5):
        await room(two, 5)
