"""B48: a deal's code answers the same whether or not its hidden cards are just being played."""

from __future__ import annotations

import random
import re
from typing import Any, Final

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from game import wire
from game.actions import games
from game.actions.play import play
from game.codes import parse_code
from game.engine.deals import DealCode
from game.engine.games import GAMES, rules_of
from game.models import Game, Result, Unranked
from game.seats import NOBODY
from game.selectors import frames, tables
from tests.server.sprint import Player

pytestmark = pytest.mark.django_db

RULES: Final = rules_of("klondike")
CODE: Final = DealCode(RULES, "D1", "QWERTYUIOPASDFGHJKLZ")
SHORT: Final = DealCode(RULES, "D1", "QWERTYU")


def bare(response: Any) -> tuple[int, dict[str, str], str]:
    """An answer without what differs from one request to the next."""
    text = re.sub(r'(csrfmiddlewaretoken" value=|"csrf": )"\w+"', "", response.content.decode())
    headers = {name: value for name, value in response.items() if name != "Content-Length"}
    return response.status_code, headers, text


def asked(client: Client, name: str) -> list[tuple[int, dict[str, str], str]]:
    """Everything that can be asked about the deal by its code, in any spelling and language."""
    spelled = str(CODE).replace("-", "").lower()
    addresses = [
        f"/d/{CODE}/", f"/tr/d/{CODE}/", f"/d/{spelled}/", f"/find/?code={CODE}", f"/games/?deal={CODE}",
        f"/@{name}/?deal={CODE}", f"/@{name}/?deal={CODE}&result=playing", f"/d/{CODE}/?after=up-1-1",
    ]  # fmt: skip
    return [bare(client.get(address)) for address in addresses]


def moved(player: Player, game: Game) -> None:
    for command in ("draw", "draw", "undo", "draw"):
        assert isinstance(player.play(game, command), wire.Accepted)


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server draws the deal that the test knows."""
    monkeypatch.setattr(games, "drawn_code", lambda rules, variant: CODE)


def test_a_hidden_deal_being_played_answers_as_one_that_never_was(drawn: None) -> None:
    """Byte by byte, for its player, for others and for nobody; also how often the database is asked."""
    ada, eve, nobody = Player("Ada"), Player("Eve"), Client()
    # Whatever else of these pages a game changes, another game has changed before.
    other = games.start_deal(ada.user, SHORT)
    moved(ada, other)
    clients = [ada.client, eve.client, nobody]
    before = [asked(client, "Ada") for client in clients]
    with CaptureQueriesContext(connection) as quiet:
        nobody.get(f"/d/{CODE}/")
    game = games.start_new(ada.user, RULES, "D1")
    assert game.ranked
    moved(ada, game)
    assert [asked(client, "Ada") for client in clients] == before
    with CaptureQueriesContext(connection) as busy:
        nobody.get(f"/d/{CODE}/")
    assert [query["sql"] for query in busy] == [query["sql"] for query in quiet]
    shown = Client().get(f"/d/{CODE}/").content.decode()
    assert CODE.deal().masked in shown
    assert game.code not in shown
    ada.play(game, "give_up")
    assert [asked(client, "Ada") for client in clients] != before


def test_ones_own_history_does_not_confirm_a_guessed_code_either(drawn: None) -> None:
    ada = Player("Ada")
    address = f"/history/?deal={CODE}"
    before = bare(ada.client.get(address))
    game = games.start_new(ada.user, RULES, "D1")
    moved(ada, game)
    after = ada.client.get(address).content.decode()
    assert f"/g/{game.code}/" not in after
    assert bare(ada.client.get(f"/history/?deal={SHORT}"))[2].count("/g/") == before[2].count("/g/")
    ada.play(game, "give_up")
    assert f"/g/{game.code}/" in ada.client.get(address).content.decode()


def test_open_deals_are_found_by_their_code_while_they_are_played() -> None:
    """What hides nothing keeps no secret: the filter still works for it."""
    ada = Player("Ada")
    game = games.start_new(ada.user, GAMES[0], next(iter(GAMES[0].variants)))
    source, targets = next(iter(GAMES[0].dests(game.standing.position).items()))
    ada.play(game, f"{source}-{targets[0]}")
    assert f"/g/{game.code}/" in Client().get(f"/@Ada/?deal={game.deal_code}").content.decode()


def test_playing_the_code_of_somebody_elses_running_game_tells_and_changes_nothing(drawn: None) -> None:
    """The same answer, the same practice, and their game still counts."""
    ada, eve = Player("Ada"), Player("Eve")

    def play_the_code() -> tuple[int, Any]:
        response = eve.client.post("/games/", {"deal_code": str(CODE)})
        game = Game.objects.get(code=response["Location"].split("/")[2])
        told = (game.ranked, game.unranked_because, game.position_text)
        frame = frames.welcomes(game.pk, None, None).player.replace(game.code, "")
        eve.play(game, "give_up")
        Game.objects.filter(pk=game.pk).delete()
        return response.status_code, (told, frame)

    before = play_the_code()
    game = games.start_new(ada.user, RULES, "D1")
    moved(ada, game)
    assert play_the_code() == before
    assert before[1][0][:2] == (False, Unranked.PRACTICE)
    game.refresh_from_db()
    assert (game.status, game.ranked) == ("playing", True)


def test_games_that_count_are_dealt_from_twenty_letters_and_seven_are_practice() -> None:
    """B48: seven letters could be searched for from the face-up cards, twenty cannot."""
    ada = Player("Ada")
    fresh = [games.start_new(ada.user, RULES, "D1") for _ in range(10)]
    letters = [str(game.deal_code).rpartition("-")[2] for game in fresh]
    assert {len(text) for text in letters} == {20}
    assert len(set(letters)) == 10
    assert all(game.ranked for game in fresh)
    short = games.start_deal(ada.user, SHORT)
    assert (short.ranked, short.unranked_because) == (False, Unranked.PRACTICE)
    # Nor does a long code count that somebody has typed.
    long = games.start_deal(ada.user, CODE)
    assert (long.ranked, long.unranked_because) == (False, Unranked.PRACTICE)


def test_codes_do_not_come_from_numbers_that_can_be_foretold(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same state of the ordinary generator draws other codes; game and deal have nothing in common."""
    drawn = []
    for _ in range(2):
        random.seed(4711)
        drawn.append(str(games.drawn_code(RULES, "D1")))
    assert drawn[0] != drawn[1]


