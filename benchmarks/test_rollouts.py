"""Playouts by policy: decisions a second and their ratios, measured in the same run, interleaved.

``pytest benchmarks/test_rollouts.py -s`` prints the table that docs/rollouts.md quotes.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest

import cysmic_fast
from cysmic_fast.compiled import count_legal, nth_legal, policy_bounded

ROUNDS = 5


@cysmic_fast.policy
def uniform(state: Any, mask: Any, rng: int) -> int:
    return nth_legal(mask, policy_bounded(rng, count_legal(mask)))


def check(result: cysmic_fast.RolloutResult) -> None:
    """All playouts ended, and their counts add up."""
    records = result.records
    assert records is not None
    assert len(records) == result.n == sum(result.ends.values())
    assert result.ends["cut"] == 0
    assert (records["decisions"] > 50).all()
    assert (records["options"] >= 2 * records["decisions"].astype(np.uint64)).all()
    assert ((records["winners"] > 0) == (records["reason"] == 0)).all()
    assert result.decisions.mean * result.n == records["decisions"].sum()


@pytest.mark.parametrize("players", [2, 4, 6])
def test_policies(players: int) -> None:
    """Decisions a second of random, playout, compiled and Python policies."""
    game = cysmic_fast.load_game(players=players)
    policies: dict[str, tuple[Any, int]] = {
        "random": ("random", 400),
        "playout": ("playout", 400),
        "compiled": (uniform, 400),
        "callable": (lambda state: state.legal_actions()[-1], 10),
    }
    best = dict.fromkeys(policies, 0.0)
    ends: dict[str, Any] = {}
    for _ in range(ROUNDS):
        for name, (policy, n) in policies.items():
            result = cysmic_fast.rollouts(game, n, policy, seed=1, per_game=True)
            check(result)
            best[name] = max(best[name], result.decisions_per_second)
            ends[name] = result
    assert (ends["compiled"].records == ends["random"].records).all()  # the very same games
    print(f"\n{players} players")
    for name, rate in best.items():
        launched = ends[name].ends["launch"] / ends[name].n
        print(
            f"{name:<10}{rate:>12,.0f} decisions/s, {best['random'] / rate:6.2f} times the time of random, "
            f"{ends[name].decisions.mean:,.0f} decisions a game, {launched:.1%} ended by a Launch"
        )
    assert best["playout"] > best["random"] / 3
    assert best["compiled"] > best["random"] / 3
    assert ends["playout"].ends["launch"] > 10 * max(1, ends["random"].ends["launch"])


def test_rollouts_cost_no_more_than_simulate() -> None:
    """The summary of rollouts costs little beside the playouts."""
    game = cysmic_fast.load_game(players=4)
    best = {"simulate": float("inf"), "rollouts": float("inf")}
    for _ in range(ROUNDS):
        start = time.perf_counter()
        records = game.simulate(1, 0, 500)
        best["simulate"] = min(best["simulate"], time.perf_counter() - start)
        result = cysmic_fast.rollouts(game, 500, seed=1, per_game=True)
        best["rollouts"] = min(best["rollouts"], result.seconds)
        assert result.records is not None
        assert (result.records == records).all()
    print(f"\nrollouts: {best['rollouts'] / best['simulate']:.3f} times the time of simulate")
    assert best["rollouts"] < 1.2 * best["simulate"]
