"""A socket at a table: reads frames, has them done, sends the answers. It decides nothing.

There is no thread hop and no layer channel for a socket; what everybody gets comes from the hub.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections import deque
from contextlib import suppress
from typing import Any, Final

from channels.consumer import AsyncConsumer
from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext

from game import door, hub, logs, measures, wire
from game.actions.play import Refused, play
from game.codes import CodeError, parse_game_code
from game.database import DatabaseTrouble, read, write
from game.engine.games import rules_of
from game.limits import AT_SOCKETS
from game.presence import BROWSER_COOKIE, person_key
from game.seats import NOBODY, Seat, SessionOverError, find_seat, read_ticket
from game.selectors import tables
from game.sessions import SESSION_OVER
from game.sockets import Socket
from game.table import Table

logger = logging.getLogger(__name__)

Event = dict[str, Any]

MAX_WAITING: Final = 64
"""Commands of one socket that wait for their turn before its next frame is read."""
RETRY_MS: Final = 1000
BAD_ADDRESS: Final = wire.Bye(4001, "address", None)
NO_SUCH_GAME: Final = wire.Bye(4004, "game", None)
MALFORMED: Final = wire.Bye(4009, "malformed", None)
TOO_BIG: Final = wire.Bye(4009, "size", None)
BINARY: Final = wire.Bye(4009, "binary", None)
TOO_MANY: Final = wire.Bye(4029, "sockets", door.TOO_MANY_RETRY_MS)
TOO_MANY_CODES: Final = wire.Bye(4029, "codes", door.TOO_MANY_RETRY_MS)
TOO_FAST: Final = wire.Bye(4029, "rate", door.TOO_MANY_RETRY_MS)


class GoodBye(Exception):  # noqa: N818  # an end, and no error
    """The socket is to be closed, with these words."""

    def __init__(self, bye: wire.Bye) -> None:
        super().__init__(bye.reason)
        self.bye = bye


class Refuse(AsyncConsumer):
    """Any address that is no table's: the handshake is refused."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "websocket.close"})


