"""Chapter B: Holding Cells, Blueprints for captives, Recall, building Modules."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from pathlib import Path

import pytest
from plays import (
    MODULES,
    at_bonus,
    goods,
    held,
    lines,
    offer,
    offered,
    on_planet,
    reserve,
    robotic,
    ship_card,
)
from scenario import Table, scenario, space
from scenario import units as counted

#: Target Value, colour, Lorium cost, Influence cost (F:modules).
TABLE = {
    "crew_bridge": (1, "blue", 2, 2),
    "control_systems": (2, "grey", 3, 2),
    "colonist_quarters": (3, "orange", 3, 3),
    "power_core": (4, "yellow", 4, 3),
    "fuel_cells": (5, "green", 4, 4),
    "warp_drive": (6, "purple", 5, 4),
}
A, B, C, D, E = "tundra-5-1", "tundra-5-3", "tundra-6-0", "wetlands-5-1", "wetlands-5-3"


# ------------------------------------------------------------------ B1
@pytest.mark.rule("B1.1", "B1.2", "B5.3")
def test_the_six_modules(engine: str) -> None:
    """With all Blueprints and plenty of Lorium all six can be built, under their names in their order."""
    t = robotic(at_bonus(engine, "hand_action", {"lorium": 30, "blueprints": list(MODULES)}))
    assert t.options() == ["done", *(f"module:{name}" for name in TABLE)]


@pytest.mark.rule("B1.2", "B5.1", "B5.2", "B5.3", "RUL-B3")
@pytest.mark.parametrize("module", MODULES)
def test_what_a_module_costs(engine: str, module: str) -> None:
    """Exactly its Lorium by Robotic Construction, its Lorium and its Influence by Manual Construction."""
    _, _, lorium, influence = TABLE[module]
    soldiers = (
        {A: "3 soldier", B: f"{influence - 3} soldier"} if influence > 3 else {A: f"{influence} soldier"}
    )
    for have in (lorium, lorium - 1):
        t = at_bonus(engine, "hand_action", {"lorium": have, "blueprints": [module], "units": soldiers})
        assert offered(t, "construct") == (have == lorium)
        robot = ship_card(t.fork())
        assert ("action:robotic" in robot.options()) == (have == lorium)
    for means in (robotic, lambda t: t.do("bonus:construct")):
        t = at_bonus(engine, "hand_action", {"lorium": lorium + 1, "blueprints": [module], "units": soldiers})
        manual = means is not robotic
        means(t)
        while t.seat == 0 and t.kind != "LAUNCH":
            t.do(f"module:{module}" if t.kind == "CONSTRUCT" else t.options()[0])
        assert t.player(0)["modules"] == [module]
        assert t.player(0)["lorium"] == 1
        assert on_planet(t, 0)[0] == (0 if manual else influence)
        assert [e[1:] for e in t.events("MODULE")] == [(0, MODULES.index(module), 0 if manual else 1, 0)]
    few = {A: f"{min(3, influence - 1)} soldier"}
    t = at_bonus(engine, "hand_action", {"lorium": 9, "blueprints": [module], "units": few})
    assert not offered(t, "construct")


@pytest.mark.rule("B1.2", "X1.3", "X1.6", "N4.1")
@pytest.mark.parametrize("module", MODULES)
def test_target_value_and_colour_of_a_blueprint(engine: str, module: str) -> None:
    """A Cyber Attack on the player of that colour gains that Blueprint with exactly its Target Value."""
    target, colour, _, _ = TABLE[module]
    options = {"colours": ("grey" if colour == "blue" else "blue", colour)}
    for value in range(1, 7):
        t = at_bonus(
            engine, "cyber_attack", {"units": {"forest-4-1": "soldier"}},
            options=options, script={"red_die": [str(value)]},
        )  # fmt: skip
        assert module not in t.player(0)["blueprints"]
        t.do("bonus:cyber_attack").expect("BURN", 1)
        assert (module in t.player(0)["blueprints"]) == (value == target)
        assert len(t.player(0)["blueprints"]) == 5 + (value == target)
        assert len(t.player(1)["blueprints"]) == 5


# ------------------------------------------------------------------ B2
def prisoners(vehicles: int, troops: int) -> dict[int, str]:
    """Captives of two owners, Troops of either in turn."""
    cages: dict[int, list[str]] = {1: [], 2: []}
    for i in range(vehicles):
        cages[1 + i // 4].append(("powermech", "harvester")[i % 4 // 2])
    for i in range(troops):
        cages[1 + i % 2].append(("soldier", "miner", "speaker")[i % 3])
    return {owner: ", ".join(names) for owner, names in cages.items() if names}


def discards(t: Table) -> list[str]:
    """From the Bonus decision on, whatever captives have to go (always the first offered)."""
    gone = []
    t.do("done")
    while t.kind in ("LAUNCH", "DISCARD_CAPTIVE"):
        if t.kind == "DISCARD_CAPTIVE":
            gone.append(t.options()[0])
        t.do("no" if t.kind == "LAUNCH" else t.options()[0])
    return gone


@pytest.mark.rule("B2.1", "B2.2", "B2.3", "RUL-B2", "T7.2")
@pytest.mark.parametrize("cells", range(7))
def test_holding_capacity(engine: str, cells: int) -> None:
    """One cell for each Module not built: a Vehicle or two Troops of any owners in each; what fits stays."""
    built = list(MODULES[: 6 - cells])
    for vehicles in range(min(cells + 1, 6) + 1):
        most = max(0, 2 * (cells - vehicles))
        for troops in (most, most + 1):
            if not vehicles + troops:
                continue
            me = {"blueprints": list(MODULES), "modules": built, "captured": prisoners(vehicles, troops)}
            t = at_bonus(engine, "two_cards", me, players=3)
            discards(t)
            kept = [sum(column) for column in zip(held(t, 1), held(t, 2), strict=True)]
            v, n = sum(kept[3:]), sum(kept[:3])
            assert v + (n + 1) // 2 <= cells
            fits = vehicles <= cells and troops == most
            assert ((v, n) == (vehicles, troops)) == fits, (cells, vehicles, troops)
            gone = vehicles + troops - v - n
            too_many = max(0, vehicles - cells) + troops - most
            assert gone == too_many, "no more than necessary goes"


@pytest.mark.rule("B-EX4", "B2.3")
@pytest.mark.parametrize(("built", "fits"), [(2, True), (3, False)])
def test_two_vehicles_and_three_troops(engine: str, built: int, fits: bool) -> None:
    """They need four open cells."""
    me = {
        "blueprints": list(MODULES),
        "modules": list(MODULES[:built]),
        "captured": {1: "powermech, harvester, 2 soldier, speaker"},
    }
    t = at_bonus(engine, "two_cards", me)
    assert bool(discards(t)) != fits


@pytest.mark.rule("B2.4", "T7.3", "T7.5", "RUL-T19")
def test_which_captives_go(engine: str) -> None:
    """One at a time, any of them each time, as long as they do not fit: an awkward choice is allowed."""
    me = {
        "blueprints": list(MODULES),
        "modules": list(MODULES[:5]),
        "captured": {1: "2 soldier, speaker", 2: "powermech"},
    }
    t = at_bonus(engine, "two_cards", me, players=3).do("done").expect("DISCARD_CAPTIVE", 0)
    assert t.options() == ["captive:1:soldier", "captive:1:speaker", "captive:2:powermech"]
    short = t.fork().do("captive:2:powermech")  # three Troops are still too many
    assert short.expect("DISCARD_CAPTIVE", 0).options() == ["captive:1:soldier", "captive:1:speaker"]
    short.do("captive:1:soldier").expect("BURN", 1)
    assert short.player(0)["captured"] == [[1, counted("soldier, speaker")]]
    t.do("captive:1:soldier").expect("DISCARD_CAPTIVE", 0)
    t.do("captive:1:soldier").expect("DISCARD_CAPTIVE", 0)
    assert t.options() == ["captive:1:speaker", "captive:2:powermech"]
    t.do("captive:2:powermech").expect("BURN", 1)
    assert t.player(0)["captured"] == [[1, counted("speaker")]]
    assert reserve(t, 1)[0] == 10
    assert reserve(t, 2)[3] == 2


# ------------------------------------------------------------------ B3
@pytest.mark.rule("B3.2", "B3.3", "B3.4", "N0.3")
@pytest.mark.parametrize(
    ("captives", "possible"),
    [
        ("2 soldier", True), ("soldier, miner", True), ("miner, speaker", True),
        ("powermech", True), ("harvester", True),
        ("soldier", False), ("miner", False), ("speaker", False),
    ],
)  # fmt: skip
def test_two_troops_or_one_vehicle(engine: str, captives: str, possible: bool) -> None:
    """Returned to their owner for the Blueprint of its colour; the owner is not asked and loses nothing."""
    t = at_bonus(engine, "two_cards", {"captured": {1: captives}})
    assert offered(t, "gain_blueprint") == possible
    if possible:
        theirs = goods(t, 1)
        assert "fuel_cells" not in t.player(0)["blueprints"]
        t.do("bonus:gain_blueprint")
        while t.kind == "RANSOM_UNIT":
            t.do(t.options()[0])
        t.expect("BURN", 1)
        assert "fuel_cells" in t.player(0)["blueprints"]
        assert t.player(0)["captured"] == []
        assert reserve(t, 1) == [10, 6, 5, 2, 2]
        assert goods(t, 1) == theirs
        assert [e[1:] for e in t.events("BLUEPRINT")] == [(0, MODULES.index("fuel_cells"), 1, 0)]


@pytest.mark.rule("B3.2")
def test_troops_of_one_faction(engine: str) -> None:
    """One Troop each of two Factions gain nothing; a Troop does not fill up for a Vehicle."""
    t = at_bonus(engine, "two_cards", {"captured": {1: "soldier", 2: "soldier"}}, players=3)
    assert not offered(t, "gain_blueprint")
    t = at_bonus(engine, "two_cards", {"captured": {1: "soldier, powermech"}})
    t.do("bonus:gain_blueprint").expect("BURN", 1)
    assert t.player(0)["captured"] == [[1, counted("soldier")]]


@pytest.mark.rule("B3.2")
def test_which_captives_are_returned(engine: str) -> None:
    """The player's choice among both forms; the second Troop is of any type."""
    me = {"captured": {1: "2 soldier, miner, powermech, harvester"}}
    t = at_bonus(engine, "two_cards", me).do("bonus:gain_blueprint").expect("RANSOM_UNIT", 0)
    assert t.options() == [f"captive:1:{name}" for name in ("soldier", "miner", "powermech", "harvester")]
    vehicle = t.fork().do("captive:1:harvester").expect("BURN", 1)
    assert vehicle.captured(0, 1) == counted("2 soldier, miner, powermech")
    t.do("captive:1:soldier").expect("RANSOM_UNIT", 0)
    assert t.options() == ["captive:1:soldier", "captive:1:miner"]
    t.do("captive:1:miner").expect("BURN", 1)
    assert t.captured(0, 1) == counted("soldier, powermech, harvester")


