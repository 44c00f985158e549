"""``manage.py referee``: replays games, those of records or the stored ones, and says where they differ."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from game.engine.referee import RecordError, differences, replay, trace
from game.selectors import audit


class Command(BaseCommand):
    """One verdict a record, or a line for each fault of a stored game; ends with 1 if there is any.

    The database is read only where its own games are asked for.
    """

    help = "Replay games with the rules; say ok or what differs."
    requires_system_checks: list[str] = []  # noqa: RUF012  # Django's own form

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "files", nargs="*", metavar="FILE", help="a record, a list, or JSON lines; - for stdin"
        )
        stored = parser.add_mutually_exclusive_group()
        stored.add_argument("--ranked", action="store_true", help="every stored win that counts")
        stored.add_argument("--every", action="store_true", help="every stored game")
        parser.add_argument("--trace", action="store_true", help="one JSON line for each entry of a log")

    def handle(self, *args: Any, **options: Any) -> None:
        if bool(options["files"]) == (options["ranked"] or options["every"]):
            raise CommandError("Give records to replay, or one of --ranked and --every.")
        is_sound = self._judge_records(options) if options["files"] else self._judge_stored(options["ranked"])
        if not is_sound:
            sys.exit(1)

    def _judge_stored(self, ranked_only: bool) -> bool:
        count = differ = 0
        for game in audit.games(ranked_only=ranked_only):
            found = list(audit.faults(game))
            for fault in found:
                self.stdout.write(f"game {game.code}: {fault}")
            count += 1
            differ += bool(found)
        self.stdout.write(f"replayed {count} game{'' if count == 1 else 's'}, {differ or 'none'} at fault")
        return not differ

    def _judge_records(self, options: Mapping[str, Any]) -> bool:
        verdicts = self.stderr if options["trace"] else self.stdout
        # Verdicts are no errors: they are not coloured as such.
        verdicts.style_func = None
        any_differs = False
        records = (record for name in options["files"] for record in read_records(name))
        for index, record in enumerate(records):
            found = []
            try:
                replayed = replay(record)
            except RecordError as error:
                found = [str(error)]
            else:
                found = list(differences(replayed))
                if options["trace"]:
                    for row in trace(index, replayed):
                        self.stdout.write(json.dumps(row))
            for difference in found:
                verdicts.write(f"record {index}: {difference}")
            if not found:
                verdicts.write("ok")
            any_differs = any_differs or bool(found)
        return not any_differs


def read_records(name: str) -> Iterator[object]:
    """The records of a file: one, a list of them, or one a line; raises `CommandError`."""
    try:
        text = sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeError) as error:
        raise CommandError(f"{name}: {error}") from None
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        yield from _read_lines(name, text)
    else:
        yield from whole if isinstance(whole, list) else [whole]


def _read_lines(name: str, text: str) -> Iterator[object]:
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                yield json.loads(line)
            except (ValueError, RecursionError) as error:
                raise CommandError(f"{name}, line {number}: {error}") from None
