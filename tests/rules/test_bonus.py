"""Chapter N: the 29 Bonus Actions, each with its effect and with both sides of its condition (N6.2)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from geometry import SIDES, ball
from plays import (
    CELL,
    COLOURS_DOWN,
    COLUMNS,
    GREY,
    MODULES,
    at_bonus,
    goods,
    held,
    offered,
    on_planet,
    pick,
    reserve,
    ship_card,
)
from scenario import CARDS, Table, scenario, space
from scenario import units as counted

from cysmic_fast.vocabulary import CommandCard, DecisionKind

A, B, C, D, E = "tundra-5-1", "tundra-5-3", "tundra-6-0", "wetlands-5-1", "wetlands-5-3"
SHIP, OTHER_SHIP = "savannah-4-2", "forest-4-2"
AROUND = sorted(SIDES[space(SHIP)])
CUT_OFF = dict.fromkeys(AROUND, "lake")
#: Strike Dice that do nothing to red dice.
BLANK = {"attacker_strike_die": ["reroll yellow"] * 4, "defender_strike_die": ["reroll yellow"] * 4}
EVERYTHING = {
    "tundra-5-0": "3 soldier",
    "tundra-5-1": "3 soldier",
    "tundra-5-2": "3 soldier",
    "tundra-5-3": "soldier, 2 miner",
    "tundra-5-4": "3 miner",
    "tundra-6-0": "miner, 2 speaker",
    "tundra-6-1": "3 speaker",
}


def spaces(*names: str | int) -> set[int]:
    return {space(name) for name in names}


def tremors(t: Table) -> int:
    return len(t.events("TREMOR"))


def cells(t: Table) -> set[str]:
    """Bonus Actions on offer."""
    return {o.split(":")[1] for o in t.expect("BONUS").options() if o != "done"}


# ------------------------------------------------------------------ the board
@pytest.mark.rule("N6.1", "N6.2", "T5.1", "T5.3", "RUL-T18", "RUL-N10")
@pytest.mark.parametrize("column", range(1, 6))
@pytest.mark.parametrize("card", CARDS)
def test_what_is_offered_in_each_column(engine: str, column: int, card: str) -> None:
    """The two colours of the card in the current Column and Grey, as far as possible; declining always is."""
    icons = {
        "recruit": {"green", "purple"}, "upgrade": {"blue", "yellow"}, "battle": {"yellow", "green"},
        "negotiate": {"blue", "purple"}, "soldiers": {"red", "yellow"}, "miners": {"red", "green"},
        "speakers": {"red", "purple"}, "powermechs": {"blue", "green"}, "harvesters": {"red", "blue"},
        "colony_ship": {"yellow", "purple"},
    }[card]  # fmt: skip
    # A table at which everything but a Combat of one's own is possible.
    me = {
        "lorium": 5,
        "discovery": ["D19"],
        "relics": ["R06"],
        "captured": {1: "2 soldier", 2: "miner"},
        "units": {
            A: "miner, 2 soldier",
            "forest-4-1": "soldier",
            B: "harvester, soldier",
            E: "powermech, speaker",
        },
        "slots": [{"relic": "R07"}, None],
        "blueprints": ["crew_bridge"],
        "board": [] if column == 1 or card in ("battle", "miners") else [["battle", "miners"]],
    }
    other = {"captured": {0: "miner", 2: "soldier"}, "units": {D: "soldier"}}
    third = {"units": {D: "soldier"}}
    t = scenario(
        engine,
        me,
        other,
        third,
        round=column,
        marker=1,
        tiles={A: "lorium", B: "explorable"},
        combats={D: 1},
    )
    t.turn(card, "negotiate" if card != "negotiate" else "recruit")
    while t.kind != "BONUS":
        t.do("done" if "done" in t.options() else "no" if "no" in t.options() else t.options()[0])
    allowed = {COLUMNS[column - 1][i] for i, colour in enumerate(COLOURS_DOWN) if colour in icons}
    combat = {"resolve_combat", "destroy_troop", "free_flee", "capture_troop"}
    boards = {"reactivate_tactic", "reactivate_unit"}
    found = cells(t)
    assert found <= allowed | set(GREY)
    assert found >= (allowed | set(GREY)) - combat - boards
    assert not found & combat
    assert ("reactivate_unit" in found) == ("reactivate_unit" in allowed and bool(me["board"]))
    assert t.options()[0] == "done"
    t.fork().do("done")


# ------------------------------------------------------------------ N0 grey
@pytest.mark.rule("N0.1", "N6.2", "D2.5")
def test_play_a_discovery_card(engine: str) -> None:
    """With a card in hand: its Rewards are performed, then it is discarded."""
    assert not offered(at_bonus(engine, "two_cards", {}, {"discovery": ["D19"]}), "play_card")
    t = (
        at_bonus(engine, "two_cards", {"discovery": ["D26", "D51"]})
        .do("bonus:play_card")
        .expect("PLAY_CARD", 0)
    )
    assert t.options() == ["card:D26", "card:D51"]
    t.do("card:D51").expect("BURN", 1)
    assert (t.player(0)["lorium"], t.player(0)["discovery"]) == (3, ["D26"])
    assert t.snapshot()["discovery"]["discard"] == ["D51"]


@pytest.mark.rule("N0.2", "N1.4")
@pytest.mark.parametrize(("cell", "number"), [("gain_card", 1), ("two_cards", 2)])
def test_gaining_discovery_cards(engine: str, cell: str, number: int) -> None:
    """One by Grey, two by Yellow in Column 001, from the top of the deck; always possible."""
    t = at_bonus(engine, "two_cards", {"discovery": ["D19"]}, discovery={"draw": ["D26", "D22", "D30"]})
    t.do(f"bonus:{cell}").expect("BURN", 1)
    assert t.player(0)["discovery"] == sorted(["D19", "D26", "D22"][: 1 + number])
    assert t.snapshot()["discovery"]["draw"][: 3 - number] == ["D26", "D22", "D30"][number:]


@pytest.mark.rule("N0.3", "N6.2", "B3.2")
def test_gain_a_blueprint(engine: str) -> None:
    """One exchange, with whichever opponent's captives are enough; none: not offered."""
    assert not offered(at_bonus(engine, "two_cards", {"captured": {1: "soldier"}}), "gain_blueprint")
    acquired = {"captured": {1: "2 soldier"}, "blueprints": list(MODULES)}
    assert not offered(at_bonus(engine, "two_cards", acquired), "gain_blueprint")
    t = at_bonus(engine, "two_cards", {"captured": {1: "2 soldier", 2: "harvester"}}, players=3)
    before = t.player(0)["blueprints"]
    t.do("bonus:gain_blueprint").expect("RANSOM_PLAYER", 0)
    assert t.options() == ["player:1", "player:2"], "chosen is chosen"
    t.do("player:2").expect("BURN", 1)
    assert set(t.player(0)["blueprints"]) == {*before, "control_systems"}
    assert t.player(0)["captured"] == [[1, counted("2 soldier")]]


@pytest.mark.rule("N0.4", "N6.2", "B5.2")
def test_construct_manually(engine: str) -> None:
    """One Module; offered when Lorium and Influence suffice for one."""
    cases = [
        ({"lorium": 2, "units": {A: "2 soldier"}, "blueprints": ["crew_bridge"]}, True),
        ({"lorium": 1, "units": {A: "2 soldier"}, "blueprints": ["crew_bridge"]}, False),
        ({"lorium": 2, "units": {A: "soldier"}, "blueprints": ["crew_bridge"]}, False),
        ({"lorium": 2, "units": {A: "2 soldier"}, "blueprints": []}, False),
        (
            {
                "lorium": 2,
                "units": {A: "2 soldier"},
                "blueprints": ["crew_bridge"],
                "modules": ["crew_bridge"],
            },
            False,
        ),
        (
            {
                "lorium": 1,
                "units": {A: "2 soldier"},
                "blueprints": ["crew_bridge"],
                "slots": [{"lorium": 1}, None],
            },
            True,
        ),
    ]
    for me, possible in cases:
        t = at_bonus(engine, "two_cards", me)
        assert offered(t, "construct") == possible
        if possible:
            t.do("bonus:construct")
            assert t.player(0)["modules"] == ["crew_bridge"]


