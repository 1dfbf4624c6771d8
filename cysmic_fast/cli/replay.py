"""``cysmic replay``: checks a replay and prints it as text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    app.command()(replay)


def replay(
    file: Annotated[Path, typer.Argument(help="A replay (docs/replays.md).")],
    engine: Annotated[
        str | None, typer.Option(help="native or reference; default: the one it was played on.")
    ] = None,
    pack: Annotated[
        list[Path] | None, typer.Option(help="Folder of a content pack the game was played with; repeatable.")
    ] = None,
    text: Annotated[bool, typer.Option("--text", help="Print the game in words (the default).")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print a summary as JSON instead.")] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Print nothing unless something is wrong.")
    ] = False,
) -> None:
    """Play a replay again, compare every decision, action and hash, and print it.

    Exit status 1 if it cannot be read, or at the first action that differs, which is named.
    """
    from cysmic_fast.narrate import Narrator
    from cysmic_fast.replay import Replay

    if sum((text, as_json, quiet)) > 1:
        raise typer.BadParameter("--text, --json and --quiet exclude one another")
    found = Replay.read(file)
    game = found.game(engine=engine, packs=pack or ())
    narrator = Narrator(game, found.header.players)
    spoken = not as_json and not quiet
    last = None
    for state in found.states(game, record=spoken):
        last = state
        if not spoken:
            continue
        for event in state.events():
            line = narrator.line(event)
            if line:
                typer.echo(line)
        state.clear_events()
    assert last is not None
    winners = [narrator.who(seat) for seat in last.winners()]
    if as_json:
        summary = {
            "verified": True,
            "engine": game.engine,
            "plies": len(found),
            "over": last.is_terminal(),
            "winners": last.winners(),
            "reason": last.end_reason(),
            "rounds": last.round,
            "hash": found.end.hash,
            "players": narrator.names,
            "options": game.options.to_dict(),
            "content": {"name": game.content.name, "hash": game.content.hash},
        }
        typer.echo(json.dumps(summary, indent=1))
    elif spoken:
        if last.is_terminal():
            typer.echo(f"Won by {', '.join(winners) or 'nobody'}.")
        else:
            typer.echo(f"\nThe replay ends in round {last.round}, before the game does.")
        typer.echo(
            f"Verified on the {game.engine} engine: {len(found)} actions, {len(found.checks) + 1} hashes."
        )
