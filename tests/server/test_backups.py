"""Backups: the drill from a running server to a restored one, and what the commands refuse."""

from __future__ import annotations

import asyncio
import io
import json
import stat
import subprocess
from collections.abc import Callable
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
import websockets
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from websockets.sync.client import connect

from game.management import backups
from game.models import BoardRow, Game, LogEntry, Result
from tests.server.sprint import Clock, Player
from tests.server.visiting import Visitor, watching
from tests.services import Site

Serve = Callable[..., Site]


def record(site: Site, code: str) -> dict[str, Any]:
    """A game as programs get it."""
    with closing(HTTPConnection("127.0.0.1", site.port, timeout=20)) as connection:
        connection.request("GET", f"/api/games/{code}")
        told: dict[str, Any] = json.loads(connection.getresponse().read())
        return told


def first_message(site: Site, code: str, since: int, epoch: int) -> dict[str, Any]:
    """What a browser is told that comes back with what it holds."""
    address = f"{site.ws_url}/ws/game/{code}/?v=1&since={since}&epoch={epoch}"
    with connect(address, origin=websockets.Origin(site.url)) as socket:
        told: dict[str, Any] = json.loads(socket.recv(timeout=10))
        return told


async def test_the_drill(serve: Serve, tmp_path: Path) -> None:
    """Backed up while a game is played, restored, every game replayed, and browsers start over."""
    site = serve(RATE_LIMIT="0")
    visitor = Visitor(site)
    ended = await asyncio.to_thread(visitor.start_game)
    async with watching(site, ended, visitor.cookie) as player:
        await player.move(0)
        assert (await player.play("give_up"))["type"] == "accepted"
    running = await asyncio.to_thread(visitor.start_game)
    kept = tmp_path / "kept"
    async with watching(site, running, visitor.cookie) as player:
        for number in range(4):
            await player.move(number)
        copying = asyncio.create_task(asyncio.to_thread(site.manage, "backup", str(kept)))
        number = 4
        while not copying.done() or number % 2:
            await player.move(number)
            number += 1
        await copying
        for _ in range(2):
            await player.move(number)
            number += 1
    before = {code: await asyncio.to_thread(record, site, code) for code in (ended, running)}
    epoch = (await asyncio.to_thread(first_message, site, running, number, 1))["epoch"]
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600

    with pytest.raises(subprocess.CalledProcessError) as refused:
        await asyncio.to_thread(site.manage, "restore", str(kept))
    assert "use" in refused.value.stderr or "serves" in refused.value.stderr
    site.stop()
    assert "the epoch is now" in await asyncio.to_thread(site.manage, "restore", str(kept))
    assert "2 games, none at fault" in await asyncio.to_thread(site.manage, "referee", "--every")

    await asyncio.to_thread(site.start)
    after = {code: await asyncio.to_thread(record, site, code) for code in (ended, running)}
    assert after[ended] == before[ended]
    seq = len(after[running]["log"])
    assert 4 <= seq < number
    assert after[running]["log"] == before[running]["log"][:seq]
    told = await asyncio.to_thread(first_message, site, running, number, epoch)
    assert told["epoch"] > epoch
    assert told["snapshot"]["seq"] == seq
    async with watching(site, running, visitor.cookie) as player:
        await player.move(seq)


@pytest.mark.django_db(transaction=True)
def test_what_is_refused(tmp_path: Path) -> None:
    made = backups.back_up(tmp_path / "one")
    for place, why in ((made, "already"), (tmp_path / "no folder" / "x", "no folder")):
        with pytest.raises(CommandError, match=why):
            backups.back_up(place)
    damaged = tmp_path / "damaged"
    whole = made.read_bytes()
    damaged.write_bytes(whole[: len(whole) // 2])
    nonsense = tmp_path / "nonsense"
    nonsense.write_text("nothing of the kind")
    for path in (damaged, nonsense, tmp_path / "missing", tmp_path):
        with pytest.raises(CommandError):
            backups.restore(path)
    MigrationRecorder(connection).record_applied("game", "9999_of_tomorrow")
    try:
        newer = backups.back_up(tmp_path / "newer")
    finally:
        MigrationRecorder(connection).record_unapplied("game", "9999_of_tomorrow")
    with pytest.raises(CommandError, match="another release"):
        backups.restore(newer)
    assert not list(tmp_path.glob(".backup-*"))


@pytest.mark.django_db(transaction=True)
def test_in_a_folder_the_newest_stay(tmp_path: Path) -> None:
    suffix = ".sqlite3" if connection.vendor == "sqlite" else ".dump"
    old = [tmp_path / f"tableau-2020010{day}T000000Z{suffix}" for day in (1, 2, 3)]
    other = tmp_path / "tableau-notes"
    for path in (*old, other):
        path.touch()
    out = io.StringIO()
    call_command("backup", str(tmp_path), keep=2, stdout=out)
    assert [path.exists() for path in old] == [False, False, True]
    assert other.exists()
    assert len(list(tmp_path.glob(f"tableau-2*{suffix}"))) == 2
    assert "backed up to" in out.getvalue()


def judged(*arguments: str) -> tuple[str, bool]:
    """What the referee says of the stored games, and whether it found them sound."""
    out = io.StringIO()
    try:
        call_command("referee", *arguments, stdout=out)
    except SystemExit:
        return out.getvalue(), False
    return out.getvalue(), True


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("throw_away_games")
def test_the_referee_finds_whatever_was_changed_behind_the_sites_back(clock: Clock) -> None:
    """Every kind of row that a win leaves behind."""
    player = Player("ada", clock)
    game = player.win(idle=3)
    running = player.start()
    player.play(running, "t1-t2")
    assert judged("--ranked") == ("replayed 1 game, none at fault\n", True)
    assert judged("--every") == ("replayed 2 games, none at fault\n", True)

    row = Game.objects.filter(pk=game.pk)
    result = Result.objects.filter(pk=game.pk)
    entry = LogEntry.objects.filter(game=game, seq=2)
    board = BoardRow.objects.filter(game=game, period="all")
    changes: list[tuple[Any, dict[str, Any]]] = [
        (row, {"moves": game.moves - 1}),
        (row, {"position_text": game.deal_text}),
        (row, {"first_ms": (game.first_ms or 0) + 1000}),
        (row, {"deal_text": running.deal_text}),
        (row, {"ranked": False}),
        (result, {"value": 1}),
        (result, {"elapsed_ms": 1}),
        (entry, {"command": "t1-t2x2"}),
        (board, {"value": 10**9}),
    ]
    for rows, change in changes:
        was = rows.values(*change).get()
        rows.update(**change)
        said, is_sound = judged("--ranked")
        assert not is_sound, change
        assert said.startswith(f"game {game.code}: "), change
        rows.update(**was)
    entry.delete()
    assert not judged("--every")[1]


def test_the_referee_is_told_what_to_replay() -> None:
    for arguments in ([], ["--ranked", "some file"]):
        with pytest.raises(CommandError):
            call_command("referee", *arguments)
