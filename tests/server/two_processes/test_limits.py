"""Limits that hold over both processes, whichever of them is tried."""

from __future__ import annotations

import asyncio
import contextlib
import time
from itertools import count

import pytest

from game.door import SOCKETS_AN_ACCOUNT, SOCKETS_AN_ADDRESS
from game.limits import LOGINS_A_MINUTE
from tests.server.two_processes.pair import Pair, addresses, first_word, socket_of
from tests.server.visiting import Visitor
from tests.services import Site


async def comes_in(site: Site, code: str, visitor: Visitor, stack: contextlib.AsyncExitStack) -> bool:
    """Whether one more socket of theirs is welcomed; then it stays until the stack ends."""
    socket = socket_of(site, code, visitor)
    told = await first_word(await socket.__aenter__())
    if told["type"] == "welcome":
        stack.push_async_exit(socket)
        return True
    assert (told["code"], told["reason"]) == (4029, "sockets")
    await socket.__aexit__(None, None, None)
    return False


async def is_let_in(site: Site, code: str, visitor: Visitor, *, wanted: bool) -> None:
    """Returns once one more socket is let in, or is not; raises `TimeoutError`."""
    async with asyncio.timeout(40):
        while True:
            async with contextlib.AsyncExitStack() as stack:
                if await comes_in(site, code, visitor, stack) is wanted:
                    return
            await asyncio.sleep(0.2)


async def test_the_sockets_of_an_account_are_counted_over_both(pair: Pair) -> None:
    """Not while Redis is away: then each counts for itself, and nobody waits or is refused."""
    ada = await asyncio.to_thread(pair.person, "Ada")
    code = await asyncio.to_thread(ada.start_another)
    async with contextlib.AsyncExitStack() as stack, contextlib.AsyncExitStack() as at_two:
        for number in range(SOCKETS_AN_ACCOUNT):
            site, its = (pair.two, at_two) if number < 8 else (pair.one, stack)
            assert await comes_in(site, code, ada, its)
        for site in (pair.one, pair.two):
            await is_let_in(site, code, ada, wanted=False)
        await at_two.aclose()
        await is_let_in(pair.one, code, ada, wanted=True)
        async with asyncio.timeout(40):
            seated = 0
            while seated < 8:
                seated += await comes_in(pair.two, code, ada, at_two)

        pair.redis.pause()
        begun = time.monotonic()
        for _ in range(SOCKETS_AN_ACCOUNT - 8):
            assert await comes_in(pair.two, code, ada, at_two)
        print(f"12 sockets while Redis hangs: {time.monotonic() - begun:.2f} s")
        assert not await comes_in(pair.two, code, ada, at_two), "its own count holds"
        pair.redis.resume()


async def test_the_sockets_of_an_address_are_counted_over_both_whatever_it_claims(pair: Pair) -> None:
    """The header's end is the proxy's word, what stands before it anybody's invention."""
    player = await asyncio.to_thread(pair.person, "Adeline")
    code = await asyncio.to_thread(player.start_another)
    real, claims = f"192.0.2.{next(addresses)}", count(1)

    def somebody(site: Site) -> Visitor:
        return Visitor(site, f"198.51.100.{next(claims)}, {real}")

    async with contextlib.AsyncExitStack() as stack:
        for number in range(SOCKETS_AN_ADDRESS):
            site = pair.sites[number % 2]
            assert await comes_in(site, code, somebody(site), stack)
        for site in pair.sites:
            await is_let_in(site, code, somebody(site), wanted=False)
            assert await comes_in(site, code, player, stack), "from elsewhere"


@pytest.mark.parametrize("way", ["through the proxy", "past the proxy"])
def test_guesses_at_passwords_are_counted_over_both_whatever_address_is_claimed(pair: Pair, way: str) -> None:
    """Only what the trusted proxy adds is believed, and nothing that comes from elsewhere."""
    name = f"Eva {len(way)}"
    home = pair.person(name)
    assert home.ask("POST", "/accounts/logout/").status == 302
    real = f"192.0.2.{next(addresses)}" if way == "through the proxy" else f"127.0.0.{next(addresses)}"
    claims = count(1)

    def eve(site: Site) -> Visitor:
        claimed = f"198.51.100.{next(claims)}"
        if way == "through the proxy":
            return Visitor(site, f"{claimed}, {real}")
        return Visitor(site, claimed, peer=real)

    tries = 0
    while eve(pair.sites[tries % 2]).log_in(name, "wrong") == 400:
        tries += 1
        assert tries <= 2 * LOGINS_A_MINUTE, "a new minute may have begun, once"
    assert tries >= LOGINS_A_MINUTE
    for site in pair.sites:
        # What leaks out meanwhile is less than is tried.
        assert 429 in [eve(site).log_in(name, "wrong") for _ in range(3)]
        assert Visitor(site, f"192.0.2.{next(addresses)}").log_in(name) == 302
    home.address, home.peer = eve(pair.two).address, eve(pair.two).peer
    assert home.at(pair.two).log_in(name) == 302, "at home, by whichever process"
