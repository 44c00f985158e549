"""The boards: a ranked win enters them in the transaction that won it."""

from __future__ import annotations

from datetime import date

from django.db import transaction
from django.db.models import Q

from game.models import BoardRow, Period, Result
from game.selectors.periods import day_of, starts_of


def enter(result: Result) -> None:
    """Gives a ranked win its rows, in the caller's transaction; one that is no better changes nothing.

    Equal results keep the earlier. Two wins of one player at the same moment leave the better, whichever
    is stored first: the insert waits for the other's, and the update then sees it.
    """
    if not result.ranked:
        return
    starts = starts_of(day_of(result.ended_at))
    BoardRow.objects.bulk_create(
        [
            BoardRow(
                rules_slug=result.rules_slug,
                variant=result.variant,
                period=period,
                starts=first_day,
                player_id=result.player_id,
                game_id=result.game_id,
                value=result.value,
                ended_at=result.ended_at,
            )
            for period, first_day in starts.items()
        ],
        ignore_conflicts=True,
    )
    these = Q(pk__in=[])
    for period, first_day in starts.items():
        these |= Q(period=period, starts=first_day)
    is_worse = Q(value__gt=result.value) | Q(value=result.value, ended_at__gt=result.ended_at)
    BoardRow.objects.filter(
        these,
        is_worse,
        player_id=result.player_id,
        rules_slug=result.rules_slug,
        variant=result.variant,
    ).update(game_id=result.game_id, value=result.value, ended_at=result.ended_at)


def rebuild(player_id: int, rules_slug: str, variant: str) -> None:
    """Makes a player's rows of one kind anew from their results, in the caller's transaction.

    Right also while the player wins: what is won before the rows are gone is read afterwards, and what is
    won later enters rows as any win does.
    """
    kind = {"player_id": player_id, "rules_slug": rules_slug, "variant": variant}
    BoardRow.objects.filter(**kind).delete()
    best: dict[tuple[Period, date], Result] = {}
    for result in Result.objects.filter(**kind, ranked=True).order_by("value", "ended_at", "game"):
        for key in starts_of(day_of(result.ended_at)).items():
            best.setdefault(key, result)
    for result in {result.pk: result for result in best.values()}.values():
        enter(result)


def rebuild_all() -> int:
    """Makes all rows anew, each player's of one kind in a transaction; how many times that was."""
    kinds = ("player_id", "rules_slug", "variant")
    on_boards = BoardRow.objects.order_by().values_list(*kinds)
    everybody = Result.objects.filter(ranked=True).order_by().values_list(*kinds).union(on_boards)
    count = 0
    for player_id, rules_slug, variant in list(everybody):
        with transaction.atomic():
            rebuild(player_id, rules_slug, variant)
        count += 1
    return count
