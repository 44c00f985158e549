"""A script in one answer with the modules that it imports: a browser asks a site for six files at a time.

Only what our modules use of the language is understood: named imports on top, named exports at declarations,
no module that imports one which imports it. Anything else is an error, so nothing is sent half understood.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

ON_EVERY_PAGE: Final = "preferences.js"
"""Each page loads this module by itself and it must run once, so bundles import it still."""
_IMPORT: Final = re.compile(r"""^import \{([^}]*)\} from "\./([\w-]+\.js)";$""", re.MULTILINE)
_EXPORT: Final = re.compile(r"^export ((?:async )?function|const|class) (\w+)", re.MULTILINE)
_OTHER: Final = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)

Scripts = Mapping[str, str]
"""The texts of all modules by the names of their files."""


def brought(scripts: Scripts) -> set[str]:
    """The modules that come with others; nobody asks for them by themselves."""
    return {found[2] for text in scripts.values() for found in _IMPORT.finditer(text)} - {ON_EVERY_PAGE}


def bundle(name: str, scripts: Scripts) -> str:
    """The text of a module after all that it imports, each of those in a function of its own. It exports
    what it did.

    Raises `ValueError`, naming the module, for what is not understood.
    """
    order: list[str] = []
    _visit(name, scripts, order, ())
    parts = [_wrapped(module, scripts[module]) for module in order[:-1] if module != ON_EVERY_PAGE]
    if ON_EVERY_PAGE in order[:-1]:
        parts.insert(0, f'import * as {_constant(ON_EVERY_PAGE)} from "./{ON_EVERY_PAGE}";')
    return "\n".join([*parts, _checked(name, scripts[name])])


def _visit(name: str, scripts: Scripts, order: list[str], path: tuple[str, ...]) -> None:
    """Puts a module behind those that it needs, as a browser runs them."""
    if name in path:
        raise ValueError(f"{name}: imports itself by way of {', '.join(path[path.index(name) + 1 :])}")
    if name in order:
        return
    for found in _IMPORT.finditer(scripts[name]):
        _visit(found[2], scripts, order, (*path, name))
    order.append(name)


def _wrapped(name: str, text: str) -> str:
    exported = ", ".join(found[2] for found in _EXPORT.finditer(text))
    body = _EXPORT.sub(r"\1 \2", _checked(name, text))
    return f"const {_constant(name)} = (() => {{\n{body}\nreturn {{ {exported} }};\n}})();"


def _checked(name: str, text: str) -> str:
    """A module's text with its imports as constants; raises `ValueError` for any other form."""
    text = _IMPORT.sub(lambda found: f"const {{{_renamed(found[1])}}} = {_constant(found[2])};", text)
    if other := _OTHER.search(_EXPORT.sub("", text)):
        raise ValueError(f"{name}: this form is not understood: {other[0]}")
    return text


def _renamed(names: str) -> str:
    return re.sub(r" as ", ": ", names)


def _constant(module: str) -> str:
    """What a module is called inside of a bundle."""
    return "$" + re.sub(r"\W", "_", module.removesuffix(".js"))
