"""What a step did, in parts small enough to be undone.

A step is stored as its effects. `apply_effects` replays them without asking the rules, and
`inverse` of them is what an undo did, so no past position has to be kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from game.engine.cards import Card, card
from game.engine.position import HIDDEN, Position

EffectJson = list[str | int]


@dataclass(frozen=True, slots=True)
class Moved:
    """``count`` cards went from the end of ``source`` to that of ``target``, order and faces kept."""

    source: str
    target: str
    count: int

    def inverse(self) -> Moved:
        return Moved(self.target, self.source, self.count)

    def to_json(self, *, masked: bool) -> EffectJson:
        return ["move", self.source, self.target, self.count]


@dataclass(frozen=True, slots=True)
class Turned:
    """The last card of ``pile`` turned over; ``card`` is how it lies since."""

    pile: str
    card: Card

    def inverse(self) -> Turned:
        return Turned(self.pile, self.card.turned)

    def to_json(self, *, masked: bool) -> EffectJson:
        return ["turn", self.pile, HIDDEN if masked and not self.card.face_up else self.card.text]


@dataclass(frozen=True, slots=True)
class Recycled:
    """All of ``source`` was turned over in one piece onto the empty ``target``: order and faces reversed."""

    source: str
    target: str

    def inverse(self) -> Recycled:
        return Recycled(self.target, self.source)

    def to_json(self, *, masked: bool) -> EffectJson:
        return ["recycle", self.source, self.target]


Effect = Moved | Turned | Recycled
Effects = tuple[Effect, ...]


def apply_effects(position: Position, effects: Iterable[Effect]) -> Position:
    """The position after ``effects``; they must be such as the rules made from it."""
    changed: dict[str, tuple[Card, ...]] = {}

    def cards_of(name: str) -> tuple[Card, ...]:
        return changed[name] if name in changed else position[name]

    for effect in effects:
        match effect:
            case Moved(source, target, count):
                pile = cards_of(source)
                changed[target] = cards_of(target) + pile[-count:]
                changed[source] = pile[:-count]
            case Turned(name, turned):
                changed[name] = (*cards_of(name)[:-1], turned)
            case Recycled(source, target):
                changed[target] = tuple(card.turned for card in reversed(cards_of(source)))
                changed[source] = ()
    return position.put(changed)


def inverse(effects: Effects) -> Effects:
    """The effects that take these back."""
    return tuple(effect.inverse() for effect in reversed(effects))


def effects_to_json(effects: Effects, *, masked: bool) -> list[EffectJson]:
    """The form of the wire; with ``masked`` a card turned face down is ``##``."""
    return [effect.to_json(masked=masked) for effect in effects]


def effects_from_json(rows: Iterable[Sequence[str | int]]) -> Effects:
    """Reads the unmasked form back; raises `ValueError` on anything else."""
    return tuple(map(_effect_from_json, rows))


def _effect_from_json(row: Sequence[str | int]) -> Effect:
    match list(row):
        case ["move", str(source), str(target), int(count)]:
            return Moved(source, target, count)
        case ["turn", str(pile), str(text)]:
            return Turned(pile, card(text))
        case ["recycle", str(source), str(target)]:
            return Recycled(source, target)
        case _:
            raise ValueError(f"{row!r} is no effect")
