"""What the visitor of a page prefers: as an attribute of the page, and as the boxes of the form."""

from __future__ import annotations

from django import template
from django.template import Context
from django.utils.html import format_html

from game.models import User
from game.preferences import COOKIE, PREFERENCES, Choices, Preference, completed, read_cookie

register = template.Library()


def _choices(context: Context) -> Choices:
    request = context.get("request")
    if request is None:
        return completed({})
    person = getattr(request, "user", None)
    if isinstance(person, User) and person.preferences is not None:
        return completed(person.preferences)
    return read_cookie(request.COOKIES.get(COOKIE, ""))


@register.simple_tag(takes_context=True)
def prefer(context: Context) -> str:
    """The attribute that style and script go by."""
    words = [name for name, value in _choices(context).items() if value]
    return format_html(' data-prefer="{}"', " ".join(words))


@register.simple_tag(takes_context=True)
def preferences(context: Context) -> list[tuple[Preference, bool]]:
    """Every preference with whether it holds."""
    choices = _choices(context)
    return [(it, choices[it.name]) for it in PREFERENCES]
