"""``manage.py referee``, through the command line."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from game.engine.deals import parse_deal_code
from game.engine.games import GAMES
from game.engine.line import Line, digest, line_of
from game.engine.notation import parse_position
from tests.engine.cases import CODES, Case, case_text, command_text, games_of, load
from tests.engine.tables import play_all

ROOT = Path(__file__).parent.parent.parent
CODE = "SS1-S4-AAAAABD"


def referee(*args: str) -> tuple[int, str, str]:
    """Exit code, standard output and standard error."""
    out, err = io.StringIO(), io.StringIO()
    try:
        call_command("referee", *args, stdout=out, stderr=err)
    except SystemExit as stop:
        return int(stop.code or 0), out.getvalue(), err.getvalue()
    return 0, out.getvalue(), err.getvalue()


def judged(tmp_path: Path, *records: Any, flags: Iterable[str] = ()) -> tuple[int, list[str]]:
    """Exit code and verdict lines for a list of records."""
    file = tmp_path / "records.json"
    file.write_text(json.dumps(list(records)))
    code, out, _ = referee(*flags, str(file))
    return code, out.splitlines()


def a_record(**changes: Any) -> dict[str, Any]:
    """A short game, given up, complete in every field."""
    code = parse_deal_code(CODE, GAMES)
    deal = code.deal()
    line = Line(code.rules, deal)
    first = next(f"{source}-{targets[0]}" for source, targets in code.rules.dests(deal).items())
    play_all(line, [first, "undo", first, "give_up"])
    return {
        "code": "0123456789",
        "rules": "simple-simon",
        "rules_version": 1,
        "options": {"suits": 4},
        "deal": deal.text,
        "deal_code": CODE,
        "player": "ada",
        "ranked": False,
        "status": "given_up",
        "score": 499,
        "moves": 1,
        "elapsed_ms": 2500,
        "position": line.standing.position.text,
        "digest": digest(code.rules, line.standing),
        "log": [
            {"seq": event.seq, "command": event.command, "at_ms": at}
            for event, at in zip(line.events, (1000, 2000, 3000, 3500), strict=True)
        ],
        "line": [event.command for event in line_of(line.events)],
    } | changes


def least(record: dict[str, Any]) -> dict[str, Any]:
    """Only what is required."""
    kept = {key: record[key] for key in ("rules", "options", "deal")}
    return kept | {"log": [{"command": entry["command"]} for entry in record["log"]]}


def test_a_true_record_is_ok(tmp_path: Path) -> None:
    assert judged(tmp_path, a_record()) == (0, ["ok"])


def test_only_rules_options_deal_and_log_are_required(tmp_path: Path) -> None:
    record = least(a_record())
    assert judged(tmp_path, record) == (0, ["ok"])
    for key in record:
        code, (verdict,) = judged(tmp_path, {name: record[name] for name in record if name != key})
        assert code == 1
        assert verdict == ("record 0: hidden" if key == "deal" else f"record 0: {key}: missing")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("status", "playing"),
        ("status", "won"),
        ("score", 500),
        ("score", None),
        ("score", 499.0),
        ("moves", 2),
        ("moves", True),
        ("elapsed_ms", 2499),
        ("position", "t1"),
        ("digest", "0" * 64),
        ("line", []),
    ],
)
def test_each_differing_result_is_named(tmp_path: Path, field: str, value: object) -> None:
    code, (verdict,) = judged(tmp_path, a_record(**{field: value}))
    assert code == 1
    assert verdict.startswith(f"record 0: {field}: {value!r} in the record")


def test_several_differences_are_several_lines_and_an_absent_field_is_none(tmp_path: Path) -> None:
    record = a_record(moves=7, score=7)
    del record["digest"]
    code, verdicts = judged(tmp_path, record)
    assert code == 1
    assert [verdict.split(": ")[1] for verdict in verdicts] == ["score", "moves"]


def test_a_null_digest_or_code_is_not_told(tmp_path: Path) -> None:
    assert judged(tmp_path, a_record(digest=None, deal_code=None)) == (0, ["ok"])


def test_elapsed_ms_is_compared_in_ended_games_only(tmp_path: Path) -> None:
    record = a_record(elapsed_ms=99)
    running = {**least(record), "log": record["log"][:3], "elapsed_ms": 99}
    assert judged(tmp_path, running) == (0, ["ok"])


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"deal": None}, "hidden"),
        ({"rules": "spider"}, "rules: 'spider' is none of"),
        ({"rules": ["simple-simon"]}, "rules: "),
        ({"rules_version": 99}, "rules_version: 99 in the record, 1 here"),
        ({"options": {}}, "options: simple-simon has no options {}"),
        ({"options": {"suits": True}}, "options: "),
        ({"options": 4}, "options: not an object"),
        ({"options": {"suits": 2}}, "deal: not one whole pack"),
        ({"deal": 7}, "deal: not a text"),
        ({"deal": "t1 KS"}, "deal: a position has 14 piles"),
        ({"deal_code": "SS1-S4-AAAAABE"}, "deal_code: SS1-S4-AAAAABE deals other cards"),
        ({"deal_code": "SS1-S9-AAAAABD"}, "deal_code: S9: this part is"),
        ({"log": {}}, "log: not a list"),
        ({"log": [{"command": "t1-t1"}]}, "log: seq 1 is refused, same_pile"),
        ({"log": [{"command": 7}]}, "log: seq 1 is refused, malformed"),
        ({"log": ["undo"]}, "log: seq 1 is refused, malformed"),
        ({"log": [{"command": "give_up", "seq": 5}]}, "log: entry 1 has seq 5"),
    ],
)
def test_what_makes_a_record_differ(tmp_path: Path, changes: dict[str, Any], said: str) -> None:
    code, verdicts = judged(tmp_path, a_record(**changes))
    assert code == 1
    assert any(verdict.startswith(f"record 0: {said}") for verdict in verdicts), verdicts


def test_a_doubled_card_is_found(tmp_path: Path) -> None:
    record = least(a_record())
    record["deal"] = record["deal"].replace("t10 4D", "t10 KS")
    record["log"] = []
    assert judged(tmp_path, record) == (1, ["record 0: deal: not one whole pack"])


@pytest.mark.parametrize("record", [7, "x", None, []])
def test_what_is_no_record(tmp_path: Path, record: object) -> None:
    assert judged(tmp_path, record) == (1, ["record 0: a record is an object"])


def test_records_count_from_0_over_all_files_one_list_or_lines(tmp_path: Path) -> None:
    one, some, lines = tmp_path / "one.json", tmp_path / "list.json", tmp_path / "lines.jsonl"
    good, bad = a_record(), a_record(moves=9)
    one.write_text(json.dumps(good, indent=2))
    some.write_text(json.dumps([bad, good]))
    lines.write_text(f"{json.dumps(good)}\n\n{json.dumps(bad)}\n")
    code, out, err = referee(str(one), str(some), str(lines))
    assert (code, err) == (1, "")
    assert [line.split(":")[0] for line in out.splitlines()] == ["ok", "record 1", "ok", "ok", "record 4"]


@pytest.mark.parametrize("text", ["{", '{"a": 1}\n{', "[" * 100_000])
def test_a_file_that_is_no_json_is_an_error(tmp_path: Path, text: str) -> None:
    file = tmp_path / "broken.json"
    file.write_text(text)
    with pytest.raises(CommandError, match=r"broken\.json"):
        referee(str(file))


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="nowhere"):
        referee(str(tmp_path / "nowhere.json"))


def test_the_command_line_reads_standard_input_and_exits_1_if_any_differs() -> None:
    for record, code, begin in ((a_record(), 0, "ok"), (a_record(moves=9), 1, "record 0: moves: 9")):
        ended = subprocess.run(
            [sys.executable, "manage.py", "referee", "-"],
            input=json.dumps(record),
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert ended.returncode == code, ended.stderr
        assert ended.stdout.startswith(begin)


def test_trace_is_alone_on_standard_output(tmp_path: Path) -> None:
    file = tmp_path / "r.json"
    record = a_record()
    first = record["log"][0]["command"]
    log = [{"command": command} for command in (first, "t1-t1", "nonsense", "undo", "give_up", "undo")]
    file.write_text(json.dumps([{"rules": "none"}, {**least(record), "log": log}]))
    code, out, err = referee("--trace", str(file))
    rows = [json.loads(line) for line in out.splitlines()]
    deal = parse_deal_code(CODE, GAMES).deal().text
    assert code == 1
    assert [row.get("refused") for row in rows] == [None, "same_pile", "malformed", None, None, "game_over"]
    assert rows[1] == {"record": 1, "seq": 2, "refused": "same_pile"}
    assert rows[3] == {
        "record": 1,
        "seq": 4,
        "ply": 0,
        "position": deal,
        "score": 500,
        "moves": 0,
        "elapsed_ms": None,
        "status": "playing",
        "legal": 9,
    }
    assert (rows[4]["status"], rows[4]["legal"]) == ("given_up", 0)
    assert err.splitlines()[0] == "record 0: options: missing"
    assert len(err.splitlines()) == 4


def test_the_clock_of_a_trace_starts_with_the_first_command_but_giving_up(tmp_path: Path) -> None:
    file = tmp_path / "r.json"
    record = a_record()
    given_up = {**least(record), "log": [{"command": "give_up", "at_ms": 900}], "elapsed_ms": 0}
    file.write_text(json.dumps([record, given_up]))
    code, out, _ = referee("--trace", str(file))
    assert code == 0
    assert [json.loads(line)["elapsed_ms"] for line in out.splitlines()] == [0, 1000, 2000, 2500, 0]


def as_record(case: Case) -> dict[str, Any]:
    """A case as a record: its accepted and refused actions alike, with the times it tells."""
    log = [
        {"command": text} if at is None else {"command": text, "at_ms": at} for text, at, _ in case.played()
    ]
    return {"rules": case.rules.slug, "options": dict(case.options), "deal": case.deal.text, "log": log}


WITH_CASES = [rules.slug for rules in GAMES if games_of(rules.slug)]
"""The games that somebody else's program has written cases of."""


