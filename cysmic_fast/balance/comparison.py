"""Two reports side by side: what a changed pack does to each card."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from math import hypot
from typing import Any

import numpy as np
import numpy.typing as npt

from cysmic_fast.balance.report import BalanceReport, unlike
from cysmic_fast.balance.tables import Line, deck_of
from cysmic_fast.census import BATCHES
from cysmic_fast.errors import OptionError
from cysmic_fast.significance import holm, mark, two_sided, two_sided_t
from cysmic_fast.vocabulary import RULES_VERSION, CensusRow

__all__ = ["Change", "Comparison", "check_alike", "compare"]


@dataclass(frozen=True, slots=True)
class Change:
    """One design of one table in two reports. None: it is not in that report, or cannot be tested."""

    id: str
    name: str
    before: float | None  #: win rate in the base report
    now: float | None
    change: float | None  #: of the difference to the table's mean (``Line.difference``)
    error: float | None  #: its standard error
    p: float | None
    adjusted: float | None  #: Holm's correction for all changes of the table

    @property
    def mark(self) -> str:
        """As ``Line.mark``."""
        return mark(self.adjusted)

    def to_dict(self) -> dict[str, Any]:
        """All fields and the mark, JSON-able."""
        return {spec.name: getattr(self, spec.name) for spec in fields(self)} | {"mark": self.mark}


@dataclass(frozen=True, slots=True)
class Comparison:
    """Changes by table key, largest first where they are certain."""

    base: BalanceReport
    report: BalanceReport
    tables: dict[str, tuple[Change, ...]]

    def to_dict(self) -> dict[str, Any]:
        """JSON-able: which report is the base, and all changes."""
        return {
            "content": self.base.content,
            "content_hash": self.base.content_hash,
            "packs": list(self.base.packs),
            "games": self.base.games,
            "runs": [{"seed": r.seed, "first": r.first, "games": r.games} for r in self.base.runs],
            "tables": {key: [change.to_dict() for change in changes] for key, changes in self.tables.items()},
        }

    def __str__(self) -> str:
        from cysmic_fast.balance.text import comparison_text

        return comparison_text(self)


def compare(report: BalanceReport, base: BalanceReport) -> Comparison:
    """How each design fares in ``report`` against ``base``, matched by id.

    The reports may differ in content and in games, but not in rules, options or policy: OptionError. If the
    games are the same, seeds and indices, batch is compared with batch: a change in a card leaves most of a
    game as it was, and what is the same in both cancels. Otherwise the reports are taken as independent.
    """
    check_alike(report.options, report.policy, base, report.rules_version)
    paired = report.runs == base.runs
    tables = {}
    old = {table.key: {line.id: line for line in table.lines} for table in base.tables}
    for table in report.tables:
        now = {line.id: line for line in table.lines}
        before = old.get(table.key, {})
        ids = [*now, *(card for card in before if card not in now)]
        row = CensusRow[table.key.upper()] if table.key.upper() in CensusRow.__members__ else None
        changes = []
        for card in ids:
            change = _change(now.get(card), before.get(card))
            if paired and row is not None and change.change is not None:
                change = _paired(change, row, report, base)
            changes.append(change)
        marks = iter(holm([c.p for c in changes if c.p is not None]))
        tables[table.key] = tuple(
            sorted(
                (c if c.p is None else replace(c, adjusted=next(marks)) for c in changes),
                key=lambda c: (2.0 if c.p is None else c.p, c.id),
            )
        )
    return Comparison(base, report, tables)


def _paired(change: Change, row: CensusRow, report: BalanceReport, base: BalanceReport) -> Change:
    """The change with an error that rests on how it varies between batches of the same games."""
    parts = _batches(report, row, change.id) - _batches(base, row, change.id)
    error = float(np.sqrt(parts.var(ddof=1) * BATCHES))
    p = None
    if change.p is not None and change.change is not None:
        p = two_sided_t(change.change / error, BATCHES - 1) if error > 0 else 1.0
    return replace(change, error=error, p=p)


def _batches(report: BalanceReport, row: CensusRow, card: str) -> npt.NDArray[np.float64]:
    """A design's difference to the mean of its table as a sum over batches of games, shape (BATCHES,)."""
    census = report.census
    design = [known for known, _ in report.names[deck_of(row)]].index(card)
    seen = census.seen(row).sum(axis=1)
    scores = census.batch[row, design] / seen[design] - census.batch[row].sum(axis=0) / seen.sum()
    return np.asarray(scores / census.players, dtype=np.float64)


def check_alike(
    options: Mapping[str, Any], policy: str, base: BalanceReport, rules_version: str = RULES_VERSION
) -> None:
    """OptionError if games of these options, policy and rules cannot be compared with those of a report."""
    wanted = {"rules_version": rules_version, "options": options, "policy": policy}
    for key, mine in wanted.items():
        theirs = getattr(base, key)
        if mine != theirs:
            raise OptionError(f"compare: reports differ in {key}: {unlike(mine, theirs)}")


def _change(now: Line | None, before: Line | None) -> Change:
    line = now or before
    assert line is not None
    change = error = p = None
    if now is not None and before is not None:
        change = now.difference - before.difference
        error = hypot(now.error, before.error)
        if now.z is not None and before.z is not None:
            p = two_sided(change / error)
    return Change(
        line.id,
        line.name,
        None if before is None else before.rate,
        None if now is None else now.rate,
        change,
        error,
        p,
        None,
    )
