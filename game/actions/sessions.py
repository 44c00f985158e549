"""Password change, ban and deletion end the sockets of an account, wherever in the code they are made."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.db import transaction
from django.db.models.signals import post_delete, post_save
from django.dispatch import receiver

from game import broadcast
from game.models import User


@receiver([post_save, post_delete], sender=User)
def doubt_account(instance: User, *, created: bool = False, **kwargs: Any) -> None:
    """A person's row changed, or is gone: whether its sessions still hold is read after the commit."""
    if not created:
        transaction.on_commit(partial(broadcast.doubt, user_id=instance.pk), robust=True)
