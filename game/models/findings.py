"""What was found out about games and deals after the end: where a game was lost, and what a deal allows."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q

from game.models.games import Game


class Finding(models.Model):
    """Where an ended game was lost: asked in the transaction that ended it, found by the worker.

    While ``is_waiting`` it is a job, the latest ``asked_at`` first; what an older ``version`` of the solver
    has found stands until then. ``version`` is None where nothing has been found yet. Plies as in
    `game.engine.analysis.Analysis`; ``line`` holds the commands that lead from ``last_won`` to a win.
    ``recovered`` are mistakes that were taken back, each as seq, ply and command.
    """

    game = models.OneToOneField(Game, models.CASCADE, primary_key=True, related_name="finding")
    asked_at = models.DateTimeField()
    is_waiting = models.BooleanField(default=True)
    version = models.PositiveIntegerField(null=True)
    last_won = models.PositiveIntegerField(null=True)
    first_lost = models.PositiveIntegerField(null=True)
    line = models.JSONField(default=list)
    recovered = models.JSONField(default=list)
    positions = models.BigIntegerField(default=0)

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["-asked_at", "-game"], name="finding_waiting", condition=Q(is_waiting=True)),
        ]

    def __str__(self) -> str:
        return f"{self.game_id} {self.last_won}..{self.first_lost}"


class KnownDeal(models.Model):
    """What is known of a deal that was played to an end: told on its page, and never before such an end.

    ``verdict`` as in `game.engine.verdicts.Verdict`, with the ``version`` of the solver that was asked;
    ``effort`` is how many positions it took up before its first win. The best known line has ``moves`` as the
    game counts them; it is the line of the won game ``found_by``, or else the solver's, ``line``.
    """

    deal_code = models.CharField(max_length=40, primary_key=True)
    verdict = models.CharField(max_length=10)
    version = models.PositiveIntegerField(default=0)
    effort = models.BigIntegerField(null=True)
    moves = models.PositiveIntegerField(null=True)
    line = models.JSONField(default=list)
    found_by = models.ForeignKey(Game, models.SET_NULL, null=True, related_name="best_lines")

    def __str__(self) -> str:
        return f"{self.deal_code} {self.verdict}"


class PoolDeal(models.Model):
    """A deal that the solver has won, drawn for practice: dealt once, as ``game``.

    ``line`` is the witness. Nothing reads it before that game has ended, nor tells whether a running game
    was dealt from here.
    """

    deal_code = models.CharField(max_length=40, primary_key=True)
    rules_slug = models.CharField(max_length=40)
    variant = models.CharField(max_length=8)
    line = models.JSONField()
    game = models.OneToOneField(Game, models.SET_NULL, null=True, related_name="pool_deal")

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["rules_slug", "variant"], name="pool_ready", condition=Q(game=None)),
        ]

    def __str__(self) -> str:
        return self.deal_code


class Rescue(models.Model):
    """The last winnable place of somebody's lost game, offered to all for a ``day`` of the boards' zone."""

    day = models.DateField()
    rules_slug = models.CharField(max_length=40)
    game = models.OneToOneField(Game, models.CASCADE, related_name="rescue")
    ply = models.PositiveIntegerField()
    position_text = models.CharField(max_length=400)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["day", "rules_slug"], name="one_rescue_a_day"),
        ]

    def __str__(self) -> str:
        return f"{self.day} {self.rules_slug}"
