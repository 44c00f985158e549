"""A line between a browser and a server that is slow, torn, deaf or cut, as a test wants it."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final, Self

SLICE_BYTES: Final = 65_536


class Proxy:
    """Passes bytes on to a port of this machine. ``delay`` is in seconds each way; ``is_torn`` passes each
    byte by itself; while ``is_deaf`` nothing passes and nothing is closed.
    """

    def __init__(self, target: int, *, delay: float = 0.0, is_torn: bool = False) -> None:
        self.target = target
        self.delay = delay
        self.is_torn = is_torn
        self.cuts = 0
        self._hears = asyncio.Event()
        self._hears.set()
        self._lines: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server | None = None

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *error: object) -> None:
        assert self._server is not None
        self._server.close()
        self.cut()

    @property
    def address(self) -> str:
        assert self._server is not None
        return f"ws://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    @property
    def is_open(self) -> bool:
        """Whether anybody is connected."""
        return bool(self._lines)

    def cut(self) -> None:
        """Ends every line at once, without a word."""
        self.cuts += bool(self._lines)
        for writer in self._lines:
            writer.transport.abort()
        self._lines.clear()

    def stall(self) -> None:
        """Passes nothing on and closes nothing from now on."""
        self._hears.clear()

    def resume(self) -> None:
        """Passes on again, what was held back too."""
        self._hears.set()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            onward = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            writer.transport.abort()
            return
        ends = {writer, onward[1]}
        self._lines |= ends
        await asyncio.gather(self._pass(reader, onward[1]), self._pass(onward[0], writer))
        self._lines -= ends

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        loop = asyncio.get_running_loop()
        held: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()

        async def deliver() -> None:
            while True:
                due, data = await held.get()
                await asyncio.sleep(due - loop.time())
                await self._hears.wait()
                if not data:
                    break
                for piece in (data[n : n + 1] for n in range(len(data))) if self.is_torn else (data,):
                    writer.write(piece)
                await writer.drain()

        delivering = asyncio.create_task(deliver())
        with suppress(OSError):
            while data := await reader.read(SLICE_BYTES):
                held.put_nowait((loop.time() + self.delay, data))
        held.put_nowait((loop.time() + self.delay, b""))
        with suppress(OSError):
            await delivering
        writer.transport.abort()
