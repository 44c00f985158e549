"""DEPLOYMENT.md, run from its first command to its last, while somebody plays through the proxy."""

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
import threading
from collections.abc import Iterator
from contextlib import closing, suppress
from http.client import HTTPConnection, HTTPSConnection
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

import pytest
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from tests.contract import systemctl
from tests.server.watching import moves_in
from tests.services import PRODUCT_SETTINGS, ROOT, Process, free_port, new_database, wait_until

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


class Guest:
    """A guest with a running game, who plays through the proxy and sends again whatever was not answered."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.cookies: dict[str, str] = {}
        self.accepted: list[str] = []
        self.told: dict[str, Any] = {}
        self._ask("GET", "/accounts/login/")
        place = self._ask("POST", "/accounts/guest/", rules="simple-simon", suits="1")
        self.code = place.rstrip("/").rsplit("/", 1)[1]
        self._may_end = threading.Event()
        self._thread = threading.Thread(target=self._play)
        self.trouble: Exception | None = None

    def _ask(self, method: str, path: str, **fields: str) -> str:
        headers = {"Cookie": self._cookie, "Origin": f"https://{NAME}", "Referer": f"https://{NAME}/"}
        body = None
        if method == "POST":
            fields["csrfmiddlewaretoken"] = self.cookies["csrftoken"]
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            body = urlencode(fields)
        with closing(HTTPSConnection(NAME, context=self.machine.trust)) as connection:
            connection._create_connection = lambda *_: self.machine.connection()  # type: ignore[attr-defined]
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            answer.read()
            assert answer.status in (200, 302), answer.status
            for name, value in answer.getheaders():
                if name.lower() == "set-cookie":
                    key, _, text = value.partition(";")[0].partition("=")
                    self.cookies[key] = text
            return answer.getheader("Location") or ""

    @property
    def _cookie(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self.cookies.items())

    def __enter__(self) -> Guest:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._may_end.set()
        self._thread.join(60)

    def _play(self) -> None:
        wanted: str | None = None
        try:
            while not self._may_end.is_set():
                with (
                    suppress(ConnectionClosed, InvalidHandshake, OSError, TimeoutError),
                    self._socket() as table,
                ):
                    while not self._may_end.is_set():
                        # Kept until it is answered: an answer that is lost is asked for again.
                        wanted = wanted or secrets.token_hex(8)
                        self._move(table, wanted)
                        wanted = None
                self._may_end.wait(0.05)
        except Exception as error:
            self.trouble = error

    def _socket(self) -> ClientConnection:
        return connect(
            f"wss://{NAME}/ws/game/{self.code}/?v=1",
            sock=self.machine.connection(),
            ssl=self.machine.trust,
            origin=Origin(f"https://{NAME}"),
            additional_headers={"Cookie": self._cookie},
        )

    def _move(self, table: ClientConnection, wanted: str) -> None:
        """Plays one move and waits until it is answered and shown."""
        if not self.told or self.told["socket"] is not table:
            welcome = json.loads(table.recv(timeout=20))
            if welcome["type"] == "bye":
                raise TimeoutError
            self.told = {"socket": table, **welcome["snapshot"]}
        command = "undo" if self.told["seq"] % 2 else next(moves_in(self.told))
        message = {"type": "play", "id": wanted, "seq": self.told["seq"], "command": command}
        table.send(json.dumps(message))
        while True:
            frame = json.loads(table.recv(timeout=20))
            if frame["type"] == "update":
                self.told |= frame
            elif frame["type"] == "bye":
                raise TimeoutError
            elif frame["type"] in ("accepted", "refused"):
                break
        assert frame["type"] == "accepted", frame
        if wanted not in self.accepted[-1:]:
            self.accepted.append(wanted)
        while self.told["seq"] < frame["seq"]:
            self.told |= {**json.loads(table.recv(timeout=20)), "type": ""}
        self._may_end.wait(0.05)

    def wait_for(self, moves: int) -> None:
        """Returns when so many more have been played, or none ever will."""
        count = len(self.accepted) + moves
        wait_until(lambda: len(self.accepted) >= count or self.trouble is not None, "moves")

    def log(self) -> list[str]:
        """The game's log as any program reads it."""
        with closing(HTTPConnection("127.0.0.1", int(self.machine.ports[0]), timeout=20)) as connection:
            connection.request("GET", f"/api/games/{self.code}", headers={"Host": NAME})
            return [entry["command"] for entry in json.loads(connection.getresponse().read())["log"]]


@pytest.fixture
def machine(tmp_path: Path, postgres_url: str, redis_url: str, prepared_var: Path) -> Iterator[Machine]:
    machine = Machine(tmp_path, new_database(postgres_url), redis_url)
    shutil.copytree(prepared_var, tmp_path / "var")
    yield machine
    machine.end()


def test_the_document_from_end_to_end(machine: Machine) -> None:
    """Every command as it stands; while the processes are replaced no move is lost and none played twice."""
    boxes = iter(joined(blocks()))
    machine.run(next(boxes))
    box = next(boxes)
    first, rest = box.split("\n", 1)
    assert first.startswith("cp deploy/nginx-tls.conf ")
    machine.run(first)
    machine.start_proxy()
    assert "ok" in machine.run(rest)
    for box in boxes:
        if "restart" in box:
            with Guest(machine) as guest:
                guest.wait_for(3)
                machine.run(box)
                guest.wait_for(3)
            assert guest.trouble is None
            assert len(guest.log()) == len(guest.accepted) == len(set(guest.accepted))
        else:
            said = machine.run(box)
            if "referee --every" in box:
                assert re.search(r"replayed 1 game, none at fault", said)
                assert "the epoch is now" in said
            if "/metrics" in box:
                assert "tableau_sockets" in said
            if "deeds" in box:
                assert said.count("Grace") >= 3
    logs = [path.read_text() for path in machine.folder.glob("log-*")]
    assert all(json.loads(line)["level"] for log in logs for line in log.splitlines() if line[:1] == "{")
    assert not [log for log in logs if "Traceback" in log]


def test_what_cannot_be_run_here_is_little() -> None:
    """Indented commands are left to the reader: those that install, and those that need a Docker daemon."""
    indented = re.findall(r"^    (\S.*)$", TEXT, re.MULTILINE)
    assert all(re.match(r"useradd|git clone|install -d|sudo -u postgres", line) for line in indented)
    assert len(blocks()) >= 9


def test_the_unit_names_what_is_there() -> None:
    unit = (ROOT / "deploy/tableau@.service").read_text()
    assert "ExecStart=/opt/tableau/bin/serve" in unit
    if verify := shutil.which("systemd-analyze"):
        done = subprocess.run([verify, "--version"], check=False, capture_output=True)
        assert done.returncode == 0
