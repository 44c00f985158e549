"""A command on its way: the answers, the order of the checks, and what everybody gets."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection, connections
from django.test.utils import CaptureQueriesContext

from game import wire
from game.actions.play import Refused, play
from game.models import Game, LogEntry, Result
from game.selectors import tables
from tests.server.conftest import Person, away, recorded
from tests.server.watching import Client

Start = Callable[..., Game]
People = Callable[..., Person]


@pytest.mark.parametrize("direct", [False, True])
async def test_the_asker_gets_accepted_then_the_update_like_everybody(
    ada: Person, start: Start, direct: bool
) -> None:
    game = start(ada)
    async with (
        Client(game.code, cookies=ada.cookies, direct=direct) as player,
        Client(game.code, direct=direct) as spectator,
    ):
        assert (await player.next("welcome"))["role"] == "player"
        assert (await spectator.next("welcome"))["role"] == "spectator"
        move = player.a_move()
        player.play(move, name="mine")
        assert await player.next() == {"type": "accepted", "id": "mine", "seq": 1, "repeated": False}
        told = await player.next()
        assert (told["type"], told["command"], told["running"], told["elapsed_ms"]) == (
            "update",
            move,
            True,
            0,
        )
        assert await spectator.next() == told
        assert player.texts[-1] is spectator.texts[-1], "frames are shared text"


async def test_refused_and_repeated_commands_send_nothing_to_anybody_else(ada: Person, start: Start) -> None:
    game = start(ada)
    async with Client(game.code, cookies=ada.cookies) as player, Client(game.code) as spectator:
        await player.next("welcome")
        move = player.a_move()
        await player.accepted(move, name="one")
        await spectator.next("update")
        await player.silence(0)
        assert await player.refused("t1-t1") == "same_pile"
        assert (await player.ask(move, name="one"))["repeated"] is True
        assert await player.silence() == []
        assert await spectator.silence() == []


async def test_a_repeated_id_gets_the_first_answer_even_with_another_command(
    ada: Person, start: Start
) -> None:
    game = start(ada)
    async with Client(game.code, cookies=ada.cookies) as player:
        await player.next("welcome")
        await player.accepted(player.a_move(), name="one")
        await player.accepted("undo", name="two")
        for command in ("t1-t2", "undo", "give_up"):
            answer = await player.ask(command, name="one", seq=77)
            assert answer == {"type": "accepted", "id": "one", "seq": 1, "repeated": True}
        assert player.state["seq"] == 2


def test_a_used_id_with_a_command_that_nothing_else_speaks_against(ada: Person, start: Start) -> None:
    game = start(ada)
    key = tables.GameKey(game.pk, game.player_id, game.rules_slug)
    first = wire.Accepted("one", 1, False)
    assert play(key, ada.seat, wire.Play("one", 0, first_move(game))) == first
    assert play(key, ada.seat, wire.Play("one", 1, "undo")) == wire.Accepted("one", 1, True)
    assert Game.objects.get().seq == LogEntry.objects.count() == 1
    assert play(key, ada.seat, wire.Play("two", 1, "undo")) == wire.Accepted("two", 2, False)


def test_a_move_is_one_read_and_two_writes(ada: Person, start: Start) -> None:
    game = start(ada)
    key = tables.GameKey(game.pk, game.player_id, game.rules_slug)
    said = []
    for name, seq, command in (("one", 0, first_move(game)), ("two", 1, "undo")):
        with CaptureQueriesContext(connection) as captured:
            assert isinstance(play(key, ada.seat, wire.Play(name, seq, command)), wire.Accepted)
        said.append([query["sql"].split()[0] for query in captured])
    move, undo = [[verb for verb in verbs if verb not in ("BEGIN", "COMMIT")] for verbs in said]
    assert move == ["SELECT", "INSERT", "UPDATE"]
    assert undo == ["SELECT", "SELECT", "INSERT", "UPDATE"], "of an undo the step is read too"


async def test_only_accepted_commands_are_remembered_by_id(ada: Person, start: Start) -> None:
    game = start(ada)
    async with Client(game.code, cookies=ada.cookies) as player:
        await player.next("welcome")
        assert await player.refused("undo", name="one") == "nothing_to_undo"
        assert await player.accepted(player.a_move(), name="one") == 1


async def test_the_checks_come_in_the_order_that_is_written(
    ada: Person, person: People, start: Start
) -> None:
    """Well-formed, (rate,) owner, repeated id, status, seq, rules: each hides those after it."""
    game = start(ada)
    bob = person("Bob")
    async with (
        Client(game.code, cookies=ada.cookies) as player,
        Client(game.code, cookies=bob.cookies) as other,
    ):
        await player.next("welcome")
        await other.next("welcome")
        await player.accepted(player.a_move(), name="one")
        assert await other.refused("t1 - t2", name="one") == "malformed"
        assert await other.refused("t1-t1", name="one", seq=9) == "not_yours"
        assert (await player.ask("t1-t1", name="one", seq=9))["repeated"] is True
        assert await player.refused("t1-t1", seq=9) == "stale"
        assert await player.refused("t1-t1", seq=0) == "stale"
        assert await player.refused("t1-t1", seq=1) == "same_pile"
        assert await player.accepted("give_up") == 2
        assert await player.refused("t1-t1", seq=9) == "game_over"
        assert (await player.ask("t1-t1", name="one", seq=9))["repeated"] is True


async def test_refused_tells_the_newest_seq_and_a_sentence_in_the_sockets_language(
    ada: Person, start: Start
) -> None:
    game = start(ada)
    async with Client(game.code, cookies=ada.cookies, lang="xx") as player:
        await player.next("welcome")
        await player.accepted(player.a_move())
        answer = await player.ask("t1-t1", seq=0)
        assert answer["seq"] == 1
        assert answer["text"] == "The table has changed since; this is how it stands."
        assert answer["retry_ms"] is None
        assert list(answer) == ["type", "id", "code", "text", "seq", "retry_ms"]


async def test_two_tabs_cannot_fork_a_game(ada: Person, start: Start) -> None:
    game = start(ada)
    async with Client(game.code, cookies=ada.cookies) as one, Client(game.code, cookies=ada.cookies) as two:
        await one.next("welcome")
        await two.next("welcome")
        move = one.a_move()
        answers = await asyncio.gather(one.ask(move), two.ask(move))
        assert sorted(answer["type"] for answer in answers) == ["accepted", "refused"]
        assert {answer.get("code") for answer in answers} == {None, "stale"}


def test_of_many_threads_with_one_seq_one_is_accepted_and_the_rest_are_stale(
    ada: Person, start: Start
) -> None:
    game = start(ada)
    key = tables.GameKey(game.pk, game.player_id, game.rules_slug)
    move = first_move(game)

    def ask(name: str) -> Any:
        try:
            return play(key, ada.seat, wire.Play(name, 0, move))
        finally:
            connections.close_all()

    with ThreadPoolExecutor(8) as pool:
        same_seq = list(pool.map(ask, (f"c{number}" for number in range(16))))
        same_id = list(pool.map(ask, ["again"] * 4))
    assert sorted(type(answer).__name__ for answer in same_seq) == ["Accepted"] + ["Refused"] * 15
    assert {answer.code for answer in same_seq if isinstance(answer, Refused)} == {"stale"}
    assert {answer.code for answer in same_id} == {"stale"}
    assert LogEntry.objects.filter(game=game).count() == 1


def test_of_many_threads_with_one_id_all_get_the_first_answer(ada: Person, start: Start) -> None:
    game = start(ada)
    key = tables.GameKey(game.pk, game.player_id, game.rules_slug)
    move = first_move(game)

    def ask(name: str) -> Any:
        try:
            return play(key, ada.seat, wire.Play(name, 0, move))
        finally:
            connections.close_all()

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(ask, ["one"] * 16))
    assert {(answer.id, answer.seq) for answer in answers} == {("one", 1)}
    assert sum(not answer.repeated for answer in answers) == 1


def first_move(game: Game) -> str:
    source, targets = next(iter(game.rules.dests(game.deal).items()))
    return f"{source}-{targets[0]}"


@pytest.mark.parametrize("finish", ["drag", "double click", "undo and again", "resumed"])
async def test_a_win_is_told_in_the_answer_that_removes_the_last_run(
    ada: Person, start: Start, commands: list[str], finish: str
) -> None:
    """B01: the worked example ends on move 49 with 851, whichever way its last move is made."""
    game = start(ada, recorded())
    *most, last = commands
    away(play_all, game, ada, most)
    async with Client(game.code, cookies=ada.cookies) as player:
        await player.next("welcome")
        seq, moves = 49, 49
        if finish == "undo and again":
            await player.accepted("undo")
            await player.accepted(most[-1])
            seq = 51
        command = f"send {last.split('-')[0]}" if finish == "double click" else last
        assert await player.accepted(command) == seq
        state = player.state
        assert (state["status"], state["score"], state["moves"]) == ("won", 851, moves)
        assert (state["dests"], state["actions"], state["running"]) == ({}, [], False)
        for command in (last, "undo", "give_up", "collect"):
            assert await player.refused(command) == "game_over"
    results = away(lambda: list(Result.objects.values_list("game_id", "score", "moves")))
    assert results == [(game.pk, 851, 49)]


def play_all(game: Game, player: Person, commands: list[str]) -> None:
    """Plays commands that must be accepted, one after another."""
    key = tables.GameKey(game.pk, game.player_id, game.rules_slug)
    for number, command in enumerate(commands):
        answer = play(key, player.seat, wire.Play(f"p{number}", number, command))
        assert isinstance(answer, wire.Accepted), answer


async def test_a_command_carries_its_game(ada: Person, start: Start) -> None:
    """B19: what was meant for one game does nothing to another."""
    one, two = start(ada, recorded(1)), start(ada, recorded(4))
    async with (
        Client(one.code, cookies=ada.cookies) as first,
        Client(two.code, cookies=ada.cookies) as second,
    ):
        await first.next("welcome")
        await second.next("welcome")
        assert first.state["position"] != second.state["position"]
        await first.accepted(first.a_move())
        assert await second.refused("t1-t2", seq=first.seq) == "stale"
        assert await second.silence() == []


async def test_somebody_elses_game_cannot_be_touched(ada: Person, person: People, start: Start) -> None:
    """B46: every command of anybody but the player is refused, and stays so while one goes on watching."""
    game = start(ada)
    bob = person("Bob")
    async with (
        Client(game.code, cookies=ada.cookies) as player,
        Client(game.code, cookies=bob.cookies) as other,
        Client(game.code) as nobody,
    ):
        await player.next("welcome")
        for client in (other, nobody):
            assert (await client.next("welcome"))["role"] == "spectator"
            for command in (player.a_move(), "undo", "give_up", "collect", "send t1"):
                assert await client.refused(command, seq=0) == "not_yours"
        await player.accepted(player.a_move())
        assert (await other.next("update")) == (await nobody.next("update"))
        assert await other.refused("undo") == "not_yours"


async def test_a_win_faster_than_a_person_is_kept_and_not_ranked(
    ada: Person, start: Start, commands: list[str], settings: Any
) -> None:
    settings.HUMAN_PACE_MS = 150
    game = start(ada, recorded())
    away(play_all, game, ada, commands)
    game = away(
        Game.objects.get,
    )
    assert (game.status, game.ranked, game.unranked_because) == ("won", False, "pace")
    assert not away(Result.objects.get).ranked


async def test_a_win_at_a_persons_pace_counts(
    ada: Person, start: Start, commands: list[str], settings: Any
) -> None:
    settings.HUMAN_PACE_MS = 0
    game = start(ada, recorded())
    away(play_all, game, ada, commands)
    game = away(Game.objects.get)
    assert (game.status, game.ranked, game.unranked_because) == ("won", True, "")
    assert away(Result.objects.get).ranked
