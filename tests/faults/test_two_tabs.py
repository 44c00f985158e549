"""Row 10. One player in two tabs: any order of moves, undos, retries, cuts and kills, against a model."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from copy import copy
from itertools import count, permutations
from typing import Any, TypeVar

import hypothesis
import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from game import database, hub
from game.codes import read_deal_code
from game.engine.commands import parse_command
from game.engine.line import Line, Status
from game.engine.rules import Refusal
from game.models import Game, LogEntry, User
from tests.dealt import dealt
from tests.faults.checker import answers_hold, screens_never_go_back
from tests.faults.conftest import size
from tests.faults.history import Frame, History
from tests.faults.screens import moves_in
from tests.faults.stored import Row, Stored
from tests.server.conftest import Person, away
from tests.server.watching import Client

INTERLEAVINGS = size(20, 1000)
STEPS = 25
Result = TypeVar("Result")
numbers = count(1)
tabs = st.integers(0, 1)
choices = st.integers(0, 1000)


class Tab:
    """A tab of the player. ``seen`` is the state it acts on: it may not have looked for a while."""

    def __init__(self, who: str, game: Game, person: Person, history: History) -> None:
        self.who = who
        self.game = game
        self.person = person
        self.history = history
        self.seen: Frame = {}
        self._noted = 0

    async def open(self) -> None:
        self.client = await Client(self.game.code, cookies=self.person.cookies).__aenter__()
        self._noted = 0
        await self.client.next("welcome")
        self.look()

    def look(self) -> None:
        """Takes in what has come."""
        self.note()
        self.seen = self.client.state

    def note(self) -> None:
        """Writes down what has come."""
        for frame in self.client.frames[self._noted :]:
            self.history.note(self.game.code, self.who, "got", frame)
        self._noted = len(self.client.frames)

    def send(self, message: Frame) -> None:
        self.history.note(self.game.code, self.who, "sent", message)
        self.client.send(message)

    async def answer(self, name: str) -> Frame:
        """Waits for the answer to a command."""
        kinds = ("accepted", "refused")
        found = await self.client.until(lambda frame: frame["type"] in kinds and frame["id"] == name, 30)
        self.note()
        return found

    def command(self, choice: int) -> str:
        """Something that a person might ask for on seeing this, sensible or not."""
        odd = ["undo", "undo", "collect", "t1-t2", "t2x3-f1"]
        open_here = [*moves_in(self.seen), *odd]
        return open_here[choice % len(open_here)]


async def ended(task: asyncio.Task[None]) -> None:
    """Waits until a task that was cancelled has ended."""
    await asyncio.wait([task])


def told_by(answer: Frame) -> int | str:
    """The seq of a command that was accepted, or why it was not."""
    found: int | str = answer["seq"] if answer["type"] == "accepted" else answer["code"]
    return found


class TwoTabs(RuleBasedStateMachine):
    """The server against `Line`: what it answers, and what it holds in the end."""

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.history = History()
        self.asked: list[Frame] = []
        self.stored: dict[str, int] = {}
        self.rows: list[Row] = []

    def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        return self.loop.run_until_complete(work)

    @initialize(code=st.sampled_from(["SS1-S1-AAAAABD", "KL1-D1-AAAAABD"]))
    def begin(self, code: str) -> None:
        deal = read_deal_code(code)
        self.line = Line(deal.rules, deal.deal())

        def make() -> tuple[Person, Game]:
            person = Person(User.objects.create_user(f"P{next(numbers)}", "correct horse"))
            game = dealt(person.user, deal.rules, deal.variant, deal.deal())
            game.save()
            return person, game

        person, self.game = away(make)
        self.tabs = [Tab(who, self.game, person, self.history) for who in ("one", "two")]
        self.open_both()

    def open_both(self) -> None:
        for tab in self.tabs:
            self.run(tab.open())

    # What may happen

    @rule(tab=tabs, choice=choices)
    def play(self, tab: int, choice: int) -> None:
        here = self.tabs[tab]
        self.judge(here, self.ask(here, choice))

    @rule(first=tabs, choice=choices, other=choices)
    def play_at_once(self, first: int, choice: int, other: int) -> None:
        """Both tabs ask before either has an answer: in which order they are taken is not known."""
        here, there = self.tabs[first], self.tabs[1 - first]
        asked = [(here, self.ask(here, choice)), (there, self.ask(there, other))]
        answers = [(tab, message, self.run(tab.answer(message["id"]))) for tab, message in asked]
        pairs = [(message, answer) for _, message, answer in answers]
        fitting = [order for order in permutations(pairs) if self.would_be(order)]
        assert fitting, pairs
        for message, answer in fitting[0]:
            self.compare(message, answer)

    @rule(tab=tabs, choice=choices)
    def retry(self, tab: int, choice: int) -> None:
        """Something that was asked before, by either tab, is asked again under its id."""
        if self.asked:
            message = self.asked[choice % len(self.asked)]
            self.tabs[tab].send(message)
            self.judge(self.tabs[tab], message)

    @rule(tab=tabs)
    def look(self, tab: int) -> None:
        self.tabs[tab].look()

    @rule(tab=tabs)
    def cut(self, tab: int) -> None:
        self.tabs[tab].note()
        self.run(self.tabs[tab].client.leave())
        self.run(self.tabs[tab].open())

    @rule(tab=tabs, choice=choices, turns=st.integers(0, 12))
    def kill(self, tab: int, choice: int, turns: int) -> None:
        """The process ends while a command is on its way; what became of it the retry says."""
        message = self.ask(self.tabs[tab], choice)

        async def go_on() -> None:
            for _ in range(turns):
                await asyncio.sleep(0.0005)

        self.run(go_on())
        for each in self.tabs:
            each.note()
            app = each.client._app
            assert app is not None
            app.cancel()
            self.run(ended(app))
        self.run(hub.stop())
        database.close()
        self.open_both()
        self.tabs[tab].send(message)
        answer = self.run(self.tabs[tab].answer(message["id"]))
        self.compare(message, answer, may_be_stored=True)

    # What must come of it

    def ask(self, tab: Tab, choice: int) -> Frame:
        message = {
            "type": "play",
            "id": f"c{next(numbers)}",
            "seq": tab.seen["seq"],
            "command": tab.command(choice),
        }
        self.asked.append(message)
        tab.send(message)
        return message

    def judge(self, tab: Tab, message: Frame) -> None:
        self.compare(message, self.run(tab.answer(message["id"])))

    def compare(self, message: Frame, answer: Frame, *, may_be_stored: bool = False) -> None:
        """The answer is the model's, which plays the command too."""
        name = message["id"]
        is_repeated = name in self.stored
        expected = self.expect(message)
        assert told_by(answer) == expected, (message, answer)
        if answer["type"] == "accepted" and not may_be_stored:
            assert answer["repeated"] == is_repeated

    def would_be(self, order: tuple[tuple[Frame, Frame], ...]) -> bool:
        """Whether the model gives these answers in this order; it stays as it is."""
        kept = self.line, self.stored, self.rows
        self.line, self.stored, self.rows = copy(self.line), dict(self.stored), list(self.rows)
        self.line.events = list(self.line.events)
        try:
            return all(self.expect(message) == told_by(answer) for message, answer in order)
        finally:
            self.line, self.stored, self.rows = kept

    def expect(self, message: Frame) -> int | str:
        name = message["id"]
        if name in self.stored:
            return self.stored[name]
        if self.line.standing.status is not Status.PLAYING:
            return "game_over"
        if message["seq"] != self.line.standing.seq:
            return "stale"
        event = self.line.play(parse_command(message["command"]))
        if isinstance(event, Refusal):
            return event.code
        self.stored[name] = event.seq
        self.rows.append(Row(event.seq, name, event.command))
        return event.seq

    def teardown(self) -> None:
        if hasattr(self, "tabs"):
            try:
                self.end()
            finally:
                self.run(asyncio.wait_for(self.leave(), 30))
        self.loop.close()

    def end(self) -> None:
        """Both tabs and the database show what the model does."""
        standing = self.line.standing
        for tab in self.tabs:
            if standing.seq:
                tab.client._read = 0
                self.run(tab.client.until(lambda _: tab.client.seq >= standing.seq, 30))  # noqa: B023
            tab.look()
            shown = (tab.seen["seq"], tab.seen["position"], tab.seen["ply"], tab.seen["moves"])
            assert shown == (standing.seq, standing.position.masked, standing.ply, standing.moves)

        def read() -> tuple[Game, list[Row]]:
            log = LogEntry.objects.filter(game=self.game).order_by("seq")
            rows = [Row(entry.seq, entry.command_id, entry.command) for entry in log]
            return Game.objects.get(pk=self.game.pk), rows

        game, rows = away(read)
        assert rows == self.rows
        assert game.standing == standing
        told = (game.deal_text, game.position_text, game.seq, game.ply, game.moves, game.status, game.score)
        stored = Stored(game.code, game.rules_slug, *told, tuple(rows))
        entries = self.history.entries
        assert answers_hold(entries, stored) + screens_never_go_back(entries) == []

    async def leave(self) -> None:
        for tab in self.tabs:
            await tab.client.leave()
        await hub.stop()
        database.close()


@pytest.mark.usefixtures("transactional_db")
def test_two_tabs(settings: Any) -> None:
    """No divergence between the tabs, the log and the model."""
    settings.RATE_LIMIT = False
    run_state_machine_as_test(
        TwoTabs,
        settings=hypothesis.settings(
            max_examples=INTERLEAVINGS,
            stateful_step_count=STEPS,
            suppress_health_check=list(hypothesis.HealthCheck),
        ),
    )
