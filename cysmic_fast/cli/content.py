"""``cysmic content``: what a content pack holds, where it comes from, whether it is valid; a new pack."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cysmic_fast.cli._shared import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cysmic_fast.content import Content, Entry

_commands = typer.Typer(
    help="Content packs: cards, provenance, validation, an example.", no_args_is_help=True
)

_Packs = Annotated[
    list[Path] | None,
    typer.Option(
        "--pack", metavar="DIR", help="A pack over the standard one; repeat for more, later ones win."
    ),
]


def register(app: typer.Typer) -> None:
    """Add the commands to ``app``."""
    app.add_typer(_commands, name="content")


@_commands.command()
def report(
    pack: _Packs = None,
    status: Annotated[
        list[str] | None,
        typer.Option(
            metavar="STATUS",
            help="List values of this status; repeat for more. Default: inferred and stand-in.",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON: counts and every value.")] = False,
) -> None:
    """Count values by status and list every value that is not the rulebook's."""
    from cysmic_fast.content import STATUSES, load_content

    for word in status or ():
        if word not in STATUSES:
            raise typer.BadParameter(f"{word!r}; allowed: {', '.join(STATUSES)}", param_hint="--status")
    content = load_content(*(pack or ()))
    if as_json:
        typer.echo(json.dumps(_report_data(content, status), indent=1))
    else:
        _print_report(content, status or ["inferred", "stand-in"])


@_commands.command()
def validate(
    path: Annotated[
        Path, typer.Argument(metavar="PATH", help="Folder of a pack, checked over the standard one.")
    ],
) -> None:
    """Check a pack; exit status 1 and every defect if it has any. Warnings leave it valid."""
    from cysmic_fast.content import PackError, load_content
    from cysmic_fast.content.cautions import cautions
    from cysmic_fast.errors import ContentError

    try:
        content = load_content(path)
    except PackError as error:
        for defect in error.defects:
            say(str(defect))
        say(f"{path}: {len(error.defects)} defect{'s'[: len(error.defects) != 1]}", err=True)
        raise typer.Exit(1) from None
    except ContentError as error:
        say(str(error), err=True)
        raise typer.Exit(1) from None
    for caution in cautions(content):
        typer.echo(f"warning: {caution}", err=True)
    own = content.name.rpartition("+")[2]
    number = sum(entry.pack == own for entry in content.entries)
    say(f"{path}: valid; it sets {number} of {len(content.entries)} values; hash {content.hash}")


@_commands.command()
def show(
    kind: Annotated[
        str | None, typer.Argument(metavar="KIND", help="discovery, event, relic or faction.")
    ] = None,
    card: Annotated[
        str | None, typer.Argument(metavar="CARD", help="Id or name; letter case does not matter.")
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="All cards of the kind; without a kind, of all kinds.")
    ] = False,
    pack: _Packs = None,
) -> None:
    """Print cards in plain English, made from their programs, with rewards, icons and provenance."""
    from cysmic_fast.content import load_content
    from cysmic_fast.content.show import CARD_KINDS, card_text, cards_of, find_card

    kinds = [known for known in CARD_KINDS if kind in (known, None)]
    if not kinds:
        raise typer.BadParameter(f"{kind!r}; allowed: {', '.join(CARD_KINDS)}", param_hint="KIND")
    if everything == (card is not None) or (kind is None and not everything):
        raise typer.BadParameter("give a card, or --all instead of it", param_hint="CARD")
    content = load_content(*(pack or ()))
    texts = [
        card_text(content, known, shown)
        for known in kinds
        for shown in ([find_card(content, known, card)] if card is not None else cards_of(content, known))
    ]
    say("\n\n".join(texts))


@_commands.command()
def new_pack(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new or empty folder.")],
) -> None:
    """Write a commented example pack: it changes, re-counts, removes and adds cards."""
    from cysmic_fast.content.new_pack import write_example_pack

    for file in write_example_pack(folder):
        say(str(file))
    say(f"Check it with: cysmic content validate {folder}")


def _counts(entries: Sequence[Entry]) -> dict[str, int]:
    from cysmic_fast.content import STATUSES

    counts = Counter(entry.status for entry in entries)
    return {status: counts[status] for status in STATUSES}


def _by_file(content: Content) -> dict[str, dict[str, int]]:
    files: dict[str, list[Entry]] = {}
    for entry in content.entries:
        files.setdefault(entry.path.partition(":")[0], []).append(entry)
    return {file: _counts(entries) for file, entries in files.items()}


def _report_data(content: Content, statuses: Sequence[str] | None) -> dict[str, Any]:
    return {
        "name": content.name,
        "version": content.version,
        "hash": content.hash,
        "counts": _counts(content.entries),
        "files": _by_file(content),
        "values": [entry._asdict() for entry in content.entries if not statuses or entry.status in statuses],
    }


def _print_report(content: Content, statuses: Sequence[str]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from cysmic_fast.content import STATUSES

    console = Console(highlight=False)
    console.print(Text(f"Content pack {content.name}, version {content.version}"))
    console.print(Text(f"hash {content.hash}"))
    table = Table("file", box=box.SIMPLE)
    for header in (*STATUSES, "all"):
        table.add_column(header, justify="right")
    for file, counts in _by_file(content).items():
        table.add_row(file, *(str(counts[s] or "") for s in STATUSES), str(sum(counts.values())))
    counts = _counts(content.entries)
    table.add_section()
    table.add_row("all", *(str(counts[s]) for s in STATUSES), str(len(content.entries)))
    console.print(table)
    for status in statuses:
        if counts[status]:
            _print_values(console, content, status)


def _print_values(console: Any, content: Content, status: str) -> None:
    """The values of one status by file: one row for the values of a card or table that share a basis."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    files: dict[str, dict[tuple[str, str], list[str]]] = {}
    for entry in content.entries:
        if entry.status == status:
            file, _, path = entry.path.partition(": ")
            place, _, key = path.rpartition(".")
            rows = files.setdefault(file, {})
            rows.setdefault((place, entry.basis), []).append(_key_and_value(key, entry.value))
    for file, rows in files.items():
        number = sum(map(len, rows.values()))
        console.print(Text(f"{status} in {file}: {number}", style="bold"))
        table = Table("where", "values", "why", box=box.SIMPLE)
        for (place, basis), values in rows.items():
            table.add_row(Text(place), Text(", ".join(values)), Text(basis))
        console.print(table)


def _key_and_value(key: str, value: Any) -> str:
    """``supply = 10``; texts, programs and rewards are named only."""
    if isinstance(value, bool):
        return f"{key} = {str(value).lower()}"
    plain = not isinstance(value, dict) and not (
        isinstance(value, list) and any(isinstance(v, dict) for v in value)
    )
    return f"{key} = {value}" if plain and key != "text" and len(str(value)) <= 80 else key
