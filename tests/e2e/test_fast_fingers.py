"""Clicks faster than cards fly: at most the moves that could be meant, and in the end the server is right."""

from __future__ import annotations

from typing import Literal

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Visitors
from tests.e2e.deals import MEADOW

Motion = Literal["reduce", "no-preference"]
both_motions = pytest.mark.parametrize("motion", ["reduce", "no-preference"])


@both_motions
@pytest.mark.parametrize("pile", ["t2", "t4"])
def test_a_burst_of_clicks_on_one_card_sends_it_once(pile: str, motion: Motion, visitors: Visitors) -> None:
    """B16: the clicks after the second meet the card's old place, whatever lies there now."""
    table = visitors.deal(MEADOW, reduced_motion=motion).table
    for clicks in (3, 4, 5):
        table.burst(*table.spot(pile), clicks)
        table.agree(moves=1)
        table.come_to_rest()
        assert len(table.cards(pile)) == {"t2": 1, "t4": 0}[pile]
        # Later than what could still belong to the burst.
        table.page.wait_for_timeout(350)
        table.play("undo")
        table.agree(moves=0)
    assert table.commands == [f"send {pile}", "undo"] * 3


@both_motions
def test_play_on_with_another_card_during_a_flight(motion: Motion, visitors: Visitors) -> None:
    """B16"""
    table = visitors.deal(MEADOW, reduced_motion=motion).table
    table.double_click("t2")
    table.drag("t4", 1, "t3")
    table.agree(moves=2)
    assert table.commands == ["send t2", "t4-t3"]
    table.come_to_rest()


@both_motions
def test_catch_a_card_in_its_flight(motion: Motion, visitors: Visitors) -> None:
    """B16: the card is taken up where it belongs, not where it is seen."""
    table = visitors.deal(MEADOW, reduced_motion=motion).table
    table.play("t4-t3", "click")
    expect(table.card("t3")).to_have_accessible_name("eight of hearts")
    table.play("t3-t9", "drag")
    table.agree(moves=2)
    assert table.commands == ["t4-t3", "t3-t9"]
    assert table.cards("t9") == ["8H"]


def test_moves_as_fast_as_the_keys_repeat(visitors: Visitors) -> None:
    """Undo held down: each press is one undo or none, and nothing is left behind."""
    table = visitors.deal(MEADOW, "t4-t3", "t3-t9", "t9-t4", reduced_motion="no-preference").table
    table.card("t4").focus()
    # Held until all is undone: on a slow machine most presses come while an undo is unanswered.
    for presses in range(200):
        if presses >= 6 and len(table.commands) >= 3:
            break
        table.page.keyboard.press("z")
    expect(table.page.locator("#undone")).to_have_text("")
    table.agree(moves=0)
    assert table.commands[:3] == ["undo"] * 3
