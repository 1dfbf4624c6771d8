"""Cards together: what the rules name in one breath, stacking, durations, claims, Confused Troops, bounds."""

from __future__ import annotations

import dataclasses
import hashlib
import random
from collections import Counter
from typing import Any

import pytest
from abilities import (
    BRINK,
    FIELD,
    NO_RED,
    NO_YELLOW,
    TWO_SHIPS,
    asked,
    column,
    dice,
    everything,
    fight,
    quake,
    reach,
    rolled,
    strike_dice,
    table,
)
from geometry import SIDES, is_abyss
from plays import CELL, MODULES, SUPPLY, on_planet, pick
from scenario import CARDS, Table, new_game, space
from scenario import units as counted

from cysmic_fast.content.types import Content
from cysmic_fast.vocabulary import DONE, NO, SPACE, DecisionKind

A, B, C, D = "tundra-5-1", "tundra-5-3", "wetlands-5-1", "wetlands-5-3"
NEXT = "tundra-5-2"  # beside A and B
RING = {space(f"tundra-5-{k}") for k in range(5)}
READY = {"modules": list(MODULES), "blueprints": list(MODULES)}
#: Ion Storm (P05), as it lies over everybody until the next turn of seat 1.
STORM = [{"mod": "deny", "actions": ["jumpjet", "cyber"]}, {"mod": "move", "n": -1, "types": ["unit"]}]


def bonus(t: Table, card: str, burn: str = "battle") -> Table:
    """Plays a card without doing anything up to the Bonus decision, Reactions declined."""
    return t.turn(card, burn).skip("BONUS")


def storms(*seats: int, times: int = 1) -> list[dict[str, Any]]:
    """Grants of Ion Storm drawn by seat 1, for these seats."""
    return [{"player": seat, "by": 1, "mods": STORM} for seat in seats for _ in range(times)]


def confused(t: Table, seat: int) -> dict[int, list[int]]:
    """{space: [soldiers, miners, speakers]} of the Confused Troops of a seat."""
    return dict(map(tuple, t.player(seat)["confused"]))


def destinations(t: Table) -> set[int]:
    """Ends of the Move being chosen, or of the last one if it had only one end."""
    if t.kind == "MOVE_TO":
        return t.spaces()
    last = [e for e in t.events("CHOICE") if e[2] == DecisionKind.MOVE_TO][-1]
    assert last[4] == 1, "the last Move was chosen"
    return {last[3] - SPACE}


def colours(t: Table) -> set[str]:
    """Colours of the cells offered, grey included."""
    return {CELL[cell][1] if cell in CELL else "grey" for cell in column(t)}


def modes(t: Table) -> list[str]:
    """Options of PLAY_MODE, asked or forced."""
    if t.kind == "PLAY_MODE":
        return t.options()
    return [f"option:{a - 32}" for a in asked(t, "PLAY_MODE")[-1:]]


def limited(**limits: int) -> Content:
    """The pack with other bounds (V1.13)."""
    content = everything()
    other = dataclasses.replace(content.limits, **limits)
    return dataclasses.replace(content, limits=other, hash=hashlib.sha256(repr(other).encode()).hexdigest())


# ------------------------------------------------------------------ Bonus Actions (D-EX1 to D-EX3)
def rich(engine: str, me: dict[str, Any], **more: Any) -> Table:
    """Every Bonus Action of Column 002 is possible for seat 0, several times."""
    mine = {"units": {FIELD: "2 soldier", D: "soldier"}, "lorium": 3, "discovery": ["D51"]}
    other = {"units": {FIELD: "2 soldier", D: "2 soldier"}, "captured": {0: "3 miner"}}
    mine["discovery"] = sorted(mine["discovery"] + me.pop("discovery", []))
    return table(engine, {**mine, **me}, other, combats={FIELD: 0, D: 0}, round=2, **more)


def every_bonus(t: Table, choose: dict[str, str]) -> list[str]:
    """Takes Bonus Actions by colour as long as some are offered; the colours in order."""
    taken = []
    while t.kind != "BURN":
        if t.kind == "BONUS" and t.seat == 0:
            left = [c for c in choose if f"bonus:{choose[c]}" in t.options()]
            if not left:
                t.do("done")
                continue
            taken.append(left[0])
            t.do(f"bonus:{choose[left[0]]}")
        elif t.kind == "PLAY_MODE":
            t.do("option:1")
        else:
            t.do("done" if "done" in t.options() else t.options()[0])
    return taken


CHOICE = {
    "red": "destroy_troop", "blue": "free_flee", "yellow": "deploy_two", "green": "rescue",
    "purple": "store_lorium", "grey": "gain_card",
}  # fmt: skip


@pytest.mark.card("D11")
@pytest.mark.rule("D-EX3", "D5.10", "V9.4")
def test_colorblind(engine: str) -> None:
    """Powermechs: Blue, Green and Grey, one Bonus Action of each, in any order."""
    t = rich(engine, {"discovery": ["D11"]}).turn("powermechs", "battle").skip("REACT")
    t.do("card:D11")
    assert colours(t) == {"blue", "green", "grey"}
    assert colours(t.fork().do("bonus:gain_card")) == {"blue", "green"}, "Grey is used up"
    assert every_bonus(t, CHOICE) == ["blue", "green", "grey"]


@pytest.mark.card("D11", "R02", "F06")
@pytest.mark.rule("D5.10", "D6.2", "D7.7", "D-EX1", "D-EX2", "T9.1")
@pytest.mark.parametrize("reaction", [True, False])
def test_all_sources_of_icons(engine: str, reaction: bool) -> None:
    """Delayed Feedback and Celebrity Status unite; Colorblind turns each icon into a Bonus Action, once."""
    me = {
        "faction": "F06", "active": "R02", "board": [["battle", "soldiers"]], "discovery": ["D11"],
    }  # fmt: skip
    # Played before: red, yellow. Burned now: green, purple. Played now: blue, green.
    t = rich(engine, me).turn("powermechs", "recruit").skip("REACT")
    t.do("card:D11" if reaction else "done")
    assert colours(t) == {"red", "blue", "yellow", "green", "purple", "grey"}
    taken = every_bonus(t, CHOICE)
    assert taken == (list(CHOICE) if reaction else ["red"])


@pytest.mark.card("R02", "F06")
@pytest.mark.rule("D7.7", "D6.2")
def test_burned_cards_of_earlier_turns_do_not_count(engine: str) -> None:
    """Celebrity Status looks at this turn's Burned card, Delayed Feedback at the Played one before."""
    me = {"faction": "F06", "active": "R02", "board": [["recruit", "battle"]]}
    t = bonus(rich(engine, me), "harvesters", "powermechs")
    # battle: yellow green; powermechs: blue green; harvesters: red blue
    assert colours(t) == {"red", "blue", "yellow", "green", "grey"}


@pytest.mark.card("R31", "F27", "R02")
@pytest.mark.rule("T9.1")
def test_a_colour_from_two_sources_is_one(engine: str) -> None:
    """With Colorblind Purple of the key and of the card makes one Bonus Action."""
    me = {"faction": "F27", "active": "R31", "discovery": ["D11"]}
    t = rich(engine, me).turn("colony_ship", "battle").skip("MOVE_TO")
    t.do(t.options()[0]).skip("REACT").do("card:D11")
    assert every_bonus(t, CHOICE) == ["yellow", "green", "purple", "grey"]


@pytest.mark.card("R04", "D11")
@pytest.mark.rule("D6.4", "D5.10")
def test_sleight_of_hand_with_colorblind(engine: str) -> None:
    """The free card comes on top of the Grey Bonus Action."""
    t = rich(engine, {"active": "R04", "discovery": ["D11", "D26", "D42"]}).turn("powermechs", "battle")
    t.skip("REACT").do("card:D11")
    choose = {"play": "play_card", "blue": "free_flee", "green": "rescue"}
    assert every_bonus(t, choose) == ["play", "play", "blue", "green"]


@pytest.mark.card("R04", "D10")
@pytest.mark.rule("D6.4", "D5.9", "V7.5")
def test_sleight_of_hand_with_bonus_bonus(engine: str) -> None:
    """The extra one may follow the free card, and repeat it; the Bonus Action itself is left."""
    t = (
        rich(engine, {"active": "R04", "discovery": ["D10", "D26"]})
        .turn("powermechs", "battle")
        .skip("BONUS")
    )
    t.do("bonus:play_card", "card:D26")
    pick(t, "PLAY_MODE", "option:1")
    t.answer("REACT", "card:D10", seat=0)
    assert colours(t) == {"blue", "green", "grey"}
    t.do("bonus:play_card")
    pick(t, "PLAY_CARD", "card:D51")
    pick(t, "PLAY_MODE", "option:1")
    assert [e[2] for e in t.events("LORIUM")] == [3, 3]
    assert t.expect("BONUS", 0).options()[0] == "done"
    assert colours(t) == {"blue", "green", "grey"}
    t.do("bonus:gain_card")
    assert t.seat == 1


@pytest.mark.card("R04", "R41")
@pytest.mark.rule("D6.4", "V9.4")
def test_sleight_of_hand_with_double_meaning(engine: str) -> None:
    """Ability and Rewards of both cards."""
    me = {"active": ["R04", "R41"], "discovery": ["D50", "D56"]}
    t = bonus(table(engine, me, marker=1), "harvesters").do("bonus:play_card", "card:D56")
    t.do("option:0").expect("BONUS", 0)  # Stabilizers: 2 Lorium; Rewards: 2 Lorium or two cards
    assert t.player(0)["lorium"] == 4
    t.do("bonus:play_card").do(
        "option:0"
    )  # Red Button: Marker, card; Rewards: green Bonus Action or two cards
    assert t.snapshot()["marker"] == 0
    assert len(t.events("PLAY_CARD")) == 2


