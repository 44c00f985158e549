"""DEPLOYMENT.md, run from its first command to its last, while somebody plays through the proxy."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.contract.guest import Guest
from tests.contract.machine import TEXT, Machine, blocks, joined
from tests.services import ROOT, new_database


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
    assert (ROOT / "bin/serve").stat().st_mode & 0o111
