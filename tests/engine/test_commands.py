"""The command grammar: what is read, what is malformed, what is well-formed nonsense."""

from __future__ import annotations

import pytest

from game.engine.commands import (
    Collect,
    Command,
    Draw,
    GiveUp,
    MalformedCommandError,
    Move,
    Send,
    Undo,
    parse_command,
)
from tests.engine.tables import SIMPLE_SIMON, refused, simon

CANONICAL = {
    "t4x3-t7": Move("t4", 3, "t7"),
    "t4-f1": Move("t4", 1, "f1"),
    "w-t2": Move("w", 1, "t2"),
    "s-w": Move("s", 1, "w"),
    "c1-t10": Move("c1", 1, "t10"),
    "t10x52-t1": Move("t10", 52, "t1"),
    "draw": Draw(),
    "send t4x3": Send("t4", 3),
    "send w": Send("w", 1),
    "collect": Collect(),
    "undo": Undo(),
    "give_up": GiveUp(),
}


@pytest.mark.parametrize(("text", "command"), CANONICAL.items())
def test_a_canonical_text_is_its_command_and_back(text: str, command: Command) -> None:
    assert parse_command(text) == command
    assert str(command) == text


@pytest.mark.parametrize(("text", "canonical"), [("t4x1-t7", "t4-t7"), ("send t4x1", "send t4")])
def test_x1_is_understood_and_left_out_when_written(text: str, canonical: str) -> None:
    assert str(parse_command(text)) == canonical


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "T4-t7",
        "t4-T7",
        "Draw",
        "DRAW",
        "t04-t7",
        "t4-t07",
        "t4x03-t7",
        "t4 -t7",
        "t4- t7",
        " t4-t7",
        "t4-t7 ",
        "t4-t7\n",
        "draw\n",
        "send  t4",
        "send\tt4",
        "sendt4",
        "send",
        "send ",
        "send t4-t7",
        "t4",
        "t4x3",
        "t4-",
        "-t7",
        "t4-t7x3",
        "t4x-t7",
        "t4x-3-t7",
        "t4x+3-t7",
        "t4x1.0-t7",
        "t4x3-t7-t8",
        "t-t7",
        "t-1-t7",
        "s1-t2",
        "w2-t2",
        "x1-t2",
        "4-7",
        "t4–t7",
        "t４-t7",
        "t٤-t7",
        "t4\u00a0-t7",
        "give up",
        "giveup",
        "recycle",
        "redo",
        "null",
        "t4x3-t7\x00",
        "send t4x",
    ],
)
def test_anything_else_is_malformed(text: str) -> None:
    with pytest.raises(MalformedCommandError):
        parse_command(text)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("t0-t1", "no_such_pile"),
        ("t11-t1", "no_such_pile"),
        ("t1-t999999999999999999999999", "no_such_pile"),
        ("w-t1", "no_such_pile"),
        ("send c4", "no_such_pile"),
        ("t1x0-t2", "bad_count"),
        ("t1x2-t2", "bad_count"),
        ("t1x1000000-t2", "bad_count"),
        (f"t1x{'9' * 4000}-t2", "bad_count"),
        ("send t1x0", "bad_count"),
    ],
)
def test_well_formed_nonsense_is_for_the_rules_to_refuse(text: str, code: str) -> None:
    assert refused(SIMPLE_SIMON, simon(t1="5H"), text) == code


def test_no_text_takes_long_to_read() -> None:
    """A long hostile text is refused at once: the grammar has no place to try things twice."""
    for text in ("t" * 10**6, "t1x" + "0" * 10**6, "send " * 10**5, "t1-" * 10**5):
        with pytest.raises(MalformedCommandError):
            parse_command(text)
