"""What solvers know is told of no running game: not by its pages, its messages, its answers or their cost."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from game.actions import pool, rescues
from game.actions.games import NoneReadyError, start_deal, start_winnable
from game.engine.deals import parse_deal_code
from game.engine.games import GAMES, rules_of
from game.management import worker
from game.models import Finding, Game, KnownDeal, PoolDeal, Rescue
from game.selectors.periods import today
from tests.server.endgames import FORK, LOSES, REST, WINS, played
from tests.server.sprint import Player

pytestmark = pytest.mark.django_db(transaction=True)

RULES = rules_of("klondike")
VARIANT = next(iter(RULES.variants))


def everything(game: Game, client: Client) -> list[str]:
    """Every page and answer about a game, without names and times."""
    paths = [
        f"/g/{game.code}/", f"/api/games/{game.code}", f"/api/games/{game.code}/updates",
        f"/api/games/{game.code}/verdict", f"/d/{game.deal_code}/",
    ]  # fmt: skip
    texts = [client.get(path).content.decode() for path in paths]
    names = f"{game.code}|{game.deal_code}|{game.player.username}"
    times = r'datetime="[^"]*"|"(elapsed_ms|at_ms)": ?\d+|\d+:\d\d|"\w{64}"|[?]seq=\d+[^"]*'
    return [re.sub(f"{names}|{times}", "", text) for text in texts]


def test_a_running_game_has_no_verdict_whatever_is_known_of_it() -> None:
    """The answer is that of no game, and costs the same whether a finding lies ready or not."""
    ada = Player("Ada")
    game = played(ada, LOSES)
    nobody = Client().get("/api/games/0000000000/verdict")

    def asked() -> tuple[int, bytes, list[str]]:
        with CaptureQueriesContext(connection) as captured:
            answer = ada.client.get(f"/api/games/{game.code}/verdict")
        return answer.status_code, answer.content, [re.sub(r"\d+", "", query["sql"]) for query in captured]

    before = asked()
    assert before[:2] == (404, nobody.content)
    Finding.objects.create(
        game=game, asked_at=timezone.now(), version=1, is_waiting=False, last_won=0, first_lost=1
    )
    assert asked() == before
    with_it = everything(game, ada.client)
    Finding.objects.all().delete()
    assert everything(game, ada.client) == with_it
    ada.play(game, "give_up")
    worker.work()
    told = json.loads(ada.client.get(f"/api/games/{game.code}/verdict").content)
    assert (told["last_won"], told["first_lost"]) == (0, 1)


def test_a_game_from_the_pool_is_to_everybody_a_game_by_a_code() -> None:
    """Neither that it can be won nor by which line, before it has ended."""
    ada, bo = Player("Agata"), Player("Zofia")
    while pool.fill_one() and not PoolDeal.objects.filter(rules_slug=RULES.slug).exists():
        pass
    game = start_winnable(ada.user, RULES, VARIANT)
    row = PoolDeal.objects.get(game=game)
    assert (game.ranked, game.unranked_because) == (False, "practice")
    assert not KnownDeal.objects.exists()
    # The same cards by their code, started by somebody else: all that is told of either is the same.
    twin = start_deal(bo.user, parse_deal_code(row.deal_code, GAMES))
    ada.play(game, "draw")
    bo.play(twin, "draw")
    stranger = Client()
    for one, other in zip(everything(game, stranger), everything(twin, stranger), strict=True):
        assert one.splitlines() == other.splitlines()
    # A deal is dealt once.
    PoolDeal.objects.exclude(pk=row.pk).delete()
    with pytest.raises(NoneReadyError):
        start_winnable(bo.user, RULES, VARIANT)
    ada.play(game, "give_up")
    worker.work()
    assert KnownDeal.objects.get().verdict == "won"


def test_the_pool_holds_winnable_deals_and_the_form_asks_for_one() -> None:
    ada = Player("Ada")
    rules, variant = GAMES[0], next(iter(GAMES[0].variants))
    fields = {"rules": rules.slug, "suits": "1", "winnable": "1"}
    assert ada.client.post("/games/", fields).status_code == 400
    while PoolDeal.objects.filter(variant=variant).count() < 2:
        assert pool.fill_one()
    answer = ada.client.post("/games/", fields)
    game = Game.objects.get(code=answer["Location"].split("/")[2])
    assert (game.variant, game.ranked) == (variant, False)
    assert ada.client.post("/games/", {"deal_code": str(game.deal_code), "winnable": "1"}).status_code == 400
    for command in PoolDeal.objects.get(game=game).line:
        ada.play(game, command)
    assert game.status == "won"


def test_the_rescue_of_the_day_is_somebodys_last_winnable_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rescues, "FROM_PLY", 0)
    ada, bo = Player("Ada"), Player("Bo")
    assert rescues.choose(today()) == 0
    lost = played(ada, LOSES, "give_up")
    played(bo, WINS, *REST)
    worker.work()
    assert rescues.choose(today()) == 1
    assert rescues.choose(today()) == 0
    row = Rescue.objects.get()
    assert (row.game, row.ply, row.position_text) == (lost, 0, FORK)
    home = bo.client.get("/").content.decode()
    assert "Rescue of the day" in home
    assert f'name="from" value="{lost.code}"' in home
    answer = bo.client.post("/games/", {"from": lost.code, "ply": "0"})
    child = Game.objects.get(code=answer["Location"].split("/")[2])
    assert (child.parent, child.parent_ply, child.ranked) == (lost, 0, False)
    for command in (WINS, *REST):
        bo.play(child, command)
    assert child.status == "won"
    # Tomorrow another one, and none twice.
    assert rescues.choose(today() + timedelta(days=1)) == 0


def test_bad_places_to_play_on_from_are_refused() -> None:
    ada = Player("Ada")
    running = played(ada, WINS)
    over = played(ada, LOSES, "give_up")
    won = played(ada, WINS, *REST)
    bad: list[dict[str, Any]] = [
        {"from": running.code, "ply": "0"},
        {"from": over.code, "ply": "2"},
        {"from": won.code, "ply": str(won.ply)},
        {"from": over.code},
        {"from": over.code, "ply": "-1"},
        {"from": "nonsense", "ply": "0"},
        {"from": over.code, "ply": "0", "again": over.code},
    ]
    count = Game.objects.count()
    for fields in bad:
        assert ada.client.post("/games/", fields).status_code == 400, fields
    assert Game.objects.count() == count
    record = ada.client.post("/games/", {"from": over.code, "ply": "1"})
    child = Game.objects.get(code=record["Location"].split("/")[2])
    ada.play(child, "give_up")
    told = json.loads(ada.client.get(f"/api/games/{child.code}").content)
    assert (told["parent"], told["parent_ply"], told["deal_code"]) == (over.code, 1, None)
