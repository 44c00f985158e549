"""What operators do to people and results. Each thing leaves its trail, in the transaction that does it."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Final

from django.db import transaction
from django.utils import timezone

from game.actions import accounts, boards, people, results
from game.models import Deed, Game, Result, Unranked, User

PASSWORD_BYTES: Final = 12


@dataclass(frozen=True, slots=True)
class Hand:
    """Who does something, and why."""

    by: str
    because: str


class NothingToDoError(Exception):
    """It is so already, or cannot be; the text says which."""


def ban(person: User, hand: Hand) -> None:
    """Lets somebody in no more; raises `NothingToDoError`."""
    if not person.is_active:
        raise NothingToDoError("This account is closed already.")
    with transaction.atomic():
        accounts.ban(person)
        _note(Deed.Kind.BAN, hand, person)


def admit(person: User, hand: Hand) -> None:
    """Ends a ban; raises `NothingToDoError`."""
    if person.is_active:
        raise NothingToDoError("This account is open.")
    with transaction.atomic():
        accounts.admit(person)
        _note(Deed.Kind.ADMIT, hand, person)


def rename(person: User, name: str, hand: Hand) -> None:
    """Gives somebody another name, a checked one; raises `NameTakenError`."""
    with transaction.atomic():
        accounts.rename(person, name)
        _note(Deed.Kind.RENAME, hand, person)


def reset_password(person: User, hand: Hand) -> str:
    """Gives somebody a new password and returns it; all their sessions end. Raises `NothingToDoError`."""
    if not person.has_usable_password():
        raise NothingToDoError("A guest or a deleted account has no password.")
    password = secrets.token_urlsafe(PASSWORD_BYTES)
    with transaction.atomic():
        people.change_password(person, password)
        _note(Deed.Kind.PASSWORD, hand, person)
    return password


def remove_result(game: Game, hand: Hand) -> None:
    """Takes a win off the boards: it stays a win that does not count. Raises `NothingToDoError`."""
    with transaction.atomic():
        game = _locked(game)
        if not (game.is_over and game.ranked):
            raise NothingToDoError("This game is no win that counts.")
        _count(game, ranked=False, because=Unranked.REMOVED)
        _note(Deed.Kind.REMOVE, hand, game.player, game)


def put_back_result(game: Game, hand: Hand) -> None:
    """Undoes `remove_result`; raises `NothingToDoError`."""
    with transaction.atomic():
        game = _locked(game)
        if game.unranked_because != Unranked.REMOVED:
            raise NothingToDoError("The result of this game was not removed.")
        _count(game, ranked=True, because="")
        _note(Deed.Kind.PUT_BACK, hand, game.player, game)


def _locked(game: Game) -> Game:
    return Game.objects.select_for_update(of=("self",)).select_related("player").get(pk=game.pk)


def _count(game: Game, *, ranked: bool, because: str) -> None:
    """Has a win count, or not, and everything that was reckoned from it follow."""
    game.ranked, game.unranked_because = ranked, because
    game.save(update_fields=["ranked", "unranked_because"])
    Result.objects.filter(game=game).update(ranked=ranked)
    boards.rebuild(game.player_id, game.rules_slug, game.variant)
    results.recount(game.player_id, game.rules_slug, game.variant)


def _note(kind: Deed.Kind, hand: Hand, person: User, game: Game | None = None) -> None:
    Deed.objects.create(
        at=timezone.now(), by=hand.by, kind=kind, person=person, game=game, because=hand.because
    )
