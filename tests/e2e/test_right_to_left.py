"""The Arabic page: its frame is mirrored, its table is not, and a card lands under the pointer."""

from __future__ import annotations

from itertools import permutations

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Visitors
from tests.e2e.deals import ACES, MEADOW

COLUMNS = [f"t{number}" for number in range(1, 11)]


@pytest.mark.parametrize("width", [360, 768, 1280])
def test_a_card_dropped_on_any_column_is_meant_for_that_column(width: int, visitors: Visitors) -> None:
    """B20: between all pairs of columns; nothing may go anywhere, so that all of them can be tried."""
    table = visitors.deal(ACES, lang="ar", viewport={"width": width, "height": 700}).table
    lefts = [table.box(pile)["x"] for pile in COLUMNS]
    assert lefts == sorted(lefts)
    centres = {pile: table.spot(pile) for pile in COLUMNS}
    mouse, pairs = table.page.mouse, list(permutations(COLUMNS, 2))
    (socket,) = table.sockets
    for pile, to in pairs:
        with socket.expect_event("framereceived", lambda frame: '"refused"' in str(frame)):
            mouse.move(*centres[pile])
            mouse.down()
            mouse.move(*centres[to], steps=2)
            mouse.up()
    assert table.commands == [f"{pile}-{to}" for pile, to in pairs]


def test_cards_land_where_they_are_dropped(visitors: Visitors) -> None:
    """B20"""
    table = visitors.deal(MEADOW, lang="ar").table
    at = table.end_of("t9")
    table.drag("t4", 1, "t9")
    table.agree(moves=1)
    box = table.box("t9")
    assert box["x"] < at[0] < box["x"] + box["width"]
    assert box["y"] < at[1] < box["y"] + box["height"]


def test_the_frame_is_mirrored_and_codes_and_moves_are_not(visitors: Visitors) -> None:
    """B20"""
    dealt = visitors.deal(MEADOW, "t4-t3", lang="ar")
    page = dealt.table.page
    assert page.locator("html").get_attribute("dir") == "rtl"
    brand, end = page.locator(".brand").bounding_box(), page.locator(".bar-end").bounding_box()
    assert brand is not None
    assert end is not None
    assert brand["x"] > end["x"]
    for name in ("#undone", "#code"):
        assert page.locator(name).evaluate("(it) => it.tagName") == "BDI"
    expect(page.locator("#undone")).to_contain_text("8♥")
    page.goto(f"{dealt.address}#1")
    for part in ("#table", "#slider", "#steps", "#moves"):
        assert page.locator(part).evaluate("(it) => getComputedStyle(it).direction") == "ltr"
