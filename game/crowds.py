"""Tells the sockets of a table who else watches, and the other processes who watches here."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final

from game import wire
from game.presence import Presence
from game.relay import EVERYBODY, Message, Relay
from game.sockets import Socket, to_each

CROWD_SECONDS: Final = 2.0
"""No socket is told of a change sooner after the last."""
PRESENCE_SECONDS: Final = 2.0
RENEW_SECONDS: Final = 15.0

SocketsOf = Callable[[int], Collection[Socket]]


class Crowds:
    """What the hub does about presence. Moments are seconds of the loop's clock."""

    def __init__(self, relay: Relay) -> None:
        self.presence = Presence()
        self._relay = relay
        self._texts: dict[int, str] = {}
        self._to_tell: set[int] = set()
        self._to_publish: set[int] = set()
        self._published_at = 0.0
        self._renewed_at = 0.0

    def start(self) -> None:
        """Asks the others whom they have."""
        self._relay.publish(EVERYBODY, "who", {})

    def enter(self, game_id: int, socket: Socket) -> None:
        """A socket opened; the player's own are not counted."""
        if socket.role != "player" and self.presence.enter(game_id, socket.person, socket.seat.name):
            self._to_publish.add(game_id)
            self._change(game_id)

    def leave(self, game_id: int, socket: Socket) -> None:
        """A socket that had entered closed."""
        if socket.role != "player" and self.presence.leave(game_id, socket.person):
            self._to_publish.add(game_id)
            self._change(game_id)

    def tell(self, game_id: int, socket: Socket, now: float) -> None:
        """Sends one socket who watches."""
        text = self._text(game_id)
        if socket.put(text):
            socket.crowd, socket.crowd_at = text, now

    def hear(self, message: Message, now: float) -> None:
        """Another process told whom it has."""
        if self.presence.lease(message["origin"], message["game"], message["people"], now):
            self._change(message["game"])

    def answer(self) -> None:
        """Another process asked whom this one has."""
        self._to_publish.update(self.presence.own_games())

    async def tick(self, sockets_of: SocketsOf, now: float) -> None:
        """Sends what is due."""
        for game_id in self.presence.expire(now):
            self._change(game_id)
        if now - self._renewed_at >= RENEW_SECONDS:
            self._renewed_at = now
            self._to_publish.update(self.presence.own_games())
        if self._to_publish and now - self._published_at >= PRESENCE_SECONDS:
            self._published_at = now
            for game_id in self._to_publish:
                fields = {"game": game_id, "people": self.presence.own(game_id)}
                self._relay.publish(EVERYBODY, "presence", fields)
            self._to_publish.clear()
        for game_id in list(self._to_tell):
            if await self._tell_all(game_id, sockets_of(game_id), now):
                self._to_tell.discard(game_id)

    async def _tell_all(self, game_id: int, sockets: Collection[Socket], now: float) -> bool:
        """Whether nobody has to wait for it any longer."""
        text = self._text(game_id)
        is_done = True

        def tell(socket: Socket) -> None:
            nonlocal is_done
            if socket.sent is None or socket.crowd == text:
                return
            if now - socket.crowd_at < CROWD_SECONDS:
                is_done = False
            elif socket.put(text):
                socket.crowd, socket.crowd_at = text, now

        await to_each(sockets, tell)
        return is_done and self._texts.get(game_id) is text

    def _change(self, game_id: int) -> None:
        self._texts.pop(game_id, None)
        self._to_tell.add(game_id)

    def _text(self, game_id: int) -> str:
        text = self._texts.get(game_id)
        if text is None:
            crowd = self.presence.crowd(game_id)
            text = self._texts[game_id] = wire.encode(wire.Crowd(len(crowd), crowd.names))
        return text

    def forget(self, game_id: int) -> None:
        """Nobody watches this game here any more."""
        self._texts.pop(game_id, None)
        self._to_tell.discard(game_id)
