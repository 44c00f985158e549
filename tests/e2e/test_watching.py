"""Looking on: from the first moment, without a hand in it, and never pulled away from what one looks at."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Dealt, Visitors
from tests.e2e.deals import MEADOW, SHUTTLE, to_and_fro
from tests.e2e.table import Table


def at_ten(visitors: Visitors) -> tuple[Dealt, Table, str]:
    """A game of twelve moves, and a spectator who has stepped back ten of them."""
    dealt = visitors.deal(SHUTTLE, *to_and_fro(12))
    spectator = visitors.watch(dealt)
    for _ in range(10):
        spectator.page.get_by_role("button", name="Previous move").click()
    expect(spectator.page.locator("#steps .count")).to_have_text("2 / 12")
    return dealt, spectator, spectator.position


def test_who_comes_late_sees_the_present_position(visitors: Visitors) -> None:
    """B49: after moves that nobody watched, too."""
    dealt = visitors.deal(MEADOW, "t4-t3")
    dealt.table.play("t3-t9")
    now = dealt.table.agree(moves=2)
    for _ in range(2):
        spectator = visitors.watch(dealt)
        spectator.shows(now)
        expect(spectator.moves).to_have_text("2")
    dealt.table.play("t9-t3")
    spectator.shows(dealt.table.agree(moves=3))


def test_a_spectator_has_no_hand_in_the_game(visitors: Visitors) -> None:
    """B46"""
    dealt = visitors.deal(MEADOW, "t4-t3")
    spectator = visitors.watch(dealt)
    page, before, home = spectator.page, spectator.position, spectator.box("t3")
    for name in ("Undo", "Autoplay", "New game", "Give up", "Start again"):
        expect(page.locator("#acts").get_by_role("button", name=name)).to_have_count(0)
    expect(page.locator("#table [role=button]")).to_have_count(0)
    spectator.drag("t3", 1, "t9", drop=False)
    assert spectator.box("t3") == home
    page.mouse.up()
    spectator.double_click("t7")
    spectator.card("t3").focus()
    for key in ("Enter", "9", "Enter", "z", "Control+z", "a", "d"):
        page.keyboard.press(key)
    assert spectator.commands == []
    spectator.shows(before)
    expect(page.locator("#slip")).to_be_hidden()


def test_looking_back_is_not_disturbed_by_what_happens_live(visitors: Visitors) -> None:
    """B50: a move, an undo and the end of the game."""
    dealt, spectator, place = at_ten(visitors)
    live = spectator.page.locator('#acts [data-act="live"]')
    expect(live).to_have_text("Live +10")
    dealt.table.play("t6-t5")
    expect(live).to_have_text("Live +11")
    spectator.shows(place)
    dealt.table.play("undo")
    expect(live).to_have_text("Live +10")
    spectator.shows(place)
    live.click()
    spectator.shows(dealt.table.agree(moves=12))
    for _ in range(3):
        spectator.page.get_by_role("button", name="Previous move").click()
    expect(spectator.page.locator("#steps .count")).to_have_text("9 / 12")
    place = spectator.position
    dealt.table.deed("give-up")
    dealt.table.page.get_by_role("dialog").get_by_role("button", name="Give up").click()
    expect(spectator.page.locator("#state")).to_contain_text("given up")
    expect(spectator.spoken).to_contain_text("Given up.")
    spectator.shows(place)


def test_looking_back_outlasts_a_dropped_connection(visitors: Visitors) -> None:
    """B50"""
    dealt, spectator, place = at_ten(visitors)
    visitors.cut_off(spectator.page)
    expect(spectator.notice).to_contain_text("Reconnecting")
    dealt.table.play("t6-t5")
    dealt.table.agree(moves=13)
    spectator.page.context.set_offline(False)
    live = spectator.page.locator('#acts [data-act="live"]')
    expect(live).to_have_text("Live +11")
    spectator.shows(place)
    live.click()
    spectator.agree(moves=13)


def test_a_step_that_is_taken_back_under_ones_eyes_says_so(visitors: Visitors) -> None:
    """B50"""
    dealt = visitors.deal(MEADOW, "t4-t3", "t3-t9")
    spectator = visitors.watch(dealt)
    slider = spectator.page.get_by_role("slider", name="Move")
    slider.fill("2")
    expect(spectator.page.locator("#steps .count")).to_have_text("2 / 2")
    place = spectator.position
    dealt.table.play("undo")
    expect(spectator.notice).to_have_text("This move has been taken back.")
    spectator.shows(place)


def test_two_tabs_of_one_person_are_one_in_the_crowd(visitors: Visitors, name: str) -> None:
    """R1: and whatever the name holds, it is text by itself."""
    name = f"<b>\u202e{name}"
    dealt = visitors.deal(MEADOW)
    count = dealt.table.page.locator("#watching")
    expect(count).to_have_text("0 watching")
    page = visitors.come_as(name)
    Table(page).open(dealt.address)
    expect(count).to_have_text("1 watching")
    Table(page.context.new_page()).open(dealt.address)
    crowd = visitors.watch(dealt).page.locator("#crowd")
    # Somebody else makes two, and would make three if tabs were people.
    expect(count).to_have_text("2 watching")
    expect(crowd.locator(".names bdi")).to_have_text([name])
    expect(crowd.locator("b")).to_have_count(0)
    page.context.close()
    expect(count).to_have_text("1 watching")


@pytest.mark.parametrize("sleep", ["offline", "frozen"])
def test_a_page_that_wakes_shows_the_newest_within_two_seconds_over_one_socket(
    sleep: str, visitors: Visitors
) -> None:
    """B60"""
    dealt = visitors.deal(SHUTTLE)
    spectator = visitors.watch(dealt)
    page = spectator.page
    session = page.context.new_cdp_session(page)
    if sleep == "offline":
        visitors.cut_off(page)
    else:
        session.send("Page.setWebLifecycleState", {"state": "frozen"})
    for moves, command in enumerate(to_and_fro(3), start=1):
        dealt.table.play(command)
        now = dealt.table.agree(moves)
    if sleep == "offline":
        page.context.set_offline(False)
    else:
        session.send("Page.setWebLifecycleState", {"state": "active"})
    spectator.shows(now, ms=2000)
    page.wait_for_timeout(1500)
    assert spectator.open_sockets == 1


def test_go_from_table_to_table(visitors: Visitors) -> None:
    """B53: nothing of the tables left behind is heard any more, and their crowds know."""
    first = visitors.deal(SHUTTLE, "t3-t1")
    second = visitors.deal(MEADOW, "t4-t3")
    others = [visitors.clerk.deal(first.player, "simple-simon", "S4", MEADOW, "t4-t3") for _ in range(3)]
    addresses = [*(f"/g/{code}/" for code in others), first.address, second.address]
    spectator = Table(visitors.come())
    spectator.open(addresses[-1])
    for address in addresses * 10:
        # Often away again before the page there has got its socket.
        spectator.open(address)
    spectator.shows(second.table.position)
    assert spectator.open_sockets == 1
    first.table.play("t1-t2")
    first.table.agree(moves=2)
    spectator.shows(second.table.position)
    expect(first.table.page.locator("#watching")).to_have_text("0 watching")
    expect(second.table.page.locator("#watching")).to_have_text("1 watching")
    # The way back is an old page that knows the new position.
    spectator.page.go_back()
    spectator.ready().agree(moves=2)
    assert spectator.open_sockets == 1


def test_one_table_after_another(visitors: Visitors) -> None:
    """It goes on when the game has ended and not before, nor while somebody looks back."""
    other = visitors.clerk.deal(visitors.deal(MEADOW, "t4-t3").player, "simple-simon", "S4", SHUTTLE, "t3-t1")
    dealt = visitors.deal(SHUTTLE, *to_and_fro(3))
    newest = visitors.clerk.deal(dealt.player, "simple-simon", "S4", SHUTTLE, "t3-t1")
    spectator = Table(visitors.come())
    page = spectator.page
    spectator.open(f"/tv/?after={newest}")
    expect(page).to_have_url(f"{dealt.address}?tv")
    page.get_by_role("button", name="Previous move").click()
    dealt.table.deed("give-up")
    dealt.table.page.get_by_role("dialog").get_by_role("button", name="Give up").click()
    expect(page.locator("#state")).to_contain_text("given up")
    expect(page.locator("#tv")).to_be_hidden()
    page.get_by_role("button", name="Last move").click()
    expect(page.locator("#tv")).to_have_text("The next table follows. Stay here")
    expect(page).to_have_url(f"/g/{other}/?tv")
    spectator.ready().shows(spectator.position)
    expect(page.locator("#place")).to_have_attribute("data-view", "watch")
    page.get_by_role("link", name="Next table").click()
    expect(page).not_to_have_url(f"/g/{other}/?tv")
    spectator.ready()


def test_an_unknown_game_is_not_found(visitors: Visitors) -> None:
    """R7"""
    visitors.forgive("status of 404")
    page = visitors.come()
    answer = page.goto("/g/0000000000/")
    assert answer is not None
    assert answer.status == 404
    expect(page.get_by_role("heading", level=1)).to_have_text("There is nothing here")
    expect(page.get_by_role("main").get_by_label("Game or deal code")).to_be_visible()


def test_a_table_that_is_no_more_says_so_and_stops_asking(visitors: Visitors) -> None:
    """R7"""
    dealt = visitors.deal(MEADOW)
    spectator = visitors.watch(dealt)
    dealt.table.page.close()
    visitors.clerk.lose(dealt.code)
    visitors.forgive("status of 404")
    visitors.cut_off(spectator.page)
    spectator.page.context.set_offline(False)
    expect(spectator.notice).to_contain_text("There is no such game any more.")
    asked = len(spectator.sockets)
    spectator.page.wait_for_timeout(3000)
    assert (len(spectator.sockets), spectator.open_sockets) == (asked, 0)
