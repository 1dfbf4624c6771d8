"""Words that narrow a card: Units, players and moments that are nearly meant, and are not.

In each case the card would work if one of its words were a wider one (``any`` for ``enemy``, a type, a space,
``once``); beside it stands a case in which it does work.
"""

from __future__ import annotations

from typing import Any

import pytest
from abilities import FIELD, asked, dice, fight, rolled, table
from geometry import NEAR
from plays import MODULES, pick
from scenario import Table, space
from scenario import units as counted

from cysmic_fast.vocabulary import OPTION

A, B, C, D = "tundra-5-1", "tundra-5-3", "wetlands-5-1", "wetlands-5-3"
NEXT = "tundra-5-2"  # beside A and B
BESIDE = sorted(NEAR[FIELD])
IDLE = {"faction": "F18"}


def of(faction: str, **more: Any) -> dict[str, Any]:
    return {"faction": faction, **more}


def rules(t: Table) -> list[int]:
    """Players whose Faction's rules have been performed, in order."""
    return [e[1] for e in t.events("RULE") if e[2] == 1]


def relic_rules(t: Table) -> int:
    """How many rules of Relics have been performed."""
    return sum(e[2] == 0 for e in t.events("RULE"))


def fought(t: Table, *until: str) -> Table:
    """Strikes, assigns hits and declines all else, up to a decision."""
    while t.kind not in {"BONUS", *until}:
        names = t.options()
        t.do("strike" if "strike" in names else "done" if "done" in names else names[-1])
    return t


def modes(t: Table, card: str) -> set[int]:
    """What a card of seat 0 may be played for: 0 its Ability, 1 its Rewards."""
    t.turn("speakers").skip("BONUS").do("bonus:play_card")
    if t.kind == "PLAY_CARD":
        t.do(f"card:{card}")
    if t.kind == "PLAY_MODE":
        return {int(name.split(":")[1]) for name in t.options()}
    return {action - OPTION for action in asked(t, "PLAY_MODE")[-1:]}


ABILITIES = [
    # Manipulated: a Soldier, not the Speaker that could join its own Combat.
    ("D05", {FIELD: "soldier"}, {FIELD: "soldier", BESIDE[0]: "speaker"}, {"combats": {FIELD: 1}}, False),
    ("D05", {FIELD: "soldier"}, {FIELD: "soldier", BESIDE[0]: "soldier"}, {"combats": {FIELD: 1}}, True),
    # Second Wind and Overdrive: own Troops, own Vehicles.
    ("D33", {}, {A: "soldier"}, {}, False),
    ("D33", {A: "harvester"}, {}, {}, False),
    ("D33", {A: "soldier"}, {}, {}, True),
    ("D34", {}, {A: "powermech"}, {}, False),
    ("D34", {A: "soldier"}, {}, {}, False),
    ("D34", {A: "powermech"}, {}, {}, True),
    # Whisper Campaign: next to an own Speaker, not to another own Troop or to a Speaker of the other player.
    ("D41", {A: "soldier", C: "speaker"}, {NEXT: "soldier", B: "speaker"}, {}, False),
    ("D41", {A: "speaker"}, {NEXT: "harvester"}, {}, False),
    ("D41", {A: "speaker"}, {NEXT: "soldier"}, {}, True),
]


@pytest.mark.card("D05", "D33", "D34", "D41")
@pytest.mark.rule("D5.5", "V1.2")
@pytest.mark.parametrize(("card", "mine", "theirs", "more", "works"), ABILITIES)
def test_whom_an_action_means(
    engine: str, card: str, mine: dict[Any, str], theirs: dict[Any, str], more: dict[str, Any], works: bool
) -> None:
    t = table(engine, {"units": mine, "discovery": [card]}, {"units": theirs}, **more)
    assert (0 in modes(t, card)) == works


