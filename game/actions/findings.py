"""Findings about ended games: asked for as a game ends, looked for by the worker, kept for good.

The search itself runs in no transaction: what it needs is read before, what it found is written after, and
who is killed in between has changed nothing, so that the job is simply done again.
"""

from __future__ import annotations

from datetime import datetime
from functools import partial
from typing import Final

from django.db import transaction
from django.db.models import F, Q

from game.actions import known_deals
from game.aside import Run, at_once
from game.engine.analysis import LIMIT_A_GAME, analyse, find_turn
from game.engine.branches import Tree
from game.engine.games import GAMES
from game.engine.rules import Rules
from game.models import COUNTED, Finding, Game, KnownDeal, Tally
from game.selectors import findings

MOST_BRANCHES: Final = 40
"""So many undone stretches of a game are looked at, the last ones."""
BATCH: Final = 1000


def ask(game: Game, ended_at: datetime) -> None:
    """Queues a game that has just ended, in the caller's transaction."""
    if game.rules.solver is not None:
        Finding.objects.create(game=game, asked_at=ended_at)


def ask_all(since: datetime | None = None) -> int:
    """Queues every ended game (from ``since`` on) that the solver of today has not looked at; how many.

    What an older version has found stands until it is found anew. To ask twice queues nothing twice.
    """
    count = 0
    for rules in GAMES:
        if rules.solver is None:
            continue
        games = Game.objects.filter(rules_slug=rules.slug, ended_at__isnull=False)
        if since is not None:
            games = games.filter(ended_at__gte=since)
        unasked = games.filter(finding=None).order_by("pk").values_list("pk", "ended_at")
        while some := list(unasked[:BATCH]):
            jobs = [Finding(game_id=key, asked_at=ended_at) for key, ended_at in some if ended_at]
            Finding.objects.bulk_create(jobs, ignore_conflicts=True)
            count += len(jobs)
        older = Finding.objects.filter(game__in=games, is_waiting=False)
        count += older.filter(Q(version=None) | Q(version__lt=rules.solver.version)).update(is_waiting=True)
    return count


Found = tuple[Finding, KnownDeal | None]


def look_at(game_id: int, run: Run = at_once) -> Finding | None:
    """Does one job from beginning to end and returns what was found; None if it has been done meanwhile.

    Must not be called inside a transaction. What ``run`` is given writes nothing and takes up to a minute of
    processor time, nearly always less than a second.
    """
    found = run(partial(_find_out, game_id))
    return None if found is None else _keep(*found)


def _find_out(game_id: int) -> Found | None:
    finding = Finding.objects.select_related("game").filter(game_id=game_id, is_waiting=True).first()
    if finding is None:
        return None
    game = finding.game
    solver = game.rules.solver
    if solver is None:
        return None
    tree = findings.tree(game)
    found = analyse(game.rules, tree.positions)
    if found is None:
        return None
    finding.version = solver.version
    finding.last_won, finding.first_lost = found.last_won, found.first_lost
    finding.line = [str(command) for command in found.line]
    finding.recovered, taken = _recovered(game.rules, tree, found.last_won, LIMIT_A_GAME - found.positions)
    finding.positions = found.positions + taken
    return finding, known_deals.look_at(game, solver, found)


def _recovered(
    rules: Rules, tree: Tree, last_won: int | None, limit: int
) -> tuple[list[tuple[int, int, str]], int]:
    """Undone steps that had lost a game which could still be won before them, where both are proven within so
    many positions; and how many it took.
    """
    mistakes: dict[int, tuple[int, int, str]] = {}
    taken = 0
    for branch in reversed(tree.branches[-MOST_BRANCHES:]):
        if last_won is None or branch.root > last_won:
            continue
        if taken >= limit:
            break
        # The ply they left from is known to be winnable: only what came after it is asked.
        found = find_turn(rules, branch.positions, limit - taken)
        if found is None:
            continue
        taken += found.positions
        behind = 0 if found.last_won is None else found.last_won + 1
        if found.first_lost == behind:
            event = branch.events[behind]
            mistakes[event.seq] = (event.seq, branch.root + behind + 1, event.command)
    return [mistakes[seq] for seq in sorted(mistakes)], taken


def _keep(finding: Finding, deal: KnownDeal | None) -> Finding | None:
    """Writes what was found, unless somebody else has written as much meanwhile."""
    with transaction.atomic():
        before = Finding.objects.select_for_update(of=("self",)).get(pk=finding.pk)
        if not before.is_waiting:
            return None
        finding.is_waiting = False
        finding.save()
        if deal is not None:
            known_deals.keep(deal, finding.game)
        _count_dead(finding.game, _is_dead(finding) - _is_dead(before))
    return finding


def _is_dead(finding: Finding) -> bool:
    return finding.first_lost == 0


def _count_dead(game: Game, change: int) -> None:
    """Counts a game on a deal that nobody could have won, where its player's counted games are counted."""
    is_counted = game.first_ms is not None and game.unranked_because in COUNTED
    if change and is_counted:
        kind = {"player_id": game.player_id, "rules_slug": game.rules_slug, "variant": game.variant}
        Tally.objects.filter(**kind).update(dead=F("dead") + change)


def give_up_on(game_id: int) -> None:
    """Takes a job off the queue that cannot be done, so that it does not hold up the others."""
    Finding.objects.filter(game_id=game_id).update(is_waiting=False)
