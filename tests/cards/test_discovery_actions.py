"""Every Action of the Discovery Deck: what its Ability does, and when it cannot be used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from geometry import NEAR, ball, is_abyss, landscape
from plays import at_bonus, offer, reserve
from scenario import SHIPS, TERRAINS, Table, make_game, space
from scenario import units as counted

from cysmic_fast.vocabulary import OPTION, ChanceKind, DecisionKind

#: Where things happen: nobody's Ship is near, and no arrow within two steps.
FIELD = space("wetlands-4-1")
HILL = space("tundra-4-1")
SHIP, THEIR_SHIP = space(SHIPS[0]), space(SHIPS[1])
AROUND_SHIP = sorted(NEAR[SHIP])
SOLDIER, MINER, SPEAKER, POWERMECH, HARVESTER = range(5)
#: A Ship that nothing can be Deployed beside.
CUT_OFF = dict.fromkeys(AROUND_SHIP, "lake")


def ring_of(distance: int, centre: int = FIELD) -> list[int]:
    """Spaces exactly so many steps away."""
    return sorted(ball(centre, distance) - ball(centre, distance - 1))


BESIDE, TWO_OFF, THREE_OFF = ring_of(1), ring_of(2), ring_of(3)


def hold(engine: str, design: str, *seats: Mapping[str, Any], **more: Any) -> Table:
    """Seat 0 has chosen ``design`` for Play a Discovery Card: its use is the next thing asked, or decided."""
    options = {"abilities": True, "molten_core": True, **more.pop("options", {})}
    first = dict(seats[0]) if seats else {}
    first["discovery"] = [design, *first.get("discovery", [])]
    more.setdefault("card", "speakers")
    t = at_bonus(engine, "two_cards", first, *seats[1:], options=options, **more)
    return pick(t.do("bonus:play_card"), "PLAY_CARD", f"card:{design}")


def use(engine: str, design: str, *seats: Mapping[str, Any], **more: Any) -> Table:
    """Seat 0 plays ``design`` for its Ability."""
    t = hold(engine, design, *seats, **more).expect("PLAY_MODE", 0)
    assert t.options() == ["option:0", "option:1"]
    return t.do("option:0")


def refused(engine: str, design: str, *seats: Mapping[str, Any], **more: Any) -> Table:
    """The Ability is not offered: ``design`` is played for its Rewards without asking."""
    t = hold(engine, design, *seats, **more)
    last = [e for e in t.events("CHOICE") if e[2] == DecisionKind.PLAY_MODE][-1]
    assert last[1:] == (0, DecisionKind.PLAY_MODE, OPTION + 1, 1)
    assert [e[3] for e in t.events("PLAY_CARD")] == [2]
    return t


def finished(t: Table, card: str, next_asked: str = "BURN") -> Table:
    """The Ability is over: the card is discarded and the turn has passed on."""
    design = next(n for n, d in enumerate(t.game.content.discovery) if d.id == card)
    assert [e[1:] for e in t.events("PLAY_CARD")] == [(0, design, 0, 0)]
    assert card in t.snapshot()["discovery"]["discard"]
    assert card not in t.player(0)["discovery"]
    return t.expect(next_asked, 1)


def pick(t: Table, kind: str, action: str | int) -> Table:
    """Does an action where ``kind`` is asked; one that was the only choice has been done already."""
    if t.kind == kind:
        return t.do(action)
    choices = [e[3:] for e in t.events("CHOICE") if e[2] == DecisionKind[kind]]
    assert (t.action(action), 1) in choices, f"{kind}: {action} was neither asked nor the only choice"
    return t


def unit(t: Table, where: int, kind: str, owner: int = 0) -> Table:
    """Chooses a Unit: its space, its owner, its type."""
    pick(t, "UNIT_SPACE", where)
    pick(t, "UNIT_OWNER", f"player:{owner}")
    return pick(t, "UNIT_TYPE", f"unit:{kind}")


def asked(t: Table, kind: str, *options: str | int, seat: int = 0) -> Table:
    """Exactly these options are offered; the only one has been taken already."""
    wanted = sorted(t.action(o) for o in options)
    if len(wanted) == 1 and t.kind != kind:
        return pick(t, kind, wanted[0] - 128 if 128 <= wanted[0] < 255 else options[0])
    t.expect(kind, seat)
    assert list(t.state.legal_actions()) == wanted, t.options()
    return t


def gained(t: Table) -> list[str]:
    """Modules whose Blueprints were acquired, in order."""
    return [t.game.content.modules[e[2]].id for e in t.events("BLUEPRINT")]


def dice(t: Table) -> list[int]:
    """Kinds of the dice rolled."""
    kinds = (ChanceKind.RED_DIE, ChanceKind.YELLOW_DIE)
    return [e[2] for e in t.events("CHANCE") if e[2] in kinds]


def lost(t: Table, how: int = 0) -> list[tuple[int, int, int]]:
    """(owner, type, space) of Units that left: 0 destroyed, 1 Recalled."""
    return sorted(e[1:4] for e in t.events("LEAVE") if e[4] == how)


def rows(red: Sequence[int] = (), yellow: Sequence[int] = (), **more: list[str]) -> dict[str, list[str]]:
    """A script of dice."""
    return {"red_die": [str(v) for v in red], "yellow_die": [str(v) for v in yellow], **more}


#: A player who has Launched: keeps cards and reacts to nothing.
GONE = {"ship": None, "launched": True}
LATE = {"end_trigger": "simultaneous"}
CALM = {"attacker_strike_die": ["reroll yellow"], "defender_strike_die": ["reroll yellow"]}


# ------------------------------------------------------------------ destruction
@pytest.mark.card("D01")
@pytest.mark.rule("D5.1", "V1.2", "V1.4")
def test_alien_cluster_bomb(engine: str) -> None:
    """Spaces with Units at or beside a Powermech of one's own; all that is there goes, friend or foe."""
    a, b, c = BESIDE[0], BESIDE[3], BESIDE[5]
    t = use(
        engine, "D01",
        {"units": {FIELD: "soldier, powermech", a: "miner", HILL: "soldier"}},
        {"units": {a: "soldier, powermech", b: "harvester", TWO_OFF[0]: "soldier"}},
        combats={a: 1}, tiles={c: "lorium"},
    )  # fmt: skip
    asked(t, "PICK_SPACE", FIELD, a, b)
    own = t.fork().do(FIELD)
    assert lost(own) == [(0, SOLDIER, FIELD), (0, POWERMECH, FIELD)]
    finished(own, "D01")
    t.do(a)
    assert lost(t) == [(0, MINER, a), (1, SOLDIER, a), (1, POWERMECH, a)]
    assert t.units(0, a) == t.units(1, a) == [0] * 5
    assert t.units(1, b) == counted("harvester")
    assert [e[1:3] for e in t.events("COMBAT_END")] == [(-1, a)]
    assert t.events("STRIKE") == []
    assert t.captured(0, 1) == [0] * 5
    finished(t, "D01")


@pytest.mark.card("D01")
@pytest.mark.rule("D5.1", "V1.2")
def test_alien_cluster_bomb_needs_a_powermech(engine: str) -> None:
    """An enemy's, or one's own as a captive, is none."""
    t = refused(
        engine, "D01", {"units": {FIELD: "soldier"}},
        {"units": {BESIDE[0]: "powermech"}, "captured": {0: "powermech"}},
    )  # fmt: skip
    asked(t, "REWARD", "option:1")


@pytest.mark.card("D02")
@pytest.mark.rule("D5.2", "V3.2")
def test_fierce_winds(engine: str) -> None:
    """Beside a Mountain, where a Troop is: all Troops, Locked, Unlocked or Confused, and no Vehicle."""
    a, b, c = BESIDE[0], BESIDE[2], BESIDE[4]
    t = use(
        engine,
        "D02",
        {"units": {a: "soldier", c: "harvester"}},
        {
            "units": {a: "soldier, speaker, powermech", b: "2 miner", TWO_OFF[0]: "soldier"},
            "confused": [[b, [0, 1, 0]]],
        },
        tiles={FIELD: "mountain"},
        combats={a: 0},
    )
    asked(t, "PICK_SPACE", a, b)
    unlocked = t.fork().do(b)
    assert lost(unlocked) == [(1, MINER, b), (1, MINER, b)]
    finished(unlocked, "D02")
    t.do(a)
    assert lost(t) == [(0, SOLDIER, a), (1, SOLDIER, a), (1, SPEAKER, a)]
    assert t.units(1, a) == counted("powermech")
    assert [e[1:3] for e in t.events("COMBAT_END")] == [(1, a)]
    finished(t, "D02")


@pytest.mark.card("D02")
@pytest.mark.rule("D5.2", "V1.2")
def test_fierce_winds_needs_a_troop_beside_a_mountain(engine: str) -> None:
    refused(
        engine, "D02", {"units": {BESIDE[0]: "harvester"}}, {"units": {TWO_OFF[0]: "soldier"}},
        tiles={FIELD: "mountain"},
    )  # fmt: skip


@pytest.mark.card("D61")
@pytest.mark.rule("V3.1", "V1.5")
def test_meteor_shower(engine: str) -> None:
    """Any terrain; from the active player clockwise everybody chooses one of their own Troops on it."""
    there, also = space("wetlands-5-0"), space("wetlands-5-3")
    t = use(
        engine, "D61",
        {"units": {FIELD: "soldier, powermech", HILL: "soldier"}},
        {"units": {FIELD: "soldier", also: "2 speaker"}},
        {"units": {there: "miner", "tundra-5-1": "miner"}},
        combats={FIELD: 0},
    )  # fmt: skip
    asked(t, "PICK_TERRAIN", *(f"terrain:{name}" for name in TERRAINS))
    t.do("terrain:wetlands")
    asked(t, "UNIT_SPACE", FIELD, also, seat=1)
    unit(t, also, "speaker", owner=1)
    assert lost(t) == [(0, SOLDIER, FIELD), (1, SPEAKER, also), (2, MINER, there)]
    finished(t, "D61")


@pytest.mark.card("D61")
@pytest.mark.rule("V1.1", "V1.2")
def test_meteor_shower_on_empty_land(engine: str) -> None:
    """It may be played where nobody has Troops, and nothing happens. A Devastated space is no terrain."""
    t = use(
        engine, "D61", {"units": {space("wetlands-5-0"): "soldier", HILL: "powermech"}},
        tiles={"wetlands-5-0": "none"},
    )  # fmt: skip
    t.fork().do("terrain:wetlands").expect("BURN", 1)
    t.do("terrain:tundra")
    assert lost(t) == []
    finished(t, "D61")


# ------------------------------------------------------------------ captives
@pytest.mark.card("D03")
@pytest.mark.rule("D5.3", "V1.2")
def test_hostage_kidnapping(engine: str) -> None:
    """A Troop of somebody else's, out of another Holding Area; neither Vehicles nor one's own."""
    t = use(
        engine, "D03", {},
        {"captured": {0: "soldier", 2: "miner, speaker, harvester"}},
        {"captured": {1: "soldier", 0: "miner"}},
    )  # fmt: skip
    asked(t, "STEAL_HOLDER", "player:1", "player:2")
    t.do("player:1")
    asked(t, "STEAL_CAPTIVE", "captive:2:miner", "captive:2:speaker")
    t.do("captive:2:miner")
    assert t.captured(0, 2) == counted("miner")
    assert t.captured(1, 2) == counted("speaker, harvester")
    assert t.captured(1, 0) == counted("soldier")
    assert [e[1:] for e in t.events("CAPTURE")] == [(0, 2, MINER, -1)]
    finished(t, "D03")


