"""What a first visit to a table costs on a phone: bytes, caching, and nothing that holds it up."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import CDPSession, Page

from tests.e2e.conftest import Visitors
from tests.e2e.deals import MEADOW
from tests.e2e.table import Table

BUDGET_BYTES = 70_000
PHONE = {
    "viewport": {"width": 360, "height": 740},
    "device_scale_factor": 3,
    "is_mobile": True,
    "has_touch": True,
}
TEXT = re.compile(r"text/|javascript|json|svg\+xml")

# The largest paint so far, and when the cards could be touched; in ms since the address was entered.
WATCH = """
window.seen = {};
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) window.seen.largest_paint = Math.round(entry.startTime);
}).observe({ type: "largest-contentful-paint", buffered: true });
new MutationObserver((_, observer) => {
  if (!document.querySelector("#place[data-ready]")) return;
  window.seen.interactive = Math.round(performance.now());
  observer.disconnect();
}).observe(document, { attributes: true, childList: true, subtree: true });
"""


@dataclass
class Wire:
    """What came over the wire, by what the browser counts."""

    session: CDPSession
    answers: dict[str, dict[str, Any]] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)

    def listen(self) -> None:
        self.session.on("Network.responseReceived", self._answered)
        self.session.on("Network.loadingFinished", self._finished)
        self.session.send("Network.enable")
        self.session.send(
            "Network.emulateNetworkConditions",
            {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 100_000},
        )
        self.session.send("Emulation.setCPUThrottlingRate", {"rate": 4})

    def _answered(self, event: dict[str, Any]) -> None:
        self.answers[event["requestId"]] = event["response"]

    def _finished(self, event: dict[str, Any]) -> None:
        self.sizes[event["requestId"]] = event["encodedDataLength"]

    @property
    def files(self) -> list[tuple[str, dict[str, str], int]]:
        """Address, headers and bytes of everything."""
        return [
            (
                answer["url"],
                {name.lower(): value for name, value in answer["headers"].items()},
                self.sizes.get(request, 0),
            )
            for request, answer in self.answers.items()
        ]


def visit(visitors: Visitors, address: str) -> tuple[Page, Wire]:
    page = visitors.come(**PHONE)
    wire = Wire(page.context.new_cdp_session(page))
    wire.listen()
    page.add_init_script(WATCH)
    page.goto(address, wait_until="load")
    return page, wire


def test_a_first_visit_is_light_and_nothing_holds_it_up(visitors: Visitors) -> None:
    dealt = visitors.deal(MEADOW)
    page, wire = visit(visitors, dealt.address)
    page.wait_for_function("window.seen.interactive && window.seen.largest_paint")
    Table(page).shows(dealt.table.position)
    page.wait_for_load_state("networkidle")

    total = sum(size for _, _, size in wire.files)
    print(f"{total} bytes in {len(wire.files)} answers, ms: {page.evaluate('window.seen')}")
    assert total <= BUDGET_BYTES, sorted((size, url) for url, _, size in wire.files)

    static = [(url, headers) for url, headers, _ in wire.files if "/static/" in url or "/jsi18n/" in url]
    assert static
    for url, headers in static:
        assert "immutable" in headers["cache-control"], url
        assert "max-age=31" in headers["cache-control"], url
    for url, headers, size in wire.files:
        if TEXT.search(headers.get("content-type", "")) and size > 1500:
            assert headers.get("content-encoding") in ("br", "gzip"), (url, size)

    blocking = page.evaluate(
        "performance.getEntriesByType('resource').filter((it) => it.renderBlockingStatus === 'blocking')"
        ".map((it) => it.name)"
    )
    assert not [url for url in blocking if not url.endswith(".css")]
    modules = {url for url, _, _ in wire.files if "/static/" in url and url.endswith(".js")}
    told = page.evaluate(
        "[...document.querySelectorAll('link[rel=modulepreload], script[src]')]"
        ".map((it) => it.href || it.src)"
    )
    assert modules <= set(told)
