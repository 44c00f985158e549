"""A game as it is watched, replayed and recorded: everything that reads a log."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.utils import timezone
from msgspec import UNSET

from game import wire
from game.codes import CodeError, parse_game_code
from game.engine.effects import apply_effects, effects_from_json, inverse
from game.engine.line import Event, Standing, Status, after, digest, line_of
from game.engine.rules import Rules
from game.models import Epoch, Game, LogEntry

PAGE_OF_UPDATES: Final = 200
STRIDE: Final = 250
"""On the way through a long log a place to begin at later is kept every so many events."""
PORTION: Final = 500
"""So many rows of a log are read at once: no query takes long, however long the log is."""

Logged = tuple[Event, int]
"""An event and its ``at_ms``."""


def game_by_code(text: str) -> Game | None:
    """The game of a code in any usual spelling, with its player."""
    try:
        code = parse_game_code(text).text
    except CodeError:
        return None
    return Game.objects.select_related("player", "parent").filter(code=code).first()


@dataclass(frozen=True, slots=True)
class GameKey:
    """What never changes about a game, for whoever deals with many messages of one."""

    id: int
    player_id: int
    rules_slug: str


def key_of(code: str) -> GameKey | None:
    """The key of a game by its code in any usual spelling."""
    try:
        normal = parse_game_code(code).text
    except CodeError:
        return None
    found = Game.objects.filter(code=normal).values_list("pk", "player_id", "rules_slug").first()
    return None if found is None else GameKey(*found)


def epoch() -> int:
    """The number of the current epoch."""
    return Epoch.objects.values_list("number", flat=True).first() or 1


def heads(game_ids: Iterable[int]) -> dict[int, int]:
    """The newest seq of each of these games, in one query."""
    return dict(Game.objects.filter(pk__in=list(game_ids)).values_list("pk", "seq"))


# How it stands


def elapsed_ms(game: Game) -> int:
    """What the game's clock shows now."""
    if game.first_ms is None:
        return 0
    if game.is_over:
        return (game.last_ms or 0) - game.first_ms
    return max(now_ms(game), game.last_ms or 0) - game.first_ms


def now_ms(game: Game) -> int:
    """Milliseconds since the game was made."""
    return int((timezone.now() - game.created_at).total_seconds() * 1000)


def is_secret(game: Game) -> bool:
    """Whether the deal and its code must not be told yet."""
    return game.rules.hides_cards and not game.is_over


def state(game: Game) -> wire.State:
    """The fields of a `snapshot`."""
    return wire.state_of(
        game.rules,
        game.standing,
        elapsed_ms=elapsed_ms(game),
        running=game.first_ms is not None and not game.is_over,
    )


def info(game: Game) -> wire.GameInfo:
    """The ``game`` of a welcome; ``game.player`` should be loaded."""
    return wire.GameInfo(
        code=game.code,
        rules=game.rules_slug,
        options=game.options,
        player=game.player.username,
        deal_code=None if is_secret(game) else game.deal_code,
        ranked=game.ranked,
        layout=wire.layout_info(game.rules.layout),
    )


def welcome(
    game: Game, user_id: int | None, *, since: int | None = None, since_epoch: int | None = None
) -> wire.Welcome:
    """The first message for this person, or a page's first state.

    With ``since`` and the epoch in which it was seen: what was missed, if that is shorter.
    """
    current = epoch()
    missed = None
    if since is not None and since_epoch == current and 0 <= game.seq - since <= wire.MAX_UPDATES:
        missed = updates_after(game, since, wire.MAX_UPDATES)
    return wire.Welcome(
        protocol=wire.PROTOCOL_VERSION,
        release=settings.RELEASE,
        role="player" if user_id == game.player_id else "spectator",
        game=info(game),
        epoch=current,
        snapshot=state(game) if missed is None else UNSET,
        updates=UNSET if missed is None else missed,
    )


# What happened


def updates_after(game: Game, since: int, limit: int) -> list[wire.Change]:
    """At most ``limit`` updates after ``since``, in order, up to the seq that ``game`` was read at."""
    rows = min(game.seq - since, limit)
    if rows <= 0:
        return []
    rules = game.rules
    if rows == game.seq - since and rows < rules.undo_limit:
        told = _from_the_end(game, since)
    else:
        told = _from(game, since, rows)
    return [change(rules, event, standing, at_ms, game.first_ms) for event, at_ms, standing in told]


def updates_page(game: Game, since: int, limit: int = PAGE_OF_UPDATES) -> wire.UpdatesPage:
    """A stretch of a game's updates, and where the following one begins."""
    updates = updates_after(game, since, limit)
    last = updates[-1].seq if updates else since
    return wire.UpdatesPage(updates, last if last < game.seq else None)


def change(rules: Rules, event: Event, standing: Standing, at_ms: int, first_ms: int | None) -> wire.Change:
    """An event as everybody gets it, at any time the same."""
    state = wire.state_of(
        rules,
        standing,
        elapsed_ms=0 if first_ms is None else at_ms - first_ms,
        running=first_ms is not None and standing.status is Status.PLAYING,
    )
    return wire.change_of(state, event.command, event.effects)


