"""The tables of PROTOCOL.md that are made from the code: messages, refusal codes, limits, worked deals."""

from __future__ import annotations

import re
import typing
from collections.abc import Callable, Iterable, Iterator
from typing import Final

import msgspec
from msgspec import inspect as types

from game import crowds, door, hub, limits, presence, seats, wire
from game.engine.deals import DealCode
from game.engine.games import GAMES
from game.engine.rules import SENTENCES
from game.management.typescript import base_of, doc_of, may_be_absent, own_fields, structs, tag_of

_SECTION: Final = re.compile(
    r"(?P<open><!-- table: (?P<name>[a-z ]+) -->\n).*?(?P<close><!-- end -->)", re.DOTALL
)
WORKED_LETTERS: Final = "AAAAABD"


def filled(document: str) -> str:
    """The document with every table between its markers made anew; `KeyError` for an unknown marker."""
    return _SECTION.sub(lambda found: found["open"] + TABLES[found["name"]]() + found["close"], document)


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "".join("| " + " | ".join(cells) + " |\n" for cells in lines)


def _from_client() -> str:
    return "\n".join(_struct(struct) for struct in typing.get_args(wire.ClientMessage))


def _from_server() -> str:
    return "\n".join(_struct(struct) for struct in typing.get_args(wire.ServerMessage))


def _parts() -> str:
    messages = {*typing.get_args(wire.ClientMessage), *typing.get_args(wire.ServerMessage)}
    return "\n".join(_struct(struct) for struct in structs() if struct not in messages)


def _struct(struct: type[msgspec.Struct]) -> str:
    tag = tag_of(struct)
    title = f"**`{tag}`**" if tag else f"**{struct.__name__}**"
    base = base_of(struct)
    rest = f" All fields of {base.__name__}{', and' if list(own_fields(struct)) else '.'}" if base else ""
    fields = [
        (
            f"`{field.encode_name}`",
            _in_words(field.type) + (", may be absent" if may_be_absent(field) else ""),
        )
        for field in own_fields(struct)
    ]
    return f"{title}: {doc_of(struct)}{rest}\n" + ("\n" + _table(("field", "type"), fields) if fields else "")


def _in_words(kind: types.Type) -> str:
    match kind:
        case types.Metadata(type=inner, extra_json_schema={"description": str(description)}):
            return f"{_in_words(inner)}, {description}"
        case types.Metadata(type=inner):
            return _in_words(inner)
        case types.StructType(cls=struct):
            return struct.__name__
        case types.StrType():
            return "string"
        case types.IntType():
            return "integer"
        case types.BoolType():
            return "boolean"
        case types.NoneType():
            return "null"
        case types.ListType(item_type=item) | types.VarTupleType(item_type=item):
            return f"list of {_in_words(item)}"
        case types.DictType(value_type=value):
            return f"object, name to {_in_words(value)}"
        case types.UnionType(types=members):
            return " or ".join(map(_in_words, members))
        case _:
            raise TypeError(f"no words are known for {kind}")


def _refusals() -> str:
    shared = ((f"`{code}`", text) for code, text in SENTENCES.items())
    own = ((f"`{code}` in {rules.title}", text) for rules in GAMES for code, text in rules.sentences.items())
    return _table(("code", "sentence"), (*shared, *own))


def _limits() -> str:
    rows = [
        ("protocol version", f"{wire.PROTOCOL_VERSION}"),
        ("a frame from a client", f"{wire.MAX_FRAME_BYTES} bytes"),
        ("updates that answer a `sync` or stand in a `welcome`", f"{wire.MAX_UPDATES}"),
        ("commands of a socket at once, then", f"{door.BURST}, then {door.PER_SECOND} a second"),
        (
            "frames over that rate until 4029",
            f"{door.OVER_THE_RATE} within {door.OVER_THE_RATE_SECONDS:g} s",
        ),
        ("frames of any kind until 4029", f"more than {door.FLOOD_PER_SECOND} a second"),
        ("malformed frames until 4009", f"{door.MALFORMED} within {door.MALFORMED_SECONDS:g} s"),
        ("sockets of an account, of an address", f"{door.SOCKETS_AN_ACCOUNT}, {door.SOCKETS_AN_ADDRESS}"),
        ("beats are apart", f"{hub.BEAT_SECONDS:g} s; {hub.BEAT_SECONDS_FAILING:g} s while Redis fails"),
        ("crowds are apart", f"{crowds.CROWD_SECONDS:g} s or more"),
        ("names in a `crowd`", f"{presence.NAMES_TOLD}"),
        ("a ticket is good for", f"{seats.TICKET_SECONDS} s"),
        ("games started by an account", f"{limits.GAMES_AN_HOUR} an hour"),
        ("log-ins and sign-ups from an address", f"{limits.LOGINS_A_MINUTE} a minute"),
        ("log-ins under one name from an address", f"{limits.TRIES_AT_A_NAME_AN_HOUR} an hour"),
        (
            "codes from an address that name no game",
            f"on pages {limits.ON_PAGES}; at sockets {limits.AT_SOCKETS}",
        ),
    ]
    return _table(("what", "limit"), rows)


def _deals() -> str:
    return "\n".join(_worked_deals())


def _worked_deals() -> Iterator[str]:
    for rules in GAMES:
        for variant in rules.variants:
            code = DealCode(rules, variant, WORKED_LETTERS)
            yield f"`{code}`\n\n```\n{code.deal().text}\n```\n"


def _games() -> str:
    return _table(
        ("rules", "deal codes", "options", "undo", "ranked by", "piles in order"),
        (
            (
                f"`{rules.slug}`",
                ", ".join(f"`{rules.prefix}1-{variant}-…`" for variant in rules.variants)
                + f", {' or '.join(map(str, rules.code_letters))} letters",
                ", ".join(
                    f"`{option.name}` {' / '.join(str(choice.value) for choice in option.choices)}"
                    for option in rules.options
                )
                or "none",
                f"{rules.undo_limit}",
                str(rules.ranking),
                " ".join(pile.name for pile in rules.layout),
            )
            for rules in GAMES
        ),
    )


TABLES: Final[dict[str, Callable[[], str]]] = {
    "from the client": _from_client,
    "from the server": _from_server,
    "parts": _parts,
    "refusals": _refusals,
    "limits": _limits,
    "games": _games,
    "worked deals": _deals,
}
