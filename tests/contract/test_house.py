"""Rules of the house that no linter knows."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from game.engine.games import GAMES
from tests.services import PRODUCT_SETTINGS, ROOT

LONGEST: Final = 300
MAY_BE_LONGER: Final[dict[str, str]] = {}
"""Files that may have more lines, and why."""
OF_THIS_REPOSITORY: Final = "tests/contract/test_house.py"


def committed(*patterns: str) -> Iterator[tuple[str, str]]:
    """Name and text of each committed text file whose name matches a pattern of git's."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--", *patterns], cwd=ROOT, check=True, capture_output=True, text=True
    )
    for name in filter(None, listed.stdout.split("\0")):
        path = ROOT / name
        if not path.is_file() or name == OF_THIS_REPOSITORY:
            continue
        data = path.read_bytes()
        if b"\0" not in data:
            yield name, data.decode()


def test_no_file_holds_an_address_to_download_from() -> None:
    registries = r"pypi\.org|pythonhosted\.org|npmjs\.(org|com)|yarnpkg\.com|deb\.debian\.org"
    hosts = rf"{registries}|jsdelivr\.net|unpkg\.com|cdnjs\.com"
    ending = r"https?://[^\s\"'<>]+\.(whl|tgz|tar\.(gz|xz|bz2)|zip|deb)\b"
    bad = [
        f"{name}: {found[0]}"
        for name, text in committed()
        for found in re.finditer(f"{hosts}|{ending}", text)
    ]
    assert not bad, "\n".join(bad)


def test_no_file_is_longer_than_one_heading_carries() -> None:
    lengths = {
        name: text.count("\n")
        for name, text in committed("game/*.py", "config/*.py", "frontend/static/js/*.js")
        if "/migrations/" not in name
    }
    long = {name: lines for name, lines in lengths.items() if lines > LONGEST and name not in MAY_BE_LONGER}
    assert not long
    assert all(lengths[name] > LONGEST for name in MAY_BE_LONGER), "no longer needed"


def test_no_game_is_named_outside_its_own_files() -> None:
    """Its module, the lines that make it known, rules pages and example; else the design is at fault."""
    modules = {path.stem for path in (ROOT / "game/engine/games").glob("[!_]*.py")}
    assert len(modules) == len(GAMES)
    words = "|".join(sorted({*modules, *(word for rules in GAMES for word in (rules.slug, rules.title))}))
    pages = "|".join(rules.slug for rules in GAMES)
    own = re.compile(
        r"game/engine/games/|pyproject\.toml$|.*\.po$|tests/"
        rf"|frontend/templates/rules/\w+/({pages})\.html$|frontend/examples/({pages})\.json$"
    )
    named = {
        name: found[0]
        for name, text in committed(
            "game", "config", "frontend", "bin", "deploy", "*.toml", "*.json", "Dockerfile"
        )
        if not own.match(name) and (found := re.search(words, text, re.IGNORECASE))
    }
    assert not named
    for path in (ROOT / "game/engine/games").glob("[!_]*.py"):
        others = modules - {path.stem}
        assert not [other for other in others if other in path.read_text()], "games do not know each other"


def test_nothing_is_left_for_later() -> None:
    words = re.compile(r"\b(TODO|FIXME|XXX)\b")
    bad = [name for name, text in committed("*.py", "*.js", "*.css", "*.html", "bin/*") if words.search(text)]
    assert not bad


def test_the_locks_are_in_step_with_what_is_asked_for() -> None:
    run, test = pins("run"), pins("test")
    assert set(asked("run")) <= set(run)
    assert set(asked("test")) <= set(test)
    # What holds for the tests holds for the server, so either lock can fill .venv.
    assert {name: version for name, version in test.items() if name in run} == run
    for name, bounds in [*asked("run").items(), *asked("test").items()]:
        assert all(is_within(test[name], bound) for bound in bounds), (name, test[name], bounds)
    for lock in ("run", "test"):
        text = (ROOT / f"requirements/{lock}.txt").read_text()
        assert all("--hash=sha256:" in block for block in re.split(r"\n(?=\w)", text) if "==" in block)


def asked(name: str) -> dict[str, list[str]]:
    """Package to version bounds, as a person wrote them."""
    found = {}
    for line in (ROOT / f"requirements/{name}.in").read_text().splitlines():
        match = re.match(r"([\w.-]+)(?:\[[\w,-]+\])?(.*)$", line)
        if match and not line.startswith(("#", "-")):
            found[canonical(match[1])] = [bound.strip() for bound in match[2].split(",") if bound.strip()]
    return found


def pins(name: str) -> dict[str, str]:
    """Package to version, as locked."""
    text = (ROOT / f"requirements/{name}.txt").read_text()
    return {
        canonical(package): version
        for package, version in re.findall(r"^([\w.-]+)==([\w.]+)", text, re.MULTILINE)
    }


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def is_within(version: str, bound: str) -> bool:
    match = re.fullmatch(r"(>=|<|==)([\d.]+)", bound)
    assert match, bound
    have, limit = ([int(part) for part in re.findall(r"\d+", text)] for text in (version, match[2]))
    return {">=": have >= limit, "<": have < limit, "==": have == limit}[match[1]]


def test_every_setting_is_explained() -> None:
    documents = "\n".join(text for _, text in committed("*.md"))
    missing = [name for name in PRODUCT_SETTINGS if f"`{name}`" not in documents]
    assert not sorted(set(missing) - {"DJANGO_SETTINGS_MODULE"})


def test_the_scripts_can_be_run() -> None:
    for path in [*(ROOT / "bin").iterdir(), ROOT / ".ci/run"]:
        first = path.read_text().splitlines()[0]
        is_sourced = not first.startswith("#!")
        assert is_sourced != bool(path.stat().st_mode & 0o100), path
        subprocess.run(["bash", "-n", str(path)], check=True)


def test_what_the_product_needs_at_the_root_is_there() -> None:
    for name in (
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "PROTOCOL.md",
        "LICENSE",
        "bin/serve",
        "bin/test",
    ):
        assert (ROOT / name).is_file(), name
    assert "The Tableau authors" in Path(ROOT / "LICENSE").read_text()


def test_the_dark_of_the_system_and_the_dark_of_the_switch_are_the_same() -> None:
    """The style language cannot say it once; where the two differ, one of them was forgotten."""
    style = (ROOT / "frontend/static/css/tokens.css").read_text()
    dark = [
        re.findall(r"(--[\w-]+|color-scheme): ([^;]+);", block)
        for block in re.findall(r"\{([^{}]*color-scheme: dark;[^{}]*)\}", style)
    ]
    assert len(dark) == 2
    assert dark[0] == dark[1]
