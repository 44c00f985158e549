"""What a player may ask for, and how it is written.

``t4x3-t7`` moves three cards, ``t4-f1`` one; ``draw``; ``send t4x3`` lets the rules choose the place;
``collect``; ``undo``; ``give_up``. Every command has one canonical text, and `parse_command` reads it back.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Move:
    """``count`` cards from the end of ``source`` to ``target``."""

    source: str
    count: int
    target: str

    def __str__(self) -> str:
        return f"{group_text(self.source, self.count)}-{self.target}"


@dataclass(frozen=True, slots=True)
class Send:
    """``count`` cards from the end of ``source`` to the place the rules choose (a double click)."""

    source: str
    count: int

    def __str__(self) -> str:
        return f"send {group_text(self.source, self.count)}"


@dataclass(frozen=True, slots=True)
class Draw:
    """The next card of the stock, or the waste turned over when the stock is empty."""

    def __str__(self) -> str:
        return "draw"


@dataclass(frozen=True, slots=True)
class Collect:
    """Every card that can go to the foundations (autoplay)."""

    def __str__(self) -> str:
        return "collect"


@dataclass(frozen=True, slots=True)
class Undo:
    """Take back the last step of the line."""

    def __str__(self) -> str:
        return "undo"


@dataclass(frozen=True, slots=True)
class GiveUp:
    """End the game unfinished."""

    def __str__(self) -> str:
        return "give_up"


RulesCommand = Move | Send | Draw | Collect
Command = RulesCommand | Undo | GiveUp

_PILE: Final = r"s|w|[tfc](?:0|[1-9][0-9]*)"
_GROUP: Final = rf"(?P<source>{_PILE})(?:x(?P<count>0|[1-9][0-9]*))?"
_MOVE: Final = re.compile(rf"{_GROUP}-(?P<target>{_PILE})")
_SEND: Final = re.compile(rf"send {_GROUP}")
_WORDS: Final[dict[str, Command]] = {str(word): word for word in (Draw(), Collect(), Undo(), GiveUp())}
# No pile holds this many cards: longer figures need not be read to be refused.
_TOO_MANY: Final = 10**6


class MalformedCommandError(ValueError):
    """The text is no command."""


def group_text(source: str, count: int) -> str:
    """``t4x3``, or ``t4`` for a single card."""
    return source if count == 1 else f"{source}x{count}"


def _count(digits: str | None) -> int:
    if digits is None:
        return 1
    return int(digits) if len(digits) < 7 else _TOO_MANY


def parse_command(text: str) -> Command:
    """The command of a text; raises `MalformedCommandError`.

    Reads the form only: whether the piles exist and hold so many cards is for the rules to say.
    """
    if (word := _WORDS.get(text)) is not None:
        return word
    if match := _MOVE.fullmatch(text):
        return Move(match["source"], _count(match["count"]), match["target"])
    if match := _SEND.fullmatch(text):
        return Send(match["source"], _count(match["count"]))
    raise MalformedCommandError("a command is written like t4x3-t7, send t4, draw, collect, undo or give_up")
