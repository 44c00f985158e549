"""Lists of games: running ones, one's own, and everybody's ended ones with filters, a page at a time.

Pages are found by where the one before ended, never by counting rows off, so that page 1,000 costs the
same as the first and a game that ends meanwhile moves nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Final

from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils import timezone

from game.engine.deals import parse_deal_code
from game.engine.games import GAMES
from game.engine.line import Status
from game.models import Game, User
from game.selectors.periods import start_of

PAGE: Final = 50
TABLES: Final = 48
"""As many running tables as one page shows."""

_CURSOR: Final = re.compile(r"(-?[0-9]{1,18})-([0-9]{1,18})")
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


class BadCursorError(ValueError):
    """A text that is not the end of any page."""


@dataclass(frozen=True, slots=True)
class Page:
    """A stretch of a list; ``older`` is the ``after`` of the next one, or None at the end."""

    games: list[Game]
    older: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """Which games to list; None lets everything through. ``since`` is a day in the boards' zone.

    ``unlisted``: also unlisted games, for the eyes of their player alone.
    """

    rules: str | None = None
    variant: str | None = None
    result: Status | None = None
    player: User | None = None
    deal_code: str | None = None
    since: date | None = None
    unlisted: bool = False

    def of(self, player: User, reader: User | None) -> Filters:
        """The same for one player's games, as ``reader`` may see them."""
        return replace(self, player=player, unlisted=player == reader)


def live_games(limit: int = TABLES) -> list[Game]:
    """Running games with a command in the last minutes, the newest command first."""
    return list(_live().select_related("player").order_by("-last_command_at", "-id")[:limit])


def live_count() -> int:
    """How many games are running now."""
    return _live().count()


def next_table(code: str, watcher: User | None) -> Game | None:
    """The running game to watch after that of ``code``; the watcher's own ones are left out.

    One goes round from the newest game to the oldest, and begins, without a code, at the newest command.
    """
    games = _live() if watcher is None else _live().exclude(player=watcher)
    before = Game.objects.filter(code=code).values_list("id", flat=True).first()
    if before is None:
        return games.order_by("-last_command_at", "-id").first()
    return games.filter(id__lt=before).order_by("-id").first() or games.order_by("-id").first()


def _live() -> QuerySet[Game]:
    since = timezone.now() - settings.LIVE_FOR
    return Game.objects.filter(ended_at=None, last_command_at__gt=since, unlisted=False)


def open_games(player: User) -> list[Game]:
    """A player's games that have not ended, the newest first; also those without a move."""
    return list(
        Game.objects.filter(player=player, ended_at=None)
        .select_related("player")
        .order_by("-id")[: settings.MAX_OPEN_GAMES]
    )


def last_choice(player: User) -> tuple[str, str] | None:
    """Slug and variant of the game that the player started last."""
    return Game.objects.filter(player=player).order_by("-id").values_list("rules_slug", "variant").first()


def ended_games(filters: Filters, after: str = "", size: int = PAGE) -> Page:
    """Everybody's ended games that had a move, the latest end first; raises `BadCursorError`."""
    games = _filtered(Game.objects.filter(ended_at__isnull=False, first_ms__isnull=False), filters)
    if after:
        moment, key = _read_cursor(after)
        games = games.filter(Q(ended_at__lt=moment) | Q(ended_at=moment, id__lt=key), ended_at__lte=moment)
    rows = _latest(games, _stretches(filters), size + 1)
    return Page(rows[:size], _cursor(rows[size - 1]) if len(rows) > size else None)


def _latest(games: QuerySet[Game], stretches: list[dict[str, str]], count: int) -> list[Game]:
    """The latest of ``games``, found in stretches of an index, each of which is in order already."""
    if stretches == [{}]:
        return list(games.select_related("player").order_by("-ended_at", "-id")[:count])
    heads = [
        head
        for stretch in stretches
        for head in games.filter(**stretch).order_by("-ended_at", "-id").values_list("ended_at", "pk")[:count]
    ]
    keys = [key for _, key in sorted(heads, reverse=True)[:count]]
    # Joined to so many games, Postgres would read all people.
    found = Game.objects.prefetch_related("player").in_bulk(keys)
    return [found[key] for key in keys if key in found]


