"""What many games leave behind when they are written at once: as `results.settle` writes it for one."""

from __future__ import annotations

from datetime import date
from typing import Final

from game.actions.results import result_of
from game.engine.line import Status
from game.models import COUNTED, BoardRow, Game, Period, Result, Tally, WeekPlayed
from game.selectors.periods import day_of, start_of_week, starts_of

BATCH: Final = 10_000

Kind = tuple[int, str, str]
"""A player, the slug and the variant."""


class Aftermath:
    """The results, board rows, tallies and weeks of games that are added in the order of their ends.

    Their players have no others.
    """

    def __init__(self) -> None:
        self._seen: set[tuple[int, object]] = set()
        self._results: list[Result] = []
        self._rows: dict[tuple[Kind, Period, date], BoardRow] = {}
        self._tallies: dict[Kind, Tally] = {}
        self._weeks: dict[tuple[int, date], WeekPlayed] = {}

    def is_first_sight(self, player_id: int, deal: object) -> bool:
        """Whether a player meets a deal for the first time, as far as it was asked here."""
        before = len(self._seen)
        self._seen.add((player_id, deal))
        return len(self._seen) > before

    def add(self, game: Game) -> None:
        """Notes a stored game; one that runs leaves nothing."""
        if game.ended_at is None:
            return
        day = day_of(game.ended_at)
        kind = game.player_id, game.rules_slug, game.variant
        if game.status == Status.WON:
            result = result_of(game, game.ended_at)
            self._results.append(result)
            if game.ranked:
                self._enter(kind, result, day)
        if game.first_ms is not None:
            self._count(kind, game, start_of_week(day))

    def _enter(self, kind: Kind, result: Result, day: date) -> None:
        for period, starts in starts_of(day).items():
            row = self._rows.get((kind, period, starts))
            if row is None:
                row = self._rows[kind, period, starts] = BoardRow(
                    rules_slug=result.rules_slug,
                    variant=result.variant,
                    period=period,
                    starts=starts,
                    player_id=result.player_id,
                )
            elif row.value <= result.value:
                continue
            row.value, row.ended_at, row.game_id = result.value, result.ended_at, result.game_id

    def _count(self, kind: Kind, game: Game, monday: date) -> None:
        player_id, slug, variant = kind
        tally = self._tallies.get(kind)
        if tally is None:
            tally = self._tallies[kind] = Tally(player_id=player_id, rules_slug=slug, variant=variant)
        tally.add(is_won=game.status == Status.WON, counts=game.unranked_because in COUNTED)
        week = self._weeks.get((player_id, monday))
        if week is None:
            week = self._weeks[player_id, monday] = WeekPlayed(player_id=player_id, starts=monday)
        week.played += 1

    def store(self) -> None:
        """Writes what was noted, once, in the caller's transaction."""
        Result.objects.bulk_create(self._results, batch_size=BATCH)
        BoardRow.objects.bulk_create(self._rows.values(), batch_size=BATCH)
        Tally.objects.bulk_create(self._tallies.values(), batch_size=BATCH)
        WeekPlayed.objects.bulk_create(self._weeks.values(), batch_size=BATCH)
