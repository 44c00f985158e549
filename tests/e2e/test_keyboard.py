"""The keyboard alone: a game to its end, what is spoken on the way, and keys that are not the table's."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.e2e.conftest import Visitors
from tests.e2e.deals import ALMOST, MEADOW
from tests.e2e.table import Table


def press_code(table: Table, key: str, code: str, *, alt_graph: bool = False) -> None:
    """A key as a keyboard of another language reports it."""
    table.page.evaluate(
        """([key, code, modifierAltGraph]) => {
          const init = { key, code, modifierAltGraph, bubbles: true, cancelable: true };
          document.activeElement.dispatchEvent(new KeyboardEvent("keydown", init));
        }""",
        [key, code, alt_graph],
    )


def test_play_a_game_to_its_end_by_keys_and_hear_what_happens(visitors: Visitors) -> None:
    table = visitors.deal(ALMOST).table
    keys, page = table.page.keyboard, table.page
    # The table is one stop of the Tab key.
    page.locator("#main").evaluate("(it) => { it.tabIndex = -1; it.focus(); }")
    keys.press("Tab")
    expect(page.locator("#table :focus")).to_have_count(1)

    keys.press("3")
    expect(table.card("t3")).to_be_focused()
    keys.press("Enter")
    expect(table.card("t3")).to_have_attribute("aria-pressed", "true")
    keys.press("2")
    expect(table.spoken).to_contain_text("ace of spades to column 2, onto two of spades.")
    # The focus went with the card.
    expect(table.card("t2")).to_be_focused()
    assert table.commands == ["t3-t2"]

    for _ in range(3):
        keys.press("ArrowUp")
    expect(table.card("t2", 4)).to_be_focused()
    keys.press("Enter")
    keys.press("ArrowLeft")
    expect(page.locator('#table .pile[data-pile="t1"] :focus')).to_have_count(1)
    keys.press("Enter")
    expect(table.spoken).to_contain_text("four of spades and 3 cards to column 1, onto five of spades.")
    expect(table.spoken).to_contain_text("A full run is removed, king of spades to ace.")
    expect(table.spoken).to_contain_text("Won in 2 moves.")
    expect(page.locator("#win .figures")).to_contain_text("898")
    assert table.commands == ["t3-t2", "t2x4-t1"]


def test_undo_let_go_and_ask_for_help_by_keys(visitors: Visitors) -> None:
    table = visitors.deal(MEADOW, "t4-t3", "t3-t9").table
    keys, page = table.page.keyboard, table.page
    table.card("t9").focus()
    keys.press("z")
    expect(table.spoken).to_contain_text("Taken back. eight of hearts to column 3, onto nine of diamonds.")
    keys.press("Control+z")
    table.agree(moves=0)
    keys.press("4")
    keys.press("Enter")
    keys.press("Escape")
    expect(page.locator(".card.picked")).to_have_count(0)
    keys.press("Shift+?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    keys.press("Escape")
    keys.press("n")
    expect(page.get_by_role("dialog", name="New game")).to_be_visible()
    keys.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert table.commands == ["undo", "undo"]


def test_a_refusal_is_heard_and_leaves_the_focus_where_it_was(visitors: Visitors) -> None:
    table = visitors.deal(MEADOW).table
    table.page.locator("#table").focus()
    for key in ("7", "Enter", "6"):
        table.page.keyboard.press(key)
    expect(table.spoken).to_contain_text("Nothing goes on an ace.")
    expect(table.card("t7")).to_be_focused()


def test_keys_count_where_they_lie_whatever_is_printed_on_them(visitors: Visitors) -> None:
    table = visitors.deal(MEADOW, "t4-t3", "t3-t9").table
    table.card("t9").focus()
    press_code(table, "я", "KeyZ")
    table.agree(moves=1)
    # What lies elsewhere is another key, even with a Z on it.
    press_code(table, "z", "KeyY")
    # AltGr writes letters.
    press_code(table, "z", "KeyZ", alt_graph=True)
    press_code(table, "ż", "KeyZ", alt_graph=True)
    assert table.commands == ["undo"]
    table.agree(moves=1)


def test_typing_into_a_box_moves_nothing(visitors: Visitors) -> None:
    table = visitors.deal(MEADOW, "t4-t3").table
    box = table.page.get_by_role("search").get_by_label("Game or deal code")
    box.press_sequentially("zan0")
    expect(box).to_have_value("zan0")
    assert table.commands == []
    expect(table.page.get_by_role("dialog")).to_have_count(0)
    expect(table.page.locator(".card.picked")).to_have_count(0)


def test_single_letters_can_be_switched_off(visitors: Visitors) -> None:
    table = visitors.deal(MEADOW, "t4-t3").table
    table.click_act("more")
    table.page.get_by_label("Single-letter keys").uncheck()
    table.page.keyboard.press("Escape")
    table.card("t3").focus()
    for key in ("z", "n", "a"):
        table.page.keyboard.press(key)
    expect(table.page.get_by_role("dialog")).to_have_count(0)
    assert table.commands == []
    table.page.keyboard.press("Control+z")
    table.agree(moves=0)


def test_f_fills_the_screen_and_leaves_it(visitors: Visitors) -> None:
    table = visitors.deal(MEADOW).table
    table.card("t3").focus()
    for is_full in ("true", "false"):
        table.page.keyboard.press("f")
        table.page.wait_for_function(f"() => (document.fullscreenElement !== null) === {is_full}")
    assert table.commands == []
