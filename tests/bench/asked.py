"""Asks every kind of page of a populated database, and prints what each cost."""

from __future__ import annotations

import json
import os
import re
import time
from statistics import median
from typing import Any

ROUNDS = 7


def main() -> None:
    """Prints JSON: by page the median of the whole in ms, its queries, and the slowest query in ms.

    SQLite's queries are told in processor time, which holds on a busy machine; those of Postgres as it
    says that it planned and ran them.
    """
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    import django

    django.setup()
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    from game.models import Game, Tally

    busiest = Tally.objects.order_by("-played").select_related("player")[0].player
    won = Game.objects.filter(status="won").order_by("-pk")[0]
    client = Client(SERVER_NAME="127.0.0.1")
    session = client.session
    session[SESSION_KEY] = str(busiest.pk)
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session[HASH_SESSION_KEY] = busiest.get_session_auth_hash()
    session.save()
    client.cookies["sessionid"] = str(session.session_key)
    older = re.findall(r"after=([0-9-]+)", client.get("/games/").content.decode())[0]
    pages = {
        "first page": "/",
        "running tables": "/live/",
        "ended games": "/games/",
        "ended games, a later page": f"/games/?after={older}",
        "ended games, one kind, won": f"/games/?game={won.rules_slug}&result=won",
        "ended games of a deal": f"/games/?deal={won.deal_code}",
        "board, today": f"/boards/?rules={won.rules_slug}",
        "board, all time": f"/boards/?rules={won.rules_slug}&period=all",
        "person with most games": f"/@{busiest}/",
        "own games": "/history/",
        "own games, won": "/history/?result=won",
        "deal": f"/d/{won.deal_code}/",
        "game (replay)": f"/g/{won.code}/",
        "its updates": f"/api/games/{won.code}/updates",
        "search for a game": f"/find/?code={won.code}",
    }
    longest = Game.objects.filter(status="playing").order_by("-seq")[0]
    if longest.seq > 10_000:
        pages["game of many actions"] = f"/g/{longest.code}/"
        pages["updates near its end"] = f"/api/games/{longest.code}/updates?since={longest.seq - 150}"
    found = {}
    for name, address in pages.items():
        took, slowest, count = [], [], 0
        for _ in range(ROUNDS):
            with CaptureQueriesContext(connection) as captured:
                begun = time.perf_counter()
                answer = client.get(address)
                b"".join(answer) if answer.streaming else answer.content
                took.append(1000 * (time.perf_counter() - begun))
            assert answer.status_code in (200, 302), (address, answer.status_code)
            with connection.cursor() as cursor:
                each = [query_ms(cursor, q["sql"]) for q in captured if q["sql"].startswith("SELECT")]
            slowest.append(max(each, default=0.0))
            count = len(each)
        found[name] = (median(took), count, median(slowest))
    print(json.dumps({"games": Game.objects.count(), "pages": found}))


def query_ms(cursor: Any, sql: str) -> float:
    """How long the database takes for a query."""
    if cursor.db.vendor == "postgresql":
        cursor.execute(f"EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) {sql}")
        told = cursor.fetchone()[0][0]
        return float(told["Planning Time"] + told["Execution Time"])
    begun = time.thread_time()
    cursor.execute(sql)
    cursor.fetchall()
    return 1000 * (time.thread_time() - begun)


if __name__ == "__main__":
    main()
