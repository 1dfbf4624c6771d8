"""The 45 Relics: each does what its text says while it is Active, and nothing otherwise."""

from __future__ import annotations

from typing import Any

import pytest
from abilities import (
    BRINK,
    FIELD,
    NO_RED,
    TWO_SHIPS,
    asked,
    column,
    dice,
    fight,
    quake,
    reach,
    rolled,
    strike_dice,
    table,
)
from geometry import SIDES
from plays import CELL, MODULES, pick, robotic
from scenario import Table, space
from scenario import units as counted

from cysmic_fast.content import load_content
from cysmic_fast.vocabulary import SPACE, DecisionKind

A, B, C, D = "tundra-5-1", "tundra-5-3", "wetlands-5-1", "wetlands-5-3"
ACTIVE = pytest.mark.parametrize("active", [True, False], ids=["active", "inactive"])


def holds(card: str, active: bool) -> dict[str, Any]:
    """A player with a Relic, Active or not."""
    return {"active": card} if active else {"relics": [card]}


def bonus(t: Table, card: str, burn: str = "battle") -> Table:
    """Plays a card without doing anything up to the Bonus decision."""
    return t.turn(card, burn).skip("BONUS")


# ------------------------------------------------------------------ named
@pytest.mark.card("R01")
@pytest.mark.rule("D6.1")
@ACTIVE
def test_deeper_exploration(engine: str, active: bool) -> None:
    """One card more for the Explore Action, however many Miners; none for Mining."""
    me = {"units": {A: "2 miner", B: "miner", C: "miner"}, **holds("R01", active)}
    tiles = {A: "explorable", B: "explorable", C: "lorium"}
    t = table(engine, me, tiles=tiles).turn("miners").skip("ACT_SPACE").do("done").skip("ACT_SPACE")
    t.do(A, A, B).do("done")
    assert len(t.events("DRAW")) == 3 + active
    assert len(t.player(0)["discovery"]) == 3 + active
    t = (
        table(engine, me, tiles=tiles)
        .turn("miners")
        .skip("ACT_SPACE")
        .do("done")
        .skip("ACT_SPACE")
        .do(C, "done")
    )
    assert (t.events("DRAW"), t.player(0)["lorium"]) == ([], 1)


@pytest.mark.card("R01")
@pytest.mark.rule("T9.1")
def test_two_copies_add_up(engine: str) -> None:
    """Each copy brings its own card."""
    me = {"units": {A: "2 miner"}, "active": ["R01", "R01"]}
    t = table(engine, me, tiles={A: "explorable"}, round=3)
    t.turn("miners").skip("ACT_SPACE").do("done").skip("ACT_SPACE").do(A, A)
    assert len(t.events("DRAW")) == 4


ALL_OF_TWO = {
    "units": {FIELD: "2 soldier"},
    "lorium": 1,
    "discovery": ["D51"],
}


def column_two(engine: str, me: dict[str, Any], **more: Any) -> Table:
    """Every Bonus Action of Column 002 would be possible for seat 0."""
    other = {"units": {FIELD: "soldier"}, "captured": {0: "miner"}}
    return table(engine, {**ALL_OF_TWO, **me}, other, combats={FIELD: 0}, **more)


def column_three(engine: str, me: dict[str, Any], **more: Any) -> Table:
    """Every Bonus Action of Column 003 would be possible for seat 0."""
    mine = {"units": {FIELD: "2 soldier", A: "miner, harvester"}}
    return table(engine, {**mine, **me}, {"units": {FIELD: "soldier"}}, combats={FIELD: 0}, **more)


def colours_of(t: Table, number: int) -> set[str]:
    """Colours of the cells offered, all of Column ``number``."""
    cells = {cell for cell in column(t) if cell in CELL}
    assert {CELL[cell][0] for cell in cells} <= {number}
    return {CELL[cell][1] for cell in cells}


@pytest.mark.card("R02")
@pytest.mark.rule("D6.2", "D-EX1")
@ACTIVE
def test_delayed_feedback(engine: str, active: bool) -> None:
    """Recruit last turn: its icons count beside Upgrade's; then those of Upgrade beside Harvesters'."""
    recruit = [["soldiers", "recruit"]]
    t = column_two(engine, {"board": recruit, **holds("R02", active)}, round=2)
    bonus(t, "upgrade")
    assert colours_of(t, 2) == {"blue", "yellow"} | ({"green", "purple"} if active else set())
    assert {"play_card", "gain_card"} <= column(t)
    t = column_three(engine, {"board": [*recruit, ["negotiate", "upgrade"]], **holds("R02", active)}, round=3)
    bonus(t, "harvesters")
    assert colours_of(t, 3) == {"red", "blue"} | ({"yellow"} if active else set())
    assert "gain_card" in column(t)


@pytest.mark.card("R02")
@pytest.mark.rule("D6.2")
def test_delayed_feedback_starts_anew_with_a_cycle(engine: str) -> None:
    """The last card before the Reset does not count; nor one of two turns ago, nor a Burned one."""
    board = [
        ["soldiers", "miners"],
        ["speakers", "battle"],
        ["recruit", "negotiate"],
        ["powermechs", "colony_ship"],
    ]
    me = {"active": "R02", "board": board, "units": {A: "soldier"}}
    t = table(engine, me, {"board": board}, round=5)
    t.turn("harvesters", "upgrade").end_turn()
    t.turn("harvesters", "upgrade").end_turn()
    assert t.events("RESET")
    bonus(t, "battle", "upgrade")  # yellow and green; Harvesters had red and blue
    assert colours_of(t, 1) == {"yellow", "green"}
    t = table(engine, {"active": "R02", "board": [["soldiers", "recruit"], [None, None]]}, round=3)
    bonus(t, "harvesters")
    assert "gain_relic" not in column(t), "two turns ago"


@pytest.mark.card("R03")
@pytest.mark.rule("D6.3", "V7.7")
@pytest.mark.parametrize(("die", "targets"), [(2, []), (3, ["speaker"]), (4, ["soldier", "speaker"])])
def test_pre_strike(engine: str, die: int, targets: list[str]) -> None:
    """One red die against one enemy Troop's Health, before the First Strike, which stays where it was."""
    t = fight(engine, "soldier", "soldier, speaker", {"active": "R03"}, script=dice([die]))
    if len(targets) > 1:
        assert t.expect("UNIT_TYPE", 0).options() == ["unit:soldier", "unit:speaker"]
        t.do("unit:soldier")
        assert t.captured(0, 1) == counted("soldier")
    elif targets:
        assert t.captured(0, 1) == counted(targets[0])
    else:
        assert t.units(1, FIELD) == counted("soldier, speaker")
    assert t.expect("STRIKE_OR_FLEE", 0).options() == ["strike", "flee"]
    assert (rolled(t, "red_die"), strike_dice(t)) == (1, [])


@pytest.mark.card("R03")
@pytest.mark.rule("D6.3")
def test_pre_strike_of_the_other_side(engine: str) -> None:
    """It works in a Combat the other side resolves, with that side's First Strike; not for a bystander."""
    t = fight(engine, "2 soldier", "soldier", {}, {"active": "R03"}, script=dice([4]))
    assert t.captured(1, 0) == counted("soldier")
    t.expect("STRIKE_OR_FLEE", 0)
    t = fight(engine, "2 soldier", "soldier", {}, {}, {"active": "R03"}, script=dice([4]))
    assert (rolled(t, "red_die"), t.units(0, FIELD)) == (0, counted("2 soldier"))


