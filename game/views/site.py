"""What browsers and robots ask of a site by fixed names: its icon, its manifest, what they may walk through,
and the script that says so when the site cannot be reached.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final, TypeVar

from django.conf import settings
from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.translation import override
from django.views.decorators.http import require_safe

A_DAY_S: Final = 24 * 3600
PAPER: Final = "#f1f3ee"
SHEET: Final = "#fbfcf9"
"""The light theme's page and bar."""
CLOSED: Final = (
    "login",
    "signup",
    "password",
    "guest",
    "logout",
    "history",
    "settings",
    "data",
    "export",
    "delete",
)
"""Pages in which there is nothing to find."""


Answer = TypeVar("Answer", bound=HttpResponseBase)


@require_safe
def favicon(request: HttpRequest) -> HttpResponseBase:
    """For whoever asks without having read a page."""
    answer = FileResponse(_file("static/img/favicon.ico").open("rb"), content_type="image/x-icon")
    return _kept(answer)


@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    """What the site is called and looks like on a home screen."""
    sign = {"src": static("img/sign.svg"), "type": "image/svg+xml", "sizes": "any"}
    masked = [
        {
            "src": static(f"img/icon-{size}.png"),
            "type": "image/png",
            "sizes": f"{size}x{size}",
            "purpose": "any maskable",
        }
        for size in (192, 512)
    ]
    home = reverse("home")
    told: dict[str, Any] = {
        "name": "Tableau",
        "short_name": "Tableau",
        "id": home,
        "start_url": home,
        "scope": home,
        "display": "standalone",
        "background_color": PAPER,
        "theme_color": SHEET,
        "icons": [sign, *masked],
    }
    return _kept(JsonResponse(told, content_type="application/manifest+json"))


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Everything may be read but what is somebody's own, and what programs ask."""
    closed = [f"{reverse('home')}api/"]
    for language, _name in settings.LANGUAGES:
        with override(language):
            closed += [reverse(name) for name in CLOSED]
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in closed)]
    return _kept(HttpResponse("\n".join([*lines, ""]), content_type="text/plain; charset=utf-8"))


@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """The script that answers when nothing else does. It stands here and not among the static files because
    it may speak only for what lies below its own address.
    """
    answer = HttpResponse(_file("static/js/offline.js").read_bytes(), content_type="text/javascript")
    patch_cache_control(answer, no_cache=True)
    return answer


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """What that script shows: a page that says that there is no connection."""
    return render(request, "offline.html")


def _file(path: str) -> Path:
    return Path(settings.FRONTEND) / path


def _kept(answer: Answer) -> Answer:
    patch_cache_control(answer, public=True, max_age=A_DAY_S)
    return answer
