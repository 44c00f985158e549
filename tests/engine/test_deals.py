"""Which cards a deal code stands for: the recipe, the worked deals, and layouts frozen for ever."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from hashlib import sha256, shake_256
from pathlib import Path

import pytest

from game.engine.cards import pack
from game.engine.deals import parse_deal_code, shuffled
from game.engine.games import GAMES
from game.engine.piles import Role
from game.engine.position import Position
from game.engine.rules import Rules
from tests.engine.cases import GOLDEN
from tests.engine.recorded import code_of

RANKS = "A23456789TJQK"


WORKED = json.loads((GOLDEN / "deals.json").read_text())
LAYOUTS = json.loads((GOLDEN / "layouts.json").read_text())


def recipe(code: str, suits: str) -> list[str]:
    """The cards of a code in dealing order, worked out anew from the words of PROTOCOL.md."""
    cards = [f"{rank}{suit}" for suit in suits for rank in RANKS]
    stream = iter(shake_256(code.encode()).digest(4096))
    for i in range(51, 0, -1):
        b = next(b for b in stream if b < 256 - 256 % (i + 1))
        k = b % (i + 1)
        cards[i], cards[k] = cards[k], cards[i]
    return cards


@pytest.mark.parametrize("code", WORKED)
def test_worked_deal(code: str) -> None:
    assert parse_deal_code(code, GAMES).deal().text == WORKED[code]


@pytest.mark.parametrize("code", LAYOUTS)
def test_frozen_layout(code: str) -> None:
    """B11: the same code gives the same layout everywhere, for ever."""
    text = parse_deal_code(code, GAMES).deal().text
    assert sha256(text.encode()).hexdigest() == LAYOUTS[code]


def test_fifty_layouts_are_frozen_and_the_worked_one_is_among_them() -> None:
    """B11: one, two and four suits."""
    simon = [code for code in LAYOUTS if code.startswith("SS1-")]
    assert "SS1-S1-AAAAABD" in simon
    assert len(simon) == len({LAYOUTS[code] for code in simon}) == 50
    assert {code.split("-")[1] for code in simon} == {"S1", "S2", "S4"}
    assert {parse_deal_code(code, GAMES).rules.slug for code in LAYOUTS} == {rules.slug for rules in GAMES}


@pytest.mark.parametrize("suits", ["SSSS", "SHSH", "SHDC"])
def test_the_shuffle_is_the_recipe(suits: str) -> None:
    for code in [f"SS1-S4-{a}{b}ABCDE" for a in "ABCXYZ" for b in "KLMNOPQRST"]:
        assert [card.text for card in shuffled(pack(suits), code)] == recipe(code, suits)


def test_the_shuffle_draws_on_when_its_first_bytes_are_used_up() -> None:
    """Many more cards than the first stretch of bytes serves; the stretch that follows begins with it."""
    many = pack("SHDC" * 4)
    assert sorted(card.text for card in shuffled(many, "X")) == sorted(card.text for card in many)


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.slug)
def test_dealt_column_by_column_from_the_left_each_from_the_table_up(rules: Rules) -> None:
    deal = code_of(rules, 4711)
    order = recipe(str(deal), "".join(card.suit for card in rules.pack(deal.options)[::13]))
    position = deal.deal()
    columns = [pile.name for pile in rules.layout if pile.role is Role.COLUMN]
    in_columns = [card.text.upper() for name in columns for card in position[name]]
    assert in_columns == order[: len(in_columns)]
    in_stock = [
        card.text.upper()
        for pile in rules.layout
        if pile.role is Role.STOCK
        for card in reversed(position[pile.name])
    ]
    assert in_stock == order[len(in_columns) :]


@pytest.mark.parametrize("seed", ["0", "1", "4242"])
def test_another_process_and_hash_seed_deal_and_play_the_same(seed: str) -> None:
    """B11: nothing of a deal, of destinations or of a digest hangs on the order of a set."""
    program = (
        "from game.engine.deals import parse_deal_code\n"
        "from game.engine.games import GAMES\n"
        "from game.engine.line import Standing, digest\n"
        f"for text in {list(WORKED)!r}:\n"
        "    code = parse_deal_code(text, GAMES)\n"
        "    deal = code.deal()\n"
        "    print(deal.text, list(code.rules.dests(deal).items()), digest(code.rules, Standing(deal)))\n"
    )
    root = Path(__file__).parent.parent.parent
    printed = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONHASHSEED": seed},
        cwd=root,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    assert printed.splitlines() == [line_of(text) for text in WORKED]


def line_of(text: str) -> str:
    code = parse_deal_code(text, GAMES)
    deal = code.deal()
    dests = list(code.rules.dests(deal).items())
    return f"{deal.text} {dests} {digest_of(code.rules, deal)}"


def digest_of(rules: Rules, deal: Position) -> str:
    score = rules.score(deal, 0)
    return sha256(f"{deal.text}|{'-' if score is None else score}|0|playing".encode()).hexdigest()
