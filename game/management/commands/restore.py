"""``manage.py restore``: puts a backup in the place of all that is in the database."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from game.management import backups


class Command(BaseCommand):
    help = "Replaces the whole database by a backup. Stop all servers and workers first."
    requires_system_checks: list[str] = []  # noqa: RUF012  # Django's own form

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        epoch = backups.restore(options["file"])
        self.stdout.write(
            f"restored {options['file']}; the epoch is now {epoch}, so that browsers drop what they hold.\n"
            "Before the servers start again: manage.py referee --every"
        )
