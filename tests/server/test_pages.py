"""Every page: its status, its redirects, its language, and that looking changes nothing."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from game.models import Game, User
from game.presence import BROWSER_COOKIE
from tests.server.pages import RULES, browser_of, ended_game

pytestmark = pytest.mark.django_db

PUBLIC = [
    "/",
    "/live/",
    "/games/",
    "/rules/",
    *[f"/rules/{RULES.slug}/"],
    "/help/",
    "/find/",
    "/d/SS1-S4-AAAAABD/",
    "/accounts/login/",
    "/accounts/signup/",
]


@pytest.mark.parametrize("prefix", ["", "/tr", "/pl", "/ar"])
@pytest.mark.parametrize("path", PUBLIC)
def test_public_pages_need_no_account_in_any_language(client: Client, path: str, prefix: str) -> None:
    """Watching, lists and rules need no account, in every language."""
    response = client.get(prefix + path)
    assert response.status_code == 200
    text = response.content.decode()
    assert f'<html lang="{prefix[1:] or "en"}" dir="{"rtl" if prefix == "/ar" else "ltr"}"' in text
    assert len(re.findall("<h1", text)) == 1
    assert '<main id="main">' in text


@pytest.mark.parametrize("path", [*PUBLIC, "/nowhere"])
def test_pages_hold_no_inline_style_or_script(client: Client, path: str) -> None:
    """The content policy forbids them, so nothing may rely on one."""
    response = client.get(path)
    text = response.content.decode()
    assert not re.search(r"\sstyle=|<style|\son[a-z]+=", text)
    assert all("src=" in tag or "application/json" in tag for tag in re.findall("<script[^>]*>", text))
    policy = response["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


@pytest.mark.parametrize("path", PUBLIC)
def test_looking_changes_nothing(client: Client, path: str) -> None:
    """A page that is looked at makes no game, no account and no session."""
    client.get(path)
    assert not Game.objects.exists()
    assert not User.objects.exists()
    assert "sessionid" not in client.cookies


@pytest.mark.parametrize("path", ["/", "/live/", "/rules/", "/find/", "/@nobody/", "/g/0000000000/"])
def test_pages_that_are_read_take_no_post(client: Client, path: str) -> None:
    """What only shows something refuses to be posted to."""
    assert client.post(path).status_code == 405


@pytest.mark.parametrize("path", ["/accounts/logout/", "/accounts/guest/"])
def test_what_changes_something_is_posted(client: Client, path: str) -> None:
    """A link cannot log anybody out."""
    assert client.get(path).status_code == 405


def test_a_browser_gets_one_signed_cookie(client: Client) -> None:
    """A page gives the cookie by which tabs are one person; answers for programs do not."""
    client.get("/healthz")
    assert BROWSER_COOKIE not in client.cookies
    cookie = client.get("/").cookies[BROWSER_COOKIE]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    assert BROWSER_COOKIE not in client.get("/live/").cookies


@pytest.mark.parametrize("path", ["/g/0000000000/", "/g/zz/", "/@nobody/", "/rules/nothing/", "/nowhere/"])
def test_unknown_is_404_with_the_entry_box(client: Client, path: str) -> None:
    """An unknown code, person or address is told so, and a code can be entered at once."""
    response = client.get(path)
    assert response.status_code == 404
    assert f'action="{reverse("find")}"' in response.content.decode()


@pytest.mark.parametrize(
    ("spelled", "right"),
    [
        ("/d/ss1s4aaaaabd/", "/d/SS1-S4-AAAAABD/"),
        ("/d/SS1%20S4%20AAAAABD/", "/d/SS1-S4-AAAAABD/"),
        ("/d/ss1-s1-aaaaıbd/", "/d/SS1-S1-AAAAIBD/"),
        ("/pl/d/ss1-s4-aaaaabd/?after=0-1", "/pl/d/SS1-S4-AAAAABD/?after=0-1"),
    ],
)
def test_other_spellings_of_a_deal_code_redirect(client: Client, spelled: str, right: str) -> None:
    """A code in a page's address has one spelling; others lead to it."""
    response = client.get(spelled)
    assert response.status_code == 301
    assert response["Location"] == right


def test_other_spellings_of_a_game_code_redirect(client: Client, django_user_model: type[User]) -> None:
    """Small letters, dashes, blanks, and the letters that look like figures."""
    game = ended_game(django_user_model.objects.create_user("ada"), code="01ABCDEFGH")
    right = f"/g/{game.code}/"
    for spelled in ("o1abcdefgh", "Ol-ABCD-efgh", "OI%20abcdefgh", "０１ABCDEFGH"):
        response = client.get(f"/g/{spelled}/")
        assert response.status_code == 301, spelled
        assert response["Location"] == right
    assert client.get(right).status_code == 200


@pytest.mark.parametrize(
    "text", ["ss1-s4-aaaaabd", "SS1 S4 AAAAABD", "https://x.example/ar/d/SS1-S4-AAAAABD/#3"]
)
def test_the_entry_box_finds_deals(client: Client, text: str) -> None:
    """Any spelling, and pasted links."""
    response = client.get("/find/", {"code": text})
    assert response.status_code == 302
    assert response["Location"] == "/d/SS1-S4-AAAAABD/"


