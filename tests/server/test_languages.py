"""Pages and sockets in four languages, and how a visitor comes to one of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape

import pytest
from django.conf import settings
from django.test import Client

from game.engine.games import GAMES
from game.management.catalogues import PLURALS
from game.models import Game, User
from tests.server.conftest import Person
from tests.server.pages import browser_of, ended_game
from tests.server.watching import Client as Socket

LANGUAGES = [code for code, _ in settings.LANGUAGES]
OTHERS = [code for code in LANGUAGES if code != "en"]
HTML = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
READ = [
    "/",
    "/live/",
    "/games/",
    "/boards/?period=week",
    "/rules/",
    *(f"/rules/{rules.slug}/" for rules in GAMES),
    "/help/",
    "/find/",
    "/find/?code=zzz",
    "/d/SS1-S4-AAAAABD/",
    "/accounts/login/",
    "/accounts/signup/",
    "/@nobody/",
    "/nowhere/",
]
LEFTOVERS = (
    "Skip to the content|New game|Rules|Boards|Watch|Log in|Sign up|Language|Deal|Easy|Medium|Hard|suits|"
    "Moves|Score|Name|Password|Open a code|Undo|Give up|columns|letters|There is|won|given up|Replay|Player"
)


def prefixed(path: str, language: str) -> str:
    return path if language == "en" else f"/{language}{path}"


def words(page: bytes) -> str:
    """What is read on a page: no code, no addresses, no names of other languages."""
    text = re.sub(r"(?s)<(script|svg|bdi)\b.*?</\1>", " ", page.decode())
    said = re.findall(r'(?:aria-label|placeholder|title|content)="(?!https?:)([^"]*)"', text)
    text = re.sub(r'(?s)<a [^>]*\blang="\w+".*?</a>', " ", text)
    return unescape(" ".join([re.sub("<[^>]+>", " ", text), *said]))


@pytest.mark.django_db
@pytest.mark.parametrize("path", READ)
@pytest.mark.parametrize("language", OTHERS)
def test_no_page_keeps_english_words_or_other_digits(client: Client, path: str, language: str) -> None:
    response = client.get(prefixed(path, language))
    page = response.content
    direction = "rtl" if language == "ar" else "ltr"
    assert f'<html lang="{language}" dir="{direction}"'.encode() in page
    assert response["Content-Language"] == language
    left = re.findall(rf"(?<![\w-])(?:{LEFTOVERS})(?![\w-])", words(page))
    assert not left
    assert not re.search("[\u0660-\u0669\u06f0-\u06f9]", page.decode())


@pytest.mark.django_db
@pytest.mark.parametrize("language", OTHERS)
def test_a_players_own_pages_keep_no_english_either(language: str) -> None:
    ada = User.objects.create_user("Ada", "a fine password")
    game = ended_game(ada)
    browser = browser_of(ada)
    for path in (f"/g/{game.code}/", "/history/", "/@Ada/", "/", "/accounts/password/"):
        page = browser.get(prefixed(path, language)).content
        assert not re.findall(rf"(?<![\w-])(?:{LEFTOVERS})(?![\w-])", words(page)), path


@pytest.mark.django_db
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_names_itself_in_every_language(client: Client, language: str) -> None:
    """Alternates are whole addresses, with the query; the menu has the same, and marks its own."""
    text = client.get(prefixed("/boards/?period=all", language)).content.decode()
    for code in LANGUAGES:
        address = prefixed("/boards/?period=all", code)
        assert f'<link rel="alternate" hreflang="{code}" href="http://127.0.0.1:8000{address}">' in text
        assert f'<a href="{address}" hreflang="{code}" lang="{code}"' in text
    neutral = "http://127.0.0.1:8000/boards/?period=all"
    assert f'<link rel="alternate" hreflang="x-default" href="{neutral}">' in text
    assert re.search(rf'<a [^>]*hreflang="{language}"[^>]*aria-current="true"', text)


def test_a_first_visit_is_answered_in_the_browsers_language(client: Client) -> None:
    asked = HTML | {"Accept-Language": "de,tr-TR;q=0.8,en;q=0.5"}
    response = client.get("/rules/klondike/?from=here", headers=asked)
    assert response.status_code == 302
    assert response["Location"] == "/tr/rules/klondike/?from=here"
    assert {"Accept-Language", "Cookie"} <= set(response["Vary"].split(", "))


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/rules/", HTML),
        ("/rules/", HTML | {"Accept-Language": "en-GB,tr;q=0.5"}),
        ("/rules/", HTML | {"Accept-Language": "fr"}),
        ("/rules/", {"Accept": "*/*", "Accept-Language": "tr"}),
        ("/healthz", HTML | {"Accept-Language": "tr"}),
        ("/pl/rules/", HTML | {"Accept-Language": "tr"}),
    ],
)
def test_nobody_else_is_led_away(client: Client, path: str, headers: dict[str, str]) -> None:
    """English is wished or nothing known is, a program asks, or the address says a language."""
    assert client.get(path, headers=headers).status_code == 200


@pytest.mark.parametrize(
    "came", [{"Sec-Fetch-Site": "same-origin"}, {"Referer": "http://testserver/tr/rules/"}], ids=str
)
def test_a_choice_in_the_menu_is_kept(client: Client, came: dict[str, str]) -> None:
    turkish = HTML | {"Accept-Language": "tr"}
    assert client.get("/rules/", headers=turkish | came).status_code == 200
    assert client.cookies[settings.LANGUAGE_COOKIE_NAME].value == "en"
    # From now on, from wherever.
    assert client.get("/rules/", headers=turkish).status_code == 200
    client.get("/pl/rules/", headers=turkish | came)
    assert client.cookies[settings.LANGUAGE_COOKIE_NAME].value == "pl"
    assert client.get("/rules/", headers=turkish)["Location"] == "/pl/rules/"


def test_an_address_passed_on_changes_no_choice(client: Client) -> None:
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "en"
    elsewhere = HTML | {"Sec-Fetch-Site": "cross-site"}
    assert client.get("/pl/rules/", headers=elsewhere).status_code == 200
    assert client.cookies[settings.LANGUAGE_COOKIE_NAME].value == "en"


@pytest.mark.parametrize("language", OTHERS)
def test_the_browsers_catalogue_comes_with_the_plurals_of_its_language(client: Client, language: str) -> None:
    text = client.get(f"/{language}/jsi18n/").content.decode()
    assert '"king of hearts"' in text
    formula = PLURALS[language].partition("plural=")[2].rstrip(";")
    assert formula in text


REFUSED = {
    "en": "The cards already lie there.",
    "tr": "Kartlar zaten orada.",
    "pl": "Te karty już tam leżą.",
    "ar": "الأوراق هناك بالفعل.",
}


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_socket_refuses_in_the_language_of_its_page(
    ada: Person, start: Callable[..., Game], language: str
) -> None:
    game = start(ada)
    async with Socket(game.code, cookies=ada.cookies, lang=language) as player:
        await player.next("welcome")
        answer = await player.ask("t1-t1", seq=0)
        assert answer["text"] == REFUSED[language]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("language", "sentence"),
    [("tr", "S3: bu bölüm şunlardan"), ("pl", "S3: ta część to"), ("ar", "S3: هذا الجزء هو")],
)
def test_a_page_refuses_in_its_language(client: Client, language: str, sentence: str) -> None:
    text = client.get(prefixed("/find/?code=SS1-S3-AAAAABD", language)).content.decode()
    assert sentence in text
