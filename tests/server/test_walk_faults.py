"""What happens to a move when things break in the middle of it, and when a game is very long."""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Callable
from dataclasses import replace
from statistics import median
from typing import Any

import pytest
from django.db import OperationalError, connection, connections

from game import wire
from game.actions import play as walk
from game.actions.games import start_again, start_new
from game.engine.commands import parse_command
from game.engine.line import Line, Standing, retrace
from game.engine.rules import Refusal
from game.models import Game, LogEntry, Result, User
from game.selectors import moves, tables
from tests.server.conftest import Person, recorded
from tests.server.plans import check
from tests.server.test_walk import play_all
from tests.server.watching import Client

Start = Callable[..., Game]


def key_of(game: Game) -> tables.GameKey:
    return tables.GameKey(game.pk, game.player_id, game.rules_slug)


def dies_after_write(number: int, work: Callable[[], object]) -> bool:
    """Does the work in a process that is killed right after its n-th write; whether it came to that."""
    connections.close_all()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        pid = os.fork()
    if pid == 0:
        left = number

        def count(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
            nonlocal left
            result = execute(sql, params, many, context)
            if sql.startswith(("INSERT", "UPDATE", "DELETE")):
                left -= 1
                if not left:
                    os._exit(9)
            return result

        try:
            with connection.execute_wrapper(count):
                work()
            os._exit(0)
        finally:
            os._exit(1)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    assert code in (0, 9), "the work itself failed"
    return code == 9


def everything() -> list[Any]:
    """Everything that a command can change, the clock apart."""
    games = Game.objects.order_by("pk").values_list(
        "pk", "seq", "ply", "status", "moves", "position_text", "ranked"
    )
    log = LogEntry.objects.order_by("game", "seq").values_list("game", "seq", "command")
    results = Result.objects.order_by("pk").values_list("pk", "score", "moves")
    return [*games, *log, *results]


def folds_to_what_stands(game: Game) -> bool:
    """Whether the log leads to the stored standing."""
    standing = Standing(game.deal)
    events = [entry.event for entry in LogEntry.objects.filter(game=game).order_by("seq")]
    for _, after in retrace(game.rules, game.deal, events):
        standing = after
    return standing == game.standing


@pytest.mark.parametrize("what", ["move", "undo", "win", "new game", "again"])
def test_killed_after_any_write_a_change_is_whole_or_absent(
    ada: Person, start: Start, commands: list[str], what: str
) -> None:
    """B15."""
    game = start(ada, recorded())
    play_all(game, ada, commands[:-1] if what == "win" else commands[:5])
    seq = Game.objects.get().seq
    command = {"move": commands[5], "undo": "undo", "win": commands[-1]}.get(what, "")

    def work() -> None:
        if what == "new game":
            start_new(User.objects.get(), game.rules, "S1")
        elif what == "again":
            start_again(User.objects.get(), game.code)
        else:
            answer = walk.play(key_of(game), ada.seat, wire.Play("last", seq, command))
            assert isinstance(answer, wire.Accepted)

    before = everything()
    writes = 0
    while dies_after_write(writes + 1, work):
        writes += 1
        assert everything() == before
        assert folds_to_what_stands(Game.objects.get(pk=game.pk))
    assert writes >= {"new game": 1, "again": 3, "win": 3}.get(what, 2)
    assert everything() != before
    for stored in Game.objects.all():
        assert folds_to_what_stands(stored)
    assert Result.objects.count() == (1 if what == "win" else 0)


def test_trouble_with_the_database_is_unavailable_and_the_next_command_works(
    ada: Person, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = start(ada, recorded())
    message = wire.Play("one", 0, "t10-t3")
    enter = walk._enter

    def fail(*_: object) -> None:
        enter(*_)  # type: ignore[arg-type]
        raise OperationalError("the disk is full")

    monkeypatch.setattr(walk, "_enter", fail)
    assert walk.play(key_of(game), ada.seat, message) == walk.Refused("unavailable")
    monkeypatch.undo()
    assert walk.play(key_of(game), ada.seat, message) == wire.Accepted("one", 1, False)


def test_a_lost_connection_is_replaced_and_the_command_played_once(ada: Person, start: Start) -> None:
    """B31."""
    game = start(ada, recorded())
    key = key_of(game)
    assert isinstance(walk.play(key, ada.seat, wire.Play("one", 0, "t10-t3")), wire.Accepted)
    cut_the_connection()
    assert walk.play(key, ada.seat, wire.Play("two", 1, "undo")) == wire.Accepted("two", 2, False)
    assert Game.objects.get().seq == 2


def cut_the_connection() -> None:
    """As a restart of Postgres would; there is nothing to cut on SQLite."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            pid = cursor.fetchone()[0]
        other = connections.create_connection("default")
        with other.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(%s)", [pid])
        other.close()
        time.sleep(0.1)


async def test_unavailable_is_told_with_retry_ms_and_the_socket_lives(
    ada: Person, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = start(ada)

    def fail(*_: object) -> None:
        raise OperationalError("no answer")

    async with Client(game.code, cookies=ada.cookies) as player:
        await player.next("welcome")
        monkeypatch.setattr(walk, "_play", fail)
        answer = await player.ask(player.a_move(), name="one")
        assert (answer["code"], answer["retry_ms"] > 0, answer["seq"]) == ("unavailable", True, 0)
        monkeypatch.undo()
        assert await player.accepted(player.a_move(), name="one") == 1


def long_game(start: Start, player: Person, length: int) -> Game:
    """A game with so many moves of one card to and fro in its log."""
    game = start(player, recorded())
    line = Line(game.rules, game.deal)
    for command in ("t10-t3", "t3-t10"):
        assert not isinstance(line.play(parse_command(command)), Refusal)
    events = [replace(line.events[n % 2], seq=n + 1, parent=n) for n in range(length)]
    LogEntry.objects.bulk_create(
        [
            LogEntry.of(event, game=game, command_id=f"m{event.seq}", at_ms=1000 + event.seq)
            for event in events
        ],
        batch_size=2000,
    )
    # An even number of moves leads back to the deal.
    limit = game.rules.undo_limit
    game.stand(Standing(game.deal, length, length, length, tip=length, undoable=min(length, limit)))
    game.first_ms, game.last_ms = 1001, 1000 + length
    game.save()
    return game


def test_move_20000_costs_what_move_100_does(
    ada: Person, start: Start, django_assert_max_num_queries: Any
) -> None:
    """B17: time, bytes stored, frames, joins and the replay."""
    games = {length: long_game(start, ada, length) for length in (100, 20_000)}
    spent: dict[int, list[float]] = {length: [] for length in games}
    for number in range(60):
        for length, game in games.items():
            command = ("t10-t3", "t3-t10", "t10-t3", "undo")[number % 4]
            message = wire.Play(f"n{number}", length + number, command)
            begun = time.perf_counter()
            answer = walk.play(key_of(game), ada.seat, message)
            spent[length].append(time.perf_counter() - begun)
            assert isinstance(answer, wire.Accepted), (number, answer)
    assert median(spent[20_000]) < 1.5 * median(spent[100])

    short, long = (Game.objects.get(pk=games[length].pk) for length in (100, 20_000))
    assert long.score is not None
    assert long.score < 0
    frames = [wire.encode(tables.updates_after(game, game.seq - 1, 50)[0]) for game in (short, long)]
    assert abs(len(frames[0]) - len(frames[1])) < 24
    rows = [LogEntry.objects.get(game=game, seq=game.seq) for game in (short, long)]
    assert rows[0].effects == rows[1].effects
    with django_assert_max_num_queries(4):
        begun = time.perf_counter()
        tables.welcome(long, None)
        tables.welcome(long, None, since=long.seq - 50, since_epoch=1)
        assert time.perf_counter() - begun < 1
    begun = time.perf_counter()
    at: int | None = 0
    for _ in range(10):
        assert at is not None
        at = tables.updates_page(long, at).next
    assert time.perf_counter() - begun < 5
    check(lambda: tables.updates_page(long, long.seq - 150), 1 + long.seq // tables.PORTION)
    check(lambda: tables.updates_page(long, long.seq - 150), 2)
    assert check(lambda: moves.line_commands(long), 0) == []
    assert len(check(lambda: moves.line_commands(short), 1)) == short.ply
    begun = time.perf_counter()
    for since in (19_700, 7_777, 13_131):
        tables.updates_page(long, since)
    assert time.perf_counter() - begun < 2, "any place of the replay opens quickly"
