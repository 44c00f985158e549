"""Every message, both ways, as typed structs; the only place where a position becomes a message.

The contract in words is PROTOCOL.md; `frontend/static/js/protocol.d.ts` is made from these classes.
Structs without a `type` are parts of messages, or records for programs.
"""

from __future__ import annotations

from typing import Annotated, Final

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from game.engine.effects import Effects, effects_to_json
from game.engine.line import Standing, Status, actions, score_of
from game.engine.piles import Layout
from game.engine.rules import Dests, Rules

PROTOCOL_VERSION: Final = 1
MAX_FRAME_BYTES: Final = 4096
MAX_UPDATES: Final = 50
"""So many updates at most answer a `sync` or stand in a `welcome`; beyond, a snapshot is shorter."""

CommandId = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=64,
        pattern=r"\A[!-~]+\Z",
        description="1 to 64 printable ASCII characters, no blank",
    ),
]
Seq = Annotated[int, Meta(ge=0, le=2**53 - 1, description="0 to 2^53 - 1")]
Effect = list[str | int]
RefusalCode = Annotated[str, Meta(title="RefusalCode")]


# From the client


class Play(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="play"):
    """One command. ``id`` is new for each intention and the same on every retry; ``seq`` is the last seen."""

    id: CommandId
    seq: Seq
    command: str


class Sync(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="sync"):
    """Asks for what happened after ``since``."""

    since: Seq


ClientMessage = Play | Sync


class MalformedMessageError(ValueError):
    """A frame that is no message; ``id`` is the sender's own name for it, if that could be read."""

    def __init__(self, reason: str, id: str | None) -> None:
        super().__init__(reason)
        self.id = id


_client_decoder: Final = msgspec.json.Decoder(ClientMessage, strict=True)
_valid_id: Final = msgspec.json.Decoder(CommandId)


def decode_client(frame: str | bytes) -> ClientMessage:
    """Reads a frame from a browser; raises `MalformedMessageError`."""
    try:
        return _client_decoder.decode(frame)
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise MalformedMessageError(str(error), _readable_id(frame)) from None


def _readable_id(frame: str | bytes) -> str | None:
    try:
        return msgspec.convert(msgspec.json.decode(frame)["id"], CommandId)
    except (msgspec.DecodeError, RecursionError, UnicodeError, LookupError, TypeError):
        return None


# From the server


class PileInfo(Struct, frozen=True, omit_defaults=True):
    """One pile of a layout: its place in a grid of cards and how it fans."""

    name: str
    role: str
    row: int
    column: int
    fan: str
    suit: str | UnsetType = UNSET


class GameInfo(Struct, frozen=True):
    """What does not change while a game is played, but for ``ranked`` and the secrets told at its end."""

    code: str
    rules: str
    options: dict[str, int]
    player: str
    deal_code: str | None
    ranked: bool
    layout: list[PileInfo]


class State(Struct, frozen=True):
    """How a game stands at ``seq``. ``position`` is masked; times are milliseconds."""

    seq: int
    ply: int
    position: str
    score: int | None
    moves: int
    elapsed_ms: int
    running: bool
    status: str
    dests: Dests
    actions: list[str]


class Change(State, frozen=True, kw_only=True):
    """A state and the event that led to it; ``effects`` are hints for animation."""

    command: str
    effects: list[Effect]


class Snapshot(State, frozen=True, tag_field="type", tag="snapshot"):
    """The whole state, asked for or not."""


class Update(Change, frozen=True, tag_field="type", tag="update"):
    """One event, as everybody gets it."""


class Welcome(Struct, frozen=True, omit_defaults=True, tag_field="type", tag="welcome"):
    """The first message: who one is, which game it is, and either a snapshot or what was missed."""

    protocol: int
    release: str
    role: str
    game: GameInfo
    epoch: int
    snapshot: State | UnsetType = UNSET
    updates: list[Change] | UnsetType = UNSET


