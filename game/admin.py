"""The operators' pages: people can be kept out here, all else only looked at.

Who comes in has logged in where everybody does, so that the limits hold here too. What a game hides from its
player is not shown to operators either: they play as well.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final

from django.contrib import admin
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from game.actions import operators, people
from game.models import BoardRow, Deed, Game, Result, Tally, User


class Office(admin.AdminSite):
    """The site of these pages."""

    site_header = site_title = "Tableau"
    index_title = ""

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        onward = request.GET.get("next", reverse("admin:index"))
        if self.has_permission(request):
            return redirect("admin:index")
        if request.user.is_authenticated:
            raise PermissionDenied
        return redirect_to_login(onward, reverse("login"))

    def logout(  # type: ignore[override]  # any answer will do
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        people.log_out(request)
        return redirect("home")

    def password_change(  # type: ignore[override]
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        return redirect("password")


office: Final = Office(name="admin")


class Shown(admin.ModelAdmin):  # type: ignore[type-arg]  # it takes no argument when it runs
    """Rows that are looked at and never changed: what they say comes out of the log."""

    show_full_result_count = False
    list_per_page = 50

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(Game, site=office)
class GameAdmin(Shown):
    fields = (
        *("code", "player", "rules_slug", "rules_version", "variant", "status", "ranked", "unranked_because"),
        "unlisted",
        *("score", "moves", "seq", "ply", "created_at", "last_command_at", "ended_at"),
    )
    list_display = ("code", "player", "rules_slug", "variant", "status", "score", "moves", "created_at")
    list_select_related = ("player",)
    list_filter = ("rules_slug", "status")
    search_fields = ("code", "player__folded")
    ordering = ("-id",)


@admin.register(Result, site=office)
class ResultAdmin(Shown):
    list_display = ("game", "player", "rules_slug", "variant", "ranked", "score", "elapsed_ms", "ended_at")
    list_select_related = ("game", "player")
    search_fields = ("game__code", "player__folded")
    ordering = ("-game_id",)


@admin.register(BoardRow, site=office)
class BoardRowAdmin(Shown):
    list_display = ("rules_slug", "variant", "period", "starts", "player", "value", "ended_at")
    list_select_related = ("player",)
    list_filter = ("rules_slug", "period")
    search_fields = ("player__folded",)
    ordering = ("-id",)


@admin.register(Tally, site=office)
class TallyAdmin(Shown):
    list_display = ("player", "rules_slug", "variant", "played", "won", "counted", "counted_won")
    list_select_related = ("player",)
    search_fields = ("player__folded",)
    ordering = ("-id",)


@admin.register(User, site=office)
class PersonAdmin(Shown):
    """Whether somebody may come in is all that can be changed; rights are given by the command line."""

    fields = ("username", "is_active", "is_guest", "is_staff", "is_superuser", "date_joined")
    readonly_fields = ("username", "is_guest", "is_staff", "is_superuser", "date_joined")
    list_display = ("username", "is_active", "is_guest", "is_staff", "date_joined")
    list_filter: ClassVar[tuple[str, ...]] = ("is_active", "is_guest", "is_staff")
    search_fields = ("folded",)
    ordering = ("-id",)

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        may_change = admin.ModelAdmin.has_change_permission(self, request, obj)
        is_above = (
            isinstance(obj, User) and obj.is_superuser and not getattr(request.user, "is_superuser", False)
        )
        return may_change and not is_above

    def save_model(self, request: HttpRequest, obj: User, form: ModelForm[User], change: bool) -> None:
        stored = User.objects.get(pk=obj.pk)
        if stored.is_active != obj.is_active:
            act = operators.admit if obj.is_active else operators.ban
            act(stored, operators.Hand(f"person {request.user.pk}", "on the operators' pages"))

    def log_change(self, request: HttpRequest, obj: User, message: Any) -> Any:
        """Nothing: Django's own trail would keep the name of somebody who has their account deleted."""


@admin.register(Deed, site=office)
class DeedAdmin(Shown):
    list_display = ("at", "by", "kind", "person", "game", "because")
    list_select_related = ("person", "game")
    ordering = ("-at", "-id")
