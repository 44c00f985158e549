"""What this process counts and times, in the form that Prometheus reads.

Each process counts for itself: whoever reads asks every one of them and adds up.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    GCCollector,
    Histogram,
    PlatformCollector,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

REGISTRY: Final = CollectorRegistry()
CONTENT_TYPE: Final = CONTENT_TYPE_PLAIN_0_0_4
QUICK_SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)

for _collector in (ProcessCollector, PlatformCollector, GCCollector):
    _collector(registry=REGISTRY)

sockets = Gauge("tableau_sockets", "Open sockets that sit at a table.", ["role"], registry=REGISTRY)
tables = Gauge("tableau_tables", "Games that are watched or played here.", registry=REGISTRY)
opened = Counter("tableau_sockets_opened", "Sockets that were accepted.", registry=REGISTRY)
closed = Counter(
    "tableau_sockets_closed", "Sockets that the server closed.", ["code", "reason"], registry=REGISTRY
)
moves = Counter("tableau_moves", "Commands that were accepted and stored.", ["rules"], registry=REGISTRY)
refusals = Counter("tableau_refusals", "Commands that were refused.", ["code"], registry=REGISTRY)
gaps = Counter(
    "tableau_gaps_healed", "Answers to sync that told a socket what it had missed.", registry=REGISTRY
)
move_seconds = Histogram(
    "tableau_move_seconds",
    "From the turn of a command to its outcome, the wait for a thread and the commit included.",
    buckets=QUICK_SECONDS,
    registry=REGISTRY,
)
fan_out_seconds = Histogram(
    "tableau_fan_out_seconds",
    "From the arrival of an update to the last socket of this process.",
    buckets=QUICK_SECONDS,
    registry=REGISTRY,
)
loop_lag_seconds = Histogram(
    "tableau_loop_lag_seconds",
    "How late the event loop comes to what is due.",
    buckets=QUICK_SECONDS,
    registry=REGISTRY,
)
requests = Counter("tableau_requests", "Pages and other answers to HTTP.", ["status"], registry=REGISTRY)
request_seconds = Histogram(
    "tableau_request_seconds", "How long an answer to HTTP took.", buckets=QUICK_SECONDS, registry=REGISTRY
)
layer_up = Gauge("tableau_layer_up", "1 while messages to other processes go out.", registry=REGISTRY)
layer_outages = Counter("tableau_layer_outages", "How often the layer began to fail.", registry=REGISTRY)
database_troubles = Counter(
    "tableau_database_troubles", "Work that the database failed or did not answer.", registry=REGISTRY
)
release = Gauge("tableau_release", "1, with what runs here.", ["release"], registry=REGISTRY)

layer_up.set(1)


def text() -> bytes:
    """All of it in Prometheus' text format."""
    return generate_latest(REGISTRY)


def figures() -> Mapping[str, float]:
    """The few numbers that tell a person how this process fares; times in ms."""
    return {
        "players": _value(sockets, role="player"),
        "spectators": _value(sockets, role="spectator"),
        "tables": _value(tables),
        "moves": _total(moves),
        "refusals": _total(refusals),
        "gaps": _total(gaps),
        "move_ms": within_ms(move_seconds),
        "fan_out_ms": within_ms(fan_out_seconds),
        "lag_ms": within_ms(loop_lag_seconds),
        "layer": _value(layer_up),
        "troubles": _total(database_troubles),
        "errors": sum(
            sample.value
            for sample in _samples(requests)
            if sample.name.endswith("_total") and sample.labels["status"] == "500"
        ),
    }


def within_ms(histogram: Histogram, share: float = 0.95) -> float:
    """The bound within which this share of what was timed lies, so finely as buckets go; 0 if none was."""
    bounds = [
        (float(sample.labels["le"]), sample.value)
        for sample in _samples(histogram)
        if sample.name.endswith("_bucket")
    ]
    count = bounds[-1][1] if bounds else 0
    bound = next((bound for bound, below in bounds if below >= share * count), 0.0) if count else 0.0
    return min(bound, QUICK_SECONDS[-1]) * 1000


def _samples(measure: Any) -> list[Any]:
    return [sample for metric in measure.collect() for sample in metric.samples]


def _total(counter: Counter) -> float:
    return math.fsum(sample.value for sample in _samples(counter) if sample.name.endswith("_total"))


def _value(gauge: Gauge, **labels: str) -> float:
    return math.fsum(
        sample.value
        for sample in _samples(gauge)
        if all(sample.labels.get(key) == value for key, value in labels.items())
    )
