"""How a person has fared: counts, bests, streaks, and what the charts of their page show.

Everything is read from rows that are kept as games end, so it costs the same for a person with five games
and one with fifty thousand.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from django.db.models import Q
from django.utils import timezone

from game.engine.games import GAMES
from game.models import BoardRow, KeptName, Period, Result, Tally, User, WeekPlayed
from game.selectors.boards import Board
from game.selectors.periods import start_of_week, today
from game.spelling import folded_name, look_of

WEEKS: Final = 16
WINS: Final = 60
"""As many weeks and wins as a chart shows."""


@dataclass(frozen=True, slots=True)
class Counts:
    """``ended``: games that ended with a move in them; ``won``: those of them that were won."""

    ended: int
    won: int


@dataclass(frozen=True, slots=True)
class Fared:
    """A person's lot with one kind of game; ``best`` is their row on its board of all time."""

    board: Board
    tally: Tally
    best: BoardRow | None

    @property
    def percent(self) -> int | None:
        """Wins in a hundred counted games, rounded down: 100 only if all were won."""
        return self.tally.counted_won * 100 // self.tally.counted if self.tally.counted else None

    @property
    def percent_of_winnable(self) -> int | None:
        """The same without the games on deals that were proven lost from the start."""
        rest = self.tally.counted - self.tally.dead
        return self.tally.counted_won * 100 // rest if rest > 0 else None


@dataclass(frozen=True, slots=True)
class Wins:
    """The latest counted wins of one kind, the oldest first; ``before`` is the best value before them."""

    fared: Fared
    results: list[Result]
    before: int | None


def is_taken(name: str, but_for: User | None = None) -> bool:
    """Whether somebody else has this name or one that looks like it, or had it until not long ago."""
    same = Q(folded=folded_name(name)) | Q(look=look_of(name))
    kept = KeptName.objects.filter(same, until__gt=timezone.now())
    others = User.objects.filter(same)
    if but_for is not None:
        others = others.exclude(pk=but_for.pk)
    return others.exists() or kept.exists()


def counts(player: User) -> Counts:
    """All of a person's ended games, and those won."""
    rows = list(Tally.objects.filter(player=player).values_list("played", "won"))
    return Counts(sum(played for played, _won in rows), sum(won for _played, won in rows))


def counts_of(entries: Iterable[Fared]) -> Counts:
    """The same from what was read already."""
    tallies = [entry.tally for entry in entries]
    return Counts(sum(tally.played for tally in tallies), sum(tally.won for tally in tallies))


def fared(player: User) -> list[Fared]:
    """One entry for each kind of game with an ended game, in the order in which the games are offered."""
    tallies = {(tally.rules_slug, tally.variant): tally for tally in Tally.objects.filter(player=player)}
    rows = BoardRow.objects.filter(player=player, period=Period.ALL).select_related("game")
    bests = {(row.rules_slug, row.variant): row for row in rows}
    return [
        Fared(Board(rules, variant), tallies[rules.slug, variant], bests.get((rules.slug, variant)))
        for rules in GAMES
        for variant in rules.variants
        if (rules.slug, variant) in tallies
    ]


def wins(entry: Fared, size: int = WINS) -> Wins:
    """The latest wins that counted, in at most two queries."""
    tally = entry.tally
    counted = Result.objects.filter(
        player_id=tally.player_id, rules_slug=tally.rules_slug, variant=tally.variant, ranked=True
    )
    results = list(counted.select_related("game").order_by("-ended_at", "-game_id")[:size])[::-1]
    before = None
    if len(results) == size:
        # At most as many as the chart shows are better and not earlier, so the best before is among these.
        best = counted.order_by("value", "ended_at").values_list("value", "ended_at")[: size + 1]
        before = next((value for value, ended_at in best if ended_at < results[0].ended_at), None)
    return Wins(entry, results, before)


def weeks(player: User, size: int = WEEKS) -> list[tuple[date, int]]:
    """Mondays and how many games ended in their weeks, this week last."""
    this = start_of_week(today())
    first = this - timedelta(weeks=size - 1)
    rows = WeekPlayed.objects.filter(player=player, starts__gte=first).values_list("starts", "played")
    played = dict(rows)
    mondays = [first + timedelta(weeks=week) for week in range(size)]
    return [(monday, played.get(monday, 0)) for monday in mondays]
