"""The rescues that are offered today."""

from __future__ import annotations

from game.models import Rescue
from game.selectors.periods import today


def todays_rescues() -> list[Rescue]:
    """The listed rescues of today with their games and players, in the order of the games' names."""
    rows = Rescue.objects.filter(day=today(), game__unlisted=False).select_related("game__player")
    return list(rows.order_by("rules_slug"))
