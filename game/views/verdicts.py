"""What is known of ended games, for the table and for programs."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe

from game import wire
from game.selectors import findings, tables
from game.views.guesses import counts_guesses


@require_safe
@counts_guesses
def verdict(request: HttpRequest, code: str) -> HttpResponse:
    """Where an ended game was lost; 404 as long as it runs."""
    game = tables.game_by_code(code)
    found = None if game is None else findings.verdict(game)
    if found is None:
        return JsonResponse({"error": "no ended game with this code"}, status=404)
    answer = HttpResponse(wire.encode(found), content_type="application/json")
    # A job may be done, and the solver may learn more, at any time.
    patch_cache_control(answer, no_cache=True)
    return answer
