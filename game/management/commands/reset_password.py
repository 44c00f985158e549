"""``manage.py reset_password``: gives somebody a new password."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from game.actions import operators as act
from game.management import operators


class Command(BaseCommand):
    help = "Gives somebody a new password and prints it; they are logged out everywhere."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name")
        operators.add_hand(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        person = operators.person(options["name"])
        try:
            password = act.reset_password(person, operators.hand(options))
        except act.NothingToDoError as error:
            raise CommandError(str(error)) from None
        self.stdout.write(password)
