"""Chapter K: Combat, from its beginning to its end, by hand and against independent models."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from geometry import NEAR, SIDES
from scenario import UNIT_NAMES, Table, scenario, space
from scenario import units as counted

FIELD = space("wetlands-5-2")
AROUND = sorted(SIDES[FIELD])  # ring 4 to 6, so no arrows
HEALTH = {"soldier": (4,), "miner": (3,), "speaker": (3,), "powermech": (6, 4), "harvester": (5, 3)}
DICE = {"soldier": "r", "miner": "y", "speaker": "y", "powermech": "rrrr", "harvester": "yyy"}
RED, YELLOW, BLUE_DIE, GREEN_DIE = 6, 7, 8, 9  # chance kinds; the blue die is the Attacker's
#: Discovery Cards by modifier, two of each (no Molten Core).
PLUS_1, PLUS_2, PLUS_3 = ("D07", "D19"), ("D10", "D23"), ("D11",)
MINUS_1, MINUS_2, MINUS_3 = ("D04", "D09"), ("D15", "D24"), ("D18",)
MODIFIER = {
    **dict.fromkeys(PLUS_1, 1),
    **dict.fromkeys(PLUS_2, 2),
    **dict.fromkeys(PLUS_3, 3),
    **dict.fromkeys(MINUS_1, -1),
    **dict.fromkeys(MINUS_2, -2),
    **dict.fromkeys(MINUS_3, -3),
}
COMBAT_KINDS = {
    "COMBAT",
    "STRIKE_OR_FLEE",
    "FLEE_TO",
    "FINAL_STRIKE",
    "REROLL_DIE",
    "VALUE_DIE",
    "SHIELD_DIE",
    "MODIFIER_CARD",
    "MODIFIER_DIE",
    "HITS",
}


def script(
    red: Iterable[int] = (),
    yellow: Iterable[int] = (),
    blue: Iterable[str] = (),
    green: Iterable[str] = (),
    token: Iterable[str] = (),
) -> dict[str, list[str]]:
    """Scripted dice; blue is the Attacker's Strike Die, green the Defender's."""
    return {
        "red_die": [str(v) for v in red],
        "yellow_die": [str(v) for v in yellow],
        "attacker_strike_die": list(blue),
        "defender_strike_die": list(green),
        "fracture_token": list(token),
    }


def fight(
    engine: str,
    ours: str,
    theirs: str,
    *others: Mapping[str, Any],
    attacker: int = 0,
    at: int = FIELD,
    us: Mapping[str, Any] | None = None,
    them: Mapping[str, Any] | None = None,
    cards: Sequence[str] = (),
    their_cards: Sequence[str] = (),
    dice: Mapping[str, Any] | None = None,
    play: str | None = "battle",
    closed: bool = False,
    **more: Any,
) -> Table:
    """Seat 0 Plays Battle with one Combat against seat 1 at ``at``; ``closed``: nobody can flee from it."""
    tiles: dict[str | int, str] = dict.fromkeys(AROUND, "lake") if closed else {}
    tiles.update(more.pop("tiles", {}))
    people = [dict(us or {}), dict(them or {}), *(dict(o) for o in others)]
    for person, units in zip(people, (ours, theirs), strict=False):
        person["units"] = {at: units, **person.get("units", {})}
    people[0].setdefault("discovery", sorted(cards))
    people[1].setdefault("discovery", sorted(their_cards))
    combats = {at: attacker, **more.pop("combats", {})}
    t = scenario(engine, *people, tiles=tiles, combats=combats, script=dice, **more)
    if play:
        t.turn(play)
    return t


def rolled(t: Table) -> list[int]:
    """Kinds of the dice rolled so far, in order."""
    return [e[2] for e in t.events("CHANCE") if e[2] in (RED, YELLOW, BLUE_DIE, GREEN_DIE)]


def chosen(t: Table, kind: int) -> list[tuple[int, int]]:
    """(player, action) of all choices of a decision kind so far."""
    return [(e[1], e[3]) for e in t.events("CHOICE") if e[2] == kind]


def hits(t: Table, seat: int | None = None) -> set[int]:
    """Sets of enemy Units the striker may defeat."""
    t.expect("HITS", seat)
    assert all(o.startswith("hits:") for o in t.options())
    return {int(o.split(":")[1]) for o in t.options()}


def over(t: Table) -> bool:
    return t.kind not in COMBAT_KINDS


# ---------------------------------------------------------------- K1 initiating
@pytest.mark.rule("K1.1", "K1.2", "R2.4", "K1.6")
def test_deploying_initiates(engine: str) -> None:
    """A Soldier Deployed onto Unlocked enemies: a Combat, its owner the Attacker, not resolved."""
    t = scenario(
        engine,
        {},
        {"units": {FIELD: "miner"}},
        tiles={FIELD: "camp"},
        control={FIELD: 0},
    )
    t.turn("recruit").answer("RECRUIT_TYPE", "unit:soldier").answer("RECRUIT_TYPE", "done")
    t.answer("DEPLOY_SPACE", FIELD)
    assert t.attacker(FIELD) == 0
    assert [e[1:4] for e in t.events("COMBAT_BEGIN")] == [(0, FIELD, 1)]
    assert t.events("STRIKE") == []
    assert rolled(t) == []


@pytest.mark.rule("K1.1", "RUL-K10")
@pytest.mark.parametrize("unit", ["miner", "speaker"])
def test_without_engage_no_combat(engine: str, unit: str) -> None:
    """Neither by Deploying nor by a Move can such a Troop come among enemies alone."""
    t = scenario(engine, {}, {"units": {FIELD: "miner"}}, tiles={FIELD: "camp"}, control={FIELD: 0})
    t.turn("recruit").answer("RECRUIT_TYPE", f"unit:{unit}")
    if t.kind == "RECRUIT_TYPE":
        t.do("done")
    t.expect("DEPLOY_SPACE")
    assert FIELD not in t.spaces()


@pytest.mark.rule("K1.2", "K1.3", "RUL-K9")
def test_roles_last(engine: str) -> None:
    """The Attacker's last Unit with Engage is captured; the side left rolls the blue die all the same."""
    t = fight(
        engine,
        "soldier",
        "soldier, miner",
        attacker=1,
        dice=script(red=[4], yellow=[1], green=["reroll yellow"], blue=["tremor"]),
    )
    t.answer("STRIKE_OR_FLEE", "strike", seat=0).answer("HITS", "hits:1")
    assert t.units(1, FIELD) == counted("miner")
    assert t.attacker(FIELD) == 1
    t.answer("STRIKE_OR_FLEE", "strike", seat=1)
    assert rolled(t) == [GREEN_DIE, RED, BLUE_DIE, YELLOW]
    assert [e[1] for e in t.events("TREMOR")] == [1]
    assert t.attacker(FIELD) == 1


@pytest.mark.rule("K1.4", "K4.1", "U2.7")
@pytest.mark.parametrize(
    ("ours", "red", "yellow"),
    [
        ("soldier", 1, 0),
        ("3 soldier", 3, 0),
        ("2 miner, speaker", 0, 3),
        ("powermech, 2 soldier", 6, 0),
        ("harvester, soldier, speaker", 1, 4),
        ("powermech, miner", 4, 1),
    ],
)
@pytest.mark.parametrize("attacker", [0, 1])
def test_everybody_rolls(engine: str, ours: str, red: int, yellow: int, attacker: int) -> None:
    """All Units of the side roll; Strike Die, red, yellow, in this order; the Strike Die follows the role."""
    t = fight(
        engine,
        ours,
        "3 soldier",
        attacker=attacker,
        dice=script(red=[1] * red, yellow=[1] * yellow, blue=["tremor"], green=["tremor"]),
    )
    t.answer("STRIKE_OR_FLEE", "strike", seat=0)
    assert rolled(t) == [GREEN_DIE if attacker else BLUE_DIE] + [RED] * red + [YELLOW] * yellow
    assert [e[1:] for e in t.events("STRIKE")] == [(0, FIELD, 0, red + yellow)]
    t.expect("STRIKE_OR_FLEE", 1)


@pytest.mark.rule("K1.5", "R2.6", "U4.2")
@pytest.mark.parametrize(("there", "fits"), [("soldier", True), ("2 soldier", True), ("3 soldier", False)])
def test_joining_by_deploying(engine: str, there: str, fits: bool) -> None:
    """A Speaker, without Engage, is Deployed into an own Combat as far as there is room."""
    t = fight(engine, there, "soldier", attacker=1, play=None, tiles={FIELD: "camp"}, control={FIELD: 0})
    t.turn("recruit").answer("RECRUIT_TYPE", "unit:speaker").answer("RECRUIT_TYPE", "done")
    t.expect("DEPLOY_SPACE")
    assert (FIELD in t.spaces()) == fits
    if fits:
        t.do(FIELD)
        assert t.units(0, FIELD)[2] == 1
        assert t.attacker(FIELD) == 1
        assert t.events("COMBAT_BEGIN") == []
        assert t.kind != "ACT_SPACE", "Locked, so it cannot be Motivated"


@pytest.mark.rule("K1.6")
def test_a_combat_waits(engine: str) -> None:
    """Initiated, joined and left alone over whole turns: nothing is rolled until something resolves it."""
    t = scenario(engine, {"units": {AROUND[0]: "2 soldier"}}, {"units": {FIELD: "soldier"}})
    t.turn("soldiers").answer("ACT_SPACE", AROUND[0]).answer("MOVE_TO", FIELD)
    t.answer("ACT_SPACE", AROUND[0]).answer("MOVE_TO", FIELD)
    t.end_turn().turn("soldiers").end_turn().turn("miners").end_turn()
    assert rolled(t) == []
    assert t.events("STRIKE") == []
    assert t.attacker(FIELD) == 0
    assert t.units(0, FIELD) == counted("2 soldier")


# ---------------------------------------------------------------- K2 what resolves a Combat
PLACES = [space(s) for s in ("wetlands-5-2", "tundra-5-2", "rocky-5-2")]


def three_fights(engine: str, **more: Any) -> Table:
    """Seat 0 has Combats in PLACES, twice as Defender; one of the others fight each other elsewhere."""
    return scenario(
        engine,
        {"units": dict.fromkeys(PLACES, "miner"), "ship": "savannah-3-1"},
        {
            "units": {PLACES[0]: "soldier", PLACES[1]: "miner", space("desert-5-2"): "soldier"},
            "ship": "forest-3-1",
        },
        {"units": {PLACES[2]: "soldier", space("desert-5-2"): "soldier"}, "ship": "desert-2-0"},
        combats={PLACES[0]: 1, PLACES[1]: 0, PLACES[2]: 2, "desert-5-2": 1},
        **more,
    )


