"""Chapter A: the ten Command Cards, played from their first Section to their last."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pytest
from geometry import NEAR, SIDES, SPACES, ball, is_abyss
from plays import MODULES, at_bonus, held, on_planet, pick, reserve, ship_card
from scenario import CARDS, Table, scenario, space
from scenario import units as counted

from cysmic_fast.vocabulary import Feature

BUILT: dict[str, Any] = {"blueprints": list(MODULES), "modules": list(MODULES)}
A, B, C, D, E = "tundra-5-1", "tundra-5-3", "tundra-6-0", "wetlands-5-1", "wetlands-5-3"
SHIP = "savannah-4-2"
BESIDE = sorted(SIDES[space(SHIP)])


def spaces(*names: str | int) -> set[int]:
    return {space(name) for name in names}


def tremors(t: Table) -> int:
    return len(t.events("TREMOR"))


# ------------------------------------------------------------------ A0
@pytest.mark.rule("A0.1", "A0.2", "A4.1", "M5.5")
def test_powermechs(engine: str) -> None:
    """Each performs a Move or a Jumpjet Move, not both; the jump goes over anything and causes a Tremor."""
    wall = dict.fromkeys(SIDES[space(A)], "lake")
    t = scenario(engine, {"units": {A: "powermech, soldier", E: "powermech"}}, tiles=wall).turn("powermechs")
    t.answer("ACT_SPACE", A, seat=0).expect("ACT_ACTION", 0)
    assert t.options() == ["action:move", "action:jumpjet"]
    walled = t.fork().do("action:move")  # nowhere to go: it has moved 0 spaces
    assert walled.expect("ACT_SPACE", 0).spaces() == spaces(E)
    assert tremors(walled) == 0
    t.do("action:jumpjet").expect("MOVE_TO", 0)
    assert t.spaces() == ball(space(A), 3) - SIDES[space(A)] - spaces("forest-4-2", SHIP)
    t.do("tundra-3-1").expect("ACT_SPACE", 0)
    assert t.units(0, "tundra-3-1") == counted("powermech")
    assert tremors(t) == 1
    assert t.spaces() == spaces(E), "the one that jumped has acted"
    t.answer("ACT_SPACE", E).answer("ACT_ACTION", "action:move").answer("MOVE_TO", D).expect("BONUS", 0)
    assert tremors(t) == 1
    assert t.units(0, D) == counted("powermech")


@pytest.mark.rule("A0.1")
@pytest.mark.parametrize("kind", ["soldier", "miner", "speaker", "harvester"])
def test_each_unit_moves_once(engine: str, kind: str) -> None:
    """The Move Section of a Unit card: every Unit of the type one Move, no other type, any of them none."""
    others = ", ".join(name for name in ("soldier", "miner", "speaker") if name != kind)
    me = {"units": {A: others, B: kind, D: kind}}
    t = scenario(engine, me).turn(f"{kind}s").expect("ACT_SPACE", 0)
    assert t.options() == ["done", *(f"space:{n}" for n in sorted(spaces(B, D)))]
    t.do(B).expect("MOVE_TO", 0)
    assert spaces(B, "tundra-5-2", "tundra-4-2") <= t.spaces()
    t.do("tundra-5-2").expect("ACT_SPACE", 0)
    assert t.spaces() == spaces(D)
    t.do("done").skip("BONUS")
    assert t.units(0, "tundra-5-2") == counted(kind)
    assert t.units(0, D) == counted(kind)


# ------------------------------------------------------------------ A1
@pytest.mark.rule("A1.1", "I3.2", "RUL-I2")
def test_persuade(engine: str) -> None:
    """A Speaker takes the Habitat of its space, neutral or enemy-controlled; not an own one, not where it
    is Locked."""
    neutral, enemy, own, locked, none = A, B, C, D, E
    t = scenario(
        engine,
        {"units": dict.fromkeys((neutral, enemy, own, locked, none), "speaker")},
        {"units": {locked: "miner"}},
        tiles={neutral: "camp", enemy: "settlement", own: "outpost", locked: "outpost"},
        control={enemy: 1, own: 0, locked: 1},
        combats={locked: 1},
    )
    t.turn("speakers").answer("ACT_SPACE", "done", seat=0).expect("ACT_SPACE", 0)
    assert t.spaces() == spaces(neutral, enemy)
    t.do(enemy).expect("ACT_SPACE", 0)
    assert (t.controller(enemy), t.state.influence(0), t.state.influence(1)) == (0, 4 + 2 + 3, 4 + 2)
    assert t.spaces() == spaces(neutral)
    t.do(neutral)
    assert t.controller(neutral) == 0
    assert t.controller(locked) == 1
    assert [e[1:4] for e in t.events("INFLUENCE_CONTROL")] == [(0, space(enemy), 1), (0, space(neutral), -1)]


@pytest.mark.rule("A1.1")
def test_a_habitat_is_persuaded_once(engine: str) -> None:
    """Of two Speakers in one space only the first finds a Habitat not yet controlled."""
    t = scenario(engine, {"units": {A: "2 speaker"}}, tiles={A: "camp"}).turn("speakers")
    t.answer("ACT_SPACE", "done").answer("ACT_SPACE", A)
    assert t.controller(A) == 0
    t.answer("ACT_SPACE", A, seat=0).expect("PROMOTE_TO", 0)  # straight on to Field Promote


@pytest.mark.rule("A1.2", "R3.2", "R3.3", "RUL-R3")
def test_field_promote(engine: str) -> None:
    """Each acting Speaker swaps one Troop, anywhere, itself included; as many swaps as Speakers."""
    t = scenario(engine, {"units": {A: "2 speaker", B: "miner", C: "powermech"}}).turn("speakers")
    t.answer("ACT_SPACE", "done", seat=0)
    t.answer("ACT_SPACE", A, seat=0).expect("PROMOTE_SPACE", 0)
    assert t.spaces() == spaces(A, B)
    t.do(B).expect("PROMOTE_TO", 0)
    assert t.options() == ["unit:soldier", "unit:speaker"]
    t.do("unit:speaker").expect("ACT_SPACE", 0)
    assert t.units(0, B) == counted("speaker")
    assert t.spaces() == spaces(A), "the new Speaker does not act (RUL-R10)"
    t.do(A).answer("PROMOTE_SPACE", A).answer("PROMOTE_TO", "unit:soldier").expect("BONUS", 0)
    assert t.units(0, A) == counted("soldier, speaker")
    assert reserve(t, 0) == [9, 6, 3, 1, 2]


# ------------------------------------------------------------------ A2, A3
@pytest.mark.rule("A2.1", "A2.2", "A2.3")
def test_mine_and_explore(engine: str) -> None:
    """1 Lorium for each Miner on Lorium, 1 card for each on Explorable, nothing elsewhere; spaces are not
    used up."""
    tiles = {A: "lorium", B: "explorable", D: "lorium"}
    units = {A: "3 miner", B: "2 miner", C: "miner"}
    t = scenario(engine, {"units": units}, tiles=tiles, discovery={"draw": ["D19", "D22"]}).turn("miners")
    t.answer("ACT_SPACE", "done", seat=0).expect("ACT_SPACE", 0)
    assert t.spaces() == spaces(A, B)
    for lorium in (1, 2, 3):
        t.answer("ACT_SPACE", A)
        assert t.player(0)["lorium"] == lorium
    assert t.expect("ACT_SPACE", 0).spaces() == spaces(B)
    t.do(B)
    assert t.player(0)["discovery"] == ["D19"]
    t.answer("ACT_SPACE", B).expect("BONUS", 0)
    assert t.player(0)["discovery"] == ["D19", "D22"]
    assert (t.tile(A), t.tile(B), tremors(t)) == ("lorium", "explorable", 0)
    assert t.player(0)["lorium"] == 3


@pytest.mark.rule("A3.1", "I3.2")
def test_neutralize(engine: str) -> None:
    """A Soldier turns an enemy-controlled Habitat neutral; a neutral or own one, or one it is Locked in, it
    cannot."""
    neutral, enemy, own, locked, none = A, B, C, D, E
    t = scenario(
        engine,
        {"units": dict.fromkeys((neutral, enemy, own, locked, none), "soldier")},
        {"units": {locked: "miner"}},
        tiles={neutral: "camp", enemy: "settlement", own: "outpost", locked: "outpost"},
        control={enemy: 1, own: 0, locked: 1},
        combats={locked: 1},
    )
    t.turn("soldiers").answer("ACT_SPACE", "done", seat=0).expect("ACT_SPACE", 0)
    assert t.spaces() == spaces(enemy)
    t.do(enemy).expect("BONUS", 0)
    assert t.controller(enemy) is None
    assert [t.state.influence(seat) for seat in (0, 1)] == [4 + 2, 4 + 2]
    assert [e[1:4] for e in t.events("INFLUENCE_CONTROL")] == [(-1, space(enemy), 1)]


# ------------------------------------------------------------------ A5
@pytest.mark.rule("A5.1", "A5.2", "T4.7", "A2.3")
def test_harvest_and_scavenge(engine: str) -> None:
    """Harvest: 3 Lorium and a Tremor. Scavenge: 2 cards, 1 Lorium, no Tremor. One of the two, as the space
    has it."""
    for tile, lorium, cards, shakes in (("lorium", 3, 0, 1), ("explorable", 1, 2, 0), ("plain", 0, 0, 0)):
        t = scenario(engine, {"units": {A: "harvester"}}, tiles={A: tile}).turn("harvesters")
        t.answer("ACT_SPACE", "done", seat=0)
        if tile != "plain":
            t.answer("ACT_SPACE", A, seat=0)
        t.expect("BONUS", 0)
        assert (t.player(0)["lorium"], len(t.player(0)["discovery"]), tremors(t)) == (lorium, cards, shakes)
        assert t.tile(A) == tile


@pytest.mark.rule("A5.1", "T4.8")
def test_one_tremor_for_each_harvest(engine: str) -> None:
    """Two Harvests move the Cysmograph twice, each right after its Lorium."""
    t = scenario(engine, {"units": {A: "harvester", D: "harvester"}}, tiles={A: "lorium", D: "lorium"}).turn(
        "harvesters"
    )
    t.answer("ACT_SPACE", "done").answer("ACT_SPACE", A).expect("ACT_SPACE", 0)
    assert (t.player(0)["lorium"], tremors(t), t.snapshot()["cysmograph"]["stack"]) == (3, 1, 5)
    t.do(D).expect("BONUS", 0)
    assert (t.player(0)["lorium"], tremors(t), t.snapshot()["cysmograph"]["stack"]) == (6, 2, 6)


# ------------------------------------------------------------------ A6
@pytest.mark.rule("A6.1", "A6.2", "R1.1", "R1.4", "R2.1", "T8.1")
def test_recruit_and_motivate(engine: str) -> None:
    """Troops within Influence, chosen first, then Deployed; then one of the new ones performs its Unit
    card."""
    mine = BESIDE[0]
    me = {"units": {mine: "miner", A: "soldier"}}
    t = scenario(engine, me, tiles={mine: "lorium"}).turn("recruit").expect("RECRUIT_TYPE", 0)
    assert t.options() == ["done", "unit:soldier", "unit:miner", "unit:speaker"]
    t.do("unit:soldier").expect("RECRUIT_TYPE", 0)
    assert t.options() == ["done", "unit:soldier", "unit:miner", "unit:speaker"]
    t.do("unit:miner").expect("DEPLOY_TYPE", 0)  # 1 + 3 of 4
    assert t.options() == ["unit:soldier", "unit:miner"]
    t.do("unit:miner").expect("DEPLOY_SPACE", 0)
    assert t.spaces() == set(BESIDE)
    t.do(mine).answer("DEPLOY_SPACE", BESIDE[1], seat=0)
    t.expect("ACT_SPACE", 0)
    assert t.spaces() == {mine, BESIDE[1]}, "neither the Soldier elsewhere nor nobody else"
    idle = t.fork().do("done").expect("BONUS", 0)
    assert idle.player(0)["lorium"] == 0
    t.do(mine).expect("ACT_ACTION", 0)  # the new Miner beside the old one
    assert t.options() == ["done", "action:move"]
    t.do("done").expect("ACT_ACTION", 0)
    assert t.options() == ["done", "action:mine"]
    t.do("action:mine").expect("BONUS", 0)
    assert t.player(0)["lorium"] == 1


@pytest.mark.rule("A6.2", "RUL-R9", "R2.4")
def test_no_motivating_a_locked_troop(engine: str) -> None:
    """The Soldier that landed on enemies is Locked; another new Troop may be Activated instead, or nobody."""
    t = scenario(engine, {}, {"units": {BESIDE[0]: "speaker"}}).turn("recruit")
    t.do("unit:soldier", "unit:soldier", "done").answer("DEPLOY_SPACE", BESIDE[0]).answer(
        "DEPLOY_SPACE", BESIDE[1]
    )
    assert t.attacker(BESIDE[0]) == 0
    t.expect("ACT_SPACE", 0)
    assert t.spaces() == {BESIDE[1]}
    t = scenario(engine, {}, {"units": {BESIDE[0]: "speaker"}}).turn("recruit")
    t.do("unit:soldier", "done").answer("DEPLOY_SPACE", BESIDE[0]).expect("BONUS", 0)


@pytest.mark.rule("A6.2", "T8.1")
def test_motivate_only_what_this_card_deployed(engine: str) -> None:
    """Without a Troop Deployed by it the card Activates nobody."""
    t = scenario(engine, {"units": {BESIDE[0]: "soldier"}}).turn("recruit").answer("RECRUIT_TYPE", "done")
    t.expect("BONUS", 0)


@pytest.mark.rule("A6.3", "A6.5", "R4.2", "R4.3", "T4.8")
def test_standard_then_dropship_upgrades(engine: str) -> None:
    """Any number of each, one Troop at a time, each paid, a Dropship's Tremor following, before the next."""
    near = BESIDE[:3]
    me = {
        "lorium": 9,
        "units": {near[0]: "soldier", near[1]: "2 miner", A: "miner", B: "soldier, speaker"},
    }
    t = scenario(engine, me).turn("upgrade").expect("UPGRADE_SPACE", 0)
    assert t.spaces() == {near[0], near[1]}, "Standard: in Deploy Locations"
    t.do(near[1]).expect("UPGRADE_SPACE", 0)
    assert (t.player(0)["lorium"], tremors(t)) == (8, 0)
    assert t.units(0, near[1]) == counted("miner, harvester")
    assert t.spaces() == {near[0]}, "there is a Vehicle beside the other Miner"
    t.do("done").expect("UPGRADE_SPACE", 0)
    assert t.spaces() == spaces(A, B), "Dropship: everywhere else"
    t.do(B).expect("UPGRADE_SPACE", 0)
    assert (t.player(0)["lorium"], tremors(t)) == (8 - 4, 1)
    assert t.units(0, B) == counted("speaker, powermech")
    t.do(A)
    assert (t.player(0)["lorium"], tremors(t)) == (4 - 2, 2)
    assert t.units(0, A) == counted("harvester")
    assert [e[1:] for e in t.events("ENTER")] == [
        (0, 4, near[1], 1), (0, 3, space(B), 1), (0, 4, space(A), 1),
    ]  # fmt: skip


