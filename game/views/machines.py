"""Answers for what watches the service: does this process live, can it serve, how does it fare."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable
from ipaddress import ip_address
from typing import Final

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.conf import settings
from django.db import connection
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from game import database, measures

logger = logging.getLogger(__name__)

PATIENCE_S: Final = 2
OF_PROXIES: Final = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Proto", "X-Real-Ip", "Via")

_silent: set[str] = set()


@never_cache
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """The process answers; nothing else is asked."""
    return HttpResponse("ok\n", content_type="text/plain")


@never_cache
@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """Whether the parts answer, each within `PATIENCE_S`: the database and the layer."""
    parts = async_to_sync(_ask_parts)()
    return JsonResponse(parts, status=200 if all(parts.values()) else 503)


async def _ask_parts() -> dict[str, bool]:
    has_database, has_layer = await asyncio.gather(
        _answers("database", database.read(_ask_database)), _answers("layer", _ask_layer())
    )
    return {"database": has_database, "layer": has_layer}


async def _answers(part: str, question: Awaitable[None]) -> bool:
    """Whether a part answers; the log is told of the first silence and of its end."""
    try:
        async with asyncio.timeout(PATIENCE_S):
            await question
    except Exception as error:  # whatever its client raises
        if part not in _silent:
            logger.warning("Not ready: the %s does not answer: %r", part, error)
        _silent.add(part)
        return False
    if part in _silent:
        logger.warning("The %s answers again", part)
    _silent.discard(part)
    return True


def _ask_database() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


async def _ask_layer() -> None:
    layer = get_channel_layer()
    if layer is None:
        raise LookupError("no layer is configured")
    await layer.group_send("readiness", {"type": "readiness"})


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """What this process counts, for whoever may know it; to all others there is no such page."""
    if not _may_read_measures(request):
        raise Http404
    return HttpResponse(measures.text(), content_type=measures.CONTENT_TYPE)


def _may_read_measures(request: HttpRequest) -> bool:
    """With ``METRICS_TOKEN`` whoever sends it; without, this machine alone, and no proxy on it."""
    if settings.METRICS_TOKEN:
        sent = request.headers.get("Authorization", "")
        return constant_time_compare(sent, f"Bearer {settings.METRICS_TOKEN}")
    if any(name in request.headers for name in OF_PROXIES):
        return False
    try:
        return ip_address(request.META.get("REMOTE_ADDR") or "").is_loopback
    except ValueError:
        return False