def flee(t: Table, seat: int, other: int, to: int | None = None) -> None:
    t.answer("STRIKE_OR_FLEE", "flee", seat=seat).expect("FLEE_TO", seat)
    t.do(min(t.spaces()) if to is None else to)
    t.answer("FINAL_STRIKE", "no", seat=other)


@pytest.mark.rule("K2.1", "K2.3", "K2.5", "A8.1", "RUL-K14")
def test_battle_resolves_all_own_combats(engine: str) -> None:
    """One at a time in the player's order, in either role, with First Strike; others' Combats stay."""
    t = three_fights(engine)
    t.turn("battle")
    assert t.expect("COMBAT", 0).spaces() == set(PLACES)
    assert "done" not in t.options()
    t.do(PLACES[2])
    flee(t, 0, 2)
    assert t.expect("COMBAT", 0).spaces() == set(PLACES[:2])
    t.do(PLACES[1])
    flee(t, 0, 1)
    flee(t, 0, 1)  # the last one needs no choice
    assert over(t)
    assert t.snapshot()["combats"] == [[space("desert-5-2"), 1]]
    assert Counter(e[2] for e in t.events("COMBAT_END")) == Counter(PLACES)


@pytest.mark.rule("K2.1", "A8.2", "T4.6")
def test_battle_is_compulsory(engine: str) -> None:
    """With one Combat it is resolved unasked; without any the card has no effect."""
    fight(engine, "soldier", "soldier").expect("STRIKE_OR_FLEE", 0)
    t = scenario(engine, {}, {"units": {FIELD: "soldier"}})
    t.turn("battle")
    assert over(t)


@pytest.mark.rule("K2.2", "K2.3", "N1.1")
@pytest.mark.parametrize("place", PLACES)
def test_bonus_resolves_one(engine: str, place: int) -> None:
    """The Bonus Action resolves one Combat of the player's choice, with First Strike; the others stay."""
    t = three_fights(engine)
    t.turn("soldiers").answer("BONUS", "bonus:resolve_combat")
    assert t.expect("COMBAT", 0).spaces() == set(PLACES)
    t.do(place)
    flee(t, 0, 2 if place == PLACES[2] else 1)
    assert over(t)
    assert {s for s, _ in t.snapshot()["combats"]} == (set(PLACES) | {space("desert-5-2")}) - {place}


@pytest.mark.rule("K2.3")
@pytest.mark.parametrize("attacker", [0, 1])
def test_first_strike_has_nothing_to_do_with_the_role(engine: str, attacker: int) -> None:
    fight(engine, "soldier", "soldier", attacker=attacker).expect("STRIKE_OR_FLEE", 0)
    other = fight(engine, "soldier", "soldier", attacker=attacker, play="soldiers").end_turn()
    other.turn("battle").expect("STRIKE_OR_FLEE", 1)


@pytest.mark.rule("K2.4", "K3.1", "K2.5")
def test_resolved_to_its_end(engine: str) -> None:
    """The sides choose in turn until one is gone, then the next Combat."""
    t = three_fights(
        engine,
        script=script(yellow=[1, 1, 3], red=[2, 2], blue=["tremor", "tremor"], green=["reroll red"] * 3),
    )
    t.turn("battle").answer("COMBAT", PLACES[0])
    for seat in (0, 1, 0, 1):
        t.answer("STRIKE_OR_FLEE", "strike", seat=seat)
    flee(t, 0, 1)
    assert [e[1:3] for e in t.events("STRIKE")] == [(seat, PLACES[0]) for seat in (0, 1, 0, 1)]
    t.expect("COMBAT", 0)


@pytest.mark.rule("K2.5", "K8.1", "RUL-K14")
def test_a_combat_that_ended_meanwhile_is_skipped(engine: str) -> None:
    """The Fracture of one Strike Collapses another Combat Space: Battle is over after the first."""
    t = fight(
        engine,
        "soldier",
        "speaker",
        us={"units": {PLACES[1]: "soldier"}},
        them={"units": {PLACES[1]: "miner"}},
        combats={PLACES[1]: 0},
        cysmograph={"singles": 4, "stack": 6},
        dice=script(red=[3], blue=["tremor"], token=["tundra-5"]),
    )
    t.answer("COMBAT", FIELD).answer("STRIKE_OR_FLEE", "strike")
    t.answer("SHIELD_DIE", "done").answer("HITS", "hits:1")
    assert over(t)
    assert t.snapshot()["combats"] == []


@pytest.mark.rule("K2.6", "N5.1", "K6.5", "RUL-K19", "RUL-K21")
@pytest.mark.parametrize("attacker", [1, 2])
def test_outsider_gives_first_strike_to_the_attacker(engine: str, attacker: int) -> None:
    """Red 005 on a Combat of two others: the Attacker chooses first, and what is defeated is destroyed."""
    t = scenario(
        engine,
        {},
        {"units": {FIELD: "soldier"}},
        {"units": {FIELD: "soldier"}, "ship": "rocky-3-1"},
        combats={FIELD: attacker},
        round=5,
        script=script(red=[4], blue=["reroll yellow"]),
    )
    t.turn("soldiers").answer("BONUS", "bonus:any_combat")
    t.answer("STRIKE_OR_FLEE", "strike", seat=attacker).answer("HITS", "hits:1", seat=attacker)
    loser = 3 - attacker
    assert t.units(loser, FIELD) == [0] * 5
    assert t.captured(attacker, loser) == [0] * 5
    assert t.events("CAPTURE") == []
    assert [e[1:] for e in t.events("LEAVE")] == [(loser, 0, FIELD, 0)]


@pytest.mark.rule("N5.1", "K3.5", "RUL-K19")
def test_outsider_and_a_side_that_must_flee(engine: str) -> None:
    """Without captures, a side that must flee and cannot is destroyed as well."""
    t = scenario(
        engine,
        {},
        {"units": {FIELD: "soldier"}},
        {"units": {FIELD: "powermech"}, "ship": "rocky-3-1"},
        combats={FIELD: 1},
        round=5,
        tiles=dict.fromkeys(AROUND, "lake"),
    )
    t.turn("soldiers").answer("BONUS", "bonus:any_combat")
    assert t.units(1, FIELD) == [0] * 5
    assert t.events("CAPTURE") == []


# ---------------------------------------------------------------- K3 Strike or Flee
@pytest.mark.rule("K3.1")
@pytest.mark.parametrize("attacker", [0, 1])
def test_alternating(engine: str, attacker: int) -> None:
    """First Strike chooses first, the other side after each Strike that leaves both."""
    t = fight(
        engine,
        "2 soldier",
        "2 soldier",
        attacker=attacker,
        dice=script(red=[4, 1, 4, 1, 4], blue=["reroll yellow"] * 2, green=["reroll yellow"] * 2),
    )
    assert t.expect("STRIKE_OR_FLEE", 0).options() == ["strike", "flee"]
    t.do("strike").answer("HITS", "hits:1", seat=0)
    assert t.expect("STRIKE_OR_FLEE", 1).options() == ["strike", "flee"]
    t.do("strike").answer("HITS", "hits:0", seat=1)
    t.answer("STRIKE_OR_FLEE", "strike", seat=0)


@pytest.mark.rule("K3.2", "K3.3", "K-EX11", "RUL-K1")
@pytest.mark.parametrize(
    ("ours", "theirs", "must"),
    [
        ("soldier", "powermech", True),
        ("soldier", "harvester", True),
        ("speaker", "harvester", True),
        ("miner", "powermech", True),
        ("soldier", "soldier", False),
        ("speaker", "miner", False),
        ("soldier", "powermech, miner", False),
        ("2 soldier", "powermech", False),
        ("2 miner", "powermech", False),
        ("speaker, miner", "harvester", False),
        ("powermech", "powermech", False),
        ("harvester", "powermech", False),
    ],
)
def test_who_must_flee(engine: str, ours: str, theirs: str, must: bool) -> None:
    """Fewer dice than the easiest enemy needs: only Flee. Values, cards and Strike Die do not matter."""
    t = fight(engine, ours, theirs, cards=[*PLUS_3, *PLUS_2])
    if must:
        t.expect("FLEE_TO", 0)
        assert t.spaces() == set(AROUND)
    else:
        assert t.expect("STRIKE_OR_FLEE", 0).options() == ["strike", "flee"]


@pytest.mark.rule("K3.4")
def test_no_destination_no_flight(engine: str) -> None:
    """Without a destination the Strike comes unasked."""
    t = fight(engine, "soldier", "soldier", closed=True, dice=script(red=[4], blue=["reroll yellow"]))
    assert [e[1] for e in t.events("STRIKE")] == [0]
    assert hits(t, 0) == {0, 1}


@pytest.mark.rule("K3.5", "K3.6", "K7.7", "RUL-K7")
@pytest.mark.parametrize(("ours", "theirs"), [("soldier", "powermech"), ("speaker", "harvester")])
def test_must_flee_and_cannot(engine: str, ours: str, theirs: str) -> None:
    """Captured without any roll and without a Final Strike."""
    t = fight(engine, ours, theirs, closed=True)
    assert over(t)
    assert rolled(t) == []
    assert t.units(0, FIELD) == [0] * 5
    assert t.captured(1, 0) == counted(ours)
    assert t.snapshot()["combats"] == []
    assert [e[1:] for e in t.events("CAPTURE")] == [(1, 0, UNIT_NAMES.index(ours), FIELD)]
    assert [e[1:3] for e in t.events("COMBAT_END")] == [(1, FIELD)]


@pytest.mark.rule("K3.6", "K3.5", "RUL-K7")
@pytest.mark.parametrize("closed", [False, True])
def test_judged_anew(engine: str, closed: bool) -> None:
    """After a loss the side left cannot defeat the Powermech any more: it must flee, or is captured."""
    t = fight(
        engine,
        "2 soldier",
        "powermech",
        closed=closed,
        dice=script(red=[1, 1, 4, 1, 1, 1], blue=["reroll yellow"], green=["reroll yellow"]),
    )
    if not closed:
        t.answer("STRIKE_OR_FLEE", "strike", seat=0).answer("STRIKE_OR_FLEE", "strike", seat=1)
    t.answer("HITS", "hits:1", seat=1)
    if closed:
        assert over(t)
        assert t.captured(1, 0) == counted("2 soldier")
    else:
        assert t.expect("FLEE_TO", 0).spaces() == set(AROUND)


