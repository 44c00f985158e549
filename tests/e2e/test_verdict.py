"""After the end: whether a game could be won, a line that wins on the same table, and trying it oneself."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.e2e.axe import problems
from tests.e2e.clerk import Clerk
from tests.e2e.conftest import Visitors
from tests.e2e.table import Table
from tests.server.endgames import CLEARS, FORK, JAMS, LOSES, ONE_MOVE, REST, STRAIT, WINS

ASK = "Could it be won?"


KLONDIKE, SIMPLE_SIMON = ("klondike", "D1"), ("simple-simon", "S4")


def ended(clerk: Clerk, player: str, kind: tuple[str, str], deal: str, *commands: str) -> str:
    """The address of a game that has been looked at."""
    code = clerk.deal(player, *kind, deal, *commands)
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


def had(command: str) -> str:
    return f"{command} at move 1 had lost it, and was taken back."


WON, STILL = "It could be won at every move.", "Still winnable when given up."
CASES = {
    "won klondike": (KLONDIKE, FORK, (WINS, *REST), WON, ["won"]),
    "lost klondike": (KLONDIKE, FORK, (LOSES, "give_up"), f"Lost by {LOSES} at move 1.", ["lost"]),
    "given up klondike": (KLONDIKE, FORK, (WINS, "t1-f4", "give_up"), STILL, ["won"]),
    "recovered klondike": (
        *(KLONDIKE, FORK, (LOSES, "undo", WINS, *REST), had(LOSES)),
        ["won", "recovered"],
    ),
    "won simple simon": (SIMPLE_SIMON, ONE_MOVE, ("t2-t1",), WON, ["won"]),
    "lost simple simon": (
        SIMPLE_SIMON,
        STRAIT,
        (JAMS, "give_up"),
        f"Lost by {JAMS} at move 1.",
        ["lost"],
    ),
    "given up simple simon": (SIMPLE_SIMON, STRAIT, (CLEARS, "give_up"), STILL, ["won"]),
    "recovered simple simon": (
        *(SIMPLE_SIMON, STRAIT, (JAMS, "undo", CLEARS, "give_up"), f"{STILL} {had(JAMS)}"),
        ["won", "recovered"],
    ),
}


def test_what_is_told_of_games_of_both_kinds(visitors: Visitors, clerk: Clerk, name: str) -> None:
    """Bar, sentence and line of a won, a lost, a given-up and a recovered game, when they are asked for."""
    page = visitors.come_as(name)
    line = page.get_by_role("button", name="A line that wins")
    for case, (kind, deal, commands, told, bar) in CASES.items():
        address = ended(clerk, name, kind, deal, *commands)
        # A won game of one's own shows its end first.
        assert ask(page, f"{address}#0") == told, case
        drawn = page.locator(".stretches i").evaluate_all("all => all.map((one) => one.className)")
        assert drawn == bar, case
        if commands[-1] != "give_up":
            expect(line).to_be_hidden()
            continue
        line.click()
        expect(page.locator("#live")).to_contain_text("A line that wins in")
        page.locator("#table").focus()
        page.keyboard.press("End")
        expect(page.locator("#table .foundation .card")).to_have_count(52)
    assert problems(page, "a verdict") == []


def test_the_line_on_the_table_and_trying_it_by_keyboard(visitors: Visitors, clerk: Clerk, name: str) -> None:
    page = visitors.come_as(name)
    address = ended(clerk, name, KLONDIKE, FORK, LOSES, "give_up")
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
    # The address may tell a place of the game itself, where the line leaves it, and none of the line.
    assert page.url.partition("#")[2] in ("", "0", "1")
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
