"""The server: daphne with a long queue at the door, bounded memory, shared frames and a polite end."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import signal
import socket
import sys
from collections.abc import Callable
from typing import Any, Final, cast

from daphne import server as stock
from daphne.http_protocol import HTTPFactory, WebRequest
from daphne.server import reactor, twisted_loop
from daphne.ws_protocol import WebSocketFactory, WebSocketProtocol
from django.conf import settings
from twisted.internet import defer
from twisted.logger import ILogObserver, STDLibLogObserver, globalLogBeginner
from twisted.web.http import HTTPChannel, _GenericHTTPChannelProtocol

from config import direct
from game.wire import MAX_FRAME_BYTES, Bye, encode

logger = logging.getLogger(__name__)

BACKLOG: Final = 4096
"""Connections that may wait to be accepted: a restart brings everybody back at once."""
SEND_BUFFER_BYTES: Final = 64 * 1024
"""Kept by the OS for each socket; a large one hides for long that somebody reads too slowly."""
MAX_BODY_BYTES: Final = 256 * 1024
"""No page takes more than a form."""
MAX_QUEUED: Final = 64
"""Messages of one socket that may wait for the application before reading from it pauses."""
PAUSE_SECONDS: Final = 0.05
FRAME_EXTENSION: Final = "tableau.frame"
HEADERS: Final = {
    b"content-security-policy": b"default-src 'none'; frame-ancestors 'none'",
    b"x-content-type-options": b"nosniff",
    b"x-frame-options": b"DENY",
    b"referrer-policy": b"same-origin",
    b"cross-origin-opener-policy": b"same-origin",
}

RESTART: Final = 4012
RETRY_MS: Final = 1000
RETRY_SPREAD_MS: Final = 5200
"""After a restart everybody comes back after `RETRY_MS` and a random part of this. The browser adds up to a
second of its own; all are back within 8 s."""
DRAIN_SECONDS: Final = 3
LAST_CALL_SECONDS: Final = 9


def own_headers() -> dict[bytes, bytes]:
    """What stands on each answer that the server itself gives: the same as Django gives to all else."""
    if not settings.SECURE_HSTS_SECONDS:
        return HEADERS
    lasting = f"max-age={settings.SECURE_HSTS_SECONDS}; includeSubDomains; preload"
    return HEADERS | {b"strict-transport-security": lasting.encode()}


class Channel(HTTPChannel):
    """One connection; what is no HTTP is refused with headers too."""

    def _respondToBadRequestAndDisconnect(self) -> None:
        fields = {b"connection": b"close", b"content-length": b"0", **own_headers()}
        lines = [b"HTTP/1.1 400 Bad Request", *(b": ".join(field) for field in fields.items())]
        channel: Any = self
        channel.transport.write(b"\r\n".join(lines) + b"\r\n\r\n")
        channel.loseConnection()


class Request(WebRequest):  # type: ignore[misc]
    """A request whose body is bounded: what is too much is read past and answered with 413."""

    is_too_big = False

    def handleContentChunk(self, data: bytes) -> None:
        if self.content.tell() + len(data) > MAX_BODY_BYTES:
            self.is_too_big = True
        else:
            super().handleContentChunk(data)

    def process(self) -> Any:
        if not self.is_too_big:
            return super().process()
        self.setHeader(b"connection", b"close")
        self.basic_error(413, b"Content Too Large", "The request is too large.")
        return None

    def basic_error(self, status: int, status_text: bytes, body: str) -> None:
        for name, value in own_headers().items():
            self.setHeader(name, value)
        super().basic_error(status, status_text, body)


class Socket(WebSocketProtocol):  # type: ignore[misc]
    """One WebSocket. `send_text`, `offer` and `buffered` are what the application gets as an extension."""

    # autobahn would copy three dozen options to each socket and format them for a log that nobody reads,
    # more than half of what a connection costs: the factory puts them on the class.
    CONFIG_ATTRS = ()
    is_paused = False

    def send_text(self, text: str) -> None:
        """Sends a text frame; the same object for many sockets costs one encoding. Nothing if not open."""
        self.offer(text, sys.maxsize)

    def offer(self, text: str, limit: int) -> bool:
        """Sends a text frame, unless more than ``limit`` bytes wait for the OS; whether it did."""
        transport = self.transport
        if self.state != self.STATE_OPEN:
            return True
        if direct.is_plain(transport):
            return direct.offer(transport, self.factory.shared.of(text), limit)
        self.sendMessage(text.encode())
        return True

    def buffered(self) -> int:
        """Bytes sent to this socket that the OS has not taken yet."""
        return direct.waiting(self.transport) if direct.is_plain(self.transport) else 0

    def serverSend(self, content: str | bytes, binary: bool = False) -> None:
        # Stock daphne raises into the application when the other side has just gone.
        if isinstance(content, str):
            self.send_text(content)
        elif self.state == self.STATE_OPEN:
            self.sendMessage(content, binary)

    def serverClose(self, code: int | None = None) -> None:
        super().serverClose(code)
        # Nobody will ask for what still waits; it would stay until the other side has closed too.
        while not self.application_queue.empty():
            self.application_queue.get_nowait()

    def onMessage(self, payload: bytes, is_binary: bool) -> None:
        if self.state != self.STATE_OPEN:
            return
        super().onMessage(payload, is_binary)
        # Nothing below bounds the queue to the application: a flood would fill the memory.
        is_much = len(payload) > MAX_FRAME_BYTES or self.application_queue.qsize() >= MAX_QUEUED
        if is_much and not self.is_paused:
            self.is_paused = True
            self.transport.pauseProducing()
            reactor.callLater(PAUSE_SECONDS, self._read_on)

    def onClose(self, was_clean: bool, code: int | None, reason: str | None) -> None:
        # A handshake that was refused for its form never came as far as the application.
        if hasattr(self, "server"):
            super().onClose(was_clean, code, reason)

    def _read_on(self) -> None:
        if self.application_queue.empty() or self.state != self.STATE_OPEN:
            self.is_paused = False
            self.transport.resumeProducing()
        else:
            reactor.callLater(PAUSE_SECONDS, self._read_on)

    def check_timeouts(self) -> None:
        # A second ping while one is unanswered would leave the first one's timer running for ever: it
        # would cut the socket although the answer came.
        if self.autoPingTimeoutCall is None:
            super().check_timeouts()

    def say_bye(self) -> None:
        """Tells the other side to come back in a while, and closes."""
        if self.state == self.STATE_OPEN:
            self.send_text(encode(Bye(RESTART, "restart", RETRY_MS + secrets.randbelow(RETRY_SPREAD_MS))))
            self.serverClose(RESTART)
        elif self.state == self.STATE_CONNECTING and hasattr(self, "handshake_deferred"):
            self.serverReject()


class _SocketFactory(WebSocketFactory):  # type: ignore[misc]
    protocol = Socket

    def __init__(self, server: Server) -> None:
        super().__init__(server, server="")
        self.shared = direct.SharedFrame()

    def setProtocolOptions(self, **options: Any) -> None:
        super().setProtocolOptions(**options)
        for name in WebSocketProtocol.CONFIG_ATTRS:
            option = getattr(self, name)
            setattr(self.protocol, name, staticmethod(option) if callable(option) else option)


class _HTTPFactory(HTTPFactory):  # type: ignore[misc]
    def protocol(self) -> Any:
        # As the stock one, around a channel of ours.
        return _GenericHTTPChannelProtocol(Channel())  # type: ignore[no-untyped-call]

    def buildProtocol(self, addr: Any) -> Any:
        protocol = super().buildProtocol(addr)
        protocol.requestFactory = Request
        return protocol


class Server(stock.Server):  # type: ignore[misc]
    """Serves an ASGI application on a bound socket until SIGTERM or SIGINT.

    In the scope of a WebSocket ``extensions["tableau.frame"]`` holds ``send(text)``, which sends a text
    frame at once, in order with everything sent before; ``offer(text, limit)``, which does so unless more
    than ``limit`` bytes are still waiting, and tells; and ``buffered()``, the bytes still waiting.
    """

    def __init__(self, application: Any, listener: socket.socket, *, ready: Callable[[], None]) -> None:
        super().__init__(
            application,
            endpoints=[listener],
            ready_callable=ready,
            http_timeout=60,
            ping_interval=20,
            ping_timeout=30,
            websocket_timeout=-1,
            server_name="",
        )

    def run(self) -> None:
        """Returns when everybody has been told good-bye."""
        self.connections: dict[Any, dict[str, Any]] = {}
        self.http_factory = _HTTPFactory(self)
        self.http_factory.timeOut = 20
        self.ws_factory = _SocketFactory(self)
        self.ws_factory.setProtocolOptions(
            autoPingTimeout=self.ping_timeout,
            allowNullOrigin=True,
            openHandshakeTimeout=self.websocket_handshake_timeout,
            closeHandshakeTimeout=DRAIN_SECONDS,
            maxMessagePayloadSize=self.websocket_max_message_size,
            maxFramePayloadSize=self.websocket_max_frame_size,
        )
        globalLogBeginner.beginLoggingTo(
            [cast(ILogObserver, STDLibLogObserver("twisted"))], redirectStandardIO=False, discardBuffer=True
        )
        # What a broken or hostile peer does is no news; what the house does wrong is.
        logging.getLogger("twisted").setLevel(logging.ERROR)
        asyncio.set_event_loop(twisted_loop)
        reactor.callLater(1, self.application_checker)
        reactor.callLater(2, self.timeout_checker)
        for listener in self.endpoints:
            # Accepted sockets take the buffer's size from the one that listens.
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
            listener.listen(BACKLOG)
            listener.setblocking(False)
            self.listeners.append(
                reactor.adoptStreamPort(listener.fileno(), listener.family, self.http_factory)
            )
            # The port has a copy; this one would keep the door open when the port closes.
            listener.close()
        reactor.addSystemEventTrigger("before", "shutdown", self.kill_all_applications)
        self.ready_callable()
        reactor.run()

    def create_application(self, protocol: Any, scope: dict[str, Any]) -> Any:
        if isinstance(protocol, Socket):
            frames = {"send": protocol.send_text, "offer": protocol.offer, "buffered": protocol.buffered}
            scope["extensions"] = {FRAME_EXTENSION: frames}
        return super().create_application(protocol, scope)

    def kill_all_applications(self) -> defer.Deferred[None]:
        # A second signal ends the process at once. If anything hangs, a thread in the database perhaps,
        # the OS does so in time.
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.alarm(LAST_CALL_SECONDS)
        return defer.Deferred.fromFuture(asyncio.ensure_future(self._drain()))

    async def _drain(self) -> None:
        """Closes the door, tells every socket to come back, lets what runs finish, then ends the rest."""
        for port in self.listeners:
            port.stopListening()
        sockets = [protocol for protocol in self.connections if isinstance(protocol, Socket)]
        for number, protocol in enumerate(sockets, 1):
            protocol.say_bye()
            if number % 64 == 0:
                await asyncio.sleep(0)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._idle(), DRAIN_SECONDS)
        rest = asyncio.all_tasks() - {asyncio.current_task()}
        for task in rest:
            task.cancel()
        if rest:
            await asyncio.wait(rest, timeout=DRAIN_SECONDS)
        logger.info("Said good-bye to %d sockets", len(sockets))

    async def _idle(self) -> None:
        # daphne keeps no event for this, only its table of connections.
        while self._is_busy():  # noqa: ASYNC110
            await asyncio.sleep(0.02)

    def _is_busy(self) -> bool:
        for details in self.connections.values():
            application = details.get("application_instance")
            if "disconnected" not in details or (application is not None and not application.done()):
                return True
        return False