# ------------------------------------------------------------------ Reactions
@pytest.mark.card("D16")
@pytest.mark.rule("V3.1")
@pytest.mark.parametrize(("theirs", "asks"), [("powermech", False), ("powermech, soldier", True)])
def test_sniper_aims_at_the_combat(engine: str, theirs: str, asks: bool) -> None:
    """Not at Troops elsewhere."""
    others = {"units": {A: "soldier"}}
    t = fight(engine, "soldier", theirs, {"discovery": ["D16"]}, others)
    assert (t.kind == "REACT") == asks


@pytest.mark.card("D71")
@pytest.mark.rule("V7.3")
@pytest.mark.parametrize("holder", [1, 2])
def test_bribed_guards_are_for_own_units(engine: str, holder: int) -> None:
    """A bystander is not asked about Units of others."""
    seats: list[dict[str, Any]] = [{}, {}, {}]
    seats[holder] = {"discovery": ["D71"], "lorium": 3}
    t = fight(engine, "2 soldier", "miner", *seats, script=dice([6] * 9, [5] * 9), closed=True)
    assert (fought(t, "REACT").kind == "REACT") == (holder == 1)
    assert holder == 1 or t.captured(0, 1) == counted("miner")


@pytest.mark.card("D78")
@pytest.mark.rule("V7.3")
@pytest.mark.parametrize(
    ("mine", "combats", "asks"),
    [
        ({B: "miner"}, {}, True),
        ({B: "soldier"}, {}, False),
        ({D: "miner"}, {}, False),
        ({B: "miner"}, {B: 1}, False),
    ],
    ids=["a Miner", "no Miner", "too far", "Locked"],
)
def test_tripwire_needs_an_unlocked_miner(
    engine: str, mine: dict[str, str], combats: dict[str, int], asks: bool
) -> None:
    """Beside the space that is entered."""
    theirs = {A: "soldier", **dict.fromkeys(combats, "soldier")}
    me = {"units": mine, "discovery": ["D78"]}
    t = table(engine, {"units": theirs}, me, combats={space(w): 0 for w in combats})
    t.turn("soldiers")
    pick(t, "ACT_SPACE", A)
    pick(t, "MOVE_TO", NEXT)
    assert (t.kind == "REACT") == asks


@pytest.mark.card("D79")
@pytest.mark.rule("L2.3")
@pytest.mark.parametrize("holder", [0, 1])
def test_pang_of_guilt_is_for_others(engine: str, holder: int) -> None:
    """Nobody is asked about an own Launch ($player is empty in it: ``by = "any"`` would be the same)."""
    seats: list[dict[str, Any]] = [
        {
            "units": {FIELD: "soldier"},
            "blueprints": list(MODULES),
            "modules": list(MODULES),
            "ship": "savannah-4-1",
        },
        {},
    ]
    seats[holder]["discovery"] = ["D79"]
    t = table(engine, *seats, script={"humanity_die": ["4"]}).turn("speakers")
    t.skip("LAUNCH").do("yes")
    assert (t.kind == "REACT") == (holder == 1)


# ------------------------------------------------------------------ Relics
@pytest.mark.card("R03")
@pytest.mark.rule("D6.3", "V7.4")
def test_pre_strike_in_each_combat(engine: str) -> None:
    """Twice in a turn with two Combats, and only Troops of the Combat itself."""
    t = fight(
        engine, "soldier", "powermech", {"active": "R03", "units": {A: "soldier"}},
        {"units": {A: "powermech", D: "soldier"}}, combats={space(A): 0}, script=dice([6] * 40, [1] * 40),
    )  # fmt: skip
    t.answer("COMBAT", FIELD, seat=0)
    assert (rolled(t, "red_die"), relic_rules(t)) == (1, 1)
    fought(t)
    assert relic_rules(t) == 2
    assert t.units(1, D) == counted("soldier"), "not in a Combat"