# ------------------------------------------------------------------ N1
@pytest.mark.rule("N1.1", "K2.2", "K2.3", "N6.2")
def test_resolve_one_combat(engine: str) -> None:
    """One of the own Combats, with First Strike as Defender too; the others wait."""
    others: list[dict[str, Any]] = [
        {"units": {A: "soldier", B: "soldier", C: "soldier"}},
        {"units": {C: "soldier"}},
    ]
    outside = [{}, {"units": {C: "soldier"}}, {"units": {C: "soldier"}}]
    t = at_bonus(engine, "resolve_combat", *outside, combats={C: 1})
    assert not offered(t, "resolve_combat"), "a Combat of others is none of yours"
    t = at_bonus(
        engine, "resolve_combat", {"units": {A: "soldier", B: "soldier"}}, *others,
        combats={A: 0, B: 1, C: 1}, script={**BLANK, "red_die": ["4"]},
    )  # fmt: skip
    t.do("bonus:resolve_combat").expect("COMBAT", 0)
    assert t.spaces() == spaces(A, B)
    t.do(B).answer("STRIKE_OR_FLEE", "strike", seat=0).answer("HITS", "hits:1", seat=0).expect("BURN", 1)
    assert t.captured(0, 1) == counted("soldier")
    assert [s for s, _ in t.snapshot()["combats"]] == sorted(spaces(A, C))


@pytest.mark.rule("N1.2", "N6.3", "N6.4", "T8.1")
def test_one_action_of_a_card_in_hand(engine: str) -> None:
    """All Unlocked Units of the type may perform the Action, each once; the card stays in hand."""
    locked = D
    me = {"units": {A: "2 miner", B: "miner", C: "miner", locked: "miner, soldier", E: "powermech"}}
    t = at_bonus(
        engine, "hand_action", me, {"units": {locked: "soldier"}}, combats={locked: 1},
        tiles={A: "lorium", B: "lorium", C: "explorable", locked: "lorium"},
    )  # fmt: skip
    t.do("bonus:hand_action").expect("COMMAND_CARD", 0)
    # Soldiers and Speakers have no Unlocked Unit, Harvesters are Played.
    assert t.options() == [f"command:{name}" for name in ("miners", "powermechs", "colony_ship")]
    t.do("command:miners").expect("COMMAND_ACTION", 0)
    assert t.options() == ["action:move", "action:mine", "action:explore"]
    t.do("action:mine").expect("ACT_SPACE", 0)
    assert t.options() == ["done", *(f"space:{n}" for n in sorted(spaces(A, B)))]
    for where in (A, B, A):
        t.answer("ACT_SPACE", where, seat=0)
    t.expect("BURN", 1)
    assert t.player(0)["lorium"] == 3
    assert {"miners", "powermechs", "colony_ship"} <= set(t.player(0)["hand"])


@pytest.mark.rule("N1.2", "N6.5")
def test_units_may_decline_the_chosen_action(engine: str) -> None:
    """The Action is chosen, yet no Unit is made to perform it."""
    me = {"units": {A: "2 miner"}}
    t = at_bonus(engine, "hand_action", me, tiles={A: "lorium"}).do(
        "bonus:hand_action", "command:miners", "action:mine"
    )
    t.answer("ACT_SPACE", A, seat=0).answer("ACT_SPACE", "done", seat=0).expect("BURN", 1)
    assert t.player(0)["lorium"] == 1


@pytest.mark.rule("N1.2", "N6.2", "T3.4")
def test_only_cards_in_hand(engine: str) -> None:
    """Neither Burned nor Played ones; with no Unit on the planet only the Ship's card has a possible
    Action."""
    me = {"units": {A: "miner, speaker"}}
    t = at_bonus(engine, "hand_action", me, burn="miners").do("bonus:hand_action").expect("COMMAND_CARD", 0)
    assert t.options() == ["command:speakers", "command:colony_ship"]
    assert offered(at_bonus(engine, "hand_action", {}), "hand_action")
    assert not offered(at_bonus(engine, "hand_action", {}, burn="colony_ship"), "hand_action")
    assert offered(at_bonus(engine, "hand_action", me, burn="colony_ship"), "hand_action")


@pytest.mark.rule("N1.2", "N6.3", "T4.7", "N3.2")
@pytest.mark.parametrize(
    ("unit", "tile", "control", "actions"),
    [
        ("soldier", "plain", None, ["move"]),
        ("soldier", "camp", None, ["move"]),
        ("soldier", "camp", 0, ["move"]),
        ("soldier", "camp", 1, ["move", "neutralize"]),
        ("miner", "plain", None, ["move"]),
        ("miner", "lorium", None, ["move", "mine"]),
        ("miner", "explorable", None, ["move", "explore"]),
        ("speaker", "plain", None, ["move", "promote"]),
        ("speaker", "camp", None, ["move", "persuade", "promote"]),
        ("speaker", "camp", 1, ["move", "persuade", "promote"]),
        ("speaker", "camp", 0, ["move", "promote"]),
        ("powermech", "plain", None, ["move", "jumpjet"]),
        ("harvester", "plain", None, ["move"]),
        ("harvester", "lorium", None, ["move", "harvest"]),
        ("harvester", "explorable", None, ["move", "scavenge"]),
    ],
)
def test_possible_actions(engine: str, unit: str, tile: str, control: int | None, actions: list[str]) -> None:
    """Moves always, gathering and Habitats in a fitting space, Field Promote with a fitting swap."""
    tiles, controls = {A: tile}, {} if control is None else {A: control}
    card = f"{unit}s"
    play = "upgrade" if unit != "powermech" else "harvesters"
    me = {"units": {A: unit}}
    t = at_bonus(engine, "hand_action", me, card=play, tiles=tiles, control=controls)
    t.do("bonus:hand_action", f"command:{card}")
    if len(actions) == 1:
        t.expect("ACT_SPACE", 0)
    else:
        assert t.expect("COMMAND_ACTION", 0).options() == [f"action:{name}" for name in actions]
    # face up
    t = at_bonus(
        engine, "played_action", {**me, "board": [[None, card]]}, card=play, tiles=tiles, control=controls
    )
    pick(t.do("bonus:played_action"), "COMMAND_CARD", f"command:{card}")
    if len(actions) == 1:
        t.expect("ACT_SPACE", 0)
    else:
        assert t.expect("COMMAND_ACTION", 0).options() == [f"action:{name}" for name in actions]


@pytest.mark.rule("N6.3")
def test_field_promote_needs_a_swap(engine: str) -> None:
    """Without a Troop of another type in Reserve it is not among the Actions."""
    full = {**EVERYTHING, "tundra-6-1": "3 speaker"}
    t = at_bonus(engine, "hand_action", {"units": full}).do("bonus:hand_action", "command:speakers")
    t.expect("ACT_SPACE", 0)  # Move is all there is
    t = at_bonus(engine, "hand_action", {"units": {**full, "tundra-6-1": "2 speaker"}}).do(
        "bonus:hand_action", "command:speakers"
    )
    assert t.expect("COMMAND_ACTION", 0).options() == ["action:move", "action:promote"], (
        "a Miner for the fifth Speaker"
    )


