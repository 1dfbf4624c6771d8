"""A short lock-step soak, and every game on which the engines once disagreed."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from cysmic_fast.crosscheck import CONFIGS, Config, check_game, select, soak

_spec = importlib.util.spec_from_file_location("regressions", Path(__file__).with_name("regressions.py"))
assert _spec is not None
assert _spec.loader is not None
_regressions = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_regressions)
REGRESSIONS: list[tuple[str, int, int, str]] = _regressions.REGRESSIONS


def some(players: int) -> list[Config]:
    """The matrix, of the random packs two; the soak plays all of them."""
    return [c for c in select([players]) if not c.drawn or c.name.endswith(("random0", "random1"))]


@pytest.mark.parametrize(("config", "seed", "index", "what"), REGRESSIONS)
def test_once_different(config: str, seed: int, index: int, what: str) -> None:
    check_game(CONFIGS[config], seed, index, every=3)


@pytest.mark.parametrize("players", range(2, 7))
def test_set_up_and_first_turns(players: int) -> None:
    """Every configuration of this number of players, from set-up through some turns."""
    for index, config in enumerate(some(players)):
        check_game(config, 11, index, every=20, limit=60, sides=0.0)


@pytest.mark.parametrize("players", range(2, 7))
def test_soak(players: int) -> None:
    report = soak(some(players), seed=12, seconds=4, every=20)
    for divergence in report.divergences:
        raise divergence
    assert report.games