def test_the_entry_box_finds_games(client: Client, django_user_model: type[User]) -> None:
    """Any spelling, and pasted links; a game that is not there is told so."""
    ended_game(django_user_model.objects.create_user("ada"), code="01ABCDEFGH")
    for text, place in (
        ("01abcdefgh", ""),
        ("OI-AB CD-EF GH", ""),
        ("01ABCDEFGH#7", "#7"),
        ("http://127.0.0.1:8000/tr/g/01ABCDEFGH/#12", "#12"),
    ):
        assert client.get("/find/", {"code": text})["Location"] == f"/g/01ABCDEFGH/{place}", text
    response = client.get("/find/", {"code": "01ABCDEFGG"})
    assert response.status_code == 404
    assert "There is no game with the code 01ABCDEFGG." in response.content.decode()


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("SS1-S9-AAAAABD", "S9"),
        ("SS2-S1-AAAAABD", "SS2"),
        ("XX1-S1-AAAAABD", "XX"),
        ("SS1-S1-AAA", "AAA"),
        ("0123456", "0123456"),
        ("OLDGAME", "OLDGAME"),
        ("012345678U", "U"),
        ("<b>", "&lt;"),
        ("SS1-S1-" + "A" * 300, "too long"),
    ],
)
def test_a_bad_code_is_told_which_part_is_wrong(client: Client, text: str, named: str) -> None:
    """The sentence names the part, and the box keeps what was typed."""
    response = client.get("/find/", {"code": text})
    assert response.status_code == 404
    error = re.search('id="code-error"[^>]*>([^<]*)', response.content.decode())
    assert error
    assert named in error[1]


def test_a_deal_page_shows_the_layout_and_the_runs(client: Client, django_user_model: type[User]) -> None:
    """Layout, everybody's ended runs, and a button that starts the same deal."""
    game = ended_game(django_user_model.objects.create_user("ada"), "S4", unranked_because="practice")
    text = client.get("/d/SS1-S4-AAAAABD/").content.decode()
    assert text.count('class="paper"') == 2 * 52
    assert f'href="/g/{game.code}/"' in text
    assert 'href="/@ada/"' in text
    assert 'name="deal_code" value="SS1-S4-AAAAABD"' in text
    assert "t1 KS 8S 7D" in text


def test_home_offers_ones_own_open_games(django_user_model: type[User]) -> None:
    """All of them, also those without a move; nobody else sees those."""
    ada = django_user_model.objects.create_user("ada")
    browser = browser_of(ada)
    browser.post("/games/", {"rules": RULES.slug, "suits": "2"})
    game = Game.objects.get()
    assert game.get_absolute_url() in browser.get("/").content.decode()
    assert game.code not in Client().get("/").content.decode()
    assert game.code not in Client().get("/live/").content.decode()
    assert game.code not in Client().get("/games/").content.decode()
    assert game.code not in Client().get("/@ada/").content.decode()


def test_a_form_without_its_token_is_told_in_the_houses_manner() -> None:
    """A forged or old form is a page, not a bare sentence."""
    response = Client(enforce_csrf_checks=True).post("/accounts/guest/")
    assert response.status_code == 403
    assert "house" not in response.content.decode()
    assert "<h1>Not sent</h1>" in response.content.decode()


def test_a_fault_is_told_without_asking_anything(django_user_model: type[User]) -> None:
    """The page of a fault needs no database and no request."""
    from game.views.errors import server_error

    response = server_error(None)  # type: ignore[arg-type]
    assert response.status_code == 500
    assert "Something broke" in response.content.decode()


def test_the_catalogue_of_a_language_may_be_kept(client: Client) -> None:
    """Under the release's address the words for scripts never change."""
    for path in ("/jsi18n/", "/ar/jsi18n/"):
        response = client.get(path)
        assert response.status_code == 200
        assert "immutable" in response["Cache-Control"]
        assert "gettext" in response.content.decode()


def test_names_are_set_apart_and_escaped(client: Client, django_user_model: type[User]) -> None:
    """A name is isolated from the direction of the text around it, and is never markup."""
    user = django_user_model.objects.create_user("سارة")
    ended_game(user)
    assert "<bdi>سارة</bdi>" in client.get("/games/").content.decode()
    odd = django_user_model.objects.create_user("<i>x&")
    ended_game(odd)
    text = client.get("/games/").content.decode()
    assert "<i>x" not in text
    assert "&lt;i&gt;x&amp;" in text


def test_other_spellings_of_a_name_redirect(client: Client, django_user_model: type[User]) -> None:
    """A person has one address."""
    django_user_model.objects.create_user("Zoë Ada")
    assert client.get("/@Zo%C3%AB%20Ada/").status_code == 200
    response = client.get("/@zO%C3%8B%20aDA/")
    assert response.status_code == 301
    assert response["Location"] == "/@Zo%C3%AB%20Ada/"