@pytest.mark.rule("N1.3", "N6.3", "T8.5", "RUL-N9")
def test_one_action_of_the_ship(engine: str) -> None:
    """Any one, with or without Stabilize; Stabilize brings Collapse and Tremor, Moving neither."""
    me = {"lorium": 5, "blueprints": list(MODULES), "modules": list(MODULES[:5]), "units": {A: "soldier"}}
    t = ship_card(at_bonus(engine, "hand_action", me))
    assert t.options() == ["action:stabilize", "action:ship_move", "action:robotic"]
    moved = (
        t.fork()
        .do("action:ship_move")
        .answer("ACT_SPACE", SHIP)
        .answer("MOVE_TO", "savannah-5-2")
        .expect("BURN", 1)
    )
    assert (moved.player(0)["ship"], moved.tile(SHIP), tremors(moved)) == (space("savannah-5-2"), "plain", 0)
    stable = (
        t.fork()
        .do("action:stabilize")
        .answer("ACT_SPACE", SHIP)
        .answer("MOVE_TO", "savannah-5-2")
        .expect("BURN", 1)
    )
    assert (stable.player(0)["ship"], stable.tile(SHIP), tremors(stable)) == (
        space("savannah-5-2"),
        "none",
        1,
    )
    t.do("action:robotic").answer("ACT_SPACE", SHIP).answer("CONSTRUCT", "module:warp_drive").expect(
        "LAUNCH", 0
    )
    assert (t.player(0)["ship"], tremors(t)) == (space(SHIP), 0)
    built = {"blueprints": list(MODULES), "modules": list(MODULES), "units": {A: "soldier"}}
    t = ship_card(at_bonus(engine, "hand_action", built))
    assert t.options() == ["action:stabilize", "action:ship_move", "action:evacuate"]


@pytest.mark.rule("N1.2", "T4.7", "T4.8")
def test_tremors_of_a_single_action(engine: str) -> None:
    """Jumpjets and Harvests by this Bonus Action shake the planet as usual."""
    me = {"units": {A: "powermech"}}
    t = at_bonus(engine, "hand_action", me).do("bonus:hand_action", "command:powermechs", "action:jumpjet")
    t.answer("ACT_SPACE", A).answer("MOVE_TO", B).expect("BURN", 1)
    assert tremors(t) == 1
    t = at_bonus(engine, "hand_action", {"units": {A: "harvester"}}, tiles={A: "lorium"}, card="upgrade")
    t.do("bonus:hand_action", "command:harvesters", "action:harvest", A).expect("BURN", 1)
    assert (tremors(t), t.player(0)["lorium"]) == (1, 3)


@pytest.mark.rule("N1.7", "RUL-N11")
def test_the_card_in_hand_is_shown(engine: str) -> None:
    """The choice of the card is on record for all, and the card is still in hand."""
    t = (
        at_bonus(engine, "hand_action", {"units": {A: "miner"}})
        .do("bonus:hand_action", "command:miners")
        .skip("BURN")
    )
    shown = [e[1:4] for e in t.events("CHOICE") if e[2] == DecisionKind.COMMAND_CARD]
    assert shown == [(0, DecisionKind.COMMAND_CARD, t.action("command:miners"))]
    assert t.action("command:miners") - t.action("command:recruit") == CommandCard.MINERS
    assert "miners" in t.player(0)["hand"]


@pytest.mark.rule("N1.5", "N6.2", "R2.1")
def test_deploy_one_troop(engine: str, tmp_path: Path) -> None:
    """Of any type, whatever it costs: here without any Influence."""
    (tmp_path / "setup.toml").write_text("[generic]\ninfluence = 0\n", encoding="utf-8")
    t = at_bonus(engine, "deploy_one", {}, options={"packs": [tmp_path]})
    assert t.state.influence(0) == 0
    t.do("bonus:deploy_one").expect("DEPLOY_TYPE", 0)
    assert t.options() == ["unit:soldier", "unit:miner", "unit:speaker"]
    t.do("unit:miner").expect("DEPLOY_SPACE", 0)
    assert t.spaces() == set(AROUND)
    t.do(AROUND[2]).expect("BURN", 1)
    assert t.units(0, AROUND[2]) == counted("miner")


@pytest.mark.rule("N1.5", "N2.3", "N6.2", "R2.4", "R2.5")
@pytest.mark.parametrize("cell", ["deploy_one", "deploy_two"])
def test_deploying_needs_a_troop_and_a_place(engine: str, cell: str) -> None:
    """No Troop in Reserve, or no Deploy Location that takes one: not offered."""
    assert offered(at_bonus(engine, cell, {}), cell)
    assert not offered(at_bonus(engine, cell, {}, tiles=CUT_OFF), cell)
    assert not offered(at_bonus(engine, cell, {"units": EVERYTHING}), cell)
    full = (
        dict.fromkeys(AROUND[:2], "3 soldier")
        | dict.fromkeys(AROUND[2:4], "3 miner")
        | {AROUND[4]: "3 speaker"}
    )
    assert offered(at_bonus(engine, cell, {"units": full}), cell), "one space is left"
    assert not offered(at_bonus(engine, cell, {"units": full}, tiles={AROUND[5]: "mountain"}), cell)
    habitat = {**CUT_OFF, A: "camp"}
    assert offered(at_bonus(engine, cell, {}, tiles=habitat, control={A: 0}), cell)
    assert not offered(at_bonus(engine, cell, {}, tiles=habitat, control={A: 1}), cell)
    # among enemies only Soldiers can go
    enemies = {"units": {A: "speaker"}}
    assert offered(at_bonus(engine, cell, {}, enemies, tiles=habitat, control={A: 0}), cell)
    no_soldier = {where: what for where, what in EVERYTHING.items() if "soldier" in what}
    t = at_bonus(
        engine,
        cell,
        {"units": no_soldier},
        {"units": {D: "speaker"}},
        tiles={**CUT_OFF, D: "camp"},
        control={D: 0},
    )
    assert not offered(t, cell)


@pytest.mark.rule("N1.6")
def test_two_lorium(engine: str) -> None:
    """Always possible, two more on the track."""
    t = at_bonus(engine, "two_lorium", {"lorium": 1}).do("bonus:two_lorium").expect("BURN", 1)
    assert t.player(0)["lorium"] == 3
    assert [e[1:] for e in t.events("LORIUM")] == [(0, 2, 0, 0)]


# ------------------------------------------------------------------ N2
FIGHT = {"units": {A: "2 soldier", B: "speaker", C: "soldier"}}
ENEMY = {"units": {A: "miner, speaker", B: "soldier", C: "powermech"}}
FIGHTS = {A: 0, B: 1, C: 0}


@pytest.mark.rule("N2.1", "N3.1", "N6.2", "K8.1", "RUL-K15")
@pytest.mark.parametrize("cell", ["destroy_troop", "capture_troop"])
def test_a_troop_out_of_a_combat(engine: str, cell: str) -> None:
    """One enemy Troop of an own Combat, never a Vehicle, goes to its Reserve or into captivity."""
    t = at_bonus(engine, cell, FIGHT, ENEMY, combats=FIGHTS).do(f"bonus:{cell}").expect("TARGET_SPACE", 0)
    assert t.spaces() == spaces(A, B)
    single = t.fork().do(B).expect("BURN", 1)
    assert sorted(s for s, _ in single.snapshot()["combats"]) == sorted(spaces(A, C)), (
        "a Combat without enemies is over"
    )
    t.do(A).expect("TARGET_TYPE", 0)
    assert t.options() == ["unit:miner", "unit:speaker"]
    t.do("unit:speaker").expect("BURN", 1)
    assert t.units(1, A) == counted("miner")
    assert (
        t.captured(0, 1) == counted("speaker") if cell == "capture_troop" else t.player(0)["captured"] == []
    )
    assert reserve(t, 1)[2] == (5 if cell == "destroy_troop" else 4)
    assert len(t.snapshot()["combats"]) == 3


