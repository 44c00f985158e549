"""Deal codes, and the cards they stand for.

A code such as ``SS1-S4-AAAAABD`` is the game's letters, the version of the shuffle, the variant and
letters A-Z. The deal is a pure function of that text; the recipe never changes under a version.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import shake_256
from typing import Final

from game.engine.position import Cards, Position
from game.engine.rules import N_, Options, Rules

SHUFFLE_VERSION: Final = 1
_PARTS: Final = re.compile(r"([A-Z]+)([0-9]+)((?:[A-Z][0-9]+)?)([A-Z]*)")
_TURKISH_I: Final = str.maketrans({"ı": "I", "İ": "I"})
_BLANKS_AND_DASHES: Final = ("Zs", "Zl", "Zp", "Cc", "Cf", "Pd")
# The minus sign is typed for a dash; the dot above is what lower-casing the Turkish capital leaves.
_SILENT: Final = "\N{MINUS SIGN}\N{COMBINING DOT ABOVE}"


class DealCodeError(ValueError):
    """A text that is no deal code.

    ``sentence`` says what is wrong and what would be right, in English, with ``%(name)s`` places for
    ``params``, so that it can be translated.
    """

    def __init__(self, sentence: str, params: Mapping[str, str | int]) -> None:
        super().__init__(sentence % params)
        self.sentence = sentence
        self.params = params


@dataclass(frozen=True, slots=True)
class DealCode:
    """A well-formed code of a known game."""

    rules: Rules
    variant: str
    letters: str

    def __str__(self) -> str:
        head = f"{self.rules.prefix}{SHUFFLE_VERSION}"
        return "-".join(part for part in (head, self.variant, self.letters) if part)

    @property
    def options(self) -> Options:
        return self.rules.variants[self.variant]

    def deal(self) -> Position:
        """The starting position."""
        return self.rules.deal(shuffled(self.rules.pack(self.options), str(self)))


def shuffled(cards: Cards, seed: str) -> Cards:
    """``cards`` in the order that the ASCII text ``seed`` stands for, shuffle version 1.

    The bytes are SHAKE-256 of the seed; for i from the last place down to the second take the next byte
    b, passing over those with b >= 256 - 256 mod (i + 1), and swap cards i and b mod (i + 1).
    """
    order = list(cards)
    source = shake_256(seed.encode("ascii"))
    stream = source.digest(256)
    at = 0
    for i in range(len(order) - 1, 0, -1):
        limit = 256 - 256 % (i + 1)
        while True:
            if at == len(stream):
                stream = source.digest(2 * len(stream))
            byte = stream[at]
            at += 1
            if byte < limit:
                break
        j = byte % (i + 1)
        order[i], order[j] = order[j], order[i]
    return tuple(order)


def folded_code(text: str) -> str:
    """A code as typed, in capitals, without blanks and dashes; reads full-width letters and the Turkish i."""
    plain = unicodedata.normalize("NFKC", text.translate(_TURKISH_I)).upper()
    return "".join(c for c in plain if c not in _SILENT and unicodedata.category(c) not in _BLANKS_AND_DASHES)


def parse_deal_code(text: str, games: Iterable[Rules]) -> DealCode:
    """Reads a deal code in any usual spelling; raises `DealCodeError` that names the wrong part."""
    games = tuple(games)
    folded = folded_code(text)
    match = _PARTS.fullmatch(folded)
    if match is None:
        raise DealCodeError(N_("A deal code is written like %(example)s."), {"example": _example(games[0])})
    prefix, version, variant, letters = match.groups()
    rules = next((rules for rules in games if rules.prefix == prefix), None)
    if rules is None:
        raise DealCodeError(
            N_("%(part)s: no game here has such codes; they begin with %(known)s."),
            {"part": prefix, "known": ", ".join(rules.prefix for rules in games)},
        )
    if version != str(SHUFFLE_VERSION):
        raise DealCodeError(
            N_(
                "%(part)s: the number after %(prefix)s is the version of the shuffle, and there is only "
                "version %(version)s here."
            ),
            {"part": prefix + version, "prefix": prefix, "version": SHUFFLE_VERSION},
        )
    if variant not in rules.variants:
        raise DealCodeError(
            N_("%(part)s: this part is %(known)s."),
            {"part": variant or "–", "known": " / ".join(rules.variants)},
        )
    if len(letters) not in rules.code_letters:
        raise DealCodeError(
            N_("%(part)s: the last part has %(known)s letters, here there are %(count)s."),
            {
                "part": letters or "–",
                "known": " / ".join(map(str, rules.code_letters)),
                "count": len(letters),
            },
        )
    return DealCode(rules, variant, letters)


def _example(rules: Rules) -> str:
    return str(DealCode(rules, next(iter(rules.variants)), "AAAAABD"))
