"""What somebody prefers holds at once, on the next page, in the next browser; what it does at the table."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.e2e.conftest import Visitors
from tests.e2e.deals import ALMOST, MEADOW
from tests.e2e.table import Table


def set_in_the_menu(table: Table, **wanted: bool) -> None:
    """Ticks boxes in the sheet of the rest, and waits until they are kept."""
    table.click_act("more")
    for name, value in wanted.items():
        with table.page.expect_response("**/settings/"):
            table.page.locator(f'#more-dialog input[name="{name}"]').set_checked(value)
    table.page.keyboard.press("Escape")


def prefers(page: Page) -> set[str]:
    return set(str(page.locator("html").get_attribute("data-prefer")).split())


def test_a_choice_at_the_table_holds_at_once_and_goes_with_the_account(visitors: Visitors) -> None:
    dealt = visitors.deal(MEADOW)
    page = dealt.table.page
    other = page.context.new_page()
    other.goto("/help/")
    set_in_the_menu(dealt.table, time=False, colours=True)
    expect(page.locator("#standing .in-time")).to_be_hidden()
    assert {"colours", "letters"} <= prefers(page)
    # Another tab hears of it, and the next page is written with it.
    expect(other.locator("html[data-prefer~=colours]")).to_be_attached()
    other.goto("/settings/")
    expect(other.get_by_label("Four colours")).to_be_checked()
    expect(other.get_by_label("Show the time")).not_to_be_checked()
    # In another browser of the same person too.
    elsewhere = visitors.come()
    elsewhere.context.add_cookies(page.context.cookies())  # type: ignore[arg-type]
    elsewhere.context.clear_cookies(name="preferences")
    elsewhere.goto(dealt.address)
    assert "colours" in prefers(elsewhere)
    assert "time" not in prefers(elsewhere)


def test_a_player_may_hide_who_watches(visitors: Visitors) -> None:
    dealt = visitors.deal(MEADOW)
    visitors.watch(dealt)
    watching = dealt.table.page.locator("#watching")
    expect(watching).to_have_text("1 watching")
    expect(watching).to_be_visible()
    set_in_the_menu(dealt.table, crowd=False)
    expect(watching).to_be_hidden()


def test_the_page_of_settings_works_without_script_for_a_visitor(visitors: Visitors) -> None:
    page = visitors.come(java_script_enabled=False)
    page.goto("/settings/")
    page.get_by_label("Left-handed").check()
    page.get_by_role("button", name="Keep").click()
    expect(page.get_by_role("status")).to_have_text("Your settings are kept.")
    page.goto("/")
    assert "left" in prefers(page)


def test_without_the_double_click_the_second_click_neither_sends_nor_lets_go(visitors: Visitors) -> None:
    table = visitors.deal(MEADOW).table
    set_in_the_menu(table, doubles=False)
    table.burst(*table.spot("t4"), 2)
    expect(table.card("t4")).to_contain_class("picked")
    assert table.commands == []


def test_automatic_placement_sends_a_run_from_wherever_it_is_dropped(visitors: Visitors) -> None:
    table = visitors.deal(MEADOW).table
    set_in_the_menu(table, placement=True)
    mouse, page = table.page.mouse, table.page
    mouse.move(*table.spot("t4"))
    mouse.down()
    mouse.move(640, 500)
    mouse.move(640, 600)
    mouse.up()
    table.agree(moves=1)
    assert table.commands == ["send t4"]
    assert table.cards("t3") == ["9D", "8H"]
    # Let go where it was taken up it stays.
    x, y = table.spot("t5", 1)
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + 20, y + 5)
    mouse.move(x + 2, y + 1)
    mouse.up()
    expect(page.locator(".card.held")).to_have_count(0)
    assert table.commands == ["send t4"]


def test_for_the_left_hand_buttons_change_sides_and_columns_do_not(visitors: Visitors) -> None:
    for lang in ("", "ar"):
        for size in ((1280, 800), (360, 640), (640, 360)):
            table = visitors.deal(MEADOW, lang=lang, viewport={"width": size[0], "height": size[1]}).table
            page = table.page
            before = {
                name: page.locator(f"#acts [data-act={name}]").bounding_box() for name in ("undo", "more")
            }
            cards = [table.box("t1")["x"], table.box("t10")["x"]]
            assert cards[0] < cards[1]
            page.evaluate("document.documentElement.dataset.prefer += ' left'")
            after = {
                name: page.locator(f"#acts [data-act={name}]").bounding_box() for name in ("undo", "more")
            }
            assert before["undo"]
            assert before["more"]
            assert after["undo"]
            assert after["more"]
            assert table.box("t1")["x"] < table.box("t10")["x"]
            if size == (640, 360):
                assert (before["undo"]["x"] < 320) != (after["undo"]["x"] < 320)
            else:
                was = before["undo"]["x"] < before["more"]["x"]
                assert was != (after["undo"]["x"] < after["more"]["x"])
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            page.context.close()


def test_letters_can_be_switched_off(visitors: Visitors) -> None:
    table = visitors.deal(MEADOW, "t4-t3").table
    set_in_the_menu(table, letters=False)
    table.card("t3").focus()
    for key in ("z", "n", "h", "m", "4"):
        table.page.keyboard.press(key)
    expect(table.page.get_by_role("dialog")).to_have_count(0)
    expect(table.card("t3")).to_be_focused()
    assert table.commands == []


def test_less_motion_brings_cards_to_their_place_at_once(visitors: Visitors) -> None:
    table = visitors.deal(MEADOW, reduced_motion="no-preference").table
    set_in_the_menu(table, still=True)
    table.play("t4-t3", "click")
    table.agree(moves=1)
    assert table.page.evaluate("document.getAnimations().length") == 0


def test_sounds_are_off_until_they_are_wanted(visitors: Visitors) -> None:
    table = visitors.deal(MEADOW).table
    table.page.evaluate(
        """() => {
          window.struck = 0;
          const start = OscillatorNode.prototype.start;
          OscillatorNode.prototype.start = function (...given) {
            window.struck += 1;
            start.apply(this, given);
          };
        }"""
    )
    table.play("t4-t3")
    table.agree(moves=1)
    assert table.page.evaluate("window.struck") == 0
    set_in_the_menu(table, sounds=True)
    table.play("t3-t9")
    table.agree(moves=2)
    assert table.page.evaluate("window.struck") == 1
    table.play("t7-t6")
    expect(table.slip).not_to_be_empty()
    assert table.page.evaluate("window.struck") == 2


def test_a_replay_can_be_opened_without_its_end(visitors: Visitors) -> None:
    dealt = visitors.deal(ALMOST, "t3-t2", "t2x4-t1")
    page = visitors.come()
    Table(page).open(f"{dealt.address}?spoiler=0")
    state = page.locator("#state")
    expect(state).to_contain_text("finished")
    expect(page.locator("#chart")).to_be_hidden()
    page.get_by_role("button", name="show result").click()
    expect(state).to_contain_text("won")
    expect(page.locator("#chart")).to_be_visible()
    expect(page.locator("#moves .gain")).to_have_text("+100")


def test_a_new_game_asks_its_question(visitors: Visitors) -> None:
    table = visitors.deal(MEADOW).table
    page = table.page
    table.click_act("new")
    dialog = page.get_by_role("dialog", name="New game")
    expect(dialog.get_by_role("group", name="How many suits?")).to_be_visible()
    expect(dialog.get_by_role("radio", name="Hard")).to_be_checked()
    dialog.get_by_role("radio", name="Easy").check(force=True)
    dialog.get_by_role("button", name="Deal").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Simple Simon, 1 suit")


def test_the_tab_tells_the_state_while_one_is_elsewhere(visitors: Visitors) -> None:
    dealt = visitors.deal(ALMOST)
    player, spectator = dealt.table.page, visitors.watch(dealt).page
    hide = """(hidden) => {
      Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
      document.dispatchEvent(new Event("visibilitychange"));
    }"""
    icon = re.compile(r"/sign-news\.svg$")
    expect(player).to_have_title(re.compile(r"^800 · "))
    player.evaluate(hide, True)
    expect(player).to_have_title(re.compile(r"^Your move · 800 · "))
    player.evaluate(hide, False)
    expect(player).to_have_title(re.compile(r"^800 · "))
    spectator.evaluate(hide, True)
    dealt.table.play("t3-t2")
    expect(spectator).to_have_title(re.compile(r"^799 · "))
    expect(spectator.locator("link[rel=icon]").first).to_have_attribute("href", icon)
    spectator.evaluate(hide, False)
    expect(spectator.locator("link[rel=icon]").first).to_have_attribute("href", re.compile(r"/sign\.svg$"))
    dealt.table.play("t2x4-t1")
    expect(player).to_have_title(re.compile(r"^Won · 898 · "))
    expect(player.locator("link[rel=icon]").first).to_have_attribute("href", re.compile(r"/sign-won\.svg$"))