@pytest.mark.card("R41", "D18")
@pytest.mark.rule("D5.14", "V7.5")
def test_a_veto_takes_both_meanings(engine: str) -> None:
    """One play, one Veto; a Veto of the Veto brings both back."""
    me = {"active": "R41", "discovery": ["D56", "D18"]}
    t = bonus(table(engine, me, {"discovery": ["D18"]}), "harvesters").do("bonus:play_card", "card:D56")
    t.answer("REACT", "card:D18", seat=1)
    gone = t.fork().answer("REACT", "done", seat=0)
    assert (gone.player(0)["lorium"], gone.seat) == (0, 1)
    assert gone.snapshot()["discovery"]["discard"] == ["D18", "D56"]
    t.answer("REACT", "card:D18", seat=0).answer("REWARD", "option:0", seat=0)
    assert t.player(0)["lorium"] == 4


@pytest.mark.card("F06", "R41")
@pytest.mark.rule("V1.3")
def test_encore_has_one_meaning(engine: str) -> None:
    """Played for its Rewards means Rewards alone."""
    me = {"faction": "F06", "active": "R41", "discovery": ["D29"]}
    t = table(engine, me).turn("harvesters").skip("BONUS").do("done").answer("RULE", "option:1", seat=0)
    assert (t.player(0)["lorium"], t.kind) == (3, "BURN")


# ------------------------------------------------------------------ stacking
@pytest.mark.card("R05", "F02", "P05")
@pytest.mark.rule("T9.1")
@pytest.mark.parametrize(
    ("relics", "storm", "steps"),
    [([], 0, 4), (["R05", "R05"], 0, 6), (["R05"], 1, 4), ([], 2, 2), ([], 9, 0)],
)
def test_movement_is_summed(engine: str, relics: list[str], storm: int, steps: int) -> None:
    """Pack Hunters, Grav Boots and Ion Storms on one Soldier."""
    t = table(
        engine, {"faction": "F02", "active": relics, "units": {A: "soldier"}}, grants=storms(0, times=storm)
    ).turn("soldiers")
    t.do(A)
    assert destinations(t) == reach(space(A), steps, TWO_SHIPS[1:]) - set(TWO_SHIPS)


@pytest.mark.card("R05", "P05")
@pytest.mark.parametrize(("storm", "steps"), [(2, 1), (3, 0), (4, 0)])
def test_a_sum_is_clamped_once(engine: str, storm: int, steps: int) -> None:
    """Miner 2, Grav Boots +1, Ion Storms: all are added up before nothing is less than 0."""
    t = table(engine, {"active": "R05", "units": {A: "miner"}}, grants=storms(0, times=storm)).turn("miners")
    t.do(A)
    assert destinations(t) == reach(space(A), steps)


@pytest.mark.card("R30", "F01")
def test_reach_is_the_highest(engine: str) -> None:
    """Far Voice and Thought Ripple: one space, not two."""
    tiles = {NEXT: "camp", B: "camp"}
    t = table(engine, {"faction": "F01", "active": "R30", "units": {A: "speaker"}}, tiles=tiles)
    t.turn("speakers").skip("ACT_SPACE").do("done").skip("ACT_SPACE").do(A)
    assert (t.controller(NEXT), t.controller(B)) == (0, None)


@pytest.mark.card("F25", "D25")
@pytest.mark.parametrize(
    ("faction", "at", "possible"), [("F18", "forest-1-0", False), ("F25", "forest-1-0", True)]
)
def test_range_and_reach(engine: str, faction: str, at: str, possible: bool) -> None:
    """Back Door over 2 spaces and Long Wires make 3."""
    assert min(n for n in range(7) if TWO_SHIPS[1] in reach(space(at), n)) == 3
    t = table(
        engine, {"faction": faction, "units": {at: "soldier"}, "discovery": ["D25"]}, {"faction": "F10"},
        script=dice([1, 1]),
    )  # fmt: skip
    bonus(t, "harvesters").do("bonus:play_card")
    assert ("option:0" in modes(t)) == possible
    if possible:
        pick(t, "PLAY_MODE", "option:0")
        assert rolled(t, "red_die") == 2, "Back Door: one die more"


@pytest.mark.card("R29", "F25", "R28")
@pytest.mark.parametrize(
    ("unit", "mine", "red"), [("soldier", [], 1), ("powermech", [], 2), ("powermech", ["R28"], 3)]
)
def test_cyber_dice_are_summed(engine: str, unit: str, mine: list[str], red: int) -> None:
    """Plausible Denial and Null Cipher take two dice off, one is always rolled."""
    me = {"faction": "F18", "active": mine, "units": {"forest-4-1": unit}}
    t = table(engine, me, {"faction": "F25", "active": "R29"}, round=4, script=dice([1] * 9))
    bonus(t, "harvesters").do("bonus:cyber_attack")
    assert rolled(t, "red_die") == red


@pytest.mark.card("R16", "F07")
@pytest.mark.rule("K4.11")
def test_shields_are_summed(engine: str) -> None:
    """Ramparts, Aegis Node and a Speaker: three Shields, each on a die of its own."""
    t = fight(
        engine, "3 soldier", "soldier, speaker", {}, {"faction": "F07", "active": "R16"}, script=dice([4] * 3)
    ).do("strike")
    shields = 0
    while t.kind == "SHIELD_DIE":
        shields += 1
        assert t.seat == 1
        t.do(t.options()[-1])
    assert shields == 3
    assert t.expect("HITS", 0).options() == ["hits:0", "hits:2"], "3, 3, 3: the Speaker"


@pytest.mark.card("R13", "F02", "D14")
@pytest.mark.rule("D7.3", "D5.12")
def test_dice_are_summed(engine: str) -> None:
    """Splinter Rounds, Fetch and Heavy Metal: four red dice more in every Strike."""
    me = {"faction": "F02", "tokens": 3, "active": "R13", "discovery": ["D14"]}
    t = fight(engine, "powermech", "3 soldier", me, script=dice([1] * 60))
    t.answer("REACT", "card:D14", seat=0).answer("RULE", "option:2", seat=0)
    t.do("strike", "strike", "strike")
    assert [n for p, n in strike_dice(t) if p == 0] == [8, 8]


@pytest.mark.card("F24", "R13")
@pytest.mark.rule("K3.3", "RUL-K1")
@pytest.mark.parametrize("relics", [[], ["R13"]])
def test_without_a_die_one_must_flee(engine: str, relics: list[str]) -> None:
    """A lost wager leaves a lone Soldier without dice; Splinter Rounds make up for it."""
    t = fight(engine, "soldier", "soldier", {"faction": "F24", "active": relics}, script=dice([1] * 9))
    t.answer("RULE", "option:0", seat=0)
    if relics:
        assert t.expect("STRIKE_OR_FLEE", 0).options() == ["strike", "flee"]
        assert strike_dice(t.do("strike")) == [(0, 1)]
    else:
        t.expect("FLEE_TO", 0)


@pytest.mark.card("R33", "F11", "D55")
@pytest.mark.rule("Y2.1", "Y2.11")
def test_tokens_drawn_are_summed(engine: str) -> None:
    """Rift Hammer (2), Fault Compass and Fault Maps: four tokens, one kept."""
    drawn = ["savannah-1", "forest-1", "rocky-1", "tundra-1"]
    me = {"faction": "F11", "active": "R33", "discovery": ["D55"]}
    t = table(engine, me, script={"fracture_token": drawn}).skip("BURN")
    bonus(t, "harvesters").do("bonus:play_card")
    pick(t, "PLAY_MODE", "option:0")
    assert t.expect("KEEP_TOKEN", 0).options() == [f"option:{i}" for i in range(4)]
    t.do("option:2")
    bag = t.snapshot()["bag"]
    assert [name in bag for name in drawn] == [True, True, False, True]


@pytest.mark.card("R18", "F10")
def test_limits_are_summed(engine: str) -> None:
    t = table(engine, {"faction": "F10", "active": "R18", "lorium": 14}).turn("harvesters").end_turn()
    assert t.player(0)["lorium"] == 10


@pytest.mark.card("F05", "R27", "R23", "R24", "F13")
def test_prices_by_part(engine: str) -> None:
    """Forge Drone and Company Fleet: a Powermech for 2 Lorium. Volunteers and Piecework: 4 Influence."""
    me = {"faction": "F05", "active": "R27", "units": {A: "soldier"}, "lorium": 2}
    t = table(engine, me).turn("upgrade").answer("UPGRADE_SPACE", A, seat=0)
    assert (t.player(0)["lorium"], t.units(0, A)) == (0, counted("powermech"))
    me = {
        "faction": "F13", "active": ["R24", "R23"], "blueprints": ["fuel_cells"], "lorium": 3,
    }  # fmt: skip
    t = bonus(table(engine, me), "harvesters").do("bonus:construct")
    assert (t.player(0)["modules"], t.player(0)["lorium"]) == (["fuel_cells"], 0)


