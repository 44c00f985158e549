"""The golden cases, translated: their notation (see tests/golden/README.md) to this engine's and back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from game.engine.cards import Card, card
from game.engine.games import rules_of
from game.engine.piles import Role
from game.engine.position import Cards, Position
from game.engine.rules import Options, Rules

GOLDEN: Final = Path(__file__).parent.parent / "golden"

CODES: Final = {
    "bad-count": {"bad_count"},
    "empty-column-takes-a-king": {"only_a_king"},
    "empty-source": {"empty_pile"},
    "face-down": {"face_down"},
    "foundation-cards-stay": {"foundation_keeps"},
    "game-over": {"game_over"},
    "king-needs-empty-column": {"king_needs_empty_column"},
    "mixed-suits": {"mixed_suits"},
    "no-such-column": {"no_such_pile"},
    "no-such-pile": {"no_such_pile"},
    "not-a-move": {"cannot_leave"},
    "not-in-sequence": {"not_a_run"},
    "nothing-on-an-ace": {"nothing_on_an_ace"},
    "nothing-to-recycle": {"nothing_to_draw"},
    "nothing-to-send": {"nothing_to_collect"},
    "nothing-to-undo": {"nothing_to_undo"},
    "one-card-to-a-foundation": {"one_card_only"},
    "only-the-top-of-the-waste": {"one_card_only"},
    "same-colour": {"wrong_colour"},
    "same-column": {"same_pile"},
    "stock-is-empty": {"nothing_to_draw"},
    "wrong-foundation-rank": {"wrong_rank", "wrong_foundation"},
    "wrong-foundation-suit": {"wrong_foundation"},
    "wrong-rank": {"wrong_rank"},
    "bad-type": {"malformed"},
    "not-an-object": {"malformed"},
    # One grammar serves all games: another game's word is read, and has nothing to do here.
    "unknown-op": {"malformed", "nothing_to_draw", "nothing_to_collect"},
}
"""The refusal codes that say what a case's rule says."""

_WORDS: Final = {"undo": "undo", "draw": "draw", "recycle": "draw", "autoplay": "collect"}
_ONE_DRAW: Final = ("stock-is-empty", "stock-is-not-empty")


@dataclass(frozen=True)
class Case:
    """One line of a case file."""

    data: dict[str, Any]

    @property
    def id(self) -> str:
        return str(self.data["id"])

    @property
    def rules(self) -> Rules:
        return rules_of(self.data["game"])

    @property
    def options(self) -> Options:
        return {"suits": self.data["suits"]} if "suits" in self.data else {}

    @property
    def deal(self) -> Position:
        return position_of(self.rules, self.data["deal"], self.data.get("stock", []))

    def played(self) -> Iterator[tuple[str, int | None, dict[str, Any]]]:
        """Command text, time in ms if told, and the ply after it; what only two stock actions tell apart is
        left out."""
        for action, ply in zip(self.data["moves"], self.data["plies"], strict=True):
            if not is_one_draw(ply):
                yield command_text(action), action.get("at"), ply

    @property
    def is_other_stock_word(self) -> bool:
        """Whether the action is refused only for being the wrong one of two words where we have ``draw``."""
        return is_one_draw({"text": self.data["text"], "refused": self.data["rule"]})

    @property
    def codes(self) -> set[str]:
        """The refusal codes that may answer the action."""
        rules = [self.data["rule"], *self.data["also"]]
        codes = set().union(*(CODES[rule] for rule in rules))
        return codes if is_writable(self.data["action"]) else codes | {"malformed"}


@cache
def load(game: str, kind: str) -> tuple[Case, ...]:
    """The cases in the files ``<game>-*<kind>.json``."""
    files = sorted(GOLDEN.glob(f"{game}-*{kind}.json"))
    return tuple(Case(data) for file in files for data in json.loads(file.read_text()))


def games_of(game: str) -> tuple[Case, ...]:
    """Every case of a game that is a game, not a refused action."""
    return tuple(case for kind in ("won", "walks", "autoplay") for case in load(game, kind))


def is_one_draw(ply: dict[str, Any]) -> bool:
    """Whether an action was refused only because the cases have two words where we have ``draw``.

    The stock text tells: with cards in stock or waste one of the two words is legal.
    """
    stock, waste = ply["text"].split("|")[1:3]
    return ply.get("refused") in _ONE_DRAW and (stock, waste) != ("-", "-")


def position_of(rules: Rules, deal: list[list[str]], stock: list[str]) -> Position:
    """The starting position of a case; where the rules hide cards, all but each column's last."""
    columns = iter(deal)
    piles: dict[str, Cards] = {}
    for pile in rules.layout:
        cards: Cards = ()
        if pile.role is Role.COLUMN:
            cards = tuple(map(card, next(columns)))
            if rules.hides_cards:
                cards = (*(hidden.turned for hidden in cards[:-1]), cards[-1])
        elif pile.role is Role.STOCK:
            cards = tuple(card(text).turned for text in reversed(stock))
        piles[pile.name] = cards
    return Position(piles)


def case_text(rules: Rules, options: Options, position: Position) -> str:
    """A position as the cases write it."""
    if rules.slug == "klondike":
        counts = ",".join(str(len(position[name])) for name in _names(rules, Role.FOUNDATION))
        stock = tuple(hidden.turned for hidden in reversed(position["s"]))
        head = ["KL", _run_together(stock), _run_together(position["w"]), counts]
        return "|".join([*head, *(_run_together(position[name]) for name in _names(rules, Role.COLUMN))])
    removed = "".join(removed_suits(rules, position)) or "-"
    columns = (_run_together(position[name]) for name in _names(rules, Role.COLUMN))
    return "|".join([f"SS{options['suits']}", *columns, removed])


def removed_suits(rules: Rules, position: Position) -> list[str]:
    """The suits of the runs on the foundations, in order of removal."""
    return [position[name][0].suit for name in _names(rules, Role.FOUNDATION) if position[name]]


def _names(rules: Rules, role: Role) -> list[str]:
    return [pile.name for pile in rules.layout if pile.role is role]


def _run_together(cards: tuple[Card, ...]) -> str:
    return "".join(each.text for each in cards) or "-"


def command_text(action: Any) -> str:
    """An action as a command; what no command can say becomes a text that is none."""
    match action:
        case {"op": "move", "to": target, **rest}:
            count = json.dumps(rest.get("count", 1))
            return f"{_pile(rest.get('from'))}x{count}-{_pile(target)}"
        case {"op": str(op)}:
            return _WORDS.get(op, f"!{op}")
        case _:
            return json.dumps(action)


def _pile(value: Any) -> str:
    if value == "W":
        return "w"
    if isinstance(value, str) and value[:1] == "F" and value[1:].isdecimal():
        return f"f{int(value[1:]) + 1}"
    if isinstance(value, int) and not isinstance(value, bool):
        return f"t{value + 1}"
    return f"!{value!r}"


def is_writable(action: Any) -> bool:
    """Whether the command grammar has words for an action: known ones, whole pile numbers, a count from 0."""
    match action:
        case {"op": "move", "from": source, "to": target}:
            count = action.get("count", 1)
            names = (_pile(source), _pile(target))
            return type(count) is int and count >= 0 and not any("!" in x or "-" in x for x in names)
        case {"op": str(op)}:
            return op in _WORDS
        case _:
            return False
