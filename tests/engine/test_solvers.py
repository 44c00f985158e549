"""Solvers say what the rules say: ``step`` replays every win, and trying everything comes to every loss."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game.engine.cards import card
from game.engine.commands import Draw, GiveUp, Undo
from game.engine.deals import parse_deal_code
from game.engine.games import GAMES, rules_of
from game.engine.games.solvers import klondike, klondike_stacks, simple_simon
from game.engine.line import retrace
from game.engine.position import Position
from game.engine.rules import Refusal, Rules
from game.engine.verdicts import Lost, Solution, Verdict
from tests.engine.cases import load
from tests.engine.exhaustion import exhausted, is_done, small_klondike, small_simon
from tests.engine.recorded import replayed
from tests.engine.tables import TO_ACE, TO_TWO, run, simon, table

KLONDIKE = rules_of("klondike")
SIMPLE_SIMON = rules_of("simple-simon")
SOLVED = [rules for rules in GAMES if rules.solver is not None]
EVERY_FORM = [f"{rules.prefix}1-{variant}-AAAAABD" for rules in SOLVED for variant in rules.variants]
FULL = {f"f{i + 1}": run(suit, "KQJT98765432A") for i, suit in enumerate("SHD")}
few = settings(max_examples=25, deadline=None)


def solved(rules: Rules, position: Position, limit: int = 20_000, lost: Lost | None = None) -> Solution:
    """The solver's answer, a won line replayed."""
    assert rules.solver is not None
    solution = rules.solver.solve(position, limit, lost)
    if solution.verdict is Verdict.WON:
        assert is_done(after(rules, position, solution))
    else:
        assert solution.line == ()
    return solution


def after(rules: Rules, position: Position, solution: Solution) -> Position:
    for command in solution.line:
        assert not isinstance(command, Undo | GiveUp)
        step = rules.step(position, command)
        assert not isinstance(step, Refusal), f"{command} at {position.text}: {step.code}"
        position = step.position
    return position


def deal_of(code: str) -> tuple[Rules, Position]:
    parsed = parse_deal_code(code, GAMES)
    return parsed.rules, parsed.deal()


SMALL: dict[str, Callable[[Random], Position]] = {
    KLONDIKE.slug: small_klondike,
    SIMPLE_SIMON.slug: small_simon,
}
each_solved_game = pytest.mark.parametrize("rules", [KLONDIKE, SIMPLE_SIMON], ids=lambda rules: rules.slug)


# Verdicts


@each_solved_game
def test_verdicts_are_those_of_trying_everything(rules: Rules) -> None:
    verdicts: Counter[Verdict] = Counter()
    for seed in range(80):
        position = SMALL[rules.slug](Random(seed))
        found = solved(rules, position)
        expected = exhausted(rules, position, 200)
        assert expected in (Verdict.UNKNOWN, found.verdict), position.text
        verdicts[expected] += 1
    assert min(verdicts[Verdict.WON], verdicts[Verdict.LOST]) >= 5


@each_solved_game
def test_the_quick_proof_of_loss_changes_no_verdict(rules: Rules, monkeypatch: pytest.MonkeyPatch) -> None:
    small = [SMALL[rules.slug](Random(seed)) for seed in range(100, 200)]
    positions = [*small, *(deal_of(code)[1] for code in EVERY_FORM if deal_of(code)[0] is rules)]
    with_proof = [solved(rules, position) for position in positions]
    monkeypatch.setattr(simple_simon, "is_stuck", lambda columns: False)
    monkeypatch.setattr(klondike_stacks.WholeStacks, "is_stuck", lambda *asked: False)
    without = [solved(rules, position) for position in positions]
    assert [found.verdict for found in without] == [found.verdict for found in with_proof]
    assert sum(found.positions for found in without) > sum(found.positions for found in with_proof)


def test_leaving_out_less_in_the_talon_for_more_changes_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    codes = [f"KL1-D1-AAAAAB{letter}" for letter in "ABCDE"]
    positions = [*(small_klondike(Random(seed)) for seed in range(200, 300)), *(deal_of(c)[1] for c in codes)]
    leaving_out = [solved(KLONDIKE, position) for position in positions]
    monkeypatch.setattr(klondike.Search, "is_left_out", lambda search, state: False)
    whole = [solved(KLONDIKE, position) for position in positions]
    assert [found.verdict for found in whole] == [found.verdict for found in leaving_out]
    assert sum(found.positions for found in whole) > sum(found.positions for found in leaving_out)


@each_solved_game
def test_no_ply_of_a_won_game_is_lost(rules: Rules) -> None:
    verdicts: Counter[Verdict] = Counter()
    for case in load(rules.slug, "won")[::6]:
        line = replayed(case)
        positions = [
            line.deal,
            *(standing.position for _, standing in retrace(rules, line.deal, line.events)),
        ]
        verdicts.update(solved(rules, position, limit=2000).verdict for position in positions[::19])
        assert solved(rules, positions[-1]) == Solution(Verdict.WON, (), 1)
    assert not verdicts[Verdict.LOST]
    assert verdicts[Verdict.WON] > 5 * verdicts[Verdict.UNKNOWN]


EFFORTS = {
    "SS1-S1-AAAAABD": (Verdict.WON, 53, 5125),
    "SS1-S2-AAAAABD": (Verdict.WON, 60, 1384),
    "SS1-S4-AAAAABD": (Verdict.WON, 72, 2446),
    "KL1-D1-AAAAABD": (Verdict.WON, 144, 71),
}


