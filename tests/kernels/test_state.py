"""The native state: what is kept incrementally, copies, threads, hits, selection, size."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cysmic_fast import _native, load_game
from cysmic_fast.content import Content, load_content
from cysmic_fast.interface import Game
from cysmic_fast.policies import RandomPolicy
from cysmic_fast.vocabulary import NUM_ACTIONS

CONFIGURATIONS = [
    {"players": players, **options}
    for players in range(2, 7)
    for options in (
        {},
        {"factions": True, "molten_core": True, "events": True, "ending": "guilty+simultaneous"},
    )
]


@pytest.mark.parametrize("options", CONFIGURATIONS, ids=str)
def test_incremental_equals_recomputed(options: dict[str, object]) -> None:
    """At every decision of a random game: sets, counts, piles and the legal mask."""
    game = load_game(**options)  # type: ignore[arg-type]
    state, policy = game.new_initial_state(3, index=1), RandomPolicy(3, 1)
    while not state.is_terminal():
        assert state.check_integrity() is None  # type: ignore[attr-defined]
        state.apply_action(policy.choose(state.legal_actions()))
    assert state.check_integrity() is None  # type: ignore[attr-defined]


def test_a_clone_is_exact_and_independent(standard: Game) -> None:
    state, policy = standard.new_initial_state(5, record=True), RandomPolicy(5, 0)
    for _ in range(400):
        state.apply_action(policy.choose(state.legal_actions()))
    twin, other = state.clone(), state.clone()
    before = state.snapshot()
    choice = random.Random(1)
    while not twin.is_terminal():
        twin.apply_action(choice.choice(twin.legal_actions()))
    assert state.snapshot() == before == other.snapshot()
    choice = random.Random(1)
    while not other.is_terminal():
        other.apply_action(choice.choice(other.legal_actions()))
    assert other.snapshot() == twin.snapshot()
    assert other.events() == twin.events()


def test_threads_play_the_same_games(standard: Game) -> None:
    alone = standard.simulate(11, 2**64 - 300, 300)
    for threads in (2, 3, 7):
        np.testing.assert_array_equal(alone, standard.simulate(11, 2**64 - 300, 300, threads=threads))


def test_simulate_plays_the_games_of_the_policy(standard: Game) -> None:
    records = standard.simulate(8, 40, 3)
    for index, record in enumerate(records, start=40):
        state, policy, decisions, options = (
            standard.new_initial_state(8, index=index),
            RandomPolicy(8, index),
            0,
            0,
        )
        while not state.is_terminal():
            legal = state.legal_actions()
            decisions, options = decisions + 1, options + len(legal)
            state.apply_action(policy.choose(legal))
        assert (record["decisions"], record["options"], record["rounds"]) == (decisions, options, state.round)
        assert record["reason"] == state.end_reason()


def test_a_state_fits() -> None:
    """At most 2 KiB; a whole number of cache lines is what a copy moves."""
    assert _native.build_info()["state_bytes"] <= 2048


def test_states_are_not_made_by_hand() -> None:
    with pytest.raises(TypeError):
        _native.NativeState()


# ------------------------------------------------------------------ hits
def brute_force_hits(content: Content, squad: list[int], dice: list[int]) -> list[int]:
    """Every set of Units whose Health values can be met by different dice (K6.1 to K6.3)."""
    types = [t for t, count in enumerate(squad) for _ in range(count)]
    found = []
    for hits in range(1 << len(types)):
        chosen = [i for i in range(len(types)) if hits >> i & 1]
        if any(i > 0 and types[i - 1] == types[i] and i - 1 not in chosen for i in chosen):
            continue
        needs = [health for i in chosen for health in content.units[types[i]].health]
        if any(
            all(die >= need for die, need in zip(order, needs, strict=True))
            for order in itertools.permutations(dice, len(needs))
        ):
            found.append(hits)
    return found


SQUADS = [
    squad
    for squad in itertools.product(range(4), range(4), range(4), range(2), range(2))
    if 1 <= sum(squad) <= 3 and squad[3] + squad[4] <= 1
]


@given(st.sampled_from(SQUADS), st.lists(st.integers(-2, 9), max_size=6))
def test_hits_are_brute_force(squad: tuple[int, ...], dice: list[int]) -> None:
    content = load_content()
    game = _native.NativeGame(load_game(players=2).options, content)
    assert _native.kernel_hits(game, list(squad), dice) == brute_force_hits(content, list(squad), dice)


# ------------------------------------------------------------------ selection
@given(st.lists(st.integers(0, 2**64 - 1), min_size=8, max_size=8))
def test_select_counts_set_bits(words: list[int]) -> None:
    legal = [64 * i + bit for i, word in enumerate(words) for bit in range(64) if word >> bit & 1]
    assert all(_native.kernel_select(words, k) == action for k, action in enumerate(legal))
    assert all(action < NUM_ACTIONS for action in legal)


@pytest.fixture(scope="module")
def standard() -> Game:
    return load_game(players=4)
