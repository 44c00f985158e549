"""What is made from the wire is fresh, and would not be if the wire changed."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from game.engine.rules import SENTENCES
from game.management.tables import filled
from game.management.typescript import declarations


def test_declarations_and_tables_are_fresh() -> None:
    call_command("protocol", "--check")


def test_a_stale_file_fails_the_check_and_is_written_without_it(
    tmp_path: Path, settings: pytest.FixtureRequest
) -> None:
    scripts = tmp_path / "frontend/static/js"
    scripts.mkdir(parents=True)
    document = tmp_path / "PROTOCOL.md"
    document.write_text("# Before\n<!-- table: refusals -->\nold\n<!-- end -->\nafter\n")
    settings.BASE_DIR = tmp_path  # type: ignore[attr-defined]
    with pytest.raises(CommandError, match=r"stale: protocol\.d\.ts, PROTOCOL\.md"):
        call_command("protocol", "--check")
    assert not (scripts / "protocol.d.ts").exists()
    call_command("protocol")
    assert (scripts / "protocol.d.ts").read_text() == declarations()
    text = document.read_text()
    assert text.startswith("# Before\n")
    assert text.endswith("<!-- end -->\nafter\n")
    assert "old" not in text.splitlines()
    assert all(f"| `{code}` | {sentence} |" in text for code, sentence in SENTENCES.items())
    call_command("protocol", "--check")


def test_a_table_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(KeyError, match="weather"):
        filled("<!-- table: weather -->\n<!-- end -->")


def test_declarations_tell_messages_apart_and_what_may_be_absent() -> None:
    text = declarations()
    assert 'export interface Play {\n    type: "play";\n    id: string;\n' in text
    assert "    snapshot?: State;\n    updates?: Change[];\n" in text
    assert "    retry_ms: number | null;\n" in text
    assert "export interface Update extends Change {" in text
    assert "    suit?: string;\n" in text
    assert all(f'    | "{code}"' in text for code in SENTENCES)
