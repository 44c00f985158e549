"""Plays to fill a database with: wins that were found beforehand, and aimless ones made up on the spot."""

from __future__ import annotations

import string
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final

from game.actions.population import Play
from game.engine.commands import Command, Draw, Undo, parse_command
from game.engine.deals import DealCode, parse_deal_code
from game.engine.games import GAMES
from game.engine.line import Line, Status
from game.engine.piles import Role
from game.engine.rules import Refusal, Rules

WON: Final = Path(__file__).with_name("won.txt")
"""Deal codes, each with commands that win it. A game of which there are none is played but never won."""
LONGEST_WALK: Final = 80
UNDOS: Final = 0.08
"""How often somebody without an aim takes the last action back."""
THOUGHT_MS: Final = (700, 6000)


def won_plays(random: Random) -> Iterator[Play]:
    """The wins in `WON`; raises `ValueError` if the rules do not allow one of them."""
    for text in WON.read_text().splitlines():
        name, _, commands = text.partition(": ")
        code = parse_deal_code(name, GAMES)
        line = Line(code.rules, code.deal())
        for command in map(parse_command, commands.split()):
            if isinstance(line.play(command), Refusal):
                raise ValueError(f"{code}: {command} is not legal")  # noqa: TRY004
        yield _recorded(code, line, random)


def walks(number: int, random: Random) -> Iterator[Play]:
    """About so many deals of the kinds in turn, each with legal actions taken at random."""
    kinds = [(rules, variant) for rules in GAMES for variant in rules.variants]
    for place in range(number):
        play = _walk(*kinds[place % len(kinds)], LONGEST_WALK, random, UNDOS)
        # There are deals without a single move.
        if play.events:
            yield play


def long_walk(length: int, random: Random) -> Play:
    """One play of so many actions; half of them are undos, so that it never comes to an end."""
    rules = GAMES[0]
    while True:
        play = _walk(rules, next(iter(rules.variants)), length, random, undos=0.5)
        if len(play.events) == length:
            return play


def _walk(rules: Rules, variant: str, length: int, random: Random, undos: float) -> Play:
    code = DealCode(rules, variant, "".join(random.choices(string.ascii_uppercase, k=rules.code_letters[-1])))
    line = Line(rules, code.deal())
    while len(line.events) < length and line.standing.status is Status.PLAYING:
        wants_back = line.standing.undoable and random.random() < undos
        command = Undo() if wants_back else _any_legal(line, random)
        if isinstance(line.play(command or Undo()), Refusal):
            break
    return _recorded(code, line, random)


def _any_legal(line: Line, random: Random) -> Command | None:
    offered = [
        (source, target)
        for source, targets in line.rules.dests(line.standing.position).items()
        for target in targets
    ]
    if not offered:
        return None
    source, target = random.choice(offered)
    is_stock = any(pile.name == source and pile.role is Role.STOCK for pile in line.rules.layout)
    return Draw() if is_stock else parse_command(f"{source}-{target}")


def _recorded(code: DealCode, line: Line, random: Random) -> Play:
    """The play of a line, at the pace of a person."""
    thoughts = [random.randint(*THOUGHT_MS) for _event in line.events[1:]]
    return Play(code, line.deal, tuple(line.events), tuple(thoughts))
