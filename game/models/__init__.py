"""What is kept: people, games, their append-only logs, and results."""

from game.models.deeds import Deed
from game.models.findings import Finding, KnownDeal, PoolDeal, Rescue
from game.models.games import (
    CODE_ALPHABET,
    CODE_LENGTH,
    COUNTED,
    Epoch,
    Game,
    LogEntry,
    Unranked,
    new_game_code,
)
from game.models.people import KeptName, PersonManager, User
from game.models.results import BoardRow, Period, Result, Tally, WeekPlayed

__all__ = [
    "CODE_ALPHABET",
    "CODE_LENGTH",
    "COUNTED",
    "BoardRow",
    "Deed",
    "Epoch",
    "Finding",
    "Game",
    "KeptName",
    "KnownDeal",
    "LogEntry",
    "Period",
    "PersonManager",
    "PoolDeal",
    "Rescue",
    "Result",
    "Tally",
    "Unranked",
    "User",
    "WeekPlayed",
    "new_game_code",
]
