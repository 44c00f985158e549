"""Pages to read: the rules of each game, and the keys."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from game.engine.games import GAMES, UnknownRulesError, rules_of


@require_safe
def all_rules(request: HttpRequest) -> HttpResponse:
    return render(request, "rules/index.html", {"games": GAMES})


@require_safe
def rules(request: HttpRequest, slug: str) -> HttpResponse:
    try:
        found = rules_of(slug)
    except UnknownRulesError:
        raise Http404(_("There are no rules of this name here.")) from None
    return render(request, f"rules/{found.slug}.html", {"rules": found, "games": GAMES})


@require_safe
def keys(request: HttpRequest) -> HttpResponse:
    return render(request, "help.html")
