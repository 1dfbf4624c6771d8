"""Position documents: forms, defaults, defects; what is accepted is played on both engines."""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cysmic_fast.content import load_content
from cysmic_fast.crosscheck import CONFIGS, check_position
from cysmic_fast.errors import PositionError
from cysmic_fast.options import make_options
from cysmic_fast.position import normalise_position

CONTENT = load_content()
FOUR = make_options(players=4)
SHARED = make_options(players=4, ending="simultaneous")
EQUAL = make_options(players=4, ending="equality")
SHIPS = ["savannah-4-2", "forest-4-2", "rocky-4-2", "tundra-4-2"]


def table(**changes: Any) -> dict[str, Any]:
    """A small valid document for four players; keys like ``p1_lorium`` change a player."""
    doc: dict[str, Any] = {"version": 1, "players": [{"ship": ship} for ship in SHIPS]}
    for key, value in changes.items():
        if key[0] == "p" and key[1].isdigit():
            doc["players"][int(key[1])][key[3:]] = value
        else:
            doc[key] = value
    return doc


def read(doc: object, options: Any = FOUR) -> dict[str, Any]:
    return normalise_position(doc, CONTENT, options)


def defects(doc: object, options: Any = FOUR) -> list[str]:
    """Paths of all defects."""
    with pytest.raises(PositionError) as caught:
        read(doc, options)
    assert all(all(isinstance(part, str) for part in defect) for defect in caught.value.defects)
    return [path for path, _, _ in caught.value.defects]


# ------------------------------------------------------------------ what is read
def test_defaults() -> None:
    doc = read(table())
    assert doc["round"] == 1
    assert doc["tiles"][0] == "colony_city"
    assert set(doc["tiles"][1:]) == {"plain"}
    assert doc["cysmograph"] == {"singles": 2, "stack": 2}
    assert len(doc["bag"]) == 42
    player = doc["players"][2]
    assert player["colour"] == "grey"
    assert player["hand"][0] == "recruit"
    assert len(player["hand"]) == 10
    # S4.2: own colour and the two colours not in play.
    assert player["blueprints"] == [
        m.id for m in CONTENT.modules if m.colour.name in ("GREY", "PURPLE", "YELLOW")
    ]
    assert doc["chance"] == {"seed": 0, "index": 0, "words": [0, 0, 0]}


def test_canonical_is_a_fixed_point_and_json() -> None:
    doc = read(
        table(
            tiles={"savannah-4-1": "camp", 20: "none", "21": "lake"},
            control={"savannah-4-1": 2},
            p0_units={"forest-4-1": {"soldier": 2, "powermech": 1}},
            p1_units=[["forest-4-1", [0, 1, 0, 0, 0]]],
            combats={"forest-4-1": 0},
            relic_tokens=[20] if 20 not in CONTENT.planet.abyss else [],
            p0_slots=[{"lorium": 2}, None],
            p3_captured={"0": {"miner": 1}},
            p3_board=[["recruit", "battle"], None],
            round=3,
            discovery={"draw": ["D07"], "discard": ["D04", "D03"]},
        )
    )
    assert read(doc) == doc
    assert read(json.loads(json.dumps(doc))) == doc
    assert doc["discovery"]["discard"] == ["D03", "D04"]
    assert doc["players"][3]["hand"] == [
        c for c in doc["players"][0]["hand"] if c not in ("recruit", "battle")
    ]


def test_the_document_is_not_changed() -> None:
    doc = table(p0_units={"forest-4-1": {"soldier": 2}})
    before = copy.deepcopy(doc)
    read(doc)
    assert doc == before


@pytest.mark.parametrize(
    "kind", [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64]
)
def test_numpy_integers(kind: type[Any]) -> None:
    doc = read(
        table(round=kind(3), p0_ship=kind(39), p0_units=[[kind(38), [kind(1)] + [0] * 4]], p0_lorium=kind(7))
    )
    assert doc == read(table(round=3, p0_ship=39, p0_units=[[38, [1, 0, 0, 0, 0]]], p0_lorium=7))
    assert type(doc["round"]) is int
    json.dumps(doc)


def test_final_turns_follow_from_who_launched() -> None:
    doc = table(p2_launched=True, p2_ship=None, current_player=3, round=2)
    assert read(doc, SHARED)["final_turns"] == [0, 1, 3]
    assert read(doc | {"final_turns": [3, 0, 1]}, SHARED)["final_turns"] == [0, 1, 3]
    assert defects(doc | {"final_turns": [3, 0]}, SHARED) == ["final_turns"]


