"""What a table says: heard from its live region, and worked out from what happened."""

from __future__ import annotations

from typing import Final

from game.engine.line import Event
from game.engine.piles import Layout, Role
from game.engine.position import Position
from tests.e2e.table import Table

RANKS: Final = {
    "A": "ace",
    "2": "two",
    "3": "three",
    "4": "four",
    "5": "five",
    "6": "six",
    "7": "seven",
    "8": "eight",
    "9": "nine",
    "T": "ten",
    "J": "jack",
    "Q": "queen",
    "K": "king",
}
SUITS: Final = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
WHOLE: Final = 13

_LISTEN: Final = """() => {
  window.heard = [];
  new MutationObserver((records) => {
    for (const { addedNodes } of records)
      for (const node of addedNodes) window.heard.push(node.textContent);
  }).observe(document.getElementById("live"), { childList: true });
}"""


class Ear:
    """Hears every sentence that a table says from now on, equal ones as often as they are said."""

    def __init__(self, table: Table) -> None:
        self.table = table
        table.page.evaluate(_LISTEN)

    @property
    def heard(self) -> list[str]:
        sentences: list[str] = self.table.page.evaluate("window.heard")
        return sentences


def card_name(card: str) -> str:
    return f"{RANKS[card[0]]} of {SUITS[card[1]]}"


def pile_name(layout: Layout, name: str) -> str:
    pile = next(pile for pile in layout if pile.name == name)
    match pile.role:
        case Role.COLUMN:
            return f"column {name[1:]}"
        case Role.FOUNDATION if pile.suit:
            return f"foundation, {SUITS[str(pile.suit).upper()]}"
        case Role.FOUNDATION:
            return f"foundation {name[1:]}"
        case role:
            return str(role)


def sentence(layout: Layout, event: Event, before: Position, after: Position) -> str:
    """What is said of an event to somebody who does not see it."""
    piles = {text.split(" ")[0]: text.split(" ")[1:] for text in before.masked.split("/")}
    lie = {text.split(" ")[0]: text.split(" ")[1:] for text in after.masked.split("/")}
    roles = {pile.name: pile.role for pile in layout}
    parts = []
    for effect in event.effects:
        match effect.to_json(masked=True):
            case ["move", str(source), str(target), int(count)]:
                run = piles[source][-count:]
                del piles[source][-count:]
                under = piles[target][-1:]
                piles[target] += run
                if roles[source] is Role.STOCK:
                    parts.append(f"Drawn: {card_name(lie[target][-1])}.")
                elif count == WHOLE and roles[target] is Role.FOUNDATION:
                    parts.append(f"A full run is removed, {card_name(run[0])} to ace.")
                else:
                    more = {1: "", 2: " and 1 card"}.get(count, f" and {count - 1} cards")
                    onto = f", onto {card_name(under[0])}" if under else ""
                    parts.append(f"{card_name(run[0])}{more} to {pile_name(layout, target)}{onto}.")
            case ["turn", str(), str(card)] if event.command != "draw":
                parts.append(f"Turned: {card_name(card)}.")
            case ["recycle", *_]:
                parts.append("The waste is turned over.")
            case _:
                pass
    return " ".join(parts)
