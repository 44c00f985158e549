"""Frames that are no messages, floods, and too many sockets."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import Any

import pytest

from game import hub, sockets, wire
from game.models import Game
from tests.server.conftest import Person
from tests.server.watching import Client

Start = Callable[..., Game]

NO_MESSAGES = ["{", "null", "[]", '"play"', '{"type":7}', '{"type":"dance"}', '{"type":"sync","since":NaN}']


@pytest.fixture(autouse=True)
def with_limits(settings: Any) -> None:
    settings.RATE_LIMIT = True


@pytest.mark.parametrize("frame", [*NO_MESSAGES, "[" * 4000])
async def test_a_frame_that_is_no_message_is_refused_and_the_socket_lives(
    ada: Person, start: Start, frame: str, caplog: pytest.LogCaptureFixture
) -> None:
    """B33."""
    async with Client(start(ada).code, cookies=ada.cookies) as player:
        await player.next("welcome")
        player.send(frame)
        answer = await player.next()
        assert (answer["type"], answer["id"], answer["code"], answer["seq"]) == (
            "refused",
            None,
            "malformed",
            0,
        )
        await player.accepted(player.a_move())
    assert not caplog.records


async def test_the_id_is_told_if_it_is_readable(ada: Person, start: Start) -> None:
    async with Client(start(ada).code) as client:
        await client.next("welcome")
        client.send({"type": "play", "id": "mine", "seq": 0, "command": "undo", "extra": 1})
        assert (await client.next())["id"] == "mine"


async def test_the_20th_within_60_s_ends_the_socket(ada: Person, start: Start) -> None:
    async with Client(start(ada).code) as client, Client(start(ada).code) as other:
        await client.next("welcome")
        for _ in range(20):
            client.send("{")
        bye, code = await client.bye()
        assert (bye["code"], bye["retry_ms"], code) == (4009, None, 4009)
        assert len(client.of("refused")) == 20
        assert not other.closed.done()


async def test_a_bad_command_text_in_a_valid_envelope_does_not_count_to_the_20(
    ada: Person, start: Start
) -> None:
    async with Client(start(ada).code) as client:
        await client.next("welcome")
        for _ in range(30):
            assert await client.refused("T1-T2", seq=0) == "malformed"


@pytest.mark.parametrize("frame", [b"", b"{}", "x" * 4097, "ł" * 2049, '"' + "x" * (1 << 20) + '"'])
async def test_binary_frames_and_frames_over_4_kib_are_bye_4009_at_once(
    ada: Person, start: Start, frame: str | bytes
) -> None:
    """B33."""
    async with Client(start(ada).code) as client:
        await client.next("welcome")
        client.send(frame)
        bye, code = await client.bye()
        assert (bye["code"], code) == (4009, 4009)
        assert client.of("refused") == []


async def test_a_frame_of_exactly_4_kib_is_let_in(ada: Person, start: Start) -> None:
    async with Client(start(ada).code) as client:
        await client.next("welcome")
        client.send(" " * (4096 - 25) + '{"type":"sync","since":0}')
        assert (await client.next())["type"] == "snapshot"


async def test_over_the_rate_is_refused_too_fast_with_retry_ms(ada: Person, start: Start) -> None:
    async with Client(start(ada).code) as client:
        await client.next("welcome")
        for number in range(45):
            client.play("undo", seq=0, name=f"n{number}")
        told = [await client.next("refused") for _ in range(45)]
        codes = [answer["code"] for answer in sorted(told, key=lambda answer: int(answer["id"][1:]))]
        assert codes == ["not_yours"] * 40 + ["too_fast"] * 5
        assert all(0 < answer["retry_ms"] <= 50 for answer in told if answer["code"] == "too_fast")
        await asyncio.sleep(0.1)
        assert await client.refused("undo", seq=0) == "not_yours"


async def test_100_frames_over_the_rate_within_5_s_are_bye_4029(ada: Person, start: Start) -> None:
    async with Client(start(ada).code) as client:
        await client.next("welcome")
        for _ in range(8):
            for _ in range(25):
                client.play("undo", seq=0)
            await asyncio.sleep(0.15)
        bye, code = await client.bye()
        assert (bye["code"], code) == (4029, 4029)
        assert bye["retry_ms"] > 0


async def test_more_than_200_frames_a_second_are_bye_4029(ada: Person, start: Start) -> None:
    async with Client(start(ada).code) as client:
        await client.next("welcome")
        for _ in range(210):
            client.play("no command", seq=0)
        bye, code = await client.bye()
        assert (bye["code"], code) == (4029, 4029)


async def test_20_sockets_an_account(ada: Person, start: Start) -> None:
    game = start(ada)
    async with AsyncExitStack() as stack:
        for number in range(20):
            client = Client(game.code, cookies=ada.cookies, address=f"10.0.0.{number}")
            await (await stack.enter_async_context(client)).next("welcome")
        async with Client(game.code, cookies=ada.cookies) as last:
            bye, code = await last.bye()
            assert last.is_accepted
            assert (bye["code"], code, bye["retry_ms"] > 0) == (4029, 4029, True)
    async with Client(game.code, cookies=ada.cookies) as client:
        await client.next("welcome")


async def test_100_sockets_an_address(ada: Person, start: Start) -> None:
    game = start(ada)
    clients = [Client(game.code) for _ in range(100)]
    await asyncio.gather(*(client.__aenter__() for client in clients))
    await asyncio.gather(*(client.next("welcome") for client in clients))
    async with Client(game.code) as last, Client(game.code, address="10.0.0.1") as elsewhere:
        assert (await last.bye())[1] == 4029
        await elsewhere.next("welcome")
    await asyncio.gather(*(client.leave() for client in clients))


async def test_rate_limit_0_turns_all_off(ada: Person, start: Start, settings: Any) -> None:
    settings.RATE_LIMIT = False
    async with Client(start(ada).code) as client:
        await client.next("welcome")
        for number in range(400):
            client.play("undo", seq=0, name=f"n{number}")
        told = [await client.next("refused") for _ in range(400)]
        assert [answer["id"] for answer in told] == [f"n{number}" for number in range(400)]


async def test_a_socket_that_reads_too_slowly_gets_one_snapshot_once_it_has_caught_up(
    ada: Person, start: Start
) -> None:
    """B45."""
    game = start(ada)
    async with Client(game.code, cookies=ada.cookies) as player, Client(game.code, direct=True) as slow:
        await slow.next("crowd")
        await player.next("welcome")
        slow.stuck = sockets.LAG_BYTES + 1
        for number in range(6):
            await player.accepted("undo" if number % 2 else player.a_move())
        assert await slow.silence() == []
        slow.stuck = sockets.LAG_BYTES
        assert await slow.silence(0.4) == [], "not yet well drained"
        slow.stuck = 0
        snapshot = await slow.next()
        assert (snapshot["type"], snapshot["seq"]) == ("snapshot", 6)
        await player.accepted(player.a_move())
        assert (await slow.next())["type"] == "update"


async def test_a_socket_that_does_not_read_at_all_is_sent_away(
    ada: Person, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    """B45."""
    monkeypatch.setattr(hub, "LAG_SECONDS", 0.5)
    game = start(ada)
    async with Client(game.code, cookies=ada.cookies) as player, Client(game.code, direct=True) as slow:
        await slow.next("crowd")
        await player.next("welcome")
        slow.stuck = sockets.LAG_BYTES + 1
        await player.accepted(player.a_move())
        bye, code = await slow.bye()
        assert (bye["code"], code, bye["retry_ms"] is not None) == (4008, 4008, True)


async def test_a_frame_of_any_kind_fits_well_below_the_lag(ada: Person, start: Start) -> None:
    async with Client(start(ada).code) as client:
        await client.next("welcome")
        assert max(map(len, client.texts)) < sockets.LAG_BYTES / 8
        assert wire.MAX_UPDATES * 1500 > sockets.LAG_BYTES, "which is why lag is looked at before each frame"
