"""Migrations can run beside the code before them, under load: every one of them, and bad ones are found."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import pytest
from django.db import models
from django.db.migrations import Migration
from django.db.migrations import operations as ops
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ProjectState

from game.indexing import AddIndexUnderLoad
from tests.contract.migrations import faults, migration_of

BEFORE_THE_FIRST_RELEASE: Final = {"0002_open_games", "0004_names", "0008_parent"}
"""They build an index under a lock: nobody had a large table yet."""


def in_order() -> Iterator[tuple[Migration, ProjectState]]:
    """Each migration of the game, with the state before it."""
    loader = MigrationLoader(None, ignore_no_migrations=True)
    state = ProjectState()
    seen = set()
    for leaf in loader.graph.leaf_nodes():
        for key in loader.graph.forwards_plan(leaf):
            if key in seen:
                continue
            seen.add(key)
            migration = loader.graph.nodes[key]
            if key[0] == "game":
                yield migration, state
            state = migration.mutate_state(state, preserve=True)


def test_each_can_run_beside_the_code_before_it() -> None:
    found = {migration.name: faults(migration, state) for migration, state in in_order()}
    assert {name: told for name, told in found.items() if told and name not in BEFORE_THE_FIRST_RELEASE} == {}
    assert all(found[name] for name in BEFORE_THE_FIRST_RELEASE), "no longer needed"


def state() -> ProjectState:
    *_, (last, before) = in_order()
    return last.mutate_state(before, preserve=True)


NUMBER: Final = models.IntegerField()
INDEX: Final = models.Index(fields=["score"], name="of_no_use")
UNIQUE: Final = models.UniqueConstraint(fields=["score"], name="of_no_use")


def separately(*operations: Any) -> ops.SeparateDatabaseAndState:
    return ops.SeparateDatabaseAndState(state_operations=list(operations))


def nothing(apps: Any, editor: Any) -> None:
    """A change of rows."""


@pytest.mark.parametrize(
    ("operations", "word"),
    [
        ([ops.AddField("game", "new", NUMBER)], "db_default"),
        ([ops.AddField("game", "new", models.IntegerField(default=0))], "db_default"),
        ([ops.AddField("game", "new", models.IntegerField(null=True, db_index=True))], "index"),
        ([ops.AddField("epoch", "new", NUMBER)], "db_default"),
        ([ops.RemoveField("game", "score")], "old code"),
        ([ops.RenameField("game", "score", "points")], "old code"),
        ([ops.DeleteModel("tally")], "old code"),
        ([ops.RenameModel("tally", "count")], "old code"),
        ([ops.AlterModelTable("tally", "counts")], "old code"),
        ([ops.AlterField("game", "score", NUMBER)], "null"),
        ([ops.AlterField("game", "moves", models.BigIntegerField(default=0))], "its type"),
        ([ops.AlterField("game", "variant", models.CharField(max_length=4))], "max_length"),
        ([ops.AlterField("game", "variant", models.CharField(max_length=8, unique=True))], "unique"),
        ([ops.AddIndex("game", INDEX)], "AddIndexUnderLoad"),
        ([AddIndexUnderLoad("game", INDEX)], "atomic = False"),
        ([ops.AddConstraint("game", UNIQUE)], "old code"),
        ([ops.AddConstraint("epoch", UNIQUE)], "old code"),
        ([ops.AlterUniqueTogether("game", {("score", "moves")})], "written down"),
        ([ops.RunPython(nothing)], "no way back"),
        (
            [ops.RunPython(nothing, nothing), ops.AddField("game", "new", models.IntegerField(null=True))],
            "a migration of its own",
        ),
        ([ops.RunSQL("ALTER TABLE game_game DROP COLUMN score", "")], "dropped before"),
        ([ops.RunSQL('alter table "game_game" drop column if exists "player_id"', "")], "dropped before"),
        ([ops.RunSQL("DROP TABLE game_tally", "")], "dropped before"),
        ([separately(ops.RemoveField("game", "moves"))], "first give it"),
        ([separately(ops.AddField("game", "new", NUMBER))], "only removals"),
        ([ops.SeparateDatabaseAndState([ops.RemoveField("game", "score")], [])], "no secret"),
    ],
)
def test_what_would_break_or_block_is_found(operations: list[Any], word: str) -> None:
    found = faults(migration_of(operations), state())
    assert any(word in fault for fault in found), found


@pytest.mark.parametrize(
    ("operations", "is_atomic"),
    [
        ([ops.AddField("game", "new", models.IntegerField(null=True))], True),
        ([ops.AddField("game", "new", models.IntegerField(db_default=0))], True),
        ([ops.AlterField("game", "variant", models.CharField(max_length=9))], True),
        ([ops.AlterField("game", "moves", models.IntegerField(null=True))], True),
        ([AddIndexUnderLoad("game", INDEX)], False),
        ([ops.AddIndex("epoch", models.Index(fields=["number"], name="of_no_use"))], True),
        ([ops.RunPython(nothing, nothing)], True),
        ([separately(ops.RemoveField("game", "score"))], True),
        ([ops.RunSQL("ALTER TABLE game_game DROP COLUMN gone_before", "")], True),
        (
            [
                ops.CreateModel("New", [("id", models.BigAutoField(primary_key=True)), ("score", NUMBER)]),
                ops.AddIndex("new", INDEX),
                ops.AddConstraint("new", models.UniqueConstraint(fields=["score"], name="one")),
            ],
            True,
        ),
    ],
)
def test_what_is_safe_is_let_through(operations: list[Any], is_atomic: bool) -> None:
    assert faults(migration_of(operations, is_atomic=is_atomic), state()) == []
