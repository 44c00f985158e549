"""Klondike: seven columns with hidden cards, a stock, and four foundations that grow from the ace.

* Deal: columns of 1 to 7 cards, the last of each face up; the other 24 are the stock, face down.
* Moves: face-up cards with all that lie on them, onto a card one rank higher of the other colour; to an empty
  column only from a king on. A column left with no face-up card turns its last one up within the move.
* Foundations: one card at a time, their own suit, ace first; they give nothing back.
* Stock: one card at a time to the waste; when it is empty the waste is turned over, as often as wanted.
* End: won when all 52 cards are on the foundations. No score; the clock ranks.
* Undo: the last 500 actions.
* Double click: the last card of a column or of the waste to its foundation. Collecting sends all that can go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from game.engine.cards import KING, SUITS, Card, pack
from game.engine.commands import Collect, Draw, Move, RulesCommand, Send, group_text
from game.engine.effects import Effect, Moved, Recycled, Turned, apply_effects
from game.engine.games.solvers.klondike import SOLVER
from game.engine.piles import Fan, Pile, Role, columns
from game.engine.position import Cards, Position
from game.engine.rules import N_, Dests, Options, Ranking, Refusal, Rules, Step, take, take_for
from game.engine.sequences import is_next_in_other_colour

STOCK: Final = "s"
WASTE: Final = "w"
FOUNDATION_OF: Final = {"H": "f1", "C": "f2", "D": "f3", "S": "f4"}
LAYOUT: Final = (
    Pile(STOCK, Role.STOCK, 0, 0, Fan.NONE),
    Pile(WASTE, Role.WASTE, 0, 1, Fan.NONE),
    *(
        Pile(name, Role.FOUNDATION, 0, 3 + place, Fan.NONE, suit)
        for place, (suit, name) in enumerate(FOUNDATION_OF.items())
    ),
    *columns(7, row=1),
)
COLUMNS: Final = tuple(pile.name for pile in LAYOUT if pile.role is Role.COLUMN)
FOUNDATIONS: Final = tuple(FOUNDATION_OF.values())


def klondike_pack(options: Options) -> Cards:
    """The 52 cards; there is nothing to choose."""
    return pack(SUITS)


def deal(cards: Cards) -> Position:
    """Column by column from the left, each from the table up; the first card left over is drawn first."""
    piles: dict[str, Cards] = {pile.name: () for pile in LAYOUT}
    start = 0
    for length, name in enumerate(COLUMNS, start=1):
        *hidden, last = cards[start : start + length]
        piles[name] = (*_turned(hidden), last)
        start += length
    piles[STOCK] = _turned(reversed(cards[start:]))
    return Position(piles)


def _turned(cards: Iterator[Card] | list[Card]) -> Cards:
    return tuple(card.turned for card in cards)


def step(position: Position, command: RulesCommand) -> Step | Refusal:
    """Applies a command, or says which rule forbids it."""
    match command:
        case Move():
            return _move(position, command)
        case Send():
            return _send(position, command)
        case Draw():
            return _draw(position)
        case Collect():
            return _collect(position)


def _move(position: Position, move: Move) -> Step | Refusal:
    cards = take_for(position, move)
    if isinstance(cards, Refusal):
        return cards
    refusal = _cannot_leave(move.source, cards) or _cannot_land(position, move.target, cards)
    return refusal or _moved(position, move)


def _moved(position: Position, move: Move) -> Step:
    """A legal move, with the card it uncovers turned up."""
    effects: list[Effect] = [Moved(move.source, move.target, move.count)]
    left = position[move.source][: -move.count]
    if left and not left[-1].face_up:
        effects.append(Turned(move.source, left[-1].turned))
    done = tuple(effects)
    return Step(move, done, apply_effects(position, done))


def _cannot_leave(source: str, cards: Cards) -> Refusal | None:
    if source == STOCK:
        return Refusal("cannot_leave")
    if source in FOUNDATIONS:
        return Refusal("foundation_keeps")
    if source == WASTE and len(cards) > 1:
        return Refusal("one_card_only")
    if not all(card.face_up for card in cards):
        return Refusal("face_down")
    return None


def _cannot_land(position: Position, target: str, cards: Cards) -> Refusal | None:
    if target in (STOCK, WASTE):
        return Refusal("cannot_leave")
    head = cards[0]
    if target in FOUNDATIONS:
        if len(cards) > 1:
            return Refusal("one_card_only")
        if target != FOUNDATION_OF[head.suit]:
            return Refusal("wrong_foundation")
        return None if _is_wanted(position, head) else Refusal("wrong_rank")
    if _takes(position[target], head):
        return None
    if not position[target]:
        return Refusal("only_a_king")
    if not position[target][-1].face_up:
        return Refusal("face_down")
    if head.rank == position[target][-1].rank - 1:
        return Refusal("wrong_colour")
    return Refusal("wrong_rank")


def _takes(column: Cards, head: Card) -> bool:
    """Whether a column takes a group that begins with ``head``; on a hidden card goes nothing."""
    if not column:
        return head.rank == KING
    return column[-1].face_up and is_next_in_other_colour(column[-1], head)


def _is_wanted(position: Position, card: Card) -> bool:
    """Whether a card, not a hidden one, is the next of its foundation."""
    return card.face_up and card.rank == len(position[FOUNDATION_OF[card.suit]]) + 1


def _send(position: Position, send: Send) -> Step | Refusal:
    cards = take(position, send.source, send.count)
    if isinstance(cards, Refusal):
        return cards
    if refusal := _cannot_leave(send.source, cards):
        return refusal
    if len(cards) > 1:
        return Refusal("one_card_only")
    if not _is_wanted(position, cards[0]):
        return Refusal("no_place")
    return _moved(position, Move(send.source, 1, FOUNDATION_OF[cards[0].suit]))


def _draw(position: Position) -> Step | Refusal:
    effects: tuple[Effect, ...]
    if stock := position[STOCK]:
        effects = (Moved(STOCK, WASTE, 1), Turned(WASTE, stock[-1].turned))
    elif position[WASTE]:
        effects = (Recycled(WASTE, STOCK),)
    else:
        return Refusal("nothing_to_draw")
    return Step(Draw(), effects, apply_effects(position, effects))


def _collect(position: Position) -> Step | Refusal:
    effects: list[Effect] = []
    moves = 0
    while step := _next_sent(position):
        effects += step.effects
        position = step.position
        moves += 1
    if not moves:
        return Refusal("nothing_to_collect")
    return Step(Collect(), tuple(effects), position, moves)


def _next_sent(position: Position) -> Step | None:
    """The first card that can go to its foundation, sent there."""
    for source in (*COLUMNS, WASTE):
        if (cards := position[source]) and _is_wanted(position, cards[-1]):
            return _moved(position, Move(source, 1, FOUNDATION_OF[cards[-1].suit]))
    return None


def dests(position: Position) -> Dests:
    """Every legal move of cards, and what a click on the stock does."""
    found: Dests = {}
    if position[STOCK]:
        found[STOCK] = (WASTE,)
    elif position[WASTE]:
        found[STOCK] = (STOCK,)
    for source in (WASTE, *COLUMNS):
        for count in range(1, _movable(source, position[source]) + 1):
            head = position[source][-count]
            targets = [name for name in COLUMNS if name != source and _takes(position[name], head)]
            if count == 1 and _is_wanted(position, head):
                targets.append(FOUNDATION_OF[head.suit])
            if targets:
                found[group_text(source, count)] = tuple(targets)
    return found


def _movable(source: str, cards: Cards) -> int:
    """How many cards at the end of a pile may move: the waste's top, a column's face-up cards."""
    if source == WASTE:
        return min(1, len(cards))
    return next((count for count, card in enumerate(reversed(cards)) if not card.face_up), len(cards))


def is_won(position: Position) -> bool:
    """Whether all 52 cards are on the foundations."""
    return all(len(position[name]) == KING for name in FOUNDATIONS)


def score(position: Position, moves: int) -> None:
    """None: this game is ranked by time."""
    return


RULES: Final = Rules(
    slug="klondike",
    prefix="KL",
    version=1,
    title=N_("Klondike"),
    options=(),
    variants={"D1": {}},
    code_letters=(7, 20),
    layout=LAYOUT,
    undo_limit=500,
    hides_cards=True,
    ranking=Ranking.TIME,
    pack=klondike_pack,
    deal=deal,
    step=step,
    dests=dests,
    is_won=is_won,
    score=score,
    solver=SOLVER,
    sentences={
        "wrong_rank": N_("Ranks go down by one in a column, and up by one from the ace on a foundation."),
    },
)
