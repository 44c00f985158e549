"""Tables played at one process and looked at from the other: who may do what, and who finds them."""

from __future__ import annotations

import asyncio
import json

import pytest
import websockets

from tests.server.two_processes.pair import Pair, first_word, socket_of
from tests.server.visiting import watching
from tests.server.watching import moves_in
from tests.services import Site


async def test_only_the_player_plays_and_only_ours_may_open_a_socket(pair: Pair) -> None:
    """B19, B33, B38, B46 and R7 at a process where nobody logged in."""
    player, other = await asyncio.to_thread(lambda: (pair.person("Petra"), pair.person("Olga")))
    code = await asyncio.to_thread(player.start_another)
    second = await asyncio.to_thread(player.start_another)
    ours, port = pair.two.url, pair.two.port
    hostile = [
        ours.replace("http", "https"),
        f"http://127.0.0.1.example:{port}",
        f"http://evil.127.0.0.1:{port}",
    ]
    for origin in ("null", "http://127.0.0.1:1", f"http://evil.example/{ours}", *hostile):
        with pytest.raises(websockets.InvalidStatus) as refused:
            async with socket_of(pair.two, code, player, origin):
                pass
        assert refused.value.response.status_code == 403
    for unknown in ("0123456789", "undefined"):
        async with socket_of(pair.two, unknown, player) as socket:
            assert (await first_word(socket))["code"] == 4004
    for site, elsewhere in ((pair.two, pair.one), (pair.one, pair.two)):
        async with (
            watching(site, code, player.cookie) as mine,
            watching(elsewhere, second, player.cookie) as next_,
            watching(elsewhere, code) as stranger,
            watching(elsewhere, code, other.cookie) as spectator,
        ):
            begun = mine.seq
            for number in range(2):
                await mine.move(number)
                for seen in (stranger, spectator):
                    # They know the newest position, and ask for what its player might do.
                    await seen.reaches(mine.seq, 20)
                    for command in ("undo", "give_up", next(moves_in(seen.state))):
                        assert (await seen.play(command))["code"] == "not_yours"
                    await seen.socket.send("{")
                    assert (await seen.answers.get())["code"] == "malformed"
                held = next_.seq
                assert (await next_.play(next(moves_in(mine.state)), seq=mine.seq))["code"] == "stale"
                assert (await next_.play("undo"))["type"] == "refused", "nothing was done there"
            assert mine.seq == begun + 2, "only the player's own"
            assert next_.seq == held == 0
    for site in pair.sites:
        # Whoever was answered has been written of.
        assert is_logged(site, code, "Refused: not_yours")


def is_logged(site: Site, code: str, message: str) -> bool:
    """Whether the log of a process has this of a game, and all lines of that socket name the game."""
    lines = [json.loads(line) for line in site.tail(1 << 30).splitlines() if line.startswith("{")]
    found = {line["connection"] for line in lines if (line["message"], line.get("game")) == (message, code)}
    games = {line.get("game") for line in lines if line.get("connection") in found}
    return bool(found) and games == {code}


async def test_an_unlisted_game_is_found_by_its_address_alone(pair: Pair) -> None:
    carl = await asyncio.to_thread(pair.person, "Carl")
    codes = [await asyncio.to_thread(carl.start_another) for _ in range(2)]
    for code in codes:
        async with watching(pair.one, code, carl.cookie) as player:
            await player.move(0)
    listed, hidden = codes
    sent = await asyncio.to_thread(carl.ask, "POST", f"/g/{hidden}/unlisted/", unlisted="on")
    assert sent.status == 302
    reader = pair.visitor().at(pair.two)

    def read() -> None:
        reader.ask("GET", "/live/")
        assert (listed in reader.page, hidden in reader.page) == (True, False)
        assert reader.ask("GET", f"/g/{hidden}/").status == 200
        for code in ("0123456789", "nonsense"):
            assert reader.ask("GET", f"/g/{code}/").status == 404

    await asyncio.to_thread(read)
