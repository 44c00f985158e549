"""Every page at both processes: who may read and change what, and what each answer bears."""

from __future__ import annotations

import asyncio
import http.client
import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from html import escape, unescape
from typing import Final
from urllib.parse import quote

import pytest
from django.urls import reverse

from config.server import MAX_BODY_BYTES
from tests.server.test_forging import everything_forged
from tests.server.test_headers import answer_to_nonsense, check
from tests.server.test_names_shown import NAMES
from tests.server.test_routes import ANYBODY, OPEN, ROUTES
from tests.server.two_processes.conftest import BROKEN
from tests.server.two_processes.pair import Pair
from tests.server.visiting import Visitor, watching
from tests.services import Site

OF_THE_MACHINE: Final = "metrics"
"""Asked for without a proxy."""
WHILE_SOMEBODY_PLAYS: Final = {"tv": "302 302 302 302"}


def headers_of(answer: http.client.HTTPResponse) -> dict[str, str]:
    return {name.lower(): value for name, value in answer.getheaders()}


class World:
    """Four people, an ended game of one of them, and a running one of somebody else."""

    def __init__(self, pair: Pair) -> None:
        self.owner = pair.person("owner")
        self.people = {
            "anonymous": pair.visitor(),
            "other": pair.person("other"),
            "owner": self.owner,
            "staff": pair.staff("boss"),
        }
        self.people["anonymous"].ask("GET", "/accounts/login/")
        self.code = self.owner.start_another()
        somebody = pair.person("somebody")
        self._running = somebody, somebody.start_another()
        asyncio.run(self._play(pair.one))
        found = re.search(r"/d/([\w-]+)/", self._page(f"/g/{self.code}/"))
        assert found
        self.path_of = {"GAME": self.code, "DEAL": found[1]}

    async def _play(self, site: Site) -> None:
        async with watching(site, self.code, self.owner.cookie) as player:
            await player.move(0)
            assert (await player.play("give_up"))["type"] == "accepted"
        player_of_it, code = self._running
        async with watching(site, code, player_of_it.cookie) as player:
            await player.move(0)

    def _page(self, path: str) -> str:
        assert self.owner.ask("GET", path).status == 200
        return self.owner.page

    def path(self, name: str) -> str:
        return reverse(name, args=[self.path_of.get(arg, arg) for arg in ROUTES[name].args])

    def at(self, site: Site, who: str, name: str = "") -> Visitor:
        """Somebody at a process, in whose browser nothing changes."""
        person = self.people[who]
        there = Visitor(site, "" if name == OF_THE_MACHINE else person.address)
        there.cookies = dict(person.cookies)
        return there


@pytest.fixture(scope="module")
def world(pair: Pair) -> World:
    return World(pair)


def test_who_may_read_what_and_reading_changes_nothing_at_either(pair: Pair, world: World) -> None:
    before = pair.digests()

    def walk(site: Site) -> None:
        for name, row in ROUTES.items():
            query = f"?{'&'.join(map('='.join, row.query.items()))}" if row.query else ""
            told = []
            for who in ANYBODY:
                answer = world.at(site, who, name).ask("GET", world.path(name) + query)
                check(headers_of(answer), is_secure=False)
                told.append(str(answer.status))
            assert told == WHILE_SOMEBODY_PLAYS.get(name, row.get).split(), (site.url, name)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(walk, pair.sites))
    assert pair.digests() == before


def test_nothing_is_changed_without_the_forms_token_at_either(pair: Pair, world: World) -> None:
    before = pair.digests()
    sent = {"csrfmiddlewaretoken": world.owner.cookies["csrftoken"]}

    def walk(site: Site) -> None:
        owner = world.at(site, "owner")
        for name in ROUTES:
            answer = world.at(site, "owner", name).send("POST", world.path(name), {})
            assert answer.status == 403, (site.url, name)
            check(headers_of(answer), is_secure=False)
        settings = world.path("settings")
        for method in ("PUT", "PATCH", "DELETE"):
            assert owner.send(method, settings).status == 403
        for origin in ("https://evil.example", "null", f"{site.url}.evil.example", "http://127.0.0.1:1"):
            assert owner.send("POST", settings, sent, Origin=origin).status == 403, origin

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(walk, pair.sites))
    assert pair.digests() == before


def test_what_the_processes_answer_when_something_is_wrong_bears_the_headers(pair: Pair) -> None:
    pair.person("Broken")

    def ask(site: Site, path: str, status: int, body: bytes | None = None, **headers: str) -> None:
        with closing(http.client.HTTPConnection("127.0.0.1", site.port, timeout=20)) as connection:
            connection.request("GET" if body is None else "POST", path, body, headers)
            answer = connection.getresponse()
            assert answer.status == status, path
            check(headers_of(answer), is_secure=False)
            assert "Traceback" not in answer.read().decode(errors="replace")

    for site in pair.sites:
        ask(site, "/", 400, Host="evil.example")
        ask(site, "/games/?after=x", 400)
        for path in ("/nowhere/", "/api/games/0123456789", "/static/none.js", "/static/../manage.py"):
            ask(site, path, 404)
        ask(site, "/accounts/logout/", 405)
        ask(site, "/", 413, b"x" * (MAX_BODY_BYTES + 1))
        status, headers = answer_to_nonsense(site)
        assert status == 400
        check(headers, is_secure=False)
    pair.sql("ALTER TABLE game_tally RENAME TO game_tally_away")
    try:
        for site in pair.sites:
            ask(site, BROKEN, 500)
    finally:
        pair.sql("ALTER TABLE game_tally_away RENAME TO game_tally")


