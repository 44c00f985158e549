"""Short games whose every position is known: what wins them, what loses them, and who played them."""

from __future__ import annotations

from typing import Final

from game import wire
from game.engine.games import rules_of
from game.engine.notation import parse_position
from game.models import Game
from tests.dealt import dealt
from tests.server.sprint import Player

_GONE: Final = {suit: " ".join(f"{rank}{suit}" for rank in "A23456789TJQK") for suit in "HC"}
FORK: Final = (
    f"s/w/f1 {_GONE['H']}/f2 {_GONE['C']}/f3 AD 2D 3D 4D 5D 6D 7D 8D 9D TD JD/f4"
    "/t1 as KD/t2 js ts 9s KS/t3 qd qs 2S/t4 4s 3S/t5 6s 5S/t6 8s 7S/t7"
)
"""Klondike with one free column: the king of diamonds there wins, the king of spades leaves no move."""
WINS, LOSES = "t1-t7", "t2-t7"
REST: Final = ("t1-f4", "t3-f4", "t3-t7", "collect", "t2-t1", "collect")
"""What wins after `WINS`."""
_RUNS: Final = "/".join(
    f"f{place} " + " ".join(f"{rank}{suit}" for rank in "KQJT98765432A")
    for place, suit in enumerate("HDC", 1)
)
ONE_MOVE: Final = "t1 KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S/t2 AS/t3/t4/t5/t6/t7/t8/t9/t10/" + _RUNS + "/f4"
"""Simple Simon with one ace to move: ``t2-t1`` wins."""
STRAIT: Final = (
    "t1 AH 8H QS 3H 8S 7S/t2 6S/t3 AS 6H/t4 KS/t5 KH/t6 5S TH JS/t7 JH/t8 9S/t9 7H TS 4S 5H 9H"
    "/t10 2H 3S 2S QH 4H/f1 KD QD JD TD 9D 8D 7D 6D 5D 4D 3D 2D AD"
    "/f2 KC QC JC TC 9C 8C 7C 6C 5C 4C 3C 2C AC/f3/f4"
)
"""Simple Simon with one place for two sixes: that of spades leaves a column empty, that of hearts no move."""
CLEARS, JAMS = "t2-t1", "t3-t1"


def begin(player: Player, deal: str = FORK, rules: str = "klondike", variant: str = "D1") -> Game:
    """A game on these cards."""
    of = rules_of(rules)
    game = dealt(player.user, of, variant, parse_position(deal, of.layout))
    game.save()
    return game


def played(player: Player, *commands: str, deal: str = FORK, rules: str = "klondike") -> Game:
    """A game on these cards, played so far."""
    game = begin(player, deal, rules, "D1" if rules == "klondike" else "S4")
    for command in commands:
        outcome = player.play(game, command)
        assert isinstance(outcome, wire.Accepted), (command, outcome)
    return game
