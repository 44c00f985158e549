"""Whole games with hidden cards, played through real sockets while everything that is told is searched.

B48: nobody, player or watcher, is told a card that lies face down, the deal's code or anything made of
either, as long as the game runs.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final

import pytest
from django.test import Client as Browser

from game.actions.games import drawn_code, start_new
from game.engine.commands import parse_command
from game.engine.games import rules_of
from game.engine.line import Line, Standing
from game.models import Game
from game.pictures import picture_of
from tests.engine.cases import games_of, load
from tests.server.conftest import Person, away
from tests.server.eavesdropping import Eavesdropper, face_up, hidden_cards, masked
from tests.server.watching import Client, moves_in

RULES: Final = rules_of("klondike")
WON: Final = load(RULES.slug, "won")
EVERY: Final = 30
"""Commands between two looks at all the pages."""
ATTACKS: Final = (
    "s-t1",
    "s-f1",
    "s-w",
    "send s",
    "sx24-w",
    "w-s",
    "wx2-t3",
    "t1-s",
    "c1-t1",
    "t9-t1",
    "peek",
)
"""Commands that no position allows, about cards that lie face down or might."""


@pytest.fixture(autouse=True)
def _at_any_pace(settings: Any) -> None:
    settings.RATE_LIMIT = False


class Table:
    """A game, its player, a watcher, and somebody who reads all that either of them is told."""

    def __init__(self, game: Game, player: Client, watcher: Client, ada: Person) -> None:
        self.game, self.player, self.watcher, self.ada = game, player, watcher, ada
        self.spy = Eavesdropper(game)
        self.heard = {player: 0, watcher: 0}
        self.names: set[str] = set()

    async def play(self, command: str) -> dict[str, Any]:
        """Plays a command, accepted or not, and has everything searched that either side was told."""
        answer = await self.player.ask(command)
        if answer["type"] == "accepted":
            for side in (self.player, self.watcher):
                await side.until(lambda frame: frame["type"] == "update" and frame["seq"] == answer["seq"])
            self.look()
        self.listen()
        return answer

    def look(self) -> None:
        self.game = away(lambda: Game.objects.select_related("player").get(pk=self.game.pk))
        self.spy.look(self.game)

    def listen(self) -> None:
        if self.spy.is_over:
            return
        for side, heard in self.heard.items():
            for text in side.texts[heard:]:
                self.spy.read_frame(side.of("welcome")[0]["role"], text)
            self.heard[side] = len(side.texts)

    async def join_late(self) -> None:
        """Somebody comes back who has seen some of it, and somebody asks for all that was missed."""
        epoch = self.player.of("welcome")[0]["epoch"]
        for since in {max(self.game.seq - 30, 0), self.game.seq}:
            async with Client(self.game.code, since=since, epoch=epoch) as late:
                await late.next("welcome")
                late.send({"type": "sync", "since": max(self.game.seq - 20, 0)})
                await late.next("update", "snapshot")
                late.play("draw")
                await late.next("refused")
                for text in late.texts:
                    self.spy.read_frame(f"late from {since}", text)

    def read_everything(self) -> None:
        """Looks at every page and answer in which the game could show, as its player and as nobody."""
        # The picture that links are shown with is made of a drawing, which can be searched where it cannot.
        self.spy.overhear("picture", str(picture_of(RULES, self.game.standing.position, "Ada")))
        for name, cookies in (("player", self.ada.cookies), ("nobody", {})):
            browser = Browser()
            browser.cookies.load(cookies)
            for path in self.addresses:
                response = browser.get(path)
                text = response.content.decode()
                where = f"{path} for {name}"
                self.spy.overhear(where, "\n".join(f"{key}: {value}" for key, value in response.items()))
                if path.startswith("/api/"):
                    self.spy.read_answer(where, text)
                else:
                    self.spy.read_page(where, text)
                    self.names |= {path} if self.game.code in text else set()

    @property
    def addresses(self) -> list[str]:
        code, name = self.game.code, self.ada.user.username
        seqs = {0, self.game.seq // 2, max(self.game.seq - 1, 0), self.game.seq}
        # Without a running game the first page shows an example, which has cards of its own.
        first = ["/"] if self.game.seq else []
        return [
            *first, f"/g/{code}/", "/live/", "/history/", "/history/?result=playing", f"/@{name}/", "/games/",
            "/games/?game=klondike", "/boards/?rules=klondike", f"/find/?code={code}", "/find/?code=KL1-D1-X",
            f"/g/{code[:-1]}/", "/d/KL1-D1-AAAAAA/", f"/api/games/{code}", f"/api/games/{code}/updates",
            f"/api/games/{code}/verdict",
            f"/api/games/{code}/updates?since=x", *(f"/api/games/{code}/updates?since={seq}" for seq in seqs),
        ]  # fmt: skip


def begun(ada: Person, deal: str) -> Game:
    """A game that may count, on a recorded deal, under a code that nobody knows."""
    game = start_new(ada.user, RULES, "D1")
    game.deal_text = game.position_text = deal
    game.deal_code = str(drawn_code(RULES, "D1"))
    game.save()
    return game


@pytest.mark.parametrize("number", range(3))
async def test_a_won_game_tells_nothing_before_its_end_and_everything_after(
    number: int, person: Callable[..., Person], caplog: pytest.LogCaptureFixture
) -> None:
    """With undone moves, collecting taken back, refusals and late comers on the way."""
    case, ada = WON[number * 7], person("Ada")
    commands = [text for text, _at, _ply in case.played()]
    game = away(begun, ada, case.deal.text)
    hidden_again = 0
    async with Client(game.code, cookies=ada.cookies) as player, Client(game.code) as watcher:
        await player.next("welcome")
        await watcher.next("welcome")
        table = Table(game, player, watcher, ada)
        for place, command in enumerate(commands):
            if place % EVERY == 0:
                away(table.read_everything)
                await table.join_late()
                attacks = [*ATTACKS, *asking_for_hidden(table.game.position_text)]
                # A different third of them each time.
                for attack in attacks[place // EVERY % 3 :: 3]:
                    assert (await table.play(attack))["type"] == "refused"
            down = hidden_cards(table.game.position_text)
            answer = await table.play(command)
            if answer["type"] == "accepted" and not table.spy.is_over and place % 3 == 0:
                turned = down - hidden_cards(table.game.position_text)
                await table.play("undo")
                assert hidden_cards(table.game.position_text) == down
                # Whatever had turned up is face down again for all who are told of it.
                for side in (player, watcher):
                    assert not turned & face_up(side.frames[-1]["position"])
                    assert side.frames[-1]["position"] == masked(table.game.position_text)
                    assert not turned & set(json.dumps(side.frames[-1]).replace('"', " ").split())
                if turned:
                    hidden_again += 1
                    if hidden_again % 6 == 1:
                        away(table.read_everything)
                await table.play(command)
                if "collect" in player.state["actions"] and place % 2:
                    await table.play("collect")
                    if not table.spy.is_over:
                        await table.play("undo")
            if table.spy.is_over:
                break
        assert table.game.status == "won"
        assert {f"/g/{game.code}/", "/live/", "/", "/history/", "/@Ada/"} <= table.names
    assert hidden_again > 5
    assert table.spy.told > 200_000
    table.spy.overhear("the log", caplog.text)
    record, page = away(told_after, table.game)
    assert (record["deal"], record["deal_code"]) == (case.deal.text, table.game.deal_code)
    assert (record["position"], len(record["digest"])) == (table.game.position_text, 64)
    assert f'id="deal">{table.game.deal_code}<' in page


@pytest.mark.parametrize("number", range(3))
async def test_a_dealt_game_walked_and_given_up_tells_nothing_before(
    number: int, person: Callable[..., Person]
) -> None:
    """From a code of the server's own; the walk takes what the position offers, and an undo now and then."""
    ada = person("Ada")
    game = away(start_new, ada.user, RULES, "D1")
    letters = str(game.deal_code).rpartition("-")[2]
    assert len(letters) == 20
    assert game.ranked
    async with Client(game.code, cookies=ada.cookies) as player, Client(game.code, lang="tr") as watcher:
        await player.next("welcome")
        await watcher.next("welcome")
        table = Table(game, player, watcher, ada)
        for place in range(50):
            moves = [*walk_on(player.state, place)]
            answer = await table.play(moves[(place * 7 + number) % len(moves)])
            assert answer["type"] == "accepted"
            if place % 20 == 10:
                away(table.read_everything)
                await table.join_late()
        assert (await player.ask("give_up"))["type"] == "accepted"
        await watcher.until(lambda frame: frame.get("command") == "give_up")
    table.look()
    record, page = away(told_after, table.game)
    assert record["deal_code"] == game.deal_code
    assert str(game.deal_code) in page
    # Frames mask for good; the record and the page of the deal tell all 52.
    assert watcher.state["position"] == masked(table.game.position_text)
    shown = away(told_of_the_deal, game)
    assert all(card in shown for card in hidden_cards(game.deal_text))


