"""Benchmarks assert what they compute; speed is asserted as ratios measured in the same run only."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest


@pytest.fixture
def stopwatch() -> Callable[[Callable[[], object], int], float]:
    """``stopwatch(function, repeats)``: the best of several wall-clock times, in seconds."""

    def best(function: Callable[[], object], repeats: int = 5) -> float:
        times = []
        for _ in range(repeats):
            start = time.perf_counter()
            function()
            times.append(time.perf_counter() - start)
        return min(times)

    return best
