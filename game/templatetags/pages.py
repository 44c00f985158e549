"""What the frame of every page asks for: release, theme, languages, the current page, signs of games."""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import urlencode

from django import template
from django.conf import settings
from django.template import Context
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language_info, override

from game.addresses import whole_address
from game.engine.games import GAMES
from game.engine.rules import Rules
from game.languages import address_in
from game.plates import sign_of

register = template.Library()

BARS: Final = {"light": "#fbfcf9", "dark": "#1a201d"}
"""The themes with the colour of their bars."""
THEMES: Final = tuple(BARS)


@register.simple_tag
def release() -> str:
    """The name of what the browser is given; it stands in the address of everything that may be kept."""
    return str(settings.RELEASE)


@register.simple_tag(takes_context=True)
def theme(context: Context) -> str:
    """The attribute for the theme that the visitor chose, or nothing: then the system's counts."""
    request = context.get("request")
    chosen = request.COOKIES.get("theme") if request else None
    return format_html(' data-theme="{}"', chosen) if chosen in THEMES else ""


@register.simple_tag(takes_context=True)
def theme_colours(context: Context) -> SafeString:
    """The bar's colour for the frame that a browser draws around a page: the themes', or the chosen one's."""
    request = context.get("request")
    chosen = request.COOKIES.get("theme") if request else None
    return format_html_join(
        "\n",
        '<meta name="theme-color" content="{}" media="{}" data-theme-colour="{}">',
        [(colour, _media(name, chosen), name) for name, colour in BARS.items()],
    )


def _media(theme_name: str, chosen: str | None) -> str:
    if chosen in THEMES:
        return "all" if theme_name == chosen else "not all"
    return f"(prefers-color-scheme: {theme_name})"


@register.simple_tag(takes_context=True)
def language_links(context: Context) -> list[dict[str, str]]:
    """This page in every language, or the first where it is none: code, own name, address, also whole."""
    request = context.get("request")
    if request is None:
        return []
    links = []
    for code, _name in settings.LANGUAGES:
        url = address_in(request, code) if request.method in ("GET", "HEAD") else None
        if url is None:
            with override(code):
                url = reverse("home")
        name = get_language_info(code)["name_local"]
        links.append({"code": code, "name": name, "url": url, "whole": whole_address(request, url)})
    return links


@register.simple_tag(takes_context=True)
def whole(context: Context, path: str) -> str:
    """The address with the site's origin, for those who read a page elsewhere."""
    request = context.get("request")
    return whole_address(request, path) if request else path


@register.simple_tag(takes_context=True)
def current(context: Context, name: str) -> str:
    """Marks the link to the page one is on."""
    return SafeString(' aria-current="page"') if _name_of_page(context) == name else ""


@register.simple_tag(takes_context=True)
def own_address(context: Context) -> str:
    """The attribute that tells where to ask for a page that has come as the answer to a form.

    Without it a way back would ask for what cannot be had twice.
    """
    request = context.get("request")
    match = getattr(request, "resolver_match", None)
    if request is None or request.method != "POST" or match is None:
        return ""
    shown = context.get("page_name")
    address = reverse(shown) if shown else reverse(match.view_name, args=match.args, kwargs=match.kwargs)
    onward = context.get("next")
    query = f"?{urlencode({'next': onward})}" if onward else ""
    return format_html(' data-address="{}"', address + query)


def _name_of_page(context: Context) -> str | None:
    """The page that is shown: the one asked for, unless a view says that it shows another."""
    match = getattr(context.get("request"), "resolver_match", None)
    return context.get("page_name") or (match.url_name if match else None)


@register.simple_tag(takes_context=True)
def login_url(context: Context) -> str:
    """The log-in that comes back to this page."""
    request: Any = context.get("request")
    match = getattr(request, "resolver_match", None)
    if request is None or request.method != "GET" or (match and match.url_name in ("login", "signup")):
        return reverse("login")
    return f"{reverse('login')}?{urlencode({'next': request.get_full_path()})}"


@register.simple_tag
def sign(rules: Rules) -> SafeString:
    """The silhouette of a game's deal; an ornament, not read aloud."""
    return sign_of(rules)


@register.simple_tag
def house_sign() -> SafeString:
    """The sign of the first game is the sign of the house."""
    return sign_of(GAMES[0])