@pytest.mark.card("D03")
@pytest.mark.rule("D5.3", "V1.2")
@pytest.mark.parametrize("held", [{0: "2 soldier"}, {2: "powermech"}, {}], ids=["own", "vehicle", "nothing"])
def test_hostage_kidnapping_never_takes_your_own(engine: str, held: dict[int, str]) -> None:
    t = refused(engine, "D03", {"captured": {1: "soldier"}}, {"captured": held}, {})
    assert t.captured(0, 1) == counted("soldier")


@pytest.mark.card("D22")
def test_field_surgeons(engine: str) -> None:
    """One captured Troop comes home, and 1 Lorium."""
    t = use(engine, "D22", {}, {"captured": {0: "soldier, speaker, harvester"}}, {"captured": {0: "soldier"}})
    asked(t, "RESCUE_HOLDER", "player:1", "player:2")
    t.do("player:1")
    asked(t, "RESCUE_TYPE", "unit:soldier", "unit:speaker")
    t.do("unit:speaker")
    assert t.captured(1, 0) == counted("soldier, harvester")
    assert t.captured(2, 0) == counted("soldier")
    assert [e[1:] for e in t.events("RELEASE")] == [(1, 0, SPEAKER, 0)]
    assert t.player(0)["lorium"] == 1
    finished(t, "D22")


@pytest.mark.card("D22")
@pytest.mark.rule("V1.2")
def test_field_surgeons_need_a_captured_troop(engine: str) -> None:
    refused(engine, "D22", {"captured": {1: "soldier"}}, {"captured": {0: "harvester", 2: "soldier"}}, {})


@pytest.mark.card("D23")
@pytest.mark.rule("V1.1")
def test_jailbreak(engine: str) -> None:
    """Up to two Units, Vehicles too, then a Soldier if wanted."""
    t = use(engine, "D23", {}, {"captured": {0: "soldier, powermech"}}, {"captured": {0: "miner"}})
    asked(t, "RESCUE_HOLDER", "done", "player:1", "player:2")
    none = t.fork().do("done").answer("OPTIONAL_STEP", "no", seat=0)
    assert none.events("RELEASE") == []
    finished(none, "D23")
    t.do("player:1").answer("RESCUE_TYPE", "unit:powermech")
    asked(t, "RESCUE_HOLDER", "done", "player:1", "player:2")
    t.do("player:2")
    assert t.captured(1, 0) == counted("soldier")
    assert t.captured(2, 0) == [0] * 5
    asked(t, "OPTIONAL_STEP", "yes", "no")
    t.do("yes")
    asked(t, "DEPLOY_SPACE", *AROUND_SHIP)
    t.do(AROUND_SHIP[0])
    assert t.units(0, AROUND_SHIP[0]) == counted("soldier")
    finished(t, "D23")


@pytest.mark.card("D23")
@pytest.mark.rule("V1.1")
def test_jailbreak_without_a_place_to_deploy(engine: str) -> None:
    """The Soldier is then not offered."""
    t = use(engine, "D23", {}, {"captured": {0: "soldier"}}, tiles=CUT_OFF)
    finished(t.answer("RESCUE_HOLDER", "player:1"), "D23")


@pytest.mark.card("D23")
@pytest.mark.rule("V1.2")
def test_jailbreak_needs_a_captive(engine: str) -> None:
    refused(engine, "D23", {"captured": {1: "soldier"}}, {"captured": {2: "soldier"}}, {})


@pytest.mark.card("D58")
def test_mutiny(engine: str) -> None:
    """An Unlocked enemy Troop at most one step from a Speaker of one's own becomes a captive."""
    a, b, c = BESIDE[0], BESIDE[2], BESIDE[4]
    t = use(
        engine, "D58",
        {"units": {FIELD: "speaker", c: "soldier"}},
        {"units": {a: "soldier, miner", b: "harvester", c: "soldier", TWO_OFF[0]: "miner, speaker"}},
        {"units": {BESIDE[3]: "miner"}},
        combats={c: 0},
    )  # fmt: skip
    asked(t, "UNIT_SPACE", a, BESIDE[3])
    t.do(a)
    asked(t, "UNIT_TYPE", "unit:soldier", "unit:miner")
    t.do("unit:miner")
    assert t.captured(0, 1) == counted("miner")
    assert t.units(1, a) == counted("soldier")
    assert [e[1:] for e in t.events("CAPTURE")] == [(0, 1, MINER, a)]
    finished(t, "D58")


@pytest.mark.card("D58", "D41")
@pytest.mark.rule("V1.2")
@pytest.mark.parametrize("card", ["D58", "D41"])
def test_mutiny_and_whispers_need_an_unlocked_troop_near_a_speaker(engine: str, card: str) -> None:
    """Locked Troops, Vehicles, Troops two steps away and Confused ones will not do."""
    t = refused(
        engine, card,
        {"units": {FIELD: "speaker", BESIDE[0]: "soldier"}},
        {
            "units": {BESIDE[0]: "miner", BESIDE[2]: "harvester", BESIDE[4]: "miner", TWO_OFF[0]: "soldier"},
            "confused": [[BESIDE[4], [0, 1, 0]]],
        },
        combats={BESIDE[0]: 0},
    )  # fmt: skip
    assert t.units(1, BESIDE[0]) == counted("miner")


@pytest.mark.card("D08")
@pytest.mark.rule("D5.7", "V1.1")
def test_ultimate_sacrifice(engine: str) -> None:
    """An Unlocked Troop to each opponent in turn, then a Blueprinted Module for nothing."""
    t = use(
        engine,
        "D08",
        {
            "units": {FIELD: "soldier, powermech", HILL: "miner", BESIDE[0]: "soldier"},
            "blueprints": ["crew_bridge", "warp_drive"],
        },
        {"units": {BESIDE[0]: "soldier"}},
        {},
        combats={BESIDE[0]: 0},
    )
    asked(t, "UNIT_SPACE", FIELD, HILL)
    unit(t, HILL, "miner")
    unit(t, FIELD, "soldier")
    assert t.captured(1, 0) == counted("miner")
    assert t.captured(2, 0) == counted("soldier")
    assert [e[1:] for e in t.events("CAPTURE")] == [(1, 0, MINER, HILL), (2, 0, SOLDIER, FIELD)]
    asked(t, "CONSTRUCT", "module:crew_bridge", "module:warp_drive")
    t.do("module:warp_drive")
    assert t.player(0)["modules"] == ["warp_drive"]
    assert t.player(0)["lorium"] == 0
    assert lost(t, 1) == []
    finished(t, "D08")


@pytest.mark.card("D08")
@pytest.mark.rule("D5.7", "V1.2")
@pytest.mark.parametrize(
    "me",
    [
        {"units": {FIELD: "soldier, powermech", BESIDE[0]: "soldier"}},
        {"units": {FIELD: "2 soldier"}, "blueprints": ["crew_bridge"], "modules": ["crew_bridge"]},
    ],
    ids=["one Troop for two", "no Blueprint"],
)
def test_ultimate_sacrifice_needs_a_troop_for_each(engine: str, me: dict[str, Any]) -> None:
    them = {"units": {BESIDE[0]: "soldier"}} if BESIDE[0] in me["units"] else {}
    t = refused(engine, "D08", me, them, {}, combats={BESIDE[0]: 0} if them else {})
    assert t.player(0)["modules"] == me.get("modules", [])
    assert t.events("CAPTURE") == []


# ------------------------------------------------------------------ moves
@pytest.mark.card("D04")
@pytest.mark.rule("D5.4", "M8.1")
def test_long_jump(engine: str) -> None:
    """Up to 6 spaces over anything; not into enemies, onto a Ship, a Lake, a Mountain, the Abyss, or a full
    space. No Tremor, no Combat."""
    enemy, full, lake, mountain, camp = BESIDE[0], TWO_OFF[5], TWO_OFF[0], TWO_OFF[1], TWO_OFF[2]
    walls = dict.fromkeys([n for n in BESIDE if n != enemy], "lake")
    abyss = next(n for n in THREE_OFF if is_abyss(n))
    hole = next(n for n in THREE_OFF if not is_abyss(n))
    t = use(
        engine, "D04",
        {"units": {FIELD: "miner", full: "3 soldier", HILL: "harvester"}}, {"units": {enemy: "miner"}},
        tiles={**walls, lake: "lake", mountain: "mountain", camp: "camp", abyss: "none", hole: "none"},
        cysmograph={"singles": 4, "stack": 4},
    )  # fmt: skip
    asked(t, "UNIT_SPACE", FIELD, full, HILL)
    unit(t, FIELD, "miner")
    t.expect("MOVE_TO", 0)
    blocked = {*walls, lake, mountain, abyss, enemy, full, SHIP, THEIR_SHIP}
    assert t.spaces() == ball(FIELD, 6) - blocked
    assert {FIELD, hole} <= t.spaces()
    end = max(set(ring_of(6)) - blocked)
    t.do(end)
    assert t.units(0, end) == counted("miner")
    assert [e[1:] for e in t.events("MOVE")] == [(0, MINER, FIELD, end)]
    assert t.events("TREMOR") == t.events("COMBAT_BEGIN") == []
    finished(t, "D04")


@pytest.mark.card("D04")
@pytest.mark.rule("D5.4")
def test_long_jump_of_a_soldier_begins_no_combat(engine: str) -> None:
    """Engage does not help."""
    t = use(engine, "D04", {"units": {FIELD: "soldier"}}, {"units": {BESIDE[0]: "miner"}})
    assert BESIDE[0] not in t.expect("MOVE_TO").spaces()
    assert BESIDE[1] in t.spaces()


@pytest.mark.card("D04", "D60", "D52", "D53")
@pytest.mark.rule("V1.2")
@pytest.mark.parametrize("card", ["D04", "D60", "D52", "D53"])
def test_locked_units_stay(engine: str, card: str) -> None:
    """Long Jump, Rapid Transit, Shuttle Run and Shell Game ask for an Unlocked Unit."""
    refused(
        engine,
        card,
        {"units": {FIELD: "soldier, harvester"}},
        {"units": {FIELD: "soldier", TWO_OFF[0]: "miner"}},
        combats={FIELD: 0},
    )


@pytest.mark.card("D05")
@pytest.mark.rule("D5.5", "M7.1", "M7.2", "V1.2")
def test_manipulated(engine: str) -> None:
    """An enemy Soldier walks its 3 spaces to Units of another Faction than its own; it is the Attacker."""
    mine, third, far, over = BESIDE[0], BESIDE[5], ring_of(4)[0], TWO_OFF[3]
    walls = [n for n in NEAR[over] if n in ball(FIELD, 2)]
    own = next(n for n in BESIDE[1:5] if n not in walls)
    assert not {mine, third} & set(walls)
    t = use(
        engine,
        "D05",
        {"units": {mine: "miner, soldier", far: "miner", over: "miner"}},
        {"units": {FIELD: "soldier, miner", own: "2 speaker", HILL: "soldier"}},
        {"units": {third: "harvester"}},
        tiles=dict.fromkeys([*NEAR[HILL], *walls], "lake"),
    )
    unit(t, FIELD, "soldier", owner=1)
    asked(t, "MOVE_TO", mine, third)
    other = t.fork().do(third)
    assert other.attacker(third) == 1
    t.do(mine)
    assert t.units(1, mine) == counted("soldier")
    assert [e[1:4] for e in t.events("COMBAT_BEGIN")] == [(1, mine, 0)]
    assert t.attacker(mine) == 1
    assert t.events("STRIKE") == t.events("TREMOR") == []
    finished(t, "D05")