def test_a_message_of_the_newest_command_repeats_no_card_that_was_hidden_again() -> None:
    """B48: draw and undo: what the update, a later sync, a page and the record say of the card."""
    ada = Player("Ada")
    game = games.start_deal(ada.user, SHORT)
    ada.play(game, "draw")
    card = game.standing.position["w"][-1].text
    ada.play(game, "undo")
    told = [
        *frames.missed(game.pk, 1).texts,
        *frames.snapshot(game.pk).texts,
        frames.welcomes(game.pk, 1, tables.epoch()).spectator,
        Client().get(f"/api/games/{game.code}/updates?since=1").content.decode(),
        Client().get(f"/api/games/{game.code}").content.decode(),
        Client().get(f"/g/{game.code}/").content.decode(),
        Client().get("/live/").content.decode(),
    ]
    assert len(told) == 7
    assert not [text for text in told if re.search(rf"\b{card}\b", text, re.IGNORECASE)]
    # Except where the past is told: it was seen then.
    assert card in Client().get(f"/api/games/{game.code}/updates?since=0").content.decode()


def test_the_door_tells_a_stranger_nothing_by_refusing(drawn: None) -> None:
    """B48: whatever a stranger asks of a running game, the answer is the same."""
    ada = Player("Ada")
    game = games.start_new(ada.user, RULES, "D1")
    moved(ada, game)
    key = tables.GameKey(game.pk, game.player_id, game.rules_slug)
    asked_for = ("t7x7-t1", "t7-t1", "send t2", "w-f1", "collect", "draw", "undo", "s-t1")
    answers = {play(key, NOBODY, wire.Play(f"c{n}", game.seq, text)) for n, text in enumerate(asked_for)}
    assert {answer.code for answer in answers if not isinstance(answer, wire.Accepted)} == {"not_yours"}
    assert not Result.objects.exists()
    assert parse_code(str(CODE)) == CODE
