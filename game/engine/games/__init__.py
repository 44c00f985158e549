"""The games there are, in the order in which they are offered."""

from __future__ import annotations

from typing import Final

from game.engine.games import klondike, simple_simon
from game.engine.rules import Rules

GAMES: Final[tuple[Rules, ...]] = (simple_simon.RULES, klondike.RULES)


class UnknownRulesError(LookupError):
    """No game here has this slug."""


def rules_of(slug: str) -> Rules:
    """The rules of a slug; raises `UnknownRulesError`."""
    for rules in GAMES:
        if rules.slug == slug:
            return rules
    raise UnknownRulesError(f"{slug!r} is none of {', '.join(rules.slug for rules in GAMES)}")