@pytest.mark.rule("B3.1", "A9.4")
def test_blueprints_in_any_order_each_once(engine: str) -> None:
    """Any number of exchanges with any opponents by Negotiate; an Acquired Blueprint is not gained again."""
    me = {"captured": {1: "5 soldier", 2: "2 speaker, harvester", 3: "miner"}}
    t = scenario(engine, me, players=4).turn("negotiate").skip("RANSOM_PLAYER").expect("RANSOM_PLAYER", 0)
    mine = t.player(0)["blueprints"]
    assert t.options() == ["done", "player:1", "player:2"]
    later = t.fork().do("player:1").expect("RANSOM_PLAYER", 0)
    assert later.options() == ["done", "player:2"]
    later.do("done").expect("BONUS", 0)
    t.do("player:2").expect("RANSOM_UNIT").do("captive:2:speaker").expect("RANSOM_PLAYER", 0)
    assert t.options() == ["done", "player:1"], "grey is Acquired, though another grey captive is left"
    t.do("player:1").expect("BONUS", 0)
    assert set(t.player(0)["blueprints"]) == {*mine, "control_systems", "fuel_cells"}
    assert t.captured(0, 1) == counted("3 soldier")
    assert not offered(t, "gain_blueprint")


@pytest.mark.rule("B3.5", "G5.4")
def test_no_blueprint_by_other_ways(engine: str) -> None:
    """Captives that come home by trade, rescue or as payment leave the Blueprint Missing."""
    me = {"captured": {1: "2 soldier"}}
    t = scenario(engine, me, {"lorium": 1}).turn("negotiate").skip("TRADE_PARTNER")
    offer(t, 1, ["captive:1:soldier"] * 2, ["resource:lorium"]).do("yes").expect("BONUS")
    assert "fuel_cells" not in t.player(0)["blueprints"]
    t = at_bonus(engine, "colony_city", me).do("bonus:colony_city")
    assert t.captured(0, 1) == counted("soldier")
    assert "fuel_cells" not in t.player(0)["blueprints"]


