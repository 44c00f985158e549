"""The browser's modules, told to it at once: without this it hears of each from the one that imports it."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from django import template
from django.conf import settings
from django.templatetags.static import static
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

register = template.Library()

_IMPORTED: Final = re.compile(r"""^(?:import|export|\})[^;]*?["']\./([\w-]+\.js)["'];""", re.MULTILINE)


@register.simple_tag
def module_preloads(name: str) -> SafeString:
    """Links by which a browser fetches a module of ``static/js`` and all that it imports."""
    links = [(static(f"js/{module}"),) for module in modules_of(str(name))]
    return format_html_join("\n", '<link rel="modulepreload" href="{}">', links)


@cache
def modules_of(name: str) -> tuple[str, ...]:
    """A module and everything that is loaded with it, itself first."""
    found = [name]
    for module in found:
        text = (settings.FRONTEND / f"static/js/{module}").read_text()
        found += [other for other in dict.fromkeys(_IMPORTED.findall(text)) if other not in found]
    return tuple(found)
