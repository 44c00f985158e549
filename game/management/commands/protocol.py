"""``manage.py protocol``: writes what is made from the wire, or says whether it is stale."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from game.management.tables import filled
from game.management.typescript import declarations


class Command(BaseCommand):
    """``protocol.d.ts`` of the browser, and the tables of PROTOCOL.md."""

    help = "Write protocol.d.ts and the tables of PROTOCOL.md; with --check, fail if either is stale."
    requires_system_checks: list[str] = []  # noqa: RUF012  # Django's own form

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--check", action="store_true", help="write nothing; fail if anything would change"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        document = settings.BASE_DIR / "PROTOCOL.md"
        wanted = {
            settings.BASE_DIR / "frontend/static/js/protocol.d.ts": declarations(),
            document: filled(document.read_text()),
        }
        stale = [path for path, text in wanted.items() if not path.exists() or path.read_text() != text]
        if options["check"] and stale:
            names = ", ".join(path.name for path in stale)
            raise CommandError(f"stale: {names}; run manage.py protocol")
        for path in stale:
            path.write_text(wanted[path])
            self.stdout.write(f"wrote {path.relative_to(settings.BASE_DIR)}")
