"""What every answer bears, whatever it answers: the headers that keep other people's code out."""

from __future__ import annotations

import http.client
import re
import socket
from contextlib import closing
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client

from config.server import MAX_BODY_BYTES
from game.models import User
from tests.conftest import Serve
from tests.server.pages import browser_of, ended_game
from tests.services import ROOT, Site

A_YEAR = "max-age=31536000; includeSubDomains; preload"


def check(headers: dict[str, str], *, is_secure: bool = True) -> None:
    """Raises unless the headers are all there."""
    policy = headers["content-security-policy"]
    directives = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert directives["default-src"] == "'none'"
    assert directives["frame-ancestors"] == "'none'"
    assert not re.search(r"unsafe|\*|https?:|blob:|'nonce|'sha", policy)
    assert directives.get("script-src", "'self'") == "'self'"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "same-origin"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert headers.get("strict-transport-security") == (A_YEAR if is_secure else None)
    assert "server" not in headers


def answer_to_nonsense(site: Site) -> tuple[int, dict[str, str]]:
    """The status and the headers with which a process answers what is no HTTP."""
    with closing(socket.create_connection(("127.0.0.1", site.port), 20)) as plain:
        plain.sendall(b"nonsense\r\n\r\n")
        answer = http.client.HTTPResponse(plain)
        answer.begin()
        assert answer.read() == b""
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}


def of(answer: HttpResponse) -> dict[str, str]:
    return {name.lower(): value for name, value in answer.items()}


@pytest.mark.django_db
def test_every_kind_of_answer_bears_them(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.SECURE_HSTS_SECONDS = 31536000
    settings.SECURE_HSTS_INCLUDE_SUBDOMAINS = settings.SECURE_HSTS_PRELOAD = True
    settings.RATE_LIMIT = False
    ada = User.objects.create_user("ada", "correct horse")
    game = ended_game(ada)
    browser, strict = browser_of(ada), Client(enforce_csrf_checks=True)
    browser.raise_request_exception = False

    def ask(path: str, code: int, client: Client = browser, method: str = "get", **given: Any) -> None:
        answer = getattr(client, method)(path, secure=True, **given)
        assert answer.status_code == code, path
        check(of(answer))

    for path in ("/", f"/g/{game.code}/", "/ar/games/", "/@ada/", "/rules/", "/robots.txt", "/healthz"):
        ask(path, 200)
    for path in (f"/api/games/{game.code}", "/manifest.webmanifest", "/worker.js", "/jsi18n/", "/readyz"):
        ask(path, 200)
    ask(f"/g/{game.code.lower()}/", 301)
    ask("/history/", 302, strict)
    ask("/games/?after=x", 400)
    ask("/settings/", 403, strict, "post")
    for path in ("/nowhere/", "/g/0123456789/", "/api/games/0123456789", "/static/none.js"):
        ask(path, 404)
    ask("/logout", 404)
    ask("/accounts/logout/", 405)
    ask("/", 400, headers={"host": "evil.example"})
    monkeypatch.setattr("game.views.home.home_context", lambda *_: 1 / 0)
    ask("/", 500)


def test_what_the_server_answers_by_itself_bears_them_too(serve: Serve) -> None:
    """Files, a request that is too large, one that cannot be read; and its name is not told."""
    site = serve("embedded")

    def ask(method: str, path: str, body: bytes | None = None) -> tuple[int, dict[str, str], bytes]:
        with closing(http.client.HTTPConnection("127.0.0.1", site.port, timeout=20)) as connection:
            connection.request(method, path, body)
            answer = connection.getresponse()
            headers = {name.lower(): value for name, value in answer.getheaders()}
            return answer.status, headers, answer.read()

    status, headers, page = ask("GET", "/rules/")
    assert status == 200
    check(headers, is_secure=False)
    for name in re.findall(rb'"(/static/[^"]+\.(?:css|js|svg))"', page)[:3]:
        status, headers, _ = ask("GET", name.decode())
        assert status == 200
        check(headers, is_secure=False)
        assert "access-control-allow-origin" not in headers
    status, headers, _ = ask("POST", "/", b"x" * (MAX_BODY_BYTES + 1))
    assert status == 413
    check(headers, is_secure=False)
    status, headers = answer_to_nonsense(site)
    assert status == 400
    check(headers, is_secure=False)
    status, headers, _ = ask("GET", "/static/../manage.py")
    assert status in (301, 302, 404)
    check(headers, is_secure=False)


def test_no_template_and_no_script_has_inline_code() -> None:
    """The policy would stop it; so that nothing is stopped, there is none."""
    for path in (ROOT / "frontend/templates").rglob("*.html"):
        text = path.read_text()
        assert not re.search(r"""\son\w+\s*=\s*["']|\sstyle\s*=|<style|javascript:""", text), path
        for script in re.findall(r"<script\b[^>]*>", text):
            assert "src=" in script or "application/json" in script, (path, script)
        assert not re.search(r"\|\s*safe\b|autoescape\s+off", text), path
    markup = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function"
    for path in (ROOT / "frontend/static/js").glob("*.js"):
        assert not re.search(markup, path.read_text()), path


def test_names_and_codes_in_running_text_are_isolated() -> None:
    """R1: in ``<bdi>``, or in an attribute or a title where no element can stand."""
    named = re.compile(r"\{\{\s*(?:[\w.]*(?:username|player)|name)\s*\}\}")
    for path in (ROOT / "frontend/templates").rglob("*.html"):
        text = re.sub(r"\{% block title %\}.*?\{% endblock %\}", "", path.read_text())
        for found in named.finditer(text):
            before = text[: found.start()]
            is_in_a_tag = before.rfind("<") > before.rfind(">")
            assert is_in_a_tag or re.search(r"<bdi[^<>]*>$", before), f"{path.name}: {found[0]}"
