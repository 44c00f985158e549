"""From what the solver decided to commands: which card lands on which, and when to draw."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from game.engine.cards import KING
from game.engine.commands import Command, Draw, Move
from game.engine.games.solvers.klondike_cards import FREE, PARENTS, WASTE, Table, foundation_of, pair_of


class Action(NamedTuple):
    """What is done in one go: talon cards that land on columns, then the top of a column (by its place) that
    moves with all that lies on it, then cards that go home.

    Where cards land is not said: on any that is bare and fits, all are alike.
    """

    landed: tuple[int, ...]
    moved: int | None
    sent: Sequence[int]


def commands(table: Table, plan: Iterable[Action]) -> tuple[Command, ...]:
    """The commands that carry out a plan which leaves no card face down, and then send all cards home."""
    hands = Hands(table)
    for action in plan:
        hands.do(action)
    hands.send_all()
    return tuple(in_passing(table, hands.moves))


class Hands:
    """The columns while a plan is carried out as if every talon card could be taken at any time.

    ``moves`` are those made so far, each with the talon card it takes if it takes one.
    """

    def __init__(self, table: Table) -> None:
        self.names = table.names
        self.runs = [list(run) for run in table.runs]
        self.hidden = [list(stack[:-1]) for stack in table.stacks]
        self.home = table.home
        self.moves: list[tuple[Move, int | None]] = []

    def do(self, action: Action) -> None:
        """Carries out one action."""
        for card in action.landed:
            column = self._place(card)
            self.moves.append((Move(WASTE, 1, self.names[column]), card))
            self.runs[column].append(card)
        if action.moved is not None:
            self._move(action.moved, 0)
        for card in action.sent:
            self._send(card)

    def send_all(self) -> None:
        """Sends home what is left, once no card is face down."""
        for card in range(4, FREE):
            if not self.home >> card & 1:
                self._send(card)

    def _send(self, card: int) -> None:
        source = next((column for column, run in enumerate(self.runs) if card in run), None)
        if source is None:
            self.moves.append((Move(WASTE, 1, foundation_of(card)), card))
        else:
            run = self.runs[source]
            if run[-1] != card:
                self._move(source, run.index(card) + 1)
            run.pop()
            self.moves.append((Move(self.names[source], 1, foundation_of(card)), None))
            self._turn(source)
        self.home |= 1 << card

    def _move(self, source: int, start: int) -> None:
        """Moves the cards of a run from a place on to where they fit."""
        cards = self.runs[source][start:]
        target = self._place(cards[0])
        del self.runs[source][start:]
        self.runs[target] += cards
        self.moves.append((Move(self.names[source], len(cards), self.names[target]), None))
        self._turn(source)

    def _turn(self, column: int) -> None:
        if not self.runs[column] and self.hidden[column]:
            self.runs[column].append(self.hidden[column].pop())

    def _place(self, card: int) -> int:
        """The first column that a card can land on."""
        return next(
            column
            for column, run in enumerate(self.runs)
            if (pair_of(run[-1]) == PARENTS[card] if run else card >= 4 * KING)
        )


def in_passing(table: Table, moves: list[tuple[Move, int | None]]) -> Iterator[Command]:
    """The moves with the draws they need, each talon card taken when it comes by.

    Two moves change places freely unless they touch the same column or foundation, where each finds what it
    would have found.
    """
    waiting: dict[str, deque[int]] = {}
    for number, (move, _) in enumerate(moves):
        for pile in {move.source, move.target} - {WASTE}:
            waiting.setdefault(pile, deque()).append(number)
    stock, waste = list(table.stock), list(table.waste)

    def is_ready(number: int) -> bool:
        move, card = moves[number]
        return all(waiting[pile][0] == number for pile in {move.source, move.target} - {WASTE}) and (
            card is None or (bool(waste) and waste[-1] == card)
        )

    while first := [numbers[0] for numbers in waiting.values() if numbers]:
        ready = list(filter(is_ready, first))
        if not ready:
            yield Draw()
            if stock:
                waste.append(stock.pop())
            else:
                stock, waste = waste[::-1], []
            continue
        move, card = moves[ready[0]]
        for pile in {move.source, move.target} - {WASTE}:
            waiting[pile].popleft()
        if card is not None:
            waste.pop()
        yield move