@pytest.mark.rule("A6.4", "RUL-R9", "T8.1")
def test_startup(engine: str) -> None:
    """One new Unlocked Vehicle performs its Unit card; a Vehicle that was there before cannot be chosen."""
    near = BESIDE[:2]
    me = {"lorium": 9, "units": {near[0]: "miner", near[1]: "miner", A: "harvester"}}
    t = scenario(engine, me, tiles={near[0]: "lorium", A: "lorium"}).turn("upgrade")
    t.answer("UPGRADE_SPACE", near[0], seat=0)
    t.expect("ACT_SPACE", 0)
    assert t.options() == ["done", f"space:{near[0]}"]
    t.do(near[0]).expect("ACT_ACTION", 0)
    assert t.options() == ["done", "action:move"]
    t.do("done").expect("ACT_ACTION", 0)
    assert t.options() == ["done", "action:harvest"]
    t.do("action:harvest").expect("BONUS", 0)
    assert (t.player(0)["lorium"], tremors(t)) == (9 - 1 + 3, 1)
    # nothing new: nobody to start up
    t = scenario(engine, me).turn("upgrade").answer("UPGRADE_SPACE", "done", seat=0).expect("BONUS", 0)


@pytest.mark.rule("A6.2", "A6.4")
def test_new_units_are_new_in_their_resolution_only(engine: str) -> None:
    """What an earlier card or a Bonus Action put on the planet is not Motivated or started up later."""
    miner = BESIDE[0]
    t = scenario(engine, {"units": {miner: "miner"}, "lorium": 1}, round=5, tiles={miner: "lorium"})
    t.turn("soldiers").skip("BONUS").do("bonus:upgrade_one").expect("BURN", 1).turn("speakers").end_turn()
    assert t.units(0, miner) == counted("harvester")
    t.turn("upgrade").expect("BONUS", 0)
    t = scenario(engine, {}, round=5).turn("recruit").do("unit:soldier", "done").answer("DEPLOY_SPACE", miner)
    t.answer("ACT_SPACE", "done", seat=0).end_turn().turn("speakers").end_turn()
    t.turn("recruit").answer("RECRUIT_TYPE", "done", seat=0).expect("BONUS", 0)


