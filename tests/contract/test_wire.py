"""The wire: golden samples both ways, what is refused from clients, and what never leaves the server."""

from __future__ import annotations

import json
import typing

import msgspec
import pytest

from game import wire
from game.engine.games import GAMES
from game.engine.line import Line, Status, retrace
from game.engine.position import HIDDEN
from game.engine.referee import RecordError, differences, replay
from game.engine.rules import SENTENCES, Rules
from tests.contract.samples import CLIENT, FOLDER, PROGRAMS, SERVER, file_of, played
from tests.engine.cases import games_of
from tests.engine.tables import SIMPLE_SIMON, TO_TWO, done, play_all, run, simon

server_decoder = msgspec.json.Decoder(wire.ServerMessage)


@pytest.mark.parametrize("name", SERVER)
def test_a_message_to_clients_encodes_to_its_sample(name: str) -> None:
    message = SERVER[name]()
    text = file_of(name).read_text().rstrip("\n")
    assert wire.encode(message) == text
    assert server_decoder.decode(text) == message


@pytest.mark.parametrize("name", PROGRAMS)
def test_an_answer_for_programs_encodes_to_its_sample(name: str) -> None:
    assert wire.encode(PROGRAMS[name]()) == file_of(name).read_text().rstrip("\n")


def test_the_referee_agrees_with_the_sample_records() -> None:
    verdicts = {
        name: list(differences(replay(json.loads(file_of(name).read_text()))))
        for name in ("record", "record-klondike-ended")
    }
    assert verdicts == {"record": [], "record-klondike-ended": []}
    with pytest.raises(RecordError, match="hidden"):
        replay(json.loads(file_of("record-klondike-hidden").read_text()))


@pytest.mark.parametrize("name", CLIENT)
def test_a_message_from_clients_reads_from_its_sample(name: str) -> None:
    text = file_of(name).read_text().rstrip("\n")
    assert wire.decode_client(text) == wire.decode_client(text.encode()) == CLIENT[name]
    assert wire.encode(CLIENT[name]) == text


def test_there_is_a_sample_of_every_message_and_no_other() -> None:
    sampled = {type(message) for message in CLIENT.values()} | {type(make()) for make in SERVER.values()}
    assert sampled == {*typing.get_args(wire.ClientMessage), *typing.get_args(wire.ServerMessage)}
    assert {path.stem for path in FOLDER.iterdir()} == {*CLIENT, *SERVER, *PROGRAMS}


@pytest.mark.parametrize("name", [*CLIENT, *SERVER])
def test_type_comes_first_and_keys_are_whole_words(name: str) -> None:
    keys = list(json.loads(file_of(name).read_text()))
    assert keys[0] == "type"
    assert all(key.replace("_", "").isalpha() for key in keys)


PLAY = {"type": "play", "id": "a", "seq": 3, "command": "draw"}


@pytest.mark.parametrize(
    ("frame", "id"),
    [
        ("", None),
        ("nonsense", None),
        ("{", None),
        ("null", None),
        ("7", None),
        ('"play"', None),
        ("[]", None),
        ('[{"type":"sync","since":0}]', None),
        ("{}", None),
        ('{"type":"sync","since":0}{}', None),
        ('{"type":"jump"}', None),
        ('{"type":"jump","id":"a"}', "a"),
        ('{"type":7,"id":"a"}', "a"),
        ('{"type":"welcome","id":"a"}', "a"),
        ('{"type":"Play","id":"a","seq":3,"command":"draw"}', "a"),
        ('{"id":"a","seq":3,"command":"draw"}', "a"),
        ('{"type":"sync"}', None),
        ('{"type":"sync","since":-1}', None),
        ('{"type":"sync","since":1.5}', None),
        ('{"type":"sync","since":1.0}', None),
        ('{"type":"sync","since":1e2}', None),
        ('{"type":"sync","since":true}', None),
        ('{"type":"sync","since":"1"}', None),
        ('{"type":"sync","since":null}', None),
        ('{"type":"sync","since":9007199254740992}', None),
        ('{"type":"sync","since":1e400}', None),
        ('{"type":"sync","since":0,"more":1}', None),
        (json.dumps({**PLAY, "more": 1}), "a"),
        (json.dumps({**PLAY, "seq": True}), "a"),
        (json.dumps({**PLAY, "seq": 3.0}), "a"),
        (json.dumps({**PLAY, "seq": "3"}), "a"),
        (json.dumps({**PLAY, "seq": None}), "a"),
        (json.dumps({**PLAY, "command": 7}), "a"),
        (json.dumps({**PLAY, "command": ["draw"]}), "a"),
        (json.dumps({**PLAY, "command": None}), "a"),
        (json.dumps({key: PLAY[key] for key in ("type", "id", "seq")}), "a"),
        (json.dumps({key: PLAY[key] for key in ("type", "seq", "command")}), None),
        (json.dumps({**PLAY, "id": ""}), None),
        (json.dumps({**PLAY, "id": "x" * 65}), None),
        (json.dumps({**PLAY, "id": "a b"}), None),
        (json.dumps({**PLAY, "id": "a\n"}), None),
        (json.dumps({**PLAY, "id": "ä"}, ensure_ascii=False), None),
        (json.dumps({**PLAY, "id": 7}), None),
        (json.dumps({**PLAY, "id": None}), None),
        (json.dumps({**PLAY, "id": {"id": "a"}}), None),
        ("[" * 4000, None),
        ('{"a":' * 700, None),
        ('{"type":"play","id":"a","seq":3,"command":"\\ud800"}', None),
        ("\ufeff" + json.dumps(PLAY), None),
        ("{'type':'sync','since':0}", None),
        ('{"type":"sync","since":NaN}', None),
    ],
)
def test_a_bad_frame_is_malformed_and_its_id_is_told_if_readable(frame: str, id: str | None) -> None:
    with pytest.raises(wire.MalformedMessageError) as caught:
        wire.decode_client(frame)
    assert caught.value.id == id


