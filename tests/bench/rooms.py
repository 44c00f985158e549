"""Servers without rules and without a database, for the benchmarks of fan-out alone.

``python -m tests.bench.rooms KIND PORT [REDIS_URL]``. ``naive`` is what the tutorial of Channels
leads to; ``hub`` is the product's hub in its server; ``fallback`` the same hub in daphne as it comes;
``sends`` sends and does nothing else.
A socket at ``/TABLE/watch`` gets whatever the one at ``/TABLE/play`` has sent: ``SIZE NUMBER`` makes an
update of that size.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any


def naive(redis_url: str) -> Any:
    """One group for each table, a dict through the layer, encoded anew for each spectator."""
    from channels.generic.websocket import AsyncJsonWebsocketConsumer

    from tests.bench import frames
    from tests.bench.crowd import READY

    class Naive(AsyncJsonWebsocketConsumer):
        async def connect(self) -> None:
            table, self.role = self.scope["path"].strip("/").split("/")
            self.group = f"table.{table}"
            if self.role == "watch":
                await self.channel_layer.group_add(self.group, self.channel_name)
            await self.accept()
            await self.send(text_data=READY)

        async def disconnect(self, code: int) -> None:
            if self.role == "watch":
                await self.channel_layer.group_discard(self.group, self.channel_name)

        async def receive(
            self, text_data: str | None = None, bytes_data: bytes | None = None, **kwargs: Any
        ) -> None:
            size, number = (text_data or "").split()
            data = json.loads(frames.text(size, int(number)))
            await self.channel_layer.group_send(self.group, {"type": "table.update", "data": data})

        async def table_update(self, event: dict[str, Any]) -> None:
            await self.send_json(event["data"])

    return Naive.as_asgi()


def with_hub(redis_url: str) -> Any:
    """The product's hub, sockets and relay."""
    from game import hub as hubs
    from game.selectors.tables import GameKey
    from game.sockets import Socket
    from tests.bench import frames
    from tests.bench.crowd import READY

    # There are no games to ask the database about.
    hubs.BEAT_SECONDS = 1e9  # type: ignore[misc]

    async def application(scope: dict[str, Any], receive: Any, send: Any) -> None:
        hub = hubs.here()
        table_number, role = scope["path"].strip("/").split("/")
        game = int(table_number) + 1
        await receive()
        await send({"type": "websocket.accept"})
        socket = Socket(scope, send)
        table = hub.register(GameKey(game, 0, ""), socket) if role == "watch" else None
        if table is not None:
            await hub.relay.join(f"game.{game}")
        socket.welcome(0, READY)
        while (event := await receive())["type"] == "websocket.receive":
            size, number = event["text"].split()
            hub.news(game, int(number), frames.text(size, int(number)))
        socket.drop()
        if table is not None:
            hub.leave(table, socket)

    return application


def main() -> None:
    """Serves until it is killed."""
    kind, port, redis_url = sys.argv[1], int(sys.argv[2]), "".join(sys.argv[3:4])
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    if redis_url:
        os.environ |= {"REDIS_URL": redis_url, "SECRET_KEY": "-", "ALLOWED_ORIGINS": "http://127.0.0.1"}
    import django

    django.setup()
    from daphne.server import Server as Stock

    from config.server import Server
    from game.management.start import bind
    from tests.bench import sends

    if kind == "sends":
        sends.serve(port)
        return
    application = naive(redis_url) if kind == "naive" else with_hub(redis_url)

    async def websockets_only(scope: dict[str, Any], receive: Any, send: Any) -> None:
        if scope["type"] == "websocket":
            await application(scope, receive, send)

    if kind == "hub":
        server = Server(websockets_only, bind("127.0.0.1", port), ready=lambda: None)
        server.ping_interval = server.ping_timeout = 3600
        server.run()
    else:
        backlog = os.environ.get("BACKLOG", "4096")
        Stock(
            websockets_only,
            endpoints=[f"tcp:port={port}:interface=127.0.0.1:backlog={backlog}"],
            ping_interval=3600,
            ping_timeout=3600,
        ).run()


if __name__ == "__main__":
    main()
