"""What is known of ended games, and which of them still wait to be looked at."""

from __future__ import annotations

from game.engine.branches import Tree, tree_of
from game.models import Finding, Game, LogEntry


def waiting(limit: int) -> list[int]:
    """Keys of ended games that wait to be looked at, the latest end first."""
    jobs = Finding.objects.filter(is_waiting=True).order_by("-asked_at", "-game")
    return list(jobs.values_list("game_id", flat=True)[:limit])


def tree(game: Game) -> Tree:
    """The whole log of an ended game as a tree."""
    rows = LogEntry.objects.filter(game_id=game.pk).order_by("seq")
    return tree_of(game.deal, (row.event for row in rows.iterator(chunk_size=1000)))
