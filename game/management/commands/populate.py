"""``manage.py populate``: fills a database with a large and believable past, to measure and to look at."""

from __future__ import annotations

import os
import time
from argparse import ArgumentParser, ArgumentTypeError
from random import Random
from typing import Any, Final

from django.core.management.base import BaseCommand
from django.db import connection
from django.utils import timezone

from game.actions import population
from game.management import plays

GAMES: Final = 10_000
GAMES_EACH: Final = 200
"""Games for each person, where the number of people is left open."""
MOST_PEOPLE: Final = 5_000
MOST_WALKS: Final = 600


class Command(BaseCommand):
    help = (
        "Adds people and games with their logs, results, boards and tallies. Not for a database that matters:"
        " SQLite is told not to wait for the disk meanwhile."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--games", type=_positive, default=GAMES, help=f"how many ({GAMES})")
        parser.add_argument("--people", type=_positive, help=f"how many (one for {GAMES_EACH} games)")
        parser.add_argument("--longest", type=_positive, help="actions of one long running game beside them")
        parser.add_argument("--password", help="with which all of them can log in; without it none can")
        parser.add_argument("--seed", type=int, help="of what is chosen at random")

    def handle(self, *args: Any, **options: Any) -> None:
        count: int = options["games"]
        begun = time.monotonic()
        random = Random(os.urandom(16) if options["seed"] is None else options["seed"])  # noqa: S311
        now = timezone.now()
        hurry()
        material = [*plays.won_plays(random), *plays.walks(min(MOST_WALKS, 20 + count // 50), random)]
        size = options["people"] or max(20, min(MOST_PEOPLE, count // GAMES_EACH))
        people = population.make_people(size, now, options["password"], random)

        def tell(done: int) -> None:
            self.stdout.write(f"{done} games after {time.monotonic() - begun:.0f} s")

        population.make_games(material, people, count, until=now, random=random, tell=tell)
        if options["longest"]:
            play = plays.long_walk(options["longest"], random)
            game = population.make_long_game(play, people[0], now)
            self.stdout.write(f"{game.code} has {game.seq} actions")


def hurry() -> None:
    """Has SQLite trust the machine and use memory; for the connection of this command alone."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            for setting in ("synchronous = OFF", "cache_size = -400000", "temp_store = MEMORY"):
                cursor.execute(f"PRAGMA {setting}")


def _positive(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and 0 < int(text) <= 100_000_000):
        raise ArgumentTypeError(f"{text!r} is no number of games, people or actions")
    return int(text)