def test_setup() -> None:
    doc = table(phase="setup", first_player=2)
    for player in doc["players"]:
        del player["ship"]
    assert read(doc)["current_player"] == 2
    for key, value in (
        ("round", 2),
        ("current_player", 1),
        ("control", {"colony_city": 0}),
        ("tiles", {"savannah-1-0": "none"}),
    ):
        assert key in [path.split("[")[0] for path in defects(doc | {key: value})]
    everywhere = dict.fromkeys(range(1, 127), "lake")
    assert "tiles" in defects(doc | {"tiles": everywhere})


# ------------------------------------------------------------------ what is refused
WRONG: list[tuple[dict[str, Any], str]] = [
    ({"version": 2}, "version"),
    ({"version": True}, "version"),
    ({"mode": "coop"}, "mode"),
    ({"phase": "mid_turn"}, "phase"),
    ({"phase": "night"}, "phase"),
    ({"options": {"players": 3}}, "options.players"),
    ({"options": {"playrs": 4}}, "options"),
    ({"content_hash": "0"}, "content_hash"),
    ({"round": 0}, "round"),
    ({"round": 61}, "round"),
    ({"round": "1"}, "round"),
    ({"round": True}, "round"),
    ({"round": 1.0}, "round"),
    ({"first_player": 4}, "first_player"),
    ({"marker": -1}, "marker"),
    ({"current_player": None}, "current_player"),
    ({"tiles": ["plain"] * 126}, "tiles"),
    ({"tiles": {"0": "camp"}}, "tiles['0']"),
    ({"tiles": {"3": "colony_city"}}, "tiles['3']"),
    ({"tiles": {"3": "lakes"}}, "tiles['3']"),
    ({"tiles": {"127": "lake"}}, "tiles['127']"),
    ({"tiles": {3: "lake", "3": "lake"}}, "tiles['3']"),
    ({"relic_tokens": [5]}, "relic_tokens[0]"),
    ({"control": [[5, 0]]}, "control[0]"),
    ({"control": [[0, 4]]}, "control[0]"),
    ({"combats": [[5, 0]]}, "combats[0]"),
    ({"cysmograph": {"singles": 1}}, "cysmograph.singles"),
    ({"cysmograph": {"singles": 3, "stack": 2}}, "cysmograph.stack"),
    ({"cysmograph": {"singles": 3, "stack": 7}}, "cysmograph.stack"),
    ({"bag": ["savannah-1", "savannah-1"]}, "bag[1]"),
    ({"bag": ["savannah-7"]}, "bag[0]"),
    ({"discovery": {"draw": ["D99x"]}}, "discovery.draw[0]"),
    ({"discovery": {"pile": []}}, "discovery"),
    ({"relics": {"discard": [None]}}, "relics.discard[0]"),
    ({"final_turns": [1]}, "final_turns"),
    ({"chance": {"seed": -1}}, "chance.seed"),
    ({"chance": {"seed": 2**64}}, "chance.seed"),
    ({"chance": {"words": [0, 0]}}, "chance.words"),
    ({"players": []}, "players"),
    ({"players": None}, "players"),
    ({"plyers": 1}, "document"),
    ({"p1_ship": None}, "players[1].ship"),
    ({"p1_ship": "savannah-4-2"}, "players[1].ship"),
    ({"p1_colour": "red"}, "players[1].colour"),
    ({"p1_faction": "F01"}, "players[1].faction"),
    ({"p1_units": [["forest-4-2", [1, 0, 0, 0, 0]]]}, "players[1].units"),
    ({"p1_units": [["savannah-4-2", [1, 0, 0, 0, 0]]]}, "players[1].units"),
    ({"p1_units": [[9, [4, 0, 0, 0, 0]]]}, "players[1].units[0]"),
    ({"p1_units": [[9, [0, 0, 0, 1, 1]]]}, "players[1].units[0]"),
    ({"p1_units": [[9, [0, 0, 0, 0, 0]]]}, "players[1].units[0]"),
    ({"p1_units": [[9, [1, 0, 0, 0]]]}, "players[1].units[0]"),
    ({"p1_units": [[9, {"soldiers": 1}]]}, "players[1].units[0]"),
    ({"p1_units": [[9, [1, 0, 0, 0, 0]], [9, [1, 0, 0, 0, 0]]]}, "players[1].units[1]"),
    ({"p1_units": [[s, [0, 0, 2, 0, 0]] for s in (4, 5, 7)]}, "players[1].units"),
    ({"p1_missing": [0, 7, 0, 0, 0]}, "players[1].missing[1]"),
    ({"p1_captured": [[1, [1, 0, 0, 0, 0]]]}, "players[1].captured[0]"),
    ({"p1_captured": [[0, [0, 0, 0, 2, 0]]], "p2_captured": [[0, [0, 0, 0, 1, 0]]]}, "players[0].units"),
    ({"p1_lorium": -1}, "players[1].lorium"),
    ({"p1_lorium": 10**400}, "players[1].lorium"),
    ({"p1_slots": [{"lorium": 0}, None]}, "players[1].slots[0].lorium"),
    ({"p1_slots": [{"lorium": 1, "relic": "R01"}, None]}, "players[1].slots[0]"),
    ({"p1_slots": [None]}, "players[1].slots"),
    ({"p1_blueprints": ["warp"]}, "players[1].blueprints[0]"),
    ({"p1_blueprints": [], "p1_modules": ["warp_drive"]}, "players[1].modules[0]"),
    ({"p1_hand": ["recruit"]}, "players[1].hand"),
    ({"p1_hand": ["recruit", "recruit"]}, "players[1].hand[1]"),
    ({"p1_board": [["recruit", "recruit"]]}, "players[1].board[0][1]"),
    ({"p1_board": [["recruit", "battle"]]}, "players[1].board[0]"),
    ({"p1_board": [["recruit"]], "round": 2}, "players[1].board[0]"),
    ({"p1_discovery": ["D07"] * 3}, "players[1].discovery[2]"),
    ({"p1_relics": ["R01"], "p2_slots": [{"relic": "R01"}, {"relic": "R01"}]}, "players[2].slots[1].relic"),
    ({"p1_launched": True, "p1_ship": None}, "players[1].launched"),
    ({"p1_launched": 1}, "players[1].launched"),
    ({"p1_launched": "no"}, "players[1].launched"),
]


