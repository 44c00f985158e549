"""The rules alone: a move with its new destinations, and lines of play counted, beside python-chess."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from functools import partial
from itertools import islice
from random import Random
from statistics import median

from game.engine.commands import RulesCommand, parse_command
from game.engine.games import GAMES, rules_of
from game.engine.notation import parse_position
from game.engine.position import Position
from game.engine.rules import Rules, Step
from tests.bench import figures
from tests.bench.figures import Row, alternate
from tests.engine.cases import GOLDEN
from tests.engine.recorded import lines


def played(rules: Rules, games: int = 12) -> list[tuple[Position, RulesCommand]]:
    """Positions of recorded games with the commands that were given in them."""
    found: list[tuple[Position, RulesCommand]] = []
    records = map(json.loads, (GOLDEN / "records.jsonl").read_text().splitlines())
    for record in islice((record for record in records if record["rules"] == rules.slug), games):
        position = parse_position(record["deal"], rules.layout)
        for entry in record["log"]:
            if entry["command"] in ("undo", "give_up"):
                break
            command = parse_command(entry["command"])
            step = rules.step(position, command)  # type: ignore[arg-type]
            if not isinstance(step, Step):
                break
            found.append((position, command))  # type: ignore[arg-type]
            position = step.position
    return found


def microseconds(rules: Rules) -> float:
    """Median of a step and the destinations after it."""
    took = []
    for position, command in played(rules):
        begun = time.perf_counter_ns()
        step = rules.step(position, command)
        assert isinstance(step, Step)
        rules.dests(step.position)
        took.append((time.perf_counter_ns() - begun) / 1000)
    return median(took)


def chess_microseconds() -> float:
    """The same of python-chess: a move pushed and the legal ones listed, in games at random."""
    import chess

    random, took = Random(1), []
    for _ in range(12):
        board = chess.Board()
        for _ in range(60):
            moves = list(board.legal_moves)
            if not moves:
                break
            move = random.choice(moves)
            begun = time.perf_counter_ns()
            board.push(move)
            list(board.legal_moves)
            took.append((time.perf_counter_ns() - begun) / 1000)
    return median(took)


def counted(count: Callable[[], int]) -> float:
    """Lines of play counted a second."""
    begun = time.process_time()
    return count() / (time.process_time() - begun)


def chess_lines(depth: int = 3) -> int:
    """Lines of play from the first position of chess."""
    import chess

    board = chess.Board()

    def below(depth: int) -> int:
        if depth == 0:
            return 1
        total = 0
        for move in board.legal_moves:
            board.push(move)
            total += below(depth - 1)
            board.pop()
        return total

    return below(depth)


def run() -> None:
    """Prints the table."""
    figures.head(
        "engine",
        "Plain Python, one processor. A move is a step and all destinations after it, the median over"
        " recorded games; lines are the leaves of the tree of legal moves.",
    )
    per_move = alternate(
        {rules.title: partial(microseconds, rules) for rules in GAMES} | {"python-chess": chess_microseconds}
    )
    trees = json.loads((GOLDEN / "trees.json").read_text())
    per_second: dict[str, Callable[[], float]] = {"python-chess": partial(counted, chess_lines)}
    for tree in trees.values():
        rules = rules_of(tree["rules"])
        deal = parse_position(tree["deal"], rules.layout)
        per_second[rules.title] = partial(counted, partial(lines, rules, deal, len(tree["lines"]) - 1))
    rates = alternate(per_second)
    chess_us, chess_rate = per_move["python-chess"], rates["python-chess"]
    for rules in GAMES:
        goal = "<= 150 us"
        figures.show(
            [
                Row(
                    f"12: a move of {rules.title}",
                    per_move[rules.title],
                    "us",
                    "python-chess",
                    chess_us,
                    goal,
                    True,
                ),
                Row(f"lines of {rules.title}", rates[rules.title], "/s", "python-chess", chess_rate),
            ]
        )
