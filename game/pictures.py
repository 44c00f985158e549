"""Pictures of positions, 1200 by 630, that links are shown with elsewhere; drawn once and kept for a while.

A picture shows the cards as a plate does, and below them the sign of the game, who plays it, and the word
mark. It is kept under what is drawn, so that it is never stale and two games on one deal share it; the
folder is bounded, and what was asked for longest ago goes first.
"""

from __future__ import annotations

import os
import re
import secrets
import threading
import unicodedata
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

import resvg_py
from django.conf import settings
from django.utils.html import escape

from game.engine.position import Position
from game.engine.rules import Rules
from game.fonts import fonts_for
from game.plates import drawing_of, sign_of

WIDE: Final = 1200
HIGH: Final = 630
STRIP: Final = 106
"""How high the strip below the cards is."""
EDGE: Final = 48
NAME_ROOM: Final = 740
NAME_SIZE: Final = 46
KEPT: Final = 500
"""Pictures in the folder; one is some 80 kB."""
WAIT_SECONDS: Final = 2

# The light theme's, in the words of the style sheets.
COLOURS: Final = """
svg{color:#18211d}
.felt{fill:#3d5f52}.strip{fill:#fbfcf9}.line{fill:#d9ddd5}.sign path{fill:#3d5f52}
.paper{fill:#fdfcf8;stroke:#18211d;stroke-opacity:.22;stroke-width:2}
.back{fill:#3c5068;stroke:#fdfcf8;stroke-width:3}
.outline{fill:none;stroke:#98b2a6;stroke-width:2}
.kept-for{color:#98b2a6}.s,.c{color:#1b2422}.h,.d{color:#b3262e}
"""

_USED: Final = re.compile(r'href="#([^"]+)"')
_pen: Final = threading.BoundedSemaphore(1)


class BusyError(Exception):
    """Others are being drawn; this one may be asked for again in a moment."""


def picture_of(rules: Rules, position: Position, player: str = "") -> str:
    """The drawing of a position, as SVG with everything in it that it needs.

    It shows what the position shows: a card that lies face down is its back. The name is left out where no
    font of this machine has all its letters.
    """
    felt = HIGH - STRIP
    board = drawing_of(rules.layout, position, WIDE / felt)
    sign = sign_of(rules)
    middle = felt + STRIP / 2
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}"><style>{COLOURS}</style>'
        f"<defs>{_symbols(board)}</defs>"
        f'<rect class="felt" width="{WIDE}" height="{felt}"/>'
        f"{_placed(board, 0, 0, WIDE, felt)}"
        f'<rect class="strip" y="{felt}" width="{WIDE}" height="{STRIP}"/>'
        f'<rect class="line" y="{felt}" width="{WIDE}" height="2"/>'
        f"{_placed(sign, EDGE, middle - 24, 72, 48)}{_name(player, EDGE + 98, middle)}"
        f"{_placed(_wordmark(), WIDE - EDGE - 196, middle - 22, 196, 44)}</svg>"
    )


def _placed(drawn: str, x: float, y: float, wide: float, high: float) -> str:
    """A drawing inside another, in a place of its own."""
    return drawn.replace(
        "<svg ", f'<svg x="{x}" y="{y}" width="{wide}" height="{high}" overflow="visible" ', 1
    )


def _name(player: str, x: float, middle: float) -> str:
    """Who plays, as large as there is room for even if every letter is as wide as it is high."""
    shown = "".join(sign for sign in player if unicodedata.category(sign)[0] != "C")
    fonts = fonts_for(shown)
    if not fonts:
        return ""
    size = min(NAME_SIZE, NAME_ROOM / len(shown))
    families = ", ".join(f"'{family}'" for family, _file in fonts)
    return (
        f'<text x="{x}" y="{middle + size * 0.34:.1f}" font-size="{size:.1f}" fill="#18211d"'
        f' font-family="{families}">{escape(shown)}</text>'
    )


def _symbols(drawn: str) -> str:
    """What a drawing uses of the sprite, and what that is made of."""
    sprite, wanted, taken = _sprite(), set(_USED.findall(drawn)), dict[str, str]()
    while wanted:
        name = wanted.pop()
        taken[name] = sprite[name]
        wanted |= set(_USED.findall(sprite[name])) - taken.keys()
    return "".join(taken[name] for name in sorted(taken))


@cache
def _sprite() -> dict[str, str]:
    """The symbols of the card sprite by their names."""
    sprite = (settings.FRONTEND / "static/cards/cards.svg").read_text()
    symbols = re.finditer(r'<symbol id="([^"]+)".*?</symbol>', sprite, re.DOTALL)
    # Every clipping costs a layer; ranks alone are drawn past their box, to be cut off there.
    return {
        found[1]: found[0]
        if found[1].startswith("rank-")
        else found[0].replace("<symbol ", '<symbol overflow="visible" ', 1)
        for found in symbols
    }


@cache
def _wordmark() -> str:
    return (
        (settings.FRONTEND / "templates/parts/wordmark.html").read_text().replace("currentColor", "#18211d")
    )


def png_of(drawing: str, player: str = "") -> bytes:
    """The picture of a drawing, kept or made now; ``player`` is the name that stands in it.

    Raises `BusyError` where others have been drawn for too long.
    """
    path = kept_at(drawing)
    with suppress(OSError):
        png = path.read_bytes()
        os.utime(path)
        return png
    if not _pen.acquire(timeout=WAIT_SECONDS):
        raise BusyError
    try:
        files = [file for _family, file in fonts_for(player)]
        png = resvg_py.svg_to_bytes(
            svg_string=drawing, width=WIDE, height=HIGH, skip_system_fonts=True, font_files=files
        )
    finally:
        _pen.release()
    _keep(path, png)
    return png


def kept_at(drawing: str) -> Path:
    """Where the picture of a drawing is or would be kept."""
    name: str = sha256(drawing.encode()).hexdigest()[:32]
    return Path(settings.VAR) / "pictures" / f"{name}.png"


def _keep(path: Path, png: bytes) -> None:
    """Puts a picture into the folder, whole or not at all, and takes out what is too much.

    A full or read-only disk costs the keeping, not the picture.
    """
    fresh = path.with_name(f".{secrets.token_hex(8)}")
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh.write_bytes(png)
        fresh.replace(path)
        _prune(path.parent)


def _prune(folder: Path) -> None:
    found = []
    for entry in os.scandir(folder):
        with suppress(FileNotFoundError):
            found.append((entry.stat().st_mtime, entry.path))
    for _asked, path in sorted(found)[: max(len(found) - KEPT, 0)]:
        Path(path).unlink(missing_ok=True)
