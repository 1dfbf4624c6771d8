"""``cysmic info``: what a bug report needs."""

from __future__ import annotations

import json
import platform
from typing import Annotated, Any

import typer

__all__ = ["collect", "register"]


def register(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    app.command()(info)


def info(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Show versions, build flags, sizes and content of this installation."""
    found = collect()
    if as_json:
        typer.echo(json.dumps(found, indent=1))
        return
    width = max(map(len, found))
    for key, value in found.items():
        if isinstance(value, dict):
            value = ", ".join(f"{name} {number}" for name, number in value.items())
        typer.echo(f"{key.replace('_', ' '):{width}}  {value}")


def collect() -> dict[str, Any]:
    """Everything ``cysmic info`` shows, JSON-able. Without the compiled engine ``native`` says why."""
    import numpy as np

    from cysmic_fast import __version__
    from cysmic_fast.content import load_content
    from cysmic_fast.vocabulary import ACTION_VOCABULARY_VERSION, NUM_ACTIONS, POSITION_VERSION, RULES_VERSION

    content = load_content()
    counts: dict[str, int] = {}
    for entry in content.entries:
        counts[entry.status] = counts.get(entry.status, 0) + 1
    found: dict[str, Any] = {
        "version": __version__,
        "rules_version": RULES_VERSION,
        "action_vocabulary_version": ACTION_VOCABULARY_VERSION,
        "position_version": POSITION_VERSION,
        "num_actions": NUM_ACTIONS,
    }
    try:
        from cysmic_fast import _native

        build: dict[str, Any] = dict(_native.build_info())
        found["native"] = "built"
        found |= build
    except (ImportError, AttributeError) as error:
        found["native"] = f"not available: {error}"
    found |= {
        "content": f"{content.name} {content.version}",
        "content_hash": content.hash,
        "content_counts": counts,
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "numpy": np.__version__,
        "platform": platform.platform(),
        "machine": platform.machine(),
    }
    return found
