"""What must hold wherever somebody comes in: two processes on one Postgres and Redis, as in production."""

from __future__ import annotations

import asyncio
import contextlib
import json
import shutil
import time
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from typing import NamedTuple

import psycopg
import pytest
import websockets
from websockets.asyncio.client import ClientConnection, connect

from game.door import SOCKETS_AN_ACCOUNT
from game.limits import LOGINS_A_MINUTE
from tests.conftest import default_set_up
from tests.server.visiting import PASSWORD, Seen, Visitor, watching
from tests.services import RedisServer, Site, new_database

pytestmark = pytest.mark.skipif(
    default_set_up() == "embedded", reason="needs Postgres and Redis: bin/test --production"
)

addresses = count(1)
ENDS = ["logout", "new-key", "ban", "deletion"]


class Pair(NamedTuple):
    """Both processes, and what they share."""

    one: Site
    two: Site
    redis: RedisServer

    def visitor(self) -> Visitor:
        """Somebody new, at the first process, from an address of their own."""
        return Visitor(self.one, f"192.0.2.{next(addresses)}")

    def person(self, name: str) -> Visitor:
        """Somebody who has just signed up at the first process."""
        made = self.visitor()
        assert made.sign_up(name) == 302
        return made

    def staff(self, name: str) -> Visitor:
        """Somebody who runs the site."""
        made = self.person(name)
        raised = "UPDATE game_user SET is_staff = true, is_superuser = true WHERE username = %s"
        with psycopg.connect(self.one.settings["DATABASE_URL"], autocommit=True) as connection:
            connection.execute(raised, [name])
        return made


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory, prepared_var: Path, postgres_url: str) -> Iterator[Pair]:
    redis = RedisServer(tmp_path_factory.mktemp("redis"))
    redis.start()
    settings = {
        "DATABASE_URL": new_database(postgres_url),
        "REDIS_URL": redis.url,
        "SECRET_KEY": "the same at both",
        "ALLOWED_ORIGINS": "http://127.0.0.1",
        "TRUSTED_PROXIES": "127.0.0.1",
    }
    folder = tmp_path_factory.mktemp("pair")
    one = Site(folder, settings)
    two = Site(folder, one.settings)
    shutil.copytree(prepared_var, one.settings["VAR"])
    try:
        one.start()
        two.start()
        yield Pair(one, two, redis)
        for site in (one, two):
            for failure in ("unforeseen end", "Internal Server Error"):
                assert failure not in site.tail(1 << 20), site.tail(1 << 20)
    finally:
        for process in (one, two, redis):
            process.resume()
            process.end()


@contextlib.asynccontextmanager
async def socket_of(
    site: Site, code: str, visitor: Visitor | None = None, origin: str = ""
) -> AsyncIterator[ClientConnection]:
    headers = {"Cookie": visitor.cookie, "X-Forwarded-For": visitor.address} if visitor else {}
    address = f"{site.ws_url}/ws/game/{code}/?v=1"
    async with connect(
        address, origin=websockets.Origin(origin or site.url), additional_headers=headers
    ) as socket:
        yield socket


async def first_word(socket: ClientConnection) -> dict[str, object]:
    async with asyncio.timeout(20):
        told: dict[str, object] = json.loads(await socket.recv())
    return told


def end_session(pair: Pair, person: Visitor, name: str, how: str) -> None:
    """Ends it at the first process, in one of the ways there are; the command that bans has no sockets."""
    if how == "ban":
        assert "may come in no more" in pair.one.manage("ban", name)
    elif how == "logout":
        assert person.ask("POST", "/accounts/logout/").status == 302
    elif how == "deletion":
        assert person.ask("POST", "/accounts/delete/", password=PASSWORD).status == 200
    else:
        elsewhere = Visitor(pair.one, person.address)
        assert elsewhere.log_in(name) == 302
        fields = {"new_password1": "an even finer one", "new_password2": "an even finer one"}
        assert elsewhere.ask("POST", "/accounts/password/", old_password=PASSWORD, **fields).status == 302


