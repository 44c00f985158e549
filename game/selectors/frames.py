"""Frames that are the same for many sockets: read once, encoded once."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec

from game import wire
from game.models import Game
from game.selectors import tables


@dataclass(frozen=True, slots=True)
class Welcomes:
    """The welcome of one game for either role, and the seq up to which it tells."""

    seq: int
    player: str
    spectator: str


@dataclass(frozen=True, slots=True)
class Missed:
    """The answer to a `sync`: frames in order, and the seq after the last of them."""

    seq: int
    texts: tuple[str, ...]


def _game(game_id: int) -> Game:
    return Game.objects.select_related("player").get(pk=game_id)


def welcomes(game_id: int, since: int | None, since_epoch: int | None) -> Welcomes:
    """How a game stands, or what was missed, as the first frame."""
    game = _game(game_id)
    player = tables.welcome(game, game.player_id, since=since, since_epoch=since_epoch)
    spectator = msgspec.structs.replace(player, role="spectator")
    return Welcomes(game.seq, wire.encode(player), wire.encode(spectator))


def missed(game_id: int, since: int) -> Missed:
    """What came after ``since``: each update if there are a few, else a snapshot."""
    game = Game.objects.get(pk=game_id)
    if 1 <= game.seq - since <= wire.MAX_UPDATES:
        changes = tables.updates_after(game, since, wire.MAX_UPDATES)
        return Missed(game.seq, tuple(wire.encode(wire.update(change)) for change in changes))
    return Missed(game.seq, (_snapshot(game),))


def snapshot(game_id: int) -> Missed:
    """How a game stands."""
    game = Game.objects.get(pk=game_id)
    return Missed(game.seq, (_snapshot(game),))


def _snapshot(game: Game) -> str:
    return wire.encode(wire.snapshot(tables.state(game)))
