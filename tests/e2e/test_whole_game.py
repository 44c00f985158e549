"""A whole game, from the first card to its place in the lists, by hand and under the eyes of another."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import cycle

import pytest
from playwright.sync_api import expect

from game.engine.commands import Move, Send, parse_command
from game.engine.games import GAMES
from game.engine.line import Event, Line
from game.engine.rules import Refusal
from tests.e2e.conftest import Visitors
from tests.e2e.table import Table, words_of
from tests.engine.cases import Case, load


def shortest(game: str) -> Case:
    return min(load(game, "won"), key=lambda case: len(case.data["moves"]))


@dataclass
class Played:
    """A case played with the engine: what everybody must see."""

    commands: list[str]
    positions: list[str]
    line: Line

    @classmethod
    def of(cls, case: Case) -> Played:
        line = Line(case.rules, case.deal)
        positions = [line.standing.position.masked]
        commands = [command for command, _, _ in case.played()]
        for command in commands:
            assert isinstance(line.play(parse_command(command)), Event)
            positions.append(line.standing.position.masked)
        return cls(commands, positions, line)


def is_also_sent(case: Case, line: Line, command: str) -> bool:
    """Whether a double click on the cards of a move would do the same."""
    match parse_command(command):
        case Move() as move:
            step = case.rules.step(line.standing.position, Send(move.source, move.count))
            return not isinstance(step, Refusal) and str(step.command) == command
    return False


@pytest.mark.parametrize(
    "case", [shortest(rules.slug) for rules in GAMES], ids=lambda case: case.data["game"]
)
def test_play_a_whole_game_to_the_win_while_somebody_watches(case: Case, visitors: Visitors) -> None:
    played = Played.of(case)
    variant = case.rules.variant(case.options)
    dealt = visitors.deal(case.deal.text, rules=case.rules.slug, variant=variant)
    player, spectator = dealt.table, visitors.watch(dealt)
    so_far = Line(case.rules, case.deal)
    ways = cycle(["drag", "click", "double"])

    for command, position in zip(played.commands, played.positions[1:], strict=True):
        way = next(ways)
        if way == "double" and not is_also_sent(case, so_far, command):
            way = "drag"
        so_far.play(parse_command(command))
        player.play(command, way)
        player.shows(position)
        spectator.shows(position)
        if len(so_far.events) in (1, len(played.commands) // 2):
            assert abs(player.seconds - spectator.seconds) <= 1

    sentence = f"Won in {played.line.standing.moves} moves."
    for table in (player, spectator):
        expect(table.page.locator("#win .sentence")).to_have_text(sentence)
        expect(table.spoken).to_contain_text(sentence)
        if played.line.score is not None:
            expect(table.page.locator("#win .figures")).to_contain_text(str(played.line.score))
    for period in ("today", "this week", "all time"):
        place = player.page.locator("#win .figures div", has_text=period).locator("dd")
        expect(place).to_have_text(re.compile(r"No. \d+"))
    final = player.seconds
    assert spectator.seconds == final
    look_back(player, dealt.address, played)
    # The clock has stopped with the winning move, however long one looks at it.
    assert player.seconds == final
    find_among_ended(player, dealt.address, played)


def look_back(table: Table, address: str, played: Played) -> None:
    """Forwards and backwards, by keys, buttons, slider and address."""
    page, positions = table.page, played.positions
    page.locator('#win [data-act="replay"]').click()
    table.shows(positions[0])
    for position in positions[1:]:
        page.keyboard.press("ArrowRight")
        table.shows(position)
    back = page.get_by_role("button", name="Previous move").bounding_box()
    assert back is not None
    for position in reversed(positions[:-1]):
        page.mouse.click(back["x"] + back["width"] / 2, back["y"] + back["height"] / 2)
        table.shows(position)
    slider = page.get_by_role("slider", name="Move")
    for ply in (len(positions) // 2, 3, len(positions) - 1):
        slider.fill(str(ply))
        table.shows(positions[ply])
        expect(page).to_have_url(f"{address}#{ply}")
    page.keyboard.press("Home")
    table.shows(positions[0])
    page.keyboard.press("End")
    table.shows(positions[-1])
    page.goto(f"{address}#7")
    table.shows(positions[7])
    page.goto("about:blank")
    table.open(f"{address}#9").shows(positions[9])
    slider.fill(str(len(positions) - 1))
    table.shows(positions[-1])


def find_among_ended(table: Table, address: str, played: Played) -> None:
    page = table.page
    page.goto("/games/")
    row = page.locator("tr", has=page.locator(f'a[href="{address}"]'))
    standing = played.line.standing
    expect(row.locator(".of-moves")).to_have_text(str(standing.moves))
    expect(row.locator(".of-score")).to_have_text("" if played.line.score is None else str(played.line.score))
    assert "won" in words_of(row.locator(".of-end")).lower()
