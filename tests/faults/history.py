"""What players and spectators sent and saw, in the order in which it happened."""

from __future__ import annotations

import json
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

Frame = dict[str, Any]
Kind = Literal["opened", "sent", "got", "closed", "left"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that happened to one screen. ``at`` is in seconds of a clock that never goes back.

    ``what`` is the frame that was sent or came; of a close ``{"code": ...}``; else ``{}``. Who has left
    did so of their own accord and saw no more.
    """

    at: float
    game: str
    who: str
    kind: Kind
    what: Frame


class History:
    """Everything that happened in an experiment."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self._read: dict[str, Frame] = {}

    def note(self, game: str, who: str, kind: Kind, what: Frame) -> None:
        """Writes down what happened just now."""
        self.entries.append(Entry(time.monotonic(), game, who, kind, what))

    def read(self, text: str) -> Frame:
        """The frame of a text; frames that many screens get are decoded once and share their memory."""
        frame = self._read.get(text)
        if frame is None:
            frame = self._read[text] = json.loads(text)
            if len(self._read) > 1000:
                del self._read[next(iter(self._read))]
        return frame

    def of(self, game: str) -> list[Entry]:
        """What happened at one table."""
        return [entry for entry in self.entries if entry.game == game]

    def save(self, path: Path) -> None:
        """Writes it to a file, an entry a line, for whoever looks into a failure."""
        with path.open("w") as file:
            for entry in self.entries:
                fields = (entry.at, entry.game, entry.who, entry.kind, entry.what)
                file.write(json.dumps(fields, ensure_ascii=False) + "\n")


def states_in(frame: Frame) -> list[Frame]:
    """The states that a frame tells of, oldest first."""
    if frame["type"] == "welcome":
        return [frame["snapshot"]] if "snapshot" in frame else list(frame["updates"])
    return [frame] if frame["type"] in ("snapshot", "update") else []


def sightings(entries: list[Entry]) -> Iterator[tuple[Entry, Frame]]:
    """Each state that was told, with when and to whom."""
    for entry in entries:
        if entry.kind == "got":
            for state in states_in(entry.what):
                yield entry, state


class Wait(NamedTuple):
    """That a screen waited for an event: since when, and how many seconds."""

    since: float
    seconds: float


def waits(entries: list[Entry]) -> dict[str, list[Wait]]:
    """For each screen of one table: how long after a command was accepted, or its update first seen
    anywhere, it showed that seq or a newer one. Waits that never ended are not among them.
    """
    born: dict[int, float] = {}
    found: dict[str, list[Wait]] = defaultdict(list)
    newest: dict[str, int] = {}
    for entry in entries:
        if entry.kind != "got":
            continue
        told = [state["seq"] for state in states_in(entry.what)]
        if entry.what["type"] == "accepted":
            born.setdefault(entry.what["seq"], entry.at)
        for seq in told:
            born.setdefault(seq, entry.at)
            seen = newest.setdefault(entry.who, seq)
            events = (born[n] for n in range(seen + 1, seq + 1) if n in born)
            found[entry.who] += [Wait(at, entry.at - at) for at in events]
            newest[entry.who] = max(seen, seq)
    return dict(found)


def worst(values: list[float], part: float = 0.99) -> float:
    """The value that so large a part of them does not exceed; 0 if there are none."""
    if not values:
        return 0.0
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))]
