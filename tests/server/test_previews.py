"""Links shown elsewhere: titles, sentences, whole addresses, and pictures that tell no secret."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from game import fonts, pictures, plates
from game.actions.games import start_new
from game.actions.people import make_guest
from game.engine.deals import DealCode
from game.engine.games import GAMES
from game.engine.line import Status
from game.models import Game, User
from tests.server.pages import ended_game

pytestmark = pytest.mark.django_db

PNG_HEAD = b"\x89PNG\r\n\x1a\n"
HIDDEN = [rules for rules in GAMES if rules.hides_cards]


@pytest.fixture(autouse=True)
def folder(settings: Any, tmp_path: Path) -> Path:
    settings.VAR = tmp_path
    settings.RATE_LIMIT = False
    return tmp_path / "pictures"


@pytest.fixture
def ada() -> User:
    return User.objects.create_user("ada", "a long password")


def told(client: Client, path: str, **headers: str) -> dict[str, str]:
    """What the head of a page says of it, by the names of the properties."""
    page = client.get(path, headers=headers or None).content.decode()
    metas = re.findall(r'<meta (?:name="\w+" )?(?:property|name)="([\w:]+)" content="([^"]*)"', page)
    return {name: unescape(content) for name, content in metas}


def size_of(png: bytes) -> tuple[int, int]:
    assert png.startswith(PNG_HEAD)
    return int.from_bytes(png[16:20]), int.from_bytes(png[20:24])


def running(player: User, rules: Any = GAMES[0]) -> Game:
    return start_new(player, rules, next(iter(rules.variants)))


@pytest.mark.parametrize("path", ["/", "/boards/", "/rules/", f"/rules/{GAMES[0].slug}/", "/pl/live/"])
def test_every_page_says_what_it_is(client: Client, path: str) -> None:
    said = told(client, path)
    assert said["og:title"]
    assert said["og:description"]
    assert said["twitter:card"] == "summary_large_image"
    assert said["og:url"].startswith(f"http://127.0.0.1:8000{path}")
    picture = client.get(said["og:image"].removeprefix("http://127.0.0.1:8000"))
    assert size_of(picture.content) == (1200, 630)
    assert picture["Content-Type"] == "image/png"


def test_a_deal_is_shown_as_its_player_saw_it(client: Client, ada: User) -> None:
    for rules in GAMES:
        code = DealCode(rules, next(iter(rules.variants)), "AAAAABD")
        before = client.get(reverse("deal_picture", args=[code])).content
        assert size_of(before) == (1200, 630)
        assert str(code) in told(client, f"/d/{code}/")["og:title"]


def test_a_running_game_is_shown_as_it_stands(client: Client, ada: User) -> None:
    game = running(ada)
    said = told(client, game.get_absolute_url())
    assert said["og:image"].endswith(f"/g/{game.code}/picture.png?seq=0")
    assert "ada" in said["og:title"]
    kept = client.get(f"/g/{game.code}/picture.png?seq=0")
    assert "max-age=86400" in kept["Cache-Control"]
    # Another moment than the present one is led on, and that answer is not kept.
    for other in ("", "?seq=7", "?seq=x"):
        moved = client.get(f"/g/{game.code}/picture.png{other}")
        assert moved.status_code == 302
        assert moved["Location"].endswith("?seq=0")
        assert "no-cache" in moved["Cache-Control"]


def test_an_ended_game_is_shown_as_it_began_and_its_end_is_not_told(client: Client, ada: User) -> None:
    begun = ended_game(ada, score=123, moves=77)
    won = ended_game(ada, status=Status.WON, score=851, moves=49)
    empty = "/".join(f"t{i}" for i in range(1, 11)) + "/" + "/".join(f"f{i}" for i in range(1, 5))
    Game.objects.filter(pk=won.pk).update(position_text=empty)
    said = told(client, won.get_absolute_url())
    assert said["og:image"].endswith("?seq=0")
    assert not re.search("851|49|won", said["og:title"] + said["og:description"])
    first, second = (client.get(f"/g/{each.code}/picture.png?seq=0").content for each in (begun, won))
    assert first == second


@pytest.mark.parametrize("rules", HIDDEN, ids=lambda rules: rules.slug)
def test_nothing_hidden_is_drawn_while_it_runs(client: Client, ada: User, rules: Any) -> None:
    game = running(ada, rules)
    position = game.standing.position
    drawing = pictures.picture_of(rules, position, "ada")
    shown = {card.text for _pile, cards in position.items() for card in cards if card.face_up}
    assert set(re.findall(r'href="#small-(\w+)"', drawing)) == shown
    assert set(re.findall(r'id="small-(\w+)"', drawing)) == shown
    said = " ".join(told(client, game.get_absolute_url()).values())
    assert game.deal_code
    assert game.deal_code not in said
    assert game.deal_code not in drawing


@pytest.mark.parametrize("rules", HIDDEN, ids=lambda rules: rules.slug)
def test_a_face_down_card_is_no_larger_than_others(rules: Any) -> None:
    """Its white edge is a stroke, half of which lies outside of what is drawn."""
    deal = DealCode(rules, next(iter(rules.variants)), "AAAAABD").deal()
    drawing = plates.plate_of(rules.layout, deal)
    number = r'"([\d.]+)"'
    backs = re.findall(rf'class="back" x={number} y={number} width={number} height={number}', drawing)
    lefts = {float(x) for x in re.findall(rf'class="paper" x={number}', drawing)}
    assert backs
    for _x, _y, width, height in backs:
        assert (float(width) + 6, float(height) + 6) == (plates.WIDTH, plates.HEIGHT)
    assert {float(x) - 3 for x, *_ in backs} & lefts, "on the line of the cards that lie on them"


@pytest.mark.parametrize("name", ['<script>"&', "نورة\u200f 12", "W" * 24, "a" * 1000, "\x00\x1b\ud800", ""])
def test_names_are_text_and_no_markup(name: str) -> None:
    rules = GAMES[0]
    position = DealCode(rules, next(iter(rules.variants)), "AAAAABD").deal()
    drawing = pictures.picture_of(rules, position, name)
    assert "<script" not in drawing
    assert size_of(pictures.png_of(drawing, name)) == (1200, 630)


def test_names_are_isolated_and_escaped_in_titles(client: Client) -> None:
    player = User.objects.create_user('"><b>x', None)
    page = client.get(ended_game(player).get_absolute_url()).content.decode()
    assert '"><b>x' not in page
    assert '\u2068"><b>x\u2069' in unescape(page)


def test_without_a_font_the_name_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    fonts.fonts_for.cache_clear()
    fonts._font_with.cache_clear()
    try:
        rules = GAMES[0]
        position = DealCode(rules, next(iter(rules.variants)), "AAAAABD").deal()
        assert "<text" not in pictures.picture_of(rules, position, "ada")
    finally:
        fonts.fonts_for.cache_clear()
        fonts._font_with.cache_clear()


def test_a_picture_is_drawn_once(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    first = client.get("/picture.png").content
    monkeypatch.setattr("resvg_py.svg_to_bytes", None)
    assert client.get("/picture.png").content == first


def test_the_folder_is_bounded_and_the_longest_unasked_goes_first(
    client: Client, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pictures, "KEPT", 2)
    monkeypatch.setattr("resvg_py.svg_to_bytes", lambda **given: PNG_HEAD)
    rules = GAMES[0]
    codes = [DealCode(rules, next(iter(rules.variants)), f"AAAAAB{letter}") for letter in "ABCDE"]
    for code in codes:
        assert client.get(reverse("deal_picture", args=[code])).status_code == 200
        assert len(list(folder.iterdir())) <= 2
    last = pictures.kept_at(pictures.picture_of(rules, codes[-1].deal()))
    assert last.exists()


def test_a_disk_that_cannot_be_written_costs_only_the_keeping(client: Client, folder: Path) -> None:
    folder.write_text("no folder can be made here")
    assert client.get("/picture.png").status_code == 200


def test_drawing_is_limited_and_what_is_kept_is_not(
    client: Client, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.RATE_LIMIT = True
    monkeypatch.setattr("game.limits.DRAWINGS_A_MINUTE", 0)
    assert client.get("/picture.png").status_code == 429
    settings.RATE_LIMIT = False
    assert client.get("/picture.png").status_code == 200
    settings.RATE_LIMIT = True
    assert client.get("/picture.png").status_code == 200


def test_while_others_are_drawn_for_long_one_is_asked_to_come_back(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pictures, "WAIT_SECONDS", 0.01)
    with pictures._pen:
        answer = client.get("/picture.png")
    assert answer.status_code == 503
    assert answer["Retry-After"]


@pytest.mark.parametrize(
    "path", ["/g/0000000000/picture.png", "/d/nothing/picture.png", "/rules/x/picture.png"]
)
def test_there_is_no_picture_of_nothing(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404


@pytest.mark.parametrize(
    ("headers", "origins", "right"),
    [
        (
            {"host": "localhost:8000"},
            ["http://127.0.0.1:8000", "http://localhost:8000"],
            "http://localhost:8000",
        ),
        # Behind a proxy that speaks TLS, whether or not it says so.
        ({"host": "tableau.example"}, ["https://tableau.example"], "https://tableau.example"),
        ({"host": "tableau.example:8443"}, ["https://tableau.example:8443"], "https://tableau.example:8443"),
        # A port that was not allowed is told to nobody.
        ({"host": "tableau.example:666"}, ["https://tableau.example"], "https://tableau.example"),
    ],
)
def test_whole_addresses_are_those_of_an_allowed_origin(
    client: Client, settings: Any, headers: dict[str, str], origins: list[str], right: str
) -> None:
    settings.ALLOWED_ORIGINS = origins
    settings.ALLOWED_HOSTS = ["localhost", "tableau.example"]
    said = told(client, "/rules/", **headers)
    assert said["og:url"] == f"{right}/rules/"
    assert said["og:image"] == f"{right}/picture.png"


def test_drawing_changes_nothing_in_the_database(client: Client, django_assert_num_queries: Any) -> None:
    guest = make_guest()
    game = running(guest)
    with django_assert_num_queries(1):
        assert client.get(f"/g/{game.code}/picture.png?seq=0").status_code == 200
