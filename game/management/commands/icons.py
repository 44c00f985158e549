"""``manage.py icons``: draws the site's icons from its sign, for every place that wants its own size.

They are kept in the repository; this is only for whoever changes the sign.
"""

from __future__ import annotations

import re
import struct
from pathlib import Path
from typing import Any, Final

import resvg_py
from django.conf import settings
from django.core.management.base import BaseCommand

UNITS: Final = 32
"""The sign is drawn on a square of so many units."""
SAFE: Final = 0.78
"""What a mask leaves of a picture: the sign is made smaller by this, the cloth goes on to the edge."""
MASKED: Final = {"icon-192.png": 192, "icon-512.png": 512}
APPLE: Final = ("apple-touch-icon.png", 180)
FAVICON: Final = ("favicon.ico", 32)


class Command(BaseCommand):
    help = "Draws the icons again from frontend/static/img/sign.svg."
    requires_system_checks: list[str] = []  # noqa: RUF012  # Django's own form

    def handle(self, **options: Any) -> None:
        for name, data in icons().items():
            (folder() / name).write_bytes(data)
            self.stdout.write(f"wrote {name}, {len(data)} bytes")


def folder() -> Path:
    """Where the sign and the icons lie."""
    return Path(settings.FRONTEND) / "static/img"


def icons() -> dict[str, bytes]:
    """Every icon by its file name."""
    sign = (folder() / "sign.svg").read_text()
    drawn = {name: _png(_to_the_edge(sign, SAFE), size) for name, size in MASKED.items()}
    # Apple rounds the corners by itself.
    name, size = APPLE
    drawn[name] = _png(_to_the_edge(sign, 1), size)
    name, size = FAVICON
    drawn[name] = _ico(_png(sign, size), size)
    return drawn


def _to_the_edge(sign: str, scale: float) -> str:
    """The sign on a cloth without corners."""
    square = re.sub(r' rx="[^"]*"', "", sign)
    moved = UNITS * (1 - scale) / 2
    return square.replace("<path ", f'<path transform="translate({moved} {moved}) scale({scale})" ')


def _png(svg: str, size: int) -> bytes:
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, width=size, height=size, skip_system_fonts=True))


def _ico(png: bytes, size: int) -> bytes:
    """One picture as an .ico file."""
    head = struct.pack("<HHH", 0, 1, 1)
    entry = struct.pack("<BBBBHHII", size, size, 0, 0, 1, 32, len(png), len(head) + 16)
    return head + entry + png
