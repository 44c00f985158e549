"""What somebody prefers: a form that works without script, and that the table sends by itself."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from game.actions import people
from game.preferences import COOKIE, PREFERENCES, completed, write_cookie
from game.views.answers import person_of

A_YEAR_S = 365 * 24 * 3600


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def preferences(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return render(request, "people/settings.html")
    choices = completed({it.name: it.name in request.POST for it in PREFERENCES})
    player = person_of(request)
    if player is not None:
        people.prefer(player, choices)
    if "quiet" in request.POST:
        answer = HttpResponse(status=204)
    else:
        messages.success(request, _("Your settings are kept."))
        answer = redirect("settings")
    # A visitor's choices wait in the browser; they also hold there after a log-out.
    answer.set_cookie(
        COOKIE,
        write_cookie(choices),
        max_age=A_YEAR_S,
        secure=request.is_secure(),
        httponly=True,
        samesite="Lax",
    )
    return answer