@pytest.mark.card("F22", "R32")
@pytest.mark.rule("T4.8")
def test_quiet_actions_are_united(engine: str) -> None:
    """Soft Landings and Quiet Engines: neither jumps, Harvests nor Dropships shake."""
    me = {
        "faction": "F22", "active": "R32", "lorium": 5,
        "units": {A: "harvester", B: "powermech", C: "soldier"},
    }  # fmt: skip
    assert quake(table(engine, me)).events("TREMOR") == []
    t = table(engine, me, tiles={A: "lorium"}).turn("harvesters").do("done").skip("ACT_SPACE").do(A)
    assert t.events("TREMOR") == []
    assert table(engine, me).turn("upgrade").answer("UPGRADE_SPACE", C).events("TREMOR") == []


@pytest.mark.card("R39", "D79")
@pytest.mark.parametrize(
    ("face", "stranded", "success"), [("0", 0, None), ("1", 1, False), ("2", 1, True), ("any", 4, True)]
)
def test_humanity_is_summed(engine: str, face: str, stranded: int, success: bool | None) -> None:
    """Iron Conscience +1, Pang of Guilt -2: one place down, at most to 0. Nobody stranded: no die."""
    me = {**READY, "active": "R39", "units": {A: f"{min(stranded, 3)} soldier"} if stranded else {}}
    if stranded > 3:
        me["units"][B] = f"{stranded - 3} soldier"
    t = table(engine, me, {"discovery": ["D79"]}, script={"humanity_die": [face]})
    t.turn("harvesters").skip("LAUNCH").do("yes")
    if success is not None:
        t.answer("REACT", "card:D79", seat=1)
    assert [e[2] for e in t.events("LAUNCH")] == [1 if success is None else int(success)]
    assert rolled(t, "humanity_die") == (success is not None)


# ------------------------------------------------------------------ order and claims
@pytest.mark.card("R03", "F24", "D16")
@pytest.mark.rule("T9.2", "T9.3", "D5.8")
def test_reactions_then_relics_then_factions(engine: str) -> None:
    """Sniper of a bystander, then the Pre-Strike, then the wager, of all of one Combat."""
    me = {"faction": "F24", "active": "R03"}
    t = fight(engine, "soldier", "3 soldier", me, {}, {"discovery": ["D16"]}, script=dice([4, 4, 1, 1, 1]))
    t.expect("REACT", 2).do("card:D16")
    pick(t, "UNIT_SPACE", FIELD)
    pick(t, "UNIT_OWNER", "player:1")
    assert t.expect("RULE", 0).options() == ["done", "option:0"]
    assert t.units(1, FIELD) == counted("soldier"), "one by each, before the wager"
    assert t.captured(0, 1) == counted("soldier")
    t.do("option:0").do("strike")
    assert strike_dice(t) == [(0, 3)]


FIRST = [
    # us, them, attacker, first
    ({}, {}, 0, 0),
    ({}, {"active": "R17"}, 0, 1),
    ({}, {"faction": "F12"}, 0, 1),
    ({"discovery": ["D68"]}, {"active": "R17"}, 0, 0),
    ({"discovery": ["D68"]}, {"faction": "F12"}, 0, 0),
    ({}, {"discovery": ["D68"]}, 0, 1),
    ({}, {"discovery": ["D68"]}, 1, 1),
    ({"discovery": ["D68"]}, {"discovery": ["D68"]}, 0, 1),
]


@pytest.mark.card("D68", "R17", "F12")
@pytest.mark.rule("K2.3", "T9.2", "V7.7")
@pytest.mark.parametrize(("us", "them", "attacker", "first"), FIRST)
def test_first_strike_claims(
    engine: str, us: dict[str, Any], them: dict[str, Any], attacker: int, first: int
) -> None:
    """A Reaction beats a Relic or Faction, these the preset; of two Reactions the later holds (V7.7)."""
    t = fight(engine, "soldier", "soldier", us, them, attacker=attacker)
    while t.kind == "REACT":
        t.do(t.options()[-1])
    t.expect("STRIKE_OR_FLEE", first)


@pytest.mark.card("D37", "D38", "R17", "F12", "D68")
@pytest.mark.rule("T9.2", "K2.6", "V7.7")
@pytest.mark.parametrize(
    ("card", "us", "them", "attacker", "first"),
    [
        ("D37", {}, {"active": "R17"}, 0, 0),
        ("D37", {}, {"faction": "F12"}, 0, 0),
        ("D37", {}, {"discovery": ["D68"]}, 0, 1),
        ("D38", {}, {}, 0, 1),
        ("D38", {}, {}, 1, 0),
        ("D38", {}, {"active": "R17"}, 1, 0),
    ],
)
def test_first_strike_by_an_action(
    engine: str, card: str, us: dict[str, Any], them: dict[str, Any], attacker: int, first: int
) -> None:
    """The First Strike of an Action card beats Relic and Faction, and loses to a Reaction (V7.7)."""
    t = fight(engine, "soldier", "soldier", {"discovery": [card], **us}, them, attacker=attacker, play=None)
    bonus(t, "harvesters").do("bonus:play_card")
    pick(t, "PLAY_MODE", "option:0")
    pick(t, "COMBAT", FIELD)
    if t.kind == "REACT":
        t.do(t.options()[-1])
    t.expect("STRIKE_OR_FLEE", first)


@pytest.mark.card("R17")
@pytest.mark.rule("K2.6", "RUL-K21")
@pytest.mark.parametrize("relics", [[], ["R17"]])
def test_first_strike_of_an_outsiders_combat(engine: str, relics: list[str]) -> None:
    """Red of Column 005 presets the Attacker; the Prism of the Defender still counts."""
    t = fight(
        engine, "soldier", "soldier", {}, {"active": relics}, {}, attacker=0,
        current_player=2, first_player=2,
        round=5, play=None,
    )  # fmt: skip
    bonus(t, "harvesters").do("bonus:any_combat").expect("STRIKE_OR_FLEE", 1 if relics else 0)


@pytest.mark.card("D66", "R15")
@pytest.mark.rule("K4.2", "K4.9", "K4.10", "RUL-K22")
def test_rerolls_reactions_first(engine: str) -> None:
    """Steady Hands, then the Oracle, which may take the same die again, then the Strike Die."""
    t = fight(
        engine, "2 soldier", "2 soldier", {"active": "R15", "discovery": ["D66"]},
        script=dice([1, 1, 2, 4], blue=["reroll red"]),
    ).do("strike")  # fmt: skip
    t.answer("REACT", "card:D66", seat=0).answer("DIE", "die:0", seat=0)
    t.answer("DIE", "done", seat=0)  # up to two
    assert t.expect("DIE", 0).options() == ["done", "die:0", "die:1"]
    t.do("die:0").expect("REROLL_DIE", 0).do("done")
    assert t.expect("HITS", 0).options() == ["hits:0", "hits:1"]


# ------------------------------------------------------------------ durations
@pytest.mark.card("D12")
@pytest.mark.rule("D5.11")
@pytest.mark.parametrize("seat", [0, 1])
def test_a_grant_for_a_strike(engine: str, seat: int) -> None:
    """Dual Wield: the first own Strike, also if the other side has First Strike; no later one."""
    people = [{}, {}]
    people[seat] = {"discovery": ["D12"]}
    t = fight(engine, "2 soldier", "2 soldier", *people, script=dice([1] * 30))
    t.answer("REACT", "card:D12", seat=seat).do("strike", "strike", "strike", "strike")
    expected = [(0, 2), (1, 2), (0, 2), (1, 2)]
    expected[seat] = (seat, 4)
    assert strike_dice(t) == expected


@pytest.mark.card("D12")
@pytest.mark.rule("K7.5")
def test_a_final_strike_does_not_use_it_up(engine: str) -> None:
    """It does not count in a Final Strike, and is over with the Combat."""
    second = space(D)
    t = fight(
        engine, "2 soldier", "2 soldier", {"units": {second: "soldier"}},
        {"discovery": ["D12"], "units": {second: "soldier"}},
        combats={second: 0}, script=dice([1] * 30),
    )  # fmt: skip
    t.do(FIELD).answer("REACT", "card:D12", seat=1)
    t.do("flee").do(sorted(t.spaces())[0]).answer("FINAL_STRIKE", "yes", seat=1)
    assert [e[1:] for e in t.events("STRIKE")] == [(1, FIELD, 1, 2)]
    while t.kind != "STRIKE_OR_FLEE":
        t.do(t.options()[0])
    t.do("strike", "strike")
    assert strike_dice(t) == [(0, 1), (1, 1)]


@pytest.mark.card("D14")
@pytest.mark.rule("D5.12")
def test_a_grant_for_a_combat(engine: str) -> None:
    """Heavy Metal ends with the Combat in which it was played."""
    second = space(D)
    t = fight(
        engine, "powermech", "soldier", {"discovery": ["D14"], "units": {second: "soldier"}},
        {"units": {second: "soldier"}}, combats={second: 0}, script=dice([1] * 11 + [4] + [1] * 30),
    )  # fmt: skip
    t.do(FIELD).answer("REACT", "card:D14", seat=0).do("strike")
    assert strike_dice(t) == [(0, 6)]
    t.expect("FLEE_TO", 1).do(sorted(t.spaces())[0]).answer("FINAL_STRIKE", "no", seat=0)
    t.answer("STRIKE_OR_FLEE", "strike", seat=0)
    assert strike_dice(t) == [(0, 6), (0, 1)]


