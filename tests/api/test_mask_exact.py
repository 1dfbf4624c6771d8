"""An action is accepted exactly when it is in the mask: every id at decisions of every kind, on both engines.

States are sampled from random games of many configurations, rare kinds of decisions more often. A refused
action leaves the state as it was; an accepted one is applied to a copy and leaves the original alone.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from cysmic_fast._crosscheck_data import CONFIGS, load_one
from cysmic_fast.errors import GameOverError, IllegalActionError
from cysmic_fast.interface import State
from cysmic_fast.vocabulary import DONE, NO, NUM_ACTIONS, DecisionKind

#: Numbers that a narrow integer would take for an id in the mask, and things that are no numbers.
OUTSIDE: tuple[Any, ...] = (
    -1,
    NUM_ACTIONS,
    2**31,
    2**63,
    2**64,
    -(2**63),
    2**200,
    None,
    True,
    1.0,
    "1",
    b"\0",
    [1],
)
#: Configurations to sample from: small, full, with Launches, with random packs and cards.
VARIANTS = (
    "everything",
    "quick+blueprints1",
    "quick+guilty+equality",
    "regrouped",
    "tight",
    "random0",
    "cards0",
    "cards3",
)
NAMES = [
    name for players in range(2, 7) for variant in VARIANTS if (name := f"{players}p:{variant}") in CONFIGS
]
#: Kinds that random games do not ask: no decision; how a Unit moves that could walk and jump (of a card)
RARE = {DecisionKind.NONE, DecisionKind.MOVE_MODE}


def refused(state: State, action: Any) -> bool:
    try:
        state.apply_action(action)
    except IllegalActionError:
        return True
    return False


def check(state: State, rng: random.Random, ids: int = NUM_ACTIONS, copies: int = NUM_ACTIONS) -> int:
    """So many ids, and some that are none, on a state that is not over; the number of pairs tried."""
    legal = state.legal_actions()
    mask = state.legal_actions_mask()
    assert mask.shape == (NUM_ACTIONS,)
    assert mask.nonzero()[0].tolist() == legal
    before = state.snapshot()
    illegal = [action for action in range(NUM_ACTIONS) if not mask[action]]
    illegal = rng.sample(illegal, min(ids, len(illegal)))
    wrapped = [legal[0] + 2**bits for bits in (9, 16, 32, 64)]
    for action in (*illegal, *OUTSIDE, *wrapped, *(action - NUM_ACTIONS for action in legal[:3])):
        assert refused(state, action), (state, action)
    chosen = rng.sample(legal, min(copies, len(legal)))
    for action in chosen:
        copy = state.clone()
        copy.apply_action(action if rng.random() < 0.7 else np.uint16(action))
        assert copy.is_terminal() or len(copy.legal_actions()) >= 2
    assert state.legal_actions() == legal
    assert state.snapshot() == before
    return len(illegal) + len(chosen)


def play(engine: str, number: int, seed: int, seen: Counter[DecisionKind], rate: float, **how: int) -> int:
    """A random game; checked are the first states of each kind of decision, and some others. Pairs tried."""
    tried, rng = 0, random.Random(f"{seed} {number}")
    name = NAMES[number % len(NAMES)]
    state = load_one(CONFIGS[name], engine).new_initial_state(seed, index=number, record=number % 5 == 0)
    while not state.is_terminal():
        kind = state.decision()
        if seen[kind] < 2 or rng.random() < rate:
            seen[kind] += 1
            tried += check(state, rng, **how)
        legal = state.legal_actions()
        if number % 2 and rng.random() < 0.9:  # play that declines little gets further
            legal = [action for action in legal if action not in (DONE, NO)] or legal
        state.apply_action(rng.choice(legal))
    for action in (0, 1, NUM_ACTIONS - 1):
        with pytest.raises(GameOverError):
            state.apply_action(action)
    return tried


def test_native() -> None:
    seen: Counter[DecisionKind] = Counter()
    tried = sum(play("native", number, 8, seen, 1 / 1000) for number in range(len(NAMES)))
    assert tried >= 100_000
    assert len(set(DecisionKind) - RARE - set(seen)) <= 3, set(DecisionKind) - set(seen)


def test_reference() -> None:
    seen: Counter[DecisionKind] = Counter()
    tried = sum(play("reference", number, 9, seen, 1 / 500, ids=80, copies=2) for number in range(3))
    assert tried >= 5_000
    assert len(seen) >= 50


@pytest.mark.soak
def test_a_hundred_thousand_states() -> None:
    """Ten to twenty minutes."""
    seen: Counter[DecisionKind] = Counter()
    number = 0
    while seen.total() < 100_000:
        play("native", number, 10, seen, 0.2, copies=8)
        number += 1
    assert set(DecisionKind) - RARE <= set(seen)
