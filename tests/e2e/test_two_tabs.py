"""One player, two tabs: the later of two moves is told that the table has changed; both show the truth."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import WebSocketRoute, expect

from tests.e2e.conftest import Visitors
from tests.e2e.deals import SHUTTLE
from tests.e2e.table import Table


class LateNews:
    """Between a page and the server: can hold back what the server says."""

    def __init__(self) -> None:
        self.holds = False
        self._held: list[Any] = []
        self._page: WebSocketRoute | None = None

    def stand_between(self, page: WebSocketRoute) -> None:
        self._page = page
        page.connect_to_server().on_message(self._hear)

    def _hear(self, message: Any) -> None:
        self._held.append(message)
        if not self.holds:
            self.release()

    def release(self) -> None:
        self.holds = False
        assert self._page is not None
        for message in self._held:
            self._page.send(message)
        self._held.clear()


def test_two_tabs_move_from_the_same_position_and_the_later_one_is_told(visitors: Visitors) -> None:
    dealt = visitors.deal(SHUTTLE)
    first = dealt.table
    second = Table(first.page.context.new_page())
    news = LateNews()
    second.page.route_web_socket("**/ws/**", news.stand_between)
    second.open(dealt.address)
    second.play("t3-t1")
    expect(first.page.locator("#undone")).to_contain_text("to column 1")

    news.holds = True
    first.play("t1-t2")
    expect(first.page.locator("#undone")).to_contain_text("to column 2")
    second.play("t6-t5")
    news.release()
    expect(second.slip).to_have_text("The table has changed since; this is how it stands.")
    expect(second.spoken).to_contain_text("The table has changed since; this is how it stands.")
    for table in (first, second):
        table.agree(moves=2)
        expect(table.moves).to_have_text("2")
    assert [row[2] for row in visitors.clerk.log_of(dealt.code)] == ["t3-t1", "t1-t2"]
    # Having seen it, the second may go on.
    second.play("t6-t5")
    first.agree(moves=3)
    expect(first.moves).to_have_text("3")
