"""News between processes, and from code that runs in no event loop of ours."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any

import pytest
from channels.layers import InMemoryChannelLayer
from django.db import transaction
from django.test import Client as Browser

from game import broadcast, hub, wire
from game.models import Game
from game.relay import EVERYBODY, Relay, group_of, letter
from game.selectors import tables
from tests.server.conftest import Person, away
from tests.server.test_walk import play_all
from tests.server.watching import Client, moves_in

Start = Callable[..., Game]


@pytest.fixture
def layer(monkeypatch: pytest.MonkeyPatch) -> InMemoryChannelLayer:
    """A layer through which the hub of this test hears from processes that the test plays."""
    layer = InMemoryChannelLayer()
    monkeypatch.setattr(hub, "shared_layer", lambda: layer)
    return layer


def update_of(game: Game, seq: int) -> str:
    """A frame such as another process would send."""
    change = wire.change_of(tables.state(game), f"move {seq}", ())
    return wire.encode(wire.update(change)).replace('"seq":0', f'"seq":{seq}')


def everywhere(game: Game, seq: int) -> None:
    broadcast.announce(game.pk, seq, update_of(game, seq))


def from_a_commit_hook(game: Game, seq: int) -> None:
    with transaction.atomic():
        transaction.on_commit(lambda: everywhere(game, seq))


def from_another_loop(game: Game, seq: int) -> None:
    async def work() -> None:
        everywhere(game, seq)

    asyncio.run(work())


@pytest.mark.parametrize("how", [everywhere, from_a_commit_hook, from_another_loop])
async def test_two_in_a_row_from_a_thread_arrive_at_once(
    ada: Person, start: Start, how: Callable[[Game, int], None], caplog: pytest.LogCaptureFixture
) -> None:
    """B36."""
    game = start(ada)
    async with Client(game.code) as client:
        await client.next("crowd")
        for seq in (1, 2):
            await asyncio.to_thread(away, how, game, seq)
            assert (await client.next("update", seconds=0.3))["seq"] == seq
    assert not caplog.records


async def test_two_in_a_row_from_the_loop_itself_arrive_at_once(ada: Person, start: Start) -> None:
    """B36: as from an async view."""
    game = start(ada)
    async with Client(game.code) as client:
        await client.next("crowd")
        everywhere(game, 1)
        everywhere(game, 2)
        assert [(await client.next("update", seconds=0.3))["seq"] for _ in range(2)] == [1, 2]


async def test_a_sync_view_is_heard_at_once(ada: Person, start: Start) -> None:
    """B36."""
    game = start(ada)

    def again() -> None:
        browser = Browser()
        browser.cookies["sessionid"] = ada.key
        assert browser.post("/games/", {"again": game.code}).status_code == 302

    async with Client(game.code) as client:
        await client.next("crowd")
        request = asyncio.create_task(asyncio.to_thread(away, again))
        assert (await client.next("update"))["command"] == "give_up"
        await request


async def test_without_a_hub_news_go_straight_to_the_layer(
    ada: Person, start: Start, layer: InMemoryChannelLayer
) -> None:
    """B36: as from a management command."""
    game = start(ada)
    channel = await layer.new_channel()
    await layer.group_add(group_of(game.pk), channel)
    await layer.group_add(EVERYBODY, channel)
    for seq in (1, 2):
        await asyncio.to_thread(away, everywhere, game, seq)
        async with asyncio.timeout(0.3):
            assert (await layer.receive(channel))["seq"] == seq
    await asyncio.to_thread(broadcast.doubt, user_id=5)
    async with asyncio.timeout(0.3):
        assert (await layer.receive(channel))["user"] == 5


async def test_what_another_process_stored_is_told_here(
    ada: Person, start: Start, layer: InMemoryChannelLayer
) -> None:
    game = start(ada)
    async with Client(game.code) as client:
        await client.next("crowd")
        news = {"game": game.pk, "seq": 1, "text": update_of(game, 1)}
        await layer.group_send(group_of(game.pk), letter("other", "news", news))
        assert (await client.next("update"))["seq"] == 1
        await layer.group_send(group_of(game.pk), letter("other", "news", news))
        own = letter(hub.here().relay.origin, "news", {**news, "seq": 2})
        await layer.group_send(group_of(game.pk), own)
        assert await client.silence() == [], "neither what is old nor what is one's own comes back"


async def test_an_unknown_kind_or_field_is_passed_over_with_one_warning(
    ada: Person, start: Start, layer: InMemoryChannelLayer, caplog: pytest.LogCaptureFixture
) -> None:
    """B34."""
    game = start(ada)
    async with Client(game.code) as client:
        await client.next("crowd")
        for _ in range(3):
            await layer.group_send(EVERYBODY, letter("newer", "tournament", {"round": 3}))
        fields = {"game": game.pk, "seq": 1, "text": update_of(game, 1), "colour": "mauve"}
        await layer.group_send(group_of(game.pk), letter("newer", "news", fields))
        assert (await client.next("update"))["seq"] == 1
        assert [record.levelname for record in caplog.records] == ["WARNING"]
        assert "tournament" in caplog.text


async def test_a_message_that_cannot_be_used_ends_nothing(
    ada: Person, start: Start, layer: InMemoryChannelLayer, caplog: pytest.LogCaptureFixture
) -> None:
    """B34."""
    game = start(ada)
    async with Client(game.code) as client:
        await client.next("crowd")
        await layer.group_send(EVERYBODY, {"type": "other"})
        await layer.group_send(EVERYBODY, letter("newer", "news", {"game": game.pk}))
        fields = {"game": game.pk, "seq": 1, "text": update_of(game, 1)}
        await layer.group_send(group_of(game.pk), letter("newer", "news", fields))
        assert (await client.next("update"))["seq"] == 1
        assert len(caplog.records) == 2


async def test_people_at_another_process_are_counted_here(
    ada: Person, start: Start, layer: InMemoryChannelLayer
) -> None:
    game = start(ada)
    listener = await layer.new_channel()
    await layer.group_add(EVERYBODY, listener)
    async with Client(game.code) as client:
        await client.next("crowd")
        people = {"u77": "Zoe", client_key(): ""}
        await layer.group_send(EVERYBODY, letter("other", "presence", {"game": game.pk, "people": people}))
        crowd = await client.next("crowd")
        assert (crowd["count"], crowd["names"]) == (2, ["Zoe"])
        async with asyncio.timeout(5):
            told = await layer.receive(listener)
            while told["kind"] != "presence" or told["origin"] == "other":
                told = await layer.receive(listener)
        assert (told["game"], list(told["people"].values())) == (game.pk, [""])


def client_key() -> str:
    """The key of the only person here."""
    current = hub.running()
    assert current is not None
    (game_id,) = current.crowds.presence.own_games()
    return next(iter(current.crowds.presence.own(game_id)))


class BrokenLayer(InMemoryChannelLayer):
    """A layer that can be out of order: it raises ``trouble``, or hangs."""

    trouble: Exception | None = None
    is_hanging = False

    async def _suffer(self) -> None:
        if self.is_hanging:
            await asyncio.sleep(60)
        if self.trouble is not None:
            raise self.trouble

    async def new_channel(self, prefix: str = "specific.") -> Any:
        await self._suffer()
        return await super().new_channel(prefix)

    async def group_add(self, group: str, channel: str) -> None:
        await self._suffer()
        await super().group_add(group, channel)

    async def group_send(self, group: str, message: Any) -> None:
        await self._suffer()
        await super().group_send(group, message)


@pytest.mark.parametrize("is_hanging", [False, True])
async def test_no_player_waits_for_the_layer_and_beats_come_every_second_while_it_fails(
    ada: Person, start: Start, monkeypatch: pytest.MonkeyPatch, is_hanging: bool
) -> None:
    layer = BrokenLayer()
    layer.trouble, layer.is_hanging = OSError("gone"), is_hanging
    monkeypatch.setattr(hub, "shared_layer", lambda: layer)
    game = start(ada)
    loop = asyncio.get_running_loop()
    async with Client(game.code, cookies=ada.cookies) as player:
        await player.next("welcome")
        for command in (player.a_move(), "undo"):
            asked = loop.time()
            await player.accepted(command)
            assert loop.time() - asked < 0.5
        await player.next("beat")
        last = loop.time()
        await player.next("beat")
        assert loop.time() - last < 1.6
        layer.trouble, layer.is_hanging = None, False
        async with asyncio.timeout(5):
            while hub.here().relay.is_failing:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        back, seen = loop.time(), list(player.frames)
        await player.until(lambda frame: frame["type"] == "beat" and frame not in seen)
        assert loop.time() - back < 1.6, "what was lost last is told soon"
        fields = {"game": game.pk, "seq": 9, "text": update_of(game, 9)}
        await layer.group_send(group_of(game.pk), letter("other", "news", fields))
        assert (await player.next("update"))["seq"] == 9, "subscribed again"


async def test_what_waits_for_the_layer_is_bounded(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.ERROR)
    layer = BrokenLayer()
    layer.is_hanging = True
    relay = Relay(layer, lambda message: None)
    relay.start()
    for number in range(5000):
        relay.publish("game.1", "news", {"seq": number})
    assert len(relay._waiting) <= 1024
    await relay.stop()


async def test_group_names_come_from_internal_ids_only(
    person: Callable[..., Person], start: Start, layer: InMemoryChannelLayer
) -> None:
    """R6: whatever the player is called."""
    layla = person("ليلى")
    game = start(layla)
    async with Client(game.code, cookies=layla.cookies) as player:
        await player.next("welcome")
        assert player.frames[0]["game"]["player"] == "ليلى"
        assert set(layer.groups) == {EVERYBODY, f"game.{game.pk}"}
        await asyncio.to_thread(away, play_all, game, layla, [next(moves_in(player.state))])
        assert (await player.next("update"))["seq"] == 1
