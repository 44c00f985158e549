"""Who watches: people, not sockets, and leases instead of counts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from game import hub
from game.models import Game
from game.presence import LEASE_SECONDS, Presence, new_browser_cookie
from tests.server.conftest import Person
from tests.server.watching import Client

Start = Callable[..., Game]
People = Callable[..., Person]


async def counted(client: Client, count: int, seconds: float = 5) -> list[str]:
    """Waits until the client is told this count; the names."""
    frame = await client.until(lambda frame: frame["type"] == "crowd" and frame["count"] == count, seconds)
    return list(frame["names"])


async def test_crowd_is_sent_after_the_welcome(ada: Person, start: Start) -> None:
    async with Client(start(ada).code) as client:
        await client.next("crowd")
        assert [frame["type"] for frame in client.frames] == ["welcome", "crowd"]
        assert client.frames[1] == {"type": "crowd", "count": 1, "names": []}


async def test_the_player_is_not_counted(ada: Person, start: Start) -> None:
    async with Client(start(ada).code, cookies=ada.cookies) as player:
        assert (await player.next("crowd"))["count"] == 0


async def test_one_person_in_two_tabs_is_one(ada: Person, person: People, start: Start) -> None:
    game = start(ada)
    bob = person("Bob")
    async with Client(game.code, cookies=bob.cookies) as one:
        assert await counted(one, 1) == ["Bob"]
        async with Client(game.code, cookies=bob.cookies) as two:
            assert await counted(two, 1) == ["Bob"]
        assert hub.watchers(game.pk) == 1
    assert hub.watchers(game.pk) == 0


async def test_others_are_one_for_each_browser_else_one_for_each_socket(ada: Person, start: Start) -> None:
    game = start(ada)
    browser = {"tableau_browser": new_browser_cookie()}
    forged = {"tableau_browser": "me:forged"}
    async with Client(game.code, cookies=browser), Client(game.code, cookies=browser) as two:
        assert await counted(two, 1) == []
        async with (
            Client(game.code, cookies=forged),
            Client(game.code, cookies=forged),
            Client(game.code) as last,
        ):
            await counted(last, 4)
            await counted(two, 4)


async def test_a_change_is_told_at_most_every_2_s_and_a_person_who_left_is_gone_within_5_s(
    ada: Person, start: Start
) -> None:
    game = start(ada)
    loop = asyncio.get_running_loop()
    async with Client(game.code) as stays:
        await counted(stays, 1)
        first = loop.time()
        async with Client(game.code) as goes:
            await counted(goes, 2)
        async with Client(game.code):
            await counted(stays, 2)
            assert loop.time() - first > 1.9
        await counted(stays, 1)
        assert loop.time() - first < 5
        assert len(stays.of("crowd")) == 3


async def test_names_are_told_up_to_a_limit(ada: Person, person: People, start: Start) -> None:
    game = start(ada)
    presence = hub.here().crowds.presence
    for number in range(30):
        presence.enter(game.pk, f"u{1000 + number}", f"P{number}")
    async with Client(game.code) as client:
        crowd = await client.next("crowd")
    assert (crowd["count"], len(crowd["names"])) == (31, 20)


def test_leases_of_another_process_replace_each_other_and_expire() -> None:
    presence = Presence()
    presence.enter(1, "u5", "Eve")
    assert presence.lease("other", 1, {"u5": "Eve", "u6": "Fay"}, now=0)
    assert len(presence.crowd(1)) == 2
    assert not presence.lease("other", 1, {"u5": "Eve", "u6": "Fay"}, now=20)
    assert presence.expire(now=20 + LEASE_SECONDS - 1) == set()
    assert presence.lease("other", 1, {"u6": "Fay"}, now=30)
    assert len(presence.crowd(1)) == 2, "Eve is still here"
    assert presence.leave(1, "u5")
    assert presence.crowd(1).names == ["Fay"]
    assert presence.expire(now=30 + LEASE_SECONDS) == {1}
    assert len(presence.crowd(1)) == 0
    assert len(presence) == 0, "nothing is kept of a table without people"


def test_a_killed_process_is_forgotten_within_a_minute() -> None:
    assert LEASE_SECONDS + hub.TICK_SECONDS <= 60


@pytest.mark.parametrize("direct", [False, True])
async def test_sockets_that_end_in_any_way_leave_nothing_behind(
    ada: Person, start: Start, direct: bool
) -> None:
    """B27."""
    game = start(ada)
    async with Client(game.code, direct=direct) as clean, Client(game.code, direct=direct) as abused:
        await clean.next("crowd")
        abused.send(b"binary")
        await abused.bye()
    assert hub.here().tables == {}
    assert len(hub.here().crowds.presence) == 0
