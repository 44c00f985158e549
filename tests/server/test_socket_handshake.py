"""PROTOCOL.md, the socket's handshake, sentence by sentence."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from game.models import Game
from tests.server.conftest import Person
from tests.server.watching import OURS, Client, Closed

Start = Callable[..., Game]


@pytest.mark.parametrize(
    "query",
    [
        "",
        "v=2",
        "v=",
        "v=1&since=1",
        "v=1&since=-1&epoch=1",
        "v=1&since=1.0&epoch=1",
        "v=1&since=&epoch=1",
        "v=1&since=01&epoch=1",
        "v=1&epoch=x",
        "v=1&since=9999999999999999999&epoch=1",
        "v=1&since=%D9%A1&epoch=1",
    ],
)
async def test_a_bad_v_since_or_epoch_is_accepted_then_4001(ada: Person, start: Start, query: str) -> None:
    async with Client(start(ada).code, query=query) as client:
        bye, code = await client.bye()
        assert client.is_accepted
        assert bye == {"type": "bye", "code": 4001, "reason": bye["reason"], "retry_ms": None}
        assert code == 4001
        assert len(client.frames) == 1


@pytest.mark.parametrize(
    "code", ["", "undefined", "null", "0123456789", "😀", "x" * 5000, "%00", "0" * 10, "ŁÓDŹ", "١٢٣"]
)
async def test_no_such_game_is_accepted_then_4004(transactional_db: None, code: str) -> None:
    """R7: unknown, malformed and unset codes."""
    async with Client(code) as client:
        bye, closed = await client.bye()
        assert (bye["code"], bye["retry_ms"], closed) == (4004, None, 4004)


@pytest.mark.parametrize(
    "path", ["/", "/ws/", "/ws/game/", "/ws/game/A/B/", "/ws/game/A", "/ws/other/A/", "/WS/game/A/"]
)
async def test_any_other_path_is_refused_at_the_handshake(
    path: str, caplog: pytest.LogCaptureFixture
) -> None:
    """R7."""
    async with Client("", path=path) as client:
        with pytest.raises(Closed) as refused:
            await client.next()
        assert refused.value.code is None
    assert not caplog.records


@pytest.mark.parametrize(
    "spelling", [str.lower, lambda code: f"{code[:5]}-{code[5:]}", lambda code: f" {code} "]
)
async def test_other_spellings_of_a_code_are_understood(
    ada: Person, start: Start, spelling: Callable[[str], str]
) -> None:
    game = start(ada)
    async with Client(spelling(game.code)) as client:
        assert (await client.next("welcome"))["game"]["code"] == game.code


@pytest.mark.parametrize(
    "origin",
    [
        None,
        "",
        "null",
        OURS.rsplit(":", 1)[0] + ":81",
        OURS.rsplit(":", 1)[0],
        OURS.replace("http", "https"),
        OURS + ".evil.example",
        OURS + "/",
        OURS.replace("://", "://x@"),
        OURS.replace("://", "://sub."),
        OURS + "#",
        OURS + " http://evil.example",
    ],
)
async def test_any_other_origin_is_refused_at_the_handshake(
    ada: Person, start: Start, origin: str | None, caplog: pytest.LogCaptureFixture
) -> None:
    """B38."""
    async with Client(start(ada).code, origin=origin) as client:
        with pytest.raises(Closed) as refused:
            await client.next()
        assert refused.value.code is None
    assert not caplog.records


async def test_an_origin_may_be_written_in_capitals(ada: Person, start: Start) -> None:
    async with Client(start(ada).code, origin=OURS.upper()) as client:
        await client.next("welcome")


async def test_origin_sent_twice_is_refused(ada: Person, start: Start) -> None:
    client = Client(start(ada).code)
    client.scope["headers"].append((b"origin", OURS.encode()))
    async with client:
        with pytest.raises(Closed):
            await client.next()