@pytest.mark.card("R03", "R11", "R14")
@pytest.mark.rule("D6.3", "K8.1")
def test_pre_strike_is_no_strike(engine: str) -> None:
    """No reroll, no card, no die of a Relic; Health counts as it is. The last enemy Troop gone: no Strike."""
    me = {"active": ["R03", "R15"], "discovery": ["D23", "D66"]}
    t = fight(engine, "soldier", "soldier", me, {"active": "R11"}, script=dice([4]))
    t.expect("STRIKE_OR_FLEE", 0)
    assert t.captured(0, 1) == [0] * 5, "Health 5"
    t = fight(engine, "soldier", "soldier", me, script=dice([4]))
    assert (t.captured(0, 1), t.events("STRIKE")) == (counted("soldier"), [])
    assert [e[1:3] for e in t.events("COMBAT_END")] == [(0, FIELD)]
    t = fight(engine, "soldier", "harvester", me, script=dice([6]))
    assert t.units(1, FIELD) == counted("harvester"), "Vehicles are safe"


@pytest.mark.card("R04")
@pytest.mark.rule("D6.4", "V9.4")
def test_sleight_of_hand(engine: str) -> None:
    """A card before or after the Bonus Action, which may be the same; three would be one too many."""
    me = {"active": "R04", "discovery": ["D51", "D26", "D42"]}
    t = bonus(table(engine, me), "upgrade")
    first = t.fork().do("bonus:play_card", "card:D51")
    pick(first, "PLAY_MODE", "option:1")
    assert column(first) == {"play_card", "gain_card", "hand_action", "two_cards"}
    first.do("bonus:play_card", "card:D26")
    pick(first, "PLAY_MODE", "option:1")
    assert (first.seat, first.player(0)["discovery"]) == (1, ["D42"])
    assert [e[2] for e in first.events("LORIUM")][:2] == [3, 3]
    t.do("bonus:two_cards")
    assert t.expect("BONUS", 0).options() == ["done", "bonus:play_card"]
    t.do("bonus:play_card", "card:D51")
    pick(t, "PLAY_MODE", "option:1")
    assert (t.seat, t.player(0)["lorium"]) == (1, 3)


@pytest.mark.card("R04")
@pytest.mark.rule("D6.4")
def test_sleight_of_hand_needs_to_be_active_and_a_card(engine: str) -> None:
    """Inactive, or with an empty hand, there is only the Bonus Action."""
    t = bonus(table(engine, {"relics": ["R04"], "discovery": ["D51"]}), "upgrade").do("bonus:two_cards")
    assert t.skip({"BONUS", "BURN"}).kind == "BURN"
    t = bonus(table(engine, {"active": "R04"}), "harvesters")
    assert column(t) == {"gain_card", "hand_action"}
    t = table(engine, {"active": "R04"}, round=3, discovery={"draw": ["D51"]})
    bonus(t, "harvesters").do("bonus:gain_card")
    assert t.expect("BONUS").options() == ["done", "bonus:play_card"], "a card drawn by the Bonus Action"


# ------------------------------------------------------------------ moving
def destinations(t: Table) -> set[int]:
    """Ends of the Move being chosen, or of the last one if it had only one end."""
    if t.kind == "MOVE_TO":
        return t.spaces()
    last = [e for e in t.events("CHOICE") if e[2] == DecisionKind.MOVE_TO][-1]
    assert last[4] == 1, "the last Move was chosen"
    return {last[3] - SPACE}


def ends(t: Table, card: str, where: str = A) -> set[int]:
    """Where the Unit there can walk to with a Unit card."""
    t.turn(card).answer("ACT_SPACE", where)
    if t.kind == "ACT_ACTION":
        t.do("action:move")
    return destinations(t)


@pytest.mark.card("R05", "R06")
@pytest.mark.parametrize(
    ("relics", "unit", "steps"),
    [
        (["R05"], "soldier", 4),
        (["R05", "R05"], "soldier", 5),
        (["R05"], "miner", 3),
        (["R05"], "speaker", 4),
        (["R05"], "powermech", 3),
        (["R05"], "harvester", 2),
        (["R06"], "soldier", 3),
        (["R06"], "powermech", 4),
        (["R06"], "harvester", 3),
    ],
)
def test_movement(engine: str, relics: list[str], unit: str, steps: int) -> None:
    """Grav Boots for Troops, Long-Haul Treads for Vehicles; copies add up."""
    t = table(engine, {"units": {A: unit}, "active": relics})
    assert ends(t, f"{unit}s") == reach(space(A), steps, TWO_SHIPS[1:]) - set(TWO_SHIPS)
    t = table(engine, {"units": {A: unit}, "relics": relics})
    t.skip("BURN").do("command:battle", f"command:{unit}s").skip("ACT_SPACE")
    plain = {"soldier": 3, "miner": 2, "speaker": 3, "powermech": 3, "harvester": 2}[unit]
    t.do(A)
    if t.kind == "ACT_ACTION":
        t.do("action:move")
    assert t.spaces() == reach(space(A), plain, TWO_SHIPS[1:]) - set(TWO_SHIPS), "Inactive"


@pytest.mark.card("R06")
def test_treads_help_jumps_too(engine: str) -> None:
    """A Jumpjet Move has the same Movement."""
    t = table(engine, {"units": {A: "powermech"}, "active": "R06"}).turn("powermechs")
    t.do(A, "action:jumpjet")
    assert t.expect("MOVE_TO").spaces() == reach(space(A), 4) - set(TWO_SHIPS)


@pytest.mark.card("R07")
@pytest.mark.rule("U3.2", "M5.6", "RUL-M15")
@ACTIVE
def test_leap_coils(engine: str, active: bool) -> None:
    """Soldiers may jump instead of their Move, with the Tremor of a jump; not in Move 3 Units."""
    wall = dict.fromkeys(SIDES[space(A)], "lake")
    me = {"units": {A: "soldier"}, **holds("R07", active)}
    t = table(engine, me, tiles=wall).turn("soldiers").skip("ACT_SPACE").do(A)
    if not active:
        assert destinations(t) == {space(A)}
        return
    assert t.expect("ACT_ACTION").options() == ["action:move", "action:jumpjet"]
    t.do("action:jumpjet")
    over = reach(space(A), 3) - set(wall) - set(TWO_SHIPS)
    assert t.expect("MOVE_TO").spaces() == over
    t.do(B)
    assert [e[1] for e in t.events("TREMOR")] == [0]
    t = table(engine, me, tiles=wall, round=3)
    bonus(t, "powermechs").do("bonus:move_three").do(A)
    assert destinations(t) == {space(A)}
    assert t.events("TREMOR") == []


@pytest.mark.card("R07")
@pytest.mark.rule("U3.2")
def test_no_ability_twice(engine: str) -> None:
    """Jumpjets from both sources are the same; Powermechs, Miners and Speakers gain nothing."""
    me = {"units": {A: "powermech", B: "speaker"}, "active": "R07"}
    t = table(engine, me).turn("powermechs").do(A)
    assert t.options() == ["action:move", "action:jumpjet"]
    t = table(engine, me).turn("speakers").do(B)
    t.expect("MOVE_TO")


