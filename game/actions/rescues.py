"""The rescue of the day: chosen by the worker among games that were lost by one move."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Final

from django.db.models import F

from game.engine.games import GAMES
from game.engine.line import Status
from game.models import Finding, Rescue
from game.selectors import findings
from game.selectors.periods import start_of

FROM_PLY: Final = 5
"""A game that was lost sooner leaves nothing to rescue: that would be the deal once more."""
WITHIN: Final = timedelta(days=60)
CANDIDATES: Final = 20


def choose(day: date) -> int:
    """Chooses what is lacking for a day, one for each game that has a solver; how many were chosen."""
    chosen = set(Rescue.objects.filter(day=day).values_list("rules_slug", flat=True))
    lacking = [rules.slug for rules in GAMES if rules.solver is not None and rules.slug not in chosen]
    return sum(_choose(day, slug) for slug in lacking)


def _choose(day: date, rules_slug: str) -> bool:
    """The latest game that was proven lost by one move, is listed, was never offered, and may be told of."""
    lost = Finding.objects.filter(
        game__rules_slug=rules_slug,
        game__status=Status.GIVEN_UP,
        game__rescue=None,
        game__parent=None,
        game__unlisted=False,
        game__ended_at__gte=start_of(day) - WITHIN,
        last_won__gte=FROM_PLY,
        first_lost=F("last_won") + 1,
    )
    for finding in lost.select_related("game").order_by("-game__ended_at", "-game")[:CANDIDATES]:
        game = finding.game
        if findings.is_withheld(game):
            continue
        ply = finding.last_won or 0
        position = findings.standing_at(game, ply).position
        row = Rescue(day=day, rules_slug=rules_slug, game=game, ply=ply, position_text=position.text)
        Rescue.objects.bulk_create([row], ignore_conflicts=True)
        return True
    return False
