"""Balance reports and comparisons as tables of text."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

from cysmic_fast.balance.tables import EventLine, Line, Table
from cysmic_fast.errors import OptionError
from cysmic_fast.names import shown, suggest
from cysmic_fast.significance import Z95

if TYPE_CHECKING:
    from rich.console import Console

    from cysmic_fast.balance.comparison import Change, Comparison
    from cysmic_fast.balance.report import BalanceReport

__all__ = [
    "SORTS",
    "check_sort",
    "comparison_text",
    "print_comparison",
    "print_report",
    "report_text",
]

#: Orders of the lines of a table.
SORTS: Final[dict[str, Callable[[Line], tuple[object, ...]]]] = {
    "difference": lambda line: (-line.difference, line.id),
    "rate": lambda line: (-line.rate, line.id),
    "seen": lambda line: (-line.seen, line.id),
    "p": lambda line: (2.0 if line.p is None else line.p, line.id),
    "id": lambda line: (line.id,),
}
#: Tables that stay in their own order.
_ORDERED: Final = ("seat", "place")
_WIDTH: Final = 100


def check_sort(sort: object) -> str:
    """A known order; OptionError for any other."""
    if not isinstance(sort, str) or sort not in SORTS:
        hint = suggest(sort, SORTS) if isinstance(sort, str) else ""
        raise OptionError(f"option 'sort': {shown(sort)} given; allowed: {', '.join(SORTS)}{hint}")
    return sort


def points(share: float) -> str:
    """A difference of shares in percentage points."""
    return f"{round(100 * share, 2) + 0.0:+.2f}"  # no -0.00


def report_text(report: BalanceReport) -> str:
    """All tables that are printed without request."""
    return _captured(lambda console: print_report(report, console))


def comparison_text(comparison: Comparison) -> str:
    """All changes of the tables that are printed without request."""
    return _captured(lambda console: print_comparison(comparison, console))


def _captured(show: Callable[[Console], None]) -> str:
    from rich.console import Console

    out = io.StringIO()
    show(Console(file=out, width=_WIDTH, highlight=False, color_system=None))
    return out.getvalue()


def print_report(
    report: BalanceReport,
    console: Console,
    sort: str = "difference",
    top: int | None = None,
    detail: bool = False,
) -> None:
    """Print a report: of each table the first ``top`` lines (None: all); with ``detail`` all tables."""
    console.print(
        f"{report.games:,} games, {report.players} players, {report.policy} policy, ending "
        f"{report.options['launch']}+{report.options['end_trigger']}, content {report.content}"
        f" {report.content_hash[:12]}",
        markup=False,
        soft_wrap=True,
    )
    shares = report.wins / max(1, report.games * report.players)
    console.print(f"{report.wins:,} wins, {shares:.2%} of all seats", markup=False, soft_wrap=True)
    if report.left_out:
        some, why = len(report.left_out), report.left_out[0].why
        console.print(f"{some:,} games left out: {why}" + ", ..." * (some > 1), markup=False, soft_wrap=True)
    if report.warning:
        console.print(f"WARNING: {report.warning}", markup=False, soft_wrap=True, style="bold red")
    for table in report.tables:
        if detail or not table.detail:
            lines = table.lines
            if table.key not in _ORDERED:
                lines = tuple(sorted(lines, key=SORTS[check_sort(sort)]))
            _print_table(console, table, lines[:top])
    console.print(
        "difference: percentage points to the mean of the table, from winners and losers of the same games, "
        "± 95%.\n* ** ***: significant at 5, 1, 0.1 % after Holm's correction for all of a table; "
        f"?: not tested, fewer than {report.min_seen} seen or too few wins. More in docs/balance.md.",
        markup=False,
        soft_wrap=True,
    )


def _print_table(console: Console, table: Table, lines: Iterable[Line]) -> None:
    from rich import box
    from rich.table import Table as RichTable

    shown_lines = list(lines)
    events = isinstance(table.lines[0], EventLine)
    comparisons = f"{table.comparisons} comparison{'s' * (table.comparisons != 1)}"
    title = f"{table.title} ({'Launch' if events else 'win'} rate {table.rate:.2%}, {comparisons})"
    if len(shown_lines) < len(table.lines):
        title += f"; {len(shown_lines)} of {len(table.lines)}"
    console.print(title, markup=False, soft_wrap=True, style="bold")
    out = RichTable(box=box.SIMPLE, pad_edge=False)
    out.add_column("", no_wrap=True)
    out.add_column("", no_wrap=True)
    for header in ("games", "Launch") if events else ("seen", "won"):
        out.add_column(header, justify="right", no_wrap=True)
    if not events:
        out.add_column("95% interval", justify="right", no_wrap=True)
    out.add_column("difference", justify="right", no_wrap=True)
    out.add_column("", no_wrap=True)
    if events:
        for header in ("rounds", "difference"):
            out.add_column(header, justify="right", no_wrap=True)
        out.add_column("", no_wrap=True)
    for line in shown_lines:
        cells = [line.id, line.name, f"{line.seen:,}", f"{line.rate:.2%}"]
        if not events:
            cells.append(f"{line.low:.2%} to {line.high:.2%}")
        cells += [f"{points(line.difference)} ± {100 * Z95 * line.error:.2f}", line.mark]
        if isinstance(line, EventLine):
            half = Z95 * line.rounds_error
            cells += [
                f"{line.rounds:.1f}",
                f"{round(line.rounds_difference, 2) + 0.0:+.2f} ± {half:.2f}",
                line.rounds_mark,
            ]
        out.add_row(*cells)
    console.print(out, markup=False)


def print_comparison(
    comparison: Comparison, console: Console, top: int | None = None, detail: bool = False
) -> None:
    """Print what changed from the base report, the most certain changes of each table first."""
    base, report = comparison.base, comparison.report
    console.print(
        f"Changes from {base.content} {base.content_hash[:12]} ({base.games:,} games) to {report.content} "
        f"{report.content_hash[:12]} ({report.games:,} games)",
        markup=False,
        soft_wrap=True,
        style="bold",
    )
    details = {table.key: table for table in report.tables}
    for key, changes in comparison.tables.items():
        if detail or not details[key].detail:
            _print_changes(console, details[key].title, changes[:top], len(changes))


def _print_changes(console: Console, title: str, changes: Iterable[Change], number: int) -> None:
    from rich import box
    from rich.table import Table as RichTable

    shown_changes = list(changes)
    rest = f"; {len(shown_changes)} of {number}" if len(shown_changes) < number else ""
    console.print(f"{title}: changes{rest}", markup=False, soft_wrap=True, style="bold")
    out = RichTable(box=box.SIMPLE, pad_edge=False)
    out.add_column("", no_wrap=True)
    out.add_column("", no_wrap=True)
    for header in ("before", "now", "change"):
        out.add_column(header, justify="right", no_wrap=True)
    out.add_column("", no_wrap=True)
    for change in shown_changes:
        text = "gone" if change.now is None else "new"
        if change.change is not None and change.error is not None:
            text = f"{points(change.change)} ± {100 * Z95 * change.error:.2f}"
        rates = ["" if rate is None else f"{rate:.2%}" for rate in (change.before, change.now)]
        out.add_row(change.id, change.name, *rates, text, change.mark)
    console.print(out, markup=False)
