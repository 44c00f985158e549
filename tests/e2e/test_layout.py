"""Small, narrow, lying and enlarged screens: nothing is off the screen, every card can be read."""

from __future__ import annotations

from typing import Any, Final

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Visitors
from tests.e2e.deals import MEADOW, TWENTY
from tests.e2e.table import Table

SCREENS: Final = {
    "phone": (360, 640),
    "narrow": (320, 568),
    "phone on its side": (640, 360),
    "desktop": (1440, 900),
    "desktop at 200 %": (720, 450),
    "desktop at 400 %": (360, 225),
}
LANGUAGES: Final = ["", "tr", "pl", "ar"]
BESIDE_THE_PANEL: Final = (
    *(821, 840, 860, 900, 920, 940, 980, 1024, 1100, 1101, 1120, 1200),
    *(1240, 1241, 1260, 1280, 1300, 1340, 1366, 1440, 1500),
)

_OUTSIDE: Final = """() => {
  const felt = document.getElementById("felt").getBoundingClientRect();
  return [...document.querySelectorAll("#table .card")].filter((card) => {
    const box = card.getBoundingClientRect();
    return box.left < felt.left || box.right > felt.right + 0.5
      || box.top < felt.top || box.bottom > felt.bottom + 0.5;
  }).map((card) => card.getAttribute("aria-label"));
}"""
_COLLIDING: Final = """() => {
  const columns = [...document.querySelectorAll("#table .pile")].map((pile) => {
    const boxes = [...pile.querySelectorAll(".card")].map((card) => card.getBoundingClientRect());
    return boxes.length ? [pile.dataset.pile, boxes] : null;
  }).filter(Boolean);
  const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  return columns.flatMap(([name, boxes], index) => columns.slice(index + 1)
    .filter(([, others]) => boxes.some((a) => others.some((b) => meet(a, b))))
    .map(([other]) => `${name} and ${other}`));
}"""

# Buttons under the felt that stick out of their bar, lie under something or break over two lines.
_UNREACHABLE: Final = """() => {
  const bar = document.getElementById("below").getBoundingClientRect();
  return [...document.querySelectorAll("#below button:not(:disabled)")].filter((button) => {
    const box = button.getBoundingClientRect();
    if (!box.width) return false;
    const at = (x) => button.contains(document.elementFromPoint(x, box.top + box.height / 2));
    return box.left < bar.left || box.right > bar.right || box.height > 44
      || (getComputedStyle(button).pointerEvents !== "none" && !(at(box.left + 2) && at(box.right - 2)));
  }).map((button) => button.ariaLabel || button.textContent);
}"""


def screen(name: str) -> dict[str, Any]:
    width, height = SCREENS[name]
    return {"viewport": {"width": width, "height": height}}


def is_wide_enough(table: Table) -> bool:
    script = "() => document.documentElement.scrollWidth <= document.documentElement.clientWidth"
    return bool(table.page.evaluate(script))


@pytest.mark.parametrize("name", SCREENS)
def test_a_column_of_twenty_cards_is_whole_and_legible(name: str, visitors: Visitors) -> None:
    table = visitors.deal(TWENTY, **screen(name)).table
    assert table.page.evaluate(_OUTSIDE) == []
    assert table.page.evaluate(_COLLIDING) == []
    assert is_wide_enough(table)
    first, second, last = (table.box("t1", count) for count in (20, 19, 1))
    step, width = second["y"] - first["y"], first["width"]
    is_small = "small" in (table.page.locator("#table").get_attribute("class") or "").split()
    assert step >= (0.46 if is_small else 0.26) * width - 0.5
    # The last card is what one plays: nothing may lie on it.
    x, y = last["x"] + last["width"] / 2, last["y"]
    for share in (0.1, 0.5, 0.9):
        there = "([x, y]) => document.elementFromPoint(x, y)?.closest('.card')?.dataset.count"
        table.page.locator("#felt").evaluate(
            "(felt, y) => scrollBy(0, Math.max(0, y - innerHeight + 4))", y + last["height"]
        )
        moved = table.box("t1")["y"] - y
        assert table.page.evaluate(there, [x, y + moved + share * last["height"]]) == "1"


