"""The ``cysmic`` command.

Every module of this package whose name has no leading underscore adds its commands to :data:`app` in a
function ``register(app)``. Such a module imports nothing heavy at its top: ``cysmic --help`` loads them all.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys

import typer

__all__ = ["app", "main"]

app = typer.Typer(
    name="cysmic",
    help="A fast, exact engine for the board game Cysmic.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from cysmic_fast import __version__

        typer.echo(f"cysmic_fast {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: bool = typer.Option(
        False, "--version", callback=_print_version, is_eager=True, help="Print the version and stop."
    ),
) -> None:
    """A fast, exact engine for the board game Cysmic."""


for _module in sorted(info.name for info in pkgutil.iter_modules(__path__)):
    if not _module.startswith("_"):
        importlib.import_module(f"{__name__}.{_module}").register(app)


def main() -> None:
    """Run the command line; an error of the package is one message and exit status 1."""
    from cysmic_fast.cli._shared import say
    from cysmic_fast.errors import CysmicError

    try:
        app()
    except CysmicError as error:
        say(f"cysmic: {error}", err=True)
        sys.exit(1)
