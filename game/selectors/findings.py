"""What is known of ended games, and which of them still wait to be looked at."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec
from django.db.models import Q

from game import wire
from game.engine.branches import Tree, tree_of
from game.engine.commands import parse_command
from game.engine.line import Standing, advance
from game.engine.rules import Refusal
from game.models import Finding, Game, LogEntry
from game.selectors import tables

WAITING: Final = "waiting"
FOUND: Final = "found"
WITHHELD: Final = "withheld"
NONE: Final = "none"
_MOST_PARENTS: Final = 50


def waiting(limit: int) -> list[int]:
    """Keys of ended games that wait to be looked at, the latest end first."""
    jobs = Finding.objects.filter(is_waiting=True).order_by("-asked_at", "-game")
    return list(jobs.values_list("game_id", flat=True)[:limit])


def tree(game: Game) -> Tree:
    """The whole log of an ended game as a tree."""
    rows = LogEntry.objects.filter(game_id=game.pk).order_by("seq")
    return tree_of(game.deal, (row.event for row in rows.iterator(chunk_size=1000)))


def deal_code_of(game: Game) -> str | None:
    """The code of the deal that a game comes from, also where it began from a place in another game."""
    code: str | None = game.deal_code
    parent_id = game.parent_id
    for _ in range(_MOST_PARENTS):
        if code is not None or parent_id is None:
            break
        code, parent_id = Game.objects.values_list("deal_code", "parent_id").get(pk=parent_id)
    return code


def is_withheld(game: Game) -> bool:
    """Whether what is known of an ended game's deal would help somebody whose game may still count."""
    code = deal_code_of(game)
    return code is not None and is_deal_withheld(code, hides_cards=game.rules.hides_cards)


def is_deal_withheld(deal_code: str, *, hides_cards: bool) -> bool:
    """Whether a game that may still count runs on a deal whose code everybody can read at its table.

    Where a game hides its cards its code is secret as long as it runs, so nobody can have played it to an
    end; to ask all the same would tell whoever has guessed the code that he is right.
    """
    if hides_cards:
        return False
    return Game.objects.filter(Q(ended_at=None), deal_code=deal_code, ranked=True).exists()


def verdict(game: Game) -> wire.GameVerdict | None:
    """What may be told of a game; None as long as it runs."""
    if not game.is_over:
        return None
    if is_withheld(game):
        return _empty(WITHHELD)
    found = Finding.objects.filter(game=game).first()
    if found is None or (found.version is None and not found.is_waiting):
        return _empty(NONE)
    if found.version is None:
        return _empty(WAITING)
    return wire.GameVerdict(
        state=FOUND,
        last_won=found.last_won,
        first_lost=found.first_lost,
        recovered=[wire.Mistake(*mistake) for mistake in found.recovered],
        line=[] if found.last_won is None else list(_played_on(game, found.last_won, found.line)),
    )


def _empty(state: str) -> wire.GameVerdict:
    return wire.GameVerdict(state, None, None, [], [])


def seq_of(game: Game, ply: int) -> int:
    """The seq of a ply of the line that stands in an ended game; 0 for its beginning."""
    if ply == 0:
        return 0
    parents = dict(LogEntry.objects.filter(game_id=game.pk, seq__lte=game.tip).values_list("seq", "parent"))
    seq = game.tip
    for _ in range(game.ply - ply):
        seq = parents[seq]
    return seq


def standing_at(game: Game, ply: int) -> Standing:
    """How an ended game stood at a ply of its line."""
    return tables.standing_at(game, seq_of(game, ply))


def _played_on(game: Game, ply: int, commands: list[str]) -> Iterator[wire.Change]:
    """The line that would have won, as the updates that it would have made; its clock stands still.

    Raises `ValueError` for a command that the rules refuse, which no solver may have found.
    """
    standing = standing_at(game, ply)
    entry = LogEntry.objects.filter(game_id=game.pk, seq=standing.seq).first()
    at_ms = (game.first_ms or 0) if entry is None else entry.at_ms
    for command in commands:
        outcome = advance(game.rules, standing, parse_command(command), None)
        if isinstance(outcome, Refusal):
            text = f"{game.code}: {command} is refused at {standing.ply}: {outcome.code}"
            raise ValueError(text)  # noqa: TRY004  # not a wrong type but a wrong line
        event, standing = outcome
        change = tables.change(game.rules, event, standing, at_ms, game.first_ms)
        # Nobody can play here, and where one could go is most of the bytes.
        yield msgspec.structs.replace(change, dests={}, actions=[], running=False)