@pytest.mark.parametrize(("changes", "path"), WRONG, ids=[f"{path}-{i}" for i, (_, path) in enumerate(WRONG)])
def test_defect(changes: dict[str, Any], path: str) -> None:
    assert path in defects(table(**changes))


def test_slots_are_two() -> None:
    assert defects(table(p1_slots=[None, None, None])) == ["players[1].slots"]


def test_all_defects_come_together() -> None:
    doc = table(
        **{
            key: value
            for changes, path in WRONG[5:60:3]
            if path != "players"
            for key, value in changes.items()
        }
    )
    assert len(set(defects(doc))) > 12


def test_message_names_found_and_allowed() -> None:
    with pytest.raises(PositionError, match=r"players\[1\]\.lorium: found -1; allowed: 0 to"):
        read(table(p1_lorium=-1))
    with pytest.raises(PositionError, match="did you mean 'lorium'"):
        read(table(p1_lorum=1))


def test_shared_spaces_are_combats() -> None:
    doc = table(p0_units={9: [1, 0, 0, 0, 0]}, p1_units={9: [0, 1, 0, 0, 0]})
    assert defects(doc) == ["combats"]
    assert read(doc | {"combats": [[9, 1]]})["combats"] == [[9, 1]]
    assert defects(doc | {"combats": [[9, 2]]}) == ["combats[0]"]
    doc["players"][2]["units"] = {9: [1, 0, 0, 0, 0]}
    assert "players[2].units" in defects(doc | {"combats": [[9, 1]]})


def test_at_most_seven_flags() -> None:
    spaces = list(range(20, 28))
    doc = table(tiles=dict.fromkeys(spaces, "camp"), control=[[s, 1] for s in spaces])
    assert defects(doc) == ["control[7]"]


def test_relic_tokens() -> None:
    bare = [s for s in range(1, 127) if s not in CONTENT.planet.abyss and s not in (39, 43, 47, 51)][:31]
    tiles = dict.fromkeys(bare, "none")
    assert read(table(tiles=tiles, relic_tokens=bare[:30]))["relic_tokens"] == bare[:30]
    assert defects(table(tiles=tiles, relic_tokens=bare)) == ["relic_tokens"]
    assert defects(table(tiles=tiles, relic_tokens=[bare[0]] * 2)) == ["relic_tokens[1]"]
    assert "relic_tokens[0]" in defects(table(tiles=tiles, relic_tokens=[bare[0]], p0_ship=bare[0]))