@pytest.mark.rule("B3.5", "S5.3", "S5.4", "RUL-S7")
@pytest.mark.parametrize(("players", "obtainable"), [
    (2, ["colonist_quarters", "power_core", "fuel_cells", "warp_drive"]),
    (3, ["colonist_quarters", "power_core", "fuel_cells", "warp_drive"]),
])  # fmt: skip
def test_blueprint_variant(engine: str, players: int, obtainable: list[str]) -> None:
    """One exchange gains one: the opponent's own colour or a Missing one not in play, never a third
    player's."""
    have = ["crew_bridge", "control_systems"] if players == 2 else ["crew_bridge"]
    me = {"captured": {1: "2 soldier"}, "blueprints": have}
    t = at_bonus(engine, "two_cards", me, players=players, options={"blueprint_variant": 1})
    t.do("bonus:gain_blueprint").expect("CHOOSE_BLUEPRINT", 0)
    assert t.options() == [f"module:{name}" for name in obtainable]
    t.do("module:power_core").expect("BURN", 1)
    assert set(t.player(0)["blueprints"]) == {*have, "power_core"}
    assert t.player(0)["captured"] == []


# ------------------------------------------------------------------ B4
def recalls(t: Table) -> set[tuple[int, ...]]:
    """Every set of Troops, by type, that can pay for the one Module seat 0 may build."""
    before = on_planet(t, 0)
    t.do("bonus:construct")
    assert t.kind != "CONSTRUCT"

    def paid(end: Table) -> tuple[int, ...]:
        assert len(end.player(0)["modules"]) == 1
        return tuple(b - a for b, a in zip(before, on_planet(end, 0), strict=True))

    return set(lines(t, ("RECALL_SPACE", "RECALL_TYPE"), paid))


