"""A game's clock is the server's: from the first accepted command to the winning one, told alike to all.

B56: nothing a player's or a watcher's own clock says is asked for or listened to.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import pytest
import time_machine
from django.test import Client

from game import wire
from game.actions import games
from game.actions.clock import unrank_running
from game.actions.play import Refused
from game.engine.deals import DealCode
from game.engine.games import rules_of
from game.models import BoardRow, Game, Result, Unranked
from game.selectors import frames
from game.templatetags.boards import SIGHTS
from tests.engine.cases import load
from tests.server.sprint import Player

pytestmark = pytest.mark.django_db

RULES: Final = rules_of("klondike")
CODE: Final = DealCode(RULES, "D1", "AAAAABD")
NOON: Final = datetime(2026, 11, 25, 12, tzinfo=UTC)
Clock = time_machine.Traveller


@pytest.fixture
def clock() -> Iterator[Clock]:
    with time_machine.travel(NOON, tick=False) as coordinates:
        yield coordinates


@pytest.fixture
def ada(clock: Clock) -> Player:
    return Player("Ada", clock)


@pytest.fixture
def game(ada: Player) -> Game:
    return games.start_deal(ada.user, CODE)


def wait(clock: Clock, seconds: float) -> None:
    clock.shift(timedelta(seconds=seconds))


def snapshot(game: Game) -> dict[str, Any]:
    """What a socket that asks now is told."""
    found: dict[str, Any] = json.loads(frames.snapshot(game.pk).texts[0])
    return found


def shown(game: Game) -> tuple[int, bool]:
    """What everybody is told now, after seeing to it that all are told the same."""
    frame = snapshot(game)
    told = (frame["elapsed_ms"], frame["running"])
    welcomes = frames.welcomes(game.pk, None, None)
    for text in (welcomes.player, welcomes.spectator):
        state = json.loads(text)["snapshot"]
        assert (state["elapsed_ms"], state["running"]) == told
    assert json.loads(Client().get(f"/api/games/{game.code}").content)["elapsed_ms"] == told[0]
    boot = Client().get(f"/g/{game.code}/").context["boot"]["welcome"]["snapshot"]
    assert (boot["elapsed_ms"], boot["running"]) == told
    return told


def updates(game: Game) -> list[tuple[str, int, bool]]:
    """Command, time and whether the clock goes, of each update."""
    answer = json.loads(Client().get(f"/api/games/{game.code}/updates").content)
    return [(each["command"], each["elapsed_ms"], each["running"]) for each in answer["updates"]]


def accepted(player: Player, game: Game, command: str) -> None:
    assert isinstance(player.play(game, command), wire.Accepted), command


def test_before_the_first_move_one_may_look_as_long_as_one_likes(
    clock: Clock, ada: Player, game: Game
) -> None:
    wait(clock, 3600)
    assert shown(game) == (0, False)
    accepted(ada, game, "draw")
    assert shown(game) == (0, True)
    wait(clock, 65)
    assert shown(game) == (65_000, True)


@pytest.mark.parametrize("command", ["t7x7-t1", "w-t1", "t1-t2", "undo", "send t1", "nonsense", "s-w"])
def test_a_refused_command_does_not_start_it(clock: Clock, ada: Player, game: Game, command: str) -> None:
    outcome = ada.play(game, command)
    assert isinstance(outcome, Refused)
    wait(clock, 10)
    assert shown(game) == (0, False)
    accepted(ada, game, "draw")
    wait(clock, 2)
    assert shown(game) == (2_000, True)


def test_a_stale_or_a_strangers_command_does_not_start_it(clock: Clock, ada: Player, game: Game) -> None:
    eve = Player("Eve", clock)
    assert isinstance(eve.play(game, "draw"), Refused)
    wait(clock, 7)
    assert shown(game) == (0, False)


@pytest.mark.parametrize("command", ["draw", "t7-t1"])
def test_a_draw_starts_it_as_a_move_does(clock: Clock, ada: Player, command: str) -> None:
    game = games.start_deal(ada.user, CODE)
    first = command if command == "draw" else next(iter_moves(game))
    accepted(ada, game, first)
    wait(clock, 5)
    assert shown(game) == (5_000, True)


def iter_moves(game: Game) -> Iterator[str]:
    for source, targets in game.rules.dests(game.standing.position).items():
        if source != "s":
            yield f"{source}-{targets[0]}"


def test_undo_gives_no_time_back_and_undoing_everything_does_not_start_it_anew(
    clock: Clock, ada: Player, game: Game
) -> None:
    """B56: it runs on over undo, and the next move is no first one."""
    for command in ("draw", "draw", "undo", "undo"):
        accepted(ada, game, command)
        wait(clock, 10)
    assert (game.ply, game.moves) == (0, 0)
    assert shown(game) == (40_000, True)
    accepted(ada, game, "draw")
    assert shown(game) == (40_000, True)
    assert updates(game) == [
        ("draw", 0, True),
        ("draw", 10_000, True),
        ("undo", 20_000, True),
        ("undo", 30_000, True),
        ("draw", 40_000, True),
    ]


def test_it_runs_on_while_the_player_is_away(clock: Clock, ada: Player, game: Game) -> None:
    """Also when the game has left the live list as paused."""
    accepted(ada, game, "draw")
    wait(clock, 3600)
    assert f"/g/{game.code}/" not in Client().get("/live/").content.decode()
    assert shown(game) == (3_600_000, True)


def test_giving_up_stops_it(clock: Clock, ada: Player, game: Game) -> None:
    accepted(ada, game, "draw")
    wait(clock, 30)
    accepted(ada, game, "give_up")
    wait(clock, 600)
    assert shown(game) == (30_000, False)
    assert updates(game)[-1] == ("give_up", 30_000, False)


def test_giving_up_is_no_first_move(clock: Clock, ada: Player, game: Game) -> None:
    wait(clock, 30)
    accepted(ada, game, "give_up")
    wait(clock, 30)
    assert shown(game) == (0, False)
    assert updates(game) == [("give_up", 0, False)]


def test_start_again_stops_the_clock_of_the_game_it_ends(clock: Clock, ada: Player, game: Game) -> None:
    accepted(ada, game, "draw")
    wait(clock, 12)
    again = games.start_again(ada.user, game.code)
    wait(clock, 100)
    game.refresh_from_db()
    assert shown(game) == (12_000, False)
    assert shown(again) == (0, False)


def test_the_winning_move_stops_it_and_that_is_the_time_that_counts(clock: Clock, ada: Player) -> None:
    """B56: a whole game, a second a command; page, record, result and board say the same for ever."""
    case = load(RULES.slug, "won")[0]
    game = games.start_new(ada.user, RULES, "D1")
    game.deal_text = game.position_text = case.deal.text
    game.save()
    commands = [text for text, _at, _ply in case.played()]
    wait(clock, 300)
    for command in commands:
        accepted(ada, game, command)
        wait(clock, 1)
    assert game.status == "won"
    time = 1000 * (len(commands) - 1)
    wait(clock, 600)
    assert shown(game) == (time, False)
    assert updates(game)[-1][1:] == (time, False)
    assert isinstance(ada.play(game, "undo"), Refused)
    assert shown(game) == (time, False)
    assert Result.objects.get().elapsed_ms == time
    assert set(BoardRow.objects.values_list("value", flat=True)) == {time}


def test_a_machine_whose_clock_is_set_back_never_counts_backwards(
    clock: Clock, ada: Player, game: Game
) -> None:
    accepted(ada, game, "draw")
    wait(clock, 20)
    accepted(ada, game, "draw")
    wait(clock, -3600)
    assert shown(game) == (20_000, True)
    accepted(ada, game, "draw")
    assert [elapsed for _command, elapsed, _running in updates(game)] == [0, 20_000, 20_000]


def test_a_game_that_time_decides_and_whose_clock_was_set_back_does_not_count(
    clock: Clock, ada: Player
) -> None:
    timed, by_score = ada.start(RULES), ada.start(rules_of("simple-simon"))
    for game in (timed, by_score):
        accepted(ada, game, next(iter_moves(game), "draw"))
    wait(clock, -3600)
    for game in (timed, by_score):
        accepted(ada, game, "undo")
    assert (timed.ranked, timed.unranked_because) == (False, Unranked.CLOCK), "its time is too short"
    assert by_score.ranked


def test_when_the_clock_is_set_games_in_play_that_time_decides_do_not_count(
    clock: Clock, ada: Player
) -> None:
    game, waiting, by_score = ada.start(RULES), ada.start(RULES), ada.start(rules_of("simple-simon"))
    accepted(ada, game, "draw")
    assert unrank_running() == 1
    for each, because in ((game, Unranked.CLOCK), (by_score, ""), (waiting, "")):
        each.refresh_from_db()
        assert (each.ranked, each.unranked_because) == (not because, because)
    accepted(ada, game, "draw")


def test_every_reason_why_a_game_does_not_count_is_said() -> None:
    assert set(SIGHTS) == {"", *Unranked}


def test_no_message_takes_a_time(clock: Clock, ada: Player, game: Game) -> None:
    """B56: a command with a time of the sender's own is no message at all."""
    for extra in ('"at_ms": 1', '"elapsed_ms": 1', '"time": 1764000000000'):
        with pytest.raises(wire.MalformedMessageError):
            wire.decode_client(f'{{"type": "play", "id": "a", "seq": 0, "command": "draw", {extra}}}')
