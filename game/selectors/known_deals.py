"""What a deal's page may tell of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from game.engine.deals import DealCode
from game.models import KnownDeal
from game.selectors.findings import is_deal_withheld


class Band(IntEnum):
    """How long the solver had to search, against other deals of the kind: a third of them in each band."""

    QUICK = 1
    MIDDLING = 2
    LONG = 3


@dataclass(frozen=True, slots=True)
class Known:
    """A deal and its band, None where it was never won by the solver."""

    deal: KnownDeal
    band: Band | None


def known(code: DealCode) -> Known | None:
    """What may be told of a deal now: nothing before a game on it has ended, and nothing that would help
    somebody in a game that may still count.
    """
    if code.rules.solver is None:
        return None
    text = str(code)
    deal = KnownDeal.objects.select_related("found_by__player").filter(deal_code=text).first()
    if deal is None or is_deal_withheld(text, hides_cards=code.rules.hides_cards):
        return None
    return Known(deal, _band(code, deal.effort))


def _band(code: DealCode, effort: int | None) -> Band | None:
    solver = code.rules.solver
    if effort is None or solver is None or code.variant not in solver.thirds:
        return None
    easy, middling = solver.thirds[code.variant]
    return Band.QUICK if effort <= easy else Band.MIDDLING if effort <= middling else Band.LONG
