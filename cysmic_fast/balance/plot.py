"""Pictures of balance reports. Needs matplotlib: the extra ``plot``."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from cysmic_fast.balance.tables import Line
from cysmic_fast.errors import OptionError
from cysmic_fast.files import write_whole
from cysmic_fast.significance import Z95

if TYPE_CHECKING:
    from cysmic_fast.balance.report import BalanceReport

__all__ = ["check_plot", "plot"]

#: Tables whose lines compete for a place among the most significant cards, and what is said of the card.
_CARDS: Final = {
    "discovery_held": "held",
    "discovery_played": "played",
    "discovery_modifier": "modifier",
    "relic_held": "held",
    "relic_activated": "Activated",
}
_SUFFIXES: Final = (".png", ".svg")


def check_plot(path: Path) -> None:
    """Refuse at once what :func:`plot` could not draw: OptionError for other suffixes, or no matplotlib."""
    if path.suffix.lower() not in _SUFFIXES:
        raise OptionError(f"option 'plot': {str(path)!r} given; allowed: a file ending in .png or .svg")
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise OptionError(
            "option 'plot': matplotlib is not installed; allowed: pip install 'cysmic-fast[plot]', or no plot"
        ) from None


def plot(report: BalanceReport, path: Path, cards: int = 20) -> None:
    """Draw Factions and the ``cards`` most significant cards: 95 % intervals of the difference to the mean.

    PNG or SVG by the suffix of ``path``. The same report gives the same SVG with the same matplotlib.
    OptionError if matplotlib is missing, the suffix is another, there is nothing to draw, or the file cannot
    be written.
    """
    check_plot(path)
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    tables = {table.key: table for table in report.tables}
    panels: list[tuple[str, list[tuple[str, Line]]]] = []
    if "faction" in tables:
        factions = sorted(tables["faction"].lines, key=lambda line: (line.difference, line.id))
        panels.append(("Factions", [(f"{line.name} {line.id}", line) for line in factions]))
    found = [
        (line.p, f"{line.name} {line.id}, {word}", line)
        for key, word in _CARDS.items()
        if key in tables
        for line in tables[key].lines
        if line.p is not None
    ]
    best = sorted(found, key=lambda item: item[:2])[:cards]
    if best:
        chosen = sorted(((text, line) for _, text, line in best), key=lambda item: item[1].difference)
        panels.append((f"The {len(chosen)} most significant cards", chosen))
    if not panels:
        raise OptionError("option 'plot': the report has no Factions and no card that was tested")
    heights = [len(lines) + 3 for _, lines in panels]
    with mpl.rc_context({"svg.hashsalt": "cysmic", "svg.fonttype": "none", "font.size": 8}):
        figure = Figure(figsize=(8, 0.19 * sum(heights) + 0.6), layout="constrained")
        FigureCanvasAgg(figure)
        axes = figure.subplots(len(panels), 1, squeeze=False, height_ratios=heights)[:, 0]
        for axis, (title, lines) in zip(axes, panels, strict=True):
            _draw(axis, title, lines)
        figure.suptitle(
            f"{report.games:,} games, {report.players} players, {report.policy} policy, {report.content}"
        )
        metadata: dict[str, Any] = {"Date": None} if path.suffix.lower() == ".svg" else {"Software": None}
        drawn = BytesIO()
        figure.savefig(drawn, format=path.suffix.lower()[1:], metadata=metadata, dpi=150)
        try:
            write_whole(path, drawn.getvalue())
        except OSError as error:
            raise OptionError(
                f"option 'plot': {str(path)!r}: {error.strerror}; allowed: a file that can be written"
            ) from None


def _draw(axis: Any, title: str, lines: list[tuple[str, Line]]) -> None:
    """One panel: a point and an interval for each line, red or blue where significant."""
    for height, (_, line) in enumerate(lines):
        significant = line.adjusted is not None and line.adjusted < 0.05
        colour = ("tab:blue" if line.difference > 0 else "tab:red") if significant else "grey"
        axis.errorbar(
            100 * line.difference,
            height,
            xerr=100 * Z95 * line.error,
            fmt="o",
            markersize=3,
            color=colour,
            elinewidth=1.2,
        )
    axis.axvline(0, color="black", linewidth=0.8)
    axis.set_yticks(range(len(lines)), [f"{text} {line.mark}".rstrip() for text, line in lines])
    axis.set_ylim(-0.8, len(lines) - 0.2)
    axis.set_title(title, fontsize=9)
    axis.set_xlabel("win rate, percentage points from the mean of its table; 95 % intervals")
    axis.grid(axis="x", linewidth=0.3)
