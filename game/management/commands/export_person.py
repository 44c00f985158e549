"""``manage.py export_person NAME``: all that is kept of a person, as JSON."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from game.selectors.export import kept_of
from game.selectors.lists import person


class Command(BaseCommand):
    help = "Prints all that is kept of a person: the name, the settings and the games."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="in any spelling")

    def handle(self, *args: Any, **options: Any) -> None:
        found = person(options["name"])
        if found is None:
            raise CommandError(f"There is nobody with the name {options['name']}.")
        for piece in kept_of(found):
            self.stdout.write(piece, ending="")
