"""Chapter U: types, attributes, abilities, Locked Units, the Ship."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from geometry import ARROWS, SIDES, ball
from scenario import UNIT_NAMES, Table, make_game, scenario, space

from cysmic_fast.errors import ChanceError, PositionError
from cysmic_fast.vocabulary import ChanceKind, EventKind, UnitType

HERE, BESIDE = "tundra-4-1", "tundra-4-2"
TROOPS = ("soldier", "miner", "speaker")
SIX = ["crew_bridge", "control_systems", "colonist_quarters", "power_core", "fuel_cells", "warp_drive"]
QUAKE = {"singles": 7, "stack": 7}  # every Tremor is a Fracture


def strike(engine: str, mine: str, theirs: str, dice: list[str] | None = None, **more: Any) -> Table:
    """Seat 0 attacks in HERE and strikes; its Strike Die shows a reroll of a colour it does not roll."""
    colour = "red" if any(kind in mine for kind in ("soldier", "powermech")) else "yellow"
    other = "yellow" if colour == "red" else "red"
    script: dict[str, list[str]] = {"attacker_strike_die": [f"reroll {other}"], f"{colour}_die": dice or []}
    t = scenario(
        engine, {"units": {HERE: mine}}, {"units": {HERE: theirs}}, combats={HERE: 0}, script=script, **more
    )
    return t.turn("battle").answer("STRIKE_OR_FLEE", "strike", seat=0)


def rolls(t: Table) -> Counter[str]:
    """How many dice of each kind have been rolled."""
    return Counter(ChanceKind(e[2]).name.lower() for e in t.events("CHANCE"))


def fracture(engine: str, token: str, *seats: dict[str, Any], **position: Any) -> Table:
    """Seat 0 Stabilizes from savannah-4-1 to savannah-4-2; the Tremor is a Fracture with this token."""
    people = [{"ship": "savannah-4-1", **(seats[0] if seats else {})}, *seats[1:]]
    t = scenario(engine, *people, cysmograph=QUAKE, script={"fracture_token": [token]}, **position)
    return t.turn("colony_ship").answer("MOVE_TO", "savannah-4-2", seat=0)


# ------------------------------------------------------------------ U1
@pytest.mark.rule("U1.1")
def test_classes_of_units(engine: str) -> None:
    """Three Troops, two Vehicles, one Ship; what is Deployed, Upgraded to or Recalled tells them apart."""
    specs = make_game(engine).content.units
    assert {s.type.name.lower(): s.kind for s in specs} == {
        **dict.fromkeys(TROOPS, "troop"), "powermech": "vehicle", "harvester": "vehicle", "ship": "ship",
    }  # fmt: skip
    t = scenario(engine).turn("miners").answer("BONUS", "bonus:deploy_one", seat=0)
    t.expect("DEPLOY_TYPE", 0)
    assert t.options() == [f"unit:{kind}" for kind in TROOPS]
    # Recall takes Troops only: neither the Vehicles nor the Ship can pay for the Module
    t = scenario(engine, {"units": {HERE: "powermech", BESIDE: "harvester"}, "lorium": 5})
    t.turn("battle").expect("BONUS", 0)
    assert "bonus:construct" not in t.options()
    t = (
        scenario(engine, {"units": {HERE: "miner, powermech"}, "lorium": 5})
        .turn("battle")
        .do("bonus:construct")
    )
    t.answer("CONSTRUCT", "module:crew_bridge", seat=0)
    assert t.units(0, HERE) == [0, 0, 0, 1, 0]
    assert t.player(0)["modules"] == ["crew_bridge"]


@pytest.mark.rule("U1.1")
def test_flags_are_no_units(engine: str) -> None:
    """A Habitat with an enemy Flag and nobody in it is free for a Miner, and no Combat begins."""
    t = scenario(engine, {"units": {HERE: "miner"}}, tiles={BESIDE: "camp"}, control={BESIDE: 1})
    t.turn("miners").answer("ACT_SPACE", HERE).answer("MOVE_TO", BESIDE)
    assert t.units(0, BESIDE) == [0, 1, 0, 0, 0]
    assert t.snapshot()["combats"] == []
    assert t.controller(BESIDE) == 1


@pytest.mark.rule("U1.2")
@pytest.mark.parametrize(
    ("card", "actions"),
    [
        ("soldiers", {"move", "neutralize"}),
        ("powermechs", {"move", "jumpjet"}),
        ("miners", {"move", "mine", "explore"}),
        ("harvesters", {"move", "harvest", "scavenge"}),
        ("speakers", {"move", "persuade", "promote"}),
    ],
)
def test_what_each_kind_is_for(engine: str, card: str, actions: set[str]) -> None:
    """Combat, Resource and Influence Units: what their cards let them do, given every place."""
    kind = card[:-1]
    places = {"tundra-4-1": "camp", "tundra-4-2": "lorium", "rocky-4-1": "explorable"}
    homes = list(places)[1:] if kind in ("powermech", "harvester") else list(places)
    units = dict.fromkeys(homes, kind)
    t = scenario(
        engine,
        {"units": units, "board": [["battle", card]]},
        round=3,
        tiles=dict(places),
        control={"tundra-4-1": 1},
    )
    # Blue in Column 003 shows the Actions of the face-up card that its Units could perform
    t.turn("upgrade").skip("BONUS").do("bonus:played_action")
    t.expect("COMMAND_ACTION", 0)
    assert set(t.options()) == {f"action:{action}" for action in actions}


@pytest.mark.rule("U1.3", "S1.3")
def test_on_the_planet_captured_or_in_reserve(engine: str) -> None:
    """Of ten Soldiers seven on the planet and two captured leave one to Recruit."""
    seat = {"units": {HERE: "3 soldier", BESIDE: "3 soldier", "tundra-6-1": "soldier"}}
    t = (
        scenario(engine, seat, {"captured": {0: "2 soldier"}})
        .turn("recruit")
        .answer("RECRUIT_TYPE", "unit:soldier")
    )
    t.expect("RECRUIT_TYPE", 0)
    assert "unit:soldier" not in t.options()
    with pytest.raises(PositionError):
        scenario(engine, seat, {"captured": {0: "4 soldier"}})


@pytest.mark.rule("U1.4", "Y4.3", "N2.1")
def test_destroyed_units_return_to_the_reserve(engine: str) -> None:
    """Destroyed in a Combat, by a Ship or in a Collapse: its owner can Recruit it again, nobody holds it."""
    nine = {"rocky-4-1": "3 soldier", "rocky-4-2": "3 soldier", "rocky-5-1": "3 soldier"}
    # by Red 002
    t = scenario(
        engine, {"units": {HERE: "miner"}}, {"units": {HERE: "soldier", **nine}}, combats={HERE: 1}, round=2
    )
    t.turn("miners").answer("BONUS", "bonus:destroy_troop", seat=0)
    assert [e[1:] for e in t.events("LEAVE")] == [(1, UnitType.SOLDIER, space(HERE), 0)]
    assert t.captured(0, 1) == [0] * 5
    t.turn("recruit").expect("RECRUIT_TYPE", 1)
    assert "unit:soldier" in t.options()
    # by a Ship, and by a Collapse
    t = fracture(engine, "tundra-4", {"units": {"savannah-4-2": "soldier", HERE: "soldier"}})
    assert sorted(e[1:] for e in t.events("LEAVE")) == [
        (0, UnitType.SOLDIER, s, 0) for s in sorted((space("savannah-4-2"), space(HERE)))
    ]
    assert t.player(0)["units"] == []


# ------------------------------------------------------------------ U2
@pytest.mark.rule("U2.1", "U2.4", "RUL-U1")
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(
    ("kind", "movement"), [("soldier", 3), ("miner", 2), ("speaker", 3), ("powermech", 3), ("harvester", 2)]
)
def test_movement(engine: str, kind: str, movement: int, seat: int) -> None:
    """A Unit ends at most Movement steps away, whoever owns it; here nothing is in its way."""
    units = [{}, {}]
    units[seat] = {"units": {"tundra-3-1": kind}}
    t = scenario(engine, *units, first_player=seat, current_player=seat)
    t.turn(f"{kind}s").answer("ACT_SPACE", "tundra-3-1", seat=seat)
    if t.kind == "ACT_ACTION":
        t.do("action:move")
    assert t.expect("MOVE_TO", seat).spaces() == ball(space("tundra-3-1"), movement)


@pytest.mark.rule("U2.4")
def test_the_ship_moves_one_space(engine: str) -> None:
    """One step by side or arrow."""
    for home in ("savannah-4-1", "savannah-6-1"):
        t = scenario(engine, {"ship": home}).turn("colony_ship").expect("MOVE_TO", 0)
        assert t.spaces() == SIDES[space(home)] | ARROWS[space(home)]


@pytest.mark.rule("U2.2", "U2.1")
@pytest.mark.parametrize(("kind", "cost"), [("soldier", 1), ("speaker", 2), ("miner", 3)])
def test_cost_of_troops(engine: str, kind: str, cost: int) -> None:
    """With 4 Influence as many of a Troop can be Recruited as its Cost allows."""
    t = scenario(engine).turn("recruit")
    number = 0
    while t.kind == "RECRUIT_TYPE" and f"unit:{kind}" in t.options():
        t.do(f"unit:{kind}")
        number += 1
    assert number == 4 // cost
    # the Recall price is the same number: cost 2 of the Crew Bridge
    spec = make_game(engine).content.units[UNIT_NAMES.index(kind)]
    assert spec.influence_cost == cost
    t = scenario(engine, {"units": {HERE: kind}, "lorium": 5}).turn("battle").expect("BONUS", 0)
    assert ("bonus:construct" in t.options()) is (cost >= 2)


@pytest.mark.rule("U2.3", "U2.1", "RUL-U1")
@pytest.mark.parametrize(
    ("troop", "vehicle", "cost"), [("soldier", "powermech", 3), ("miner", "harvester", 1)]
)
def test_cost_of_vehicles(engine: str, troop: str, vehicle: str, cost: int) -> None:
    """Paid in Lorium: with less the Upgrade is not offered."""
    home = "savannah-4-1"
    for lorium, possible in ((cost, True), (cost - 1, False)):
        t = scenario(engine, {"units": {home: troop}, "lorium": lorium}).turn("upgrade")
        assert (t.kind == "UPGRADE_SPACE") is possible
    t = scenario(engine, {"units": {home: troop}, "lorium": 5}).turn("upgrade").answer("UPGRADE_SPACE", home)
    assert t.player(0)["lorium"] == 5 - cost
    assert t.units(0, home)[UNIT_NAMES.index(vehicle)] == 1


@pytest.mark.rule("U2.5", "K6.2", "RUL-U1")
@pytest.mark.parametrize(("kind", "health"), [("soldier", 4), ("speaker", 3), ("miner", 3)])
def test_health_of_troops(engine: str, kind: str, health: int) -> None:
    """One die of that value defeats it, a lower one does not."""
    t = strike(engine, "soldier", kind, [str(health)])
    if kind == "speaker":
        t.answer("SHIELD_DIE", "done", seat=1)
    t.expect("HITS", 0)
    assert t.options() == ["hits:0", "hits:1"]
    t = strike(engine, "soldier", kind, [str(health - 1)])
    if kind == "speaker":
        t.answer("SHIELD_DIE", "done", seat=1)
    t.expect("STRIKE_OR_FLEE", 1)
    assert sum(t.units(1, HERE)) == 1


@pytest.mark.rule("U2.6", "K6.3")
@pytest.mark.parametrize(
    ("kind", "dice", "falls"),
    [
        ("powermech", "6 4 1 1", True),
        ("powermech", "1 4 1 6", True),
        ("powermech", "6 6 1 1", True),
        ("powermech", "6 3 3 3", False),
        ("powermech", "5 5 5 5", False),
        ("powermech", "6 1 1 1", False),
        ("harvester", "5 3 1 1", True),
        ("harvester", "3 5 1 1", True),
        ("harvester", "5 2 2 2", False),
        ("harvester", "4 4 4 4", False),
    ],
)
def test_health_of_vehicles(engine: str, kind: str, dice: str, falls: bool) -> None:
    """Two dice of one Strike: 6 and 4 for a Powermech, 5 and 3 for a Harvester."""
    t = strike(engine, "powermech", kind, dice.split())
    if falls:
        t.expect("HITS", 0)
        assert t.options() == ["hits:0", "hits:1"]
        t.do("hits:1")
        assert sum(t.units(1, HERE)) == 0
    else:
        t.expect("STRIKE_OR_FLEE", 1)


@pytest.mark.rule("U2.7", "U2.1", "K4.1", "RUL-U1")
@pytest.mark.parametrize(
    ("kind", "red", "yellow"),
    [("soldier", 1, 0), ("powermech", 4, 0), ("speaker", 0, 1), ("harvester", 0, 3), ("miner", 0, 1)],
)
@pytest.mark.parametrize("seat", [0, 1])
def test_combat_dice(engine: str, kind: str, red: int, yellow: int, seat: int) -> None:
    """Number and colour of what one Unit of the type rolls, beside one Strike Die."""
    die = "attacker" if seat == 0 else "defender"
    units = [{"units": {HERE: "soldier"}}, {"units": {HERE: "soldier"}}]
    units[seat] = {"units": {HERE: kind}}
    t = scenario(
        engine,
        *units,
        combats={HERE: 0},
        first_player=seat,
        current_player=seat,
        script={f"{die}_strike_die": ["reroll yellow" if red else "reroll red"]},
    )
    t.turn("battle").answer("STRIKE_OR_FLEE", "strike", seat=seat)
    rolled = rolls(t)
    assert (rolled["red_die"], rolled["yellow_die"], rolled[f"{die}_strike_die"]) == (red, yellow, 1)


@pytest.mark.rule("U2.8")
def test_dice_have_twelve_or_six_sides(engine: str) -> None:
    """Every value of a red die can be rolled, at the place of its first face, and nothing else."""
    dice = make_game(engine).content.dice
    assert (len(dice.red), len(dice.yellow)) == (12, 12)
    assert (len(dice.attacker_strike), len(dice.defender_strike), len(dice.humanity)) == (6, 6, 6)
    for values in ("1 2 3 4", "5 6 1 1"):
        t = strike(engine, "powermech", "powermech", values.split())
        faces = [e[3] for e in t.events("CHANCE") if e[2] == ChanceKind.RED_DIE]
        assert faces == [dice.red.index(int(value)) for value in values.split()]
    for mine, impossible in (("soldier", "7"), ("speaker", "6"), ("soldier", "0")):
        with pytest.raises(ChanceError):
            strike(engine, mine, "soldier", [impossible])
    for seed in range(6):
        t = strike(engine, "powermech", "soldier", seed=seed)
        assert all(0 <= e[3] < 12 for e in t.events("CHANCE") if e[2] == ChanceKind.RED_DIE)


# ------------------------------------------------------------------ U3
@pytest.mark.rule("U3.1", "M2.6", "M2.7")
@pytest.mark.parametrize(
    ("kind", "engages"),
    [("soldier", True), ("powermech", True), ("miner", False), ("speaker", False), ("harvester", False)],
)
def test_engage(engine: str, kind: str, engages: bool) -> None:
    """Only Soldiers and Powermechs may end a Move among enemies."""
    t = scenario(engine, {"units": {HERE: kind}}, {"units": {BESIDE: "speaker"}}).turn(f"{kind}s")
    t.answer("ACT_SPACE", HERE)
    if t.kind == "ACT_ACTION":
        t.do("action:move")
    assert (space(BESIDE) in t.expect("MOVE_TO", 0).spaces()) is engages
    if engages:
        t.do(BESIDE)
        assert t.attacker(BESIDE) == 0


@pytest.mark.rule("U3.1", "K4.7")
@pytest.mark.parametrize("kind", UNIT_NAMES)
def test_shield(engine: str, kind: str) -> None:
    """Only a Speaker lowers a die of the striker."""
    t = strike(engine, "powermech", kind, ["1", "1", "2", "2"])
    assert (t.kind == "SHIELD_DIE") is (kind == "speaker")


@pytest.mark.rule("U3.1", "Y5.1")
@pytest.mark.parametrize(
    ("kind", "escapes"),
    [("soldier", False), ("powermech", False), ("speaker", False), ("miner", True), ("harvester", True)],
)
def test_early_warning(engine: str, kind: str, escapes: bool) -> None:
    """Miners and Harvesters may escape from a Collapse; the others are destroyed."""
    t = fracture(engine, "tundra-5", {"units": {"tundra-5-2": kind}})
    assert (t.kind == "ESCAPE") is escapes
    if escapes:
        t.do("tundra-5-2").answer("ESCAPE_TO", HERE, seat=0)
        assert sum(t.units(0, HERE)) == 1
    else:
        assert t.player(0)["units"] == []


@pytest.mark.rule("U3.1", "Y5.5")
def test_early_warning_of_the_ship(engine: str) -> None:
    """A Ship in the collapsing ring escapes; it cannot stay."""
    t = fracture(engine, "forest-4", {}, {"ship": "forest-4-1"})
    t.expect("ESCAPE_TO", 1)
    assert t.spaces() == {
        n for n in SIDES[space("forest-4-1")] if n not in range(space("forest-4-0"), space("forest-4-3") + 1)
    }
    t.do("forest-5-1")
    assert t.player(1)["ship"] == space("forest-5-1")


@pytest.mark.rule("U3.1", "M5.6")
@pytest.mark.parametrize("kind", UNIT_NAMES)
def test_jumpjets_are_not_an_ability(engine: str, kind: str) -> None:
    """Only the Powermech jumps, and that gives it neither Shield nor Early Warning."""
    spec = make_game(engine).content.units[UNIT_NAMES.index(kind)]
    abilities = {word for word in ("engage", "shield", "early_warning") if getattr(spec, word)}
    assert abilities == {
        "soldier": {"engage"}, "powermech": {"engage"}, "speaker": {"shield"},
        "miner": {"early_warning"}, "harvester": {"early_warning"},
    }[kind]  # fmt: skip
    t = scenario(engine, {"units": {HERE: kind}}).turn(f"{kind}s").answer("ACT_SPACE", HERE)
    assert ("action:jumpjet" in t.options()) is (kind == "powermech")


# ------------------------------------------------------------------ U4
@pytest.mark.rule("U4.1", "K8.1")
def test_locked_exactly_beside_enemies(engine: str) -> None:
    """With the last enemy gone the rest are Unlocked again; own Units and Flags lock nobody."""
    seat = {"units": {HERE: "soldier, miner", BESIDE: "2 soldier", "tundra-5-1": "soldier"}}
    foe = {"units": {HERE: "miner"}}
    more: dict[str, Any] = {
        "tiles": {"tundra-5-1": "camp"},
        "control": {"tundra-5-1": 1},
        "combats": {HERE: 0},
    }
    t = scenario(engine, seat, foe, **more).turn("soldiers").expect("ACT_SPACE", 0)
    assert t.spaces() == {space(BESIDE), space("tundra-5-1")}
    t = scenario(engine, seat, foe, round=2, **more).turn("miners").do("bonus:destroy_troop")
    assert t.snapshot()["combats"] == []
    t.expect("BURN", 1).turn("battle").end_turn().turn("soldiers").expect("ACT_SPACE", 0)
    assert t.spaces() == {space(HERE), space(BESIDE), space("tundra-5-1")}


@pytest.mark.rule("U4.1", "U4.2")
@pytest.mark.parametrize("kind", ["miner", "speaker", "harvester", "soldier"])
def test_whoever_enters_a_combat_is_locked(engine: str, kind: str) -> None:
    """A Unit that joined its side's Combat has nothing more to do in the later Sections of its card."""
    tile = {"miner": "lorium", "speaker": "camp", "harvester": "lorium", "soldier": "camp"}[kind]
    foe = "speaker" if kind != "speaker" else "miner"
    t = scenario(
        engine,
        {"units": {BESIDE: kind, HERE: "soldier" if kind != "soldier" else "miner"}},
        {"units": {HERE: foe}},
        combats={HERE: 0},
        tiles={HERE: tile},
        control={HERE: 1} if tile == "camp" else {},
    )
    t.turn(f"{kind}s").answer("ACT_SPACE", BESIDE).answer("MOVE_TO", HERE).expect("BONUS", 0)
    assert sum(t.units(0, HERE)) == 2