# ------------------------------------------------------------------ A7
def distances(target: int, tiles: Mapping[int, str]) -> dict[int, int]:
    """Steps to ``target`` over ground that is not impassable, Units ignored (A7.10)."""

    def passable(n: int) -> bool:
        tile = tiles.get(n, "plain")
        return tile not in ("lake", "mountain") and not (tile == "none" and is_abyss(n))

    tunl = {n for n, tile in tiles.items() if tile == "tunl"}
    found = {target: 0}
    rim = [target]
    while rim:
        following = []
        for n in rim:
            for m in NEAR[n] | (tunl - {n} if n in tunl else set()):
                if passable(m) and m not in found:
                    found[m] = found[n] + 1
                    following.append(m)
        rim = following
    return found


@pytest.mark.rule("A7.1", "A7.2", "T4.6", "RUL-T3", "RUL-Y14")
def test_stabilize_is_compulsory(engine: str) -> None:
    """The card starts with it: no way round; the space left Collapses, one Tremor follows."""
    t = scenario(engine, {"ship": "savannah-4-1"}).turn("colony_ship").expect("MOVE_TO", 0)
    assert t.spaces() == SIDES[space("savannah-4-1")]
    assert "done" not in t.options()
    t.do("savannah-5-1").expect("ACT_SPACE", 0)
    assert (t.tile("savannah-4-1"), tremors(t)) == ("none", 1)
    assert t.snapshot()["relic_tokens"] == [space("savannah-4-1")], "Devastated"
    assert [e[1:4] for e in t.events("COLLAPSE")] == [(0, space("savannah-4-1"), Feature.PLAIN)]


