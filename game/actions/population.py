"""A large and believable past, written at once: people, games with their logs, and what remains of them.

Rows are as the walk of a command would have left them. They are stored in bulk, and the logs by the database
itself, which copies them from plays that it is given once. Nobody is told of anything.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from itertools import accumulate
from random import Random
from typing import Any, Final

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.db import connection, transaction
from django.db.models import Max

from game.actions.aftermath import Aftermath
from game.engine.deals import DealCode
from game.engine.effects import effects_to_json
from game.engine.line import Event, Standing, Status, retrace, score_of
from game.engine.position import Position
from game.models import Game, Unranked, User, new_game_code
from game.spelling import folded_name, look_of

BATCH: Final = 10_000
YEARS: Final = timedelta(days=3 * 365)
GUESTS: Final = 0.04
WINS: Final = 0.22
BEFORE_GIVING_UP: Final = 11
"""Actions of a game without an aim, on average; most people soon see that they want another deal."""
LIVE: Final = 60
LEFT_OPEN: Final = 0.1
"""Running games for each person, besides."""
_FIRST: Final = ("quiet", "brave", "merry", "sly", "old", "wild", "calm", "tiny", "bold", "lucky", "late")
_SECOND: Final = ("heron", "otter", "fox", "wren", "badger", "hare", "lynx", "moth", "crane", "newt", "finch")


@dataclass(frozen=True)
class Play:
    """Cards and what was done with them; ``thoughts_ms`` are the pauses between the events."""

    code: DealCode
    deal: Position
    events: tuple[Event, ...]
    thoughts_ms: tuple[int, ...]

    @cached_property
    def standings(self) -> list[Standing]:
        """From the deal on, one more than there are events."""
        told = retrace(self.code.rules, self.deal, self.events)
        return [Standing(self.deal), *(standing for _event, standing in told)]

    @cached_property
    def at_ms(self) -> list[int]:
        """When each event happened, from the first on."""
        return list(accumulate(self.thoughts_ms, initial=0))

    @cached_property
    def texts(self) -> list[str]:
        """How the cards lie in each of the standings."""
        return [standing.position.text for standing in self.standings]

    @cached_property
    def is_won(self) -> bool:
        return self.standings[-1].status is Status.WON


@dataclass(frozen=True, slots=True)
class _Chosen:
    """One game to be: the first ``length`` events of a play, at ``pace`` in a hundred, and how it ended."""

    play: int
    length: int
    pace: int
    start_ms: int
    status: Status


def make_people(count: int, until: datetime, password: str | None, random: Random) -> list[User]:
    """People with names of their own, a few guests among them; all have the same password, or none."""
    password = make_password(password)
    first = (User.objects.aggregate(newest=Max("pk"))["newest"] or 0) + 1
    people = []
    for number in range(first, first + count):
        is_guest = random.random() < GUESTS
        word = f"{random.choice(_FIRST)} {random.choice(_SECOND)}"
        name = f"guest {10**10 + number}" if is_guest else f"{word} {number}"
        people.append(
            User(
                username=name,
                folded=folded_name(name),
                look=look_of(name),
                is_guest=is_guest,
                password=password,
                date_joined=until - YEARS * random.random(),
            )
        )
    return User.objects.bulk_create(people, batch_size=BATCH)


def make_games(
    plays: Sequence[Play],
    people: Sequence[User],
    count: int,
    *,
    until: datetime,
    random: Random,
    tell: Callable[[int], None],
) -> None:
    """So many games of these people, the oldest first; ``tell`` hears how many there are after each batch.

    Most end with the growing crowd of the last years; some run, a few of those just now.
    """
    aftermath = Aftermath()
    picks = _Picks(plays, people, random)
    running = min(count // 10, LIVE + int(LEFT_OPEN * len(people)))
    with _lent(plays):
        for done in range(0, count, BATCH):
            places = range(done, min(done + BATCH, count))
            moments = [_moment(until, place, count, running, random) for place in places]
            with transaction.atomic():
                _store(plays, picks, moments, aftermath, random)
            tell(places.stop)
    with transaction.atomic():
        aftermath.store()
    if connection.vendor == "postgresql":
        # It would count for itself later; SQLite goes without counts, as in use.
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")


def make_long_game(play: Play, player: User, now: datetime) -> Game:
    """A running game of all of a play."""
    choice = _Chosen(0, len(play.events), 100, 1000, Status.PLAYING)
    game = _game(play, choice, player, Unranked.PRACTICE, now)
    with _lent([play]), transaction.atomic():
        game.save(force_insert=True)
        _copy_logs([game], [choice])
    return game


def _moment(until: datetime, place: int, count: int, running: int, random: Random) -> tuple[datetime, bool]:
    """When the game at this place was last acted in, and whether it still runs."""
    if place >= count - min(LIVE, running):
        return until - settings.LIVE_FOR * 0.9 * random.random(), True
    if place >= count - running:
        return until - timedelta(days=14) * random.random() - settings.LIVE_FOR, True
    # Twice as many games in the last year as in the one before.
    return until - YEARS * (1 - (place / count) ** 0.5) - timedelta(seconds=1), False


class _Picks:
    """Who plays what: a few people play most, and a few deals are played by many."""

    def __init__(self, plays: Sequence[Play], people: Sequence[User], random: Random) -> None:
        self._random = random
        self._plays = plays
        self._people = people
        self._weights = list(accumulate(1 / (20 + rank) ** 0.9 for rank in range(len(people))))
        self._won = [number for number, play in enumerate(plays) if play.is_won]
        self._walked = [number for number, play in enumerate(plays) if not play.is_won] or self._won

    def player(self) -> User:
        return self._people[bisect_right(self._weights, self._random.random() * self._weights[-1])]

    def game(self, *, is_running: bool) -> _Chosen:
        random = self._random
        pace, start_ms = random.randint(50, 200), random.randint(900, 20_000)
        if self._won and random.random() < WINS and not is_running:
            number = random.choice(self._won)
            return _Chosen(number, len(self._plays[number].events), pace, start_ms, Status.WON)
        number = random.choice(self._walked)
        longest = len(self._plays[number].events) - self._plays[number].is_won
        length = min(longest, round(random.expovariate(1 / BEFORE_GIVING_UP)))
        if is_running:
            return _Chosen(number, min(longest, length + 5), pace, start_ms, Status.PLAYING)
        return _Chosen(number, length, pace, start_ms, Status.GIVEN_UP)


def _store(
    plays: Sequence[Play],
    picks: _Picks,
    moments: Sequence[tuple[datetime, bool]],
    aftermath: Aftermath,
    random: Random,
) -> None:
    """A batch of games with their logs, in the caller's transaction."""
    chosen: list[_Chosen] = []
    games: list[Game] = []
    for moment, is_running in moments:
        player, choice = picks.player(), picks.game(is_running=is_running)
        play = plays[choice.play]
        because = Unranked.GUEST if player.is_guest else ""
        if not aftermath.is_first_sight(player.pk, choice.play):
            because = because or Unranked.PRACTICE
        games.append(_game(play, choice, player, because, moment))
        chosen.append(choice)
    Game.objects.bulk_create(games)
    _copy_logs(games, chosen)
    for game in games:
        aftermath.add(game)


