"""Every address. Pages stand under a language prefix (none for English); programs' addresses never do."""

from __future__ import annotations

from django.conf.urls.i18n import i18n_patterns
from django.urls import include, path

urlpatterns = [
    *i18n_patterns(path("", include("game.urls")), prefix_default_language=False),
]
