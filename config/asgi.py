"""What the server serves: pages to HTTP, tables to WebSocket."""

from __future__ import annotations

import os
from typing import Any

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
pages = get_asgi_application()

# These read the settings and the models, which are there only now.
from channels.routing import URLRouter  # noqa: E402

from game import door, hub  # noqa: E402
from game.actions import clock  # noqa: E402
from game.routing import websocket_urlpatterns  # noqa: E402

tables = URLRouter(websocket_urlpatterns)


async def application(scope: Any, receive: Any, send: Any) -> None:
    """The ASGI application. A socket that another site's page opens is refused at the handshake."""
    # Pages tell tables what happened, so the hub runs from the first request on.
    hub.here(clock.watch)
    if scope["type"] == "http":
        await pages(scope, receive, send)
    elif scope["type"] == "websocket":
        if door.is_from_here(scope):
            await tables(scope, receive, send)
        else:
            await send({"type": "websocket.close"})
    else:
        raise ValueError(f"nothing here speaks {scope['type']}")
