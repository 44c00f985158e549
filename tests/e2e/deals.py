"""Deals for the browser tests: small, so that each shows one thing."""

from __future__ import annotations

from typing import Final

from tests.engine.tables import TO_ACE, TO_TWO, run, simon

MEADOW: Final = simon(
    t1="KS QS",
    t2="9H 8S",
    t3="9D",
    t4="8H",
    t5="6D 5C 4H",
    t6="AC",
    t7="5H",
    t8="JH",
    t10="KD",
).text
"""``t4`` goes to ``t2`` not at all, to ``t3`` and by double click too; ``t9`` is empty."""

ALMOST: Final = simon(
    t1=run("S", "KQJT98765"),
    t2="4S 3S 2S",
    t3="AS",
    f1=TO_ACE,
    f2=TO_ACE,
    f3=TO_ACE,
).text
"""Won by ``t3-t2`` and ``t2x4-t1``."""

ACES: Final = simon(**{f"t{column}": "AS" for column in range(1, 11)}).text
"""Nothing goes anywhere."""

TWENTY: Final = simon(
    t1="KH 5D AS 9C 2H 7D 4S JC TD QS 8H 6C 3H KD QH JS TH 9S 8D 7C",
    t2="7H 6S",
    t3="8S",
    t4="KC 2D",
    t5="AC",
    t6="JD TS",
    t7="4H",
    t8="QC",
    t10="5C",
    f1=TO_ACE,
).text
"""The longest column that the table promises room for."""

SHUTTLE: Final = simon(t1="9S", t2="9H", t3="8D", t4=TO_TWO, t5="KD", t6="QD").text
"""``t3`` goes to and fro between the nines as often as one likes."""


def to_and_fro(times: int) -> list[str]:
    """Commands that carry the card of `SHUTTLE`, ending on ``t1`` after an odd number of times."""
    return ["t3-t1", *(["t1-t2", "t2-t1"] * times)][:times]
