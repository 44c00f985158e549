"""Frames that are no messages, of every kind."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any, Final

from tests.faults.raw import BINARY, TEXT

Bad = tuple[bytes, int]
"""A payload and the kind of its frame."""

GOOD: Final[list[dict[str, Any]]] = [
    {"type": "play", "id": "a", "seq": 0, "command": "undo"},
    {"type": "sync", "since": 0},
]
ODD: Final[list[Any]] = [
    None,
    True,
    False,
    -1,
    1.0,
    1.5,
    1e400,
    -1e400,
    float("nan"),
    10**30,
    2**53,
    "",
    " ",
    "x y",
    "ż",
    "\ud800",
    "\0",
    "x" * 65,
    [],
    {},
    [0],
    {"type": "sync"},
    "0",
    "undo",
]
LAYERS_TYPES: Final = [
    "tableau",
    "websocket.receive",
    "websocket.disconnect",
    "websocket.send",
    "websocket_connect",
    "http.request",
    "news",
    "presence",
    "who",
    "doubt",
    "probe",
    "welcome",
    "snapshot",
    "update",
    "beat",
    "bye",
]


def no_json(choose: random.Random) -> bytes:
    text = json.dumps(choose.choice(GOOD))
    return choose.choice(
        [text[: choose.randrange(len(text))], text + "}", "{", "}", "", " ", "undo", "\x00", "'a'"]
    ).encode()


def no_object(choose: random.Random) -> bytes:
    return json.dumps(choose.choice([None, 0, 1, "play", [], [GOOD[0]], True])).encode()


def deep(choose: random.Random) -> bytes:
    depth = choose.randrange(100, 1300)
    closed = "[" * depth + "]" * depth
    return choose.choice(
        ["[" * depth, '{"a":' * (depth // 2), f'{{"type":"sync","since":{closed}}}']
    ).encode()


def odd_field(choose: random.Random) -> bytes:
    message = dict(choose.choice(GOOD))
    name = choose.choice(sorted(message))
    right = [message[name]]
    if name == "command":
        # A text that is no command in a message that is one is refused by its id, and does not count.
        right += [value for value in ODD if isinstance(value, str)]
    if name == "id":
        right += ["0", "undo"]
    message[name] = choose.choice([value for value in ODD if value not in right])
    return json.dumps(message).encode()


def doubled_key(choose: random.Random) -> bytes:
    message = choose.choice(GOOD)
    name = choose.choice(sorted(message))
    extra = f', "{name}": {json.dumps(choose.choice([{}, [], None]))}' + "}"
    return (json.dumps(message)[:-1] + extra).encode()


def unknown_type(choose: random.Random) -> bytes:
    return json.dumps(
        {**choose.choice(GOOD), "type": choose.choice([*LAYERS_TYPES, "dance", "PLAY", ""])}
    ).encode()


def unknown_key(choose: random.Random) -> bytes:
    return json.dumps({**choose.choice(GOOD), choose.choice(["at_ms", "user", "__class__", "ż"]): 1}).encode()


def missing_key(choose: random.Random) -> bytes:
    message = dict(choose.choice(GOOD))
    del message[choose.choice(sorted(message))]
    return json.dumps(message).encode()


def huge_number(choose: random.Random) -> bytes:
    return f'{{"type":"sync","since":{choose.choice("123456789") * choose.randrange(17, 3000)}}}'.encode()


REFUSED: Final[list[Callable[[random.Random], bytes]]] = [
    no_json,
    no_object,
    deep,
    odd_field,
    doubled_key,
    unknown_type,
    unknown_key,
    missing_key,
    huge_number,
]
"""Each is answered with ``malformed``; the 20th ends the socket with 4009."""


def too_big(choose: random.Random) -> Bad:
    return b'"' + b"x" * choose.choice([4096, 5000, 60_000]) + b'"', TEXT


def binary(choose: random.Random) -> Bad:
    return choose.choice([b"", b"\0", json.dumps(GOOD[1]).encode(), choose.randbytes(300)]), BINARY


def huge(choose: random.Random) -> Bad:
    return b"x" * (2 << 20), TEXT


def bad_utf8(choose: random.Random) -> Bad:
    return choose.choice([b"\xff\xfe", b"\xc3(", b'"\xed\xa0\x80"']), TEXT


def reserved(choose: random.Random) -> Bad:
    return b"x", choose.choice([3, 7, 11, 0x41, 0x70 | TEXT])


ENDED: Final[list[Callable[[random.Random], Bad]]] = [too_big, binary, huge, bad_utf8, reserved]
"""Each ends the socket at once; the last three perhaps with a bare reset."""
