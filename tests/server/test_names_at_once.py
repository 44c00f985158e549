"""Two people, one name, one moment: the database decides, and one of them has it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Final

import pytest
from django.db import connections

from game.actions.people import NameTakenError, sign_up
from game.models import User

CLASHES: Final = 500
SPELLINGS: Final = (
    ("zofia{}", "zofia{}"),
    ("zofia{}", "ZOFIA{}"),
    ("zofia{}", "zofıa{}"),
    ("zofia{}", "ｚｏｆｉａ{}"),
    ("zofia{}", "z0fia{}"),
    ("ab.c{}", "a_bc{}"),
)
"""Two ways in which a name is the same or looks the same."""


@pytest.mark.django_db(transaction=True)
def test_of_two_sign_ups_at_once_one_wins_five_hundred_times(monkeypatch: pytest.MonkeyPatch) -> None:
    # Not the look before the write decides, and it would spare most of the clashes.
    monkeypatch.setattr("game.actions.people.is_taken", lambda name: False)
    barrier = Barrier(2)

    def sign_up_all(side: int) -> list[bool]:
        won = []
        try:
            for number in range(CLASHES):
                name = SPELLINGS[number % len(SPELLINGS)][side].format(number)
                barrier.wait(60)
                try:
                    sign_up(name, "a fine password")
                except NameTakenError:
                    won.append(False)
                else:
                    won.append(True)
        finally:
            connections.close_all()
        return won

    with ThreadPoolExecutor(2) as threads:
        one, other = threads.map(sign_up_all, (0, 1))
    assert [first + second for first, second in zip(one, other, strict=True)] == [1] * CLASHES
    assert User.objects.count() == CLASHES
