"""Simple Simon: 52 open cards in ten columns; four runs from king to ace leave the game.

* Deal: 8, 8, 8, 7, 6, 5, 4, 3, 2 and 1 cards, all face up; no stock. One, two or four suits.
* Moves: a run of one suit, of any length, onto a card one rank higher of any suit, or to an empty column.
* Full runs: 13 cards of one suit at a column's end leave inside the move that completed them.
* End: won when all four runs are gone. Score 500, -1 a move, +100 a removed run, no floor.
* Undo: the last 100 actions.
* Double click: to a card of the same suit, else an empty column, else another suit; leftmost of equals;
  never a whole column to an empty one.
"""

from __future__ import annotations

from typing import Final

from game.engine.cards import ACE, KING, pack
from game.engine.commands import Collect, Draw, Move, RulesCommand, Send, group_text
from game.engine.effects import Moved, apply_effects
from game.engine.games.solvers.simple_simon import SOLVER
from game.engine.piles import Fan, Pile, Role, columns
from game.engine.position import Cards, Position
from game.engine.rules import (
    N_,
    Choice,
    Dests,
    Option,
    Options,
    Ranking,
    Refusal,
    Rules,
    Step,
    take,
    take_for,
)
from game.engine.sequences import (
    is_full_run,
    is_next_below,
    is_next_in_suit,
    is_sequence,
    run_length,
)

COLUMN_LENGTHS: Final = (8, 8, 8, 7, 6, 5, 4, 3, 2, 1)
FOUNDATIONS: Final = ("f1", "f2", "f3", "f4")
LAYOUT: Final = (
    *columns(len(COLUMN_LENGTHS)),
    *(
        Pile(name, Role.FOUNDATION, row, len(COLUMN_LENGTHS), Fan.NONE)
        for row, name in enumerate(FOUNDATIONS)
    ),
)
COLUMNS: Final = tuple(pile.name for pile in LAYOUT if pile.role is Role.COLUMN)
PACKS: Final = {1: "SSSS", 2: "SHSH", 4: "SHDC"}


def simple_simon_pack(options: Options) -> Cards:
    """The 52 cards for ``{"suits": 1 | 2 | 4}``."""
    return pack(PACKS[options["suits"]])


def deal(cards: Cards) -> Position:
    """Column by column from the left, each from the table up."""
    piles: dict[str, Cards] = {}
    start = 0
    for name, length in zip(COLUMNS, COLUMN_LENGTHS, strict=True):
        piles[name] = cards[start : start + length]
        start += length
    return Position(piles | dict.fromkeys(FOUNDATIONS, ()))


def step(position: Position, command: RulesCommand) -> Step | Refusal:
    """Applies a command, or says which rule forbids it."""
    match command:
        case Move():
            return _move(position, command)
        case Send():
            return _send(position, command)
        case Draw():
            return Refusal("nothing_to_draw")
        case Collect():
            return Refusal("nothing_to_collect")


def _move(position: Position, move: Move) -> Step | Refusal:
    cards = take_for(position, move)
    if isinstance(cards, Refusal):
        return cards
    if refusal := _cannot_go_together(move.source, cards) or _cannot_land(position, move, cards):
        return refusal
    effects = [Moved(move.source, move.target, move.count)]
    landed = position[move.target] + cards
    if is_full_run(landed[-KING:]):
        free = next(name for name in FOUNDATIONS if not position[name])
        effects.append(Moved(move.target, free, KING))
    done = tuple(effects)
    return Step(move, done, apply_effects(position, done))


def _cannot_go_together(source: str, cards: Cards) -> Refusal | None:
    if source in FOUNDATIONS:
        return Refusal("foundation_keeps")
    if not is_sequence(cards, is_next_below):
        return Refusal("not_a_run")
    if not is_sequence(cards, is_next_in_suit):
        return Refusal("mixed_suits")
    return None


def _cannot_land(position: Position, move: Move, cards: Cards) -> Refusal | None:
    if move.target in FOUNDATIONS:
        return Refusal("cannot_leave")
    target = position[move.target]
    if not target or is_next_below(target[-1], cards[0]):
        return None
    if cards[0].rank == KING:
        return Refusal("king_needs_empty_column")
    if target[-1].rank == ACE:
        return Refusal("nothing_on_an_ace")
    return Refusal("wrong_rank")


def _send(position: Position, send: Send) -> Step | Refusal:
    cards = take(position, send.source, send.count)
    if isinstance(cards, Refusal):
        return cards
    if refusal := _cannot_go_together(send.source, cards):
        return refusal
    targets = _targets(_wanted_ranks(position), cards[0].rank)
    if send.count == len(position[send.source]):
        targets = [name for name in targets if position[name]]
    if not targets:
        return Refusal("no_place")

    def order(name: str) -> int:
        if not position[name]:
            return 1
        return 0 if position[name][-1].suit == cards[0].suit else 2

    return _move(position, Move(send.source, send.count, min(targets, key=order)))


def dests(position: Position) -> Dests:
    """Every legal move of cards."""
    wanted = _wanted_ranks(position)
    found: Dests = {}
    for source in COLUMNS:
        cards = position[source]
        for count in range(1, run_length(cards, is_next_in_suit) + 1):
            if targets := _targets(wanted, cards[-count].rank):
                found[group_text(source, count)] = tuple(targets)
    return found


def _wanted_ranks(position: Position) -> dict[str, int | None]:
    """The rank each column takes next: 0, which no card has, on an ace; None for any on an empty column."""
    return {name: position[name][-1].rank - 1 if position[name] else None for name in COLUMNS}


def _targets(wanted: dict[str, int | None], rank: int) -> list[str]:
    """Columns that take a run headed by this rank, from the left.

    The run's own column is never among them: what it takes is lower than its last card.
    """
    return [name for name, takes in wanted.items() if takes == rank or takes is None]


def is_won(position: Position) -> bool:
    """Whether all four runs are gone."""
    return all(position[name] for name in FOUNDATIONS)


def score(position: Position, moves: int) -> int:
    """500 - moves + 100 for each removed run; there is no floor."""
    return 500 - moves + 100 * sum(1 for name in FOUNDATIONS if position[name])


RULES: Final = Rules(
    slug="simple-simon",
    prefix="SS",
    version=1,
    title=N_("Simple Simon"),
    options=(
        Option(
            "suits",
            N_("How many suits?"),
            (
                Choice(1, N_("Easy"), N_("1 suit"), "S"),
                Choice(2, N_("Medium"), N_("2 suits"), "SH"),
                Choice(4, N_("Hard"), N_("4 suits"), "SHDC"),
            ),
        ),
    ),
    variants={"S1": {"suits": 1}, "S2": {"suits": 2}, "S4": {"suits": 4}},
    code_letters=(7,),
    layout=LAYOUT,
    undo_limit=100,
    hides_cards=False,
    ranking=Ranking.SCORE,
    pack=simple_simon_pack,
    deal=deal,
    step=step,
    dests=dests,
    is_won=is_won,
    score=score,
    solver=SOLVER,
)
