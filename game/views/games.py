"""Games: start one, list those that have ended, and the page of one (table, replay and result)."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from msgspec import to_builtins

from game import plates
from game.actions.games import (
    StartRefusedError,
    TooManyStartedError,
    list_or_unlist,
    start_again,
    start_deal,
    start_from,
    start_new,
    start_winnable,
)
from game.codes import CodeError, parse_game_code
from game.forms import Wanted
from game.labels import ENDS, kind_of_game
from game.models import Game, Period, User
from game.selectors import lists, moves, tables
from game.selectors.boards import places_of
from game.views import previews
from game.views.answers import canonical, person_of, too_many
from game.views.filters import filter_row, read_filters
from game.views.guesses import counts_guesses
from game.views.home import Question, home_context

SHORT_WAIT_S = 600


@require_http_methods(["GET", "HEAD", "POST"])
def games(request: HttpRequest) -> HttpResponse:
    return _start(request) if request.method == "POST" else _list(request)


def _start(request: HttpRequest) -> HttpResponse:
    player = person_of(request)
    if player is None:
        return redirect_to_login(_choice_again(request), reverse("login"))
    return start_as(request, player)


def start_as(request: HttpRequest, player: User) -> HttpResponse:
    """Starts the game that the form asks for, and goes to it; else the first page with the sentence."""
    try:
        game = _begin(player, Wanted(request.POST))
    except ValidationError as error:
        sentence = " ".join(error.messages)
    except TooManyStartedError as error:
        context = home_context(request, str(error.sentence), request.POST)
        return too_many(request, "home.html", context, retry_s=SHORT_WAIT_S)
    except StartRefusedError as error:
        sentence = str(error.sentence)
    else:
        return redirect(game)
    return render(request, "home.html", home_context(request, sentence, request.POST), status=400)


def _begin(player: User, wanted: Wanted) -> Game:
    if wanted.again:
        return start_again(player, _game_code(wanted.again))
    if wanted.parent:
        return start_from(player, _game_code(wanted.parent), wanted.ply)
    if wanted.deal_code is not None:
        return start_deal(player, wanted.deal_code)
    if wanted.rules is None:
        raise ValidationError(_("Choose a game."))
    start = start_winnable if wanted.is_winnable else start_new
    return start(player, wanted.rules, wanted.variant)


def _game_code(text: str) -> str:
    """The canonical code, or one that no game has."""
    try:
        return parse_game_code(text).text
    except CodeError:
        return ""


def _choice_again(request: HttpRequest) -> str:
    """The first page with what an anonymous visitor chose, to come back to."""
    kept = {
        name: value for name, value in request.POST.items() if name not in ("csrfmiddlewaretoken", "next")
    }
    short = {name: value for name, value in kept.items() if isinstance(value, str) and 0 < len(value) < 50}
    return reverse("home") + (f"?{urlencode(short)}" if short else "")


def _list(request: HttpRequest) -> HttpResponse:
    try:
        filters = read_filters(request.GET)
        page = lists.ended_games(filters, request.GET.get("after", ""))
    except (ValidationError, lists.BadCursorError) as error:
        sentence = (
            " ".join(error.messages) if isinstance(error, ValidationError) else _("There is no such page.")
        )
        context: dict[str, Any] = {"error": sentence, "row": filter_row(request.GET)}
        return render(request, "games.html", context, status=400)
    return render(request, "games.html", {"page": page, "row": filter_row(request.GET), "filters": filters})


@require_safe
@counts_guesses
def game(request: HttpRequest, code: str) -> HttpResponse:
    """The live table, the replay and the result: one page for everybody."""
    found = tables.game_by_code(code)
    if found is None:
        raise Http404(_("There is no game with this code."))
    if answer := canonical(request, "game", code, found.code):
        return answer
    rules = found.rules
    context = {
        "game": {
            "title": kind_of_game(found),
            "player": found.player.username,
            "code": found.code,
            "status": found.status,
            "score": found.score,
            "moves": found.moves,
            "player_url": found.player.get_absolute_url(),
            "end": str(ENDS[found.status]),
            "piles": found.standing.position.masked.split("/"),
        },
        "rules": rules,
        "parent": _shown_parent(request, found),
        "parent_ply": found.parent_ply,
        "row": found,
        "tv": _tv(request, found),
        "line": moves.line_commands(found),
        "drawn": plates.board_of(rules.layout, found.standing.position, is_snug=True),
        "questions": [Question(option, found.options[option.name]) for option in rules.options],
        "boot": _boot(request, found),
        "preview": previews.of_game(found),
    }
    return render(request, "game/table.html", context)


@require_POST
@counts_guesses
def unlisted(request: HttpRequest, code: str) -> HttpResponse:
    """Takes one's own game out of all lists with ``unlisted``, and without it back into them."""
    player = person_of(request)
    if player is None:
        return redirect_to_login(reverse("game", args=[code]), reverse("login"))
    known = _game_code(code)
    if not list_or_unlist(player, known, unlisted=bool(request.POST.get("unlisted"))):
        raise Http404(_("There is no game of yours with this code."))
    return redirect("game", known)


def _tv(request: HttpRequest, game: Game) -> dict[str, Any] | None:
    """Where to go on to for somebody who watches one table after another, and after how long a silence."""
    if "tv" not in request.GET or person_of(request) == game.player:
        return None
    quiet_s = int(settings.LIVE_FOR.total_seconds())
    return {"next": f"{reverse('tv')}?after={game.code}", "quiet_s": quiet_s}


def _shown_parent(request: HttpRequest, game: Game) -> Game | None:
    """The game that this one was played on from, unless its code is not for this reader."""
    parent, reader = game.parent, person_of(request)
    if parent and parent.unlisted and (reader is None or reader.pk != parent.player_id):
        return None
    return parent


def _boot(request: HttpRequest, game: Game) -> dict[str, Any]:
    """What the table's script begins with."""
    player = person_of(request)
    here = game.get_absolute_url()
    return {
        "welcome": to_builtins(tables.welcome(game, player.pk if player else None)),
        "start": {
            "position": game.deal.masked,
            "score": game.rules.score(game.deal, 0),
        },
        "socket": f"/{settings.BASE_PATH}/ws/game/{game.code}/".replace("//", "/"),
        "updates": reverse("updates", args=[game.code]),
        "verdict": reverse("verdict", args=[game.code]),
        "urls": {
            "start": reverse("games"),
            "home": reverse("home"),
            "login": f"{reverse('login')}?{urlencode({'next': here})}",
            "game": here,
            "rules": reverse("rules_of", args=[game.rules_slug]),
        },
        "deal_code": None if tables.is_secret(game) else game.deal_code,
        "user": player.username if player else None,
        "csrf": get_token(request),
        "lang": get_language(),
        "release": settings.RELEASE,
        "result": _result(game),
    }


def _result(game: Game) -> dict[str, Any] | None:
    """What is told of a win: its figures, whether it counts, and the places it holds now."""
    if not hasattr(game, "result"):
        return None
    places = places_of(game)
    return {
        "score": game.score,
        "elapsed_ms": tables.elapsed_ms(game),
        "moves": game.moves,
        "ranked": game.ranked,
        "best": any(took.period == Period.ALL for took in places),
        "reason": str(game.get_unranked_because_display()) if game.unranked_because else None,
        "places": [{"period": str(took.period), "place": took.place} for took in places],
    }
