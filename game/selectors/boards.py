"""The boards, read by their index: the top, one's own row with its true place, the places a game took.

What a page costs does not grow with the games played: the top is the first rows of an index, one's own row
is found by its key, and its place is counted in the index alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.db.models import Q, QuerySet

from game.engine.games import GAMES
from game.engine.rules import Ranking, Rules
from game.models import BoardRow, Game, Period, User
from game.selectors.periods import starts_of, today

TOP: Final = 100
"""As many rows as a board shows."""
_ORDER: Final = ("value", "ended_at", "game_id")
_SHOWN: Final = (
    *("rules_slug", "value", "ended_at", "player__username"),
    *("game__player_id", "game__code", "game__moves", "game__unlisted"),
)
"""What a row of a page tells; with all of player and game the query takes three times as long."""


@dataclass(frozen=True, slots=True)
class Board:
    """What is compared with each other: games of one kind with the same options."""

    rules: Rules
    variant: str

    @property
    def is_by_time(self) -> bool:
        return self.rules.ranking is Ranking.TIME


@dataclass(frozen=True, slots=True)
class Place:
    """A row of a board and the place it holds, counted from 1."""

    place: int
    row: BoardRow
    is_own: bool


@dataclass(frozen=True, slots=True)
class Standings:
    """A board as it stands: its first rows, and one's own place where that is further down."""

    top: list[Place]
    own: Place | None


@dataclass(frozen=True, slots=True)
class Took:
    """The place that a game holds on the board of a period."""

    period: Period
    place: int


def boards_there_are() -> list[Board]:
    """Every board there is, in the order in which the games are offered."""
    return [Board(rules, variant) for rules in GAMES for variant in rules.variants]


def standings(board: Board, period: Period, player: User | None, size: int = TOP) -> Standings:
    """The first ``size`` rows of a board now, in at most three queries."""
    rows = _rows(board.rules.slug, board.variant, period)
    mine = player.pk if player else None
    shown = rows.select_related("player", "game").only(*_SHOWN)
    first = shown.order_by(*_ORDER)[:size]
    top = [Place(at, row, row.player_id == mine) for at, row in enumerate(first, start=1)]
    if mine is None or len(top) < size or any(place.is_own for place in top):
        return Standings(top, None)
    own = next(iter(shown.filter(player_id=mine)), None)
    return Standings(top, Place(_place(rows, own), own, True) if own else None)


def places_of(game: Game) -> list[Took]:
    """The boards that a won game stands on now, from the shortest period to the longest.

    Empty for a game that does not count, and for one that its player has bettered; a day or a week that is
    over is not told of.
    """
    if not (game.ranked and game.is_over):
        return []
    taken = {row.period: row for row in BoardRow.objects.filter(_now(), game=game)}
    return [
        Took(period, _place(_rows(game.rules_slug, game.variant, period), taken[period]))
        for period in Period
        if period in taken
    ]


def _rows(rules_slug: str, variant: str, period: Period) -> QuerySet[BoardRow]:
    """The rows of one board in the period that it is now."""
    starts = starts_of(today())[period]
    return BoardRow.objects.filter(rules_slug=rules_slug, variant=variant, period=period, starts=starts)


def _now() -> Q:
    """Rows of the day, the week and all the time that it is now."""
    rows = Q(pk__in=[])
    for period, starts in starts_of(today()).items():
        rows |= Q(period=period, starts=starts)
    return rows


def _place(rows: QuerySet[BoardRow], row: BoardRow) -> int:
    """The place of a row among ``rows``: one more than there are better ones."""
    is_better = (
        Q(value__lt=row.value)
        | Q(value=row.value, ended_at__lt=row.ended_at)
        | Q(value=row.value, ended_at=row.ended_at, game_id__lt=row.game_id)
    )
    # The first condition repeats part of the second, as the bound that the index is read up to.
    return rows.filter(is_better, value__lte=row.value).count() + 1
