"""A table as somebody sits at it: reads where the cards lie from what is drawn, and moves them by hand."""

from __future__ import annotations

import json
import re
import time
from typing import Any, Final, Self

from playwright.sync_api import Locator, Page, Request, WebSocket, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

from game.engine.commands import Move, parse_command
from tests.services import wait_until

SOON_MS: Final = 20_000

# What is drawn, as a position text. A column is read in the order in which its cards lie on the screen,
# and a face that disagrees with the name it is read out by is told.
_READ: Final = """() => [...document.querySelectorAll("#table .pile")].map((pile) => {
  const cards = [...pile.querySelectorAll(".card")];
  if (pile.classList.contains("column")) {
    const top = new Map(cards.map((card) => [card, card.offsetTop]));
    cards.sort((a, b) => top.get(a) - top.get(b));
  }
  return [pile.dataset.pile, ...cards.map((card) => {
    const face = card.querySelector("svg").dataset.face;
    const suit = { S: "spades", H: "hearts", D: "diamonds", C: "clubs" }[face.at(-1)];
    const named = document.documentElement.lang !== "en"
      || card.getAttribute("aria-label").endsWith(face === "back" ? "face-down card" : suit);
    return (face === "back" ? "##" : face.split("-")[1]) + (named ? "" : "(misnamed)");
  })].join(" ");
}).join("/")"""

# Where a card can be touched: the part of it that no other covers, where it belongs and not where it is in
# its flight; count 0 is the pile's own place.
_SPOT: Final = """([pile, count]) => {
  const group = document.querySelector(`#table .pile[data-pile="${pile}"]`);
  // By what they are: their order in the document follows a frame later.
  const at = (count) => document.querySelector(`#table .card[data-pile="${pile}"][data-count="${count}"]`);
  const card = count === 0 ? group.querySelector(".slot") : at(count);
  const table = document.getElementById("table").getBoundingClientRect();
  const next = count > 1 ? at(count - 1).offsetTop - card.offsetTop : card.offsetHeight;
  return {
    x: table.left + card.offsetLeft + card.offsetWidth / 2,
    y: table.top + card.offsetTop + Math.min(card.offsetHeight, Math.max(next, 2)) / 2,
  };
}"""


