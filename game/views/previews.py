"""What a link to a page is shown with elsewhere: a title, a sentence, and the picture of a position.

A preview stays where the link was put, whatever happens later, so it tells no result: a game that runs is
shown as it stands, one that has ended as it began. Of a deal it shows what its player saw at the start.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from game import pictures
from game.codes import CodeError, example_code, read_deal_code
from game.engine.deals import DealCode
from game.engine.games import GAMES, UnknownRulesError, rules_of
from game.engine.position import Position
from game.engine.rules import Rules
from game.labels import kind_of, kind_of_game
from game.limits import MINUTE, may_draw
from game.models import Game
from game.selectors import tables
from game.views.answers import address_of
from game.views.guesses import counts_guesses

A_DAY_S: Final = 24 * 3600
BUSY_S: Final = 5


@dataclass(frozen=True, slots=True)
class Preview:
    """``address`` and ``picture`` are paths; ``description`` is left out where the page has its own."""

    title: str
    address: str
    picture: str
    description: str = ""


def of_game(game: Game) -> Preview:
    """The preview of a game: who plays what, and not how it went."""
    kind = kind_of_game(game)
    # A name may be written from the other side than the sentence around it.
    player = f"\N{FIRST STRONG ISOLATE}{game.player.username}\N{POP DIRECTIONAL ISOLATE}"
    sentence = _("A game by %(player)s: watch it live, or replay it move by move.")
    return Preview(
        f"{kind} · {player}",
        game.get_absolute_url(),
        f"{reverse('game_picture', args=[game.code])}?seq={_shown_seq(game)}",
        sentence % {"player": player},
    )


def of_deal(code: DealCode) -> Preview:
    """The preview of a deal."""
    return Preview(
        f"{kind_of(code.rules, code.variant)} · {code}",
        reverse("deal", args=[code]),
        reverse("deal_picture", args=[code]),
        _("The cards of this deal, to be played by anybody, and how others fared with it."),
    )


def of_rules(rules: Rules) -> Preview:
    """The preview of a page of rules, which has a description of its own."""
    return Preview(
        _(rules.title), reverse("rules_of", args=[rules.slug]), reverse("rules_picture", args=[rules.slug])
    )


def of_page(request: HttpRequest, title: str, address: str = "") -> Preview:
    """The preview of any other page."""
    return Preview(title, address or request.path, reverse("picture"))


@require_safe
@counts_guesses
def game_picture(request: HttpRequest, code: str) -> HttpResponse:
    """The cards of a game. ``seq`` says of which moment, so that the answer may be kept; any but the one to
    show is led on to that.
    """
    game = tables.game_by_code(code)
    if game is None:
        raise Http404(_("There is no game with this code."))
    right = f"{reverse('game_picture', args=[game.code])}?seq={_shown_seq(game)}"
    if request.get_full_path() != right:
        answer: HttpResponse = HttpResponseRedirect(right)
        patch_cache_control(answer, no_cache=True)
        return answer
    position = game.deal if game.is_over else game.standing.position
    return _picture(request, game.rules, position, game.player.username)


@require_safe
def deal_picture(request: HttpRequest, code: str) -> HttpResponse:
    """The cards of a deal as its player sees them at the start."""
    try:
        found = read_deal_code(code)
    except CodeError as error:
        raise Http404(_(error.sentence) % error.params) from None
    return _picture(request, found.rules, found.deal())


@require_safe
def rules_picture(request: HttpRequest, slug: str) -> HttpResponse:
    """A deal of a game."""
    try:
        rules = rules_of(slug)
    except UnknownRulesError:
        raise Http404(_("There are no rules of this name here.")) from None
    return _picture(request, rules, example_code(rules).deal())


@require_safe
def picture(request: HttpRequest) -> HttpResponse:
    """A deal of the first game: the house's own picture."""
    return _picture(request, GAMES[0], example_code().deal())


def _shown_seq(game: Game) -> int:
    return 0 if game.is_over else game.seq


def _picture(request: HttpRequest, rules: Rules, position: Position, player: str = "") -> HttpResponse:
    drawing = pictures.picture_of(rules, position, player)
    if not pictures.kept_at(drawing).exists() and not may_draw(address_of(request)):
        return _later(429, MINUTE)
    try:
        png = pictures.png_of(drawing, player)
    except pictures.BusyError:
        return _later(503, BUSY_S)
    answer = HttpResponse(png, content_type="image/png")
    patch_cache_control(answer, public=True, max_age=A_DAY_S)
    return answer


def _later(status: int, retry_s: int) -> HttpResponse:
    answer = HttpResponse("Too many pictures at once.\n", status=status, content_type="text/plain")
    answer["Retry-After"] = str(retry_s)
    return answer
