"""``manage.py ban``: lets somebody in no more, or in again."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from game.actions import operators as act
from game.management import operators


class Command(BaseCommand):
    help = "Closes an account: its sessions and sockets end, its games and results stay."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name")
        parser.add_argument("--lift", action="store_true", help="end the ban")
        operators.add_hand(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        person = operators.person(options["name"])
        try:
            (act.admit if options["lift"] else act.ban)(person, operators.hand(options))
        except act.NothingToDoError as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"{person} may {'come in again' if options['lift'] else 'come in no more'}")
