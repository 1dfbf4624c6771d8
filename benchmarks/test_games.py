"""Whole random games from set-up: the figures that docs/performance.md quotes.

``pytest benchmarks --benchmark-enable`` prints the table; the ratios are asserted.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import cysmic_fast

Stopwatch = Callable[..., float]


def check(records: np.ndarray, players: int) -> int:
    """The games ended, and their counts add up; number of asked decisions."""
    assert np.isin(records["reason"], (0, 1, 2)).all()  # Launch, no tiles left, round cap
    assert (records["rounds"] >= 1).all()
    assert (records["decisions"] > 50).all()
    assert (records["options"] >= 2 * records["decisions"].astype(np.uint64)).all()
    assert (records["winners"] < 1 << players).all()
    won = records["reason"] == 0
    assert ((records["winners"] > 0) == won).all()
    return int(records["decisions"].sum())


@pytest.mark.parametrize("players", [2, 4, 6])
def test_native_games(benchmark: Any, players: int) -> None:
    game = cysmic_fast.load_game(players=players)
    records = benchmark(game.simulate, 1, 0, 200)
    benchmark.extra_info["decisions_per_second"] = (
        check(records, players) / benchmark.stats.stats.min if benchmark.stats else None
    )


def test_reference_games(benchmark: Any) -> None:
    game = cysmic_fast.load_game(players=4, engine="reference")
    records = benchmark.pedantic(game.simulate, args=(1, 0, 1), rounds=3)
    check(records, 4)


def test_native_against_reference(stopwatch: Stopwatch) -> None:
    """At least 200 times as many decisions a second, on the same games."""
    native = cysmic_fast.load_game(players=4)
    reference = cysmic_fast.load_game(players=4, engine="reference")
    assert (native.simulate(1, 0, 2) == reference.simulate(1, 0, 2)).all()
    decisions = check(native.simulate(1, 0, 400), 4)
    fast = decisions / stopwatch(lambda: native.simulate(1, 0, 400), 5)
    slow = check(reference.simulate(1, 0, 2), 4) / stopwatch(lambda: reference.simulate(1, 0, 2), 2)
    print(f"\nnative {fast:,.0f} decisions/s, reference {slow:,.0f} decisions/s, ratio {fast / slow:,.0f}")
    assert fast / slow >= 200


def test_two_threads(stopwatch: Stopwatch) -> None:
    """Two threads are at least 1.85 times one, with identical records (needs two idle cores)."""
    game = cysmic_fast.load_game(players=4)
    one, two = game.simulate(1, 0, 2000, threads=1), game.simulate(1, 0, 2000, threads=2)
    assert (one == two).all()
    single = stopwatch(lambda: game.simulate(1, 0, 2000, threads=1), 5)
    double = stopwatch(lambda: game.simulate(1, 0, 2000, threads=2), 5)
    print(f"\ntwo threads: {single / double:.2f} times one")
    assert single / double >= 1.85
