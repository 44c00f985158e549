"""Password hashing that cannot eat the machine."""

from __future__ import annotations

from threading import BoundedSemaphore
from typing import Any, Final

from django.contrib.auth.hashers import Argon2PasswordHasher

_AT_ONCE: Final = BoundedSemaphore(2)


class BoundedArgon2PasswordHasher(Argon2PasswordHasher):
    """Argon2 with Django's defaults, two at a time: each takes 100 MB for a fifth of a second."""

    def encode(self, *args: Any, **kwargs: Any) -> str:
        with _AT_ONCE:
            return super().encode(*args, **kwargs)

    def verify(self, *args: Any, **kwargs: Any) -> bool:
        with _AT_ONCE:
            return super().verify(*args, **kwargs)
