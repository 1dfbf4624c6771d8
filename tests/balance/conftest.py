"""Tests of balance reports; games that end in Launches soon."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_packs import write_pack

from cysmic_fast import load_game
from cysmic_fast._crosscheck_data import PACKS
from cysmic_fast.balance import BalanceReport, measure
from cysmic_fast.interface import Game


@pytest.fixture(scope="session")
def quick_pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Cheap Modules: random games of 40 rounds have winners."""
    return write_pack(tmp_path_factory.mktemp("packs") / "quick", PACKS["quick"])


@pytest.fixture(scope="session")
def quick_game(quick_pack: Path) -> Game:
    return load_game(
        players=3,
        packs=quick_pack,
        factions=True,
        molten_core=True,
        events=True,
        ending="build_it+equality",
        max_rounds=120,
    )


@pytest.fixture(scope="session")
def quick_report(quick_game: Game) -> BalanceReport:
    return measure(quick_game, 1200, seed=5, threads=2)
