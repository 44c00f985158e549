"""Names as others see them: text and never markup, cut to a length, isolated from what stands beside."""

from __future__ import annotations

import re
from html import escape, unescape

import pytest
from django.test import Client

from game.models import User
from game.names import LONGEST
from tests.server.sprint import Clock, Player

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("throw_away_games")]

# Sign-up refuses all of these; what is in the database from elsewhere must do no harm either.
NAMES = ["<script>x()", "\"'><img src=x>", "\u202egnol\u200f\u2067", "W" * LONGEST]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_shown_as_text_and_isolated(name: str, clock: Clock, client: Client) -> None:
    """R1: on boards, in lists, history and titles."""
    player = Player(name, clock)
    won = player.win()
    running = player.start()
    player.play(running, "t1-t2")
    shown = f"<bdi>{escape(name)}</bdi>"
    pages = {
        "/": client,
        "/live/": client,
        "/boards/?rules=sprint": client,
        "/games/": client,
        f"/d/{won.deal_code}/": client,
        player.user.get_absolute_url(): client,
        won.get_absolute_url(): client,
        "/history/": player.client,
    }
    for path, browser in pages.items():
        text = browser.get(path).content.decode()
        if path != "/history/":
            assert shown in text, path
        # Elements are those of the templates: the name made none, and ended no attribute.
        assert "<script>x" not in text, path
        assert "<img" not in text, path
        for found in re.findall(r"<title>(.*?)</title>", text, re.DOTALL):
            assert name not in unescape(found) or f"\u2068{name}\u2069" in unescape(found), path


def test_a_thousand_letters_are_no_name(client: Client) -> None:
    """R1"""
    fields = {"username": "W" * 1000, "password1": "correct horse"}
    answer = client.post("/accounts/signup/", fields)
    assert answer.status_code == 400
    assert "W" * 1000 not in re.sub(r' value="[^"]*"', "", answer.content.decode())
    assert not User.objects.exists()
