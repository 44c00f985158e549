"""How many lines of play there are from a deal: any change of what is legal changes these numbers."""

from __future__ import annotations

import json

import pytest

from game.engine.games import GAMES, rules_of
from game.engine.notation import parse_position
from tests.engine import recorded
from tests.engine.recorded import lines

TREES = json.loads(recorded.TREES.read_text())


@pytest.mark.parametrize("name", TREES)
def test_tree(name: str) -> None:
    tree = TREES[name]
    rules = rules_of(tree["rules"])
    deal = parse_position(tree["deal"], rules.layout)
    assert [lines(rules, deal, depth) for depth in range(1, len(tree["lines"]) + 1)] == tree["lines"]


def test_there_are_trees_of_every_game() -> None:
    assert {tree["rules"] for tree in TREES.values()} == {rules.slug for rules in GAMES}
