"""The addresses of the product with the operators' pages, whatever the set-up of the run."""

from __future__ import annotations

from typing import Any

from django.urls import path

from config import urls
from config.urls import handler400, handler403, handler404, handler500
from game.admin import office

__all__ = ["handler400", "handler403", "handler404", "handler500", "urlpatterns"]

_others = [pattern for pattern in urls.urlpatterns if getattr(pattern, "namespace", None) != "admin"]
urlpatterns: list[Any] = [path("admin/", office.urls), *_others]