@pytest.mark.card("D05")
@pytest.mark.rule("D5.5", "V1.2")
@pytest.mark.parametrize(
    ("mine", "theirs"),
    [(4, "soldier"), (1, "miner, speaker"), (1, "powermech")],
    ids=["too far", "no Soldier", "a Powermech"],
)
def test_manipulated_needs_a_soldier_that_gets_there(engine: str, mine: int, theirs: str) -> None:
    """Staying where it is is no Move that ends with another Faction, either."""
    refused(engine, "D05", {"units": {ring_of(mine)[0]: "miner"}}, {"units": {FIELD: theirs}})


@pytest.mark.card("D05", "D06")
@pytest.mark.rule("D5.5", "V1.2")
@pytest.mark.parametrize(("card", "kind"), [("D05", "soldier"), ("D06", "powermech")])
def test_steering_locked_units_is_impossible(engine: str, card: str, kind: str) -> None:
    refused(
        engine,
        card,
        {"units": {FIELD: "miner", BESIDE[0]: "miner"}},
        {"units": {FIELD: kind}},
        combats={FIELD: 1},
    )


@pytest.mark.card("D05")
@pytest.mark.rule("M7.3")
def test_a_steered_unit_takes_a_token_for_its_owner(engine: str) -> None:
    """Only one on the last space, and the Unit's owner decides."""
    hole = next(n for n in BESIDE if not is_abyss(n))
    t = use(
        engine, "D05", {"units": {hole: "miner"}}, {"units": {FIELD: "soldier"}},
        tiles={hole: "none"}, relic_tokens=[hole], relics={"draw": ["R01", "R02"]},
    )  # fmt: skip
    asked(t, "TAKE_TOKEN", "done", hole, seat=1)
    t.do(hole).answer("KEEP_RELIC", "card:R01", seat=1).answer("RELIC_WINDOW", "done", seat=1)
    assert t.player(1)["relics"] == ["R01"]
    assert t.player(0)["relics"] == []
    assert t.attacker(hole) == 1


@pytest.mark.card("D06")
@pytest.mark.rule("D5.5", "M7.1", "M7.2", "V1.8")
def test_override_by_jump(engine: str) -> None:
    """A Powermech that cannot walk there jumps, and the Tremor is caused by who plays the card."""
    walls = [n for n in BESIDE if n != BESIDE[0]]
    end = next(n for n in THREE_OFF if not ball(BESIDE[0], 2) & {n})
    t = use(
        engine, "D06", {"units": {end: "miner"}}, {"units": {FIELD: "powermech"}},
        tiles=dict.fromkeys(walls, "lake"), cysmograph={"singles": 4, "stack": 4},
    )  # fmt: skip
    assert t.units(1, end) == counted("powermech")
    assert [e[1:4] for e in t.events("COMBAT_BEGIN")] == [(1, end, 0)]
    assert [e[1:3] for e in t.events("TREMOR")] == [(0, 5)]
    finished(t, "D06")


@pytest.mark.card("D06")
@pytest.mark.rule("D5.5")
@pytest.mark.parametrize(("mode", "tremors"), [("action:move", 0), ("action:jumpjet", 1)])
def test_override_either_way(engine: str, mode: str, tremors: int) -> None:
    """Where walking and jumping lead there one is chosen; walking causes no Tremor."""
    end = TWO_OFF[0]
    t = use(
        engine,
        "D06",
        {"units": {end: "harvester", HILL: "powermech"}},
        {"units": {FIELD: "powermech", BESIDE[0]: "soldier", max(NEAR[HILL]): "miner"}},
        cysmograph={"singles": 4, "stack": 4},
    )
    asked(t, "MOVE_MODE", "action:move", "action:jumpjet")
    t.do(mode)
    assert t.attacker(end) == 1
    assert len(t.events("TREMOR")) == tremors
    finished(t, "D06")


@pytest.mark.card("D06")
@pytest.mark.rule("D5.5", "V1.2")
@pytest.mark.parametrize(("mine", "theirs"), [(4, "powermech"), (1, "2 soldier")])
def test_override_needs_a_powermech_that_gets_there(engine: str, mine: int, theirs: str) -> None:
    refused(engine, "D06", {"units": {ring_of(mine)[0]: "miner"}}, {"units": {FIELD: theirs}})


@pytest.mark.card("D60")
@pytest.mark.rule("V1.1", "V9.2")
def test_rapid_transit(engine: str) -> None:
    """Up to two different Units walk their own Movement."""
    t = use(engine, "D60", {"units": {FIELD: "miner, powermech", HILL: "soldier"}})
    asked(t, "UNIT_SPACE", "done", FIELD, HILL)
    finished(t.fork().do("done"), "D60")
    unit(t, FIELD, "miner").expect("MOVE_TO", 0)
    assert t.spaces() == ball(FIELD, 2)
    t.do(TWO_OFF[0])
    asked(t, "UNIT_SPACE", "done", FIELD, HILL)  # the Miner has moved
    unit(t, FIELD, "powermech").expect("MOVE_TO", 0)
    assert t.spaces() == ball(FIELD, 3) - {SHIP, THEIR_SHIP}
    t.do(TWO_OFF[0])
    assert t.units(0, TWO_OFF[0]) == counted("miner, powermech")
    assert t.events("TREMOR") == []
    finished(t, "D60")


@pytest.mark.card("D60")
def test_rapid_transit_may_begin_a_combat(engine: str) -> None:
    t = use(engine, "D60", {"units": {FIELD: "soldier, miner"}}, {"units": {BESIDE[0]: "miner"}})
    unit(t, FIELD, "soldier").answer("MOVE_TO", BESIDE[0])
    assert t.attacker(BESIDE[0]) == 0
    unit(t, FIELD, "miner").expect("MOVE_TO")
    assert BESIDE[0] in t.spaces()  # to the Combat of its own


@pytest.mark.card("D52")
@pytest.mark.rule("V1.1", "V9.2", "M8.1")
def test_shuttle_run(engine: str) -> None:
    """Up to two Unlocked Units go next to their Ship: not into enemies, a Lake or a full space."""
    enemy, lake, full, *free = AROUND_SHIP
    t = use(
        engine,
        "D52",
        {"units": {FIELD: "soldier, harvester", full: "3 miner"}},
        {"units": {enemy: "speaker"}},
        tiles={lake: "lake"},
    )
    asked(t, "UNIT_SPACE", "done", FIELD, full)
    unit(t, FIELD, "soldier")
    asked(t, "PLACE_TO", *free)
    t.do(free[0])
    asked(t, "UNIT_SPACE", "done", FIELD, full)
    unit(t, full, "miner")
    asked(t, "PLACE_TO", *free)  # the space left is its own
    t.do(free[0])
    assert t.units(0, free[0]) == counted("soldier, miner")
    assert t.units(0, FIELD) == counted("harvester")
    finished(t, "D52")


@pytest.mark.card("D52")
@pytest.mark.rule("V1.2")
def test_shuttle_run_needs_room(engine: str) -> None:
    refused(engine, "D52", {"units": {FIELD: "soldier"}}, tiles=CUT_OFF)


@pytest.mark.card("D53")
@pytest.mark.rule("V1.2")
def test_shell_game(engine: str) -> None:
    """All of one space outside Combat change places with all of an opponent's within two steps."""
    near, far = TWO_OFF[0], next(n for n in ring_of(4) if n not in ball(TWO_OFF[0], 2))
    t = use(
        engine, "D53",
        {"units": {FIELD: "2 soldier, powermech", HILL: "miner"}},
        {"units": {near: "miner, harvester", BESIDE[3]: "speaker", far: "soldier"}},
    )  # fmt: skip
    asked(t, "PICK_SPACE", FIELD)  # nobody is within two steps of the hill
    asked(t, "PLACE_TO", near, BESIDE[3])
    t.do(near)
    assert t.units(0, near) == counted("2 soldier, powermech")
    assert t.units(1, FIELD) == counted("miner, harvester")
    assert t.units(0, FIELD) == t.units(1, near) == [0] * 5
    assert t.events("COMBAT_BEGIN") == []
    finished(t, "D53")


@pytest.mark.card("D53")
def test_shell_game_with_vehicles(engine: str) -> None:
    near = TWO_OFF[0]
    t = use(engine, "D53", {"units": {FIELD: "harvester"}}, {"units": {near: "powermech"}})
    assert t.units(0, near) == counted("harvester")
    assert t.units(1, FIELD) == counted("powermech")
    finished(t, "D53")


@pytest.mark.card("D53")
@pytest.mark.rule("V1.2")
def test_shell_game_needs_unlocked_partners(engine: str) -> None:
    """A Combat within two steps is nobody to trade places with, nor are Units three steps away, nor is a
    Faction one of whose Troops there is Confused."""
    t = refused(
        engine, "D53",
        {"units": {FIELD: "soldier", TWO_OFF[0]: "soldier"}},
        {
            "units": {TWO_OFF[0]: "soldier", THREE_OFF[9]: "miner", BESIDE[4]: "soldier, miner"},
            "confused": [[BESIDE[4], [1, 0, 0]]],
        },
        combats={TWO_OFF[0]: 0},
    )  # fmt: skip
    assert t.units(0, FIELD) == counted("soldier")


# ------------------------------------------------------------------ Troops and Vehicles
@pytest.mark.card("D07")
@pytest.mark.rule("D5.6", "V1.1")
def test_super_cross_training(engine: str) -> None:
    """Up to four Unlocked Troops, nobody speaking to them; the same one again if one likes."""
    t = use(
        engine, "D07", {"units": {FIELD: "2 soldier, harvester", HILL: "miner", BESIDE[0]: "soldier"}},
        {"units": {BESIDE[0]: "soldier", BESIDE[3]: "miner"}}, combats={BESIDE[0]: 1},
    )  # fmt: skip
    asked(t, "UNIT_SPACE", "done", FIELD, HILL)
    unit(t, FIELD, "soldier")
    asked(t, "PROMOTE_TO", "unit:miner", "unit:speaker")
    t.do("unit:speaker")
    unit(t, FIELD, "soldier").answer("PROMOTE_TO", "unit:miner")
    assert t.units(0, FIELD) == counted("miner, speaker, harvester")
    finished(t.fork().answer("UNIT_SPACE", "done"), "D07")
    unit(t, HILL, "miner").answer("PROMOTE_TO", "unit:soldier")
    unit(t, HILL, "soldier").answer("PROMOTE_TO", "unit:speaker")
    assert t.units(0, HILL) == counted("speaker")
    assert t.units(0, BESIDE[0]) == counted("soldier")
    finished(t, "D07")


