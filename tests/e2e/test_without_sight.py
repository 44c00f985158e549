"""A whole game by keys alone, or by typed moves alone: each move is heard, and the table can be asked."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from game.engine.commands import Move, parse_command
from game.engine.games import GAMES
from game.engine.line import Event, Line
from game.engine.piles import Role
from tests.e2e.conftest import Visitors
from tests.e2e.deals import MEADOW, SHUTTLE, to_and_fro
from tests.e2e.speech import Ear, sentence
from tests.e2e.table import Table
from tests.engine.cases import Case, load
from tests.services import wait_until

every_kind = pytest.mark.parametrize(
    "case",
    [min(load(rules.slug, "won"), key=lambda case: len(case.data["moves"])) for rules in GAMES],
    ids=lambda case: case.data["game"],
)


def play_all(case: Case, visitors: Visitors, play: Callable[[Table, Any], None]) -> tuple[Table, list[str]]:
    """Plays a recorded game; returns the table and what was heard, which is every move and the win."""
    dealt = visitors.deal(case.deal.text, rules=case.rules.slug, variant=case.rules.variant(case.options))
    table, ear = dealt.table, Ear(dealt.table)
    line, said = Line(case.rules, case.deal), []
    for text, _, _ in case.played():
        before = line.standing.position
        event = line.play(parse_command(text))
        assert isinstance(event, Event)
        play(table, parse_command(text))
        table.shows(line.standing.position.masked)
        expect(table.moves).to_have_text(str(line.standing.moves))
        said.append(sentence(case.rules.layout, event, before, line.standing.position))
    said.append(f"Won in {line.standing.moves} moves.")
    wait_until(lambda: len(ear.heard) >= len(said), "every sentence", 10)
    assert ear.heard == said
    expect(table.page.locator("#win .sentence")).to_have_text(said[-1])
    return table, said


def focused(table: Table) -> tuple[str, int]:
    """The pile and the number of cards from the focus to its end."""
    pile, count = table.page.evaluate(
        "[document.activeElement.dataset.pile ?? '', Number(document.activeElement.dataset.count ?? 0)]"
    )
    return pile, count


def walk(table: Table, pile: str, count: int, columns: list[str]) -> None:
    """Brings the focus to a card, or with none to a pile that is no column, by arrows and figures."""
    keys = table.page.keyboard
    if pile in columns:
        if focused(table)[0] != pile:
            keys.press(str((columns.index(pile) + 1) % 10))
        while (at := focused(table)[1]) != count:
            keys.press("ArrowUp" if at < count else "ArrowDown")
        return
    while focused(table)[0] in columns:
        keys.press("ArrowUp")
    order = ["s", "w", "f1", "f2", "f3", "f4"]
    while (name := focused(table)[0]) != pile:
        keys.press("ArrowRight" if order.index(name) < order.index(pile) else "ArrowLeft")


@every_kind
def test_play_a_whole_game_by_keys_alone(case: Case, visitors: Visitors) -> None:
    columns = [pile.name for pile in case.rules.layout if pile.role is Role.COLUMN]

    def press(table: Table, command: Any) -> None:
        keys = table.page.keyboard
        if table.page.evaluate("document.activeElement === document.body"):
            table.page.locator("#table [tabindex='0']").focus()
        match command:
            case Move(source=pile, count=count, target=to):
                walk(table, pile, count, columns)
                keys.press("Enter")
                if to in columns:
                    keys.press(str((columns.index(to) + 1) % 10))
                else:
                    walk(table, to, 0, columns)
                    keys.press("Enter")
            case other:
                keys.press({"draw": "d", "collect": "a", "undo": "z"}[str(other)])
        # Whatever moves, the focus stays on the table.
        assert table.page.evaluate("document.getElementById('table').contains(document.activeElement)")

    table, _ = play_all(case, visitors, press)
    assert len(table.commands) == len(list(case.played()))


@every_kind
def test_play_a_whole_game_by_typed_moves_alone(case: Case, visitors: Visitors) -> None:
    columns = [pile.name for pile in case.rules.layout if pile.role is Role.COLUMN]
    short = {name: str((number + 1) % 10) for number, name in enumerate(columns)}

    def write(table: Table, command: Any) -> None:
        line = table.page.get_by_label("Type a move")
        if not line.is_visible():
            table.page.locator("#table [tabindex='0']").focus()
            table.page.keyboard.press("m")
        expect(line).to_be_focused()
        text = str(command)
        if isinstance(command, Move):
            empty = not table.cards(command.target)
            # Onto a card only one run fits; an empty place takes the longest, so the number is said.
            source = short.get(command.source, command.source)
            more = f"x{command.count}" if empty and command.count > 1 else ""
            text = text if empty and not more else f"{source}{more} {short.get(command.target, 'f')}"
        table.page.keyboard.type(text)
        table.page.keyboard.press("Enter")

    play_all(case, visitors, write)


def test_ask_for_a_pile_the_table_and_where_cards_may_go(visitors: Visitors) -> None:
    table = visitors.deal(MEADOW).table
    keys, ear = table.page.keyboard, Ear(table)
    table.card("t4").focus()
    for key in ("r", "l", "t", "Enter", "2"):
        keys.press(key)
    wait_until(lambda: len(ear.heard) == 4, "the refusal too", 10)
    keys.press("r")
    wait_until(lambda: len(ear.heard) == 5, "five answers", 10)
    pile, places, whole, refusal, again = ear.heard
    assert pile == "column 4, 1 card: eight of hearts."
    assert places == "eight of hearts goes to: column 3 (nine of diamonds), column 9, empty."
    assert whole.startswith("column 1: queen of spades. column 2: eight of spades.")
    assert "column 9, empty." in whole
    assert refusal == table.slip.inner_text()
    assert again == "column 4, 1 card: eight of hearts."


def test_a_typed_move_that_is_none_or_leaves_a_choice_is_told(visitors: Visitors) -> None:
    table = visitors.deal(MEADOW).table
    page, ear = table.page, Ear(table)
    table.card("t4").focus()
    page.keyboard.press("m")
    line, answer = page.get_by_label("Type a move"), page.locator("#typed-answer")
    for text, wanted in (
        ("over there", "That is no move."),
        ("11", "There is no place called 11 here."),
        ("1", "column 1: more than one place would take cards. Say which: column 9, column 10."),
    ):
        line.fill(text)
        line.press("Enter")
        expect(answer).to_contain_text(wanted)
        assert wanted in ear.heard[-1]
    line.fill("4 3")
    line.press("Enter")
    table.agree(moves=1)
    # The ace lies nowhere but on an empty place, and column 4 is one by now.
    line.fill("6 9")
    line.press("Enter")
    table.agree(moves=2)
    expect(line).to_have_value("")
    expect(page.locator("#words")).to_contain_text("column 3, 2 cards: nine of diamonds, eight of hearts.")
    line.fill("1 2")
    line.press("Enter")
    expect(table.slip).not_to_be_empty()
    line.press("Escape")
    expect(page.locator("#words")).to_be_hidden()
    expect(page.locator("#table :focus")).to_have_count(1)
    assert table.commands == ["t4-t3", "t6-t9", "t1-t2"]


def test_two_equal_moves_are_both_heard(visitors: Visitors) -> None:
    """B23"""
    table = visitors.deal(SHUTTLE, "t3-t1").table
    ear = Ear(table)
    for command in ("t1-t2", "undo", "t1-t2", "undo", "t1-t2"):
        table.play(command)
        table.shows(table.agree(moves=2 if command != "undo" else 1))
    there = "eight of diamonds to column 2, onto nine of hearts."
    assert ear.heard.count(there) == 3


def test_a_spectator_is_not_flooded_and_keeps_the_focus(visitors: Visitors) -> None:
    """B23: five moves a second make a sentence every few seconds; the last one is heard."""
    dealt = visitors.deal(SHUTTLE, "t3-t1")
    spectator = visitors.watch(dealt)
    ear = Ear(spectator)
    spectator.card("t1").focus()
    start = time.monotonic()
    for number, command in enumerate(to_and_fro(26)[1:], start=2):
        spectator.page.wait_for_timeout(max(0, 200 * (number - 1) - 1000 * (time.monotonic() - start)))
        dealt.table.play(command, "click")
        dealt.table.shows(dealt.table.agree(number))
    seconds = time.monotonic() - start
    spectator.agree(26)
    assert spectator.page.evaluate("document.activeElement.getAttribute('aria-label')") == "eight of diamonds"
    last = "eight of diamonds to column 2, onto nine of hearts."
    wait_until(lambda: ear.heard[-1:] == [last], "the last move is heard", 10)
    assert len(ear.heard) <= seconds / 2.5 + 2
