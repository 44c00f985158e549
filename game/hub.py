"""Which sockets of this process watch which game, and what they are told.

One object for each event loop. Everything here runs on that loop; other threads hand over through
`broadcast`. A frame is one text for all who get it.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Collection, Coroutine
from typing import Any, Final

from channels.layers import BaseChannelLayer, get_channel_layer
from django.conf import settings

from game import database, measures, wire
from game.crowds import Crowds
from game.places import Places
from game.processes import Processes
from game.relay import EVERYBODY, PROBE, Message, Relay, group_of
from game.selectors import frames, tables
from game.sessions import Sessions
from game.sockets import Socket, to_each
from game.table import Table

logger = logging.getLogger(__name__)

TICK_SECONDS: Final = 0.25
BEAT_SECONDS: Final = 4.0
BEAT_SECONDS_FAILING: Final = 1.0
LAG_SECONDS: Final = 30.0
TOO_SLOW: Final = wire.Bye(4008, "slow", 1000)


class Hub:
    """All sockets of one event loop. ``layer`` is None where no other process can be reached."""

    def __init__(self, layer: BaseChannelLayer | None) -> None:
        self.loop = asyncio.get_running_loop()
        self.tables: dict[int, Table] = {}
        self.relay = Relay(layer, self._hear)
        self.crowds = Crowds(self.relay)
        self.places = Places(settings.REDIS_URL)
        self.processes = Processes(self.relay)
        self.sessions = Sessions(self._sockets, self.spawn)
        self.reads = database.SharedReads()
        self._tasks: set[asyncio.Task[None]] = set()
        self._beaten_at = self.loop.time()
        self._was_failing = False
        self._epoch: int | None = None
        self._unknown_kinds: set[str] = set()
        self._hearers: dict[str, Callable[[Message], None]] = {
            "news": lambda message: self._take(message["game"], message["seq"], message["text"]),
            "presence": lambda message: self.crowds.hear(message, self.loop.time()),
            "who": lambda message: self.crowds.answer(),
            "doubt": lambda message: self.sessions.doubt(message["user"], message["session"]),
            "figures": lambda message: self.processes.hear(message, self.loop.time()),
            PROBE: lambda message: None,
        }

    def start(self) -> None:
        """Begins to beat and to listen to other processes."""
        self.relay.start()
        self.crowds.start()
        self.spawn(self.places.run())
        self.spawn(self._tick_for_ever())

    async def stop(self) -> None:
        """Ends everything that `start` began; closes no socket."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.relay.stop()

    def soon(self, call: Callable[..., None], *arguments: Any) -> bool:
        """Has something done on the loop, from any thread, in order; whether the loop still runs."""
        try:
            self.loop.call_soon_threadsafe(call, *arguments)
        except RuntimeError:
            return False
        return True

    # Coming and going

    def register(self, key: tables.GameKey, socket: Socket) -> Table:
        """Lets a socket watch a game. What happens from now on is kept for it until it is welcomed."""
        table = self.tables.get(key.id)
        if table is None:
            table = self.tables[key.id] = Table(key)
        table.sockets.add(socket)
        measures.sockets.labels(socket.role).inc()
        measures.tables.set(len(self.tables))
        self.crowds.enter(key.id, socket)
        return table

    async def welcome(self, table: Table, socket: Socket, since: int | None, epoch: int | None) -> None:
        """Reads the game, after the socket was registered, and sends its first message.

        Raises what the database raises.
        """
        game_id = table.key.id
        await self.relay.join(group_of(game_id))
        read = await self.reads.get(
            ("welcome", game_id, since, epoch), frames.welcomes, game_id, since, epoch
        )
        table.heard_of(read.seq)
        socket.welcome(read.seq, read.player if socket.role == "player" else read.spectator)
        self.crowds.tell(game_id, socket, self.loop.time())

    def leave(self, table: Table, socket: Socket) -> None:
        """The socket is gone, whether or not it was welcomed."""
        game_id = table.key.id
        table.sockets.discard(socket)
        measures.sockets.labels(socket.role).dec()
        self.crowds.leave(game_id, socket)
        if not table.sockets:
            del self.tables[game_id]
            self.crowds.forget(game_id)
            self.relay.leave(group_of(game_id))
            measures.tables.set(len(self.tables))

    async def sync(self, table: Table, socket: Socket, since: int) -> None:
        """Answers what came after ``since``; never with something older than what was sent already."""
        while True:
            read = await self.reads.get(("sync", table.key.id, since), frames.missed, table.key.id, since)
            table.heard_of(read.seq)
            if read.seq >= (socket.sent or 0):
                break
        if read.seq > (socket.sent or 0):
            measures.gaps.inc()
        socket.told(read.seq)
        for text in read.texts:
            socket.put(text)

    # News

    def news(self, game_id: int, seq: int, text: str) -> None:
        """An event that this process stored."""
        self._take(game_id, seq, text)
        self.relay.publish(group_of(game_id), "news", {"game": game_id, "seq": seq, "text": text})

    def doubt(self, user_id: int | None, session_digest: str) -> None:
        """An account or a session changed: its sockets are asked again, here and elsewhere."""
        self.sessions.doubt(user_id, session_digest)
        self.relay.publish(EVERYBODY, "doubt", {"user": user_id, "session": session_digest})

    def _take(self, game_id: int, seq: int, text: str) -> None:
        table = self.tables.get(game_id)
        if table is not None and table.take(seq, text):
            table.fanning_out = self.spawn(table.fan_out())

    def _hear(self, message: Message) -> None:
        hearer = self._hearers.get(message["kind"])
        if hearer is not None:
            hearer(message)
        elif message["kind"] not in self._unknown_kinds:
            # A newer process speaks while this one still runs.
            self._unknown_kinds.add(message["kind"])
            logger.warning("Messages of the unknown kind %r are passed over", message["kind"])

    # What happens by itself

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Does something beside everything else, until it ends or the hub does."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _tick_for_ever(self) -> None:
        while True:
            due = self.loop.time() + TICK_SECONDS
            await asyncio.sleep(TICK_SECONDS)
            measures.loop_lag_seconds.observe(max(0.0, self.loop.time() - due))
            try:
                await self._tick(self.loop.time())
            except Exception:
                logger.exception("A tick of the hub failed; the next one comes")

    async def _tick(self, now: float) -> None:
        is_doubtful = self.relay.is_failing or self._was_failing
        if now - self._beaten_at >= (BEAT_SECONDS_FAILING if is_doubtful else BEAT_SECONDS):
            self._beaten_at = now
            # One more beat comes soon when the layer is back: it tells what was lost last.
            self._was_failing = self.relay.is_failing
            self.relay.nudge()
            self.spawn(self._beat())
        self.sessions.tick(now)
        self.processes.tick(now)
        await self.crowds.tick(self._sockets_of, now)
        for table in list(self.tables.values()):
            for socket in [socket for socket in table.sockets if socket.lagging_since is not None]:
                self.spawn(self._help(table, socket, now))

    def _sockets_of(self, game_id: int) -> Collection[Socket]:
        table = self.tables.get(game_id)
        return table.sockets if table is not None else ()

    def _sockets(self) -> list[Socket]:
        return [socket for table in self.tables.values() for socket in table.sockets]

    async def _beat(self) -> None:
        """Tells every socket the newest seq there is, from the database: what was lost is noticed by it.

        While the database does not answer, the newest that is known here is told: a socket without beats
        would count as lost, and all of them would come back at once to be told that nothing can be read.
        """
        if not self.tables:
            return
        try:
            self._epoch, heads = await database.read(_epoch_and_heads, list(self.tables))
        except (database.DatabaseTrouble, TimeoutError) as error:
            measures.database_troubles.inc()
            logger.warning("The database does not answer, beats tell what is known here: %r", error)
            heads = {game_id: table.head for game_id, table in self.tables.items()}
        if self._epoch is None:
            return
        epoch, now_ms = self._epoch, int(time.time() * 1000)
        for game_id, head in heads.items():
            table = self.tables.get(game_id)
            if table is None:
                continue
            table.heard_of(head)
            text = wire.encode(wire.Beat(head, epoch, now_ms))
            welcomed = [socket for socket in table.sockets if socket.sent is not None]
            await to_each(welcomed, Socket.put, text)

    async def _help(self, table: Table, socket: Socket, now: float) -> None:
        """Brings a socket that reads too slowly up to date, or sends it away."""
        if socket.has_caught_up():
            read = await self.reads.get(("snapshot", table.key.id), frames.snapshot, table.key.id)
            socket.catch_up(read.seq, read.texts[0])
        elif socket.lagging_since is not None and now - socket.lagging_since > LAG_SECONDS:
            await socket.close(TOO_SLOW)