@pytest.mark.card("D07")
@pytest.mark.rule("D5.6", "V1.2")
@pytest.mark.parametrize("theirs", [{FIELD: "soldier"}, {}], ids=["locked", "vehicles"])
def test_super_cross_training_needs_an_unlocked_troop(engine: str, theirs: dict[int, str]) -> None:
    mine = "soldier, miner" if theirs else "powermech"
    refused(
        engine,
        "D07",
        {"units": {FIELD: mine}},
        {"units": theirs},
        combats={FIELD: 0} if theirs else {},
        tiles=CUT_OFF,
    )


@pytest.mark.card("D20")
def test_spare_parts_in_a_deploy_location(engine: str) -> None:
    """1 Lorium less: a Powermech for 2 beside the Ship, without a Tremor; and only one Vehicle."""
    home, other = AROUND_SHIP[0], AROUND_SHIP[3]
    t = use(engine, "D20", {"units": {home: "soldier", FIELD: "soldier"}, "lorium": 2})
    unit(t, home, "soldier")  # by Dropship it would cost 3
    assert t.units(0, home) == counted("powermech")
    assert t.player(0)["lorium"] == 0
    assert t.events("TREMOR") == []
    finished(t, "D20")
    t = use(engine, "D20", {"units": {home: "soldier", other: "miner"}, "lorium": 5})
    asked(t, "UNIT_SPACE", *sorted([home, other]))
    t.do(other)
    assert t.player(0)["lorium"] == 5
    finished(t, "D20")


@pytest.mark.card("D20")
@pytest.mark.rule("RUL-U7")
def test_spare_parts_by_dropship(engine: str) -> None:
    """Away from the Deploy Locations the Dropship costs 1 as ever, and there is a Tremor."""
    t = use(
        engine,
        "D20",
        {"units": {FIELD: "soldier, miner"}, "lorium": 3},
        cysmograph={"singles": 4, "stack": 4},
    )
    pick(t, "UNIT_SPACE", FIELD)
    asked(t, "UNIT_TYPE", "unit:soldier", "unit:miner")
    cheap = t.fork().do("unit:miner")
    assert cheap.player(0)["lorium"] == 2  # a Harvester for nothing, but 1 for the Dropship
    assert cheap.units(0, FIELD) == counted("soldier, harvester")
    t.do("unit:soldier")
    assert t.player(0)["lorium"] == 0
    assert t.units(0, FIELD) == counted("miner, powermech")
    assert [e[1:3] for e in t.events("TREMOR")] == [(0, 5)]
    finished(t, "D20")


@pytest.mark.card("D20")
@pytest.mark.rule("V1.2")
@pytest.mark.parametrize(
    ("units", "lorium"), [("soldier", 2), ("miner", 0), ("speaker", 9), ("soldier, powermech", 9)]
)
def test_spare_parts_must_be_payable(engine: str, units: str, lorium: int) -> None:
    """Not with too little Lorium, a Speaker, or a Vehicle in the space already."""
    refused(engine, "D20", {"units": {FIELD: units}, "lorium": lorium})


@pytest.mark.card("D20")
@pytest.mark.rule("V1.2")
def test_spare_parts_not_for_locked_troops(engine: str) -> None:
    refused(
        engine,
        "D20",
        {"units": {FIELD: "soldier"}, "lorium": 9},
        {"units": {FIELD: "soldier"}},
        combats={FIELD: 0},
    )


@pytest.mark.card("D21")
@pytest.mark.rule("V1.1")
def test_conscripts(engine: str) -> None:
    """Troops for a total cost of 4, whatever the Influence."""
    t = use(engine, "D21", {})
    asked(t, "RECRUIT_TYPE", "done", "unit:soldier", "unit:miner", "unit:speaker")
    dear = t.fork().do("unit:miner").expect("DEPLOY_SPACE")  # 1 is left, too little for a Speaker
    asked(dear, "DEPLOY_SPACE", *AROUND_SHIP)
    t.do("unit:soldier", "unit:soldier")
    asked(t, "RECRUIT_TYPE", "done", "unit:soldier", "unit:speaker")
    t.do("unit:speaker")
    a, b = AROUND_SHIP[:2]
    t.answer("DEPLOY_TYPE", "unit:speaker").answer("DEPLOY_SPACE", a)
    t.answer("DEPLOY_SPACE", a).answer("DEPLOY_SPACE", b)
    assert t.units(0, a) == counted("soldier, speaker")
    assert t.units(0, b) == counted("soldier")
    assert t.player(0)["lorium"] == 0
    finished(t, "D21")


@pytest.mark.card("D21")
@pytest.mark.rule("V1.2")
def test_conscripts_need_a_place(engine: str) -> None:
    refused(engine, "D21", {}, tiles=CUT_OFF)


@pytest.mark.card("D40")
def test_stripped_for_parts(engine: str) -> None:
    """An Unlocked enemy Vehicle at most one step from a Unit of one's own becomes its Troop; 1 Lorium."""
    a, b = BESIDE[0], BESIDE[3]
    t = use(
        engine, "D40",
        {"units": {FIELD: "harvester", BESIDE[5]: "soldier"}},
        {"units": {a: "soldier, powermech", b: "harvester", BESIDE[5]: "powermech", HILL: "harvester"}},
        combats={BESIDE[5]: 0},
    )  # fmt: skip
    asked(t, "UNIT_SPACE", a, b)
    t.do(a)
    assert t.units(1, a) == counted("2 soldier")
    assert t.units(1, b) == counted("harvester")
    assert t.player(0)["lorium"] == 1
    assert t.player(1)["lorium"] == 0
    finished(t, "D40")


@pytest.mark.card("D40")
@pytest.mark.rule("V1.2")
def test_stripped_for_parts_needs_a_troop_in_reserve(engine: str) -> None:
    """With all Soldiers out there is nothing to turn back into; Locked and distant Vehicles do not count."""
    out = {ring_of(3, HILL)[n]: "3 soldier" for n in (0, 4, 8)}
    t = refused(
        engine, "D40",
        {"units": {FIELD: "miner", BESIDE[3]: "soldier"}},
        {"units": {**out, BESIDE[0]: "soldier, powermech", BESIDE[3]: "harvester", TWO_OFF[0]: "harvester"}},
        combats={BESIDE[3]: 0},
    )  # fmt: skip
    assert reserve(t, 1)[SOLDIER] == 0


@pytest.mark.card("D41")
@pytest.mark.rule("D7.2")
def test_whisper_campaign(engine: str) -> None:
    """An Unlocked enemy Troop near a Speaker becomes Confused until its owner Plays its card."""
    a, b = BESIDE[0], BESIDE[3]
    t = use(
        engine, "D41", {"units": {FIELD: "speaker"}},
        {"units": {a: "2 soldier, miner", b: "harvester", HILL: "soldier, speaker"}},
    )  # fmt: skip
    pick(t, "UNIT_SPACE", a)
    asked(t, "UNIT_TYPE", "unit:soldier", "unit:miner")
    t.do("unit:soldier")
    assert t.player(1)["confused"] == [[a, [1, 0, 0]]]
    assert [e[1:] for e in t.events("CONFUSE")] == [(1, SOLDIER, a, 1)]
    finished(t, "D41")
    miners = t.fork().turn("miners", "battle")
    assert miners.player(1)["confused"] == [[a, [1, 0, 0]]]
    t.turn("soldiers", "battle")
    assert t.player(1)["confused"] == []
    assert [e[1:] for e in t.events("CONFUSE")][1:] == [(1, SOLDIER, a, 0)]


# ------------------------------------------------------------------ activations and Command Cards
@pytest.mark.card("D19")
@pytest.mark.rule("V1.1", "V9.2")
def test_second_shift(engine: str) -> None:
    """Up to two Unlocked Miners Mine or Explore where they stand."""
    mine, site, fight = BESIDE[0], BESIDE[2], BESIDE[4]
    t = use(
        engine,
        "D19",
        {"units": {mine: "2 miner", site: "miner", HILL: "miner", fight: "miner, soldier"}},
        {"units": {fight: "soldier"}},
        tiles={mine: "lorium", site: "explorable", fight: "lorium"},
        combats={fight: 0},
        discovery={"draw": ["D26"]},
    )
    asked(t, "UNIT_SPACE", "done", mine, site)
    finished(t.fork().do("done"), "D19")
    unit(t, mine, "miner")
    assert t.player(0)["lorium"] == 1
    asked(t, "UNIT_SPACE", "done", mine, site)
    twice = unit(t.fork(), mine, "miner")
    assert twice.player(0)["lorium"] == 2
    finished(twice, "D19")
    unit(t, site, "miner")
    assert t.player(0)["discovery"] == ["D26"]
    finished(t, "D19")


@pytest.mark.card("D19")
@pytest.mark.rule("V1.2")
def test_second_shift_needs_a_miner_at_work(engine: str) -> None:
    """None Locked, none on bare ground; a Harvester does not do."""
    t = refused(
        engine,
        "D19",
        {"units": {FIELD: "miner", HILL: "miner", BESIDE[0]: "harvester"}},
        {"units": {FIELD: "soldier"}},
        tiles={FIELD: "lorium", BESIDE[0]: "lorium"},
        combats={FIELD: 1},
    )
    t.expect("REWARD", 0)


@pytest.mark.card("D33")
@pytest.mark.rule("T8.1", "V9.3")
def test_second_wind(engine: str) -> None:
    """One Unlocked Troop: one action from each Section of its card."""
    camp = BESIDE[0]
    t = use(
        engine,
        "D33",
        {"units": {FIELD: "soldier, powermech", HILL: "soldier", BESIDE[3]: "speaker"}},
        {"units": {HILL: "soldier"}},
        tiles={camp: "camp"},
        control={camp: 1},
        combats={HILL: 0},
    )
    unit(t, FIELD, "soldier")
    asked(t, "ACT_ACTION", "done", "action:move")
    t.do("action:move").answer("MOVE_TO", camp)
    asked(t, "ACT_ACTION", "done", "action:neutralize")
    t.do("action:neutralize")
    assert t.controller(camp) is None
    assert t.units(0, camp) == counted("soldier")
    finished(t, "D33")


@pytest.mark.card("D34")
@pytest.mark.rule("T8.1", "V9.3")
def test_overdrive(engine: str) -> None:
    """One Unlocked Vehicle, the Tremors of its actions included."""
    t = use(
        engine, "D34", {"units": {FIELD: "soldier, harvester", HILL: "powermech"}},
        tiles={BESIDE[0]: "lorium"}, cysmograph={"singles": 4, "stack": 4},
    )  # fmt: skip
    asked(t, "UNIT_SPACE", FIELD, HILL)
    jump = unit(t.fork(), HILL, "powermech")
    asked(jump, "ACT_ACTION", "done", "action:move", "action:jumpjet")
    jump.do("action:jumpjet", HILL)
    assert len(jump.events("TREMOR")) == 1
    finished(jump, "D34")
    unit(t, FIELD, "harvester").answer("ACT_ACTION", "action:move").answer("MOVE_TO", BESIDE[0])
    asked(t, "ACT_ACTION", "done", "action:harvest")
    t.do("action:harvest")
    assert t.player(0)["lorium"] == 3
    assert len(t.events("TREMOR")) == 1
    finished(t, "D34")