@pytest.mark.parametrize("frame", [b"\xff\xfe", b'{"type":"sync","since":0\xff}', b"\x00", "\ud800"])
def test_bytes_and_texts_that_are_no_utf_8_are_malformed(frame: str | bytes) -> None:
    with pytest.raises(wire.MalformedMessageError):
        wire.decode_client(frame)


def test_a_bad_command_text_is_a_good_message() -> None:
    """The envelope is fine: what the text is worth is for the command grammar to say."""
    message = wire.decode_client(json.dumps({**PLAY, "command": "do it"}))
    assert isinstance(message, wire.Play)
    assert message.command == "do it"


def test_a_client_passes_over_keys_it_does_not_know() -> None:
    beat = server_decoder.decode('{"type":"beat","seq":1,"epoch":1,"time":2,"weather":"fine"}')
    assert beat == wire.Beat(1, 1, 2)


def test_a_position_is_masked_in_every_message() -> None:
    line = Line(SIMPLE_SIMON, simon(t1="kh qd 5S", t2="6D"))
    play_all(line, ["t1-t2"])
    state = wire.state_of(line.rules, line.standing, elapsed_ms=0, running=True)
    change = wire.change_of(state, line.events[-1].command, line.events[-1].effects)
    for text in map(wire.encode, (wire.snapshot(state), wire.update(change))):
        assert '"t1 ## ##/t2 6D 5S/' in text
        assert "kh" not in text.lower()
        assert "qd" not in text.lower()


@pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.slug)
def test_no_message_of_a_whole_game_names_a_hidden_card(rules: Rules) -> None:
    """Nor does an effect: a card that an undo turned down is told as hidden."""
    for case in games_of(rules.slug)[::10]:
        line = Line(rules, case.deal)
        play_all(line, [text for text, _, ply in case.played() if "refused" not in ply])
        for event, standing in retrace(rules, case.deal, line.events):
            state = wire.state_of(rules, standing, elapsed_ms=0, running=True)
            change = wire.change_of(state, event.command, event.effects)
            assert change.position == standing.position.masked
            assert change.position.count(HIDDEN) == sum(
                not card.face_up for _, cards in standing.position.items() for card in cards
            )
            turned = {str(row[2]) for row in change.effects if row[0] == "turn"}
            assert turned <= {HIDDEN, *(card.text for card in rules.pack(case.options))}


def test_no_destinations_and_no_actions_after_the_end() -> None:
    three = {f"f{i + 1}": run(suit, "KQJT98765432A") for i, suit in enumerate("HDC")}
    standing = done(SIMPLE_SIMON, simon(t1=TO_TWO, t2="AS", **three), "t2-t1")
    state = wire.state_of(SIMPLE_SIMON, standing, elapsed_ms=5, running=False)
    assert (state.status, state.dests, state.actions) == (Status.WON, {}, [])


def test_destinations_are_written_as_in_commands() -> None:
    line = played("SS1-S4-AAAAABD")
    state = json.loads(wire.encode(wire.state_of(line.rules, line.standing, elapsed_ms=0, running=False)))
    for source, targets in state["dests"].items():
        for target in targets:
            done(line.rules, line.standing.position, f"{source}-{target}")


def test_the_refusal_codes_of_the_contract() -> None:
    """The list is closed: a code that goes or comes is a change of the contract."""
    assert set(SENTENCES) == {
        "malformed",
        "bad_count",
        "no_such_pile",
        "empty_pile",
        "same_pile",
        "cannot_leave",
        "foundation_keeps",
        "one_card_only",
        "face_down",
        "not_a_run",
        "mixed_suits",
        "nothing_on_an_ace",
        "king_needs_empty_column",
        "wrong_rank",
        "wrong_colour",
        "only_a_king",
        "wrong_foundation",
        "no_place",
        "nothing_to_undo",
        "nothing_to_draw",
        "nothing_to_collect",
        "stale",
        "not_yours",
        "game_over",
        "too_fast",
        "unavailable",
    }
