"""What every page gets besides its own answer."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from typing import Any, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from game import logs, measures
from game.codes import CodeError, parse_game_code
from game.presence import BROWSER_COOKIE, new_browser_cookie

KEPT_FOR: Final = timedelta(days=365)
FOR_MACHINES: Final = ("/healthz", "/readyz", "/metrics")

Respond = Callable[[HttpRequest], HttpResponse]


class MachinesMiddleware:
    """What watches the service asks a process by its address and knows no name of the site.

    So any ``Host`` will do for these paths; their answers do not show it.
    """

    def __init__(self, get_response: Respond) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info in FOR_MACHINES:
            request.META["HTTP_HOST"] = urlsplit(settings.ALLOWED_ORIGINS[0]).netloc
        return self.get_response(request)


class MeasuringMiddleware:
    """Counts and times the answers, and names the request and its game in what is logged meanwhile."""

    def __init__(self, get_response: Respond) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        begun = time.perf_counter()
        with logs.about_connection():
            response = self.get_response(request)
        measures.requests.labels(response.status_code).inc()
        measures.request_seconds.observe(time.perf_counter() - begun)
        return response

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: dict[str, Any]) -> None:
        """Called when it is known which page is asked for."""
        with suppress(CodeError):
            logs.about_game(parse_game_code(str(kwargs.get("code", ""))).text)


class BrowserCookieMiddleware:
    """Gives each browser a signed random cookie, so that its tabs count as one person in a crowd.

    It says nothing about who somebody is, and is set with pages alone.
    """

    def __init__(self, get_response: Respond) -> None:
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
