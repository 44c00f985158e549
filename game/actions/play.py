"""The walk of a command: the only place where one becomes an event.

Everything about a move is one transaction; what others are told of it is handed over after the commit.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from statistics import median
from typing import Final

from django.conf import settings
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from game import broadcast, database, measures, wire
from game.actions import results, statements
from game.engine.commands import Command, GiveUp, MalformedCommandError, Undo, parse_command
from game.engine.line import Event, Standing, Status, advance
from game.engine.rules import Ranking, Refusal
from game.models import Game, LogEntry, Unranked
from game.seats import Seat, holds
from game.selectors import tables

logger = logging.getLogger(__name__)

SERVERS_ID: Final = "by the server"
"""The id of a command that the server gives itself; a client's id holds no blank."""
SET_BACK_MS: Final = 1000
"""Two processes may differ by less without a clock having been set."""
CHANGED: Final = (
    "ranked",
    "unranked_because",
    "position_text",
    "seq",
    "ply",
    "moves",
    "tip",
    "undoable",
    "score",
    "first_ms",
    "last_ms",
    "last_command_at",
)
CHANGED_AT_THE_END: Final = (*CHANGED, "status", "ended_at")


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a command changed nothing.

    ``seq`` is the newest, None where it is not known; ``session_over`` when the asker would be the player
    but for a session that has ended.
    """

    code: str
    seq: int | None = None
    session_over: bool = False


Outcome = wire.Accepted | Refused

Tell = Callable[[wire.Accepted], None]
"""Takes the answer to a fresh command, on the event loop, before anybody else hears of it."""


def play(key: tables.GameKey, seat: Seat, message: wire.Play, tell: Tell | None = None) -> Outcome:
    """Plays one command for whoever sits at ``seat`` and returns the answer.

    When it returns `Accepted` the move is durable. Opens its own transaction and must not be called inside
    of another. Trouble with the database is an answer too: ``unavailable``.
    """
    try:
        command = parse_command(message.command)
    except MalformedCommandError:
        return Refused("malformed")
    if seat.user_id != key.player_id:
        return Refused("not_yours")
    used = connection.connection
    for _ in range(2):
        try:
            return _play_or_settle(key.id, seat, message, command, tell)
        except database.DatabaseTrouble:
            measures.database_troubles.inc()
            logger.warning("A command met trouble with the database", exc_info=True)
            if not database.was_lost(used):
                break
        # Whatever became of the attempt on the lost connection, the same id is never played twice.
        used = None
    return Refused("unavailable")


def _play_or_settle(
    game_id: int, seat: Seat, message: wire.Play, command: Command, tell: Tell | None
) -> Outcome:
    try:
        with transaction.atomic(durable=True):
            return _play(game_id, seat, message, command, tell)
    except IntegrityError:
        # Somebody else was faster under the same id or the same seq, and the constraints have decided.
        newest = Game.objects.values_list("seq", flat=True).get(pk=game_id)
        return _first_answer(game_id, message.id) or Refused("stale", newest)


def _play(game_id: int, seat: Seat, message: wire.Play, command: Command, tell: Tell | None) -> Outcome:
    game, session = statements.locked_game(game_id, seat.session_key)
    if not holds(session, game.player):
        return Refused("not_yours", game.seq, session_over=True)
    why = _refusal(game, message, command, tell)
    if why is None:
        return wire.Accepted(message.id, game.seq, False)
    # Whatever speaks against it now: an id that was accepted before gets the same answer again. One that
    # nothing speaks against is met by the constraint on ids.
    return _first_answer(game_id, message.id) or Refused(why, game.seq)


def _refusal(game: Game, message: wire.Play, command: Command, tell: Tell | None) -> str | None:
    """Enters a command, or says why not."""
    if game.is_over:
        return "game_over"
    if message.seq != game.seq:
        return "stale"
    refusal = _enter(game, command, message.id, tell)
    return None if refusal is None else refusal.code


def _first_answer(game_id: int, command_id: str) -> wire.Accepted | None:
    entry = LogEntry.objects.filter(game_id=game_id, command_id=command_id)
    seq = entry.values_list("seq", flat=True).first()
    return None if seq is None else wire.Accepted(command_id, seq, True)


def give_up(game_id: int) -> None:
    """Ends a game on the server's behalf, in the caller's transaction; one that is over stays as it is."""
    game, _ = statements.locked_game(game_id)
    _enter(game, GiveUp(), SERVERS_ID)


def _enter(game: Game, command: Command, command_id: str, tell: Tell | None = None) -> Refusal | None:
    """Makes the event of a command, in a transaction that holds the game's row."""
    tip = None
    if isinstance(command, Undo) and game.tip:
        tip = statements.log_entry(game.pk, game.tip).event
    outcome = advance(game.rules, game.standing, command, tip)
    if isinstance(outcome, Refusal):
        return outcome
    event, standing = outcome
    now = timezone.now()
    # The clock of the machine may be set back; a game's own never goes back, and then it shows too little.
    now_ms = tables.now_ms(game)
    at_ms = max(now_ms, game.last_ms or 0)
    if game.ranked and at_ms > now_ms + SET_BACK_MS and game.rules.ranking is Ranking.TIME:
        game.ranked, game.unranked_because = False, Unranked.CLOCK
    statements.insert(LogEntry.of(event, game_id=game.pk, command_id=command_id, at_ms=at_ms))
    game.stand(standing)
    game.last_ms, game.last_command_at = at_ms, now
    if game.first_ms is None and not isinstance(command, GiveUp):
        game.first_ms = at_ms
    if standing.status is not Status.PLAYING:
        game.ended_at = now
        _decide_rank(game)
    statements.update(game, CHANGED_AT_THE_END if game.is_over else CHANGED)
    if game.is_over:
        results.settle(game, now)
    transaction.on_commit(partial(_announce, game, event, standing, command_id, tell), robust=True)
    return None


def _decide_rank(game: Game) -> None:
    """Whether a game that has just ended counts, and if a win does not, why."""
    if game.status != Status.WON:
        game.ranked = False
    elif game.ranked:
        if game.player.is_guest:
            game.unranked_because = Unranked.GUEST
        elif _is_inhuman(game):
            game.unranked_because = Unranked.PACE
        elif game.unlisted:
            game.unranked_because = Unranked.UNLISTED
        game.ranked = not game.unranked_because


def _is_inhuman(game: Game) -> bool:
    """Whether half of the pauses between commands were shorter than a person needs."""
    if not settings.HUMAN_PACE_MS:
        return False
    moments = LogEntry.objects.filter(game_id=game.pk).order_by("seq").values_list("at_ms", flat=True)
    pauses = [later - earlier for earlier, later in pairwise(moments)]
    return bool(pauses) and median(pauses) < settings.HUMAN_PACE_MS


def _announce(game: Game, event: Event, standing: Standing, command_id: str, tell: Tell | None) -> None:
    measures.moves.labels(game.rules_slug).inc()
    if tell is not None:
        broadcast.soon(partial(tell, wire.Accepted(command_id, event.seq, False)))
    change = tables.change(game.rules, event, standing, game.last_ms or 0, game.first_ms)
    broadcast.announce(game.pk, event.seq, wire.encode(wire.update(change)))
