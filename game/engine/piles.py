"""Where cards may lie: the piles of a layout and the part each plays."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Role(StrEnum):
    """What a pile is for."""

    COLUMN = "column"
    FOUNDATION = "foundation"
    STOCK = "stock"
    WASTE = "waste"
    CELL = "cell"


class Fan(StrEnum):
    """How the cards of a pile overlap."""

    DOWN = "down"
    RIGHT = "right"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Pile:
    """One place of a layout.

    ``name`` is as in texts (``t1``, ``f1``, ``s``, ``w``, ``c1``); ``row`` and ``column`` count from 0 in
    a grid of card places, from the top left; ``suit`` is set on a foundation that takes one suit only.
    """

    name: str
    role: Role
    row: int
    column: int
    fan: Fan
    suit: str | None = None


Layout = tuple[Pile, ...]


def columns(count: int, *, row: int = 0, column: int = 0) -> Layout:
    """Tableau columns ``t1``.. side by side, fanned down."""
    return tuple(Pile(f"t{i + 1}", Role.COLUMN, row, column + i, Fan.DOWN) for i in range(count))
