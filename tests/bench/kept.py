"""Walks moves through every step from the frame to the acknowledgement, and prints what each took."""

from __future__ import annotations

import json
import os
import socket
import time
from statistics import median
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from game.models import Game
    from tests.server.conftest import Person

PAIRS: Final = 300
"""A move there and an undo back; told is what the move took."""
STEPS: Final = ("decode", "begin", "lock", "engine", "log", "standing", "commit", "encode", "write")
_COLUMNS: Final = "game_id, seq, command_id, command, effects, moves, parent, at_ms"
KEEPING: Final = ("begin", "lock", "log", "standing", "commit")


class Marks:
    """How long it was from mark to mark, by the clock and in processor time, in microseconds."""

    def __init__(self) -> None:
        self.took: dict[str, list[tuple[float, float]]] = {}
        self.begin()

    def begin(self) -> None:
        """The next mark counts from here."""
        self._at = time.perf_counter_ns(), time.thread_time_ns()

    def mark(self, step: str) -> None:
        """A step is over."""
        at = time.perf_counter_ns(), time.thread_time_ns()
        clock, cpu = ((now - before) / 1000 for now, before in zip(at, self._at, strict=True))
        self.took.setdefault(step, []).append((clock, cpu))
        self.begin()

    def medians(self) -> dict[str, tuple[float, float]]:
        """By step: by the clock, and in processor time."""
        return {
            step: (median(clock for clock, _ in each), median(cpu for _, cpu in each))
            for step, each in self.took.items()
        }


def make_game(person: Person) -> Game:
    """A fresh game in which something can be moved and taken back."""
    from game.engine.deals import DealCode
    from game.engine.games import GAMES
    from tests.dealt import dealt

    rules = GAMES[0]
    code = DealCode(rules, next(iter(rules.variants)), "AAAAABD")
    game = dealt(person.user, rules, code.variant, code.deal(), deal_code=str(code))
    game.save()
    return game


def steps_of(game: Game, person: Person, there: str, asker: socket.socket) -> dict[str, tuple[float, float]]:
    """The steps of `actions.play` one after the other, and those before and after it."""
    from django.db import transaction

    from config.direct import text_frame
    from game import wire
    from game.actions import play, statements
    from game.engine.commands import parse_command
    from game.engine.line import advance
    from game.models import LogEntry
    from game.seats import holds
    from game.selectors import tables

    marks, ignored = Marks(), Marks()
    for number in range(2 * PAIRS):
        name, seq = f"s{number}", game.seq + number
        text = json.dumps(
            {"type": "play", "id": name, "seq": seq, "command": "undo" if number % 2 else there}
        )
        at = ignored if number % 2 else marks
        at.begin()
        message = wire.decode_client(text)
        command = parse_command(message.command)  # type: ignore[union-attr]
        at.mark("decode")
        atomic = transaction.atomic(durable=True)
        atomic.__enter__()
        at.mark("begin")
        stored, session = statements.locked_game(game.pk, person.key)
        assert holds(session, stored.player)
        at.mark("lock")
        tip = statements.log_entry(game.pk, stored.tip).event if stored.tip else None
        outcome = advance(stored.rules, stored.standing, command, tip)
        assert isinstance(outcome, tuple), outcome
        event, standing = outcome
        stored.stand(standing)
        at.mark("engine")
        statements.insert(LogEntry.of(event, game_id=game.pk, command_id=name, at_ms=number))
        at.mark("log")
        statements.update(stored, play.CHANGED)
        at.mark("standing")
        atomic.__exit__(None, None, None)
        at.mark("commit")
        wire.encode(wire.update(tables.change(stored.rules, event, standing, number, 0)))
        answer = wire.encode(wire.Accepted(name, event.seq, False))
        at.mark("encode")
        asker.send(text_frame(answer))
        at.mark("write")
        bare(game, number)
        at.mark("bare")
    return marks.medians()


def bare(game: Game, number: int) -> None:
    """The same rows kept through the driver alone: what the machine asks for it at this moment."""
    from django.db import connection

    mark = "?" if connection.vendor == "sqlite" else "%s"
    begin = "BEGIN IMMEDIATE" if connection.vendor == "sqlite" else "BEGIN"
    cursor = connection.connection.cursor()
    cursor.execute(begin)
    cursor.execute(f"SELECT * FROM game_game WHERE id = {mark}", (game.pk,))  # noqa: S608  # our own
    cursor.fetchone()
    entry = (game.pk, 10**6 + number, f"b{number}", "t1-t2", '[["move", "t1", "t2", 1]]', 1, 0, number)
    cursor.execute(f"INSERT INTO game_logentry ({_COLUMNS}) VALUES ({', '.join([mark] * 8)})", entry)  # noqa: S608  # our own
    cursor.execute(f"UPDATE game_game SET last_ms = {mark} WHERE id = {mark}", (number, game.pk))  # noqa: S608  # our own
    cursor.execute("COMMIT")


def main() -> None:
    """Prints JSON: for each step and the whole the median by the clock and in processor time, in us."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command
    from django.db import connection

    from game import wire
    from game.actions.play import play
    from game.models import Game, User
    from game.selectors import tables
    from tests.server.conftest import Person

    call_command("migrate", verbosity=0)
    person = Person(User.objects.create_user("mover"))
    game = make_game(person)
    key = tables.key_of(game.code)
    assert key is not None
    source, targets = next(iter(game.rules.dests(game.deal).items()))
    there = f"{source}-{targets[0]}"

    marks, ignored = Marks(), Marks()
    for number in range(2 * PAIRS):
        at = ignored if number % 2 else marks
        at.begin()
        outcome = play(key, person.seat, wire.Play(f"m{number}", number, "undo" if number % 2 else there))
        at.mark("the whole")
        assert isinstance(outcome, wire.Accepted), outcome
    with socket.create_server(("127.0.0.1", 0)) as server:
        asker = socket.create_connection(server.getsockname())
        found = marks.medians() | steps_of(Game.objects.get(), person, there, asker)
        asker.close()
    with open(settings.VAR / "forced", "wb", buffering=0) as file:
        disk = Marks()
        for _ in range(PAIRS):
            os.pwrite(file.fileno(), b"x" * 4096, 0)
            os.fsync(file.fileno())
            disk.mark("the disk")
    print(json.dumps({"vendor": connection.vendor, "took": found | disk.medians()}))


if __name__ == "__main__":
    main()
