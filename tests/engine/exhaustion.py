"""Small positions of the games that have solvers, and the plain search that solvers are held to."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import pairwise
from random import Random

from game.engine.cards import RANKS, card
from game.engine.commands import Draw, Move
from game.engine.position import Cards, Position
from game.engine.rules import Refusal, Rules
from game.engine.sequences import is_next_in_suit
from game.engine.verdicts import Verdict

KLONDIKE_SUITS = {"f1": "H", "f2": "C", "f3": "D", "f4": "S"}
WHATEVER_THE_TARGET = {"face_down", "not_a_run", "mixed_suits"}
"""Refusals that hold for longer groups too."""


def exhausted(rules: Rules, position: Position, limit: int) -> Verdict:
    """What trying every move there is comes to, the tidiest position first; unknown beyond ``limit``."""
    seen = {position}
    left = [(disorder(position), 0, position)]
    while left:
        _, _, here = heappop(left)
        if is_done(here):
            return Verdict.WON
        for after in followers(rules, here):
            if after not in seen:
                if len(seen) >= limit:
                    return Verdict.UNKNOWN
                seen.add(after)
                heappush(left, (disorder(after), len(seen), after))
    return Verdict.LOST


def disorder(position: Position) -> int:
    """How many cards of columns do not lie on their next in suit."""
    return sum(
        1
        for name, pile in position.items()
        if name[0] != "f"
        for above, here in pairwise((None, *pile))
        if above is None or here is None or not is_next_in_suit(above, here)
    )


def is_done(position: Position) -> bool:
    """Whether all cards are on foundations."""
    return not any(pile for name, pile in position.items() if name[0] != "f")


def followers(rules: Rules, position: Position) -> Iterator[Position]:
    """Every position one command away; the rules alone say which commands are legal."""
    piles = [name for name in position if name not in ("s", *KLONDIKE_SUITS)]
    for source in piles:
        for count in range(1, len(position[source]) + 1):
            for target in (*piles, *KLONDIKE_SUITS):
                step = rules.step(position, Move(source, count, target))
                if not isinstance(step, Refusal):
                    yield step.position
                elif step.code in WHATEVER_THE_TARGET:
                    break
            else:
                continue
            break
    step = rules.step(position, Draw())
    if not isinstance(step, Refusal):
        yield step.position


def small_simon(random: Random) -> Position:
    """Two suits left, each in a few pieces, on a table of a few columns."""
    pieces: list[Cards] = []
    for suit in "SH":
        cards = tuple(card(rank + suit) for rank in reversed(RANKS))
        cuts = sorted(random.sample(range(1, len(cards)), random.randint(1, 5)))
        pieces += [cards[start:end] for start, end in pairwise([0, *cuts, len(cards)])]
    random.shuffle(pieces)
    columns = random.randint(3, 4)
    piles: dict[str, Cards] = {f"t{i + 1}": sum(pieces[i::columns], ()) for i in range(columns)}
    runs = {f"f{i + 1}": tuple(card(rank + suit) for rank in reversed(RANKS)) for i, suit in enumerate("DC")}
    return Position({**piles, **runs, "f3": (), "f4": ()})


def small_klondike(random: Random) -> Position:
    """A few cards left, on a table of a few columns, some of them face down and some in the stock."""
    piles: dict[str, Cards] = {}
    left: list[str] = []
    for name, suit in KLONDIKE_SUITS.items():
        home = random.randint(7, 11)
        piles[name] = tuple(card(rank + suit) for rank in RANKS[:home])
        left += [rank + suit for rank in RANKS[home:]]
    random.shuffle(left)
    talon = [left.pop() for _ in range(random.randint(0, 4))]
    columns = random.randint(2, 4)
    for i in range(columns):
        pile = left[i::columns]
        piles[f"t{i + 1}"] = tuple(card(text.lower() if text != pile[-1] else text) for text in pile)
    cut = random.randint(0, len(talon))
    piles |= {"s": tuple(card(t.lower()) for t in talon[:cut]), "w": tuple(card(t) for t in talon[cut:])}
    return Position(piles)