@pytest.mark.rule("K3.3", "K3.6")
def test_judged_for_the_other_side_too(engine: str) -> None:
    """Once the Troop beside the Powermech is captured, the lone Soldier opposite cannot defeat anything."""
    t = fight(
        engine,
        "soldier",
        "powermech, miner",
        dice=script(red=[3, 1, 1, 1, 1], yellow=[], blue=["reroll yellow"], green=["reroll yellow"]),
    )
    t.answer("STRIKE_OR_FLEE", "strike", seat=0).answer("HITS", "hits:1", seat=0)
    assert t.units(1, FIELD) == counted("powermech")
    t.answer("STRIKE_OR_FLEE", "strike", seat=1)
    t.expect("FLEE_TO", 0)


# ---------------------------------------------------------------- K4 the dice of a Strike
@pytest.mark.rule("K4.3", "K4.9", "K4.7", "K4.4", "RUL-K22")
def test_order_of_a_strike(engine: str) -> None:
    """Dice, Strike Die result, Shields, cards, hits - in this order, each asked of the right player."""
    t = fight(
        engine,
        "2 soldier",
        "soldier, speaker",
        cards=PLUS_1,
        their_cards=MINUS_1,
        dice=script(red=[2, 3, 5], blue=["reroll red"]),
    )
    t.do("strike")
    assert rolled(t) == [BLUE_DIE, RED, RED]
    t.answer("REROLL_DIE", "die:0", seat=0)
    assert rolled(t) == [BLUE_DIE, RED, RED, RED]
    t.answer("SHIELD_DIE", "die:0", seat=1)
    t.answer("MODIFIER_CARD", "done", seat=0).answer("MODIFIER_CARD", "done", seat=1)
    assert hits(t, 0) == {0, 1, 2, 3}  # 4 and 3
    t.do("hits:3")
    assert over(t)


@pytest.mark.rule("K4.4", "RUL-K5")
@pytest.mark.parametrize(
    ("face", "offered"),
    [("reroll red", ["done", "die:0", "die:1"]), ("reroll yellow", ["done", "die:2", "die:3", "die:4"])],
)
def test_reroll_one_die_of_the_colour(engine: str, face: str, offered: list[str]) -> None:
    """One die of the shown colour, or none; of two that show the same one stands for both."""
    t = fight(
        engine, "2 soldier, harvester", "3 soldier", dice=script(red=[1, 2], yellow=[1, 2, 3], blue=[face])
    )
    t.do("strike")
    assert t.expect("REROLL_DIE", 0).options() == offered
    same = fight(
        engine, "2 soldier, harvester", "3 soldier", dice=script(red=[2, 2], yellow=[2, 2, 2], blue=[face])
    )
    same.do("strike")
    assert same.expect("REROLL_DIE", 0).options() == offered[:2]


@pytest.mark.rule("K4.4", "RUL-K5")
@pytest.mark.parametrize(("ours", "face"), [("3 soldier", "reroll yellow"), ("harvester", "reroll red")])
def test_reroll_without_a_die_of_the_colour(engine: str, ours: str, face: str) -> None:
    """Nothing happens."""
    t = fight(engine, ours, "2 soldier", dice=script(red=[4, 1, 1], yellow=[4, 1, 1], blue=[face]))
    t.do("strike")
    assert hits(t, 0) == {0, 1}
    assert len(rolled(t)) == 4


@pytest.mark.rule("K4.10", "K4.4", "RUL-K22")
@pytest.mark.parametrize(
    ("first", "second", "possible"), [(1, 4, {0, 1}), (4, 1, {0}), (4, 5, {0, 1}), (2, 2, {0})]
)
def test_rerolled_die_shows_its_new_result(engine: str, first: int, second: int, possible: set[int]) -> None:
    """Better or worse."""
    t = fight(
        engine,
        "soldier",
        "2 soldier",
        dice=script(red=[first, second, 1, 1], blue=["reroll red"], green=["reroll yellow"]),
    )
    kept = t.fork()
    t.do("strike").answer("REROLL_DIE", "die:0")
    if possible == {0}:
        t.expect("STRIKE_OR_FLEE", 1)
    else:
        assert hits(t, 0) == possible
    kept.do("strike").answer("REROLL_DIE", "done")
    assert rolled(kept) == [BLUE_DIE, RED]
    assert (kept.kind == "HITS") == (first >= 4)


@pytest.mark.rule("K4.5", "RUL-K5")
@pytest.mark.parametrize(
    ("die", "possible"),
    [("die:0", {0, 1}), ("die:1", {0, 1, 2}), ("die:2", {0, 1})],  # 4 4 2, 3 5 2, 3 4 3
)
def test_value_modifier(engine: str, die: str, possible: set[int]) -> None:
    """+1 on one die of the striker's choice, either colour, not to be declined."""
    t = fight(
        engine,
        "soldier, 2 miner",
        "soldier, harvester",
        attacker=1,
        dice=script(red=[3, 1], yellow=[4, 2, 1, 1, 1], green=["+1"], blue=["reroll red"]),
    )
    t.do("strike")
    assert t.expect("VALUE_DIE", 0).options() == ["die:0", "die:1", "die:2"]
    t.do(die)
    assert hits(t, 0) == possible, "Soldier 4, Harvester 5 + 3"


@pytest.mark.rule("K4.6", "Y1.3")
def test_tremor_and_the_strike_goes_on(engine: str) -> None:
    """A Tremor of the striker; a Fracture elsewhere is resolved before Shields, cards and hits."""
    t = fight(
        engine,
        "soldier",
        "speaker, soldier",
        attacker=1,
        us={"units": {"tundra-5-2": "miner"}},
        cards=PLUS_1,
        cysmograph={"singles": 4, "stack": 6},
        dice=script(red=[4], green=["tremor"], token=["tundra-5"]),
    )
    t.do("strike").answer("ESCAPE", "done", seat=0)
    assert [e[1] for e in t.events("FRACTURE")] == [0]
    assert t.tile("tundra-5-2") == "none"
    t.answer("SHIELD_DIE", "done", seat=1).answer("MODIFIER_CARD", "done", seat=0)
    assert hits(t, 0) == {0, 1, 2}


@pytest.mark.rule("K4.6", "K8.1", "K8.3", "RUL-K8")
def test_fracture_under_the_combat(engine: str) -> None:
    """The Combat Space itself Collapses: nothing of the Strike is left to be done."""
    t = fight(
        engine,
        "powermech, soldier",
        "speaker, soldier",
        cards=PLUS_1,
        their_cards=MINUS_1,
        cysmograph={"singles": 4, "stack": 6},
        dice=script(red=[6] * 5, blue=["tremor"], token=["wetlands-5"]),
    )
    t.do("strike")
    assert over(t)
    assert [t.units(seat, FIELD) for seat in (0, 1)] == [[0] * 5] * 2
    assert t.events("CAPTURE") == []
    assert t.snapshot()["combats"] == []
    assert [len(t.player(seat)["discovery"]) for seat in (0, 1)] == [2, 2]


@pytest.mark.rule("K4.7", "K4.11", "RUL-K11")
@pytest.mark.parametrize("speakers", [0, 1, 2, 3])
def test_one_shield_per_speaker(engine: str, speakers: int) -> None:
    """As many Shields as Speakers, each on another die, any of them left out."""
    theirs = (
        f"{speakers} speaker" if speakers == 3 else f"{speakers} speaker, soldier" if speakers else "soldier"
    )
    t = fight(engine, "powermech", theirs, attacker=0, dice=script(red=[6, 5, 4, 1], blue=["reroll yellow"]))
    t.do("strike")
    left = ["die:0", "die:1", "die:2", "die:3"]
    for used in ["die:1", "die:3", "die:0"][:speakers]:
        assert t.expect("SHIELD_DIE", 1).options() == ["done", *left]
        stop = t.fork()
        stop.do("done")
        assert stop.kind != "SHIELD_DIE", "what is left out is not asked again"
        t.do(used)
        left.remove(used)
    t.expect("HITS", 0)


@pytest.mark.rule("K4.7", "K4.11")
def test_shield_lowers_by_one(engine: str) -> None:
    """Dice 4 and 3 against a Speaker and a Soldier: what each placement leaves to be hit."""
    t = fight(
        engine, "2 soldier", "soldier, speaker", attacker=0, dice=script(red=[4, 3], blue=["reroll yellow"])
    )
    t.do("strike")
    found = {}
    for choice in ("done", "die:0", "die:1"):
        one = t.fork()
        found[choice] = hits(one.answer("SHIELD_DIE", choice, seat=1), 0)
    assert found == {"done": {0, 1, 2, 3}, "die:0": {0, 2}, "die:1": {0, 1, 2}}


@pytest.mark.rule("K4.7", "RUL-K11")
def test_shields_anew_in_every_strike(engine: str) -> None:
    """In each Strike the side that is struck shields, with the Speakers still there."""
    t = fight(
        engine,
        "2 soldier",
        "2 speaker",
        attacker=0,
        dice=script(red=[3, 4, 3, 3], yellow=[1, 1, 1], blue=["reroll yellow"] * 2, green=["reroll red"]),
    )
    t.do("strike").answer("SHIELD_DIE", "die:0", seat=1).answer("SHIELD_DIE", "done", seat=1)
    assert hits(t, 0) == {0, 1}
    t.do("hits:1").answer("STRIKE_OR_FLEE", "strike", seat=1)
    t.answer("STRIKE_OR_FLEE", "strike", seat=0).answer("SHIELD_DIE", "die:0", seat=1)
    assert hits(t, 0) == {0, 1}, "one Speaker left, so one Shield"


@pytest.mark.rule("K4.8", "RUL-K12")
def test_values_have_no_floor(engine: str) -> None:
    """A 1 lowered by 3 and raised by 3 is a 1 again: no floor at 0 or 1 in between."""
    t = fight(
        engine,
        "soldier",
        "speaker",
        attacker=0,
        cards=[*PLUS_3, *PLUS_1],
        their_cards=MINUS_3,
        dice=script(red=[1], yellow=[1], blue=["reroll yellow"], green=["reroll red"]),
    )
    t.do("strike").answer("SHIELD_DIE", "done")
    t.answer("MODIFIER_CARD", "done", seat=0)
    t.answer("MODIFIER_CARD", "card:D18", seat=1)  # 1 - 3 = -2
    t.answer("MODIFIER_CARD", "card:D11", seat=0)  # -2 + 3 = 1
    t.answer("STRIKE_OR_FLEE", seat=1)
    assert t.units(1, FIELD) == counted("speaker")