class Table:
    """The table of a page. Piles are named as on the wire, runs by how many cards they hold."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.sockets: list[WebSocket] = []
        self.sent: list[dict[str, Any]] = []
        page.on("websocket", self._connected)
        page.on("request", self._left)

    def _left(self, request: Request) -> None:
        # The sockets of a page that one leaves are closed without a word.
        if request.is_navigation_request():
            self.sockets.clear()

    def _connected(self, socket: WebSocket) -> None:
        self.sockets.append(socket)
        socket.on("framesent", self._sent)

    def _sent(self, frame: str | bytes) -> None:
        message = json.loads(frame)
        if message["type"] == "play":
            self.sent.append(message)

    @property
    def commands(self) -> list[str]:
        """The commands that the page has sent so far."""
        # What was sent before the question must have been told, whatever is still under way.
        self.page.evaluate("() => new Promise((done) => setTimeout(done, 30))")
        return [message["command"] for message in self.sent]

    @property
    def open_sockets(self) -> int:
        return sum(not socket.is_closed() for socket in self.sockets)

    def agree(self, moves: int) -> str:
        """Waits until the server has counted so many moves and the table shows its position; returns that."""
        code = self.page.url.split("/g/")[1][:10]
        record: Any = {}

        def has_moved() -> bool:
            record.update(self.page.request.get(f"/api/games/{code}").json())
            return bool(record["moves"] == moves)

        wait_until(has_moved, f"{moves} moves", SOON_MS / 1000)
        self.shows(record["position"])
        return str(record["position"])

    def open(self, address: str) -> Self:
        """Goes to a table and waits until its script has drawn it."""
        self.page.goto(address)
        return self.ready()

    def ready(self) -> Self:
        expect(self.page.locator("#place[data-ready]")).to_be_attached()
        return self

    # What is seen

    @property
    def position(self) -> str:
        return str(self.page.evaluate(_READ))

    def shows(self, position: str, ms: float = SOON_MS) -> None:
        """Waits until the cards lie so."""
        try:
            self.page.wait_for_function(f"(wanted) => ({_READ})() === wanted", arg=position, timeout=ms)
        except PlaywrightTimeoutError:
            assert self.position == position

    def come_to_rest(self) -> None:
        """Waits until no card is in flight."""
        self.page.wait_for_function(
            "() => document.getAnimations().every((it) => !it.effect?.target?.closest('#table'))"
        )

    def cards(self, pile: str) -> list[str]:
        """The cards of a pile from the table up."""
        return {name: cards for name, *cards in map(str.split, self.position.split("/"))}[pile]

    def pile(self, name: str) -> Locator:
        return self.page.locator(f'#table .pile[data-pile="{name}"]')

    def card(self, pile: str, count: int = 1) -> Locator:
        """The card with which the last ``count`` of a pile begin."""
        return self.page.locator(f'#table .card[data-pile="{pile}"][data-count="{count}"]')

    def box(self, pile: str, count: int = 1) -> dict[str, float]:
        """The rectangle of a card on the screen."""
        box: Any = self.card(pile, count).bounding_box()
        return dict(box)

    def spot(self, pile: str, count: int = 1) -> tuple[float, float]:
        """A point of a card that no other covers; count 0 is the pile's own place."""
        at = self.page.evaluate(_SPOT, [pile, count])
        return at["x"], at["y"]

    def end_of(self, pile: str) -> tuple[float, float]:
        """A point of the last card of a pile, or of its empty place."""
        return self.spot(pile, min(1, len(self.cards(pile))))

    @property
    def score(self) -> Locator:
        return self.page.locator("#standing .in-score dd")

    @property
    def moves(self) -> Locator:
        return self.page.locator("#standing .in-moves dd")

    @property
    def seconds(self) -> int:
        """The time on the game's clock."""
        text = self.page.locator("#standing .in-time dd").inner_text()
        return sum(int(part) * 60**power for power, part in enumerate(reversed(text.split(":"))))

    @property
    def notice(self) -> Locator:
        """The line about the connection."""
        return self.page.locator("#notice")

    @property
    def slip(self) -> Locator:
        """The slip on which a refusal is explained."""
        return self.page.locator("#slip .sentence")

    @property
    def spoken(self) -> Locator:
        """The live region."""
        return self.page.locator("#live")

    # What is done

    def drag(self, pile: str, count: int, to: str, *, drop: bool = True) -> None:
        """Carries cards to a pile with the mouse."""
        mouse = self.page.mouse
        (x, y), (to_x, to_y) = self.spot(pile, count), self.end_of(to)
        mouse.move(x, y)
        mouse.down()
        mouse.move((x + to_x) / 2, (y + to_y) / 2)
        mouse.move(to_x, to_y)
        if drop:
            mouse.up()

    def click(self, pile: str, count: int = 1) -> None:
        """Clicks the card with which the last ``count`` of a pile begin."""
        self.page.mouse.click(*self.spot(pile, count))

    def click_end(self, pile: str) -> None:
        """Clicks the last card of a pile, or its empty place."""
        self.page.mouse.click(*self.end_of(pile))

    def double_click(self, pile: str, count: int = 1) -> None:
        self.burst(*self.spot(pile, count), clicks=2)

    def burst(self, x: float, y: float, clicks: int, apart_ms: int = 60) -> None:
        """Quick clicks on one spot, so far apart by the hand's clock however busy the machine is."""
        session, start = self.page.context.new_cdp_session(self.page), time.time()
        button = {"x": x, "y": y, "button": "left"}
        for number in range(clicks):
            at = start + number * apart_ms / 1000
            time.sleep(max(0.0, at - time.time()))
            for kind in ("mousePressed", "mouseReleased"):
                click = {**button, "type": kind, "clickCount": number + 1, "timestamp": at}
                session.send("Input.dispatchMouseEvent", click)
        session.detach()

    def click_act(self, name: str) -> None:
        """Presses the button of an act, by its name in the page."""
        self.page.locator(f'#acts [data-act="{name}"]').click()

    def deed(self, name: str) -> None:
        """Opens the sheet of the rest and presses a deed in it."""
        self.click_act("more")
        self.page.locator(f'#more-dialog [data-act="{name}"]').click()

    def play(self, command: str, way: str = "drag") -> None:
        """Does what a command says: "drag", "click", then click, or "double" click."""
        match parse_command(command):
            case Move(source=pile, count=count, target=to) if way == "drag":
                self.drag(pile, count, to)
            case Move(source=pile, count=count, target=to) if way == "click":
                self.click(pile, count)
                self.click_end(to)
            case Move(source=pile, count=count):
                self.double_click(pile, count)
            case other if str(other) == "draw":
                self.page.mouse.click(*self.end_of("s"))
            case other:
                self.click_act(str(other))


def words_of(locator: Locator) -> str:
    """The text of an element on one line."""
    return re.sub(r"\s+", " ", locator.inner_text()).strip()
