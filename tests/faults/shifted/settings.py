"""The tests' settings, and a wall clock that goes as many seconds ahead as the file ``clock`` in VAR says."""

import time
from contextlib import suppress
from datetime import UTC, datetime

from django.utils import timezone

from tests.settings import *  # noqa: F403
from tests.settings import VAR

_true_time = time.time


def _shifted_time() -> float:
    ahead = 0.0
    with suppress(FileNotFoundError, ValueError):
        ahead = float((VAR / "clock").read_text())
    return _true_time() + ahead


time.time = _shifted_time
timezone.now = lambda: datetime.fromtimestamp(_shifted_time(), tz=UTC)