@pytest.mark.parametrize("name", SCREENS)
def test_the_controls_of_the_player_are_on_the_screen_and_large_enough(name: str, visitors: Visitors) -> None:
    table = visitors.deal(MEADOW, "t4-t3", **screen(name)).table
    width, _ = SCREENS[name]
    buttons = [it for it in table.page.locator("#acts button").all() if it.is_visible()]
    assert len(buttons) >= 3
    for button in buttons:
        box = button.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width + 0.5
        assert min(box["width"], box["height"]) >= (40 if width > 820 else 44) - 0.5
    expect(table.moves).to_be_visible()
    expect(table.score).to_be_visible()
    # However little of its sheet is seen, what closes it is.
    table.page.locator('[data-act="more"]:visible').click()
    close = table.page.get_by_role("dialog").get_by_role("button", name="Close")
    expect(close).to_be_in_viewport(ratio=1)
    close.click()
    expect(table.page.get_by_role("dialog")).to_be_hidden()


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", ["phone", "desktop"])
def test_column_one_is_left_of_column_ten_in_every_language(lang: str, name: str, visitors: Visitors) -> None:
    table = visitors.deal(TWENTY, lang=lang, **screen(name)).table
    assert table.box("t1")["x"] < table.box("t2")["x"] < table.box("t10")["x"]
    assert is_wide_enough(table)


def test_how_long_the_player_thinks_is_not_cut_off(visitors: Visitors) -> None:
    """In the longest language and for a long time; the name beside it gives way."""
    dealt = visitors.deal(MEADOW, "t4-t3")
    table = Table(visitors.come(**screen("narrow"))).open(f"/tr{dealt.address}")
    expect(table.page.locator("#state")).to_have_class("state lively")
    is_whole = """(it) => {
      it.textContent = it.textContent.replace(/[\\d:]+/, "1:02:42");
      return it.textContent.includes("1:02:42") && it.scrollWidth <= it.clientWidth;
    }"""
    assert table.page.locator("#state").evaluate(is_whole)
    assert is_wide_enough(table)


@pytest.mark.parametrize("name", ["phone", "narrow", "phone on its side"])
def test_a_replay_fits_a_phone(name: str, visitors: Visitors) -> None:
    dealt = visitors.deal(TWENTY, "t6-t9", "t9-t6", "give_up", **screen(name))
    page = dealt.table.page
    dealt.table.open(f"{dealt.address}#1")
    assert page.evaluate(_OUTSIDE) == []
    assert is_wide_enough(dealt.table)
    width, height = SCREENS[name]
    parts = [page.get_by_role("button", name=f"{way} move") for way in ("Previous", "Next")]
    parts.append(page.get_by_role("slider", name="Move"))
    if width > height:
        # In the rail the moves, in the line below what steps; the felt keeps two thirds of the width.
        parts += [page.locator("#speeds .speed-one"), page.locator("#moves [aria-current]")]
        assert page.evaluate(_UNREACHABLE) == []
        assert page.evaluate("document.getElementById('felt').clientWidth / innerWidth") > 0.68
    for part in parts:
        box = part.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width + 0.5
        assert box["y"] + box["height"] <= height + 0.5


@pytest.mark.parametrize("lang", ["", "pl"])
@pytest.mark.parametrize("ended", [True, False])
def test_every_button_beside_the_panel_can_be_pressed(ended: bool, lang: str, visitors: Visitors) -> None:
    dealt = visitors.deal(TWENTY, "t6-t9", "t9-t6", *(["give_up"] if ended else []), lang=lang)
    watcher = Table(visitors.come()).open(f"{dealt.address}#1")
    page = watcher.page
    expect(page.locator("#steps .count")).to_contain_text("1 / 2")
    bad = {}
    for width in BESIDE_THE_PANEL:
        page.set_viewport_size({"width": width, "height": 800})
        if found := page.evaluate(_UNREACHABLE):
            bad[width] = found
    assert bad == {}


@pytest.mark.parametrize(
    "look", [{"forced_colors": "active"}, {"color_scheme": "dark"}, {"contrast": "more"}]
)
def test_other_looks_show_the_same_table(look: dict[str, Any], visitors: Visitors) -> None:
    table = visitors.deal(MEADOW, **look).table
    table.shows(MEADOW)
    table.click("t4")
    expect(table.card("t4")).to_have_attribute("aria-pressed", "true")
    # The places that take it are told by a shape as well.
    expect(table.pile("t3").locator(".wedge")).to_be_visible()
    table.click_end("t3")
    table.agree(moves=1)
    if "forced_colors" in look:
        border = "(it) => getComputedStyle(it).outlineStyle + getComputedStyle(it).borderStyle"
        assert "solid" in table.card("t3").evaluate(border)