@pytest.mark.rule("A7.3", "A7.1")
def test_the_ships_move(engine: str) -> None:
    """Optional, one space or none, without Collapse or Tremor."""
    t = scenario(engine, {}).turn("colony_ship").do("savannah-5-2").expect("ACT_SPACE", 0)
    assert t.options() == ["done", f"space:{space('savannah-5-2')}"]
    t.do("savannah-5-2").expect("MOVE_TO", 0)
    assert t.spaces() == (SIDES[space("savannah-5-2")] - spaces(SHIP)) | spaces("savannah-5-2")
    t.do("savannah-6-2").expect("BONUS", 0)
    assert (t.player(0)["ship"], t.tile("savannah-5-2"), tremors(t)) == (space("savannah-6-2"), "plain", 1)


@pytest.mark.rule("A7.1", "A7.3", "A7.4", "A7.5", "A7.6", "RUL-T2", "T4.1")
def test_the_whole_ship_card(engine: str) -> None:
    """Stabilize, Move, Robotic Construction, Evacuate in this order: built and boarded in one play."""
    me = {
        "lorium": 5,
        "blueprints": list(MODULES),
        "modules": list(MODULES[:5]),
        "units": {"savannah-5-4": "soldier"},
    }
    t = scenario(engine, me).turn("colony_ship").answer("MOVE_TO", "savannah-5-3", seat=0)
    t.answer("ACT_SPACE", "done", seat=0)
    t.answer("ACT_SPACE", "savannah-5-3", seat=0).answer("CONSTRUCT", "module:warp_drive", seat=0)
    t.answer("ACT_SPACE", "savannah-5-3", seat=0)  # Evacuate
    pick(t.answer("ACT_SPACE", "savannah-5-4", seat=0), "MOVE_TO", "savannah-5-3").expect("BONUS", 0)
    assert reserve(t, 0) == [10, 6, 5, 2, 2]
    # without the last Module there is nothing to evacuate to
    t = scenario(engine, {**me, "lorium": 0}).turn("colony_ship").answer("MOVE_TO", "savannah-5-3", seat=0)
    t.answer("ACT_SPACE", "done", seat=0).expect("BONUS", 0)


