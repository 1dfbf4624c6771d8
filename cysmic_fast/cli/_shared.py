"""What the commands that play games share: threads, interrupts, progress, files."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from cysmic_fast.errors import CysmicError

__all__ = [
    "check_writable",
    "default_threads",
    "is_stdout",
    "one_interrupt",
    "playing",
    "say",
    "versions",
    "write_file",
    "write_json",
]


def say(text: str, *, err: bool = False) -> None:
    """Print lines of which parts may come from files: what could steer the terminal is escaped."""
    from cysmic_fast.names import plain

    typer.echo("\n".join(map(plain, text.split("\n"))), err=err)


def default_threads(engine: str) -> int:
    """All CPUs this process may use; 1 for the reference engine."""
    return len(os.sched_getaffinity(0)) if engine == "native" and hasattr(os, "sched_getaffinity") else 1


@contextmanager
def one_interrupt() -> Iterator[None]:
    """The first Ctrl-C ends the playing, further ones do not disturb what is printed then."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def once(_number: int, _frame: object) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, once)
    try:
        yield
    finally:
        if signal.getsignal(signal.SIGINT) is once:
            signal.signal(signal.SIGINT, before)


@contextmanager
def playing(console: Console, games: int) -> Iterator[Callable[[int], None] | None]:
    """A progress bar, to be told how many games are done; None where the console is no terminal."""
    if not console.is_terminal:
        yield None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("games"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("games", total=games, rate="")
        start = time.perf_counter()

        def progress(done: int) -> None:
            rate = done / max(time.perf_counter() - start, 1e-9)
            bar.update(task, completed=done, rate=f"{rate:,.0f} games/s")

        yield progress


def _not_written(path: Path, option: str, error: OSError) -> CysmicError:
    from cysmic_fast.errors import OptionError

    return OptionError(
        f"option {option!r}: {str(path)!r}: {error.strerror}; allowed: a file that can be written"
    )


def is_stdout(path: Path | None) -> bool:
    """Whether ``--json -`` was given."""
    return str(path) == "-"


def check_writable(path: Path | None, option: str) -> None:
    """Refuse a file that cannot be written before hours of games are played for it (OptionError)."""
    if path is None or (option == "json" and is_stdout(path)):
        return
    there = path.exists()
    try:
        with path.open("a", encoding="utf-8"):
            pass
        if not there:
            path.unlink()
    except OSError as error:
        raise _not_written(path, option, error) from None


def write_file(path: Path, text: str, option: str) -> None:
    """Write a text file, whole or not at all; OptionError naming the option if that fails."""
    from cysmic_fast.files import write_whole

    try:
        write_whole(path, text.encode())
    except OSError as error:
        raise _not_written(path, option, error) from None


def write_json(path: Path, data: object) -> None:
    """Write what ``--json`` asks for to its file, or to standard output."""
    text = json.dumps(data, indent=1) + "\n"
    if is_stdout(path):
        typer.echo(text, nl=False)
    else:
        write_file(path, text, "json")


def versions() -> dict[str, Any]:
    """Versions of package, rules and action vocabulary."""
    from cysmic_fast import __version__
    from cysmic_fast.vocabulary import ACTION_VOCABULARY_VERSION, RULES_VERSION

    return {
        "version": __version__,
        "rules_version": RULES_VERSION,
        "action_vocabulary_version": ACTION_VOCABULARY_VERSION,
    }
