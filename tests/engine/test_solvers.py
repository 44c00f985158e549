"""Solvers answer what the rules say: every win is replayed by ``step``, every loss is what plain search finds."""

from __future__ import annotations

import json
from random import Random

import pytest

from game.engine.cards import card
from game.engine.deals import parse_deal_code
from game.engine.effects import apply_effects
from game.engine.games import GAMES, rules_of
from game.engine.games.solvers import klondike as klondike_solver
from game.engine.games.solvers import simple_simon as simple_simon_solver
from game.engine.line import retrace
from game.engine.notation import parse_position
from game.engine.position import Position
from game.engine.rules import Refusal, Rules
from game.engine.verdicts import Lost, Solution, Verdict
from tests.engine.cases import GOLDEN, games_of
from tests.engine.exhaustion import exhausted, is_done, small_klondike, small_simon
from tests.engine.recorded import replayed

KLONDIKE = rules_of("klondike")
SIMPLE_SIMON = rules_of("simple-simon")
