"""What boards, people and deals cost to read when there are many: an index, no sorting, few queries."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from itertools import product

import pytest
from django.db import connection
from django.db.models import Model
from django.test import Client
from django.test.utils import CaptureQueriesContext

from game.engine.deals import DealCode
from game.engine.games import GAMES
from game.engine.line import Standing, Status
from game.models import BoardRow, Game, Period, Result, Tally, User
from game.selectors import boards, deals, lists, people
from game.selectors.periods import starts_of, today
from tests.server.plans import check
from tests.server.sprint import Player

pytestmark = pytest.mark.django_db

RULES = GAMES[0]
VARIANT = next(iter(RULES.variants))
BOARD = boards.Board(RULES, VARIANT)
PEOPLE = 6_000
GAMES_OF_ONE = 50_000
QUERIES_OF_A_LIST = 2 * sum(len(rules.variants) for rules in GAMES) + 1
"""One for each kind and end, and one for the games found."""
QUERIES_OF_A_PAGE = 12
NEWEST = f"{2**50}-1"
NEW_YEAR = datetime(2026, 1, 1, tzinfo=UTC)


def copies(model: type[Model], row: Model, count: int, **fields: str) -> None:
    """Stores copies of a stored row; ``fields`` are SQL for n from 1 to ``count``."""
    names = [str(field.column) for field in model._meta.concrete_fields if field.name != "id"]
    values = [fields.get(name, f'"{name}"') for name in names]
    table, key = model._meta.db_table, model._meta.pk.column if model._meta.pk else "id"
    with connection.cursor() as cursor:
        cursor.execute(
            f"WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {count})"  # noqa: S608
            f" INSERT INTO {table} ({', '.join(names)})"
            f" SELECT {', '.join(values)} FROM numbers, {table} WHERE {key} = {row.pk}"
        )


def later(minutes: str) -> str:
    """SQL of a moment so many minutes after the year began."""
    if connection.vendor == "postgresql":
        return f"timestamptz '2026-01-01 00:00:00+00' + ({minutes}) * interval '1 minute'"
    return f"datetime('2026-01-01 00:00:00', '+' || ({minutes}) || ' minutes')"


@pytest.fixture
def many() -> Player:
    """A person with 50,000 games, on a board among 6,000 people; half of the games are won."""
    me = Player("me")
    copies(User, me.user, PEOPLE, username="'p' || n", folded="'p' || n", look="'p' || n", password="'!'")
    code = DealCode(RULES, VARIANT, "AAAAABD")
    won = Game(
        player=me.user,
        rules_slug=RULES.slug,
        rules_version=RULES.version,
        variant=VARIANT,
        deal_text=code.deal().text,
        deal_code=str(code),
        ranked=True,
        created_at=NEW_YEAR,
        first_ms=0,
        last_ms=60_000,
        last_command_at=NEW_YEAR,
        ended_at=NEW_YEAR,
    )
    won.stand(Standing(code.deal()))
    won.status, won.score, won.code = Status.WON, 0, "FIRST"
    won.save()
    result = Result.objects.create(
        game=won,
        player=me.user,
        rules_slug=RULES.slug,
        variant=VARIANT,
        ranked=True,
        score=0,
        moves=1,
        elapsed_ms=60_000,
        ended_at=NEW_YEAR,
        deal_code=str(code),
        value=0,
    )
    # Somebody else's games, so that a person is not the whole table.
    copies(
        Game,
        won,
        GAMES_OF_ONE,
        code="'o' || n",
        player_id=f"{me.user.pk} + n % {PEOPLE} + 1",
        ended_at=later("n"),
    )
    of_this_deal = f"CASE WHEN n % 100 < 2 THEN '{code}' END"
    copies(
        Game,
        won,
        GAMES_OF_ONE,
        code="'c' || n",
        ended_at=later("n"),
        deal_code=of_this_deal,
        score="n % 400",
        status="CASE WHEN n % 2 = 0 THEN 'won' ELSE 'given_up' END",
    )
    copies(Game, won, 3, code="'r' || n", ended_at="NULL", status="'playing'")
    first = Game.objects.get(code="c1").pk - 1
    copies(
        Result,
        result,
        GAMES_OF_ONE // 2,
        game_id=f"{first} + 2 * n",
        ended_at=later("2 * n"),
        value="-(2 * n % 400)",
        deal_code=of_this_deal.replace("n %", "2 * n %"),
    )
    for period, starts in starts_of(today()).items():
        mine = BoardRow.objects.create(
            rules_slug=RULES.slug,
            variant=VARIANT,
            period=period,
            starts=starts,
            player=me.user,
            game=won,
            value=PEOPLE + 1,
            ended_at=NEW_YEAR,
        )
        copies(BoardRow, mine, PEOPLE, player_id=f"{me.user.pk} + n", game_id=f"{first} + n", value="n")
    Tally.objects.create(
        player=me.user,
        rules_slug=RULES.slug,
        variant=VARIANT,
        played=GAMES_OF_ONE,
        won=GAMES_OF_ONE // 2,
        counted=GAMES_OF_ONE,
        counted_won=GAMES_OF_ONE // 2,
    )
    if connection.vendor == "postgresql":
        # It counts for itself, now and then; SQLite goes about its work without counts, as in use.
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
    return me


def test_it_costs_the_same_however_many_there_are(many: Player) -> None:
    me = many.user
    for period in Period:
        found = check(partial(boards.standings, BOARD, period, me), 3)
        assert len(found.top) == boards.TOP
        assert found.own
        assert found.own.place == PEOPLE + 1
        assert check(partial(boards.standings, BOARD, period, None), 1).own is None
    best = BoardRow.objects.filter(value=100, period=Period.ALL).select_related("game").get().game
    assert [took.place for took in check(lambda: boards.places_of(best), 4)] == [100] * 3

    [entry] = check(lambda: people.fared(me), 2)
    wins = check(lambda: people.wins(entry), 2)
    assert len(wins.results) == people.WINS
    assert wins.before == -398
    check(lambda: people.counts(me), 1)
    check(lambda: people.weeks(me), 1)
    page = check(lambda: lists.ended_games(lists.Filters(player=me)), 1)
    for _ in range(3):
        page = check(partial(lists.ended_games, lists.Filters(player=me), page.older or ""), 1)
    assert len(check(lambda: lists.running_games(me, lists.Filters()), 1)) == 3

    code = str(DealCode(RULES, VARIANT, "AAAAABD"))
    page = check(lambda: deals.runs(code), 1)
    page = check(lambda: deals.runs(code, page.older or ""), 1)
    assert len(page.games) == lists.PAGE

    check_every_list(me, code)
    check_pages(many, code)


def check_every_list(me: User, deal_code: str) -> None:
    """Every combination of filters, also of what nobody has ever played."""
    for result, rules, player, deal in product(
        (None, Status.WON, Status.GIVEN_UP), (None, *GAMES), (None, me), (None, deal_code)
    ):
        for variant in {None, *(rules.variants if rules else [VARIANT])}:
            filters = lists.Filters(
                result=result,
                rules=rules.slug if rules else None,
                variant=variant,
                player=player,
                deal_code=deal,
            )
            work = partial(lists.ended_games, filters)
            # A person's games on one deal are found among all theirs or all on it, whichever are fewer.
            within = 20 if player and deal else 2
            after = check(work, QUERIES_OF_A_LIST, within=within).older or NEWEST
            check(partial(lists.ended_games, filters, after), QUERIES_OF_A_LIST, within=within)
    assert not lists.ended_games(lists.Filters(result=Status.PLAYING)).games
    page = check(lambda: lists.own_games(me, lists.Filters()), 1)
    check(lambda: lists.own_games(me, lists.Filters(), page.older or ""), 1)
    check(lists.live_games, 1)
    check(lists.live_count, 1)
    check(lambda: lists.open_games(me), 1)
    check(lambda: lists.last_choice(me), 1)
    check(lambda: lists.has_ended_game(deal_code), 1)
    check(lambda: lists.person("ME"), 2)


def check_pages(me: Player, deal_code: str) -> None:
    """Whole pages, as somebody who is logged in sees them."""
    for address in (
        "/",
        "/live/",
        "/games/",
        f"/games/?game={RULES.slug}&result=won",
        "/@me/",
        "/@p17/",
        "/history/",
        f"/d/{deal_code}/",
        f"/boards/?rules={RULES.slug}",
        f"/boards/?rules={RULES.slug}&period=all",
        "/find/?code=0000000000",
    ):
        answer = check(partial(me.client.get, address), QUERIES_OF_A_PAGE, within=2)
        assert answer.status_code in (200, 404), address
    with CaptureQueriesContext(connection) as captured:
        assert Client().get(f"/boards/?rules={RULES.slug}").status_code == 200
    assert len(captured) == 1
