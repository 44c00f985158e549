"""The messages of `game.wire` as TypeScript declarations."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Iterable, Iterator
from typing import Final

import msgspec
from msgspec import inspect as types

from game import wire
from game.engine.games import GAMES
from game.engine.rules import SENTENCES, Dests

HEAD: Final = """\
// The messages of Tableau, version %(version)s, made from game/wire.py by `manage.py protocol`.
// What they mean is written in PROTOCOL.md.
"""
ALIASES: Final = {"Dests": types.type_info(Dests), "Effect": types.type_info(wire.Effect)}
UNIONS: Final = {"ClientMessage": wire.ClientMessage, "ServerMessage": wire.ServerMessage}


def declarations() -> str:
    """The whole text of ``protocol.d.ts``."""
    parts = [
        HEAD % {"version": wire.PROTOCOL_VERSION},
        *(f"export type {name} = {_written(alias)};\n" for name, alias in ALIASES.items()),
        _union("RefusalCode", (f'"{code}"' for code in refusal_codes())),
        *map(_interface, structs()),
        *(_union(name, (each.__name__ for each in typing.get_args(of))) for name, of in UNIONS.items()),
    ]
    return "\n".join(parts)


def structs() -> list[type[msgspec.Struct]]:
    """Every struct of the wire, in the order of the module."""
    return [
        found
        for found in vars(wire).values()
        if isinstance(found, type) and issubclass(found, msgspec.Struct) and found.__module__ == wire.__name__
    ]


def refusal_codes() -> Iterable[str]:
    """The codes all games share, then those that a game adds."""
    return dict.fromkeys([*SENTENCES, *(code for rules in GAMES for code in rules.sentences)])


def own_fields(struct: type[msgspec.Struct]) -> Iterator[types.Field]:
    """The fields a struct has besides those of the struct it extends."""
    info = typing.cast("types.StructType", types.type_info(struct))
    inherited = {field.name for field in msgspec.structs.fields(base)} if (base := base_of(struct)) else set()
    return (field for field in info.fields if field.name not in inherited)


def base_of(struct: type[msgspec.Struct]) -> type[msgspec.Struct] | None:
    """The struct of the wire that this one extends."""
    (base,) = struct.__bases__
    return base if base.__module__ == wire.__name__ else None


def tag_of(struct: type[msgspec.Struct]) -> str | None:
    """The ``type`` of a message; None for a part of one."""
    tag = struct.__struct_config__.tag
    return None if tag is None else str(tag)


def doc_of(struct: type[msgspec.Struct]) -> str:
    """What a struct is, in one paragraph."""
    return " ".join(inspect.cleandoc(struct.__doc__ or "").replace("``", "`").split())


def _interface(struct: type[msgspec.Struct]) -> str:
    base = base_of(struct)
    extends = f" extends {base.__name__}" if base else ""
    tag = tag_of(struct)
    lines = [f"/** {doc_of(struct)} */", f"export interface {struct.__name__}{extends} {{"]
    if tag:
        lines.append(f'    type: "{tag}";')
    for field in own_fields(struct):
        optional = "?" if may_be_absent(field) else ""
        lines.append(f"    {field.encode_name}{optional}: {_named(field.type)};")
    return "\n".join([*lines, "}\n"])


def may_be_absent(field: types.Field) -> bool:
    """Whether a message may lack this field: it is unset by default, and has no other default."""
    return not field.required and field.default is field.default_factory is msgspec.NODEFAULT


def _union(name: str, members: Iterable[str]) -> str:
    return f"export type {name} =\n    | " + "\n    | ".join(members) + ";\n"


def _written(kind: types.Type) -> str:
    match kind:
        case types.Metadata(type=inner, extra_json_schema={"title": str(title)}):
            return title
        case types.Metadata(type=inner):
            return _written(inner)
        case types.StructType(cls=struct):
            return struct.__name__
        case types.StrType():
            return "string"
        case types.IntType():
            return "number"
        case types.BoolType():
            return "boolean"
        case types.NoneType():
            return "null"
        case types.ListType(item_type=item) | types.VarTupleType(item_type=item):
            return f"{_grouped(item)}[]"
        case types.DictType(value_type=value):
            # Not TypeScript's own Record: the wire has a struct of that name.
            return f"{{ [name: string]: {_named(value)} }}"
        case types.UnionType(types=members):
            return " | ".join(map(_named, members))
        case _:
            raise TypeError(f"no declaration is known for {kind}")


def _named(kind: types.Type) -> str:
    """The name of a type that has one here, else the type written out."""
    return next((name for name, alias in ALIASES.items() if alias == kind), None) or _written(kind)


def _grouped(kind: types.Type) -> str:
    text = _named(kind)
    return f"({text})" if " | " in text else text
