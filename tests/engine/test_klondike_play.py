"""Klondike as it is played: stock, double click, collecting, undo, count; a test for each sentence."""

from __future__ import annotations

import pytest

from game.engine.commands import Move, parse_command
from game.engine.deals import DealCode
from game.engine.effects import Moved, effects_to_json
from game.engine.line import Line, Standing, Status, actions, digest, retrace
from tests.engine.cases import games_of, load
from tests.engine.tables import ask, changed, done, play_all, refused, run
from tests.engine.test_klondike import KLONDIKE, fortuna


def dealt() -> Line:
    return Line(KLONDIKE, DealCode(KLONDIKE, "D1", "AAAAABD").deal())


def passed(line: Line) -> list[str]:
    """One pass through the stock: the cards drawn, in order."""
    cards = []
    while line.standing.position["s"]:
        play_all(line, ["draw"])
        cards.append(line.standing.position["w"][-1].text)
    return cards


# Stock


def test_one_card_at_a_time_to_the_waste() -> None:
    position = fortuna(s="5h 8c", w="2D")
    outcome = ask(KLONDIKE, position, "draw")
    assert isinstance(outcome, tuple)
    event, after = outcome
    assert changed(position, after.position) == {"s": "5h", "w": "2D 8C"}
    assert effects_to_json(event.effects, masked=False) == [["move", "s", "w", 1], ["turn", "w", "8C"]]
    assert after.moves == 1


def test_only_the_top_of_the_waste_can_be_played() -> None:
    position = fortuna(w="7D 8C", t1="9H", t2="8S")
    assert KLONDIKE.dests(position)["w"] == ("t1",)
    assert refused(KLONDIKE, position, "wx2-t1") == "one_card_only"
    assert refused(KLONDIKE, position, "wx3-t1") == "bad_count"


def test_when_the_stock_is_empty_the_waste_is_turned_over_in_the_same_order() -> None:
    position = fortuna(w="8C 5H KS")
    outcome = ask(KLONDIKE, position, "draw")
    assert isinstance(outcome, tuple)
    event, after = outcome
    assert changed(position, after.position) == {"w": "", "s": "ks 5h 8c"}
    assert effects_to_json(event.effects, masked=True) == [["recycle", "w", "s"]]
    assert after.moves == 1


def test_every_pass_is_the_pass_before_minus_what_was_played() -> None:
    """B05: pass 2 equals pass 1; with the 5th and 9th card played pass 3 lacks those; so for 20 passes."""
    line = dealt()
    first = passed(line)
    assert len(first) == 24
    play_all(line, ["draw"])
    assert passed(line) == first
    moves = line.standing.moves
    assert moves == 24 + 1 + 24
    left = [card for place, card in enumerate(first, start=1) if place not in (5, 9)]
    thinned = Line(KLONDIKE, fortuna(w=" ".join(left)))
    for _ in range(20):
        play_all(thinned, ["draw"])
        assert passed(thinned) == left
    assert thinned.standing.moves == 20 * (1 + 22)


def test_a_played_card_is_gone_from_the_next_pass() -> None:
    """B05: a card played from the middle of a pass."""
    line = Line(KLONDIKE, fortuna(s="kc 8s 7d 6h", t1="8C"))
    play_all(line, ["draw", "draw", "w-t1"])
    assert passed(line) == ["8S", "KC"]
    play_all(line, ["draw"])
    assert passed(line) == ["6H", "8S", "KC"]


def test_with_stock_and_waste_empty_there_is_nothing_to_draw() -> None:
    position = fortuna(t1="KS")
    assert refused(KLONDIKE, position, "draw") == "nothing_to_draw"
    assert "s" not in KLONDIKE.dests(position)


def test_destinations_tell_what_a_click_on_the_stock_does() -> None:
    assert KLONDIKE.dests(fortuna(s="5h", w="2C"))["s"] == ("w",)
    assert KLONDIKE.dests(fortuna(w="2C"))["s"] == ("s",)


@pytest.mark.parametrize(
    "command", ["s-w", "s-t1", "s-f1", "send s", "sx2-t1", "t2-s", "t2-w", "w-s", "f1-s"]
)
def test_the_stock_accepts_nothing_but_draw(command: str) -> None:
    """B04: nor does the waste take a card by a move."""
    position = fortuna(s="2h ah", w="QC", t1="KH", t2="QS", f1="AH")
    assert refused(KLONDIKE, position, command) in {"cannot_leave", "foundation_keeps"}


def test_undoing_draws_and_turnings_puts_every_card_back_as_it_lay() -> None:
    """B04: draw to the end, turn over, and all of it back: the digests before come again."""
    line = dealt()
    passed(line)
    play_all(line, ["draw"])
    before = [replayed(line, count) for count in range(len(line.events))]
    for standing in reversed(before):
        play_all(line, ["undo"])
        assert digest(KLONDIKE, line.standing) == digest(KLONDIKE, standing)
    assert line.standing.position == line.deal
    assert refused(KLONDIKE, line.standing.position, "s-t1") == "cannot_leave"


def replayed(line: Line, count: int) -> Standing:
    """The standing after the first ``count`` events of a game, played anew."""
    again = Line(line.rules, line.deal)
    play_all(again, [event.command for event in line.events[:count]])
    return again.standing


# Double click


@pytest.mark.parametrize("source", ["t1", "w"])
def test_double_click_sends_the_last_card_to_its_foundation(source: str) -> None:
    position = fortuna(**{source: "3C 2D", "f3": "AD"})
    after = done(KLONDIKE, position, f"send {source}")
    assert changed(position, after.position) == {source: "3C", "f3": "AD 2D"}


