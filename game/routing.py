"""The addresses of sockets."""

from __future__ import annotations

from typing import Any, Final

from django.conf import settings
from django.urls import re_path

from game.consumers import Refuse, TableConsumer

_table: Final[Any] = TableConsumer.as_asgi()
_refuse: Final[Any] = Refuse.as_asgi()
_BASE: Final = f"(?:{settings.BASE_PATH}/)?" if settings.BASE_PATH else ""

websocket_urlpatterns: list[Any] = [
    re_path(rf"^{_BASE}ws/game/(?P<code>[^/]*)/$", _table),
    # Without this an unknown address would be an error of ours.
    re_path(r"", _refuse),
]
