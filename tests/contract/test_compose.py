"""The containers: what docker-compose.yml, the Dockerfile and the proxy promise, checked without a daemon."""

from __future__ import annotations

import http.client
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest
import yaml
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.typing import Origin

from config.server import DRAIN_SECONDS, LAST_CALL_SECONDS, MAX_BODY_BYTES
from game.management.worker import ALIVE
from tests.conftest import Serve
from tests.services import PRODUCT_SETTINGS, ROOT, Process, Site, free_port

COMPOSE: Final = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: Final[dict[str, Any]] = COMPOSE["services"]
DOCKERFILE: Final = (ROOT / "Dockerfile").read_text()
NGINX: Final = (ROOT / "deploy/nginx.conf").read_text()


def instructions(name: str) -> list[str]:
    """The arguments of each instruction of that name in the Dockerfile."""
    joined = re.sub(r"\\\n\s*", " ", DOCKERFILE)
    return re.findall(rf"^{name} (.*)$", joined, re.MULTILINE)


def test_a_proxy_several_servers_a_worker_postgres_and_redis() -> None:
    assert set(SERVICES) == {"proxy", "web", "worker", "postgres", "redis"}
    assert SERVICES["web"]["deploy"]["replicas"] >= 2
    # A fixed name or port would allow one process only.
    assert "container_name" not in SERVICES["web"]
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["proxy"]


@pytest.mark.parametrize("name", SERVICES)
def test_each_is_watched_started_again_and_pinned(name: str) -> None:
    service = SERVICES[name]
    assert service["healthcheck"]["test"][0] == "CMD"
    assert service["restart"] == "unless-stopped"
    assert service.get("build") == "." or re.search(r":\d[\w.]*(-\w+)?$", service["image"])
    for other, condition in service.get("depends_on", {}).items():
        assert other in SERVICES
        assert condition == {"condition": "service_healthy"}


def test_every_volume_is_declared_and_what_lasts_has_one() -> None:
    named = {
        volume.split(":")[0]
        for service in SERVICES.values()
        for volume in service.get("volumes", [])
        if not volume.startswith(".")
    }
    assert named == set(COMPOSE["volumes"])
    assert any(volume.startswith("postgres:") for volume in SERVICES["postgres"]["volumes"])
    folder = next(value for value in instructions("ENV")[0].split() if value.startswith("VAR=")).removeprefix(
        "VAR="
    )
    assert f"var:{folder}" in SERVICES["web"]["volumes"]


def test_the_servers_are_given_settings_that_exist() -> None:
    given = set(SERVICES["web"]["environment"])
    in_image = {
        pair.split("=")[0] for pair in instructions("ENV")[0].split() if not pair.startswith("PYTHON")
    }
    assert given | in_image <= PRODUCT_SETTINGS
    assert {"DATABASE_URL", "REDIS_URL", "SECRET_KEY", "ALLOWED_ORIGINS", "TRUSTED_PROXIES"} <= given
    subnet = COMPOSE["networks"]["default"]["ipam"]["config"][0]["subnet"]
    assert SERVICES["web"]["environment"]["TRUSTED_PROXIES"] == subnet


def test_the_worker_is_a_server_but_for_what_it_does_and_gives_way() -> None:
    web, worker = SERVICES["web"], SERVICES["worker"]
    differs = {name for name in {*web, *worker} if web.get(name) != worker.get(name)}
    assert differs == {"command", "deploy", "cpu_shares", "depends_on", "healthcheck"}
    assert worker["command"][1:] == ["manage.py", "analyse", "--wait"]
    assert worker["cpu_shares"] < 1024
    assert web["environment"]["WORKER"] == "0"


def test_the_servers_have_no_rights_and_write_in_two_places() -> None:
    web = SERVICES["web"]
    assert web["read_only"] is True
    assert web["cap_drop"] == ["ALL"]
    assert "privileged" not in str(COMPOSE).replace("no-new-privileges", "").replace("nginx-unprivileged", "")
    assert instructions("USER")[-1] not in ("root", "0")
    grace = int(web["stop_grace_period"].removesuffix("s"))
    assert grace > LAST_CALL_SECONDS > 2 * DRAIN_SECONDS


def test_the_image_is_pinned_and_built_from_what_is_sent() -> None:
    for base in instructions("FROM"):
        assert re.match(r"\w+:\d[\w.-]+( AS \w+)?$", base), base
    assert all("--require-hashes" in run for run in instructions("RUN") if "pip install" in run)
    assert not re.search(r"curl|wget|git clone|^ADD", DOCKERFILE, re.MULTILINE)
    # From the system's own packages only what it has under a name; nothing is left of their lists.
    installed = [run for run in instructions("RUN") if "apt-get" in run]
    assert [re.findall(r"apt-get (\w+)", run) for run in installed] == [["update", "install"]]
    assert "fontconfig fonts-noto-core postgresql-client" in installed[0]
    assert installed[0].endswith("rm -r /var/lib/apt/lists/*")


def test_the_image_has_the_tools_of_the_servers_version() -> None:
    """Postgres is backed up by tools that are not older than itself."""
    server = re.match(r"postgres:(\d+)", SERVICES["postgres"]["image"])
    client = re.search(r"postgresql-client-(\d+)", DOCKERFILE)
    assert server is not None
    assert client is not None
    assert server[1] == client[1]
    folder = next(volume for volume in SERVICES["web"]["volumes"] if volume.startswith("backups:"))
    assert folder.removeprefix("backups:") in instructions("RUN")[-1]


