"""Games in play, of every kind there is, for Hypothesis to choose from."""

from __future__ import annotations

import json
from functools import cache
from typing import Any, Final

from hypothesis import strategies as st

from game.engine.commands import Collect, Command, Draw, Move, RulesCommand, Send, Undo, parse_command
from game.engine.deals import DealCode
from game.engine.games import GAMES
from game.engine.line import Line, Status
from game.engine.notation import parse_position
from game.engine.piles import Role
from game.engine.rules import Rules
from tests.engine.cases import GOLDEN
from tests.engine.tables import moves_from

games: Final = st.sampled_from(GAMES)
letters: Final = st.sampled_from("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
deal_codes: Final = games.flatmap(
    lambda rules: st.builds(
        DealCode,
        st.just(rules),
        st.sampled_from(sorted(rules.variants)),
        st.sampled_from(rules.code_letters).flatmap(
            lambda length: st.text(letters, min_size=length, max_size=length)
        ),
    )
)


@cache
def records(slug: str) -> list[dict[str, Any]]:
    """The recorded games of one kind."""
    lines = (GOLDEN / "records.jsonl").read_text().splitlines()
    return [record for record in map(json.loads, lines) if record["rules"] == slug]


@st.composite
def lines_in_play(draw: st.DrawFn) -> Line:
    """A game somewhere in play: from a fresh deal, or some way into a recorded game, then at random."""
    code = draw(deal_codes)
    line = Line(code.rules, code.deal())
    if draw(st.booleans()):
        record = draw(st.sampled_from(records(code.rules.slug)))
        line = Line(code.rules, parse_position(record["deal"], code.rules.layout))
        # Positions near the end are where rules meet; most of a random walk never comes there.
        for entry in record["log"][: len(record["log"]) - draw(st.integers(1, 30))]:
            line.play(parse_command(entry["command"]))
    for choice in draw(st.lists(st.integers(0, 10**6), max_size=25)):
        wander(line, choice)
    return line


def wander(line: Line, choice: int) -> None:
    """Plays one of the things a person may do here, now and then an undo."""
    open_to: list[Command] = [*legal_commands(line)]
    if choice % 7 == 0:
        open_to = [Undo()]
    elif choice % 11 == 0:
        open_to = [Collect()]
    if open_to:
        line.play(open_to[choice % len(open_to)])


def legal_commands(line: Line) -> list[RulesCommand]:
    """What the destinations offer, as commands."""
    if line.standing.status is not Status.PLAYING:
        return []
    return [*moves_from(line.rules, line.standing.position)]


def role_names(rules: Rules, role: Role) -> list[str]:
    return [pile.name for pile in rules.layout if pile.role is role]


def commands_of(rules: Rules) -> st.SearchStrategy[Command]:
    """Any command at all about the piles of a layout, sensible or not."""
    names = st.sampled_from([*(pile.name for pile in rules.layout), "t99", "c1", "s", "w"])
    counts = st.integers(0, 60)
    return st.one_of(
        st.builds(Move, names, counts, names),
        st.builds(Send, names, counts),
        st.sampled_from([Draw(), Collect(), Undo()]),
    )
