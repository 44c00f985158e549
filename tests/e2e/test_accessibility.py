"""Every page in every language, light and dark in one of each direction: axe finds nothing."""

from __future__ import annotations

from typing import Final

import pytest

from game.engine.games import GAMES
from tests.e2e.axe import problems
from tests.e2e.conftest import Dealt, Visitors
from tests.e2e.deals import MEADOW
from tests.e2e.table import Table

AS_NOBODY: Final = [
    "/",
    "/live/",
    "/games/",
    "/games/?suits=9",
    "/boards/",
    "/find/",
    "/find/?code=SS1",
    "/d/SS1-S4-AAAAABD/",
    "/rules/",
    *(f"/rules/{rules.slug}/" for rules in GAMES),
    "/help/",
    "/accounts/login/",
    "/accounts/signup/",
    "/g/0000000000/",
]
AS_PERSON: Final = ["/", "/history/", "/settings/", "/accounts/password/"]


@pytest.fixture
def dealt(visitors: Visitors) -> Dealt:
    visitors.forgive("status of 40[04]")
    # One that has ended, so that lists have a row.
    visitors.deal(MEADOW, "t4-t3", "give_up").table.page.close()
    return visitors.deal(MEADOW, "t4-t3", "t3-t9", "undo")


@pytest.mark.parametrize("lang", ["", "ar"])
def test_pages_for_everybody(lang: str, dealt: Dealt, visitors: Visitors) -> None:
    page = visitors.come()
    found = []
    for address in [*AS_NOBODY, f"/@{dealt.player}/"]:
        page.goto(f"{lang and f'/{lang}'}{address}")
        found += problems(page, address)
    page.locator(".bar-end summary").first.click()
    found += problems(page, "a menu open")
    assert not found, "\n".join(found)


@pytest.mark.parametrize("lang", ["", "ar"])
def test_pages_of_ones_own(lang: str, dealt: Dealt) -> None:
    page = dealt.table.page
    found = []
    for address in AS_PERSON:
        page.goto(f"{lang and f'/{lang}'}{address}")
        found += problems(page, address)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("lang", ["", "ar"])
def test_the_table_played_watched_looked_back_on_and_ended(
    lang: str, dealt: Dealt, visitors: Visitors
) -> None:
    address = f"{lang and f'/{lang}'}{dealt.address}"
    player = dealt.table.open(address)
    found = problems(player.page, "player")
    player.click("t4" if player.cards("t4") else "t3")
    found += problems(player.page, "picked")
    player.page.keyboard.press("Escape")
    player.click_act("more")
    found += problems(player.page, "more")
    player.page.keyboard.press("Escape")
    spectator = Table(visitors.come()).open(address)
    found += problems(spectator.page, "spectator")
    spectator.open(f"{address}#0")
    found += problems(spectator.page, "looking back")
    phone = Table(visitors.come(viewport={"width": 360, "height": 640})).open(address)
    found += problems(phone.page, "phone")
    assert not found, "\n".join(found)


def test_every_page_in_the_other_languages(dealt: Dealt, visitors: Visitors) -> None:
    """Once and in one theme: other words change no colour."""
    page, own = visitors.come(), dealt.table.page
    found = []
    for lang in ("tr", "pl"):
        for whose, addresses in ((page, [*AS_NOBODY, f"/@{dealt.player}/"]), (own, AS_PERSON)):
            for address in addresses:
                whose.goto(f"/{lang}{address}")
                found += problems(whose, f"{lang} {address}", in_the_dark=False)
            Table(whose).open(f"/{lang}{dealt.address}")
            found += problems(whose, f"{lang} table", in_the_dark=False)
    assert not found, "\n".join(found)
