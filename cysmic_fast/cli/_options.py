"""Options of the commands that play games: what they are called, take and say of themselves."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["Engine", "First", "Games", "Json", "MaxRounds", "Packs", "Players", "Policy", "Seed", "Threads"]

Players = Annotated[int, typer.Option(help="Number of players, 2 to 6.")]
Games = Annotated[int, typer.Option(help="Number of games.")]
Policy = Annotated[str, typer.Option(help="How all seats play: random, or playout (after a Launch).")]
Seed = Annotated[int, typer.Option(help="Seed of all games, 0 to 2^64 - 1.")]
First = Annotated[
    int,
    typer.Option(
        help="Index of the first game: the same seed and index, the same game; disjoint jobs add up."
    ),
]
Threads = Annotated[
    int | None,
    typer.Option(help="Threads; results do not depend on it. Default: all CPUs (reference: 1)."),
]
Engine = Annotated[str, typer.Option(help="native or reference: the same games, at different speed.")]
MaxRounds = Annotated[int | None, typer.Option(help="Cut games off after this round.")]
Packs = Annotated[
    list[Path] | None,
    typer.Option(
        metavar="DIR", help="A content pack over the standard one; repeat for more, later ones win."
    ),
]
Json = Annotated[
    Path | None,
    typer.Option("--json", metavar="FILE", help="Write all figures to FILE ('-': standard output)."),
]