def _epoch_and_heads(game_ids: list[int]) -> tuple[int, dict[int, int]]:
    return tables.epoch(), tables.heads(game_ids)


def shared_layer() -> BaseChannelLayer | None:
    """The layer that reaches other processes; the in-memory one reaches none."""
    return get_channel_layer() if settings.REDIS_URL else None


_hubs: Final[list[Hub]] = []


def running() -> Hub | None:
    """This process's hub, from any thread; None where no event loop serves."""
    return _hubs[-1] if _hubs and not _hubs[-1].loop.is_closed() else None


def here(*beside: Callable[[], Coroutine[Any, Any, None]]) -> Hub:
    """The hub of the running loop, started if there is none yet, and with it what is to run beside it."""
    current = running()
    if current is None or current.loop is not asyncio.get_running_loop():
        current = Hub(shared_layer())
        _hubs[:] = [current]
        current.start()
        for work in beside:
            current.spawn(work())
    return current


async def stop() -> None:
    """Ends the hub of this process."""
    current = running()
    _hubs.clear()
    if current is not None:
        await current.stop()


def watchers(game_id: int) -> int:
    """How many people watch a game, its player not counted, as far as this process knows."""
    current = running()
    return len(current.crowds.presence.crowd(game_id)) if current is not None else 0