def _game(play: Play, choice: _Chosen, player: User, because: str, moment: datetime) -> Game:
    """The row of a game whose last command came at ``moment``."""
    rules, standing = play.code.rules, play.standings[choice.length]
    first_ms = choice.start_ms if choice.length else None
    last_ms = _at(choice, play.at_ms[choice.length - 1]) if choice.length else choice.start_ms
    is_given_up = choice.status is Status.GIVEN_UP
    return Game(
        code=new_game_code(),
        player=player,
        rules_slug=rules.slug,
        rules_version=rules.version,
        variant=play.code.variant,
        deal_text=play.texts[0],
        deal_code=str(play.code),
        ranked=not because and not is_given_up,
        unranked_because=because,
        created_at=moment - timedelta(milliseconds=last_ms),
        first_ms=first_ms,
        last_ms=last_ms,
        last_command_at=moment,
        ended_at=None if choice.status is Status.PLAYING else moment,
        position_text=play.texts[choice.length],
        seq=standing.seq + is_given_up,
        ply=standing.ply,
        moves=standing.moves,
        tip=standing.tip,
        undoable=standing.undoable,
        status=choice.status,
        score=score_of(rules, standing),
    )


def _at(choice: _Chosen, at_ms: int) -> int:
    """As `_copy_logs` has the database count it."""
    return choice.start_ms + at_ms * choice.pace // 100


_LEND: Final = """
CREATE TEMPORARY TABLE lent AS
SELECT game_id AS play, seq, command, effects, moves, parent, at_ms FROM game_logentry WHERE 1 = 0
"""
_COPIES: Final = """
CREATE TEMPORARY TABLE copies (game bigint, play bigint, length integer, pace bigint, start bigint)
"""
_COPY: Final = """
INSERT INTO game_logentry (game_id, seq, command_id, command, effects, moves, parent, at_ms)
SELECT game, seq, 'p' || seq, command, effects, moves, parent, start + at_ms * pace / 100
FROM copies JOIN lent USING (play) WHERE seq <= length ORDER BY game, seq
"""
_GIVE_UP: Final = """
INSERT INTO game_logentry (game_id, seq, command_id, command, effects, moves, parent, at_ms)
VALUES (%s, %s, 'p', 'give_up', '[]', 0, %s, %s)
"""


@contextmanager
def _lent(plays: Sequence[Play]) -> Iterator[None]:
    """The plays in a table that `_copy_logs` copies from."""
    with connection.cursor() as cursor:
        cursor.execute(_LEND)
        cursor.execute("CREATE UNIQUE INDEX lent_in_order ON lent (play, seq)")
        cursor.executemany("INSERT INTO lent VALUES (%s, %s, %s, %s, %s, %s, %s)", list(_rows(plays)))
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("DROP TABLE lent")


def _rows(plays: Sequence[Play]) -> Iterator[tuple[Any, ...]]:
    for number, play in enumerate(plays):
        for event, at_ms in zip(play.events, play.at_ms, strict=True):
            effects = json.dumps(effects_to_json(event.effects, masked=False))
            yield number, event.seq, event.command, effects, event.moves, event.parent, at_ms


def _copy_logs(games: Sequence[Game], chosen: Sequence[_Chosen]) -> None:
    copies = [
        (game.pk, choice.play, choice.length, choice.pace, choice.start_ms)
        for game, choice in zip(games, chosen, strict=True)
    ]
    given_up = [game for game in games if game.status == Status.GIVEN_UP]
    ends = [(game.pk, game.seq, game.tip, game.last_ms) for game in given_up]
    with connection.cursor() as cursor:
        cursor.execute(_COPIES)
        cursor.executemany("INSERT INTO copies VALUES (%s, %s, %s, %s, %s)", copies)
        cursor.execute(_COPY)
        cursor.executemany(_GIVE_UP, ends)
        cursor.execute("DROP TABLE copies")
