"""A script comes in one answer with what it imports, and does there what its modules do by themselves."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from django.conf import settings

from game.management.bundle import ON_EVERY_PAGE, brought, bundle

OURS = {path.name: path.read_text() for path in (settings.FRONTEND / "static/js").glob("*.js")}
LOADED = {
    name
    for path in Path(settings.FRONTEND / "templates").rglob("*.html")
    for name in re.findall(r"<script[^>]*?js/([\w-]+\.js)", path.read_text())
}

FIRST = """
console.log("first");
export const one = 1;
let count = 0;
export function next() {
  return ++count;
}
"""
SECOND = """
import { next, one as first } from "./first.js";

console.log("second", first);
export async function later() {
  return next();
}
export class Kept {
  value = next();
}
"""
PAGE = """
import { next } from "./first.js";
import {
  Kept,
  later,
} from "./second.js";

const one = 10;
console.log(new Kept().value, await later(), next(), one);
"""


def said_by(text: str) -> list[str]:
    """What Node prints when it runs a module."""
    command = ["node", "--input-type=module", "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_modules_run_once_in_order_and_see_what_they_import() -> None:
    scripts = {"first.js": FIRST, "second.js": SECOND, "page.js": PAGE}
    assert said_by(bundle("page.js", scripts)) == ["first", "second", "1", "1", "2", "3", "10"]
    assert brought(scripts) == {"first.js", "second.js"}


def test_what_every_page_loads_by_itself_is_imported_and_not_copied() -> None:
    scripts = {
        ON_EVERY_PAGE: "export const prefers = () => true;\n",
        "part.js": f'import {{ prefers }} from "./{ON_EVERY_PAGE}";\n\nexport const its = prefers();\n',
        "page.js": 'import { its } from "./part.js";\n\nconsole.log(its);\n',
    }
    text = bundle("page.js", scripts)
    assert text.startswith(f'import * as $preferences from "./{ON_EVERY_PAGE}";\n')
    assert "() => true" not in text
    assert ON_EVERY_PAGE not in brought(scripts)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('import whole from "./other.js";\n', "page.js: this form is not understood: import whole"),
        ('import "./other.js";\n', "this form is not understood"),
        ('import * as other from "./other.js";\n', "this form is not understood"),
        ("export default 1;\n", "this form is not understood: export default 1"),
        ("export let moving = 1;\n", "this form is not understood"),
        ('export { one } from "./other.js";\n', "this form is not understood"),
        ('import { two } from "./ring.js";\n', "page.js: imports itself by way of ring.js"),
    ],
)
def test_what_is_not_understood_is_named(text: str, said: str) -> None:
    scripts = {
        "page.js": text,
        "other.js": "export const one = 1;\n",
        "ring.js": 'import { it } from "./page.js";\n\nexport const two = it;\n',
    }
    with pytest.raises(ValueError, match=re.escape(said)):
        bundle("page.js", scripts)


def test_every_script_of_a_page_can_be_sent() -> None:
    assert {"main.js", "page.js", "tv.js", "example.js", ON_EVERY_PAGE} <= LOADED
    for name in LOADED:
        own = re.findall(r"^export .*", OURS[name], re.MULTILINE)
        assert re.findall(r"^export .*", bundle(name, OURS), re.MULTILINE) == own


def test_no_page_gets_a_script_that_another_brings_too() -> None:
    """It would run twice."""
    assert not LOADED & brought(OURS)
    assert set(OURS) - brought(OURS) <= LOADED | {"offline.js"}