class TableConsumer(AsyncConsumer):
    """One socket, from the handshake to the close."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        with logs.about_connection():
            await self._serve(scope, receive, send)

    async def _serve(self, scope: Any, receive: Any, send: Any) -> None:
        self.handshake: door.Scope = scope
        self.socket = Socket(scope, send)
        self.pace = door.Pace()
        self.taken: list[str] = []
        self.table: Table | None = None
        self.waiting: deque[wire.ClientMessage] = deque()
        self.worker: asyncio.Task[None] | None = None
        self.hub = hub.here()
        if (await receive())["type"] != "websocket.connect":
            return
        await send({"type": "websocket.accept"})
        measures.opened.inc()
        try:
            table = await self._sit_down()
            while (event := await receive())["type"] != "websocket.disconnect":
                await self._take(table, event)
        except GoodBye as end:
            await self.socket.close(end.bye)
        except (DatabaseTrouble, TimeoutError):
            measures.database_troubles.inc()
            logger.warning("A socket could not be served: the database does not answer", exc_info=True)
            await self.socket.close(_come_back("unavailable"))
        except Exception:
            logger.exception("A socket came to an unforeseen end")
            await self.socket.close(_come_back("error"))
        finally:
            self._stand_up()

    async def _sit_down(self) -> Table:
        """Finds out who comes to which table; returns when they have been welcomed."""
        socket = self.socket
        try:
            query = door.read_query(self.handshake["query_string"])
        except door.BadQueryError:
            raise GoodBye(BAD_ADDRESS) from None
        socket.lang = query.lang
        address = door.address_of(self.handshake)
        await self._take_place(f"address {address}", door.SOCKETS_AN_ADDRESS)
        try:
            socket.seat = await self._seat(query.ticket)
        except SessionOverError:
            raise GoodBye(SESSION_OVER) from None
        if socket.seat.user_id is not None:
            await self._take_place(f"account {socket.seat.user_id}", door.SOCKETS_AN_ACCOUNT)
        if AT_SOCKETS.wait_s(address):
            raise GoodBye(TOO_MANY_CODES)
        code = self.handshake["url_route"]["kwargs"]["code"]
        with suppress(CodeError):
            logs.about_game(parse_game_code(code).text)
        key = await self.hub.reads.get(("key", code), tables.key_of, code)
        if key is None:
            AT_SOCKETS.count(address)
            raise GoodBye(NO_SUCH_GAME)
        socket.role = "player" if socket.seat.user_id == key.player_id else "spectator"
        socket.person = person_key(socket.seat.user_id, door.cookie(self.handshake, BROWSER_COOKIE))
        self.table = self.hub.register(key, socket)
        logger.debug("A %s sits down", socket.role)
        await self.hub.welcome(self.table, socket, query.since, query.epoch)
        return self.table

    async def _take_place(self, key: str, limit: int) -> None:
        if not await self.hub.places.take(key, limit):
            raise GoodBye(TOO_MANY)
        self.taken.append(key)

    async def _seat(self, ticket: str) -> Seat:
        """A ticket saves the look-up where it and the cookie agree; where not, the cookie counts."""
        session_key = door.cookie(self.handshake, settings.SESSION_COOKIE_NAME)
        known = read_ticket(ticket) if ticket else None
        if not session_key:
            return known or NOBODY
        if known is not None and known.session_key == session_key:
            return known
        return await read(find_seat, session_key)

    def _stand_up(self) -> None:
        self.socket.drop()
        logger.debug("The socket is closed: %s", self.socket.code)
        if self.table is not None:
            self.hub.leave(self.table, self.socket)
        if self.worker is not None:
            self.worker.cancel()
        self.hub.places.leave(self.taken)

    async def _take(self, table: Table, event: Event) -> None:
        """Lets a frame in, or answers at once why not."""
        if not self.socket.is_open:
            return
        now = self.hub.loop.time()
        if self.pace.is_flood(now):
            raise GoodBye(TOO_FAST)
        text = event.get("text")
        if text is None:
            raise GoodBye(BINARY)
        if len(text) > wire.MAX_FRAME_BYTES or len(text.encode()) > wire.MAX_FRAME_BYTES:
            raise GoodBye(TOO_BIG)
        try:
            message = wire.decode_client(text)
        except wire.MalformedMessageError as error:
            self._refuse(table, error.id, Refused("malformed"))
            if self.pace.is_beyond_patience(now):
                raise GoodBye(MALFORMED) from None
            return
        command_id = message.id if isinstance(message, wire.Play) else None
        if not door.is_well_formed(message):
            self._refuse(table, command_id, Refused("malformed"))
        elif wait_ms := self.pace.wait_ms(now):
            self._refuse(table, command_id, Refused("too_fast"), wait_ms)
            if self.pace.is_stubborn(now):
                raise GoodBye(TOO_FAST)
        else:
            await self._queue(table, message)

    async def _queue(self, table: Table, message: wire.ClientMessage) -> None:
        self.waiting.append(message)
        if self.worker is None:
            self.worker = asyncio.create_task(self._work(table))
        if len(self.waiting) >= MAX_WAITING:
            await asyncio.wait([self.worker])

    async def _work(self, table: Table) -> None:
        """Does what waits, in order; ends when nothing does."""
        try:
            while self.waiting and self.socket.is_open:
                message = self.waiting.popleft()
                try:
                    if isinstance(message, wire.Play):
                        await self._play(table, message)
                    else:
                        await self.hub.sync(table, self.socket, message.since)
                except (DatabaseTrouble, TimeoutError):
                    measures.database_troubles.inc()
                    logger.warning("A message could not be answered: the database fails", exc_info=True)
                    command_id = message.id if isinstance(message, wire.Play) else None
                    self._refuse(table, command_id, Refused("unavailable"), RETRY_MS)
        except Exception:
            logger.exception("A message came to an unforeseen end")
            await self.socket.close(_come_back("error"))
        finally:
            self.worker = None

    async def _play(self, table: Table, message: wire.Play) -> None:
        is_given_up = False

        def tell(accepted: wire.Accepted) -> None:
            # After the answer that the database is not available nothing else may follow.
            if not is_given_up:
                self.socket.put(wire.encode(accepted))

        begun = time.perf_counter()
        try:
            outcome = await write(play, table.key, self.socket.seat, message, tell)
        except TimeoutError:
            is_given_up = True
            raise
        finally:
            measures.move_seconds.observe(time.perf_counter() - begun)
        if isinstance(outcome, wire.Accepted):
            if outcome.repeated:
                self.socket.put(wire.encode(outcome))
            return
        self._refuse(table, message.id, outcome, RETRY_MS if outcome.code == "unavailable" else None)
        if outcome.session_over:
            await self.socket.close(SESSION_OVER)

    def _refuse(
        self, table: Table, command_id: str | None, why: Refused, retry_ms: int | None = None
    ) -> None:
        measures.refusals.labels(why.code).inc()
        logger.debug("Refused: %s", why.code)
        with translation.override(self.socket.lang):
            text = gettext(rules_of(table.key.rules_slug).sentence(why.code))
        seq = table.head if why.seq is None else why.seq
        self.socket.put(wire.encode(wire.Refused(command_id, why.code, text, seq, retry_ms)))


def _come_back(reason: str) -> wire.Bye:
    """Sends a socket away for a moment; not all come back at once."""
    return wire.Bye(4012, reason, RETRY_MS + secrets.randbelow(2 * RETRY_MS))
