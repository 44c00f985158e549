"""Every address. Pages stand under a language prefix (none for English); programs' addresses never do."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.conf.urls.i18n import i18n_patterns
from django.urls import include, path

from game.admin import office
from game.urls import for_programs

urlpatterns: list[Any] = [
    *for_programs,
    *i18n_patterns(path("", include("game.urls")), prefix_default_language=False),
]
if settings.ADMIN:
    urlpatterns.insert(0, path("admin/", office.urls))

handler400 = "game.views.errors.bad_request"
handler403 = "game.views.errors.forbidden"
handler404 = "game.views.errors.not_found"
handler500 = "game.views.errors.server_error"
