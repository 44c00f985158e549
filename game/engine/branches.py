"""A log as the tree it is: the line that stands, and the steps that were undone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from game.engine.effects import apply_effects
from game.engine.line import Event
from game.engine.position import Position


@dataclass(frozen=True, slots=True)
class Branch:
    """Steps one after another that were all undone: ``root`` is the ply of the line that they left from."""

    root: int
    events: tuple[Event, ...]
    positions: tuple[Position, ...]
    """The positions after each of the events."""


@dataclass(frozen=True, slots=True)
class Tree:
    """``positions`` of the line by ply, from the deal; ``branches`` in the order in which they ended."""

    positions: tuple[Position, ...]
    branches: tuple[Branch, ...]


def tree_of(deal: Position, events: Iterable[Event]) -> Tree:
    """The tree of a log; of undone steps each path from the line to where the first undo began.

    Two branches may begin with the same steps, where only some of them were taken back.
    """
    position = deal
    path: list[tuple[Event, Position]] = []
    undone: list[list[tuple[Event, Position]]] = []
    before = ""
    for event in events:
        position = apply_effects(position, event.effects)
        if event.command == "undo":
            if before != "undo":
                undone.append(list(path))
            path.pop()
        elif event.command != "give_up":
            path.append((event, position))
        before = event.command
    stands = [event.seq for event, _ in path]
    branches = []
    for steps in undone:
        root = 0
        while root < len(stands) and root < len(steps) and steps[root][0].seq == stands[root]:
            root += 1
        if root < len(steps):
            rest = steps[root:]
            branches.append(
                Branch(root, tuple(event for event, _ in rest), tuple(after for _, after in rest))
            )
    return Tree((deal, *(after for _, after in path)), tuple(branches))
