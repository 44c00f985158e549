"""Sockets end with the session that they came from, on a word or by themselves.

A doubt says that an account or a session has changed; a sweep asks after everybody now and then, for a
session that expired, a change made behind the site's back, or a word that was lost.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterable
from typing import Any, Final

from game import database, wire
from game.seats import Proof, Seat, ended_among
from game.sockets import Socket

logger = logging.getLogger(__name__)

SWEEP_SECONDS: Final = 1.5
SLOWEST_SWEEP_SECONDS: Final = 25.0
PEOPLE_A_SECOND: Final = 200
"""So many logged-in people sweeps ask after, however many there are."""
SESSION_OVER: Final = wire.Bye(4003, "session", None)

Spawn = Callable[[Coroutine[Any, Any, None]], asyncio.Task[None]]


class Sessions:
    """What the hub does about sessions. Moments are seconds of the loop's clock."""

    def __init__(self, sockets: Callable[[], list[Socket]], spawn: Spawn) -> None:
        self._sockets = sockets
        self._spawn = spawn
        self._proofs: dict[Seat, Proof] = {}
        self._sweep_at = 0.0

    def doubt(self, user_id: int | None, session_digest: str) -> None:
        """The sockets of this account or session are to be asked again."""
        asked = [
            socket
            for socket in self._sockets()
            if (user_id is not None and socket.seat.user_id == user_id)
            or (session_digest and socket.seat.session_digest == session_digest)
        ]
        if asked:
            self._spawn(self._check(asked))

    def tick(self, now: float) -> None:
        """Sweeps when it is time."""
        if now >= self._sweep_at:
            # A sweep that takes long is not overtaken by the next.
            self._sweep_at = now + SLOWEST_SWEEP_SECONDS
            self._spawn(self._sweep())

    async def _sweep(self) -> None:
        sockets = self._sockets()
        await self._check(sockets)
        people = {socket.seat for socket in sockets if socket.seat.user_id is not None}
        self._proofs = {seat: proof for seat, proof in self._proofs.items() if seat in people}
        pause = min(max(SWEEP_SECONDS, len(people) / PEOPLE_A_SECOND), SLOWEST_SWEEP_SECONDS)
        self._sweep_at = asyncio.get_running_loop().time() + pause

    async def _check(self, sockets: Iterable[Socket]) -> None:
        """Closes those whose session does not hold any more."""
        sockets = [socket for socket in sockets if socket.seat.user_id is not None]
        if not sockets:
            return
        try:
            ended = await database.read(ended_among, {socket.seat for socket in sockets}, self._proofs)
        except (database.DatabaseTrouble, TimeoutError) as error:
            logger.warning("Sessions could not be checked: %r", error)
            return
        for socket in sockets:
            if socket.seat in ended:
                await socket.close(SESSION_OVER)