@pytest.mark.card("D33", "D34")
@pytest.mark.rule("V1.2")
@pytest.mark.parametrize(
    ("card", "locked", "free"), [("D33", "soldier", "powermech"), ("D34", "powermech", "soldier")]
)
def test_activations_need_an_unlocked_unit(engine: str, card: str, locked: str, free: str) -> None:
    refused(
        engine,
        card,
        {"units": {FIELD: locked, HILL: free}},
        {"units": {FIELD: "soldier"}},
        combats={FIELD: 0},
    )


@pytest.mark.card("D32")
@pytest.mark.rule("V7.9")
def test_countermand(engine: str) -> None:
    """A Burned or Played Command Card of an earlier turn comes back to hand; not one of this turn."""
    t = use(
        engine,
        "D32",
        {"board": [["recruit", "miners"], [None, None], [None, None], [None, None], [None, None]]},
        round=2,
    )
    asked(t, "RECLAIM", "command:recruit", "command:miners")
    t.do("command:recruit")
    assert "recruit" in t.player(0)["hand"]
    assert t.player(0)["board"][:2] == [[None, "miners"], ["battle", "speakers"]]
    finished(t, "D32")


@pytest.mark.card("D32", "D49")
@pytest.mark.rule("V1.2")
@pytest.mark.parametrize("card", ["D32", "D49"])
def test_the_cards_of_this_turn_are_too_young(engine: str, card: str) -> None:
    """Countermand and Standing Orders find nothing on the first turn of a cycle, although the Initiative of
    the card just Played could still be taken."""
    t = refused(engine, card, card="negotiate", burn="recruit", marker=1, options={"trading": False})
    assert t.snapshot()["marker"] == 1


@pytest.mark.card("D48")
@pytest.mark.rule("N6.4")
def test_deputized(engine: str) -> None:
    """One action of a Unit card in hand, by all Unlocked Units of its type."""
    t = use(
        engine, "D48", {"units": {FIELD: "2 miner", HILL: "miner, soldier", BESIDE[0]: "speaker"}},
        {"units": {HILL: "soldier"}}, combats={HILL: 1}, tiles={FIELD: "lorium"}, burn="soldiers",
    )  # fmt: skip
    asked(t, "COMMAND_CARD", "command:miners", "command:colony_ship")  # Speakers are Played, Soldiers Burned
    t.do("command:miners")
    asked(t, "COMMAND_ACTION", "action:move", "action:mine")
    t.do("action:mine")
    asked(t, "ACT_SPACE", "done", FIELD)
    t.do(FIELD).answer("ACT_SPACE", FIELD)
    assert t.player(0)["lorium"] == 2
    assert "miners" in t.player(0)["hand"]
    finished(t, "D48")


@pytest.mark.card("D48")
@pytest.mark.rule("V1.2", "N6.3")
def test_deputized_needs_a_unit_card_of_use(engine: str) -> None:
    """Without Units on the planet only the Ship's card would do, which is not in hand."""
    board = [[None, "colony_ship"], [None, None], [None, None], [None, None], [None, None]]
    refused(engine, "D48", {"board": board}, round=2)


@pytest.mark.card("D49")
@pytest.mark.rule("V1.3")
def test_standing_orders(engine: str) -> None:
    """One action of a Tactic card Played on an earlier turn; neither Unit cards nor Burned ones."""
    board = [["upgrade", "recruit"], ["battle", "negotiate"], [None, None], [None, None], [None, None]]
    t = use(
        engine, "D49", {"board": board, "units": {FIELD: "soldier"}}, {}, round=3, marker=1, burn="miners",
        options={"trading": False},
    )  # fmt: skip
    asked(t, "COMMAND_CARD", "command:recruit", "command:negotiate")
    lead = t.fork().do("command:negotiate")
    asked(lead, "COMMAND_ACTION", "option:0", "option:2")  # no Cyber Attack, no captives
    lead.do("option:0")
    lead.answer("SECTION", "yes", seat=0)
    assert lead.snapshot()["marker"] == 0
    finished(lead, "D49")
    t.do("command:recruit")
    asked(t, "COMMAND_ACTION", "option:0")  # Motivate needs Units that were just Deployed
    t.expect("RECRUIT_TYPE", 0)
    finished(t.do("done"), "D49")
    assert t.player(0)["board"][:2] == board[:2]


@pytest.mark.card("D47")
def test_free_hand(engine: str) -> None:
    """A coloured Bonus Action of the current Column, of any colour, and no Grey one."""
    t = use(engine, "D47", {"units": {FIELD: "soldier"}}, {"units": {FIELD: "soldier"}}, combats={FIELD: 0})
    cells = ("resolve_combat", "hand_action", "two_cards", "deploy_one", "two_lorium")
    asked(t, "BONUS", *(f"bonus:{cell}" for cell in cells))
    t.do("bonus:two_lorium")
    assert t.player(0)["lorium"] == 2
    finished(t, "D47")


@pytest.mark.card("D47")
@pytest.mark.rule("V1.2")
def test_free_hand_needs_a_possible_bonus_action(engine: str) -> None:
    """Column 002 offers nothing to a player without Combats, places to Deploy, captives and Lorium."""
    t = refused(engine, "D47", round=2, tiles=CUT_OFF)
    assert t.kind == "REWARD"


# ------------------------------------------------------------------ goods
@pytest.mark.card("D24")
@pytest.mark.rule("B3.2", "V1.1")
def test_ransom_broker(engine: str) -> None:
    """Two Troops or a Vehicle of one opponent for the Blueprint, up to twice."""
    t = use(
        engine, "D24", {"captured": {1: "2 soldier", 2: "harvester, soldier", 3: "powermech"}}, {}, {}, {}
    )
    asked(t, "RANSOM_PLAYER", "done", "player:1", "player:2", "player:3")
    finished(t.fork().do("done"), "D24")
    t.do("player:1")
    assert t.captured(0, 1) == [0] * 5
    asked(t, "RANSOM_PLAYER", "done", "player:2", "player:3")
    t.do("player:2")
    assert gained(t) == ["fuel_cells", "control_systems"]
    assert t.captured(0, 3) == counted("powermech")
    assert t.captured(0, 2) == counted("soldier")
    finished(t, "D24")


@pytest.mark.card("D24")
@pytest.mark.rule("V1.2", "B3.2")
def test_ransom_broker_needs_enough_captives_of_one_player(engine: str) -> None:
    """One Troop of each of two players is not enough; nor is anything for a Blueprint Acquired already."""
    t = refused(
        engine,
        "D24",
        {"captured": {1: "soldier", 2: "2 soldier"}, "blueprints": ["crew_bridge", "control_systems"]},
        {},
        {},
    )
    assert t.captured(0, 2) == counted("2 soldier")


@pytest.mark.card("D25")
@pytest.mark.rule("X1.2")
@pytest.mark.parametrize(
    ("kind", "red", "yellow"),
    [("soldier", [5, 2], []), ("miner", [], [5, 2]), ("powermech", [1, 2, 3, 4, 5], [])],
)
def test_back_door(engine: str, kind: str, red: list[int], yellow: list[int]) -> None:
    """From two spaces away with one more die of the Unit's own colour."""
    there = next(n for n in ring_of(2, THEIR_SHIP) if n not in NEAR[SHIP])
    t = use(engine, "D25", {"units": {there: kind}}, script=rows(red, yellow))
    assert dice(t) == [ChanceKind.RED_DIE] * len(red) + [ChanceKind.YELLOW_DIE] * len(yellow)
    assert gained(t) == ["fuel_cells"]
    finished(t, "D25")


@pytest.mark.card("D25")
@pytest.mark.rule("X1.2")
def test_back_door_once(engine: str) -> None:
    """One attack by one Unit, which is chosen and may fail."""
    near, there = ring_of(1, THEIR_SHIP)[0], ring_of(2, THEIR_SHIP)[5]
    t = use(engine, "D25", {"units": {near: "miner", there: "speaker"}}, script=rows(yellow=[1, 2]))
    asked(t, "CYBER_SPACE", near, there)
    t.do(near)
    assert gained(t) == []
    finished(t, "D25")


@pytest.mark.card("D25")
@pytest.mark.rule("V1.2", "X1.2")
def test_back_door_needs_a_ship_in_range(engine: str) -> None:
    """Not three spaces away, not from a Combat, not for a Blueprint Acquired already."""
    three = next(n for n in ring_of(3, THEIR_SHIP) if n not in NEAR[SHIP])
    refused(engine, "D25", {"units": {three: "powermech"}})
    near = ring_of(1, THEIR_SHIP)[0]
    refused(engine, "D25", {"units": {near: "soldier"}}, {"units": {near: "soldier"}}, combats={near: 0})
    refused(engine, "D25", {"units": {near: "soldier"}, "blueprints": ["crew_bridge", "fuel_cells"]})


@pytest.mark.card("D26")
@pytest.mark.rule("B4.2", "B5.2")
def test_prefab_sections(engine: str) -> None:
    """Manual Construction for 2 Lorium less; the Influence is Recalled in full."""
    me = {
        "units": {FIELD: "2 soldier", HILL: "2 speaker"},
        "blueprints": ["crew_bridge", "warp_drive"],
        "lorium": 3,
    }
    t = use(engine, "D26", me)
    asked(t, "CONSTRUCT", "module:crew_bridge", "module:warp_drive")
    cheap = t.fork().do("module:crew_bridge")
    asked(cheap, "RECALL_SPACE", FIELD, HILL)
    cheap.do(HILL)
    assert cheap.player(0)["lorium"] == 3
    assert lost(cheap, 1) == [(0, SPEAKER, HILL)]
    t.do("module:warp_drive", HILL)
    assert t.player(0)["modules"] == []
    t.answer("RECALL_SPACE", HILL)
    assert t.player(0)["modules"] == ["warp_drive"]
    assert t.player(0)["lorium"] == 0
    assert lost(t, 1) == [(0, SPEAKER, HILL)] * 2
    finished(t, "D26")


@pytest.mark.card("D26", "D27")
@pytest.mark.rule("V1.2")
@pytest.mark.parametrize(
    ("card", "blueprint", "lorium", "units"),
    [
        ("D26", "crew_bridge", 9, "soldier, powermech"),
        ("D26", "warp_drive", 2, "3 miner"),
        ("D27", "crew_bridge", 1, "3 miner"),
    ],
)
def test_construction_must_be_payable(
    engine: str, card: str, blueprint: str, lorium: int, units: str
) -> None:
    """Too few Troops, or too little Lorium even so."""
    t = refused(
        engine, card, {"units": {FIELD: units}, "blueprints": [blueprint], "lorium": lorium},
        options={"colours": ("blue", "green")},
    )  # fmt: skip
    assert t.player(0)["modules"] == []


@pytest.mark.card("D27")
@pytest.mark.rule("B5.3")
def test_night_welders(engine: str) -> None:
    """One Module for its Lorium alone."""
    me = {"units": {FIELD: "2 soldier"}, "blueprints": ["crew_bridge", "control_systems"], "lorium": 5}
    t = use(engine, "D27", me)
    asked(t, "CONSTRUCT", "module:crew_bridge", "module:control_systems")
    t.do("module:control_systems")
    assert t.player(0)["modules"] == ["control_systems"]
    assert t.player(0)["lorium"] == 2
    assert lost(t, 1) == []
    assert [e[3] for e in t.events("MODULE")] == [1]
    finished(t, "D27")


