"""``manage.py deeds``: what operators did, the newest first."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from game.models import Deed


class Command(BaseCommand):
    help = "Lists what operators did to people and results, and why."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--last", type=int, default=50, metavar="N", help="so many (%(default)s)")

    def handle(self, *args: Any, **options: Any) -> None:
        deeds = Deed.objects.select_related("person", "game").order_by("-at", "-id")
        for deed in deeds[: max(options["last"], 0)]:
            told = [str(deed), str(deed.game) if deed.game else "", deed.because]
            self.stdout.write(" · ".join(filter(None, told)))
