"""What a peer's file uses: the counts of one measurement, how to choose at random, the loop of a worker.

A peer's file is a module with

- ``TITLE``, ``PACKAGE`` (its name on PyPI) and ``REQUIRES`` (least Python version);
- ``version()``: version of the installed package; an ImportError says that it is not there;
- ``CASES``: names of games to functions that make a :class:`Case`.

It runs in a process of its own, so that a peer may need another interpreter; nothing of cysmic_fast is
imported except in ours.py. Time is CPU time of the process: a busy machine slows a measurement down more than
its figure.
"""

from __future__ import annotations

import json
import os
import platform
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib import import_module
from random import random
from typing import Any

clock = time.process_time


@dataclass
class Counts:
    """One measurement. Not ``exact``: decisions and options are games times the means of play from Python."""

    seconds: float = 0.0  #: CPU seconds
    games: int = 0  #: games that ended
    decisions: float = 0  #: decisions of players, forced ones included where the library asks them
    choices: float = 0  #: of these with two or more legal actions
    options: float = 0  #: legal actions, summed over the choices
    whole: bool = True  #: only whole games are counted
    exact: bool = True

    def check(self) -> Counts:
        """The counts of a measurement add up."""
        assert self.games > 0, "no game has ended"
        assert self.seconds > 0
        assert self.choices > 0
        assert self.decisions >= self.choices
        assert self.options >= 2 * self.choices
        return self


class Case:
    """A game of a library. What it does not offer stays None."""

    native: Callable[[float], Counts] | None = None  #: whole games in compiled code, for so many seconds
    batch: Callable[[float], Counts] | None = None  #: many games at once, stepped from Python
    python: Callable[[float], Counts] | None = None  #: one game, each decision taken in Python
    clone: Callable[[float], float] | None = None  #: seconds for one copy of a state, from Python
    notes: dict[str, str] = {}  # noqa: RUF012 (each kind has its own)


def repeat(seconds: float, once: Callable[[Counts], None]) -> Counts:
    """Calls ``once``, which plays one or more games and counts, until so many CPU seconds have gone by."""
    counts = Counts()
    start = clock()
    while counts.seconds < seconds:
        once(counts)
        counts.seconds = clock() - start
    return counts.check()


def time_copies(copy: Callable[[], object], seconds: float) -> float:
    """Seconds of one call, the loop's own share taken off."""
    calls = 1
    while True:
        numbers = range(calls)
        start = clock()
        for _ in numbers:
            copy()
        middle = clock()
        for _ in numbers:
            pass
        end = clock()
        if middle - start >= seconds:
            return (2 * middle - start - end) / calls
        calls = max(
            2 * calls, int(1.2 * calls * seconds / max(middle - start, 1e-6)) if middle - start > 1e-3 else 0
        )


def pick(actions: list[Any]) -> Any:
    """One of a list, as fast as Python can; the loops have this written out."""
    return actions[int(random() * len(actions))]


def serve(module: str, core: int) -> None:
    """A worker: requests as JSON lines on standard input, answers on standard output."""
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what libraries print goes to standard error

    def answer(value: object) -> None:
        print(json.dumps(value), file=out, flush=True)

    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {core})
    peer = import_module(module)
    try:
        version = peer.version()
    except ImportError as error:
        answer({"missing": str(error)})
        return
    cases: dict[str, Case] = {name: make() for name, make in peer.CASES.items()}
    modes = ("native", "batch", "python", "clone")
    answer(
        {
            "version": version,
            "python": platform.python_version(),
            "cases": {
                name: {
                    "modes": [mode for mode in modes if getattr(case, mode) is not None],
                    "notes": case.notes,
                }
                for name, case in cases.items()
            },
        }
    )
    for line in sys.stdin:
        request = json.loads(line)
        found = getattr(cases[request["case"]], request["mode"])(request["seconds"])
        answer(asdict(found) if isinstance(found, Counts) else found)
