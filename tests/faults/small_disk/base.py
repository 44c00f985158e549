"""A database backend: before each transaction it reads how many pages there may be."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Final

from django.conf import settings
from django.db.backends.sqlite3 import base

LIMIT: Final = "pages"
"""A file in VAR that holds the number; without it there is no limit."""
NO_LIMIT: Final = 4294967294


class DatabaseWrapper(base.DatabaseWrapper):
    """SQLite as ever, but for ``PRAGMA max_page_count``."""

    def _start_transaction_under_autocommit(self) -> None:
        limit = NO_LIMIT
        with suppress(FileNotFoundError):
            limit = int((Path(settings.VAR) / LIMIT).read_text())
        with self.cursor() as cursor:
            cursor.execute(f"PRAGMA max_page_count = {limit}")
        super()._start_transaction_under_autocommit()  # type: ignore[misc]
