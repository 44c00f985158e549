"""The application, as Django knows it."""

from __future__ import annotations

import gc

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in


class GameConfig(AppConfig):
    """Connects what listens to changes of people's rows."""

    name = "game"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # `manage.py` had the collector rest. What is loaded by now stays for good.
        gc.freeze()
        gc.enable()
        # Models are there only now.
        from game.actions import sessions  # noqa: F401, PLC0415

        # When somebody was here last is nobody's business: Django would write it down.
        user_logged_in.disconnect(dispatch_uid="update_last_login")
