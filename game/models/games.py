"""Games and their append-only logs.

A log row holds what a command did (its effects), so the standing of a game is one row, a move costs the
same at any length, and no past position is stored: effects can be applied and taken back.
"""

from __future__ import annotations

import secrets
from typing import Any, ClassVar, Final

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from game.engine.effects import effects_from_json, effects_to_json
from game.engine.games import rules_of
from game.engine.line import Event, Standing, Status
from game.engine.notation import parse_position
from game.engine.position import Position
from game.engine.rules import Rules
from game.models.people import User

CODE_ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32."""
CODE_LENGTH: Final = 10


def new_game_code() -> str:
    """A fresh game code: 50 random bits, unguessable, easy to read out."""
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH))


class Unranked(models.TextChoices):
    """Why a game cannot count."""

    PRACTICE = "practice", _("practice: these cards had been seen before")
    GUEST = "guest", _("played as a guest")
    PACE = "pace", _("played faster than a person can")
    CLOCK = "clock", _("the server's clock was set while it was played")
    REMOVED = "removed", _("taken off the boards by those who run the site")
    UNLISTED = "unlisted", _("unlisted when it was won")


COUNTED: Final = ("", Unranked.UNLISTED)
"""With these as ``unranked_because`` a game is won or lost in its player's own numbers."""


class Game(models.Model):
    """One deal as played by one person, and how it stands now.

    ``*_ms`` are milliseconds since ``created_at`` by the server's clock: ``first_ms`` of the first
    command that started the game's clock, ``last_ms`` of the newest command. ``ranked``: while running,
    whether the game may still count; after the end, whether it is a win that counts. ``unranked_because``
    is empty while ``ranked`` and after a game that was only given up. A game that began from a place in
    another one has that as ``parent`` and ``parent_ply``; its ``deal_text`` is the position there, and it has
    a deal code only where that is the deal itself. ``unlisted``: in no list but its player's own ones.
    """

    code = models.CharField(max_length=CODE_LENGTH, unique=True, default=new_game_code, editable=False)
    player = models.ForeignKey(User, models.PROTECT, related_name="games")
    rules_slug = models.CharField(max_length=40)
    rules_version = models.PositiveSmallIntegerField()
    variant = models.CharField(max_length=8)
    deal_text = models.CharField(max_length=400)
    deal_code = models.CharField(max_length=40, null=True)  # noqa: DJ001  # no code is not a code
    parent = models.ForeignKey("self", models.SET_NULL, null=True, related_name="children")
    parent_ply = models.PositiveIntegerField(null=True)
    ranked = models.BooleanField()
    unranked_because = models.CharField(max_length=10, choices=Unranked.choices, blank=True, default="")
    unlisted = models.BooleanField(default=False, db_default=False)
    created_at = models.DateTimeField()
    first_ms = models.BigIntegerField(null=True)
    last_ms = models.BigIntegerField(null=True)
    last_command_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    position_text = models.CharField(max_length=400)
    seq = models.PositiveIntegerField(default=0)
    ply = models.PositiveIntegerField(default=0)
    moves = models.IntegerField(default=0)
    tip = models.PositiveIntegerField(default=0)
    undoable = models.PositiveSmallIntegerField(default=0)
    status = models.CharField(max_length=10, default=Status.PLAYING)
    score = models.IntegerField(null=True)

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["player", "-id"], name="game_of_player"),
            models.Index(fields=["player", "-id"], name="game_open_of_player", condition=Q(ended_at=None)),
            models.Index(fields=["player", "deal_code", "-ended_at", "-id"], name="game_of_player_on_deal"),
            models.Index(fields=["deal_code"], name="game_by_deal"),
            models.Index(
                fields=["-last_command_at", "-id"],
                name="game_live",
                condition=Q(ended_at=None, last_command_at__isnull=False),
            ),
            # Those of ended games cost a running one nothing, on Postgres either.
            *(
                models.Index(
                    fields=[*fields, "-ended_at", "-id"],
                    name=name,
                    condition=Q(ended_at__isnull=False, first_ms__isnull=False),
                )
                for name, fields in (
                    ("game_ended", []),
                    ("game_ended_of_kind", ["rules_slug", "variant", "status"]),
                    ("game_ended_of_player", ["player"]),
                    ("game_ended_of_player_kind", ["player", "rules_slug", "variant", "status"]),
                    ("game_ended_on_deal", ["deal_code", "status"]),
                )
            ),
        ]

    def __str__(self) -> str:
        return self.code

    def get_absolute_url(self) -> str:
        return reverse("game", args=[self.code])

    @property
    def rules(self) -> Rules:
        return rules_of(self.rules_slug)

    @property
    def options(self) -> dict[str, int]:
        return dict(self.rules.variants[self.variant])

    @property
    def deal(self) -> Position:
        return parse_position(self.deal_text, self.rules.layout)

    @property
    def is_over(self) -> bool:
        return self.status != Status.PLAYING

    @property
    def standing(self) -> Standing:
        """The engine's view of this row."""
        return Standing(
            parse_position(self.position_text, self.rules.layout),
            self.seq,
            self.ply,
            self.moves,
            Status(self.status),
            self.tip,
            self.undoable,
        )

    def stand(self, standing: Standing) -> None:
        """Takes a standing over; does not save."""
        self.position_text = standing.position.text
        self.seq = standing.seq
        self.ply = standing.ply
        self.moves = standing.moves
        self.status = standing.status
        self.tip = standing.tip
        self.undoable = standing.undoable
        self.score = self.rules.score(standing.position, standing.moves)


class LogEntry(models.Model):
    """One accepted command, for good. ``command_id`` is the client's name for it."""

    pk = models.CompositePrimaryKey("game_id", "seq")
    game = models.ForeignKey(Game, models.CASCADE, related_name="log", db_index=False)
    seq = models.PositiveIntegerField()
    command_id = models.CharField(max_length=64)
    command = models.CharField(max_length=24)
    effects = models.JSONField()
    moves = models.SmallIntegerField()
    parent = models.PositiveIntegerField()
    at_ms = models.BigIntegerField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "command_id"], name="one_entry_per_command_id"),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}:{self.seq} {self.command}"

    @classmethod
    def of(cls, event: Event, **fields: Any) -> LogEntry:
        """The row of an event; does not save."""
        return cls(
            seq=event.seq,
            command=event.command,
            effects=effects_to_json(event.effects, masked=False),
            moves=event.moves,
            parent=event.parent,
            **fields,
        )

    @property
    def event(self) -> Event:
        """The event of this row."""
        return Event(self.seq, self.command, effects_from_json(self.effects), self.moves, self.parent)


class Epoch(models.Model):
    """One row: rises when the log may have lost rows that were already announced (a restore)."""

    number = models.PositiveIntegerField(default=1)

    def __str__(self) -> str:
        return str(self.number)
