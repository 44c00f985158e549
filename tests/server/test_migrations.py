"""Old code beside the new schema, and changes of the schema while moves are played."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest
from django.apps import apps
from django.db import connection, models, transaction
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone

from game.indexing import AddIndexUnderLoad
from game.management import start
from game.models import User
from tests.contract.migrations import migration_of
from tests.services import wait_until

pytestmark = pytest.mark.django_db(transaction=True)
numbers = count(1)


def names() -> list[str]:
    return sorted(name for app, name in MigrationLoader(None).disk_migrations if app == "game")


def type_of(model: Any) -> str:
    return str(model._meta.object_name)


def row(model: type[models.Model], code: Any) -> models.Model:
    """A row as code of that time would add it: with a value for every field that it knows and must give."""
    values: dict[str, Any] = {}
    for field in model._meta.local_concrete_fields:
        number = next(numbers)
        may_be_left_out = field.null or field.has_default()
        if may_be_left_out or isinstance(field, (models.AutoField, models.CompositePrimaryKey)):
            continue
        if field.is_relation:
            values[field.name] = row(code.get_model("game", type_of(field.related_model)), code)
        elif isinstance(field, (models.CharField, models.TextField)):
            values[field.name] = f"{number:x}"
        elif isinstance(field, models.DateTimeField):
            values[field.name] = timezone.now()
        elif isinstance(field, models.DateField):
            values[field.name] = timezone.now().date()
        elif isinstance(field, models.BooleanField):
            values[field.name] = False
        elif isinstance(field, models.JSONField):
            values[field.name] = []
        else:
            values[field.name] = number
    return model._default_manager.create(**values)


@pytest.mark.parametrize("name", names()[:-1])
def test_code_of_each_earlier_schema_reads_and_writes_the_newest(name: str) -> None:
    """One process after another is replaced: the old ones go on after the first new one has migrated."""
    old = MigrationLoader(None).project_state(("game", name)).apps
    tables = [
        model
        for model in old.get_models()
        if model._meta.app_label == "game" and not model._meta.auto_created
    ]
    assert len(tables) >= 8
    for model in tables:
        written = row(model, old)
        written.save()
        assert list(model._default_manager.all())
        # And the new code can use what the old one wrote.
        assert apps.get_model("game", model.__name__)._default_manager.filter(pk=written.pk).get()


@pytest.fixture
def left_over() -> Iterator[None]:
    """An index that a build left behind; whatever is called so is gone afterwards."""
    with connection.cursor() as cursor:
        cursor.execute("CREATE INDEX under_load ON game_user (is_guest)")
    yield
    with connection.cursor() as cursor:
        cursor.execute("DROP INDEX under_load")


@pytest.fixture
def somebody_writes() -> Iterator[threading.Event]:
    """Another connection is in the middle of a transaction that writes to people, until the event is set."""
    has_written, may_end = threading.Event(), threading.Event()

    def write() -> None:
        try:
            with transaction.atomic():
                User.objects.create_user("Ada")
                has_written.set()
                may_end.wait(60)
        finally:
            connection.close()

    thread = threading.Thread(target=write)
    thread.start()
    has_written.wait(60)
    yield may_end
    may_end.set()
    thread.join(60)


def add_index() -> None:
    """Runs a migration that adds an index to people."""
    index = models.Index(fields=["date_joined"], name="under_load")
    migration = migration_of([AddIndexUnderLoad("user", index)], is_atomic=False)
    state = MigrationLoader(connection).project_state()
    try:
        with connection.schema_editor(atomic=False) as editor:
            migration.apply(state, editor)
    finally:
        connection.close()


def indexes() -> set[str]:
    with connection.cursor() as cursor:
        return set(connection.introspection.get_constraints(cursor, "game_user"))


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer, who is this one then")
def test_an_index_is_built_while_others_write(left_over: None, somebody_writes: threading.Event) -> None:
    """It waits for the one who writes, and nobody waits for it; what a build cut off left is replaced."""
    builder = threading.Thread(target=add_index)
    builder.start()
    wait_until(waits, "the builder waits for the transaction that was there before it")
    for number in range(5):
        User.objects.create_user(f"Bob {number}")
    assert waits()
    somebody_writes.set()
    builder.join(60)
    assert not builder.is_alive()
    with connection.cursor() as cursor:
        cursor.execute("SELECT indexdef FROM pg_indexes WHERE indexname = 'under_load'")
        assert "(date_joined)" in cursor.fetchone()[0]


def waits() -> bool:
    """Whether a statement about the index waits for a lock."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            " AND wait_event_type = 'Lock' AND query LIKE '%INDEX CONCURRENTLY%'"
        )
        return bool(cursor.fetchone()[0])


def test_an_index_is_built_on_either_database() -> None:
    add_index()
    assert "under_load" in indexes()
    with connection.cursor() as cursor:
        cursor.execute("DROP INDEX under_load")


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite locks the whole database, and waits")
def test_a_change_that_must_wait_gives_way_and_tries_again(
    somebody_writes: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else everybody who comes after it would wait too."""
    monkeypatch.setattr(start, "LOCK_MS", 50)
    monkeypatch.setattr(start, "LOCK_PAUSE_SECONDS", 0.01)
    attempts = count(1)

    def change() -> None:
        # The one who writes ends when the change has been sent away twice.
        if next(attempts) == 3:
            somebody_writes.set()
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE game_user ALTER COLUMN date_joined DROP DEFAULT")

    start.patiently(change)
    assert next(attempts) > 3
