"""The boards: who has won best, today, this week and ever."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from game.engine.games import GAMES, UnknownRulesError, rules_of
from game.engine.rules import Rules
from game.labels import kind_of, options_of
from game.models import Period, User
from game.selectors import lists
from game.selectors.boards import Board, Standings, boards_there_are, standings
from game.selectors.periods import until_tomorrow
from game.views import previews
from game.views.answers import person_of

HOME_BOARDS: Final = 2
HOME_TOP: Final = 3


@dataclass(frozen=True, slots=True)
class Link:
    """One board to choose."""

    label: str
    address: str
    is_on: bool


@dataclass(frozen=True, slots=True)
class Kind:
    """A game in the chooser; ``links`` has one entry without a label where it has no options."""

    rules: Rules
    is_on: bool
    links: list[Link]


@require_safe
def boards(request: HttpRequest) -> HttpResponse:
    player = person_of(request)
    try:
        board = _board(request.GET.dict(), player)
        period = _period(request.GET.get("period", ""))
    except ValidationError as error:
        context: dict[str, Any] = {"error": " ".join(error.messages), "kinds": _kinds(None, Period.TODAY)}
        return render(request, "boards.html", context, status=400)
    title = f"{_('Boards')}: {kind_of(board.rules, board.variant)}, {period.label}"
    left = until_tomorrow()
    context = {
        "board": board,
        "period": period,
        "standings": standings(board, period, player),
        "kinds": _kinds(board, period),
        "periods": [Link(str(each.label), address(board, each), each == period) for each in Period],
        "preview": previews.of_page(request, title, address(board, period)),
        "zone": str(settings.BOARD_ZONE).replace("_", " "),
        "left": divmod(int(left.total_seconds()) // 60, 60),
    }
    return render(request, "boards.html", context)


def todays_boards(player: User | None) -> list[tuple[Board, Standings, str]]:
    """The heads of a few of today's boards with their addresses."""
    last = lists.last_choice(player) if player else None
    return [
        (board, standings(board, Period.TODAY, player, HOME_TOP), address(board, Period.TODAY))
        for board in _chosen_boards(last)[:HOME_BOARDS]
    ]


def address(board: Board, period: Period) -> str:
    """Where a board stands."""
    options = board.rules.variants[board.variant]
    query = urlencode([("rules", board.rules.slug), *options.items(), ("period", str(period))])
    return f"{reverse('boards')}?{query}"


def _chosen_boards(last: tuple[str, str] | None) -> list[Board]:
    """What the player started last, then for each other game its hardest variant, then all the others."""
    hardest = [Board(rules, list(rules.variants)[-1]) for rules in GAMES]
    known = [board for board in boards_there_are() if last == (board.rules.slug, board.variant)]
    first = [*known, *(board for board in hardest if not last or board.rules.slug != last[0])]
    return [*first, *(board for board in boards_there_are() if board not in first)]


def _board(given: Mapping[str, str], player: User | None) -> Board:
    """The board of an address; without one the last choice of the player, or the first game's first."""
    names = {option.name for rules in GAMES for option in rules.options}
    asked = {name: given[name] for name in sorted(names) if given.get(name)}
    slug = given.get("rules", "")
    try:
        games: Iterable[Rules] = [rules_of(slug)] if slug else GAMES
    except UnknownRulesError:
        raise ValidationError(_("There is no such game here.")) from None
    if not slug and not asked and player:
        return _chosen_boards(lists.last_choice(player))[0]
    for rules in games:
        for variant, options in rules.variants.items():
            if _stands_for(options, asked):
                return Board(rules, variant)
    raise ValidationError(_("This game has no such options."))


def _stands_for(options: Mapping[str, int], asked: Mapping[str, str]) -> bool:
    return asked.items() <= {name: str(value) for name, value in options.items()}.items()


def _period(text: str) -> Period:
    try:
        return Period(text) if text else Period.TODAY
    except ValueError:
        raise ValidationError(_("A board is of today, this week or all time.")) from None


def _kinds(board: Board | None, period: Period) -> list[Kind]:
    """The chooser: each game, with its variants where it has options."""
    kinds = []
    for rules in GAMES:
        choices = [Board(rules, variant) for variant in rules.variants]
        links = [
            Link(options_of(rules, each.variant), address(each, period), each == board) for each in choices
        ]
        kinds.append(Kind(rules, board is not None and rules is board.rules, links))
    return kinds
