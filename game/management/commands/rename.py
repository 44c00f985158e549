"""``manage.py rename``: gives somebody another name."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from game.actions import operators as act
from game.actions.people import NameTakenError
from game.management import operators
from game.names import NameRefusedError, checked_name


class Command(BaseCommand):
    help = "Gives somebody another name; they stay logged in."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name")
        parser.add_argument("new_name")
        operators.add_hand(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        person = operators.person(options["name"])
        if person.is_guest:
            raise CommandError("A guest chooses a name by signing up.")
        try:
            act.rename(person, checked_name(options["new_name"]), operators.hand(options))
        except NameRefusedError as error:
            raise CommandError(str(error)) from None
        except NameTakenError:
            raise CommandError("Somebody has this name, or one that looks like it.") from None
        self.stdout.write(f"{options['name']} is called {person} now")