def in_combat(engine: str, mine: str, **more: Any) -> Table:
    """Seat 0's only Units are Locked in HERE."""
    seat = {"units": {HERE: mine}, **more.pop("seat", {})}
    return scenario(engine, seat, {"units": {HERE: "soldier"}}, combats={HERE: 0}, **more)


@pytest.mark.rule("U4.3", "U4.1")
@pytest.mark.parametrize("kind", UNIT_NAMES)
def test_a_locked_unit_neither_moves_nor_acts(engine: str, kind: str) -> None:
    """Its card has no effect, in a place where it could do everything."""
    for tile in ("lorium", "explorable", "camp"):
        t = in_combat(engine, kind, tiles={HERE: tile}, control={HERE: 1} if tile == "camp" else {})
        t.turn(f"{kind}s").expect("BONUS", 0)
    t = in_combat(engine, kind, round=3)  # and Move 3 Units finds the Ship alone
    t.turn("miners").answer("BONUS", "bonus:move_three", seat=0).expect("ACT_SPACE", 0)
    assert t.spaces() == {space("savannah-4-2")}


@pytest.mark.rule("U4.3", "B4.1")
def test_a_locked_unit_cannot_be_recalled(engine: str) -> None:
    """A Miner in a Combat pays for no Module; an Unlocked one does."""
    t = in_combat(engine, "miner", seat={"lorium": 5}).turn("recruit").skip("BONUS")
    assert "bonus:construct" not in t.options()
    t = in_combat(engine, "miner", seat={"lorium": 5, "units": {HERE: "miner", BESIDE: "miner"}})
    t.turn("recruit").skip("BONUS").do("bonus:construct").answer("CONSTRUCT", "module:crew_bridge")
    assert (t.units(0, HERE), t.units(0, BESIDE)) == ([0, 1, 0, 0, 0], [0] * 5)


