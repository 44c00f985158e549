"""What the commands of operators have in common: who is meant, who does it, and why."""

from __future__ import annotations

import getpass
import os
from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

from django.core.management import CommandError

from game.actions.operators import Hand
from game.models import Game, User
from game.selectors import tables


def add_hand(parser: ArgumentParser, *, needs_reason: bool = False) -> None:
    """The arguments that `hand` reads."""
    parser.add_argument(
        "--because", metavar="TEXT", default="", required=needs_reason, help="kept in the trail"
    )
    parser.add_argument("--by", metavar="WHO", default=_somebody(), help="kept in the trail (%(default)s)")


def hand(options: Mapping[str, Any]) -> Hand:
    """Who does it, and why."""
    return Hand(options["by"][:100], options["because"][:500])


def person(name: str) -> User:
    """Somebody by their name in any spelling; raises `CommandError`."""
    try:
        return User.objects.get_by_natural_key(name)
    except User.DoesNotExist:
        raise CommandError(f"There is nobody called {name}.") from None


def game(code: str) -> Game:
    """A game by its code in any spelling; raises `CommandError`."""
    found = tables.game_by_code(code)
    if found is None:
        raise CommandError(f"There is no game {code}.")
    return found


def _somebody() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return f"user {os.getuid()}"