@pytest.mark.card("R08")
@pytest.mark.rule("K1.1", "U3.2")
@ACTIVE
def test_ram_plates(engine: str, active: bool) -> None:
    """A Harvester may begin a Combat and is its Attacker."""
    me = {"units": {A: "harvester"}, **holds("R08", active)}
    t = table(engine, me, {"units": {"tundra-5-2": "soldier"}}).turn("harvesters").skip("ACT_SPACE").do(A)
    assert (space("tundra-5-2") in t.expect("MOVE_TO").spaces()) == active
    if active:
        t.do("tundra-5-2")
        assert t.attacker("tundra-5-2") == 0
        t = table(engine, {**me, "units": {A: "miner"}}, {"units": {"tundra-5-2": "soldier"}})
        t.turn("miners").do(A)
        assert space("tundra-5-2") not in t.expect("MOVE_TO").spaces(), "Miners have not"


# ------------------------------------------------------------------ Abilities in Combat and Collapse
@pytest.mark.card("R09")
@pytest.mark.rule("U3.2", "K4.7")
@ACTIVE
def test_choir_stones(engine: str, active: bool) -> None:
    """A Miner shields one die of an enemy Strike; Soldiers do not."""
    t = fight(engine, "soldier", "miner, soldier", {}, holds("R09", active), script=dice([4]))
    t.do("strike")
    if not active:
        t.expect("HITS", 0)
        return
    assert t.expect("SHIELD_DIE", 1).options() == ["done", "die:0"]
    t.do("die:0")
    assert t.expect("HITS", 0).options() == ["hits:0", "hits:2"], "3: the Miner only"


@pytest.mark.card("R10")
@pytest.mark.rule("Y5.1", "U3.2")
@ACTIVE
@pytest.mark.parametrize("unit", ["soldier", "speaker"])
def test_tremor_bells(engine: str, active: bool, unit: str) -> None:
    """Soldiers and Speakers escape a Collapse; without the Relic they are lost."""
    other = {"units": {A: unit}, **holds("R10", active)}
    me = {"units": {"rocky-2-0": "powermech"}}
    t = table(engine, me, other, cysmograph=BRINK, script={"fracture_token": ["tundra-5"]})
    quake(t)
    if not active:
        assert t.seat == 0
        assert [e[1:4] for e in t.events("LEAVE")] == [(1, counted(unit).index(1), space(A))]
        return
    assert t.expect("ESCAPE", 1).options() == ["done", f"space:{space(A)}"]
    t.do(A).expect("ESCAPE_TO", 1).do("tundra-4-1")
    assert t.units(1, "tundra-4-1") == counted(unit)
    assert t.tile(A) == "none"


@pytest.mark.card("R10")
def test_tremor_bells_for_powermechs(engine: str) -> None:
    """Powermechs of the owner escape as well."""
    me = {"units": {A: "powermech"}, "active": "R10"}
    t = table(engine, me, cysmograph=BRINK, script={"fracture_token": ["tundra-5"]})
    quake(t).answer("ESCAPE", A, seat=0).answer("ESCAPE_TO", "tundra-4-0")
    assert t.units(0, "tundra-4-0") == counted("powermech")


# ------------------------------------------------------------------ Strikes
def hits(t: Table) -> list[str]:
    """The sets of HITS; nothing if no hit is possible."""
    return t.options() if t.kind == "HITS" else []


@pytest.mark.card("R11")
@pytest.mark.parametrize(
    ("relics", "die", "hit"),
    [(["R11"], 4, False), (["R11"], 5, True), (["R11", "R11"], 5, False), (["R11", "R11"], 6, True)],
)
def test_hardlight_plating(engine: str, relics: list[str], die: int, hit: bool) -> None:
    """Health of Soldiers 5, with both copies 6."""
    t = fight(engine, "soldier", "soldier", {}, {"active": relics}, script=dice([die]))
    assert bool(hits(t.do("strike"))) == hit


@pytest.mark.card("R11")
def test_plating_is_for_own_soldiers(engine: str) -> None:
    """Inactive, for a Miner, for the enemy, or in a Final Strike it does nothing."""
    for them, target in (({"relics": ["R11"]}, "soldier"), ({"active": "R11"}, "miner")):
        t = fight(engine, "soldier", target, {}, them, script=dice([4]))
        t.do("strike").expect("HITS", 0)
    t = fight(engine, "soldier", "soldier", {"active": "R11"}, script=dice([4]))
    t.do("strike").expect("HITS", 0)
    t = fight(engine, "soldier", "soldier", {"active": "R11"}, script=dice([4]))
    t.do("flee").expect("FLEE_TO").do(sorted(t.spaces())[0]).answer("FINAL_STRIKE", "yes", seat=1)
    assert t.expect("HITS", 1).options() == ["hits:0", "hits:1"], "K7.5: printed Health 4"


@pytest.mark.card("R12")
@pytest.mark.parametrize(
    ("target", "red", "hit"),
    [
        ("harvester", (5, 3), False),
        ("harvester", (6, 3), False),
        ("harvester", (6, 4), True),
        ("powermech", (6, 6), False),
    ],
)
def test_bulwark_core(engine: str, target: str, red: tuple[int, int], hit: bool) -> None:
    """Both Health numbers of Vehicles one higher: Harvester 6 + 4, Powermech 7 + 5."""
    t = fight(engine, "2 soldier", target, {}, {"active": "R12"}, script=dice(red))
    assert bool(hits(t.do("strike"))) == hit
    t = fight(engine, "2 soldier", target, {}, {"relics": ["R12"]}, script=dice(red))
    assert hits(t.do("strike")) == ["hits:0", "hits:1"], "Inactive"


@pytest.mark.card("R12")
def test_bulwark_core_leaves_troops_alone(engine: str) -> None:
    t = fight(engine, "soldier", "soldier", {}, {"active": "R12"}, script=dice([4]))
    assert hits(t.do("strike")) == ["hits:0", "hits:1"]


@pytest.mark.card("R13")
@pytest.mark.parametrize(("relics", "number"), [([], 1), (["R13"], 2), (["R13", "R13"], 3)])
def test_splinter_rounds(engine: str, relics: list[str], number: int) -> None:
    """One red die more for each copy, in every Strike of the owner."""
    t = fight(engine, "soldier", "soldier", {"active": relics}, script=dice([1] * 20))
    t.do("strike", "strike", "strike")
    assert strike_dice(t) == [(0, number), (1, 1), (0, number)]


@pytest.mark.card("R13")
@pytest.mark.rule("K7.5", "V7.2")
def test_no_splinter_in_a_final_strike(engine: str) -> None:
    t = fight(engine, "soldier", "soldier", {}, {"active": "R13"}, script=dice([1] * 9))
    t.do("flee").do(sorted(t.spaces())[0]).answer("FINAL_STRIKE", "yes", seat=1)
    assert [e[1:] for e in t.events("STRIKE")] == [(1, FIELD, 1, 1)]


