"""Starting the server: files collected, clear words when it cannot; several at once are in tests/faults."""

from __future__ import annotations

import http.client
import os
import re
import signal
import socket
import subprocess
import time
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from game.management import start
from tests.conftest import Serve
from tests.services import ROOT, Site


def fetch(url: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    """Status, headers by lower-case name, and body of a GET."""
    with closing(http.client.HTTPConnection("127.0.0.1", urlsplit(url).port, timeout=10)) as connection:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request("GET", urlsplit(url).path, headers=named)
        answer = connection.getresponse()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()


def test_two_processes_on_two_sqlite_files_get_on(serve: Serve, tmp_path: Path) -> None:
    serve("embedded", VAR=str(tmp_path / "one"))
    serve("embedded", VAR=str(tmp_path / "two"))


def test_a_taken_port_is_named(serve: Serve, tmp_path: Path) -> None:
    first = serve("embedded")
    second = serve("embedded", start=False, VAR=str(tmp_path / "other"))
    assert second.env is not None
    second.env["PORT"] = str(first.port)
    second.spawn()
    assert second.wait() == 1
    assert f"Cannot listen on 127.0.0.1 port {first.port}: Address already in use" in second.tail()
    assert "Traceback" not in second.tail()


def test_a_database_that_does_not_answer_is_named(serve: Serve, redis_url: str) -> None:
    site = serve("production", start=False, DATABASE_URL="postgres://tableau@127.0.0.1:1/tableau")
    site.spawn()
    assert site.wait(30) == 1
    assert "The database does not answer" in site.tail()
    assert "Traceback" not in site.tail()


def test_files_have_their_types_and_unknown_ones_are_404(serve: Serve) -> None:
    """B39: debug off, no proxy: every style, script and picture comes with the right type, compressed."""
    site = serve()
    collected = newest_release(site)
    types = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
    files = [path for path in collected.rglob("*") if path.suffix in types]
    assert {path.suffix for path in files} == set(types)
    for path in files:
        url = f"{site.url}/static/{collected.name}/{path.relative_to(collected).as_posix()}"
        status, headers, body = fetch(url)
        assert (status, headers["content-type"].split(";")[0]) == (200, types[path.suffix]), url
        assert body == path.read_bytes()
        assert "immutable" in headers["cache-control"]
    large = max(files, key=lambda path: path.stat().st_size)
    url = f"{site.url}/static/{collected.name}/{large.relative_to(collected).as_posix()}"
    for encoding in ("br", "gzip"):
        assert fetch(url, Accept_Encoding=encoding)[1]["content-encoding"] == encoding
    for unknown in (f"/static/{collected.name}/js/none.js", "/static/none/js/main.js", "/no/such/page"):
        status, _, body = fetch(site.url + unknown)
        assert status == 404, unknown
        assert b"Traceback" not in body


def newest_release(site: Site) -> Path:
    """The folder of collected files that a site serves."""
    return max((Path(site.settings["VAR"]) / "static").iterdir(), key=lambda path: path.stat().st_mtime)


def test_the_release_before_stays_and_older_ones_go(serve: Serve, tmp_path: Path) -> None:
    static = tmp_path / "var/static"
    for age, name in enumerate(["newest", "older", "oldest", ".collecting-died"], 1):
        folder = static / name
        folder.mkdir(parents=True)
        os.utime(folder, (time.time() - age * 1000,) * 2)
    site = serve("embedded", is_first=True)
    assert {path.name for path in static.iterdir()} == {"newest", newest_release(site).name}


def test_catalogues_are_compiled_when_they_are_newer(tmp_path: Path, settings: Any) -> None:
    folder = tmp_path / "pl/LC_MESSAGES"
    folder.mkdir(parents=True)
    source, target = folder / "django.po", folder / "django.mo"
    source.write_text(
        'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgid "card"\nmsgstr "karta"\n'
    )
    settings.LOCALE_PATHS = [tmp_path]
    start.compile_catalogues()
    assert b"karta" in target.read_bytes()
    made = target.stat().st_mtime_ns
    start.compile_catalogues()
    assert target.stat().st_mtime_ns == made
    os.utime(source, (time.time() + 10,) * 2)
    start.compile_catalogues()
    assert target.stat().st_mtime_ns != made
    assert sorted(path.name for path in folder.iterdir()) == ["django.mo", "django.po"]


def test_other_paths_and_origins_are_refused_without_a_traceback(serve: Serve) -> None:
    site = serve()
    for path, origin in [
        ("/ws/nothing/", site.url),
        ("/", site.url),
        ("/ws/game/AAAAAAAAAA/?v=1", "http://evil.example"),
    ]:
        lines = [
            f"GET {path} HTTP/1.1",
            f"Host: 127.0.0.1:{site.port}",
            f"Origin: {origin}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            "Sec-WebSocket-Version: 13",
        ]
        with socket.create_connection(("127.0.0.1", site.port), timeout=10) as client:
            client.sendall("\r\n".join([*lines, "", ""]).encode())
            assert re.match(rb"HTTP/1.1 (403|404) ", client.recv(4096)), path
    assert site.stop() == 0
    assert "Traceback" not in site.tail(1 << 20)


def test_bin_serve_is_the_server_itself_and_quick_the_second_time(serve: Serve) -> None:
    """The process id that was started is the one that listens, and a second start takes under 2 s."""
    site = serve(start=False)
    site.command = ["bin/serve"]
    site.start()
    assert "manage.py\0serve" in Path(f"/proc/{site.pid}/cmdline").read_text()
    assert f"Tableau is at {site.url}/" in site.tail()
    site.kill9()
    site.start()
    # Processor time, since other work may share the machine.
    took = site.processor_seconds()
    site.signal(signal.SIGINT)
    assert site.wait(10) == 0
    assert took < 2, took


def test_requirements_are_installed_again_only_when_they_change(tmp_path: Path) -> None:
    """A stamp holds the hash of the lock; one made for the tests is good for the server too."""
    for name in ("bin", "requirements", ".venv/bin"):
        (tmp_path / name).mkdir(parents=True)
    environment = (ROOT / "bin/environment").read_text()
    (tmp_path / "bin/environment").write_text(environment)
    python = tmp_path / ".venv/bin/python"
    python.write_text('#!/bin/sh\necho "$@" >>calls\n')
    python.chmod(0o755)
    for name in ("run", "test"):
        (tmp_path / f"requirements/{name}.txt").write_text(name)

    def prepare(name: str) -> list[str]:
        (tmp_path / "calls").write_text("")
        script = f"set -euo pipefail; . bin/environment; prepare_environment {name}"
        subprocess.run(["bash", "-c", script], cwd=tmp_path, check=True, capture_output=True)
        return re.findall(r"requirements/\w+\.txt", (tmp_path / "calls").read_text())

    assert prepare("test") == ["requirements/test.txt"]
    assert prepare("run") == prepare("test") == []
    (tmp_path / "requirements/run.txt").write_text("newer")
    assert prepare("run") == ["requirements/run.txt"]
    assert prepare("run") == []


def test_a_missing_venv_module_is_told_by_the_name_of_its_package(tmp_path: Path) -> None:
    (tmp_path / "requirements").mkdir()
    (tmp_path / "requirements/run.txt").touch()
    python = tmp_path / "python3"
    python.write_text('#!/bin/sh\ncase "$*" in *ensurepip*) exit 1;; esac\n')
    python.chmod(0o755)
    script = f"set -euo pipefail; . {ROOT}/bin/environment; prepare_environment run"
    path = f"{tmp_path}:{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", script], check=False, cwd=tmp_path, env={"PATH": path}, capture_output=True, text=True
    )
    assert done.returncode != 0
    assert "apt install python3-venv" in done.stderr
