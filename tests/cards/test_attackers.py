"""The Unit whose Cyber Attack is answered (V1.6; docs/cards.md, C37, C97)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from abilities import dice, table
from card_strategies import write_pack
from geometry import SIDES
from scenario import Table, space

from cysmic_fast.content import load_content

SHIP = space("forest-4-1")
NEXT = min(SIDES[SHIP])
SOLDIER = {"owner": "enemy", "type": "soldier", "state": "unlocked"}


def attack(engine: str, folder: Path, units: str, red: list[int], step: dict[str, Any]) -> Table:
    """Seat 0 attacks with Negotiate from one space; on the first roll seat 1's Faction does ``step``.

    The Target Value is 2, so that a die of 2 succeeds.
    """
    rule = {"trigger": {"on": "cyber_rolled", "by": "enemy", "once": "turn"}, "effect": [step]}
    ability = [{"name": "No One Left", "text": "Made for the test.", "rules": [rule]}]
    pack = {"factions.toml": {"card": [{"id": "F23", "min_players": 2, "ability": ability}]}}
    us = {"faction": "F01", "units": {NEXT: units}, "ship": "wetlands-4-1"}
    options = {
        "content": load_content(write_pack(folder / "made", pack)),
        "colours": ("orange", "grey"),
        "trading": False,
    }
    t = table(engine, us, {"faction": "F23", "ship": SHIP}, script=dice(red), options=options)
    return t.turn("negotiate").skip("CYBER_SPACE").do(NEXT)


def won(t: Table) -> bool:
    return "control_systems" in t.player(0)["blueprints"]


@pytest.mark.rule("V1.6", "X1.7")
@pytest.mark.parametrize("units", ["soldier", "2 soldier"])
def test_one_that_was_moved_goes_on(engine: str, tmp_path: Path, units: str) -> None:
    """It is on the planet and Unlocked still; of two like Units the one that has not tried is moved."""
    step = {"do": "move", "units": SOLDIER, "n": 1, "must": True}
    t = attack(engine, tmp_path, units, [2], step)
    assert t.expect("MOVE_TO", 1)
    t.do(t.options()[-1])
    assert won(t)


@pytest.mark.rule("V1.6", "X1.7")
@pytest.mark.parametrize(("units", "success"), [("soldier", False), ("2 soldier", True)])
@pytest.mark.parametrize("verb", ["destroy", "confuse"])
def test_one_that_is_gone_has_failed(
    engine: str, tmp_path: Path, units: str, verb: str, success: bool
) -> None:
    """Destroyed or Confused it fails; of two like Units the other one is taken first (RUL-U4)."""
    t = attack(engine, tmp_path, units, [2], {"do": verb, "units": SOLDIER, "n": 1})
    assert won(t) == success
