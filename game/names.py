"""Which names people may have: readable, one script, nothing invisible, nobody else's look-alike."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Final

from game.engine.rules import N_
from game.models import User
from game.spelling import folded_name, look_of

LONGEST: Final = User._meta.get_field("username").max_length or 0
_SIGNS: Final = "._-"
# Letters by their category that are drawn as nothing.
_INVISIBLE: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
_RESERVED: Final = (
    "admin administrator anonymous deleted guest moderator operator root staff support system tableau"
)
_RESERVED_LOOKS: Final = frozenset(look_of(name).replace("l", "i") for name in _RESERVED.split())
GIVEN: Final = re.compile(r"(guest|deleted)[ ._-]*[0-9]*")
"""The names that guests and closed accounts get, folded; nobody chooses one."""
# Scripts that are written together.
_TOGETHER: Final = {
    "HIRAGANA": "CJK",
    "KATAKANA": "CJK",
    "KATAKANA-HIRAGANA": "CJK",
    "HANGUL": "CJK",
    # How the names of Persian figures begin.
    "EXTENDED": "ARABIC",
}
# How the names of marks and figures begin that go with every script: accents, and 0 to 9.
_ANY_SCRIPTS: Final = frozenset(["COMBINING", "DIGIT"])


class NameRefusedError(ValueError):
    """A name nobody may have; ``sentence`` is English with places for ``params``."""

    def __init__(self, sentence: str, params: Mapping[str, str | int]) -> None:
        super().__init__(sentence % params)
        self.sentence = sentence
        self.params = params


def checked_name(text: str) -> str:
    """The name as it will be shown (NFKC, outer blanks gone); raises `NameRefusedError`.

    Whether somebody has it already is not checked.
    """
    name = unicodedata.normalize("NFKC", text).strip(" ")
    if not name:
        raise NameRefusedError(N_("Choose a name."), {})
    for sign in name:
        if not _is_allowed(sign):
            raise NameRefusedError(
                N_("A name has letters, figures, single blanks and . _ - only: %(sign)s cannot stand in it."),
                {"sign": _shown(sign)},
            )
    if len(name) > LONGEST:
        raise NameRefusedError(
            N_("A name has at most %(limit)s letters, this one has %(count)s."),
            {"limit": LONGEST, "count": len(name)},
        )
    if "  " in name:
        raise NameRefusedError(N_("Between the words of a name is one blank."), {})
    if not any(unicodedata.category(sign)[0] in "LN" for sign in name):
        raise NameRefusedError(N_("A name has at least one letter or figure."), {})
    if unicodedata.category(name[0])[0] == "M" or _most_marks(name) > 3:
        raise NameRefusedError(N_("There are too many marks on one letter."), {})
    if len(_scripts(name)) > 1:
        raise NameRefusedError(N_("The letters of a name are of one script."), {})
    # What is kept back is so in disguise too, with a 1 for its i.
    if look_of(name).replace("l", "i") in _RESERVED_LOOKS or GIVEN.fullmatch(folded_name(name)):
        raise NameRefusedError(N_("This name is kept back: choose another."), {})
    return name


def _is_allowed(sign: str) -> bool:
    if sign == " " or sign in _SIGNS:
        return True
    category = unicodedata.category(sign)
    return (category[0] == "L" or category in ("Nd", "Mn", "Mc")) and not _INVISIBLE.match(sign)


def _shown(sign: str) -> str:
    """A sign that can be read in an error, whatever it does to the text around it."""
    category = unicodedata.category(sign)
    return f"U+{ord(sign):04X}" if category[0] in "CZM" or _INVISIBLE.match(sign) else sign


def _most_marks(name: str) -> int:
    """How many marks stand on one letter at most."""
    most = run = 0
    for sign in name:
        run = run + 1 if unicodedata.category(sign)[0] == "M" else 0
        most = max(most, run)
    return most


def _scripts(name: str) -> set[str]:
    """The scripts of the letters, and of marks and figures that are one script's own."""
    found = set()
    for sign in name:
        script = unicodedata.name(sign, "UNKNOWN").split(" ")[0].removesuffix("-INDIC")
        if unicodedata.category(sign)[0] in "LMN" and script not in _ANY_SCRIPTS:
            found.add(_TOGETHER.get(script, script))
    return found
