"""Real services for the tests: Redis, Postgres and the server itself, on free ports, ended by process id."""

from __future__ import annotations

import contextlib
import http.client
import os
import pwd
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import psycopg
import redis

ROOT: Final = Path(__file__).resolve().parent.parent
START_SECONDS: Final = 120
"""Long, since other work may share the machine; what is broken says so at once."""
PRODUCT_SETTINGS: Final = {
    "DJANGO_SETTINGS_MODULE",
    *re.findall(r"""env(?:\.\w+)?\(\s*"([A-Z_]+)\"""", (ROOT / "config/settings.py").read_text()),
}
"""The environment variables that shape the product; a site under test gets only those it is given."""


def free_port() -> int:
    """A TCP port of the loopback address that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_until(holds: Callable[[], bool], what: str, seconds: float = START_SECONDS) -> None:
    """Returns once ``holds()`` does; raises `TimeoutError` after so many seconds."""
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > deadline:
            raise TimeoutError(f"not within {seconds} s: {what}")
        time.sleep(0.02)


class Process:
    """A program that a test starts, kills and starts again; what it prints goes to ``log``."""

    def __init__(
        self, command: list[str], folder: Path, env: dict[str, str] | None = None, cwd: Path = Path("/")
    ) -> None:
        self.command = command
        self.env = env
        self.cwd = cwd
        self.log = folder / "log"
        self._running: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        assert self._running is not None, "not started"
        return self._running.pid

    @property
    def is_alive(self) -> bool:
        return self._running is not None and self._running.poll() is None

    def processor_seconds(self) -> float:
        """How long it has kept a processor busy."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory_mb(self) -> float:
        """Its resident memory."""
        pages = int(Path(f"/proc/{self.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 1e6

    def descriptors(self) -> int:
        """How many files and sockets it holds open."""
        return len(list(Path(f"/proc/{self.pid}/fd").iterdir()))

    def spawn(self) -> None:
        """Starts it, without waiting until it is ready."""
        with self.log.open("ab") as log:
            self._running = subprocess.Popen(
                self.command, cwd=self.cwd, env=self.env, stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )

    def wait(self, seconds: float = 15) -> int:
        """Its exit code; raises `subprocess.TimeoutExpired`."""
        assert self._running is not None, "not started"
        return self._running.wait(seconds)

    def signal(self, number: int) -> None:
        """Sends a signal, if it still runs."""
        if self.is_alive:
            os.kill(self.pid, number)

    def kill9(self) -> None:
        """Ends it as a power cut would."""
        self.signal(signal.SIGKILL)
        self.wait()

    def stop(self, seconds: float = 15) -> int:
        """Ends it politely and returns its exit code."""
        self.signal(signal.SIGCONT)
        self.signal(signal.SIGTERM)
        return self.wait(seconds)

    def end(self) -> None:
        """For the end of a test: politely, or else by force."""
        if self.is_alive:
            try:
                self.stop()
            except subprocess.TimeoutExpired:
                self.kill9()

    def pause(self) -> None:
        """Lets it hang: its sockets stay open and nothing answers."""
        self.signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Lets it go on."""
        self.signal(signal.SIGCONT)

    def tail(self, size: int = 8000) -> str:
        """The end of what it printed."""
        return self.log.read_text(errors="replace")[-size:] if self.log.exists() else ""

    def wait_ready(self, is_ready: Callable[[], bool]) -> None:
        """Waits until it answers; says what it printed if it ends or does not answer in time."""
        try:
            wait_until(lambda: not self.is_alive or is_ready(), " ".join(self.command))
        except TimeoutError as error:
            raise TimeoutError(f"{error}\n{self.tail()}") from None
        if not self.is_alive:
            raise ChildProcessError(f"exit code {self.wait()}: {' '.join(self.command)}\n{self.tail()}")


class RedisServer(Process):
    """A Redis that keeps nothing. After `kill9` or `stop`, `start` brings it back on the same port."""

    def __init__(self, folder: Path, port: int | None = None) -> None:
        self.port = port or free_port()
        command = ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--save", ""]
        super().__init__([*command, "--appendonly", "no", "--dir", str(folder)], folder)

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        """Returns when it answers."""
        self.spawn()
        self.wait_ready(self._answers)

    def _answers(self) -> bool:
        with redis.Redis(port=self.port) as client, contextlib.suppress(redis.ConnectionError):
            return bool(client.ping())
        return False


class PostgresServer(Process):
    """A cluster of its own in a folder, reached by TCP as user ``tableau`` without a password."""

    def __init__(self, folder: Path, connections: int = 200) -> None:
        self.port = free_port()
        self.folder = folder
        sockets = f"unix_socket_directories={folder}"
        options = ["-c", "fsync=off", "-c", f"max_connections={connections}", "-c", sockets]
        data = ["-D", str(folder / "data"), "-h", "127.0.0.1", "-p", str(self.port)]
        super().__init__(_as_postgres([_postgres_program("postgres"), *data, *options]), folder)

    @property
    def url(self) -> str:
        return f"postgres://tableau@127.0.0.1:{self.port}/postgres"

    def start(self) -> None:
        """Makes the cluster if it is not there; returns when it answers."""
        if not (self.folder / "data").exists():
            if os.geteuid() == 0:
                shutil.chown(self.folder, "postgres")
            make = [_postgres_program("initdb"), "-D", str(self.folder / "data"), "-U", "tableau"]
            options = ["--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C.UTF-8"]
            subprocess.run(_as_postgres([*make, *options]), check=True, capture_output=True, cwd="/")
        self.spawn()
        self.wait_ready(self._answers)

    def stop(self, seconds: float = 15) -> int:
        """Ends it at once, open connections included."""
        self.resume()
        self.signal(signal.SIGINT)
        return self.wait(seconds)

    def _answers(self) -> bool:
        with contextlib.suppress(psycopg.OperationalError), psycopg.connect(self.url):
            return True
        return False


def _as_postgres(command: list[str]) -> list[str]:
    # Postgres refuses to run as root. setpriv becomes the command, so the process id is Postgres's own.
    if os.geteuid() != 0:
        return command
    owner = pwd.getpwnam("postgres")
    ids = ["--reuid", str(owner.pw_uid), "--regid", str(owner.pw_gid), "--clear-groups"]
    return ["setpriv", *ids, *command]


def _postgres_program(name: str) -> str:
    found = max(map(str, Path("/usr/lib/postgresql").glob(f"*/bin/{name}")), default=shutil.which(name))
    assert found, f"{name} is not installed; bin/test installs it"
    return found


def new_database(cluster_url: str) -> str:
    """Makes an empty database in a Postgres cluster and returns its address."""
    name = f"tableau_{secrets.token_hex(6)}"
    with psycopg.connect(cluster_url, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"'.encode())
    return cluster_url.rsplit("/", 1)[0] + f"/{name}"


class Site(Process):
    """``manage.py serve`` on a port that stays the same over `stop`, `kill9` and `start`."""

    def __init__(self, folder: Path, settings: dict[str, str]) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.ws_url = f"ws://127.0.0.1:{self.port}"
        self.settings = {
            "DJANGO_SETTINGS_MODULE": "tests.settings",
            "VAR": str(folder / "var"),
            # Only tests of the worker want one.
            "WORKER": "0",
            **settings,
            "HOST": "127.0.0.1",
            "PORT": str(self.port),
        }
        if "ALLOWED_ORIGINS" in settings:
            self.settings["ALLOWED_ORIGINS"] += f",{self.url}"
        surroundings = {name: value for name, value in os.environ.items() if name not in PRODUCT_SETTINGS}
        super().__init__(
            [sys.executable, "manage.py", "serve"], folder, {**surroundings, **self.settings}, ROOT
        )
        self.log = folder / f"log-{self.port}"
        self._said = 0

    def spawn(self) -> None:
        self._said = len(self.tail(1 << 30))
        super().spawn()

    def start(self) -> None:
        """Returns when it answers; raises `ChildProcessError` with what it said if it ends instead."""
        self.spawn()
        self.wait_ready(self.answers)

    def answers(self) -> bool:
        """Whether this process, and no other on its port, answers requests."""
        if "Tableau is at" not in self.tail(1 << 30)[self._said :]:
            return False
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
        with contextlib.closing(connection), contextlib.suppress(OSError):
            connection.request("GET", "/healthz")
            return connection.getresponse().status < 500
        return False

    def manage(self, *arguments: str) -> str:
        """Runs a management command on the same data and returns what it printed."""
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=self.env,
            check=True,
            capture_output=True,
            text=True,
        )
        return done.stdout


def main() -> None:
    """Runs a Redis and a Postgres until standard input ends, however its other end does; prints where."""
    # An interrupt on the terminal is for whoever holds the other end.
    os.setsid()
    with tempfile.TemporaryDirectory(prefix="tableau-services-") as folder:
        # The user postgres must be able to enter.
        Path(folder).chmod(0o711)
        places = [Path(folder) / name for name in ("redis", "postgres")]
        for place in places:
            place.mkdir()
        redis_server, postgres_server = RedisServer(places[0]), PostgresServer(places[1])
        redis_server.start()
        postgres_server.start()
        print(f"TEST_REDIS_URL={redis_server.url}\nTEST_POSTGRES_URL={postgres_server.url}", flush=True)
        sys.stdin.read()
        redis_server.end()
        postgres_server.end()


if __name__ == "__main__":
    main()
