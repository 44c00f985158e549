"""What the tests of pages share: people in a browser, and games that have ended."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from django.test import Client

from game.engine.deals import DealCode
from game.engine.games import GAMES
from game.engine.line import Standing, Status
from game.models import Game, User

RULES = GAMES[0]
NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


def browser_of(user: User) -> Client:
    """A browser in which somebody is logged in."""
    client = Client()
    client.force_login(user)
    return client


def ended_game(player: User, variant: str = "S1", *, ended_at: datetime = NOON, **fields: Any) -> Game:
    """The row of a game that has ended with a move; given up unless ``fields`` say otherwise."""
    code = DealCode(RULES, variant, "AAAAABD")
    game = Game(
        player=player,
        rules_slug=RULES.slug,
        rules_version=RULES.version,
        variant=variant,
        deal_text=code.deal().text,
        deal_code=str(code),
        ranked=False,
        created_at=ended_at - timedelta(minutes=10),
        first_ms=1000,
        last_ms=61_000,
        last_command_at=ended_at,
        ended_at=ended_at,
    )
    game.stand(Standing(code.deal(), seq=2, ply=1, moves=1, status=Status.GIVEN_UP))
    for name, value in fields.items():
        setattr(game, name, value)
    game.save()
    return game