@pytest.mark.rule("A7.4", "B5.3")
def test_robotic_construction_by_the_card(engine: str) -> None:
    """Lorium only, Module after Module; declined or unaffordable it is passed over."""
    me = {"lorium": 5, "blueprints": ["crew_bridge", "control_systems"], "units": {A: "soldier"}}
    t = scenario(engine, me).turn("colony_ship").do("savannah-5-3").answer("ACT_SPACE", "done", seat=0)
    declined = t.fork().answer("ACT_SPACE", "done", seat=0).expect("BONUS", 0)
    assert declined.player(0)["modules"] == []
    t.answer("ACT_SPACE", "savannah-5-3").answer("CONSTRUCT", "module:control_systems").answer(
        "CONSTRUCT", "module:crew_bridge"
    )
    assert (t.player(0)["modules"], t.player(0)["lorium"]) == (["crew_bridge", "control_systems"], 0)
    assert on_planet(t, 0) == counted("soldier")


def evacuating(
    engine: str, me: dict[str, Any], *others: Mapping[str, Any], burn: str = "battle", **more: Any
) -> Table:
    """Seat 0, Ship completed, Evacuates by the Bonus Action of Column 001 (no Stabilize before it)."""
    t = at_bonus(engine, "hand_action", {**BUILT, **me}, *others, burn=burn, **more)
    return ship_card(t).do("action:evacuate", t.player(0)["ship"])


@pytest.mark.rule("A7.5", "N6.3")
def test_evacuate_needs_a_completed_ship(engine: str) -> None:
    """And somebody to evacuate."""
    for lacking in (*MODULES, None):
        me = {
            "blueprints": list(MODULES),
            "modules": [m for m in MODULES if m != lacking],
            "units": {A: "soldier"},
        }
        t = ship_card(at_bonus(engine, "hand_action", me))
        assert ("action:evacuate" in t.options()) == (lacking is None)
    t = ship_card(at_bonus(engine, "hand_action", BUILT))
    assert "action:evacuate" not in t.options()


WALLS = {
    "tundra-4-1": "lake",
    "tundra-4-2": "mountain",
    "tundra-5-2": "lake",
    "tundra-3-1": "none",
    "tundra-6-3": "none",
}


@pytest.mark.rule("A7.6", "A7.7", "A7.10", "M2.4", "RUL-M3")
@pytest.mark.parametrize(
    "start", ["tundra-5-1", "tundra-6-2", "tundra-6-0", "rocky-6-4", "savannah-6-3", "tundra-3-0"]
)
@pytest.mark.parametrize("kind", ["soldier", "miner", "harvester", "speaker"])
@pytest.mark.parametrize("extra", [{}, {"rocky-6-3": "tunl", "tundra-2-1": "tunl", "tundra-6-1": "tunl"}])
def test_evacuating_nearer_to_the_ship(engine: str, start: str, kind: str, extra: dict[str, str]) -> None:
    """Ends: the Ship, or ground strictly nearer by the fewest steps over passable spaces, within a Move."""
    ship, enemy = "tundra-4-0", "forest-4-2"
    tiles = WALLS | extra
    numbered = {space(where): tile for where, tile in tiles.items()}
    t = evacuating(engine, {"ship": ship, "units": {start: kind}}, tiles=tiles)
    far = distances(space(ship), numbered)
    tunl = {n for n, tile in numbered.items() if tile == "tunl"}

    def near(n: int) -> Iterable[int]:
        return [m for m in NEAR[n] | (tunl - {n} if n in tunl else set()) if m in far and m != space(enemy)]

    reach = ball(space(start), {"soldier": 3, "speaker": 3}.get(kind, 2), near)
    expected = {n for n in reach if far[n] < far[space(start)]}
    t.answer("ACT_SPACE", start, seat=0)
    if len(expected) > 1:
        t.expect("MOVE_TO", 0)
        assert t.spaces() == expected
        t.do(space(ship) if space(ship) in expected else min(expected))
    boarded = space(ship) in expected
    assert on_planet(t, 0) == ([0] * 5 if boarded else counted(kind))
    if boarded:
        assert reserve(t, 0) == [10, 6, 5, 2, 2]