@pytest.mark.rule("N2.1", "N3.1", "N6.2")
@pytest.mark.parametrize("cell", ["destroy_troop", "capture_troop"])
def test_no_troop_to_destroy_or_capture(engine: str, cell: str) -> None:
    """No Combat, a Combat of others, or one against Vehicles only: not offered."""
    assert not offered(at_bonus(engine, cell, {"units": {A: "soldier"}}, {"units": {B: "miner"}}), cell)
    assert not offered(
        at_bonus(engine, cell, {}, {"units": {A: "soldier"}}, {"units": {A: "soldier"}}, combats={A: 1}), cell
    )
    vehicle = {"units": {A: "powermech"}}
    assert not offered(at_bonus(engine, cell, {"units": {A: "soldier"}}, vehicle, combats={A: 1}), cell)
    mixed = {"units": {A: "powermech, miner"}}
    assert offered(at_bonus(engine, cell, {"units": {A: "soldier"}}, mixed, combats={A: 1}), cell)


@pytest.mark.rule("N2.2", "K7.1", "K7.2", "K7.3", "RUL-K16")
def test_fleeing_for_free(engine: str) -> None:
    """All Units of one own Combat go to one space that takes them all, without a Final Strike."""
    near = sorted(SIDES[space(A)])
    blocked = {near[0]: "lake", near[1]: "mountain"}
    me = {"units": {A: "2 soldier, miner", near[2]: "soldier", B: "soldier"}}
    other = {"units": {A: "3 soldier", near[3]: "speaker", B: "soldier"}}
    t = at_bonus(engine, "free_flee", me, other, combats={A: 1, B: 1}, tiles=blocked).do("bonus:free_flee")
    assert t.expect("FREE_FLEE", 0).spaces() == spaces(A, B)
    t.do(A).expect("FLEE_TO", 0)
    assert t.spaces() == set(near[4:])
    t.do(near[4]).expect("BURN", 1)
    assert t.units(0, near[4]) == counted("2 soldier, miner")
    assert (t.units(0, A), t.attacker(A), t.attacker(B)) == ([0] * 5, None, 1)
    assert t.events("STRIKE") == []


@pytest.mark.rule("N2.2", "N6.2", "RUL-K16")
def test_no_way_to_flee(engine: str) -> None:
    """Without a Combat or a destination it is not offered."""
    assert not offered(at_bonus(engine, "free_flee", {"units": {A: "soldier"}}), "free_flee")
    lakes = dict.fromkeys(SIDES[space(A)], "lake")
    fight: tuple[dict[str, Any], ...] = ({"units": {A: "2 soldier"}}, {"units": {A: "soldier"}})
    assert not offered(at_bonus(engine, "free_flee", *fight, combats={A: 1}, tiles=lakes), "free_flee")
    gap = sorted(lakes)[0]
    open_ = {n: tile for n, tile in lakes.items() if n != gap}
    assert offered(at_bonus(engine, "free_flee", *fight, combats={A: 1}, tiles=open_), "free_flee")
    crowded = ({"units": {A: "2 soldier", gap: "2 soldier"}}, fight[1])
    assert not offered(at_bonus(engine, "free_flee", *crowded, combats={A: 1}, tiles=open_), "free_flee")
    taken = (fight[0], {"units": {A: "soldier", gap: "miner"}})
    assert not offered(at_bonus(engine, "free_flee", *taken, combats={A: 1}, tiles=open_), "free_flee")


@pytest.mark.rule("N2.3", "N6.5", "R1.4")
def test_deploy_two_troops(engine: str) -> None:
    """Up to two of any types, Cost ignored: a Miner and a Speaker at Influence 4, one, or none at all."""
    t = at_bonus(engine, "deploy_two", {}).do("bonus:deploy_two").expect("RECRUIT_TYPE", 0)
    assert t.options() == ["done", "unit:soldier", "unit:miner", "unit:speaker"]
    none = t.fork().do("done").expect("BURN", 1)
    assert on_planet(none, 0) == [0] * 5
    one = t.fork().do("unit:miner", "done").answer("DEPLOY_SPACE", AROUND[0]).expect("BURN", 1)
    assert on_planet(one, 0) == counted("miner")
    t.do("unit:miner").expect("RECRUIT_TYPE", 0)
    assert t.options() == ["done", "unit:miner", "unit:speaker"]
    t.do("unit:speaker").expect("DEPLOY_TYPE", 0)
    t.do("unit:speaker").answer("DEPLOY_SPACE", AROUND[0], seat=0).answer(
        "DEPLOY_SPACE", AROUND[1], seat=0
    ).expect("BURN", 1)
    assert (t.units(0, AROUND[0]), t.units(0, AROUND[1])) == (counted("speaker"), counted("miner"))


@pytest.mark.rule("N2.4", "N6.2", "G4.2")
def test_rescue(engine: str) -> None:
    """One own Troop held by any opponent comes home; Vehicles and other players' Troops do not."""
    others: list[dict[str, Any]] = [
        {"captured": {0: "soldier, miner, powermech", 2: "speaker"}},
        {"captured": {0: "speaker"}},
    ]
    t = at_bonus(engine, "rescue", {}, *others).do("bonus:rescue").expect("RESCUE_HOLDER", 0)
    assert t.options() == ["player:1", "player:2"]
    t.do("player:1").expect("RESCUE_TYPE", 0)
    assert t.options() == ["unit:soldier", "unit:miner"]
    t.do("unit:miner").expect("BURN", 1)
    assert t.captured(1, 0) == counted("soldier, powermech")
    assert reserve(t, 0) == [9, 6, 4, 1, 2]
    assert [e[1:] for e in t.events("RELEASE")] == [(1, 0, 1, 0)]
    for captured in ({}, {0: "powermech"}, {2: "speaker"}):
        assert not offered(
            at_bonus(engine, "rescue", {"captured": {1: "soldier"}}, {"captured": captured}, {}), "rescue"
        )


@pytest.mark.rule("N2.5", "N2.6", "N6.2", "G3.6", "RUL-N2")
@pytest.mark.parametrize(
    ("lorium", "slots", "choices"),
    [
        (5, [None, None], {"slot:0": 3}),
        (2, [None, None], {"slot:0": 2}),
        (5, [{"lorium": 2}, None], {"slot:0": 1, "slot:1": 3}),
        (5, [{"lorium": 1}, {"lorium": 2}], {"slot:0": 2, "slot:1": 1}),
        (5, [{"lorium": 3}, None], {"slot:1": 3}),
        (5, [{"relic": "R06"}, None], {"slot:1": 3}),
        (5, [{"relic": "R06"}, {"lorium": 1}], {"slot:0": 3, "slot:1": 2}),
        (5, [{"relic": "R06"}, {"lorium": 3}], {"slot:0": 3}),
        (1, [{"relic": "R06"}, {"relic": "R07"}], {"slot:0": 1, "slot:1": 1}),
        (5, [{"lorium": 3}, {"lorium": 3}], {}),
        (0, [None, None], {}),
        (0, [{"lorium": 2}, {"relic": "R06"}], {}),
    ],
)
def test_storing_lorium(engine: str, lorium: int, slots: list[Any], choices: dict[str, int]) -> None:
    """1 to 3 into the empty slot or onto a started store; an Active Relic makes room if no slot is empty."""
    t = at_bonus(engine, "store_lorium", {"lorium": lorium, "slots": slots})
    assert offered(t, "store_lorium") == bool(choices)
    if not choices:
        return
    t.do("bonus:store_lorium")
    assert (t.kind == "STORE_SLOT") == (len(choices) > 1)
    if len(choices) > 1:
        assert t.options() == list(choices)
    for choice, most in choices.items():
        for amount in range(1, most + 1):
            fork = pick(t.fork(), "STORE_SLOT", choice)
            if most > 1:
                assert fork.expect("STORE_AMOUNT", 0).options() == [f"number:{n}" for n in range(1, most + 1)]
            pick(fork, "STORE_AMOUNT", f"number:{amount}")
            slot = int(choice[-1])
            before = slots[slot]
            stored = before["lorium"] if before and "lorium" in before else 0
            p = fork.player(0)
            assert p["lorium"] == lorium - amount
            assert p["slots"][slot] == {"lorium": stored + amount}
            assert p["slots"][1 - slot] == slots[1 - slot]
            gone = [before["relic"]] if before and "relic" in before else []
            assert fork.snapshot()["relics"]["discard"] == gone
            assert fork.events("LORIUM") == []


