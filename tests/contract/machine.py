"""A machine as DEPLOYMENT.md wants it, and the commands of that document."""

from __future__ import annotations

import json
import os
import re
import secrets
import shlex
import shutil
import socket
import ssl
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

from tests.contract import systemctl
from tests.services import PRODUCT_SETTINGS, ROOT, Process, free_port, wait_until

TEXT: Final = (ROOT / "DEPLOYMENT.md").read_text()
NAME: Final = "tableau.example"


def blocks() -> list[str]:
    """The commands of each box, as they would be typed."""
    found = re.findall(r"^```sh\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    assert all(line.startswith("$ ") for box in found for line in box.splitlines())
    return [re.sub(r"^\$ ", "", box, flags=re.MULTILINE) for box in found]


def is_all_of_manage(box: str) -> bool:
    return all(line.startswith("manage ") for line in box.splitlines())


def joined(boxes: list[str]) -> list[str]:
    """Boxes of ``manage`` alone that follow each other, in one."""
    found: list[str] = []
    for box in boxes:
        if found and is_all_of_manage(found[-1]) and is_all_of_manage(box):
            found[-1] += box
        else:
            found.append(box)
    return found


def at_once(box: str, defined: str) -> str:
    """The same commands of ``manage`` in one process: they have no other effect, and start once."""
    lines = [shlex.split(line)[1:] for line in box.splitlines()]
    code = (
        "import django; django.setup(); from django.core.management import call_command\n"
        f"for words in {lines}: call_command(*words)"
    )
    assert "exec .venv/bin/python manage.py" in defined
    own = re.sub(r"exec (\S+) manage.py .*\)", r'exec \1 -c "$1")', defined)
    return f"{own}DJANGO_SETTINGS_MODULE=config.settings manage {shlex.quote(code)}\n"


class Machine:
    """A machine as DEPLOYMENT.md wants it, in a folder: its own places, ports, systemd and certificate."""

    def __init__(self, folder: Path, database_url: str, redis_url: str) -> None:
        self.folder = folder
        self.tls_port, plain_port = free_port(), free_port()
        self.ports = [str(free_port()), str(free_port())]
        for name in ("bin", "units", "tls", "backups", "temp"):
            (folder / name).mkdir()
        temps = "".join(
            f"{kind}_temp_path {folder}/temp;"
            for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        self.places = [
            ("8001", self.ports[0]),
            ("8002", self.ports[1]),
            ("listen 443 ssl", f"listen 127.0.0.1:{self.tls_port} ssl"),
            ("listen 80;", f"listen 127.0.0.1:{plain_port};"),
            ("/run/nginx.pid", f"{folder}/nginx.pid"),
            ("http {\n", f"http {{\n{temps}\n"),
            (f"/etc/letsencrypt/live/{NAME}", f"{folder}/tls"),
            ("/etc/systemd/system", f"{folder}/units"),
            ("/etc/nginx/nginx.conf", f"{folder}/nginx.conf"),
            ("/etc/tableau.env", f"{folder}/tableau.env"),
            ("/var/backups/tableau", f"{folder}/backups"),
            ("/opt/tableau", str(ROOT)),
        ]
        (folder / "places.json").write_text(json.dumps(self.places))
        self._write_settings(database_url, redis_url)
        self._make_certificate()
        nginx = shutil.which("nginx") or "/usr/sbin/nginx"
        self.nginx = Process(
            [nginx, "-c", f"{folder}/nginx.conf", "-e", f"{folder}/errors", "-g", "daemon off;"], folder
        )
        self._write_program(
            "systemctl", f'cd {ROOT} && exec {sys.executable} -m tests.contract.systemctl {folder} "$@"'
        )
        self._write_program("nginx", f'exec {nginx} -c {folder}/nginx.conf -e {folder}/errors "$@"')
        curl = shutil.which("curl")
        through = f"--cacert {folder}/tls/fullchain.pem --connect-to {NAME}:443:127.0.0.1:{self.tls_port}"
        self._write_program("curl", f'exec {curl} {through} "$@"')

    def _write_program(self, name: str, command: str) -> None:
        path = self.folder / "bin" / name
        path.write_text(f"#!/bin/sh\n{command}\n")
        path.chmod(0o755)

    def _write_settings(self, database_url: str, redis_url: str) -> None:
        shown = re.search(r"^```ini\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
        assert shown is not None
        told = systemctl.settings(shown[1])
        assert set(told) <= PRODUCT_SETTINGS
        told |= {
            "DATABASE_URL": database_url,
            "REDIS_URL": redis_url,
            "SECRET_KEY": secrets.token_hex(32),
            "VAR": f"{self.folder}/var",
            "WORKER": "0",
        }
        lines = [f"{name}={value}\n" for name, value in told.items()]
        (self.folder / "tableau.env").write_text("".join(lines))

    def _make_certificate(self) -> None:
        subject = ["-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}"]
        kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
        files = ["-keyout", f"{self.folder}/tls/privkey.pem", "-out", f"{self.folder}/tls/fullchain.pem"]
        command = ["openssl", "req", "-x509", *kind, *subject, *files]
        subprocess.run(command, check=True, capture_output=True)

    def run(self, box: str) -> str:
        """Types the commands of a box, and before them whatever the document has defined by a name."""
        defined = "".join(re.findall(r"^\w+\(\) \(.*\)\n", "".join(blocks()), re.MULTILINE))
        if is_all_of_manage(box):
            box = at_once(box, defined)
        script = systemctl.replaced(self.folder, f"set -euo pipefail\n{defined}{box}")
        env = {name: value for name, value in os.environ.items() if name not in PRODUCT_SETTINGS}
        env["PATH"] = f"{self.folder}/bin:{env['PATH']}"
        done = subprocess.run(
            ["bash", "-c", script],
            cwd=ROOT,
            env=env,
            check=False,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
        logs = "".join(path.read_text()[-2000:] for path in self.folder.glob("log*"))
        assert done.returncode == 0, f"{box}\n{done.stdout}\n{done.stderr}\n{logs}"
        return done.stdout

    def start_proxy(self) -> None:
        """What the package of nginx does when it is installed; from then on the document reloads it."""
        path = self.folder / "nginx.conf"
        path.write_text(systemctl.replaced(self.folder, path.read_text()))
        self.nginx.spawn()
        wait_until((self.folder / "nginx.pid").exists, "nginx")

    def connection(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.tls_port), timeout=20)

    @property
    def trust(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=f"{self.folder}/tls/fullchain.pem")

    def end(self) -> None:
        for port in self.ports:
            with suppress(ProcessLookupError):
                systemctl.stop(self.folder, port)
        self.nginx.end()