@pytest.mark.card("R14")
@ACTIVE
def test_harmonic_lens(engine: str, active: bool) -> None:
    """Yellow dice of the owner's Strikes count one more: a 3 defeats a Soldier."""
    t = fight(engine, "2 speaker", "soldier", holds("R14", active), script=dice([], [3, 2], NO_RED))
    assert bool(hits(t.do("strike"))) == active
    if active:
        t = fight(engine, "soldier", "soldier", {"active": "R14"}, script=dice([3]))
        assert not hits(t.do("strike")), "red dice do not"
        t = fight(engine, "soldier", "miner", {"active": "R14"}, script=dice([2], [3], green=NO_RED))
        assert not hits(t.do("strike").do("strike")), "nor the enemy's"


@pytest.mark.card("R15")
@pytest.mark.rule("K4.2", "K4.10")
def test_loaded_oracle(engine: str) -> None:
    """One die of any colour may be rerolled, before the Strike Die; the new result stands."""
    t = fight(
        engine, "soldier, speaker", "soldier", {"active": "R15"},
        script=dice([3, 4], [1], ["+1"]),
    )  # fmt: skip
    t.do("strike")
    assert t.expect("DIE", 0).options() == ["done", "die:0", "die:1"]
    kept = t.fork().do("done")
    assert kept.expect("VALUE_DIE").options() == ["die:0", "die:1"]
    t.do("die:0").expect("VALUE_DIE", 0).do("die:1")
    assert hits(t) == ["hits:0", "hits:1"]
    t = fight(engine, "soldier", "soldier", {"active": "R15"}, script=dice([4, 1]))
    t.do("strike", "die:0").expect("STRIKE_OR_FLEE", 1)
    assert t.units(1, FIELD) == counted("soldier"), "worse"


@pytest.mark.card("R15")
@pytest.mark.rule("K4.2")
def test_no_oracle(engine: str) -> None:
    """Inactive, in the enemy's Strike or a Final Strike nobody is asked."""
    t = fight(engine, "soldier", "soldier", {"relics": ["R15"]}, script=dice([4]))
    t.do("strike").expect("HITS")
    t = fight(engine, "soldier", "soldier", {}, {"active": "R15"}, script=dice([4, 4]))
    t.do("strike").expect("HITS", 0)
    t = fight(engine, "soldier", "soldier", {}, {"active": "R15"}, script=dice([4]))
    t.do("flee").do(sorted(t.spaces())[0]).answer("FINAL_STRIKE", "yes", seat=1).expect("HITS", 1)


@pytest.mark.card("R16")
@pytest.mark.rule("K4.7", "K4.11")
@pytest.mark.parametrize(
    ("theirs", "relics", "shields"),
    [("2 soldier", [], 0), ("2 soldier", ["R16"], 1), ("soldier, speaker", ["R16"], 2)],
)
def test_aegis_node(engine: str, theirs: str, relics: list[str], shields: int) -> None:
    """One Shield more in every Strike against the owner, each on another die."""
    script = dice([4, 4, 4] * 2)
    t = fight(engine, "3 soldier", theirs, {}, {"active": relics}, script=script).do("strike")
    placed = []
    while t.kind == "SHIELD_DIE":
        assert t.seat == 1
        die = t.options()[-1]
        placed.append(die)
        t.do(die)
    assert len(set(placed)) == len(placed) == shields
    t.expect("HITS", 0)


@pytest.mark.card("R17")
@pytest.mark.rule("V7.7", "K2.3")
@ACTIVE
def test_first_light_prism(engine: str, active: bool) -> None:
    """The Defender strikes first, whoever resolves; as the Attacker it gives nothing."""
    t = fight(engine, "soldier", "soldier", {}, holds("R17", active), attacker=0)
    t.expect("STRIKE_OR_FLEE", 1 if active else 0)
    t = fight(engine, "soldier", "soldier", {}, holds("R17", active), attacker=1)
    t.expect("STRIKE_OR_FLEE", 0)


# ------------------------------------------------------------------ limits
@pytest.mark.card("R18")
@ACTIVE
def test_folded_pocket(engine: str, active: bool) -> None:
    """Storage 5 becomes 8."""
    t = table(engine, {"lorium": 10, **holds("R18", active)}).turn("harvesters").end_turn()
    assert t.player(0)["lorium"] == (8 if active else 5)


@pytest.mark.card("R19")
@ACTIVE
def test_memory_lattice(engine: str, active: bool) -> None:
    """Seven cards in hand instead of five."""
    hand = ["D19", "D20", "D21", "D22", "D23", "D24", "D25", "D26"]
    t = (
        table(engine, {"discovery": hand, **holds("R19", active)})
        .turn("harvesters")
        .skip("DISCARD_DISCOVERY")
    )
    while t.kind == "DISCARD_DISCOVERY":
        t.do(t.options()[0])
    assert len(t.player(0)["discovery"]) == (7 if active else 5)


@pytest.mark.card("R20")
@pytest.mark.rule("B2.3")
@ACTIVE
def test_cell_block_nine(engine: str, active: bool) -> None:
    """One cell more, which stays with all Modules built: two Troops or a Vehicle."""
    for captured, kept in (("2 miner", [0, 2, 0, 0, 0]), ("harvester", [0, 0, 0, 0, 1]), ("3 miner", None)):
        me = {
            "modules": list(MODULES), "blueprints": list(MODULES), "captured": {1: captured},
            **holds("R20", active),
        }  # fmt: skip
        t = table(engine, me).turn("harvesters")
        t.skip({"BURN", "DISCARD_CAPTIVE", "NONE"})
        while t.kind == "DISCARD_CAPTIVE":
            t.do(t.options()[0])
        assert t.captured(0, 1) == ((kept or [0, 2, 0, 0, 0]) if active else [0] * 5)


# ------------------------------------------------------------------ producing
@pytest.mark.card("R21")
@ACTIVE
def test_quarry_song(engine: str, active: bool) -> None:
    """One Lorium more for all Mining of a Section; not for Exploring or Harvesting."""
    me = {"units": {A: "2 miner", B: "miner", C: "harvester"}, **holds("R21", active)}
    tiles = {A: "lorium", B: "lorium", C: "lorium"}
    t = (
        table(engine, me, tiles=tiles)
        .turn("miners")
        .skip("ACT_SPACE")
        .do("done")
        .skip("ACT_SPACE")
        .do(A, A, B)
    )
    assert t.player(0)["lorium"] == 3 + active
    t = table(engine, me, tiles=tiles).turn("harvesters").skip("ACT_SPACE").do("done").skip("ACT_SPACE").do(C)
    assert t.player(0)["lorium"] == 3


@pytest.mark.card("R22")
@ACTIVE
def test_vein_mapper(engine: str, active: bool) -> None:
    """Each Harvester that Harvests brings 4; one that Scavenges nothing more."""
    me = {"units": {A: "harvester", B: "harvester"}, **holds("R22", active)}
    t = table(engine, me, tiles={A: "lorium", B: "lorium"}).turn("harvesters").skip("ACT_SPACE").do("done")
    t.skip("ACT_SPACE").do(A, B)
    assert t.player(0)["lorium"] == 6 + 2 * active
    t = table(engine, me, tiles={A: "explorable"}).turn("harvesters").skip("ACT_SPACE").do("done")
    t.skip("ACT_SPACE").do(A, "done")
    assert t.player(0)["lorium"] == 1