@pytest.mark.rule("N2.6", "G2.2", "T7.2")
def test_stored_lorium(engine: str) -> None:
    """It is spent like other Lorium, stays through the surplus discard and grows by nothing but this Bonus
    Action."""
    me = {"lorium": 5, "slots": [{"lorium": 2}, None], "units": {A: "3 miner"}}
    t = scenario(engine, me, tiles={A: "lorium"}).turn("miners").skip("ACT_SPACE")
    t.answer("ACT_SPACE", "done").skip("ACT_SPACE")
    for _ in range(3):
        t.answer("ACT_SPACE", A)
    t.end_turn()
    assert (t.player(0)["lorium"], t.player(0)["slots"]) == (5, [{"lorium": 2}, None])


# ------------------------------------------------------------------ N3
@pytest.mark.rule("N3.2", "N6.3", "RUL-N1")
def test_one_action_of_a_played_card(engine: str) -> None:
    """Any face-up Unit card, this turn's too; Burned cards and cards in hand do not count."""
    me = {
        "units": {A: "miner, speaker, soldier", B: "harvester"},
        "board": [["speakers", "miners"], ["soldiers", "recruit"]],
    }
    t = at_bonus(engine, "played_action", me, tiles={A: "lorium", B: "lorium"}).do("bonus:played_action")
    assert t.expect("COMMAND_CARD", 0).options() == ["command:miners", "command:harvesters"]
    again = t.fork().do("command:harvesters").expect("COMMAND_ACTION", 0)
    assert again.options() == ["action:move", "action:harvest"]
    again.do("action:harvest").answer("ACT_SPACE", B).expect("BURN", 1)
    assert again.player(0)["lorium"] == 3
    t.do("command:miners", "action:mine").answer("ACT_SPACE", A).expect("BURN", 1)
    assert t.player(0)["lorium"] == 1
    assert t.player(0)["board"][0] == ["speakers", "miners"]


@pytest.mark.rule("N3.2", "N6.2", "RUL-N1")
def test_no_action_of_a_played_card(engine: str, tmp_path: Path) -> None:
    """Without Units of a face-up card's type it is not offered; a ruling can exclude this turn's card."""
    me = {"units": {A: "miner"}, "board": [["miners", "speakers"], ["soldiers", "recruit"]]}
    assert not offered(at_bonus(engine, "played_action", me), "played_action")
    own = {"units": {A: "harvester"}}
    assert offered(at_bonus(engine, "played_action", own), "played_action")
    (tmp_path / "rulings.toml").write_text("reuse_this_turns_card = false\n", encoding="utf-8")
    options = {"packs": [tmp_path]}
    assert not offered(at_bonus(engine, "played_action", own, options=options), "played_action")
    ship = {"board": [[None, "colony_ship"]]}
    assert offered(at_bonus(engine, "played_action", ship, options=options), "played_action")


@pytest.mark.rule("N3.2", "RUL-N9", "N1.3")
def test_one_action_of_the_ships_played_card(engine: str) -> None:
    """The Ship may Move without stabilizing."""
    t = at_bonus(engine, "played_action", {"board": [[None, "colony_ship"]]}).do("bonus:played_action")
    assert t.expect("COMMAND_ACTION", 0).options() == ["action:stabilize", "action:ship_move"]
    t.do("action:ship_move").answer("ACT_SPACE", SHIP).answer("MOVE_TO", "savannah-5-2").expect("BURN", 1)
    assert (t.tile(SHIP), tremors(t)) == ("plain", 0)


@pytest.mark.rule("N3.3", "N6.2", "R3.1", "R3.5", "RUL-R8")
def test_promote_one(engine: str) -> None:
    """Any own Troop, Locked or not, without a Speaker; a Locked one stays Locked, the Combat its
    Attacker's."""
    me = {"units": {A: "miner", B: "soldier, powermech"}}
    t = (
        at_bonus(engine, "promote", me, {"units": {A: "speaker"}}, combats={A: 1})
        .do("bonus:promote")
        .expect("PROMOTE_SPACE", 0)
    )
    assert t.spaces() == spaces(A, B)
    t.do(A).expect("PROMOTE_TO", 0)
    assert t.options() == ["unit:soldier", "unit:speaker"]
    t.do("unit:soldier").expect("BURN", 1)
    assert (t.units(0, A), t.attacker(A)) == (counted("soldier"), 1)
    assert t.events("COMBAT_BEGIN") == []


@pytest.mark.rule("N3.3", "N6.2")
def test_nobody_to_promote(engine: str) -> None:
    """No Troop on the planet, or none of another type in Reserve."""
    assert not offered(at_bonus(engine, "promote", {"units": {A: "powermech"}}), "promote")
    assert not offered(at_bonus(engine, "promote", {"units": EVERYTHING}), "promote")
    one_left = {**EVERYTHING, "tundra-6-1": "2 speaker"}
    t = at_bonus(engine, "promote", {"units": one_left}).do("bonus:promote").expect("PROMOTE_SPACE", 0)
    # a Speaker is in Reserve: no Speaker can be swapped for it
    assert t.spaces() == spaces(*(where for where in EVERYTHING if where != "tundra-6-1"))
    only = {where: what for where, what in EVERYTHING.items() if where < "tundra-5-3"}
    assert offered(at_bonus(engine, "promote", {"units": only}), "promote")


@pytest.mark.rule("N3.4", "N6.5", "U5.5", "RUL-M4", "RUL-M11")
def test_move_three_units(engine: str) -> None:
    """Up to three different Unlocked Units, Vehicles and the Ship among them, one Move each; no jump, no
    Collapse."""
    locked = D
    me = {"units": {A: "soldier, miner", B: "powermech", locked: "soldier"}}
    t = at_bonus(engine, "move_three", me, {"units": {locked: "speaker"}}, combats={locked: 0}).do(
        "bonus:move_three"
    )
    t.expect("ACT_SPACE", 0)
    assert t.options()[0] == "done"
    assert t.spaces() == spaces(A, B, SHIP)
    t.fork().do("done").expect("BURN", 1)
    t.do(SHIP).expect("MOVE_TO", 0)
    assert t.spaces() == SIDES[space(SHIP)] | spaces(SHIP)
    t.do("savannah-5-2").expect("ACT_SPACE", 0)
    assert t.spaces() == spaces(A, B)
    t.do(B).expect("MOVE_TO", 0)  # a walk: nobody asks about Jumpjets
    assert t.spaces() == ball(space(B), 3) - spaces(
        OTHER_SHIP, "savannah-5-2"
    )  # the own Combat may be joined
    t.do("tundra-5-2").expect("ACT_SPACE", 0)
    assert t.spaces() == spaces(A), "the Powermech has moved"
    t.do(A).expect("ACT_TYPE", 0)
    assert t.options() == ["unit:soldier", "unit:miner"]
    t.do("unit:miner").answer("MOVE_TO", "tundra-4-1").expect("BURN", 1)
    assert (tremors(t), t.tile(SHIP), t.player(0)["ship"]) == (0, "plain", space("savannah-5-2"))
    assert t.units(0, A) == counted("soldier")
    assert offered(at_bonus(engine, "move_three", {}), "move_three"), "there is always a Ship"


