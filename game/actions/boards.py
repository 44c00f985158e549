"""The boards: a ranked win enters them in the transaction that won it."""

from __future__ import annotations

from django.db.models import Q

from game.models import BoardRow, Result
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
