"""Copying a state: clone, copy and deepcopy are independent and exact. Pickles: tests/saves."""

from __future__ import annotations

import copy

import pytest

import cysmic_fast


@pytest.mark.parametrize("engine", ["native", "reference"])
@pytest.mark.parametrize("how", [lambda s: s.clone(), copy.copy, copy.deepcopy])
def test_copies_are_independent(engine: str, how: object) -> None:
    state = cysmic_fast.load_game(players=3, engine=engine).new_initial_state(4)
    before = state.snapshot()
    twin = how(state)  # type: ignore[operator]
    assert twin.snapshot() == before
    for _ in range(20):
        twin.apply_action(twin.legal_actions()[-1])
    assert state.snapshot() == before
    assert twin.snapshot() != before