@pytest.mark.parametrize("code", EVERY_FORM)
def test_verdict_line_and_effort_are_the_same_everywhere(code: str) -> None:
    """What changes these numbers changes answers that are kept: raise the solver's version."""
    found = solved(*deal_of(code))
    assert (found.verdict, len(found.line), found.positions) == EFFORTS[code]


@each_solved_game
def test_what_is_not_decided_within_the_limit_is_unknown(rules: Rules) -> None:
    deal = next(deal_of(code)[1] for code in EVERY_FORM if deal_of(code)[0] is rules)
    assert solved(rules, deal, limit=10) == Solution(Verdict.UNKNOWN, (), 10)


@each_solved_game
def test_what_was_seen_lost_is_known_from_then_on(rules: Rules) -> None:
    lost: Lost = set()
    small = map(SMALL[rules.slug], map(Random, range(60)))
    position = next(p for p in small if solved(rules, p).verdict is Verdict.LOST)
    first = solved(rules, position, lost=lost)
    assert solved(rules, position, lost=lost) == Solution(Verdict.LOST, (), 0)
    assert len(lost) == first.positions


# What makes no difference


@few
@given(seed=st.integers(0, 999), names=st.permutations([f"t{i + 1}" for i in range(10)]))
def test_columns_can_change_places(seed: int, names: list[str]) -> None:
    position = table(SIMPLE_SIMON).put(dict(small_simon(Random(seed)).items()))
    swapped = position.put({name: position[f"t{i + 1}"] for i, name in enumerate(names)})
    there, here = solved(SIMPLE_SIMON, swapped), solved(SIMPLE_SIMON, position)
    assert (there.verdict, there.positions) == (here.verdict, here.positions)


@few
@given(seed=st.integers(0, 999), draws=st.integers(1, 12))
def test_drawing_changes_no_verdict(seed: int, draws: int) -> None:
    position = small_klondike(Random(seed))
    here = solved(KLONDIKE, position)
    for _ in range(draws):
        step = KLONDIKE.step(position, Draw())
        position = position if isinstance(step, Refusal) else step.position
    there = solved(KLONDIKE, position)
    assert (there.verdict, there.positions) == (here.verdict, here.positions)


# Rare things


def test_a_run_that_is_full_before_it_moves_leaves_by_moving_to_an_empty_column() -> None:
    position = simon(**FULL, t1=TO_ACE.replace("S", "C"))
    assert [str(command) for command in solved(SIMPLE_SIMON, position).line] == ["t1x13-t2"]


def test_a_king_may_leave_a_full_table_by_completing_its_run() -> None:
    piles = {
        "t1": TO_TWO,
        "t2": f"AC {run('H', 'KQJT98765432')} AS",
        "t3": f"{run('D', 'KQJT98765432')} AH",
        "t4": f"{run('C', 'KQJT98765432')} AD",
        **dict.fromkeys(("f1", "f2", "f3", "f4"), ""),
    }
    position = Position({name: tuple(map(card, pile.split())) for name, pile in piles.items()})
    assert [str(command) for command in solved(SIMPLE_SIMON, position).line] == [
        "t2-t1",
        "t3-t2",
        "t4-t3",
        "t2-t4",
    ]


def test_a_run_that_leaves_may_uncover_a_column_like_the_one_that_completed_it() -> None:
    columns = {"t1": "\1", "t2": "".join(map(chr, [1, *range(13, 1, -1)]))}
    path = [simple_simon.state_of(columns.values()), ("", "\1")]
    assert [str(command) for command in simple_simon.commands(columns, path)] == ["t1-t2"]


def test_kings_go_home_to_make_room_for_kings() -> None:
    position = Position(
        {
            name: tuple(map(card, pile.split()))
            for name, pile in {
                **{
                    f: run(suit, "A23456789TJQK"[:n])
                    for f, suit, n in zip(("f1", "f2", "f3", "f4"), "HCDS", (7, 9, 11, 11), strict=True)
                },
                "t1": "kd 9h qd JC",
                "t2": "kc ks tc KH",
                "t3": "th qs QH",
                "s": "",
                "w": "8H JH QC",
            }.items()
        }
    )
    assert solved(KLONDIKE, position).verdict is Verdict.WON


# Bad input


@pytest.mark.parametrize(
    ("rules", "changes", "reason"),
    [
        (SIMPLE_SIMON, {"t10": "as"}, "face up"),
        (SIMPLE_SIMON, {"t10": ""}, "four full runs"),
        (SIMPLE_SIMON, {"f1": "AS"}, "full run or nothing"),
        (KLONDIKE, {"t1": ""}, "52 cards"),
        (KLONDIKE, {"t1": "as"}, "face down"),
        (KLONDIKE, {"t1": "AS KS"}, "turns of colour"),
        (KLONDIKE, {"f1": "2H"}, "from the ace"),
        (KLONDIKE, {"f1": "AS"}, "from the ace"),
        (KLONDIKE, {"s": "AS"}, "stock lies face down"),
        (KLONDIKE, {"w": "as"}, "waste face up"),
    ],
)
def test_a_position_of_no_game_is_refused(rules: Rules, changes: dict[str, str], reason: str) -> None:
    deal = next(deal_of(code)[1] for code in EVERY_FORM if deal_of(code)[0] is rules)
    assert rules.solver is not None
    with pytest.raises(ValueError, match=reason):
        rules.solver.solve(
            deal.put({name: tuple(map(card, pile.split())) for name, pile in changes.items()}), 10
        )


@each_solved_game
def test_a_position_of_another_game_is_refused(rules: Rules) -> None:
    other = next(deal_of(code)[1] for code in EVERY_FORM if deal_of(code)[0] is not rules)
    assert rules.solver is not None
    with pytest.raises(ValueError, match="this game"):
        rules.solver.solve(other, 10)