@pytest.mark.rule("U4.3", "L3.1")
def test_a_locked_unit_cannot_evacuate(engine: str) -> None:
    """Beside the own Ship, and yet it stays."""
    seat = {
        "ship": "tundra-4-0",
        "modules": SIX,
        "blueprints": SIX,
        "units": {HERE: "soldier", "tundra-5-0": "soldier"},
    }
    t = scenario(engine, seat, {"units": {HERE: "soldier"}}, combats={HERE: 0})
    t.turn("colony_ship").answer("MOVE_TO", "tundra-3-0", seat=0)
    t.answer("ACT_SPACE", "done").answer("ACT_SPACE", "tundra-3-0").expect("ACT_SPACE", 0)
    assert t.spaces() == {space("tundra-5-0")}


@pytest.mark.rule("U4.3", "Y-EX7")
def test_a_locked_unit_has_no_early_warning(engine: str) -> None:
    """A Miner in a Combat is destroyed in a Collapse with everyone there."""
    t = fracture(
        engine,
        "tundra-4",
        {"units": {HERE: "miner"}},
        {"units": {HERE: "soldier"}},
        combats={HERE: 1},
    )
    assert t.kind != "ESCAPE"
    assert t.player(0)["units"] == t.player(1)["units"] == []


@pytest.mark.rule("U4.3", "X1.2")
def test_a_locked_unit_makes_no_cyber_attack(engine: str) -> None:
    """Of two Soldiers beside the enemy Ship only the Unlocked one may try."""
    t = scenario(
        engine,
        {"units": {"forest-4-1": "soldier", "forest-5-2": "soldier"}},
        {"units": {"forest-4-1": "miner"}},
        combats={"forest-4-1": 0},
    )
    t.turn("negotiate").skip("CYBER_SPACE")
    assert t.spaces() == {space("forest-5-2")}


