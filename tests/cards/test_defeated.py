"""Units about to go (docs/cards.md, C19, C93, C94): what spares one of several like Units."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from abilities import FIELD, dice, fight
from card_strategies import write_pack
from scenario import Table
from scenario import units as counted

from cysmic_fast.content import load_content


def answer_with(engine: str, folder: Path, step: dict[str, Any], theirs: str, hits: str) -> Table:
    """Seat 0 hits Units of seat 1, whose Faction answers with ``step``; played until nobody is asked more."""
    trigger = {"on": "defeated", "by": "enemy", "of": "self", "kind": ["strike"], "once": "turn"}
    rule = {"trigger": trigger, "effect": [step]}
    ability = [{"name": "No One Left", "text": "Made for the test.", "rules": [rule]}]
    pack = {"factions.toml": {"card": [{"id": "F23", "min_players": 2, "ability": ability}]}}
    content = load_content(write_pack(folder / "made", pack))
    t = fight(
        engine, "3 soldier", theirs, {"faction": "F01"}, {"faction": "F23"},
        script=dice([4, 4, 4]), options={"content": content},
    )  # fmt: skip
    return t.do("strike", hits)


@pytest.mark.rule("V2.4", "V7.4")
@pytest.mark.parametrize("verb", ["move", "place"])
def test_whoever_is_taken_away_is_spared(engine: str, tmp_path: Path, verb: str) -> None:
    """One of two Soldiers is hit; by way of $unit one goes elsewhere, the other one was never meant."""
    step: dict[str, Any] = {"do": verb, "units": "$unit", "n": 1}
    if verb == "place":
        step["to"] = {"near": {"space": "$space", "min": 1}}
    else:
        step["must"] = True
    t = answer_with(engine, tmp_path, step, "2 soldier", "hits:1")
    while t.kind in ("UNIT_SPACE", "UNIT_TYPE", "MOVE_TO", "PLACE_TO"):
        t.do(t.options()[-1])
    assert not any(t.captured(0, 1))
    assert t.units(1, FIELD) == counted("soldier")


@pytest.mark.rule("R3.5")
def test_whoever_is_converted_is_spared(engine: str, tmp_path: Path) -> None:
    """One of two Soldiers becomes a Speaker: another piece, of which nobody was about to go."""
    t = answer_with(
        engine, tmp_path, {"do": "convert", "units": "$unit", "n": 1, "to": "speaker"}, "2 soldier", "hits:1"
    )
    assert not any(t.captured(0, 1))
    assert t.units(1, FIELD) == counted("soldier, speaker")
