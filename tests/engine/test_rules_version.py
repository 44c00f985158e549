"""B58: recorded games play to their digest for ever, and behaviour does not change under a version."""

from __future__ import annotations

import dataclasses
import json
from collections import Counter
from typing import Any

import pytest

from game.engine.commands import parse_command
from game.engine.games import GAMES, rules_of
from game.engine.line import Event, Line, digest
from game.engine.notation import parse_position
from game.engine.rules import Rules
from tests.engine.recorded import FINGERPRINTS, RECORDS, fingerprint

SLUGS = {rules.slug for rules in GAMES}
ALL = [json.loads(line) for line in RECORDS.read_text().splitlines()]
CURRENT = [
    (number, record)
    for number, record in enumerate(ALL)
    if record["rules_version"] == rules_of(record["rules"]).version
]


@pytest.mark.parametrize("record", [pytest.param(record, id=str(number)) for number, record in CURRENT])
def test_a_recorded_game_plays_to_its_digest(record: dict[str, Any]) -> None:
    rules = rules_of(record["rules"])
    line = Line(rules, parse_position(record["deal"], rules.layout))
    for entry in record["log"]:
        outcome = line.play(parse_command(entry["command"]))
        assert isinstance(outcome, Event), f"{entry['command']}: {outcome}"
        assert outcome.command == entry["command"]
    assert (line.standing.status, line.score, line.standing.moves) == (
        record["status"],
        record["score"],
        record["moves"],
    )
    assert digest(rules, line.standing) == record["digest"]


def test_recorded_games_of_every_game_there_is() -> None:
    counts = Counter(record["rules"] for _, record in CURRENT)
    assert counts.total() >= 200
    assert set(counts) == SLUGS


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.slug)
def test_the_rules_did_not_change_under_their_version(rules: Rules) -> None:
    known = json.loads(FINGERPRINTS.read_text())[rules.slug]
    assert known.get(str(rules.version)) == fingerprint(rules), (
        f"{rules.slug} plays otherwise than its version {rules.version} did: raise Rules.version, "
        "then run python -m tests.engine.recorded"
    )


def test_the_fingerprint_sees_a_changed_score_limit_and_legality() -> None:
    (rules,) = (rules for rules in GAMES if rules.slug == "simple-simon")
    changes = {
        "score": dataclasses.replace(rules, score=lambda position, moves: 501 - moves),
        "limit": dataclasses.replace(rules, undo_limit=101),
        "deal": dataclasses.replace(rules, deal=lambda cards: rules.deal(cards[::-1])),
        "won": dataclasses.replace(rules, is_won=lambda position: True),
    }
    known = fingerprint(rules)
    for name, other in changes.items():
        assert fingerprint(other) != known, name
