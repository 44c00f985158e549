"""What an experiment measured, against the marks that it must reach."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """One number and its mark; ``holds`` is None where there is no mark."""

    experiment: str
    what: str
    value: str
    mark: str
    holds: bool | None


class Figures:
    """The numbers of one experiment. In the quick form, on a machine that does other things too, times have
    wider marks, which are given as ``quick``.
    """

    def __init__(self, experiment: str, *, is_quick: bool) -> None:
        self.experiment = experiment
        self.rows: list[Figure] = []
        self._is_quick = is_quick

    def most(
        self, what: str, value: float, mark: float, unit: str = "", *, quick: float | None = None
    ) -> None:
        """A number that may be at most its mark."""
        limit = quick if quick is not None and self._is_quick else mark
        self._add(what, f"{value:.4g} {unit}", f"<= {limit:g} {unit}", value <= limit)

    def none(self, what: str, found: list[str]) -> None:
        """Things of which there may be none; the first few are told."""
        told = "; ".join(found[:5])
        self._add(what, f"{len(found)} {told}", "0", not found)

    def tell(self, what: str, value: object) -> None:
        """A number without a mark."""
        self._add(what, str(value), "", None)

    def settle(self) -> None:
        """Raises `AssertionError` if a mark was missed."""
        missed = [f"{row.what}: {row.value} ({row.mark})" for row in self.rows if row.holds is False]
        assert not missed, "\n".join(missed)

    def _add(self, what: str, value: str, mark: str, holds: bool | None) -> None:
        self.rows.append(Figure(self.experiment, what, value.strip(), mark.strip(), holds))


def table(rows: list[Figure]) -> str:
    """The figures as a table to read and to copy."""
    lines = ["| experiment | figure | value | mark | |", "| --- | --- | --- | --- | --- |"]
    says = {True: "reached", False: "MISSED", None: ""}
    lines += [f"| {r.experiment} | {r.what} | {r.value} | {r.mark} | {says[r.holds]} |" for r in rows]
    return "\n".join(lines)
