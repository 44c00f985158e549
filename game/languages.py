"""Which language a visitor gets. The address says it; a visitor's wish decides which address.

A wish is what was chosen here before, kept in a cookie, else what the browser asks for. Addresses without a
language are English and are what people pass on: a visitor from elsewhere who wishes another language is
led on to it. Who comes to a page from one of ours in another language has chosen it in the menu.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import Resolver404, resolve, reverse
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language, get_language_from_request, override

KEPT_FOR: Final = timedelta(days=365)


def address_in(request: HttpRequest, language: str) -> str | None:
    """The address of the page asked for in a language, its query kept; None where there is no page."""
    try:
        match = request.resolver_match or resolve(request.path_info)
    except Resolver404:
        return None
    with override(language):
        address = reverse(match.view_name, args=match.args, kwargs=match.kwargs)
    query = request.META.get("QUERY_STRING", "")
    return f"{address}?{query}" if query else address


class LanguageMiddleware:
    """Leads to the wished language, and keeps the one that was chosen. Stands after Django's own."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method != "GET" or "text/html" not in request.headers.get("Accept", ""):
            return self.get_response(request)
        shown, wished = get_language(), get_language_from_request(request)
        if shown == wished:
            return self.get_response(request)
        if _is_from_here(request):
            response = self.get_response(request)
            if shown and response.get("Content-Type", "").startswith("text/html"):
                _keep(response, shown)
            return response
        # What programs ask has the same address in every language, and is left alone.
        address = address_in(request, wished) if shown == settings.LANGUAGE_CODE else None
        if address is None or address == request.get_full_path():
            return self.get_response(request)
        response = HttpResponseRedirect(address)
        patch_vary_headers(response, ("Accept-Language", "Cookie"))
        return response


def _is_from_here(request: HttpRequest) -> bool:
    """Whether a link or a form of ours led here."""
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        return site == "same-origin"
    return request.headers.get("Referer", "").startswith(f"{request.scheme}://{request.get_host()}/")


def _keep(response: HttpResponse, language: str) -> None:
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        language,
        max_age=KEPT_FOR,
        secure=settings.SESSION_COOKIE_SECURE,
        samesite="Lax",
    )
