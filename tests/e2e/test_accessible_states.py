"""Every state a table can be in: axe finds nothing."""

from __future__ import annotations

import pytest

from tests.e2e.axe import problems
from tests.e2e.conftest import Visitors
from tests.e2e.deals import ALMOST, MEADOW
from tests.e2e.table import Table


@pytest.mark.parametrize("lang", ["", "ar"])
def test_a_table_in_words_asked_refused_and_won(lang: str, visitors: Visitors) -> None:
    dealt = visitors.deal(MEADOW, "t4-t3", lang=lang)
    table, page = dealt.table, dealt.table.page
    table.card("t3").focus()
    page.keyboard.press("m")
    found = problems(page, "in words")
    page.keyboard.press("Escape")
    for key, name in (("n", "new game"), ("h", "keys")):
        page.keyboard.press(key)
        found += problems(page, name)
        page.keyboard.press("Escape")
        table.card("t3").focus()
    table.play("t7-t6")
    table.slip.wait_for()
    found += problems(page, "refused")
    won = visitors.deal(ALMOST, "t3-t2", "t2x4-t1", lang=lang)
    won.table.page.locator("#win .sentence").wait_for()
    found += problems(won.table.page, "won")
    replay = Table(visitors.come(viewport={"width": 360, "height": 640})).open(f"{won.address}#1")
    replay.click_act("list")
    found += problems(replay.page, "moves on a phone")
    assert not found, "\n".join(found)
