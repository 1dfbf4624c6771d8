"""What the seats know of hidden cards is part of a save of the native engine."""

from __future__ import annotations

import random
from typing import Any

import pytest

import cysmic_fast
from cysmic_fast.errors import SaveError


def game_of(players: int) -> Any:
    return cysmic_fast.load_game(players=players, factions=True, molten_core=True, events=True)


@pytest.mark.parametrize("players", [2, 4, 6])
def test_views_and_worlds_come_back(players: int) -> None:
    game, rng = game_of(players), random.Random(players)
    state, known = game.new_initial_state(5), 0
    for number in range(900):
        if number % 30 == 0:
            back = game.state_from_bytes(state.to_bytes())
            assert back == state
            for seat in range(players):
                view = state.view(seat)
                assert back.view(seat) == view
                assert back.resample(seat, number).snapshot() == state.resample(seat, number).snapshot()
                known += sum(len(p[d]["known"]) for p in view["players"] for d in ("discovery", "relics")
                             if isinstance(p[d], dict))  # fmt: skip
        if state.is_terminal():
            break
        state.apply_action(rng.choice(state.legal_actions()))
    assert known > 0


def test_knowledge_counts_for_equality() -> None:
    """The same position without what the seats know is another state, with other bytes."""
    state = game_of(3).new_initial_state(2)
    rng = random.Random(2)
    while not state._save_parts()[2] or len(state._save_parts()[2]) < 40:
        state.apply_action(rng.choice(state.legal_actions()))
    body, script, knowledge = state._save_parts()
    assert state.game._state_from_parts(body, script, False, knowledge) == state
    assert state.game._state_from_parts(body, script, False) != state


def test_damaged_knowledge() -> None:
    """Refused, or something that can be known: then worlds are drawn from it."""
    game, rng = game_of(4), random.Random(7)
    state, accepted, refused = game.new_initial_state(9), 0, 0
    while not state.is_terminal() and accepted + refused < 1500:
        state.apply_action(rng.choice(state.legal_actions()))
        body, script, knowledge = state._save_parts()
        if len(knowledge) < 40 or rng.random() < 0.7:
            continue
        for _ in range(4):
            broken = bytearray(knowledge)
            for _ in range(rng.randrange(1, 3)):
                broken[rng.randrange(len(broken))] = rng.choice((0, 1, 2, 3, 4, 8, 63, 64, 65, 127, 128, 255))
            try:
                other = game._state_from_parts(body, script, False, bytes(broken))
            except SaveError:
                refused += 1
                continue
            accepted += 1
            for seat in range(4):
                other.view(seat)
                assert other.resample(seat, 1).check_integrity() is None
    assert accepted > 50
    assert refused > 300
