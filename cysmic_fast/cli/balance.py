"""``cysmic balance``: plays many games and shows how each Faction, card and seat fared."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cysmic_fast.cli import _options
from cysmic_fast.cli._shared import (
    check_writable,
    default_threads,
    is_stdout,
    one_interrupt,
    playing,
    write_file,
    write_json,
)

if TYPE_CHECKING:
    from cysmic_fast.balance import BalanceReport
    from cysmic_fast.interface import Game

__all__ = ["register"]

_BASE = "standard"
_WIDTH = 100


def register(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    app.command()(balance)


def balance(
    reports: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[FILE]...", help="With --merge: reports written by --json."),
    ] = None,
    players: _options.Players = 4,
    games: _options.Games = 10000,
    policy: _options.Policy = "random",
    seed: _options.Seed = 0,
    first: _options.First = 0,
    threads: _options.Threads = None,
    engine: _options.Engine = "native",
    ending: Annotated[
        str,
        typer.Option(
            help="Launch condition, end trigger, or both joined by '+', as for cysmic simulate. Random play "
            "hardly ever Launches under base: use build_it with --max-rounds 400."
        ),
    ] = "base",
    factions: Annotated[bool, typer.Option(help="Deal Factions.")] = True,
    molten_core: Annotated[bool, typer.Option(help="With the Molten Core cards.")] = True,
    events: Annotated[bool, typer.Option(help="With the Planetary Events.")] = True,
    max_rounds: _options.MaxRounds = None,
    pack: _options.Packs = None,
    min_seen: Annotated[int, typer.Option(help="Do not test what was seen less often.")] = 100,
    sort: Annotated[
        str, typer.Option(help="Order of the lines: difference, rate, seen, p (most significant first), id.")
    ] = "difference",
    top: Annotated[int | None, typer.Option(help="Print so many lines of each table. Default: all.")] = None,
    detail: Annotated[
        bool,
        typer.Option("--detail", help="Print Action, Reaction, Rewards of Discovery Cards apart, too."),
    ] = False,
    json_file: _options.Json = None,
    csv_file: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Write all lines to FILE.")
    ] = None,
    plot_file: Annotated[
        Path | None,
        typer.Option("--plot", metavar="FILE", help="Draw Factions and cards: FILE.png or FILE.svg."),
    ] = None,
    compare: Annotated[
        str | None,
        typer.Option(
            metavar="BASE",
            help="Show changes from BASE: a report written by --json; or a folder of a content pack, or "
            "'standard', with which the same games are played first.",
        ),
    ] = None,
    merge: Annotated[
        bool, typer.Option("--merge", help="Play nothing: add up the reports FILE ... of disjoint games.")
    ] = False,
) -> None:
    """Play games and show how each Faction, card and seat fared (docs/balance.md)."""
    from rich.console import Console

    from cysmic_fast.balance import compare as compare_reports
    from cysmic_fast.balance import measure
    from cysmic_fast.balance import merge as merge_reports
    from cysmic_fast.balance.measuring import check_policy
    from cysmic_fast.balance.plot import check_plot, plot
    from cysmic_fast.balance.text import check_sort, print_comparison, print_report
    from cysmic_fast.errors import OptionError
    from cysmic_fast.game import load_game

    # Everything that can be refused is refused before games are played.
    check_sort(sort)
    check_policy(policy)
    if top is not None and top < 1:
        raise OptionError(f"option 'top': {top} given; allowed: 1 or more")
    if bool(reports) != merge:
        raise OptionError("FILE ... and --merge belong together; allowed: both or neither")
    if plot_file is not None:
        check_plot(plot_file)
    for file, option in ((json_file, "json"), (csv_file, "csv"), (plot_file, "plot")):
        check_writable(file, option)
    base = None if compare is None or _is_pack(compare) else _read(Path(compare), "compare")

    def game_of(packs: Sequence[Path]) -> Game:
        return load_game(
            players=players,
            engine=engine,
            packs=packs,
            ending=ending,
            factions=factions,
            molten_core=molten_core,
            events=events,
            max_rounds=max_rounds,
        )

    def played(game: Game) -> BalanceReport:
        with playing(console, games) as progress:
            return measure(
                game,
                games,
                seed=seed,
                first=first,
                threads=workers,
                policy=policy,
                min_seen=min_seen,
                progress=progress,
                partial=True,
            )

    workers = default_threads(engine) if threads is None else threads
    console = Console(stderr=True)
    took: dict[str, Any] = {}
    finished = True
    with one_interrupt():
        if merge:
            report = merge_reports(_read(path, "FILE") for path in reports or ())
            if base is None and compare is not None:
                raise OptionError("option 'compare': a pack given with --merge; allowed: a report")
        else:
            game = game_of(pack or ())
            if compare is not None and base is None:
                base = played(game_of(() if compare == _BASE else (Path(compare),)))
                finished = base.games == games
            elif base is not None:
                _check_comparable(game, base, policy)
            if finished:
                start = time.perf_counter()
                report = played(game)
                took = {
                    "seconds": time.perf_counter() - start,
                    "threads": workers,
                    "engine": engine,
                    "games_wanted": games,
                    "interrupted": report.games < games,
                }
                finished = report.games == games
            else:
                assert base is not None
                report, base = base, None
    comparison = None if base is None else compare_reports(report, base)
    if json_file is not None:
        data = report.to_dict() | took
        if comparison is not None:
            data["comparison"] = comparison.to_dict()
        write_json(json_file, data)
    if csv_file is not None:
        write_file(csv_file, report.to_csv(), "csv")
    if plot_file is not None:
        plot(report, plot_file)
    if not is_stdout(json_file):
        out = Console(highlight=False)
        out.width = max(out.width, _WIDTH)  # numbers are never cut off
        if comparison is None:
            print_report(report, out, sort, top, detail)
        else:
            if report.warning:
                out.print(f"WARNING: {report.warning}", markup=False, soft_wrap=True)
            print_comparison(comparison, out, top, detail)
        if took:
            speed = report.games / max(took["seconds"], 1e-9)
            out.print(
                f"{engine} engine, {workers} thread{'s' * (workers > 1)}: {took['seconds']:.1f} s, "
                f"{speed:,.0f} games/s",
                markup=False,
            )
    elif report.warning:
        typer.echo(f"cysmic: {report.warning}", err=True)
    if not finished:
        typer.echo(f"cysmic: stopped after {report.games:,} of {games:,} games", err=True)
        raise typer.Exit(130)


def _is_pack(base: str) -> bool:
    """Whether BASE is a content pack to be played, not a report."""
    return Path(base).is_dir() or (base == _BASE and not Path(base).exists())


def _read(path: Path, option: str) -> BalanceReport:
    """A report written by --json; OptionError naming the file if it is none."""
    from cysmic_fast.balance import BalanceReport
    from cysmic_fast.errors import OptionError

    allowed = "allowed: a report written by cysmic balance --json"
    try:
        return BalanceReport.from_dict(json.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise OptionError(f"option {option!r}: {str(path)!r}: {error.strerror}; {allowed}") from None
    except (ValueError, RecursionError) as error:  # no JSON, no UTF-8; OptionError is a ValueError too
        raise OptionError(f"option {option!r}: {str(path)!r}: {error}; {allowed}") from None


def _check_comparable(game: Game, base: BalanceReport, policy: str) -> None:
    """Refuse a comparison of unlike games before they are played."""
    from cysmic_fast.balance.comparison import check_alike

    check_alike(game.options.to_dict(), policy, base)
