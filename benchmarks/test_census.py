"""What counting costs: the same games with and without a census, in turns."""

from __future__ import annotations

import time
from statistics import median

import numpy as np
from pytest_benchmark.fixture import BenchmarkFixture

from cysmic_fast import load_game
from cysmic_fast.census import Census


def test_census_on_and_off(benchmark: BenchmarkFixture) -> None:
    game = load_game(
        players=4, factions=True, molten_core=True, events=True, ending="build_it", max_rounds=400
    )
    games = 100 if benchmark.disabled else 600
    plain, counted = [], []

    def both() -> None:
        census = Census(4)
        start = time.perf_counter()
        records = game.simulate(1, 0, games)
        middle = time.perf_counter()
        again = game.simulate(1, 0, games, census=census)
        counted.append(time.perf_counter() - middle)
        plain.append(middle - start)
        np.testing.assert_array_equal(records, again)
        assert census.games == games

    benchmark.pedantic(both, rounds=1 if benchmark.disabled else 7, warmup_rounds=0)
    ratio = median(c / p for c, p in zip(counted, plain, strict=True))
    benchmark.extra_info["ratio"] = ratio
    print(
        f"\nwith a census : without = {ratio:.3f} : 1 ({games / median(plain):,.0f} games a second without)"
    )
