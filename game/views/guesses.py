"""Codes are what keeps a game to those who know it: who names many that are none has to wait."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext as _

from game.limits import ON_PAGES
from game.views.answers import address_of, too_many

View = Callable[..., HttpResponse]


def counts_guesses(view: View) -> View:
    """Counts the answers of a view that nothing was found; after too many it answers 429, found or not."""

    @wraps(view)
    def counting(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        address = address_of(request)
        if wait_s := ON_PAGES.wait_s(address):
            return _later(request, math.ceil(wait_s))
        try:
            answer = view(request, *args, **kwargs)
        except Http404:
            ON_PAGES.count(address)
            raise
        if answer.status_code == 404:
            ON_PAGES.count(address)
        return answer

    return counting


def _later(request: HttpRequest, retry_s: int) -> HttpResponse:
    if request.path_info.startswith("/api/"):
        answer = JsonResponse({"error": "too many codes that are none"}, status=429)
        answer["Retry-After"] = str(retry_s)
        return answer
    context = {
        "title": _("Too many codes"),
        "sentence": _("From here came very many codes that are none. Wait a minute and try again."),
    }
    return too_many(request, "error.html", context, retry_s=retry_s)
