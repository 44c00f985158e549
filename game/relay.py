"""What processes tell each other, through the channel layer: hints that there is news, never the truth.

One channel for the whole process, subscribed to a group for each game that is watched here. Publishing
holds nobody up: a message that cannot be delivered in time is dropped, and the beats heal what is lost.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final

from channels.layers import BaseChannelLayer

from game import measures

logger = logging.getLogger(__name__)

Message = Mapping[str, Any]

EVERYBODY: Final = "everybody"
"""The group of all processes."""
PROBE: Final = "probe"
"""The kind of a message that only its own sender listens for."""
MAX_WAITING: Final = 1024
PATIENCE_SECONDS: Final = 1.0
SUBSCRIBE_SECONDS: Final = 0.3


def group_of(game_id: int) -> str:
    """The group of a game; only internal ids make group names."""
    return f"game.{game_id}"


def letter(origin: str, kind: str, fields: Message) -> dict[str, Any]:
    """A message as it travels; ``type`` is what channel layers ask for."""
    return {"type": "tableau", "origin": origin, "kind": kind, **fields}


class Relay:
    """The process's end of the channel layer; without a layer it does nothing.

    ``is_failing`` from the first message that could not be published, or that this process did not hear back,
    until it hears itself again: only then does it hear the others too.
    """

    def __init__(self, layer: BaseChannelLayer | None, hear: Callable[[Message], None]) -> None:
        self.origin = secrets.token_hex(8)
        self.is_failing = False
        self._layer = layer
        self._hear = hear
        self._channel = ""
        self._wanted: dict[str, asyncio.Event] = {}
        self._subscribed: set[str] = set()
        self._is_heard = True
        self._waiting: deque[tuple[str, dict[str, Any]]] = deque(maxlen=MAX_WAITING)
        self._is_waiting = asyncio.Event()
        self._is_changed = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begins to publish and to listen; must be called on the event loop."""
        if self._layer is not None:
            self._want(EVERYBODY)
            self._tasks = [
                asyncio.create_task(self._publish_all(self._layer), name="relay publish"),
                asyncio.create_task(self._keep_subscribed(self._layer), name="relay subscribe"),
            ]

    async def stop(self) -> None:
        """Ends what `start` began."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def publish(self, group: str, kind: str, fields: Message) -> None:
        """Tells the other processes, soon and perhaps."""
        if self._layer is not None:
            self._waiting.append((group, letter(self.origin, kind, fields)))
            self._is_waiting.set()

    async def join(self, group: str) -> None:
        """Subscribes to a group; returns when that is done, or has taken too long and goes on behind."""
        if self._layer is None:
            return
        is_subscribed = self._want(group)
        if not is_subscribed.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(is_subscribed.wait(), SUBSCRIBE_SECONDS)

    def leave(self, group: str) -> None:
        """Ends a subscription, soon."""
        if self._wanted.pop(group, None) is not None:
            self._is_changed.set()

    def nudge(self) -> None:
        """Tries again what failed, and whether this process hears itself: called now and then."""
        if self._layer is None:
            return
        if self._subscribed != self._wanted.keys():
            self._is_changed.set()
        if not self._is_heard:
            self._note_trouble(TimeoutError("a message to all processes did not come back to its own"))
        self._is_heard = False
        self.publish(EVERYBODY, PROBE, {})

    def _want(self, group: str) -> asyncio.Event:
        is_subscribed = self._wanted.get(group)
        if is_subscribed is None:
            is_subscribed = self._wanted[group] = asyncio.Event()
            self._is_changed.set()
        return is_subscribed

    async def _publish_all(self, layer: BaseChannelLayer) -> None:
        while True:
            await self._is_waiting.wait()
            self._is_waiting.clear()
            while self._waiting:
                group, message = self._waiting.popleft()
                try:
                    async with asyncio.timeout(PATIENCE_SECONDS):
                        await layer.group_send(group, message)
                except Exception as error:  # a layer may raise anything
                    # What waits behind is old news by the time that the layer is back.
                    self._waiting.clear()
                    self._note_trouble(error)

    async def _keep_subscribed(self, layer: BaseChannelLayer) -> None:
        listener: asyncio.Task[None] | None = None
        try:
            while True:
                await self._is_changed.wait()
                self._is_changed.clear()
                try:
                    if listener is None:
                        async with asyncio.timeout(PATIENCE_SECONDS):
                            self._channel = await layer.new_channel()
                        listener = asyncio.create_task(self._listen(layer), name="relay listen")
                    await self._subscribe(layer)
                except Exception as error:
                    self._note_trouble(error)
        finally:
            if listener is not None:
                listener.cancel()
                await asyncio.gather(listener, return_exceptions=True)

    async def _subscribe(self, layer: BaseChannelLayer) -> None:
        for group in list(self._wanted.keys() - self._subscribed):
            async with asyncio.timeout(PATIENCE_SECONDS):
                await layer.group_add(group, self._channel)
            self._subscribed.add(group)
        for group, is_subscribed in self._wanted.items():
            if group in self._subscribed:
                is_subscribed.set()
        for group in list(self._subscribed - self._wanted.keys()):
            self._subscribed.discard(group)
            async with asyncio.timeout(PATIENCE_SECONDS):
                await layer.group_discard(group, self._channel)

    async def _listen(self, layer: BaseChannelLayer) -> None:
        while True:
            message = await layer.receive(self._channel)
            if message.get("origin") == self.origin:
                if message.get("kind") == PROBE:
                    self._is_heard = True
                    if self._subscribed == self._wanted.keys():
                        self._note_health()
                continue
            try:
                self._hear(message)
            except Exception:
                logger.exception("A message of another process could not be used")

    def _note_trouble(self, error: Exception) -> None:
        if not self.is_failing:
            logger.warning("The channel layer fails, spectators get news by beats: %r", error)
            measures.layer_outages.inc()
            measures.layer_up.set(0)
        self.is_failing = True

    def _note_health(self) -> None:
        if self.is_failing:
            logger.warning("The channel layer works again")
            measures.layer_up.set(1)
        self.is_failing = False
