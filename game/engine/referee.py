"""Replays records with the rules and says where they differ; see PROTOCOL.md, "For programs".

A record is JSON written by anybody: nothing in it is trusted, every field is looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from game.engine.commands import MalformedCommandError, parse_command
from game.engine.deals import DealCodeError, parse_deal_code
from game.engine.games import GAMES, UnknownRulesError, rules_of
from game.engine.line import Line, Standing, Status, digest, line_of, score_of
from game.engine.notation import parse_position
from game.engine.position import Position
from game.engine.rules import Refusal, Rules

Json = dict[str, Any]


class RecordError(ValueError):
    """The record cannot be replayed; the text says why."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a log as it came out: the standing after it, or why it was refused."""

    seq: int
    outcome: Standing | Refusal
    elapsed_ms: int | None


@dataclass(frozen=True, slots=True)
class Replay:
    """A record replayed to its end."""

    record: Json
    line: Line
    entries: tuple[Entry, ...]

    @property
    def rules(self) -> Rules:
        return self.line.rules

    @property
    def elapsed_ms(self) -> int | None:
        """The clock at the last accepted command; None where the log does not tell."""
        accepted = [entry for entry in self.entries if isinstance(entry.outcome, Standing)]
        return accepted[-1].elapsed_ms if accepted else None


def replay(record: object) -> Replay:
    """Plays a record's log from its deal, over refused entries; raises `RecordError`."""
    if not isinstance(record, dict):
        raise RecordError("a record is an object")
    if missing := [key for key in ("rules", "options", "log") if key not in record]:
        raise RecordError(f"{missing[0]}: missing")
    try:
        rules = rules_of(record["rules"])
    except UnknownRulesError as error:
        raise RecordError(f"rules: {error}") from None
    if record.get("deal") is None:
        raise RecordError("hidden")
    line = Line(rules, _deal(rules, record))
    if not isinstance(record["log"], list):
        raise RecordError("log: not a list")
    return Replay(record, line, tuple(_entries(line, record["log"])))


def _deal(rules: Rules, record: Json) -> Position:
    if not isinstance(record["options"], dict):
        raise RecordError("options: not an object")
    try:
        rules.variant(record["options"])
    except ValueError as error:
        raise RecordError(f"options: {error}") from None
    if not isinstance(record["deal"], str):
        raise RecordError("deal: not a text")
    try:
        return parse_position(record["deal"], rules.layout)
    except ValueError as error:
        raise RecordError(f"deal: {error}") from None


def _entries(line: Line, log: list[Any]) -> Iterator[Entry]:
    started_at: int | None = None
    has_started = False
    for place, entry in enumerate(log, start=1):
        fields: Json = entry if isinstance(entry, dict) else {}
        at_ms = _whole(fields.get("at_ms"))
        outcome = _play(line, fields.get("command"))
        if outcome is None:
            # The clock starts with the first command but giving up.
            if not has_started and line.events[-1].command != "give_up":
                has_started, started_at = True, at_ms
            yield Entry(_seq(fields, place), line.standing, _elapsed(has_started, started_at, at_ms))
        else:
            yield Entry(_seq(fields, place), outcome, None)


def _play(line: Line, text: object) -> Refusal | None:
    try:
        outcome = line.play(parse_command(text)) if isinstance(text, str) else Refusal("malformed")
    except MalformedCommandError:
        return Refusal("malformed")
    return outcome if isinstance(outcome, Refusal) else None


def _elapsed(has_started: bool, started_at: int | None, at_ms: int | None) -> int | None:
    if at_ms is None:
        return None
    if not has_started:
        return 0
    return None if started_at is None else at_ms - started_at


def _whole(value: object) -> int | None:
    return value if type(value) is int else None


def _seq(fields: Json, place: int) -> int:
    given = _whole(fields.get("seq"))
    return place if given is None else given


def trace(index: int, replayed: Replay) -> Iterator[Json]:
    """One row for each log entry; ``index`` is the record's place."""
    for entry in replayed.entries:
        if isinstance(entry.outcome, Refusal):
            yield {"record": index, "seq": entry.seq, "refused": entry.outcome.code}
        else:
            standing = entry.outcome
            yield {
                "record": index,
                "seq": entry.seq,
                "ply": standing.ply,
                "position": standing.position.text,
                "score": score_of(replayed.rules, standing),
                "moves": standing.moves,
                "elapsed_ms": entry.elapsed_ms,
                "status": standing.status,
                "legal": legal(replayed.rules, standing),
            }


def legal(rules: Rules, standing: Standing) -> int:
    """How many legal moves of cards there are, a possible draw among them; 0 when the game is over."""
    if standing.status is not Status.PLAYING:
        return 0
    return sum(map(len, rules.dests(standing.position).values()))


def differences(replayed: Replay) -> Iterator[str]:
    """What a record says and its replay does not, each in one line; nothing if they agree."""
    record, line, standing = replayed.record, replayed.line, replayed.line.standing
    yield from _wrong_origin(replayed)
    for place, entry in enumerate(replayed.entries, start=1):
        if entry.seq != place:
            yield f"log: entry {place} has seq {entry.seq}"
        if isinstance(entry.outcome, Refusal):
            yield f"log: seq {entry.seq} is refused, {entry.outcome.code}"
    results: Json = {
        "status": str(standing.status),
        "score": line.score,
        "moves": standing.moves,
        "position": standing.position.text,
        "line": [event.command for event in line_of(line.events)],
    }
    # Null stands for "not told" in these two; a score of null says that the game has none.
    if record.get("digest") is not None:
        results["digest"] = digest(line.rules, standing)
    if standing.status is not Status.PLAYING and replayed.elapsed_ms is not None:
        results["elapsed_ms"] = replayed.elapsed_ms
    for name, value in results.items():
        if name in record and (record[name] != value or type(record[name]) is not type(value)):
            yield f"{name}: {record[name]!r} in the record, {value!r} replayed"


def _wrong_origin(replayed: Replay) -> Iterator[str]:
    """Whether the deal could be dealt, and by these rules."""
    record, rules, deal = replayed.record, replayed.rules, replayed.line.deal
    version = record.get("rules_version", rules.version)
    if version != rules.version:
        yield f"rules_version: {version!r} in the record, {rules.version} here"
    pack = sorted(card.text for card in rules.pack(record["options"]))
    if sorted(card.text.upper() for _, cards in deal.items() for card in cards) != pack:
        yield "deal: not one whole pack"
    text = record.get("deal_code")
    if text is not None:
        try:
            code = parse_deal_code(str(text), GAMES)
        except DealCodeError as error:
            yield f"deal_code: {error}"
        else:
            if code.rules is not rules or code.options != record["options"] or code.deal() != deal:
                yield f"deal_code: {code} deals other cards"
