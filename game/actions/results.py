"""What remains of a game that has ended: its result, its place on the boards, its player's tally, a job."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Exists, F, OuterRef
from django.db.models.functions import Greatest

from game.actions import boards, findings
from game.engine.line import Status
from game.engine.rules import Ranking
from game.models import COUNTED, Game, Result, Tally, User, WeekPlayed
from game.selectors import tables
from game.selectors.periods import day_of, start_of_week


def settle(game: Game, ended_at: datetime) -> None:
    """Writes all of it for a game that has just ended, in the transaction that ended it."""
    if game.status == Status.WON:
        result = result_of(game, ended_at)
        result.save(force_insert=True)
        boards.enter(result)
    if game.first_ms is not None:
        _count(game, ended_at)
    findings.ask(game, ended_at)


def result_of(game: Game, ended_at: datetime) -> Result:
    """The result of a won game; does not save."""
    elapsed_ms = tables.elapsed_ms(game)
    by_score = game.rules.ranking is Ranking.SCORE
    return Result(
        game=game,
        player_id=game.player_id,
        rules_slug=game.rules_slug,
        variant=game.variant,
        ranked=game.ranked,
        score=game.score,
        moves=game.moves,
        elapsed_ms=elapsed_ms,
        ended_at=ended_at,
        deal_code=game.deal_code,
        value=-(game.score or 0) if by_score else elapsed_ms,
    )


def _count(game: Game, ended_at: datetime) -> None:
    """Adds a game that had a move to its player's tally and week."""
    is_won = game.status == Status.WON
    changes: dict[str, Any] = {"played": F("played") + 1}
    if is_won:
        changes["won"] = F("won") + 1
    # Practice, guests' games and wins that were too fast are neither won nor lost where counting is told.
    if game.unranked_because in COUNTED:
        changes["counted"] = F("counted") + 1
        changes["streak"] = F("streak") + 1 if is_won else 0
        if is_won:
            changes["counted_won"] = F("counted_won") + 1
            changes["longest_streak"] = Greatest("longest_streak", F("streak") + 1)
    kind = {"player_id": game.player_id, "rules_slug": game.rules_slug, "variant": game.variant}
    week = {"player_id": game.player_id, "starts": start_of_week(day_of(ended_at))}
    # The rows are made first where there are none, so that two games that end at once are both counted.
    Tally.objects.bulk_create([Tally(**kind)], ignore_conflicts=True)
    Tally.objects.filter(**kind).update(**changes)
    WeekPlayed.objects.bulk_create([WeekPlayed(**week)], ignore_conflicts=True)
    WeekPlayed.objects.filter(**week).update(played=F("played") + 1)


def recount(player_id: int, rules_slug: str, variant: str) -> None:
    """Counts a player's games of one kind anew, in the caller's transaction.

    Games that end meanwhile wait for the tally's row and are added to what was counted.
    """
    kind = {"player_id": player_id, "rules_slug": rules_slug, "variant": variant}
    Tally.objects.bulk_create([Tally(**kind)], ignore_conflicts=True)
    tally = Tally.objects.select_for_update().get(**kind)
    tally.played = tally.won = tally.counted = tally.counted_won = tally.streak = tally.longest_streak = 0
    ended = Game.objects.filter(**kind, ended_at__isnull=False, first_ms__isnull=False)
    for status, because in ended.order_by("ended_at", "pk").values_list("status", "unranked_because"):
        tally.add(is_won=status == Status.WON, counts=because in COUNTED)
    tally.dead = ended.filter(unranked_because__in=COUNTED, finding__first_lost=0).count()
    tally.save()


def rebuild_weeks() -> int:
    """Counts every player's weeks anew, each player's in a transaction; how many players that was."""
    players = list(
        User.objects.filter(Exists(WeekPlayed.objects.filter(player=OuterRef("pk")))).order_by("pk")
    )
    for player in players:
        with transaction.atomic():
            _rebuild_weeks_of(player)
    return len(players)


def _rebuild_weeks_of(player: User) -> None:
    WeekPlayed.objects.filter(player=player).delete()
    ended = Game.objects.filter(player=player, ended_at__isnull=False, first_ms__isnull=False)
    moments = ended.values_list("ended_at", flat=True)
    weeks = Counter(start_of_week(day_of(moment)) for moment in moments if moment is not None)
    # As where games end: the rows are made first, so that one that ends meanwhile is counted too.
    rows = [WeekPlayed(player=player, starts=starts) for starts in weeks]
    WeekPlayed.objects.bulk_create(rows, ignore_conflicts=True)
    for starts, played in weeks.items():
        WeekPlayed.objects.filter(player=player, starts=starts).update(played=F("played") + played)
