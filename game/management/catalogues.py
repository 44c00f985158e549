"""The catalogues of translations: what they must hold, and how they are brought up to date.

Nothing but a translation is kept from one time to the next: no place in the code, no date, no guess at a
sentence that has changed. So the same sources and translations always give the same files.
"""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path
from typing import Final

import polib
from django.conf import settings
from django.utils.translation import templatize

PLURALS: Final = {
    "tr": "nplurals=2; plural=(n > 1);",
    "pl": "nplurals=4; plural=(n==1 ? 0 : (n%10>=2 && n%10<=4) && (n%100<12 || n%100>14) ? 1 : "
    "n!=1 && (n%10>=0 && n%10<=1) || (n%10>=5 && n%10<=9) || (n%100>=12 && n%100<=14) ? 2 : 3);",
    "ar": "nplurals=6; plural=n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : "
    "n%100>=3 && n%100<=10 ? 3 : n%100>=11 && n%100<=99 ? 4 : 5;",
}
"""Django's own formulas: the catalogues are merged, and by another formula a plural would be sought twice."""

DOMAINS: Final = {"django": "Python", "djangojs": "JavaScript"}
"""Domain to the language its sources are written in, as ``xgettext`` calls it."""

KEYWORDS: Final = (
    "N_",
    "gettext_noop",
    "gettext_lazy",
    "ngettext_lazy:1,2",
    "pgettext:1c,2",
    "npgettext:1c,2,3",
    "pgettext_lazy:1c,2",
    "npgettext_lazy:1c,2,3",
)
"""What marks a sentence besides gettext's own names."""


def extract(domain: str) -> polib.POFile:
    """Every sentence of a domain, in the order of the sources, untranslated."""
    with tempfile.TemporaryDirectory() as folder:
        names = _write_sources(domain, Path(folder))
        found = subprocess.run(  # noqa: S603  # our own file names
            [  # noqa: S607  # wherever gettext is installed
                "xgettext",
                f"--language={DOMAINS[domain]}",
                *(f"--keyword={keyword}" for keyword in KEYWORDS),
                "--from-code=UTF-8",
                "--no-location",
                "--no-wrap",
                "--output=-",
                *names,
            ],
            cwd=folder,
            check=True,
            capture_output=True,
            text=True,
        )
    return polib.pofile(found.stdout)


def _write_sources(domain: str, folder: Path) -> list[str]:
    """Writes the sources of a domain where ``xgettext`` can read them; their names, in order."""
    base = settings.BASE_DIR
    if domain == "djangojs":
        sources = {path: path.read_text() for path in (settings.FRONTEND / "static/js").rglob("*.js")}
    else:
        sources = {path: path.read_text() for path in (base / "game").rglob("*.py")}
        for path in (settings.FRONTEND / "templates").rglob("*.html"):
            sources[path] = templatize(path.read_text())
    names = []
    for path in sorted(sources):
        name = path.relative_to(base)
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(sources[path])
        names.append(str(name))
    return names


def path_of(language: str, domain: str) -> Path:
    """Where a catalogue is kept."""
    return Path(settings.LOCALE_PATHS[0]) / language / "LC_MESSAGES" / f"{domain}.po"


def refreshed(language: str, domain: str, found: polib.POFile) -> polib.POFile:
    """A catalogue that holds what was found, with the translations there are."""
    path = path_of(language, domain)
    old = polib.pofile(str(path)) if path.exists() else polib.POFile()
    known = {(entry.msgctxt, entry.msgid, entry.msgid_plural): entry for entry in old}
    catalogue = polib.POFile(wrapwidth=0)
    catalogue.header = f"Tableau in {dict(settings.LANGUAGES)[language]}"
    catalogue.metadata = {
        "Language": language,
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
        "Plural-Forms": PLURALS[language],
    }
    for entry in found:
        kept = known.get((entry.msgctxt, entry.msgid, entry.msgid_plural))
        # The number of forms is the language's, not the source's.
        forms = range(int(PLURALS[language].split("=")[1].split(";")[0]))
        catalogue.append(
            polib.POEntry(
                msgctxt=entry.msgctxt,
                msgid=entry.msgid,
                msgid_plural=entry.msgid_plural,
                msgstr=kept.msgstr if kept and not entry.msgid_plural else "",
                msgstr_plural={form: kept.msgstr_plural.get(form, "") if kept else "" for form in forms}
                if entry.msgid_plural
                else {},
                flags=[flag for flag in entry.flags if flag.endswith("-format")],
            )
        )
    return catalogue


def lacking(catalogue: polib.POFile) -> list[str]:
    """The sentences of a catalogue that are not translated, or not in every form."""
    return [
        entry.msgid
        for entry in catalogue
        if not all(entry.msgstr_plural.values() if entry.msgid_plural else [entry.msgstr])
    ]
