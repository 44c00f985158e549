"""Somebody who reads every byte that leaves the server about one game, and knows what none may tell.

What may be told of a running game whose rules hide cards is decided here from the game's row alone, by
other means than the server's own masking.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from hashlib import md5, sha1, sha256
from itertools import chain
from typing import Any, Final

from game.engine.line import digest
from game.models import Game
from tests.server.watching import states_of

OPEN: Final = re.compile(r"(?<![0-9A-Za-z])(?:10|[A2-9TJQK])[SHDC](?![0-9A-Za-z])")
"""A card by its letters, however it is wrapped: ``KH``, ``#full-KH``, ``"10H"``."""
SIGNS: Final = re.compile(r"(10|[A2-9TJQK])\s?[\ufe0e\ufe0f]?([♠♥♦♣♤♡♢♧])")
FACE_DOWN: Final = re.compile(r"(?<![0-9A-Za-z])[a2-9tjqk][shdc](?![0-9A-Za-z])")
"""A face-down card by its name, as the log writes it."""
NAMES: Final = re.compile(
    r"\b(ace|two|three|four|five|six|seven|eight|nine|ten|jack|queen|king)s? "
    r"of (spades|hearts|diamonds|clubs)",
    re.IGNORECASE,
)
PATHS: Final = re.compile(r' d="[-\dMHVLhvlz. ]+"')
"""What drawings are made of; its letters are lines."""
NO_CARDS: Final = {"as", "td", "th", "js"}
"""Words of pages, and no face-down cards: a word of English, two elements, a folder."""


def face_up(position: str) -> set[str]:
    """The cards that lie face up in a position text, masked or not."""
    return {card for pile in position.split("/") for card in pile.split(" ")[1:] if card == card.upper()} - {
        "##"
    }


def masked(position: str) -> str:
    """What may be told of an unmasked position."""
    return re.sub(r"(?<= )[a2-9tjqk][shdc]\b", "##", position)


class Eavesdropper:
    """Searches what is told of a game; each search looks at the game's row as it stands then.

    ``shown`` are the cards that lay face up at the start: they may be told at any time. ``told`` counts
    the characters searched.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.shown = face_up(game.deal_text)
        self.secrets: set[str] = set()
        self.told = 0
        self.look(game)

    def look(self, game: Game) -> None:
        """Takes note of how the game stands now, and of everything that this makes a secret."""
        self.game = game
        self.is_over = game.ended_at is not None
        texts = [game.deal_text, game.position_text, game.deal_code or ""]
        self.secrets |= {digest(game.rules, game.standing)}
        for text in filter(None, texts):
            whole = text.encode()
            self.secrets |= {made(whole).hexdigest() for made in (sha256, sha1, md5)}
            self.secrets |= {base64.b64encode(whole[:30]).decode()[:32], whole.hex()[:40]}
        if game.deal_code:
            letters = game.deal_code.rpartition("-")[2]
            # Eight letters in a row of twenty are no accident.
            self.secrets |= {letters[at : at + 8] for at in range(max(len(letters) - 7, 1))}

    def overhear(self, where: str, text: str) -> None:
        """Searches any text: a page, headers, a log."""
        self.told += len(text)
        plain = text.casefold()
        found = [secret for secret in self.secrets if secret.casefold() in plain]
        assert not found, f"{where} tells {found}"
        may_be_told = self.shown | face_up(self.game.position_text)
        named = {name.replace("10", "T") for name in OPEN.findall(text)}
        assert named <= may_be_told, f"{where} names {sorted(named - may_be_told)}"
        assert not SIGNS.findall(text), f"{where} names {SIGNS.findall(text)}"
        assert not NAMES.findall(text), f"{where} names {NAMES.findall(text)}"
        down = set(FACE_DOWN.findall(PATHS.sub("", text))) - NO_CARDS
        assert not down, f"{where} names {sorted(down)}"

    def read_page(self, where: str, text: str) -> None:
        """Searches a page; what its script begins with is searched as frames are."""
        self.overhear(where, text)
        boot = re.search(r'<script id="boot" type="application/json">(.*?)</script>', text, re.DOTALL)
        if boot is None:
            return
        begin = json.loads(boot[1])
        assert begin["deal_code"] is None
        self.read_frame(f"{where}, boot", json.dumps(begin["welcome"]))
        assert begin["start"]["position"] == masked(self.game.deal_text)
        self._only_open(where, json.dumps(begin), self.shown | face_up(self.game.position_text))

    def read_frame(self, where: str, text: str) -> None:
        """Searches a frame: at each state it tells of, it names what lies face up there and nothing else."""
        frame: dict[str, Any] = json.loads(text)
        states = states_of(frame)
        up = dict(map(self._in_state, states))
        self.told += len(text)
        for state in states:
            self._only_open(f"{where} at {state['seq']}", json.dumps(state), up[state["seq"]])
        rest = {key: value for key, value in frame.items() if key not in ("snapshot", "updates")}
        if frame["type"] in ("update", "snapshot"):
            rest = {}
        if frame["type"] == "welcome":
            assert frame["game"]["deal_code"] is None, where
        sentence = rest.pop("text", "")
        self._only_open(where, json.dumps(rest), set())
        assert not OPEN.findall(sentence), f"{where}: {sentence}"
        plain = text.casefold()
        assert not [secret for secret in self.secrets if secret.casefold() in plain], where

    def read_answer(self, where: str, text: str) -> None:
        """Searches what programs get: a record, or a page of updates."""
        answer: dict[str, Any] = json.loads(text)
        self.told += len(text)
        if "updates" in answer:
            for update in answer["updates"]:
                self.read_frame(where, json.dumps({**update, "type": "update"}))
            return
        if "error" not in answer:
            hidden = {name: answer[name] for name in ("deal", "deal_code", "digest")}
            assert hidden == dict.fromkeys(hidden), where
            assert answer["position"] == masked(self.game.position_text), where
        self._only_open(where, text, face_up(self.game.position_text))
        self.overhear(where, text)

    def _in_state(self, state: dict[str, Any]) -> tuple[int, set[str]]:
        if state["seq"] == self.game.seq:
            # The newest position is known to the last card.
            assert state["position"] == masked(self.game.position_text)
        return state["seq"], face_up(state["position"])

    def _only_open(self, where: str, text: str, up: set[str]) -> None:
        named = set(OPEN.findall(text))
        assert named <= up, f"{where} names {sorted(named - up)}, which lie face down"
        assert not FACE_DOWN.findall(text), f"{where} names {FACE_DOWN.findall(text)}"


def hidden_cards(position: str) -> set[str]:
    """The cards that lie face down in an unmasked position, by the names that they have face up."""
    return set(map(str.upper, chain.from_iterable(map(_down, position.split("/")))))


def _down(pile: str) -> Iterator[str]:
    return (card for card in pile.split(" ")[1:] if card != card.upper())