@pytest.mark.card("D28")
@pytest.mark.rule("G5.1", "V1.1")
def test_open_market(engine: str) -> None:
    """Up to three offers, accepted or not, then 1 Lorium."""
    t = use(engine, "D28", {"lorium": 3}, {"captured": {0: "soldier"}, "discovery": ["D03"]})
    stop = t.fork().answer("TRADE_PARTNER", "done", seat=0)
    assert stop.player(0)["lorium"] == 4
    finished(stop, "D28")
    wanted = ["captive:0:soldier"]
    for answer in ("no", "yes", "no"):
        asked(t, "TRADE_PARTNER", "done", "player:1")
        offer(t, 1, ["resource:lorium"], wanted).answer("TRADE_ANSWER", answer, seat=1)
        if answer == "yes":
            wanted = ["resource:discovery"]
    assert t.captured(1, 0) == [0] * 5
    assert t.player(1)["lorium"] == 1
    assert t.player(1)["discovery"] == ["D03"]
    assert t.player(0)["lorium"] == 3
    finished(t, "D28")


@pytest.mark.card("D28")
@pytest.mark.rule("V1.1")
def test_open_market_without_trading(engine: str) -> None:
    """In a game without negotiation, and without anything to trade, 1 Lorium is gained all the same."""
    for options in ({"trading": False}, {}):
        t = use(engine, "D28", {"lorium": 2 if options else 0}, options=options)
        assert t.player(0)["lorium"] == (3 if options else 1)
        finished(t, "D28")


@pytest.mark.card("D29")
@pytest.mark.rule("G3.7")
def test_buried_vault(engine: str) -> None:
    """2 Lorium, then up to 3 into one slot if wanted."""
    t = use(engine, "D29", {"lorium": 2, "slots": [{"lorium": 1}, None]})
    assert t.player(0)["lorium"] == 4
    asked(t, "OPTIONAL_STEP", "yes", "no")
    left = t.fork().do("no")
    assert left.player(0)["slots"] == [{"lorium": 1}, None]
    t.do("yes")
    asked(t, "STORE_SLOT", "slot:0", "slot:1")
    more = t.fork().do("slot:0")
    asked(more, "STORE_AMOUNT", "number:1", "number:2")
    t.do("slot:1")
    asked(t, "STORE_AMOUNT", "number:1", "number:2", "number:3")
    t.do("number:3")
    assert t.player(0)["slots"] == [{"lorium": 1}, {"lorium": 3}]
    assert t.player(0)["lorium"] == 1


@pytest.mark.card("D29")
@pytest.mark.rule("V1.1", "V1.2")
def test_buried_vault_that_is_full(engine: str) -> None:
    """With both slots full of Lorium the storing is not offered; the 2 Lorium come."""
    t = use(engine, "D29", {"slots": [{"lorium": 3}, {"lorium": 3}]})
    assert t.kind != "OPTIONAL_STEP"
    assert t.player(0)["lorium"] == 2


@pytest.mark.card("D30")
@pytest.mark.rule("V1.1")
def test_survey_drone(engine: str) -> None:
    """Four cards looked at, two kept, the others discarded."""
    t = use(engine, "D30", {}, discovery={"draw": ["D26", "D03", "D19", "D40", "D41"]})
    asked(t, "SCRY_KEEP", "card:D03", "card:D19", "card:D26", "card:D40")
    t.do("card:D40")
    asked(t, "SCRY_KEEP", "card:D03", "card:D19", "card:D26")
    t.do("card:D26")
    assert t.player(0)["discovery"] == ["D26", "D40"]
    assert t.snapshot()["discovery"]["discard"] == ["D03", "D19", "D30"]
    assert t.snapshot()["discovery"]["draw"][0] == "D41"
    finished(t, "D30")


def everything_but(engine: str, *cards: str, events: bool = False) -> list[str]:
    """The Discovery Deck, Molten Core included, without one copy of each of these cards."""
    content = make_game(engine).content
    deck = [content.discovery[n].id for n in content.discovery_deck(True, events)]
    for card in cards:
        deck.remove(card)
    return deck


@pytest.mark.card("D30")
@pytest.mark.rule("D1.1", "V1.1")
def test_survey_drone_with_a_short_deck(engine: str) -> None:
    """What is left, the discard pile shuffled beneath it, is looked at; the played card is not among it."""
    hand = everything_but(engine, "D30", "D26", "D03", "D19")
    t = use(
        engine,
        "D30",
        {},
        {},
        {**GONE, "discovery": hand},
        discovery={"draw": ["D26"], "discard": ["D03", "D19"]},
        options=LATE,
    )
    asked(t, "SCRY_KEEP", "card:D03", "card:D19", "card:D26")
    t.do("card:D19", "card:D03")
    assert t.player(0)["discovery"] == ["D03", "D19"]
    assert t.snapshot()["discovery"] == {"draw": [], "discard": ["D26", "D30"]}


@pytest.mark.card("D30")
@pytest.mark.rule("D1.1", "V1.1", "V1.2")
@pytest.mark.parametrize("card", ["D30", "D39", "D50"])
def test_empty_deck_and_empty_discard_pile(engine: str, card: str) -> None:
    """The Ability may be used and draws nothing."""
    hand = everything_but(engine, card)
    t = use(
        engine,
        card,
        {"units": {FIELD: "soldier"}},
        {"units": {FIELD: "soldier"}},
        {**GONE, "discovery": hand},
        discovery={"draw": [], "discard": []},
        combats={FIELD: 0},
        marker=1,
        options=LATE,
    )
    if card == "D39":
        t.answer("FLEE_TO", BESIDE[0], seat=0)
    assert t.player(0)["discovery"] == []
    assert t.events("DRAW") == []
    assert t.snapshot()["discovery"] == {"draw": [], "discard": [card]}


@pytest.mark.card("D31")
@pytest.mark.rule("G3.3")
def test_dig_site_scan(engine: str) -> None:
    """Four Relic Cards looked at, one kept and perhaps Activated, the others put under the deck in order."""
    relics = make_game(engine).content
    rest = [relics.relics[n].id for n in relics.relic_deck(True)]
    top = list(dict.fromkeys(rest))[:4]
    for card in top:
        rest.remove(card)
    t = use(engine, "D31", {}, relics={"draw": top + rest})
    asked(t, "SCRY_KEEP", *(f"card:{card}" for card in top))
    t.do(f"card:{top[1]}")
    asked(t, "RELIC_WINDOW", "done", f"card:{top[1]}")
    t.do("done")
    assert t.player(0)["relics"] == [top[1]]
    assert t.snapshot()["relics"]["draw"] == [*rest, top[0], top[2], top[3]]
    assert t.snapshot()["relics"]["discard"] == []


@pytest.mark.card("D42")
@pytest.mark.rule("V1.5")
def test_signal_theft(engine: str) -> None:
    """A card drawn from the hand of an opponent who has one."""
    t = use(
        engine, "D42", {}, {"discovery": ["D03", "D19"]}, {}, {"discovery": ["D26"]},
        script={"random_card": ["D19"]},
    )  # fmt: skip
    asked(t, "PICK_PLAYER", "player:1", "player:3")
    t.do("player:1")
    assert t.player(0)["discovery"] == ["D19"]
    assert t.player(1)["discovery"] == ["D03"]
    finished(t, "D42")


@pytest.mark.card("D42", "D43", "D44")
@pytest.mark.rule("V1.2", "V3.1")
@pytest.mark.parametrize(
    ("card", "poor"),
    [
        ("D42", {"lorium": 5}),
        ("D43", {"discovery": ["D03"], "slots": [{"lorium": 3}, None]}),
        ("D44", {"slots": [{"lorium": 3}, None]}),
    ],
)
def test_nothing_to_take(engine: str, card: str, poor: dict[str, Any]) -> None:
    """An opponent without what is wanted, stored Lorium being safe, and one that has Launched."""
    gone = {**GONE, "lorium": 5, "discovery": ["D19"]}
    t = refused(engine, card, {"lorium": 3}, poor, gone, options=LATE)
    assert t.player(2)["lorium"] == 5


@pytest.mark.card("D43")
@pytest.mark.rule("V1.1", "V1.5")
@pytest.mark.parametrize(("there", "taken"), [(1, 1), (2, 2), (4, 2)])
def test_skimmed_cargo(engine: str, there: int, taken: int) -> None:
    """Up to 2 Lorium from the track of one opponent."""
    t = use(engine, "D43", {"lorium": 1}, {"lorium": there, "slots": [{"lorium": 2}, None]}, {"lorium": 3})
    asked(t, "PICK_PLAYER", "player:1", "player:2")
    t.do("player:1")
    assert t.player(0)["lorium"] == 1 + taken
    assert t.player(1)["lorium"] == there - taken
    assert t.player(1)["slots"][0] == {"lorium": 2}
    assert t.player(2)["lorium"] == 3


@pytest.mark.card("D44")
@pytest.mark.rule("V1.5", "V3.1")
def test_scorched_ledger(engine: str) -> None:
    """Clockwise, each opponent gives up one Resource of their own choice; who has none gives none."""
    camp = BESIDE[0]
    t = use(
        engine, "D44", {"lorium": 2},
        {"lorium": 1, "discovery": ["D03", "D19"], "captured": {2: "soldier"}},
        {},
        {"relics": ["R01"]},
        tiles={camp: "camp"}, control={camp: 1},
    )  # fmt: skip
    asked(
        t, "PAY_KIND", "resource:lorium", "resource:discovery", "resource:captive", "resource:habitat", seat=1
    )
    home = t.fork().do("resource:captive")
    assert home.captured(1, 2) == [0] * 5
    flag = t.fork().do("resource:habitat")
    assert flag.controller(camp) is None
    t.do("resource:discovery")
    asked(t, "PAY_CARD", "card:D03", "card:D19", seat=1)
    t.do("card:D19")
    assert t.player(1)["discovery"] == ["D03"]
    assert t.player(1)["lorium"] == 1
    assert t.player(3)["relics"] == []
    assert t.player(0)["lorium"] == 2
    assert t.snapshot()["discovery"]["discard"] == ["D19", "D44"]
    finished(t, "D44")


@pytest.mark.card("D50")
def test_red_button(engine: str) -> None:
    """The First Player Marker and a card."""
    t = use(engine, "D50", marker=1, discovery={"draw": ["D26"]})
    assert t.snapshot()["marker"] == 0
    assert t.player(0)["discovery"] == ["D26"]
    finished(t, "D50")


@pytest.mark.card("D50")
@pytest.mark.rule("V1.2")
def test_red_button_when_the_marker_is_held(engine: str) -> None:
    refused(engine, "D50", marker=0)


@pytest.mark.card("D51")
def test_quiet_extraction_once(engine: str) -> None:
    """One Harvester of one's own, chosen."""
    a, b, theirs = FIELD, HILL, BESIDE[0]
    t = use(
        engine,
        "D51",
        {"units": {a: "harvester", b: "harvester"}},
        {"units": {theirs: "harvester"}},
        tiles=dict.fromkeys([a, b, theirs], "lorium"),
    )
    asked(t, "UNIT_SPACE", a, b)
    t.do(b)
    assert t.player(0)["lorium"] == 3
    finished(t, "D51")