@pytest.mark.rule("N3.5", "G3.1")
def test_gain_a_relic(engine: str) -> None:
    """Always possible; draw two, keep one."""
    t = at_bonus(engine, "gain_relic", {}, relics={"draw": ["R08", "R06"]}).do("bonus:gain_relic")
    t.answer("KEEP_RELIC", "card:R06", seat=0).answer("RELIC_WINDOW", "done", seat=0)
    assert (t.player(0)["relics"], t.snapshot()["relics"]["discard"]) == (["R06"], ["R08"])


# ------------------------------------------------------------------ N4
@pytest.mark.rule("N4.1", "X1.1", "X1.2", "N6.2")
def test_one_cyber_attack(engine: str) -> None:
    """A single attempt, not to be declined once chosen; offered with a Unit that can try."""
    me = {"units": {"forest-4-1": "soldier", "forest-4-3": "soldier"}}
    t = (
        at_bonus(engine, "cyber_attack", me, script={"red_die": ["4"]})
        .do("bonus:cyber_attack")
        .expect("CYBER_SPACE", 0)
    )
    assert t.options() == [f"space:{n}" for n in sorted(spaces("forest-4-1", "forest-4-3"))]
    t.do("forest-4-1").expect("BURN", 1)
    assert "fuel_cells" not in t.player(0)["blueprints"]
    assert not offered(at_bonus(engine, "cyber_attack", {"units": {A: "soldier"}}), "cyber_attack")
    assert not offered(at_bonus(engine, "cyber_attack", {**me, "blueprints": list(MODULES)}), "cyber_attack")
    here = {"units": {"forest-4-1": "soldier"}}
    assert not offered(
        at_bonus(engine, "cyber_attack", here, here, combats={"forest-4-1": 0}), "cyber_attack"
    )


@pytest.mark.rule("N4.2", "N6.2", "T8.3", "T8.4")
def test_reactivate_a_tactic_card(engine: str) -> None:
    """Any face-up Tactic card but this turn's, wholly, without another Bonus Action; Burned ones are out."""
    board = [["battle", "recruit"], ["negotiate", "miners"], ["soldiers", "upgrade"]]
    me = {"lorium": 3, "units": {A: "soldier"}, "board": board}
    t = (
        at_bonus(engine, "reactivate_tactic", me, burn="speakers")
        .do("bonus:reactivate_tactic")
        .expect("COMMAND_CARD", 0)
    )
    assert t.options() == ["command:recruit", "command:upgrade"]
    t.do("command:recruit").answer("RECRUIT_TYPE", "unit:soldier", seat=0).do("done")
    t.answer("DEPLOY_SPACE", AROUND[0], seat=0).expect("ACT_SPACE", 0).do(AROUND[0])  # Motivate comes with it
    t.answer("ACT_ACTION", "action:move", seat=0).answer("MOVE_TO", AROUND[1], seat=0).expect("BURN", 1)
    assert t.units(0, AROUND[1]) == counted("soldier")
    for other in ([], [["recruit", "miners"]]):
        assert not offered(
            at_bonus(engine, "reactivate_tactic", {"board": other}, burn="speakers"), "reactivate_tactic"
        )
    # This turn's Upgrade is face up, too, but not for this.
    t = at_bonus(engine, "reactivate_tactic", {"lorium": 3, "units": {A: "soldier"}}, card="upgrade")
    assert not offered(t, "reactivate_tactic")
    idle = {"board": [[None, "battle"]]}
    t = at_bonus(engine, "reactivate_tactic", idle, burn="speakers")
    assert offered(t, "reactivate_tactic"), "what it would do is not looked into"
    t.do("bonus:reactivate_tactic").expect("BURN", 1)


@pytest.mark.rule("N4.3", "N6.2", "I3.2", "RUL-N4", "I-EX2")
def test_colony_city(engine: str) -> None:
    """One Resource to nobody for control of Colony City, whoever has it."""
    for owner in (None, 1):
        control = {} if owner is None else {"city": owner}
        t = (
            at_bonus(engine, "colony_city", {"lorium": 1}, control=control)
            .do("bonus:colony_city")
            .expect("BURN", 1)
        )
        assert (t.controller("city"), t.player(0)["lorium"], t.player(1)["lorium"]) == (0, 0, 0)
        assert [t.state.influence(seat) for seat in (0, 1)] == [9, 4]
    # a Camp for it: the others get nothing, Influence rises by 4
    t = (
        at_bonus(engine, "colony_city", {}, tiles={A: "camp"}, control={A: 0})
        .do("bonus:colony_city")
        .expect("BURN", 1)
    )
    assert (t.controller("city"), t.controller(A), t.state.influence(0)) == (0, None, 4 + 5)
    assert not offered(at_bonus(engine, "colony_city", {}), "colony_city"), "nothing to pay with"
    assert not offered(at_bonus(engine, "colony_city", {"lorium": 1}, control={"city": 0}), "colony_city"), (
        "own already"
    )
    assert not offered(at_bonus(engine, "colony_city", {"lorium": 1}, tiles={0: "none"}), "colony_city"), (
        "gone"
    )
    assert not offered(at_bonus(engine, "colony_city", {"lorium": 1}, tiles={0: "plain"}), "colony_city"), (
        "erased by a Ship"
    )
    assert offered(at_bonus(engine, "colony_city", {"slots": [{"lorium": 1}, None]}), "colony_city")


@pytest.mark.rule("N4.3", "I3.3", "RUL-N4")
def test_colony_city_at_seven_flags(engine: str) -> None:
    """A Flag is given up before it is gained, unless a Habitat has just been paid."""
    flags = [f"wetlands-6-{k}" for k in range(6)] + ["wetlands-5-0"]
    table: dict[str, Any] = {"tiles": dict.fromkeys(flags, "camp"), "control": dict.fromkeys(flags, 0)}
    t = at_bonus(engine, "colony_city", {"lorium": 1}, **table).do("bonus:colony_city").expect("PAY_KIND", 0)
    paid = t.fork().do("resource:habitat").answer("PAY_HABITAT", flags[4], seat=0).expect("BURN", 1)
    assert goods(paid, 0)["habitats"] == sorted(spaces(0, *flags) - spaces(flags[4]))
    t.do("resource:lorium").expect("GIVE_UP_FLAG", 0)
    assert t.spaces() == spaces(*flags)
    t.do(flags[0]).expect("BURN", 1)
    assert goods(t, 0)["habitats"] == sorted(spaces(0, *flags) - spaces(flags[0]))


@pytest.mark.rule("N4.4", "N6.2", "N6.6", "RUL-N7")
def test_steal_a_captive(engine: str) -> None:
    """A Troop of a third player out of any opponent's Holding Area; no own Troops, no Vehicles."""
    others: list[dict[str, Any]] = [
        {"captured": {0: "soldier", 2: "miner, powermech", 3: "speaker"}}, {"captured": {1: "soldier"}}, {},
    ]  # fmt: skip
    t = at_bonus(engine, "steal_captive", {}, *others).do("bonus:steal_captive").expect("STEAL_HOLDER", 0)
    assert t.options() == ["player:1", "player:2"]
    t.do("player:1").expect("STEAL_CAPTIVE", 0)
    assert t.options() == ["captive:2:miner", "captive:3:speaker"]
    t.do("captive:3:speaker").expect("BURN", 1)
    assert t.captured(0, 3) == counted("speaker")
    assert held(t, 3) == counted("speaker")
    assert [e[1:] for e in t.events("CAPTURE")] == [(0, 3, 2, -1)]
    two = at_bonus(engine, "steal_captive", {}, {"captured": {0: "2 soldier"}})
    assert not offered(two, "steal_captive"), "with two players there is nobody's to steal"
    assert not offered(
        at_bonus(engine, "steal_captive", {}, {"captured": {2: "powermech"}}, {}), "steal_captive"
    )
    assert not offered(
        at_bonus(engine, "steal_captive", {"captured": {1: "soldier"}}, {}, {}), "steal_captive"
    )


