"""What is kept of whoever is logged in: told, handed out, deleted."""

from __future__ import annotations

import gzip
from io import BytesIO

from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from game.actions.accounts import NAME_KEPT_FOR, delete_account
from game.forms import DeletionForm
from game.limits import HOUR, MINUTE, may_export, may_log_in
from game.selectors.export import kept_of
from game.selectors.people import counts
from game.views.answers import address_of, person_of, shown_again, too_many


@never_cache
@login_required
@require_safe
def data(request: HttpRequest) -> HttpResponse:
    person = person_of(request)
    return render(request, "people/data.html", {"person": person, "counts": person and counts(person)})


@never_cache
@login_required
@require_safe
def export(request: HttpRequest) -> HttpResponse:
    """All of it as a file of JSON."""
    person = person_of(request)
    if person is None or not may_export(person.pk):
        sentence = _("That was asked for several times within an hour. Wait a while.")
        return too_many(
            request, "error.html", {"title": _("Too often"), "sentence": sentence}, retry_s=HOUR // 6
        )
    body = BytesIO()
    # Packed while it is put together: the games of a diligent player are many.
    with gzip.open(body, "wt", encoding="utf-8") as packed:
        for piece in kept_of(person):
            packed.write(piece)
    is_packed = "gzip" in request.headers.get("Accept-Encoding", "")
    content = body.getvalue() if is_packed else gzip.decompress(body.getvalue())
    answer = HttpResponse(content, content_type="application/json")
    if is_packed:
        answer["Content-Encoding"] = "gzip"
    answer["Content-Disposition"] = 'attachment; filename="tableau.json"'
    return answer


@shown_again
@never_cache
@sensitive_post_parameters()
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: HttpRequest) -> HttpResponse:
    person = person_of(request)
    form = DeletionForm(person, request.POST if request.method == "POST" else None)
    context = {"form": form, "person": person, "days": NAME_KEPT_FOR.days}
    if request.method == "POST" and person is not None:
        if not may_log_in(address_of(request)):
            return too_many(request, "people/delete.html", context | {"wait": True}, retry_s=MINUTE)
        if form.is_valid():
            delete_account(person)
            logout(request)
            sentence = _("What you played stays, under a name that says nothing about you.")
            return render(
                request, "error.html", {"title": _("Your account is deleted"), "sentence": sentence}
            )
    return render(request, "people/delete.html", context, status=400 if form.errors else 200)
