"""Before the socket opens, and without any script: the cards are there."""

from __future__ import annotations

import re

from playwright.sync_api import Route, expect

from tests.e2e.conftest import Visitors
from tests.e2e.deals import MEADOW
from tests.e2e.table import Table


def without_noscript_tags(route: Route) -> None:
    answer = route.fetch()
    route.fulfill(response=answer, body=re.sub("</?noscript>", "", answer.text()))


def test_the_cards_lie_there_before_the_socket_opens(visitors: Visitors) -> None:
    dealt = visitors.deal(MEADOW, "t4-t3")
    page = visitors.come()
    # A socket that opens and never says anything.
    page.route_web_socket("**/ws/**", lambda _: None)
    table = Table(page).open(dealt.address)
    table.shows(dealt.table.position)
    expect(table.moves).to_have_text("1")
    expect(table.score).to_have_text("499")
    # And it does not look alive for long.
    expect(table.notice).to_contain_text("Reconnecting")
    # Nor is every page that opens slowly told to be cut off.
    assert page.evaluate("performance.now()") > 3000


def test_without_scripts_position_and_moves_can_be_read(visitors: Visitors) -> None:
    dealt = visitors.deal(MEADOW, "t4-t3", "t3-t9")
    page = visitors.come(java_script_enabled=False)
    # This browser runs no scripts and yet leaves out what pages hold for browsers that run none.
    page.route("**/g/**", without_noscript_tags)
    page.goto(dealt.address)
    main = page.get_by_role("main")
    expect(main.locator(".plain-game ul li")).to_have_text(dealt.table.position.split("/"))
    expect(main.locator(".plain-game ol li")).to_have_text(["t4-t3", "t3-t9"])
    for address in ("/", "/games/", "/live/", "/rules/simple-simon/"):
        page.goto(address)
        expect(page.get_by_role("heading", level=1)).to_be_attached()
