"""What watches the service is answered: health, readiness, measures, lines of the log for machines."""

from __future__ import annotations

import asyncio
import io
import json
import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import DatabaseError
from django.test import Client as Browser
from prometheus_client.parser import text_string_to_metric_families

from game import logs, measures
from game.models import Game
from game.relay import Relay
from tests.server.conftest import Person
from tests.server.watching import Client

Start = Callable[..., Game]


def test_healthz_asks_nothing(client: Browser, db: None, django_assert_num_queries: Any) -> None:
    """It answers while the process does."""
    with django_assert_num_queries(0):
        response = client.get("/healthz")
    assert (response.status_code, response.content) == (200, b"ok\n")


def test_readyz_asks_the_parts(
    client: Browser, db: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """200 with all parts, 503 that names the one that is silent; the log tells when it begins and ends."""
    assert json.loads(client.get("/readyz").content) == {"database": True, "layer": True}

    def broken() -> None:
        raise DatabaseError("gone")

    with monkeypatch.context() as patch:
        patch.setattr("game.views.machines._ask_database", broken)
        for _ in range(3):
            response = client.get("/readyz")
            assert response.status_code == 503
            assert json.loads(response.content) == {"database": False, "layer": True}
    assert client.get("/readyz").status_code == 200
    said = [record.getMessage() for record in caplog.records]
    assert [line.split(":")[0] for line in said] == ["Not ready", "The database answers again"]


def test_machines_need_no_name_of_the_site(client: Browser, db: None) -> None:
    for path in ("/healthz", "/readyz", "/metrics"):
        assert client.get(path, headers={"host": "10.0.0.7:8000"}).status_code == 200
    client.raise_request_exception = False
    assert client.get("/", headers={"host": "10.0.0.7:8000"}).status_code == 400


@pytest.mark.parametrize(
    ("peer", "headers", "status"),
    [
        ("127.0.0.1", {}, 200),
        ("::1", {}, 200),
        ("10.0.0.7", {}, 404),
        ("", {}, 404),
        ("127.0.0.1", {"x-forwarded-for": "127.0.0.1"}, 404),
        ("127.0.0.1", {"forwarded": "for=127.0.0.1"}, 404),
        ("127.0.0.1", {"via": "1.1 proxy"}, 404),
        ("10.0.0.7", {"authorization": "Bearer "}, 404),
    ],
)
def test_without_a_token_only_this_machine_reads_the_measures(
    client: Browser, db: None, peer: str, headers: dict[str, str], status: int
) -> None:
    assert client.get("/metrics", REMOTE_ADDR=peer, headers=headers).status_code == status


def test_with_a_token_only_whoever_sends_it(client: Browser, db: None, settings: Any) -> None:
    settings.METRICS_TOKEN = "long and secret"
    for sent in ("", "Bearer wrong", "long and secret", "Bearer long and secret!"):
        assert client.get("/metrics", headers={"authorization": sent}).status_code == 404
    headers = {"authorization": "Bearer long and secret", "x-forwarded-for": "198.51.100.7"}
    assert client.get("/metrics", REMOTE_ADDR="10.0.0.7", headers=headers).status_code == 200


def measured() -> dict[tuple[str, ...], float]:
    """Every sample by its name and the values of its labels."""
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in text_string_to_metric_families(measures.text().decode())
        for sample in family.samples
    }


async def test_sockets_moves_refusals_and_gaps_are_counted(ada: Person, start: Start) -> None:
    game = start(ada)
    before = measured()

    def grown(*name: str) -> float:
        return measured().get(name, 0) - before.get(name, 0)

    async with Client(game.code, cookies=ada.cookies) as player, Client(game.code) as watcher:
        await player.next("welcome")
        await watcher.next("welcome")
        assert grown("tableau_sockets", "player") == grown("tableau_sockets", "spectator") == 1
        assert grown("tableau_tables") == 1
        await player.accepted(player.a_move())
        await watcher.next("update")
        assert await player.refused("t1-t1") == "same_pile"
        assert await player.refused("nonsense") == "malformed"
        watcher.send({"type": "sync", "since": 0})
        await watcher.next("update")
        assert grown("tableau_gaps_healed_total") == 0, "it had missed nothing"
        assert grown("tableau_moves_total", game.rules_slug) == 1
        assert grown("tableau_refusals_total", "same_pile") == 1
        assert grown("tableau_refusals_total", "malformed") == 1
        assert grown("tableau_fan_out_seconds_count") == 1
        assert grown("tableau_move_seconds_count") == 2
        watcher.send(b"binary")
        await watcher.bye()
    assert grown("tableau_sockets_closed_total", "4009", "binary") == 1
    assert grown("tableau_sockets", "player") == grown("tableau_sockets", "spectator") == 0
    assert grown("tableau_sockets_opened_total") == 2