@pytest.mark.card("D11")
def test_a_grant_for_a_turn(engine: str) -> None:
    """Colorblind is over in the next turn of the same player."""
    t = table(engine, {"discovery": ["D11"]}).turn("powermechs", "battle").skip("REACT").do("card:D11")
    t.do("bonus:gain_card").expect("BONUS", 0).do("done")
    t.turn("battle", "recruit").end_turn()
    bonus(t, "upgrade", "recruit").do("bonus:gain_card")
    assert t.skip({"BONUS", "BURN"}).kind == "BURN"


@pytest.mark.card("P05")
@pytest.mark.rule("D4.1")
def test_a_grant_for_a_round(engine: str) -> None:
    """Ion Storm: from when it is drawn until its drawer's next turn begins, for everybody."""
    me = {"units": {A: "powermech"}}
    t = table(
        engine, me, {"units": {C: "powermech"}}, options={"events": True}, discovery={"draw": ["P05", "D19"]}
    )
    bonus(t, "harvesters").do("bonus:gain_card").expect("BURN", 1)
    grants = t.snapshot()["grants"]
    assert [(g["player"], g["by"], g["for"]) for g in grants] == [(0, 0, "round"), (1, 0, "round")]
    t.turn("powermechs").do(C)
    assert t.expect("MOVE_TO").spaces() == reach(space(C), 2) - set(TWO_SHIPS), "no jump, one space less"
    t.do(C).end_turn()
    assert t.expect("BURN", 0).snapshot()["grants"] == []
    t.turn("powermechs", "recruit").do(A)
    assert t.expect("ACT_ACTION").options() == ["action:move", "action:jumpjet"]


@pytest.mark.card("P05")
def test_a_round_of_a_loaded_position(engine: str) -> None:
    """The grant of seat 1 still counts in seat 0's turn and ends with seat 1's next."""
    t = table(engine, {"units": {A: "miner"}}, grants=storms(0, 1))
    t.turn("miners").do(A)
    assert t.expect("MOVE_TO").spaces() == reach(space(A), 1)
    t.do(A).end_turn()
    assert t.expect("BURN", 1).snapshot()["grants"] == []


@pytest.mark.card("D14")
@pytest.mark.rule("V8.2", "K8.5")
def test_the_cap_ends_grants(engine: str) -> None:
    """A Combat left standing after so many Strikes has ended its resolution."""
    second = space(D)
    t = fight(
        engine, "powermech, soldier", "2 soldier", {"discovery": ["D14"], "units": {second: "soldier"}},
        {"units": {second: "soldier"}}, combats={second: 0}, script=dice([1] * 40),
        options={"content": limited(strikes=2)},
    )  # fmt: skip
    t.do(FIELD).answer("REACT", "card:D14", seat=0).do("strike", "strike")
    assert t.attacker(FIELD) == 0
    t.answer("STRIKE_OR_FLEE", "strike", seat=0)
    assert strike_dice(t) == [(0, 7), (1, 2), (0, 1)]


# ------------------------------------------------------------------ once
@pytest.mark.card("F23")
@pytest.mark.rule("V8.1", "V7.4")
def test_once_in_each_turn(engine: str) -> None:
    """Used in the enemy's turn, it is free again in the next one, whoever's it is."""
    t = fight(
        engine, "soldier", "3 soldier", {}, {"faction": "F23"}, attacker=0,
        script=dice([4, 1, 1, 4, 1, 1, 4, 1]),
    )  # fmt: skip
    t.do("strike", "hits:1").answer("STRIKE_OR_FLEE", "strike", seat=1)
    assert t.player(1)["once"] == [["F", 0]]
    t.answer("STRIKE_OR_FLEE", "strike", seat=0).answer("HITS", "hits:1", seat=0)
    assert t.captured(0, 1) == counted("soldier"), "once a turn"
    t.answer("STRIKE_OR_FLEE", "flee", seat=1).do(min(t.spaces())).answer(
        "FINAL_STRIKE", "no", seat=0
    ).end_turn()
    assert t.expect("BURN", 1).player(1)["once"] == []


# ------------------------------------------------------------------ immune, deny
@pytest.mark.card("P05", "R07")
@pytest.mark.rule("M5.6")
def test_denied_jumps_and_cyber_attacks(engine: str) -> None:
    """Ion Storm: no jump of Powermechs or with Leap Coils, also not in Evacuate; no Cyber Attack."""
    me = {"active": "R07", "units": {A: "soldier", B: "powermech", "forest-4-1": "soldier"}}
    t = table(engine, me, grants=storms(0)).turn("soldiers").do(A)
    assert t.expect("MOVE_TO").spaces() == reach(space(A), 2) - set(TWO_SHIPS)
    t = table(engine, me, grants=storms(0)).turn("powermechs").do(B).expect("MOVE_TO")
    t = bonus(table(engine, me, grants=storms(0), round=4), "harvesters")
    assert "cyber_attack" not in column(t)
    assert "cyber_attack" in column(bonus(table(engine, me, grants=storms(1), round=4), "harvesters")), (
        "of seat 1"
    )


@pytest.mark.card("P05", "F03", "F19")
@pytest.mark.rule("D7.4", "Y1.5")
@pytest.mark.parametrize("storm", [False, True])
def test_surfing_in_an_ion_storm(engine: str, storm: bool) -> None:
    """An escaping Powermech behind Lakes may not jump then, and is lost."""
    wall = dict.fromkeys(SIDES[space(A)], "lake")
    t = table(
        engine, {"faction": "F03", "units": {A: "powermech"}}, {"faction": "F19"}, cysmograph=BRINK,
        current_player=1, script={"fracture_token": ["tundra-5"]}, tiles=wall,
        grants=[{"player": 0, "by": 0, "mods": STORM}] if storm else [],
    ).answer("RULE", "option:0", seat=1)  # fmt: skip
    assert (t.kind == "ESCAPE") == (not storm)
    assert (sum(on_planet(t, 0)) == 0) == storm


@pytest.mark.card("D44", "R35")
@pytest.mark.rule("V1.8")
def test_each_passes_over_the_immune(engine: str) -> None:
    """Scorched Ledger takes of everybody else."""
    t = table(engine, {"discovery": ["D44"]}, {"active": "R35", "lorium": 2}, {"lorium": 2}, {"lorium": 2})
    bonus(t, "harvesters").do("bonus:play_card")
    pick(t, "PLAY_MODE", "option:0")
    assert [t.player(seat)["lorium"] for seat in (1, 2, 3)] == [2, 1, 1]


# ------------------------------------------------------------------ Quakesurfing
def surf(engine: str, me: dict[str, Any], token: str = "tundra-5", **more: Any) -> Table:
    """Seat 1 makes the ground of seat 0 (Moving Mao Tons) Collapse."""
    t = table(
        engine, {"faction": "F03", **me}, {"units": {"rocky-3-1": "powermech"}}, cysmograph=BRINK,
        current_player=1, script={"fracture_token": [token]}, **more,
    )  # fmt: skip
    return quake(t)


@pytest.mark.card("F03", "R07", "R05")
@pytest.mark.rule("D7.4", "Y1.5", "RUL-Y5", "V1.11")
@pytest.mark.parametrize(
    ("relics", "steps", "jumps"),
    [([], 3, False), (["R05"], 4, False), (["R07"], 3, True), (["R05", "R07"], 4, True)],
)
def test_surfing_with_boots_and_coils(engine: str, relics: list[str], steps: int, jumps: bool) -> None:
    """A Soldier behind Lakes: with Leap Coils it jumps, without a Tremor; Grav Boots reach further."""
    wall = SIDES[space(A)] - RING
    t = surf(engine, {"active": relics, "units": {A: "soldier"}}, tiles=dict.fromkeys(wall, "lake"))
    t.expect("ESCAPE", 0).do(A).expect("ESCAPE_TO", 0)
    closed = set(TWO_SHIPS[1:]) | {space("rocky-3-1")}
    walk = reach(space(A), steps, closed | wall)
    jump = reach(space(A), steps) if jumps else set()
    assert t.spaces() == (walk | jump) - RING - wall - closed - set(TWO_SHIPS)
    t.do(max(t.spaces() & reach(space(A), 2)))
    assert [e[1] for e in t.events("TREMOR")] == [1]


@pytest.mark.card("F03")
@pytest.mark.rule("D7.4", "Y1.5", "T4.8", "V1.11")
def test_a_jump_out_of_a_quake(engine: str) -> None:
    """The Powermech's escape over Mountains causes no Tremor, though the stack stands at the very end."""
    wall = SIDES[space(A)] - RING
    t = surf(engine, {"units": {A: "powermech"}}, tiles=dict.fromkeys(wall, "mountain"))
    t.do(A).answer("ESCAPE_TO", "tundra-3-0", seat=0)
    assert (len(t.events("TREMOR")), len(t.events("FRACTURE"))) == (1, 1)
    assert t.units(0, "tundra-3-0") == counted("powermech")


@pytest.mark.card("F03", "D15")
@pytest.mark.rule("D5.13", "V7.6")
def test_life_flight_before_the_surf(engine: str) -> None:
    """The Reaction comes before the escapes and leaves nobody to surf."""
    t = surf(engine, {"units": {A: "soldier"}, "discovery": ["D15"]})
    t.answer("REACT", "card:D15", seat=0).expect("PLACE_TO", 0)
    assert t.spaces() == SIDES[TWO_SHIPS[0]]
    t.do(min(t.spaces()))
    assert t.kind != "ESCAPE"
    assert on_planet(t, 0) == counted("soldier")