@pytest.mark.rule("U4.4", "R3.1", "R4.1")
def test_locked_troops_are_neither_promoted_nor_upgraded(engine: str) -> None:
    """Not by the Speakers or Upgrade card; only effects that say so include them (Yellow 003 and 005)."""
    seat = {"units": {HERE: "soldier", BESIDE: "soldier, speaker"}, "lorium": 5}
    foe = {"units": {HERE: "miner"}}
    t = scenario(engine, seat, foe, combats={HERE: 0}).turn("speakers").answer("ACT_SPACE", "done")
    t.answer("ACT_SPACE", BESIDE).expect("PROMOTE_FROM", 0)  # there is no choice of space
    t = scenario(engine, seat, foe, combats={HERE: 0}).turn("upgrade").expect("UPGRADE_SPACE", 0)
    assert t.spaces() == {space(BESIDE)}
    t = (
        scenario(engine, seat, foe, combats={HERE: 0}, round=3)
        .turn("upgrade")
        .skip("BONUS")
        .do("bonus:promote")
    )
    assert t.expect("PROMOTE_SPACE", 0).spaces() == {space(HERE), space(BESIDE)}
    t = (
        scenario(engine, seat, foe, combats={HERE: 0}, round=5)
        .turn("upgrade")
        .skip("BONUS")
        .do("bonus:upgrade_one")
    )
    assert t.expect("UPGRADE_SPACE", 0).spaces() == {space(HERE), space(BESIDE)}