@pytest.mark.parametrize("redis", ["answers", "hangs"])
async def test_every_end_of_a_session_ends_its_socket_at_the_other_process(pair: Pair, redis: str) -> None:
    """Within 2 s, or 60 s without Redis, with room for a busy machine; a command in between is refused."""
    names = {how: f"{how}-{redis}" for how in ENDS}
    people = {how: await asyncio.to_thread(pair.person, names[how]) for how in ENDS}
    codes = {how: await asyncio.to_thread(people[how].start_another) for how in ENDS}
    is_seated = asyncio.Barrier(len(ENDS) + 1)

    async def ends(how: str) -> tuple[float, float]:
        where = (pair.two, codes[how], people[how].cookie)
        async with watching(*where) as player, watching(*where) as silent:
            await player.move(0)
            await is_seated.wait()
            await asyncio.to_thread(end_session, pair, people[how], names[how], how)
            begun = time.monotonic()
            with contextlib.suppress(websockets.ConnectionClosed):
                player.answers.put_nowait(await player.play("undo"))
            return await until_bye(player, begun), await until_bye(silent, begun)

    async def until_bye(seen: Seen, begun: float) -> float:
        async with asyncio.timeout(60 if redis == "hangs" else 20):
            while (answer := await seen.answers.get())["type"] == "refused":
                assert answer["code"] == "not_yours"
            assert (answer["type"], answer["code"]) == ("bye", 4003)
            await seen.task
        assert seen.socket.close_code == 4003
        return time.monotonic() - begun

    ending = asyncio.gather(*map(ends, ENDS))
    async with asyncio.timeout(60):
        await is_seated.wait()
    try:
        if redis == "hangs":
            pair.redis.pause()
        took = dict(zip(ENDS, await ending, strict=True))
    finally:
        pair.redis.resume()
    print(
        f"Redis {redis}:",
        {how: f"{playing:.2f} and {silent:.2f} s" for how, (playing, silent) in took.items()},
    )


async def comes_in(site: Site, code: str, visitor: Visitor, stack: contextlib.AsyncExitStack) -> bool:
    """Whether one more socket of theirs is welcomed; then it stays until the stack ends."""
    socket = socket_of(site, code, visitor)
    told = await first_word(await socket.__aenter__())
    if told["type"] == "welcome":
        stack.push_async_exit(socket)
        return True
    assert (told["code"], told["reason"]) == (4029, "sockets")
    await socket.__aexit__(None, None, None)
    return False


async def is_let_in(site: Site, code: str, visitor: Visitor, *, wanted: bool) -> None:
    """Returns once one more socket is let in, or is not; raises `TimeoutError`."""
    async with asyncio.timeout(40):
        while True:
            async with contextlib.AsyncExitStack() as stack:
                if await comes_in(site, code, visitor, stack) is wanted:
                    return
            await asyncio.sleep(0.2)


async def test_the_sockets_of_an_account_are_counted_over_both_and_end_with_a_killed_process(
    pair: Pair,
) -> None:
    """Not while Redis is away: then each counts for itself, and nobody waits or is refused."""
    ada = await asyncio.to_thread(pair.person, "Ada")
    code = await asyncio.to_thread(ada.start_another)
    async with contextlib.AsyncExitStack() as stack, contextlib.AsyncExitStack() as at_two:
        for number in range(SOCKETS_AN_ACCOUNT):
            site, its = (pair.two, at_two) if number < 8 else (pair.one, stack)
            assert await comes_in(site, code, ada, its)
        for site in (pair.one, pair.two):
            await is_let_in(site, code, ada, wanted=False)
        await at_two.aclose()
        await is_let_in(pair.one, code, ada, wanted=True)
        async with asyncio.timeout(40):
            seated = 0
            while seated < 8:
                seated += await comes_in(pair.two, code, ada, at_two)

        pair.redis.pause()
        begun = time.monotonic()
        for _ in range(SOCKETS_AN_ACCOUNT - 8):
            assert await comes_in(pair.two, code, ada, at_two)
        print(f"12 sockets while Redis hangs: {time.monotonic() - begun:.2f} s")
        assert not await comes_in(pair.two, code, ada, at_two), "its own count holds"
        pair.redis.resume()

        pair.two.kill9()
        begun = time.monotonic()
        await is_let_in(pair.one, code, ada, wanted=True)
        print(f"places of a killed process were free after {time.monotonic() - begun:.2f} s")
    await asyncio.to_thread(pair.two.start)


