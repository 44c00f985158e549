"""The site as browsers, robots and printers take it: icons, manifest, paths, paper, and no connection."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.request import urlopen

import pytest
from django.test import Client

from game.management.commands.icons import folder, icons
from game.models import User
from game.urls import for_programs, urlpatterns
from tests.conftest import Serve
from tests.server.pages import ended_game

LANGUAGES = ["", "/tr", "/pl", "/ar"]


def test_the_icons_are_those_of_the_sign() -> None:
    for name, drawn in icons().items():
        assert (folder() / name).read_bytes() == drawn, f"run manage.py icons: {name}"
        assert len(drawn) < 4096


@pytest.mark.django_db
def test_the_manifest_names_what_is_there(client: Client) -> None:
    answer = client.get("/manifest.webmanifest")
    assert answer["Content-Type"] == "application/manifest+json"
    told = json.loads(answer.content)
    assert told["start_url"] == told["scope"] == "/"
    sizes = {icon["sizes"] for icon in told["icons"] if "maskable" in icon.get("purpose", "")}
    assert sizes == {"192x192", "512x512"}
    for icon in told["icons"]:
        assert (folder() / icon["src"].rsplit("/", 1)[1]).exists()
    assert re.search(rb'<link rel="manifest" href="/manifest.webmanifest">', client.get("/pl/rules/").content)


def test_the_icon_has_a_fixed_name_too(client: Client) -> None:
    answer = client.get("/favicon.ico")
    assert answer["Content-Type"] == "image/x-icon"
    assert b"".join(answer) == (folder() / "favicon.ico").read_bytes()


def test_robots_may_read_everything_but_what_is_somebodys_own(client: Client) -> None:
    text = client.get("/robots.txt").content.decode()
    assert text.startswith("User-agent: *\n")
    for language in LANGUAGES:
        assert f"Disallow: {language}/accounts/login/\n" in text
        assert f"Disallow: {language}/history/\n" in text
    assert not re.search(r"Disallow: /(g|d|boards|rules|live)?/?\n", text)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("chosen", "media"),
    [
        ("", ["(prefers-color-scheme: light)", "(prefers-color-scheme: dark)"]),
        ("dark", ["not all", "all"]),
        ("light", ["all", "not all"]),
        ('"><b', ["(prefers-color-scheme: light)", "(prefers-color-scheme: dark)"]),
    ],
)
def test_the_frame_has_the_colour_of_the_theme(client: Client, chosen: str, media: list[str]) -> None:
    client.cookies["theme"] = chosen
    page = client.get("/rules/").content.decode()
    assert re.findall(r'<meta name="theme-color" content="#\w+" media="([^"]*)"', page) == media


def test_the_worker_keeps_nothing_but_the_page_for_no_connection(client: Client) -> None:
    answer = client.get("/worker.js")
    assert answer["Content-Type"].startswith("text/javascript")
    assert answer["Cache-Control"] == "no-cache"
    assert "worker-src 'self'" in answer["Content-Security-Policy"]
    script = answer.content.decode()
    assert "cache.put" not in script
    assert script.count("cache.addAll") == 1


@pytest.mark.django_db
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_for_no_connection_is_nobodys(client: Client, language: str) -> None:
    answer = client.get(f"{language}/offline/")
    assert answer.status_code == 200
    assert b"csrfmiddlewaretoken" not in answer.content
    assert b'content="noindex"' in answer.content


def test_fixed_names_are_no_pages() -> None:
    names = {pattern.name for pattern in for_programs} & {pattern.name for pattern in urlpatterns}
    assert not names


@pytest.mark.django_db
@pytest.mark.parametrize("is_cut_off", [False, True], ids=["kept", "cut off by the proxy"])
def test_under_a_path_every_address_has_it(serve: Serve, is_cut_off: bool) -> None:
    site = serve("embedded", BASE_PATH="cards/table")
    asked = site.url.rstrip("/").removesuffix("/cards/table") + ("" if is_cut_off else "/cards/table")

    def read(path: str) -> Any:
        with urlopen(asked + path) as answer:  # noqa: S310  # our own server
            return answer.read().decode()

    page = read("/rules/")
    addresses = re.findall(r'(?:href|src|action)="(/[^"]*)"', page)
    assert addresses
    assert not [address for address in addresses if not address.startswith("/cards/table/")]
    told = json.loads(read("/manifest.webmanifest"))
    assert told["start_url"] == "/cards/table/"
    style = next(address for address in addresses if address.endswith("/site.css"))
    assert "--paper" in read(style.removeprefix("/cards/table"))


@pytest.mark.django_db
def test_a_game_can_be_printed(client: Client) -> None:
    """Its cards and moves stand in the page for those without a script, and paper shows the same."""
    player = User.objects.create_user("ada")
    page = client.get(ended_game(player).get_absolute_url()).content.decode()
    plain = page.split('<noscript id="plain">')[1].split("</noscript>")[0]
    assert 'class="plate-board face-full' in plain
    assert "<bdi>ada</bdi>" in plain
    assert re.search(r'css/print.css" media="print"', page)
    assert "js/print.js" in page


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/", "/boards/", "/rules/", "/live/"])
def test_few_style_sheets_hold_a_page_up(client: Client, path: str) -> None:
    page = client.get(path).content.decode()
    waited_for = re.findall(r'<link rel="stylesheet" href="[^"]+">', page)
    assert len(waited_for) <= 12


@pytest.mark.django_db
def test_the_address_of_a_socket_follows_the_page(client: Client) -> None:
    """R5: a page holds the path alone; scheme, host and port are those under which the browser has it."""
    game = ended_game(User.objects.create_user("ada"))
    page = client.get(game.get_absolute_url()).content.decode()
    assert re.search(rf'"socket": "/ws/game/{game.code}/"', page)
    link = (folder().parent / "js/link.js").read_text()
    assert 'location.protocol === "https:" ? "wss" : "ws"' in link
    assert "${location.host}${path}" in link
    for script in [page, *(path.read_text() for path in (folder().parent / "js").glob("*.js"))]:
        assert not re.search(r"wss?://\w", script)