# ------------------------------------------------------------------ U5
@pytest.mark.rule("U5.1", "RUL-Y11")
def test_a_ship_is_neither_destroyed_nor_captured(engine: str) -> None:
    """The Devastated token drives it away; with nowhere to go it stays and so does its tile."""
    t = fracture(
        engine, "devastated", {}, {"ship": "forest-4-1"}, tiles={"forest-4-1": "none", "forest-5-1": "plain"}
    )
    t.expect("ESCAPE_TO", 1)
    t.do("forest-5-1")
    assert t.player(1)["ship"] == space("forest-5-1")
    # an island: seat 0 leaves an Abyss behind, everything else is Mountain, so the Ship and its tile stay
    shut: dict[str | int, str] = dict.fromkeys(range(127), "mountain") | {0: "none"}
    island: dict[str | int, str] = dict.fromkeys(("savannah-4-2", "savannah-4-1", "forest-5-2"), "plain")
    t = scenario(
        engine,
        {"ship": "savannah-4-2"},
        {"ship": "forest-5-2"},
        tiles=shut | island,
        cysmograph=QUAKE,
        script={"fracture_token": ["forest-5"]},
    )
    t.turn("colony_ship").skip("BONUS")
    assert [p["ship"] for p in t.snapshot()["players"]] == [space("savannah-4-1"), space("forest-5-2")]
    assert [t.tile(f"forest-5-{k}") for k in range(5)] == ["none", "none", "plain", "none", "none"]
    assert not any(e[2] == UnitType.SHIP for e in t.events("LEAVE") + t.events("CAPTURE"))


