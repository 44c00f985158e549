"""A client at a table, in the process of the test: speaks ASGI to the application itself."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any, Self
from urllib.parse import urlencode

from django.conf import settings

ids = count(1)
OURS = settings.ALLOWED_ORIGINS[0]


class Closed(Exception):  # noqa: N818
    """The socket was closed; ``code`` is None where the handshake was refused."""

    def __init__(self, code: int | None) -> None:
        super().__init__(code)
        self.code = code


class Client:
    """One socket. ``frames`` holds every frame so far, ``beat`` and ``crowd`` among them.

    With ``direct`` the application is offered the extension by which frames go straight to the socket;
    ``stuck`` is how many bytes that socket then pretends to hold back.
    """

    def __init__(
        self,
        code: str,
        *,
        cookies: dict[str, str] | None = None,
        origin: str | None = OURS,
        path: str | None = None,
        direct: bool = False,
        address: str = "127.0.0.1",
        query: str | None = None,
        **fields: object,
    ) -> None:
        headers = [] if origin is None else [(b"origin", origin.encode())]
        if cookies:
            text = "; ".join(f"{name}={value}" for name, value in cookies.items())
            headers.append((b"cookie", text.encode()))
        self.scope: dict[str, Any] = {
            "type": "websocket",
            "path": path or f"/ws/game/{code}/",
            "raw_path": b"",
            "query_string": (query if query is not None else urlencode({"v": 1, **fields})).encode(),
            "headers": headers,
            "client": [address, 40000],
            "subprotocols": [],
        }
        self.stuck = 0
        if direct:
            self.scope["extensions"] = {
                "tableau.frame": {
                    "send": self._arrive,
                    "offer": self._offer,
                    "buffered": lambda: self.stuck,
                }
            }
        self.frames: list[dict[str, Any]] = []
        self.texts: list[str] = []
        self.closed: asyncio.Future[int | None] = asyncio.get_running_loop().create_future()
        self.is_accepted = False
        self._read = 0
        self._news = asyncio.Event()
        self._to_app: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._app: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        # Only now are the folders there that it looks for.
        from config.asgi import application

        self._app = asyncio.create_task(application(self.scope, self._to_app.get, self._from_app))
        self._to_app.put_nowait({"type": "websocket.connect"})
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.leave()

    async def leave(self) -> None:
        """Closes the socket from the client's side; whatever the application raised comes out here."""
        if self._app is not None:
            app, self._app = self._app, None
            self._to_app.put_nowait({"type": "websocket.disconnect", "code": 1000})
            async with asyncio.timeout(5):
                await app

    async def _from_app(self, message: dict[str, Any]) -> None:
        if message["type"] == "websocket.accept":
            self.is_accepted = True
        elif message["type"] == "websocket.close":
            if not self.closed.done():
                self.closed.set_result(message.get("code") if self.is_accepted else None)
            self._news.set()
        else:
            self._arrive(message["text"])

    def _offer(self, text: str, limit: int) -> bool:
        if self.stuck > limit:
            return False
        self._arrive(text)
        return True

    def _arrive(self, text: str) -> None:
        assert not self.closed.done(), f"after the close: {text}"
        self.texts.append(text)
        self.frames.append(json.loads(text))
        self._news.set()

    # What the client does

    def send(self, message: object) -> None:
        """Sends a JSON frame; text goes as it is, bytes as a binary frame."""
        if isinstance(message, bytes):
            self._to_app.put_nowait({"type": "websocket.receive", "bytes": message})
        else:
            text = message if isinstance(message, str) else json.dumps(message)
            self._to_app.put_nowait({"type": "websocket.receive", "text": text})

    def play(self, command: str, seq: int | None = None, name: str | None = None) -> str:
        """Sends a command and returns its id; by default with the newest seq seen."""
        name = name or f"c{next(ids)}"
        self.send({"type": "play", "id": name, "seq": self.seq if seq is None else seq, "command": command})
        return name

    async def ask(self, command: str, seq: int | None = None, name: str | None = None) -> dict[str, Any]:
        """Plays a command and returns the answer to it."""
        wanted = self.play(command, seq, name)
        return await self.until(lambda frame: frame.get("id") == wanted)

    @property
    def seq(self) -> int:
        """The newest seq that was seen."""
        return max((seq_of(frame) for frame in self.frames), default=0)

    # What the client sees

    async def next(self, *types: str, seconds: float = 5) -> dict[str, Any]:
        """The next frame that was not read yet, of these types if any are given; raises `Closed`."""
        wanted = types or ("welcome", "snapshot", "update", "accepted", "refused", "bye")
        return await self.until(lambda frame: frame["type"] in wanted, seconds)

    async def until(self, holds: Callable[[dict[str, Any]], bool], seconds: float = 5) -> dict[str, Any]:
        """The next unread frame for which this holds; those before it count as read."""
        async with asyncio.timeout(seconds):
            while True:
                while self._read < len(self.frames):
                    frame = self.frames[self._read]
                    self._read += 1
                    if holds(frame):
                        return frame
                if self.closed.done():
                    raise Closed(self.closed.result())
                self._news.clear()
                await self._news.wait()

    async def bye(self, seconds: float = 5) -> tuple[dict[str, Any], int | None]:
        """The good-bye and the code of the close that follows."""
        frame = await self.next("bye", seconds=seconds)
        async with asyncio.timeout(seconds):
            return frame, await self.closed

    async def refused(self, command: str, seq: int | None = None, name: str | None = None) -> str:
        """Plays a command that must be refused and returns the code."""
        answer = await self.ask(command, seq, name)
        assert answer["type"] == "refused", answer
        return str(answer["code"])

    async def accepted(self, command: str, seq: int | None = None, name: str | None = None) -> int:
        """Plays a command that must be accepted and returns the seq of its event, once it was told."""
        answer = await self.ask(command, seq, name)
        assert answer["type"] == "accepted", answer
        await self.until(lambda frame: seq_of(frame) >= answer["seq"])
        return int(answer["seq"])

    def a_move(self) -> str:
        """Some move that is open in the newest state seen."""
        return next(moves_in(self.state))

    @property
    def state(self) -> dict[str, Any]:
        """The newest state seen."""
        states = [state for frame in self.frames for state in states_of(frame)]
        return max(states, key=lambda state: int(state["seq"]))

    async def silence(self, seconds: float = 0.2) -> list[dict[str, Any]]:
        """What came unread within this time, beats and crowds apart."""
        await asyncio.sleep(seconds)
        new = [frame for frame in self.frames[self._read :] if frame["type"] not in ("beat", "crowd")]
        self._read = len(self.frames)
        return new

    def of(self, kind: str) -> list[dict[str, Any]]:
        """All frames of a type so far."""
        return [frame for frame in self.frames if frame["type"] == kind]


def moves_in(state: dict[str, Any]) -> Iterator[str]:
    """Every move that is open in a state."""
    for source, targets in state["dests"].items():
        for target in targets:
            yield f"{source}-{target}"


def states_of(frame: dict[str, Any]) -> list[dict[str, Any]]:
    """The states that a frame tells of, oldest first."""
    if frame["type"] == "welcome":
        return [frame["snapshot"]] if "snapshot" in frame else list(frame["updates"])
    return [frame] if frame["type"] in ("snapshot", "update") else []


def seq_of(frame: dict[str, Any]) -> int:
    """The seq that a frame tells a table's state of; 0 for any other frame."""
    return max((int(state["seq"]) for state in states_of(frame)), default=0)
