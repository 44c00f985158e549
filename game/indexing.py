"""An index for a table that is being written to: an operation for migrations."""

from __future__ import annotations

from typing import Any

from django.db.migrations.operations.models import AddIndex


class AddIndexUnderLoad(AddIndex):
    """Adds an index while moves go on: Postgres builds it beside them.

    That cannot be part of a transaction: its migration says ``atomic = False`` and holds nothing else. What
    a build that was cut off leaves behind is of no use, and the next attempt drops it first.
    """

    atomic = False

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        database = schema_editor.connection
        if database.vendor != "postgresql":
            super().database_forwards(app_label, schema_editor, from_state, to_state)
            return
        model = to_state.apps.get_model(app_label, self.model_name)
        with database.cursor() as cursor:
            cursor.execute("SHOW lock_timeout")
            patience = cursor.fetchone()[0]
            # It waits for what was begun before it, and nobody waits for it.
            cursor.execute("SET lock_timeout = 0")
            try:
                name = schema_editor.quote_name(self.index.name)
                cursor.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")
                schema_editor.add_index(model, self.index, concurrently=True)
            finally:
                cursor.execute("SELECT set_config('lock_timeout', %s, false)", [patience])

    def describe(self) -> str:
        return f"{super().describe()} under load"
