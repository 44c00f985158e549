"""Everybody's page: who they are here, how they have fared, and their games."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from game import charts
from game.engine.line import Status
from game.labels import kind_of
from game.models import User
from game.selectors import lists, people
from game.views.answers import canonical, person_of
from game.views.filters import filter_row, read_filters

CHARTS: Final = 2


@dataclass(frozen=True, slots=True)
class Climb:
    """A chart of wins of one kind."""

    title: str
    wins: people.Wins
    chart: SafeString


@dataclass(frozen=True, slots=True)
class Weeks:
    """A chart of the games of each week."""

    weeks: list[tuple[date, int]]
    chart: SafeString

    @property
    def this(self) -> int:
        return self.weeks[-1][1]


@require_safe
def person(request: HttpRequest, name: str) -> HttpResponse:
    found = lists.person(name)
    if found is None:
        raise Http404(_("There is nobody with this name."))
    if answer := canonical(request, "person", name, found.username):
        return answer
    fared = people.fared(found)
    context: dict[str, Any] = {
        "person": found,
        "counts": people.counts_of(fared),
        "fared": fared,
        "climbs": _climbs(fared),
        "weeks": _weeks(found) if fared else None,
        "row": filter_row(request.GET, with_running=True),
    }
    try:
        filters = read_filters(request.GET).of(found, person_of(request))
        context["page"] = _games(found, filters, request.GET.get("after", ""))
    except ValidationError as error:
        return render(
            request, "people/person.html", context | {"error": " ".join(error.messages)}, status=400
        )
    except lists.BadCursorError:
        return render(
            request, "people/person.html", context | {"error": _("There is no such page.")}, status=400
        )
    return render(request, "people/person.html", context)


def _games(found: User, filters: lists.Filters, after: str) -> lists.Page:
    """The games under the filters: those that run stand before those that have ended."""
    running = (
        [] if after or filters.result not in (None, Status.PLAYING) else lists.running_games(found, filters)
    )
    if filters.result is Status.PLAYING:
        return lists.Page(running, None)
    page = lists.ended_games(filters, after)
    return lists.Page(running + page.games, page.older)


def _climbs(fared: list[people.Fared]) -> list[Climb]:
    """Charts of the kinds that were won most."""
    most = sorted(fared, key=lambda entry: -entry.tally.counted_won)[:CHARTS]
    return [_climb(entry) for entry in most if entry.best]


def _climb(entry: people.Fared) -> Climb:
    wins = people.wins(entry)
    title = kind_of(entry.board.rules, entry.board.variant)
    label = ngettext(
        "%(kind)s: the last %(count)s win and the best so far",
        "%(kind)s: the last %(count)s wins and the best so far",
        len(wins.results),
    ) % {"kind": title, "count": len(wins.results)}
    return Climb(title, wins, charts.climb([result.value for result in wins.results], wins.before, label))


def _weeks(found: User) -> Weeks:
    weeks = people.weeks(found)
    label = ngettext(
        "Games of each week, the last %(count)s week",
        "Games of each week, the last %(count)s weeks",
        len(weeks),
    ) % {"count": len(weeks)}
    return Weeks(weeks, charts.bars([played for _monday, played in weeks], label))
