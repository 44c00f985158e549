"""Charts of a person's page as inline SVG; the numbers stand beside them as tables.

Drawn in units of about a pixel, from left to right in every language; colours are the style sheet's.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Final

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

WIDTH: Final = 320
HEIGHT: Final = 56
PAD: Final = 4
BAR_GAP: Final = 2


def climb(values: Sequence[int], before: int | None, label: str) -> SafeString:
    """Each value as a dot and the best so far as a line; less is better and stands higher.

    ``before`` is the best of what came before the first value.
    """
    best = list(accumulate(values if before is None else [before, *values], min))[-len(values) :]
    known = [*values, *([] if before is None else [before])]
    low, high = min(known), max(known)
    across = (WIDTH - 2 * PAD) / max(len(values) - 1, 1)

    def x(at: int) -> str:
        return _n(PAD + at * across)

    def y(value: int) -> str:
        return _n(PAD + (HEIGHT - 2 * PAD) * ((value - low) / (high - low) if high > low else 0))

    start = best[0] if before is None else before
    line = f"M{x(0)} {y(start)}" + "".join(f"H{x(at)}V{y(value)}" for at, value in enumerate(best))
    dots = "".join(
        f'<circle cx="{x(at)}" cy="{y(value)}" r="{"2" if value == best[at] else "1.6"}"'
        f' class="{"better" if value == best[at] else "each"}"/>'
        for at, value in enumerate(values)
    )
    return _figure(mark_safe(f'{dots}<path class="best" d="{line}H{_n(WIDTH)}"/>'), label)  # noqa: S308  # numbers


def bars(counts: Sequence[int], label: str) -> SafeString:
    """One bar for each count, the largest as high as the chart, on a base line."""
    across = WIDTH / len(counts)
    width = _n(across - BAR_GAP)
    most = max([*counts, 1])
    shapes = "".join(
        f'<rect x="{_n(at * across)}" y="{_n(HEIGHT - high)}" width="{width}" height="{_n(high)}"/>'
        for at, count in enumerate(counts)
        if (high := (HEIGHT - 1) * count / most)
    )
    base = f'<path class="base" d="M0 {HEIGHT - 0.5}H{WIDTH}"/>'
    return _figure(mark_safe(shapes + base), label)  # noqa: S308  # made of numbers alone


def _figure(shapes: SafeString, label: str) -> SafeString:
    return format_html(
        '<svg class="chart ltr" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>',
        WIDTH,
        HEIGHT,
        label,
        shapes,
    )


def _n(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