@pytest.mark.card("F03", "F01")
@pytest.mark.rule("Y5.9", "D7.1", "RUL-U2")
def test_confused_troops_do_not_surf(engine: str) -> None:
    """Nor do they escape in company; they are destroyed."""
    me = {"units": {A: "2 soldier, miner"}, "confused": [[space(A), [1, 1, 0]]]}
    t = surf(engine, me)
    t.answer("ESCAPE", A, seat=0).answer("ESCAPE_TO", "tundra-4-0", seat=0)
    assert t.kind != "ESCAPE"
    assert t.units(0, "tundra-4-0") == counted("soldier")
    gone = [e[1:] for e in t.events("LEAVE")]
    assert sorted(gone) == [(0, 0, space(A), 0), (0, 1, space(A), 0)]
    assert confused(t, 0) == {}


@pytest.mark.card("F01")
@pytest.mark.rule("Y5.9", "D7.1", "Y5.1")
def test_confused_miners_have_no_early_warning(engine: str) -> None:
    """A Confused Miner stays; with another Miner nobody Confused goes along either."""
    t = table(
        engine, {"units": {"rocky-3-1": "powermech"}},
        {
            "units": {A: "2 miner, soldier", B: "miner"},
            "confused": [[space(A), [1, 1, 0]], [space(B), [0, 1, 0]]],
        },
        cysmograph=BRINK, script={"fracture_token": ["tundra-5"]},
    )  # fmt: skip
    quake(t).expect("ESCAPE", 1)
    assert t.spaces() == {space(A)}
    t.do(A).answer("ESCAPE_TO", "tundra-4-0", seat=1)
    assert t.kind != "ESCAPE_UNIT", "the Soldier and the other Miner cannot be taken along"
    assert on_planet(t, 1) == counted("miner")


# ------------------------------------------------------------------ Confused Troops
def dazed(**places: str) -> dict[str, Any]:
    """A player all of whose Troops are Confused: places by letter A to D."""
    where = {"A": A, "B": B, "C": C, "D": D}
    spots = {where[k]: v for k, v in places.items()}
    return {"units": spots, "confused": sorted([space(s), counted(v)[:3]] for s, v in spots.items())}


@pytest.mark.card("F01")
@pytest.mark.rule("U4.5", "D7.1", "M2.7", "K1.1", "RUL-U2")
def test_confused_troops_count_as_units(engine: str) -> None:
    """Capacity, barring Units without Engage, and Combats are as with others."""
    t = table(engine, {"units": {NEXT: "soldier, miner"}}, dazed(A="3 soldier")).turn("miners").do(NEXT)
    assert space(A) not in t.expect("MOVE_TO").spaces()
    t = table(engine, {"units": {NEXT: "soldier, miner"}}, dazed(A="3 soldier")).turn("soldiers").do(NEXT)
    t.answer("MOVE_TO", A)
    assert t.attacker(A) == 0
    assert [e[1:] for e in t.events("COMBAT_BEGIN")] == [(0, space(A), 1, 0)]
    t = (
        table(engine, {**dazed(A="3 miner"), "units": {A: "3 miner", NEXT: "soldier"}})
        .turn("soldiers")
        .do(NEXT)
    )
    assert space(A) not in t.expect("MOVE_TO").spaces(), "full of own ones"


@pytest.mark.card("F01")
@pytest.mark.rule("U4.5", "D7.1")
@pytest.mark.parametrize(
    ("number", "card", "cell"),
    [(1, "harvesters", "construct"), (3, "upgrade", "promote"), (5, "upgrade", "upgrade_one"),
     (5, "speakers", "gather_lorium"), (4, "harvesters", "cyber_attack")],
)  # fmt: skip
@pytest.mark.parametrize("dazed_ones", [True, False])
def test_no_bonus_action_for_confused_troops(
    engine: str, number: int, card: str, cell: str, dazed_ones: bool
) -> None:
    """Neither Locked nor Unlocked: they pay for no Module, are not swapped, gather and attack nothing."""
    me = dazed(A="soldier, miner", C="speaker")
    me["units"]["forest-4-1"] = "soldier"
    me["confused"].append([space("forest-4-1"), [1, 0, 0]])
    me |= {
        "confused": sorted(me["confused"]) if dazed_ones else [],
        "lorium": 9,
        "blueprints": ["crew_bridge"],
    }
    t = bonus(table(engine, me, tiles={A: "lorium"}, round=number), card)
    assert (cell in column(t)) == (not dazed_ones)


@pytest.mark.card("F01", "D04", "D07", "D33", "D52", "D60")
@pytest.mark.rule("U4.5", "D7.1")
@pytest.mark.parametrize("card", ["D04", "D07", "D33", "D52", "D60"])
def test_cards_for_unlocked_troops(engine: str, card: str) -> None:
    """None moves, places or swaps a Confused Troop; one may be chosen to be Activated (D7.2)."""
    me = {**dazed(A="soldier, miner", C="speaker"), "discovery": [card]}
    t = bonus(table(engine, me), "harvesters").do("bonus:play_card")
    assert ("option:0" in modes(t)) == (card == "D33")


@pytest.mark.card("F01")
@pytest.mark.rule("U4.5", "N3.4", "A7.6")
def test_confused_troops_stay_in_place(engine: str) -> None:
    """Not among the three Units that Move, not on board in an evacuation."""
    me = {**dazed(A="soldier"), **READY}
    me["units"][C] = "soldier"
    t = bonus(table(engine, me, round=3), "powermechs").do("bonus:move_three")
    assert t.expect("ACT_SPACE", 0).spaces() == {space(C), TWO_SHIPS[0]}
    t = bonus(table(engine, me), "upgrade").do("bonus:hand_action")
    pick(t, "COMMAND_CARD", "command:colony_ship").do("action:evacuate", TWO_SHIPS[0])
    assert t.expect("ACT_SPACE", 0).spaces() == {space(C)}


@pytest.mark.card("F01")
@pytest.mark.rule("D7.1", "D7.10", "K3.5")
@pytest.mark.parametrize("relics", [[], ["R13"]])
def test_a_side_of_confused_troops(engine: str, relics: list[str]) -> None:
    """No dice, whatever is added, so it must Flee but cannot: all are captured when it is to choose."""
    them = {**dazed(A="soldier, speaker"), "active": relics}
    t = table(engine, {"units": {A: "soldier"}}, them, combats={A: 0}, script=dice([3])).turn("battle")
    t.answer("STRIKE_OR_FLEE", "strike", seat=0)
    assert t.expect("HITS", 0).options() == ["hits:0", "hits:2"], (
        "no Shield is offered; the Speaker is a target"
    )
    t.do("hits:0")
    assert t.captured(0, 1) == counted("soldier, speaker")
    assert strike_dice(t) == [(0, 1)]
    assert confused(t, 1) == {}


@pytest.mark.card("F01")
@pytest.mark.rule("D7.9", "RUL-D8", "K3.5")
def test_confused_troops_do_not_flee(engine: str) -> None:
    """In a resolution the others flee, the Confused are captured; a Final Strike may still hit them first."""
    me = {"units": {FIELD: "2 soldier, miner"}, "confused": [[FIELD, [1, 0, 0]]]}
    for final in ("yes", "no"):
        t = table(engine, me, {"units": {FIELD: "soldier"}}, combats={FIELD: 0}, script=dice([1])).turn(
            "battle"
        )
        t.do("flee").expect("FLEE_TO", 0)
        goal = min(t.spaces())
        t.do(goal).answer("FINAL_STRIKE", final, seat=1)
        if t.kind == "HITS":
            t.do("hits:0")
        assert t.units(0, goal) == counted("soldier, miner")
        assert t.captured(1, 0) == counted("soldier")
        assert confused(t, 0) == {}
        assert t.units(1, FIELD) == counted("soldier")
        assert [e[1:3] for e in t.events("COMBAT_END")] == [(1, FIELD)]


@pytest.mark.card("F01", "D39")
@pytest.mark.rule("D7.9", "RUL-D8")
@pytest.mark.parametrize("way", ["free_flee", "D39"])
def test_a_flight_outside_a_resolution(engine: str, way: str) -> None:
    """Confused Troops stay behind and the Combat with them."""
    me = {"units": {FIELD: "2 soldier, miner"}, "confused": [[FIELD, [1, 0, 0]]], "discovery": ["D39"]}
    t = bonus(table(engine, me, {"units": {FIELD: "soldier"}}, combats={FIELD: 0}, round=2), "harvesters")
    if way == "D39":
        t.do("bonus:play_card")
        pick(t, "PLAY_MODE", "option:0")
    else:
        t.do("bonus:free_flee")
    goal = min(t.expect("FLEE_TO", 0).spaces())
    t.do(goal)
    assert t.units(0, goal) == counted("soldier, miner")
    assert t.units(0, FIELD) == counted("soldier")
    assert confused(t, 0) == {FIELD: [1, 0, 0]}
    assert (t.attacker(FIELD), t.captured(1, 0)) == (0, [0] * 5)


@pytest.mark.card("F01", "D39")
@pytest.mark.rule("D7.9", "D7.10")
def test_only_confused_troops_cannot_flee_at_all(engine: str) -> None:
    me = {"units": {FIELD: "soldier"}, "confused": [[FIELD, [1, 0, 0]]], "discovery": ["D39"]}
    t = bonus(table(engine, me, {"units": {FIELD: "soldier"}}, combats={FIELD: 0}, round=2), "harvesters")
    assert "free_flee" not in column(t)
    t.do("bonus:play_card")
    assert "option:0" not in modes(t)


