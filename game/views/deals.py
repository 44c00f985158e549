"""Deals by their codes, and the entry box that takes either kind of code."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from game.codes import (
    LONGEST_TEXT,
    CodeError,
    GameCode,
    example_code,
    parse_code,
    read_deal_code,
    split_place,
)
from game.engine.rules import Ranking
from game.selectors import deals, lists, tables
from game.selectors.known_deals import known
from game.views import previews
from game.views.answers import canonical
from game.views.guesses import counts_guesses


@require_safe
def deal(request: HttpRequest, code: str) -> HttpResponse:
    """The layout of a deal, everybody's runs on it, and a button to play it."""
    try:
        found = read_deal_code(code)
    except CodeError as error:
        return _not_found(request, code, _(error.sentence) % error.params)
    right = str(found)
    if answer := canonical(request, "deal", code, right):
        return answer
    try:
        page = deals.runs(right, request.GET.get("after", ""))
    except lists.BadCursorError:
        raise Http404(_("There is no such page.")) from None
    is_open = not found.rules.hides_cards or lists.has_ended_game(right)
    by_time = found.rules.ranking is Ranking.TIME
    context = {
        "deal": found,
        "page": page,
        "is_open": is_open,
        "by_time": by_time,
        "known": known(found),
        "preview": previews.of_deal(found),
    }
    return render(request, "deal.html", context)


@require_safe
@counts_guesses
def find(request: HttpRequest) -> HttpResponse:
    """Goes to the game or the deal of a code; without one, the entry box alone."""
    text = request.GET.get("code", "")
    if not text.strip():
        return render(request, "find.html", {"example": example_code()})
    try:
        named, place = split_place(text)
        code = parse_code(named)
    except CodeError as error:
        return _not_found(request, text, _(error.sentence) % error.params)
    if not isinstance(code, GameCode):
        return redirect("deal", str(code))
    game = tables.game_by_code(code.text)
    if game is None:
        return _not_found(request, text, _("There is no game with the code %(code)s.") % {"code": code})
    return redirect(game.get_absolute_url() + place)


def _not_found(request: HttpRequest, text: str, sentence: str) -> HttpResponse:
    context = {"text": text[:LONGEST_TEXT], "error": sentence, "example": example_code()}
    return render(request, "find.html", context, status=404)
