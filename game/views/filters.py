"""The filters of lists of games: read from an address, and offered as a row of links."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Final

from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.translation import gettext as _

from game.codes import CodeError, read_deal_code
from game.engine.games import GAMES, UnknownRulesError, rules_of
from game.engine.line import Status
from game.engine.rules import Rules
from game.labels import ENDS, options_of
from game.models import User
from game.selectors.lists import Filters, person
from game.selectors.periods import start_of_week, today

WEEK: Final = "week"
TODAY: Final = "today"


@dataclass(frozen=True, slots=True)
class Link:
    """One filter to choose: its label, where it leads, whether it holds now."""

    label: str
    address: str
    is_on: bool


def read_filters(given: QueryDict) -> Filters:
    """The filters of an address: ``game``, its options, ``result``, ``player``, ``deal``, ``since``.

    ``since`` is a day (``2026-11-30``), ``today`` or ``week`` (from Monday). Raises `ValidationError`.
    """
    rules = _rules(given.get("game", ""))
    return Filters(
        rules=rules.slug if rules else None,
        variant=_variant(rules, given),
        result=_result(given.get("result", "")),
        player=_player(given.get("player", "").strip()),
        deal_code=_deal(given.get("deal", "").strip()),
        since=_since(given.get("since", "").strip()),
    )


def _rules(slug: str) -> Rules | None:
    try:
        return rules_of(slug) if slug else None
    except UnknownRulesError:
        raise ValidationError(_("There is no such game here.")) from None


def _variant(rules: Rules | None, given: Mapping[str, str]) -> str | None:
    names = {option.name for known in GAMES for option in known.options}
    asked = {name: given[name] for name in sorted(names) if given.get(name)}
    if not asked:
        return None
    for known in [rules] if rules else GAMES:
        for variant, options in known.variants.items():
            if {name: str(value) for name, value in options.items()} == asked:
                return variant
    raise ValidationError(_("This game has no such options."))


def _result(text: str) -> Status | None:
    try:
        return Status(text) if text else None
    except ValueError:
        raise ValidationError(_("A game is playing, won or given up.")) from None


def _player(name: str) -> User | None:
    if not name:
        return None
    found = person(name)
    if found is None:
        # A name may be written from the other side than the sentence around it.
        isolated = f"\N{FIRST STRONG ISOLATE}{name[:40]}\N{POP DIRECTIONAL ISOLATE}"
        raise ValidationError(_("There is nobody called %(name)s here.") % {"name": isolated})
    return found


def _deal(text: str) -> str | None:
    try:
        return str(read_deal_code(text)) if text else None
    except CodeError as error:
        raise ValidationError(_(error.sentence) % error.params) from None


def _since(text: str) -> date | None:
    if not text:
        return None
    if text == TODAY:
        return today()
    if text == WEEK:
        return start_of_week(today())
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ValidationError(_("A day is written like 2026-11-30.")) from None


# The row of links


def filter_row(given: QueryDict, *, with_running: bool = False) -> list[list[Link]]:
    """Groups of links, each of which sets or takes back one filter and leaves the others."""
    return [_kinds(given), _results(given, with_running=with_running), _times(given)]


def _kinds(given: QueryDict) -> list[Link]:
    options = {option.name for rules in GAMES for option in rules.options}
    on = {name: given[name] for name in ["game", *sorted(options)] if given.get(name)}
    nothing: dict[str, str | None] = dict.fromkeys(["game", *options])
    links = [Link(_("All games"), _address(given, nothing), not on)]
    for rules in GAMES:
        whole = {"game": rules.slug}
        links.append(Link(_(rules.title), _address(given, nothing | whole), on == whole))
        for variant, values in rules.variants.items():
            if not values:
                continue
            one = whole | {name: str(value) for name, value in values.items()}
            links.append(Link(options_of(rules, variant), _address(given, nothing | one), on == one))
    return links


def _results(given: QueryDict, *, with_running: bool) -> list[Link]:
    on = given.get("result")
    statuses = [Status.WON, Status.GIVEN_UP, *([Status.PLAYING] if with_running else [])]
    return [
        Link(
            str(ENDS[status]).capitalize(),
            _address(given, {"result": None if on == status else str(status)}),
            on == status,
        )
        for status in statuses
    ]


def _times(given: QueryDict) -> list[Link]:
    on = given.get("since")
    return [
        Link(label, _address(given, {"since": None if on == value else value}), on == value)
        for value, label in ((TODAY, _("Today")), (WEEK, _("This week")))
    ]


def _address(given: QueryDict, changes: Mapping[str, str | None]) -> str:
    """This address with some filters set or (None) taken away, from the first page on."""
    query = given.copy()
    query.pop("after", None)
    for name, value in changes.items():
        if value is None:
            query.pop(name, None)
        else:
            query[name] = value
    return f"?{query.urlencode()}"
