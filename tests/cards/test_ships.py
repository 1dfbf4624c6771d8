"""Ships on whose way something comes between (docs/cards.md, C88)."""

from __future__ import annotations

from pathlib import Path

import pytest
from abilities import BRINK, quake, table
from card_strategies import write_pack
from scenario import space

from cysmic_fast.content import load_content

SHIP, END = "tundra-5-1", "tundra-4-0"


@pytest.mark.rule("Y5.5", "Y5.6", "RUL-Y11")
@pytest.mark.parametrize("taken", [True, False])
def test_an_escape_that_comes_to_nothing(engine: str, tmp_path: Path, taken: bool) -> None:
    """Whose Unit is to be crushed sails there first: the Ship stays, and its space does not Collapse."""
    card = {
        "id": "D74",
        "trigger": {"on": "defeated", "by": "any", "of": "self"},
        "ability": [{"do": "move", "units": {"owner": "self", "type": "ship"}}],
    }
    content = load_content(write_pack(tmp_path / "made", {"discovery.toml": {"card": [card]}}))
    me = {"units": {"rocky-3-1": "powermech"}, "ship": SHIP}
    other = {"units": {END: "soldier"}, "ship": "tundra-3-0", "discovery": ["D74"]}
    t = quake(
        table(
            engine,
            me,
            other,
            cysmograph=BRINK,
            script={"fracture_token": ["tundra-5"]},
            options={"content": content},
        )
    )
    answers = [("ESCAPE_TO", END), ("REACT", "card:D74" if taken else "done")]
    for kind, answer in answers + [("MOVE_TO", END)] * taken:
        t.expect(kind)
        t.state = t.game.state_from_bytes(t.state.to_bytes(), record=True)
        t.do(answer)
    assert t.expect("BONUS", 0)
    assert t.player(0)["ship"] == space(SHIP if taken else END)
    assert t.tile(SHIP) == ("plain" if taken else "none")
    assert t.tile("tundra-5-2") == "none"
