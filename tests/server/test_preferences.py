"""What somebody prefers: kept for a person, kept for a visitor's browser, written into every page."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from game.models import User
from game.preferences import PREFERENCES, completed, read_cookie, unusual, write_cookie
from tests.server.pages import browser_of

pytestmark = pytest.mark.django_db

USUAL = {it.name for it in PREFERENCES if it.usual}


def written(client: Client, path: str = "/") -> set[str]:
    """The preferences that a page was written with."""
    found = re.search(r'<html[^>]* data-prefer="([^"]*)"', client.get(path).content.decode())
    assert found
    return set(found[1].split())


def test_a_page_says_what_is_usual_until_something_is_chosen(client: Client) -> None:
    """Without a choice nobody's row or browser keeps anything."""
    assert written(client) == USUAL
    assert "preferences" not in client.cookies


def test_choices_of_a_person_go_with_the_account(client: Client) -> None:
    """Everywhere they are logged in, and only what differs is stored."""
    ada = User.objects.create_user("ada")
    answer = browser_of(ada).post("/settings/", dict.fromkeys(USUAL - {"letters"} | {"left"}, "on"))
    assert (answer.status_code, answer["Location"]) == (302, "/settings/")
    ada.refresh_from_db()
    assert ada.preferences == {"left": True, "letters": False}
    elsewhere = browser_of(ada)
    assert written(elsewhere, "/settings/") == USUAL - {"letters"} | {"left"}
    assert written(client) == USUAL


def test_choices_of_a_visitor_stay_in_the_browser_until_the_account_has_some(client: Client) -> None:
    """A guest or an account without choices of its own goes on with those of the browser."""
    client.post("/settings/", {"sounds": "on", "quiet": "1"})
    assert written(client) == {"sounds"}
    ada = User.objects.create_user("ada")
    client.force_login(ada)
    assert written(client) == {"sounds"}
    ada.preferences = {"still": True}
    ada.save()
    assert written(client) == USUAL | {"still"}


def test_the_script_is_answered_without_a_page(client: Client) -> None:
    """And no message waits for the next one."""
    assert client.post("/settings/", {"time": "on", "quiet": "1"}).status_code == 204
    assert b'role="status"' not in client.get("/settings/").content


def test_the_form_can_be_read_and_used_without_script(client: Client) -> None:
    """Every preference is a box with its sentence, checked where it holds."""
    page = client.get("/settings/").content.decode()
    for it in PREFERENCES:
        box = re.search(rf'<input type="checkbox" name="{it.name}"[^>]*>', page)
        assert box
        assert ("checked" in box[0]) == it.usual
        assert str(it.label) in page


@pytest.mark.parametrize("text", ["", "nothing", "-..-", "left", "-letters.left.sounds", "-left"])
def test_a_cookie_is_read_whatever_it_holds(text: str) -> None:
    """Unknown words are passed over, and what is read can be written."""
    choices = read_cookie(text)
    assert choices.keys() == {it.name for it in PREFERENCES}
    assert read_cookie(write_cookie(choices)) == choices == completed(unusual(choices))
