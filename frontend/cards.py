"""Draws the card sprite: python3 frontend/cards.py > frontend/static/cards/cards.svg

Every rank is one stroke of one pen and every suit one path; the 52 faces of each size are put
together from them by <use>, so the file stays small. Faces take their colour from `color` of
the element that shows them: suits, four colours and the dark theme are a matter of the style
sheet alone. The sheet of paper under a face is the element's own background.
"""

from __future__ import annotations

SUITS = "shdc"

# Width of the box (36 high) and the stroke of the pen in it.
RANKS = {
    "A": (25, "M1.6 38L12.5-3L23.4 38M5.6 24.6H19.4"),
    "2": (24, "M3.1 11.6C3.1 6.1 6.9 2.7 12 2.7s8.9 3.2 8.9 8c0 4-2.5 7-5.9 10.5L4.6 33.3H23"),
    "3": (
        24,
        "M3.3 2.7H19.2L11.2 14.7C17.4 14.3 21.3 18.1 21.3 23.6 21.3 29.5 17 33.3 11.5 33.3"
        " 7 33.3 3.6 30.9 2.4 27",
    ),
    "4": (25, "M17.6-2V38M18.6-.5L3.3 26.6H26"),
    "5": (
        24,
        "M20.8 2.7H6.5L5.2 16.2C6.9 14.6 9.2 13.7 11.8 13.7 17.4 13.7 21.3 17.7 21.3 23.4"
        " 21.3 29.3 17.1 33.3 11.5 33.3 7.1 33.3 3.7 31 2.5 27",
    ),
    "6": (
        24,
        "M18.4 1.2C9.6 5.6 2.7 14 2.7 23.5 2.7 29.5 6.6 33.3 12 33.3S21.3 29.4 21.3 23.9"
        " 17.5 14.7 12.3 14.7C8.6 14.7 5 16.7 3.3 20.2",
    ),
    "7": (23, "M1 2.7H19.6L8.2 38"),
    "8": (
        24,
        "M12 2.7C16.5 2.7 19.7 5.5 19.7 9.6S16.5 16.7 12 16.7 4.3 13.7 4.3 9.6 7.5 2.7 12 2.7Z"
        "M12 16.7C17.4 16.7 21.3 20.1 21.3 25S17.4 33.3 12 33.3 2.7 29.9 2.7 25 6.6 16.7 12 16.7Z",
    ),
    "T": (
        34,
        "M.2 9.6L7.4 3.4V38M22.7 2.7C27.9 2.7 31.2 8.4 31.2 18S27.9 33.3 22.7 33.3"
        " 14.2 27.6 14.2 18 17.5 2.7 22.7 2.7Z",
    ),
    "J": (21, "M7.5 2.7H16.6V24C16.6 30.3 13.9 33.3 9.6 33.3 5.3 33.3 2.7 30.4 2.5 25.6"),
    "Q": (
        25,
        "M12.2 2.7C18 2.7 21.7 8.3 21.7 18S18 33.3 12.2 33.3 2.7 27.7 2.7 18 6.4 2.7 12.2 2.7Z"
        "M12.6 24.2L24 37.5",
    ),
    "K": (25, "M3.9-2V38M23.4-2.4L3.9 23.4M10.2 14.4L24.7 39"),
}

# A nine is a six that stands on its head; sprite() turns it.
RANKS["9"] = RANKS["6"]

STEM = "55.5 82 60 90.5 68 96H32C40 90.5 44.5 82 45.5 69.5"
SPADE = (
    "M50 4C58 23 95 39 95 62 95 74.5 85.5 82 75 82 66.5 82 59 77.5 54.5 69.5 "
    + STEM
    + " 41 77.5 33.5 82 25 82 14.5 82 5 74.5 5 62 5 39 42 23 50 4Z"
)
PIPS = {
    "s": f'<path d="{SPADE}"/>',
    "h": '<path d="M50 93C22 67 5 51 5 31 5 17 15 7.5 28 7.5 38 7.5 46 13.5 50 24'
    ' 54 13.5 62 7.5 72 7.5 85 7.5 95 17 95 31 95 51 78 67 50 93Z"/>',
    "d": '<path d="M50 3C59 21 71 36.5 86 50 71 63.5 59 79 50 97 41 79 29 63.5 14 50 29 36.5 41 21 50 3Z"/>',
    "c": '<path d="M29 26a21 21 0 1 0 42 0 21 21 0 1 0-42 0ZM4 60a21 21 0 1 0 42 0 21 21 0 1 0-42 0Z'
    "M54 60a21 21 0 1 0 42 0 21 21 0 1 0-42 0ZM41 40H59L62 56 54.5 69.5C" + STEM + 'L38 56Z"/>',
}

