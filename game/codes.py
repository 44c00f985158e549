"""Codes as people type and paste them: game codes, deal codes, and the one entry box that takes either."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote

from game.engine.deals import DealCode, DealCodeError, folded_code, parse_deal_code
from game.engine.games import GAMES
from game.engine.rules import N_, Rules
from game.models import CODE_ALPHABET, CODE_LENGTH

# Crockford: letters that look like figures are read as those.
_LOOK_ALIKES: Final = str.maketrans("ILO", "110")
_LINK: Final = re.compile(r"/(?P<kind>[gd])/(?P<code>[^/?#\s]+)")
_PLACE: Final = re.compile(r"(?P<code>.+?)\s*(?P<place>#[0-9]{1,6})")
LONGEST_TEXT: Final = 300


class CodeError(ValueError):
    """A text that is no code.

    ``sentence`` is English with ``%(name)s`` places for ``params``, so that it can be translated.
    """

    def __init__(self, sentence: str, params: Mapping[str, str | int]) -> None:
        super().__init__(sentence % params)
        self.sentence = sentence
        self.params = params


@dataclass(frozen=True, slots=True)
class GameCode:
    """A well-formed game code in its canonical spelling; whether there is such a game is not known."""

    text: str

    def __str__(self) -> str:
        return self.text


def parse_game_code(text: str) -> GameCode:
    """Reads a game code in any usual spelling; raises `CodeError` that names the wrong part."""
    typed = folded_code(text)
    folded = typed.translate(_LOOK_ALIKES)
    wrong = next((letter for letter in folded if letter not in CODE_ALPHABET), None)
    if wrong is not None:
        raise CodeError(N_("%(part)s: this sign is in no code."), {"part": wrong})
    if len(folded) != CODE_LENGTH:
        raise CodeError(
            N_("%(part)s: a game code has %(known)s letters and figures, here there are %(count)s."),
            {"part": typed or "–", "known": CODE_LENGTH, "count": len(folded)},
        )
    return GameCode(folded)


def split_place(text: str) -> tuple[str, str]:
    """A text without the place in a game that ends it, and that place: ``#40``, or nothing."""
    match = _PLACE.fullmatch(text.strip())
    return (match["code"], match["place"]) if match else (text, "")


def parse_code(text: str) -> GameCode | DealCode:
    """Reads what the entry box was given: either code in any spelling, or a link to a page of one.

    Raises `CodeError` that says what is wrong with it.
    """
    text = text.strip()
    if not text:
        raise CodeError(N_("Write a game code or a deal code."), {})
    if len(text) > LONGEST_TEXT:
        raise CodeError(N_("That is too long for a code."), {})
    if link := _LINK.search(text):
        text = unquote(link["code"])
        return parse_game_code(text) if link["kind"] == "g" else read_deal_code(text)
    folded = folded_code(text)
    is_deal = any(re.match(rf"{rules.prefix}[0-9]", folded) for rules in GAMES)
    # No deal code is as short as a game code, so that a text of that length can only be a game's.
    if is_deal and len(folded) != CODE_LENGTH:
        return read_deal_code(text)
    if re.fullmatch(r"[A-Z]{2,3}[0-9]+[A-Z][0-9]+[A-Z]*", folded) and len(folded) > CODE_LENGTH:
        return read_deal_code(text)
    return parse_game_code(text)


def read_deal_code(text: str) -> DealCode:
    """Reads a deal code of any game here; raises `CodeError`."""
    try:
        return parse_deal_code(text, GAMES)
    except DealCodeError as error:
        raise CodeError(error.sentence, error.params) from None


def example_code(rules: Rules = GAMES[0]) -> DealCode:
    """A code to show what one looks like, and a deal to show what a game looks like."""
    return DealCode(rules, list(rules.variants)[-1], "AAAAABD")