def sets(*words: str) -> set[tuple[int, ...]]:
    return {tuple(counted(w)) for w in words}


@pytest.mark.rule("B4.2", "B-EX1", "B-EX2", "B-EX3", "B-EX5", "RUL-B1")
@pytest.mark.parametrize(
    ("module", "troops", "expected"),
    [
        (
            "power_core",
            {A: "2 soldier", B: "soldier", C: "speaker", D: "miner"},
            ["3 soldier", "soldier, speaker", "miner"],
        ),
        ("crew_bridge", {A: "soldier", B: "miner"}, ["miner"]),
        ("crew_bridge", {A: "soldier, miner"}, ["miner"]),
        ("crew_bridge", {A: "2 soldier", B: "speaker"}, ["2 soldier", "speaker"]),
        ("fuel_cells", {A: "2 speaker", B: "2 miner", C: "soldier"}, ["2 speaker", "miner, soldier"]),
        ("fuel_cells", {A: "2 miner"}, ["2 miner"]),
        ("fuel_cells", {A: "miner, speaker", B: "miner"}, ["miner, speaker"]),
        ("crew_bridge", {A: "miner"}, ["miner"]),
        ("power_core", {A: "2 speaker"}, ["2 speaker"]),
    ],
)
def test_least_overpayment(engine: str, module: str, troops: dict[str, str], expected: list[str]) -> None:
    """All sets of the smallest attainable total, and no other; the Troops return to Reserve."""
    t = at_bonus(engine, "two_cards", {"lorium": 5, "blueprints": [module], "units": troops})
    assert recalls(t) == sets(*expected)


@pytest.mark.rule("B4.2", "RUL-B1")
def test_recall_against_all_subsets(engine: str) -> None:
    """For many mixes of Troops: exactly the subsets whose total is the smallest at or above the cost."""
    costs = (1, 3, 2)
    for soldiers, miners, speakers in itertools.product((0, 1, 3), (0, 2), (0, 1, 3)):
        for module in ("crew_bridge", "fuel_cells"):
            need = TABLE[module][3]
            subsets = list(itertools.product(range(soldiers + 1), range(miners + 1), range(speakers + 1)))
            totals = {s: sum(n * c for n, c in zip(s, costs, strict=True)) for s in subsets}
            enough = [n for n in totals.values() if n >= need]
            places = ((A, f"{soldiers} soldier"), (B, f"{miners} miner"), (C, f"{speakers} speaker"))
            troops = {where: what for where, what in places if not what.startswith("0")}
            t = at_bonus(engine, "two_cards", {"lorium": 5, "blueprints": [module], "units": troops})
            assert offered(t, "construct") == bool(enough)
            if enough:
                expected = {(*s, 0, 0) for s, total in totals.items() if total == min(enough)}
                assert recalls(t) == expected


