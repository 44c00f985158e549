"""A session that ends or begins anew in another tab, while a game is open in this one."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.e2e.conftest import Visitors
from tests.e2e.deals import MEADOW


def test_play_on_after_a_log_in_in_another_tab(visitors: Visitors) -> None:
    """R3: nothing is clicked in vain, and the forms of the page work too."""
    dealt = visitors.deal(MEADOW, "t4-t3")
    table, page = dealt.table, dealt.table.page
    other = page.context.new_page()
    other.goto("/")
    other.locator("header summary.me").click()
    other.get_by_role("button", name="Log out").click()
    expect(table.notice).to_contain_text("Your session is over.")
    table.click("t3")
    # It is said once more to the ear; the eye has it already, and a clock that stands still.
    expect(table.spoken).to_contain_text("Your session is over.")
    expect(page.locator("#slip")).to_be_hidden()
    other.goto("/accounts/login/")
    other.get_by_label("Name").fill(dealt.player)
    other.get_by_label("Password", exact=True).fill("correct horse")
    other.get_by_role("button", name="Log in").click()
    with page.expect_navigation():
        page.evaluate("dispatchEvent(new Event('focus'))")
    table.ready()
    table.play("t3-t9")
    table.agree(moves=2)
    expect(table.notice).to_be_hidden()
    table.click_act("new")
    page.get_by_role("button", name="Deal").click()
    expect(page).not_to_have_url(dealt.address)
    expect(page.locator("#place")).to_be_attached()
