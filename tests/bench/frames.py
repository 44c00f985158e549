"""What is sent in the benchmarks of fan-out: a small update, and a real one as the product makes it."""

from __future__ import annotations

import json
from functools import cache
from typing import Any, Final

from game import wire
from game.engine.commands import parse_command
from game.engine.games import rules_of
from game.engine.line import Line
from game.engine.notation import parse_position
from game.selectors.tables import change
from tests.engine.cases import GOLDEN

FIRST_SEQ: Final = 100_000
"""Numbers of one length make frames of one length."""
_MARK: Final = 123_456_789
_SMALL: Final[dict[str, Any]] = {
    "n": _MARK,
    "table": "t0",
    "from": "T3",
    "to": "F1",
    "cards": ["QH", "JS"],
    "flip": "7C",
    "score": 120,
    "moves": 100,
    "status": "playing",
    "at": 1732960000.125,
    "by": "anna",
}


@cache
def _template(size: str) -> str:
    """``small`` (150 bytes), ``real`` (an update in the middle of a game), ``big`` (1.3 kB)."""
    if size == "small":
        return json.dumps(_SMALL, separators=(",", ":"))
    record = next(
        record
        for record in map(json.loads, (GOLDEN / "records.jsonl").read_text().splitlines())
        if record["options"] == {"suits": 4}
    )
    rules = rules_of(record["rules"])
    line = Line(rules, parse_position(record["deal"], rules.layout))
    for entry in record["log"][:20]:
        line.play(parse_command(entry["command"]))
    update = wire.update(change(rules, line.events[-1], line.standing, 0, 0))
    text = wire.encode(update).replace('"seq":20', f'"seq":{_MARK}', 1)
    return text if size == "real" else text[:-1] + ',"more":"' + "x" * (1300 - len(text)) + '"}'


def text(size: str, seq: int) -> str:
    """A frame, told apart by its number."""
    return _template(size).replace(str(_MARK), str(seq), 1)


@cache
def naive_length(size: str) -> int:
    """Bytes of the same frame as Django's and Channels' JSON writes it."""
    return len(json.dumps(json.loads(text(size, FIRST_SEQ))).encode())


@cache
def length(size: str) -> int:
    """Bytes of a frame without its header."""
    return len(text(size, FIRST_SEQ).encode())
