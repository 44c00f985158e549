"""One of every message, with fixed contents, for the golden samples in tests/golden/wire.

``python -m tests.contract.samples`` writes those that are missing and touches no other.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec

from game import wire
from game.engine.deals import parse_deal_code
from game.engine.games import GAMES
from game.engine.line import Line, digest, line_of
from tests.engine.cases import GOLDEN
from tests.engine.tables import play_all

FOLDER: Final = GOLDEN / "wire"


def file_of(name: str) -> Path:
    return FOLDER / f"{name}.json"


def played(code: str, *commands: str) -> Line:
    """A game from a deal code, with these commands played."""
    deal_code = parse_deal_code(code, GAMES)
    line = Line(deal_code.rules, deal_code.deal())
    play_all(line, commands)
    return line


def change(line: Line, *, elapsed_ms: int, running: bool = True) -> wire.Change:
    """The last event of a game in play."""
    state = wire.state_of(line.rules, line.standing, elapsed_ms=elapsed_ms, running=running)
    return wire.change_of(state, line.events[-1].command, line.events[-1].effects)


def info(line: Line, *, deal_code: str | None, ranked: bool) -> wire.GameInfo:
    return wire.GameInfo(
        code="9Q2N7XK0PV",
        rules=line.rules.slug,
        options={"suits": 4} if line.rules.options else {},
        player="Zofia",
        deal_code=deal_code,
        ranked=ranked,
        layout=wire.layout_info(line.rules.layout),
    )


SIMON: Final = "SS1-S4-AAAAABD"
KLONDIKE: Final = "KL1-D1-AAAAABD"


def _simon_snapshot() -> wire.Snapshot:
    line = played(SIMON)
    return wire.snapshot(wire.state_of(line.rules, line.standing, elapsed_ms=0, running=False))


def _simon_update() -> wire.Update:
    return wire.update(change(played(SIMON, "t1-t9"), elapsed_ms=0))


def _simon_undo() -> wire.Update:
    return wire.update(change(played(SIMON, "t1-t9", "undo"), elapsed_ms=4200))


def _simon_given_up() -> wire.Update:
    return wire.update(change(played(SIMON, "t1-t9", "give_up"), elapsed_ms=9001, running=False))


def _welcome_with_snapshot() -> wire.Welcome:
    line = played(SIMON)
    state = wire.state_of(line.rules, line.standing, elapsed_ms=0, running=False)
    return wire.Welcome(1, "1.4.0", "player", info(line, deal_code=SIMON, ranked=True), 1, snapshot=state)


def _welcome_with_updates() -> wire.Welcome:
    line = played(SIMON, "t1-t9")
    about = info(line, deal_code=SIMON, ranked=False)
    return wire.Welcome(1, "1.4.0", "spectator", about, 3, updates=[change(line, elapsed_ms=0)])


def _welcome_with_nothing_missed() -> wire.Welcome:
    about = info(played(SIMON), deal_code=SIMON, ranked=False)
    return wire.Welcome(1, "1.4.0", "spectator", about, 3, updates=[])


def _klondike_welcome() -> wire.Welcome:
    line = played(KLONDIKE)
    state = wire.state_of(line.rules, line.standing, elapsed_ms=0, running=False)
    return wire.Welcome(1, "1.4.0", "player", info(line, deal_code=None, ranked=True), 1, snapshot=state)


def _klondike_draw() -> wire.Update:
    return wire.update(change(played(KLONDIKE, "draw"), elapsed_ms=0))


def _klondike_undo() -> wire.Update:
    return wire.update(change(played(KLONDIKE, "draw", "undo"), elapsed_ms=1200))


def _klondike_collect() -> wire.Update:
    return wire.update(change(played(KLONDIKE, "collect"), elapsed_ms=0))


def _klondike_turned_over() -> wire.Update:
    return wire.update(change(played(KLONDIKE, *["draw"] * 25), elapsed_ms=60_000))


CLIENT: Final[dict[str, wire.ClientMessage]] = {
    "play": wire.Play("a1B2-c3", 17, "t4x3-t7"),
    "play-longest": wire.Play("~" * 64, 2**53 - 1, "send t10x13"),
    "sync": wire.Sync(0),
}
SERVER: Final[dict[str, Callable[[], wire.ServerMessage]]] = {
    "welcome-snapshot": _welcome_with_snapshot,
    "welcome-updates": _welcome_with_updates,
    "welcome-nothing-missed": _welcome_with_nothing_missed,
    "snapshot": _simon_snapshot,
    "update": _simon_update,
    "update-undo": _simon_undo,
    "update-given-up": _simon_given_up,
    "klondike-welcome": _klondike_welcome,
    "klondike-draw": _klondike_draw,
    "klondike-undo": _klondike_undo,
    "klondike-collect": _klondike_collect,
    "klondike-turned-over": _klondike_turned_over,
    "accepted": lambda: wire.Accepted("a1B2-c3", 18, repeated=False),
    "accepted-repeated": lambda: wire.Accepted("a1B2-c3", 18, repeated=True),
    "refused": lambda: wire.Refused(
        "a1B2-c3", "wrong_rank", "A card goes on one that is one rank higher.", 17
    ),
    "refused-malformed": lambda: wire.Refused(None, "malformed", "Bu bir komut değil.", 17),
    "refused-too-fast": lambda: wire.Refused("a1B2-c3", "too_fast", "Too fast: wait a moment.", 17, 350),
    "beat": lambda: wire.Beat(18, 1, 1767225600123),
    "crowd": lambda: wire.Crowd(3, ["Ayşe", "ليلى"]),
    "bye": lambda: wire.Bye(4012, "restart", 1500),
    "bye-for-good": lambda: wire.Bye(4004, "game", None),
}


def _record(line: Line, *, deal_code: str | None) -> wire.Record:
    """The record of a game a second a command; with its secrets only if they are told."""
    standing = line.standing
    is_told = deal_code is not None
    return wire.Record(
        code="9Q2N7XK0PV",
        rules=line.rules.slug,
        rules_version=line.rules.version,
        options={"suits": 4} if line.rules.options else {},
        deal=line.deal.text if is_told else None,
        deal_code=deal_code,
        player="Zofia",
        ranked=not is_told,
        status=standing.status,
        score=line.score,
        moves=standing.moves,
        elapsed_ms=1000 * (standing.seq - 1),
        position=standing.position.text if is_told else standing.position.masked,
        digest=digest(line.rules, standing) if is_told else None,
        log=[wire.RecordEntry(event.command, event.seq, 1500 + 1000 * event.seq) for event in line.events],
        line=[event.command for event in line_of(line.events)],
    )


def _updates_page() -> wire.UpdatesPage:
    return wire.UpdatesPage([change(played(SIMON, "t1-t9"), elapsed_ms=0)], 1)


def _record_of_a_child() -> wire.Record:
    record = _record(played(SIMON, "t1-t9", "give_up"), deal_code=None)
    return msgspec.structs.replace(record, parent="9Q2N7XK0PW", parent_ply=0)


def _verdict() -> wire.GameVerdict:
    line = [change(played(SIMON, "t1-t9"), elapsed_ms=4200, running=False)]
    mistake = wire.Mistake(seq=2, ply=1, command="t2-t9")
    return wire.GameVerdict("found", last_won=0, first_lost=3, recovered=[mistake], line=line)


PROGRAMS: Final[dict[str, Callable[[], wire.Record | wire.UpdatesPage | wire.GameVerdict]]] = {
    "record": lambda: _record(played(SIMON, "t1-t9", "undo", "t1-t9", "give_up"), deal_code=SIMON),
    "record-klondike-ended": lambda: _record(played(KLONDIKE, "draw", "give_up"), deal_code=KLONDIKE),
    "record-klondike-hidden": lambda: _record(played(KLONDIKE, "draw", "collect"), deal_code=None),
    "record-child": _record_of_a_child,
    "verdict": _verdict,
    "verdict-waiting": lambda: wire.GameVerdict("waiting", None, None, [], []),
    "updates-page": _updates_page,
    "updates-page-last": lambda: wire.UpdatesPage([], None),
}


def main() -> None:
    """Writes the samples that are missing."""
    FOLDER.mkdir(exist_ok=True)
    made = {name: make() for name, make in {**SERVER, **PROGRAMS}.items()}
    for name, message in {**CLIENT, **made}.items():
        if not file_of(name).exists():
            file_of(name).write_text(wire.encode(message) + "\n")


if __name__ == "__main__":
    main()
