"""From what the solver decided to commands: which card lands on which, and when to draw."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence

from game.engine.commands import Command, Draw, Move
from game.engine.games.solvers.klondike_cards import (
    FIRST_KING,
    FREE,
    PARENTS,
    WASTE,
    Table,
    cards_in,
    foundation_of,
    pair_of,
)

Action = tuple[int, int | None, Sequence[int]]
"""What is done in one go: the set of talon cards that land on columns, the highest first; then the column
whose top moves with all that lies on it; then cards that go home.

Where cards land is not said: on any that is bare and fits, all are alike.
"""


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
        landed, moved, sent = action
        for card in reversed(cards_in(landed)):
            column = self._place(card)
            self.moves.append((Move(WASTE, 1, self.names[column]), card))
            self.runs[column].append(card)
        if moved is not None:
            self._move(moved, 0)
        for card in sent:
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
            if (pair_of(run[-1]) == PARENTS[card] if run else card >= FIRST_KING)
        )


def in_passing(table: Table, moves: Sequence[tuple[Move, int | None]]) -> Iterator[Command]:
    """The moves with the draws they need, each talon card taken when it comes by.

    Two moves change places freely unless they touch the same column or foundation, where each finds what it
    would have found.
    """
    touched = [{move.source, move.target} - {WASTE} for move, _ in moves]
    waiting: dict[str, deque[int]] = {}
    for number, piles in enumerate(touched):
        for pile in piles:
            waiting.setdefault(pile, deque()).append(number)
    stock, waste = list(table.stock), list(table.waste)
    ready: list[int] = []
    """Moves whose turn it is at their piles, and which need no talon card."""
    wanted: dict[int, int] = {}
    """Such moves as take one, by their cards."""

    def offer(numbers: Iterable[int]) -> None:
        for number in numbers:
            if all(waiting[pile][0] == number for pile in touched[number]):
                card = moves[number][1]
                if card is None:
                    ready.append(number)
                else:
                    wanted[card] = number

    offer({numbers[0] for numbers in waiting.values()})
    while ready or wanted:
        if ready:
            number = ready.pop()
        elif waste and waste[-1] in wanted:
            number = wanted.pop(waste.pop())
        else:
            yield Draw()
            if stock:
                waste.append(stock.pop())
            else:
                stock, waste = waste[::-1], []
            continue
        yield moves[number][0]
        for pile in touched[number]:
            waiting[pile].popleft()
        offer({waiting[pile][0] for pile in touched[number] if waiting[pile]})
