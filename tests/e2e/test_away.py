"""Away from the site: a page that cannot be reached says so and never shows an old one; a game on paper."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Visitors
from tests.e2e.deals import SHUTTLE

READY = "navigator.serviceWorker.ready.then((found) => new URL(found.scope).pathname)"
KEPT = """(async () => {
  const kept = [];
  for (const name of await caches.keys())
    for (const request of await (await caches.open(name)).keys()) kept.push(new URL(request.url).pathname);
  return kept.sort();
})()"""


@pytest.fixture
def page(visitors: Visitors) -> Page:
    return visitors.come()


def test_a_page_that_cannot_be_reached_says_so_in_its_language(visitors: Visitors, page: Page) -> None:
    page.goto("/boards/")
    assert page.evaluate(READY) == "/"
    page.goto("/rules/")
    visitors.cut_off(page)
    for path, said in (
        ("/boards/", "No connection"),
        ("/pl/boards/", "Brak połączenia"),
        ("/", "No connection"),
    ):
        page.goto(path)
        expect(page.get_by_role("heading", level=1)).to_have_text(said)
        assert page.url.endswith(path)
    page.context.set_offline(False)
    page.get_by_role("link", name="Try again").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Play patience, or watch")
    # Nothing but these pages was kept, whatever was visited.
    assert page.evaluate(KEPT) == ["/ar/offline/", "/offline/", "/pl/offline/", "/tr/offline/"]


def test_a_game_is_printed_as_it_stands_by_now(visitors: Visitors) -> None:
    dealt = visitors.deal(SHUTTLE)
    dealt.table.play("t3-t1")
    dealt.table.agree(moves=1)
    page = dealt.table.page
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    paper = page.locator(".printed")
    expect(paper.get_by_role("heading", level=1)).to_be_visible()
    expect(paper).to_contain_text(re.compile(f"{dealt.player}.*1 move", re.DOTALL))
    expect(paper.locator("ol li")).to_have_text(["t3-t1"])
    expect(paper.locator("svg.plate-board").nth(0)).to_be_attached()
    for gone in (".bar", "#place", ".below"):
        expect(page.locator(gone).first).to_be_hidden()
    page.emulate_media(media="screen")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(paper).to_have_count(0)
    expect(page.locator("#place")).to_be_visible()
