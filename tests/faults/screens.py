"""Players and spectators over real sockets: they behave as browsers do, and write down what they see."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, Final, Self

from websockets import ConnectionClosed, Origin, WebSocketException
from websockets.asyncio.client import ClientConnection, connect

from tests.faults.history import Frame, History, states_in

SILENCE_SECONDS: Final = 15
STEADY_SECONDS: Final = 5
SLOWEST_SECONDS: Final = 20.0
GAP_SECONDS: Final = 0.3
ANSWER_SECONDS: Final = 120
FINAL: Final = (4001, 4003, 4004, 4009)


class Screen:
    """Somebody at a table who stays: comes back when the line is lost, and asks for what was missed.

    ``where`` gives the address (``ws://host:port``) of each attempt, ``patience`` is the longest pause
    between two of them in seconds. ``state`` is what is shown, ``closings`` the code of each close with its
    good-bye, ``away`` how many seconds each absence took until the next welcome, ``crowd`` the last word
    about who watches, ``connected_to`` the last address, and ``is_gone`` that it will not come back.
    """

    def __init__(
        self,
        history: History,
        who: str,
        *,
        game: str,
        where: Callable[[], str],
        origin: str,
        cookie: str = "",
        patience: float = SLOWEST_SECONDS,
    ) -> None:
        self.history = history
        self.who = who
        self.game = game
        self.where = where
        self.origin = Origin(origin)
        self.headers = {"Cookie": cookie} if cookie else {}
        self.patience = patience
        self.state: Frame = {"seq": -1}
        self.epoch = 1
        self.head = -1
        self.crowd: Frame = {}
        self.connected_to = ""
        self.away: list[float] = []
        self.closings: list[tuple[int | None, Frame | None]] = []
        self.is_gone = False
        self._lost_at: float | None = None
        self.socket: ClientConnection | None = None
        self.is_welcome = asyncio.Event()
        self.has_changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._sync: asyncio.Task[None] | None = None

    @property
    def seq(self) -> int:
        return int(self.state["seq"])

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._stay())
        await self.welcomed()
        return self

    async def __aexit__(self, *error: object) -> None:
        self.note("left", {})
        for task in (self._task, self._sync):
            if task is not None:
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task

    async def welcomed(self, seconds: float = 60) -> None:
        """Waits until the table is there."""
        async with asyncio.timeout(seconds):
            await self.is_welcome.wait()

    async def reaches(self, seq: int, seconds: float = 60) -> None:
        """Waits until this seq is shown; raises `TimeoutError`."""
        try:
            async with asyncio.timeout(seconds):
                while self.seq < seq:
                    self.has_changed.clear()
                    await self.has_changed.wait()
        except TimeoutError:
            raise TimeoutError(f"{self.who} is at {self.seq} and not at {seq}") from None

    def note(self, kind: Any, what: Frame) -> None:
        self.history.note(self.game, self.who, kind, what)

    async def say(self, message: Frame) -> None:
        """Sends a frame, if there is a line."""
        if self.socket is not None:
            self.note("sent", message)
            with suppress(ConnectionClosed):
                await self.socket.send(json.dumps(message))

    async def _stay(self) -> None:
        attempts = 0
        clock = asyncio.get_running_loop().time
        while not self.is_gone:
            opened = None
            try:
                async with asyncio.timeout(SILENCE_SECONDS):
                    socket = await connect(
                        self._address(),
                        origin=self.origin,
                        additional_headers=self.headers,
                        proxy=None,
                        compression=None,
                        ping_interval=None,
                        open_timeout=None,
                        close_timeout=0.5,
                        max_size=None,
                    )
                opened = clock()
                await self._follow(socket)
            except (OSError, WebSocketException, TimeoutError):
                # A refused or broken connection is what a browser learns no more about.
                pass
            if opened is not None and clock() - opened >= STEADY_SECONDS:
                attempts = 0
            bye = self.closings[-1][1] if opened is not None and self.closings else None
            await asyncio.sleep(pause_seconds(attempts, bye, self.patience))
            attempts += 1

    def _address(self) -> str:
        self.connected_to = self.where()
        address = f"{self.connected_to}/ws/game/{self.game}/?v=1"
        return address if self.seq < 0 else f"{address}&since={self.seq}&epoch={self.epoch}"

    async def _follow(self, socket: ClientConnection) -> None:
        bye: Frame | None = None
        self.socket = socket
        self.note("opened", {})
        try:
            while True:
                async with asyncio.timeout(SILENCE_SECONDS):
                    frame = self.history.read(str(await socket.recv()))
                self.note("got", frame)
                if frame["type"] == "bye":
                    bye = frame
                self._take(frame)
        finally:
            code = socket.close_code
            self.socket = None
            self.is_welcome.clear()
            self.note("closed", {"code": code})
            self.closings.append((code, bye))
            if self._lost_at is None:
                self._lost_at = asyncio.get_running_loop().time()
            self.is_gone = code in FINAL
            self._lose()
            with suppress(Exception):
                await asyncio.wait_for(socket.close(), 1)

    def _take(self, frame: Frame) -> None:
        kind = frame["type"]
        if kind == "welcome":
            self.epoch = frame["epoch"]
        for state in states_in(frame):
            self.head = max(self.head, state["seq"])
            is_next = kind == "snapshot" or "snapshot" in frame or state["seq"] == self.seq + 1
            if is_next and state["seq"] > self.seq:
                self.state = state
        if kind == "beat":
            self.head = max(self.head, frame["seq"])
        if kind == "crowd":
            self.crowd = frame
        self.has_changed.set()
        if kind == "welcome":
            if self._lost_at is not None:
                self.away.append(asyncio.get_running_loop().time() - self._lost_at)
                self._lost_at = None
            self.is_welcome.set()
        if kind in ("accepted", "refused"):
            self._answered(frame)
        if self.head > self.seq and (self._sync is None or self._sync.done()):
            self._sync = asyncio.create_task(self._ask_for_what_is_missing())

    async def _ask_for_what_is_missing(self) -> None:
        await asyncio.sleep(GAP_SECONDS)
        if self.head > self.seq:
            await self.say({"type": "sync", "since": self.seq})

    def _lose(self) -> None:
        """The line is gone."""

    def _answered(self, frame: Frame) -> None:
        """An answer came."""


def pause_seconds(attempts: int, bye: Frame | None, slowest: float) -> float:
    """How long to wait before the next attempt: the first time not at all, then longer and longer."""
    most = 0.0 if attempts == 0 else min(slowest, 0.5 * 2 ** min(attempts, 10))
    asked = 0.0 if bye is None else (bye["retry_ms"] or 0) / 1000 + random.random()
    return max(asked, most * (0.5 + random.random() / 2))


class Player(Screen):
    """The one who plays: each command is sent again under its id until it has an answer.

    ``took`` is how long each answer took from the first sending, in seconds; ``refusals`` are the codes of
    what was refused for good, and ``put_off`` counts the answers that asked for patience, by their code.
    """

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.took: list[float] = []
        self.refusals: list[str] = []
        self.put_off: dict[str, int] = {}
        self._count = 0
        self._waiting: dict[str, asyncio.Future[Frame | None]] = {}
        self._unsettled: dict[str, Frame] = {}

    async def play(self, command: str, name: str = "") -> Frame:
        """Plays a command and returns the answer that says what became of it."""
        self._count += 1
        name = name or f"{self.who}-{self._count}"
        message = {"type": "play", "id": name, "seq": max(self.seq, 0), "command": command}
        self._unsettled[name] = message
        return await self._ask(name, message)

    async def settle(self) -> None:
        """Asks again for what was given up while it was on its way, until there is an answer."""
        for name, message in list(self._unsettled.items()):
            await self._ask(name, message)

    async def _ask(self, name: str, message: Frame) -> Frame:
        loop = asyncio.get_running_loop()
        begun = loop.time()
        while True:
            await self.welcomed(ANSWER_SECONDS)
            future = self._waiting[name] = loop.create_future()
            await self.say(message)
            async with asyncio.timeout(ANSWER_SECONDS):
                answer: Frame | None = await future
            if answer is None:
                continue
            if answer["type"] == "refused" and answer["code"] in ("unavailable", "too_fast"):
                self.put_off[answer["code"]] = self.put_off.get(answer["code"], 0) + 1
                await asyncio.sleep(answer["retry_ms"] / 1000)
                continue
            self.took.append(loop.time() - begun)
            del self._unsettled[name]
            if answer["type"] == "refused":
                self.refusals.append(answer["code"])
            return answer

    async def move(self, choose: random.Random) -> Frame:
        """Plays some move or an undo, and waits until it is seen; the answer may be a refusal."""
        answer = await self.play(a_command(self.state, choose))
        await self.reaches(answer["seq"])
        return answer

    async def play_on(self, choose: random.Random, pause: float, count: int = 1 << 30) -> None:
        """Plays so many commands, a pause apart."""
        for _ in range(count):
            await self.move(choose)
            await asyncio.sleep(pause)

    def _lose(self) -> None:
        for future in self._waiting.values():
            if not future.done():
                future.set_result(None)

    def _answered(self, frame: Frame) -> None:
        future = self._waiting.get(frame["id"] or "")
        if future is not None and not future.done():
            future.set_result(frame)


def moves_in(state: Frame) -> Iterator[str]:
    """Every move that is open in a state."""
    for source, targets in state["dests"].items():
        for target in targets:
            yield "draw" if source == "s" else f"{source}-{target}"


def a_command(state: Frame, choose: random.Random) -> str:
    """Some move, and now and then an undo."""
    moves = list(moves_in(state))
    is_undo = "undo" in state["actions"] and (not moves or choose.random() < 0.25)
    return "undo" if is_undo else choose.choice(moves)
