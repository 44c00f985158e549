"""The application, as Django knows it."""

from __future__ import annotations

from django.apps import AppConfig


class GameConfig(AppConfig):
    """Connects what listens to changes of people's rows."""

    name = "game"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # Models are there only now.
        from game.actions import sessions  # noqa: F401, PLC0415
