"""What people may prefer, and how it is written down: in the row of a person, in a visitor's cookie, and as
the words of an attribute of every page, where style and script find it.

To remember only what differs from the usual lets a new preference begin as intended for everybody.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

COOKIE: Final = "preferences"
_OFF: Final = "-"
_BETWEEN: Final = "."


@dataclass(frozen=True, slots=True)
class Preference:
    """A thing that is so or not; ``usual`` is how it begins."""

    name: str
    label: Promise
    note: Promise
    usual: bool = False


PREFERENCES: Final = (
    Preference(
        "doubles",
        _("Double click sends a card"),
        _("It goes where it fits best. Without it the second click does nothing."),
        usual=True,
    ),
    Preference(
        "placement",
        _("Automatic placement"),
        _("A dropped run goes to its best place, wherever it was let go."),
    ),
    Preference("colours", _("Four colours"), _("Diamonds are blue and clubs are green.")),
    Preference(
        "left", _("Left-handed"), _("Buttons and lists change sides; the columns stay in their order.")
    ),
    Preference(
        "still", _("Less motion"), _("Cards are at their new place at once, whatever the system says.")
    ),
    Preference("sounds", _("Sounds"), _("A quiet click for a move, a refusal, a run and a win.")),
    Preference("time", _("Show the time"), _("It counts either way."), usual=True),
    Preference(
        "crowd",
        _("Show who watches"),
        _("Without it you play as if nobody were there; they watch all the same."),
        usual=True,
    ),
    Preference(
        "result",
        _("Show how games ended"),
        _("Without it a replay does not give its end away before you have seen it."),
        usual=True,
    ),
    Preference(
        "letters",
        _("Single-letter keys"),
        _("Letters and figures are keys of the table. Arrows and Enter always are."),
        usual=True,
    ),
)

Choices = dict[str, bool]


def completed(kept: Mapping[str, object]) -> Choices:
    """Every preference, as it was chosen or else as usual."""
    choices = {}
    for preference in PREFERENCES:
        value = kept.get(preference.name)
        choices[preference.name] = value if isinstance(value, bool) else preference.usual
    return choices


def unusual(choices: Mapping[str, bool]) -> Choices:
    """Only what differs from the usual."""
    return {it.name: choices[it.name] for it in PREFERENCES if choices[it.name] != it.usual}


def write_cookie(choices: Mapping[str, bool]) -> str:
    return _BETWEEN.join(name if value else _OFF + name for name, value in unusual(choices).items())


def read_cookie(text: str) -> Choices:
    words = [word for word in text.split(_BETWEEN) if word]
    return completed({word.removeprefix(_OFF): not word.startswith(_OFF) for word in words})
