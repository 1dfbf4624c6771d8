"""Batches driven from Python against whole games inside the native code, and what observations cost."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest

import cysmic_fast
from cysmic_fast import Batch

ROWS = 4096


@pytest.fixture(scope="module")
def batch() -> Batch:
    """4,096 four-player games, all cards on, about 400 decisions in."""
    made = Batch(cysmic_fast.load_game(players=4), ROWS, 1)
    actions = np.empty(ROWS, dtype=np.int16)
    for _ in range(400):
        made.step(made.random_actions(actions))
    assert (made.current_player >= 0).all()
    return made


def test_stepping_against_simulate(batch: Batch) -> None:
    """At least half as many decisions a second as ``simulate``, one thread, taken in turns; the games end.

    Each try measures both one after the other, and the ratios' median counts: other processes slow both.
    """
    actions = np.empty(ROWS, dtype=np.int16)
    before = batch.game_index.copy()
    ratios, rates = [], []
    for _ in range(9):
        start = time.perf_counter()
        for _ in range(100):
            batch.step(batch.random_actions(actions))
        middle = time.perf_counter()
        records = batch.game.simulate(1, 0, 200)
        end = time.perf_counter()
        assert np.isin(records["reason"], (0, 1, 2)).all()
        stepped = 100 * ROWS / (middle - start)
        ratios.append(stepped * (end - middle) / records["decisions"].sum())
        rates.append(stepped)
    while (batch.game_index == before).any():  # every game ends
        batch.step(batch.random_actions(actions))
    ratio = float(np.median(ratios))
    print(f"\nbatch of {ROWS:,} from Python: {max(rates):,.0f} decisions/s, {ratio:.2f} of simulate")
    assert ratio >= 0.5


def test_observe(benchmark: Any, batch: Batch) -> None:
    """Observations of all rows, into one array."""
    out = np.empty((ROWS, cysmic_fast.observation_spec(batch.game).size), dtype=np.int8)
    benchmark(batch.observe, out)
    state = batch.state(7)
    np.testing.assert_array_equal(out[7], state.observation(state.current_player()))
    if benchmark.stats:
        benchmark.extra_info["nanoseconds_per_row"] = benchmark.stats.stats.min / ROWS * 1e9


def test_observation_of_one_state(benchmark: Any, batch: Batch) -> None:
    state = batch.state(7)
    out = state.observation(2)
    assert benchmark(state.observation, 2, out) is out


def test_legal_mask_bool(benchmark: Any, batch: Batch) -> None:
    out = np.empty((ROWS, 512), dtype=np.bool_)
    benchmark(batch.legal_mask_bool, out)
    np.testing.assert_array_equal(out[7], batch.state(7).legal_actions_mask())
