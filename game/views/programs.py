"""Answers for programs: the record of a game and its updates as JSON."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe
from msgspec import Struct

from game import wire
from game.models import Game
from game.selectors import tables
from game.views.guesses import counts_guesses

ENDED_FOR_S = 3600


@require_safe
@counts_guesses
def record(request: HttpRequest, code: str) -> HttpResponse:
    """The record of a game."""
    game = tables.game_by_code(code)
    return _no_game() if game is None else _json(game, tables.record(game))


@require_safe
@counts_guesses
def updates(request: HttpRequest, code: str) -> HttpResponse:
    """A page of a game's updates after ``since``, a seq (0 if left out)."""
    game = tables.game_by_code(code)
    if game is None:
        return _no_game()
    since = request.GET.get("since", "0")
    if not (since.isascii() and since.isdecimal() and len(since) < 16):
        return JsonResponse({"error": "since is a seq: 0 or a positive whole number"}, status=400)
    return _json(game, tables.updates_page(game, int(since)))


def _no_game() -> JsonResponse:
    return JsonResponse({"error": "no such game"}, status=404)


def _json(game: Game, message: Struct) -> HttpResponse:
    answer = HttpResponse(wire.encode(message), content_type="application/json")
    if game.is_over:
        # The log of an ended game never changes.
        patch_cache_control(answer, public=True, max_age=ENDED_FOR_S)
    else:
        patch_cache_control(answer, no_cache=True)
    return answer
