"""The moves of a game as text, for readers without a script."""

from __future__ import annotations

from typing import Final

from game.models import Game, LogEntry

MOST: Final = 1000
"""Games with more commands are left to the record for programs: every page of a game would wait for them."""


def line_commands(game: Game) -> list[str]:
    """The commands of the line (those not undone), in order; empty if the game had more than `MOST`."""
    if game.tip > MOST or not game.ply:
        return []
    rows = LogEntry.objects.filter(game_id=game.pk, seq__lte=game.tip).values_list("seq", "command", "parent")
    entries = {seq: (command, parent) for seq, command, parent in rows}
    line = []
    tip = game.tip
    while tip:
        command, tip = entries[tip]
        line.append(command)
    return line[::-1]
