"""Browsers in which somebody was at home before: whoever guesses passwords cannot lock their owner out.

A guesser is held up by name and address. The owner at the same address comes in by a cookie that says that
this account has logged in here, and that opens nothing by itself.
"""

from __future__ import annotations

import secrets
from datetime import timedelta
from typing import Final

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse

from game.limits import may_log_in, may_return, may_try_name
from game.models import User
from game.spelling import folded_name
from game.views.answers import address_of

COOKIE: Final = "tableau_familiar"
_SALT: Final = "tableau.familiar"
_KEPT_FOR: Final = timedelta(days=365)


def may_enter(request: HttpRequest, name: str) -> bool:
    """Whether one more log-in under this name is within the limits; counts it."""
    if browser := _browser_of(request, name):
        return may_return(browser)
    address = address_of(request)
    return may_log_in(address) and may_try_name(name, address)


def remember(answer: HttpResponse, person: User) -> None:
    """Has the browser that gets this answer know the account again."""
    answer.set_cookie(
        COOKIE,
        signing.dumps([person.pk, secrets.token_hex(8)], salt=_SALT),
        max_age=_KEPT_FOR,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _browser_of(request: HttpRequest, name: str) -> str:
    """A name for this browser if it belongs to whoever is called so, else nothing."""
    try:
        key, browser = signing.loads(request.COOKIES.get(COOKIE, ""), salt=_SALT, max_age=_KEPT_FOR)
    except (signing.BadSignature, ValueError, TypeError):
        return ""
    is_theirs = User.objects.filter(pk=key, folded=folded_name(name)).exists()
    return f"{key}-{browser}" if is_theirs else ""