# Where pips stand, by rank: three columns, rows from 49 to 121.
LEFT, MIDDLE, RIGHT = 29, 50, 71
CORNERS = [(x, y) for y in (49, 121) for x in (LEFT, RIGHT)]
SIX = [(x, y) for y in (49, 85, 121) for x in (LEFT, RIGHT)]
EIGHT = [(x, y) for y in (49, 73, 97, 121) for x in (LEFT, RIGHT)]
PLACES = {
    "2": [(MIDDLE, 49), (MIDDLE, 121)],
    "3": [(MIDDLE, 49), (MIDDLE, 85), (MIDDLE, 121)],
    "4": CORNERS,
    "5": [*CORNERS, (MIDDLE, 85)],
    "6": SIX,
    "7": [*SIX, (MIDDLE, 67)],
    "8": [*SIX, (MIDDLE, 67), (MIDDLE, 103)],
    "9": [*EIGHT, (MIDDLE, 85)],
    "T": [*EIGHT, (MIDDLE, 61), (MIDDLE, 109)],
}

# Head-gear of the court, above the middle of the card; it stands once more on its head below.
COURT = {
    "K": '<path d="M32.5 57L37.2 72H62.8L67.5 57L59 64.5L50 52.5L41 64.5Z"/>'
    '<path d="M36.6 76.2H63.4M50 44.2V51M46.9 47.2H53.1"/>'
    '<g fill="currentColor" stroke="none"><circle cx="32.3" cy="54" r="2"/>'
    '<circle cx="67.7" cy="54" r="2"/></g>',
    "Q": '<path d="M32.8 55.5C36 64.5 44.5 62.5 42.6 53.5 45 61.5 55 61.5 57.4 53.5'
    ' 55.5 62.5 64 64.5 67.2 55.5L62.8 72H37.2Z"/><path d="M36.6 76.2H63.4"/>'
    '<g fill="currentColor" stroke="none"><circle cx="32.4" cy="53" r="2"/>'
    '<circle cx="42.4" cy="50.6" r="2"/><circle cx="57.6" cy="50.6" r="2"/>'
    '<circle cx="67.6" cy="53" r="2"/><circle cx="50" cy="66.3" r="1.9"/></g>',
    "J": '<path d="M36.5 72C30.5 62.5 38 56 48.5 57.2 52 57.6 54.5 58.6 56.5 60M36.5 72H63.5'
    'C65.4 69 65.6 66.4 64.4 63.6"/><path d="M36.6 76.2H63.4"/>'
    '<path fill="currentColor" stroke="none" d="M49.5 68.5C51 57 58.5 48 71 45'
    ' 71.5 55.5 63.5 64.5 52.5 66.8L55.8 61.6Z"/>',
}

WIDTH, MIDDLE_Y = 100, 70


def number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def rank(name: str, x: float, y: float, high: float, pen: float) -> str:
    """One rank, its box `high` units high with the upper left corner at (x, y)."""
    wide = RANKS[name][0] * high / 36
    return (
        f'<use href="#rank-{name}" x="{number(x)}" y="{number(y)}" width="{number(wide)}"'
        f' height="{number(high)}" stroke-width="{number(pen)}"/>'
    )


def pip(suit: str, x: float, y: float, size: float, *, turned: bool = False) -> str:
    """One pip with its middle at (x, y)."""
    turn = f' transform="rotate(180 {number(x)} {number(y)})"' if turned else ""
    return (
        f'<use href="#pip-{suit}" x="{number(x - size / 2)}" y="{number(y - size / 2)}"'
        f' width="{number(size)}" height="{number(size)}"{turn}/>'
    )


