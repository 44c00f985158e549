"""The trail: what operators did to people and results, and why."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from game.models.games import Game
from game.models.people import User


class Deed(models.Model):
    """One thing an operator did; written with it in one transaction and never changed.

    It names people and games by their rows alone, so that it keeps no name which its owner gave up.
    """

    class Kind(models.TextChoices):
        """What was done."""

        BAN = "ban", _("banned")
        ADMIT = "admit", _("let in again")
        RENAME = "rename", _("renamed")
        PASSWORD = "password", _("got a new password")
        REMOVE = "remove", _("result taken off the boards")
        PUT_BACK = "put_back", _("result put back on the boards")

    at = models.DateTimeField()
    by = models.CharField(max_length=100)
    kind = models.CharField(max_length=10, choices=Kind.choices)
    person = models.ForeignKey(User, models.SET_NULL, null=True, related_name="deeds")
    game = models.ForeignKey(Game, models.SET_NULL, null=True, related_name="deeds")
    because = models.CharField(max_length=500, blank=True)

    class Meta:
        indexes: ClassVar = [models.Index(fields=["-at", "-id"], name="deed_in_order")]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.by}: {self.person} {self.get_kind_display()}"