class Accepted(Struct, frozen=True, tag_field="type", tag="accepted"):
    """The command is stored. ``seq`` is its event's; ``repeated`` if it had been accepted before."""

    id: str
    seq: int
    repeated: bool


class Refused(Struct, frozen=True, tag_field="type", tag="refused"):
    """The command changed nothing; ``text`` says why in the socket's language."""

    id: str | None
    code: RefusalCode
    text: str
    seq: int
    retry_ms: int | None = None


class Beat(Struct, frozen=True, tag_field="type", tag="beat"):
    """The newest ``seq`` in the database, and the server's Unix time in milliseconds."""

    seq: int
    epoch: int
    time: int


class Crowd(Struct, frozen=True, tag_field="type", tag="crowd"):
    """The people who watch, the player not counted; ``names`` up to a limit."""

    count: int
    names: list[str]


class Bye(Struct, frozen=True, tag_field="type", tag="bye"):
    """The close that follows; ``retry_ms`` null means: do not come back."""

    code: int
    reason: str
    retry_ms: int | None


ServerMessage = Welcome | Snapshot | Update | Accepted | Refused | Beat | Crowd | Bye

_encoder: Final = msgspec.json.Encoder()


def encode(message: Struct) -> str:
    """The text of one frame, or of a JSON answer."""
    return _encoder.encode(message).decode()


def layout_info(layout: Layout) -> list[PileInfo]:
    """A layout as the browser gets it."""
    return [
        PileInfo(pile.name, pile.role, pile.row, pile.column, pile.fan, pile.suit or UNSET) for pile in layout
    ]


def state_of(rules: Rules, standing: Standing, *, elapsed_ms: int, running: bool) -> State:
    """A standing as everybody may see it."""
    return State(
        seq=standing.seq,
        ply=standing.ply,
        position=standing.position.masked,
        score=score_of(rules, standing),
        moves=standing.moves,
        elapsed_ms=elapsed_ms,
        running=running,
        status=standing.status,
        dests=rules.dests(standing.position) if standing.status is Status.PLAYING else {},
        actions=actions(rules, standing),
    )


def change_of(state: State, command: str, effects: Effects) -> Change:
    """A state as the outcome of an event."""
    told = effects_to_json(effects, masked=True)
    return Change(**msgspec.structs.asdict(state), command=command, effects=told)


def snapshot(state: State) -> Snapshot:
    """A state as a message of its own."""
    return Snapshot(**msgspec.structs.asdict(state))


def update(change: Change) -> Update:
    """A change as a message of its own."""
    return Update(**msgspec.structs.asdict(change))


# For programs


class RecordEntry(Struct, frozen=True, omit_defaults=True):
    """One accepted command of a record; ``at_ms`` counts from when the game was made."""

    command: str
    seq: int | UnsetType = UNSET
    at_ms: int | UnsetType = UNSET


class Record(Struct, frozen=True, kw_only=True):
    """A game for programs: enough to replay it, and what should come out. ``parent``: see "For programs"."""

    code: str
    rules: str
    rules_version: int
    options: dict[str, int]
    deal: str | None
    deal_code: str | None
    player: str
    ranked: bool
    status: str
    score: int | None
    moves: int
    elapsed_ms: int
    position: str
    digest: str | None
    log: list[RecordEntry]
    line: list[str]
    parent: str | UnsetType = UNSET
    parent_ply: int | UnsetType = UNSET


class UpdatesPage(Struct, frozen=True):
    """A stretch of a game's updates; ``next`` is the ``since`` of the following page, or null."""

    updates: list[Change]
    next: int | None


class Mistake(Struct, frozen=True):
    """A step that lost a game and was taken back: where it stands in the log, and which ply it made."""

    seq: int
    ply: int
    command: str


class GameVerdict(Struct, frozen=True):
    """Where an ended game was lost, as far as that is proven; ``line`` leads from ``last_won`` to a win."""

    state: str
    last_won: int | None
    first_lost: int | None
    recovered: list[Mistake]
    line: list[Change]