@pytest.mark.rule("N4.5", "N6.2", "RUL-N3")
def test_discard_an_active_relic(engine: str) -> None:
    """The player names one Active Relic of anybody, even an own one."""
    seats: list[dict[str, Any]] = [
        {"slots": [None, {"relic": "R06"}]},
        {"slots": [{"relic": "R07"}, {"relic": "R08"}], "relics": ["R09"]},
        {"slots": [{"lorium": 2}, None], "relics": ["R10"]},
    ]
    t = at_bonus(engine, "discard_relic", *seats).do("bonus:discard_relic").expect("RELIC_OWNER", 0)
    assert t.options() == ["player:0", "player:1"]
    own = t.fork().do("player:0").expect("RELIC_WINDOW", 1)
    assert own.player(0)["slots"] == [None, None]
    t.do("player:1").expect("RELIC_SLOT", 0)
    assert t.options() == ["slot:0", "slot:1"]
    t.do("slot:1")
    assert t.player(1)["slots"] == [{"relic": "R07"}, None]
    assert t.snapshot()["relics"]["discard"] == ["R08"]
    assert t.player(1)["relics"] == ["R09"]
    inactive = at_bonus(
        engine, "discard_relic", {"relics": ["R06"]}, {"relics": ["R07"], "slots": [{"lorium": 1}, None]}
    )
    assert not offered(inactive, "discard_relic")


# ------------------------------------------------------------------ N5
@pytest.mark.rule("N5.1", "K2.6", "N6.2", "RUL-K19", "RUL-K21")
def test_resolve_any_combat(engine: str) -> None:
    """Whoever's it is: the Attacker strikes first, the two combatants decide, the defeated go to their
    Reserves."""
    seats: list[dict[str, Any]] = [
        {"units": {B: "soldier"}},
        {"units": {A: "soldier", B: "soldier"}},
        {"units": {A: "2 soldier"}},
    ]
    t = at_bonus(
        engine, "any_combat", *seats, combats={A: 2, B: 1}, script={**BLANK, "red_die": ["5", "2", "5"]},
    )  # fmt: skip
    t.do("bonus:any_combat").expect("COMBAT", 0)
    assert t.spaces() == spaces(A, B)
    t.do(A).answer("STRIKE_OR_FLEE", "strike", seat=2).answer("HITS", "hits:1", seat=2).expect("BURN", 1)
    assert held(t, 1) == [0] * 5
    assert reserve(t, 1)[0] == 9
    assert [e[1:] for e in t.events("LEAVE")] == [(1, 0, space(A), 0)]
    assert not offered(
        at_bonus(engine, "any_combat", *[{"units": {A: "soldier"}}, {"units": {B: "soldier"}}]), "any_combat"
    )


@pytest.mark.rule("N5.1", "K3.5", "RUL-K19")
def test_any_combat_without_captives_even_when_cornered(engine: str) -> None:
    """A side that must Flee and cannot is destroyed, not captured; in an own Combat, too."""
    lakes = dict.fromkeys(SIDES[space(A)], "lake")
    t = at_bonus(
        engine,
        "any_combat",
        {"units": {A: "powermech"}},
        {"units": {A: "soldier"}},
        combats={A: 1},
        tiles=lakes,
    )
    t.do("bonus:any_combat").expect("BURN", 1)
    assert t.player(0)["captured"] == []
    assert reserve(t, 1) == [10, 6, 5, 2, 2]


@pytest.mark.rule("N5.2", "N6.2", "T8.3", "T8.4", "T8.5", "RUL-T15")
def test_reactivate_a_unit_card(engine: str) -> None:
    """Any face-up Unit card but this turn's, all its Sections, without windows and Bonus Action."""
    board = [["soldiers", "miners"], ["powermechs", "recruit"], ["speakers", "colony_ship"]]
    me = {"units": {A: "miner, soldier, speaker"}, "board": board, "relics": ["R06"]}
    t = (
        at_bonus(engine, "reactivate_unit", me, tiles={A: "lorium"})
        .do("bonus:reactivate_unit")
        .expect("COMMAND_CARD", 0)
    )
    assert t.options() == ["command:miners", "command:colony_ship"]
    ship = t.fork().do("command:colony_ship").expect("MOVE_TO", 0)
    assert "done" not in ship.options(), "Stabilize is compulsory here, too"
    t.do("command:miners").answer("ACT_SPACE", "done", seat=0).answer("ACT_SPACE", A, seat=0).expect(
        "RELIC_WINDOW", 0
    )
    assert t.player(0)["lorium"] == 1
    t.do("done").expect("BURN", 1)
    for other in ([], [["miners", "recruit"]]):
        assert not offered(at_bonus(engine, "reactivate_unit", {"board": other}), "reactivate_unit")
    t = at_bonus(engine, "reactivate_unit", {"units": {A: "harvester"}})
    assert not offered(t, "reactivate_unit"), "this turn's Harvesters card is excluded"


@pytest.mark.rule("N5.3", "N6.2", "R4.3", "R4.5", "R4.6", "RUL-R7", "RUL-R11")
def test_upgrade_one(engine: str) -> None:
    """One Soldier or Miner, Locked or not; 1 Lorium more and a Tremor outside the Deploy Locations."""
    near = AROUND[0]
    me = {"lorium": 4, "units": {near: "soldier", A: "miner", B: "soldier, speaker", C: "speaker"}}
    t = at_bonus(engine, "upgrade_one", me, {"units": {B: "miner"}}, combats={B: 0})
    t.skip("BONUS").do("bonus:upgrade_one").expect("UPGRADE_SPACE", 0)
    assert t.options() == [f"space:{n}" for n in sorted([near, *spaces(A, B)])], "chosen is chosen"
    for where, price, shakes, unit in ((near, 3, 0, 3), (A, 2, 1, 4), (B, 4, 1, 3)):
        fork = t.fork().do(where).expect("BURN", 1)
        assert (fork.player(0)["lorium"], tremors(fork)) == (4 - price, shakes)
        assert fork.units(0, where)[unit] == 1
    fork = t.do(B)
    assert (fork.units(0, B), fork.attacker(B)) == (counted("powermech, speaker"), 0)


@pytest.mark.rule("N5.3", "N6.2", "R4.2", "R4.4")
def test_no_upgrade(engine: str) -> None:
    """Too little Lorium, no Vehicle in Reserve, a Vehicle in the space, Speakers only: not offered."""
    cases: list[tuple[dict[str, Any], bool]] = [
        ({"lorium": 2, "units": {A: "miner"}}, True),
        ({"lorium": 1, "units": {A: "miner"}}, False),
        ({"lorium": 1, "units": {AROUND[0]: "miner"}}, True),
        ({"lorium": 3, "units": {A: "soldier"}}, False),
        ({"lorium": 3, "units": {AROUND[0]: "soldier"}}, True),
        ({"lorium": 9, "units": {A: "speaker"}}, False),
        ({"lorium": 9, "units": {A: "soldier, harvester"}}, False),
        ({"lorium": 9, "units": {A: "miner", B: "harvester", C: "harvester"}}, False),
        ({"lorium": 9, "units": {A: "soldier", B: "harvester", C: "harvester"}}, True),
    ]
    for me, possible in cases:
        t = at_bonus(engine, "upgrade_one", me, card="soldiers")
        assert offered(t, "upgrade_one") == possible, me


