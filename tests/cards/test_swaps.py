"""`place` with swap where $space is several spaces (docs/cards.md, C42)."""

from __future__ import annotations

from pathlib import Path

import pytest
from abilities import BRINK, quake, table
from card_strategies import write_pack
from scenario import units as counted

from cysmic_fast.content import load_content

FIRST, SECOND, OUTSIDE, AWAY = "tundra-5-1", "tundra-5-3", "wetlands-3-1", "rocky-2-0"


@pytest.mark.rule("V2.4")
@pytest.mark.parametrize("mine", [FIRST, SECOND])
def test_out_of_a_collapse(engine: str, tmp_path: Path, mine: str) -> None:
    """Of the spaces about to Collapse the first with own Units is meant."""
    own = {"owner": "self", "type": "unit", "at": "$space"}
    swap = {"owner": "enemy", "type": "miner", "state": "unlocked"}
    card = {
        "id": "D74",
        "trigger": {"on": "collapse", "by": "any"},
        "ability": [{"do": "place", "units": own, "n": "all", "swap": swap}],
    }
    content = load_content(write_pack(tmp_path / "made", {"discovery.toml": {"card": [card]}}))
    me = {"units": {AWAY: "powermech", OUTSIDE: "miner"}}
    units = {SECOND: "speaker, soldier"} | ({FIRST: "soldier"} if mine == FIRST else {})
    other = {"units": units, "discovery": ["D74"]}
    script = {"fracture_token": ["tundra-5"]}
    t = quake(table(engine, me, other, cysmograph=BRINK, script=script, options={"content": content}))
    t.answer("REACT", "card:D74", seat=1)
    t.state = t.game.state_from_bytes(t.state.to_bytes(), record=True)
    assert t.units(1, OUTSIDE) == counted("soldier" if mine == FIRST else "speaker, soldier")
    t.answer("ESCAPE", "done", seat=0)  # the Miner that came
    assert not any(t.units(1, SECOND)), "the rest is lost"
