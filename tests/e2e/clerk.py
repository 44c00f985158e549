"""The clerk: a process beside a server that writes people and games into its database, as tests want them.

The browser tests cannot do it themselves: Playwright keeps an event loop running in their thread, where
Django refuses to touch a database. Orders come as JSON, one a line, and each is answered by one.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any

from tests.services import ROOT, Site


class Clerk:
    """The other end of the process, for the tests."""

    def __init__(self, site: Site) -> None:
        pipe = subprocess.PIPE
        command = [sys.executable, "-m", "tests.e2e.clerk"]
        self._process = subprocess.Popen(command, cwd=ROOT, env=site.env, stdin=pipe, stdout=pipe, text=True)

    def _order(self, **order: Any) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        assert answer, f"the clerk has ended over {order}"
        return json.loads(answer)

    def register(self, name: str) -> str:
        """Makes a person and logs them in: returns the session's cookie."""
        return str(self._order(do="register", name=name))

    def deal(self, player: str, rules: str, variant: str, deal: str, *commands: str) -> str:
        """Makes a game on given cards, plays commands in it, and returns its code."""
        return str(
            self._order(
                do="deal", player=player, rules=rules, variant=variant, deal=deal, commands=list(commands)
            )
        )

    def log_of(self, code: str) -> list[list[Any]]:
        """The rows of a game's log: seq, id and command."""
        rows: list[list[Any]] = self._order(do="log_of", code=code)
        return rows

    def lose(self, code: str) -> None:
        """Takes a game out of the database."""
        self._order(do="lose", code=code)

    def pace(self, code: str, *at_ms: int) -> None:
        """Lets the moves of a game have been made so long after the first of them, in milliseconds."""
        self._order(do="pace", code=code, at_ms=at_ms)

    def analyse(self, code: str) -> None:
        """Does what the worker would do with an ended game."""
        self._order(do="analyse", code=code)

    def end(self) -> None:
        """Lets the process end: its input closes."""
        with self._process:
            pass


def main() -> None:
    """Follows the orders on standard input until it closes."""
    import django

    django.setup()
    orders: dict[str, Callable[..., Any]] = {
        "register": _register,
        "deal": _deal,
        "log_of": _log_of,
        "lose": _lose,
        "pace": _pace,
        "analyse": _analyse,
    }
    for line in sys.stdin:
        order = json.loads(line)
        print(json.dumps(orders[order.pop("do")](**order)), flush=True)


def _register(name: str) -> Any:
    from django.contrib.auth import login
    from django.contrib.sessions.backends.db import SessionStore
    from django.http import HttpRequest

    from game.models import User

    person = User.objects.create_user(name, "correct horse")
    request = HttpRequest()
    request.session = SessionStore()
    login(request, person, "django.contrib.auth.backends.ModelBackend")
    request.session.save()
    return request.session.session_key


def _deal(player: str, rules: str, variant: str, deal: str, commands: list[str]) -> Any:
    from django.contrib.sessions.models import Session

    from game import wire
    from game.actions.play import play
    from game.engine.games import rules_of
    from game.engine.notation import parse_position
    from game.models import User
    from game.seats import Seat
    from game.selectors import tables
    from tests.dealt import dealt

    of = rules_of(rules)
    person = User.objects.get_by_natural_key(player)
    game = dealt(person, of, variant, parse_position(deal, of.layout))
    game.save(force_insert=True)
    key = tables.key_of(game.code)
    assert key is not None
    keys = [
        session.session_key
        for session in Session.objects.all()
        if session.get_decoded().get("_auth_user_id") == str(person.pk)
    ]
    seat = Seat(person.pk, keys[0], person.username)
    for seq, command in enumerate(commands):
        outcome = play(key, seat, wire.Play(id=f"dealt-{seq}", seq=seq, command=command))
        assert isinstance(outcome, wire.Accepted), (command, outcome)
    return game.code


def _log_of(code: str) -> Any:
    from game.models import LogEntry

    log = LogEntry.objects.filter(game__code=code).order_by("seq")
    return list(log.values_list("seq", "command_id", "command"))


def _lose(code: str) -> Any:
    from game.models import Game

    Game.objects.filter(code=code).delete()


def _pace(code: str, at_ms: list[int]) -> Any:
    from game.models import LogEntry

    log = LogEntry.objects.filter(game__code=code)
    start = log.get(seq=1).at_ms
    for seq, after in enumerate(at_ms, start=1):
        log.filter(seq=seq).update(at_ms=start + after)


def _analyse(code: str) -> Any:
    from game.actions import findings
    from game.models import Game

    found = findings.look_at(Game.objects.values_list("pk", flat=True).get(code=code))
    return None if found is None else found.last_won


if __name__ == "__main__":
    main()