@pytest.mark.rule("N5.4", "N6.2", "G1.3", "RUL-N8", "T1.7")
@pytest.mark.parametrize("kind", ["lorium", "discovery", "relic", "active", "theirs", "third", "habitat"])
def test_the_marker_for_a_resource(engine: str, kind: str) -> None:
    """The holder is not asked and receives the Resource, a Relic Inactive, an own captive into its
    Reserve."""
    me = {
        "lorium": 1, "discovery": ["D19"], "relics": ["R06"], "slots": [{"relic": "R07"}, None],
        "captured": {1: "soldier", 2: "miner"},
    }  # fmt: skip
    t = at_bonus(engine, "take_marker", me, {}, {}, marker=1, tiles={A: "outpost"}, control={A: 0})
    t.do("bonus:take_marker").expect("PAY_KIND", 0)
    before = [goods(t, seat) for seat in range(3)]
    which = {"active": "relic", "theirs": "captive", "third": "captive"}.get(kind, kind)
    t.do(f"resource:{which}")
    choice = {
        "relic": "card:R06",
        "active": "slot:0",
        "theirs": "captive:1:soldier",
        "third": "captive:2:miner",
    }
    if kind in choice:
        t.do(choice[kind])
    if which == "relic":
        relic = "R06" if kind == "relic" else "R07"
        assert t.expect("RELIC_WINDOW", 1).options() == ["done", f"card:{relic}"]
        assert t.player(1)["relics"] == [relic]
        t.do("done")
    else:
        t.expect("RELIC_WINDOW", 0)  # step 6: nobody but the payer was asked
    assert t.snapshot()["marker"] == 0
    after = [goods(t, seat) for seat in range(3)]
    paid = {key for key in before[0] if before[0][key] != after[0][key]} - {"marker"}
    key = {
        "relic": "relics",
        "active": "slots",
        "theirs": "captured",
        "third": "captured",
        "habitat": "habitats",
    }.get(kind, kind)
    assert paid == {key}
    received = {name for name in before[1] if before[1][name] != after[1][name]} - {"marker"}
    assert received == {
        "lorium": {"lorium"}, "discovery": {"discovery"}, "relic": {"relics"}, "active": {"relics"},
        "theirs": set(), "third": {"captured"}, "habitat": {"habitats"},
    }[kind]  # fmt: skip
    assert after[2] == before[2]
    if kind == "theirs":
        assert reserve(t, 1)[0] == 10
    if kind == "third":
        assert t.captured(1, 2) == counted("miner")
    if kind == "habitat":
        assert t.controller(A) == 1


@pytest.mark.rule("N5.4", "N6.2", "G5.8", "RUL-N8")
def test_no_marker_exchange(engine: str) -> None:
    """Not for its holder, nor without a Resource; a Habitat reaches its receiver even at seven Flags."""
    assert not offered(at_bonus(engine, "take_marker", {"lorium": 1}), "take_marker")
    assert not offered(at_bonus(engine, "take_marker", {}, marker=1), "take_marker")
    assert offered(at_bonus(engine, "take_marker", {"lorium": 1}, marker=1), "take_marker")
    flags = [f"wetlands-6-{k}" for k in range(6)] + ["wetlands-5-0"]
    tiles = dict.fromkeys([*flags, A], "camp")
    t = at_bonus(engine, "take_marker", {}, marker=1, tiles=tiles, control=dict.fromkeys(flags, 1) | {A: 0})
    t.do("bonus:take_marker").expect("GIVE_UP_FLAG", 1)
    assert t.spaces() == spaces(*flags)
    t.do(flags[3])
    assert (t.controller(A), t.controller(flags[3])) == (1, None)


@pytest.mark.rule("N5.5", "N6.4", "T4.7", "RUL-N5")
def test_lorium_from_all_gatherers(engine: str) -> None:
    """Miners and Harvesters on Lorium, Harvesters on Explorable, each once and at will; only Lorium,
    Tremors for Harvests."""
    locked = E
    me = {
        "units": {A: "2 miner, harvester", B: "harvester, miner", C: "miner", D: "soldier", locked: "miner"}
    }
    tiles = {A: "lorium", B: "explorable", D: "lorium", locked: "lorium"}
    t = at_bonus(
        engine, "gather_lorium", me, {"units": {locked: "speaker"}}, tiles=tiles, combats={locked: 1}
    )
    t.do("bonus:gather_lorium").expect("ACT_SPACE", 0)
    assert t.options() == ["done", *(f"space:{n}" for n in sorted(spaces(A, B)))]
    t.fork().do("done").expect("BURN", 1)
    t.do(A).expect("ACT_TYPE", 0)
    assert t.options() == ["unit:miner", "unit:harvester"]
    t.do("unit:harvester").expect("ACT_SPACE", 0)
    assert (t.player(0)["lorium"], tremors(t)) == (3, 1)
    t.do(B).expect("ACT_SPACE", 0)  # the Miner there cannot Explore by this
    assert (t.player(0)["lorium"], t.player(0)["discovery"], tremors(t)) == (4, [], 1)
    assert t.spaces() == spaces(A)
    t.do(A).answer("ACT_SPACE", A, seat=0).expect("BURN", 1)
    assert t.player(0)["lorium"] == 5  # 6, of which 5 can be kept
    assert sum(e[2] for e in t.events("LORIUM") if e[1] == 0) == 5


@pytest.mark.rule("N5.5", "N6.2")
def test_no_gatherers(engine: str) -> None:
    """Miners elsewhere or on Explorable, and Locked ones, do not make it possible."""
    cases = [
        ("miner", "lorium", True), ("miner", "explorable", False), ("miner", "plain", False),
        ("harvester", "lorium", True), ("harvester", "explorable", True), ("harvester", "plain", False),
        ("soldier", "lorium", False),
    ]  # fmt: skip
    for unit, tile, possible in cases:
        t = at_bonus(engine, "gather_lorium", {"units": {A: unit}}, tiles={A: tile})
        assert offered(t, "gather_lorium") == possible, (unit, tile)
        locked = at_bonus(
            engine,
            "gather_lorium",
            {"units": {A: unit}},
            {"units": {A: "speaker"}},
            tiles={A: tile},
            combats={A: 0},
        )
        assert not offered(locked, "gather_lorium")


# ------------------------------------------------------------------ N6
@pytest.mark.rule("N6.1", "T5.1", "RUL-T18")
@pytest.mark.parametrize("cell", sorted(CELL))
def test_an_impossible_bonus_action_cannot_be_chosen(engine: str, cell: str) -> None:
    """On an empty planet exactly those without a condition, or that a bare Ship meets, are offered."""
    t = at_bonus(engine, cell, {})
    always = {
        "two_cards",
        "two_lorium",
        "move_three",
        "gain_relic",
        "deploy_one",
        "deploy_two",
        "hand_action",
    }
    assert offered(t, cell) == (cell in always)


@pytest.mark.rule("N6.2", "RUL-N10")
def test_reachable_places_are_not_looked_into(engine: str) -> None:
    """Move counts as possible even for a Unit that cannot leave its space."""
    walled = dict.fromkeys(SIDES[space(A)], "lake")
    t = at_bonus(engine, "hand_action", {"units": {A: "miner"}}, tiles=walled, burn="colony_ship")
    assert offered(t, "hand_action")
    t.do("bonus:hand_action").answer("ACT_SPACE", A, seat=0).expect("BURN", 1)
    assert t.units(0, A) == counted("miner")


@pytest.mark.rule("T5.1", "T5.4", "N6.1")
def test_one_bonus_action_a_turn(engine: str) -> None:
    """After one there is no second, whatever icons are left."""
    t = at_bonus(engine, "two_lorium", {}).do("bonus:two_lorium").expect("BURN", 1)
    assert t.player(0)["lorium"] == 2
    t = at_bonus(engine, "two_lorium", {}).do("bonus:gain_card").expect("BURN", 1)
    assert len(t.player(0)["discovery"]) == 1
