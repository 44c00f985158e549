"""Worked examples for the pages of rules: games told move by move, from a start and commands kept in a file.

``frontend/examples/<slug>.json`` holds ``position``, the start as the engine writes it, and ``line``, the
commands. All else is the engine's answer to these, so that an example cannot show what the rules forbid.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import msgspec
from django.conf import settings

from game import wire
from game.engine.cards import Card
from game.engine.commands import Move, parse_command
from game.engine.games import rules_of
from game.engine.line import Line
from game.engine.notation import parse_position
from game.engine.position import Position
from game.engine.rules import Refusal

PIPS: Final = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


@dataclass(frozen=True, slots=True)
class Told:
    """One move of an example as a line of text: the command, and the cards it is about."""

    command: str
    cards: str


@dataclass(frozen=True, slots=True)
class Example:
    """``boot`` is what the browser steps through; ``line`` the same for those who read."""

    boot: dict[str, Any]
    line: tuple[Told, ...]


@cache
def example_of(slug: str) -> Example:
    """The worked example of a game; `ValueError` if the file holds a move that its rules refuse."""
    rules = rules_of(slug)
    written = json.loads((settings.FRONTEND / f"examples/{slug}.json").read_text())
    line = Line(rules, parse_position(written["position"], rules.layout))
    start = _shown(line)
    changes, told = [], []
    for text in written["line"].split():
        before = line.standing.position
        event = line.play(parse_command(text))
        if isinstance(event, Refusal):
            raise ValueError(f"the example of {slug} has {text}, which is refused: {event.code}")  # noqa: TRY004
        changes.append(wire.change_of(_shown(line), event.command, event.effects))
        told.append(Told(event.command, _cards_of(before, parse_command(event.command))))
    boot = {"layout": wire.layout_info(rules.layout), "start": start, "updates": changes}
    return Example(msgspec.to_builtins(boot), tuple(told))


def _shown(line: Line) -> wire.State:
    """How the example stands. Nobody plays it, so where cards might go is left out."""
    state = wire.state_of(line.rules, line.standing, elapsed_ms=0, running=False)
    return msgspec.structs.replace(state, dests={}, actions=[])


def _cards_of(before: Position, command: object) -> str:
    """``Q♠ J♠ → K♠``; a longer run by its first and last card, and an empty place by nothing."""
    if not isinstance(command, Move):
        return ""
    cards = before[command.source][-command.count :]
    named = cards if len(cards) < 3 else (cards[0], cards[-1])
    run = (" … " if len(cards) > 2 else " ").join(map(_sign, named))
    under = before[command.target][-1:]
    return f"{run} → {_sign(under[0])}" if under else run


def _sign(card: Card) -> str:
    rank = "10" if card.text[0] == "T" else card.text[0]
    return rank + PIPS[card.suit]
