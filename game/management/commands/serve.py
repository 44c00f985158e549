"""``manage.py serve``: everything from a bare checkout to a running server, in one process.

Postgres without Redis is allowed, for one process: nothing can tell it apart from the first of several,
so that is left to whoever starts a second one. On SQLite a second one is refused.
"""

from __future__ import annotations

import errno
import gc
import logging
import resource
from typing import Any

from channels.routing import get_default_application
from django.conf import settings
from django.core.management import CommandError
from django.core.management.base import BaseCommand
from django.utils.module_loading import import_string

from game.management import start, worker


class Command(BaseCommand):
    help = "Prepares what is missing and serves until SIGTERM or SIGINT."
    requires_system_checks: list[str] = []  # noqa: RUF012  # Django's own form

    def handle(self, **options: Any) -> None:
        start.compile_catalogues()
        start.claim_database()
        listener = start.bind(settings.HOST, settings.PORT)
        start.migrate()
        start.collect_static()
        _allow_many_files()
        # What daphne tells at each start is told below in one line.
        logging.getLogger("daphne").setLevel(logging.WARNING)
        application = get_default_application()
        # What is loaded by now stays for good: the collector need never walk it.
        gc.freeze()
        if settings.WORKER:
            worker.keep_one()
        server = import_string(settings.SERVER)(application, listener, ready=self._tell)
        try:
            server.run()
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
            raise CommandError(start.no_listening(settings.HOST, settings.PORT, error)) from None

    def _tell(self) -> None:
        host = f"[{settings.HOST}]" if ":" in settings.HOST else settings.HOST
        address = f"http://{host}:{settings.PORT}/{settings.BASE_PATH}"
        self.stdout.write(f"Tableau is at {address} (Ctrl+C ends it)")
        self.stdout.flush()


def _allow_many_files() -> None:
    """Every open socket is a file; the usual soft limit is 1,024."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