@pytest.mark.rule("B4.1", "B4.3", "U4.3")
def test_only_unlocked_troops_are_recalled(engine: str) -> None:
    """From anywhere on the planet; neither Locked Troops nor Vehicles nor captives count."""
    useless = {A: "3 soldier", B: "powermech", C: "harvester"}
    other = {"units": {A: "soldier"}, "captured": {0: "2 miner"}}
    base = {"lorium": 5, "blueprints": ["power_core"]}
    t = at_bonus(engine, "two_cards", {**base, "units": useless}, other, combats={A: 1})
    assert not offered(t, "construct")
    troops = useless | {D: "speaker", E: "speaker"}
    t = at_bonus(engine, "two_cards", {**base, "units": troops}, other, combats={A: 1})
    assert recalls(t) == sets("2 speaker")


@pytest.mark.rule("B4.1", "B5.6")
def test_recall_troop_by_troop(engine: str) -> None:
    """The payer picks spaces and types; Lorium and Troops go together when the whole price is named."""
    me = {
        "lorium": 2,
        "blueprints": ["crew_bridge"],
        "units": {A: "soldier, speaker", B: "soldier", C: "soldier"},
    }
    t = at_bonus(engine, "two_cards", me).do("bonus:construct").expect("RECALL_SPACE", 0)
    assert t.spaces() == {space(where) for where in (A, B, C)}
    t.do(A).expect("RECALL_TYPE", 0)
    assert t.options() == ["unit:soldier", "unit:speaker"]
    t.do("unit:soldier").expect("RECALL_SPACE", 0)
    assert t.spaces() == {space(B), space(C)}, "the Speaker would be too much now"
    assert (t.player(0)["lorium"], t.player(0)["modules"]) == (2, [])
    t.do(C).expect("BURN", 1)
    assert (t.player(0)["lorium"], t.player(0)["modules"]) == (0, ["crew_bridge"])
    assert (t.units(0, A), t.units(0, B), t.units(0, C)) == (counted("speaker"), counted("soldier"), [0] * 5)
    assert reserve(t, 0) == [9, 6, 4, 2, 2]


@pytest.mark.rule("B4.4", "RUL-B1")
def test_nothing_is_recalled_for_nothing(engine: str, tmp_path: Path) -> None:
    """A Module whose Influence cost is 0 takes Lorium only, with or without Troops on the planet."""
    (tmp_path / "modules.toml").write_text("[crew_bridge]\ninfluence = 0\n", encoding="utf-8")
    for troops in ({}, {A: "2 soldier, miner"}):
        me = {"lorium": 2, "blueprints": ["crew_bridge"], "units": troops}
        t = at_bonus(engine, "two_cards", me, options={"packs": [tmp_path]})
        t.do("bonus:construct").expect("BURN", 1)
        assert (t.player(0)["modules"], t.player(0)["lorium"]) == (["crew_bridge"], 0)
        assert sum(on_planet(t, 0)) == (3 if troops else 0)


# ------------------------------------------------------------------ B5
@pytest.mark.rule("B5.1", "B5.2")
def test_what_can_be_built(engine: str) -> None:
    """Acquired, not yet built, payable: in any order, exactly one by Manual Construction."""
    me = {
        "lorium": 4,
        "blueprints": ["crew_bridge", "control_systems", "power_core", "fuel_cells", "warp_drive"],
        "modules": ["control_systems"],
        "units": {A: "3 soldier"},
    }
    t = at_bonus(engine, "two_cards", me).do("bonus:construct").expect("CONSTRUCT", 0)
    # No Blueprint of Colonist Quarters; Control Systems stand; Influence lacks for Fuel Cells and Warp Drive.
    assert t.options() == ["module:crew_bridge", "module:power_core"]
    t.do("module:power_core").expect("BURN", 1)
    assert t.player(0)["modules"] == ["control_systems", "power_core"]
    assert t.player(0)["lorium"] == 0
    assert sum(on_planet(t, 0)) == 0


@pytest.mark.rule("B5.3", "A7.4", "RUL-B4")
def test_robotic_construction(engine: str) -> None:
    """Module after Module as long as the Lorium lasts or the player wants, Troops untouched."""
    me = {
        "lorium": 9,
        "blueprints": ["crew_bridge", "control_systems", "power_core", "warp_drive"],
        "units": {A: "soldier"},
    }
    t = robotic(at_bonus(engine, "hand_action", me))
    names = ["crew_bridge", "control_systems", "power_core", "warp_drive"]
    assert t.options() == ["done", *(f"module:{name}" for name in names)]
    t.do("module:power_core").expect("CONSTRUCT", 0)
    assert t.options() == ["done", "module:crew_bridge", "module:control_systems", "module:warp_drive"]
    stopped = t.fork().do("done").expect("BURN", 1)
    assert (stopped.player(0)["modules"], stopped.player(0)["lorium"]) == (["power_core"], 5)
    t.do("module:crew_bridge").expect("CONSTRUCT", 0)
    assert t.options() == ["done", "module:control_systems"]
    t.do("module:control_systems").expect("BURN", 1)
    assert (t.player(0)["modules"], t.player(0)["lorium"]) == (
        ["crew_bridge", "control_systems", "power_core"],
        0,
    )
    assert on_planet(t, 0) == counted("soldier")


