"""The layer: of ten messages one is lost, one comes twice and one comes late."""

from __future__ import annotations

import asyncio
import random
from typing import Any, Final

from channels_redis.pubsub import RedisPubSubChannelLayer

PART: Final = 0.1
LATEST_SECONDS: Final = 1.0


class LossyLayer(RedisPubSubChannelLayer):  # type: ignore[misc]
    """Redis pub/sub as ever, on a bad day."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._late: set[asyncio.Task[None]] = set()

    async def group_send(self, group: str, message: Any) -> None:
        fate = random.random() // PART
        if fate == 0:
            return
        if fate == 1:
            await self._send(group, message)
        if fate == 2:
            task = asyncio.create_task(self._send_late(group, message))
            self._late.add(task)
            task.add_done_callback(self._late.discard)
            return
        await self._send(group, message)

    async def _send(self, group: str, message: Any) -> None:
        # The stock layer makes this method when it is asked for; `super` would find none.
        await self.__getattr__("group_send")(group, message)

    async def _send_late(self, group: str, message: Any) -> None:
        await asyncio.sleep(random.uniform(0, LATEST_SECONDS))
        await self._send(group, message)
