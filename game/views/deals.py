"""Deals by their codes, and the entry box that takes either kind of code."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from game.codes import CodeError, GameCode, parse_code, read_deal_code
from game.selectors import lists, tables
from game.views.answers import canonical


@require_safe
def deal(request: HttpRequest, code: str) -> HttpResponse:
    """The layout of a deal, everybody's runs on it, and a button to play it."""
    try:
        found = read_deal_code(code)
    except CodeError as error:
        return _not_found(request, code, error)
    right = str(found)
    if answer := canonical(request, "deal", code, right):
        return answer
    try:
        page = lists.ended_games(lists.Filters(deal_code=right), request.GET.get("after", ""))
    except lists.BadCursorError:
        raise Http404(_("There is no such page.")) from None
    is_open = not found.rules.hides_cards or lists.has_ended_game(right)
    return render(request, "deal.html", {"deal": found, "page": page, "is_open": is_open})


@require_safe
def find(request: HttpRequest) -> HttpResponse:
    """Goes to the game or the deal of a code; without one, the entry box alone."""
    text = request.GET.get("code", "")
    if not text.strip():
        return render(request, "find.html")
    try:
        code = parse_code(text)
    except CodeError as error:
        return _not_found(request, text, error)
    if not isinstance(code, GameCode):
        return redirect("deal", str(code))
    game = tables.game_by_code(code.text)
    if game is None:
        error = _("There is no game with the code %(code)s.") % {"code": code}
        return render(request, "find.html", {"text": text, "error": error}, status=404)
    return redirect(game)


def _not_found(request: HttpRequest, text: str, error: CodeError) -> HttpResponse:
    context = {"text": text[:300], "error": _(error.sentence) % error.params}
    return render(request, "find.html", context, status=404)
