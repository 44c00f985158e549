"""All that is kept of a person: the name, what they chose here, and their games."""

from __future__ import annotations

import json
from collections.abc import Iterator

from msgspec import to_builtins

from game.models import Game, User
from game.selectors import tables


def kept_of(person: User) -> Iterator[str]:
    """A JSON object, piece by piece, so that it needs little memory however many games there are.

    Each game is its record, when it began and ended, and whether it is unlisted. What the rules of a
    running game hide stays hidden.
    """
    about = {
        "name": person.username,
        "guest": person.is_guest,
        "since": person.date_joined.isoformat(),
        "preferences": person.preferences or {},
    }
    yield json.dumps(about, ensure_ascii=False)[:-1] + ', "games": ['
    games = Game.objects.filter(player=person).select_related("player").order_by("pk")
    for number, game in enumerate(games.iterator(chunk_size=100)):
        more = {
            "started_at": game.created_at.isoformat(),
            "unlisted": game.unlisted,
            "ended_at": game.ended_at and game.ended_at.isoformat(),
        }
        entry = {**to_builtins(tables.record(game)), **more}
        yield (",\n" if number else "\n") + json.dumps(entry, ensure_ascii=False)
    yield "]}\n"
