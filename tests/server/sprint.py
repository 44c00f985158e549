"""A throw-away game for tests: won by one move to its goal, ranked by time, dealt from hidden cards.

Moves between its two columns are idle and count; so a test says how many moves and how long a win takes.
"""

from __future__ import annotations

import secrets
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import pytest
import time_machine
from django.test import Client

from game import wire
from game.actions import play
from game.actions.games import start_new
from game.engine.cards import pack
from game.engine.commands import Move, RulesCommand
from game.engine.effects import Moved, apply_effects
from game.engine.piles import Fan, Pile, Role, columns
from game.engine.position import Cards, Position
from game.engine.rules import Choice, Dests, Option, Options, Ranking, Refusal, Rules, Step, take_for
from game.models import Game, User
from game.seats import find_seat
from game.selectors import tables

LAYOUT: Final = (*columns(2), Pile("f1", Role.FOUNDATION, 0, 2, Fan.NONE))


def _pack(options: Options) -> Cards:
    return pack("SHDC")


def _deal(cards: Cards) -> Position:
    return Position({"t1": tuple(card.turned for card in cards[:20]) + cards[20:], "t2": (), "f1": ()})


def _step(position: Position, command: RulesCommand) -> Step | Refusal:
    if not isinstance(command, Move):
        return Refusal("no_place")
    cards = take_for(position, command)
    if isinstance(cards, Refusal):
        return cards
    effects = (Moved(command.source, command.target, command.count),)
    return Step(command, effects, apply_effects(position, effects))


def _dests(position: Position) -> Dests:
    return {name: ("f1",) for name in ("t1", "t2") if position[name]}


SPRINT: Final = Rules(
    slug="sprint",
    prefix="ZZ",
    version=1,
    title="Sprint",
    options=(),
    variants={"D1": {}},
    code_letters=(7, 20),
    layout=LAYOUT,
    undo_limit=500,
    hides_cards=True,
    ranking=Ranking.TIME,
    pack=_pack,
    deal=_deal,
    step=_step,
    dests=_dests,
    is_won=lambda position: bool(position["f1"]),
    score=lambda position, moves: None,
)


def offer(monkeypatch: pytest.MonkeyPatch, *more: Rules) -> None:
    """Makes these games be there beside the others, in every module that knows them."""
    from game.engine.games import GAMES

    for name, module in list(sys.modules.items()):
        if name.startswith("game.") and getattr(module, "GAMES", None) is GAMES:
            monkeypatch.setattr(module, "GAMES", (*GAMES, *more))


MARATHON: Final = replace(
    SPRINT,
    slug="marathon",
    prefix="ZY",
    title="Marathon",
    options=(Option("laps", "How many laps?", (Choice(1, "Short", "1 lap"), Choice(2, "Long", "2 laps"))),),
    variants={"L1": {"laps": 1}, "L2": {"laps": 2}},
    code_letters=(7,),
    hides_cards=False,
    ranking=Ranking.SCORE,
    score=lambda position, moves: 500 - moves,
)
"""The same ranked by score, with an option and open cards."""


NOON: Final = datetime(2026, 11, 25, 12, tzinfo=UTC)
"""A Wednesday, at which the clock of these tests begins."""
Clock = time_machine.Traveller


class Player:
    """Somebody logged in who starts games and plays them on a clock that the test holds."""

    def __init__(self, name: str, clock: Clock | None = None, **fields: Any) -> None:
        self.user = User.objects.create_user(name, "correct horse", **fields)
        self.clock = clock
        self.client = Client()
        self.log_in()

    def log_in(self) -> None:
        self.client.force_login(self.user)
        self.seat = find_seat(self.client.session.session_key or "")

    def start(self, rules: Rules = SPRINT, variant: str = "") -> Game:
        return start_new(self.user, rules, variant or next(iter(rules.variants)))

    def play(self, game: Game, command: str, id: str = "") -> play.Outcome:
        game.refresh_from_db()
        key = tables.GameKey(game.pk, game.player_id, game.rules_slug)
        message = wire.Play(id or secrets.token_hex(8), game.seq, command)
        outcome = play.play(key, self.seat, message)
        game.refresh_from_db()
        return outcome

    def finish(self, game: Game, ms: int = 60_000, idle: int = 1) -> Game:
        """Plays a game to its end: ``idle`` moves (1 or more), and the winning one ``ms`` after the first."""
        pile = "t1"
        for _ in range(idle):
            other = "t2" if pile == "t1" else "t1"
            assert isinstance(self.play(game, f"{pile}-{other}"), wire.Accepted)
            pile = other
            if self.clock:
                self.clock.shift(timedelta(milliseconds=ms / idle))
        assert isinstance(self.play(game, "t1-f1"), wire.Accepted)
        return game

    def win(self, rules: Rules = SPRINT, variant: str = "", ms: int = 60_000, idle: int = 1) -> Game:
        """Starts a game and wins it."""
        return self.finish(self.start(rules, variant), ms, idle)
