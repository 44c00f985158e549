"""Who a socket belongs to, and that it ends with the session."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.test import Client as Browser
from django.utils import timezone

from game.actions import accounts
from game.actions.people import change_password
from game.models import Game, User
from game.seats import TICKET_SECONDS, read_ticket, ticket_for
from game.sessions import Sessions
from tests.server.conftest import Person, away
from tests.server.watching import Client

Start = Callable[..., Game]
People = Callable[..., Person]


def ticket_of(person: Person) -> str:
    """The ticket that a page would hand to this person."""
    request = HttpRequest()
    request.user = person.user
    request.session = person.session
    return ticket_for(request)


async def role(game: Game, **handshake: Any) -> str:
    """As what somebody is welcomed."""
    async with Client(game.code, **handshake) as client:
        return str((await client.next("welcome"))["role"])


async def test_identity_comes_from_the_cookie(ada: Person, person: People, start: Start) -> None:
    game = start(ada)
    assert await role(game, cookies=ada.cookies) == "player"
    assert await role(game, cookies=person("Bob").cookies) == "spectator"
    assert await role(game) == "spectator"


async def test_a_ticket_saves_the_look_up(ada: Person, start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    game = start(ada)
    monkeypatch.setattr("game.consumers.find_seat", lambda key: pytest.fail("looked up"))
    assert await role(game, cookies=ada.cookies, ticket=ticket_of(ada)) == "player"


async def test_a_ticket_alone_is_enough(ada: Person, start: Start) -> None:
    game = start(ada)
    async with Client(game.code, ticket=ticket_of(ada)) as player:
        assert (await player.next("welcome"))["role"] == "player"
        await player.accepted(player.a_move())


async def test_where_ticket_and_cookie_differ_the_cookie_counts(
    ada: Person, person: People, start: Start
) -> None:
    game = start(ada)
    bob = person("Bob")
    assert await role(game, cookies=bob.cookies, ticket=ticket_of(ada)) == "spectator"
    assert await role(game, cookies=ada.cookies, ticket=ticket_of(bob)) == "player"


@pytest.mark.parametrize("ticket", ["", "x", "a:b:c", "%00"])
async def test_a_bad_ticket_counts_as_absent(ada: Person, start: Start, ticket: str) -> None:
    game = start(ada)
    assert await role(game, ticket=ticket) == "spectator"
    assert await role(game, cookies=ada.cookies, ticket=ticket) == "player"


async def test_an_expired_ticket_counts_as_absent(ada: Person, start: Start) -> None:
    ticket = ticket_of(ada)
    assert read_ticket(ticket) == ada.seat
    with time_machine.travel(timezone.now() + timedelta(seconds=TICKET_SECONDS + 2)):
        assert read_ticket(ticket) is None


def test_a_ticket_does_not_show_the_session_key(ada: Person) -> None:
    assert ada.key not in ticket_of(ada)
    assert ticket_of(ada) != ticket_of(ada)
    request = HttpRequest()
    request.user = AnonymousUser()
    request.session = ada.session
    assert ticket_for(request) == ""


@pytest.mark.parametrize("key", ["0" * 32, "garbage;", "x" * 500, "ł"])
async def test_a_session_that_is_over_is_accepted_then_4003(ada: Person, start: Start, key: str) -> None:
    async with Client(start(ada).code, cookies={"sessionid": key}) as client:
        bye, code = await client.bye()
        assert client.is_accepted
        assert (bye["code"], bye["retry_ms"], code) == (4003, None, 4003)


async def test_a_session_without_a_person_is_an_anonymous_spectators(ada: Person, start: Start) -> None:
    game = start(ada)
    away(ada.session.flush)
    ada.session["other"] = 1
    away(ada.session.create)
    assert await role(game, cookies={"sessionid": str(ada.session.session_key)}) == "spectator"


def log_out(person: Person) -> None:
    browser = Browser()
    browser.cookies["sessionid"] = person.key
    assert browser.post("/accounts/logout/").status_code == 302


def new_password(person: Person) -> None:
    change_password(User.objects.get(pk=person.user.pk), "another fine password")


def ban(person: Person) -> None:
    accounts.ban(User.objects.get(pk=person.user.pk))


def delete(person: Person) -> None:
    accounts.delete_account(User.objects.get(pk=person.user.pk))


def ban_behind_the_back(person: Person) -> None:
    User.objects.filter(pk=person.user.pk).update(is_active=False)


def end_behind_the_back(person: Person) -> None:
    person.session.delete(person.key)


@pytest.mark.parametrize("end", [log_out, new_password, ban, ban_behind_the_back, end_behind_the_back])
async def test_the_end_of_a_session_ends_its_sockets_within_2_s(
    ada: Person, person: People, start: Start, end: Callable[[Person], None]
) -> None:
    game = start(ada)
    bob = person("Bob")
    async with (
        Client(game.code, cookies=ada.cookies) as one,
        Client(game.code, cookies=ada.cookies) as two,
        Client(game.code, cookies=bob.cookies) as other,
    ):
        for client in (one, two, other):
            await client.next("welcome")
        await asyncio.to_thread(away, end, ada)
        for client in (one, two):
            bye, code = await client.bye(seconds=2)
            assert (bye["code"], bye["reason"], bye["retry_ms"], code) == (4003, "session", None, 4003)
        assert await other.silence() == []
        assert not other.closed.done()


async def test_a_deleted_accounts_sockets_end(ada: Person, person: People, start: Start) -> None:
    """At its own table, whose game is given up before everybody's eyes, and where it looked on."""
    bob = person("Bob")
    own, other = start(bob), start(ada)
    async with (
        Client(own.code, cookies=bob.cookies) as player,
        Client(other.code, cookies=bob.cookies) as spectator,
        Client(own.code) as stranger,
    ):
        for client in (player, spectator, stranger):
            await client.next("welcome")
        await asyncio.to_thread(away, delete, bob)
        for client in (player, spectator):
            assert (await client.bye(seconds=2))[1] == 4003
        assert (await stranger.next("update"))["status"] == "given_up"
        assert not stranger.closed.done()


