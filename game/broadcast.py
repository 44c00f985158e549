"""What was committed, on its way to everybody; may be called from any thread.

Where this process has sockets its hub takes over, on the hub's event loop. Elsewhere, in a management
command, the message goes straight to the layer.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable
from typing import Any, Final

from game import hub
from game.relay import EVERYBODY, PATIENCE_SECONDS, group_of, letter

logger = logging.getLogger(__name__)

OUTSIDE: Final = ""
"""The origin of messages from a process without a hub."""


def soon(call: Callable[[], None]) -> None:
    """Has something done on the event loop, in order with what is announced; nothing without a hub."""
    here = hub.running()
    if here is not None:
        here.soon(call)


def announce(game_id: int, seq: int, text: str) -> None:
    """Tells everybody who watches a game of its event ``seq``; ``text`` is the frame."""
    here = hub.running()
    if here is None or not here.soon(here.news, game_id, seq, text):
        _publish(group_of(game_id), "news", {"game": game_id, "seq": seq, "text": text})


def doubt(*, user_id: int | None = None, session_digest: str = "") -> None:
    """Has all sockets of an account or a session asked again whether they may stay.

    Call it when the change is committed: the database decides.
    """
    here = hub.running()
    if here is None or not here.soon(here.doubt, user_id, session_digest):
        _publish(EVERYBODY, "doubt", {"user": user_id, "session": session_digest})


def _publish(group: str, kind: str, fields: dict[str, Any]) -> None:
    layer = hub.shared_layer()
    if layer is None:
        return
    message = letter(OUTSIDE, kind, fields)

    async def send() -> None:
        async with asyncio.timeout(PATIENCE_SECONDS):
            await layer.group_send(group, message)

    def run() -> None:
        try:
            asyncio.run(send())
        except Exception as error:  # the move is stored, whatever the layer says
            logger.warning("The channel layer fails, spectators get news by beats: %r", error)

    # A thread of its own, since this one may be running a loop.
    thread = threading.Thread(target=run, name="broadcast")
    thread.start()
    thread.join(PATIENCE_SECONDS)