def asking_for_hidden(position: str) -> list[str]:
    """Every way to name a column's face-down card: in a group, to each pile, and by double click."""
    asked = []
    for pile in position.split("/"):
        name, *cards = pile.split(" ")
        down = sum(card != card.upper() for card in cards)
        if name[0] == "t" and down:
            count = len(cards) - down + 1
            targets = [f"t{column}" for column in range(1, 8)] + ["f1", "f2", "f3", "f4"]
            asked += [f"send {name}x{count}", *(f"{name}x{count}-{target}" for target in targets)]
    return asked


def walk_on(state: dict[str, Any], place: int) -> list[str]:
    """What may be done here: every move there is, the draw, and now and then an undo or collecting."""
    moves = ["draw" if move.startswith("s-") else move for move in moves_in(state)]
    extra = [action for action in state["actions"] if action != "give_up"]
    return extra if extra and place % 5 == 4 else moves or extra


def told_after(game: Game) -> tuple[dict[str, Any], str]:
    """The record and the page of a game."""
    browser = Browser()
    record = json.loads(browser.get(f"/api/games/{game.code}").content)
    return record, browser.get(f"/g/{game.code}/").content.decode()


def told_of_the_deal(game: Game) -> str:
    """The page of a deal."""
    return Browser().get(f"/d/{game.deal_code}/").content.decode()


def test_the_cases_have_what_the_search_is_about() -> None:
    """Won games with collecting and undone turns, so that the tests above cannot pass on tame games."""
    line = Line(RULES, WON[0].deal)
    assert line.standing == Standing(WON[0].deal)
    assert len(hidden_cards(line.deal.text)) == 45
    line.play(parse_command("draw"))
    assert len(hidden_cards(line.standing.position.text)) == 44
    assert len(games_of(RULES.slug)) > 20
