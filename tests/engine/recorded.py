"""Recorded games and fingerprints: what is frozen of a version of the rules, and how it is written.

``python -m tests.engine.recorded SLUG`` appends the recorded games of one kind to records.jsonl and enters
its fingerprint; it is run once for each new version of a game's rules and touches no older line.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

from game.engine.commands import Collect, Undo, parse_command
from game.engine.deals import DealCode, parse_deal_code
from game.engine.games import rules_of
from game.engine.line import Line, digest
from game.engine.position import Position
from game.engine.rules import Options, Refusal, Rules
from tests.engine.cases import GOLDEN, Case, games_of
from tests.engine.tables import moves_from

LAYOUTS = json.loads((GOLDEN / "layouts.json").read_text())
RECORDS = GOLDEN / "records.jsonl"
FINGERPRINTS = GOLDEN / "fingerprints.json"


def record_of(line: Line, options: Options) -> dict[str, Any]:
    """A game as a record: what was accepted, and the standing it ended in."""
    return {
        "rules": line.rules.slug,
        "rules_version": line.rules.version,
        "options": dict(options),
        "deal": line.deal.text,
        "log": [{"command": event.command} for event in line.events],
        "status": line.standing.status,
        "score": line.score,
        "moves": line.standing.moves,
        "digest": digest(line.rules, line.standing),
    }


def replayed(case: Case) -> Line:
    """A case, played to its end."""
    line = Line(case.rules, case.deal)
    for text, _, _ in case.played():
        line.play(parse_command(text))
    return line


def walked(code: DealCode) -> Line:
    """A game from a deal code: 80 commands that the positions themselves choose, every seventh an undo."""
    line = Line(code.rules, code.deal())
    for number in range(1, 81):
        options = [*moves_from(code.rules, line.standing.position), Collect()]
        line.play(Undo() if number % 7 == 0 else options[chosen(line.standing.position, len(options))])
    return line


def chosen(position: Position, count: int) -> int:
    """A place among ``count`` that any change of the position changes."""
    return int(sha256(position.text.encode()).hexdigest(), 16) % count


def behaviour(rules: Rules) -> Iterator[str]:
    """Everything by which an old log could replay otherwise, line by line.

    Deals, undo limit, and from 24 deals a walk of 60 steps: at each position what every move, a draw and
    collecting would lead to, and the score. Which code a refusal has is no part of it; what only happens
    late in a game the recorded games hold.
    """
    yield f"undo {rules.undo_limit}"
    variants = sorted(rules.variants)
    for number in range(24):
        letters = f"{number:020d}".translate(str.maketrans("0123456789", "QWERTYUIOP"))
        code = DealCode(rules, variants[number % len(variants)], letters[-rules.code_letters[0] :])
        position = code.deal()
        yield f"{code} {position.text}"
        for moves in range(60):
            outcomes = list(steps(rules, position))
            yield f"{rules.score(position, moves)} {rules.is_won(position)}"
            yield from (f"{text} {after.text} {count}" for text, after, count in outcomes)
            if not outcomes:
                break
            position = outcomes[chosen(position, len(outcomes))][1]


def steps(rules: Rules, position: Position) -> Iterator[tuple[str, Position, int]]:
    """What each command that is open here leads to."""
    for command in [*moves_from(rules, position), Collect()]:
        step = rules.step(position, command)
        if not isinstance(step, Refusal):
            yield str(command), step.position, step.moves


def fingerprint(rules: Rules) -> str:
    """SHA-256 over the behaviour."""
    return sha256("\n".join(behaviour(rules)).encode()).hexdigest()


def main(slug: str) -> None:
    """Writes what is frozen of the present version of one game."""
    rules = rules_of(slug)
    known = json.loads(FINGERPRINTS.read_text()) if FINGERPRINTS.exists() else {}
    versions = known.setdefault(slug, {})
    if str(rules.version) in versions:
        raise SystemExit(f"{slug} version {rules.version} is frozen already")
    versions[str(rules.version)] = fingerprint(rules)
    FINGERPRINTS.write_text(json.dumps(known, indent=1) + "\n")
    codes = [parse_deal_code(code, [rules]) for code in LAYOUTS if code.startswith(rules.prefix)][:10]
    records = [
        *(record_of(replayed(case), case.options) for case in games_of(slug)),
        *(record_of(walked(code), code.options) for code in codes),
    ]
    with RECORDS.open("a") as file:
        file.writelines(json.dumps(record, separators=(",", ":")) + "\n" for record in records)


if __name__ == "__main__":
    main(sys.argv[1])