@pytest.mark.rule("K4.8", "RUL-K12")
def test_values_have_no_ceiling(engine: str) -> None:
    """A 6 raised to 9 and lowered to 6 is still a 6 for the Powermech."""
    t = fight(
        engine,
        "2 soldier",
        "powermech",
        attacker=0,
        cards=PLUS_3,
        their_cards=MINUS_3,
        dice=script(red=[6, 4], blue=["reroll yellow"]),
    )
    t.do("strike").answer("MODIFIER_CARD", "card:D11", seat=0).answer("MODIFIER_DIE", "die:0", seat=0)
    t.answer("MODIFIER_CARD", "card:D18", seat=1).answer("MODIFIER_DIE", "die:0", seat=1)
    assert hits(t, 0) == {0, 1}


# ---------------------------------------------------------------- K5 Discovery Cards as modifiers
def played_down(t: Table, seat: int) -> list[str]:
    return list(t.player(seat)["discovery"])


@pytest.mark.rule("K5.1", "K5.2", "K5.3", "RUL-K4")
def test_batches(engine: str) -> None:
    """Within a batch each die once, in the next batch again; the striker's empty batch ends nothing."""
    t = fight(
        engine,
        "2 soldier",
        "powermech",
        attacker=0,
        cards=[*PLUS_1, *MINUS_1],
        their_cards=[*PLUS_2, *MINUS_2],
        dice=script(red=[5, 3], blue=["reroll yellow"]),
    )
    t.do("strike")
    assert t.expect("MODIFIER_CARD", 0).options() == ["done", "card:D04", "card:D07", "card:D09", "card:D19"]
    t.do("done")
    assert t.expect("MODIFIER_CARD", 1).options() == ["done", "card:D10", "card:D15", "card:D23", "card:D24"]
    t.do("card:D15").expect("MODIFIER_DIE", 1)
    assert t.options() == ["die:0", "die:1"]
    t.do("die:0")  # 3 3
    t.answer("MODIFIER_CARD", "card:D10", seat=1)  # only die 1 is left: 3 5
    assert t.kind == "MODIFIER_CARD"
    assert t.seat == 0, "both dice are used, so the batch is over"
    t.do("card:D07").answer("MODIFIER_DIE", "die:1", seat=0).answer(
        "MODIFIER_CARD", "card:D19", seat=0
    )  # 4 6
    assert t.expect("MODIFIER_CARD", 1).options() == ["done", "card:D23", "card:D24"]
    t.do("done")
    assert hits(t, 0) == {0, 1}
    assert played_down(t, 0) == ["D04", "D09"]
    assert played_down(t, 1) == ["D23", "D24"]


@pytest.mark.rule("K5.3", "RUL-K4")
def test_non_strikers_empty_batch_ends_the_step(engine: str) -> None:
    """The striker has cards left and is not asked again."""
    t = fight(
        engine,
        "soldier",
        "soldier",
        attacker=0,
        cards=[*PLUS_1, *PLUS_2],
        their_cards=MINUS_1,
        dice=script(red=[2], blue=["reroll yellow"]),
    )
    t.do("strike").answer("MODIFIER_CARD", "card:D10", seat=0)
    t.answer("MODIFIER_CARD", "done", seat=1)
    assert hits(t, 0) == {0, 1}


@pytest.mark.rule("K5.1", "K5.3")
def test_striker_may_pass_and_come_back(engine: str) -> None:
    """Empty batch, answered by a card, answered again."""
    t = fight(
        engine,
        "soldier",
        "soldier",
        attacker=0,
        cards=PLUS_2,
        their_cards=[*MINUS_1, *MINUS_2],
        dice=script(red=[4], blue=["reroll yellow"]),
    )
    t.do("strike")
    for mine, theirs in (("done", "card:D04"), ("card:D10", "card:D15"), ("card:D23", "done")):
        t.answer("MODIFIER_CARD", mine, seat=0).answer("MODIFIER_CARD", theirs, seat=1)
    assert hits(t, 0) == {0, 1}  # 4 - 1 + 2 - 2 + 2 = 5


@pytest.mark.rule("K5.2")
@pytest.mark.parametrize(("card", "value"), sorted(MODIFIER.items()))
@pytest.mark.parametrize("by", [0, 1])
def test_any_modifier_on_any_die(engine: str, card: str, value: int, by: int) -> None:
    """Either player, positive or negative, by the printed number."""
    t = fight(
        engine,
        "soldier",
        "soldier",
        attacker=0,
        cards=[card] if by == 0 else [],
        their_cards=[card] if by else [],
        dice=script(red=[3], blue=["reroll yellow"]),
    )
    t.do("strike").answer("MODIFIER_CARD", f"card:{card}", seat=by)
    assert (t.kind == "HITS") == (3 + value >= 4)


@pytest.mark.rule("K5.4")
def test_others_do_not_take_part(engine: str) -> None:
    """A third player's cards are never asked for."""
    t = fight(
        engine,
        "soldier",
        "soldier",
        {"discovery": ["D11"], "ship": "rocky-3-1"},
        attacker=0,
        cards=PLUS_1,
        their_cards=MINUS_1,
        dice=script(red=[4], blue=["reroll yellow"]),
    )
    t.do("strike").answer("MODIFIER_CARD", "done", seat=0).answer("MODIFIER_CARD", "done", seat=1)
    assert hits(t, 0) == {0, 1}


@pytest.mark.rule("K5.5", "D1.2", "D2.2")
def test_each_card_is_known_before_the_next(engine: str) -> None:
    """Between two cards of a batch the first lies on the discard pile and its die is changed."""
    t = fight(
        engine,
        "2 soldier",
        "soldier",
        attacker=0,
        cards=[*PLUS_1, *PLUS_2],
        dice=script(red=[2, 2], blue=["reroll yellow"]),
    )
    t.do("strike").answer("MODIFIER_CARD", "card:D10", seat=0)
    # Both dice show red 2, so the first stands for both and is taken unasked.
    t.expect("MODIFIER_CARD", 0)
    assert t.snapshot()["discovery"]["discard"] == ["D10"]
    assert [e[1:4] for e in t.events("DISCARD")] == [(0, 0, 9)]
    assert t.options() == ["done", "card:D07", "card:D19", "card:D23"]
    t.do("card:D07")
    assert hits(t, 0) == {0, 1}  # 4 and 3


# ---------------------------------------------------------------- K6 hits
def one_strike(
    engine: str, ours: str, theirs: str, red: Sequence[int] = (), yellow: Sequence[int] = ()
) -> set[int]:
    """What seat 0 may defeat with exactly these dice (no Shield used)."""
    t = fight(
        engine,
        ours,
        theirs,
        attacker=0,
        dice=script(
            red=[*red, *[1] * 9],
            yellow=[*yellow, *[1] * 9],
            blue=["reroll yellow" if red else "reroll red"],
            green=["tremor"],
        ),
    )
    t.do("strike")
    while t.kind == "SHIELD_DIE":
        t.do("done")
    return hits(t, 0) if t.kind == "HITS" else {0}


@pytest.mark.rule("K6.2", "U2.5")
@pytest.mark.parametrize(
    ("unit", "value", "falls"),
    [
        ("soldier", 3, False),
        ("soldier", 4, True),
        ("soldier", 6, True),
        ("miner", 2, False),
        ("miner", 3, True),
        ("speaker", 2, False),
        ("speaker", 3, True),
        ("speaker", 6, True),
    ],
)
def test_troop_needs_its_health(engine: str, unit: str, value: int, falls: bool) -> None:
    assert one_strike(engine, "soldier", unit, [value]) == ({0, 1} if falls else {0})


@pytest.mark.rule("K6.3", "U2.6")
@pytest.mark.parametrize(
    ("unit", "dice", "falls"),
    [
        ("powermech", (6, 4), True),
        ("powermech", (4, 6), True),
        ("powermech", (6, 6), True),
        ("powermech", (6, 3), False),
        ("powermech", (5, 5), False),
        ("harvester", (5, 3), True),
        ("harvester", (3, 5), True),
        ("harvester", (5, 2), False),
        ("harvester", (4, 4), False),
        ("harvester", (6, 3), True),
    ],
)
def test_vehicle_needs_two_dice(engine: str, unit: str, dice: tuple[int, int], falls: bool) -> None:
    """One die for each of its Health values."""
    assert one_strike(engine, "2 soldier", unit, dice) == ({0, 1} if falls else {0})


@pytest.mark.rule("K6.3", "K6.4")
def test_hits_do_not_add_up_over_strikes(engine: str) -> None:
    """A 6 in one Strike and a 4 in the next leave the Powermech standing."""
    t = fight(
        engine,
        "2 soldier",
        "powermech",
        attacker=0,
        dice=script(red=[6, 3, 1, 1, 1, 1, 4, 4], blue=["reroll yellow"] * 2, green=["reroll yellow"]),
    )
    for seat in (0, 1, 0):
        t.answer("STRIKE_OR_FLEE", "strike", seat=seat)
    t.expect("STRIKE_OR_FLEE", 1)
    assert t.units(1, FIELD) == counted("powermech")


@pytest.mark.rule("K6.1")
def test_a_die_counts_once(engine: str) -> None:
    """One 6 takes one Soldier; the same die cannot take two, nor both Healths of a Vehicle."""
    assert one_strike(engine, "soldier", "2 soldier", [6]) == {0, 1}
    assert one_strike(engine, "2 soldier", "2 soldier", [6, 3]) == {0, 1}
    assert one_strike(engine, "2 soldier", "harvester", [6, 1]) == {0}
    assert one_strike(engine, "3 soldier", "2 soldier, harvester", [6, 4, 1]) == {0, 1, 3, 4}


@pytest.mark.rule("K6.4", "RUL-K18")
def test_hits_may_be_left_unused(engine: str) -> None:
    """Nothing, or less than possible, may be taken; the rest is lost."""
    t = fight(
        engine,
        "3 soldier",
        "3 miner",
        attacker=0,
        dice=script(red=[6, 6, 6], yellow=[1] * 3, blue=["reroll yellow"], green=["reroll red"]),
    )
    t.do("strike")
    assert hits(t, 0) == {0, 1, 3, 7}
    none, one = t.fork(), t.fork()
    none.do("hits:0")
    assert none.units(1, FIELD) == counted("3 miner")
    none.expect("STRIKE_OR_FLEE", 1)
    one.do("hits:1").answer("STRIKE_OR_FLEE", "strike", seat=1)
    assert one.units(1, FIELD) == counted("2 miner")
    assert one.captured(0, 1) == counted("miner")


