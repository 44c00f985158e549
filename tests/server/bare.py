"""The server around a bare application, for tests of the server alone.

``python -m tests.server.bare PORT [PING_INTERVAL PING_TIMEOUT]``, in seconds.

Every socket joins one room. A message is JSON: ``how`` ("frame": the extension, "send": plain ASGI), ``to``
("me" or "all"), ``texts`` (their sizes). Each text is ``<number>:xxx``, so that order and damage show.
``{"how": "buffered"}`` answers with the bytes waiting in the first socket of the room that still lives.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from config.server import FRAME_EXTENSION, Server
from game.management.start import bind

room: list[tuple[Any, Any]] = []


async def application(scope: dict[str, Any], receive: Any, send: Any) -> None:
    if scope["type"] == "http":
        body = b""
        while (message := await receive())["type"] == "http.request":
            body += message.get("body", b"")
            if not message.get("more_body"):
                break
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"%d" % len(body)})
        return
    me = (scope["extensions"][FRAME_EXTENSION], send)
    while (message := await receive())["type"] != "websocket.disconnect":
        if message["type"] == "websocket.connect":
            await send({"type": "websocket.accept"})
            room.append(me)
            continue
        asked = json.loads(message["text"])
        if asked["how"] == "buffered":
            await send({"type": "websocket.send", "text": str(room[0][0]["buffered"]())})
            continue
        for number, size in enumerate(asked["texts"]):
            text = f"{number}:".ljust(size, "x")
            for frames, plain in room if asked["to"] == "all" else [me]:
                if asked["how"] == "frame":
                    frames["send"](text)
                else:
                    await plain({"type": "websocket.send", "text": text})
    room.remove(me)


if __name__ == "__main__":
    port, *seconds = map(int, sys.argv[1:])
    server = Server(application, bind("127.0.0.1", port), ready=lambda: print("ready", flush=True))
    if seconds:
        server.ping_interval, server.ping_timeout = seconds
    server.run()
