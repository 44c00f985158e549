"""How the processes of the site fare: each says so now and then, and whoever falls silent is forgotten."""

from __future__ import annotations

import socket
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.conf import settings

from game import measures
from game.relay import EVERYBODY, Message, Relay

TELL_SECONDS: Final = 10.0
SILENT_SECONDS: Final = 35.0
"""Whoever has not been heard of for so long is gone."""


@dataclass(frozen=True, slots=True)
class Process:
    """One process: where it listens, what it runs, since when (Unix time in s), and its figures."""

    name: str
    release: str
    since: float
    figures: Mapping[str, float]


_since: Final = time.time()


def this() -> Process:
    """The process one is in."""
    name = f"{socket.gethostname()}:{settings.PORT}"
    return Process(name, settings.RELEASE, _since, measures.figures())


class Processes:
    """What the hub knows of the others. Moments are seconds of the loop's clock."""

    def __init__(self, relay: Relay) -> None:
        self._relay = relay
        self._others: dict[str, tuple[Process, float]] = {}
        self._told_at = float("-inf")

    def hear(self, message: Message, now: float) -> None:
        """Another process told how it fares."""
        told = Process(message["name"], message["release"], message["since"], message["figures"])
        self._others[message["origin"]] = (told, now)

    def tick(self, now: float) -> None:
        """Says and forgets what is due."""
        if now - self._told_at >= TELL_SECONDS:
            self._told_at = now
            me = this()
            fields = {"name": me.name, "release": me.release, "since": me.since, "figures": dict(me.figures)}
            self._relay.publish(EVERYBODY, "figures", fields)
        for origin, (_, heard_at) in list(self._others.items()):
            if now - heard_at > SILENT_SECONDS:
                del self._others[origin]

    def all(self) -> list[Process]:
        """This process and those that were heard of, by name; from any thread."""
        others = [process for process, _ in dict(self._others).values()]
        return sorted([this(), *others], key=lambda process: process.name)