def test_with_a_proxy_of_the_machine_only_the_machine_reaches_the_servers() -> None:
    override = yaml.safe_load((ROOT / "deploy/host-proxy.yml").read_text())
    assert override["services"]["web"]["ports"] == ["127.0.0.1:8001-8002:8000"]
    assert SERVICES["web"]["deploy"]["replicas"] == 2
    assert override["services"]["proxy"]["profiles"] == ["unused"]


def test_the_two_proxies_differ_in_names_and_tls_alone() -> None:
    def told(name: str) -> set[str]:
        lines = (ROOT / "deploy" / name).read_text().splitlines()
        return {line.strip() for line in lines if line.strip().endswith(";")}

    names = "pid|error_log|include|resolver|listen|set|proxy_pass|server|server_name|return"
    own = rf"({names}|ssl_\w+|\w+_temp_path) .*"
    differing = told("nginx.conf") ^ told("nginx-tls.conf")
    assert [line for line in differing if not re.fullmatch(own, line)] == []
    sent = re.findall(r"^!(.*)$", (ROOT / ".dockerignore").read_text(), re.MULTILINE)
    copied = [line.split()[0] for line in instructions("COPY") if not line.startswith("--from")]
    assert sorted(copied) == sorted(sent)
    assert all((ROOT / path).exists() for path in copied)


def test_the_compose_client_accepts_the_file() -> None:
    """Where the machine has a client that can read it; the rules above hold everywhere."""
    with_key = {**os.environ, "SECRET_KEY": "given"}
    without = {name: value for name, value in with_key.items() if name != "SECRET_KEY"}
    for client in (["docker", "compose"], ["docker-compose"]):
        if shutil.which(client[0]) and exit_code([*client, "version"], without) == 0:
            command = [*client, "-f", "docker-compose.yml", "config", "--quiet"]
            assert exit_code(command, with_key) == 0
            assert exit_code(command, without) != 0


def test_the_health_check_of_the_image(serve: Serve) -> None:
    """It succeeds while the server answers, under a name that is not the container's, and fails after."""
    site = serve("production", ALLOWED_ORIGINS="https://tableau.example")
    assert site.env is not None
    command = [sys.executable, "deploy/healthy.py"]
    assert exit_code(command, site.env) == 0
    site.stop()
    assert exit_code(command, site.env) != 0
    assert exit_code([*command, "worker"], site.env) != 0
    alive = Path(site.settings["VAR"]) / ALIVE
    alive.touch()
    assert exit_code([*command, "worker"], site.env) == 0
    os.utime(alive, (0, 0))
    assert exit_code([*command, "worker"], site.env) != 0


def exit_code(command: list[str], env: dict[str, str]) -> int:
    return subprocess.run(command, check=False, cwd=ROOT, env=env, capture_output=True).returncode


class Proxy(Process):
    """nginx with the configuration that is shipped, in front of a site of the test."""

    def __init__(self, folder: Path, site: Site) -> None:
        self.port = free_port()
        text = NGINX.replace("web:8000", f"127.0.0.1:{site.port}").replace("/tmp/", f"{folder}/")  # noqa: S108
        text = text.replace("listen 8080", f"listen 127.0.0.1:{self.port}")
        config = folder / "nginx.conf"
        config.write_text(text)
        nginx = shutil.which("nginx") or "/usr/sbin/nginx"
        super().__init__(
            [nginx, "-c", str(config), "-e", str(folder / "errors"), "-g", "daemon off;"], folder
        )

    def answers(self) -> bool:
        try:
            return self.get("/proxy-healthz")[0] == 204
        except OSError:
            return False

    def get(self, path: str, body: bytes | None = None, **headers: str) -> tuple[int, bytes]:
        """Status and body of a request through the proxy."""
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)) as connection:
            connection.request("POST" if body else "GET", path, body, headers)
            answer = connection.getresponse()
            return answer.status, answer.read()


@pytest.fixture
def proxy(serve: Serve, tmp_path: Path) -> Iterator[Proxy]:
    site = serve("production", start=False)
    proxy = Proxy(tmp_path, site)
    # Browsers know the proxy's address alone, and there is one only now.
    assert site.env is not None
    site.env["ALLOWED_ORIGINS"] = f"http://127.0.0.1:{proxy.port}"
    site.env["TRUSTED_PROXIES"] = "127.0.0.0/8"
    site.spawn()
    proxy.spawn()
    proxy.wait_ready(proxy.answers)
    proxy.wait_ready(lambda: proxy.get("/healthz")[0] == 200)
    yield proxy
    proxy.end()


def test_pages_files_and_sockets_pass_through_the_proxy(proxy: Proxy) -> None:
    status, page = proxy.get("/")
    assert status == 200
    found = re.search(rb'"(/static/[^"]+\.css)"', page)
    assert found is not None
    assert proxy.get(found[1].decode())[0] == 200
    assert proxy.get("/healthz", body=b"x" * (MAX_BODY_BYTES + 1))[0] == 413
    origin = Origin(f"http://127.0.0.1:{proxy.port}")
    with connect(f"ws://127.0.0.1:{proxy.port}/ws/game/AAAAAAAAAA/?v=1", origin=origin) as client:
        assert json.loads(client.recv(timeout=10))["type"] == "bye"
        with pytest.raises(ConnectionClosed) as closed:
            client.recv(timeout=10)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4004
