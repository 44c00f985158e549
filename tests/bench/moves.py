"""The way of a move from the frame to the acknowledgement, in microseconds, on SQLite."""

from __future__ import annotations

import json
import os
import tempfile
import time
from collections.abc import Callable
from statistics import median
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.db import connection, transaction

from game import wire
from game.actions.play import play
from game.engine.commands import parse_command
from game.engine.deals import DealCode
from game.engine.games import GAMES
from game.engine.line import advance
from game.models import Game, LogEntry, User
from game.selectors import tables
from tests.bench import figures
from tests.bench.figures import Row
from tests.dealt import dealt
from tests.server.conftest import Person

MOVES = 400


def microseconds(work: Callable[[], Any], times: int = MOVES) -> float:
    """Median processor time of one call: it holds on a busy machine."""
    return timed(work, times, time.thread_time_ns)


def timed(work: Callable[[], Any], times: int, clock: Callable[[], int]) -> float:
    """Median of one call by a clock of nanoseconds."""
    took = []
    for _ in range(times):
        begun = clock()
        work()
        took.append((clock() - begun) / 1000)
    return median(took)


def bare_commit() -> float:
    """A page written to a file and forced to the disk: what no store can do without."""
    with tempfile.TemporaryFile(dir=settings.VAR) as file:

        def write() -> None:
            os.pwrite(file.fileno(), b"x" * 4096, 0)
            os.fsync(file.fileno())

        return timed(write, MOVES, time.perf_counter_ns)


def make_game(person: Person) -> Game:
    """A fresh game in which something can be moved and taken back."""
    rules = GAMES[0]
    code = DealCode(rules, next(iter(rules.variants)), "AAAAABD")
    game = dealt(person.user, rules, code.variant, code.deal(), deal_code=str(code))
    game.save()
    return game


def run() -> None:
    """Prints the table."""
    call_command("migrate", verbosity=0)
    person = Person(User.objects.create_user("mover"))
    game = make_game(person)
    key = tables.key_of(game.code)
    assert key is not None
    source, targets = next(iter(game.rules.dests(game.deal).items()))
    there = f"{source}-{targets[0]}"
    text = json.dumps({"type": "play", "id": "x" * 12, "seq": 12, "command": there})
    event, standing = advance(game.rules, game.standing, parse_command(there), None)  # type: ignore[misc]
    change = tables.change(game.rules, event, standing, 1000, 0)
    numbers = iter(range(10**6))

    def whole() -> None:
        seq = next(numbers)
        message = wire.Play(f"m{seq}", seq, there if seq % 2 == 0 else "undo")
        outcome = play(key, person.seat, message)
        assert isinstance(outcome, wire.Accepted), outcome

    def rolled_back(work: Callable[[], Any]) -> float:
        took = []
        for _ in range(MOVES):
            with transaction.atomic():
                took.append(microseconds(work, 1))
                transaction.set_rollback(True)
        return median(took)

    def save() -> None:
        game.save(update_fields=["position_text", "seq", "last_ms"])

    def log() -> None:
        LogEntry.of(event, game_id=game.pk, command_id="z", at_ms=0).save(force_insert=True)

    def commit() -> float:
        took = []
        for number in range(MOVES):
            with connection.cursor() as cursor:
                cursor.execute("BEGIN IMMEDIATE")
                cursor.execute("UPDATE game_game SET last_ms = %s WHERE id = %s", [number, game.pk])
                begun = time.perf_counter_ns()
                cursor.execute("COMMIT")
                took.append((time.perf_counter_ns() - begun) / 1000)
        return median(took)

    parts = {
        "decode": microseconds(lambda: wire.decode_client(text)),
        "lock: the row, its player, the session": microseconds(
            lambda: Game.objects.select_for_update(of=("self",)).select_related("player").get(pk=game.pk)
        ),
        "engine": microseconds(lambda: advance(game.rules, game.standing, parse_command(there), None)),
        "log": rolled_back(log),
        "save the standing": rolled_back(save),
        "encode": microseconds(
            lambda: wire.encode(wire.update(tables.change(game.rules, event, standing, 1000, 0)))
        ),
    }
    assert change
    disk = bare_commit()
    cpu = microseconds(whole)
    total = timed(whole, MOVES, time.perf_counter_ns)
    figures.head(
        "moves",
        "One player, nobody else; SQLite that waits for the disk at each commit. Parts and `without waiting`"
        " in processor time, the rest by the clock; their baseline is 4 kB written and forced to disk.",
    )
    figures.show(Row(what, took, "us", "without waiting", cpu) for what, took in parts.items())
    kept = total - parts["decode"] - parts["engine"] - parts["encode"]
    figures.show(
        [
            Row("without waiting", cpu, "us"),
            Row("commit", commit(), "us", "the disk", disk),
            Row("the whole", total, "us", "the disk", disk),
            Row("8: what keeping it adds", kept / 1000, "ms", "the disk", disk / 1000, "<= 0.5 ms p50", True),
        ]
    )
