"""What one operation costs: clone inside the native code, and the operations a bot calls from Python."""

from __future__ import annotations

from typing import Any

import pytest

import cysmic_fast
from cysmic_fast import _native


@pytest.fixture(scope="module")
def state() -> Any:
    """A state in mid-game: 300 random decisions in."""
    from cysmic_fast.policies import RandomPolicy

    made = cysmic_fast.load_game(players=4).new_initial_state(1)
    policy = RandomPolicy(1)
    for _ in range(300):
        made.apply_action(policy(made))
    return made


def test_clone_inside_native_code(state: Any) -> None:
    """At most 100 ns: the mean over a million copies of the state between two buffers."""
    times = 1_000_000
    runs = [_native.kernel_clone(state, times) for _ in range(5)]
    assert all(equal for _, equal in runs)
    nanoseconds = min(seconds for seconds, _ in runs) / times * 1e9
    print(f"\nclone inside the native code: {nanoseconds:.1f} ns")
    assert 1 < nanoseconds <= 100


def test_clone_from_python(benchmark: Any, state: Any) -> None:
    copy = benchmark(state.clone)
    assert copy.snapshot() == state.snapshot()


def test_legal_actions(benchmark: Any, state: Any) -> None:
    assert len(benchmark(state.legal_actions)) >= 2


def test_legal_actions_mask(benchmark: Any, state: Any) -> None:
    assert benchmark(state.legal_actions_mask).nonzero()[0].tolist() == state.legal_actions()


@pytest.mark.parametrize(
    "options", [{"abilities": False}, {}, {"factions": True, "molten_core": True, "events": True}]
)
def test_apply_action(benchmark: Any, options: dict[str, bool]) -> None:
    """A whole game by the same actions; what it costs an action stands in ``extra_info``."""
    from cysmic_fast.policies import RandomPolicy

    game = cysmic_fast.load_game(players=4, **options)
    state, policy, actions = game.new_initial_state(1), RandomPolicy(1), []
    while not state.is_terminal():
        actions.append(policy(state))
        state.apply_action(actions[-1])

    def play() -> Any:
        played = game.new_initial_state(1)
        apply = played.apply_action
        for action in actions:
            apply(action)
        return played

    assert benchmark(play).snapshot() == state.snapshot()
    if benchmark.stats:
        nanoseconds = benchmark.stats.stats.min / len(actions) * 1e9
        benchmark.extra_info["nanoseconds_per_action"] = nanoseconds
        print(f"\napply_action from Python: {nanoseconds:.0f} ns")


def test_new_initial_state(benchmark: Any) -> None:
    game = cysmic_fast.load_game(players=4)
    assert benchmark(game.new_initial_state, 1).current_player() in range(4)
