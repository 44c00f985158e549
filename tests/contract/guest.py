"""Somebody who plays through the proxy while processes come and go."""

from __future__ import annotations

import json
import secrets
import threading
from contextlib import closing, suppress
from http.client import HTTPConnection, HTTPSConnection
from typing import Any
from urllib.parse import urlencode

from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from tests.contract.machine import NAME, Machine
from tests.server.watching import moves_in
from tests.services import wait_until


class Guest:
    """A guest with a running game, who plays through the proxy and sends again whatever was not answered."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.cookies: dict[str, str] = {}
        self.accepted: list[str] = []
        self.told: dict[str, Any] = {}
        self._ask("GET", "/accounts/login/")
        place = self._ask("POST", "/accounts/guest/", rules="simple-simon", suits="1")
        self.code = place.rstrip("/").rsplit("/", 1)[1]
        self._may_end = threading.Event()
        self._thread = threading.Thread(target=self._play)
        self.trouble: Exception | None = None

    def _ask(self, method: str, path: str, **fields: str) -> str:
        headers = {"Cookie": self._cookie, "Origin": f"https://{NAME}", "Referer": f"https://{NAME}/"}
        body = None
        if method == "POST":
            fields["csrfmiddlewaretoken"] = self.cookies["csrftoken"]
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            body = urlencode(fields)
        with closing(HTTPSConnection(NAME, context=self.machine.trust)) as connection:
            connection._create_connection = lambda *_: self.machine.connection()  # type: ignore[attr-defined]
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            answer.read()
            assert answer.status in (200, 302), answer.status
            for name, value in answer.getheaders():
                if name.lower() == "set-cookie":
                    key, _, text = value.partition(";")[0].partition("=")
                    self.cookies[key] = text
            return answer.getheader("Location") or ""

    @property
    def _cookie(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self.cookies.items())

    def __enter__(self) -> Guest:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._may_end.set()
        self._thread.join(60)

    def _play(self) -> None:
        wanted: str | None = None
        try:
            while not self._may_end.is_set():
                with (
                    suppress(ConnectionClosed, InvalidHandshake, OSError, TimeoutError),
                    self._socket() as table,
                ):
                    while not self._may_end.is_set():
                        # Kept until it is answered: an answer that is lost is asked for again.
                        wanted = wanted or secrets.token_hex(8)
                        self._move(table, wanted)
                        wanted = None
                self._may_end.wait(0.05)
        except Exception as error:
            self.trouble = error

    def _socket(self) -> ClientConnection:
        return connect(
            f"wss://{NAME}/ws/game/{self.code}/?v=1",
            sock=self.machine.connection(),
            ssl=self.machine.trust,
            origin=Origin(f"https://{NAME}"),
            additional_headers={"Cookie": self._cookie},
        )

    def _move(self, table: ClientConnection, wanted: str) -> None:
        """Plays one move and waits until it is answered and shown."""
        if not self.told or self.told["socket"] is not table:
            welcome = json.loads(table.recv(timeout=20))
            if welcome["type"] == "bye":
                raise TimeoutError
            self.told = {"socket": table, **welcome["snapshot"]}
        command = "undo" if self.told["seq"] % 2 else next(moves_in(self.told))
        message = {"type": "play", "id": wanted, "seq": self.told["seq"], "command": command}
        table.send(json.dumps(message))
        while True:
            frame = json.loads(table.recv(timeout=20))
            if frame["type"] == "update":
                self.told |= frame
            elif frame["type"] == "bye":
                raise TimeoutError
            elif frame["type"] in ("accepted", "refused"):
                break
        assert frame["type"] == "accepted", frame
        if wanted not in self.accepted[-1:]:
            self.accepted.append(wanted)
        while self.told["seq"] < frame["seq"]:
            self.told |= {**json.loads(table.recv(timeout=20)), "type": ""}
        self._may_end.wait(0.05)

    def wait_for(self, moves: int) -> None:
        """Returns when so many more have been played, or none ever will."""
        count = len(self.accepted) + moves
        wait_until(lambda: len(self.accepted) >= count or self.trouble is not None, "moves")

    def log(self) -> list[str]:
        """The game's log as any program reads it."""
        with closing(HTTPConnection("127.0.0.1", int(self.machine.ports[0]), timeout=20)) as connection:
            connection.request("GET", f"/api/games/{self.code}", headers={"Host": NAME})
            return [entry["command"] for entry in json.loads(connection.getresponse().read())["log"]]
