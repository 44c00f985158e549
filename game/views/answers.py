"""Answers that several pages give: canonical addresses, limits told in words, where to go next."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

from game.addresses import true_address
from game.models import User

View = Callable[..., HttpResponse]


def canonical(request: HttpRequest, name: str, spelled: str, right: str) -> HttpResponse | None:
    """The redirect to the address with the right spelling, or None if one is there already."""
    if spelled == right:
        return None
    query = request.META.get("QUERY_STRING", "")
    return HttpResponsePermanentRedirect(reverse(name, args=[right]) + (f"?{query}" if query else ""))


def address_of(request: HttpRequest) -> str:
    """Where a request comes from, to count by."""
    return true_address(request.META.get("REMOTE_ADDR") or "", request.headers.get("X-Forwarded-For", ""))


def too_many(request: HttpRequest, template: str, context: dict[str, Any], *, retry_s: int) -> HttpResponse:
    """A page that says to wait, with 429 and when to come back."""
    answer = render(request, template, context, status=429)
    answer["Retry-After"] = str(retry_s)
    return answer


def next_address(request: HttpRequest) -> str:
    """Where to go afterwards: ``next`` if it is an address of this site, else home."""
    wanted = request.POST.get("next", request.GET.get("next", ""))
    is_ours = url_has_allowed_host_and_scheme(
        wanted, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return wanted if wanted and is_ours else reverse("home")


def person_of(request: HttpRequest) -> User | None:
    """Whoever is logged in."""
    return request.user if isinstance(request.user, User) else None


def shown_again(view: View) -> View:
    """Lets a browser without script come back to a form that was refused: what it may not keep it would have
    to send anew, and so it shows an error instead. Stands outside of ``never_cache``."""

    @wraps(view)
    def respond(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        answer = view(request, *args, **kwargs)
        if request.method == "POST" and answer.status_code == HTTPStatus.BAD_REQUEST:
            answer["Cache-Control"] = "private, no-cache"
        return answer

    return respond
