"""What holds for every game there is, at every position it can come to."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from game.engine.commands import Collect, Draw, GiveUp, Move, Send, Undo, parse_command
from game.engine.deals import DealCode, parse_deal_code
from game.engine.effects import apply_effects, effects_from_json, effects_to_json, inverse
from game.engine.games import GAMES
from game.engine.line import Event, Line, Standing, Status, actions, advance, digest, line_of, retrace
from game.engine.notation import parse_position
from game.engine.piles import Role
from game.engine.position import HIDDEN, Position
from game.engine.rules import SENTENCES, Refusal
from tests.property.games_in_play import (
    commands_of,
    deal_codes,
    legal_commands,
    lines_in_play,
    role_names,
)

some = settings(max_examples=60, deadline=None, derandomize=True)
fewer = settings(max_examples=30, deadline=None, derandomize=True)


def faces(position: Position) -> Counter[str]:
    return Counter(card.text.upper() for _, cards in position.items() for card in cards)


@some
@given(lines_in_play())
def test_all_cards_are_there_once_after_every_command(line: Line) -> None:
    """B06: nothing doubles, nothing vanishes."""
    pack = faces(line.deal)
    assert pack.total() == 52
    for _, standing in retrace(line.rules, line.deal, line.events):
        assert faces(standing.position) == pack


@fewer
@given(lines_in_play())
def test_destinations_are_exactly_what_a_step_accepts(line: Line) -> None:
    """Checked against every source, count and target there is, and the draw."""
    position = line.standing.position
    names = [pile.name for pile in line.rules.layout]
    accepted = {
        f"{source}-{target}" if count == 1 else f"{source}x{count}-{target}"
        for source in names
        for count in range(len(position[source]) + 2)
        for target in names
        if not isinstance(line.rules.step(position, Move(source, count, target)), Refusal)
    }
    stock = role_names(line.rules, Role.STOCK)
    dests = line.rules.dests(position)
    offered = {
        f"{source}-{target}" for source, targets in dests.items() for target in targets if source not in stock
    }
    assert offered == accepted
    assert all(targets and len(set(targets)) == len(targets) for targets in dests.values())
    draws = not isinstance(line.rules.step(position, Draw()), Refusal)
    assert any(source in stock for source in dests) == draws


@some
@given(lines_in_play(), st.integers(0, 10**6))
def test_undo_is_the_inverse_of_every_command(line: Line, choice: int) -> None:
    commands = [*legal_commands(line), Collect()]
    before = line.standing
    if isinstance(line.play(commands[choice % len(commands)]), Refusal):
        return
    if line.standing.status is not Status.PLAYING:
        return
    assert isinstance(line.play(Undo()), Event)
    after = line.standing
    assert (after.position, after.moves, after.ply, after.tip) == (
        before.position,
        before.moves,
        before.ply,
        before.tip,
    )
    assert after.seq == before.seq + 2
    assert digest(line.rules, after) == digest(line.rules, before)


@some
@given(lines_in_play())
def test_effects_are_the_step_and_their_inverse_takes_it_back(line: Line) -> None:
    position = line.standing.position
    for command in [*legal_commands(line), Collect()]:
        step = line.rules.step(position, command)
        if isinstance(step, Refusal):
            continue
        assert apply_effects(position, step.effects) == step.position
        assert apply_effects(step.position, inverse(step.effects)) == position
        assert effects_from_json(effects_to_json(step.effects, masked=False)) == step.effects


@some
@given(lines_in_play())
def test_folding_the_log_is_the_game_as_played(line: Line) -> None:
    standings = [standing for _, standing in retrace(line.rules, line.deal, line.events)]
    assert [Standing(line.deal), *standings][-1] == line.standing
    replayed = Line(line.rules, line.deal)
    for event in line.events:
        assert replayed.play(parse_command(event.command)) == event
    assert replayed.standing == line.standing
    assert digest(line.rules, replayed.standing) == digest(line.rules, line.standing)
    kept = Line(line.rules, line.deal)
    for event in line_of(line.events):
        kept.play(parse_command(event.command))
    assert kept.standing.position == line.standing.position
    assert kept.standing.moves == line.standing.moves
    assert len(kept.events) == line.standing.ply


@some
@given(lines_in_play())
def test_texts_round_trip(line: Line) -> None:
    position = line.standing.position
    text = position.text
    assert parse_position(text, line.rules.layout) == position
    assert position.masked.split("/") == [
        " ".join([name, *(card.text if card.face_up else HIDDEN for card in cards)])
        for name, cards in position.items()
    ]
    assert (position.masked != text) == position.is_hiding()


@some
@given(deal_codes)
def test_codes_round_trip(code: DealCode) -> None:
    assert parse_deal_code(str(code), GAMES) == code
    assert parse_deal_code(str(code).replace("-", "").lower(), GAMES) == code
    assert code.deal() == parse_deal_code(str(code), GAMES).deal()


@some
@given(lines_in_play(), st.data())
def test_a_refused_command_changes_nothing_and_says_why(line: Line, data: st.DataObject) -> None:
    before, text, log = line.standing, line.standing.position.text, list(line.events)
    for _ in range(10):
        command = data.draw(commands_of(line.rules))
        assert parse_command(str(command)) == command
        outcome = advance(line.rules, before, command, line.events[before.tip - 1] if before.tip else None)
        if isinstance(outcome, Refusal):
            assert outcome.code in {**SENTENCES, **line.rules.sentences}
            assert isinstance(line.play(command), Refusal)
            assert line.standing is before
        assert before.position.text == text
        assert line.events == log


@some
@given(lines_in_play())
def test_no_face_down_card_moves_but_from_the_stock(line: Line) -> None:
    """B03: a hidden card takes part in no move, whatever its hidden value."""
    stock = role_names(line.rules, Role.STOCK)
    position = line.standing.position
    for source, targets in line.rules.dests(position).items():
        if source not in stock:
            assert targets
            name, _, count = source.partition("x")
            assert all(card.face_up for card in position[name][-int(count or 1) :])


@some
@given(lines_in_play())
def test_a_double_click_goes_where_a_move_may_go(line: Line) -> None:
    position = line.standing.position
    for name, cards in position.items():
        for count in range(1, len(cards) + 1):
            step = line.rules.step(position, Send(name, count))
            if isinstance(step, Refusal):
                continue
            assert isinstance(step.command, Move)
            assert line.rules.step(position, step.command) == step


@some
@given(lines_in_play())
def test_actions_are_what_would_be_accepted(line: Line) -> None:
    tip = line.events[line.standing.tip - 1] if line.standing.tip else None
    accepted = [
        str(command)
        for command in (Undo(), Collect(), GiveUp())
        if not isinstance(advance(line.rules, line.standing, command, tip), Refusal)
    ]
    assert actions(line.rules, line.standing) == accepted


@some
@given(lines_in_play())
def test_won_says_what_the_cards_say(line: Line) -> None:
    on_foundations = sum(
        len(line.standing.position[name]) for name in role_names(line.rules, Role.FOUNDATION)
    )
    assert (line.standing.status is Status.WON) == (on_foundations == 52)
