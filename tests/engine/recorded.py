"""Recorded games and fingerprints: what is frozen of a version of the rules, and how it is written.

``python -m tests.engine.recorded SLUG`` writes the frozen files of tests/golden for one game: recorded games,
its fingerprint, and for a new game layouts and trees too. It is run once for each version of a game's rules
and touches nothing that stands there already.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from game.engine.commands import Collect, Undo, parse_command
from game.engine.deals import DealCode
from game.engine.games import rules_of
from game.engine.line import Line, digest
from game.engine.position import Position
from game.engine.rules import Options, Refusal, Rules
from tests.engine.cases import GOLDEN, Case, games_of
from tests.engine.tables import moves_from

LAYOUTS = GOLDEN / "layouts.json"
TREES = GOLDEN / "trees.json"
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


def code_of(rules: Rules, number: int) -> DealCode:
    """The deal of a number, of each variant in turn."""
    variants = sorted(rules.variants)
    letters = f"{number:020d}".translate(str.maketrans("0123456789", "QWERTYUIOP"))
    return DealCode(rules, variants[number % len(variants)], letters[-rules.code_letters[0] :])


def lines(rules: Rules, position: Position, depth: int) -> int:
    """Sequences of ``depth`` legal moves of cards from a position."""
    moves = moves_from(rules, position)
    if depth == 1:
        return len(moves)
    total = 0
    for move in moves:
        step = rules.step(position, move)
        assert not isinstance(step, Refusal)
        total += lines(rules, step.position, depth - 1)
    return total


def behaviour(rules: Rules) -> Iterator[str]:
    """Everything by which an old log could replay otherwise, line by line.

    Deals, undo limit, and from 24 deals a walk of 60 steps: at each position what every move, a draw and
    collecting would lead to, and the score. Which code a refusal has is no part of it; what only happens
    late in a game the recorded games hold.
    """
    yield f"undo {rules.undo_limit}"
    for number in range(24):
        code = code_of(rules, number)
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
    known = json.loads(FINGERPRINTS.read_text())
    versions = known.setdefault(slug, {})
    if str(rules.version) in versions:
        raise SystemExit(f"{slug} version {rules.version} is frozen already")
    versions[str(rules.version)] = fingerprint(rules)
    _write(FINGERPRINTS, known)
    codes = [code_of(rules, number) for number in range(10)]
    records = [
        *(record_of(replayed(case), case.options) for case in games_of(slug)),
        *(record_of(walked(code), code.options) for code in codes),
    ]
    with RECORDS.open("a") as file:
        file.writelines(json.dumps(record, separators=(",", ":")) + "\n" for record in records)
    layouts = {str(code): sha256(code.deal().text.encode()).hexdigest() for code in codes}
    _write(LAYOUTS, json.loads(LAYOUTS.read_text()) | layouts)
    trees = json.loads(TREES.read_text())
    if not any(tree["rules"] == slug for tree in trees.values()):
        _write(TREES, trees | {str(code): _tree(code) for code in codes[:2]})


def _tree(code: DealCode) -> dict[str, Any]:
    deal = code.deal()
    counts = [lines(code.rules, deal, depth) for depth in (1, 2, 3)]
    return {"rules": code.rules.slug, "deal": deal.text, "lines": counts}


def _write(path: Path, content: dict[str, Any]) -> None:
    path.write_text(json.dumps(content, indent=1) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
