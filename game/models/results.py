"""What remains of games that have ended: results, board rows, and how a player has fared."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from game.models.games import Game
from game.models.people import User


class Result(models.Model):
    """A won game, written in the transaction that won it; never changed by a client.

    ``value`` is what its board compares, less is better: the time in ms, or the score with its sign turned.
    """

    game = models.OneToOneField(Game, models.CASCADE, primary_key=True)
    player = models.ForeignKey(User, models.PROTECT, related_name="results")
    rules_slug = models.CharField(max_length=40)
    variant = models.CharField(max_length=8)
    ranked = models.BooleanField()
    score = models.IntegerField(null=True)
    moves = models.PositiveIntegerField()
    elapsed_ms = models.BigIntegerField()
    ended_at = models.DateTimeField()
    deal_code = models.CharField(max_length=40, null=True)  # noqa: DJ001  # no code is not a code
    value = models.BigIntegerField()

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["deal_code", "value", "ended_at", "game"], name="result_on_deal"),
            models.Index(
                fields=["player", "rules_slug", "variant", "-ended_at", "-game"],
                name="result_of_player",
                condition=Q(ranked=True),
            ),
            models.Index(
                fields=["player", "rules_slug", "variant", "value", "ended_at"],
                name="result_best_of_player",
                condition=Q(ranked=True),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.score if self.score is not None else self.elapsed_ms}"


class Period(models.TextChoices):
    """What stretch of time a board looks at."""

    TODAY = "today", _("Today")
    WEEK = "week", _("This week")
    ALL = "all", _("All time")


class BoardRow(models.Model):
    """A player's best ranked win on one board in one stretch of time.

    ``starts`` is the stretch's first day in the boards' zone, ``value`` that of the `Result`.
    """

    rules_slug = models.CharField(max_length=40)
    variant = models.CharField(max_length=8)
    period = models.CharField(max_length=5, choices=Period.choices)
    starts = models.DateField()
    player = models.ForeignKey(User, models.PROTECT, related_name="board_rows")
    game = models.ForeignKey(Game, models.CASCADE, related_name="board_rows")
    value = models.BigIntegerField()
    ended_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["player", "rules_slug", "variant", "period", "starts"], name="one_row_a_player"
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["rules_slug", "variant", "period", "starts", "value", "ended_at", "game"],
                name="board_in_order",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.rules_slug} {self.variant} {self.period} {self.player_id}: {self.value}"


class Tally(models.Model):
    """How a player has fared with one kind of game, counted as each game ends.

    ``played``: games that ended with a move in them; ``won``: those of them that were won. ``counted`` and
    ``counted_won``: the same of games that counted to their end. ``dead``: the counted ones whose deal was
    proven lost from the start, as far as the worker has come. A streak is of counted games won in a row.
    """

    player = models.ForeignKey(User, models.PROTECT, related_name="tallies")
    rules_slug = models.CharField(max_length=40)
    variant = models.CharField(max_length=8)
    played = models.PositiveIntegerField(default=0)
    won = models.PositiveIntegerField(default=0)
    counted = models.PositiveIntegerField(default=0)
    counted_won = models.PositiveIntegerField(default=0)
    dead = models.PositiveIntegerField(default=0, db_default=0)
    streak = models.PositiveIntegerField(default=0)
    longest_streak = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name_plural = "tallies"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["player", "rules_slug", "variant"], name="one_tally_a_kind"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {self.rules_slug} {self.variant}: {self.won} of {self.played}"

    def add(self, *, is_won: bool, counts: bool) -> None:
        """Counts one more ended game that had a move, in the order of ends; does not save."""
        self.played += 1
        self.won += is_won
        if counts:
            self.counted += 1
            self.counted_won += is_won
            self.streak = self.streak + 1 if is_won else 0
            self.longest_streak = max(self.longest_streak, self.streak)


class WeekPlayed(models.Model):
    """How many games a player ended, with a move in them, in the week that begins on Monday ``starts``."""

    player = models.ForeignKey(User, models.PROTECT, related_name="weeks")
    starts = models.DateField()
    played = models.PositiveIntegerField(default=0)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["player", "starts"], name="one_count_a_week"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {self.starts}: {self.played}"