# ------------------------------------------------------------------ prices
@pytest.mark.card("R23")
@pytest.mark.parametrize(("relics", "price"), [([], 3), (["R23"], 2), (["R23", "R23"], 1)])
def test_weightless_scaffold(engine: str, relics: list[str], price: int) -> None:
    """Each copy takes 1 Lorium off a Module (Control Systems: 3), built by hand or by robots."""
    me = {"blueprints": ["control_systems"], "units": {A: "2 soldier"}, "active": relics}
    for lorium in (price - 1, price):
        t = bonus(table(engine, {**me, "lorium": lorium}), "harvesters")
        assert ("construct" in column(t)) == (lorium == price)
    t.do("bonus:construct")
    assert (t.player(0)["lorium"], t.player(0)["modules"]) == (0, ["control_systems"])
    t = robotic(bonus(table(engine, {**me, "lorium": price}), "upgrade"))
    t.do("module:control_systems")
    assert (t.player(0)["lorium"], t.player(0)["modules"]) == (0, ["control_systems"])


@pytest.mark.card("R23")
def test_a_price_is_never_below_nothing(engine: str) -> None:
    """Crew Bridge (2 Lorium) with both copies and Prefab Sections costs no Lorium, and pays none out."""
    me = {
        "blueprints": ["crew_bridge"], "units": {A: "2 soldier"}, "active": ["R23", "R23"],
        "discovery": ["D26"], "lorium": 1,
    }  # fmt: skip
    t = bonus(table(engine, me), "harvesters").do("bonus:play_card")
    pick(t, "PLAY_MODE", "option:0")
    assert (t.player(0)["lorium"], t.player(0)["modules"]) == (1, ["crew_bridge"])


@pytest.mark.card("R24")
@ACTIVE
def test_volunteer_roster(engine: str, active: bool) -> None:
    """Manual construction: Fuel Cells for Troops worth 2 instead of 4; Lorium as printed."""
    me = {
        "blueprints": ["fuel_cells"],
        "lorium": 4,
        "units": {A: "3 soldier", B: "3 soldier"},
        **holds("R24", active),
    }
    t = bonus(table(engine, me), "harvesters").do("bonus:construct")
    recalled = 0
    while t.kind in ("RECALL_SPACE", "RECALL_TYPE"):
        t.do(t.options()[0])
    recalled = sum(e[4] == 1 for e in t.events("LEAVE"))
    assert recalled == (2 if active else 4)
    assert (t.player(0)["modules"], t.player(0)["lorium"]) == (["fuel_cells"], 0)
    less = {**me, "lorium": 3}
    assert "construct" not in column(bonus(table(engine, less), "harvesters"))


@pytest.mark.card("R24")
def test_volunteers_build_for_lorium_only(engine: str) -> None:
    """Crew Bridge, Influence 2: no Troop is needed at all."""
    me = {"blueprints": ["crew_bridge"], "lorium": 2, "active": "R24"}
    t = bonus(table(engine, me), "harvesters").do("bonus:construct")
    assert t.player(0)["modules"] == ["crew_bridge"]
    assert "construct" not in column(
        bonus(table(engine, {**me, "active": [], "relics": ["R24"]}), "harvesters")
    )


def recruits(t: Table) -> list[str]:
    """Types offered first by Recruit."""
    return t.turn("recruit").expect("RECRUIT_TYPE").options()


@pytest.mark.card("R25")
@ACTIVE
def test_muster_horn(engine: str, active: bool) -> None:
    """Influence 4 (generic) recruits worth 6: two Miners."""
    t = table(engine, holds("R25", active)).turn("recruit").skip("RECRUIT_TYPE")
    influence = t.state.influence(0)
    spent = 0
    while t.kind == "RECRUIT_TYPE" and "unit:soldier" in t.options() and spent < 9:
        t.do("unit:soldier")
        spent += 1
    assert spent == influence + (2 if active else 0)
    assert t.state.influence(0) == influence


@pytest.mark.card("R26")
@ACTIVE
def test_tunnel_key(engine: str, active: bool) -> None:
    """A TUNL with a Unit of the owner is a Deploy Location, for Upgrades too; one without is not."""
    me = {"units": {A: "soldier"}, "lorium": 3, **holds("R26", active)}
    t = table(engine, me, tiles={A: "tunl", B: "tunl"}).turn("recruit").skip("RECRUIT_TYPE")
    t.do("unit:soldier", "done").expect("DEPLOY_SPACE")
    beside = SIDES[TWO_SHIPS[0]]
    assert t.spaces() == beside | ({space(A)} if active else set())
    t = table(engine, me, tiles={A: "tunl", B: "tunl"}).turn("upgrade").skip({"UPGRADE_SPACE", "BONUS"})
    assert (t.kind == "UPGRADE_SPACE") == active, "3 Lorium: the standard price of a Powermech"
    if active:
        t.do(A)
        assert t.units(0, A) == counted("powermech")
        assert t.events("TREMOR") == []


@pytest.mark.card("R27")
@ACTIVE
def test_forge_drone(engine: str, active: bool) -> None:
    """A Powermech for 2 Lorium; a Harvester still costs 1."""
    beside = min(SIDES[TWO_SHIPS[0]])
    me = {"units": {beside: "soldier"}, "lorium": 2, **holds("R27", active)}
    t = table(engine, me).turn("upgrade").skip({"UPGRADE_SPACE", "BONUS"})
    assert (t.kind == "UPGRADE_SPACE") == active
    if active:
        t.do(beside)
        assert (t.player(0)["lorium"], t.units(0, beside)) == (0, counted("powermech"))
        t = table(engine, {**me, "units": {beside: "miner"}}).turn("upgrade").answer("UPGRADE_SPACE", beside)
        assert (t.player(0)["lorium"], t.units(0, beside)) == (1, counted("harvester"))


# ------------------------------------------------------------------ Cyber Attacks, Habitats
def cyber(engine: str, me: dict[str, Any], them: dict[str, Any], unit: str, at: str = "forest-4-1") -> Table:
    """Seat 0 makes one Cyber Attack on seat 1 by the Bonus Action of Column 004."""
    me = {"units": {at: unit}, **me}
    t = table(engine, me, them, round=4, script=dice([1] * 9, [1] * 9))
    return bonus(t, "harvesters").do("bonus:cyber_attack")


@pytest.mark.card("R28", "R29")
@pytest.mark.parametrize(
    ("unit", "mine", "theirs", "red", "yellow"),
    [
        ("soldier", [], [], 1, 0),
        ("soldier", ["R28"], [], 2, 0),
        ("speaker", ["R28"], [], 0, 2),
        ("powermech", [], ["R29"], 3, 0),
        ("powermech", ["R29"], ["R28"], 4, 0),
        ("soldier", [], ["R29"], 1, 0),
        ("soldier", ["R28"], ["R29"], 1, 0),
        ("harvester", ["R28"], ["R29"], 0, 3),
    ],
)
def test_cyber_dice(
    engine: str, unit: str, mine: list[str], theirs: list[str], red: int, yellow: int
) -> None:
    """Ghost Antenna one die more of the Unit's colour, Null Cipher one less, one at least in all."""
    t = cyber(engine, {"active": mine}, {"active": theirs}, unit)
    assert (rolled(t, "red_die"), rolled(t, "yellow_die")) == (red, yellow)


