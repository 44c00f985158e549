"""Reads a history afterwards and says what in it contradicts what is stored, or itself.

Each check returns sentences; a history without fault gives none.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Final

from game.engine.commands import parse_command
from game.engine.games import rules_of
from game.engine.line import Line, Standing, digest
from game.engine.notation import parse_position
from game.engine.rules import Refusal
from tests.faults.history import Entry, Frame, History, sightings, states_in
from tests.faults.stored import Stored

LATER: Final = ("unavailable", "too_fast")
"""Refusals that leave it open whether the command is stored: the retry says so."""


def check(history: History, stored: Stored, record: Frame | None = None) -> list[str]:
    """Everything that is wrong with one game. ``record`` is what programs are told about it, if asked."""
    entries = history.of(stored.code)
    standings, found = replay(stored)
    return [
        *log_is_whole(stored),
        *found,
        *stored_is_replayed(stored, standings, record),
        *answers_hold(entries, stored),
        *screens_never_go_back(entries),
        *screens_saw_what_was(entries, stored, standings),
        *screens_end_right(entries, stored, standings),
    ]


def log_is_whole(stored: Stored) -> list[str]:
    """No hole in seq, no id twice."""
    wrong = []
    if [row.seq for row in stored.log] != list(range(1, stored.seq + 1)):
        wrong.append(f"the log has a hole: {stored.seq} events, rows {[row.seq for row in stored.log]}")
    for name, count in Counter(row.id for row in stored.log).items():
        if count > 1:
            wrong.append(f"{name} is in the log {count} times")
    return wrong


def replay(stored: Stored) -> tuple[list[Standing], list[str]]:
    """The standing at each seq, as the engine makes it of the logged commands."""
    rules = rules_of(stored.rules)
    line = Line(rules, parse_position(stored.deal, rules.layout))
    standings = [line.standing]
    for row in stored.log:
        outcome = line.play(parse_command(row.command))
        if isinstance(outcome, Refusal):
            return standings, [f"the engine refuses {row.command} at {row.seq}: {outcome.code}"]
        standings.append(line.standing)
    return standings, []


def stored_is_replayed(stored: Stored, standings: list[Standing], record: Frame | None) -> list[str]:
    """The stored standing is what the log leads to, and so is the digest that is told."""
    last = standings[-1]
    rules = rules_of(stored.rules)
    told = (stored.position, stored.seq, stored.ply, stored.moves, stored.status, stored.score)
    made = (last.position.text, last.seq, last.ply, last.moves, str(last.status))
    wrong = []
    if told != (*made, rules.score(last.position, last.moves)):
        wrong.append(f"stored is {told}, but the log leads to {made}")
    if record is not None and record["digest"] is not None and record["digest"] != digest(rules, last):
        wrong.append("the record's digest is not that of the replay")
    return wrong


def answers_hold(entries: list[Entry], stored: Stored) -> list[str]:
    """What was answered to each command is what came of it, and every command was answered in the end."""
    sent: dict[str, Frame] = {}
    answers: dict[str, list[Frame]] = defaultdict(list)
    for entry in entries:
        if entry.kind == "sent" and entry.what["type"] == "play":
            sent.setdefault(entry.what["id"], entry.what)
        elif entry.kind == "got" and entry.what["type"] in ("accepted", "refused") and entry.what["id"]:
            answers[entry.what["id"]].append(entry.what)
    rows = {row.id: row for row in stored.log}
    wrong = [f"{name} was answered and never asked" for name in answers.keys() - sent.keys()]
    wrong += [f"nobody sent {name}, which is in the log" for name in rows.keys() - sent.keys()]
    for name, asked in sent.items():
        row = rows.get(name)
        if row is not None and row.command != asked["command"] and not asked["command"].startswith("send "):
            wrong.append(f"{name} asked for {asked['command']} and is logged as {row.command}")
        wrong += _answers_to(name, answers[name], None if row is None else row.seq)
    return wrong


def _answers_to(name: str, answers: list[Frame], logged_at: int | None) -> list[str]:
    wrong = []
    is_settled = False
    for answer in answers:
        if answer["type"] == "accepted":
            is_settled = True
            if logged_at is None:
                wrong.append(f"{name} was accepted as {answer['seq']} and is lost")
            elif answer["seq"] != logged_at:
                wrong.append(f"{name} was accepted as {answer['seq']} and is logged as {logged_at}")
        elif answer["code"] not in LATER:
            is_settled = True
            if logged_at is not None:
                wrong.append(f"{name} was refused as {answer['code']} and is logged as {logged_at}")
    if [a["type"] for a in answers].count("accepted") - sum(a.get("repeated", False) for a in answers) > 1:
        wrong.append(f"{name} was accepted twice as if it were new")
    if not is_settled:
        wrong.append(f"{name} never had an answer that says whether it is stored")
    return wrong


def screens_never_go_back(entries: list[Entry]) -> list[str]:
    """No screen is told of a seq that is older than one it has seen, nor of an update twice, unless it has
    asked for what came after an even older one.
    """
    wrong = []
    newest: dict[str, int] = {}
    told: Counter[tuple[str, int]] = Counter()
    asked: dict[str, list[int]] = defaultdict(list)
    for entry in entries:
        if entry.kind == "sent" and entry.what["type"] == "sync":
            asked[entry.who].append(entry.what["since"])
        for state in states_in(entry.what) if entry.kind == "got" else ():
            seq, seen = state["seq"], newest.get(entry.who, -1)
            newest[entry.who] = max(seen, seq)
            is_update = entry.what["type"] == "update"
            before, told[entry.who, seq] = told[entry.who, seq], told[entry.who, seq] + is_update
            if seq < seen or (is_update and seq == seen):
                times = sum(since < seq for since in asked[entry.who]) if is_update else 0
                if times < max(1, before):
                    word = "sent back to" if seq < seen else "told again of"
                    wrong.append(f"{entry.who} was at {seen} and was {word} {seq}")
    return wrong


def screens_saw_what_was(entries: list[Entry], stored: Stored, standings: list[Standing]) -> list[str]:
    """Every state that was told is the one that the log has at that seq."""
    wrong = []
    right: set[int] = set()
    for entry, state in sightings(entries):
        # The same frame goes to many screens.
        if id(state) in right:
            continue
        if state["seq"] >= len(standings):
            wrong.append(f"{entry.who} was told of {state['seq']}, which is not in the log")
            continue
        true = standings[state["seq"]]
        if shown(state) != (true.position.masked, true.ply, true.moves, str(true.status)):
            wrong.append(f"{entry.who} saw another position at {state['seq']} than was")
        elif "command" in state and state["command"] != stored.log[state["seq"] - 1].command:
            wrong.append(f"{entry.who} was told of another command at {state['seq']} than was played")
        else:
            right.add(id(state))
    return wrong


def shown(state: Frame) -> tuple[str, int, int, str]:
    """What of a state does not depend on the clock."""
    return state["position"], state["ply"], state["moves"], state["status"]


def screens_end_right(entries: list[Entry], stored: Stored, standings: list[Standing]) -> list[str]:
    """Every screen that stayed was told the table and ends at the stored position."""
    last: dict[str, Frame] = {}
    left = {entry.who for entry in entries if entry.kind == "left"}
    entries = [entry for entry in entries if entry.who not in left]
    for entry in entries:
        if entry.kind == "got":
            for state in states_in(entry.what):
                last[entry.who] = state
    wrong = [
        f"{who} ends at {state['seq']} of {stored.seq}"
        for who, state in last.items()
        if state["seq"] != stored.seq
    ]
    masked = standings[-1].position.masked
    wrong += [
        f"{who} ends at another position than is stored"
        for who, state in last.items()
        if state["seq"] == stored.seq and state["position"] != masked
    ]
    opened = {entry.who for entry in entries if entry.kind == "opened"}
    return wrong + [f"{who} never saw the table" for who in sorted(opened - last.keys())]