@pytest.mark.card("F01")
@pytest.mark.rule("D7.2", "V7.9")
def test_confused_troops_recover_with_their_card(engine: str) -> None:
    """All of the type when it is Played, acting at once; other types and players stay Confused."""
    me = {
        "units": {A: "soldier, miner", C: "soldier"},
        "confused": [[space(A), [1, 1, 0]], [space(C), [1, 0, 0]]],
    }
    t = table(engine, me, dazed(B="soldier")).turn("soldiers").expect("ACT_SPACE", 0)
    assert t.spaces() == {space(A), space(C)}
    assert confused(t, 0) == {space(A): [0, 1, 0]}
    assert confused(t, 1) == {space(B): [1, 0, 0]}
    assert sorted(e[1:] for e in t.events("CONFUSE")) == [(0, 0, space(A), 0), (0, 0, space(C), 0)]
    t = table(engine, me, dazed(B="soldier")).turn("miners", "soldiers").expect("ACT_SPACE", 0)
    assert confused(t, 0) == {space(A): [1, 0, 0], space(C): [1, 0, 0]}, "a Burned card does not help"


@pytest.mark.card("F01", "D33")
@pytest.mark.rule("D7.2")
def test_confused_troops_recover_when_one_is_activated(engine: str) -> None:
    """Second Wind chooses a Confused one: all of its type recover, one acts."""
    me = {"units": {A: "soldier", C: "soldier, miner"}, "discovery": ["D33"]}
    me["confused"] = [[space(A), [1, 0, 0]], [space(C), [1, 1, 0]]]
    t = bonus(table(engine, me), "harvesters").do("bonus:play_card")
    pick(t, "PLAY_MODE", "option:0")
    assert t.expect("UNIT_SPACE", 0).spaces() == {space(A), space(C)}
    t.do(A)
    pick(t, "UNIT_TYPE", "unit:soldier")
    assert confused(t, 0) == {space(C): [0, 1, 0]}
    assert t.expect("ACT_ACTION", 0).options() == ["done", "action:move"]
    t.do("action:move", NEXT)
    assert t.units(0, NEXT) == counted("soldier")
    assert t.seat == 1


@pytest.mark.card("F01")
@pytest.mark.rule("D7.2", "N5.2")
def test_confused_troops_recover_by_reactivation(engine: str) -> None:
    """Blue of Column 005 resolves the whole Unit card again."""
    board = [
        ["battle", "soldiers"],
        ["recruit", "miners"],
        ["negotiate", "speakers"],
        ["powermechs", "colony_ship"],
    ]
    me = {"units": {A: "soldier"}, "confused": [[space(A), [1, 0, 0]]], "board": board}
    t = bonus(table(engine, me, round=5), "upgrade", "harvesters").do(
        "bonus:reactivate_unit", "command:soldiers"
    )
    assert confused(t, 0) == {}
    t.expect("ACT_SPACE", 0)
    assert t.spaces() == {space(A)}


@pytest.mark.card("F01")
@pytest.mark.rule("U4.5", "D7.1", "K6.2", "V3.3")
def test_confused_and_other_troops_are_told_apart(engine: str) -> None:
    """Hits may name either of two Soldiers; the Confused one rolls nothing."""
    them = {"units": {FIELD: "2 soldier"}, "confused": [[FIELD, [1, 0, 0]]]}
    t = table(engine, {"units": {FIELD: "soldier"}}, them, combats={FIELD: 0}, script=dice([4, 1])).turn(
        "battle"
    )
    t.do("strike")
    assert t.expect("HITS", 0).options() == ["hits:0", "hits:1", "hits:2"]
    first = t.fork().do("hits:1")
    assert confused(first, 1) == {}, "the other one was hit: the Confused one is left, and captured by K3.5"
    assert first.captured(0, 1) == counted("2 soldier")
    t.do("hits:2")
    assert (confused(t, 1), t.captured(0, 1)) == ({}, counted("soldier"))
    t.answer("STRIKE_OR_FLEE", "strike", seat=1)
    assert strike_dice(t) == [(0, 1), (1, 1)]


@pytest.mark.card("P10")
@pytest.mark.rule("U4.5", "D4.1")
def test_neural_static(engine: str) -> None:
    """Everybody picks an Unlocked Troop, clockwise; who has none is passed over."""
    t = table(
        engine, {"units": {A: "soldier, miner"}}, {"units": {B: "harvester"}}, {"units": {C: "speaker"}},
        options={"events": True}, discovery={"draw": ["P10", "D19"]},
    )  # fmt: skip
    bonus(t, "harvesters").do("bonus:gain_card").answer("UNIT_TYPE", "unit:miner", seat=0)
    assert [confused(t, seat) for seat in range(3)] == [{space(A): [0, 1, 0]}, {}, {space(C): [0, 0, 1]}]


@pytest.mark.card("F01")
@pytest.mark.rule("D7.9", "K7.6", "V3.3")
def test_a_final_strike_among_confused_troops(engine: str) -> None:
    """It may name the Confused Soldier or the other one; whoever is Confused is captured in the end."""
    me = {"units": {FIELD: "2 soldier, miner"}, "confused": [[FIELD, [1, 0, 0]]]}
    for chosen, fled, taken in (("hits:1", "miner", "2 soldier"), ("hits:2", "soldier, miner", "soldier")):
        t = table(engine, me, {"units": {FIELD: "soldier"}}, combats={FIELD: 0}, script=dice([4])).turn(
            "battle"
        )
        t.do("flee")
        goal = min(t.expect("FLEE_TO", 0).spaces())
        t.do(goal).answer("FINAL_STRIKE", "yes", seat=1)
        assert t.expect("HITS", 1).options() == ["hits:0", "hits:1", "hits:2", "hits:4"]
        t.do(chosen)
        assert (t.units(0, goal), t.captured(1, 0)) == (counted(fled), counted(taken))


# ------------------------------------------------------------------ Now You See Me
WALL = {"faction": "F07"}
DECOY = {"units": {"wetlands-5-4": "soldier"}}


@pytest.mark.card("F07", "D68", "D14")
@pytest.mark.rule("D7.8", "V7.6")
def test_what_a_decoy_takes_over(engine: str) -> None:
    """A claim to First Strike passes to the decoy; what was granted to a player stays with that player."""
    me = {**WALL, "discovery": ["D12", "D68"]}
    t = fight(engine, "2 soldier", "soldier", {"discovery": []}, me, DECOY, attacker=0, script=dice([1] * 30))
    t.answer("REACT", "card:D68", seat=1).answer("REACT", "card:D12", seat=1)
    t.answer("RULE", "option:0", seat=1).answer("STRIKE_OR_FLEE", "strike", seat=2)
    assert strike_dice(t) == [(2, 1)], "Dual Wield stays with Those Behind the Wall"
    assert t.attacker(FIELD) == 0


@pytest.mark.card("F07", "R03", "R37")
@pytest.mark.rule("D7.8")
def test_no_second_start_for_the_decoy(engine: str) -> None:
    """Its Pre-Strike is not called; what its Relics do in Strikes counts."""
    third = {**DECOY, "active": ["R03", "R13"]}
    t = fight(engine, "soldier", "2 soldier", WALL, {}, third, script=dice([1] * 30))
    t.answer("RULE", "option:0", seat=0)
    assert rolled(t, "red_die") == 0
    t.answer("STRIKE_OR_FLEE", "strike", seat=2)
    assert strike_dice(t) == [(2, 2)]


@pytest.mark.card("F07", "F01")
@pytest.mark.rule("D7.8", "U4.5")
@pytest.mark.parametrize("side", ["own", "decoy"])
def test_no_swap_with_confused_troops(engine: str, side: str) -> None:
    """Neither if one of the own Units, nor if one of the decoys would stay behind."""
    me = {**WALL, **({"confused": [[FIELD, [1, 0, 0]]]} if side == "own" else {})}
    spot = space("wetlands-5-4")
    third = {"units": {spot: "2 soldier"}, "confused": [[spot, [1, 0, 0]]] if side == "decoy" else []}
    t = fight(engine, "2 soldier", "soldier", me, {}, third)
    t.expect("STRIKE_OR_FLEE", 0)


# ------------------------------------------------------------------ Fetch
@pytest.mark.card("F02", "P12", "D54")
@pytest.mark.rule("D7.3")
def test_fetch_with_a_collapse_of_ones_own(engine: str) -> None:
    """Fault Charge: the tile goes to the collector; the Devastated token brings none."""
    me = {"faction": "F02", "units": {A: "soldier"}, "discovery": ["D54"]}
    t = bonus(table(engine, me), "harvesters").do("bonus:play_card")
    pick(t, "PLAY_MODE", "option:0").answer("COLLAPSE_SPACE", NEXT, seat=0)
    assert (t.player(0)["tokens"], t.tile(NEXT)) == (1, "none")
    t = table(
        engine, {"units": {"rocky-3-1": "powermech"}}, {"faction": "F02", "units": {NEXT: "soldier"}},
        tiles={A: "none", B: "none"}, cysmograph=BRINK, script={"fracture_token": ["devastated"]},
    )  # fmt: skip
    assert quake(t).player(1)["tokens"] == 0