@pytest.mark.rule("A7.7", "A7.10", "A7.8", "RUL-M3")
def test_cut_off_from_the_ship(engine: str) -> None:
    """Without a path the distance is infinite: no walk helps, a jump to any ground with a path does."""
    island, ship, free = "tundra-6-2", "tundra-4-0", "tundra-4-3"
    moat = dict.fromkeys(NEAR[space(island)], "lake")
    t = evacuating(engine, {"ship": ship, "units": {island: "soldier", free: "soldier"}}, tiles=moat)
    t.expect("ACT_SPACE", 0)
    assert t.spaces() == spaces(free), "the Soldier on the island cannot come nearer"
    t = evacuating(engine, {"ship": ship, "units": {island: "powermech"}}, tiles=moat)
    t.answer("ACT_SPACE", island, seat=0).expect("MOVE_TO", 0)
    connected = set(distances(space(ship), moat))
    assert t.spaces() == (ball(space(island), 3) & connected) - spaces(island, "forest-4-2")
    t.do(free).expect("LAUNCH", 0)
    assert (t.units(0, free), tremors(t)) == (counted("powermech"), 1)


@pytest.mark.rule("A7.8", "M5.5", "RUL-M4")
def test_evacuating_by_jumpjet(engine: str) -> None:
    """A Powermech may walk or jump; where both lead it is asked, and only the jump causes a Tremor."""
    start, ship = "tundra-6-1", "tundra-4-0"
    wall = dict.fromkeys(("tundra-5-0", "tundra-5-1"), "lake")
    t = evacuating(engine, {"ship": ship, "units": {start: "powermech"}}, tiles=wall)
    t.answer("ACT_SPACE", start, seat=0).expect("MOVE_TO", 0)
    far = distances(space(ship), {space(where): tile for where, tile in wall.items()})
    jumps = {n for n in ball(space(start), 3) if n in far and far[n] < far[space(start)]}
    walks = {
        n
        for n in ball(space(start), 3, lambda n: [m for m in NEAR[n] if m in far])
        if far[n] < far[space(start)]
    }
    assert t.spaces() == jumps | walks
    assert space(ship) in jumps - walks
    both = min(jumps & walks)
    for mode, shakes in (("action:move", 0), ("action:jumpjet", 1)):
        fork = t.fork().do(both).expect("MOVE_MODE", 0)
        assert fork.options() == ["action:move", "action:jumpjet"]
        fork.do(mode)
        assert (tremors(fork), fork.units(0, both)) == (shakes, counted("powermech"))
    t.do(ship).expect("LAUNCH", 0)
    assert (tremors(t), reserve(t, 0)[3]) == (1, 2)


@pytest.mark.rule("A7.11", "A7.8", "RUL-M3")
def test_the_tremor_of_a_jump_comes_too_late_to_matter(engine: str) -> None:
    """The jump's own Fracture swallows its landing place: the Move was legal when it ended."""
    start, ship, landing = "tundra-6-1", "tundra-4-0", "tundra-5-1"
    t = evacuating(
        engine, {"ship": ship, "units": {start: "powermech"}}, script={"fracture_token": ["tundra-5"]},
        cysmograph={"singles": 4, "stack": 6},
    )  # fmt: skip
    t.answer("ACT_SPACE", start, seat=0).answer("MOVE_TO", landing, seat=0).answer(
        "MOVE_MODE", "action:jumpjet", seat=0
    )
    assert [e[2:] for e in t.events("MOVE")] == [(3, space(start), space(landing))]
    assert len(t.events("FRACTURE")) == 1
    assert t.tile(landing) == "none"
    assert reserve(t, 0)[3] == 2, "destroyed in the Collapse"


@pytest.mark.rule("A7.6", "M6.1", "M6.2", "M6.3")
def test_a_token_on_the_way_to_the_ship(engine: str) -> None:
    """A Relic Token passed on the way may be taken; the Unit is in Reserve when its card is drawn."""
    start, ship, token = "tundra-6-1", "tundra-4-0", "tundra-5-0"  # 5 + 0 is no multiple of 3: Devastated
    me = {"ship": ship, "units": {start: "soldier"}}
    t = evacuating(engine, me, tiles={token: "none"}, relic_tokens=[token], relics={"draw": ["R06", "R07"]})
    t.answer("ACT_SPACE", start, seat=0).answer("MOVE_TO", ship, seat=0).expect("TAKE_TOKEN", 0)
    assert t.options() == ["done", f"space:{space(token)}"]
    left = t.fork().do("done").expect("LAUNCH", 0)
    assert left.snapshot()["relic_tokens"] == [space(token)]
    t.do(token).expect("KEEP_RELIC", 0)
    assert (reserve(t, 0)[0], t.snapshot()["relic_tokens"]) == (10, [])


