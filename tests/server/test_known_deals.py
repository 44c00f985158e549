"""What is told of a deal after its first end, and how a person's share is told without dead deals."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.db import transaction
from django.test import Client

from game.actions.games import start_deal
from game.actions.results import recount
from game.engine.deals import parse_deal_code
from game.engine.games import GAMES
from game.management import worker
from game.models import Game, KnownDeal, Tally
from game.selectors import people
from game.selectors.known_deals import known
from tests.server.endgames import FORK, LOSES, REST, WINS, begin, played
from tests.server.sprint import Player

pytestmark = pytest.mark.django_db(transaction=True)

CODE = parse_deal_code("SS1-S1-AAAAABD", GAMES)
HIDDEN = "KL1-D1-AAAAABD"
DEAD = (
    FORK.replace(" KH/f2", "/f2").replace("s/w/", "s/w KH/").replace("9s KS", "9S").removesuffix("t7")
    + "t7 KS"
)
"""Lost, though the king of hearts may still go home."""


def page(client: Client | None = None, code: str = str(CODE)) -> str:
    text = (client or Client()).get(f"/d/{code}/").content.decode()
    return re.sub(r'value="\w{64}"', "", text)


def test_a_deal_is_told_after_its_first_end_and_the_shortest_line_is_kept() -> None:
    ada, bo = Player("Ada"), Player("Bo")
    first = start_deal(ada.user, CODE)
    before = page()
    ada.play(first, "t10-t9" if "t10" in CODE.rules.dests(first.standing.position) else "give_up")
    assert "Can it be won?" not in before
    ada.play(first, "give_up")
    assert worker.work() == 1
    found = KnownDeal.objects.get()
    assert (found.verdict, found.found_by) == ("won", None)
    assert found.effort
    told = page()
    assert "These cards can be won." in told
    assert f"Best known: {found.moves} moves," in told
    assert "found by the solver" in told
    assert "Difficulty:" in told
    # A shorter win takes its place, a longer or equal one does not.
    line = list(found.line)
    for moves, finder in ((found.moves, None), ((found.moves or 0) + 1, bo.user)):
        KnownDeal.objects.update(moves=moves)
        game = start_deal(bo.user, CODE)
        for command in line:
            bo.play(game, command)
        assert game.status == "won"
        worker.work()
        found = KnownDeal.objects.select_related("found_by__player").get()
        assert (found.found_by.player if found.found_by else None) == finder
    assert found.moves == game.moves
    assert f'<a href="/g/{game.code}/">by <bdi>Bo</bdi></a>' in page()


def test_nothing_is_told_that_would_help_in_a_game_that_may_still_count() -> None:
    """Open cards: their code stands at the table, so anybody could have it looked at by giving up on it."""
    ada, eve = Player("Ada"), Player("Eve")
    counting = start_deal(ada.user, CODE)
    Game.objects.filter(pk=counting.pk).update(ranked=True, unranked_because="")
    helper = start_deal(eve.user, CODE)
    eve.play(helper, "give_up")
    worker.work()
    assert KnownDeal.objects.exists()
    address = f"/api/games/{helper.code}/verdict"
    assert Client().get(address).json() == {
        "state": "withheld", "last_won": None, "first_lost": None, "recovered": [], "line": [],
    }  # fmt: skip
    assert "Can it be won?" not in page()
    assert known(CODE) is None
    # The same of a game that was played on from there.
    answer = eve.client.post("/games/", {"from": helper.code, "ply": "0"})
    child = Game.objects.get(code=answer["Location"].split("/")[2])
    assert child.parent == helper
    eve.play(child, "give_up")
    worker.work()
    assert Client().get(f"/api/games/{child.code}/verdict").json()["state"] == "withheld"
    ada.play(counting, "give_up")
    worker.work()
    assert Client().get(address).json()["state"] == "found"
    assert "Can it be won?" in page()


def test_hidden_cards_are_told_of_whether_somebody_plays_them_or_not() -> None:
    """Else the answer would tell who has guessed a code whether he is right."""
    ada, eve = Player("Ada"), Player("Eve")
    played_out = played(eve, WINS, *REST)
    running = begin(ada)
    Game.objects.all().update(deal_code=HIDDEN)
    worker.work()
    with_it = page(code=HIDDEN)
    assert running.ranked
    ada.play(running, "give_up")
    Game.objects.filter(pk=running.pk).delete()
    assert "Can it be won?" in with_it
    assert page(code=HIDDEN).split("<section")[0] == with_it.split("<section")[0]
    assert KnownDeal.objects.get().found_by in (played_out, None)


def test_a_share_can_be_told_without_dead_deals(settings: Any) -> None:
    settings.HUMAN_PACE_MS = 0
    ada = Player("Ada")
    for deal, commands in ((DEAD, ("w-f1", "give_up")), (FORK, (LOSES, "give_up")), (FORK, (WINS, *REST))):
        played(ada, *commands, deal=deal)
    assert worker.work() == 3
    assert Tally.objects.get().dead == 1
    [entry] = people.fared(ada.user)
    assert (entry.percent, entry.percent_of_winnable) == (33, 50)
    told = Client().get("/@Ada/").content.decode()
    assert "1 of the 3 counted games was on cards that nobody could have won." in told
    assert "Without them the share is 50 %." in told
    # Found again and counted again, it is the same.
    with transaction.atomic():
        recount(ada.user.pk, "klondike", "D1")
    assert Tally.objects.get().dead == 1