@pytest.mark.parametrize("slug", WITH_CASES)
def test_the_cases_traced(tmp_path: Path, slug: str) -> None:
    """Every ply of every case: position, legal moves, count, score, time, end."""
    cases = games_of(slug)
    file = tmp_path / "cases.jsonl"
    file.write_text("".join(json.dumps(as_record(case)) + "\n" for case in cases))
    _, out, _ = referee("--trace", str(file))
    rows = iter(map(json.loads, out.splitlines()))
    for index, case in enumerate(cases):
        for seq, (text, at, ply) in enumerate(case.played(), start=1):
            row = next(rows)
            assert (row["record"], row["seq"]) == (index, seq)
            if "refused" in ply:
                assert row["refused"] in CODES[ply["refused"]], text
                continue
            assert_row(case, row, at, ply)
    assert next(rows, None) is None


def assert_row(case: Case, row: dict[str, Any], at: int | None, ply: dict[str, Any]) -> None:
    position = parse_position(row["position"], case.rules.layout)
    assert case_text(case.rules, case.options, position) == ply["text"]
    assert (row["legal"], row["moves"]) == (ply["legal"], ply["moves"])
    assert row["score"] == ply.get("score")
    assert row["elapsed_ms"] == (None if at is None else ply["elapsed"])
    assert row["status"] == ("won" if ply["won"] else "playing")


@pytest.mark.parametrize("slug", WITH_CASES)
def test_the_refused_actions_traced(tmp_path: Path, slug: str) -> None:
    cases = load(slug, "refused")
    records = [
        {
            "rules": case.rules.slug,
            "options": dict(case.options),
            "deal": case.deal.text,
            "log": [
                {"command": command_text(action)} for action in [*case.data["moves"], case.data["action"]]
            ],
        }
        for case in cases
    ]
    file = tmp_path / "refused.json"
    file.write_text(json.dumps(records))
    code, out, _ = referee("--trace", str(file))
    assert code == 1
    last = {row["record"]: row for row in map(json.loads, out.splitlines())}
    for index, case in enumerate(cases):
        if not case.is_other_stock_word:
            assert last[index].get("refused") in case.codes, case.id