# ------------------------------------------------------------------ Factions
def section(engine: str, me: dict[str, Any], card: str, *others: dict[str, Any], **more: Any) -> set[str]:
    """Kinds of decisions of a turn in which nothing is done."""
    t = table(engine, me, *others, **more).turn(card)
    seen = set()
    while t.kind != "BONUS":
        seen.add(t.kind)
        t.do("done" if "done" in t.options() else t.options()[-1])
    return seen


SECTIONS = [
    # Cognitive Overload: next to an own Speaker.
    ("F01", {A: "soldier", C: "speaker"}, "speakers", {NEXT: "soldier", B: "speaker"}, {}, False),
    ("F01", {A: "speaker"}, "speakers", {NEXT: "soldier"}, {}, True),
    # Cyberlink: own Vehicles with a card of Troops, own Troops with a card of Vehicles.
    ("F04", {A: "soldier"}, "soldiers", {B: "powermech"}, {}, False),
    ("F04", {A: "soldier", C: "powermech"}, "soldiers", {}, {}, True),
    ("F04", {A: "powermech"}, "powermechs", {B: "soldier"}, {}, False),
    ("F04", {A: "powermech", C: "soldier"}, "powermechs", {}, {}, True),
    # Burning Verse: next to an own Speaker, not to the owner's.
    ("F08", {C: "speaker"}, "speakers", {NEXT: "speaker"}, {"tiles": {B: "camp"}, "control": {B: 1}}, False),
    ("F08", {NEXT: "speaker"}, "speakers", {}, {"tiles": {B: "camp"}, "control": {B: 1}}, True),
]


@pytest.mark.card("F01", "F04", "F08")
@pytest.mark.rule("V7.3")
@pytest.mark.parametrize(("faction", "mine", "card", "theirs", "more", "works"), SECTIONS)
def test_whom_a_section_means(
    engine: str, faction: str, mine: dict[str, str], card: str, theirs: dict[str, str], more: Any, works: bool
) -> None:
    seen = section(engine, of(faction, units=mine), card, {**IDLE, "units": theirs}, **more)
    assert ("RULE" in seen) == works


@pytest.mark.card("F17")
@pytest.mark.rule("V7.3")
@pytest.mark.parametrize(
    ("mine", "theirs", "works"),
    [({A: "powermech"}, {}, False), ({}, {A: "soldier"}, False), ({A: "soldier"}, {}, True)],
)
def test_any_shape_is_for_own_troops(
    engine: str, mine: dict[str, str], theirs: dict[str, str], works: bool
) -> None:
    t = table(engine, of("F17", units=mine), {**IDLE, "units": theirs})
    assert (t.kind == "RULE") == works


def take(engine: str, seats: list[dict[str, Any]], tiles: dict[str, str], control: dict[str, int]) -> Table:
    """Seat 0 Persuades the Habitat under its Speaker in A."""
    t = table(engine, *seats, tiles=tiles, control=control)
    return t.turn("speakers").do("done").skip("ACT_SPACE").do(A)


@pytest.mark.card("F09")
@pytest.mark.rule("V7.1")
@pytest.mark.parametrize(("owner", "paid"), [(0, 1), (2, 0)])
def test_tribute_is_for_own_conquests(engine: str, owner: int, paid: int) -> None:
    """Nothing for a Habitat that one opponent takes from another."""
    seats: list[dict[str, Any]] = [{"units": {A: "speaker"}, "lorium": 3}, {"lorium": 3}, {}]
    for seat, faction in enumerate(("F18", "F10", "F26")):
        seats[seat]["faction"] = "F09" if seat == owner else faction
    t = take(engine, seats, {A: "camp"}, {A: 1})
    left = [t.player(seat)["lorium"] for seat in (0, 1)]
    assert (t.controller(A), left, rules(t)) == (0, [3 + paid, 3 - paid], [owner] * paid)


