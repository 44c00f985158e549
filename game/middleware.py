"""What every page gets besides its own answer."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from game.presence import BROWSER_COOKIE, new_browser_cookie

KEPT_FOR: Final = timedelta(days=365)


class BrowserCookieMiddleware:
    """Gives each browser a signed random cookie, so that its tabs count as one person in a crowd.

    It says nothing about who somebody is, and is set with pages alone.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        is_page = response.get("Content-Type", "").startswith("text/html")
        if is_page and BROWSER_COOKIE not in request.COOKIES:
            response.set_cookie(
                BROWSER_COOKIE,
                new_browser_cookie(),
                max_age=KEPT_FOR,
                secure=settings.SESSION_COOKIE_SECURE,
                httponly=True,
                samesite="Lax",
            )
        return response
