"""``manage.py remove_result``: takes a win off the boards."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from game.actions import operators as act
from game.management import operators


class Command(BaseCommand):
    help = "Takes a win off the boards; the game stays, and says so."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("code", help="the game's")
        parser.add_argument("--put-back", action="store_true", help="have it count again")
        operators.add_hand(parser, needs_reason=True)

    def handle(self, *args: Any, **options: Any) -> None:
        game = operators.game(options["code"])
        try:
            (act.put_back_result if options["put_back"] else act.remove_result)(game, operators.hand(options))
        except act.NothingToDoError as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"{game} {'counts again' if options['put_back'] else 'counts no more'}")
