"""What goes wrong, told in the house's manner."""

from __future__ import annotations

from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _


def _is_for_programs(request: HttpRequest) -> bool:
    return request.path_info.startswith("/api/")


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    if _is_for_programs(request):
        return JsonResponse({"error": "not found"}, status=404)
    sentence = exception.args[0] if exception.args and isinstance(exception.args[0], str) else ""
    return render(request, "404.html", {"sentence": sentence}, status=404)


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return render(request, "error.html", {"title": _("Not allowed")}, status=403)


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    if isinstance(exception, DisallowedHost):
        # No page can be drawn: none knows what its own address is.
        return HttpResponse("This site does not go by that name.\n", status=400, content_type="text/plain")
    return render(request, "error.html", {"title": _("This request cannot be read")}, status=400)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    sentence = _("The form was too old, or cookies are switched off. Go back, reload the page and try again.")
    return render(request, "error.html", {"title": _("Not sent"), "sentence": sentence}, status=403)


def server_error(request: HttpRequest) -> HttpResponse:
    # No context, no database: whatever broke may be needed for those.
    return HttpResponse(render_to_string("500.html"), status=500)
