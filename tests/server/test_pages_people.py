"""People: names, sign-up, log-in and log-out, guests, passwords, and how often all that may be tried."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from game.models import Game, User
from tests.server.pages import RULES, browser_of, ended_game

pytestmark = pytest.mark.django_db

PASSWORD = "a fine password"


@pytest.fixture(autouse=True)
def fresh_counters(settings: Any) -> None:
    """Each test has its own counters, in this process, whatever the set-up."""
    settings.CACHES = {
        "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "pages"}
    }
    cache.clear()


def sign_up(browser: Client, name: str, **fields: str) -> Any:
    sent = {"username": name, "password1": PASSWORD, **fields}
    return browser.post("/accounts/signup/", sent)


def test_sign_up_logs_in_and_goes_home(client: Client) -> None:
    """Without ``next`` to the first page."""
    response = sign_up(client, "zofia")
    assert (response.status_code, response["Location"]) == (302, "/")
    assert client.session["_auth_user_id"] == str(User.objects.get(username="zofia").pk)
    assert User.objects.get().check_password(PASSWORD)


@pytest.mark.parametrize("path", ["/accounts/signup/", "/accounts/login/", "/accounts/guest/"])
@pytest.mark.parametrize(
    ("wanted", "right"),
    [
        ("/g/0123456789/", "/g/0123456789/"),
        ("/ar/?rules=x", "/ar/?rules=x"),
        ("https://elsewhere.example/", "/"),
        ("//elsewhere.example/", "/"),
        ("javascript:alert(1)", "/"),
        ("/\\elsewhere.example", "/"),
        ("", "/"),
    ],
)
def test_next_stays_on_the_site(client: Client, path: str, wanted: str, right: str) -> None:
    """After sign-up, log-in and guest: to ``next`` if it is ours, else home."""
    User.objects.create_user("bob", PASSWORD)
    name = "bob" if "login" in path else "ada"
    fields = {"username": name, "password": PASSWORD, "password1": PASSWORD}
    response = client.post(path, fields | {"next": wanted})
    assert (response.status_code, response["Location"]) == (302, right)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("zofia", "zofia"),
        ("Łukasz", "Łukasz"),
        ("سارة", "سارة"),
        ("Ali Veli", "Ali Veli"),
        (" ada ", "ada"),
        ("a.b_c-9", "a.b_c-9"),
        ("ｆｕｌｌ", "full"),
        ("𝒶𝒹𝒶", "ada"),
        ("7", "7"),
        ("वृन्दा", "वृन्दा"),
        ("山田ひろし", "山田ひろし"),
        ("ω" * 24, "ω" * 24),
        ("ß" * 24, "ß" * 24),
    ],
)
def test_names_that_are_taken_in(client: Client, name: str, shown: str) -> None:
    """Letters and figures of one script, in their plain form."""
    assert sign_up(client, name).status_code == 302
    assert User.objects.get().username == shown


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("", "required"),
        ("   ", "required"),
        ("a" * 25, "at most 24 letters, this one has 25"),
        ("a  b", "one blank"),
        ("...", "at least one letter or figure"),
        ("a\u202eb", "U+202E"),
        ("a\u200bb", "U+200B"),
        ("a\u200db", "U+200D"),
        ("a\u3164b", "U+1160"),
        ("a\u115fb", "U+115F"),
        ("a\ufe0fb", "U+FE0F"),
        ("a\tb", "U+0009"),
        ("a/b", "/ cannot stand"),
        ("a@b", "@ cannot stand"),
        ("<b>", "&lt; cannot stand"),
        ("a😀", "cannot stand"),
        ("\u0430dmin", "one script"),
        ("z" + "\u0316" * 4, "too many marks"),
        ("\u0301abc", "too many marks"),
        ("Admin", "kept back"),
        ("guest 12", "kept back"),
        ("GUEST12", "kept back"),
        ("tableau", "kept back"),
    ],
)
def test_names_that_are_refused(client: Client, name: str, said: str) -> None:
    """Nothing invisible, no markup, no mixture of scripts, no look-alike; and the sentence says what."""
    response = sign_up(client, name)
    assert response.status_code == 400
    assert said in response.content.decode()
    assert not User.objects.exists()


@pytest.mark.parametrize("name", ["Zofia", "ZOFIA", "ｚｏｆｉａ", "zofıa", "zofİa"])
def test_a_taken_name_is_taken_in_every_spelling(client: Client, name: str) -> None:
    """Two names that differ in case, width or the Turkish dot alone are one name."""
    User.objects.create_user("zofia", PASSWORD)
    response = sign_up(client, name)
    assert response.status_code == 400
    assert "Somebody has this name" in response.content.decode()


def test_a_name_taken_meanwhile_is_told_too(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two people, one name, one moment: the constraint decides, and nobody sees a fault."""
    from game.actions import people

    def late(*_args: Any, **_fields: Any) -> None:
        raise people.NameTakenError

    monkeypatch.setattr(people, "sign_up", late)
    response = sign_up(client, "zofia")
    assert response.status_code == 400
    assert "Somebody has this name" in response.content.decode()


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"password2": "another password"}, "not the same"),
        ({"password1": "short"}, "too short"),
        ({"password1": "password"}, "too common"),
        ({"password1": "8645197320"}, "entirely numeric"),
        ({"password1": "zofiazofia"}, "too similar"),
    ],
)
def test_passwords_that_are_refused(client: Client, fields: dict[str, str], said: str) -> None:
    """Django's validators, and a second one that a program sends."""
    response = sign_up(client, "zofiazofi", **fields)
    assert response.status_code == 400
    assert said in response.content.decode()