def test_who_may_be_on_turn() -> None:
    gone = {"p0_launched": True, "p0_ship": None}
    assert "current_player" in defects(table(**gone), SHARED)
    everybody = {f"p{s}_{k}": x for s in range(4) for k, x in (("launched", True), ("ship", None))}
    assert "players" in defects(table(**everybody), SHARED)
    # Equality for All: who Launched had their turn in this round.
    assert read(table(**gone, current_player=1), EQUAL)["final_turns"] == []
    assert defects(table(**gone, current_player=1, first_player=1), EQUAL) == ["players[0].launched"]
    # Final turns may run past the cap.
    assert read(table(**gone, current_player=1, round=61), SHARED)["round"] == 61
    assert defects(table(**gone, current_player=1, round=62), SHARED) == ["round"]


def test_factions() -> None:
    options = make_options(players=2, factions=True)
    ids = [CONTENT.factions[n].id for n in CONTENT.eligible_factions(2)]
    doc = {
        "version": 1,
        "players": [{"ship": ship, "faction": f} for ship, f in zip(SHIPS[:2], ids, strict=False)],
    }
    assert read(doc, options)["players"][1]["faction"] == ids[1]
    doc["players"][1]["faction"] = ids[0]
    assert defects(doc, options) == ["players[1].faction"]
    doc["players"][1]["faction"] = None
    assert defects(doc, options) == ["players[1].faction"]


# ------------------------------------------------------------------ anything at all
VALID = [
    table(),
    table(
        p0_units={9: [1, 0, 0, 0, 0]}, p1_units={9: [0, 1, 0, 0, 0]}, combats=[[9, 1]], tiles={"5": "none"}
    ),
    read(
        table(
            round=3,
            p0_board=[["recruit", None]],
            p1_captured={0: {"miner": 1}},
            p0_slots=[{"relic": "R01"}, None],
        )
    ),
]
JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from([2**63, 10**30, "none", "D01", "savannah-4-1", b"", np.float64(1), np.array([1, 2])]),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6) | st.integers(), inner, max_size=4)
    ),
    max_leaves=6,
)


def nodes(doc: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Paths of everything inside a document."""
    keys: list[Any] = (
        list(doc) if isinstance(doc, dict) else list(range(len(doc))) if isinstance(doc, list) else []
    )
    return [path, *(p for key in keys for p in nodes(doc[key], (*path, key)))]


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_any_change_is_read_or_refused(data: st.DataObject) -> None:
    doc = copy.deepcopy(data.draw(st.sampled_from(VALID)))
    for _ in range(data.draw(st.integers(1, 3))):
        paths = [p for p in nodes(doc) if p]
        path = data.draw(st.sampled_from(paths))
        target = doc
        for key in path[:-1]:
            target = target[key]
        target[path[-1]] = data.draw(JUNK)
    found: Any = None
    refused: PositionError | None = None
    try:
        found = read(doc)
    except PositionError as error:
        refused = error
    if refused is not None:
        assert refused.defects
        assert all(path and allowed for path, _, allowed in refused.defects)
    else:
        assert read(found) == found
        json.dumps(found)


#: Changes that leave a document a document, or nearly: small numbers, places, names.
PLAUSIBLE = st.one_of(
    st.integers(0, 8),
    st.integers(0, 126),
    st.sampled_from(
        [0, 1_000_000, 2**31 - 1, None, True, False, [], {}, "camp", "none", "lake", "plain", "settlement"]
    ),
)


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_what_is_read_is_played_alike(data: st.DataObject) -> None:
    """Documents that are accepted are loaded into both engines and played on in lock-step."""
    doc = copy.deepcopy(data.draw(st.sampled_from(VALID)))
    for _ in range(data.draw(st.integers(0, 4))):
        path = data.draw(st.sampled_from([p for p in nodes(doc) if p]))
        target, old = doc, copy.deepcopy(doc)
        for key in path[:-1]:
            target = target[key]
        target[path[-1]] = data.draw(PLAUSIBLE)
        try:
            read(doc)
        except PositionError:
            doc = old  # one change after the other, each accepted
    seed = data.draw(st.integers(0, 2**32))
    seen: Counter[str] = Counter()
    check_position(CONFIGS["4p:plain"], seed, 0, doc, random.Random(seed), every=5, limit=30, seen=seen)
    assert seen["positions"] == 1


@settings(max_examples=150, deadline=None)
@given(JUNK)
def test_anything_is_refused(junk: Any) -> None:
    with pytest.raises(PositionError):
        read(junk)


def test_endless_documents() -> None:
    loop: list[Any] = []
    loop.append(loop)
    assert "players" in defects({"version": 1, "players": loop, "bag": loop, "tiles": {"x": loop}})
    deep: Any = None
    for _ in range(10_000):
        deep = [deep]
    assert "players" in defects({"version": 1, "players": deep})
