"""What it costs to look through one seat's eyes: views, and worlds that agree with them."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

import cysmic_fast
from cysmic_fast.policies import RandomPolicy


def played(decisions: int) -> Any:
    """A 4-player state so many random decisions in."""
    state = cysmic_fast.load_game(players=4).new_initial_state(1)
    policy = RandomPolicy(1)
    for _ in range(decisions):
        state.apply_action(policy(state))
    return state


@pytest.mark.parametrize("decisions", [300, 2000])
def test_resample(benchmark: Any, decisions: int) -> None:
    """Early: nothing has been reshuffled; late: the rebuilt pile is known as a whole."""
    state = played(decisions)
    seeds = itertools.count()
    world = benchmark(lambda: state.resample(0, next(seeds)))
    assert world.view(0) == state.view(0)
    assert bool(state.view(0)["discovery"]["late"]) == (decisions == 2000)


def test_resampling_costs_a_few_microseconds(stopwatch: Any) -> None:
    """At most 200 times a clone: hidden cards are dealt anew without an allocation."""
    state = played(300)

    def clones() -> None:
        for _ in range(2000):
            state.clone()

    def worlds() -> None:
        for seed in range(2000):
            state.resample(0, seed)

    ratio = stopwatch(worlds) / stopwatch(clones)
    print(f"\na world costs {ratio:.0f} clones")
    assert 1 < ratio < 200


def test_view(benchmark: Any) -> None:
    state = played(300)
    assert benchmark(state.view, 0)["viewer"] == 0
