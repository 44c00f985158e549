"""Coming to a table while it is played: nothing is missed, nothing comes twice."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from game import wire
from game.models import Game
from game.selectors import frames, tables
from tests.server.conftest import Person, away, recorded
from tests.server.test_walk import play_all
from tests.server.watching import Client, moves_in, states_of

Start = Callable[..., Game]


def seqs_told(client: Client) -> list[int]:
    """The seq of each state that a client was told, in order."""
    return [int(state["seq"]) for frame in client.frames for state in states_of(frame)]


async def test_joins_while_moves_come_at_20_a_second_have_no_gap(ada: Person, start: Start) -> None:
    """B49: the first frame is not older than the join, then every update follows, once."""
    game = start(ada)
    async with Client(game.code, cookies=ada.cookies) as player:
        await player.next("welcome")
        is_over = False

        async def watch() -> list[int]:
            at_join = player.seq
            async with Client(game.code) as spectator:
                await spectator.next("welcome")
                await asyncio.sleep(random.uniform(0, 0.3))
                told = seqs_told(spectator)
                assert told[0] >= at_join
                return told

        async def keep_joining() -> list[list[int]]:
            told: list[list[int]] = []
            while not is_over:
                told += await asyncio.gather(*(watch() for _ in range(12)))
            return told

        joining = asyncio.create_task(keep_joining())
        for number in range(40):
            await player.accepted("undo" if number % 2 else player.a_move())
            await asyncio.sleep(0.04)
        is_over = True
        told = await joining
    assert len(told) >= 40
    for seqs in told:
        assert seqs == list(range(seqs[0], seqs[0] + len(seqs)))


async def test_a_join_after_moves_that_nobody_watched_shows_the_newest(ada: Person, start: Start) -> None:
    """B49."""
    game = start(ada)
    async with Client(game.code):
        pass
    away(play_all, game, ada, [next(iter_moves(game)), "undo"] * 25)
    async with Client(game.code) as client:
        assert (await client.next("welcome"))["snapshot"]["seq"] == 50


def iter_moves(game: Game) -> Any:
    return moves_in({"dests": game.rules.dests(game.deal)})


async def test_many_joins_at_once_are_served_by_few_reads(
    ada: Person, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = start(ada)
    reads = []
    ask = frames.welcomes

    def count(*asked: Any) -> frames.Welcomes:
        reads.append(asked)
        return ask(*asked)

    monkeypatch.setattr(frames, "welcomes", count)
    clients = [Client(game.code, address=f"10.0.0.{number % 50}") for number in range(200)]
    await asyncio.gather(*(client.__aenter__() for client in clients))
    await asyncio.gather(*(client.next("welcome") for client in clients))
    assert len(reads) < 40
    await asyncio.gather(*(client.leave() for client in clients))


@pytest.mark.parametrize("seed", range(4))
async def test_snapshot_and_updates_lead_to_what_a_fresh_snapshot_shows(
    ada: Person, start: Start, seed: int
) -> None:
    """Random games with undo; every update is the same however it is asked for."""
    choose = random.Random(seed)
    game = start(ada, recorded(choose.choice([1, 2, 4])))
    async with Client(game.code, cookies=ada.cookies) as player, Client(game.code) as spectator:
        await spectator.next("welcome")
        await player.next("welcome")
        for _ in range(30):
            state = player.state
            moves = list(moves_in(state))
            is_undo = "undo" in state["actions"] and (not moves or choose.random() < 0.3)
            await player.accepted("undo" if is_undo else choose.choice(moves))
        async with Client(game.code) as fresh:
            shown = (await fresh.next("welcome"))["snapshot"]
        await spectator.until(lambda frame: frame["type"] == "update" and frame["seq"] == 30)
        live = spectator.of("update")
    without_clock = {key: shown[key] for key in shown if key != "elapsed_ms"}
    assert without_clock.items() <= live[-1].items()
    for since in (0, 7, 29):
        for page in away(as_programs_get_it, game, since):
            assert page == [{k: v for k, v in frame.items() if k != "type"} for frame in live[since:]]


def as_programs_get_it(game: Game, since: int) -> list[Any]:
    """The updates after ``since`` from the log: from its end backwards, and in small pages from its start."""
    game = Game.objects.select_related("player").get(pk=game.pk)
    whole = tables.updates_after(game, since, 50)
    pages: list[wire.Change] = []
    at: int | None = since
    while at is not None:
        page = tables.updates_page(game, at, limit=7)
        pages += page.updates
        at = page.next
    return [[json.loads(wire.encode(change)) for change in changes] for changes in (whole, pages)]


async def test_an_update_kept_during_the_join_follows_the_welcome(
    ada: Person, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = start(ada)
    ask = frames.welcomes
    async with Client(game.code, cookies=ada.cookies) as player:
        await player.next("welcome")
        release = asyncio.Event()
        loop = asyncio.get_running_loop()

        def slow(*asked: Any) -> Any:
            found = ask(*asked)
            asyncio.run_coroutine_threadsafe(release.wait(), loop).result()
            return found

        monkeypatch.setattr(frames, "welcomes", slow)
        async with Client(game.code) as late:
            await asyncio.sleep(0.2)
            await player.accepted(player.a_move())
            assert late.frames == []
            release.set()
            assert (await late.next())["type"] == "welcome"
            assert (await late.next("update"))["seq"] == 1
            assert seqs_told(late) == [0, 1]
