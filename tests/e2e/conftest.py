"""Fixtures of the browser tests: one server for most of them, and people with a browser each."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Final

import pytest
from playwright.sync_api import BrowserContext, ConsoleMessage, Page, expect

from tests.e2e.clerk import Clerk
from tests.e2e.table import SOON_MS, Table
from tests.services import Site

FLAGS: Final = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
UNHURRIED: Final = {"RATE_LIMIT": "0", "HUMAN_PACE_MS": "0"}
"""All tests come from one address and play faster than people do."""
# Most tests are about where cards end up, not about their flight.
USUAL: Final = {"viewport": {"width": 1280, "height": 800}, "locale": "en-GB", "reduced_motion": "reduce"}
_numbers = count(1)


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    return {"executable_path": "/usr/bin/chromium", "args": FLAGS}


@pytest.fixture(scope="session")
def browser_context_args() -> dict[str, Any]:
    # `Visitors` says what a browser is like.
    return {}


expect.set_options(timeout=SOON_MS)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server for all tests that do not harm it."""
    site = Site(tmp_path_factory.mktemp("site"), UNHURRIED)
    site.start()
    yield site
    site.end()


@pytest.fixture(scope="session")
def clerk(site: Site) -> Iterator[Clerk]:
    """Writes people and games into the database of `site`."""
    clerk = Clerk(site)
    yield clerk
    clerk.end()


@dataclass
class Dealt:
    """A game in play: its address and code, and the player's table."""

    address: str
    code: str
    player: str
    table: Table


@dataclass
class Visitors:
    """People with a browser context each. What their consoles complain of fails the test at its end."""

    site: Site
    clerk: Clerk
    new_context: Callable[..., BrowserContext]
    complaints: list[str] = field(default_factory=list)
    forgiven: list[str] = field(default_factory=list)

    def come(self, **context: Any) -> Page:
        """A page of somebody who is not logged in; options are those of the browser context."""
        made = self.new_context(base_url=self.site.url, **{**USUAL, **context})
        made.set_default_timeout(SOON_MS)
        made.on("console", self._hear)
        made.on("weberror", lambda error: self.complaints.append(str(error.error)))
        return made.new_page()

    def come_as(self, name: str, **context: Any) -> Page:
        """A page of a new person, logged in."""
        page = self.come(**context)
        cookie = {"name": "sessionid", "value": self.clerk.register(name), "url": self.site.url}
        page.context.add_cookies([cookie])  # type: ignore[list-item]
        return page

    def deal(
        self,
        position: str,
        *commands: str,
        rules: str = "simple-simon",
        variant: str = "S4",
        lang: str = "",
        **context: Any,
    ) -> Dealt:
        """Deals given cards to a new person, who sits down at the table once some commands are played."""
        player = f"player-{next(_numbers)}"
        page = self.come_as(player, **context)
        code = self.clerk.deal(player, rules, variant, position, *commands)
        address = f"{lang and f'/{lang}'}/g/{code}/"
        return Dealt(address, code, player, Table(page).open(address))

    def watch(self, dealt: Dealt, **context: Any) -> Table:
        """Lets somebody look on."""
        return Table(self.come(**context)).open(dealt.address)

    def forgive(self, pattern: str) -> None:
        """Complaints that a test provokes, as a regular expression."""
        self.forgiven.append(pattern)

    def cut_off(self, page: Page) -> None:
        """Takes the network away from a browser."""
        self.forgive("ERR_INTERNET_DISCONNECTED")
        page.context.set_offline(True)

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(f"{message.text} ({message.location['url']})")

    def check(self) -> None:
        bad = [text for text in self.complaints if not any(re.search(it, text) for it in self.forgiven)]
        assert not bad, "\n".join(bad)


@pytest.fixture
def visitors(site: Site, clerk: Clerk, new_context: Callable[..., BrowserContext]) -> Iterator[Visitors]:
    visitors = Visitors(site, clerk, new_context)
    before = len(site.tail(1 << 30))
    yield visitors
    # Shown with a test that has failed.
    print(site.tail(1 << 30)[before:])
    visitors.check()


@pytest.fixture
def name() -> str:
    """A name that nobody has yet."""
    return f"person-{next(_numbers)}"