def test_guesses_at_passwords_are_counted_over_both(pair: Pair) -> None:
    eve = pair.visitor()
    home = pair.person("Eva")
    assert home.ask("POST", "/accounts/logout/").status == 302
    tries = 0
    while Visitor((pair.one, pair.two)[tries % 2], eve.address).log_in("Eva", "wrong") == 400:
        tries += 1
        assert tries <= 2 * LOGINS_A_MINUTE, "a new minute may have begun, once"
    assert tries >= LOGINS_A_MINUTE
    for site in (pair.one, pair.two):
        # What leaks out meanwhile is less than is tried.
        assert 429 in [Visitor(site, eve.address).log_in("Eva", "wrong") for _ in range(3)]
        assert Visitor(site, f"192.0.2.{next(addresses)}").log_in("Eva") == 302
    home.address = eve.address
    assert home.at(pair.two).log_in("Eva") == 302, "at home, by whichever process"


def test_of_two_who_want_a_name_at_two_processes_one_gets_it(pair: Pair) -> None:
    for name, alike in (("Istanbul", "İSTANBUL"), ("Zoë", "ZOË"), ("paypal", "PayPal")):
        both = [pair.visitor(), pair.visitor().at(pair.two)]
        with ThreadPoolExecutor(2) as pool:
            answers = list(pool.map(Visitor.sign_up, both, (name, alike)))
        assert sorted(answers) == [302, 400], (name, answers)


def test_a_session_is_renewed_and_ended_at_both(pair: Pair) -> None:
    person = pair.person("Renata")
    first = person.cookies["sessionid"]
    assert person.at(pair.two).ask("GET", "/history/").status == 200
    assert person.ask("POST", "/accounts/logout/").status == 302
    assert person.at(pair.two).log_in("Renata") == 302
    assert person.cookies["sessionid"] != first
    thief = Visitor(pair.two, person.address)
    thief.cookies["sessionid"] = first
    assert thief.ask("GET", "/history/").status == 302
    elsewhere = Visitor(pair.two, person.address)
    assert elsewhere.log_in("Renata") == 302
    person.ask("GET", "/accounts/password/")
    fields = {"new_password1": "an even finer one", "new_password2": "an even finer one"}
    assert person.ask("POST", "/accounts/password/", old_password=PASSWORD, **fields).status == 302
    assert elsewhere.at(pair.one).ask("GET", "/history/").status == 302
    assert person.at(pair.two).ask("GET", "/history/").status == 200


def test_what_is_kept_of_a_person_and_what_stays_of_one_who_goes(pair: Pair) -> None:
    bob = pair.person("Bogdan")
    code = bob.start_another()
    at_two = bob.at(pair.two)
    assert at_two.ask("GET", "/accounts/export/").status == 200
    kept = json.loads(at_two.page)
    assert kept["name"] == "Bogdan"
    assert code in json.dumps(kept["games"])
    assert bob.ask("POST", "/accounts/delete/", password=PASSWORD).status == 200
    stranger = pair.visitor().at(pair.two)
    assert stranger.ask("GET", f"/g/{code}/").status == 200
    assert "Bogdan" not in stranger.page
    assert stranger.ask("GET", "/@Bogdan/").status == 404
    assert stranger.sign_up("BOGDAN") == 400