async def test_log_out_ends_the_sockets_of_that_session_only(ada: Person, start: Start) -> None:
    game = start(ada)
    elsewhere = away(Person, ada.user)
    async with (
        Client(game.code, cookies=ada.cookies) as here,
        Client(game.code, cookies=elsewhere.cookies) as there,
    ):
        await here.next("welcome")
        await there.next("welcome")
        await asyncio.to_thread(away, log_out, ada)
        assert (await here.bye(seconds=2))[1] == 4003
        await there.accepted(there.a_move())


@pytest.mark.parametrize(
    "end", [log_out, new_password, ban, delete, ban_behind_the_back, end_behind_the_back]
)
async def test_the_next_command_is_refused_at_once_with_not_yours(
    ada: Person, start: Start, end: Callable[[Person], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def deaf(*_: object) -> None: ...

    monkeypatch.setattr(Sessions, "_check", deaf)
    game = start(ada)
    async with Client(game.code, cookies=ada.cookies) as player:
        await player.next("welcome")
        move = player.a_move()
        await asyncio.to_thread(away, end, ada)
        assert await player.refused(move) == "not_yours"
        assert (await player.bye())[1] == 4003


async def test_a_log_in_or_a_new_name_ends_nothing(ada: Person, start: Start) -> None:
    game = start(ada)
    async with Client(game.code, cookies=ada.cookies) as player:
        await player.next("welcome")
        await asyncio.to_thread(away, lambda: User.objects.get().save())
        await asyncio.to_thread(away, lambda: Browser().force_login(ada.user))
        assert await player.silence(0.5) == []
        await player.accepted(player.a_move())
