"""What programs ask: records and updates as JSON, and the health of the server."""

from __future__ import annotations

import json

import pytest
from django.test import Client
from django.utils import timezone

from game.actions.games import start_deal
from game.engine.commands import GiveUp, parse_command
from game.engine.deals import DealCode
from game.engine.line import Line
from game.models import Game, LogEntry, User
from tests.server.pages import RULES

pytestmark = pytest.mark.django_db

RECORD = {
    "code", "rules", "rules_version", "options", "deal", "deal_code", "player", "ranked", "status", "score",
    "moves", "elapsed_ms", "position", "digest", "log", "line",
}  # fmt: skip
UPDATE = {
    "seq", "ply", "position", "score", "moves", "elapsed_ms", "running", "status", "dests", "actions",
    "command", "effects",
}  # fmt: skip


@pytest.fixture
def game() -> Game:
    """A running game of three commands: two moves and an undo."""
    # Not every deal has two moves.
    game = start_deal(User.objects.create_user("ada"), DealCode(RULES, "S1", "AAAAABD"))
    line = Line(RULES, game.deal)
    for number in range(2):
        source, targets = next(iter(RULES.dests(line.standing.position).items()))
        line.play(parse_command(f"{source}-{targets[0]}"))
        assert len(line.events) == number + 1
    line.play(parse_command("undo"))
    keep(game, line)
    return game


def keep(game: Game, line: Line) -> None:
    for event in line.events[game.seq :]:
        LogEntry.of(event, game_id=game.pk, command_id=f"c{event.seq}", at_ms=1000 * event.seq).save()
    game.stand(line.standing)
    game.first_ms, game.last_ms, game.last_command_at = 1000, 1000 * game.seq, timezone.now()
    game.save()


def test_the_record_of_a_running_game(client: Client, game: Game) -> None:
    """The fields of the contract, no others; of a running game nothing may be kept."""
    response = client.get(f"/api/games/{game.code}")
    assert response.status_code == 200
    assert response["Content-Type"] == "application/json"
    assert "no-cache" in response["Cache-Control"]
    record = json.loads(response.content)
    assert set(record) == RECORD
    assert record["code"] == game.code
    assert record["options"] == {"suits": 1}
    assert (record["player"], record["status"], record["moves"], record["score"]) == (
        "ada",
        "playing",
        1,
        499,
    )
    assert [set(entry) for entry in record["log"]] == [{"seq", "command", "at_ms"}] * 3
    assert [entry["seq"] for entry in record["log"]] == [1, 2, 3]
    assert record["line"] == [record["log"][0]["command"]]
    assert record["deal"] == game.deal_text
    assert len(record["digest"]) == 64


def test_the_record_of_an_ended_game_may_be_kept(client: Client, game: Game) -> None:
    """Its log never changes."""
    line = Line(RULES, game.deal)
    for entry in LogEntry.objects.filter(game=game).order_by("seq"):
        line.play(parse_command(entry.command))
    line.play(GiveUp())
    game.ended_at = timezone.now()
    keep(game, line)
    for path in (f"/api/games/{game.code}", f"/api/games/{game.code}/updates?since=0"):
        response = client.get(path)
        assert "public" in response["Cache-Control"]
        assert "max-age" in response["Cache-Control"]
        assert "Cookie" not in response.get("Vary", "")
    assert json.loads(client.get(f"/api/games/{game.code}").content)["elapsed_ms"] == 3000


def test_updates_a_page_at_a_time(client: Client, game: Game) -> None:
    """All after ``since``, as they were sent; null when there are no more."""
    page = json.loads(client.get(f"/api/games/{game.code}/updates?since=1").content)
    assert set(page) == {"updates", "next"}
    assert page["next"] is None
    assert [update["seq"] for update in page["updates"]] == [2, 3]
    assert set(page["updates"][0]) == UPDATE
    assert page["updates"][1]["command"] == "undo"
    assert json.loads(client.get(f"/api/games/{game.code}/updates").content)["updates"][0]["seq"] == 1
    assert json.loads(client.get(f"/api/games/{game.code}/updates?since=99").content) == {
        "updates": [],
        "next": None,
    }


def test_codes_are_understood_in_any_spelling(client: Client, game: Game) -> None:
    """Without a redirect."""
    spelled = f"{game.code[:4].lower()}-{game.code[4:].lower()}"
    assert client.get(f"/api/games/{spelled}").status_code == 200
    assert client.get(f"/api/games/{spelled}/updates?since=0").status_code == 200


@pytest.mark.parametrize("path", ["/api/games/0000000000", "/api/games/x/updates?since=0", "/api/nothing"])
def test_unknown_is_404_as_json(client: Client, path: str) -> None:
    """Programs get no page."""
    response = client.get(path)
    assert response.status_code == 404
    assert response["Content-Type"] == "application/json"
    assert "error" in json.loads(response.content)


@pytest.mark.parametrize("since", ["-1", "x", "1.0", "", "٣", "1" * 40, " 1"])
def test_a_bad_since_is_400_as_json(client: Client, game: Game, since: str) -> None:
    """A seq is a whole number in plain figures."""
    response = client.get(f"/api/games/{game.code}/updates", {"since": since})
    assert response.status_code == 400
    assert "error" in json.loads(response.content)


def test_records_take_no_post_and_have_no_language(client: Client, game: Game) -> None:
    """Read only, and never under a prefix."""
    assert client.post(f"/api/games/{game.code}").status_code == 405
    assert client.get(f"/tr/api/games/{game.code}").status_code == 404


def test_the_page_of_a_game_can_be_read_without_a_script(client: Client, game: Game) -> None:
    """Player, status, score, the position as text and the moves of the line."""
    text = client.get(f"/g/{game.code}/").content.decode()
    plain = text[text.index('class="page plain-game"') :]
    first = LogEntry.objects.get(game=game, seq=1).command
    for shown in ("<bdi>ada</bdi>", "playing", "score 499", "1 move", f"<li>{first}</li>"):
        assert shown in plain
    for pile in game.position_text.split("/"):
        assert f"<li>{pile}</li>" in plain
