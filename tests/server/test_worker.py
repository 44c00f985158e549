"""The worker: a job for each ended game, done once for each version of the solver, whatever is killed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from game.actions import findings as act
from game.actions import pool
from game.actions.play import give_up
from game.aside import Aside, Result
from game.engine.games import GAMES
from game.engine.line import Status
from game.engine.verdicts import Solver
from game.management import worker
from game.models import Finding, Game
from game.selectors import findings
from tests.conftest import Serve
from tests.server.endgames import FORK, LOSES, ONE_MOVE, REST, WINS, begin, played
from tests.server.sprint import SPRINT, Player
from tests.services import ROOT, wait_until

pytestmark = pytest.mark.django_db(transaction=True)


def told(game: Game) -> tuple[int | None, int | None, list[Any]]:
    """What the worker has found: the last winnable ply, the first lost one, mistakes that were taken back."""
    found = Finding.objects.get(game=game)
    assert not found.is_waiting
    return found.last_won, found.first_lost, found.recovered


def test_a_job_is_queued_with_the_end_or_not_at_all() -> None:
    ada = Player("Ada")
    game = played(ada, WINS)
    assert not Finding.objects.exists()
    with transaction.atomic():
        give_up(game.pk)
        assert Finding.objects.filter(game=game, is_waiting=True).exists()
        transaction.set_rollback(True)
    assert not Finding.objects.exists()
    ada.play(game, "give_up")
    ada.play(game, "give_up")
    assert findings.waiting(5) == [game.pk]


def test_a_game_without_a_solver_leaves_no_job(throw_away_games: None) -> None:
    assert SPRINT.solver is None
    Player("Ada").win()
    assert not Finding.objects.exists()
    assert act.ask_all() == 0


def test_won_lost_given_up_and_recovered() -> None:
    ada = Player("Ada")
    won = played(ada, WINS, *REST)
    assert won.status == Status.WON
    lost = played(ada, LOSES, "give_up")
    still = played(ada, WINS, "t1-f4", "give_up")
    recovered = played(ada, LOSES, "undo", WINS, "t1-f4", "undo", "t1-f4", *REST[1:])
    twice = played(ada, LOSES, "undo", LOSES, "give_up")
    dead = played(ada, "give_up", deal=lost.position_text)
    short = played(ada, "t2-t1", deal=ONE_MOVE, rules="simple-simon")
    # The latest end comes first.
    assert findings.waiting(2) == [short.pk, dead.pk]
    assert worker.work() == 7
    assert told(won) == (7, None, [])
    assert told(lost) == (0, 1, [])
    assert told(still) == (2, None, [])
    assert told(recovered) == (7, None, [[1, 1, LOSES]])
    assert told(twice) == (0, 1, [[1, 1, LOSES]])
    assert told(dead) == (None, 0, [])
    assert told(short) == (1, None, [])
    for game in (lost, still, twice):
        found = Finding.objects.get(game=game)
        on = played(ada, *found.line, deal=position_at(game, found.last_won or 0))
        assert on.status == Status.WON
        assert found.positions > 0


def position_at(game: Game, ply: int) -> str:
    return findings.tree(game).positions[ply].text


def test_asking_twice_does_the_work_once_and_a_new_version_once_more(monkeypatch: pytest.MonkeyPatch) -> None:
    ada = Player("Ada")
    game = played(ada, LOSES, "give_up")
    assert worker.work() == 1
    assert (worker.work(), act.ask_all(), worker.work()) == (0, 0, 0)
    solver = game.rules.solver
    assert solver is not None
    newer = replace(game.rules, solver=Solver(solver.solve, solver.version + 1))
    for name, module in list(sys.modules.items()):
        if name.startswith("game.") and getattr(module, "GAMES", None) is GAMES:
            games = tuple(newer if rules.slug == newer.slug else rules for rules in GAMES)
            monkeypatch.setattr(module, "GAMES", games)
    Finding.objects.filter(game=game).update(line=["kept"])
    assert act.ask_all() == 1
    assert act.ask_all() == 0
    # What was known stands until it is known anew.
    assert Finding.objects.get(game=game).line == ["kept"]
    assert worker.work() == 1
    assert Finding.objects.get(game=game).version == solver.version + 1
    assert Finding.objects.get(game=game).line != ["kept"]
    # Games that ended before there were jobs are asked for as well.
    Finding.objects.all().delete()
    assert (act.ask_all(), worker.work()) == (1, 1)


def test_undone_stretches_are_looked_at_within_the_limit_of_their_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ada = Player("Ada")
    for limit, mistakes in ((1000, [[1, 1, LOSES]]), (1, [])):
        game = played(ada, LOSES, "undo", WINS, "give_up")
        monkeypatch.setattr(act, "LIMIT_A_GAME", limit)
        assert worker.work() == 1
        assert told(game) == (1, None, mistakes)


def test_what_searches_gives_way_and_what_writes_does_not() -> None:
    """Whoever held a lock of the database at the lowest priority would hold up the moves that wait for it."""
    here = os.nice(0), os.sched_getscheduler(0)
    aside = Aside()
    assert aside(lambda: os.sched_getscheduler(0)) == os.SCHED_IDLE
    assert aside(lambda: os.nice(0)) == 19
    assert (os.nice(0), os.sched_getscheduler(0)) == here
    asked: list[str] = []

    def run(work: Callable[[], Result]) -> Result:
        with CaptureQueriesContext(connection) as queries:
            done = work()
        asked.extend(query["sql"].split()[0] for query in queries)
        return done

    played(Player("Ada"), LOSES, "give_up")
    assert worker.work(run) == 1
    assert pool.fill_one(run)
    # Postgres reads a long answer by a cursor.
    assert asked
    assert set(asked) <= {"SELECT", "DECLARE"}


def test_two_who_find_the_same_write_it_once() -> None:
    game = played(Player("Ada"), LOSES, "give_up")
    assert act.look_at(game.pk) is not None
    assert act.look_at(game.pk) is None
    Finding.objects.filter(game=game).update(is_waiting=True)
    assert act.look_at(game.pk) is not None


def test_a_job_that_cannot_be_done_holds_up_no_other() -> None:
    ada = Player("Ada")
    good = played(ada, LOSES, "give_up")
    bad = played(ada, LOSES, "give_up")
    Game.objects.filter(pk=bad.pk).update(deal_text="t1 what is this")
    assert worker.work() == 2
    assert told(good) == (0, 1, [])
    assert told(bad) == (None, None, [])
    assert Finding.objects.get(game=bad).version is None


def test_a_job_whose_worker_is_killed_is_done_by_another() -> None:
    """Its lock falls with it, and nothing else has to run out."""
    game = played(Player("Ada"), LOSES, "give_up")
    take = f"with _taken({game.pk}) as mine: print(mine, flush=True); input()"
    program = f"import django; django.setup()\nfrom game.management.worker import _taken\n{take}"
    name = str(connection.settings_dict["NAME"])
    url = f"sqlite:///{name}" if connection.vendor == "sqlite" else _address(name)
    env = {**os.environ, "DATABASE_URL": url, "VAR": str(settings.VAR)}
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [sys.executable, "-c", program], cwd=ROOT, env=env, stdin=pipe, stdout=pipe
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"True\n"
        assert worker.work() == 0
        assert findings.waiting(5) == [game.pk]
        other.kill()
    wait_until(lambda: worker.work() == 1, "the job is free again", 20)
    assert told(game) == (0, 1, [])


def test_the_server_starts_one_that_ends_with_it(serve: Serve) -> None:
    site = serve("embedded", WORKER="1")
    alive = Path(site.settings["VAR"]) / worker.ALIVE
    wait_until(alive.exists, "a worker beside the server")
    children = [path.read_text().split() for path in Path(f"/proc/{site.pid}/task").glob("*/children")]
    [child] = [pid for pids in children for pid in pids]
    site.kill9()
    wait_until(lambda: _is_gone(Path(f"/proc/{child}/stat")), "its end")


def _is_gone(stat: Path) -> bool:
    try:
        return ") Z " in stat.read_text()
    except OSError:
        return True


def _address(database: str) -> str:
    whole = os.environ["DATABASE_URL"]
    return whole.rsplit("/", 1)[0] + f"/{database}"


def test_a_log_is_read_as_the_tree_it_is() -> None:
    """What was undone and what stands, wherever the branches leave from."""
    ada = Player("Ada")
    game = begin(ada)
    for command in (WINS, "t1-f4", "undo", "undo", LOSES, "undo", WINS, "t1-f4", "t3-f4", "undo"):
        ada.play(game, command)
    tree = findings.tree(game)
    assert tree.positions[0].text == FORK
    assert len(tree.positions) == 3
    assert tree.positions[-1].text == game.position_text
    shapes = [(branch.root, [event.command for event in branch.events]) for branch in tree.branches]
    assert shapes == [(0, [WINS, "t1-f4"]), (0, [LOSES]), (2, ["t3-f4"])]