@pytest.mark.card("R28", "R29")
def test_inactive_cyber_relics(engine: str) -> None:
    t = cyber(engine, {"relics": ["R28"]}, {"relics": ["R29"]}, "powermech")
    assert rolled(t, "red_die") == 4
    t = fight(engine, "soldier", "soldier", {"active": "R28"}, script=dice([1])).do("strike")
    assert strike_dice(t)[0] == (0, 1), "not in a Strike"


@pytest.mark.card("R30")
@ACTIVE
def test_far_voice(engine: str, active: bool) -> None:
    """Persuade and Neutralize reach Habitats one space away, own spaces included."""
    me = {"units": {A: "speaker, soldier"}, **holds("R30", active)}
    tiles = {A: "camp", "tundra-5-2": "outpost", B: "camp"}
    t = table(engine, me, {}, tiles=tiles, control={"tundra-5-2": 1})
    t.turn("speakers").skip("ACT_SPACE").do("done").skip("ACT_SPACE").do(A)
    if t.kind == "ACT_ACTION":
        t.do("action:persuade")
    if not active:
        assert [t.controller(s) for s in (A, "tundra-5-2")] == [0, 1]
        return
    assert t.expect("REWARD_HABITAT", 0).spaces() == {space(A), space("tundra-5-2")}
    t.do("tundra-5-2")
    assert t.controller("tundra-5-2") == 0
    t = table(engine, me, {}, tiles=tiles, control={"tundra-5-2": 1, A: 0, B: 1})
    t.turn("soldiers").skip("ACT_SPACE").do("done").skip("ACT_SPACE").do(A)
    pick(t, "REWARD_HABITAT", "tundra-5-2")
    assert [t.controller(s) for s in (A, "tundra-5-2", B)] == [0, None, 1], "two spaces away is too far"


@pytest.mark.card("R31")
@pytest.mark.rule("V9.4")
@ACTIVE
def test_chromatic_key(engine: str, active: bool) -> None:
    """Purple counts whatever is Played."""
    t = bonus(table(engine, holds("R31", active)), "powermechs")
    assert ("two_lorium" in column(t)) == active
    assert "gain_card" in column(t)


# ------------------------------------------------------------------ Tremors and draws
@pytest.mark.card("R32")
@pytest.mark.rule("T4.8")
@ACTIVE
def test_quiet_engines(engine: str, active: bool) -> None:
    """Jumps and Harvests of the owner cause no Tremor, also by Bonus Actions; a Dropship does."""
    me = {"units": {A: "harvester", B: "powermech", C: "soldier"}, "lorium": 9, **holds("R32", active)}
    tremors = 0 if active else 1
    t = quake(table(engine, me))
    assert len(t.events("TREMOR")) == tremors
    t = (
        table(engine, me, tiles={A: "lorium"})
        .turn("harvesters")
        .skip("ACT_SPACE")
        .do("done")
        .skip("ACT_SPACE")
        .do(A)
    )
    assert len(t.events("TREMOR")) == tremors
    t = table(engine, me, tiles={A: "lorium"}, round=5)
    bonus(t, "speakers").do("bonus:gather_lorium").do(A)
    assert len(t.events("TREMOR")) == tremors
    t = table(engine, me).turn("upgrade").skip("UPGRADE_SPACE").do(C)
    assert len(t.events("TREMOR")) == 1


@pytest.mark.card("R33")
@pytest.mark.rule("Y2.1")
@ACTIVE
def test_fault_compass(engine: str, active: bool) -> None:
    """The drawer sees two tokens, keeps one; the other returns to the bag."""
    me = {"units": {B: "powermech"}, **holds("R33", active)}
    t = table(engine, me, cysmograph=BRINK, script={"fracture_token": ["tundra-1", "forest-6"]})
    quake(t)
    if active:
        assert t.expect("KEEP_TOKEN", 0).options() == ["option:0", "option:1"]
        bag = list(t.game.content.tokens)
        order = sorted(("tundra-1", "forest-6"), key=[token.name for token in bag].index)
        t.do(f"option:{order.index('forest-6')}")
        assert t.tile("forest-6-0") == "none"
        assert t.tile("tundra-1-0") == "plain"
        assert "tundra-1" in t.snapshot()["bag"]
        assert "forest-6" not in t.snapshot()["bag"]
    else:
        assert t.tile("tundra-1-0") == "none"
        assert rolled(t, "fracture_token") == 1


@pytest.mark.card("R33")
def test_the_compass_of_another_player(engine: str) -> None:
    """Only tokens its owner draws."""
    t = table(
        engine, {"units": {B: "powermech"}}, {"active": "R33"}, cysmograph=BRINK,
        script={"fracture_token": ["tundra-1"]},
    )  # fmt: skip
    quake(t)
    assert rolled(t, "fracture_token") == 1


@pytest.mark.card("R34")
@ACTIVE
def test_third_eye(engine: str, active: bool) -> None:
    """Three Relic Cards to choose from; two are discarded in the order drawn."""
    t = table(engine, holds("R34", active), round=3, relics={"draw": ["R10", "R06", "R08"]})
    bonus(t, "speakers").do("bonus:gain_relic")
    seen = ["card:R06", "card:R08", "card:R10"] if active else ["card:R06", "card:R10"]
    assert t.expect("KEEP_RELIC", 0).options() == seen
    t.do("card:R06")
    gone = ["R10", "R08"] if active else ["R10"]
    content = t.game.content
    assert [content.relics[e[3]].id for e in t.events("DISCARD") if e[2] == 1] == gone


# ------------------------------------------------------------------ safety
@pytest.mark.card("R35")
@pytest.mark.rule("V1.8")
@ACTIVE
def test_wardens_seal(engine: str, active: bool) -> None:
    """Nothing of the owner can be stolen or made to be given up: cards, Lorium, captives, an Active Relic."""
    them = {"lorium": 3, "discovery": ["D51"], "captured": {2: "soldier"}, **holds("R35", active)}
    for card in ("D03", "D42", "D43", "D44", "D65"):
        t = table(engine, {"discovery": [card]}, them, {})
        bonus(t, "harvesters").do("bonus:play_card")
        mode = asked(t, "PLAY_MODE")
        modes = t.options() if t.kind == "PLAY_MODE" else [f"option:{mode[-1] - 32}"]
        assert ("option:0" in modes) == (not active), card
    t = table(engine, {}, them, {}, round=4)
    assert ("steal_captive" in column(bonus(t, "battle", "soldiers"))) == (not active)
    t = table(engine, {}, them, {}, round=4)
    assert "discard_relic" not in column(bonus(t, "speakers"))


@pytest.mark.card("R35")
@pytest.mark.rule("V1.8")
def test_an_active_relic_beside_the_seal(engine: str) -> None:
    """N4.5 names a card of somebody else, the own ones included; a Habitat of the owner can be taken."""
    me, them = {"active": "R16"}, {"active": ["R35", "R13"]}
    t = bonus(table(engine, me, them, round=4), "speakers").do("bonus:discard_relic")
    assert t.snapshot()["relics"]["discard"] == ["R16"], "the only one that may be chosen"
    t = table(engine, {"lorium": 1}, {"active": "R35"}, round=4, control={0: 1}, tiles={A: "camp"})
    bonus(t, "upgrade").do("bonus:colony_city")
    assert t.controller(0) == 0