@pytest.mark.parametrize("name", NAMES)
async def test_a_name_is_text_at_the_other_process(pair: Pair, name: str) -> None:
    """R1. Sign-up refuses such a name, and shows it as text; one that is there must do no harm either."""

    def come() -> tuple[Visitor, str]:
        refused = pair.visitor()
        if not name.isalpha():
            assert refused.sign_up(name) == 400
            assert "<script>x" not in refused.page
            assert "<img" not in refused.page
        nameless = f"Nameless {NAMES.index(name)}"
        player = pair.person(nameless)
        pair.sql("UPDATE game_user SET username = %s WHERE username = %s", name, nameless)
        return player, player.start_another()

    player, code = await asyncio.to_thread(come)
    async with watching(pair.one, code, player.cookie) as seen:
        await seen.move(0)

    def look() -> None:
        reader = pair.visitor().at(pair.two)
        for path in ("/live/", f"/g/{code}/", f"/@{quote(name)}/"):
            assert reader.ask("GET", path).status == 200
            assert f"<bdi>{escape(name)}</bdi>" in reader.page, path
            assert "<script>x" not in reader.page, path
            assert "<img" not in reader.page, path
            for title in re.findall(r"<title>(.*?)</title>", reader.page, re.DOTALL):
                assert name not in unescape(title) or f"\u2068{name}\u2069" in unescape(title), path

    await asyncio.to_thread(look)


def test_whatever_fields_are_sent_to_one_nothing_of_a_game_changes_at_the_other(pair: Pair) -> None:
    """B55: each field of every model, posted to every form at both processes in turn."""
    tables = ("game", "logentry", "result", "boardrow", "tally", "weekplayed", "deed")
    kept = "username, is_staff, is_superuser, is_active, is_guest, date_joined, password"
    forger = pair.person("Forger")
    code = forger.start_another()
    reader = pair.visitor().at(pair.two)

    def seen() -> tuple[object, ...]:
        digests = pair.digests()
        assert reader.ask("GET", f"/api/games/{code}").status == 200
        mine = pair.sql(f"SELECT {kept} FROM game_user WHERE username = 'Forger'")  # noqa: S608
        return mine, reader.page, *(digests[f"game_{table}"] for table in tables)

    before = seen()
    wrong = everything_forged() | {"old_password": "wrong", "new_password1": "x", "new_password2": "x"}
    paths = ("/games/", "/accounts/password/", "/accounts/delete/", "/accounts/signup/", "/accounts/login/")
    for path in (
        *paths,
        "/settings/",
        "/find/",
        f"/g/{code}/",
        f"/api/games/{code}",
        "/boards/",
        "/@Forger/",
    ):
        for site in pair.sites:
            wrong["csrfmiddlewaretoken"] = forger.cookies["csrftoken"]
            assert forger.at(site).send("POST", path, wrong).status in (302, 400, 405), path
    assert seen() == before
    assert forger.at(pair.two).ask("GET", "/history/").status == 200


def test_who_may_change_what_at_either(pair: Pair, world: World) -> None:
    """The last of these tests: it logs everybody out."""

    def post(site: Site, name: str) -> None:
        told = []
        for who in ANYBODY:
            answer = world.at(site, who, name).ask("POST", world.path(name))
            check(headers_of(answer), is_secure=False)
            told.append(str(answer.status))
        assert told == ROUTES[name].post.split(), (site.url, name)

    def walk(site: Site) -> None:
        for name, row in ROUTES.items():
            if name != "logout" and row.post != OPEN.post:
                post(site, name)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(walk, pair.sites))
    for site in pair.sites:
        post(site, "logout")


def test_what_is_closed_to_the_world(pair: Pair) -> None:
    boss, person = pair.staff("Boss of all"), pair.person("Person")
    for site in pair.sites:
        assert person.at(site).ask("GET", "/status/").status == 404
        assert person.at(site).ask("GET", "/admin/").status in (302, 403, 404)
        assert person.at(site).ask("GET", "/metrics").status == 404
        assert Visitor(site).ask("GET", "/metrics").status == 200
        assert person.at(site).ask("GET", "/readyz").status == 200
        assert boss.at(site).ask("GET", "/admin/game/result/").status == 200
        assert boss.at(site).ask("GET", "/admin/game/result/add/").status == 403