@pytest.mark.card("D51")
@pytest.mark.rule("V1.2")
def test_quiet_extraction(engine: str) -> None:
    """One Unlocked Harvester on Lorium Harvests; the ground stays still."""
    fight, bare = BESIDE[2], BESIDE[4]
    t = use(
        engine,
        "D51",
        {"units": {FIELD: "harvester", fight: "harvester"}},
        {"units": {fight: "soldier", BESIDE[0]: "harvester"}},
        tiles={FIELD: "lorium", fight: "lorium"},
        combats={fight: 1},
        cysmograph={"singles": 4, "stack": 4},
    )
    unit(t, FIELD, "harvester")
    assert t.player(0)["lorium"] == 3
    assert t.snapshot()["cysmograph"] == {"singles": 4, "stack": 4}
    assert t.events("TREMOR") == []
    finished(t, "D51")
    refused(
        engine,
        "D51",
        {"units": {bare: "harvester", FIELD: "miner", fight: "harvester"}},
        {"units": {fight: "soldier"}},
        tiles={FIELD: "lorium", fight: "lorium"},
        combats={fight: 1},
    )


@pytest.mark.card("D59")
@pytest.mark.rule("V1.1", "V1.2")
def test_leaked_schematics(engine: str) -> None:
    """Three Resources, of any kinds, go to an opponent; then that player's Blueprint is gained."""
    t = use(
        engine,
        "D59",
        {"lorium": 2, "discovery": ["D03"], "relics": ["R01"]},
        {},
        {},
        relics={"draw": ["R02"]},
    )
    t.skip("PICK_PLAYER")
    asked(t, "PICK_PLAYER", "player:1", "player:2")
    t.do("player:2")
    asked(t, "PAY_KIND", "resource:lorium", "resource:discovery", "resource:relic")
    t.do("resource:lorium")
    asked(t, "PAY_KIND", "resource:lorium", "resource:discovery", "resource:relic")
    t.do("resource:lorium")
    asked(t, "PAY_KIND", "resource:discovery", "resource:relic")
    t.do("resource:discovery")
    assert t.player(0)["lorium"] == 0
    assert t.player(2)["lorium"] == 2
    assert t.player(2)["discovery"] == ["D03"]
    assert t.player(0)["relics"] == ["R01"]
    assert gained(t) == ["control_systems"]
    finished(t.skip("BURN"), "D59")


@pytest.mark.card("D59")
@pytest.mark.rule("V1.1", "V1.2")
def test_leaked_schematics_must_be_paid_and_useful(engine: str) -> None:
    """Too few Resources will not do; a player whose Blueprint is Acquired is not offered."""
    t = refused(engine, "D59", {"lorium": 1})
    assert t.player(1)["lorium"] == 0
    all_of_two = {"lorium": 3, "blueprints": ["crew_bridge", "fuel_cells"]}
    refused(engine, "D59", all_of_two)
    t = use(engine, "D59", all_of_two, {}, {})
    asked(t, "PICK_PLAYER", "player:2")
    assert {"fuel_cells", "control_systems"} <= set(t.player(0)["blueprints"])


# ------------------------------------------------------------------ Habitats
@pytest.mark.card("D35")
def test_town_crier(engine: str) -> None:
    """Camps and Outposts, neutral or enemy, in or beside a space with a Speaker of one's own."""
    here, enemy, own, big, far = FIELD, BESIDE[0], BESIDE[2], BESIDE[4], TWO_OFF[0]
    tiles = {here: "camp", enemy: "outpost", own: "camp", big: "settlement", far: "camp"}
    t = use(engine, "D35", {"units": {FIELD: "speaker"}}, {}, tiles=tiles, control={enemy: 1, own: 0})
    asked(t, "REWARD_HABITAT", here, enemy)
    neutral = t.fork().do(here)
    assert neutral.controller(here) == 0
    t.do(enemy)
    assert t.controller(enemy) == 0
    assert [e[1:4] for e in t.events("INFLUENCE_CONTROL")] == [(0, enemy, 1)]
    finished(t, "D35")


@pytest.mark.card("D35")
@pytest.mark.rule("V1.2")
def test_town_crier_needs_a_speaker_near(engine: str) -> None:
    """A Settlement, a Camp held already and one two steps away are nothing to cry in."""
    tiles = {BESIDE[0]: "settlement", BESIDE[2]: "camp", TWO_OFF[0]: "camp"}
    refused(engine, "D35", {"units": {FIELD: "speaker"}}, tiles=tiles, control={BESIDE[2]: 0})
    refused(
        engine, "D35", {"units": {FIELD: "soldier"}}, {"units": {BESIDE[0]: "speaker"}}, tiles={FIELD: "camp"}
    )


@pytest.mark.card("D36")
@pytest.mark.rule("V1.2")
def test_burning_banners(engine: str) -> None:
    """Any enemy flag on a Habitat of 3 or less, wherever it is."""
    tiles = {FIELD: "settlement", HILL: "camp", BESIDE[0]: "outpost"}
    t = use(engine, "D36", {}, {}, {}, tiles=tiles, control={FIELD: 1, HILL: 2, BESIDE[0]: 0, 0: 1})
    asked(t, "REWARD_HABITAT", FIELD, HILL)
    t.do(FIELD)
    assert t.controller(FIELD) is None
    assert [e[1:4] for e in t.events("INFLUENCE_CONTROL")] == [(-1, FIELD, 1)]
    finished(t, "D36")
    refused(engine, "D36", tiles=tiles, control={BESIDE[0]: 0, 0: 1})


# ------------------------------------------------------------------ Combat
@pytest.mark.card("D37")
@pytest.mark.rule("V7.7", "V1.2", "K2.3")
def test_strike_at_dawn(engine: str) -> None:
    """One of one's own Combats, oneself first, one more red die in every Strike."""
    other = BESIDE[3]
    t = use(
        engine,
        "D37",
        {"units": {FIELD: "2 miner", HILL: "soldier"}},
        {"units": {FIELD: "soldier, speaker", HILL: "miner", other: "soldier"}},
        {"units": {other: "soldier"}},
        combats={FIELD: 1, HILL: 0, other: 1},
        script=rows(
            [4, 3, 3],
            [1, 1, 2, 1, 1],
            attacker_strike_die=["reroll red"],
            defender_strike_die=["reroll red", "reroll red"],
        ),
    )
    asked(t, "COMBAT", *sorted([FIELD, HILL]))
    t.do(FIELD).answer("STRIKE_OR_FLEE", "strike", seat=0)
    assert dice(t) == [ChanceKind.RED_DIE, ChanceKind.YELLOW_DIE, ChanceKind.YELLOW_DIE]
    t.skip("HITS").do("hits:1")
    assert t.captured(0, 1) == counted("soldier")
    t.answer("STRIKE_OR_FLEE", "strike", seat=1)
    assert dice(t)[3:] == [ChanceKind.YELLOW_DIE]
    t.skip("STRIKE_OR_FLEE").answer("STRIKE_OR_FLEE", "strike", seat=0)
    assert dice(t)[4:] == [ChanceKind.RED_DIE, ChanceKind.YELLOW_DIE, ChanceKind.YELLOW_DIE]
    assert [e[1:] for e in t.events("STRIKE")] == [(0, FIELD, 0, 3), (1, FIELD, 0, 1), (0, FIELD, 0, 3)]


@pytest.mark.card("D37")
@pytest.mark.rule("V1.2", "K6.5")
def test_strike_at_dawn_once(engine: str) -> None:
    """One Combat, not all of them."""
    t = use(
        engine,
        "D37",
        {"units": {FIELD: "soldier", HILL: "soldier"}},
        {"units": {FIELD: "soldier", HILL: "soldier"}},
        combats={FIELD: 0, HILL: 0},
        script=rows([4, 1], **CALM),
    )
    t.answer("COMBAT", FIELD).answer("STRIKE_OR_FLEE", "strike", seat=0).answer("HITS", "hits:1", seat=0)
    assert t.captured(0, 1) == counted("soldier")
    assert t.units(1, HILL) == counted("soldier")
    finished(t, "D37")


@pytest.mark.card("D37")
@pytest.mark.rule("V1.2")
def test_strike_at_dawn_needs_a_combat_of_yours(engine: str) -> None:
    refused(
        engine,
        "D37",
        {"units": {HILL: "soldier"}},
        {"units": {FIELD: "soldier"}},
        {"units": {FIELD: "soldier"}},
        combats={FIELD: 1},
    )


@pytest.mark.card("D38")
@pytest.mark.rule("V7.7", "K2.3")
@pytest.mark.parametrize("attacker", [1, 2])
def test_powder_keg(engine: str, attacker: int) -> None:
    """Anybody's Combat, its Defender first; what is defeated is captured."""
    t = use(
        engine,
        "D38",
        {"units": {HILL: "soldier"}},
        {"units": {FIELD: "soldier", HILL: "soldier"}},
        {"units": {FIELD: "soldier"}},
        combats={FIELD: attacker, HILL: 0},
        script=rows([4], **CALM),
    )
    asked(t, "COMBAT", *sorted([FIELD, HILL]))
    t.do(FIELD).expect("STRIKE_OR_FLEE", 3 - attacker)
    t.do("strike").answer("HITS", "hits:1", seat=3 - attacker)
    assert t.captured(3 - attacker, attacker) == counted("soldier")
    finished(t, "D38")


@pytest.mark.card("D38", "D39", "D37")
@pytest.mark.rule("V1.2")
@pytest.mark.parametrize("card", ["D37", "D38", "D39"])
def test_no_combat_anywhere(engine: str, card: str) -> None:
    refused(engine, card, {"units": {FIELD: "soldier"}}, {"units": {BESIDE[0]: "soldier"}})


@pytest.mark.card("D39")
@pytest.mark.rule("K7.1", "V1.7")
def test_fighting_retreat(engine: str) -> None:
    """All Units of a Combat leave together, unharmed, and a card is drawn."""
    enemy, lake, mine, *free = BESIDE
    t = use(
        engine,
        "D39",
        {"units": {FIELD: "soldier, miner", mine: "2 soldier"}},
        {"units": {FIELD: "powermech", enemy: "miner"}},
        combats={FIELD: 0},
        tiles={lake: "lake"},
        discovery={"draw": ["D26"]},
    )
    asked(t, "FLEE_TO", *free)  # two more do not fit with two
    t.do(free[0])
    assert t.units(0, free[0]) == counted("soldier, miner")
    assert t.events("STRIKE") == []
    assert [e[1:3] for e in t.events("COMBAT_END")] == [(1, FIELD)]
    assert t.player(0)["discovery"] == ["D26"]
    finished(t, "D39")


@pytest.mark.card("D39")
@pytest.mark.rule("V1.2", "K7.2")
def test_fighting_retreat_needs_a_way_out(engine: str) -> None:
    t = refused(
        engine, "D39", {"units": {FIELD: "soldier"}}, {"units": {FIELD: "soldier"}}, combats={FIELD: 0},
        tiles=dict.fromkeys(BESIDE, "lake"),
    )  # fmt: skip
    assert t.units(0, FIELD) == counted("soldier")


# ------------------------------------------------------------------ the planet
HOLES = [n for n in BESIDE if not is_abyss(n)]


