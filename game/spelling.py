"""When two names are one name, and when they only look like one. Knows nothing of who has which."""

from __future__ import annotations

import unicodedata
from typing import Final

# Letters that many fonts draw alike, by the Latin letter they are taken for. Capitals stand for
# themselves, since some are alike where their small letters are not. After Unicode's own table (UTS 39).
_DRAWN_LIKE: Final = {
    "a": "аɑαΑА",
    "b": "ВΒЬьƄ",
    "c": "сϲСϹᴄ",
    "d": "ԁᏧ",
    "e": "еЕΕҽ",
    "f": "ſϝ",
    "g": "ɡցԌ",
    "h": "һНΗհᏂ",
    "i": "іɩιɪ",
    "j": "јЈϳյ",
    "k": "кКΚκĸ",
    "l": "I1lӀӏІΙ|ǀߊוןⅼ",
    "m": "МΜᴍм",
    "n": "ΝոռɴпηП",
    "o": "0оОοΟօՕσσهةഠ၀౦",
    "p": "рРρΡƿ",
    "q": "ԛզգ",
    "r": "гᴦг",
    "s": "ѕЅꜱՏ",
    "t": "ТΤтτ",
    "u": "υʋսՍцᴜ",
    "v": "νѵѴᴠ",
    "w": "ԝѡωᴡա",
    "x": "хХΧ×",
    "y": "уУΥγүҮყ",
    "z": "ΖᴢԶ",
    # Within a script that is not Latin.
    "ي": "ىیېۍ",
    "ك": "کڪګ",
    "ا": "أإآٱٲٳ",
    "و": "ؤۇۆ",
    "ه": "ہەۀ",
    "з": "3Зӡ",
    "э": "Є",
}
_TAKEN_FOR: Final = {ord(sign): letter for letter, signs in _DRAWN_LIKE.items() for sign in signs}
_ALSO: Final = (("i\u0307", "i"), ("j\u0307", "j"), ("rn", "m"), ("vv", "w"))
_BETWEEN: Final = str.maketrans("", "", " ._-")


def folded_name(name: str) -> str:
    """The form in which two names are the same name: compatibility forms and case folded.

    The Turkish dotless and dotted i fold to i, so that no two names differ by a dot alone.
    """
    plain = unicodedata.normalize("NFKC", name).replace("ı", "i").replace("İ", "i")
    return unicodedata.normalize("NFKC", plain.casefold())


def look_of(name: str) -> str:
    """The form in which two names look alike, or hardly differ: never shown.

    Letters are those they could be taken for, figures are those of the keyboard, and blanks and signs
    between the words are gone. Marks stay: ``ş`` is no ``s``.
    """
    plain = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", name).replace("İ", "i"))
    signs = "".join(_plain_figure(sign) for sign in plain).translate(_BETWEEN).translate(_TAKEN_FOR)
    look = folded_name(signs).translate(_TAKEN_FOR)
    for letters, letter in _ALSO:
        look = look.replace(letters, letter)
    return unicodedata.normalize("NFC", look)


def _plain_figure(sign: str) -> str:
    return str(unicodedata.decimal(sign)) if unicodedata.category(sign) == "Nd" else sign