@pytest.mark.rule("K6.5")
def test_defeated_units_are_captured(engine: str) -> None:
    """By the striker, together; they are in the Holding Area at once."""
    t = fight(
        engine,
        "3 soldier",
        "soldier, speaker",
        attacker=0,
        dice=script(red=[4, 3, 3], blue=["reroll yellow"]),
    )
    t.do("strike").answer("SHIELD_DIE", "done").answer("HITS", "hits:3")
    assert t.captured(0, 1) == counted("soldier, speaker")
    assert t.units(1, FIELD) == [0] * 5
    assert [e[1:] for e in t.events("CAPTURE")] == [(0, 1, 0, FIELD), (0, 1, 2, FIELD)]


@pytest.mark.rule("K-EX13", "K6.6")
def test_example_three_dice(engine: str) -> None:
    """6, 5, 4 against Soldier, Speaker, Powermech: anything but all three."""
    assert one_strike(engine, "3 soldier", "soldier, speaker, powermech", [6, 5, 4]) == {0, 1, 2, 3, 4, 5, 6}


def defeatable(dice: Sequence[int], units: Sequence[str]) -> set[int]:
    """Brute force: the sets of Units for whose Healths different dice exist; of like Units the first ones."""
    found = set()
    for mask in range(1 << len(units)):
        taken = [i for i in range(len(units)) if mask >> i & 1]
        if any(units[i - 1] == units[i] and i - 1 not in taken for i in taken if i):
            continue
        needs = [health for i in taken for health in HEALTH[units[i]]]
        if any(
            all(die >= need for die, need in zip(pick, needs, strict=True))
            for pick in itertools.permutations(dice, len(needs))
        ):
            found.add(mask)
    return found


def random_side(rng: random.Random, at_least: int = 1) -> list[str]:
    """One to three Units, at most one Vehicle, in unit order."""
    while True:
        side = rng.choices(UNIT_NAMES, k=rng.randint(at_least, 3))
        if sum(u in ("powermech", "harvester") for u in side) <= 1:
            return sorted(side, key=UNIT_NAMES.index)


def words(side: Iterable[str]) -> str:
    return ", ".join(f"{n} {u}" for u, n in Counter(side).items())


@pytest.mark.rule("K6.6", "K6.1", "K6.2", "K6.3", "K6.4", "K6.5", "RUL-K18", "K4.5", "K4.11")
@pytest.mark.parametrize("seed", range(48))
def test_hits_against_brute_force(engine: str, seed: int) -> None:
    """Random dice and sides, +1 and Shields anywhere: exactly the sets that can fall, and just those do."""
    rng = random.Random(seed)
    while True:
        ours, theirs = random_side(rng), random_side(rng)
        colours = "".join(sorted("".join(DICE[u] for u in ours)))
        if len(colours) >= (1 if any(len(HEALTH[u]) == 1 for u in theirs) else 2):
            break
    attacker = rng.randint(0, 1)
    at_choice = fight(engine, words(ours), words(theirs), attacker=attacker)
    for _ in range(8):
        low = rng.choice([1, 1, 3])
        dice = [rng.randint(low, 6 if c == "r" else 5) for c in colours]
        face = "+1" if rng.random() < 0.6 else "reroll red" if "r" not in colours else "tremor"
        t = at_choice.fork()
        t.state.script(
            script(
                [d for d, c in zip(dice, colours, strict=True) if c == "r"],
                [d for d, c in zip(dice, colours, strict=True) if c == "y"],
                [face],
                [face],
            )
        )
        t.do("strike")
        if face == "+1":
            # Of dice equal in colour and value the first stands for all; a single one is taken unasked.
            first = [
                i
                for i, die in enumerate(zip(colours, dice, strict=True))
                if die not in list(zip(colours, dice, strict=True))[:i]
            ]
            index = first[0]
            if len(first) > 1:
                assert t.expect("VALUE_DIE", 0).options() == [f"die:{i}" for i in first]
                index = rng.choice(first)
                t.do(f"die:{index}")
            dice[index] += 1
        for _ in range(theirs.count("speaker")):
            if t.kind != "SHIELD_DIE":
                break
            choice = rng.choice(t.options())
            t.do(choice)
            if choice == "done":
                break
            dice[int(choice.split(":")[1])] -= 1
        expected = defeatable(dice, theirs)
        if len(expected) == 1:
            assert t.kind != "HITS", (ours, theirs, dice)
            continue
        assert hits(t, 0) == expected, (ours, theirs, dice)
        for mask in expected:
            one = t.fork()
            one.do(f"hits:{mask}")
            fallen = [u for i, u in enumerate(theirs) if mask >> i & 1]
            left = [u for i, u in enumerate(theirs) if not mask >> i & 1]
            assert one.captured(0, 1) == (counted(words(fallen)) if fallen else [0] * 5)
            assert one.units(1, FIELD) == (counted(words(left)) if left else [0] * 5)
            assert over(one) == (not left)


# ---------------------------------------------------------------- K7 Flee and Final Strike
@pytest.mark.rule("K7.1", "K7.6", "K8.1")
def test_fleeing_together(engine: str) -> None:
    """All Units of the side move to one space next door, named before the Final Strike; the Combat ends."""
    t = fight(engine, "soldier, speaker, harvester", "soldier")
    t.do("flee")
    assert t.expect("FLEE_TO", 0).spaces() == set(AROUND)
    t.do(AROUND[2])
    assert t.expect("FINAL_STRIKE", 1).options() == ["yes", "no"]
    assert t.units(0, FIELD) == counted("soldier, speaker, harvester")
    t.do("no")
    assert t.units(0, AROUND[2]) == counted("soldier, speaker, harvester")
    assert t.units(0, FIELD) == [0] * 5
    assert t.units(1, FIELD) == counted("soldier")
    assert t.snapshot()["combats"] == []
    assert rolled(t) == []
    assert Counter(e[1:] for e in t.events("MOVE")) == {(0, u, FIELD, AROUND[2]): 1 for u in (0, 2, 4)}


@pytest.mark.rule("K7.2", "K7.3", "U5.5", "RUL-K6")
def test_destinations(engine: str) -> None:
    """Not onto enemies or Ships, the own one included, nor where not all of them have room."""
    t = fight(
        engine,
        "2 soldier, powermech",
        "2 soldier",
        us={"ship": AROUND[0], "units": {AROUND[3]: "miner"}},
        them={"ship": AROUND[1], "units": {AROUND[2]: "speaker"}},
        tiles={AROUND[4]: "mountain"},
    )
    t.do("flee")
    assert t.expect("FINAL_STRIKE", 1).options() == ["yes", "no"], "a single destination needs no choice"
    t.do("no")
    assert t.units(0, AROUND[5]) == counted("2 soldier, powermech")


@pytest.mark.rule("K7.2", "K7.3")
@pytest.mark.parametrize(
    ("ours", "there", "fits"),
    [
        ("soldier", "2 soldier", True),
        ("soldier", "3 soldier", False),
        ("2 soldier", "speaker", True),
        ("2 soldier", "2 speaker", False),
        ("powermech", "harvester", False),
        ("powermech", "2 miner", True),
        ("harvester, miner", "soldier", True),
        ("harvester, miner", "powermech", False),
    ],
)
def test_room_for_all(engine: str, ours: str, there: str, fits: bool) -> None:
    """Capacity of the destination for all fleeing Units together."""
    t = fight(engine, ours, "miner", us={"units": {AROUND[0]: there}})
    t.do("flee")
    assert t.expect("FLEE_TO", 0).spaces() == set(AROUND) - (set() if fits else {AROUND[0]})


@pytest.mark.rule("K7.2", "RUL-M8", "P4.5")
def test_fleeing_by_arrow_and_tunl(engine: str) -> None:
    """Arrows and TUNLs lead away from a Combat, onto Devastated ground too, not into Abyss."""
    edge = space("wetlands-6-1")
    t = fight(
        engine,
        "soldier",
        "soldier",
        at=edge,
        tiles={
            edge: "tunl",
            "savannah-2-1": "tunl",
            "forest-6-1": "lake",
            "wetlands-5-1": "none",
            "wetlands-5-0": "none",
        },
    )
    t.do("flee").expect("FLEE_TO", 0)
    # wetlands-5-1 shows Abyss, wetlands-5-0 Devastated.
    assert t.spaces() == NEAR[edge] - {space("forest-6-1"), space("wetlands-5-1")} | {space("savannah-2-1")}


@pytest.mark.rule("K7.3", "RUL-K6")
def test_room_is_counted_before_the_final_strike(engine: str) -> None:
    """Losses to come do not open a destination."""
    t = fight(
        engine,
        "2 soldier",
        "soldier",
        us={"units": {AROUND[0]: "2 miner"}},
        tiles=dict.fromkeys(AROUND[1:], "lake"),
        dice=script(red=[1, 4, 1], blue=["reroll yellow"], green=["tremor"]),
    )
    assert [e[1] for e in t.events("STRIKE")] == [0], "it could not choose Flee"


@pytest.mark.rule("K7.4", "K7.5", "K7.6", "K7.8", "K4.1", "RUL-K2", "RUL-K3", "RUL-K20")
@pytest.mark.parametrize("attacker", [0, 1])
def test_final_strike(engine: str, attacker: int) -> None:
    """Strike Die and Combat Dice, the die's result applied, no Shield, no card; survivors move."""
    t = fight(
        engine,
        "soldier, speaker",
        "2 soldier, powermech",
        attacker=attacker,
        cards=MINUS_1,
        their_cards=PLUS_1,
        dice=script(red=[3, 1, 1, 1, 1, 1], blue=["+1"], green=["+1"]),
    )
    t.do("flee").answer("FLEE_TO", AROUND[1]).answer("FINAL_STRIKE", "yes", seat=1)
    assert rolled(t) == [BLUE_DIE if attacker else GREEN_DIE] + [RED] * 6
    assert [e[1:] for e in t.events("STRIKE")] == [(1, FIELD, 1, 6)]
    assert t.expect("VALUE_DIE", 1).options() == ["die:0", "die:1"]
    t.do("die:0")
    assert hits(t, 1) == {0, 1, 2}, "4: neither Shield nor card has come in between"
    t.do("hits:1")
    assert over(t)
    assert t.captured(1, 0) == counted("soldier")
    assert t.units(0, AROUND[1]) == counted("speaker")
    assert t.snapshot()["combats"] == []
    assert [len(t.player(seat)["discovery"]) for seat in (0, 1)] == [2, 2]


