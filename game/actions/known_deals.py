"""What is known of deals: found out by the worker beside the games that were played on them.

A deal is known from its first ended game on. The best known line is the shortest of the solver's and of
everybody's wins; of equals the one that was known first stays.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from game.engine.analysis import Analysis
from game.engine.commands import Command, RulesCommand, parse_command
from game.engine.line import Status
from game.engine.position import Position
from game.engine.rules import Refusal, Rules
from game.engine.verdicts import Solver, Verdict
from game.models import Game, KnownDeal, PoolDeal

LIMIT: Final = 200_000
"""Positions for a deal, before nobody knows."""
LIMIT_TO_SHORTEN: Final = 20_000


def look_at(game: Game, solver: Solver, found: Analysis) -> KnownDeal | None:
    """What a solver makes of the deal of an ended game; does not save. None where there is nothing new.

    ``found`` is what is known of the game already: a deal that was won needs no proof.
    """
    if game.deal_code is None:
        return None
    known = KnownDeal.objects.filter(deal_code=game.deal_code).first()
    if known is not None and known.version >= solver.version:
        return known
    deal = game.deal
    solution = solver.solve(deal, LIMIT)
    made = KnownDeal(deal_code=game.deal_code, verdict=solution.verdict, version=solver.version)
    if solution.verdict is Verdict.WON:
        made.effort = solution.positions
        if solver.shorten is not None:
            solution = solver.shorten(deal, solution, LIMIT_TO_SHORTEN)
        made.line = [str(command) for command in solution.line]
        made.moves = moves_of(game.rules, deal, solution.line)
    elif (pooled := PoolDeal.objects.filter(deal_code=game.deal_code).first()) is not None:
        made.verdict, made.line = Verdict.WON, pooled.line
        made.moves = moves_of(game.rules, deal, map(parse_command, pooled.line))
    elif found.last_won is not None:
        made.verdict = Verdict.WON
    elif found.first_lost == 0:
        made.verdict = Verdict.LOST
    return made


def moves_of(rules: Rules, deal: Position, line: Iterable[Command]) -> int:
    """How many moves a line counts; raises `ValueError` for one that does not win."""
    position, moves = deal, 0
    for command in line:
        step = rules.step(position, command) if isinstance(command, RulesCommand) else Refusal("malformed")
        if isinstance(step, Refusal):
            raise ValueError(f"{command} is refused: {step.code}")  # noqa: TRY004  # not a wrong type
        position, moves = step.position, moves + step.moves
    if not rules.is_won(position):
        raise ValueError("the line does not win")
    return moves


def keep(deal: KnownDeal, game: Game) -> None:
    """Writes what is known of a deal, and a win of the game if that is the shortest, in the caller's
    transaction.
    """
    KnownDeal.objects.bulk_create([deal], ignore_conflicts=True)
    known = KnownDeal.objects.select_for_update(of=("self",)).get(pk=deal.pk)
    if deal.version > known.version:
        known.verdict, known.version, known.effort = deal.verdict, deal.version, deal.effort
        _offer(known, deal.moves, deal.line, None)
    if game.status == Status.WON:
        known.verdict = Verdict.WON
        _offer(known, game.moves, [], game)
    known.save()


def _offer(known: KnownDeal, moves: int | None, line: list[str], found_by: Game | None) -> None:
    """Takes a line over if it is shorter than the best known."""
    if moves is not None and (known.moves is None or moves < known.moves):
        known.moves, known.line, known.found_by = moves, line, found_by