@pytest.mark.card("F02", "F24")
@pytest.mark.rule("T9.3", "RUL-D7")
def test_rules_of_one_class_go_around(engine: str) -> None:
    """Both sides' Factions act when the Combat starts, the active player's first."""
    t = fight(
        engine, "soldier", "soldier", {"faction": "F02", "tokens": 3}, {"faction": "F24"},
        script=dice([4] + [1] * 20),
    )  # fmt: skip
    t.answer("RULE", "option:2", seat=0).answer("RULE", "option:0", seat=1)
    t.do("strike", "strike")
    assert strike_dice(t) == [(0, 2), (1, 3)]


# ------------------------------------------------------------------ steered Moves, Place
@pytest.mark.card("D05")
@pytest.mark.rule("M7.2", "D5.5", "RUL-M10")
def test_a_steered_soldier(engine: str) -> None:
    """It must end among Units of another Faction; its owner is the Attacker of the Combat."""
    me = {"units": {B: "miner"}, "discovery": ["D05"]}
    t = table(engine, me, {"units": {A: "soldier", D: "soldier"}}, {"units": {"tundra-4-0": "speaker"}})
    bonus(t, "harvesters").do("bonus:play_card")
    pick(t, "PLAY_MODE", "option:0")
    pick(t, "UNIT_SPACE", A)
    assert t.expect("MOVE_TO", 0).spaces() == {space(B), space("tundra-4-0")}
    t.do(B)
    assert (t.attacker(B), t.units(1, B), t.units(1, A)) == (1, counted("soldier"), [0] * 5)


@pytest.mark.card("D06")
@pytest.mark.rule("M7.1", "D5.5", "RUL-Y13")
def test_a_steered_jump_shakes(engine: str) -> None:
    """The Tremor of the Powermech's jump is the steering player's."""
    wall = dict.fromkeys(SIDES[space(A)], "lake")
    me = {"units": {B: "miner"}, "discovery": ["D06"]}
    t = table(engine, me, {"units": {A: "powermech"}}, tiles=wall)
    bonus(t, "harvesters").do("bonus:play_card")
    pick(t, "PLAY_MODE", "option:0")
    pick(t, "MOVE_TO", B)
    assert t.units(1, B) == counted("powermech")
    assert t.attacker(B) == 1
    assert [e[1] for e in t.events("TREMOR")] == [0]
    t = table(engine, me, {"units": {A: "powermech"}, "active": "R32"}, tiles=wall)
    bonus(t, "harvesters").do("bonus:play_card")
    pick(t, "PLAY_MODE", "option:0")
    assert t.events("TREMOR") == [], "Quiet Engines of the owner"


@pytest.mark.card("D05")
@pytest.mark.rule("M7.3", "RUL-M14")
@pytest.mark.parametrize("taken", [True, False])
def test_tokens_in_a_steered_move(engine: str, taken: bool) -> None:
    """Only one on the last space; the owner of the Unit decides, and gains the Relic."""
    holes = sorted(n for n in SIDES[space(A)] if not is_abyss(n))
    goal = holes[0]
    t = table(
        engine, {"units": {goal: "miner"}, "discovery": ["D05"]}, {"units": {A: "soldier"}},
        tiles=dict.fromkeys(holes, "none"), relic_tokens=holes, relics={"draw": ["R10", "R06"]},
    )  # fmt: skip
    bonus(t, "harvesters").do("bonus:play_card")
    pick(t, "PLAY_MODE", "option:0")
    assert len(holes) > 1
    assert t.expect("TAKE_TOKEN", 1).options() == ["done", f"space:{goal}"]
    if not taken:
        t.do("done")
        assert (t.player(1)["relics"], t.snapshot()["relic_tokens"]) == ([], holes)
        return
    t.do(goal).answer("KEEP_RELIC", "card:R06", seat=1).answer("RELIC_WINDOW", "done", seat=1)
    assert (t.player(1)["relics"], t.snapshot()["relic_tokens"]) == (["R06"], holes[1:])


@pytest.mark.card("D52")
@pytest.mark.rule("M8.1", "RUL-M17")
def test_placing(engine: str) -> None:
    """Next to the Ship: not on enemies, not where it is full, not on Lakes; into an own Combat it may."""
    around = sorted(SIDES[TWO_SHIPS[0]])
    enemy, combat, full, lake, *free = around
    me = {"units": {A: "soldier", combat: "soldier", full: "3 miner"}, "discovery": ["D52"]}
    them = {"units": {enemy: "miner", combat: "soldier"}}
    t = table(engine, me, them, combats={combat: 0}, tiles={lake: "lake"})
    bonus(t, "upgrade").do("bonus:play_card")
    pick(t, "PLAY_MODE", "option:0")
    t.expect("UNIT_SPACE", 0)
    assert t.spaces() == {space(A), full}, "Locked ones cannot be chosen"
    t.do(A).expect("PLACE_TO", 0)
    assert t.spaces() == {combat, *free}
    t.do(combat)
    assert t.units(0, combat) == counted("2 soldier")
    assert t.attacker(combat) == 0


# ------------------------------------------------------------------ Fractures and Strikes
@pytest.mark.card("D55")
@pytest.mark.rule("Y2.11", "RUL-Y2")
def test_a_fracture_away_from_the_zone(engine: str) -> None:
    """Rift Hammer resets the Cysmograph from where the stack stands, without a Tremor."""
    t = table(
        engine, {"discovery": ["D55"]}, cysmograph={"singles": 4, "stack": 6},
        script={"fracture_token": ["savannah-1", "forest-1"]},
    )  # fmt: skip
    bonus(t, "harvesters").do("bonus:play_card")
    pick(t, "PLAY_MODE", "option:0").answer("KEEP_TOKEN", "option:0", seat=0)
    assert (t.events("TREMOR"), len(t.events("FRACTURE"))) == ([], 1)
    assert t.snapshot()["cysmograph"] == {"singles": 5, "stack": 5}


@pytest.mark.card("D15", "D78")
@pytest.mark.rule("K8.4", "RUL-K8", "V1.6")
def test_a_unit_gone_in_mid_strike(engine: str) -> None:
    """Strike, Tremor, Collapse, Life Flight into the Combat, Tripwire: the Miner is gone, its die stays."""
    combat = min(SIDES[TWO_SHIPS[0]])
    beside = next(n for n in sorted(SIDES[combat]) if n not in SIDES[TWO_SHIPS[0]] | {TWO_SHIPS[0]})
    me = {"units": {combat: "soldier, miner", A: "soldier"}, "discovery": ["D15"]}
    them = {"units": {combat: "soldier", beside: "miner"}, "discovery": ["D78"]}
    t = table(
        engine, me, them, combats={combat: 0}, cysmograph=BRINK,
        script=dice([1], [4], ["tremor"], fracture_token=["tundra-5"]),
    ).turn("battle")  # fmt: skip
    t.answer("STRIKE_OR_FLEE", "strike", seat=0).answer("REACT", "card:D15", seat=0)
    t.answer("PLACE_TO", combat, seat=0).answer("REACT", "card:D78", seat=1)
    t.answer("UNIT_TYPE", "unit:miner", seat=1)
    assert t.units(0, combat) == counted("2 soldier")
    assert t.expect("HITS", 0).options() == ["hits:0", "hits:1"], "the 4 of the Miner's die"
    assert strike_dice(t) == [(0, 2)]


# ------------------------------------------------------------------ bounds (V1.13)
@pytest.mark.card("R13")
@pytest.mark.rule("V1.13")
def test_at_most_so_many_dice(engine: str) -> None:
    """Red dice are counted first, the rest is not rolled."""
    content = limited(dice=3)
    t = fight(
        engine, "2 soldier, speaker", "2 soldier", {"active": "R13"},
        script=dice([1] * 9, [1] * 9, NO_RED[:1]),
        options={"content": content},
    )  # fmt: skip
    t.do("strike")
    assert (rolled(t, "red_die"), rolled(t, "yellow_die"), strike_dice(t)) == (3, 0, [(0, 3)])
    t = fight(
        engine, "2 soldier, speaker", "2 soldier", script=dice([1] * 9, [1] * 9, NO_YELLOW[:0]),
        options={"content": content},
    )  # fmt: skip
    t.do("strike")
    assert (rolled(t, "red_die"), rolled(t, "yellow_die")) == (2, 1)


@pytest.mark.card("D14", "D12")
@pytest.mark.rule("V1.13")
@pytest.mark.parametrize(
    ("most", "first", "second", "number"), [(2, "D14", "D12", 8), (1, "D14", "D12", 7), (1, "D12", "D14", 6)]
)
def test_at_most_so_many_grants(engine: str, most: int, first: str, second: str, number: int) -> None:
    """One more has no effect, though the card is spent; those in force stay."""
    t = fight(
        engine, "powermech, soldier", "2 soldier", {"discovery": ["D12", "D14"]}, script=dice([1] * 30),
        options={"content": limited(grants=most)},
    )  # fmt: skip
    t.answer("REACT", f"card:{first}", seat=0).answer("REACT", f"card:{second}", seat=0).do("strike")
    assert strike_dice(t) == [(0, number)]
    assert t.player(0)["discovery"] == []


@pytest.mark.card("D18")
@pytest.mark.rule("D5.14", "V1.13", "V7.5")
def test_at_most_so_many_programs(engine: str) -> None:
    """With room for three only the first Veto fits: a Bonus Action, a card, a Veto."""
    me, them = {"discovery": ["D18", "D51"]}, {"discovery": ["D18"]}
    for programs, second in ((3, False), (4, True)):
        t = table(engine, me, them, options={"content": limited(programs=programs)})
        bonus(t, "harvesters").do("bonus:play_card", "card:D51")
        pick(t, "PLAY_MODE", "option:1").answer("REACT", "card:D18", seat=1)
        assert (t.kind == "REACT") == second
        if second:
            assert t.seat == 0


