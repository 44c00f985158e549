"""Games on given cards, as tests and benchmarks want them."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from game.engine.line import Standing
from game.engine.position import Position
from game.engine.rules import Rules
from game.models import Game, User


def dealt(player: User, rules: Rules, variant: str, deal: Position, **fields: Any) -> Game:
    """A game that begins with these cards, not saved yet; it counts, unless ``fields`` say otherwise."""
    usual = {"ranked": True, "created_at": timezone.now()}
    game = Game(
        player=player,
        rules_slug=rules.slug,
        rules_version=rules.version,
        variant=variant,
        deal_text=deal.text,
        **(usual | fields),
    )
    game.stand(Standing(deal))
    return game
