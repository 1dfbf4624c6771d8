"""Names of actions, spaces and kinds, both ways."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cysmic_fast import names
from cysmic_fast import vocabulary as v
from cysmic_fast.content import load_content
from cysmic_fast.errors import ChanceError, CysmicError, IllegalActionError, PositionError

CONTENT = load_content()
IDS = [first + k for first, count in v.ACTION_RANGES.values() for k in range(count)]
DECISIONS = [None, v.DecisionKind.PLAY_CARD, v.DecisionKind.KEEP_RELIC, v.DecisionKind.CHOOSE_FACTION]


def test_ranges_do_not_overlap() -> None:
    assert len(IDS) == len(set(IDS))
    assert max(IDS) < v.NUM_ACTIONS


@pytest.mark.parametrize("decision", DECISIONS)
def test_every_action_has_one_name(decision: v.DecisionKind | None) -> None:
    found = {}
    for action in IDS:
        name = names.action_name(action, CONTENT, decision)
        assert name not in found
        found[name] = action
        assert names.action_id(name, CONTENT, decision) == action


@pytest.mark.parametrize(
    ("action", "name"),
    [
        (v.DONE, "done"),
        (v.STRIKE, "strike"),
        (v.SLOT, "slot:0"),
        (v.RESOURCE + v.Resource.LORIUM, "resource:lorium"),
        (v.NUMBER + 3, "number:3"),
        (v.OPTION + 1, "option:1"),
        (v.UNIT + v.UnitType.MINER, "unit:miner"),
        (v.PLAYER + 2, "player:2"),
        (v.TERRAIN + 1, "terrain:forest"),
        (v.MODULE + 0, "module:crew_bridge"),
        (v.COMMAND + v.CommandCard.RECRUIT, "command:recruit"),
        (v.ACTION + v.CardAction.JUMPJET, "action:jumpjet"),
        (v.CAPTIVE + 5 * 2 + v.UnitType.MINER, "captive:2:miner"),
        (v.SPACE + 17, "space:17"),
        (v.BONUS + v.Bonus.GAIN_CARD, "bonus:gain_card"),
        (v.DIE + 3, "die:3"),
        (v.HITS + 5, "hits:5"),
        (v.CARD + 16, "card:16"),
    ],
)
def test_names_of_the_contract(action: int, name: str) -> None:
    assert names.action_name(action, CONTENT) == name
    assert names.action_name(np.uint16(action), CONTENT) == name  # type: ignore[arg-type]


def test_cards_are_named_by_the_deck_of_the_decision() -> None:
    assert (
        names.action_name(v.CARD + 3, CONTENT, v.DecisionKind.PLAY_CARD) == f"card:{CONTENT.discovery[3].id}"
    )
    assert (
        names.action_name(v.CARD + 3, CONTENT, v.DecisionKind.DISCARD_RELIC) == f"card:{CONTENT.relics[3].id}"
    )
    assert (
        names.action_name(v.CARD + 3, CONTENT, v.DecisionKind.CHOOSE_FACTION)
        == f"card:{CONTENT.factions[3].id}"
    )
    assert names.action_id(f"card:{CONTENT.relics[7].id}", CONTENT) == v.CARD + 7


def test_spaces() -> None:
    seen = set()
    for space in range(v.NUM_SPACES):
        name = names.space_name(space, CONTENT)
        seen.add(name)
        for form in (name, space, str(space), np.int8(space)):
            assert names.space_number(form, CONTENT) == space  # type: ignore[arg-type]
        assert names.action_id(f"space:{name}", CONTENT) == v.SPACE + space
    assert len(seen) == v.NUM_SPACES
    assert names.space_name(0, CONTENT) == "colony_city"
    # P1.7: 1 + 3r(r - 1) + r t + k with Savannah the first terrain.
    assert names.space_number("savannah-5-4", CONTENT) == 1 + 60 + 4
    assert names.space_number("forest-1-0", CONTENT) == 2


@pytest.mark.parametrize(
    "wrong", ["savannah-5-5", "savannah-7-0", "savannah-0-0", "", "savannah", 127, -1, True, None, 1.5, "١"]
)
def test_wrong_spaces(wrong: object) -> None:
    assert names.parse_space(wrong, CONTENT) is None
    with pytest.raises(PositionError):
        names.space_number(wrong, CONTENT)  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", [-1, 512, 7, 2**63, None, True, 1.0, "done", []])
def test_wrong_action_numbers(wrong: object) -> None:
    with pytest.raises(IllegalActionError):
        names.action_name(wrong, CONTENT)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        "don",
        "done:1",
        "done:",
        "space",
        "space:200",
        "unit:mner",
        "unit:1",
        "card:X9",
        "number:16",
        3,
        None,
    ],
)
def test_wrong_action_names(wrong: object) -> None:
    with pytest.raises(IllegalActionError):
        names.action_id(wrong, CONTENT)  # type: ignore[arg-type]


def test_close_matches_are_offered() -> None:
    with pytest.raises(IllegalActionError, match="unit:miner"):
        names.action_id("unit:minr", CONTENT)
    with pytest.raises(ChanceError, match="red_die"):
        names.chance_kind("red_dice")
    with pytest.raises(PositionError, match="savannah-5-4"):
        names.space_number("savanah-5-4", CONTENT)


@given(st.text(max_size=30))
def test_any_text_is_an_action_or_an_error(text: str) -> None:
    try:
        action = names.action_id(text, CONTENT)
    except CysmicError:
        return
    assert action in IDS


def test_kinds() -> None:
    for kind in v.ChanceKind:
        assert names.chance_kind(names.kind_name(kind)) is kind
    for decision in v.DecisionKind:
        assert names.decision_kind(decision.name) is decision


def test_huge_numbers_are_refused() -> None:
    with pytest.raises(IllegalActionError):
        names.action_name(10**6000, CONTENT)
    assert names.parse_space("9" * 6000, CONTENT) is None


@pytest.mark.parametrize(
    "decision", ["x", -1, len(v.DecisionKind), 10**30, float("nan"), 3.0, True, [], object()]
)
def test_what_is_no_decision(decision: Any) -> None:
    """Refused, whether the answer would depend on it or not."""
    for action in (3, 300):
        with pytest.raises(IllegalActionError, match="allowed: a DecisionKind"):
            names.action_name(action, CONTENT, decision)
    for name in ("done", "card:D17"):
        with pytest.raises(IllegalActionError, match="allowed: a DecisionKind"):
            names.action_id(name, CONTENT, decision)
    number: Any = np.int8(v.DecisionKind.KEEP_RELIC)
    card = v.ACTION_RANGES["card"][0]
    assert names.action_name(card, CONTENT, number) == names.action_name(
        card, CONTENT, v.DecisionKind.KEEP_RELIC
    )
