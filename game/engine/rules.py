"""The contract of a game.

A game is one module that exports ``RULES``, a `Rules` value: data and four or five functions. There is
no base class; what differs between games is written in these fields and nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from game.engine.commands import Move, RulesCommand
from game.engine.effects import Effects
from game.engine.piles import Layout
from game.engine.position import Cards, Position
from game.engine.verdicts import Solver

Options = Mapping[str, int]
"""The choices of one deal by option name, such as ``{"suits": 4}``."""

Dests = dict[str, tuple[str, ...]]
"""Every legal move of cards: source as in a command (``t4x3``) -> names of the piles that take it."""


def N_(text: str) -> str:
    """Marks a sentence for the catalogues; it is translated where it is shown."""
    return text


class Ranking(StrEnum):
    """What a board of this game compares."""

    SCORE = "score"
    TIME = "time"


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer to an option: ``value`` on the wire, ``label`` and ``note`` for people."""

    value: int
    label: str
    note: str
    suits: str = ""
    """The suits to draw beside it, as letters of ``SHDC``."""


@dataclass(frozen=True, slots=True)
class Option:
    """A question asked at the start of a game. The first choice is a newcomer's."""

    name: str
    question: str
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class Refusal:
    """A command that was not carried out: ``code`` names the rule that forbids it."""

    code: str


@dataclass(frozen=True, slots=True)
class Step:
    """A command applied: ``command`` as it became (a `Send` becomes its `Move`), ``moves`` as it counts."""

    command: RulesCommand
    effects: Effects
    position: Position
    moves: int = 1


SENTENCES: Final[Mapping[str, str]] = {
    "malformed": N_("That is not a command: write moves like t4x3-t7."),
    "bad_count": N_("There are not that many cards to take."),
    "no_such_pile": N_("There is no such pile on this table."),
    "empty_pile": N_("There is no card there."),
    "same_pile": N_("The cards already lie there."),
    "cannot_leave": N_("Cards do not move between these piles."),
    "foundation_keeps": N_("A foundation keeps its cards."),
    "one_card_only": N_("Only one card moves here at a time."),
    "face_down": N_("A face-down card cannot be moved."),
    "not_a_run": N_("Only cards that descend by one move together."),
    "mixed_suits": N_("Only cards of one suit move together."),
    "nothing_on_an_ace": N_("Nothing goes on an ace."),
    "king_needs_empty_column": N_("A king goes only to an empty column."),
    "wrong_rank": N_("A card goes on one that is one rank higher."),
    "wrong_colour": N_("A card goes on one of the other colour."),
    "only_a_king": N_("Only a king goes to an empty column."),
    "wrong_foundation": N_("This foundation takes another suit."),
    "no_place": N_("No pile takes these cards now."),
    "nothing_to_undo": N_("There is nothing left to undo."),
    "nothing_to_draw": N_("There is nothing to draw."),
    "nothing_to_collect": N_("No card can go to the foundations now."),
    "stale": N_("The table has changed since; this is how it stands."),
    "not_yours": N_("Only its player can play this game."),
    "game_over": N_("This game is over."),
    "too_fast": N_("Too fast: wait a moment."),
    "unavailable": N_("The move could not be stored just now; it will be tried again."),
}
"""A sentence for every refusal code; a game may add codes, or say one otherwise, in ``Rules.sentences``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """One kind of patience.

    Fields that need a word: ``prefix`` begins its deal codes; ``version`` rises with any change by which
    an old log would replay otherwise; ``variants`` maps the middle part of a deal code (a letter and a
    number, also where there is nothing to choose) to the options it stands for; ``code_letters`` are the
    lengths a code's last part may have, and the last of them is what the server draws for a game that
    counts; ``hides_cards`` keeps deal and code secret while a game runs; a game without
    a ``solver`` has no verdicts.
    """

    slug: str
    prefix: str
    version: int
    title: str
    options: tuple[Option, ...]
    variants: Mapping[str, Options]
    code_letters: tuple[int, ...]
    layout: Layout
    undo_limit: int
    hides_cards: bool
    ranking: Ranking
    pack: Callable[[Options], Cards]
    deal: Callable[[Cards], Position]
    step: Callable[[Position, RulesCommand], Step | Refusal]
    dests: Callable[[Position], Dests]
    is_won: Callable[[Position], bool]
    score: Callable[[Position, int], int | None]
    sentences: Mapping[str, str] = field(default_factory=dict)
    solver: Solver | None = None

    def sentence(self, code: str) -> str:
        """The English sentence of a refusal code."""
        return self.sentences.get(code) or SENTENCES[code]

    def variant(self, options: Options) -> str:
        """The middle part of a deal code for these options; `ValueError` if there is none."""
        # True and 1.0 equal 1 and are no choices.
        if all(type(value) is int for value in options.values()):
            for name, stands_for in self.variants.items():
                if dict(stands_for) == dict(options):
                    return name
        raise ValueError(f"{self.slug} has no options {dict(options)!r}")


def take(position: Position, source: str, count: int) -> Cards | Refusal:
    """The last ``count`` cards of a pile, or why they cannot be named; what every game checks first.

    The pile exists, is not empty, and holds that many cards.
    """
    if source not in position:
        return Refusal("no_such_pile")
    pile = position[source]
    if not pile:
        return Refusal("empty_pile")
    if not 1 <= count <= len(pile):
        return Refusal("bad_count")
    return pile[-count:]


def take_for(position: Position, move: Move) -> Cards | Refusal:
    """The cards a move names, or why they cannot be named: as `take`, and the target is another pile."""
    if move.target not in position:
        return Refusal("no_such_pile")
    cards = take(position, move.source, move.count)
    if not isinstance(cards, Refusal) and move.source == move.target:
        return Refusal("same_pile")
    return cards
