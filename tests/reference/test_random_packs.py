"""Games with random cards: every verb, modifier and event of the vocabulary turns up somewhere."""

from __future__ import annotations

import random
from typing import Any

import pytest
from card_strategies import random_content
from reference_play import build, lively
from test_random_games import drive

from cysmic_fast.options import END_TRIGGERS, LAUNCHES, make_options


def game_of(seed: int) -> Any:
    """A game of the random pack of a seed, with everything in play."""
    options = make_options(
        players=2 + seed % 5,
        factions=True,
        molten_core=True,
        events=True,
        launch=LAUNCHES[seed % 4],
        end_trigger=END_TRIGGERS[seed % 3],
        max_rounds=14,
    )
    return build(options, random_content(seed), "reference")


@pytest.mark.parametrize("seed", range(100, 120))
def test_random_packs(seed: int) -> None:
    """Invariants, clones, reloaded positions."""
    game, rng = game_of(seed), random.Random(seed)
    state = game.new_initial_state(seed) if seed % 2 else game.state_from_position(lively(game, rng), seed)
    drive(state, rng, 150, settled=False)
