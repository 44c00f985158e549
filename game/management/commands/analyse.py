"""``manage.py analyse``: finds out where ended games were lost."""

from __future__ import annotations

import os
import signal
import sys
import threading
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from game.actions import findings
from game.aside import Aside
from game.management import worker


class Command(BaseCommand):
    help = "Looks at the ended games that wait for it, giving way to all other processes; then ends."
    requires_system_checks: list[str] = []  # noqa: RUF012  # Django's own form

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--all", action="store_true", help="first ask for all that today's solvers have not looked at"
        )
        parser.add_argument("--wait", action="store_true", help="do not end, but wait for more")
        parser.add_argument(
            "--with-parent", action="store_true", help="end as soon as standard input is closed"
        )

    def handle(self, **options: Any) -> None:
        # The first process of a container would not hear them otherwise, and nobody waits for the search: a
        # job that is cut off is done again.
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: os._exit(0))
        if options["with_parent"]:
            # An interrupt on the terminal is for the parent.
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            threading.Thread(target=_end_with_input, daemon=True).start()
        run = Aside()
        if options["all"]:
            asked = findings.ask_all()
            self.stdout.write(f"asked for {asked} game{'' if asked == 1 else 's'}")
        if options["wait"]:
            worker.wait_for_work(run)
        done = worker.work(run)
        worker.fill(run)
        self.stdout.write(f"looked at {done} game{'' if done == 1 else 's'}")


def _end_with_input() -> None:
    sys.stdin.buffer.read()
    os._exit(0)
