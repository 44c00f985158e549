"""The page of those who run the site: only theirs, with every process and the trail on it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable

import pytest
from channels.layers import InMemoryChannelLayer
from django.test import Client as Browser

from game import hub
from game.actions import operators
from game.models import Game, User
from game.relay import EVERYBODY, letter
from tests.server.conftest import Person, away
from tests.server.pages import browser_of
from tests.server.watching import Client


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["", "/tr", "/pl", "/ar"])
def test_to_all_others_there_is_no_such_page(language: str) -> None:
    ada = User.objects.create_user("Ada", "a fine password")
    eve = User.objects.create_user("Eve", "a fine password", is_staff=True)
    for browser, status in ((Browser(), 404), (browser_of(ada), 404), (browser_of(eve), 200)):
        assert browser.get(f"{language}/status/").status_code == status
    link = f'href="{language}/status/"'
    assert link in browser_of(eve).get(f"{language}/rules/").content.decode()
    assert link not in browser_of(ada).get(f"{language}/rules/").content.decode()


@pytest.mark.django_db
def test_the_trail_is_on_it() -> None:
    ada = User.objects.create_user("Ada", "a fine password")
    operators.ban(ada, operators.Hand("eve", "was <b>rude</b>"))
    page = browser_of(User.objects.create_user("Eve", is_staff=True)).get("/status/").content.decode()
    told = re.sub(r"<[^>]+>", "", page)
    assert "eve: Ada banned · was &lt;b&gt;rude&lt;/b&gt;" in told
    assert page.count("<h2") == 2, "this process and the trail"


async def test_every_process_is_on_it_until_it_falls_silent(
    person: Callable[..., Person], start: Callable[..., Game], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also one of another release, which tells of something unknown and not of all that is known here."""
    layer = InMemoryChannelLayer()
    monkeypatch.setattr(hub, "shared_layer", lambda: layer)
    eve = person("Eve", is_staff=True)

    def page() -> str:
        browser = Browser()
        browser.cookies["sessionid"] = eve.key
        return re.sub(r"<[^>]+>", "", browser.get("/status/").content.decode())

    async with Client(start(eve).code) as watcher:
        await watcher.next("crowd")
        figures = {"players": 7, "spectators": 412, "layer": 0, "of_tomorrow": 1}
        fields = {"name": "other.example:8002", "release": "tomorrow", "since": 0.0, "figures": figures}
        await layer.group_send(EVERYBODY, letter("the other", "figures", fields))
        async with asyncio.timeout(5):
            while "the other" not in hub.here().processes._others:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        shown = await asyncio.to_thread(away, page)
        assert "other.example:8002" in shown
        assert "412" in shown
        assert "Messages to other processes do not go out." in shown
        hub.here().processes.tick(hub.here().loop.time() + 60)
        assert "other.example:8002" not in await asyncio.to_thread(away, page)
