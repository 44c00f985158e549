"""``manage.py messages``: brings the catalogues of translations up to date, or says that they are not."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from game.management.catalogues import DOMAINS, PLURALS, extract, lacking, path_of, refreshed


class Command(BaseCommand):
    """The files ``*.po`` of every language but English."""

    help = "Refresh the catalogues; with --check, fail if one is stale or lacks a translation."
    requires_system_checks: list[str] = []  # noqa: RUF012  # Django's own form

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--check", action="store_true", help="write nothing; fail if anything is stale or missing"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        faults = []
        for domain in DOMAINS:
            found = extract(domain)
            for language in PLURALS:
                path = path_of(language, domain)
                name = f"{language}/{domain}.po"
                catalogue = refreshed(language, domain, found)
                text = f"{catalogue}\n"
                if not path.exists() or path.read_text() != text:
                    faults.append(f"{name} is stale")
                    if not options["check"]:
                        path.parent.mkdir(parents=True, exist_ok=True)
                        path.write_text(text)
                        self.stdout.write(f"wrote {name}")
                faults += [f"{name} lacks {sentence!r}" for sentence in lacking(catalogue)]
        if options["check"] and faults:
            raise CommandError("\n".join([*faults, "run bin/messages and translate what is missing"]))
        if not options["check"]:
            self.stdout.write(
                "\n".join(fault for fault in faults if " lacks " in fault) or "nothing is missing"
            )
