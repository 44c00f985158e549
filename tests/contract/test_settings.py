"""The settings: what must be given, what is refused at the start, and what Django's own check says."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.services import PRODUCT_SETTINGS, ROOT

GIVEN: Final = {
    "REDIS_URL": "redis://127.0.0.1:1/0",
    "DATABASE_URL": "postgres://tableau@127.0.0.1:1/tableau",
    "SECRET_KEY": "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "ALLOWED_ORIGINS": "https://tableau.example",
}


def run(folder: Path, *arguments: str, **settings: str) -> tuple[int, str]:
    """Exit code and output of Python with nothing but these settings."""
    plain = {name: value for name, value in os.environ.items() if name not in PRODUCT_SETTINGS}
    env = plain | {"VAR": str(folder)} | settings
    done = subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, env=env, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"SECRET_KEY": ""}, "SECRET_KEY must be set"),
        ({"ALLOWED_ORIGINS": ""}, "ALLOWED_ORIGINS must be set"),
        ({"ALLOWED_ORIGINS": "*"}, "is no origin"),
        ({"ALLOWED_ORIGINS": "https://tableau.example,https://*.tableau.example"}, "is no origin"),
        ({"ALLOWED_ORIGINS": "tableau.example"}, "is no origin"),
        ({"ALLOWED_ORIGINS": "https://tableau.example/cards"}, "is no origin"),
        ({"DATABASE_URL": GIVEN["DATABASE_URL"] + "?ATOMIC_REQUESTS=True"}, "ATOMIC_REQUESTS is not for"),
    ],
)
def test_the_start_is_refused_with_a_sentence(settings: dict[str, str], said: str, tmp_path: Path) -> None:
    """B38: no key, no origin, or a wildcard among them; R8: a transaction around each request."""
    code, output = run(tmp_path, "-c", "import config.settings", **(GIVEN | settings))
    assert code == 1
    assert "ImproperlyConfigured" in output
    assert said in output


def test_check_deploy_is_clean(tmp_path: Path) -> None:
    """In production, with the operators' pages; cookies are for HTTPS alone there."""
    code, output = run(tmp_path, "manage.py", "check", "--deploy", "--fail-level", "WARNING", **GIVEN)
    assert code == 0, output
    names = "s.SESSION_COOKIE_SECURE, s.SECURE_HSTS_SECONDS, s.DEBUG, s.ADMIN"
    script = f"import config.settings as s; print({names})"
    assert run(tmp_path, "-c", script, **GIVEN)[1].split() == ["True", "31536000", "False", "True"]


def test_the_embedded_key_is_made_once_and_is_nobody_elses(tmp_path: Path) -> None:
    script = "import config.settings as s; print(s.SECRET_KEY)"
    key = run(tmp_path, "-c", script)[1]
    assert len(key) > 50
    assert run(tmp_path, "-c", script)[1] == key
    assert (tmp_path / "secret_key").stat().st_mode & 0o777 == 0o600


def test_a_start_loads_no_driver_that_it_does_not_use(tmp_path: Path) -> None:
    """B15: a server that was killed is back soon; what loads is most of that time."""
    script = (
        "import os, sys; os.environ['DJANGO_SETTINGS_MODULE'] = 'config.settings'; "
        "import django; django.setup(); import config.asgi, config.server, game.management.commands.serve; "
        "print({'psycopg', 'redis', 'channels_redis'} & sys.modules.keys())"
    )
    (tmp_path / "static").mkdir()
    assert run(tmp_path, "-W", "ignore", "-c", script) == (0, "set()\n")


def test_the_collector_goes_on_after_a_start(tmp_path: Path) -> None:
    """`manage.py` has it rest while everything is loaded."""
    asked = "import gc; print(gc.isenabled())"
    assert run(tmp_path, "manage.py", "shell", "-v0", "-c", asked) == (0, "True\n")


def test_a_release_has_another_name_when_its_files_are_made_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A browser keeps what it has under a name for ever, and a server what it has collected."""
    from config import settings as given  # reads the environment

    before, read = given._release(), Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda path: read(path) + b"#" * (path.name == "bundle.py"))
    assert given._release() != before
