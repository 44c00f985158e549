"""A game as it is played: commands in, events out, undo, and what stands in the end.

Two numbers count a game. ``seq`` is the place in the log and only grows; ``ply`` is the place in the
line (the steps not undone) and falls on undo.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256

from game.engine.commands import Collect, Command, GiveUp, Undo
from game.engine.effects import Effects, apply_effects, inverse
from game.engine.position import Position
from game.engine.rules import Refusal, Rules


class Status(StrEnum):
    """How a game stands."""

    PLAYING = "playing"
    WON = "won"
    GIVEN_UP = "given_up"


@dataclass(frozen=True, slots=True)
class Standing:
    """Everything the next command depends on, but for the step an undo would take back.

    ``tip`` is the seq of the last step of the line, 0 at its start; ``undoable`` is how many actions
    can still be taken back.
    """

    position: Position
    seq: int = 0
    ply: int = 0
    moves: int = 0
    status: Status = Status.PLAYING
    tip: int = 0
    undoable: int = 0


@dataclass(frozen=True, slots=True)
class Event:
    """What happened: a row of the log.

    ``command`` is the canonical text of what was done; ``moves`` is by how much the move count rose;
    ``parent`` is the tip before, to which an undo of this event returns.
    """

    seq: int
    command: str
    effects: Effects
    moves: int
    parent: int


def advance(
    rules: Rules, standing: Standing, command: Command, tip: Event | None
) -> tuple[Event, Standing] | Refusal:
    """Applies one command to a game.

    ``tip`` is the event at ``standing.tip``; only `Undo` looks at it. Whether the asker may play and
    has seen the newest position is not checked here.
    """
    if standing.status is not Status.PLAYING:
        return Refusal("game_over")
    seq = standing.seq + 1
    match command:
        case Undo():
            if tip is None or not standing.undoable:
                return Refusal("nothing_to_undo")
            event = Event(seq, str(command), inverse(tip.effects), -tip.moves, tip.parent)
        case GiveUp():
            event = Event(seq, str(command), (), 0, standing.tip)
        case _:
            step = rules.step(standing.position, command)
            if isinstance(step, Refusal):
                return step
            event = Event(seq, str(step.command), step.effects, step.moves, standing.tip)
    return event, after(rules, standing, event)


def after(rules: Rules, standing: Standing, event: Event) -> Standing:
    """The standing once ``event`` has happened; the rules are not asked whether it may."""
    position = apply_effects(standing.position, event.effects)
    moves = standing.moves + event.moves
    if event.command == "give_up":
        return Standing(
            position, event.seq, standing.ply, moves, Status.GIVEN_UP, standing.tip, standing.undoable
        )
    if event.command == "undo":
        return Standing(
            position,
            event.seq,
            standing.ply - 1,
            moves,
            Status.PLAYING,
            event.parent,
            standing.undoable - 1,
        )
    return Standing(
        position,
        event.seq,
        standing.ply + 1,
        moves,
        Status.WON if rules.is_won(position) else Status.PLAYING,
        event.seq,
        min(standing.undoable + 1, rules.undo_limit),
    )


def retrace(rules: Rules, deal: Position, events: Iterable[Event]) -> Iterator[tuple[Event, Standing]]:
    """Each event of a stored log with the standing after it, from the deal on."""
    standing = Standing(deal)
    for event in events:
        standing = after(rules, standing, event)
        yield event, standing


def line_of(events: Iterable[Event]) -> list[Event]:
    """The events not undone, in order."""
    line: list[Event] = []
    for event in events:
        if event.command == "undo":
            line.pop()
        elif event.command != "give_up":
            line.append(event)
    return line


class Line:
    """A game played in memory from its deal: the fold of a log."""

    def __init__(self, rules: Rules, deal: Position) -> None:
        self.rules = rules
        self.deal = deal
        self.events: list[Event] = []
        self.standing = Standing(deal)

    def play(self, command: Command) -> Event | Refusal:
        """Applies a command; a refused one changes nothing."""
        tip = self.events[self.standing.tip - 1] if self.standing.tip else None
        outcome = advance(self.rules, self.standing, command, tip)
        if isinstance(outcome, Refusal):
            return outcome
        event, self.standing = outcome
        self.events.append(event)
        return event

    @property
    def score(self) -> int | None:
        return score_of(self.rules, self.standing)


def score_of(rules: Rules, standing: Standing) -> int | None:
    """The score, or None where the rules have none."""
    return rules.score(standing.position, standing.moves)


def actions(rules: Rules, standing: Standing) -> list[str]:
    """Which of ``undo``, ``collect``, ``give_up`` would be accepted now."""
    if standing.status is not Status.PLAYING:
        return []
    open_to: list[str] = []
    if standing.undoable:
        open_to.append("undo")
    if not isinstance(rules.step(standing.position, Collect()), Refusal):
        open_to.append("collect")
    open_to.append("give_up")
    return open_to


def digest(rules: Rules, standing: Standing) -> str:
    """SHA-256 in hex of ``position|score or -|moves|status``, the position unmasked."""
    score = score_of(rules, standing)
    text = "|".join(
        [
            standing.position.text,
            "-" if score is None else str(score),
            str(standing.moves),
            standing.status,
        ]
    )
    return sha256(text.encode("ascii")).hexdigest()
