"""A replay plays by itself: at every speed as fast as it says, and as it was played."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from playwright.sync_api import Page, expect

from tests.e2e.conftest import Visitors
from tests.e2e.deals import SHUTTLE, to_and_fro
from tests.e2e.table import Table

SEEN_MS = 45
"""The step and then its number are drawn in the two frames after it."""


def at_the_start(visitors: Visitors, name: str, *at_ms: int) -> Page:
    """A game that was given up, at its first position, on a page whose time goes only when it is told to."""
    visitors.clerk.register(name)
    moves = to_and_fro(len(at_ms))
    code = visitors.clerk.deal(name, "simple-simon", "S4", SHUTTLE, *moves, "give_up")
    visitors.clerk.pace(code, *at_ms)
    # So wide that each speed has its own button.
    page = visitors.come(viewport={"width": 1600, "height": 900})
    page.clock.install()
    Table(page).open(f"/g/{code}/")
    expect(page.locator("#moves li")).to_have_text([f"{ply}{move}" for ply, move in enumerate(moves, 1)])
    # It jumps there, and must not be there already.
    page.clock.pause_at(datetime.now(UTC) + timedelta(minutes=1))
    press(page, "First move")
    return page


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def shows(page: Page, step: int, waited: str = "") -> None:
    steps = page.locator("#moves li").count()
    expect(page.locator("#steps .count")).to_have_text(f"{step} / {steps}{waited}")


def test_each_speed_is_as_fast_as_it_says(visitors: Visitors, name: str) -> None:
    page = at_the_start(visitors, name, *range(12))
    for speed, period in {"½": 2000, "1": 1000, "2": 500, "4": 250, "8": 125, "16": 62.5}.items():
        press(page, f"speed {speed}")
        press(page, "Play")
        page.clock.run_for(int(period) - 10)
        shows(page, 0)
        page.clock.run_for(10 + SEEN_MS)
        shows(page, 1)
        page.clock.run_for(int(3 * period))
        shows(page, 4)
        press(page, "Pause")
        page.clock.run_for(3 * int(period))
        shows(page, 4)
        press(page, "First move")


def test_as_played_rests_as_long_as_the_player_did_and_squeezes_long_waits(
    visitors: Visitors, name: str
) -> None:
    page = at_the_start(visitors, name, 0, 1000, 9000, 9400)
    press(page, "as played")
    press(page, "Play")
    # The clock began with the first move.
    page.clock.run_for(SEEN_MS)
    shows(page, 1)
    page.clock.run_for(1000 - SEEN_MS - 10)
    shows(page, 1)
    page.clock.run_for(10 + SEEN_MS)
    shows(page, 2, " · waited 0:08")
    page.clock.run_for(3000 - SEEN_MS - 10)
    shows(page, 2, " · waited 0:08")
    page.clock.run_for(10 + SEEN_MS)
    shows(page, 3)
    page.clock.run_for(400)
    shows(page, 4)
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