@pytest.mark.card("R36")
@ACTIVE
def test_ridge_walkers(engine: str, active: bool) -> None:
    """Troops pass Lakes and Mountains without ending there; Vehicles do not; Ships still block."""
    ring = sorted(SIDES[space(A)])
    tiles = {n: ("lake", "mountain")[i % 2] for i, n in enumerate(ring)}
    me = {"units": {A: "soldier, harvester"}, **holds("R36", active)}
    got = ends(table(engine, me, tiles=tiles), "soldiers") if active else None
    if not active:
        t = table(engine, me, tiles=tiles).turn("soldiers").skip("ACT_SPACE").do(A)
        assert destinations(t) == {space(A)}
        return
    assert got == reach(space(A), 3, TWO_SHIPS) - set(ring) - set(TWO_SHIPS)
    assert ends(table(engine, me, tiles=tiles), "harvesters") == {space(A)}


# ------------------------------------------------------------------ triggers
@pytest.mark.card("R37")
@pytest.mark.rule("V7.4", "V8.1")
def test_overcharge_coil(engine: str) -> None:
    """Before each own Strike 1 Lorium may buy a red die in it, once a Strike."""
    t = fight(engine, "soldier", "soldier", {"active": "R37", "lorium": 2}, script=dice([1] * 20))
    t.do("strike")
    assert t.expect("RULE", 0).options() == ["done", "option:0"]
    t.do("option:0")
    assert (strike_dice(t), t.player(0)["lorium"]) == ([(0, 2)], 1)
    t.do("strike")  # seat 1
    t.do("strike").expect("RULE", 0)
    assert strike_dice(t) == [(0, 2), (1, 1)], "nothing is asked in the enemy's Strike"
    declined = t.fork().do("done")
    assert strike_dice(declined)[-1] == (0, 1)
    assert declined.player(0)["lorium"] == 1
    t.do("option:0").do("strike", "strike")
    assert strike_dice(t) == [(0, 2), (1, 1), (0, 2), (1, 1), (0, 1)], "no Lorium: not asked"


@pytest.mark.card("R37")
@pytest.mark.rule("V7.2")
def test_no_coil_in_a_final_strike(engine: str) -> None:
    """Nor while it is Inactive."""
    t = fight(engine, "soldier", "soldier", {}, {"active": "R37", "lorium": 2}, script=dice([1] * 9))
    t.do("flee").do(sorted(t.spaces())[0]).answer("FINAL_STRIKE", "yes", seat=1)
    assert (t.player(1)["lorium"], t.events("RULE")) == (2, [])
    t = fight(engine, "soldier", "soldier", {"relics": ["R37"], "lorium": 2}, script=dice([1] * 9))
    t.do("strike")
    assert strike_dice(t) == [(0, 1)]


@pytest.mark.card("R38")
@pytest.mark.rule("K8.1", "V1.7")
def test_victors_tithe(engine: str) -> None:
    """1 Lorium when the enemy is gone and the owner still there, in whoever's turn."""
    t = fight(engine, "soldier", "soldier", {"active": "R38"}, script=dice([4]))
    t.do("strike", "hits:1")
    assert t.player(0)["lorium"] == 1
    assert [e[1:4] for e in t.events("RULE")] == [(0, 0, t.game.content.relics.index(
        next(r for r in t.game.content.relics if r.id == "R38")))]  # fmt: skip
    t = fight(engine, "soldier", "soldier", {}, {"active": "R38"}, script=dice([1, 4]))
    t.do("strike", "strike", "hits:1")
    assert t.player(1)["lorium"] == 1


@pytest.mark.card("R38")
def test_no_tithe(engine: str) -> None:
    """Not when the enemy fled, when the owner lost, for others' Combats, or while Inactive."""
    t = fight(engine, "soldier", "soldier", {}, {"active": "R38"})
    t.do("flee").do(sorted(t.spaces())[0]).answer("FINAL_STRIKE", "no", seat=1)
    assert t.player(1)["lorium"] == 0
    for us, them, third in (
        ({}, {"active": "R38"}, {}),
        ({}, {}, {"active": "R38"}),
        ({"relics": ["R38"]}, {}, {}),
    ):
        t = fight(engine, "soldier", "soldier", us, them, third, script=dice([4]))
        t.do("strike", "hits:1")
        assert [t.player(seat)["lorium"] for seat in range(3)] == [0, 0, 0]


@pytest.mark.card("R38", "R03")
def test_a_combat_won_without_a_strike(engine: str) -> None:
    """Whatever ends it: here the Pre-Strike, and a Bonus Action."""
    t = fight(engine, "soldier", "soldier", {"active": ["R38", "R03"]}, script=dice([4]))
    assert t.player(0)["lorium"] == 1
    t = fight(engine, "soldier", "miner", {"active": "R38"}, play=None, round=2)
    bonus(t, "harvesters").do("bonus:destroy_troop")
    assert t.player(0)["lorium"] == 1


SHIP_READY = {"modules": list(MODULES), "blueprints": list(MODULES)}


@pytest.mark.card("R39")
@pytest.mark.parametrize(
    ("face", "stranded", "success"),
    [("0", 1, True), ("0", 2, False), ("3", 4, True), ("4", 6, True), ("any", 6, True)],
)
def test_iron_conscience(engine: str, face: str, stranded: int, success: bool) -> None:
    """The next face along the row: 0 counts as 1, 4 as any, any stays any."""
    places = {A: f"{min(stranded, 3)} soldier"}
    if stranded > 3:
        places[B] = f"{stranded - 3} soldier"
    me = {**SHIP_READY, "units": places, "active": "R39"}
    t = table(engine, me, script={"humanity_die": [face]}).turn("harvesters").skip("LAUNCH").do("yes")
    assert [e[1:] for e in t.events("LAUNCH")] == [(0, int(success), stranded, 0)]


@pytest.mark.card("R39")
def test_conscience_is_the_owners(engine: str) -> None:
    """Inactive, or another player's, it does not count."""
    for me, them in (({"relics": ["R39"]}, {}), ({}, {"active": "R39"})):
        t = table(engine, {**SHIP_READY, "units": {A: "soldier"}, **me}, them, script={"humanity_die": ["0"]})
        t.turn("harvesters").skip("LAUNCH").do("yes")
        assert [e[2] for e in t.events("LAUNCH")] == [0]


@pytest.mark.card("R40")
@pytest.mark.rule("B3.2")
@ACTIVE
def test_writ_of_exchange(engine: str, active: bool) -> None:
    """One captured Troop buys the Blueprint; of a Vehicle it is one as ever."""
    me = {"captured": {1: "soldier"}, **holds("R40", active)}
    t = bonus(table(engine, me), "harvesters")
    assert ("gain_blueprint" in column(t)) == active
    if active:
        t.do("bonus:gain_blueprint")
        assert ("fuel_cells" in t.player(0)["blueprints"], t.captured(0, 1)) == (True, [0] * 5)
        t = bonus(table(engine, {**me, "captured": {1: "2 soldier, harvester"}}), "harvesters")
        assert t.do("bonus:gain_blueprint").expect("RANSOM_UNIT").options() == [
            "captive:1:soldier", "captive:1:harvester",
        ]  # fmt: skip
        t.do("captive:1:soldier")
        assert t.captured(0, 1) == counted("soldier, harvester")


