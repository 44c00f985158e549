"""``manage.py backup``: copies the whole database to a file, while the servers go on."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from game.management import backups


class Command(BaseCommand):
    help = "Copies the database to a file, or to a new file in a folder; nobody has to wait for it."
    requires_system_checks: list[str] = []  # noqa: RUF012  # Django's own form

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("place", type=Path, metavar="FILE_OR_FOLDER")
        parser.add_argument(
            "--keep",
            type=_count,
            metavar="N",
            help="in a folder: keep the N newest backups and delete the rest",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        made = backups.back_up(options["place"], options["keep"])
        self.stdout.write(f"backed up to {made} ({made.stat().st_size} bytes)")


def _count(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and int(text)):
        raise ArgumentTypeError(f"{text!r} is no number from 1")
    return int(text)
