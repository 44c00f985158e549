"""The operators' pages: who may see them, and that they change nothing but who may come in."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest
from django.conf import settings
from django.contrib.admin.models import LogEntry as Trail
from django.test import Client
from django.urls import reverse

from config import urls
from game.actions.operators import Hand, admit, ban
from game.admin import office
from game.models import BoardRow, Deed, Game, Result, Tally, User
from tests.server.pages import browser_of
from tests.server.sprint import Clock, Player
from tests.services import PRODUCT_SETTINGS, ROOT

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.urls("tests.server.office"),
    pytest.mark.usefixtures("throw_away_games"),
]


@pytest.fixture
def boss() -> Client:
    return browser_of(User.objects.create_superuser("boss", "correct horse"))


def rows() -> list[str]:
    models: list[Any] = [Game, Result, BoardRow, Tally, User]
    return [str(model.objects.order_by("pk").values()) for model in models]


def addresses() -> dict[str, list[str]]:
    """For each model its list, and the pages that would add, change and delete its first row."""
    found = {}
    for model in office._registry:
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        key = model._default_manager.order_by("pk").first().pk  # type: ignore[union-attr]
        of_row = [reverse(f"{name}_{what}", args=[key]) for what in ("change", "delete", "history")]
        found[name] = [reverse(f"{name}_changelist"), reverse(f"{name}_add"), *of_row]
    return found


def test_only_staff_come_in_by_the_common_log_in(clock: Clock, boss: Client) -> None:
    ada = Player("ada", clock)
    ada.win()
    ban(ada.user, Hand("somebody", ""))
    admit(ada.user, Hand("somebody", ""))
    somebody, nobody = ada.client, Client()
    for address in [reverse("admin:index"), *(path for paths in addresses().values() for path in paths)]:
        for client in (nobody, somebody):
            assert client.get(address)["Location"].startswith("/admin/login/?next="), address
    assert nobody.get("/admin/login/?next=/admin/")["Location"] == "/accounts/login/?next=/admin/"
    assert somebody.get("/admin/login/?next=/admin/").status_code == 403
    assert nobody.post("/admin/login/", {"username": "boss", "password": "correct horse"}).status_code == 302
    assert "_auth_user_id" not in nobody.session
    assert boss.get("/admin/").status_code == 200
    assert boss.get("/admin/password_change/")["Location"] == "/accounts/password/"
    boss.post("/admin/logout/")
    assert boss.get("/admin/").status_code == 302


def test_scores_are_read_only(clock: Clock, boss: Client) -> None:
    ada = Player("ada", clock)
    ada.win()
    ban(ada.user, Hand("somebody", ""))
    admit(ada.user, Hand("somebody", ""))
    before = rows()
    forged = {"score": 99999, "value": 1, "elapsed_ms": 1, "ranked": "on", "status": "won", "_save": "Save"}
    for name, paths in addresses().items():
        if name == "admin:game_user":
            continue
        listed, add, change, delete, history = paths
        assert boss.get(listed).status_code == 200
        assert boss.get(f"{listed}?q=ada").status_code == 200
        assert boss.get(change).status_code == 200
        assert boss.get(history).status_code == 200
        for address in (add, delete):
            assert boss.get(address).status_code == 403
        for address in (listed, add, change, delete):
            assert boss.post(address, forged | {"action": "delete_selected"}).status_code in (200, 302, 403)
    assert rows() == before


def test_of_a_person_only_whether_they_may_come_in_can_be_changed(clock: Clock, boss: Client) -> None:
    ada = Player("ada", clock)
    change = reverse("admin:game_user_change", args=[ada.user.pk])
    assert boss.get(change).status_code == 200
    everything = {"username": "x", "is_staff": "on", "is_superuser": "on", "password": "x", "folded": "x"}
    before = User.objects.filter(pk=ada.user.pk).values().get()
    assert boss.post(change, everything).status_code == 302
    assert User.objects.filter(pk=ada.user.pk).values().get() == {**before, "is_active": False}
    assert ada.client.get("/history/").status_code == 302
    assert boss.post(change, {"is_active": "on"}).status_code == 302
    assert User.objects.filter(pk=ada.user.pk).values().get() == before
    assert not Trail.objects.exists(), "no copy of a name outlives it"
    assert list(Deed.objects.order_by("pk").values_list("kind", "person")) == [
        ("ban", ada.user.pk),
        ("admit", ada.user.pk),
    ]


def test_what_a_game_hides_is_hidden_from_operators_too(clock: Clock, boss: Client) -> None:
    ada = Player("ada", clock)
    game = ada.start()
    page = boss.get(reverse("admin:game_game_change", args=[game.pk])).content.decode()
    assert game.code in page
    for secret in (game.deal_code, game.deal_text.split("/")[0], game.position_text.split("/")[0]):
        assert str(secret) not in page


def test_it_needs_no_inline_code(clock: Clock, boss: Client) -> None:
    ada = Player("ada", clock)
    ada.win()
    ban(ada.user, Hand("somebody", ""))
    for paths in addresses().values():
        page = boss.get(paths[0]).content.decode()
        for inline in (" style=", " onclick=", "<style", "<script>", "javascript:"):
            assert inline not in page, (paths[0], inline)


def test_it_is_off_in_the_embedded_default_and_a_choice_otherwise() -> None:
    plain = {name: value for name, value in os.environ.items() if name not in PRODUCT_SETTINGS}
    script = "from config import settings; print(settings.ADMIN)"

    def told(**given: str) -> str:
        env = plain | {"VAR": os.environ["VAR"]} | given
        done = subprocess.run(
            [sys.executable, "-c", script], cwd=ROOT, env=env, capture_output=True, text=True, check=True
        )
        return done.stdout.strip()

    assert told() == "False"
    assert told(ADMIN="1") == "True"
    elsewhere = {
        "REDIS_URL": "redis://127.0.0.1:1",
        "SECRET_KEY": "k",
        "ALLOWED_ORIGINS": "https://a.example",
    }
    assert told(**elsewhere) == "True"
    assert any(getattr(it, "namespace", "") == "admin" for it in urls.urlpatterns) == settings.ADMIN
