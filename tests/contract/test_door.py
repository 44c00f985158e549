"""The door of the sockets: origins, addresses, frames and rates, without a server."""

from __future__ import annotations

from typing import Any

import pytest

from game import door, wire


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("http://Example.ORG", "http://example.org"),
        ("HTTP://example.org:80", "http://example.org"),
        ("https://example.org:443", "https://example.org"),
        ("https://example.org:80", "https://example.org:80"),
        ("http://[::1]:8000", "http://[::1]:8000"),
        ("http://example.org/", None),
        ("http://x@example.org", None),
        ("http://x:y@example.org", None),
        ("http://example.org:", None),
        ("example.org", None),
        ("null", None),
        ("", None),
        ("ws://example.org", None),
        ("http://example.org\n", None),
        ("http://example.org http://example.org", None),
        ("http://example.org?x", None),
    ],
)
def test_origins_are_compared_whole_after_lower_casing_and_dropping_a_default_port(
    text: str, normal: str | None
) -> None:
    assert door.normal_origin(text) == normal


@pytest.mark.parametrize(
    ("query", "read"),
    [
        (b"v=1", door.Query(None, None, "en", "")),
        (b"v=1&since=0&epoch=3&lang=pl&ticket=t", door.Query(0, 3, "pl", "t")),
        (b"v=1&epoch=3&lang=xx&other=1", door.Query(None, 3, "en", "")),
        (b"v=1&lang=", door.Query(None, None, "en", "")),
    ],
)
def test_the_query_is_read(query: bytes, read: door.Query) -> None:
    assert door.read_query(query) == read


@pytest.mark.parametrize(
    "query", [b"", b"v=2", b"v=1&since=3", b"v=1&since=x&epoch=1", b"v=1&epoch=-1", b"v=1\xff"]
)
def test_a_bad_query_is_an_error(query: bytes) -> None:
    with pytest.raises(door.BadQueryError):
        door.read_query(query)


GOOD = '{"type":"play","id":"x","seq":0,"command":"undo"}'


@pytest.mark.parametrize(
    ("frame", "name"),
    [
        ("{", None),
        ("", None),
        ("null", None),
        ("[]", None),
        ('"play"', None),
        ("NaN", None),
        ('{"type":5,"id":"x"}', "x"),
        ('{"type":"dance","id":"x"}', "x"),
        ('{"id":"x","seq":0,"command":"undo"}', "x"),
        ('{"type":"play","id":"x","seq":NaN,"command":"undo"}', None),
        ('{"type":"play","id":"x","seq":true,"command":"undo"}', "x"),
        ('{"type":"play","id":"x","seq":1.0,"command":"undo"}', "x"),
        ('{"type":"play","id":"x","seq":-1,"command":"undo"}', "x"),
        ('{"type":"play","id":"x","seq":"1","command":"undo"}', "x"),
        ('{"type":"play","id":"x","seq":0}', "x"),
        ('{"type":"play","id":"x","seq":0,"command":7}', "x"),
        ('{"type":"play","id":"x","seq":0,"command":"undo","game":1}', "x"),
        ('{"type":"play","id":"a b","seq":0,"command":"undo"}', None),
        ('{"type":"play","id":"","seq":0,"command":"undo"}', None),
        ('{"type":"play","id":"' + "x" * 65 + '","seq":0,"command":"undo"}', None),
        ('{"type":"play","id":"\\u0142","seq":0,"command":"undo"}', None),
        ('{"type":"play","id":7,"seq":0,"command":"undo"}', None),
        ('{"type":"sync"}', None),
        ('{"type":"sync","since":null}', None),
        ('{"type":"update","id":"x"}', "x"),
        (GOOD + GOOD, None),
        ("[" * 4000, None),
        ('{"a":' * 800, None),
        ('{"type":"play","id":"\\ud800","seq":0,"command":"undo"}', None),
    ],
)
def test_what_is_no_message_is_named_as_far_as_it_can_be_read(frame: str, name: str | None) -> None:
    """B33."""
    with pytest.raises(wire.MalformedMessageError) as error:
        wire.decode_client(frame)
    assert error.value.id == name


def test_40_commands_at_once_then_20_a_second(settings: Any) -> None:
    settings.RATE_LIMIT = True
    pace = door.Pace()
    assert [pace.wait_ms(100.0) for _ in range(40)] == [0] * 40
    assert pace.wait_ms(100.0) == 50
    assert pace.wait_ms(100.04) == 10
    assert pace.wait_ms(100.05) == 0
    assert pace.wait_ms(100.05) == 50
    assert sum(pace.wait_ms(100.05 + n / 100) == 0 for n in range(1, 101)) in (19, 20)


def test_100_frames_over_the_rate_within_5_s_are_too_stubborn() -> None:
    pace = door.Pace()
    assert [pace.is_stubborn(n / 100) for n in range(100)] == [False] * 99 + [True]
    pace = door.Pace()
    assert not any(pace.is_stubborn(n / 19) for n in range(200))


def test_more_than_200_frames_a_second_are_a_flood(settings: Any) -> None:
    settings.RATE_LIMIT = True
    pace = door.Pace()
    assert [pace.is_flood(n / 1000) for n in range(201)] == [False] * 200 + [True]
    pace = door.Pace()
    assert not any(pace.is_flood(n / 199) for n in range(1000))


def test_the_20th_malformed_frame_within_60_s_is_the_last() -> None:
    pace = door.Pace()
    assert [pace.is_beyond_patience(n) for n in range(20)] == [False] * 19 + [True]
    pace = door.Pace()
    assert not any(pace.is_beyond_patience(n * 3.2) for n in range(100))


def test_rate_limit_0_turns_rates_off(settings: Any) -> None:
    settings.RATE_LIMIT = False
    pace = door.Pace()
    assert not any(pace.wait_ms(1.0) or pace.is_flood(1.0) for _ in range(1000))
