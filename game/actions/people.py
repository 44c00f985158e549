"""People come and go: sign-up, guests who may choose a name later, log-out, a new password."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from functools import partial

from django.contrib.auth import logout
from django.db import IntegrityError, transaction
from django.http import HttpRequest

from game import broadcast
from game.models import User
from game.preferences import unusual
from game.seats import session_digest
from game.selectors.people import is_taken


class NameTakenError(Exception):
    """Somebody has this name or one that looks like it, or had it not long ago."""


def sign_up(name: str, password: str, *, guest: User | None = None) -> User:
    """A new person, or the guest under a chosen name with everything played so far.

    ``name`` is a checked name, the password a validated one. Raises `NameTakenError`.
    """
    if is_taken(name):
        raise NameTakenError
    try:
        with transaction.atomic():
            if guest is None:
                return User.objects.create_user(name, password)
            guest.be_called(name)
            guest.is_guest = False
            guest.set_password(password)
            guest.save(update_fields=["username", "folded", "look", "is_guest", "password"])
            return guest
    except IntegrityError:
        # Somebody else took it between the look and the write.
        raise NameTakenError from None


def make_guest() -> User:
    """Somebody who plays at once and may choose a name later."""
    for digits in (3, 3, 4, 4, 5, 6, 7, 8, 9, 10):
        number = secrets.randbelow(9 * 10 ** (digits - 1)) + 10 ** (digits - 1)
        try:
            with transaction.atomic():
                return User.objects.create_user(f"guest {number}", None, is_guest=True)
        except IntegrityError:
            continue
    raise NameTakenError


def log_out(request: HttpRequest) -> None:
    """Ends the session of a request, and its open sockets with it."""
    key = request.session.session_key
    logout(request)
    if key:
        transaction.on_commit(partial(broadcast.doubt, session_digest=session_digest(key)))


def change_password(user: User, password: str) -> None:
    """A new password, already validated; every session made with the old one is over."""
    user.set_password(password)
    user.save(update_fields=["password"])


def prefer(user: User, choices: Mapping[str, bool]) -> None:
    """Keeps what a person prefers, every preference by its name."""
    user.preferences = unusual(choices)
    user.save(update_fields=["preferences"])
