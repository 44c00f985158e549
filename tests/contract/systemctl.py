"""What systemd does with the unit of the server processes, for machines and tests that have none.

``python -m tests.contract.systemctl FOLDER VERB [--now] NAME...``. ``FOLDER`` holds ``places.json``, by which
places and ports in files are replaced, and the copied files; process ids and logs are left there.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path


def replaced(folder: Path, text: str) -> str:
    """A text with the places and ports of the test in it."""
    for old, new in json.loads((folder / "places.json").read_text()):
        text = text.replace(old, new)
    return text


def settings(text: str) -> dict[str, str]:
    return dict(line.split("=", 1) for line in text.splitlines() if "=" in line and not line.startswith("#"))


def start(folder: Path, port: str) -> None:
    unit = replaced(folder, (folder / "units/tableau@.service").read_text()).replace("%i", port)
    told = dict(re.findall(r"^(\w+)=(.*)$", unit, re.MULTILINE))
    env = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    env |= settings(Path(told["EnvironmentFile"]).read_text()) | settings(told["Environment"])
    with (folder / f"log-{port}").open("ab") as log:
        process = subprocess.Popen(
            shlex.split(told["ExecStart"]),
            cwd=told["WorkingDirectory"],
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    (folder / f"pid-{port}").write_text(str(process.pid))


def stop(folder: Path, port: str) -> None:
    path = folder / f"pid-{port}"
    if not path.exists():
        return
    pid = int(path.read_text())
    path.unlink()
    os.kill(pid, signal.SIGTERM)
    # Its parent is gone, so nobody else says when it ends.
    deadline = time.monotonic() + 60
    while Path(f"/proc/{pid}").exists() and not is_dead(pid):
        if time.monotonic() > deadline:
            raise TimeoutError(f"process {pid} does not end")
        time.sleep(0.02)


def is_dead(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except OSError:
        return True


def main() -> None:
    folder, verb = Path(sys.argv[1]), sys.argv[2]
    names = [name for name in sys.argv[3:] if not name.startswith("--")]
    for port in [name.removeprefix("tableau@") for name in names if name.startswith("tableau@")]:
        if verb in ("stop", "restart"):
            stop(folder, port)
        if verb in ("enable", "start", "restart"):
            start(folder, port)
    if "nginx" in names:
        os.kill(int((folder / "nginx.pid").read_text()), signal.SIGHUP)


if __name__ == "__main__":
    main()
