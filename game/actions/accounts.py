"""What becomes of an account: closed for a while, opened again, called otherwise, deleted.

Each ends the open sockets of the account where it ends its sessions: `actions.sessions` hears of it.
"""

from __future__ import annotations

import secrets
from datetime import timedelta
from typing import Final

from django.db import IntegrityError, transaction
from django.utils import timezone

from game.actions.people import NameTakenError
from game.actions.play import give_up
from game.models import Game, KeptName, User
from game.names import GIVEN
from game.selectors.people import is_taken

NAME_KEPT_FOR: Final = timedelta(days=180)
"""So long nobody is given the name of a deleted account: who remembers it would take one for the other."""
_NAMES_TRIED: Final = 20


def ban(person: User) -> None:
    """Lets somebody in no more; their name, games and results stay."""
    person.is_active = False
    person.save(update_fields=["is_active"])


def admit(person: User) -> None:
    """Ends a ban; they log in anew. A deleted account has no password by which that could be done."""
    person.is_active = True
    person.save(update_fields=["is_active"])


def rename(person: User, name: str) -> None:
    """Gives somebody another name, a checked one; raises `NameTakenError`. Sessions and sockets stay."""
    if is_taken(name, but_for=person):
        raise NameTakenError
    try:
        with transaction.atomic():
            person.be_called(name)
            person.save(update_fields=["username", "folded", "look"])
    except IntegrityError:
        # Somebody else took it between the look and the write.
        person.refresh_from_db()
        raise NameTakenError from None


def delete_account(person: User) -> None:
    """Forgets who somebody was, at once and for good.

    What was played stays, under a neutral name, so that boards and replays of others stay right; a running
    game is given up. The name is kept back for `NAME_KEPT_FOR`.
    """
    with transaction.atomic():
        # Whatever they start at the same moment waits here, and is then refused.
        person = User.objects.select_for_update(no_key=True).get(pk=person.pk)
        running = Game.objects.filter(player=person, ended_at=None)
        for game in running.order_by("pk").values_list("pk", flat=True):
            give_up(game)
        _keep_back(person)
        person.set_unusable_password()
        person.is_active = person.is_staff = person.is_superuser = False
        person.preferences = None
        person.last_login = None
        person.groups.clear()
        person.user_permissions.clear()
        _be_nobody(person)


def _keep_back(person: User) -> None:
    now = timezone.now()
    KeptName.objects.filter(until__lte=now).delete()
    if not GIVEN.fullmatch(person.folded):
        kept = {"look": person.look or person.folded, "until": now + NAME_KEPT_FOR}
        KeptName.objects.update_or_create(folded=person.folded, defaults=kept)


def _be_nobody(person: User) -> None:
    """Saves a person under a neutral name that nobody has."""
    for attempt in range(_NAMES_TRIED):
        digits = 3 + attempt // 2
        person.be_called(f"deleted {secrets.randbelow(9 * 10 ** (digits - 1)) + 10 ** (digits - 1)}")
        try:
            with transaction.atomic():
                person.save()
        except IntegrityError:
            continue
        return
    raise NameTakenError