@pytest.mark.rule("U5.2", "M2.4", "M2.5", "R2.2")
def test_a_ship_is_alone_in_its_space(engine: str) -> None:
    """Neither the own nor an enemy Ship's space can be entered, by Move, Deploy or another Ship."""
    with pytest.raises(PositionError):
        scenario(engine, {"ship": HERE, "units": {HERE: "soldier"}})
    with pytest.raises(PositionError):
        scenario(engine, {"ship": HERE}, {"ship": HERE})
    t = scenario(engine, {"ship": HERE, "units": {"tundra-3-1": "soldier"}}, {"ship": BESIDE})
    t.turn("soldiers").answer("ACT_SPACE", "tundra-3-1").expect("MOVE_TO", 0)
    assert not {space(HERE), space(BESIDE)} & t.spaces()
    t = scenario(engine, {"ship": HERE}, {"ship": BESIDE}).turn("recruit").do("unit:soldier", "done")
    assert t.expect("DEPLOY_SPACE", 0).spaces() == SIDES[space(HERE)] - {space(BESIDE)}
    t = scenario(engine, {"ship": HERE}, {"ship": BESIDE}).turn("colony_ship")
    assert t.expect("MOVE_TO", 0).spaces() == SIDES[space(HERE)] - {space(BESIDE)}


