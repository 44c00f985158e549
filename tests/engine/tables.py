"""Positions and plays written short, for tests."""

from __future__ import annotations

from collections.abc import Iterable

from game.engine.cards import card
from game.engine.commands import Draw, Move, parse_command
from game.engine.games import rules_of
from game.engine.line import Event, Line, Standing, advance
from game.engine.piles import Role
from game.engine.position import Position
from game.engine.rules import Refusal, Rules

SIMPLE_SIMON = rules_of("simple-simon")


def run(suit: str, ranks: str) -> str:
    """Cards of one suit, as a pile's text: ``run("S", "KQ")`` is ``KS QS``."""
    return " ".join(rank + suit for rank in ranks)


TO_TWO = run("S", "KQJT98765432")
TO_ACE = f"{TO_TWO} AS"


def table(rules: Rules, **piles: str) -> Position:
    """A position from the piles that matter (``t1="KH QH"``); every other pile is empty."""
    unknown = set(piles) - {pile.name for pile in rules.layout}
    assert not unknown, f"no piles {unknown}"
    return Position({pile.name: tuple(map(card, piles.get(pile.name, "").split())) for pile in rules.layout})


def simon(**piles: str) -> Position:
    """A Simple Simon position."""
    return table(SIMPLE_SIMON, **piles)


def ask(rules: Rules, position: Position, command: str) -> tuple[Event, Standing] | Refusal:
    """What a fresh game at ``position`` answers to a command."""
    return advance(rules, Standing(position), parse_command(command), None)


def refused(rules: Rules, position: Position, command: str) -> str:
    """The code with which a command is refused."""
    outcome = ask(rules, position, command)
    assert isinstance(outcome, Refusal), f"{command} was accepted"
    return outcome.code


def done(rules: Rules, position: Position, command: str) -> Standing:
    """The standing after a command that must be accepted."""
    outcome = ask(rules, position, command)
    assert not isinstance(outcome, Refusal), f"{command}: {outcome}"
    return outcome[1]


def play_all(line: Line, commands: Iterable[str]) -> None:
    """Plays commands that must all be accepted."""
    for command in commands:
        outcome = line.play(parse_command(command))
        assert isinstance(outcome, Event), f"{command}: {outcome}"


def changed(before: Position, after: Position) -> dict[str, str]:
    """The piles that differ, as they lie after."""
    return {
        name: " ".join(card.text for card in cards) for name, cards in after.items() if cards != before[name]
    }


def moves_from(rules: Rules, position: Position) -> list[Move | Draw]:
    """What the destinations offer, as commands."""
    stock = [pile.name for pile in rules.layout if pile.role is Role.STOCK]
    return [
        Draw() if source in stock else move_of(f"{source}-{target}")
        for source, targets in rules.dests(position).items()
        for target in targets
    ]


def move_of(text: str) -> Move:
    """A move from its text."""
    move = parse_command(text)
    assert isinstance(move, Move)
    return move
