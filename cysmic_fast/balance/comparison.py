"""Two reports side by side: what a changed pack does to each card."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from math import hypot
from typing import Any

from cysmic_fast.balance.report import BalanceReport, unlike
from cysmic_fast.balance.tables import Line
from cysmic_fast.errors import OptionError
from cysmic_fast.significance import holm, mark, two_sided
from cysmic_fast.vocabulary import RULES_VERSION

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

    The reports may differ in content and in games, but not in rules, options or policy: OptionError. They are
    taken as independent. Played with the same seeds they are alike rather than unlike, so that the test errs
    on the safe side.
    """
    check_alike(report.options, report.policy, base, report.rules_version)
    tables = {}
    old = {table.key: {line.id: line for line in table.lines} for table in base.tables}
    for table in report.tables:
        now = {line.id: line for line in table.lines}
        before = old.get(table.key, {})
        ids = [*now, *(card for card in before if card not in now)]
        changes = [_change(now.get(card), before.get(card)) for card in ids]
        marks = iter(holm([c.p for c in changes if c.p is not None]))
        tables[table.key] = tuple(
            sorted(
                (c if c.p is None else replace(c, adjusted=next(marks)) for c in changes),
                key=lambda c: (2.0 if c.p is None else c.p, c.id),
            )
        )
    return Comparison(base, report, tables)


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