@pytest.mark.card("R41")
@ACTIVE
def test_double_meaning(engine: str, active: bool) -> None:
    """Ability first, then Rewards, of one card; without the Relic it is one of them."""
    me = {"discovery": ["D29"], **holds("R41", active)}  # 2 Lorium, store; Rewards: 3 Lorium
    t = bonus(table(engine, me), "harvesters").do("bonus:play_card")
    if not active:
        assert t.expect("PLAY_MODE", 0).options() == ["option:0", "option:1"]
        return
    t.expect("OPTIONAL_STEP", 0)
    assert t.player(0)["lorium"] == 2
    t.do("no")
    assert (t.player(0)["lorium"], t.snapshot()["discovery"]["discard"]) == (5, ["D29"])
    assert len(t.events("PLAY_CARD")) == 1


@pytest.mark.card("R41")
def test_double_meaning_of_one_half(engine: str) -> None:
    """An Ability that cannot start, or a Reaction: Rewards alone, without a question."""
    for card in ("D51", "D26", "D74"):
        t = bonus(table(engine, {"discovery": [card], "active": "R41"}), "harvesters").do("bonus:play_card")
        assert (t.seat, t.player(0)["lorium"]) == (1, 3), card


@pytest.mark.card("R42")
@pytest.mark.rule("K6.5")
@ACTIVE
def test_martyr_engine(engine: str, active: bool) -> None:
    """Own Troops defeated in a Strike go home; Vehicles are captured."""
    t = fight(engine, "3 soldier", "soldier, harvester", {}, holds("R42", active), script=dice([4, 5, 3])).do(
        "strike"
    )
    t.answer("HITS", "hits:3", seat=0)
    assert t.captured(0, 1) == counted("harvester" if active else "soldier, harvester")


@pytest.mark.card("R42")
@pytest.mark.rule("K7.5", "K3.5")
def test_martyrs_outside_strikes(engine: str) -> None:
    """They are saved in K3.5 too; not in a Final Strike, not from effects; enemies are captured."""
    them = {"active": "R42"}
    t = fight(engine, "powermech", "soldier", {}, them, script=dice([1] * 4), closed=True)
    assert (t.captured(0, 1), t.units(1, FIELD)) == ([0] * 5, [0] * 5), "K3.5"
    t = fight(engine, "soldier", "soldier", {"active": "R42"}, script=dice([4]))
    t.do("flee").do(sorted(t.spaces())[0]).answer("FINAL_STRIKE", "yes", seat=1).answer("HITS", "hits:1")
    assert t.captured(1, 0) == counted("soldier"), "Final Strike"
    t = fight(engine, "soldier", "2 soldier", {}, them, play=None, round=3)
    bonus(t, "harvesters").do("bonus:capture_troop")
    assert t.captured(0, 1) == counted("soldier"), "an effect"
    t = fight(engine, "soldier", "soldier", {"active": "R42"}, script=dice([4]))
    assert t.do("strike", "hits:1").captured(0, 1) == counted("soldier"), "enemies"


@pytest.mark.card("R43")
@pytest.mark.rule("V1.2")
def test_listening_post(engine: str) -> None:
    """Nothing in this version gains an Espionage Card: not even Dead Drop, which cannot start. Not dealt."""
    content = load_content()
    listening = next(n for n, card in enumerate(content.relics) if card.id == "R43")
    assert listening not in content.relic_deck(molten_core=True)
    t = table(engine, {"discovery": ["D63"]}, {"active": "R43"})
    bonus(t, "harvesters").do("bonus:play_card")
    assert 32 not in asked(t, "PLAY_MODE")
    assert t.kind != "PLAY_MODE"
    assert (t.player(1)["discovery"], t.events("RULE")) == ([], [])


@pytest.mark.card("R44")
@pytest.mark.rule("T2.1")
@ACTIVE
def test_spare_orders(engine: str, active: bool) -> None:
    """A Discovery Card may pay for a Reclaimed card instead of a Relic."""
    me = {"board": [["battle", "recruit"]], "discovery": ["D51", "D26"], **holds("R44", active)}
    t = table(engine, me, round=2).skip("RECLAIM")
    assert t.options() == ["done", "command:recruit", "command:battle"]
    t.do("command:battle")
    if not active:
        assert t.player(0)["relics"] == [], "the Relic pays, without a question"
        return
    assert t.expect("RECLAIM_RELIC", 0).options() == ["slot:0", "resource:discovery"]
    t.do("resource:discovery").answer("PAY_CARD", "card:D26", seat=0)
    p = t.player(0)
    assert (p["discovery"], p["board"][0], "battle" in p["hand"]) == (["D51"], [None, "recruit"], True)
    assert p["slots"][0] == {"relic": "R44"}
    t = table(engine, {**me, "discovery": []}, round=2).skip("RECLAIM").do("command:battle")
    assert t.player(0)["slots"] == [None, None], "without a card only the Relic itself can pay"


@pytest.mark.card("R45")
def test_bone_compass(engine: str) -> None:
    """Two cards seen, each put back on top or under the deck, in their order."""
    t = table(engine, {"active": "R45"}, discovery={"draw": ["D03", "D19", "D26"]})
    t.turn("harvesters").skip("BONUS").do("done")
    assert t.expect("RULE", 0).options() == ["done", "option:0"]
    declined = t.fork().do("done")
    assert declined.snapshot()["discovery"]["draw"][:3] == ["D03", "D19", "D26"]
    t.do("option:0")
    assert t.expect("SCRY_PUT", 0).options() == ["option:0", "option:1"]
    assert [e[3] for e in t.events("DRAW")] == [2, 18]
    for first, second, top, bottom in (
        (0, 0, ["D03", "D19", "D26"], []),
        (1, 0, ["D19", "D26"], ["D03"]),
        (0, 1, ["D03", "D26"], ["D19"]),
        (1, 1, ["D26"], ["D03", "D19"]),
    ):
        line = t.fork().do(f"option:{first}", f"option:{second}")
        pile = line.snapshot()["discovery"]["draw"]
        assert pile[: len(top)] == top
        assert pile[len(pile) - len(bottom) :] == bottom
        assert line.player(0)["discovery"] == []


@pytest.mark.card("R45")
@pytest.mark.rule("V7.3")
def test_bone_compass_only_in_own_turns(engine: str) -> None:
    """Not at the end of others' turns, not Inactive, not twice a turn."""
    t = table(engine, {}, {"active": "R45"}).turn("harvesters").skip({"RULE", "BURN"})
    assert (t.kind, t.seat) == ("BURN", 1)
    t = table(engine, {"relics": ["R45"]}).turn("harvesters").skip({"RULE", "BURN"})
    assert t.kind == "BURN"
    t = table(engine, {"active": "R45"}).turn("harvesters").skip("RULE").do("done")
    assert t.seat == 1


# ------------------------------------------------------------------ Activating
@pytest.mark.rule("G3.3", "V8.1")
def test_a_relic_works_from_its_activation(engine: str) -> None:
    """Activated in the window after Playing, it changes the Sections that follow."""
    t = (
        table(engine, {"relics": ["R05"], "units": {A: "soldier"}})
        .skip("BURN")
        .do("command:battle", "command:soldiers")
    )
    t.answer("RELIC_WINDOW", "card:R05", seat=0).skip("ACT_SPACE").do(A)
    assert t.expect("MOVE_TO").spaces() == reach(space(A), 4, TWO_SHIPS) - set(TWO_SHIPS)
