"""A game begins: a fresh deal, the deal of a code, the same deal again, or from a place in an ended game.

And whether others find it in lists.
"""

from __future__ import annotations

import secrets
import string
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from game.actions import pool
from game.actions.play import give_up
from game.engine.deals import DealCode, parse_deal_code
from game.engine.line import Standing
from game.engine.position import Position
from game.engine.rules import Rules
from game.limits import GAMES_AN_HOUR
from game.models import Game, Unranked, User
from game.selectors import findings


class StartRefusedError(Exception):
    """No game was started; ``sentence`` says why."""

    sentence: str | Promise = ""


class TooManyOpenError(StartRefusedError):
    """The player has as many running games as one may have."""

    sentence = ngettext_lazy(
        "You have %(count)s running game, as many as one may have: finish it or give it up first.",
        "You have %(count)s running games, as many as one may have: finish one or give one up first.",
        settings.MAX_OPEN_GAMES,
    ) % {"count": settings.MAX_OPEN_GAMES}


class TooManyStartedError(StartRefusedError):
    """The player has started as many games within an hour as one may."""

    sentence = _("You have started very many games within an hour. Wait a while, or go on with one of them.")


class AccountClosedError(StartRefusedError):
    """The account was closed while the game was asked for."""

    sentence = _("This account is closed.")


class NotYourGameError(StartRefusedError):
    """Only one's own deal can be played again."""

    sentence = _("Only a game of your own can be started again.")


class NoneReadyError(StartRefusedError):
    """The pool of winnable deals is empty."""

    sentence = _("No deal that can surely be won is ready just now. Try again in a minute.")


class NoPlaceToBeginError(StartRefusedError):
    """There is nothing to play on from."""

    sentence = _("Only an ended game can be played on, and only from before it was won.")


def drawn_code(rules: Rules, variant: str) -> DealCode:
    """A deal that nobody can foresee, from a code of the longest kind that the rules have."""
    letters = "".join(secrets.choice(string.ascii_uppercase) for _letter in range(rules.code_letters[-1]))
    return DealCode(rules, variant, letters)


def start_new(player: User, rules: Rules, variant: str) -> Game:
    """A game on cards that the server draws; raises `StartRefusedError`."""
    code = drawn_code(rules, variant)
    with transaction.atomic():
        return _start(player, rules, variant, deal=code.deal(), deal_code=str(code), is_drawn=True)


def start_winnable(player: User, rules: Rules, variant: str) -> Game:
    """A game on cards that can surely be won, as practice; raises `StartRefusedError`."""
    with transaction.atomic():
        deal = pool.take(rules, variant)
        if deal is None:
            raise NoneReadyError
        code = parse_deal_code(deal.deal_code, [rules])
        game = _start(player, rules, variant, deal=code.deal(), deal_code=deal.deal_code)
        deal.game = game
        deal.save(update_fields=["game"])
    return game


def start_deal(player: User, code: DealCode) -> Game:
    """A game on the cards of a code, as practice; raises `StartRefusedError`."""
    with transaction.atomic():
        return _start(player, code.rules, code.variant, deal=code.deal(), deal_code=str(code))


def start_again(player: User, game_code: str) -> Game:
    """The same cards once more, as practice; a game that still runs is given up, and its table told so.

    ``game_code`` is canonical. Raises `NotYourGameError` for a game that is not the player's, or is none,
    and any other `StartRefusedError`.
    """
    with transaction.atomic():
        _wait_for_turn(player)
        game = Game.objects.filter(code=game_code, player=player).first()
        if game is None:
            raise NotYourGameError
        if not game.is_over:
            give_up(game.pk)
        origin = (game.parent, game.parent_ply or 0) if game.parent else None
        return _start(
            player, game.rules, game.variant, deal=game.deal, deal_code=game.deal_code, origin=origin
        )


def start_from(player: User, game_code: str, ply: int) -> Game:
    """Anybody's ended game played on from a place in its line, as practice.

    ``game_code`` is canonical. Raises `NoPlaceToBeginError` for a game that is none or still runs, and for a
    place that is not in it or where it was won; any other `StartRefusedError`.
    """
    with transaction.atomic():
        parent = Game.objects.filter(code=game_code).first()
        if parent is None or not parent.is_over or ply > parent.ply:
            raise NoPlaceToBeginError
        position = findings.standing_at(parent, ply).position
        if parent.rules.is_won(position):
            raise NoPlaceToBeginError
        code = parent.deal_code if ply == 0 else None
        return _start(
            player, parent.rules, parent.variant, deal=position, deal_code=code, origin=(parent, ply)
        )


def list_or_unlist(player: User, game_code: str, *, unlisted: bool) -> bool:
    """Takes a game of the player's out of all lists, or back into them; False if there is none of this code.

    ``game_code`` is canonical. What a game took on boards before stays.
    """
    # Never written by a move: the two do not undo each other.
    return bool(Game.objects.filter(code=game_code, player=player).update(unlisted=unlisted))


def _start(
    player: User,
    rules: Rules,
    variant: str,
    *,
    deal: Position,
    deal_code: str | None,
    is_drawn: bool = False,
    origin: tuple[Game, int] | None = None,
) -> Game:
    """The row of a new game, in a transaction; ``is_drawn`` if the server has just drawn the deal.

    ``origin`` is the game and its ply that it plays on from.
    """
    _wait_for_turn(player)
    now = timezone.now()
    games = Game.objects.filter(player=player)
    _check_limits(games, now)
    seen = findings.deal_code_of(origin[0]) if origin else deal_code
    same_cards = Q(deal_code=seen) if seen else Q(deal_code=None, deal_text=deal.text)
    others = games.filter(same_cards, rules_slug=rules.slug)
    is_practice = not is_drawn or others.exists()
    others.filter(ended_at=None, ranked=True).update(ranked=False, unranked_because=Unranked.PRACTICE)
    because = Unranked.GUEST if player.is_guest else Unranked.PRACTICE if is_practice else ""
    game = Game(
        player=player,
        rules_slug=rules.slug,
        rules_version=rules.version,
        variant=variant,
        deal_text=deal.text,
        deal_code=deal_code,
        parent=origin[0] if origin else None,
        parent_ply=origin[1] if origin else None,
        ranked=not because,
        unranked_because=because,
        created_at=now,
    )
    game.stand(Standing(deal))
    game.save(force_insert=True)
    return game


def _wait_for_turn(player: User) -> None:
    """Whatever this player starts at the same moment waits here, so that the limits and first sight hold.

    So does it while the account is deleted.
    """
    # No key: a game that is being won refers to the player and must not wait for its own deal's restart.
    if not User.objects.select_for_update(no_key=True).filter(pk=player.pk, is_active=True):
        raise AccountClosedError


def _check_limits(games: QuerySet[Game], now: datetime) -> None:
    # Both look at a bounded number of rows, however many games the player has.
    if games.filter(ended_at=None)[: settings.MAX_OPEN_GAMES].count() >= settings.MAX_OPEN_GAMES:
        raise TooManyOpenError
    if not settings.RATE_LIMIT:
        return
    nth = games.order_by("-id").values_list("created_at", flat=True)[GAMES_AN_HOUR - 1 : GAMES_AN_HOUR]
    if any(started > now - timedelta(hours=1) for started in nth):
        raise TooManyStartedError
