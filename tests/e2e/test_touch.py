"""Fingers on a phone: cards are carried, the felt scrolls where the page does not fit, and nothing zooms."""

from __future__ import annotations

import time
from typing import Any, Final

import pytest
from playwright.sync_api import CDPSession, expect

from tests.e2e.conftest import Visitors
from tests.e2e.deals import MEADOW
from tests.e2e.table import Table

PHONE: Final[dict[str, Any]] = {
    "viewport": {"width": 360, "height": 640},
    "has_touch": True,
    "is_mobile": True,
}
Point = tuple[float, float]


class Fingers:
    """Touches as the device reports them."""

    def __init__(self, table: Table) -> None:
        self._session: CDPSession = table.page.context.new_cdp_session(table.page)

    def _tell(self, kind: str, *points: Point, at: float | None = None) -> None:
        touches = [{"x": x, "y": y, "id": finger} for finger, (x, y) in enumerate(points)]
        told = {"type": kind, "touchPoints": touches} | ({"timestamp": at} if at else {})
        self._session.send("Input.dispatchTouchEvent", told)

    def tap_twice(self, point: Point) -> None:
        """80 ms apart by the hand's clock, however busy the machine is."""
        now = time.time()
        for at in (now, now + 0.08):
            self._tell("touchStart", point, at=at)
            self._tell("touchEnd", at=at + 0.02)

    def down(self, *points: Point) -> None:
        self._tell("touchStart", *points)

    def move(self, *points: Point) -> None:
        self._tell("touchMove", *points)

    def up(self) -> None:
        self._tell("touchEnd")

    def cancel(self) -> None:
        self._tell("touchCancel")

    def stroke(self, start: Point, end: Point, steps: int = 8) -> None:
        """Down and along, without letting go."""
        self.down(start)
        for step in range(1, steps + 1):
            share = step / steps
            self.move((start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share))


def scroll_of(table: Table) -> float:
    script = "() => [...document.querySelectorAll('*')].reduce((sum, it) => sum + it.scrollTop, 0)"
    return float(table.page.evaluate(script))


def zoom_of(table: Table) -> float:
    return float(table.page.evaluate("() => visualViewport.scale"))


def test_a_finger_carries_a_card_and_the_page_stays(visitors: Visitors) -> None:
    """B21"""
    table = visitors.deal(MEADOW, **PHONE).table
    fingers = Fingers(table)
    fingers.stroke(table.spot("t4"), table.end_of("t3"))
    fingers.up()
    expect(table.card("t3")).to_have_accessible_name("eight of hearts")
    # Down the screen as well, where a page would scroll.
    x, y = table.spot("t3")
    fingers.stroke((x, y), (x + 2, y + 200))
    fingers.up()
    assert scroll_of(table) == 0
    assert table.commands == ["t4-t3"]
    table.agree(moves=1)


@pytest.mark.parametrize("end", ["cancel", "second finger"])
def test_a_drag_that_the_device_breaks_off_sends_nothing(end: str, visitors: Visitors) -> None:
    """B21"""
    table = visitors.deal(MEADOW, **PHONE).table
    before, home, fingers = table.position, table.box("t4"), Fingers(table)
    start, goal = table.spot("t4"), table.end_of("t3")
    fingers.stroke(start, goal)
    if end == "cancel":
        fingers.cancel()
    else:
        fingers.down(goal, (180, 400))
        fingers.move(goal, (180, 380))
        fingers.up()
    table.come_to_rest()
    table.shows(before)
    assert table.box("t4") == home
    assert table.commands == []
    assert zoom_of(table) == 1


def test_tap_then_tap_moves_and_a_double_tap_counts_once_without_zoom(visitors: Visitors) -> None:
    table = visitors.deal(MEADOW, **PHONE).table
    tap = table.page.touchscreen.tap
    tap(*table.spot("t4"))
    expect(table.card("t4")).to_have_attribute("aria-pressed", "true")
    tap(*table.end_of("t9"))
    expect(table.card("t9")).to_have_accessible_name("eight of hearts")
    # Later than the taps of one burst.
    table.page.wait_for_timeout(350)
    Fingers(table).tap_twice(table.spot("t9"))
    expect(table.card("t3")).to_have_accessible_name("eight of hearts")
    assert table.commands == ["t4-t9", "send t9"]
    assert zoom_of(table) == 1


def test_a_swipe_on_empty_felt_scrolls_a_page_that_does_not_fit(visitors: Visitors) -> None:
    """B21: phones held so that the table is higher than the screen."""
    table = visitors.deal(MEADOW, **{**PHONE, "viewport": {"width": 360, "height": 300}}).table
    felt = table.page.locator("#felt").bounding_box()
    assert felt is not None
    x, y = felt["x"] + felt["width"] / 2, min(felt["y"] + felt["height"], 300) - 12
    fingers = Fingers(table)
    fingers.stroke((x, y), (x, y - 120), steps=12)
    fingers.up()
    table.page.wait_for_function(
        "() => [...document.querySelectorAll('*')].some((it) => it.scrollTop > 20)", timeout=5000
    )
    assert table.commands == []


def test_a_page_that_fits_does_not_scroll_nor_reload(visitors: Visitors) -> None:
    """B21: at 360 x 640 everything is in view, and a pull at the top edge is no reload."""
    table = visitors.deal(MEADOW, **PHONE).table
    table.page.evaluate("() => { window.here = true; }")
    fingers = Fingers(table)
    for start, end in [((180, 420), (180, 250)), ((180, 70), (180, 400))]:
        fingers.stroke(start, end)
        fingers.up()
        assert scroll_of(table) == 0
    assert table.page.evaluate("() => window.here")
    assert table.commands == []


def test_a_long_press_raises_a_covered_card_and_plays_nothing(visitors: Visitors) -> None:
    table = visitors.deal(MEADOW, **PHONE).table
    fingers = Fingers(table)
    fingers.down(table.spot("t5", 3))
    expect(table.card("t5", 3)).to_contain_class("peek")
    fingers.up()
    expect(table.card("t5", 3)).not_to_contain_class("peek")
    assert table.commands == []
