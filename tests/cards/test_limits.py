"""Limits of the surplus discard that effects raise or lower (T7, the modifier `limit`)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from abilities import table
from card_strategies import write_pack
from scenario import Table

from cysmic_fast.content import load_content
from cysmic_fast.vocabulary import DONE, NO

#: What a seat may hold at the end of a turn, exactly: 5 cards, 5 Lorium, six cells of two Troops.
FULL: dict[str, Any] = {
    "discovery": ["D19", "D20", "D21", "D22", "D23"],
    "lorium": 5,
    "captured": {1: "6 soldier", 2: "6 soldier"},
}


def turn_ended(engine: str, folder: Path, whose: int, to: str, changes: dict[str, int], **more: Any) -> Table:
    """Seat 0 holds what it may, and ends its turn; the Faction of a seat changes limits of ``to``."""
    mods = [{"mod": "limit", "what": what, "n": n} for what, n in changes.items()]
    ability = [{"name": "Made", "text": "Made for the test.", "rules": [{"mods": mods, "to": to}]}]
    factions = [{"id": "F23", "min_players": 2, "ability": ability}]
    options = {"content": load_content(write_pack(folder / "made", {"factions.toml": {"card": factions}}))}
    seats: list[dict[str, Any]] = [{"faction": faction} for faction in ("F01", "F02", "F03")]
    seats[whose]["faction"] = "F23"
    t = table(engine, seats[0] | FULL | more, *seats[1:], options=options)
    t.turn("battle")
    while t.seat == 0 and not t.kind.startswith("DISCARD"):
        legal = t.state.legal_actions()
        t.state.apply_action(DONE if DONE in legal else NO)
    return t


@pytest.mark.rule("T7.2")
@pytest.mark.parametrize(("whose", "to"), [(0, "self"), (2, "each_opponent")])
@pytest.mark.parametrize(
    ("what", "asked"), [("discovery", "DISCARD_DISCOVERY"), ("lorium", None), ("cells", "DISCARD_CAPTIVE")]
)
def test_lowered(engine: str, tmp_path: Path, whose: int, to: str, what: str, asked: str | None) -> None:
    """What fits the printed limits is too much, by one's own rule or by an opponent's."""
    t = turn_ended(engine, tmp_path, whose, to, {what: -1})
    if asked:
        assert t.expect(asked, 0)
    else:
        assert t.seat == 1
    assert t.player(0)["lorium"] == FULL["lorium"] - (what == "lorium")


@pytest.mark.rule("T7.2")
@pytest.mark.parametrize("changes", [{"lorium": 1}, {"discovery": 1, "lorium": 1, "cells": 1}])
def test_raised(engine: str, tmp_path: Path, changes: dict[str, int]) -> None:
    """All of it stays."""
    t = turn_ended(engine, tmp_path, 0, "self", changes)
    assert t.seat == 1
    assert t.player(0)["lorium"] == FULL["lorium"]
    assert len(t.player(0)["discovery"]) == len(FULL["discovery"])


@pytest.mark.rule("T7.2")
def test_raised_by_one(engine: str, tmp_path: Path) -> None:
    """One more of each than is printed stays, two more do not; what is lowered elsewhere changes nothing."""
    more = {"discovery": [*FULL["discovery"], "D24"], "lorium": 6}
    raised = {"discovery": 1, "lorium": 1}
    t = turn_ended(engine, tmp_path, 0, "self", raised, **more)
    assert t.seat == 1
    assert t.player(0)["lorium"] == 6
    t = turn_ended(engine, tmp_path / "b", 0, "self", raised, **(more | {"lorium": 7}))
    assert t.player(0)["lorium"] == 6
    t = turn_ended(engine, tmp_path / "c", 0, "self", raised | {"cells": -1}, **more)
    t.expect("DISCARD_CAPTIVE", 0)
    assert t.player(0)["lorium"] == 6
