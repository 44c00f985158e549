"""The tests' settings on the small disk."""

from tests.settings import *  # noqa: F403
from tests.settings import DATABASES

DATABASES["default"]["ENGINE"] = "tests.faults.small_disk"
