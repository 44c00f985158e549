"""A game with a stock, by mouse: drawing, turning the waste over, and playing all that goes at once."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from game.engine.games import GAMES
from game.engine.piles import Role
from tests.e2e.conftest import Visitors
from tests.engine.cases import Case, load

RULES = next(rules for rules in GAMES if any(pile.role is Role.STOCK for pile in rules.layout))
CASE: Case = min(load(RULES.slug, "won"), key=lambda case: len(case.data["moves"]))
COMMANDS = [command for command, _, _ in CASE.played()]
VARIANT = CASE.rules.variant(CASE.options)


def test_draw_to_the_end_and_turn_the_waste_over(visitors: Visitors) -> None:
    dealt = visitors.deal(
        CASE.deal.text, rules=CASE.rules.slug, variant=VARIANT, reduced_motion="no-preference"
    )
    table = dealt.table
    size = len(table.cards("s"))
    for turn in range(1, size + 1):
        table.play("draw")
        expect(table.moves).to_have_text(str(turn))
    table.agree(moves=size)
    assert table.cards("s") == []
    drawn = table.cards("w")
    expect(table.page.locator('#table .pile[data-pile="s"] .slot .turn')).to_be_visible()
    table.play("draw")
    table.agree(moves=size + 1)
    table.come_to_rest()
    assert (len(table.cards("s")), table.cards("w")) == (size, [])
    table.play("draw")
    table.agree(moves=size + 2)
    assert table.cards("w") == drawn[:1]
    assert table.commands == ["draw"] * (size + 2)


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_autoplay_is_one_step(motion: str, visitors: Visitors) -> None:
    dealt = visitors.deal(
        CASE.deal.text, *COMMANDS[:-20], rules=CASE.rules.slug, variant=VARIANT, reduced_motion=motion
    )
    table, page = dealt.table, dealt.table.page
    before = table.position
    table.click_act("collect")
    expect(page.locator("#undone")).to_have_text("autoplay")
    table.come_to_rest()
    assert table.position != before
    table.click_act("undo")
    table.shows(before)
    assert table.commands == ["collect", "undo"]
