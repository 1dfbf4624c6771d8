"""Draws through the real game paths are uniform: chi-square on set-ups and on whole random games.

Seeds are fixed, so a test passes or fails for good; the thresholds are far out in the tail (p = 1e-5).
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from scipy import stats

import cysmic_fast
from cysmic_fast.policies import play_random_game
from cysmic_fast.vocabulary import ChanceKind, EventKind

P_VALUE = 1e-5


def uniform(counts: np.ndarray) -> float:
    return float(stats.chisquare(counts).pvalue)


@pytest.mark.parametrize(("engine", "samples"), [("native", 2000), ("reference", 200)])
def test_terrain_layout_is_uniform(engine: str, samples: int) -> None:
    """S2.5: every feature is equally likely on every space of its wedge."""
    game = cysmic_fast.load_game(players=2, engine=engine)
    tiles = [game.new_initial_state(11, index=i).snapshot()["tiles"] for i in range(samples)]
    features = sorted({f for t in tiles for f in t if f != "colony_city"})
    for wedge in range(6):
        spaces = [1 + 3 * r * (r - 1) + r * wedge + k for r in range(1, 7) for k in range(r)]
        table = np.zeros((len(spaces), len(features)))
        for layout in tiles:
            for row, number in enumerate(spaces):
                table[row, features.index(layout[number])] += 1
        assert stats.chi2_contingency(table).pvalue > P_VALUE


@pytest.mark.parametrize(("engine", "samples"), [("native", 6000), ("reference", 300)])
def test_first_player_is_uniform(engine: str, samples: int) -> None:
    """S4.7, for a number of players that does not divide a power of two."""
    game = cysmic_fast.load_game(players=5, engine=engine)
    counts = np.bincount(
        [game.new_initial_state(3, index=i).active_player for i in range(samples)], minlength=5
    )
    assert uniform(counts) > P_VALUE


@pytest.mark.parametrize(("engine", "samples"), [("native", 4000), ("reference", 300)])
def test_deck_order_is_uniform(engine: str, samples: int) -> None:
    """S3.7: top, bottom and middle of the Relic Deck are any card equally likely (copies counted)."""
    game = cysmic_fast.load_game(players=2, engine=engine)
    copies = Counter(game.content.relics[d].id for d in game.content.relic_deck(molten_core=False))
    ids = sorted(copies)
    decks = [game.new_initial_state(5, index=i).snapshot()["relics"]["draw"] for i in range(samples)]
    total = sum(copies.values())
    for place in (0, total // 2, total - 1):
        seen = Counter(deck[place] for deck in decks)
        expected = [samples * copies[i] / total for i in ids]
        assert stats.chisquare([seen[i] for i in ids], expected).pvalue > P_VALUE


@pytest.fixture(scope="module")
def chance_events() -> dict[int, list[int]]:
    """Outcome indices by chance kind over 150 whole random games of the native engine."""
    game = cysmic_fast.load_game(players=4, trading=False)
    found: dict[int, list[int]] = {kind: [] for kind in ChanceKind}
    for index in range(150):
        state = play_random_game(game, seed=17, index=index, record=True)
        for kind, _, a, b, _ in state.events():
            if kind == EventKind.CHANCE:
                found[a].append(b)
    return found


@pytest.mark.parametrize(
    ("kind", "faces"),
    [("RED_DIE", 12), ("YELLOW_DIE", 12), ("ATTACKER_STRIKE_DIE", 6), ("DEFENDER_STRIKE_DIE", 6)],
)
def test_dice_in_games_are_uniform(chance_events: dict[int, list[int]], kind: str, faces: int) -> None:
    """U2.8: every face of every die that games roll."""
    rolls = chance_events[ChanceKind[kind]]
    assert len(rolls) > 40 * faces
    assert uniform(np.bincount(rolls, minlength=faces)) > P_VALUE


def test_fracture_tokens_in_games(chance_events: dict[int, list[int]]) -> None:
    """Y2.1: no token is drawn twice in a game, and over many games each about equally often."""
    counts = np.bincount(chance_events[ChanceKind.FRACTURE_TOKEN], minlength=42)
    assert counts.sum() > 1000
    assert counts.max() <= 150
    assert uniform(counts) > P_VALUE