@pytest.mark.rule("A7.12", "A7.6", "U4.3")
def test_each_unit_evacuates_once(engine: str) -> None:
    """In any order, one Move each; Locked Units are not among them."""
    start, locked, ship = "tundra-6-2", "tundra-6-4", "tundra-3-0"
    me = {"ship": ship, "units": {start: "2 soldier, speaker", locked: "soldier"}}
    t = evacuating(engine, me, {"units": {locked: "speaker"}}, combats={locked: 0})
    t.expect("ACT_SPACE", 0)
    assert t.spaces() == spaces(start)
    stop = "tundra-5-2"
    for kind in ("speaker", "soldier", "soldier"):
        t.answer("ACT_SPACE", start)
        if t.kind == "ACT_TYPE":
            assert "unit:soldier" in t.options()
            t.do(f"unit:{kind}")
        t.answer("MOVE_TO", stop)
    t.expect("LAUNCH", 0)
    assert t.units(0, stop) == counted("2 soldier, speaker")


@pytest.mark.rule("A7.6", "A7.12", "K1.1", "RUL-M3")
def test_a_fight_on_the_way_to_the_ship(engine: str) -> None:
    """A Soldier may end on enemies if they are nearer; then it is Locked there, and the others go on."""
    start, ship = "tundra-6-2", "tundra-3-0"
    t = evacuating(
        engine, {"ship": ship, "units": {start: "soldier, speaker"}}, {"units": {"tundra-5-2": "miner"}}
    )
    t.answer("ACT_SPACE", start).answer("ACT_TYPE", "unit:soldier").answer("MOVE_TO", "tundra-5-2")
    assert t.attacker("tundra-5-2") == 0
    t.answer("ACT_SPACE", start).expect("MOVE_TO", 0)
    assert space("tundra-5-2") in t.spaces(), "a Combat of one's own may be joined"
    assert not t.spaces() & spaces(start)


@pytest.mark.rule("A7.9", "M2.4")
def test_only_the_card_evacuates(engine: str) -> None:
    """Other Moves, by card or Bonus Action, cannot end in the own Ship's space, completed or not."""
    beside = "savannah-5-2"
    me = {**BUILT, "units": {beside: "soldier"}}
    t = scenario(engine, me).turn("soldiers").answer("ACT_SPACE", beside, seat=0).expect("MOVE_TO", 0)
    assert space(SHIP) not in t.spaces()
    t = (
        at_bonus(engine, "move_three", me)
        .do("bonus:move_three")
        .answer("ACT_SPACE", beside, seat=0)
        .expect("MOVE_TO", 0)
    )
    assert space(SHIP) not in t.spaces()
    t = at_bonus(engine, "played_action", {**me, "board": [[None, "colony_ship"]]})
    t.do("bonus:played_action").answer("COMMAND_ACTION", "action:evacuate").answer("ACT_SPACE", SHIP)
    pick(t.answer("ACT_SPACE", beside), "MOVE_TO", SHIP)
    assert reserve(t, 0)[0] == 10


# ------------------------------------------------------------------ A8
BLANK = {"attacker_strike_die": ["reroll yellow"] * 4, "defender_strike_die": ["reroll yellow"] * 4}


@pytest.mark.rule("A8.1", "K2.1", "K2.3")
def test_battle(engine: str) -> None:
    """All Combats of its player, as Attacker and as Defender, in the order picked, each with First Strike;
    no others."""
    places = {A: 0, B: 1, C: 2}
    t = scenario(
        engine,
        {"units": {A: "soldier", B: "soldier"}},
        {"units": {A: "soldier", B: "soldier", C: "soldier"}},
        {"units": {C: "soldier"}},
        combats=places,
        script={**BLANK, "red_die": ["5", "4"]},
    )
    t.turn("battle").expect("COMBAT", 0)
    assert t.spaces() == spaces(A, B)
    assert "done" not in t.options()
    t.do(B).answer("STRIKE_OR_FLEE", "strike", seat=0).answer("HITS", "hits:1", seat=0)
    t.answer("STRIKE_OR_FLEE", "strike", seat=0).answer("HITS", "hits:1", seat=0).expect("BONUS", 0)
    assert [e[1:3] for e in t.events("STRIKE")] == [(0, space(B)), (0, space(A))]
    assert t.captured(0, 1) == counted("2 soldier")
    assert t.snapshot()["combats"] == [[space(C), 2]]


@pytest.mark.rule("A8.2", "T4.6", "RUL-T3")
def test_battle_is_compulsory(engine: str) -> None:
    """With a Combat there is no way round it; without one of its own the card has no effect."""
    others = [{}, {"units": {C: "soldier"}}, {"units": {C: "soldier"}}]
    t = scenario(engine, *others, combats={C: 2}).turn("battle").expect("BONUS", 0)
    assert t.events("STRIKE") == []
    t = scenario(engine, {"units": {A: "soldier"}}, {"units": {A: "soldier"}}, combats={A: 1}).turn("battle")
    t.expect("STRIKE_OR_FLEE", 0)
    assert t.options() == ["strike", "flee"]


