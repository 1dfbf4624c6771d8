"""``cysmic simulate``: plays many games and shows who won, how, and how fast."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cysmic_fast.cli import _options, _replays
from cysmic_fast.cli._shared import (
    check_writable,
    default_threads,
    is_stdout,
    one_interrupt,
    playing,
    versions,
    write_json,
)

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from rich.console import Console

    from cysmic_fast.interface import Game

__all__ = ["register", "run_chunks", "summarise"]

#: Seconds that one chunk of games should take: Ctrl-C and the progress bar wait for it.
_CHUNK_SECONDS = 0.25

_POLICIES = ("random", "playout")


def register(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    app.command()(simulate)


def simulate(
    mode: Annotated[str, typer.Option(help="Game mode: competitive.")] = "competitive",
    players: _options.Players = 4,
    games: _options.Games = 1000,
    policy: _options.Policy = "random",
    seed: _options.Seed = 0,
    first: _options.First = 0,
    threads: _options.Threads = None,
    engine: _options.Engine = "native",
    ending: Annotated[
        str,
        typer.Option(
            help="Launch condition (base, build_it, guilty, guilty_ignore_captives), "
            "end trigger (immediate, simultaneous, equality), or both joined by '+'."
        ),
    ] = "base",
    factions: Annotated[bool, typer.Option("--factions", help="Deal Factions.")] = False,
    molten_core: Annotated[bool, typer.Option("--molten-core", help="With the Molten Core cards.")] = False,
    events: Annotated[bool, typer.Option("--events", help="With the Planetary Events.")] = False,
    no_abilities: Annotated[
        bool,
        typer.Option(
            "--no-abilities",
            help="Without card, Relic and Faction Abilities, and effects of Planetary Events.",
        ),
    ] = False,
    no_trading: Annotated[bool, typer.Option("--no-trading", help="Without Resource Trading.")] = False,
    blueprint_variant: Annotated[
        int, typer.Option(help="Additional Blueprints with 2 or 3 players: 0, 1 or 2.")
    ] = 0,
    pack: _options.Packs = None,
    max_rounds: _options.MaxRounds = None,
    json_file: _options.Json = None,
    replays: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help=f"Write a replay of each game to DIR/SEED-INDEX.jsonl, for cysmic replay: 100 to 300 KB and "
            f"some 10 to 40 ms a game (reference: a second), at most {_replays.MOST:,} games.",
        ),
    ] = None,
) -> None:
    """Play games with the built-in policy and show the results."""
    from rich.console import Console

    from cysmic_fast.errors import OptionError
    from cysmic_fast.game import load_game
    from cysmic_fast.names import suggest
    from cysmic_fast.policies import check_word

    if policy not in _POLICIES:
        raise OptionError(
            f"option 'policy': {policy!r} given; allowed: {', '.join(_POLICIES)}{suggest(policy, _POLICIES)}"
        )
    if games < 1:
        raise OptionError(f"option 'games': {games} given; allowed: 1 or more")
    if threads is None:
        threads = default_threads(engine)
    if threads < 1:
        raise OptionError(f"option 'threads': {threads} given; allowed: 1 or more")
    check_word(seed, "seed")
    check_word(first, "first")
    check_word(first + games - 1, "first + games - 1")
    check_writable(json_file, "json")
    game = load_game(
        mode,
        players=players,
        engine=engine,
        packs=pack or (),
        ending=ending,
        factions=factions,
        molten_core=molten_core,
        events=events,
        trading=not no_trading,
        abilities=not no_abilities,
        blueprint_variant=blueprint_variant,
        max_rounds=max_rounds,
    )
    if replays is not None:  # the last: it makes the folder
        _replays.check_folder(replays, games)
    console = Console(stderr=True)
    with one_interrupt():
        records, seconds, finished = _run(game, seed, first, games, threads, console, policy)
        written = 0
        if replays is not None and finished:
            with playing(console, games) as progress:
                written = _replays.write_replays(game, seed, first, games, policy, replays, progress)
    figures = summarise(records, players)
    figures |= {
        "seconds": seconds,
        "games_per_second": len(records) / seconds if seconds else 0.0,
        "decisions_per_second": figures["decisions"] / seconds if seconds else 0.0,
        "threads": threads,
        "engine": engine,
        "policy": policy,
        "mode": mode,
        "options": game.options.to_dict(),
        "content": f"{game.content.name} {game.content.version}",
        "content_hash": game.content.hash,
        "seed": seed,
        "first": first,
        "games_wanted": games,
        "interrupted": not finished,
        **({} if replays is None else {"replays": written}),
        **versions(),
    }
    if json_file is not None:
        write_json(json_file, figures)
    if not is_stdout(json_file):
        out = Console(highlight=False)
        _show(figures, game, out)
        if replays is not None:
            out.print(f"{written:,} replays in {replays}", markup=False, soft_wrap=True)
    if not finished or (replays is not None and written < games):
        raise typer.Exit(130)


# ------------------------------------------------------------------ playing
def run_chunks(
    game: Game,
    seed: int,
    first: int,
    games: int,
    threads: int,
    progress: Callable[[int], None] | None = None,
    policy: str = "random",
) -> tuple[npt.NDArray[np.void], bool]:
    """Records of games ``first`` ... played in chunks of a quarter of a second, and whether all were.

    Ctrl-C ends the playing after the chunk at hand (of the reference engine: without it).
    """
    import numpy as np

    from cysmic_fast.stats import GAME_STATS

    parts = [np.zeros(0, dtype=GAME_STATS)]
    done, size = 0, threads
    try:
        while done < games:
            size = min(size, games - done)
            start = time.perf_counter()
            part = game.simulate(seed, first + done, size, threads=threads, policy=policy)
            elapsed = time.perf_counter() - start
            parts.append(part)
            done += size
            if progress is not None:
                progress(done)
            # At most four times as many as before: one chunk says little about the next.
            size = max(threads, min(4 * size, int(size * _CHUNK_SECONDS / max(elapsed, 1e-6))))
    except KeyboardInterrupt:
        return np.concatenate(parts), False
    return np.concatenate(parts), True


def _run(
    game: Game, seed: int, first: int, games: int, threads: int, console: Console, policy: str
) -> tuple[npt.NDArray[np.void], float, bool]:
    with playing(console, games) as progress:
        start = time.perf_counter()
        records, finished = run_chunks(game, seed, first, games, threads, progress, policy)
        seconds = time.perf_counter() - start
    return records, seconds, finished


# ------------------------------------------------------------------ figures
def _spread(values: npt.NDArray[Any]) -> dict[str, float]:
    """Mean, median, 95th percentile and extremes; zeros without values."""
    import numpy as np

    if not len(values):
        return {"mean": 0.0, "median": 0.0, "p95": 0.0, "min": 0, "max": 0}
    return {
        "mean": float(values.mean()),
        "median": float(np.median(values)),
        "p95": float(np.percentile(values, 95)),
        "min": int(values.min()),
        "max": int(values.max()),
    }


def summarise(records: npt.NDArray[np.void], players: int) -> dict[str, Any]:
    """Figures of GAME_STATS records, JSON-able; independent of time and threads.

    ``wins`` counts, by seat, the games in which the seat Launched (several may share a win);
    ``wins_by_place`` does so with seats counted from the first First Player on. ``endings`` counts games:
    ended by Launches of which none (``launch_clean``), all (``launch_die``) or some (``launch_mixed``) needed
    the Humanity Die, without tiles, at the round cap.
    """
    import numpy as np

    from cysmic_fast.significance import wilson

    count = len(records)
    wins = [int(((records["winners"] >> seat) & 1).sum()) for seat in range(players)]
    # Seats counted from the first First Player on.
    places = [
        int(((records["winners"] >> ((records["first_player"] + k) % players)) & 1).sum())
        for k in range(players)
    ]
    launched = records["reason"] == 0
    clean, die = records["launch_clean"] > 0, records["launch_die"] > 0
    endings = {
        "launch_clean": int((launched & ~die).sum()),
        "launch_die": int((launched & die & ~clean).sum()),
        "launch_mixed": int((launched & die & clean).sum()),
        "no_tiles": int((records["reason"] == 1).sum()),
        "cap": int((records["reason"] == 2).sum()),
    }
    decisions, forced = int(records["decisions"].sum()), int(records["forced"].sum())
    options = int(records["options"].sum())
    per_game = {
        name: float(records[name].mean()) if count else 0.0
        for name in (
            "tremors",
            "fractures",
            "collapsed",
            "captures",
            "destroyed",
            "combats",
            "strikes",
            "blueprints_cyber",
            "blueprints_exchange",
            "modules",
            "relics",
            "launch_failed",
        )
    }
    return {
        "games": count,
        "decisions": decisions,
        "forced": forced,
        "forced_share": forced / (decisions + forced) if decisions else 0.0,
        "mean_legal_options": options / decisions if decisions else 0.0,
        "choices_per_game": decisions / count if count else 0.0,
        "wins": wins,
        "win_intervals": [list(wilson(n, count)) for n in wins],
        "wins_by_place": places,
        "no_winner": int((records["winners"] == 0).sum()),
        "endings": endings,
        "rounds": _spread(records["rounds"]),
        "decisions_per_game": _spread(records["decisions"].astype(np.int64)),
        "per_game": per_game,
    }


def _show(figures: dict[str, Any], game: Game, console: Console) -> None:
    from rich import box
    from rich.table import Table

    count = figures["games"]
    title = (
        f"{count:,} games of {figures['mode']} mode, {game.num_players} players, {figures['policy']} policy"
    )
    if figures["interrupted"]:
        title += f" (stopped, {figures['games_wanted']:,} were wanted)"
    console.print(title, markup=False, soft_wrap=True)
    wins = Table("seat", "colour", box=box.SIMPLE)
    for header in ("wins", "share", "95% interval", "by turn order"):
        wins.add_column(header, justify="right")
    for seat, number in enumerate(figures["wins"]):
        low, high = figures["win_intervals"][seat]
        place = figures["wins_by_place"][seat]
        share = number / count if count else 0.0
        wins.add_row(
            str(seat),
            game.options.colours[seat],
            f"{number:,}",
            f"{share:.2%}",
            f"{low:.2%} to {high:.2%}",
            f"{place:,}",
        )
    wins.add_row(
        "", "nobody", f"{figures['no_winner']:,}", f"{figures['no_winner'] / count if count else 0:.2%}"
    )
    console.print(wins)

    endings = Table("how games ended", box=box.SIMPLE)
    endings.add_column("games", justify="right")
    endings.add_column("share", justify="right")
    for key, text in (
        ("launch_clean", "Launch, nobody stranded"),
        ("launch_die", "Launch by Humanity Die"),
        ("launch_mixed", "Launches of both kinds"),
        ("no_tiles", "no tiles left"),
        ("cap", "round cap"),
    ):
        number = figures["endings"][key]
        if number or key != "launch_mixed":
            endings.add_row(text, f"{number:,}", f"{number / count if count else 0:.2%}")
    console.print(endings)

    spreads = Table("per game", box=box.SIMPLE)
    for header in ("mean", "median", "p95"):
        spreads.add_column(header, justify="right")
    for key, text in (("rounds", "rounds"), ("decisions_per_game", "real choices")):
        spread = figures[key]
        spreads.add_row(text, f"{spread['mean']:,.1f}", f"{spread['median']:,.0f}", f"{spread['p95']:,.0f}")
    for key, text in (
        ("fractures", "Fractures"),
        ("collapsed", "tiles Collapsed"),
        ("combats", "Combats resolved"),
        ("captures", "Units captured"),
        ("blueprints_cyber", "Blueprints by Cyber Attack"),
        ("blueprints_exchange", "Blueprints by exchange"),
        ("modules", "Modules built"),
        ("launch_failed", "Launches failed"),
    ):
        spreads.add_row(text, f"{figures['per_game'][key]:,.2f}")
    console.print(spreads)

    console.print(
        f"{figures['decisions']:,} real choices with {figures['mean_legal_options']:.1f} legal options each; "
        f"{figures['forced_share']:.1%} of all steps were forced and not asked",
        markup=False,
        soft_wrap=True,
    )
    thread_text = f"{figures['threads']} thread{'s' if figures['threads'] > 1 else ''}"
    console.print(
        f"{figures['engine']} engine, {thread_text}: {figures['seconds']:.2f} s, "
        f"{figures['games_per_second']:,.1f} games/s, {figures['decisions_per_second']:,.0f} choices/s",
        markup=False,
        soft_wrap=True,
    )
