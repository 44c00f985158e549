"""``manage.py rebuild_boards``: makes the boards anew from the results."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from game.actions import boards, results


class Command(BaseCommand):
    help = "Makes boards and weeks anew, as after a change of BOARD_ZONE; the servers may run."

    def handle(self, *args: Any, **options: Any) -> None:
        rows, players = boards.rebuild_all(), results.rebuild_weeks()
        self.stdout.write(f"rebuilt {rows} board entries and the weeks of {players} players")