# ------------------------------------------------------------------ A9
@pytest.mark.rule("A9.1", "T1.7", "RUL-T10")
def test_initiative(engine: str) -> None:
    """Takes the Marker at once, or not; who holds it is not asked."""
    t = scenario(engine, {}, marker=1).turn("negotiate").expect("SECTION", 0)
    assert t.options() == ["yes", "no"]
    assert t.fork().do("no").expect("BONUS", 0).snapshot()["marker"] == 1
    t.do("yes").expect("BONUS", 0)
    assert t.snapshot()["marker"] == 0
    assert [e[1:] for e in t.events("MARKER")] == [(0, 0, 0, 0)]
    scenario(engine, {}, marker=0).turn("negotiate").expect("BONUS", 0)


@pytest.mark.rule("A9.2", "X1.8", "X-EX1")
@pytest.mark.parametrize(("unlocked", "attempts"), [(1, 1), (2, 2), (3, 3), (4, 3)])
def test_three_cyber_attacks_by_different_units(engine: str, unlocked: int, attempts: int) -> None:
    """At most three attempts, each by another Unit; Locked Units cannot."""
    places = sorted(SIDES[space("forest-4-2")])
    mine = dict.fromkeys(places[:unlocked], "soldier") | {places[5]: "soldier"}
    t = scenario(
        engine,
        {"units": mine},
        {"units": {places[5]: "soldier"}},
        combats={places[5]: 0},
        script={"red_die": ["1"] * 4},
    ).turn("negotiate")
    for number in range(attempts):
        t.expect("CYBER_SPACE", 0)
        assert t.options() == ["done", *(f"space:{n}" for n in places[number:unlocked])]
        t.do(places[number])
    t.expect("BONUS", 0)
    assert "fuel_cells" not in t.player(0)["blueprints"]


@pytest.mark.rule("A9.2", "A9.1", "A9.3", "A9.4", "T4.5", "RUL-T1")
def test_negotiate_in_order(engine: str) -> None:
    """Initiative, Cyber Attack, Resource Trading, Gain Blueprints: all of them, once, from top to bottom."""
    me = {"units": {"forest-4-1": "soldier"}, "lorium": 1, "captured": {1: "2 soldier"}}
    t = scenario(engine, me, {"lorium": 1}, marker=1, script={"red_die": ["2"]}).turn("negotiate")
    t.answer("SECTION", "yes", seat=0).answer("CYBER_SPACE", "forest-4-1", seat=0)
    t.answer("TRADE_PARTNER", "done", seat=0).answer("RANSOM_PLAYER", "player:1", seat=0).expect("BONUS", 0)
    assert t.snapshot()["marker"] == 0
    assert "fuel_cells" in t.player(0)["blueprints"]


@pytest.mark.rule("A9.4", "B3.5")
def test_a_cyber_attack_first_spares_the_captives(engine: str) -> None:
    """A Blueprint gained in the Cyber Attack Section is no longer there to be ransomed."""
    me = {"units": {"forest-4-1": "soldier"}, "captured": {1: "2 soldier"}}
    t = (
        scenario(engine, me, script={"red_die": ["5"]})
        .turn("negotiate")
        .answer("CYBER_SPACE", "forest-4-1")
        .skip("BONUS")
    )
    assert "fuel_cells" in t.player(0)["blueprints"]
    assert held(t, 1) == counted("2 soldier")


# ------------------------------------------------------------------ icons and all cards
ICONS = {
    "recruit": ("green", "purple"), "upgrade": ("blue", "yellow"), "battle": ("yellow", "green"),
    "negotiate": ("blue", "purple"), "soldiers": ("red", "yellow"), "miners": ("red", "green"),
    "speakers": ("red", "purple"), "powermechs": ("blue", "green"), "harvesters": ("red", "blue"),
    "colony_ship": ("yellow", "purple"),
}  # fmt: skip


@pytest.mark.rule("T3.3", "T4.10", "T5.2", "N1.4", "N1.6", "N0.2", "N6.2")
@pytest.mark.parametrize("card", CARDS)
def test_every_card_can_be_played_with_nothing_on_the_planet(engine: str, card: str) -> None:
    """It does nothing then (the Ship's card stabilizes, Recruit recruits), but its icons count."""
    t = scenario(engine, {}).turn(card, "battle" if card != "battle" else "soldiers")
    while t.kind != "BONUS":
        t.do("done" if "done" in t.options() else t.options()[0])
    t.expect("BONUS", 0)
    always = {
        "red": set(),
        "blue": {"hand_action"},
        "yellow": {"two_cards"},
        "green": {"deploy_one"},
        "purple": {"two_lorium"},
    }
    expected = {"gain_card"}.union(*(always[colour] for colour in ICONS[card]))
    assert set(t.options()) == {"done", *(f"bonus:{cell}" for cell in expected)} - (
        {"bonus:hand_action"} if card == "colony_ship" else set()
    )
    assert tremors(t) == (1 if card == "colony_ship" else 0)


def test_the_oracle_itself() -> None:
    """Distances over open ground are steps by side and arrow."""
    far = distances(0, {})
    assert set(far) == set(SPACES)
    assert max(far.values()) == 6