@pytest.mark.rule("U5.3", "M4.2", "M6.4", "K8.1", "I3.5")
def test_a_ship_destroys_what_it_enters(engine: str) -> None:
    """Own and enemy Units, a Combat, the Habitat with its Flag; on bare ground the Relic Token."""
    target = "savannah-4-1"
    t = scenario(
        engine,
        {"units": {target: "soldier, miner"}},
        {"units": {target: "2 soldier, harvester"}},
        combats={target: 1},
        tiles={target: "outpost"},
        control={target: 1},
    )
    assert t.state.influence(1) == 6
    t.turn("colony_ship").answer("MOVE_TO", target)
    doc = t.snapshot()
    assert (doc["combats"], doc["control"]) == ([], [])
    assert t.tile(target) == "plain"
    assert all(p["units"] == [] and p["captured"] == [] for p in doc["players"])
    assert t.state.influence(1) == 4
    lost = Counter((e[1], UNIT_NAMES[e[2]]) for e in t.events("LEAVE") if e[4] == 0)
    assert lost == {(0, "soldier"): 1, (0, "miner"): 1, (1, "soldier"): 2, (1, "harvester"): 1}

    t = (
        scenario(engine, tiles={target: "none"}, relic_tokens=[target])
        .turn("colony_ship")
        .answer("MOVE_TO", target)
    )
    assert t.snapshot()["relic_tokens"] == []
    assert t.events("DRAW") == []
    assert t.player(0)["relics"] == []


