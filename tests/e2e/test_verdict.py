"""After the end: whether a game could be won, a line that wins on the same table, and trying it oneself."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.e2e.axe import problems
from tests.e2e.clerk import Clerk
from tests.e2e.conftest import Visitors
from tests.e2e.table import Table
from tests.server.endgames import FORK, LOSES, ONE_MOVE, REST, WINS

ASK = "Could it be won?"


def ended(clerk: Clerk, player: str, *commands: str) -> str:
    """The address of a game that has been looked at."""
    rules, variant, deal = ("klondike", "D1", FORK)
    if commands[0] in ("t2-t1", "t2-t3"):
        rules, variant, deal = ("simple-simon", "S4", ONE_MOVE)
    code = clerk.deal(player, rules, variant, deal, *commands)
    clerk.analyse(code)
    return f"/g/{code}/"


def ask(page: Page, address: str) -> str:
    """What is told of a game to whoever asks."""
    Table(page).open(address)
    expect(page.locator(".told")).to_be_hidden()
    expect(page.locator(".stretches")).to_be_hidden()
    page.get_by_role("button", name=ASK).click()
    expect(page.locator(".stretches")).to_be_visible()
    told = page.locator(".told .sentence").inner_text()
    expect(page.locator("#live")).to_contain_text(told)
    expect(page.locator(".stretches")).to_have_attribute("aria-label", told)
    return told


def test_what_is_told_of_games_of_both_kinds(visitors: Visitors, clerk: Clerk, name: str) -> None:
    """Lost, given up, recovered and won, told only when it is asked for."""
    page = visitors.come_as(name)
    taken_back = f"{LOSES} at move 1 had lost it, and was taken back."
    cases = {
        (LOSES, "give_up"): f"Lost by {LOSES} at move 1.",
        (WINS, "t1-f4", "give_up"): "Still winnable when given up.",
        (LOSES, "undo", WINS, "give_up"): f"Still winnable when given up. {taken_back}",
        (LOSES, "undo", WINS, *REST): taken_back,
        ("t2-t1",): "It could be won at every move.",
        ("t2-t3", "give_up"): "Still winnable when given up.",
    }
    for commands, told in cases.items():
        address = ended(clerk, name, *commands)
        # A won game of one's own shows its end first.
        assert ask(page, f"{address}#0") == told, commands
    stretches = page.locator(".stretches i")
    expect(stretches).to_have_count(1)
    assert problems(page, "a verdict") == []


def test_the_line_on_the_table_and_trying_it_by_keyboard(visitors: Visitors, clerk: Clerk, name: str) -> None:
    page = visitors.come_as(name)
    address = ended(clerk, name, LOSES, "give_up")
    table = Table(page).open(address)
    lost = table.position
    page.locator("#table").focus()
    page.keyboard.press("v")
    line = page.get_by_role("button", name="A line that wins")
    expect(line).to_be_visible()
    line.press("Enter")
    expect(page.locator(".count")).to_contain_text("0 /")
    expect(page.locator("#live")).to_contain_text("A line that wins in")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".count")).to_contain_text("1 /")
    assert table.position != lost
    page.keyboard.press("End")
    expect(page.locator('#table .pile[data-pile="f4"] .card')).to_have_count(13)
    assert "#" not in page.url.split("/g/")[1] or page.url.endswith("#1")
    page.get_by_role("button", name="Back to the game").press("Enter")
    expect(page.locator(".count")).to_contain_text("0 / 1")
    page.keyboard.press("End")
    table.shows(lost)
    page.get_by_role("button", name="Try from here").press("Enter")
    page.wait_for_url(lambda url: "/g/" in url and address not in url)
    table.ready()
    page.get_by_role("button", name="More").first.click()
    expect(page.get_by_role("link", name="Played on from move 0 of another game")).to_be_visible()
    page.keyboard.press("Escape")
    assert page.locator("#verdict").is_hidden()
    table.page.locator("#table").focus()
    for command in (WINS, *REST):
        page.keyboard.press("m")
        page.locator("#typed-move").fill(command)
        page.locator("#typed-move").press("Enter")
        page.keyboard.press("Escape")
    expect(page.locator("#place[data-view=won]")).to_be_attached()


def test_a_game_that_waits_is_told_when_it_is_found(visitors: Visitors, clerk: Clerk, name: str) -> None:
    """Asked while the worker is still at it; a running game has nothing to ask."""
    dealt = visitors.deal(FORK, LOSES, rules="klondike", variant="D1")
    page = dealt.table.page
    expect(page.locator("#verdict")).to_be_hidden()
    watcher = visitors.watch(dealt).page
    page.get_by_role("button", name="More").first.click()
    page.get_by_role("button", name="Give up").first.click()
    page.get_by_role("button", name="Give up").last.click()
    watcher.get_by_role("button", name=ASK).click()
    expect(watcher.locator(".told")).to_contain_text("still being looked at")
    clerk.analyse(dealt.code)
    expect(watcher.locator(".told")).to_contain_text(f"Lost by {LOSES} at move 1.")