def test_log_in_by_any_spelling_of_the_name(client: Client) -> None:
    """Names are found by their folded form; a wrong password is told without telling which was wrong."""
    User.objects.create_user("Zofia", PASSWORD)
    wrong = client.post("/accounts/login/", {"username": "zofia", "password": "wrong"})
    assert wrong.status_code == 400
    assert "There is nobody with this name and password." in wrong.content.decode()
    assert client.post("/accounts/login/", {"username": "ZOFIA", "password": PASSWORD}).status_code == 302


def test_a_session_gets_a_new_key_at_log_in(client: Client) -> None:
    """A key that somebody planted before is worth nothing after."""
    User.objects.create_user("zofia", PASSWORD)
    session = client.session
    session["planted"] = True
    session.save()
    before = session.session_key
    client.post("/accounts/login/", {"username": "zofia", "password": PASSWORD})
    assert client.session.session_key != before


def test_log_out_ends_the_session_and_doubts_its_sockets(
    monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    """The session is gone from the store, and open sockets are asked again."""
    told: list[dict[str, Any]] = []
    monkeypatch.setattr("game.broadcast.doubt", lambda **fields: told.append(fields))
    browser = browser_of(User.objects.create_user("zofia", PASSWORD))
    key = str(browser.session.session_key)
    with django_capture_on_commit_callbacks(execute=True):
        response = browser.post("/accounts/logout/")
    assert (response.status_code, response["Location"]) == (302, "/")
    assert not browser.session.exists(key)
    assert [list(fields) for fields in told] == [["session_digest"]]
    assert key not in told[0]["session_digest"]


def test_a_new_password_ends_every_other_session(
    monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    """Here one stays logged in; elsewhere the account's sessions are over and its sockets asked again."""
    told: list[dict[str, Any]] = []
    monkeypatch.setattr("game.broadcast.doubt", lambda **fields: told.append(fields))
    user = User.objects.create_user("zofia", PASSWORD)
    here, there = browser_of(user), browser_of(user)
    fields = {"old_password": PASSWORD, "new_password1": "quite another", "new_password2": "quite another"}
    wrong = here.post("/accounts/password/", fields | {"old_password": "wrong"})
    assert wrong.status_code == 400
    with django_capture_on_commit_callbacks(execute=True):
        assert here.post("/accounts/password/", fields).status_code == 302
    assert told == [{"user_id": user.pk}]
    assert here.get("/history/").status_code == 200
    assert there.get("/history/").status_code == 302


def test_a_guest_keeps_everything_under_a_chosen_name(client: Client) -> None:
    """One click makes a guest; choosing a name keeps the account and its games."""
    client.post("/accounts/guest/", {"rules": RULES.slug, "suits": "1"})
    guest = User.objects.get()
    assert guest.is_guest
    assert guest.username.startswith("guest ")
    assert not guest.has_usable_password()
    key = client.session.session_key
    assert sign_up(client, "zofia").status_code == 302
    guest.refresh_from_db()
    assert (guest.username, guest.is_guest) == ("zofia", False)
    assert Game.objects.get().player == guest
    assert client.session.session_key != key
    assert client.get("/history/").status_code == 200
    # What was played as a guest does not begin to count.
    assert not Game.objects.get().ranked


def test_a_guest_who_clicks_again_stays_the_same(client: Client) -> None:
    """No second guest for the same browser."""
    for _ in range(2):
        client.post("/accounts/guest/")
    assert User.objects.count() == 1


def test_twenty_tries_a_minute_an_address(client: Client, settings: Any) -> None:
    """Log-ins, sign-ups and guests together; told in words with 429; another address is not touched."""
    settings.RATE_LIMIT = True
    for _ in range(20):
        assert client.post("/accounts/login/", {"username": "x", "password": "y"}).status_code == 400
    for path in ("/accounts/login/", "/accounts/signup/", "/accounts/guest/"):
        response = client.post(path, {"username": "x", "password": "y"})
        assert response.status_code == 429
        assert response["Retry-After"] == "60"
        assert "Wait a minute" in response.content.decode()
    assert client.post("/accounts/guest/", REMOTE_ADDR="192.0.2.7").status_code == 302
    settings.RATE_LIMIT = False
    assert Client().post("/accounts/guest/").status_code == 302


def test_counting_is_by_the_true_address(client: Client, settings: Any) -> None:
    """Behind a trusted proxy each visitor is counted alone; what a stranger writes is not believed."""
    settings.RATE_LIMIT = True
    settings.TRUSTED_PROXIES = ["10.0.0.0/8"]
    login = {"username": "x", "password": "y"}
    for number in range(21):
        sent = client.post(
            "/accounts/login/", login, REMOTE_ADDR="10.0.0.1", HTTP_X_FORWARDED_FOR=f"192.0.2.{number}"
        )
        assert sent.status_code == 400
    for number in range(21):
        sent = client.post(
            "/accounts/login/", login, REMOTE_ADDR="198.51.100.1", HTTP_X_FORWARDED_FOR=f"192.0.2.{number}"
        )
    assert sent.status_code == 429


def test_history_is_ones_own(client: Client) -> None:
    """It asks for a log-in, shows open games too, and nobody else's."""
    assert client.get("/history/")["Location"] == "/accounts/login/?next=/history/"
    ada, bob = User.objects.create_user("ada"), User.objects.create_user("bob")
    mine, theirs = ended_game(ada), ended_game(bob)
    browser = browser_of(ada)
    browser.post("/games/", {"rules": RULES.slug, "suits": "1"})
    open_game = Game.objects.get(ended_at=None)
    text = browser.get("/history/").content.decode()
    assert mine.code in text
    assert open_game.code in text
    assert theirs.code not in text
    text = browser.get("/history/?result=playing").content.decode()
    assert open_game.code in text
    assert mine.code not in text