def _stretches(filters: Filters) -> list[dict[str, str]]:
    """Conditions with which the games under these filters lie together in an index, the latest first.

    An index that is in order of time alone would be read to its end for what is rare.
    """
    ends = [end for end in (Status.WON, Status.GIVEN_UP) if filters.result in (None, end)]
    if filters.deal_code is not None:
        code = parse_deal_code(filters.deal_code, GAMES)
        if filters.rules not in (None, code.rules.slug) or filters.variant not in (None, code.variant):
            return []
        return [{}] if filters.player else [{"status": end} for end in ends]
    if filters.result is None and filters.rules is None and filters.variant is None:
        return [{}]
    return [
        {"rules_slug": rules.slug, "variant": variant, "status": end}
        for rules in GAMES
        for variant in rules.variants
        if filters.rules in (None, rules.slug) and filters.variant in (None, variant)
        for end in ends
    ]


def own_games(player: User, filters: Filters, after: str = "", size: int = PAGE) -> Page:
    """All games of one player, running ones too, the last started first; raises `BadCursorError`."""
    games = _filtered(Game.objects.filter(player=player), replace(filters, unlisted=True))
    if after:
        games = games.filter(id__lt=_read_cursor(f"0-{after}")[1])
    rows = list(games.select_related("player").order_by("-id")[: size + 1])
    return Page(rows[:size], str(rows[size - 1].pk) if len(rows) > size else None)


def running_games(player: User, filters: Filters) -> list[Game]:
    """A player's games that had a move and have not ended, the last started first."""
    running = Game.objects.filter(player=player, ended_at=None, first_ms__isnull=False)
    games = _filtered(running, filters)
    return list(games.select_related("player").order_by("-id")[: settings.MAX_OPEN_GAMES])


def has_ended_game(deal_code: str) -> bool:
    """Whether anybody has played this deal to an end, so that nothing about it is secret any more."""
    return Game.objects.filter(deal_code=deal_code, ended_at__isnull=False).exists()


def person(name: str) -> User | None:
    """Somebody by a name in any spelling that is the same name."""
    return User.objects.filter(username=name).first() or _folded(name)


def _folded(name: str) -> User | None:
    try:
        return User.objects.get_by_natural_key(name)
    except User.DoesNotExist:
        return None


def _filtered(games: QuerySet[Game], filters: Filters) -> QuerySet[Game]:
    wanted = {
        "rules_slug": filters.rules,
        "variant": filters.variant,
        "status": filters.result,
        "player": filters.player,
        "deal_code": filters.deal_code,
    }
    games = games.filter(**{name: value for name, value in wanted.items() if value is not None})
    if not filters.unlisted:
        games = games.filter(unlisted=False)
    if filters.deal_code is not None:
        # That a hidden deal is being played is told to nobody, not even to whoever has guessed its code.
        hiding = [rules.slug for rules in GAMES if rules.hides_cards]
        games = games.exclude(rules_slug__in=hiding, ended_at=None)
    if filters.since is not None:
        games = games.filter(ended_at__gte=start_of(filters.since))
    return games


def _cursor(game: Game) -> str:
    return f"{micros(game.ended_at)}-{game.pk}"


def _read_cursor(text: str) -> tuple[datetime, int]:
    match = _CURSOR.fullmatch(text)
    if match is None:
        raise BadCursorError(text)
    return from_micros(match[1]), int(match[2])


def micros(moment: datetime | None) -> int:
    """A moment in whole microseconds: what both databases keep, and what a float would round."""
    return ((moment or _EPOCH) - _EPOCH) // timedelta(microseconds=1)


def from_micros(text: str) -> datetime:
    """The moment of a number from `micros`; raises `BadCursorError` where no calendar has it."""
    try:
        return _EPOCH + timedelta(microseconds=int(text))
    except OverflowError:
        raise BadCursorError(text) from None