@pytest.mark.rule("B5.4", "B2.1")
def test_building_closes_a_cell(engine: str) -> None:
    """Two prisoners too many go in the surplus discard of the same turn."""
    me = {
        "lorium": 2, "blueprints": ["crew_bridge", "control_systems"],
        "captured": {1: "10 soldier, 2 miner"}, "units": {A: "2 soldier"},
    }  # fmt: skip
    t = at_bonus(engine, "two_cards", me)
    idle = t.fork().do("done").expect("BURN", 1)
    assert sum(held(idle, 1)) == 12
    t.do("bonus:construct").expect("DISCARD_CAPTIVE", 0)
    assert sum(held(t, 1)) == 12
    t.do("captive:1:miner", "captive:1:soldier").expect("BURN", 1)
    assert t.captured(0, 1) == counted("9 soldier, miner")


@pytest.mark.rule("B5.5", "L1.2")
def test_the_sixth_module_completes_the_ship(engine: str) -> None:
    """Built by the Bonus Action it allows a Launch in the same turn; Modules stay through a failure and a
    Fracture."""
    me = {
        "ship": "savannah-4-1", "lorium": 5, "blueprints": list(MODULES), "modules": list(MODULES[:5]),
        "units": {A: "2 speaker", B: "harvester"},
    }  # fmt: skip
    t = at_bonus(
        engine,
        "two_cards",
        me,
        tiles={B: "lorium"},
        script={"humanity_die": ["0"], "fracture_token": ["savannah-4"]},
        cysmograph={"singles": 4, "stack": 6},
    )
    idle = t.fork().do("done").expect("BURN", 1)
    assert idle.player(0)["modules"] == list(MODULES[:5])
    t.do("bonus:construct").expect("LAUNCH", 0)
    assert t.player(0)["modules"] == list(MODULES)
    t.do("yes").expect("BURN", 1)
    assert t.player(0)["modules"] == list(MODULES)
    t.turn("speakers").end_turn()
    t.turn("harvesters").answer("ACT_SPACE", "done", seat=0).answer("ACT_SPACE", B, seat=0).expect(
        "ESCAPE_TO", 0
    )
    t.do(t.options()[0]).expect("BONUS", 0)
    assert t.tile("savannah-4-1") == "none"
    assert t.player(0)["modules"] == list(MODULES)


@pytest.mark.rule("B5.6", "A9.4", "N0.4")
def test_acquired_paid_and_built_in_one_turn(engine: str) -> None:
    """A Blueprint ransomed by Negotiate is built by the Bonus Action of the same turn."""
    me = {"lorium": 4, "captured": {1: "2 soldier"}, "units": {A: "2 speaker"}, "blueprints": []}
    t = scenario(engine, me).turn("negotiate").skip("RANSOM_PLAYER").do("player:1").expect("BONUS", 0)
    assert t.player(0)["blueprints"] == ["fuel_cells"]
    t.do("bonus:construct").expect("BURN", 1)
    assert (t.player(0)["modules"], t.player(0)["lorium"], reserve(t, 0)[2]) == (["fuel_cells"], 0, 5)


def names(found: Iterable[str]) -> list[str]:
    return [name.split(":")[1] for name in found]


@pytest.mark.rule("B5.1")
def test_in_any_order(engine: str) -> None:
    """The last Module of the list may be the first one built; what is built is not offered again."""
    t = robotic(at_bonus(engine, "hand_action", {"lorium": 21, "blueprints": list(MODULES)}))
    for module in reversed(MODULES[1:]):
        assert module in names(t.options()[1:])
        t.do(f"module:{module}").expect("CONSTRUCT", 0)
        assert module not in names(t.options()[1:])
    t.do("module:crew_bridge").expect("LAUNCH", 0)
    assert t.player(0)["modules"] == list(MODULES)
    assert t.player(0)["lorium"] == 0
