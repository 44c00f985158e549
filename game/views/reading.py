"""Pages to read: the rules of each game, and the keys."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from game.engine.games import GAMES, UnknownRulesError, rules_of
from game.examples import example_of
from game.views import previews


@require_safe
def all_rules(request: HttpRequest) -> HttpResponse:
    return render(request, "rules/index.html", {"games": GAMES})


@require_safe
def rules(request: HttpRequest, slug: str) -> HttpResponse:
    try:
        found = rules_of(slug)
    except UnknownRulesError:
        raise Http404(_("There are no rules of this name here.")) from None
    context = {
        "rules": found,
        "example": example_of(found.slug),
        "preview": previews.of_rules(found),
    }
    # Written afresh in each language rather than translated sentence by sentence.
    page = f"rules/{get_language()}/{found.slug}.html"
    return render(request, page, context)


@require_safe
def keys(request: HttpRequest) -> HttpResponse:
    return render(request, "help.html")
