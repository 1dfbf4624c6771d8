"""The 27 Factions, both Abilities of each: what they do, and when they do not."""

from __future__ import annotations

from typing import Any

import pytest
from abilities import (
    BRINK,
    FIELD,
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
from plays import CELL, pick
from scenario import Table, space
from scenario import units as counted

from cysmic_fast.vocabulary import CARD, SPACE, DecisionKind

A, B, C, D = "tundra-5-1", "tundra-5-3", "wetlands-5-1", "wetlands-5-3"
NEXT = "tundra-5-2"  # beside A and B
BOTH = pytest.mark.parametrize("mine", [True, False], ids=["mine", "other"])


def of(faction: str, mine: bool = True, **more: Any) -> dict[str, Any]:
    """A player of a Faction, or of one whose Abilities do not matter."""
    return {"faction": faction, **more} if mine else {"faction": "F18", **more}


def bonus(t: Table, card: str, burn: str = "battle") -> Table:
    """Plays a card without doing anything up to the Bonus decision."""
    return t.turn(card, burn).skip("BONUS")


def destinations(t: Table) -> set[int]:
    """Ends of the Move being chosen, or of the last one if it had only one end."""
    if t.kind == "MOVE_TO":
        return t.spaces()
    last = [e for e in t.events("CHOICE") if e[2] == DecisionKind.MOVE_TO][-1]
    assert last[4] == 1, "the last Move was chosen"
    return {last[3] - SPACE}


def confused(t: Table, seat: int) -> dict[int, list[int]]:
    """{space: [soldiers, miners, speakers]} of the Confused Troops of a seat."""
    return dict(map(tuple, t.player(seat)["confused"]))


def rules(t: Table) -> list[tuple[int, int]]:
    """(player, rule of the Faction) of every rule performed so far."""
    return [(e[1], e[4]) for e in t.events("RULE") if e[2] == 1]


def to_rule(t: Table, *more: str) -> Table:
    """Declines whatever is asked up to a RULE decision, or to one of ``more``."""
    return t.skip({"RULE", *more})


# ------------------------------------------------------------------ F01
OVERLOAD = of("F01", units={A: "speaker"})
OTHERS = {"units": {NEXT: "2 soldier, miner", B: "soldier"}}


@pytest.mark.card("F01")
@pytest.mark.rule("D7.1", "U4.5", "V7.9")
def test_cognitive_overload(engine: str) -> None:
    """Before or after a Section of Speakers: up to two enemy Troops in or next to a Speaker's space."""
    t = table(engine, OVERLOAD, OTHERS).turn("speakers")
    assert t.expect("RULE", 0).options() == ["done", "option:0"]
    t.do("option:0")
    assert t.expect("UNIT_SPACE", 0).options() == ["done", f"space:{space(NEXT)}"], "B is two spaces away"
    t.do(NEXT).answer("UNIT_TYPE", "unit:soldier", seat=0)
    assert confused(t, 1) == {space(NEXT): [1, 0, 0]}
    t.answer("UNIT_SPACE", NEXT)
    assert t.expect("UNIT_TYPE").options() == ["unit:soldier", "unit:miner"], "the other Soldier"
    t.do("unit:miner")
    assert confused(t, 1) == {space(NEXT): [1, 1, 0]}
    assert [e[1:] for e in t.events("CONFUSE")] == [(1, 0, space(NEXT), 1), (1, 1, space(NEXT), 1)]
    assert t.expect("ACT_SPACE", 0).options() == ["done", f"space:{space(A)}"]
    to_rule(t, "BONUS").expect("BONUS")


@pytest.mark.card("F01")
@pytest.mark.rule("V7.4", "D7.1")
def test_overload_once_a_turn_after_any_section(engine: str) -> None:
    """Declined before, it may be used after each of the three Sections, once; one Troop may be enough."""
    t = table(engine, OVERLOAD, OTHERS).turn("speakers")
    windows = 0
    while t.kind != "BONUS":
        if t.kind == "RULE":
            windows += 1
            if windows == 4:
                t.do("option:0", NEXT, "unit:miner", "done")
                continue
        t.do("done")
    assert (windows, confused(t, 1)) == (4, {space(NEXT): [0, 1, 0]})


@pytest.mark.card("F01")
@pytest.mark.rule("V1.2", "V1.3", "U4.5")
@pytest.mark.parametrize(
    ("card", "other", "more"),
    [
        ("soldiers", OTHERS, {}),
        ("speakers", {"units": {B: "3 soldier"}}, {}),
        ("speakers", {"units": {NEXT: "harvester"}}, {}),
        ("speakers", {"units": {A: "soldier"}}, {"combats": {A: 1}}),
        ("speakers", {"units": {NEXT: "soldier"}, "confused": [[space(NEXT), [1, 0, 0]]]}, {}),
    ],
    ids=["another card", "too far", "a Vehicle", "Locked", "Confused already"],
)
def test_no_overload(engine: str, card: str, other: dict[str, Any], more: dict[str, Any]) -> None:
    """Not offered with another card, or without an Unlocked enemy Troop in reach."""
    t = table(engine, of("F01", units={A: "speaker", C: "soldier"}), other, **more).turn(card)
    assert to_rule(t, "BONUS").kind == "BONUS"


@pytest.mark.card("F01")
@pytest.mark.rule("A1.1")
@BOTH
def test_thought_ripple(engine: str, mine: bool) -> None:
    """Speakers Persuade one space away, the own space too."""
    me = of("F01", mine, units={A: "speaker"})
    t = table(engine, me, {"faction": "F10"}, tiles={A: "camp", NEXT: "camp", B: "camp"})
    t.turn("speakers").skip("ACT_SPACE").do("done").skip("ACT_SPACE").do(A)
    if not mine:
        assert [t.controller(s) for s in (A, NEXT)] == [0, None]
        return
    assert t.expect("REWARD_HABITAT", 0).spaces() == {space(A), space(NEXT)}
    t.do(NEXT)
    assert t.controller(NEXT) == 0
    t = table(engine, of("F01", units={A: "soldier"}), {}, tiles={NEXT: "camp"}, control={NEXT: 1})
    t.turn("soldiers").skip("BONUS")
    assert t.controller(NEXT) == 1, "Neutralize is not meant"


# ------------------------------------------------------------------ F02
def collapse(engine: str, me: dict[str, Any], them: dict[str, Any], token: str, **more: Any) -> Table:
    """Seat 1 makes a Fracture with a jump in the middle of nowhere; seat 0 is somewhere."""
    them = {**them, "units": {"rocky-3-1": "powermech", **them.get("units", {})}}
    t = table(
        engine, me, them, cysmograph=BRINK, script={"fracture_token": [token]}, current_player=1, **more
    )
    return quake(t)


@pytest.mark.card("F02")
@pytest.mark.rule("D7.3")
@pytest.mark.parametrize(
    ("token", "at", "tiles"),
    [("tundra-5", "tundra-4-1", 3), ("tundra-2", "tundra-3-1", 2), ("tundra-1", "tundra-2-0", 1),
     ("tundra-5", B, 3), ("tundra-5", "tundra-2-0", 0)],
)  # fmt: skip
def test_fetch_collects(engine: str, token: str, at: str, tiles: int) -> None:
    """Up to three of the tiles of a Collapse in or next to an own space, whoever causes it."""
    t = collapse(engine, of("F02", units={at: "soldier"}, tokens=1), {}, token)
    assert t.player(0)["tokens"] == 1 + tiles
    assert rules(t) == ([(0, 0)] if tiles else [])


@pytest.mark.card("F02")
@pytest.mark.rule("V8.1")
def test_fetch_spends_two(engine: str) -> None:
    """Two tiles for 1 Lorium or a card, at the start or before the Bonus Action, once a turn."""
    t = table(engine, of("F02", tokens=5), {}, discovery={"draw": ["D19"]})
    assert t.expect("RULE", 0).options() == ["done", "option:1"]
    late = t.fork().do("done").turn("harvesters")
    to_rule(late).do("option:1").answer("CHOOSE", "option:1", seat=0)
    assert (late.player(0)["tokens"], late.player(0)["discovery"]) == (3, ["D19"])
    t.do("option:1")
    assert t.expect("CHOOSE", 0).options() == ["option:0", "option:1"]
    t.do("option:0")
    assert (t.player(0)["tokens"], t.player(0)["lorium"]) == (3, 1)
    t.turn("harvesters")
    assert to_rule(t, "BONUS").kind == "BONUS", "once a turn"
    t.skip({"BURN", "RULE"})
    assert (t.kind, t.seat) == ("BURN", 1), "not in others' turns"


@pytest.mark.card("F02")
def test_fetch_needs_two_tiles(engine: str) -> None:
    t = table(engine, of("F02", tokens=1), {})
    assert to_rule(t.turn("harvesters"), "BONUS").kind == "BONUS"


@pytest.mark.card("F02")
@pytest.mark.rule("D7.3", "V7.6")
def test_fetch_in_combat(engine: str) -> None:
    """Three tiles before First Strike, in the own turn: one red die in every own Strike of that Combat."""
    me = of("F02", tokens=3)
    t = fight(engine, "soldier", "soldier", me, script=dice([1] * 20))
    assert t.expect("RULE", 0).options() == ["done", "option:2"]
    t.do("option:2").answer("STRIKE_OR_FLEE", "strike", seat=0).do("strike", "strike", "strike")
    assert strike_dice(t) == [(0, 2), (1, 1), (0, 2), (1, 1)]
    assert t.player(0)["tokens"] == 0
    t = fight(engine, "soldier", "soldier", of("F18"), of("F02", tokens=3), script=dice([1] * 20))
    t.expect("STRIKE_OR_FLEE", 0)  # not in somebody else's turn
    t = table(engine, of("F02", tokens=2, units={FIELD: "soldier"}), {"units": {FIELD: "soldier"}},
              combats={FIELD: 0}, script=dice([1] * 20))  # fmt: skip
    t.answer("RULE", "done", seat=0).turn("battle").expect("STRIKE_OR_FLEE", 0)


@pytest.mark.card("F02")
@BOTH
def test_pack_hunters(engine: str, mine: bool) -> None:
    """Soldiers 4 spaces, Speakers 3 as ever."""
    me = of("F02", mine, units={A: "soldier", C: "speaker"})
    t = table(engine, me, {"faction": "F10"}).turn("soldiers").do(A)
    assert destinations(t) == reach(space(A), 3 + mine, TWO_SHIPS[1:]) - set(TWO_SHIPS)
    t = table(engine, me, {"faction": "F10"}).turn("speakers").do(C)
    assert destinations(t) == reach(space(C), 3, TWO_SHIPS[1:]) - set(TWO_SHIPS)


# ------------------------------------------------------------------ F03
@pytest.mark.card("F03")
@pytest.mark.rule("D7.4", "Y5.1", "Y1.5")
def test_quakesurfing(engine: str) -> None:
    """Every Unit escapes by a Move of its own; a jump of a Powermech causes no Tremor."""
    t = collapse(engine, of("F03", units={A: "soldier, speaker, powermech"}), {}, "tundra-5")
    t.expect("ESCAPE", 0).do(A)
    assert t.expect("UNIT_TYPE", 0).options() == ["unit:soldier", "unit:speaker", "unit:powermech"]
    gone = {space(f"tundra-5-{k}") for k in range(5)}
    t.do("unit:soldier")
    assert t.expect("ESCAPE_TO", 0).spaces() == (
        reach(space(A), 3, TWO_SHIPS[1:]) - gone - set(TWO_SHIPS) - {space("rocky-3-1")}
    )
    t.do("tundra-4-0").answer("ESCAPE", A, seat=0).do("unit:powermech")
    t.answer("ESCAPE_TO", "tundra-6-1", seat=0).answer("ESCAPE", A, seat=0)
    t.answer("ESCAPE_TO", "tundra-3-0", seat=0)
    assert t.units(0, "tundra-4-0") == counted("soldier")
    assert t.units(0, "tundra-6-1") == counted("powermech")
    assert t.units(0, "tundra-3-0") == counted("speaker")
    assert len(t.events("TREMOR")) == 1, "the jump of seat 1"


@pytest.mark.card("F03")
@pytest.mark.rule("Y5.1", "Y5.2")
def test_surfers_obey_the_rules_of_escapes(engine: str) -> None:
    """Not Locked ones; not onto enemies, even with Engage; one may stay behind and is lost."""
    me = of("F03", units={A: "soldier, miner", B: "soldier"})
    t = collapse(engine, me, {"units": {B: "soldier", "tundra-4-1": "miner"}}, "tundra-5", combats={B: 0})
    t.expect("ESCAPE", 0)
    assert t.spaces() == {space(A)}, "B is a Combat"
    t.do(A, "unit:soldier").expect("ESCAPE_TO")
    assert space("tundra-4-1") not in t.spaces()
    t.do("tundra-4-0").answer("ESCAPE", "done", seat=0)
    assert [e[1:] for e in t.events("LEAVE") if e[3] == space(A)] == [(0, 1, space(A), 0)]


@pytest.mark.card("F03")
@pytest.mark.rule("V7.1")
def test_epicentre(engine: str) -> None:
    """1 Lorium for an opponent's Tremor, once in a round; none for an own one."""
    them = {"units": {"rocky-3-1": "powermech", "rocky-3-2": "powermech"}}
    t = table(engine, of("F03"), them, current_player=1).turn("powermechs")
    for _ in range(2):
        t.answer("ACT_SPACE", next(o for o in t.options() if o != "done"))
        pick(t, "ACT_ACTION", "action:jumpjet").do(sorted(t.spaces())[0])
    assert len(t.events("TREMOR")) == 2
    assert (t.player(0)["lorium"], rules(t)) == (1, [(0, 1)])
    t = quake(table(engine, of("F03", units={A: "powermech"}), {}))
    assert (len(t.events("TREMOR")), t.player(0)["lorium"]) == (1, 0)


@pytest.mark.card("F03")
@pytest.mark.rule("V7.4")
def test_epicentre_is_free_again_in_the_own_turn(engine: str) -> None:
    """The flag of the round is kept in positions, and is free again when the own turn starts."""
    them = {"units": {"rocky-3-1": "powermech"}}
    t = quake(table(engine, of("F03", once=[["F", 1]]), them, current_player=1))
    assert (t.player(0)["lorium"], t.player(0)["once"]) == (0, [["F", 1]])
    t.end_turn()
    assert t.expect("BURN", 0).player(0)["once"] == []


# ------------------------------------------------------------------ F04
@pytest.mark.card("F04")
@pytest.mark.rule("D7.5")
def test_cyberlink(engine: str) -> None:
    """With a Troop card one Vehicle is Activated, with a Vehicle card one Troop, once."""
    me = of("F04", units={A: "soldier", B: "harvester", C: "miner"})
    tiles = {B: "lorium", C: "lorium"}
    t = table(engine, me, {}, tiles=tiles).turn("soldiers")
    assert t.expect("RULE", 0).options() == ["done", "option:0"]
    t.do("option:0")
    pick(t, "UNIT_TYPE", "unit:harvester")
    t.expect("ACT_ACTION", 0)
    assert t.options() == ["done", "action:move"]
    t.do("done").answer("ACT_ACTION", "action:harvest", seat=0)
    assert (t.player(0)["lorium"], len(t.events("TREMOR"))) == (4, 1), "Overclocking adds 1"
    assert to_rule(t, "BONUS").kind == "BONUS", "once"
    t = table(engine, me, {}, tiles=tiles).turn("harvesters")
    assert t.expect("RULE", 0).options() == ["done", "option:1"]
    t.do("option:1")
    assert t.expect("UNIT_SPACE", 0).spaces() == {space(A), space(C)}
    t.do(C, "done", "action:mine")
    assert t.player(0)["lorium"] == 2


@pytest.mark.card("F04")
@pytest.mark.rule("D7.5", "V1.2")
def test_no_cyberlink(engine: str) -> None:
    """Not with a Tactic card or the Ship's, nor without a Unit of the other class; also not a Locked one."""
    for units, card, combats in (
        ({A: "soldier", B: "harvester"}, "battle", {}),
        ({A: "soldier", B: "harvester"}, "colony_ship", {}),
        ({A: "soldier"}, "soldiers", {}),
        ({B: "harvester"}, "harvesters", {}),
        ({A: "soldier", B: "harvester"}, "soldiers", {B: 1}),
    ):
        them = {"units": {B: "soldier"}} if combats else {}
        t = table(engine, of("F04", units=units), them, combats=combats).turn(card)
        while t.kind != "BONUS":
            assert t.kind != "RULE"
            t.do("done" if "done" in t.options() else t.options()[0])


@pytest.mark.card("F04")
@pytest.mark.rule("D7.5")
@BOTH
def test_overclocking(engine: str, mine: bool) -> None:
    """One Lorium more for each space in which Miners Mine, or Harvesters Harvest."""
    me = of("F04", mine, units={A: "2 miner", B: "miner", C: "harvester"})
    tiles = {A: "lorium", B: "lorium", C: "lorium"}
    t = table(engine, me, {"faction": "F10"}, tiles=tiles).turn("miners")
    t.skip("ACT_SPACE").do("done").skip("ACT_SPACE").do(A, A, B)
    assert t.player(0)["lorium"] == 3 + 2 * mine
    t = table(engine, me, {"faction": "F10"}, tiles=tiles).turn("harvesters")
    t.skip("ACT_SPACE").do("done").skip("ACT_SPACE").do(C)
    assert t.player(0)["lorium"] == 3 + mine
    t = table(engine, me, {"faction": "F10"}, tiles={C: "explorable"}).turn("harvesters")
    t.skip("ACT_SPACE").do("done").skip("ACT_SPACE").do(C, "done")
    assert t.player(0)["lorium"] == 1, "not for Scavenging"


# ------------------------------------------------------------------ F05
@pytest.mark.card("F05")
@pytest.mark.rule("D7.6")
def test_reverse_engineering(engine: str) -> None:
    """Each Speaker once, before or after its Move: 1 Lorium or a card for being near a Vehicle or Ship."""
    me = of("F05", units={A: "speaker", C: "speaker"})
    t = table(engine, me, {"units": {NEXT: "harvester"}}, discovery={"draw": ["D19"]}).turn("speakers")
    t.expect("EACH_ITEM", 0)  # the rule is not optional in itself
    t.do("yes").answer("CHOOSE", "option:0", seat=0)
    assert t.player(0)["lorium"] == 1
    t.expect("ACT_SPACE", 0).do(C).do(D)  # nowhere near
    t.do("done")
    assert t.kind != "EACH_ITEM", "A has had its turn, D is not near"
    t = table(engine, me, {"units": {NEXT: "harvester"}}, discovery={"draw": ["D19"]}).turn("speakers")
    t.answer("EACH_ITEM", "no", seat=0).expect("ACT_SPACE").do(C, "wetlands-4-1")
    t.do("done").answer("EACH_ITEM", "yes", seat=0).answer("CHOOSE", "option:1", seat=0)
    assert t.player(0)["discovery"] == ["D19"]


@pytest.mark.card("F05")
@pytest.mark.rule("D7.6", "V7.3")
def test_reverse_engineering_is_for_moved_speakers_too(engine: str) -> None:
    """One that Moves next to a Ship may use it after its Move; not after Persuade, not with other cards."""
    ship = "tundra-4-0"
    near = min(SIDES[space(ship)] - {space(A)})
    me = of("F05", units={C: "speaker"})
    t = table(engine, me, {"ship": ship}).turn("speakers")
    t.expect("ACT_SPACE").do(C)
    ends = t.expect("MOVE_TO").spaces() & SIDES[space(ship)]
    t.do(min(ends)).answer("EACH_ITEM", "yes", seat=0).do("option:0")
    assert t.player(0)["lorium"] == 1
    t = table(engine, of("F05", units={near: "speaker"}), {"ship": ship}).turn("speakers")
    asks = []
    while t.kind != "BONUS":
        asks.append(t.kind)
        t.do("no" if t.kind == "EACH_ITEM" else "done")
    assert asks.count("EACH_ITEM") == 2, "before and after the Move Section only"
    t = table(engine, of("F05", units={near: "speaker, soldier"}), {"ship": ship}).turn("soldiers")
    t.skip("BONUS")
    assert asked(t, "EACH_ITEM") == []


@pytest.mark.card("F05")
@BOTH
def test_company_fleet(engine: str, mine: bool) -> None:
    """A Dropship Upgrade for the price of the Vehicle, with its Tremor."""
    me = of("F05", mine, units={A: "soldier"}, lorium=3)
    t = table(engine, me, {"faction": "F10"}).turn("upgrade").skip({"UPGRADE_SPACE", "BONUS"})
    assert (t.kind == "UPGRADE_SPACE") == mine
    if mine:
        t.do(A)
        assert (t.player(0)["lorium"], t.units(0, A)) == (0, counted("powermech"))
        assert len(t.events("TREMOR")) == 1


# ------------------------------------------------------------------ F06
@pytest.mark.card("F06")
@pytest.mark.rule("D7.7", "D-EX2")
@BOTH
def test_celebrity_status(engine: str, mine: bool) -> None:
    """Recruit Burned, Upgrade Played: all of Blue, Yellow, Green, Purple and Grey."""
    me = of("F06", mine, units={FIELD: "2 soldier"}, lorium=1, discovery=["D51"])
    other = {"faction": "F10", "units": {FIELD: "soldier"}, "captured": {0: "miner"}}
    t = bonus(table(engine, me, other, combats={FIELD: 0}, round=2), "upgrade", "recruit")
    cells = column(t)
    assert {CELL[c][1] for c in cells if c in CELL} == (
        {"blue", "yellow", "green", "purple"} if mine else {"blue", "yellow"}
    )
    assert {"play_card", "gain_card"} <= cells


@pytest.mark.card("F06")
@pytest.mark.rule("V7.4", "V8.1")
def test_encore(engine: str) -> None:
    """At the end of the turn a card for its Rewards, once in a cycle."""
    t = table(engine, of("F06", discovery=["D51", "D26"]), {}).turn("harvesters")
    t.skip("BONUS").do("bonus:gain_card")
    assert t.expect("RULE", 0).options() == ["done", "option:1"]
    kept = t.fork().do("done")
    assert kept.seat == 1
    t.do("option:1").answer("PLAY_CARD", "card:D51", seat=0)
    assert (t.player(0)["lorium"], "D51" in t.player(0)["discovery"], t.seat) == (3, False, 1)
    assert t.player(0)["once"] == [["F", 1]]
    t.turn("soldiers").end_turn().turn("battle")
    assert to_rule(t, "BURN").kind == "BURN"
    assert t.seat == 1


@pytest.mark.card("F06")
@pytest.mark.rule("V1.2", "V7.4")
def test_encore_comes_back_with_the_cycle(engine: str) -> None:
    """Used up in a position; free again after the Reset. Without cards it is not asked."""
    t = table(engine, of("F06", discovery=["D51"], once=[["F", 1]]), {}).turn("harvesters")
    assert to_rule(t, "BURN").seat == 1
    t = table(engine, of("F06"), {}).turn("harvesters").skip("BONUS").do("done")
    assert t.seat == 1
    board = [
        ["soldiers", "miners"],
        ["speakers", "battle"],
        ["recruit", "negotiate"],
        ["powermechs", "upgrade"],
    ]
    t = table(engine, of("F06", discovery=["D51"], once=[["F", 1]], board=board), {"board": board}, round=5)
    t.turn("harvesters").end_turn()
    t.turn("harvesters").end_turn()
    assert t.events("RESET")
    assert t.player(0)["once"] == []
    t.turn("harvesters")
    assert to_rule(t).seat == 0


# ------------------------------------------------------------------ F07
DECOY = ({"units": {"wetlands-5-4": "2 miner, soldier"}},)


def decoy(
    engine: str, me: dict[str, Any], them: dict[str, Any], *others: dict[str, Any], **more: Any
) -> Table:
    """A Combat of seat 0 (Those Behind the Wall) against seat 1 with others around."""
    return fight(engine, "2 soldier", "soldier", {**of("F07"), **me}, them, *others, **more)


@pytest.mark.card("F07")
@pytest.mark.rule("D7.8")
@pytest.mark.parametrize("attacker", [0, 1])
def test_now_you_see_me(engine: str, attacker: int) -> None:
    """The Units trade places with a third Faction's, which takes over side, role and First Strike."""
    t = decoy(engine, {}, {}, *DECOY, attacker=attacker, script=dice([4] * 9, [1] * 9))
    assert t.expect("RULE", 0).options() == ["done", "option:0"]
    t.do("option:0")
    assert t.units(0, "wetlands-5-4") == counted("2 soldier")
    assert t.units(2, FIELD) == counted("2 miner, soldier")
    assert t.attacker(FIELD) == (2 if attacker == 0 else 1)
    t.expect("STRIKE_OR_FLEE", 2)
    t.do("strike")
    assert strike_dice(t) == [(2, 3)]


@pytest.mark.card("F07")
@pytest.mark.rule("D7.8", "V1.2")
@pytest.mark.parametrize(
    ("them", "third", "more"),
    [
        ({}, {"units": {"wetlands-4-0": "soldier"}}, "reachable"),
        ({"units": {"wetlands-4-0": "soldier"}}, {}, "the enemy itself"),
        ({}, {"units": {"tundra-4-0": "soldier"}}, "too far"),
        ({"units": {"wetlands-4-1": "soldier"}}, {"units": {"wetlands-4-1": "soldier"}}, "Locked"),
        ({}, {"faction": "F20", "units": {"wetlands-4-0": "soldier"}}, "immune to drive"),
    ],
)
def test_decoys(engine: str, them: dict[str, Any], third: dict[str, Any], more: str) -> None:
    """A third Faction with Unlocked Units within two spaces is needed."""
    combats = {space("wetlands-4-1"): 1} if more == "Locked" else {}
    t = decoy(engine, {}, them, third, combats=combats)
    if more == "reachable":
        t.expect("RULE", 0)
    else:
        t.expect("STRIKE_OR_FLEE", 0)


@pytest.mark.card("F07")
@pytest.mark.rule("D7.8", "V7.4")
def test_now_you_see_me_once_a_turn(engine: str) -> None:
    """In the second Combat of the turn it is used up; it works in others' turns, too."""
    second = space("wetlands-5-0")
    me = {"units": {second: "soldier"}}
    them = {"units": {second: "soldier"}}
    t = decoy(engine, me, them, *DECOY, combats={second: 0}, script=dice([1] * 30, [1] * 9))
    t.answer("COMBAT", FIELD).do("option:0").answer("STRIKE_OR_FLEE", "flee", seat=2)
    t.do(sorted(t.spaces())[0]).skip({"STRIKE_OR_FLEE", "RULE"})
    assert (t.kind, t.seat) == ("STRIKE_OR_FLEE", 0)
    assert len(rules(t)) == 1
    t = fight(engine, "soldier", "2 soldier", of("F18"), of("F07"), *DECOY, script=dice([1] * 9))
    t.answer("RULE", "option:0", seat=1)
    assert t.units(2, FIELD) == counted("2 miner, soldier")
    t.expect("STRIKE_OR_FLEE", 0)


@pytest.mark.card("F07")
@pytest.mark.rule("K4.7")
def test_ramparts(engine: str) -> None:
    """A Shield as the Defender, none as the Attacker."""
    for attacker, shield in ((0, True), (1, False)):
        t = fight(engine, "soldier", "soldier", {}, of("F07"), attacker=attacker, script=dice([4]))
        t.do("strike")
        assert (t.kind == "SHIELD_DIE") == shield
        assert t.seat == (1 if shield else 0)


# ------------------------------------------------------------------ F08
@pytest.mark.card("F08")
@BOTH
def test_procession(engine: str, mine: bool) -> None:
    """Speakers 4 spaces, Soldiers 3."""
    me = of("F08", mine, units={A: "speaker", C: "soldier"})
    t = table(engine, me, {"faction": "F10"}).turn("speakers").do(A)
    assert destinations(t) == reach(space(A), 3 + mine, TWO_SHIPS[1:]) - set(TWO_SHIPS)
    t = table(engine, me, {"faction": "F10"}).turn("soldiers").do(C)
    assert destinations(t) == reach(space(C), 3, TWO_SHIPS[1:]) - set(TWO_SHIPS)


@pytest.mark.card("F08")
@pytest.mark.rule("V7.9")
def test_burning_verse(engine: str) -> None:
    """An opponent's flag next to a Speaker goes, once in the Speakers card; not a neutral or own one."""
    tiles = {NEXT: "camp", "tundra-4-1": "outpost", B: "camp", A: "camp"}
    control = {NEXT: 1, "tundra-4-1": 1, B: 1, A: 0}
    me = of("F08", units={A: "speaker"})
    t = table(engine, me, {}, tiles=tiles, control=control).turn("speakers")
    t.answer("RULE", "option:1", seat=0)
    assert t.expect("REWARD_HABITAT", 0).spaces() == {space(NEXT), space("tundra-4-1")}
    t.do(NEXT)
    assert t.controller(NEXT) is None
    assert to_rule(t, "BONUS").kind == "BONUS"
    t = table(engine, me, {}, tiles=tiles, control=control).turn("soldiers")
    assert to_rule(t, "BONUS").kind == "BONUS", "another card"
    t = table(engine, me, {}, tiles=tiles, control={A: 0, B: 1}).turn("speakers")
    assert to_rule(t, "BONUS").kind == "BONUS", "no flag in reach"


# ------------------------------------------------------------------ F09
@pytest.mark.card("F09")
@BOTH
def test_by_decree(engine: str, mine: bool) -> None:
    """One Soldier more than Influence allows."""
    t = table(engine, of("F09", mine), {"faction": "F10"}).turn("recruit")
    influence = t.state.influence(0)
    spent = 0
    while t.kind == "RECRUIT_TYPE" and "unit:soldier" in t.options():
        t.do("unit:soldier")
        spent += 1
    assert spent == influence + mine


@pytest.mark.card("F09")
@pytest.mark.rule("V7.1", "V7.4")
def test_tribute(engine: str) -> None:
    """1 Lorium of the player who loses a Habitat to the owner, once a turn; not for a neutral one."""
    me = of("F09", units={A: "speaker", B: "speaker"})
    tiles = {A: "camp", B: "camp"}
    t = table(engine, me, {"lorium": 3}, tiles=tiles, control={A: 1, B: 1}).turn("speakers")
    t.do("done").skip("ACT_SPACE").do(A, B)
    assert [t.player(seat)["lorium"] for seat in (0, 1)] == [1, 2]
    assert (rules(t), t.controller(A), t.controller(B)) == ([(0, 1)], 0, 0)
    t = table(engine, me, {"lorium": 3}, tiles=tiles).turn("speakers").do("done").skip("ACT_SPACE").do(A, B)
    assert t.player(1)["lorium"] == 3
    t = table(engine, of("F09", units={A: "soldier"}), {"lorium": 3}, tiles=tiles, control={A: 1})
    t.turn("soldiers").do("done").skip("ACT_SPACE").do(A)
    assert (t.controller(A), t.player(1)["lorium"]) == (None, 3), "Neutralized, not taken"
    t = table(
        engine, {"units": {A: "speaker"}, **of("F18")}, of("F09", lorium=1), tiles=tiles, control={A: 1}
    )
    t.turn("speakers").do("done").skip("ACT_SPACE").do(A)
    assert t.player(1)["lorium"] == 1, "the loser gets nothing"
    t = table(engine, me, {}, tiles=tiles, control={A: 1}).turn("speakers").do("done").skip("ACT_SPACE").do(A)
    assert rules(t) == [], "nothing to steal"


# ------------------------------------------------------------------ F10
@pytest.mark.card("F10")
@BOTH
def test_shared_shifts(engine: str, mine: bool) -> None:
    """One card more for Exploring, however many Miners."""
    me = of("F10", mine, units={A: "2 miner", B: "miner"})
    t = table(engine, me, {"faction": "F26"}, tiles={A: "explorable", B: "lorium"}).turn("miners")
    t.do("done").skip("ACT_SPACE").do(A, A, B)
    assert (len(t.events("DRAW")), t.player(0)["lorium"]) == (2 + mine, 1)


@pytest.mark.card("F10")
@BOTH
def test_common_store(engine: str, mine: bool) -> None:
    t = table(engine, of("F10", mine, lorium=9), {"faction": "F26"}).turn("harvesters").end_turn()
    assert t.player(0)["lorium"] == (7 if mine else 5)


# ------------------------------------------------------------------ F11
@pytest.mark.card("F11")
@BOTH
def test_fault_maps(engine: str, mine: bool) -> None:
    """Two tokens drawn, one kept; only for tokens the owner draws."""
    t = table(
        engine, of("F11", mine, units={A: "powermech"}), {"faction": "F10"}, cysmograph=BRINK,
        script={"fracture_token": ["savannah-1", "savannah-6"]},
    )  # fmt: skip
    quake(t)
    assert rolled(t, "fracture_token") == 1 + mine
    if mine:
        t.expect("KEEP_TOKEN", 0).do("option:1")
        assert "savannah-1" in t.snapshot()["bag"]
        assert t.tile("savannah-6-0") == "none"
    t = collapse(engine, of("F11"), {}, "savannah-1")
    assert rolled(t, "fracture_token") == 1


@pytest.mark.card("F11")
def test_field_notes(engine: str) -> None:
    """At the start of the turn the top card is left or discarded."""
    t = table(engine, of("F11"), {}, discovery={"draw": ["D19", "D26"]})
    assert t.expect("RULE", 0).options() == ["done", "option:1"]
    t.do("option:1")
    assert t.expect("SCRY_PUT", 0).options() == ["option:0", "option:1"]
    kept, gone = t.fork().do("option:0").snapshot(), t.fork().do("option:1").snapshot()
    assert (kept["discovery"]["draw"][0], kept["discovery"]["discard"]) == ("D19", [])
    assert (gone["discovery"]["draw"][0], gone["discovery"]["discard"]) == ("D26", ["D19"])
    t = table(engine, of("F18"), of("F11"))
    assert t.kind == "BURN", "not in others' turns"


# ------------------------------------------------------------------ F12
@pytest.mark.card("F12")
@pytest.mark.rule("V7.7")
@pytest.mark.parametrize(("attacker", "first"), [(0, 1), (1, 0)])
def test_ready_rifles(engine: str, attacker: int, first: int) -> None:
    """First Strike as the Defender only."""
    fight(engine, "soldier", "soldier", {}, of("F12"), attacker=attacker).expect("STRIKE_OR_FLEE", first)


@pytest.mark.card("F12")
@pytest.mark.parametrize(
    ("attacker", "target", "hit"), [(0, "soldier", False), (1, "soldier", True), (0, "miner", True)]
)
def test_dug_in(engine: str, attacker: int, target: str, hit: bool) -> None:
    """Soldiers of the Defender have Health 5, other Troops the printed one."""
    script = dice([1, 4] if target == "soldier" else [4], [1])
    t = fight(engine, "soldier", f"{target}", {}, of("F12"), attacker=attacker, script=script)
    if attacker == 0:
        t.answer("STRIKE_OR_FLEE", "strike", seat=1)  # Ready Rifles
        if t.kind == "REROLL_DIE":
            t.do("done")
    else:
        t = fight(engine, "soldier", target, {}, of("F12"), attacker=attacker, script=dice([4]))
    t.answer("STRIKE_OR_FLEE", "strike", seat=0)
    assert (t.kind == "HITS") == hit


# ------------------------------------------------------------------ F13
@pytest.mark.card("F13")
@BOTH
def test_piecework(engine: str, mine: bool) -> None:
    """Two Influence of Troops less for a Module built by hand."""
    me = of("F13", mine, blueprints=["fuel_cells"], lorium=4, units={A: "3 soldier", B: "3 soldier"})
    t = bonus(table(engine, me, {"faction": "F10"}), "harvesters").do("bonus:construct")
    while t.kind in ("RECALL_SPACE", "RECALL_TYPE"):
        t.do(t.options()[0])
    assert sum(e[4] == 1 for e in t.events("LEAVE")) == (2 if mine else 4)


@pytest.mark.card("F13")
@pytest.mark.rule("V7.4")
def test_completion_bonus(engine: str) -> None:
    """A card for building, once a turn; not when others build."""
    me = of("F13", blueprints=["crew_bridge", "control_systems"], lorium=5)
    t = bonus(table(engine, me, {}), "harvesters").do("bonus:construct", "module:crew_bridge")
    assert (rules(t), len(t.player(0)["discovery"])) == ([(0, 1)], 1)
    t = bonus(table(engine, {**me, "units": {A: "soldier"}}, {}), "upgrade").do("bonus:hand_action")
    pick(t, "COMMAND_CARD", "command:colony_ship").do("action:robotic", TWO_SHIPS[0])
    t.do("module:crew_bridge")
    pick(t, "CONSTRUCT", "module:control_systems")
    assert len(t.events("MODULE")) == 2
    assert (rules(t), len(t.player(0)["discovery"])) == ([(0, 1)], 1)
    t = table(
        engine,
        {**of("F18"), "blueprints": ["crew_bridge"], "lorium": 2, "units": {A: "2 soldier"}},
        of("F13"),
    )
    bonus(t, "harvesters").do("bonus:construct")
    assert (len(t.events("MODULE")), rules(t)) == (1, [])


# ------------------------------------------------------------------ F14
@pytest.mark.card("F14")
@BOTH
def test_open_doors(engine: str, mine: bool) -> None:
    """Neutral Habitats in or next to a Speaker's space are Deploy Locations."""
    me = of("F14", mine, units={A: "speaker"})
    tiles = {A: "camp", NEXT: "camp", "tundra-4-1": "camp", B: "camp"}
    t = table(engine, me, {"faction": "F10"}, tiles=tiles, control={"tundra-4-1": 1}).turn("recruit")
    t.do("unit:soldier", "done").expect("DEPLOY_SPACE")
    assert t.spaces() == SIDES[TWO_SHIPS[0]] | ({space(A), space(NEXT)} if mine else set())


@pytest.mark.card("F14")
@pytest.mark.rule("V1.2", "V1.3")
def test_mutual_aid(engine: str) -> None:
    """A card buys one captive Troop back at the start of the turn."""
    them = {"captured": {0: "soldier, miner, harvester"}}
    t = table(engine, of("F14", discovery=["D19", "D26"]), them)
    assert t.expect("RULE", 0).options() == ["done", "option:1"]
    t.do("option:1").answer("PAY_CARD", "card:D19", seat=0)
    pick(t, "RESCUE_HOLDER", "player:1")
    assert t.expect("RESCUE_TYPE", 0).options() == ["unit:soldier", "unit:miner"]
    t.do("unit:miner")
    assert t.captured(1, 0) == counted("soldier, harvester")
    assert [e[1:] for e in t.events("RELEASE")] == [(1, 0, 1, 0)]
    assert t.player(0)["discovery"] == ["D26"]
    for me, other in ((of("F14"), them), (of("F14", discovery=["D19"]), {})):
        assert table(engine, me, other).kind == "BURN"


# ------------------------------------------------------------------ F15
@pytest.mark.card("F15")
@pytest.mark.rule("V7.4")
def test_interest(engine: str) -> None:
    """1 Lorium when an opponent's Units produced Lorium, once a round; not for cards or Bonus Lorium."""
    me = {**of("F18"), "units": {A: "miner", B: "miner", C: "harvester"}}
    t = table(engine, me, of("F15"), tiles={A: "lorium", B: "lorium", C: "lorium"}).turn("miners")
    t.do("done").skip("ACT_SPACE").do(A).answer("ACT_SPACE", B, seat=0)
    assert [t.player(s)["lorium"] for s in (0, 1)] == [2, 1]
    assert t.player(1)["once"] == [["F", 0]]
    t = table(engine, me, of("F15", once=[["F", 0]]), tiles={A: "lorium", B: "lorium"}).turn("miners")
    t.do("done").skip("ACT_SPACE").do(A, B)
    assert t.player(1)["lorium"] == 0
    t = (
        table(engine, me, of("F15"), tiles={A: "explorable"})
        .turn("miners")
        .do("done")
        .skip("ACT_SPACE")
        .do(A)
    )
    assert t.player(1)["lorium"] == 0
    t = bonus(table(engine, me, of("F15")), "speakers").do("bonus:two_lorium")
    assert t.player(1)["lorium"] == 0
    t = table(engine, of("F15", units={A: "miner"}), {}, tiles={A: "lorium"}).turn("miners")
    t.do("done").skip("ACT_SPACE").do(A)
    assert t.player(0)["lorium"] == 1, "not for the own Units"


@pytest.mark.card("F15")
@pytest.mark.rule("V1.8")
@BOTH
def test_double_entry(engine: str, mine: bool) -> None:
    """Stealing is not possible; making the owner give something up is."""
    them = of("F15", mine, lorium=3, discovery=["D19"])
    for card, possible in (("D42", not mine), ("D43", not mine), ("D44", True)):
        t = bonus(table(engine, {"faction": "F10", "discovery": [card]}, them), "harvesters")
        t.do("bonus:play_card")
        modes = t.options() if t.kind == "PLAY_MODE" else [f"option:{m - 32}" for m in asked(t, "PLAY_MODE")]
        assert ("option:0" in modes) == possible, card


# ------------------------------------------------------------------ F16
@pytest.mark.card("F16")
@BOTH
def test_deep_veins(engine: str, mine: bool) -> None:
    """Two Lorium for each Miner that Mines."""
    me = of("F16", mine, units={A: "2 miner", B: "miner"})
    t = table(engine, me, {"faction": "F10"}, tiles={A: "lorium", B: "explorable"}).turn("miners")
    t.do("done").skip("ACT_SPACE").do(A, A, B)
    assert (t.player(0)["lorium"], len(t.events("DRAW"))) == (4 if mine else 2, 1)


@pytest.mark.card("F16")
@pytest.mark.parametrize(
    ("target", "die", "hit"), [("miner", 3, False), ("miner", 4, True), ("speaker", 3, True)]
)
def test_stone_hides(engine: str, target: str, die: int, hit: bool) -> None:
    t = fight(engine, "soldier", target, {}, of("F16"), script=dice([die])).do("strike")
    if t.kind == "SHIELD_DIE":
        t.do("done")
    assert (t.kind == "HITS") == hit


# ------------------------------------------------------------------ F17
@pytest.mark.card("F17")
@pytest.mark.rule("V7.3", "V8.1")
def test_any_shape_and_pattern_memory(engine: str) -> None:
    """At the start of the turn, in any order: one Troop becomes another; a card brings a Burned one back."""
    me = of("F17", units={A: "soldier", B: "harvester"}, discovery=["D19"], board=[["battle", "recruit"]])
    t = table(engine, me, {}, round=2)
    assert t.expect("RULE", 0).options() == ["done", "option:0", "option:1"]
    t.do("option:1")
    assert (t.player(0)["discovery"], t.player(0)["board"][0]) == ([], [None, "recruit"]), "Burned cards only"
    assert t.expect("RULE", 0).options() == ["done", "option:0"]
    t.do("option:0")
    assert t.expect("PROMOTE_TO", 0).options() == ["unit:miner", "unit:speaker"]
    t.do("unit:speaker")
    assert t.units(0, A) == counted("speaker")
    assert t.player(0)["once"] == [["F", 0], ["F", 1]]
    t.expect("BURN", 0)


@pytest.mark.card("F17")
@pytest.mark.rule("V1.2")
def test_no_shape_no_memory(engine: str) -> None:
    """Locked Troops and Vehicles keep their shape; without a card, or a Burned one, nothing comes back."""
    for me, combats in (
        (of("F17", units={A: "soldier"}), {A: 0}),
        (of("F17", units={A: "harvester"}), {A: 0}),
        (of("F17", board=[["battle", "recruit"]]), {}),
        (of("F17", discovery=["D19"]), {}),
        (of("F17", discovery=["D19"], board=[["battle", "recruit"]], once=[["F", 1]]), {}),
    ):
        them = {"units": {A: "soldier"}} if combats else {}
        assert table(engine, me, them, combats=combats, round=2).kind == "BURN"


# ------------------------------------------------------------------ F18
@pytest.mark.card("F18")
@pytest.mark.rule("V1.2")
def test_the_quiet_hand_waits_for_espionage(engine: str) -> None:
    """No Espionage Card can be gained in this version: no informants to pay, nothing to draw for."""
    t = table(engine, of("F18", lorium=5), {})
    assert t.kind == "BURN"
    t.turn("harvesters").end_turn()
    assert (rules(t), t.player(0)["lorium"]) == ([], 5)


# ------------------------------------------------------------------ F19
@pytest.mark.card("F19")
def test_children_of_the_quake(engine: str) -> None:
    """A Tremor for 1 Lorium at the start of the own turn; a Fracture it causes comes first."""
    t = table(engine, of("F19"), {})
    assert t.expect("RULE", 0).options() == ["done", "option:0"]
    kept = t.fork().do("done")
    assert kept.events("TREMOR") == []
    t.do("option:0")
    assert ([e[1] for e in t.events("TREMOR")], t.player(0)["lorium"]) == ([0], 1)
    t = table(engine, of("F19"), {}, cysmograph=BRINK, script={"fracture_token": ["tundra-6"]}).do("option:0")
    assert (t.tile("tundra-6-0"), t.player(0)["lorium"]) == ("none", 1)
    assert table(engine, of("F18"), of("F19")).kind == "BURN", "not in others' turns"


@pytest.mark.card("F19")
@pytest.mark.parametrize(("unit", "mine"), [("soldier", True), ("soldier", False), ("speaker", True)])
def test_salamanders(engine: str, unit: str, mine: bool) -> None:
    """Soldiers and Powermechs escape, Speakers do not."""
    t = collapse(engine, of("F19", mine, units={A: unit}), {"faction": "F10"}, "tundra-5")
    saved = mine and unit == "soldier"
    assert (t.kind == "ESCAPE") == saved
    if saved:
        assert t.seat == 0


# ------------------------------------------------------------------ F20
@pytest.mark.card("F20")
@pytest.mark.rule("V1.8")
@BOTH
def test_calm_hearts(engine: str, mine: bool) -> None:
    """No target of Manipulated, of Shell Game or of Confusion."""
    me = {"faction": "F01", "units": {A: "speaker", C: "soldier"}}
    t = table(engine, me, of("F20", mine, units={NEXT: "soldier"})).turn("speakers")
    assert (to_rule(t, "BONUS").kind == "RULE") == (not mine)
    for card in ("D05", "D53", "D41"):
        t = table(
            engine, {**me, "faction": "F10", "discovery": [card]}, of("F20", mine, units={NEXT: "soldier"})
        )
        bonus(t, "harvesters").do("bonus:play_card")
        modes = t.options() if t.kind == "PLAY_MODE" else [f"option:{m - 32}" for m in asked(t, "PLAY_MODE")]
        assert ("option:0" in modes) == (not mine), card


@pytest.mark.card("F20")
@pytest.mark.rule("V7.4")
def test_kept_promises(engine: str) -> None:
    """A card for a Habitat taken or neutralized by an opponent, once a round."""
    tiles = {A: "camp", B: "camp"}
    for card, units in (
        ("speakers", {A: "speaker", B: "speaker"}),
        ("soldiers", {A: "soldier", B: "soldier"}),
    ):
        t = table(engine, {**of("F18"), "units": units}, of("F20"), tiles=tiles, control={A: 1, B: 1})
        t.turn(card).do("done").skip("ACT_SPACE").do(A, B)
        assert (len(t.player(1)["discovery"]), rules(t)) == (1, [(1, 1)])
        assert 1 not in (t.controller(A), t.controller(B))
    t = table(engine, {**of("F18"), "units": {A: "speaker"}}, of("F20"), tiles=tiles)
    t.turn("speakers").do("done").skip("ACT_SPACE").do(A)
    assert rules(t) == [], "a neutral one"
    t = collapse(engine, of("F20"), {}, "tundra-5", tiles=tiles, control={A: 0})
    assert (t.controller(A), rules(t)) == (None, []), "a Collapse is no effect"


# ------------------------------------------------------------------ F21
@pytest.mark.card("F21")
@BOTH
def test_tunnel_rights(engine: str, mine: bool) -> None:
    """TUNL spaces next to a Miner or Harvester; all of them when one stands on a TUNL."""
    me = of("F21", mine, units={A: "miner", C: "soldier"})
    tiles = {NEXT: "tunl", C: "tunl", B: "tunl"}
    t = table(engine, me, {"faction": "F10"}, tiles=tiles).turn("recruit")
    t.do("unit:soldier", "done").expect("DEPLOY_SPACE")
    assert t.spaces() == SIDES[TWO_SHIPS[0]] | ({space(NEXT)} if mine else set())
    me = of("F21", mine, units={B: "harvester"})
    t = table(engine, me, {"faction": "F10"}, tiles=tiles).turn("recruit")
    t.do("unit:soldier", "done").expect("DEPLOY_SPACE")
    assert t.spaces() == SIDES[TWO_SHIPS[0]] | ({space(s) for s in (NEXT, C, B)} if mine else set())


@pytest.mark.card("F21")
@BOTH
def test_quick_picks(engine: str, mine: bool) -> None:
    t = table(engine, of("F21", mine, units={A: "miner"}), {"faction": "F10"}).turn("miners").do(A)
    assert destinations(t) == reach(space(A), 2 + mine, TWO_SHIPS[1:]) - set(TWO_SHIPS)


# ------------------------------------------------------------------ F22
@pytest.mark.card("F22")
@pytest.mark.rule("T4.8")
@BOTH
def test_soft_landings(engine: str, mine: bool) -> None:
    """No Tremor for jumps and Dropships; Harvests shake as ever."""
    me = of("F22", mine, units={A: "harvester", B: "powermech", C: "soldier"}, lorium=9)
    them = {"faction": "F10"}
    assert len(quake(table(engine, me, them)).events("TREMOR")) == (not mine)
    t = table(engine, me, them).turn("upgrade").answer("UPGRADE_SPACE", C)
    assert len(t.events("TREMOR")) == (not mine)
    t = table(engine, me, them, tiles={A: "lorium"}).turn("harvesters").do("done").skip("ACT_SPACE").do(A)
    assert len(t.events("TREMOR")) == 1


@pytest.mark.card("F22")
@BOTH
def test_bulk_freight(engine: str, mine: bool) -> None:
    """Powermechs for 2 Lorium; with a Dropship for 3."""
    beside = min(SIDES[TWO_SHIPS[0]])
    for where, price in ((beside, 2), (A, 3)):
        me = of("F22", mine, units={where: "soldier"}, lorium=price)
        t = table(engine, me, {"faction": "F10"}).turn("upgrade").skip({"UPGRADE_SPACE", "BONUS"})
        assert (t.kind == "UPGRADE_SPACE") == mine
        if mine:
            assert t.do(where).player(0)["lorium"] == 0
    me = of("F22", mine, units={beside: "miner"}, lorium=1)
    t = table(engine, me, {"faction": "F10"}).turn("upgrade").answer("UPGRADE_SPACE", beside)
    assert t.player(0)["lorium"] == 0, "Harvesters cost 1"


# ------------------------------------------------------------------ F23
@pytest.mark.card("F23")
@pytest.mark.rule("V7.4", "V2.4")
def test_no_one_left(engine: str) -> None:
    """Of the Units defeated in a Strike one goes home, the first time in a turn; its player chooses."""
    them = of("F23")
    t = fight(engine, "3 soldier", "soldier, miner", {}, them, script=dice([4, 4, 1])).do("strike", "hits:3")
    assert t.expect("UNIT_TYPE", 1).options() == ["unit:soldier", "unit:miner"]
    t.do("unit:soldier")
    assert t.captured(0, 1) == counted("miner")
    assert [e[1:] for e in t.events("LEAVE")] == [(1, 0, FIELD, 1)]
    t = fight(engine, "3 soldier", "2 soldier", {}, them, script=dice([4, 1, 1, 1, 4, 1, 1]))
    t.do("strike", "hits:1").do("strike", "strike", "hits:1")
    assert t.captured(0, 1) == counted("soldier"), "the second time in the turn"
    assert rules(t) == [(1, 0)]


@pytest.mark.card("F23")
def test_someone_left(engine: str) -> None:
    """Not when an effect captures or destroys, nor in a Final Strike, nor for the enemy's Units."""
    t = fight(engine, "soldier", "2 soldier", {}, of("F23"), play=None, round=3)
    bonus(t, "harvesters").do("bonus:capture_troop")
    assert (t.captured(0, 1), rules(t)) == (counted("soldier"), [])
    t = fight(engine, "soldier", "soldier", of("F23"), script=dice([4]))
    t.do("flee").do(sorted(t.spaces())[0]).answer("FINAL_STRIKE", "yes", seat=1).answer("HITS", "hits:1")
    assert (t.captured(1, 0), rules(t)) == (counted("soldier"), [])
    t = fight(engine, "soldier", "soldier", of("F23"), script=dice([4], blue=["reroll yellow"])).do("strike")
    if t.kind == "DIE":
        t.do("done")
    assert t.do("hits:1").captured(0, 1) == counted("soldier")


@pytest.mark.card("F23")
@pytest.mark.rule("K4.2")
@pytest.mark.parametrize("attacker", [0, 1])
def test_drilled_volley(engine: str, attacker: int) -> None:
    """A red die may be rerolled as the Attacker, yellow ones and the Defender's not."""
    t = fight(
        engine, "soldier, miner", "soldier", of("F23"), attacker=attacker,
        script=dice([2, 4], [1], ["+1"], ["+1"]),
    ).do("strike")  # fmt: skip
    if attacker == 0:
        assert t.expect("DIE", 0).options() == ["done", "die:0"]
        t.do("die:0").answer("VALUE_DIE", "die:1", seat=0)
        t.expect("HITS", 0)
    else:
        t.expect("VALUE_DIE", 0)


# ------------------------------------------------------------------ F24
@pytest.mark.card("F24")
@pytest.mark.rule("V1.4")
@pytest.mark.parametrize(("roll", "more"), [(3, -1), (4, 2)])
def test_double_or_nothing(engine: str, roll: int, more: int) -> None:
    """Two red dice more in the first own Strike on 4 or higher, else one less; later Strikes as ever."""
    script = dice([roll] + [1] * 20)
    t = fight(engine, "2 soldier", "soldier", of("F24"), script=script)
    t.answer("RULE", "option:0", seat=0)
    t.do("strike", "strike", "strike")
    assert strike_dice(t) == [(0, 2 + more), (1, 1), (0, 2)]
    t = fight(engine, "soldier", "2 soldier", {}, of("F24"), script=script).answer("RULE", "option:0", seat=1)
    t.do("strike", "strike")
    assert strike_dice(t) == [(0, 1), (1, 2 + more)], "whoever strikes first"


@pytest.mark.card("F24")
@pytest.mark.rule("V7.3")
def test_nobody_has_to_wager(engine: str) -> None:
    """It can be declined; bystanders are not asked."""
    t = fight(engine, "2 soldier", "soldier", of("F24"), script=dice([1] * 9)).answer("RULE", "done", seat=0)
    assert (rolled(t, "red_die"), t.kind) == (0, "STRIKE_OR_FLEE")
    fight(engine, "soldier", "soldier", {}, {}, of("F24")).expect("STRIKE_OR_FLEE", 0)


@pytest.mark.card("F24")
@pytest.mark.rule("K5.1")
@pytest.mark.parametrize(
    ("cards", "die", "hit"), [(["D19"], 2, True), (["D19"], 1, False), (["D23"], 1, True)]
)
def test_marked_cards(engine: str, cards: list[str], die: int, hit: bool) -> None:
    """+1 counts as +2, +2 as +3."""
    t = fight(engine, "soldier", "soldier", of("F24", discovery=cards), script=dice([die]))
    t.answer("RULE", "done", seat=0).do("strike").answer("MODIFIER_CARD", f"card:{cards[0]}", seat=0)
    assert (t.kind == "HITS") == hit


@pytest.mark.card("F24")
@pytest.mark.rule("K5.1", "X1.5")
def test_marked_cards_away_from_zero(engine: str) -> None:
    """-1 of the owner counts as -2; an enemy's card as printed; a Cyber Attack is no exception."""
    t = fight(
        engine, "soldier", "soldier", {"discovery": ["D19"]}, of("F24", discovery=["D20"]), script=dice([4])
    )
    t.answer("RULE", "done", seat=1).do("strike").answer("MODIFIER_CARD", "card:D19", seat=0)
    t.answer("MODIFIER_CARD", "card:D20", seat=1)
    assert t.kind != "HITS", "4 + 1 - 2"
    me = of("F24", units={"forest-4-1": "soldier"}, discovery=["D19"])
    t = table(engine, me, {}, round=4, script=dice([3]))
    bonus(t, "harvesters").do("bonus:cyber_attack").answer("MODIFIER_CARD", "card:D19", seat=0)
    assert "fuel_cells" in t.player(0)["blueprints"], "3 + 2 = 5"


# ------------------------------------------------------------------ F25
@pytest.mark.card("F25")
@BOTH
def test_long_wires(engine: str, mine: bool) -> None:
    """A Ship two spaces away can be attacked, three are too far."""
    for at, far in (("forest-4-0", 2), ("forest-3-0", 2), ("forest-2-0", 3)):
        t = table(
            engine, of("F25", mine, units={at: "soldier"}), {"faction": "F10"}, round=4, script=dice([1])
        )
        distance = min(n for n in range(7) if TWO_SHIPS[1] in reach(space(at), n))
        assert ("cyber_attack" in column(bonus(t, "harvesters"))) == (mine and distance <= 2), far


@pytest.mark.card("F25")
@pytest.mark.rule("V1.8")
@BOTH
def test_plausible_denial(engine: str, mine: bool) -> None:
    """Opponents' effects discard nothing of the owner; Cyber Attacks on the owner roll one die less."""
    them = of("F25", mine, lorium=2, discovery=["D19"], slots=[{"relic": "R16"}, None])
    me = {"faction": "F10", "units": {"forest-4-1": "2 soldier, powermech"}, "discovery": ["D44"]}
    t = bonus(table(engine, me, them, round=4, script=dice([1] * 9)), "harvesters")
    one = t.fork().do("bonus:play_card")
    modes = (
        one.options() if one.kind == "PLAY_MODE" else [f"option:{m - 32}" for m in asked(one, "PLAY_MODE")]
    )
    assert ("option:0" in modes) == (not mine)
    t.do("bonus:cyber_attack").do("unit:powermech")
    assert rolled(t, "red_die") == (3 if mine else 4)
    t = bonus(table(engine, {**me, "discovery": []}, them, round=4), "speakers")
    assert ("discard_relic" in column(t)) == (not mine)
    t = bonus(table(engine, {**me, "discovery": ["D43"]}, them), "harvesters").do("bonus:play_card")
    assert t.expect("PLAY_MODE").options() == ["option:0", "option:1"], "stealing is another matter"


# ------------------------------------------------------------------ F26
@pytest.mark.card("F26")
@BOTH
def test_caravan_and_ford(engine: str, mine: bool) -> None:
    """Vehicles one space further and through Lakes, not through Mountains; Troops neither."""
    me = of("F26", mine, units={A: "harvester", C: "soldier"})
    them = {"faction": "F10"}
    t = table(engine, me, them).turn("harvesters").do(A)
    assert destinations(t) == reach(space(A), 2 + mine, TWO_SHIPS[1:]) - set(TWO_SHIPS)
    ring = SIDES[space(A)]
    t = table(engine, me, them, tiles=dict.fromkeys(ring, "lake")).turn("harvesters").do(A)
    assert destinations(t) == ((reach(space(A), 3) - ring) if mine else {space(A)})
    t = table(engine, me, them, tiles=dict.fromkeys(ring, "mountain")).turn("harvesters").do(A)
    assert destinations(t) == {space(A)}
    around = SIDES[space(C)]
    t = table(engine, me, them, tiles=dict.fromkeys(around, "lake")).turn("soldiers").do(C)
    assert destinations(t) == {space(C)}


# ------------------------------------------------------------------ F27
@pytest.mark.card("F27")
@BOTH
def test_emergency_session(engine: str, mine: bool) -> None:
    """Green counts whatever is Played."""
    t = bonus(table(engine, of("F27", mine), {"faction": "F10"}), "harvesters")
    assert ("deploy_one" in column(t)) == mine


@pytest.mark.card("F27")
@pytest.mark.rule("V7.1", "V7.3")
def test_sealed_cabinet(engine: str) -> None:
    """When an opponent gains a Blueprint a card buys one of the top three Relics."""
    me = {**of("F18"), "captured": {1: "harvester"}}
    them = of("F27", discovery=["D19"])
    t = table(engine, me, them, relics={"draw": ["R10", "R06", "R08"]})
    bonus(t, "harvesters").do("bonus:gain_blueprint")
    assert t.expect("RULE", 1).options() == ["done", "option:1"]
    declined = t.fork().do("done")
    assert declined.player(1)["discovery"] == ["D19"]
    t.do("option:1")
    relics = [card.id for card in t.game.content.relics]
    assert [relics[a - CARD] for a in t.expect("SCRY_KEEP", 1).state.legal_actions()] == ["R06", "R08", "R10"]
    t.state.apply_action(CARD + relics.index("R08"))
    if t.kind == "RELIC_WINDOW":
        t.do("done")
    assert (t.player(1)["relics"], t.player(1)["discovery"]) == (["R08"], [])
    assert t.snapshot()["relics"]["draw"][-2:] == ["R10", "R06"]
    t = bonus(table(engine, me, of("F27")), "harvesters").do("bonus:gain_blueprint")
    assert (t.kind, t.seat) == ("BURN", 1), "no card to discard"
    t = bonus(table(engine, of("F27", captured={1: "harvester"}, discovery=["D19"]), {}), "harvesters")
    assert t.do("bonus:gain_blueprint").seat == 1, "not for the own Blueprints"
