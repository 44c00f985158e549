"""The pool of winnable deals: filled by the worker, each dealt once, as practice."""

from __future__ import annotations

import secrets
import string
from functools import partial
from typing import Final

from django.db import connection

from game.aside import Run, at_once
from game.engine.deals import DealCode
from game.engine.games import GAMES
from game.engine.rules import Rules
from game.engine.verdicts import Verdict
from game.models import PoolDeal

READY: Final = 12
"""So many deals of a kind wait to be dealt."""
LIMIT: Final = 20_000
"""Positions for a deal; one that takes longer is left alone."""


def fill_one(run: Run = at_once) -> bool:
    """Draws and solves one deal of a kind that lacks some; whether any kind did.

    Must not be called inside a transaction. What ``run`` is given writes nothing and takes some ten
    milliseconds of processor time, rarely a second.
    """
    for rules in GAMES:
        if rules.solver is None:
            continue
        for variant in rules.variants:
            if PoolDeal.objects.filter(rules_slug=rules.slug, variant=variant, game=None).count() < READY:
                _try_one(rules, variant, run)
                return True
    return False


def _try_one(rules: Rules, variant: str, run: Run) -> None:
    letters = "".join(secrets.choice(string.ascii_uppercase) for _letter in range(rules.code_letters[-1]))
    code = DealCode(rules, variant, letters)
    found = run(partial(rules.solver.solve, code.deal(), LIMIT)) if rules.solver else None
    if found is not None and found.verdict is Verdict.WON:
        line = [str(command) for command in found.line]
        row = PoolDeal(deal_code=str(code), rules_slug=rules.slug, variant=variant, line=line)
        PoolDeal.objects.bulk_create([row], ignore_conflicts=True)


def take(rules: Rules, variant: str) -> PoolDeal | None:
    """A deal that nobody has been dealt, in the caller's transaction, which says to whom it goes."""
    ready = PoolDeal.objects.filter(rules_slug=rules.slug, variant=variant, game=None)
    skips = connection.features.has_select_for_update_skip_locked
    return ready.select_for_update(of=("self",), skip_locked=skips).first()
