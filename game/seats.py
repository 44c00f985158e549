"""Who sits at a socket: read from a session or a ticket, and whether that session still holds.

A socket outlives the request that opened it, so whoever acts on a seat asks again, every time.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Any, Final

from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.core import signing
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from game.models import User

TICKET_SECONDS: Final = 120
_TICKET_SALT: Final = "tableau.ticket"


class SessionOverError(Exception):
    """The session was ended, has expired, or belongs to somebody who may not come in any more."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A person as a socket knows them; without a user an anonymous spectator."""

    user_id: int | None = None
    session_key: str = ""
    name: str = ""

    @property
    def session_digest(self) -> str:
        """A name for the session that opens nothing."""
        return session_digest(self.session_key) if self.session_key else ""


NOBODY: Final = Seat()


def session_digest(session_key: str) -> str:
    """A name for a session that may be told to other processes."""
    return sha256(session_key.encode()).hexdigest()[:32]


def open_sessions() -> QuerySet[Session]:
    """Sessions that have not expired."""
    return Session.objects.filter(expire_date__gt=timezone.now())


def find_seat(session_key: str) -> Seat:
    """The seat that a session cookie stands for; raises `SessionOverError`.

    A session in which nobody has logged in is an anonymous spectator's.
    """
    stored = open_sessions().filter(session_key=session_key).values_list("session_data", flat=True).first()
    if stored is None:
        raise SessionOverError
    session = SessionStore().decode(stored)
    if SESSION_KEY not in session:
        return NOBODY
    user = User.objects.filter(pk=session[SESSION_KEY]).first()
    if user is None or not _lets_in(session, user):
        raise SessionOverError
    return Seat(user.pk, session_key, user.username)


def holds(stored_session: str | None, user: User) -> bool:
    """Whether the data of an open session (None if there is none) let this person act now."""
    return stored_session is not None and _holds(stored_session, user.pk, user.password, user.is_active)


@lru_cache(maxsize=4096)
def _holds(stored_session: str, user_id: int, password: str, is_active: bool) -> bool:
    """The verdict rests on these alone, so the same are looked at once."""
    user = User(pk=user_id, password=password, is_active=is_active)
    return _lets_in(SessionStore().decode(stored_session), user)


def _lets_in(session: dict[str, Any], user: User) -> bool:
    if not user.is_active or session.get(SESSION_KEY) != str(user.pk) or not session.get(BACKEND_SESSION_KEY):
        return False
    written = session.get(HASH_SESSION_KEY, "")
    hashes = [user.get_session_auth_hash(), *user.get_session_auth_fallback_hash()]
    return any(constant_time_compare(written, known) for known in hashes)


Proof = tuple[str | None, str, bool]
"""What a verdict about a seat came from: while it is the same, so is the verdict."""


def ended_among(seats: Iterable[Seat], proofs: dict[Seat, Proof]) -> set[Seat]:
    """Those of the seats of logged-in people whose session holds no more; two queries for any number.

    ``proofs`` are those of an earlier call, by which most seats need no second look; they are brought up
    to date.
    """
    asked = {seat for seat in seats if seat.user_id is not None}
    if not asked:
        return set()
    sessions = dict(
        open_sessions()
        .filter(session_key__in={seat.session_key for seat in asked})
        .values_list("session_key", "session_data")
    )
    people = User.objects.in_bulk({seat.user_id for seat in asked})
    ended: set[Seat] = set()
    for seat in asked:
        stored, user = sessions.get(seat.session_key), people.get(seat.user_id)
        if user is None:
            ended.add(seat)
            continue
        proof = (stored, user.password, user.is_active)
        if proofs.get(seat) == proof or holds(stored, user):
            proofs[seat] = proof
        else:
            ended.add(seat)
    return ended


def ticket_for(request: HttpRequest) -> str:
    """A ticket for the page's socket, good for `TICKET_SECONDS`; empty for who is not logged in."""
    user, key = request.user, request.session.session_key
    if not isinstance(user, User) or not key:
        return ""
    nonce = secrets.token_hex(16)
    return signing.dumps(
        [user.pk, user.username, nonce, _veiled(nonce, key.encode()).hex()], salt=_TICKET_SALT
    )


def read_ticket(ticket: str) -> Seat | None:
    """The seat of a ticket; None for a bad or expired one."""
    try:
        user_id, name, nonce, veiled = signing.loads(ticket, salt=_TICKET_SALT, max_age=TICKET_SECONDS)
        return Seat(user_id, _veiled(nonce, bytes.fromhex(veiled)).decode(), name)
    except (signing.BadSignature, ValueError, TypeError):
        return None


def _veiled(nonce: str, text: bytes) -> bytes:
    """A session key made unreadable, and back: addresses end up in access logs, and this one opens a session.

    The pad comes from the secret key and a nonce that is used once; a session key has 32 letters.
    """
    pad = salted_hmac(_TICKET_SALT, nonce, algorithm="sha512").digest()
    if len(text) > len(pad):
        raise ValueError("a session key is not that long")
    return bytes(letter ^ mask for letter, mask in zip(text, pad, strict=False))