@pytest.mark.card("F12")
@pytest.mark.rule("K4.9")
@pytest.mark.parametrize(
    ("target", "die", "hit"), [("miner", 3, True), ("soldier", 4, False), ("soldier", 5, True)]
)
def test_dug_in_is_for_soldiers(engine: str, target: str, die: int, hit: bool) -> None:
    """The printed Health of other Troops is enough, and a Soldier's is one short."""
    t = fight(
        engine,
        "soldier",
        target,
        IDLE,
        of("F12"),
        script=dice([1, die] if target == "soldier" else [die], [1] * 3),
    )
    t.answer("STRIKE_OR_FLEE", "strike", seat=1)  # Ready Rifles
    while t.kind != "STRIKE_OR_FLEE":
        t.do("done")
    t.answer("STRIKE_OR_FLEE", "strike", seat=0)
    assert (t.kind == "HITS" or bool(t.events("CAPTURE"))) == hit


@pytest.mark.card("F20")
@pytest.mark.rule("V7.4")
def test_kept_promises_once_a_round(engine: str) -> None:
    """Two opponents on their turns: once; after the owner's next turn has begun, again."""
    seats = [
        {"faction": "F18", "units": {A: "speaker"}},
        {"faction": "F10", "units": {C: "speaker"}},
        {"faction": "F20"},
    ]
    t = take(engine, seats, {A: "camp", C: "camp"}, {A: 2, C: 2})
    assert (t.controller(A), len(t.player(2)["discovery"])) == (0, 1)
    t.end_turn().turn("speakers").do("done").skip("ACT_SPACE").do(C)
    assert (t.controller(C), len(t.player(2)["discovery"]), rules(t)) == (1, 1, [2])


@pytest.mark.card("F23")
@pytest.mark.rule("V7.3")
@pytest.mark.parametrize("owner", [1, 2])
def test_no_one_left_is_for_own_units(engine: str, owner: int) -> None:
    """A Strike among others is nothing to the owner."""
    seats: list[dict[str, Any]] = [IDLE, {"faction": "F10"}, {"faction": "F26"}]
    seats[owner] = of("F23")
    t = fight(engine, "2 soldier", "miner", *seats, script=dice([6] * 9, [5] * 9), closed=True)
    assert rules(fought(t)) == [1] * (owner == 1)
    assert t.captured(0, 1) == (counted("miner") if owner == 2 else [0] * 5)


@pytest.mark.card("F24")
@pytest.mark.rule("V7.4")
def test_double_or_nothing_in_each_combat(engine: str) -> None:
    t = fight(
        engine, "soldier", "soldier", of("F24", units={A: "soldier"}), {**IDLE, "units": {A: "soldier"}},
        combats={space(A): 0}, script=dice([6] * 40, [1] * 40),
    )  # fmt: skip
    times = 0
    while fought(t, "RULE").kind == "RULE":
        times += 1
        t.do("done")
    assert times == 2


@pytest.mark.card("F26")
@pytest.mark.rule("M1.1")
def test_caravan_is_for_vehicles(engine: str) -> None:
    """A Soldier goes its three spaces."""
    ends = []
    for faction in ("F26", "F18"):
        t = table(engine, of(faction, units={A: "soldier"}), {"faction": "F10"}).turn("soldiers")
        t.answer("ACT_SPACE", A, seat=0)
        ends.append(t.expect("MOVE_TO", 0).spaces())
    assert ends[0] == ends[1]


@pytest.mark.card("F27")
@pytest.mark.rule("V7.3")
@pytest.mark.parametrize(("cell", "asks"), [("gain_blueprint", True), ("gain_card", False)])
def test_sealed_cabinet_is_about_blueprints(engine: str, cell: str, asks: bool) -> None:
    """Not about a Discovery Card that an opponent gains."""
    me = {**IDLE, "captured": {1: "harvester"}}
    t = table(engine, me, of("F27", discovery=["D19"]), relics={"draw": ["R10", "R06", "R08"]})
    t.turn("harvesters").skip("BONUS").do(f"bonus:{cell}")
    assert (t.kind == "RULE") == asks