@pytest.mark.rule("K7.4", "K7.6", "K8.1")
def test_final_strike_takes_all(engine: str) -> None:
    """Nobody is left to move."""
    t = fight(engine, "soldier", "2 soldier", attacker=0, dice=script(red=[5, 1], green=["reroll yellow"]))
    t.do("flee").answer("FLEE_TO", AROUND[1]).answer("FINAL_STRIKE", "yes").answer("HITS", "hits:1")
    assert over(t)
    assert t.captured(1, 0) == counted("soldier")
    assert t.player(0)["units"] == []


@pytest.mark.rule("K7.4", "K4.4")
def test_reroll_in_a_final_strike(engine: str) -> None:
    """The Strike Die's reroll is applied as in a Strike."""
    t = fight(engine, "soldier", "2 soldier", attacker=0, dice=script(red=[1, 2, 4], green=["reroll red"]))
    t.do("flee").answer("FLEE_TO", AROUND[1]).answer("FINAL_STRIKE", "yes")
    t.answer("REROLL_DIE", "die:0", seat=1)
    assert hits(t, 1) == {0, 1}


@pytest.mark.rule("K7.7")
def test_no_final_strike_without_flight(engine: str) -> None:
    """After Strikes, and when a side is captured whole, nobody is asked for one."""
    t = fight(engine, "2 soldier", "soldier", attacker=0, dice=script(red=[4, 1], blue=["reroll yellow"]))
    t.do("strike").answer("HITS", "hits:1")
    assert over(t)
    assert chosen(t, 34) == []


@pytest.mark.rule("K7.9", "K8.3", "RUL-K3")
def test_fracture_of_a_final_strike_under_the_combat(engine: str) -> None:
    """Both sides are gone: no hits, nobody moves."""
    t = fight(
        engine,
        "soldier",
        "2 soldier",
        attacker=0,
        cysmograph={"singles": 4, "stack": 6},
        dice=script(red=[6, 6], green=["tremor"], token=["wetlands-5"]),
    )
    t.do("flee").answer("FLEE_TO", AROUND[0]).answer("FINAL_STRIKE", "yes")
    assert over(t)
    assert t.events("CAPTURE") == t.events("MOVE") == []
    assert t.player(0)["units"] == t.player(1)["units"] == []
    assert [e[1] for e in t.events("FRACTURE")] == [1]


RING_4, RING_6 = [n for n in AROUND if n < 61], [n for n in AROUND if n > 90]


@pytest.mark.rule("K7.9", "K7.10", "RUL-K3")
def test_destination_lost_another_chosen(engine: str) -> None:
    """A Fracture makes the destination Abyss: after the hits the survivors' owner picks a legal one."""
    lost = space("wetlands-4-2")  # 4 + 2: Abyss
    t = fight(
        engine,
        "2 soldier",
        "soldier",
        attacker=0,
        cysmograph={"singles": 4, "stack": 6},
        dice=script(red=[4], green=["tremor"], token=["wetlands-4"]),
    )
    t.do("flee").answer("FLEE_TO", lost).answer("FINAL_STRIKE", "yes", seat=1)
    assert t.tile(lost) == "none"
    t.answer("HITS", "hits:1", seat=1)
    assert t.expect("FLEE_TO", 0).spaces() == set(AROUND) - {lost}
    t.do(RING_6[0])
    assert t.units(0, RING_6[0]) == counted("soldier")
    assert t.captured(1, 0) == counted("soldier")
    assert over(t)


@pytest.mark.rule("K7.10")
def test_destination_that_stays_legal(engine: str) -> None:
    """Devastated ground will do: the flight goes on as announced, onto the new Relic Token."""
    to = space("wetlands-4-1")  # 4 + 1: Devastated
    t = fight(
        engine,
        "soldier",
        "soldier",
        attacker=0,
        cysmograph={"singles": 4, "stack": 6},
        dice=script(red=[1], green=["tremor"], token=["wetlands-4"]),
    )
    t.do("flee").answer("FLEE_TO", to).answer("FINAL_STRIKE", "yes", seat=1)
    assert t.expect("TAKE_TOKEN", 0).options() == ["done", f"space:{to}"]
    assert t.units(0, to) == counted("soldier")


def one_way_out(engine: str, ours: str, theirs: str, dice: Mapping[str, Any], **more: Any) -> Table:
    """A Combat with one exit, onto ground that a Fracture of Tundra ring 5 turns into Abyss."""
    here, exit_ = space("wetlands-5-0"), space("tundra-5-4")  # 5 + 4: Abyss
    assert exit_ in SIDES[here]
    tiles = dict.fromkeys(SIDES[here] - {exit_}, "lake")
    return fight(
        engine,
        ours,
        theirs,
        at=here,
        attacker=0,
        cysmograph={"singles": 4, "stack": 6},
        tiles=tiles,
        dice=dice,
        **more,
    )


@pytest.mark.rule("K7.10", "RUL-K3")
def test_no_destination_left_they_stay(engine: str) -> None:
    """A side that need not have fled stays, and the opponent chooses next."""
    here = space("wetlands-5-0")
    t = one_way_out(
        engine,
        "2 soldier",
        "soldier",
        script(red=[4, 4], green=["tremor", "reroll yellow"], token=["tundra-5"], blue=["reroll yellow"]),
    )
    t.do("flee").answer("FINAL_STRIKE", "yes", seat=1).answer("HITS", "hits:1", seat=1)
    # Seat 1 cannot flee either, so its Strike comes unasked.
    assert [e[1:4] for e in t.events("STRIKE")] == [(1, here, 1), (1, here, 0)]
    assert t.units(0, here) == counted("soldier")
    assert t.captured(1, 0) == counted("soldier")
    assert hits(t, 1) == {0, 1}


@pytest.mark.rule("K7.10", "K3.5", "RUL-K3")
def test_no_destination_left_for_a_side_that_must_flee(engine: str) -> None:
    """It is captured."""
    t = one_way_out(
        engine, "soldier", "powermech", script(red=[1, 1, 1, 1], green=["tremor"], token=["tundra-5"])
    )
    t.answer("FINAL_STRIKE", "yes", seat=1)
    assert over(t)
    assert t.captured(1, 0) == counted("soldier")


# ---------------------------------------------------------------- K8 end of Combat
@pytest.mark.rule("K8.1", "U4.1", "RUL-K15")
def test_survivors_are_unlocked(engine: str) -> None:
    """The marker goes, and the Unit left can act again."""
    t = fight(engine, "soldier", "soldier", attacker=1, dice=script(red=[4], green=["reroll yellow"]))
    t.do("strike").answer("HITS", "hits:1")
    assert t.snapshot()["combats"] == []
    assert [e[1:3] for e in t.events("COMBAT_END")] == [(0, FIELD)]
    t.end_turn().turn("miners").end_turn().turn("soldiers")
    assert t.expect("ACT_SPACE", 0).spaces() == {FIELD}


@pytest.mark.rule("K8.1", "RUL-K15")
def test_effect_that_removes_the_last_enemy(engine: str) -> None:
    """A Troop destroyed by a Bonus Action ends its Combat."""
    t = fight(engine, "soldier", "miner", attacker=0, play="soldiers", round=2)
    t.answer("BONUS", "bonus:destroy_troop")
    assert t.units(1, FIELD) == [0] * 5
    assert t.snapshot()["combats"] == []


def stalemate(engine: str, *places: int) -> Table:
    """Miners that roll nothing but 1: seat 0 Battles in each place until the cap."""
    return scenario(
        engine,
        {"units": dict.fromkeys(places, "miner")},
        {"units": dict.fromkeys(places, "miner")},
        combats=dict.fromkeys(places, 0),
        script=script(yellow=[1] * 420, blue=["reroll red"] * 210, green=["reroll red"] * 210),
        tiles=dict.fromkeys({n for place in places for n in SIDES[place]}, "lake"),
    )


@pytest.mark.rule("K8.2", "K8.5", "RUL-K13")
def test_strike_cap(engine: str) -> None:
    """After 200 Strikes of both sides together the resolution stops and the Combat stays."""
    t = stalemate(engine, FIELD)
    t.turn("battle")
    strikes = [e[1] for e in t.events("STRIKE")]
    assert strikes == [0, 1] * 100
    assert over(t)
    assert t.snapshot()["combats"] == [[FIELD, 0]]
    assert t.events("COMBAT_END") == []


@pytest.mark.rule("K2.5", "K8.2", "RUL-K14")
def test_combat_left_standing_is_not_taken_again(engine: str) -> None:
    """Battle goes on to the other Combat and is then over."""
    t = stalemate(engine, *PLACES[:2])
    t.turn("battle").answer("COMBAT", PLACES[1])
    assert over(t)
    assert [e[2] for e in t.events("STRIKE")] == [PLACES[1]] * 200 + [PLACES[0]] * 200
    assert t.snapshot()["combats"] == [[place, 0] for place in sorted(PLACES[:2])]


# ---------------------------------------------------------------- the printed scenario
def printed_scenario(engine: str) -> Table:
    """Orange (seat 0) against blue (seat 1), grey watching: three rounds to blue's Battle; checks K-EX1."""
    near = AROUND
    elsewhere = space("tundra-5-2")
    t = scenario(
        engine,
        {
            "units": {near[0]: "3 soldier", near[1]: "powermech", near[2]: "powermech, miner"},
            "discovery": ["D04", "D15", "D22", "D33"],
        },
        {
            "units": {
                FIELD: "speaker, harvester",
                near[3]: "soldier",
                near[4]: "speaker",
                elsewhere: "soldier",
            },
            "discovery": ["D07", "D10", "D19"],
        },
        {"units": {near[5]: "soldier", elsewhere: "soldier"}, "ship": "rocky-3-1"},
        options={"colours": ("orange", "blue", "grey")},
        combats={elsewhere: 2},
        script=script(
            red=[5, 4, 3], yellow=[4, 3, 2, 2, 4, 2, 1, 2, 4], green=["tremor", "reroll yellow"], blue=["+1"]
        ),
    )
    # Round 1: orange enters first, blue reinforces, grey is kept out.
    t.turn("soldiers").answer("ACT_SPACE", near[0], seat=0).answer("MOVE_TO", FIELD)
    t.answer("ACT_SPACE", near[0]).answer("MOVE_TO", FIELD).end_turn()
    assert t.attacker(FIELD) == 0
    t.turn("soldiers").answer("ACT_SPACE", near[3], seat=1).answer("MOVE_TO", FIELD).end_turn()
    t.turn("soldiers").answer("ACT_SPACE", near[5], seat=2)
    assert FIELD not in t.expect("MOVE_TO").spaces()
    t.do(near[5]).end_turn()
    # Round 2: the Powermech completes orange; then nobody may enter.
    t.turn("powermechs").answer("ACT_SPACE", near[1], seat=0).answer("ACT_ACTION", "action:move").answer(
        "MOVE_TO", FIELD
    )
    for way in ("action:move", "action:jumpjet"):
        late = t.fork()
        late.answer("ACT_SPACE", near[2]).answer("ACT_ACTION", way)
        assert FIELD not in late.expect("MOVE_TO").spaces()
    t.end_turn()
    t.turn("speakers").answer("ACT_SPACE", near[4], seat=1)
    assert FIELD not in t.expect("MOVE_TO").spaces()
    t.do(near[4]).end_turn()
    t.turn("miners").end_turn()
    t.turn("miners").answer("ACT_SPACE", near[2], seat=0)
    assert FIELD not in t.expect("MOVE_TO").spaces()
    t.do(near[2])
    assert t.units(0, FIELD) == counted("2 soldier, powermech")
    assert t.units(1, FIELD) == counted("soldier, speaker, harvester")
    assert t.attacker(FIELD) == 0
    return t.end_turn()