def test_if_it_cannot_go_there_nothing_happens() -> None:
    """Also where a column would take it: a double click goes to the foundation or nowhere."""
    position = fortuna(t1="3C 2D", t2="3S")
    assert refused(KLONDIKE, position, "send t1") == "no_place"


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("send t1x2", "one_card_only"),
        ("send wx2", "one_card_only"),
        ("send t3", "empty_pile"),
        ("send t1x9", "bad_count"),
        ("send t8", "no_such_pile"),
        ("send f3", "foundation_keeps"),
        ("send s", "cannot_leave"),
    ],
)
def test_double_click_works_on_those_cards_only(command: str, code: str) -> None:
    position = fortuna(t1="3S 2D", w="AC AH", f3="AD", s="ks")
    assert refused(KLONDIKE, position, command) == code


def test_a_double_click_is_logged_as_its_move() -> None:
    line = Line(KLONDIKE, fortuna(t1="2D", f3="AD"))
    play_all(line, ["send t1"])
    assert line.events[0].command == "t1-f3"


# Collecting


def test_autoplay_sends_until_none_can_go_including_cards_uncovered_on_the_way() -> None:
    position = fortuna(t1="5C 4h AS", t2="3H AH", t3="2S", w="9D 2H", s="ac")
    after = done(KLONDIKE, position, "collect")
    assert changed(position, after.position) == {
        "t1": "5C",
        "t2": "",
        "t3": "",
        "w": "9D",
        "f1": "AH 2H 3H 4H",
        "f4": "AS 2S",
    }


def test_autoplay_counts_one_move_for_each_card_sent_and_is_one_ply() -> None:
    after = done(KLONDIKE, fortuna(t1="3S 2S AS", t2="AH"), "collect")
    assert (after.moves, after.seq, after.ply) == (4, 1, 1)


def test_autoplay_never_draws() -> None:
    """Nor does it look at hidden cards (B03)."""
    assert refused(KLONDIKE, fortuna(s="as", w="5H", t1="ac 9H"), "collect") == "nothing_to_collect"


def test_the_button_is_off_when_nothing_can_go() -> None:
    assert actions(KLONDIKE, Standing(fortuna(t1="2S"))) == ["give_up"]
    assert actions(KLONDIKE, Standing(fortuna(t1="AS"))) == ["collect", "give_up"]


def test_one_undo_takes_all_of_it_back_faces_and_all() -> None:
    line = Line(KLONDIKE, fortuna(t1="5C 4h AS", t2="3H AH", w="2H"))
    play_all(line, ["collect", "undo"])
    assert line.standing.position == line.deal
    assert line.standing.moves == 0


def test_when_no_card_is_hidden_and_stock_and_waste_are_empty_one_autoplay_ends_it() -> None:
    columns = {f"t{i + 1}": f"{run(suit, 'KQJT987')} {run(suit, '65432A')}" for i, suit in enumerate("SHDC")}
    assert done(KLONDIKE, fortuna(**columns), "collect").status is Status.WON


# Undo and count


def test_each_draw_each_turning_and_each_move_is_one_move() -> None:
    line = Line(KLONDIKE, fortuna(s="7d", t1="8C", t2="AS"))
    counts = []
    for command in ("draw", "draw", "draw", "w-t1", "send t2"):
        play_all(line, [command])
        counts.append(line.standing.moves)
    assert counts == [1, 2, 3, 4, 5]


def test_the_move_count_falls_with_undo() -> None:
    line = Line(KLONDIKE, fortuna(s="7d", t1="8C"))
    play_all(line, ["draw", "w-t1", "undo"])
    assert line.standing.moves == 1


def test_after_undo_a_card_that_had_turned_is_face_down_again() -> None:
    line = Line(KLONDIKE, fortuna(t1="kh 8C", t2="9H"))
    play_all(line, ["t1-t2", "undo"])
    assert line.standing.position == line.deal
    assert effects_to_json(line.events[1].effects, masked=True) == [
        ["turn", "t1", "##"],
        ["move", "t2", "t1", 1],
    ]


def test_the_last_500_actions_can_be_undone() -> None:
    line = Line(KLONDIKE, fortuna(s="7d"))
    play_all(line, ["draw"] * 530 + ["undo"] * 500)
    assert line.standing.moves == 30
    with pytest.raises(AssertionError, match="nothing_to_undo"):
        play_all(line, ["undo"])


def test_a_won_game_is_over() -> None:
    """B01: whichever way it was won, nothing is accepted after."""
    for case in (*load("klondike", "won")[::8], *load("klondike", "autoplay")[::4]):
        line = Line(case.rules, case.deal)
        for text, _, _ in case.played():
            line.play(parse_command(text))
        assert line.standing.status is Status.WON
        for command in ("draw", "undo", "collect", "give_up", "t1-t2"):
            with pytest.raises(AssertionError, match="game_over"):
                play_all(line, [command])


def test_no_move_of_any_recorded_game_moves_a_hidden_card() -> None:
    """B03: every card that leaves a column or the waste lay face up before."""
    for case in games_of("klondike"):
        line = Line(case.rules, case.deal)
        for text, _, _ in case.played():
            line.play(parse_command(text))
        before = line.deal
        for event, after in retrace(case.rules, case.deal, line.events):
            if isinstance(parse_command(event.command), Move) and isinstance(event.effects[0], Moved):
                moved = event.effects[0]
                assert all(card.face_up for card in before[moved.source][-moved.count :])
            before = after.position