async def test_an_unlisted_game_is_found_by_its_address_alone(pair: Pair) -> None:
    carl = await asyncio.to_thread(pair.person, "Carl")
    codes = [await asyncio.to_thread(carl.start_another) for _ in range(2)]
    for code in codes:
        async with watching(pair.one, code, carl.cookie) as player:
            await player.move(0)
    listed, hidden = codes
    sent = await asyncio.to_thread(carl.ask, "POST", f"/g/{hidden}/unlisted/", unlisted="on")
    assert sent.status == 302
    reader = pair.visitor().at(pair.two)

    def read() -> None:
        reader.ask("GET", "/live/")
        assert (listed in reader.page, hidden in reader.page) == (True, False)
        assert reader.ask("GET", f"/g/{hidden}/").status == 200
        for code in ("0123456789", "nonsense"):
            assert reader.ask("GET", f"/g/{code}/").status == 404

    await asyncio.to_thread(read)


async def test_only_the_player_plays_and_only_ours_may_open_a_socket(pair: Pair) -> None:
    """B19, B33, B38, B46 and R7 at a process where nobody logged in."""
    player, other = await asyncio.to_thread(lambda: (pair.person("Petra"), pair.person("Olga")))
    code = await asyncio.to_thread(player.start_another)
    second = await asyncio.to_thread(player.start_another)
    ours, port = pair.two.url, pair.two.port
    hostile = [
        ours.replace("http", "https"),
        f"http://127.0.0.1.example:{port}",
        f"http://evil.127.0.0.1:{port}",
    ]
    for origin in ("null", "http://127.0.0.1:1", f"http://evil.example/{ours}", *hostile):
        with pytest.raises(websockets.InvalidStatus) as refused:
            async with socket_of(pair.two, code, player, origin):
                pass
        assert refused.value.response.status_code == 403
    for unknown in ("0123456789", "undefined"):
        async with socket_of(pair.two, unknown, player) as socket:
            assert (await first_word(socket))["code"] == 4004
    async with (
        watching(pair.two, code, player.cookie) as mine,
        watching(pair.two, second, player.cookie) as next_,
    ):
        for cookie in ("", other.cookie):
            async with watching(pair.two, code, cookie) as spectator:
                for command in ("undo", "give_up", "t1-t2"):
                    assert (await spectator.play(command))["code"] == "not_yours"
                await spectator.socket.send("{")
                assert (await spectator.answers.get())["code"] == "malformed"
        await mine.move(0)
        await next_.reaches(0, 10)
        assert (await next_.play("undo"))["type"] == "refused", "nothing was done there"


def test_what_is_closed_to_the_world(pair: Pair) -> None:
    boss, person = pair.staff("Boss"), pair.person("Person")
    for site in (pair.one, pair.two):
        assert person.at(site).ask("GET", "/status/").status == 404
        assert person.at(site).ask("GET", "/admin/").status in (302, 403, 404)
        assert person.at(site).ask("GET", "/metrics").status == 404
        assert Visitor(site).ask("GET", "/metrics").status == 200
        assert person.at(site).ask("GET", "/readyz").status == 200
        assert boss.at(site).ask("GET", "/admin/game/result/").status == 200
        assert boss.at(site).ask("GET", "/admin/game/result/add/").status == 403


def test_each_process_knows_of_the_other_and_whether_redis_answers(pair: Pair) -> None:
    boss = pair.staff("Chief")
    deadline = time.monotonic() + 40
    while not all(f":{site.port}" in boss.page for site in (pair.one, pair.two)):
        assert time.monotonic() < deadline, boss.page
        time.sleep(0.5)
        assert boss.ask("GET", "/status/").status == 200
    pair.redis.pause()
    try:
        for site in (pair.one, pair.two):
            assert boss.at(site).ask("GET", "/readyz").status == 503
            assert boss.at(site).ask("GET", "/healthz").status == 200
    finally:
        pair.redis.resume()