@pytest.mark.rule(
    "K-EX1",
    "K-EX2",
    "K-EX3",
    "K-EX4",
    "K-EX5",
    "K-EX6",
    "K-EX7",
    "K-EX8",
    "K-EX9",
    "K-EX10",
    "K-EX12",
    "K1.2",
    "K2.1",
    "K4.9",
    "K5.1",
    "K6.6",
)
def test_printed_scenario(engine: str) -> None:
    """One continuous fight, from the first Soldier that enters to the exchange of prisoners."""
    t = printed_scenario(engine)
    before = t.snapshot()["cysmograph"]["stack"]
    # EX2: blue, the Defender, Plays Battle, takes this Combat first and has First Strike.
    t.turn("battle")
    assert t.expect("COMBAT", 1).spaces() == {FIELD, space("tundra-5-2")}
    t.do(FIELD)
    assert t.expect("STRIKE_OR_FLEE", 1).options() == ["strike", "flee"]
    t.do("strike")
    # EX3: green die, one red, four yellow.
    assert rolled(t) == [GREEN_DIE, RED, YELLOW, YELLOW, YELLOW, YELLOW]
    assert [e[1:] for e in t.events("STRIKE")] == [(1, FIELD, 0, 5)]
    # EX4: the Tremor comes before the cards, and there is no Shield.
    assert t.snapshot()["cysmograph"]["stack"] == before + 1
    assert [e[1] for e in t.events("TREMOR")] == [1]
    # EX5: 5 4 3 2 2 -> 6 6 3 2 2 -> 4 5 3 2 2 -> 4 6 3 2 2.
    assert t.expect("MODIFIER_CARD", 1).options() == ["done", "card:D07", "card:D10", "card:D19"]
    t.do("card:D07")
    assert t.expect("MODIFIER_DIE", 1).options() == ["die:0", "die:1", "die:2", "die:3"]
    t.do("die:0", "card:D10")
    assert t.expect("MODIFIER_DIE", 1).options() == ["die:1", "die:2", "die:3"]
    t.do("die:1").answer("MODIFIER_CARD", "done", seat=1)
    assert t.expect("MODIFIER_CARD", 0).options() == ["done", "card:D04", "card:D15", "card:D22", "card:D33"]
    t.do("card:D15").answer("MODIFIER_DIE", "die:0", seat=0)
    t.answer("MODIFIER_CARD", "card:D04", seat=0).answer("MODIFIER_DIE", "die:1", seat=0)
    t.answer("MODIFIER_CARD", "done", seat=0)
    assert t.expect("MODIFIER_CARD", 1).options() == ["done", "card:D19"]
    t.do("card:D19").answer("MODIFIER_DIE", "die:1", seat=1)
    t.answer("MODIFIER_CARD", "done", seat=0)
    # EX6, EX12: nothing, a Soldier, both Soldiers, or the Powermech.
    assert hits(t, 1) == {0b000, 0b001, 0b011, 0b100}
    t.do("hits:4")
    assert t.captured(1, 0) == counted("powermech")
    assert t.units(0, FIELD) == counted("2 soldier")
    # EX7: orange strikes back with two red dice; +1 on the 4.
    assert t.expect("STRIKE_OR_FLEE", 0).options() == ["strike", "flee"]
    t.do("strike")
    assert rolled(t)[6:] == [BLUE_DIE, RED, RED]
    assert t.expect("VALUE_DIE", 0).options() == ["die:0", "die:1"]
    t.do("die:0")
    # EX8, EX12: what each use of blue's one Shield leaves.
    assert t.expect("SHIELD_DIE", 1).options() == ["done", "die:0", "die:1"]
    leaves = {}
    for shield in ("done", "die:0", "die:1"):
        one = t.fork()
        one.do(shield).answer("MODIFIER_CARD", "done", seat=0)
        leaves[shield] = hits(one, 0)
    soldier, speaker, harvester = 1, 2, 4
    assert leaves == {
        "done": {0, soldier, speaker, soldier + speaker, harvester},
        "die:0": {0, soldier, speaker, soldier + speaker},
        "die:1": {0, soldier, speaker},
    }
    t.do("die:1").answer("MODIFIER_CARD", "done", seat=0).answer("HITS", "hits:1", seat=0)
    assert t.captured(0, 1) == counted("soldier")
    # EX9: green die and four yellow; the 1 is rerolled; both Soldiers fall, the Combat ends.
    t.answer("STRIKE_OR_FLEE", "strike", seat=1)
    assert rolled(t)[9:] == [GREEN_DIE] + [YELLOW] * 4
    assert t.expect("REROLL_DIE", 1).options() == ["done", "die:0", "die:1", "die:2"]
    t.do("die:2").answer("MODIFIER_CARD", "done", seat=0)
    assert hits(t, 1) == {0b00, 0b01, 0b11}
    t.do("hits:3")
    assert t.attacker(FIELD) is None
    assert t.units(1, FIELD) == counted("speaker, harvester")
    # Blue's other Combat: it flees from grey.
    t.expect("STRIKE_OR_FLEE", 1)
    flee(t, 1, 2)
    # EX10: the prisoners, and what blue may give for the orange Blueprint.
    assert t.captured(1, 0) == counted("powermech, 2 soldier")
    assert t.captured(0, 1) == counted("soldier")
    t.answer("BONUS", "bonus:gain_blueprint", seat=1)
    assert t.expect("RANSOM_UNIT", 1).options() == ["captive:0:soldier", "captive:0:powermech"]
    for pay, left in (("captive:0:powermech", "2 soldier"), ("captive:0:soldier", "powermech")):
        one = t.fork()
        one.do(pay)
        assert "colonist_quarters" in one.player(1)["blueprints"], "orange's"
        assert one.captured(1, 0) == counted(left)


@pytest.mark.rule("K-EX7", "K4.1", "K2.3")
def test_printed_scenario_if_orange_had_battled_first(engine: str) -> None:
    """With the Powermech orange would have rolled six red dice and the blue Strike Die."""
    t = fight(
        engine,
        "2 soldier, powermech",
        "soldier, speaker, harvester",
        attacker=0,
        dice=script(red=[1] * 6, blue=["tremor"]),
    )
    t.answer("STRIKE_OR_FLEE", "strike", seat=0)
    assert rolled(t) == [BLUE_DIE] + [RED] * 6


@pytest.mark.rule("K-EX11", "K3.2", "RUL-K1")
def test_example_soldier_against_powermech(engine: str) -> None:
    """It must flee: no choice, then the Powermech may make its Final Strike."""
    t = fight(engine, "soldier", "powermech", dice=script(red=[4, 1, 1, 1], green=["reroll yellow"]))
    t.answer("FLEE_TO", AROUND[0], seat=0).answer("FINAL_STRIKE", "yes", seat=1)
    assert hits(t, 1) == {0, 1}
    t.do("hits:0")
    assert t.units(0, AROUND[0]) == counted("soldier")


