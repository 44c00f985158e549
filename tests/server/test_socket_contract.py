"""PROTOCOL.md, the socket, sentence by sentence."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from game import broadcast, hub
from game.actions.games import start_again
from game.models import Epoch, Game
from game.selectors import tables
from tests.server.conftest import Person, away, recorded
from tests.server.test_walk import play_all
from tests.server.watching import Client

Start = Callable[..., Game]

STATE = [
    "seq",
    "ply",
    "position",
    "score",
    "moves",
    "elapsed_ms",
    "running",
    "status",
    "dests",
    "actions",
]


async def test_a_welcome_has_exactly_these_fields(ada: Person, start: Start) -> None:
    game = start(ada)
    async with Client(game.code) as client:
        welcome = await client.next("welcome")
    assert list(welcome) == ["type", "protocol", "release", "role", "game", "epoch", "snapshot"]
    assert welcome["protocol"] == 1
    assert list(welcome["snapshot"]) == STATE
    info = welcome["game"]
    assert list(info) == ["code", "rules", "options", "player", "deal_code", "ranked", "layout"]
    assert (info["code"], info["rules"], info["player"]) == (game.code, "simple-simon", "Ada")
    assert (info["options"], info["deal_code"], info["ranked"]) == ({"suits": 1}, "SS1-S1-AAAAABD", True)
    assert info["layout"][0] == {"name": "t1", "role": "column", "row": 0, "column": 0, "fan": "down"}


async def test_a_new_game_is_at_seq_0_with_a_clock_that_stands(ada: Person, start: Start) -> None:
    async with Client(start(ada).code) as client:
        state = (await client.next("welcome"))["snapshot"]
    assert (state["seq"], state["ply"], state["moves"], state["score"]) == (0, 0, 0, 500)
    assert (state["elapsed_ms"], state["running"], state["status"]) == (0, False, "playing")
    assert state["actions"] == ["give_up"]


async def test_seq_counts_every_command_and_ply_falls_on_undo(ada: Person, start: Start) -> None:
    async with Client(start(ada).code, cookies=ada.cookies) as player:
        await player.next("welcome")
        told = []
        for command in (player.a_move(), "undo", player.a_move(), "give_up"):
            await player.accepted(command)
            told.append(player.state)
    assert [(state["seq"], state["ply"]) for state in told] == [(1, 1), (2, 0), (3, 1), (4, 1)]
    assert [state["moves"] for state in told] == [1, 0, 1, 1]
    assert told[1]["effects"] == [["move", e[2], e[1], e[3]] for e in reversed(told[0]["effects"])]
    assert told[3]["status"] == "given_up"
    assert told[3]["effects"] == []


async def test_giving_up_at_once_starts_no_clock(ada: Person, start: Start) -> None:
    async with Client(start(ada).code, cookies=ada.cookies) as player:
        await player.next("welcome")
        await player.accepted("give_up")
        assert (player.state["elapsed_ms"], player.state["running"]) == (0, False)


async def test_an_update_has_the_fields_of_a_state_and_command_and_effects(ada: Person, start: Start) -> None:
    async with Client(start(ada).code, cookies=ada.cookies) as player:
        await player.next("welcome")
        await player.accepted(player.a_move())
        assert list(player.of("update")[0]) == ["type", *STATE, "command", "effects"]


async def test_send_is_logged_as_the_move_it_became(ada: Person, start: Start) -> None:
    async with Client(start(ada, recorded()).code, cookies=ada.cookies) as player:
        await player.next("welcome")
        source = next(iter(player.state["dests"]))
        await player.accepted(f"send {source}")
        assert player.state["command"].startswith(f"{source}-t")


@pytest.mark.parametrize("count", [1, 3, 50])
async def test_sync_is_answered_with_the_updates_in_order_if_at_most_50(
    ada: Person, start: Start, count: int
) -> None:
    game = start(ada)
    away(to_and_fro, game, ada, 60)
    async with Client(game.code) as client:
        await client.next("welcome")
        client.send({"type": "sync", "since": 60 - count})
        told = [await client.next() for _ in range(count)]
        assert [frame["type"] for frame in told] == ["update"] * count
        assert [frame["seq"] for frame in told] == list(range(61 - count, 61))
        assert await client.silence() == []


@pytest.mark.parametrize("since", [0, 9, 60, 61, 2**53 - 1])
async def test_sync_is_answered_with_one_snapshot_where_nothing_or_too_much_was_missed(
    ada: Person, start: Start, since: int
) -> None:
    game = start(ada)
    away(to_and_fro, game, ada, 60)
    async with Client(game.code) as client:
        await client.next("welcome")
        client.send({"type": "sync", "since": since})
        snapshot = await client.next()
        assert list(snapshot) == ["type", *STATE]
        assert (snapshot["type"], snapshot["seq"]) == ("snapshot", 60)
        assert await client.silence() == []


def to_and_fro(game: Game, player: Person, count: int) -> None:
    """Plays ``count`` commands: a move and its undo, again and again."""
    source, targets = next(iter(game.rules.dests(game.deal).items()))
    play_all(game, player, [f"{source}-{targets[0]}", "undo"] * (count // 2))


@pytest.mark.parametrize(("since", "count"), [(10, 50), (59, 1), (60, 0)])
async def test_a_welcome_has_updates_if_the_epoch_is_current_and_at_most_50_follow(
    ada: Person, start: Start, since: int, count: int
) -> None:
    game = start(ada)
    away(to_and_fro, game, ada, 60)
    async with Client(game.code, since=since, epoch=1) as client:
        welcome = await client.next("welcome")
        assert "snapshot" not in welcome
        assert [update["seq"] for update in welcome["updates"]] == list(range(since + 1, 61))
        assert len(welcome["updates"]) == count
        if count:
            assert list(welcome["updates"][0]) == [*STATE, "command", "effects"]


@pytest.mark.parametrize(("since", "epoch"), [(9, 1), (61, 1), (59, 2), (59, 0)])
async def test_a_welcome_has_a_snapshot_in_every_other_case(
    ada: Person, start: Start, since: int, epoch: int
) -> None:
    game = start(ada)
    away(to_and_fro, game, ada, 60)
    async with Client(game.code, since=since, epoch=epoch) as client:
        welcome = await client.next("welcome")
        assert "updates" not in welcome
        assert welcome["snapshot"]["seq"] == 60


async def test_another_epoch_is_told_in_welcome_and_beat(
    ada: Person, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "BEAT_SECONDS", 0.2)
    game = start(ada)
    away(Epoch.objects.all().delete)
    away(lambda: Epoch.objects.create(number=7))
    async with Client(game.code) as client:
        assert (await client.next("welcome"))["epoch"] == 7
        beat = await client.next("beat")
        assert list(beat) == ["type", "seq", "epoch", "time"]
        assert (beat["seq"], beat["epoch"]) == (0, 7)


async def test_a_beat_tells_the_head_of_the_database(
    ada: Person, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    """B35: what another process stored without a word is noticed by the beat and fetched by a sync."""
    monkeypatch.setattr(hub, "BEAT_SECONDS", 0.2)
    game = start(ada)
    async with Client(game.code) as client:
        await client.next("welcome")
        await client.next("beat")
        monkeypatch.setattr(broadcast, "announce", lambda *news: None)
        away(to_and_fro, game, ada, 2)
        beat = await client.until(lambda frame: frame["type"] == "beat" and frame["seq"] == 2)
        assert client.seq == 0
        client.send({"type": "sync", "since": 0})
        assert [(await client.next("update"))["seq"] for _ in range(2)] == [1, 2]
        assert beat["time"] > 1_700_000_000_000


async def test_beats_are_at_most_5_s_apart(ada: Person, start: Start) -> None:
    assert hub.BEAT_SECONDS + 2 * hub.TICK_SECONDS <= 5
    assert hub.BEAT_SECONDS_FAILING + hub.TICK_SECONDS <= 1.5


async def test_start_again_is_told_at_the_old_table(ada: Person, start: Start) -> None:
    game = start(ada)
    async with Client(game.code) as client:
        await client.next("welcome")
        away(start_again, ada.user, game.code)
        told = await client.next("update")
        assert (told["command"], told["status"], told["dests"]) == ("give_up", "given_up", {})


async def test_after_the_end_a_welcome_tells_that_a_given_up_game_does_not_count(
    ada: Person, start: Start
) -> None:
    game = start(ada)
    async with Client(game.code, cookies=ada.cookies) as player:
        await player.next("welcome")
        await player.accepted("give_up")
    async with Client(game.code) as client:
        assert (await client.next("welcome"))["game"]["ranked"] is False


async def test_updates_for_programs_are_those_that_were_sent(ada: Person, start: Start) -> None:
    game = start(ada)
    async with Client(game.code, cookies=ada.cookies) as player:
        await player.next("welcome")
        for command in (player.a_move(), "undo", player.a_move()):
            await player.accepted(command)
        sent = [{k: v for k, v in frame.items() if k != "type"} for frame in player.of("update")]
        other: Any = await away_json(game)
        player.send({"type": "sync", "since": 0})
        again = [await player.next("update") for _ in range(3)]
    assert other == sent
    assert [{k: v for k, v in frame.items() if k != "type"} for frame in again] == sent


async def away_json(game: Game) -> Any:
    """The updates of a game as programs get them."""
    from game import wire

    page = away(lambda: tables.updates_page(Game.objects.select_related("player").get(pk=game.pk), 0))
    return json.loads(wire.encode(page))["updates"]
