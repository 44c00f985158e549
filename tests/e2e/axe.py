"""What axe finds wrong with a page."""

from __future__ import annotations

from typing import Any, Final

from axe_playwright_python.base import AXE_FILE_PATH
from playwright.sync_api import Page

SCRIPT: Final = AXE_FILE_PATH.read_text()
AT_REST: Final = """async () => {
  const passing = document.getAnimations().filter((each) => each.effect.getComputedTiming().endTime < 1e5);
  await Promise.allSettled(passing.map((each) => each.finished));
}"""
"""What fades in has no contrast yet, and is not looked at before it stands."""


def problems(page: Page, where: str, *, in_the_dark: bool = True) -> list[str]:
    """Violations, grave or not; those of colour are looked for again in the dark."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(SCRIPT)
    page.evaluate(AT_REST)
    found = _violations(page)
    if in_the_dark:
        page.emulate_media(color_scheme="dark")
        found += _violations(page, runOnly=["color-contrast"])
        page.emulate_media(color_scheme="light")
    return [f"{where}: {it}" for it in found]


def _violations(page: Page, **options: Any) -> list[str]:
    script = "(options) => axe.run(document, options)"
    answer = page.evaluate(script, {"resultTypes": ["violations"], "iframes": False, **options})
    return [
        f"{it['impact']} {it['id']}: {it['help']}: {[node['target'] for node in it['nodes'][:4]]}"
        for it in answer["violations"]
    ]
