"""Whether what is stored of a game is what its log comes to: every log replayed, every number compared."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import to_builtins

from game.engine.line import Status
from game.engine.referee import RecordError, differences, replay
from game.engine.rules import Ranking
from game.models import BoardRow, Game, LogEntry, Period, Result
from game.selectors import tables

BATCH = 200


def games(*, ranked_only: bool) -> Iterator[Game]:
    """Every game, or every one that counts, oldest first; few are held at a time."""
    found = Game.objects.select_related("player", "result").order_by("pk")
    if ranked_only:
        found = found.filter(result__ranked=True)
    last = 0
    while batch := list(found.filter(pk__gt=last)[:BATCH]):
        yield from batch
        last = batch[-1].pk


def faults(game: Game) -> Iterator[str]:
    """What differs between a game and the replay of its log, each in one line; nothing if they agree."""
    try:
        yield from differences(replay(to_builtins(tables.record(game, unmasked=True))))
    except RecordError as error:
        yield str(error)
    logged = LogEntry.objects.filter(game_id=game.pk).count()
    if logged != game.seq:
        yield f"log: {logged} entries, but seq is {game.seq}"
    result: Result | None = getattr(game, "result", None)
    if (result is not None) != (game.status == Status.WON):
        yield f"result: {'there is one' if result else 'none'}, and the game is {game.status}"
    if result is not None:
        yield from _result_faults(game, result)


def _result_faults(game: Game, result: Result) -> Iterator[str]:
    elapsed_ms = tables.elapsed_ms(game)
    by_score = game.rules.ranking is Ranking.SCORE
    told = {
        "player": (result.player_id, game.player_id),
        "kind": ((result.rules_slug, result.variant), (game.rules_slug, game.variant)),
        "ranked": (result.ranked, game.ranked),
        "score": (result.score, game.score),
        "moves": (result.moves, game.moves),
        "elapsed_ms": (result.elapsed_ms, elapsed_ms),
        "value": (result.value, -(game.score or 0) if by_score else elapsed_ms),
    }
    for name, (there, here) in told.items():
        if there != here:
            yield f"result: {name} is {there!r}, the game has {here!r}"
    if result.ranked:
        best = BoardRow.objects.filter(
            player_id=result.player_id,
            rules_slug=result.rules_slug,
            variant=result.variant,
            period=Period.ALL,
            value__lte=result.value,
        )
        if not best.exists():
            yield "board: neither this win nor a better one of its player stands on it"
