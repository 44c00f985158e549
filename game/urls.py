"""The pages, and apart from them what programs ask; those stand under no language."""

from __future__ import annotations

from django.conf import settings
from django.urls import URLPattern, path
from django.views.decorators.cache import cache_control
from django.views.i18n import JavaScriptCatalog

from game.views import (
    account,
    boards,
    deals,
    games,
    home,
    machines,
    people,
    person,
    preferences,
    previews,
    programs,
    reading,
    site,
    status,
    verdicts,
)

A_YEAR_S = 365 * 24 * 3600

# The release stands in the address under which pages ask for it.
catalogue = cache_control(public=True, max_age=0 if settings.DEBUG else A_YEAR_S, immutable=True)(
    JavaScriptCatalog.as_view(packages=["game"])
)

urlpatterns: list[URLPattern] = [
    path("", home.home, name="home"),
    path("live/", home.live, name="live"),
    path("tv/", home.tv, name="tv"),
    path("games/", games.games, name="games"),
    path("g/<str:code>/", games.game, name="game"),
    path("g/<str:code>/unlisted/", games.unlisted, name="unlisted"),
    path("d/<str:code>/", deals.deal, name="deal"),
    path("boards/", boards.boards, name="boards"),
    path("find/", deals.find, name="find"),
    path("history/", people.history, name="history"),
    path("@<str:name>/", person.person, name="person"),
    path("rules/", reading.all_rules, name="rules"),
    path("rules/<str:slug>/", reading.rules, name="rules_of"),
    path("help/", reading.keys, name="help"),
    path("settings/", preferences.preferences, name="settings"),
    path("accounts/signup/", people.signup, name="signup"),
    path("accounts/login/", people.log_in, name="login"),
    path("accounts/logout/", people.log_out, name="logout"),
    path("accounts/guest/", people.guest, name="guest"),
    path("accounts/password/", people.password, name="password"),
    path("accounts/data/", account.data, name="data"),
    path("accounts/export/", account.export, name="export"),
    path("accounts/delete/", account.delete, name="delete"),
    path("status/", status.status, name="status"),
    path("offline/", site.offline, name="offline"),
    path("jsi18n/", catalogue, name="jsi18n"),
]

for_programs: list[URLPattern] = [
    path("api/games/<str:code>", programs.record, name="record"),
    path("api/games/<str:code>/updates", programs.updates, name="updates"),
    path("api/games/<str:code>/verdict", verdicts.verdict, name="verdict"),
    path("favicon.ico", site.favicon, name="favicon"),
    path("manifest.webmanifest", site.manifest, name="manifest"),
    path("robots.txt", site.robots, name="robots"),
    path("worker.js", site.worker, name="worker"),
    path("picture.png", previews.picture, name="picture"),
    path("g/<str:code>/picture.png", previews.game_picture, name="game_picture"),
    path("d/<str:code>/picture.png", previews.deal_picture, name="deal_picture"),
    path("rules/<str:slug>/picture.png", previews.rules_picture, name="rules_picture"),
    path("healthz", machines.healthz, name="healthz"),
    path("readyz", machines.readyz, name="readyz"),
    path("metrics", machines.metrics, name="metrics"),
]