def full(name: str, suit: str) -> str:
    wide = RANKS[name][0] * 19.5 / 36
    parts = [rank(name, 7, 6.5, 19.5, 5.6), pip(suit, 7 + wide + 3.2 + 8.75, 16.25, 17.5)]
    if name == "A":
        parts.append(
            '<use href="#mark" x="17" y="52" width="66" height="66"/>'
            if suit == "s"
            else pip(suit, 50, 85, 52)
        )
    elif name in COURT:
        parts += [
            f'<use href="#court-{name}"/>',
            f'<use href="#court-{name}" transform="rotate(180 50 86.5)"/>',
            pip(suit, 50, 86.5, 17),
        ]
    else:
        parts += [pip(suit, x, y, 19, turned=y > 85) for x, y in PLACES[name]]
    return "".join(parts)


def small(name: str, suit: str) -> str:
    return rank(name, 6, 6, 36, 6.2) + pip(suit, 79, 23, 30) + pip(suit, 50, 103, 54)


def strip(name: str, suit: str) -> str:
    wide = RANKS[name][0] * 33 / 36
    head = rank(name, 25 - wide / 2, 8, 33, 5.6)
    # The ace ends a run laid out and shows its face whole.
    if name == "A":
        return head + pip(suit, 58, 86, 60)
    return head + pip(suit, 25, 63, 30) + pip(suit, 25, 121, 30, turned=True)


def mini(name: str, suit: str) -> str:
    wide = RANKS[name][0] * 42 / 36
    return rank(name, 50 - wide / 2, MIDDLE_Y - 21, 42, 7.4)


def back() -> str:
    """A lattice inside the white edge that parts the back from the felt."""
    lines = [f"M{start} 9L{start + 122} 131M{start + 122} 9L{start} 131" for start in range(-120, 90, 10)]
    return (
        '<rect x="5.5" y="5.5" width="89" height="129" rx="3" fill="var(--back)"/>'
        '<g fill="none" stroke="var(--back-line)"><rect x="9" y="9" width="82" height="122"'
        ' stroke-width="1.2"/><svg x="9" y="9" width="82" height="122" viewBox="9 9 82 122">'
        f'<path stroke-width=".7" d="{"".join(lines)}"/></svg></g>'
    )


def mark() -> str:
    """The ace of spades with the ten columns of a deal cut out of it."""
    bars = []
    for column, height in enumerate((8, 8, 8, 7, 6, 5, 4, 3, 2, 1)):
        left = 33 + 3.3 * column
        bars.append(f"M{number(left)} 42V{number(42 + 2.9 * height)}h2V42Z")
    return f'<path fill="currentColor" fill-rule="evenodd" d="{SPADE}{"".join(bars)}"/>'


def sprite() -> str:
    out = ['<svg xmlns="http://www.w3.org/2000/svg">']

    def symbol(name: str, box: str, body: str) -> None:
        out.append(f'<symbol id="{name}" viewBox="{box}">{body}</symbol>')

    # Butt ends are cut by the box of the symbol, so strokes may start outside it.
    for name, (wide, pen) in RANKS.items():
        turn = ' transform="rotate(180 12 18)"' if name == "9" else ""
        symbol(
            f"rank-{name}",
            f"0 0 {wide} 36",
            f'<path fill="none" stroke="currentColor" stroke-miterlimit="8"{turn} d="{pen}"/>',
        )
    for suit, body in PIPS.items():
        symbol(f"pip-{suit}", "0 0 100 100", body.replace("<path", '<path fill="currentColor"'))
    symbol("mark", "0 0 100 100", mark())
    for name, body in COURT.items():
        out.append(
            f'<g id="court-{name}" fill="none" stroke="currentColor" stroke-width="2.3"'
            f' stroke-linejoin="round">{body}</g>'
        )
    card = f"0 0 {WIDTH} {2 * MIDDLE_Y}"
    for suit in SUITS:
        for name in "A23456789TJQK":
            code = name + suit.upper()
            frame = (
                '<rect x="17" y="41" width="66" height="91" fill="currentColor"'
                ' fill-opacity=".05" stroke="currentColor" stroke-opacity=".5"'
                ' stroke-width=".7"/>'
                if name in COURT
                else ""
            )
            symbol(f"full-{code}", card, frame + full(name, suit))
            symbol(f"small-{code}", card, small(name, suit))
            symbol(f"strip-{code}", card, strip(name, suit))
            symbol(f"mini-{code}", card, mini(name, suit))
    symbol("back", card, back())
    out.append("</svg>\n")
    return "".join(out)


if __name__ == "__main__":
    print(sprite(), end="")
