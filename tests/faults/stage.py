"""The tables of an experiment: who plays and watches where, and what is said about it in the end."""

from __future__ import annotations

import asyncio
import http.client
import json
from collections.abc import Callable
from contextlib import AsyncExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from game.codes import read_deal_code
from tests.e2e.clerk import Clerk
from tests.faults.checker import check
from tests.faults.figures import Figures
from tests.faults.history import History, Wait, waits
from tests.faults.screens import SLOWEST_SECONDS, Player, Screen
from tests.faults.stored import stored_game
from tests.services import Site

SIMPLE_SIMON = ("simple-simon", "S1", "SS1-S1-AAAAABD")
KLONDIKE = ("klondike", "D1", "KL1-D1-AAAAABD")

Where = Callable[[], str]
Seen = TypeVar("Seen", bound=Screen)


@dataclass(slots=True)
class Sitting:
    """One table: its player, and those who watch. ``is_ours`` unless a page of the product plays it."""

    site: Site
    code: str
    cookie: str
    player: Player
    spectators: list[Screen] = field(default_factory=list)
    is_ours: bool = True

    @property
    def screens(self) -> list[Screen]:
        return [self.player, *self.spectators] if self.is_ours else self.spectators


class Stage:
    """Seats people at tables of sites and checks afterwards what they lived through.

    ``patience``: the longest pause, in seconds, before somebody who lost the line tries again.
    """

    patience = SLOWEST_SECONDS

    def __init__(self, stack: AsyncExitStack, folder: Path) -> None:
        self.history = History()
        self.sittings: list[Sitting] = []
        self._stack = stack
        self.folder = folder
        self._visits = 0
        self._clerks: dict[str, Clerk] = {}

    async def seat(
        self,
        site: Site,
        spectators: int = 0,
        *,
        where: Where | None = None,
        rules: tuple[str, ...] = SIMPLE_SIMON,
    ) -> Sitting:
        """A new person starts a game at a site and plays it from ``where``, and others watch from there."""
        sitting = await self._sit(site, where, rules)
        await self._stack.enter_async_context(sitting.player)
        await asyncio.gather(*(self.watch(sitting, site, where) for _ in range(spectators)))
        return sitting

    async def deal(self, site: Site) -> Sitting:
        """A new person has a game at a site, which somebody else will play."""
        sitting = await self._sit(site, None, SIMPLE_SIMON)
        sitting.is_ours = False
        return sitting

    async def _sit(self, site: Site, where: Where | None, rules: tuple[str, ...]) -> Sitting:
        cookie, code = await asyncio.to_thread(self._deal, site, f"P{len(self.sittings)}", rules)
        player = self._screen(Player, "player", site, game=code, where=where, cookie=cookie)
        sitting = Sitting(site, code, cookie, player)
        self.sittings.append(sitting)
        return sitting

    async def watch(self, sitting: Sitting, site: Site, where: Where | None = None) -> Screen:
        """One more spectator comes to a table, by any site."""
        number = len(sitting.spectators) + 1
        screen = self._screen(Screen, f"spectator {number}", site, game=sitting.code, where=where)
        sitting.spectators.append(screen)
        await self._stack.enter_async_context(screen)
        return screen

    def visit(self, sitting: Sitting) -> Screen:
        """Somebody who will watch a table for a while, to be entered as a context; nobody waits for them."""
        self._visits += 1
        return self._screen(Screen, f"visitor {self._visits}", sitting.site, game=sitting.code, where=None)

    def _screen(self, kind: type[Seen], who: str, site: Site, **fields: Any) -> Seen:
        fields["where"] = fields["where"] or (lambda: site.ws_url)
        return kind(self.history, who, origin=site.url, patience=self.patience, **fields)

    def _deal(self, site: Site, name: str, rules: tuple[str, ...]) -> tuple[str, str]:
        clerk = self._clerks.get(site.url)
        if clerk is None:
            clerk = self._clerks[site.url] = Clerk(site)
            self._stack.callback(clerk.end)
        slug, variant, code = rules
        cookie = clerk.register(name)
        return f"sessionid={cookie}", clerk.deal(name, slug, variant, read_deal_code(code).deal().text)

    async def end(self, figures: Figures, seconds: float = 60) -> None:
        """Waits until every screen shows what is stored, and checks every table."""
        complaints = []
        commands = 0
        for sitting in self.sittings:
            # What was on its way when the playing stopped is sent again under its id, as a browser would.
            await sitting.player.settle()
            stored = await asyncio.to_thread(stored_game, sitting.site, sitting.code)
            commands += stored.seq
            late = await asyncio.gather(
                *(screen.reaches(stored.seq, seconds) for screen in sitting.screens), return_exceptions=True
            )
            complaints += [str(error) for error in late if error is not None]
            record = await asyncio.to_thread(record_of, sitting.site, sitting.code)
            complaints += check(self.history, stored, record)
        if complaints:
            self.history.save(self.folder / "history")
            print(f"The history is in {self.folder / 'history'}")
        figures.tell("commands stored", commands)
        figures.none("contradictions in the history", complaints)

    def waits(self, sitting: Sitting) -> list[Wait]:
        """How long the spectators of a table waited for each update."""
        found = waits(self.history.of(sitting.code))
        return [wait for who, all_of in found.items() if who != sitting.player.who for wait in all_of]


def record_of(site: Site, code: str) -> dict[str, Any]:
    """What programs are told about a game."""
    with closing(http.client.HTTPConnection("127.0.0.1", site.port, timeout=20)) as connection:
        connection.request("GET", f"/api/games/{code}")
        found: dict[str, Any] = json.loads(connection.getresponse().read())
        return found