@pytest.mark.rule("U5.4", "RUL-P1")
def test_a_feature_a_ship_has_erased_does_not_return(engine: str) -> None:
    """The tile stays without its Lorium, is ordinary ground, and Collapses with its ring of its terrain."""
    target = "savannah-5-2"
    t = scenario(
        engine,
        {"units": {"savannah-5-4": "miner"}},
        tiles={target: "lorium"},
        cysmograph={"singles": 4, "stack": 5},
        script={"fracture_token": ["savannah-5"]},
    )
    t.turn("colony_ship").answer("MOVE_TO", target, seat=0).answer("ACT_SPACE", target).answer(
        "MOVE_TO", "savannah-4-1"
    )
    t.skip("BONUS").do("done").turn("battle", "recruit").end_turn()
    assert t.tile(target) == "plain"
    t.turn("miners").do("savannah-5-4", target).expect("BONUS", 0)  # nothing to Mine there
    assert t.units(0, target) == [0, 1, 0, 0, 0]
    t.do("done").turn("colony_ship")
    t.answer("MOVE_TO", "forest-4-1", seat=1)  # the second Tremor, and the Fracture of Savannah, ring 5
    t.answer("ESCAPE", "done", seat=0)
    assert t.tile(target) == "none"


@pytest.mark.rule("U5.5", "RUL-U3", "N3.4")
def test_when_a_ship_counts_as_a_unit(engine: str) -> None:
    """For moving effects and for blocking: Move 3 Units may move it, and nobody flees into its space."""
    t = scenario(engine, {"units": {HERE: "soldier"}}, round=3).turn("miners").do("bonus:move_three")
    t.expect("ACT_SPACE", 0)
    assert t.spaces() == {space(HERE), space("savannah-4-2")}
    t.do("savannah-4-2")
    assert t.expect("MOVE_TO", 0).spaces() == SIDES[space("savannah-4-2")] | {space("savannah-4-2")}
    t.do("savannah-4-1")
    assert t.player(0)["ship"] == space("savannah-4-1")
    assert t.tile("savannah-4-2") == "plain"  # a Move, no Collapse
    # fleeing: neither the own nor the enemy Ship's space
    t = scenario(
        engine,
        {"ship": BESIDE, "units": {HERE: "soldier"}},
        {"ship": "tundra-5-1", "units": {HERE: "soldier"}},
        combats={HERE: 1},
    )
    t.turn("battle").answer("STRIKE_OR_FLEE", "flee", seat=0)
    assert t.expect("FLEE_TO", 0).spaces() == SIDES[space(HERE)] - {space(BESIDE), space("tundra-5-1")}


@pytest.mark.rule("U5.5", "RUL-U3", "L2.1")
def test_when_a_ship_does_not_count_as_a_unit(engine: str) -> None:
    """Not for Combat, Lock, what is stranded, or effects on Troops: a Soldier beside it is not Locked."""
    t = scenario(
        engine,
        {"modules": SIX, "blueprints": SIX, "units": {"forest-4-1": "soldier"}},
        {"ship": "forest-4-2"},
    )
    t.turn("soldiers").expect("ACT_SPACE", 0)
    assert t.snapshot()["combats"] == []
    t = scenario(engine, {"modules": SIX, "blueprints": SIX}).turn("battle").skip("LAUNCH").do("yes")
    assert t.state.winners() == [0]  # nobody stranded, no die
    assert t.events("CHANCE") == []
    assert [e[:4] for e in t.events("LAUNCH")] == [(EventKind.LAUNCH, 0, 1, 0)]
