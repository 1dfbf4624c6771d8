"""Saves of released versions load for ever, as what they were."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

import cysmic_fast
from cysmic_fast.replay import state_hash

GOLDEN = Path(__file__).parents[1] / "golden" / "saves"
PACKS = Path(__file__).parents[2] / "examples"
SAVES = sorted(GOLDEN.glob("v*/*.bin"))


@pytest.mark.parametrize("path", SAVES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_loads_as_what_it_was(path: Path) -> None:
    told: dict[str, Any] = json.loads(path.with_suffix(".json").read_text("utf-8"))
    packs = [PACKS / told["pack"]] if told["pack"] else []
    state = cysmic_fast.state_from_bytes(path.read_bytes(), packs=packs)
    assert state_hash(state) == told["snapshot"]
    assert state.decision().name == told["decision"]
    assert state.current_player() == told["player"]
    assert state.legal_actions() == told["actions"]
    rng = random.Random(1)
    for _ in range(50):
        if not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))


def test_all_situations_are_there() -> None:
    asked = {json.loads(path.with_suffix(".json").read_text("utf-8"))["decision"] for path in SAVES}
    assert len(SAVES) >= 18
    assert {
        "CHOOSE_FACTION",
        "PLACE_SHIP",
        "STRIKE_OR_FLEE",
        "TRADE_ANSWER",
        "LAUNCH",
        "REACT",
        "NONE",
    } <= asked
    players = {cysmic_fast.save_info(path.read_bytes()).options.get("players", 4) for path in SAVES}
    assert players == {2, 3, 4, 5, 6}


def test_the_script_never_touches_what_is_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import importlib.util

    spec = importlib.util.spec_from_file_location("add", GOLDEN / "add.py")
    assert spec is not None
    assert spec.loader is not None
    add: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(add)
    monkeypatch.setattr(add, "FOLDER", tmp_path)
    monkeypatch.setattr(add, "WANTED", {name: add.WANTED[name] for name in ("factions", "ships_2_players")})
    (tmp_path / "factions.bin").write_bytes(b"old")
    assert add.main() == 0
    assert (tmp_path / "factions.bin").read_bytes() == b"old"
    assert not (tmp_path / "factions.json").exists()
    assert (tmp_path / "ships_2_players.bin").read_bytes() == (
        GOLDEN / "v1" / "ships_2_players.bin"
    ).read_bytes()