@pytest.mark.card("D10", "R04")
@pytest.mark.rule("V1.13", "V9.4")
def test_at_most_so_many_bonus_actions(engine: str) -> None:
    """The Bonus step ends, and Bonus Bonus does not fit."""
    me = {"active": "R04", "discovery": ["D10", "D51", "D26"]}
    for most in (1, 2):
        t = table(engine, me, options={"content": limited(bonus_actions=most)})
        bonus(t, "harvesters").do("bonus:play_card", "card:D51")
        pick(t, "PLAY_MODE", "option:1")
        assert (t.seat == 0) == (most == 2)


# ------------------------------------------------------------------ a Launched player
@pytest.mark.card("R11", "D09")
@pytest.mark.rule("RUL-L8", "L4.7", "L4.10")
@pytest.mark.parametrize("launched", [True, False])
def test_cards_of_a_launched_player(engine: str, launched: bool) -> None:
    """Modifiers go on counting, Reactions are not asked."""
    them = {**READY, "active": "R11", "discovery": ["D09", "D66"], "units": {FIELD: "soldier"}}
    if launched:
        them |= {"ship": None, "launched": True}
    t = table(
        engine, them, {"units": {FIELD: "soldier"}}, {}, combats={FIELD: 1}, script=dice([4]),
        current_player=1, options={"end_trigger": "equality"},
    ).turn("battle")  # fmt: skip
    t.answer("STRIKE_OR_FLEE", "strike", seat=1)
    assert (t.kind == "REACT") == (not launched)
    if launched:
        t.answer("MODIFIER_CARD", "done", seat=0)
        assert t.kind != "HITS", "Health 5"


# ------------------------------------------------------------------ conservation
def check(t: Table, deck: Counter[str], relics: Counter[str], tokens: Counter[str]) -> None:
    """Every card, Unit and token is in one place; only cards being played or chosen from are in none."""
    doc = t.snapshot()
    cards = Counter(doc["discovery"]["draw"] + doc["discovery"]["discard"])
    cards.update(card for p in doc["players"] for card in p["discovery"])
    assert not cards - deck
    treasure = Counter(doc["relics"]["draw"] + doc["relics"]["discard"])
    treasure.update(card for p in doc["players"] for card in p["relics"])
    treasure.update(s["relic"] for p in doc["players"] for s in p["slots"] if s and "relic" in s)
    assert not treasure - relics
    if doc["phase"] == "turn":
        assert (cards, treasure) == (deck, relics)
    assert not Counter(doc["bag"]) - tokens
    for seat, p in enumerate(doc["players"]):
        assert sorted([*p["hand"], *(c for pair in p["board"] for c in pair if c)]) == sorted(CARDS)
        away = [
            sum(c[kind] for q in doc["players"] for owner, c in q["captured"] if owner == seat)
            for kind in range(5)
        ]
        placed = [n + sum(counts[kind] for _, counts in p["units"]) for kind, n in enumerate(away)]
        assert all(n <= most for n, most in zip(placed, SUPPLY, strict=True))
        there = dict(map(tuple, p["units"]))
        for where, counts in p["confused"]:
            assert all(n <= most for n, most in zip(counts, there[where][:3], strict=True))
        assert p["lorium"] >= 0
        assert p["tokens"] >= 0


@pytest.mark.rule("D1.2", "S1.3")
@pytest.mark.parametrize("seed", range(6))
def test_everything_is_somewhere(engine: str, seed: int) -> None:
    """At every step of random games with everything in play.

    Cards in the middle of a step are in no place that a snapshot has. The native engine knows where each of
    them is and counts them all; the reference engine has the same snapshot.
    """
    rng = random.Random(seed)
    content = everything()
    t, native = (
        new_game(
            name,
            2 + seed % 3,
            seed=seed,
            abilities=True,
            factions=True,
            molten_core=True,
            events=True,
            content=content,
        )
        for name in (engine, "native")
    )
    deck = Counter(content.discovery[n].id for n in content.discovery_deck(True, True))
    relics = Counter(content.relics[n].id for n in content.relic_deck(True))
    tokens = Counter(token.name for token in content.tokens)
    started = False
    for _ in range(400):
        if t.state.is_terminal():
            break
        started = started or t.kind in ("BURN", "RECLAIM", "RELIC_WINDOW", "REACT", "RULE")
        if started:
            check(t, deck, relics, tokens)
            assert native.state.check_integrity() is None
            assert engine == "native" or t.snapshot() == native.snapshot()
        legal = t.state.legal_actions()
        if rng.random() < 0.85:
            legal = [a for a in legal if a not in (DONE, NO)] or legal
        action = rng.choice(legal)
        t.state.apply_action(action)
        native.state.apply_action(action)
    assert started


# ------------------------------------------------------------------ registers, selectors, sections
@pytest.mark.card("P12")
@pytest.mark.rule("V2.3", "V1.1")
@pytest.mark.parametrize("tiles", [True, False])
def test_a_step_without_its_register(engine: str, tiles: bool) -> None:
    """Sinkhole: with no tile left in rings 2 to 4 there is no hole, and no token goes."""
    ships = set(TWO_SHIPS)
    gone = [n for n in range(7, 61) if n not in ships and not is_abyss(n)]
    ground: dict[str | int, str] = dict.fromkeys(range(7, 61), "none")
    ground |= dict.fromkeys(ships, "plain")
    hole = gone[0]
    if tiles:
        ground[hole] = "plain"
    token = next(n for n in sorted(SIDES[hole]) if n in gone)
    homes = [{"ship": 90}, {"ship": 110}]
    ground |= dict.fromkeys(ships, "none")
    t = table(
        engine, *homes, tiles=ground, relic_tokens=[token], options={"events": True},
        discovery={"draw": ["P12", "D19"]},
    )  # fmt: skip
    bonus(t, "harvesters").do("bonus:gain_card")
    assert t.tile(hole) == "none"
    assert (token in t.snapshot()["relic_tokens"]) == (not tiles)
    assert t.player(0)["discovery"] == ["D19"]


@pytest.mark.rule("V2.1", "A6.2")
def test_motivate_uses_what_recruit_deployed(engine: str) -> None:
    """The Troops of the Section before, and no others of the same space."""
    spot, other = sorted(SIDES[TWO_SHIPS[0]])[:2]
    t = table(engine, {"units": {spot: "soldier", other: "soldier"}}).turn("recruit")
    t.do("unit:soldier", "done", spot).expect("ACT_SPACE", 0)
    assert t.spaces() == {spot}
    t.do(spot)
    if t.kind == "ACT_ACTION":
        t.do("action:move")
    t.do(other).skip({"BONUS", "ACT_SPACE"})
    assert t.kind == "BONUS", "the one that was there before is not Activated"


@pytest.mark.card("D62")
@pytest.mark.rule("V3.4")
def test_the_ground_under_a_ship(engine: str) -> None:
    """It counts as Devastated: the tiles around it lie next to the exposed core."""
    home = next(n for n in range(61, 91) if not is_abyss(n))
    me = {"ship": home, "discovery": ["D62"]}
    t = bonus(table(engine, me, tiles={home: "none"}), "harvesters").do("bonus:play_card")
    pick(t, "PLAY_MODE", "option:0")
    assert t.expect("PICK_SPACE", 0).spaces() == SIDES[home]


@pytest.mark.card("D46")
@pytest.mark.rule("V3.4")
def test_no_token_under_a_ship(engine: str) -> None:
    """A Devastated space with a Ship is not unoccupied."""
    home, free = [n for n in range(61, 91) if not is_abyss(n)][:2]
    me = {"ship": home, "discovery": ["D46"]}
    t = bonus(table(engine, me, tiles={home: "none", free: "none"}), "harvesters").do("bonus:play_card")
    pick(t, "PLAY_MODE", "option:0")
    assert t.expect("TOKEN_SPACE", 0).options() == ["done", f"space:{free}"]


@pytest.mark.card("D16", "D37", "D38")
@pytest.mark.rule("V7.10", "D2.3")
def test_actions_do_not_react(engine: str) -> None:
    """In no window of a Combat; the Reactions beside them are asked."""
    me = {"discovery": ["D16", "D37", "D38", "D51"]}
    t = fight(engine, "soldier", "2 soldier", me, script=dice([1] * 9))
    assert t.expect("REACT", 0).options() == ["done", "card:D16"]
    t.do("done", "strike")
    assert t.expect("MODIFIER_CARD", 0).options() == ["done", "card:D16", "card:D37", "card:D38", "card:D51"]


@pytest.mark.rule("V9.1", "A9.1")
def test_how_sections_are_asked(engine: str) -> None:
    """Initiative with yes or no, not at all while one has the Marker; Battle is performed."""
    t = table(engine, {}, {}, marker=1).turn("negotiate")
    assert t.expect("SECTION", 0).options() == ["yes", "no"]
    assert t.do("yes").snapshot()["marker"] == 0
    t = table(engine, {}, {}, marker=0).turn("negotiate")
    assert t.kind != "SECTION"
    assert asked(t, "SECTION") == []
    t = fight(engine, "soldier", "soldier", {}, {})
    assert asked(t, "SECTION") == []
    assert t.kind == "STRIKE_OR_FLEE"
