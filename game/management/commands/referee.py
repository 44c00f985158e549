"""``manage.py referee``: replays records of games and says where they differ from the rules."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from game.engine.referee import RecordError, differences, replay, trace


class Command(BaseCommand):
    """One verdict a record; ends with 1 if any differs. No database is read."""

    help = "Replay records of games with the rules; say ok or what differs."
    requires_system_checks: list[str] = []  # noqa: RUF012  # Django's own form

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "files", nargs="+", metavar="FILE", help="a record, a list, or JSON lines; - for stdin"
        )
        parser.add_argument("--trace", action="store_true", help="one JSON line for each entry of a log")

    def handle(self, *args: Any, **options: Any) -> None:
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
        if any_differs:
            sys.exit(1)


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
