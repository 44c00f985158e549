"""The first page, which offers a game and shows running ones, and the page of all running tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from game.codes import example_code
from game.engine.games import GAMES
from game.engine.rules import Choice, Option, Rules
from game.models import User
from game.selectors import lists, rescues
from game.views.answers import person_of
from game.views.boards import todays_boards

PLATES = 4


@dataclass(frozen=True, slots=True)
class Question:
    """An option with the choice that is preselected."""

    option: Option
    chosen: int

    @property
    def choices(self) -> list[tuple[Choice, bool]]:
        return [(choice, choice.value == self.chosen) for choice in self.option.choices]


@dataclass(frozen=True, slots=True)
class Offer:
    """A kind of game in the panel, and its questions."""

    rules: Rules
    is_chosen: bool
    questions: list[Question]


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    return render(request, "home.html", home_context(request))


@require_safe
def live(request: HttpRequest) -> HttpResponse:
    games = lists.live_games()
    count = len(games) if len(games) < lists.TABLES else lists.live_count()
    return render(request, "live.html", {"games": games, "count": count})


@never_cache
@require_safe
def tv(request: HttpRequest) -> HttpResponse:
    """Goes to a running game, the next after that of ``after``; waits where there is none."""
    found = lists.next_table(request.GET.get("after", ""), person_of(request))
    if found:
        return redirect(f"{found.get_absolute_url()}?tv")
    return render(request, "tv.html", {"next": request.get_full_path()})


def home_context(request: HttpRequest, error: str = "", answers: QueryDict | None = None) -> dict[str, Any]:
    """What the first page shows; ``answers`` are those of a form that was sent back with ``error``."""
    player = person_of(request)
    running = lists.live_games(PLATES + 1)
    count = len(running) if len(running) <= PLATES else lists.live_count()
    featured = running[0] if running else None
    given = answers if answers is not None else request.GET
    return {
        "offers": _offers(player, given),
        "given_code": given.get("deal_code", ""),
        "example": example_code(),
        "error": error,
        # Shown as the answer to a form, too, whose address is another page's.
        "page_name": "home",
        "own": lists.open_games(player) if player else [],
        "featured": featured,
        "showcase": None if featured else example_code(),
        "running": running[1:],
        "running_count": count,
        "todays_boards": todays_boards(player),
        "rescues": rescues.todays_rescues(),
    }


def _offers(player: User | None, given: QueryDict) -> list[Offer]:
    """The panel: what was just answered, else the last game's choice, else a newcomer's."""
    last = lists.last_choice(player) if player else None
    known = {rules.slug: rules for rules in GAMES}
    slug = given.get("rules") or (last[0] if last else "")
    chosen = known.get(slug, GAMES[0])
    offers = []
    for rules in GAMES:
        before = rules.variants.get(last[1], {}) if last and last[0] == rules.slug else {}
        questions = [Question(option, _chosen(option, before, given)) for option in rules.options]
        offers.append(Offer(rules, rules is chosen, questions))
    return offers


def _chosen(option: Option, before: Any, given: QueryDict) -> int:
    values = [choice.value for choice in option.choices]
    answer = given.get(option.name, "")
    if answer.isdecimal() and int(answer) in values:
        return int(answer)
    return before.get(option.name, values[0]) if before else values[0]
