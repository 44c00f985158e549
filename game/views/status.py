"""The page of those who run the site: how each process fares, and what operators did."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from game import hub, processes
from game.selectors.status import status as read_status
from game.views.answers import person_of


@dataclass(frozen=True, slots=True)
class Shown:
    """A process as the page shows it: figures by their labels, and whether anything is amiss."""

    name: str
    release: str
    since: datetime
    figures: list[tuple[str, str]]
    trouble: list[str]


@never_cache
@require_safe
def status(request: HttpRequest) -> HttpResponse:
    person = person_of(request)
    if person is None or not person.is_staff:
        # To everybody else there is no such page.
        raise Http404
    here = hub.running()
    known = here.processes.all() if here is not None else [processes.this()]
    context = {"processes": [_shown(process) for process in known], "status": read_status()}
    return render(request, "status.html", context)


def _shown(process: processes.Process) -> Shown:
    # An older or newer process may not tell all of it.
    told = {"layer": 1.0, **process.figures}

    def count(name: str) -> str:
        return f"{told.get(name, 0):.0f}"

    def bound(name: str) -> str:
        # Nothing has been timed yet where it is 0.
        return f"≤ {told[name]:g} ms" if told.get(name) else "–"

    figures = [
        (_("Players"), count("players")),
        (_("Spectators"), count("spectators")),
        (_("Tables"), count("tables")),
        (_("Moves"), count("moves")),
        (_("Refusals"), count("refusals")),
        (_("Gaps healed"), count("gaps")),
        (_("A move takes"), bound("move_ms")),
        (_("Telling everybody takes"), bound("fan_out_ms")),
        (_("The loop is late by"), bound("lag_ms")),
    ]
    trouble = []
    if not told["layer"]:
        trouble.append(_("Messages to other processes do not go out."))
    if told.get("troubles"):
        trouble.append(_("Trouble with the database: %(count)s") % {"count": count("troubles")})
    if told.get("errors"):
        trouble.append(_("Pages that failed: %(count)s") % {"count": count("errors")})
    return Shown(process.name, process.release, datetime.fromtimestamp(process.since, UTC), figures, trouble)
