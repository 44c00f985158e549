"""Sessions that begin and end at one process, and what the other one makes of it."""

from __future__ import annotations

import asyncio
import contextlib
import time

import pytest
import websockets

from tests.server.two_processes.pair import Pair
from tests.server.visiting import PASSWORD, Seen, Visitor, watching

ENDS = ["logout", "new-key", "ban", "deletion"]


def end_session(pair: Pair, person: Visitor, name: str, how: str) -> None:
    """Ends it at the first process, in one of the ways there are; the command that bans has no sockets."""
    if how == "ban":
        assert "may come in no more" in pair.one.manage("ban", name)
    elif how == "logout":
        assert person.ask("POST", "/accounts/logout/").status == 302
    elif how == "deletion":
        assert person.ask("POST", "/accounts/delete/", password=PASSWORD).status == 200
    else:
        elsewhere = Visitor(pair.one, person.address)
        assert elsewhere.log_in(name) == 302
        fields = {"new_password1": "an even finer one", "new_password2": "an even finer one"}
        assert elsewhere.ask("POST", "/accounts/password/", old_password=PASSWORD, **fields).status == 302


@pytest.mark.parametrize("redis", ["answers", "hangs"])
async def test_every_end_of_a_session_ends_its_socket_at_the_other_process(pair: Pair, redis: str) -> None:
    """Within 2 s, or 60 s without Redis, with room for a busy machine; a command in between is refused."""
    names = {how: f"{how}-{redis}" for how in ENDS}
    people = {how: await asyncio.to_thread(pair.person, names[how]) for how in ENDS}
    codes = {how: await asyncio.to_thread(people[how].start_another) for how in ENDS}
    is_seated = asyncio.Barrier(len(ENDS) + 1)

    async def ends(how: str) -> tuple[float, float]:
        where = (pair.two, codes[how], people[how].cookie)
        async with watching(*where) as player, watching(*where) as silent:
            await player.move(0)
            await is_seated.wait()
            await asyncio.to_thread(end_session, pair, people[how], names[how], how)
            begun = time.monotonic()
            with contextlib.suppress(websockets.ConnectionClosed):
                player.answers.put_nowait(await player.play("undo"))
            return await until_bye(player, begun), await until_bye(silent, begun)

    async def until_bye(seen: Seen, begun: float) -> float:
        async with asyncio.timeout(60 if redis == "hangs" else 20):
            while (answer := await seen.answers.get())["type"] == "refused":
                assert answer["code"] == "not_yours"
            assert (answer["type"], answer["code"]) == ("bye", 4003)
            await seen.task
        assert seen.socket.close_code == 4003
        return time.monotonic() - begun

    ending = asyncio.gather(*map(ends, ENDS))
    async with asyncio.timeout(60):
        await is_seated.wait()
    try:
        if redis == "hangs":
            pair.redis.pause()
        took = dict(zip(ENDS, await ending, strict=True))
    finally:
        pair.redis.resume()
    print(
        f"Redis {redis}:",
        {how: f"{playing:.2f} and {silent:.2f} s" for how, (playing, silent) in took.items()},
    )


def test_a_session_is_renewed_and_ended_at_both(pair: Pair) -> None:
    person = pair.person("Renata")
    first = person.cookies["sessionid"]
    assert person.at(pair.two).ask("GET", "/history/").status == 200
    assert person.ask("POST", "/accounts/logout/").status == 302
    assert person.at(pair.two).log_in("Renata") == 302
    assert person.cookies["sessionid"] != first
    thief = Visitor(pair.two, person.address)
    thief.cookies["sessionid"] = first
    assert thief.ask("GET", "/history/").status == 302
    elsewhere = Visitor(pair.two, person.address)
    assert elsewhere.log_in("Renata") == 302
    person.ask("GET", "/accounts/password/")
    fields = {"new_password1": "an even finer one", "new_password2": "an even finer one"}
    assert person.ask("POST", "/accounts/password/", old_password=PASSWORD, **fields).status == 302
    assert elsewhere.at(pair.one).ask("GET", "/history/").status == 302
    assert person.at(pair.two).ask("GET", "/history/").status == 200
