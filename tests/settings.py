"""The product's settings, with passwords that hash fast and all state in a folder of the test run's own."""

import os
import tempfile

if "VAR" not in os.environ:
    os.environ["VAR"] = tempfile.mkdtemp(prefix="tableau-test-")

from config.settings import *  # noqa: F403
from config.settings import DATABASES, IS_SQLITE, VAR

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
if IS_SQLITE:
    # A file, so that all threads see the same rows.
    DATABASES["default"]["TEST"] = {"NAME": str(VAR / "test.sqlite3")}
