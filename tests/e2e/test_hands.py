"""Mouse hands: what a refused move says, what ends a drag without a move, undo, giving up, starting again."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from game.engine.games import rules_of
from tests.e2e.conftest import Visitors
from tests.e2e.deals import ACES, MEADOW
from tests.e2e.table import Table, words_of

SENTENCE = rules_of("simple-simon").sentence
REFUSED = [
    ("t4-t1", "wrong_rank", "8♥ onto Q♠"),
    ("t7-t6", "nothing_on_an_ace", "5♥ onto A♣"),
    ("t10-t8", "king_needs_empty_column", "K♦ onto J♥"),
    ("t5x3-t4", "mixed_suits", "6♦ 5♣ 4♥ onto 8♥"),
]
"""Commands at `MEADOW`, their refusal codes and what the slip says of the cards."""


@pytest.mark.parametrize("way", ["drag", "click"])
def test_a_refused_move_says_the_rule_and_the_card_goes_home(way: str, visitors: Visitors) -> None:
    """R4: nothing moves on the page alone, and the reason is told."""
    table = visitors.deal(MEADOW).table
    before = table.position
    for command, code, detail in REFUSED:
        pile, count = ("t5", 3) if "x" in command else (command.partition("-")[0], 1)
        home = table.box(pile, count)
        table.play(command, way)
        expect(table.page.locator("#slip .detail")).to_have_text(detail)
        expect(table.slip).to_have_text(SENTENCE(code))
        expect(table.spoken).to_contain_text(SENTENCE(code))
        table.come_to_rest()
        table.shows(before)
        assert table.box(pile, count) == home
        expect(table.moves).to_have_text("0")
        covers_no_card(table)
    # The next act takes it away.
    table.play("t4-t3")
    expect(table.slip).to_be_hidden()


def covers_no_card(table: Table) -> None:
    slip = table.page.locator("#slip").bounding_box()
    assert slip is not None
    for box in [it.bounding_box() for it in table.page.locator("#table .card").all()]:
        assert box is not None
        apart = box["x"] + box["width"] <= slip["x"] or slip["x"] + slip["width"] <= box["x"]
        assert apart or box["y"] + box["height"] <= slip["y"] or slip["y"] + slip["height"] <= box["y"]


def test_while_a_card_is_dragged_the_places_that_take_it_are_lit(visitors: Visitors) -> None:
    table = visitors.deal(MEADOW).table
    table.drag("t4", 1, "t3", drop=False)
    expect(table.page.locator("#table .takes")).to_have_count(2)
    expect(table.pile("t3").locator(".takes")).to_contain_class("takes hot")
    expect(table.pile("t9").locator(".takes")).to_have_count(1)
    table.page.mouse.up()
    expect(table.page.locator("#table .takes")).to_have_count(0)
    assert table.commands == ["t4-t3"]


@pytest.mark.parametrize("end", ["pointercancel", "blur", "Escape", "right button", "bare felt"])
def test_a_drag_that_is_broken_off_sends_nothing_and_the_cards_go_home(end: str, visitors: Visitors) -> None:
    """B21: whatever ends it but a drop on a pile."""
    table = visitors.deal(MEADOW).table
    page, before, home = table.page, table.position, table.box("t4")
    x, y = table.spot("t4")
    table.drag("t4", 1, "t3", drop=False)
    assert table.box("t4") != home
    if end == "pointercancel":
        page.locator("#felt").dispatch_event("pointercancel", {"pointerId": 1})
    elif end == "blur":
        page.evaluate("() => { dispatchEvent(new Event('blur')); }")
    elif end == "Escape":
        page.keyboard.press("Escape")
    elif end == "right button":
        page.mouse.down(button="right")
        page.mouse.up(button="right")
    else:
        page.mouse.move(x, y + 15)
    # What the pointer does afterwards is no part of a drag any more.
    if end != "bare felt":
        page.mouse.move(*table.end_of("t3"))
    page.mouse.up()
    table.come_to_rest()
    table.shows(before)
    assert table.box("t4") == home
    assert table.commands == []
    expect(page.locator(".card.held")).to_have_count(0)
    # The hand is free again.
    table.play("t4-t3")
    table.agree(moves=1)
    assert table.commands == ["t4-t3"]


def test_click_then_click_and_letting_go(visitors: Visitors) -> None:
    table = visitors.deal(MEADOW).table
    page = table.page
    table.click("t4")
    expect(table.card("t4")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Escape")
    expect(table.card("t4")).to_have_attribute("aria-pressed", "false")
    table.click("t4")
    page.wait_for_timeout(350)
    table.click("t4")
    expect(page.locator(".card.picked")).to_have_count(0)
    assert table.commands == []
    page.wait_for_timeout(350)
    table.click("t4")
    table.click_end("t9")
    expect(table.card("t9")).to_have_accessible_name("eight of hearts")
    assert table.commands == ["t4-t9"]


def test_double_click_on_an_empty_column_and_on_the_felt_does_nothing(visitors: Visitors) -> None:
    """B16"""
    table = visitors.deal(MEADOW).table
    before = table.position
    table.double_click("t9", 0)
    felt = table.page.locator("#felt").bounding_box()
    assert felt is not None
    table.burst(felt["x"] + 5, felt["y"] + felt["height"] - 5, clicks=2)
    assert table.commands == []
    table.shows(before)


def test_double_click_on_a_card_that_can_go_nowhere_is_silent(visitors: Visitors) -> None:
    table = visitors.deal(ACES).table
    table.double_click("t3")
    assert table.commands == ["send t3"]
    expect(table.page.locator("#slip")).to_be_hidden()
    assert words_of(table.spoken) == ""


def test_the_right_button_raises_a_covered_card_while_it_is_held(visitors: Visitors) -> None:
    table = visitors.deal(MEADOW).table
    mouse = table.page.mouse
    for count in (3, 1):
        mouse.move(*table.spot("t5", count))
        mouse.down(button="right")
        expect(table.card("t5", count)).to_contain_class("peek")
        mouse.up(button="right")
        expect(table.card("t5", count)).not_to_contain_class("peek")
    assert table.commands == []
    # The hand is free afterwards.
    table.play("t4-t3")
    table.agree(moves=1)


def test_undo_by_button_says_what_it_takes_back(visitors: Visitors) -> None:
    table = visitors.deal(MEADOW, "t4-t3", "t3-t9").table
    undo = table.page.locator('#acts [data-act="undo"]')
    expect(undo.locator("#undone")).to_have_text("8♥ to column 9")
    undo.click()
    expect(undo.locator("#undone")).to_have_text("8♥ to column 3")
    undo.click()
    table.shows(MEADOW)
    expect(undo).to_be_disabled()
    expect(table.score).to_have_text("500")
    expect(table.moves).to_have_text("0")


def test_giving_up_asks_first_and_ends_the_game(visitors: Visitors) -> None:
    table = visitors.deal(MEADOW, "t4-t3").table
    page = table.page
    table.deed("give-up")
    page.get_by_role("dialog").get_by_role("button", name="Play on").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert table.commands == []
    table.deed("give-up")
    page.get_by_role("dialog").get_by_role("button", name="Give up").click()
    expect(table.spoken).to_contain_text("Given up.")
    expect(page.locator("#place")).to_have_attribute("data-view", "replay")
    table.drag("t7", 1, "t5")
    assert table.commands == ["give_up"]


def test_starting_again_asks_first_and_deals_the_same_cards(visitors: Visitors) -> None:
    dealt = visitors.deal(MEADOW, "t4-t3")
    table, page = dealt.table, dealt.table.page
    table.deed("again")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("is given up")
    dialog.get_by_role("button", name="Start again").click()
    page.wait_for_url(lambda url: "/g/" in url and dealt.code not in url)
    table.ready().shows(MEADOW)
    expect(table.moves).to_have_text("0")
    assert page.request.get(f"/api/games/{dealt.code}").json()["status"] == "given_up"


def test_look_back_during_the_game_and_return_to_it(visitors: Visitors) -> None:
    table: Table = visitors.deal(MEADOW, "t4-t3", "t3-t9").table
    page, now = table.page, table.position
    table.deed("look")
    expect(table.card("t3")).to_have_accessible_name("eight of hearts")
    # Nothing can be played in the past, and it says so.
    table.click("t3")
    expect(table.slip).to_have_text("This is a move of the past. Go back to the game to play.")
    table.click_act("live")
    table.shows(now)
    assert table.commands == []
    table.play("t7-t5")
    expect(page.locator("#slip")).to_be_visible()
