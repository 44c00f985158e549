"""The server is gone for a while: tables say so, come back by themselves, and no move is lost or doubled."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.conftest import Serve
from tests.e2e.clerk import Clerk
from tests.e2e.conftest import UNHURRIED, Visitors
from tests.e2e.deals import SHUTTLE
from tests.services import Site

BACK_MS = 30_000


@pytest.fixture
def mortal(serve: Serve) -> Site:
    """A server of the test's own."""
    return serve("embedded", **UNHURRIED)


@pytest.fixture
def theirs(mortal: Site, new_context: Callable[..., BrowserContext]) -> Iterator[Visitors]:
    """The people who come to it."""
    clerk = Clerk(mortal)
    visitors = Visitors(mortal, clerk, new_context)
    visitors.forgive("ERR_CONNECTION|WebSocket")
    yield visitors
    clerk.end()
    visitors.check()


def test_both_tables_come_back_to_the_same_position_after_the_server_was_killed(
    mortal: Site, theirs: Visitors
) -> None:
    dealt = theirs.deal(SHUTTLE)
    player, spectator = dealt.table, theirs.watch(dealt)
    player.play("t3-t1")
    before = player.agree(moves=1)
    spectator.shows(before)
    mortal.kill9()
    for table in (player, spectator):
        expect(table.notice).to_have_text(re.compile("^Reconnecting"))
        table.shows(before)

    player.play("t1-t2")
    expect(player.notice).to_have_text("Reconnecting… Your last move is kept.")
    expect(player.card("t2")).to_have_accessible_name("eight of diamonds")
    mortal.start()
    for table in (player, spectator):
        expect(table.notice).to_be_hidden(timeout=BACK_MS)
        expect(table.card("t2")).to_have_accessible_name("eight of diamonds", timeout=BACK_MS)
        table.agree(moves=2)
        assert table.open_sockets == 1
    assert player.commands == ["t3-t1", "t1-t2"]
    assert [row[2] for row in theirs.clerk.log_of(dealt.code)] == ["t3-t1", "t1-t2"]
    # And it goes on as if nothing had been.
    player.play("t2-t1")
    spectator.shows(before)


def test_a_move_that_had_no_answer_is_sent_again_under_its_id_and_counts_once(
    mortal: Site, theirs: Visitors
) -> None:
    dealt = theirs.deal(SHUTTLE)
    table = dealt.table
    table.play("t3-t1")
    expect(table.page.locator("#undone")).to_contain_text("to column 1")
    # It hangs: the move is on its way and nobody reads it.
    mortal.pause()
    table.play("t1-t2")
    assert table.commands == ["t3-t1", "t1-t2"]
    mortal.kill9()
    expect(table.notice).to_have_text("Reconnecting… Your last move is kept.")
    mortal.start()
    expect(table.page.locator("#undone")).to_contain_text("to column 2", timeout=BACK_MS)
    assert table.commands == ["t3-t1", "t1-t2", "t1-t2"]
    assert table.sent[1] == table.sent[2]
    assert [row[1:] for row in theirs.clerk.log_of(dealt.code)] == [
        [message["id"], message["command"]] for message in table.sent[:2]
    ]
    expect(table.moves).to_have_text("2")


def test_a_new_release_is_offered_and_the_old_script_goes_on_meanwhile(
    mortal: Site, theirs: Visitors
) -> None:
    dealt = theirs.deal(SHUTTLE)
    table = dealt.table
    mortal.stop()
    assert mortal.env is not None
    # Other files for the browser are another release, as after an update.
    mortal.env["ADMIN"] = "1"
    mortal.start()
    expect(table.notice).to_have_text("A new version is ready. Reload", timeout=BACK_MS)
    table.play("t3-t1")
    table.shows(table.agree(moves=1))
    old = table.page.locator("html").evaluate("() => document.scripts[0].src")
    with table.page.expect_navigation():
        table.notice.get_by_role("button", name="Reload").click()
    table.ready()
    assert table.page.locator("html").evaluate("() => document.scripts[0].src") != old
    table.play("t1-t2")
    table.agree(moves=2)
    expect(table.notice).to_be_hidden()
