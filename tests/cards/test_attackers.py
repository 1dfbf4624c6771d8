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


# --------------------------------------------------------------------------- while others' Units carry marks
AWAY = min(SIDES[NEXT] - SIDES[SHIP] - {SHIP})
FAR, ENEMY = sorted(SIDES[AWAY] - SIDES[NEXT] - {NEXT})[:2]


def answered(engine: str, folder: Path, units: str, *steps: dict[str, Any], others: str = "") -> Table:
    """Seat 0 Plays its Soldiers, which seat 1's Faction answers with a Cyber Attack on seat 0's Ship; its
    roll seat 0's Faction answers with ``steps``. Seat 0's Soldiers carry marks all the while.

    ``others``: Units of seat 1 beside the attackers. The Target Value is 3, so that a die of 3 succeeds.
    """
    rules = {
        "F01": {"trigger": {"on": "cyber_rolled", "by": "enemy", "once": "turn"}, "effect": list(steps)},
        "F23": {
            "trigger": {"on": "section", "by": "enemy", "once": "turn"},
            "effect": [{"do": "cyber", "n": 1}],
        },
    }
    cards = [
        {
            "id": number,
            "min_players": 2,
            "ability": [{"name": "Made", "text": "Made for the test.", "rules": [rule]}],
        }
        for number, rule in rules.items()
    ]
    us = {"faction": "F01", "units": {ENEMY: "2 soldier"}, "ship": SHIP}
    them = {
        "faction": "F23",
        "units": {NEXT: units} | ({AWAY: others} if others else {}),
        "ship": "wetlands-4-1",
    }
    options = {
        "content": load_content(write_pack(folder / "made", {"factions.toml": {"card": cards}})),
        "colours": ("orange", "grey"),
        "trading": False,
    }
    return table(engine, us, them, script=dice([3]), options=options).turn("soldiers")


def through(t: Table, *answers: str | int) -> bool:
    """Answer; whether seat 1 has won a Blueprint then. A save loses nothing."""
    for answer in answers:
        t.state = t.game.state_from_bytes(t.state.to_bytes(), record=True)
        t.do(answer)
    assert t.seat == 0
    assert t.kind in ("ACT_SPACE", "BONUS")
    return "colonist_quarters" in t.player(1)["blueprints"]


MOVE = {"do": "move", "units": SOLDIER, "n": 1, "must": True}
DESTROY = {"do": "destroy", "units": SOLDIER, "n": 1}
CONFUSE = {"do": "confuse", "units": SOLDIER, "n": 1}


@pytest.mark.rule("V1.6", "X1.7")
@pytest.mark.parametrize(
    ("units", "others", "steps", "answers", "success"),
    [
        pytest.param("soldier", "", [MOVE], [FAR], True, id="moved"),
        pytest.param("2 soldier", "", [MOVE], [FAR], True, id="another moved"),
        pytest.param("2 soldier", "", [MOVE, MOVE], [FAR, NEXT, AWAY], True, id="both moved"),
        pytest.param("soldier", "", [MOVE], [ENEMY], False, id="moved into a Combat"),
        pytest.param("soldier", "", [DESTROY], [], False, id="destroyed"),
        pytest.param("2 soldier", "", [DESTROY], [], True, id="another destroyed"),
        pytest.param(
            "soldier", "soldier", [DESTROY, MOVE], [NEXT, NEXT], False, id="destroyed, another comes"
        ),
        pytest.param(
            "soldier", "soldier", [CONFUSE, MOVE], [NEXT, NEXT], False, id="Confused, another comes"
        ),
        pytest.param("soldier", "soldier", [MOVE, DESTROY], [NEXT, FAR, FAR], False, id="moved, destroyed"),
        pytest.param(
            "soldier", "soldier", [MOVE, DESTROY], [NEXT, FAR, AWAY], True, id="moved, another destroyed"
        ),
    ],
)
def test_while_others_carry_marks(
    engine: str,
    tmp_path: Path,
    units: str,
    others: str,
    steps: list[dict[str, Any]],
    answers: list[int],
    success: bool,
) -> None:
    """In the middle of another player's card it is the same; of like Units it is taken last (C97)."""
    t = answered(engine, tmp_path, units, *steps, others=others)
    assert through(t, *answers) == success
