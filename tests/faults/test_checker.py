"""The checker complains of every kind of bad history, and of nothing in a good one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from game.engine.commands import parse_command
from game.engine.deals import DealCode
from game.engine.games import rules_of
from game.engine.line import Line, Standing, digest
from game.engine.rules import Refusal
from tests.faults.checker import check
from tests.faults.history import Entry, Frame, History, waits
from tests.faults.stored import Row, Stored

GAME = "G"
CODE = DealCode(rules_of("simple-simon"), "S1", "AAAAABD")


class Tale:
    """A good history of four moves and an undo, whose third answer was lost; tests spoil it."""

    def __init__(self) -> None:
        self.history = History()
        line = Line(CODE.rules, CODE.deal())
        rows = []
        self.at(0, "ada", "opened", {})
        self.at(0, "eve", "opened", {})
        self.welcome("ada", line.standing)
        self.welcome("eve", line.standing)
        for seq in range(1, 6):
            source, targets = next(iter(CODE.rules.dests(line.standing.position).items()))
            command = "undo" if seq == 3 else f"{source}-{targets[0]}"
            name = f"c{seq}"
            self.ask(name, seq - 1, command)
            event = line.play(parse_command(command))
            assert not isinstance(event, Refusal)
            rows.append(Row(seq, name, event.command))
            if seq == 3:
                self.at(seq, "ada", "closed", {"code": 1006})
                self.at(seq, "ada", "opened", {})
                self.welcome("ada", line.standing)
                self.ask(name, seq - 1, command)
            self.accept(name, seq, repeated=seq == 3)
            for who in ("ada", "eve") if seq != 3 else ("eve",):
                state = self.state(line.standing)
                self.at(seq, who, "got", {"type": "update", "command": event.command, **state})
        last = line.standing
        score = CODE.rules.score(last.position, last.moves)
        told = (CODE.deal().text, last.position.text, last.seq, last.ply, last.moves, str(last.status))
        self.stored = Stored(GAME, "simple-simon", *told, score, tuple(rows))
        self.record: dict[str, Any] = {"digest": digest(CODE.rules, last)}

    def at(self, when: float, who: str, kind: Any, what: Frame) -> None:
        self.history.entries.append(Entry(when, GAME, who, kind, what))

    def ask(self, name: str, seq: int, command: str) -> None:
        self.at(seq, "ada", "sent", {"type": "play", "id": name, "seq": seq, "command": command})

    def accept(self, name: str, seq: int, *, repeated: bool = False) -> None:
        self.at(seq, "ada", "got", {"type": "accepted", "id": name, "seq": seq, "repeated": repeated})

    def state(self, standing: Standing) -> Frame:
        return {
            "seq": standing.seq,
            "ply": standing.ply,
            "position": standing.position.masked,
            "moves": standing.moves,
            "status": str(standing.status),
        }

    def welcome(self, who: str, standing: Standing) -> None:
        self.at(standing.seq, who, "got", {"type": "welcome", "snapshot": self.state(standing)})

    def complaints(self) -> list[str]:
        return check(self.history, self.stored, self.record)

    def drop(self, holds: Callable[[Entry], bool]) -> None:
        """Takes entries out."""
        before = len(self.history.entries)
        self.history.entries = [entry for entry in self.history.entries if not holds(entry)]
        assert len(self.history.entries) < before

    def change(self, holds: Callable[[Entry], bool], **fields: Any) -> None:
        """Writes other things into the frames of entries."""
        entries = self.history.entries
        assert any(map(holds, entries))
        self.history.entries = [
            replace(entry, what={**entry.what, **fields}) if holds(entry) else entry for entry in entries
        ]

    def log(self, rows: list[Row]) -> None:
        self.stored = replace(self.stored, log=tuple(rows))


@pytest.fixture
def tale() -> Tale:
    return Tale()


def is_update(entry: Entry, who: str, seq: int) -> bool:
    return entry.who == who and entry.what.get("type") == "update" and entry.what["seq"] == seq


def is_answer(entry: Entry, name: str) -> bool:
    return entry.kind == "got" and entry.what.get("id") == name


def test_a_good_history_has_no_complaint(tale: Tale) -> None:
    assert tale.complaints() == []


def lost(tale: Tale) -> None:
    tale.log([*tale.stored.log[:3], Row(4, "other", tale.stored.log[3].command), tale.stored.log[4]])


def doubled(tale: Tale) -> None:
    tale.log([*tale.stored.log, Row(6, "c5", "undo")])


def hole(tale: Tale) -> None:
    tale.log([row for row in tale.stored.log if row.seq != 4])


def another_standing(tale: Tale) -> None:
    tale.stored = replace(tale.stored, moves=77)


def another_digest(tale: Tale) -> None:
    tale.record["digest"] = "0" * 64


def a_move_against_the_rules(tale: Tale) -> None:
    tale.log([*tale.stored.log[:4], Row(5, "c5", "t1x8-t2")])


def another_seq_in_the_answer(tale: Tale) -> None:
    tale.change(lambda entry: is_answer(entry, "c4"), seq=3)


def refused_and_stored(tale: Tale) -> None:
    tale.change(lambda entry: is_answer(entry, "c4"), type="refused", code="stale")


def unsettled(tale: Tale) -> None:
    tale.drop(lambda entry: is_answer(entry, "c4"))


def only_unavailable(tale: Tale) -> None:
    tale.change(lambda entry: is_answer(entry, "c4"), type="refused", code="unavailable")


def fresh_twice(tale: Tale) -> None:
    tale.accept("c4", 4)


def another_command(tale: Tale) -> None:
    asks = [entry for entry in tale.history.entries if entry.what.get("id") == "c2"]
    tale.change(lambda entry: entry is asks[0], command="t9-t1")


def an_answer_to_nothing(tale: Tale) -> None:
    tale.at(6, "ada", "got", {"type": "refused", "id": "ghost", "code": "stale"})


def back_in_time(tale: Tale) -> None:
    older = next(entry for entry in tale.history.entries if is_update(entry, "eve", 2))
    newer = next(entry for entry in tale.history.entries if is_update(entry, "eve", 4))
    tale.history.entries.insert(tale.history.entries.index(newer) + 1, older)


def told_twice(tale: Tale) -> None:
    update = next(entry for entry in tale.history.entries if is_update(entry, "eve", 4))
    tale.history.entries.insert(tale.history.entries.index(update), update)


def told_again_more_often_than_asked(tale: Tale) -> None:
    tale.at(6, "eve", "sent", {"type": "sync", "since": 3})
    for update in [entry for entry in tale.history.entries if is_update(entry, "eve", 4)] * 2:
        tale.history.entries.append(update)


def another_position(tale: Tale) -> None:
    tale.change(lambda entry: is_update(entry, "eve", 4), position="t1/t2")


def another_position_at_the_end(tale: Tale) -> None:
    tale.change(lambda entry: is_update(entry, "eve", 5), position="t1/t2")


def another_command_in_the_update(tale: Tale) -> None:
    tale.change(lambda entry: is_update(entry, "eve", 4), command="undo")


def ahead_of_the_log(tale: Tale) -> None:
    tale.change(lambda entry: is_update(entry, "eve", 5), seq=6)


def left_behind(tale: Tale) -> None:
    tale.drop(lambda entry: is_update(entry, "eve", 5))


def never_welcomed(tale: Tale) -> None:
    tale.drop(lambda entry: entry.who == "eve" and entry.kind == "got")


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lost, "c4 was accepted as 4 and is lost"),
        (doubled, "c5 is in the log 2 times"),
        (hole, "the log has a hole"),
        (another_standing, "but the log leads to"),
        (another_digest, "digest is not that of the replay"),
        (a_move_against_the_rules, "the engine refuses t1x8-t2 at 5"),
        (another_seq_in_the_answer, "c4 was accepted as 3 and is logged as 4"),
        (refused_and_stored, "c4 was refused as stale and is logged as 4"),
        (unsettled, "c4 never had an answer"),
        (only_unavailable, "c4 never had an answer"),
        (fresh_twice, "c4 was accepted twice"),
        (another_command, "c2 asked for t9-t1"),
        (an_answer_to_nothing, "ghost was answered and never asked"),
        (lost, "nobody sent other"),
        (back_in_time, "eve was at 4 and was sent back to 2"),
        (told_twice, "eve was at 4 and was told again of 4"),
        (told_again_more_often_than_asked, "eve was at 5 and was sent back to 4"),
        (another_position, "eve saw another position at 4"),
        (another_position_at_the_end, "eve ends at another position"),
        (another_command_in_the_update, "eve was told of another command at 4"),
        (ahead_of_the_log, "eve was told of 6, which is not in the log"),
        (left_behind, "eve ends at 4 of 5"),
        (never_welcomed, "eve never saw the table"),
    ],
)
def test_every_kind_of_bad_history_is_complained_of(
    tale: Tale, spoil: Callable[[Tale], None], says: str
) -> None:
    spoil(tale)
    assert any(says in complaint for complaint in tale.complaints()), tale.complaints()


def test_who_has_left_need_not_see_the_end(tale: Tale) -> None:
    left_behind(tale)
    tale.at(6, "eve", "left", {})
    assert tale.complaints() == []


def test_what_was_asked_for_may_come_again(tale: Tale) -> None:
    tale.at(6, "eve", "sent", {"type": "sync", "since": 3})
    again = [entry for entry in tale.history.entries for seq in (4, 5) if is_update(entry, "eve", seq)]
    tale.history.entries += again
    assert tale.complaints() == []


def test_how_far_a_screen_lags_is_told(tale: Tale) -> None:
    late = next(entry for entry in tale.history.entries if is_update(entry, "eve", 5))
    tale.history.entries[tale.history.entries.index(late)] = replace(late, at=7.5)
    found = waits(tale.history.of(GAME))
    assert max(wait.seconds for wait in found["eve"]) == 2.5
    assert len(found["eve"]) == 5
    assert max(wait.seconds for wait in found["ada"]) == 0


def test_a_history_is_saved_as_lines(tale: Tale, tmp_path: Any) -> None:
    tale.history.save(tmp_path / "history")
    assert len((tmp_path / "history").read_text().splitlines()) == len(tale.history.entries)