@pytest.fixture
def lines() -> Iterator[Callable[[], list[dict[str, Any]]]]:
    """What the server wrote since, as a machine reads it."""
    # It arranges logging anew when it is first loaded, which would undo what follows.
    import config.asgi  # noqa: F401

    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.addFilter(logs.AddPlace())
    handler.setFormatter(logs.JsonLines())
    logger = logging.getLogger("game")
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    yield lambda: [json.loads(line) for line in stream.getvalue().splitlines()]
    logger.setLevel(level)
    logger.removeHandler(handler)


async def test_a_line_names_the_game_and_the_connection(
    ada: Person, start: Start, lines: Callable[[], list[dict[str, Any]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the work was done in a thread; two sockets have two names."""
    game = start(ada)

    def broken(*arguments: Any) -> None:
        raise DatabaseError("a line\nand another")

    async with (
        Client(game.code, cookies=ada.cookies) as first,
        Client(game.code.lower(), cookies=ada.cookies) as second,
    ):
        await first.next("welcome")
        await second.next("welcome")
        await first.refused("t1-t1")
        await second.refused("t1-t1")
        monkeypatch.setattr("game.actions.play._play", broken)
        assert await first.refused("t1-t2") == "unavailable"
    told = lines()
    assert {line["game"] for line in told} == {game.code}
    refused = [line["connection"] for line in told if line["message"] == "Refused: same_pile"]
    assert len(set(refused)) == 2
    trouble = next(line for line in told if line["message"].startswith("A command met trouble"))
    assert trouble["connection"] == refused[0]
    assert trouble["level"] == "WARNING"
    assert trouble["logger"] == "game.actions.play"
    assert "and another" in trouble["exception"]
    assert trouble["time"].endswith("+00:00")


async def test_what_a_client_invents_is_no_game_in_the_log(lines: Callable[[], list[dict[str, Any]]]) -> None:
    async with Client("x", path="/ws/game/AAAA%0AAAAA/") as client:
        client.send("{")
        await client.closed
    assert not [line for line in lines() if "game" in line]


async def settled(holds: Callable[[], bool]) -> None:
    """Lets the loop turn until it holds."""
    while not holds():  # noqa: ASYNC110
        await asyncio.sleep(0)


class Silent:
    """A layer whose Redis is gone until ``is_back``. While it ``is_deaf`` it takes and does not deliver."""

    is_back = is_deaf = False

    def __init__(self) -> None:
        self._messages: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

    async def new_channel(self) -> str:
        return "channel"

    async def group_add(self, group: str, channel: str) -> None: ...

    async def receive(self, channel: str) -> dict[str, Any]:
        return await self._messages.get()

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        if not self.is_back:
            raise ConnectionError("gone")
        if not self.is_deaf:
            self._messages.put_nowait(message)


async def test_an_outage_of_the_layer_is_two_lines_and_noticed_by_whom_nobody_asks(
    caplog: pytest.LogCaptureFixture,
) -> None:
    layer = Silent()
    before = measured()
    relay = Relay(layer, lambda message: None)  # type: ignore[arg-type]
    relay.start()
    for is_back in (False, False, True, True):
        layer.is_back = is_back
        relay.nudge()
        await asyncio.wait_for(settled(lambda is_back=is_back: relay.is_failing != is_back), 5)  # type: ignore[misc]
        assert measured()[("tableau_layer_up",)] == is_back
    await relay.stop()
    assert measured()[("tableau_layer_outages_total",)] - before[("tableau_layer_outages_total",)] == 1
    said = [record.getMessage() for record in caplog.records if record.name == "game.relay"]
    assert [line.split(",")[0] for line in said] == [
        "The channel layer fails",
        "The channel layer works again",
    ]


async def test_a_layer_that_takes_messages_and_delivers_none_fails() -> None:
    """As when the connection that publishes is back before the one that listens."""
    layer = Silent()
    layer.is_back = layer.is_deaf = True
    relay = Relay(layer, lambda message: None)  # type: ignore[arg-type]
    relay.start()
    relay.nudge()
    await asyncio.sleep(0.05)
    assert not relay.is_failing
    relay.nudge()
    assert relay.is_failing
    layer.is_deaf = False
    relay.nudge()
    await asyncio.wait_for(settled(lambda: not relay.is_failing), 5)
    await relay.stop()


def test_what_the_layers_client_says_of_a_silent_redis_is_kept_back() -> None:
    """It says so each second, with a traceback; any other fault of it is told."""
    client = logging.getLogger("channels_redis.pubsub")
    for error, is_told in ((ConnectionError("gone"), False), (TimeoutError(), False), (KeyError("x"), True)):
        about = (type(error), error, None)
        record = client.makeRecord(client.name, logging.ERROR, "", 0, "Unexpected", (), about)
        assert bool(client.filter(record)) is is_told
