"""``manage.py clear_guests``: forgets guests who never made a move and will not come back."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand

from game.actions.guests import clear_guests

DAYS = 30
MOST_DAYS = 36_500


class Command(BaseCommand):
    help = "Deletes guests without a move and without an open session; to be run now and then."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--older-than", type=_days, default=DAYS, metavar="DAYS", help=f"at least so old ({DAYS})"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        count = clear_guests(timedelta(days=options["older_than"]))
        self.stdout.write(f"cleared {count} guest{'' if count == 1 else 's'}")


def _days(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and int(text) <= MOST_DAYS):
        raise ArgumentTypeError(f"{text!r} is no number of days")
    return int(text)
