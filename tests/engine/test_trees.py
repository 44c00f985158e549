"""How many lines of play there are from a deal: any change of what is legal changes these numbers."""

from __future__ import annotations

import json

import pytest

from game.engine.games import GAMES, rules_of
from game.engine.notation import parse_position
from game.engine.position import Position
from game.engine.rules import Refusal, Rules
from tests.engine.cases import GOLDEN
from tests.engine.tables import moves_from

TREES = json.loads((GOLDEN / "trees.json").read_text())


def lines(rules: Rules, position: Position, depth: int) -> int:
    """Sequences of ``depth`` legal moves of cards from a position."""
    moves = moves_from(rules, position)
    if depth == 1:
        return len(moves)
    total = 0
    for move in moves:
        step = rules.step(position, move)
        assert not isinstance(step, Refusal)
        total += lines(rules, step.position, depth - 1)
    return total


@pytest.mark.parametrize("name", TREES)
def test_tree(name: str) -> None:
    tree = TREES[name]
    rules = rules_of(tree["rules"])
    deal = parse_position(tree["deal"], rules.layout)
    assert [lines(rules, deal, depth) for depth in range(1, len(tree["lines"]) + 1)] == tree["lines"]


def test_there_are_trees_of_every_game() -> None:
    assert {tree["rules"] for tree in TREES.values()} == {rules.slug for rules in GAMES}
