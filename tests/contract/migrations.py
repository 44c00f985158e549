"""What a migration may do while the code before it still serves, and while moves are being played.

A release is rolled out one process after another: the first of the new ones migrates, the old ones go on.
So the old code must be able to read and write every table that the new schema has, and no statement may keep
a table locked for as long as it takes to go through all of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from django.db import models
from django.db.migrations import Migration
from django.db.migrations import operations as ops
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState
from django.db.models import NOT_PROVIDED

from game.indexing import AddIndexUnderLoad

SMALL: Final = {"epoch", "deed", "keptname"}
"""Tables that never grow large: a lock on one is short."""
_HARMLESS: Final = (
    ops.CreateModel,
    ops.AlterModelOptions,
    ops.AlterModelManagers,
    ops.AlterModelTableComment,
    ops.RemoveIndex,
    ops.RemoveConstraint,
)
_BREAKS_OLD_CODE: Final = (
    ops.RemoveField,
    ops.DeleteModel,
    ops.RenameField,
    ops.RenameModel,
    ops.AlterModelTable,
)
_WITHOUT_EFFECT_ON_TABLES: Final = {
    "blank", "choices", "db_default", "default", "editable", "error_messages", "help_text",
    "limit_choices_to", "on_delete", "related_name", "related_query_name", "validators", "verbose_name",
}  # fmt: skip


def migration_of(operations: list[Any], *, is_atomic: bool = True) -> Migration:
    """A migration for a test of migrations."""
    parts = {"operations": operations, "atomic": is_atomic}
    made: Migration = type("Migration", (Migration,), parts)("of_a_test", "game")
    return made


def faults(migration: Migration, before: ProjectState) -> list[str]:
    """What is wrong with a migration, found from its operations and the state it starts from."""
    state = before.clone()
    created: set[str] = set()
    found = list(_faults_of_the_whole(migration))
    for operation in migration.operations:
        found += _faults_of(operation, state, created, migration.app_label)
        if isinstance(operation, ops.CreateModel):
            created.add(operation.name.lower())
        operation.state_forwards(migration.app_label, state)
    return found


def _faults_of_the_whole(migration: Migration) -> Iterator[str]:
    kinds = [type(operation) for operation in migration.operations]
    if any(issubclass(kind, (ops.RunPython, ops.RunSQL)) for kind in kinds) and len(set(kinds)) > 1:
        yield "rows and schema are changed together: each in a migration of its own"
    if AddIndexUnderLoad in kinds and (len(kinds) > 1 or migration.atomic):
        yield "AddIndexUnderLoad stands alone in a migration with atomic = False"
    if not all(operation.reversible for operation in migration.operations):
        yield "no way back: give RunPython and RunSQL their reverse, a noop perhaps"


def _faults_of(operation: Operation, state: ProjectState, created: set[str], app: str) -> Iterator[str]:
    name = getattr(operation, "model_name", getattr(operation, "name", "")).lower()
    is_large = name not in created and name not in SMALL
    match operation:
        case ops.SeparateDatabaseAndState():
            yield from _faults_of_separated(operation, state, app)
        case ops.AddField():
            yield from _faults_of_field(operation.field, is_large, name in created)
        case ops.AlterField():
            yield from _faults_of_change(_field(state, app, name, operation.name), operation.field)
        case AddIndexUnderLoad():
            pass
        case ops.AddIndex() if is_large:
            yield f"{operation.index.name}: building it locks the table; use game.indexing.AddIndexUnderLoad"
        case ops.AddConstraint() if name not in created:
            yield f"{operation.constraint.name}: old code does not know it, and the check locks the table"
        case ops.AddIndex() | ops.AddConstraint() | ops.RunPython():
            pass
        case ops.RunSQL():
            yield from _faults_of_sql(str(operation.sql), state, app)
        case _ if isinstance(operation, _BREAKS_OLD_CODE):
            yield (
                f"{operation.describe()}: the old code still asks for it; take it out of the state alone in "
                "one release (SeparateDatabaseAndState), drop it by RunSQL in the next"
            )
        case _ if not isinstance(operation, _HARMLESS):
            yield f"{operation.describe()}: whether this is safe nobody has written down yet"


def _faults_of_field(field: models.Field[Any, Any], is_large: bool, is_new_table: bool) -> Iterator[str]:
    if is_new_table or field.many_to_many:
        return
    if not field.null and field.db_default is NOT_PROVIDED:
        yield f"{field}: old code adds rows without it; give it db_default or null=True"
    if is_large and (field.unique or getattr(field, "db_index", False)):
        yield f"{field}: its index is built under a lock; add the index by itself, with AddIndexUnderLoad"


def _faults_of_change(old: models.Field[Any, Any], new: models.Field[Any, Any]) -> Iterator[str]:
    _, old_path, _, before = old.deconstruct()
    _, new_path, _, after = new.deconstruct()
    changed = {key for key in {*before, *after} if before.get(key) != after.get(key)}
    changed -= _WITHOUT_EFFECT_ON_TABLES
    if (after.get("max_length") or 0) >= (before.get("max_length") or 0) and old_path == new_path:
        changed.discard("max_length")
    if after.get("null"):
        changed.discard("null")
    if old_path != new_path or changed:
        told = ", ".join(sorted(changed)) or "its type"
        yield f"{new}: {told} cannot change beside old code, or rewrites the table; add a new field"


def _faults_of_separated(
    operation: ops.SeparateDatabaseAndState, state: ProjectState, app: str
) -> Iterator[str]:
    if operation.database_operations:
        yield "what the database does is no secret: only the state may be told something by itself"
    for part in operation.state_operations:
        if isinstance(part, ops.RemoveField):
            field = _field(state, app, part.model_name.lower(), part.name)
            if not field.null and field.db_default is NOT_PROVIDED:
                yield f"{field}: new code adds rows without it; first give it db_default or null=True"
        elif not isinstance(part, ops.DeleteModel):
            yield f"{part.describe()}: only removals may be for the state alone"


def _faults_of_sql(sql: str, state: ProjectState, app: str) -> Iterator[str]:
    columns = {
        (model.options.get("db_table") or f"{app}_{name}", field.db_column or _column(key, field))
        for (label, name), model in state.models.items()
        if label == app
        for key, field in model.fields.items()
    }
    tables = {table for table, _ in columns}
    plain = sql.replace('"', "")
    for table, column in re.findall(
        r"alter\s+table\s+(\w+)\s+drop\s+column\s+(?:if\s+exists\s+)?(\w+)", plain, re.IGNORECASE
    ):
        if (table.lower(), column.lower()) in columns:
            yield f"{table}.{column}: dropped before a release that does without it"
    for table in re.findall(r"drop\s+table\s+(?:if\s+exists\s+)?(\w+)", plain, re.IGNORECASE):
        if table.lower() in tables:
            yield f"{table}: dropped before a release that does without it"


def _column(name: str, field: models.Field[Any, Any]) -> str:
    return f"{name}_id" if field.is_relation else name


def _field(state: ProjectState, app: str, model: str, name: str) -> models.Field[Any, Any]:
    field: models.Field[Any, Any] = state.models[app, model].get_field(name)
    return field
