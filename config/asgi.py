"""What the server serves: pages to HTTP, tables to WebSocket."""

from __future__ import annotations

import asyncio
import os
from typing import Any, Final

from asgiref.sync import SyncToAsync, ThreadSensitiveContext
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
pages = get_asgi_application()

# These read the settings and the models, which are there only now.
from channels.routing import URLRouter  # noqa: E402

from game import door, hub  # noqa: E402
from game.actions import clock  # noqa: E402
from game.routing import websocket_urlpatterns  # noqa: E402

tables = URLRouter(websocket_urlpatterns)
PAGES_AT_ONCE: Final = 2
"""As many threads, each with a connection to the database, as pages may use; the rest wait for their turn."""
_turns: Final[asyncio.Queue[ThreadSensitiveContext]] = asyncio.Queue()
for _ in range(PAGES_AT_ONCE):
    _turns.put_nowait(ThreadSensitiveContext())


async def _page(scope: Any, receive: Any, send: Any) -> None:
    """Serves a page in one of the threads that are kept for pages.

    By itself Django makes a thread for each request, whose connection would live until it is collected.
    """
    turn = await _turns.get()
    before = SyncToAsync.thread_sensitive_context.set(turn)
    try:
        await pages(scope, receive, send)
    finally:
        SyncToAsync.thread_sensitive_context.reset(before)
        _turns.put_nowait(turn)


async def application(scope: Any, receive: Any, send: Any) -> None:
    """The ASGI application. A socket that another site's page opens is refused at the handshake."""
    # Pages tell tables what happened, so the hub runs from the first request on.
    hub.here(clock.watch)
    if scope["type"] == "http":
        await _page(scope, receive, send)
    elif scope["type"] == "websocket":
        if door.is_from_here(scope):
            await tables(scope, receive, send)
        else:
            await send({"type": "websocket.close"})
    else:
        raise ValueError(f"nothing here speaks {scope['type']}")