@pytest.mark.card("D45")
@pytest.mark.rule("G3.1", "G3.3")
def test_remote_claw(engine: str) -> None:
    """A Relic Token up to two steps from an Unlocked Unit: as if that Unit had picked it up."""
    near = next(n for n in TWO_OFF if not is_abyss(n))
    far = [n for n in ring_of(3) if not is_abyss(n)][4]
    tiles = dict.fromkeys([near, far, HOLES[0]], "none")
    t = use(
        engine, "D45", {"units": {FIELD: "harvester"}},
        {"units": {far: "soldier"}}, tiles=tiles, relic_tokens=[near, far, HOLES[0]],
        relics={"draw": ["R01", "R02"]},
    )  # fmt: skip
    asked(t, "TOKEN_SPACE", *sorted([near, HOLES[0]]))
    t.do(near)
    asked(t, "KEEP_RELIC", "card:R01", "card:R02")
    t.do("card:R02").answer("RELIC_WINDOW", "done")
    assert t.snapshot()["relic_tokens"] == sorted([far, HOLES[0]])
    assert t.player(0)["relics"] == ["R02"]
    assert t.snapshot()["relics"]["discard"] == ["R01"]
    assert [e[1:4] for e in t.events("RELIC_TOKEN")] == [(0, near, -1)]


@pytest.mark.card("D45")
@pytest.mark.rule("V1.2")
def test_remote_claw_needs_an_unlocked_unit_near(engine: str) -> None:
    """A Locked one or one three steps away does not reach it."""
    hole = HOLES[0]
    three = ring_of(3, hole)[0]
    refused(
        engine,
        "D45",
        {"units": {FIELD: "soldier", three: "soldier"}},
        {"units": {FIELD: "soldier"}},
        combats={FIELD: 0},
        tiles={hole: "none"},
        relic_tokens=[hole],
    )


@pytest.mark.card("D46")
@pytest.mark.rule("V1.1", "V1.2")
def test_ancient_beacon(engine: str) -> None:
    """Up to two tokens on Devastated spaces without Unit, Ship and token."""
    free = [n for n in (*BESIDE, *TWO_OFF) if not is_abyss(n)][:5]
    *empty, taken, held = free
    abyss = next(n for n in TWO_OFF if is_abyss(n))
    tiles = dict.fromkeys([*free, abyss], "none")
    t = use(engine, "D46", {"units": {held: "soldier"}}, tiles=tiles, relic_tokens=[taken])
    asked(t, "TOKEN_SPACE", "done", *sorted(empty))
    finished(t.fork().do("done"), "D46")
    t.do(empty[0])
    asked(t, "TOKEN_SPACE", "done", *sorted(empty[1:]))
    t.do(empty[1])
    assert t.snapshot()["relic_tokens"] == sorted([taken, *empty[:2]])
    finished(t, "D46")
    refused(
        engine,
        "D46",
        {"units": {held: "soldier"}},
        tiles=dict.fromkeys([taken, held, abyss], "none"),
        relic_tokens=[taken],
    )


@pytest.mark.card("D54")
@pytest.mark.rule("Y4.2", "Y4.6")
def test_fault_charge(engine: str) -> None:
    """A tile beside a Soldier or Powermech, none of them on it, Collapses; then a Tremor."""
    a, b = BESIDE[0], BESIDE[3]
    t = use(
        engine,
        "D54",
        {"units": {FIELD: "soldier", a: "powermech", HILL: "miner"}},
        {"units": {b: "soldier"}},
        cysmograph={"singles": 4, "stack": 4},
    )
    t.expect("COLLAPSE_SPACE", 0)
    assert t.spaces() == (NEAR[FIELD] | NEAR[a]) - {FIELD, a}
    t.do(b)
    assert t.tile(b) == "none"
    assert lost(t) == [(1, SOLDIER, b)]
    assert [e[1:3] for e in t.events("COLLAPSE")] == [(0, b)]
    assert [e[1:3] for e in t.events("TREMOR")] == [(0, 5)]
    assert len(t.snapshot()["bag"]) == len(make_game(engine).content.tokens)
    finished(t, "D54")


@pytest.mark.card("D54")
@pytest.mark.rule("V1.2")
def test_fault_charge_needs_a_soldier_beside_a_tile(engine: str) -> None:
    refused(engine, "D54", {"units": {FIELD: "miner, harvester"}}, {"units": {HILL: "soldier"}})
    refused(engine, "D54", {"units": {FIELD: "soldier"}}, tiles=dict.fromkeys(BESIDE, "none"))


@pytest.mark.card("D55")
@pytest.mark.rule("Y3.2")
def test_rift_hammer(engine: str) -> None:
    """Two tokens are drawn, one is kept and resolved, the other goes back; the Cysmograph is reset."""
    t = use(
        engine,
        "D55",
        script={"fracture_token": ["wetlands-5", "false_alarm"]},
        cysmograph={"singles": 4, "stack": 5},
    )
    asked(t, "KEEP_TOKEN", "option:0", "option:1")
    names = [token.name for token in make_game(engine).content.tokens]
    keep = sorted(["wetlands-5", "false_alarm"], key=names.index)
    calm = t.fork().do(f"option:{keep.index('false_alarm')}")
    assert calm.events("COLLAPSE") == []
    assert calm.snapshot()["bag"].count("false_alarm") == 1
    assert "wetlands-5" in calm.snapshot()["bag"]
    t.do(f"option:{keep.index('wetlands-5')}")
    assert {n for n, tile in enumerate(t.snapshot()["tiles"]) if tile == "none"} == set(landscape(4, 5))
    assert "wetlands-5" not in t.snapshot()["bag"]
    assert t.snapshot()["bag"].count("false_alarm") == 2
    assert t.snapshot()["cysmograph"] == {"singles": 5, "stack": 5}
    assert t.events("TREMOR") == []
    finished(t, "D55")


@pytest.mark.card("D56")
@pytest.mark.parametrize(("stack", "after"), [(6, 5), (5, 4), (4, 4)])
def test_stabilizers(engine: str, stack: int, after: int) -> None:
    """The stack goes back one position, at most to where it started, and 2 Lorium come."""
    t = use(engine, "D56", cysmograph={"singles": 4, "stack": stack})
    assert t.snapshot()["cysmograph"] == {"singles": 4, "stack": after}
    assert t.player(0)["lorium"] == 2
    assert t.events("TREMOR") == []
    finished(t, "D56")


@pytest.mark.card("D57")
@pytest.mark.rule("V1.4", "Y3.2")
def test_aftershock(engine: str) -> None:
    """Two Tremors, one after the other; a Fracture is resolved in between."""
    t = use(engine, "D57", cysmograph={"singles": 4, "stack": 4})
    assert [e[1:3] for e in t.events("TREMOR")] == [(0, 5), (0, 6)]
    finished(t, "D57")
    t = use(engine, "D57", cysmograph={"singles": 4, "stack": 6}, script={"fracture_token": ["wetlands-5"]})
    assert [e[1:3] for e in t.events("TREMOR")] == [(0, 7), (0, 6)]
    assert len(t.events("FRACTURE")) == 1
    assert {e[2] for e in t.events("COLLAPSE")} == set(landscape(4, 5))
    finished(t, "D57")


@pytest.mark.card("D62")
@pytest.mark.rule("V1.2")
@pytest.mark.parametrize(("roll", "collapses"), [(3, False), (4, True), (6, True)])
def test_magma_vent(engine: str, roll: int, collapses: bool) -> None:
    """A tile beside the exposed core; 4 or more on a red die and it Collapses, else a Tremor."""
    hole, abyss = HOLES[0], next(n for n in ring_of(1, HILL) if is_abyss(n))
    t = use(
        engine,
        "D62",
        {},
        {"units": {FIELD: "soldier"}},
        tiles={hole: "none", abyss: "none"},
        cysmograph={"singles": 4, "stack": 4},
        script=rows([roll]),
    )
    t.expect("PICK_SPACE", 0)
    assert t.spaces() == NEAR[hole] | NEAR[abyss]
    t.do(FIELD)
    assert dice(t) == [ChanceKind.RED_DIE]
    assert [e[2] for e in t.events("COLLAPSE")] == ([FIELD] if collapses else [])
    assert [e[1:3] for e in t.events("TREMOR")] == ([] if collapses else [(0, 5)])
    assert t.units(1, FIELD) == ([0] * 5 if collapses else counted("soldier"))
    finished(t, "D62")


@pytest.mark.card("D62")
@pytest.mark.rule("V1.2")
def test_magma_vent_needs_the_core(engine: str) -> None:
    refused(engine, "D62")


# ------------------------------------------------------------------ the cards with the Espionage icon
@pytest.fixture
def secrets(tmp_path: Path) -> dict[str, Any]:
    """A pack in which the cards for Espionage belong to every game."""
    cards = "".join(f'[[card]]\nid = "{card}"\nicons = []\n' for card in ("D63", "D64", "D65", "D81"))
    (tmp_path / "discovery.toml").write_text(cards, encoding="utf-8")
    return {"packs": [tmp_path]}


@pytest.mark.card("D63", "D64")
@pytest.mark.rule("V1.2")
@pytest.mark.parametrize("card", ["D63", "D64"])
def test_espionage_is_for_other_modes(engine: str, card: str, secrets: dict[str, Any]) -> None:
    """Dead Drop and Burned Asset have nothing to work with; their Rewards do."""
    t = refused(engine, card, {}, {"discovery": ["D03"]}, options=secrets)
    t.expect("REWARD", 0)


@pytest.mark.card("D65")
@pytest.mark.rule("V1.2")
def test_wiretap(engine: str, secrets: dict[str, Any]) -> None:
    """The hand of an opponent is seen and a card chosen from it."""
    t = use(engine, "D65", {}, {"discovery": ["D03", "D19"]}, {}, {"discovery": ["D26"]}, options=secrets)
    asked(t, "PICK_PLAYER", "player:1", "player:3")
    t.do("player:1")
    asked(t, "PAY_CARD", "card:D03", "card:D19")
    t.do("card:D19")
    assert t.player(0)["discovery"] == ["D19"]
    assert t.player(1)["discovery"] == ["D03"]
    finished(t, "D65")
    refused(engine, "D65", {}, {"lorium": 3}, options=secrets)


# ------------------------------------------------------------------ what all of them have in common
@pytest.mark.rule("D2.1", "D2.3", "D3.7")
def test_ability_or_rewards(engine: str) -> None:
    """An Action with a startable Ability is played for one of the two, by the one Bonus Action."""
    t = hold(engine, "D56", cysmograph={"singles": 4, "stack": 5})
    asked(t, "PLAY_MODE", "option:0", "option:1")
    t.do("option:1")
    asked(t, "REWARD", "option:0", "option:1")
    t.do("option:0")
    assert t.player(0)["lorium"] == 2
    assert t.snapshot()["cysmograph"]["stack"] == 5
    assert [e[3] for e in t.events("PLAY_CARD")] == [2]
    t.expect("BURN", 1)


@pytest.mark.rule("D2.4", "D2.5")
def test_a_reaction_is_played_by_n01_for_its_rewards_only(engine: str) -> None:
    t = refused(
        engine, "D66", {"units": {FIELD: "soldier"}}, {"units": {FIELD: "soldier"}}, combats={FIELD: 0}
    )
    t.expect("REWARD", 0)


def test_every_action_is_tried() -> None:
    """This file names every Action of the standard pack."""
    content = make_game("reference").content
    source = Path(__file__).read_text(encoding="utf-8")
    wanted = {d.id for d in content.discovery if d.kind == "action"}
    assert len(wanted) == 55
    assert [card for card in sorted(wanted) if f'"{card}"' not in source] == []
