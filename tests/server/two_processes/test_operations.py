"""What those do who run the site, beside two processes that serve; both show what came of it."""

from __future__ import annotations

import asyncio
import re
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from pathlib import Path
from typing import Final

import pytest

from game.engine.games import rules_of
from game.engine.notation import parse_position
from game.engine.verdicts import Verdict
from tests.server.test_backups import first_message, record
from tests.server.two_processes.pair import Pair
from tests.server.visiting import PASSWORD, Visitor, watching
from tests.services import ROOT

RULES: Final = rules_of("simple-simon")


def test_of_two_that_start_at_once_one_makes_the_tables(pair: Pair) -> None:
    """B40"""
    applied = pair.sql("SELECT app, name FROM django_migrations")
    assert len(applied) == len(set(applied))
    assert {("game", path.stem) for path in (ROOT / "game/migrations").glob("0*.py")} <= set(applied)


def test_each_process_knows_of_the_other_and_whether_redis_answers(pair: Pair) -> None:
    boss = pair.staff("Chief")
    deadline = time.monotonic() + 40
    while not all(f":{site.port}" in boss.page for site in pair.sites):
        assert time.monotonic() < deadline, boss.page
        time.sleep(0.5)
        assert boss.ask("GET", "/status/").status == 200
    pair.redis.pause()
    try:
        for site in pair.sites:
            assert boss.at(site).ask("GET", "/readyz").status == 503
            assert boss.at(site).ask("GET", "/healthz").status == 200
    finally:
        pair.redis.resume()


async def win(pair: Pair, player: Visitor) -> str:
    """Wins a game in two tabs, whose moves go to either process in turn; returns its code."""
    assert RULES.solver is not None
    while True:
        code = await asyncio.to_thread(player.start_another)
        deal = (await asyncio.to_thread(record, pair.one, code))["deal"]
        solution = RULES.solver.solve(parse_position(deal, RULES.layout), 50_000)
        if solution.verdict is Verdict.WON:
            break
    async with watching(pair.one, code, player.cookie) as one, watching(pair.two, code, player.cookie) as two:
        for number, command in enumerate(solution.line):
            tab = (one, two)[number % 2]
            await tab.reaches(number, 20)
            answer = await tab.play(str(command))
            assert answer["type"] == "accepted", (command, answer)
        assert (await asyncio.to_thread(record, pair.two, code))["status"] == "won"
    return code


async def test_commands_of_operators_are_seen_at_both(pair: Pair) -> None:
    """A win that was played at both stands on the boards of both, under a new name, and then on neither."""
    grace = await asyncio.to_thread(pair.person, "Gracy")
    code = await win(pair, grace)
    guest = pair.visitor()
    guest_code = await asyncio.to_thread(guest.start_game)
    await asyncio.to_thread(operate, pair, grace, code, guest, guest_code)


def operate(pair: Pair, grace: Visitor, code: str, guest: Visitor, guest_code: str) -> None:
    board = f"/boards/?rules={RULES.slug}&suits=1"
    reader = pair.visitor()

    def shown(path: str, text: str, status: int = 200) -> list[bool]:
        told = []
        for site in pair.sites:
            there = reader.at(site)
            assert there.ask("GET", path).status == status
            told.append(text in there.page)
        return told

    assert shown(board, "<bdi>Gracy</bdi>") == [True, True]
    pair.one.manage("rename", "Gracy", "Grace", "--because", "asked for it")
    assert shown(board, "<bdi>Grace</bdi>") == shown(f"/g/{code}/", "<bdi>Grace</bdi>") == [True, True]
    assert reader.at(pair.two).ask("GET", "/@Gracy/").status == 404
    assert grace.at(pair.two).ask("GET", "/history/").status == 200, "and stays logged in"

    assert guest.ask("POST", "/accounts/logout/").status == 302
    with ThreadPoolExecutor(2) as pool:
        removed = pool.submit(pair.two.manage, "remove_result", code, "--because", "a robot's")
        reset = pool.submit(pair.one.manage, "reset_password", "Grace", "--because", "forgot it")
        cleared = pool.submit(pair.two.manage, "clear_guests", "--older-than", "0")
    assert "counts no more" in removed.result()
    assert shown(board, "<bdi>Grace</bdi>") == [False, False]
    assert shown(f"/g/{code}/", "taken off the boards") == [True, True]

    password = reset.result().strip()
    for site in pair.sites:
        assert grace.at(site).ask("GET", "/history/").status == 302
        assert Visitor(site, grace.address).log_in("Grace", PASSWORD) == 400
        assert Visitor(site, grace.address).log_in("Grace", password) == 302
    boss = pair.staff("Chef")
    for site in pair.sites:
        there = boss.at(site)
        assert there.ask("GET", "/status/").status == 200
        trail = unescape(there.page)
        assert [word in trail for word in (code, "asked for it", "a robot's", "forgot it")] == [True] * 4
        assert "Gracy" not in trail

    assert re.search(r"cleared [1-9]", cleared.result())
    assert shown(f"/g/{guest_code}/", "", 404) == [True, True]


async def test_backed_up_while_both_play_and_restored_all_start_over(pair: Pair, tmp_path: Path) -> None:
    """Nobody restores beside a process that still serves; what browsers of both hold counts no more."""
    ada = await asyncio.to_thread(pair.person, "Adara")
    codes = [await asyncio.to_thread(ada.start_another) for _ in pair.sites]
    kept = tmp_path / "kept"
    async with (
        watching(pair.one, codes[0], ada.cookie) as at_one,
        watching(pair.two, codes[1], ada.cookie) as at_two,
    ):
        copying = asyncio.create_task(asyncio.to_thread(pair.one.manage, "backup", str(kept)))
        while not copying.done() or at_one.seq % 2:
            await at_one.move(at_one.seq)
            await at_two.move(at_two.seq)
            await asyncio.sleep(0.1)
        await copying
        await at_one.move(0)
        await asyncio.to_thread(pair.one.stop)
        assert (await at_one.answers.get())["code"] == 4012
        with pytest.raises(subprocess.CalledProcessError) as refused:
            await asyncio.to_thread(pair.one.manage, "restore", str(kept))
        assert "The database is in use" in refused.value.stderr
        await at_two.move(at_two.seq)
        held = at_one.seq, at_two.seq
    epoch = (await asyncio.to_thread(first_message, pair.two, codes[1], held[1], 1))["epoch"]
    await asyncio.to_thread(pair.two.stop)
    assert "the epoch is now" in await asyncio.to_thread(pair.one.manage, "restore", str(kept))
    await asyncio.to_thread(pair.start)
    for site in pair.sites:
        for code, seq in zip(codes, held, strict=True):
            told = await asyncio.to_thread(first_message, site, code, seq, epoch)
            assert told["epoch"] > epoch
            assert told["snapshot"]["seq"] < seq
    for site, code in zip(pair.sites, codes, strict=True):
        async with watching(site, code, ada.cookie) as player:
            await player.move(player.seq)
    assert "none at fault" in await asyncio.to_thread(pair.one.manage, "referee", "--every")