# ---------------------------------------------------------------- whole Combats against a model
class Duel:
    """An independent model of one resolution; it checks every decision of an engine and picks at random."""

    def __init__(self, engine: str, seed: int) -> None:
        self.rng = rng = random.Random(seed)
        self.sides = [random_side(rng), random_side(rng)]
        self.attacker = rng.randint(0, 1)
        self.captives: list[list[str]] = [[], []]
        self.hands = [sorted(rng.sample(sorted(MODIFIER), rng.randint(0, 3))) for _ in range(2)]
        twice = ("D04", "D07", "D09", "D10", "D15", "D18")  # in the deck
        self.hands[1] = [c for c in self.hands[1] if c not in self.hands[0] or c in twice]
        self.ground = {
            n: rng.choice(["free", "free", "lake", "own0", "own1", "ship0", "ship1"]) for n in AROUND
        }
        for ship in ("ship0", "ship1"):
            places = [n for n, what in self.ground.items() if what == ship]
            for n in places[1:]:
                self.ground[n] = "lake"
        self.guests: dict[int, list[str]] = {}
        stock = [Counter(soldier=10, miner=6, speaker=5, powermech=2, harvester=2) for _ in range(2)]
        for seat in (0, 1):
            stock[seat].subtract(self.sides[seat])
        for n, what in self.ground.items():
            if what.startswith("own"):
                left = stock[int(what[3:])]
                self.guests[n] = [u for u in random_side(rng)[-2:] if left[u]]
                if any(self.guests[n].count(u) > left[u] for u in self.guests[n]):
                    self.guests[n] = []
                left.subtract(self.guests[n])
                if not self.guests[n]:
                    self.ground[n] = "free"
        faces = ["+1", "+1", "reroll red", "reroll red", "reroll yellow"]
        self.queue: dict[str, list[str]] = {
            "red_die": [str(rng.randint(1, 6)) for _ in range(900)],
            "yellow_die": [str(rng.randint(1, 5)) for _ in range(900)],
            "attacker_strike_die": ["tremor", *(rng.choice(faces) for _ in range(250))],
            "defender_strike_die": ["tremor", *(rng.choice(faces) for _ in range(250))],
            "fracture_token": [],
        }
        for die in ("attacker_strike_die", "defender_strike_die"):
            head = self.queue[die][:12]
            rng.shuffle(head)
            self.queue[die][:12] = head
        people: list[dict[str, Any]] = []
        for seat in (0, 1):
            ship = next(
                (n for n, what in self.ground.items() if what == f"ship{seat}"),
                ("savannah-3-1", "forest-3-1")[seat],
            )
            here = {FIELD: words(self.sides[seat])}
            here |= {n: words(g) for n, g in self.guests.items() if self.ground[n] == f"own{seat}"}
            people.append({"ship": ship, "units": here, "discovery": self.hands[seat]})
        self.t = scenario(
            engine,
            *people,
            combats={FIELD: self.attacker},
            script=self.queue,
            tiles={n: "lake" for n, what in self.ground.items() if what == "lake"},
        ).turn("battle")
        self.strikes = 0

    def ask(
        self, kind: str, seat: int, options: Sequence[str], weights: Sequence[float] | None = None
    ) -> str:
        """Checks the decision (none if there is one option only) and makes it."""
        if len(options) == 1:
            return options[0]
        assert set(self.t.expect(kind, seat).options()) == set(options)
        choice = self.rng.choices(options, weights)[0]
        self.t.do(choice)
        return choice

    def roll(self, kind: str) -> str:
        return self.queue[kind].pop(0)

    def destinations(self, seat: int) -> list[int]:
        found = []
        for n, what in self.ground.items():
            guests = self.guests.get(n, []) if what == f"own{seat}" else []
            together = guests + self.sides[seat]
            vehicles = sum(len(HEALTH[u]) == 2 for u in together)
            if what in ("free", f"own{seat}") and len(together) <= 3 and vehicles <= 1:
                found.append(n)
        return found

    def strike(self, seat: int, final: bool) -> None:
        other = 1 - seat
        colours = sorted("".join(DICE[u] for u in self.sides[seat]))
        face = self.roll("attacker_strike_die" if seat == self.attacker else "defender_strike_die")
        dice = [[c, int(self.roll("red_die" if c == "r" else "yellow_die"))] for c in colours]

        def distinct(allowed: Iterable[int]) -> list[str]:
            seen: dict[tuple[str, int], int] = {}
            for i in allowed:
                seen.setdefault((dice[i][0], dice[i][1]), i)
            return [f"die:{i}" for i in sorted(seen.values())]

        if face == "+1":
            dice[int(self.ask("VALUE_DIE", seat, distinct(range(len(dice))))[4:])][1] += 1
        elif face.startswith("reroll"):
            able = [i for i, die in enumerate(dice) if die[0] == face.split()[1][0]]
            choice = self.ask("REROLL_DIE", seat, ["done", *distinct(able)])
            if choice != "done":
                i = int(choice[4:])
                dice[i][1] = int(self.roll("red_die" if dice[i][0] == "r" else "yellow_die"))
        if not final:
            shielded: set[int] = set()
            for _ in range(self.sides[other].count("speaker")):
                choice = self.ask("SHIELD_DIE", other, ["done", *distinct(set(range(len(dice))) - shielded)])
                if choice == "done":
                    break
                shielded.add(int(choice[4:]))
                dice[int(choice[4:])][1] -= 1
            self.modify(seat, dice, distinct)
        possible = sorted(defeatable([d[1] for d in dice], self.sides[other]))
        weights = [1 + 4 * bin(m).count("1") for m in possible]
        mask = int(self.ask("HITS", seat, [f"hits:{m}" for m in possible], weights)[5:])
        self.captives[seat] += [u for i, u in enumerate(self.sides[other]) if mask >> i & 1]
        self.sides[other] = [u for i, u in enumerate(self.sides[other]) if not mask >> i & 1]

    def modify(self, seat: int, dice: list[list[Any]], distinct: Any) -> None:
        for turn in itertools.cycle((seat, 1 - seat)):
            used: set[int] = set()
            while self.hands[turn] and len(used) < len(dice):
                options = ["done", *(f"card:{c}" for c in self.hands[turn])]
                choice = self.ask("MODIFIER_CARD", turn, options)
                if choice == "done":
                    break
                card = choice[5:]
                i = int(self.ask("MODIFIER_DIE", turn, distinct(set(range(len(dice))) - used))[4:])
                dice[i][1] += MODIFIER[card]
                used.add(i)
                self.hands[turn].remove(card)
            if turn != seat and not used:
                return

    def run(self) -> int:
        """Plays the resolution; the number of Strikes made."""
        seat = 0
        while True:
            other = 1 - seat
            easiest = min(len(HEALTH[u]) for u in self.sides[other])
            must = len("".join(DICE[u] for u in self.sides[seat])) < easiest
            ways = self.destinations(seat)
            options = ([] if must else ["strike"]) + (["flee"] if ways else [])
            if not options:
                self.captives[other] += self.sides[seat]
                self.sides[seat] = []
                break
            if self.ask("STRIKE_OR_FLEE", seat, options, [4, 1][: len(options)]) == "strike":
                self.strikes += 1
                self.strike(seat, final=False)
                if not self.sides[other] or self.strikes == 60:
                    break
                seat = other
                continue
            to = int(self.ask("FLEE_TO", seat, [f"space:{n}" for n in ways])[6:])
            if self.ask("FINAL_STRIKE", other, ["yes", "no"]) == "yes":
                self.strike(other, final=True)
            left, self.sides[seat] = self.sides[seat], []
            self.guests[to] = self.guests.get(to, []) + left
            self.ground[to] = f"own{seat}"
            break
        return self.strikes

    def check(self) -> None:
        for seat in (0, 1):

            def tally(units: Iterable[str]) -> list[int]:
                return [list(units).count(name) for name in UNIT_NAMES]

            assert self.t.units(seat, FIELD) == tally(self.sides[seat])
            assert self.t.captured(seat, 1 - seat) == tally(self.captives[seat])
            assert self.t.player(seat)["discovery"] == self.hands[seat]
            for n, what in self.ground.items():
                assert self.t.units(seat, n) == tally(self.guests.get(n, []) if what == f"own{seat}" else [])
        assert over(self.t)
        assert (self.t.attacker(FIELD) is None) == (not all(self.sides))


@pytest.mark.rule(
    "K3.1",
    "K3.2",
    "K3.4",
    "K3.5",
    "K4.4",
    "K4.5",
    "K4.7",
    "K5.1",
    "K5.3",
    "K6.6",
    "K7.1",
    "K7.3",
    "K7.5",
    "K8.1",
)
@pytest.mark.parametrize("seed", range(60))
def test_whole_combats_against_a_model(engine: str, seed: int) -> None:
    """Random sides, surroundings, dice and hands: every question, its options, and the end."""
    duel = Duel(engine, seed)
    if duel.run() < 60:
        duel.check()


# ---------------------------------------------------------------- other readings and numbers
def pack(tmp_path: Path, **files: str) -> dict[str, Any]:
    """Options of a game with a content pack of these files."""
    for name, text in files.items():
        (tmp_path / f"{name}.toml").write_text(text, encoding="utf-8")
    return {"packs": str(tmp_path)}


@pytest.mark.rule("K3.3", "RUL-K1")
def test_reading_nobody_must_flee(engine: str, tmp_path: Path) -> None:
    """With the ruling switched off a Soldier may Strike at a Powermech."""
    t = fight(engine, "soldier", "powermech", options=pack(tmp_path, rulings='must_flee = "never"'))
    assert t.expect("STRIKE_OR_FLEE", 0).options() == ["strike", "flee"]


@pytest.mark.rule("K7.4", "RUL-K2")
def test_reading_final_strike_without_strike_die(engine: str, tmp_path: Path) -> None:
    """Only Combat Dice are rolled in a Final Strike; an ordinary Strike keeps its Strike Die."""
    options = pack(tmp_path, rulings="final_strike_die = false")
    t = fight(
        engine,
        "soldier",
        "2 soldier",
        options=options,
        dice=script(red=[4, 3], blue=["tremor"], green=["tremor"]),
    )
    strike = t.fork()
    t.do("flee").answer("FLEE_TO", AROUND[0]).answer("FINAL_STRIKE", "yes")
    assert rolled(t) == [RED, RED]
    assert hits(t, 1) == {0, 1}
    assert t.events("TREMOR") == []
    strike.do("strike")
    assert rolled(strike) == [BLUE_DIE, RED]


@pytest.mark.rule("K8.5", "RUL-K13")
@pytest.mark.parametrize("cap", [1, 2, 3])
def test_other_strike_cap(engine: str, tmp_path: Path, cap: int) -> None:
    """The cap counts the Strikes of both sides; it stops nothing before its number is reached."""
    t = fight(
        engine,
        "miner",
        "miner",
        options=pack(tmp_path, limits=f"[caps]\nstrikes = {cap}"),
        dice=script(yellow=[1] * 3, blue=["reroll red"] * 2, green=["reroll red"]),
    )
    for seat in [0, 1, 0][:cap]:
        t.answer("STRIKE_OR_FLEE", "strike", seat=seat)
    assert over(t)
    assert t.attacker(FIELD) == 0


@pytest.mark.rule("K8.5", "K7.10", "RUL-K13")
def test_final_strikes_do_not_count(engine: str, tmp_path: Path) -> None:
    """Cap 1: after a Final Strike whose target had to stay the opponent still has the one Strike."""
    t = one_way_out(
        engine,
        "2 soldier",
        "soldier",
        script(red=[1, 4], green=["tremor", "reroll yellow"], token=["tundra-5"]),
        options=pack(tmp_path, limits="[caps]\nstrikes = 1"),
    )
    t.do("flee").answer("FINAL_STRIKE", "yes", seat=1)
    assert hits(t, 1) == {0, 1}
    t.do("hits:0")
    assert over(t)
    assert [e[3] for e in t.events("STRIKE")] == [1, 0]


@pytest.mark.rule("K4.5", "U2.5", "U2.6")
def test_other_dice_and_healths(engine: str, tmp_path: Path) -> None:
    """Faces and Healths are the content pack's: +3 on a red 2 makes a Soldier of Health 5 fall."""
    options = pack(
        tmp_path,
        dice='[strike]\nattacker = ["+3", "+3", "+3", "+3", "+3", "+3"]',
        units="[soldier]\nhealth = [5]",
    )
    t = fight(engine, "soldier", "soldier", options=options, dice=script(red=[2]))
    t.do("strike")
    assert hits(t, 0) == {0, 1}
    t = fight(engine, "soldier", "soldier", options=options, dice=script(red=[1, 1], green=["reroll yellow"]))
    t.do("strike")
    t.expect("STRIKE_OR_FLEE", 1)