def _logged(game: Game, after_seq: int, up_to: int) -> Iterator[Logged]:
    rows = LogEntry.objects.filter(game_id=game.pk).order_by("seq")
    told = rows.values_list("seq", "command", "effects", "moves", "parent", "at_ms")
    for read in range(after_seq, up_to, PORTION):
        portion = told.filter(seq__gt=read, seq__lte=min(read + PORTION, up_to))
        for seq, command, effects, moves, parent, at_ms in portion:
            yield Event(seq, command, effects_from_json(effects), moves, parent), at_ms


def _from_the_end(game: Game, since: int) -> Iterator[tuple[Event, int, Standing]]:
    """Walks back from how the game stands, so that the newest events cost the same at any length.

    How much could be undone is not known exactly on the way back from the undo limit, but that it was more
    than nothing is, for fewer events than the limit; a tip is not needed to tell a state.
    """
    logged = list(_logged(game, since, game.seq))
    standing = game.standing
    told: list[tuple[Event, int, Standing]] = []
    for event, at_ms in reversed(logged):
        told.append((event, at_ms, standing))
        standing = _before(standing, event)
    return reversed(told)


def _before(standing: Standing, event: Event) -> Standing:
    in_line = {"undo": -1, "give_up": 0}.get(event.command, 1)
    return Standing(
        apply_effects(standing.position, inverse(event.effects)),
        event.seq - 1,
        standing.ply - in_line,
        standing.moves - event.moves,
        Status.PLAYING,
        0,
        standing.undoable - in_line,
    )


def _from(game: Game, since: int, count: int) -> Iterator[tuple[Event, int, Standing]]:
    standing = standing_at(game, since)
    for event, at_ms in _logged(game, since, since + count):
        standing = after(game.rules, standing, event)
        yield event, at_ms, standing
    _places.keep(game, standing)


def standing_at(game: Game, seq: int) -> Standing:
    """How the game stood after the event of that seq; 0 is its beginning."""
    standing = _places.find(game, seq) or Standing(game.deal)
    for event, _ in _logged(game, standing.seq, seq):
        standing = after(game.rules, standing, event)
        if standing.seq % STRIDE == 0:
            _places.keep(game, standing)
    return standing


class _Places:
    """Standings inside games that were read before: the next read begins at the nearest.

    What has been logged never changes, so what is kept never grows old; a game's name here includes when it
    was made, for a database that was set back to an older copy.
    """

    def __init__(self, games: int, places: int) -> None:
        self._games = games
        self._places = places
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[object, ...], OrderedDict[int, Standing]] = OrderedDict()

    def find(self, game: Game, seq: int) -> Standing | None:
        """The nearest standing at or before ``seq``."""
        with self._lock:
            kept = self._kept.get((game.code, game.created_at)) or OrderedDict()
            known = max((place for place in kept if place <= seq), default=None)
            return None if known is None else kept[known]

    def keep(self, game: Game, standing: Standing) -> None:
        """Keeps a standing, and forgets the games and places that were kept longest ago."""
        name = (game.code, game.created_at)
        with self._lock:
            kept = self._kept.setdefault(name, OrderedDict())
            self._kept.move_to_end(name)
            kept[standing.seq] = standing
            if len(kept) > self._places:
                kept.popitem(last=False)
            if len(self._kept) > self._games:
                self._kept.popitem(last=False)


_places: Final = _Places(games=32, places=96)


# For programs


def record(game: Game, *, unmasked: bool = False) -> wire.Record:
    """The whole game for programs; what its rules hide stays hidden until it is over, unless ``unmasked``."""
    standing = game.standing
    hidden = is_secret(game) and not unmasked
    rows = list(LogEntry.objects.filter(game_id=game.pk, seq__lte=game.seq).order_by("seq"))
    # The code of an unlisted game is told by nobody but who has it.
    parent = None if game.parent and game.parent.unlisted else game.parent
    line = line_of(Event(row.seq, row.command, (), row.moves, row.parent) for row in rows)
    return wire.Record(
        code=game.code,
        rules=game.rules_slug,
        rules_version=game.rules_version,
        options=game.options,
        deal=None if hidden else game.deal_text,
        deal_code=None if hidden else game.deal_code,
        player=game.player.username,
        ranked=game.ranked,
        status=game.status,
        score=game.score,
        moves=game.moves,
        elapsed_ms=elapsed_ms(game),
        position=standing.position.masked if hidden else standing.position.text,
        digest=None if hidden else digest(game.rules, standing),
        log=[wire.RecordEntry(row.command, row.seq, row.at_ms) for row in rows],
        line=[event.command for event in line],
        parent=parent.code if parent else UNSET,
        parent_ply=(game.parent_ply or 0) if parent else UNSET,
    )
