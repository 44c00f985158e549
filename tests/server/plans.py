"""What queries cost: how the database goes about each, and how many rows it looks at."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, Final, TypeVar

from django.db import connection
from django.test.utils import CaptureQueriesContext

Found = TypeVar("Found")

LARGE: Final = ("game_game", "game_logentry", "game_result", "game_boardrow", "game_user")
MOST_STEPS: Final = 60_000
"""Of SQLite's machine for one query: a row that is passed over costs ten, one that is read a hundred."""
MOST_IN_VAIN: Final = 500
"""Rows that Postgres may read and leave out, or sort, for one query."""


def check(work: Callable[[], Found], most: int, *, within: int = 1) -> Found:
    """The result of ``work``, which makes at most ``most`` queries, all of them cheap.

    ``within`` is how many times what a page costs each may cost.
    """
    with CaptureQueriesContext(connection) as captured:
        result = work()
    queries = [query["sql"] for query in captured if query["sql"].startswith("SELECT")]
    assert len(queries) <= most, queries
    for sql in queries:
        assert "OFFSET" not in sql, sql
        faults = list(_faults(sql, within))
        assert not faults, f"{sql}\n{faults}"
    return result


def _faults(sql: str, within: int) -> Iterator[str]:
    return _postgres_faults(sql, within) if connection.vendor == "postgresql" else _sqlite_faults(sql, within)


def _sqlite_faults(sql: str, within: int) -> Iterator[str]:
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {sql}")
        for *_, step in cursor.fetchall():
            if any(step == f"SCAN {table}" for table in LARGE) or "TEMP B-TREE" in step:
                yield step
        steps = 0

        def count() -> int:
            nonlocal steps
            steps += 100
            return 0

        connection.connection.set_progress_handler(count, 100)
        cursor.execute(sql)
        cursor.fetchall()
        connection.connection.set_progress_handler(None, 0)
    if steps > MOST_STEPS * within:
        yield f"{steps} steps"


def _postgres_faults(sql: str, within: int) -> Iterator[str]:
    with connection.cursor() as cursor:
        # A few thousand people are sooner read whole than by an index; asked is how it goes with more.
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {sql}")
        [[whole]] = cursor.fetchall()
    plan = json.loads(whole) if isinstance(whole, str) else whole
    for node in _nodes(plan[0]["Plan"]):
        kind, rows = node["Node Type"], node["Actual Rows"] * node["Actual Loops"]
        in_vain = node.get("Rows Removed by Filter", 0) * node["Actual Loops"]
        if kind == "Seq Scan" and node["Relation Name"] in LARGE and rows + in_vain > MOST_IN_VAIN:
            yield f"all of {node['Relation Name']} is read"
        if in_vain > MOST_IN_VAIN * within:
            yield f"{in_vain} rows are read in vain: {node}"
        if "Sort" in kind and node["Plans"][0]["Actual Rows"] > MOST_IN_VAIN * within:
            yield f"{node['Plans'][0]['Actual Rows']} rows are sorted"


def _nodes(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield node
    for below in node.get("Plans", []):
        yield from _nodes(below)
