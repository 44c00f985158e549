"""The audit of dependencies is no all-clear where it could not look."""

from __future__ import annotations

import os
import re
import subprocess

from tests.services import ROOT


def test_it_fails_when_it_cannot_look() -> None:
    nowhere = {"PIP_INDEX_URL": "http://127.0.0.1:9/", "PIP_RETRIES": "0", "PIP_CONFIG_FILE": os.devnull}
    surroundings = {name: value for name, value in os.environ.items() if not name.startswith("PIP_")}
    done = subprocess.run(
        ["bin/audit"], cwd=ROOT, env=surroundings | nowhere, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "Not audited" in done.stderr
    assert "No locked package" not in done.stdout


def test_it_asks_about_everything_that_is_locked_with_a_locked_tool() -> None:
    script = (ROOT / "bin/audit").read_text()
    for lock in ("run", "test"):
        assert f"-r requirements/{lock}.txt" in script
    # One package that cannot be asked about is a failure too.
    assert "--strict" in script
    assert "npm audit" in script
    text = (ROOT / "requirements/audit.txt").read_text()
    assert all("--hash=sha256:" in block for block in re.split(r"\n(?=\w)", text) if "==" in block)
    assert "pip-audit==" in text
