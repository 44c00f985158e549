"""Which font files of this machine can draw a text: asked of fontconfig, where there is one."""

from __future__ import annotations

import shutil
import subprocess
import unicodedata
from functools import lru_cache
from typing import Final

FAMILIES: Final = (
    "Noto Serif",
    "Noto Naskh Arabic",
    "DejaVu Serif",
    "Liberation Serif",
    "Noto Sans Arabic",
    "DejaVu Sans",
)
"""Those that are taken first, the best first; the rest in the order of their names."""
UPRIGHT: Final = ("Regular", "Book")
LONGEST_SECONDS: Final = 5


@lru_cache(maxsize=512)
def fonts_for(text: str) -> tuple[tuple[str, str], ...]:
    """Family and file of a font for each script of a text; empty if a sign of it can be drawn by none.

    One font need not have both the letters of a name and the figures after them.
    """
    signs = {sign for sign in text if unicodedata.category(sign)[0] not in "CZ"}
    scripts = ({sign for sign in signs if not sign.isascii()}, {sign for sign in signs if sign.isascii()})
    found = [_font_with(frozenset(part)) for part in scripts if part]
    return tuple(font for font in found if font) if all(found) else ()


@lru_cache(maxsize=512)
def _font_with(signs: frozenset[str]) -> tuple[str, str] | None:
    """An upright font that has all these signs."""
    program = shutil.which("fc-list")
    if program is None:
        return None
    wanted = f":charset={' '.join(f'{ord(sign):x}' for sign in sorted(signs))}"
    form = "%{family[0]}\t%{style[0]}\t%{file}\n"
    try:
        told = subprocess.run(  # noqa: S603  # a program of the system, and figures
            [program, "--format", form, wanted],
            capture_output=True,
            text=True,
            check=True,
            timeout=LONGEST_SECONDS,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    lines = [line.split("\t") for line in told.stdout.splitlines()]
    upright = sorted((family, file) for family, style, file in lines if style in UPRIGHT)
    return min(upright, key=_preference, default=None)


def _preference(font: tuple[str, str]) -> tuple[int, str]:
    family, _file = font
    return FAMILIES.index(family) if family in FAMILIES else len(FAMILIES), family
