"""Chapter M: Moves, Ship movement, Jumpjets, Relic Tokens; by hand and by an independent oracle."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pytest
from boards import Board
from geometry import NEAR, SIDES, SPACES, ball, is_abyss
from scenario import UNIT_NAMES, Table, scenario, space
from scenario import units as counted

CARD = {unit: f"{unit}s" for unit in UNIT_NAMES}
MOVEMENT = {"soldier": 3, "miner": 2, "speaker": 3, "powermech": 3, "harvester": 2}
ENGAGE = ("soldier", "powermech")

#: Four spaces in a straight line, everything beside them Lake (:func:`corridor`); only C has an Abyss bottom.
A, B, C, D = LINE = tuple(space(f"wetlands-{r}-0") for r in (5, 4, 3, 2))
RELICS = {"draw": ["R01", "R02", "R03", "R04"]}


def corridor(**changed: str) -> dict[str | int, str]:
    """Tiles that leave only the line open; keywords A, B, C, D change one of its tiles."""
    beside = {n for m in LINE for n in SIDES[m]} - set(LINE)
    tiles: dict[str | int, str] = dict.fromkeys(beside, "lake")
    for letter, tile in changed.items():
        tiles[LINE["ABCD".index(letter)]] = tile
    return tiles


def mover(
    engine: str,
    unit: str = "soldier",
    at: str | int = A,
    *others: Mapping[str, Any],
    us: Mapping[str | int, str] | None = None,
    ship: str | int = "savannah-4-2",
    action: str = "move",
    players: int = 2,
    **more: Any,
) -> Table:
    """Seat 0 Plays the card of ``unit`` and picks the one in ``at``: MOVE_TO is asked unless forced."""
    more.setdefault("tiles", corridor())
    units = {space(where): what for where, what in (us or {}).items()}
    units[space(at)] = f"{unit}, {units[space(at)]}" if space(at) in units else unit
    t = scenario(
        engine, {"ship": ship, "units": units}, *others, players=max(players, 1 + len(others)), **more
    )
    t.turn(CARD[unit]).answer("ACT_SPACE", space(at), seat=0)
    if unit == "powermech":
        t.answer("ACT_ACTION", f"action:{action}")
    return t


def ends(t: Table) -> set[int]:
    t.expect("MOVE_TO", 0)
    assert len(t.spaces()) == len(t.options()), "nothing but spaces is offered"
    return t.spaces()


# ---------------------------------------------------------------- M1 the Move action
@pytest.mark.rule("M1.1", "A0.1")
@pytest.mark.parametrize("unit", UNIT_NAMES)
@pytest.mark.parametrize("start", ["wetlands-3-1", "wetlands-6-2"])
def test_reach_on_open_ground(engine: str, unit: str, start: str) -> None:
    """Every space within Movement, arrows included, staying too; Ships are no places to stop."""
    t = mover(engine, unit, start, tiles={})
    ships = {space("savannah-4-2"), space("forest-4-2")}
    assert ends(t) == ball(space(start), MOVEMENT[unit]) - ships


@pytest.mark.rule("M1.1")
def test_staying(engine: str) -> None:
    """A Move of 0 steps is performed: the Unit has acted and is where it was."""
    t = mover(engine, us={B: "soldier"})
    t.do(A)
    assert t.units(0, A) == counted("soldier")
    assert [e[1:] for e in t.events("MOVE")] == [(0, 0, A, A)]
    assert t.expect("ACT_SPACE").spaces() == {B}, "the one in A has acted"


@pytest.mark.rule("M1.2", "M2.2", "M2.3")
def test_steps_and_end_are_judged_apart(engine: str) -> None:
    """Over a full own space to enemies behind it: the one can only be passed, the other only entered."""
    t = mover(engine, "soldier", A, {"units": {C: "speaker"}}, us={B: "2 speaker, miner"})
    assert ends(t) == {A, C}


# ---------------------------------------------------------------- M2 Troops and Vehicles
@pytest.mark.rule("M2.1")
@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"B": "lake"}, {A}),
        ({"B": "mountain"}, {A}),
        ({"C": "none"}, {A, B}),
        ({"B": "none"}, {A, B, C, D}),
        ({"D": "mountain"}, {A, B, C}),
        ({"B": "camp", "C": "explorable"}, {A, B, C, D}),
    ],
)
def test_impassable_ground(engine: str, changed: dict[str, str], expected: set[int]) -> None:
    """Not into or through Lake, Mountain or Abyss; Devastated and every other feature is passable."""
    t = mover(engine, tiles=corridor(**changed))
    if expected == {A}:
        assert t.kind != "MOVE_TO", "staying is all that is left"
        assert t.units(0, A) == counted("soldier")
    else:
        assert ends(t) == expected


@pytest.mark.rule("M2.2", "P3.1")
@pytest.mark.parametrize(
    ("unit", "there", "fits"),
    [
        ("soldier", "2 soldier", True),
        ("soldier", "3 soldier", False),
        ("soldier", "2 speaker, miner", False),
        ("soldier", "powermech, soldier", True),
        ("soldier", "harvester, 2 miner", False),
        ("powermech", "2 soldier", True),
        ("powermech", "harvester", False),
        ("harvester", "powermech", False),
        ("harvester", "2 miner", True),
        ("miner", "harvester, speaker", True),
    ],
)
def test_capacity(engine: str, unit: str, there: str, fits: bool) -> None:
    """Three Units, one of them a Vehicle at most; a full space can be passed."""
    t = mover(engine, unit, us={B: there})
    beyond = {C, D} if MOVEMENT[unit] == 3 else {C}
    assert ends(t) == {A} | beyond | ({B} if fits else set())


@pytest.mark.rule("M2.2")
def test_own_place_counts_as_free(engine: str) -> None:
    """A Unit may stay in, or come back to, a space that is full with it."""
    assert ends(mover(engine, us={A: "2 soldier"})) == {A, B, C, D}


@pytest.mark.rule("M2.3", "M2.6", "M2.7")
@pytest.mark.parametrize("enemies", ["soldier", "speaker", "3 miner", "harvester"])
@pytest.mark.parametrize("unit", UNIT_NAMES)
def test_enemies_in_the_way(engine: str, unit: str, enemies: str) -> None:
    """Nobody passes them; only Units with Engage may end on them."""
    t = mover(engine, unit, A, {"units": {B: enemies}})
    if unit in ENGAGE:
        assert ends(t) == {A, B}
    else:
        assert t.kind != "MOVE_TO"
        assert t.units(0, A) == counted(unit)


@pytest.mark.rule("M2.4")
def test_own_ship(engine: str) -> None:
    """It can be passed, not be stopped at."""
    assert ends(mover(engine, ship=B)) == {A, C, D}


@pytest.mark.rule("M2.4", "A7.6")
def test_own_ship_when_evacuating(engine: str) -> None:
    """Only Evacuating ends there: the Unit is in Reserve."""
    modules = [
        "crew_bridge",
        "control_systems",
        "colonist_quarters",
        "power_core",
        "fuel_cells",
        "warp_drive",
    ]
    t = scenario(
        engine,
        {"ship": C, "units": {A: "soldier"}, "modules": modules, "blueprints": modules},
        tiles=corridor(),
    )
    t.turn("colony_ship").answer("MOVE_TO", B).answer("ACT_SPACE", "done")
    t.answer("ACT_SPACE", B).answer("ACT_SPACE", A)  # the Ship performs Evacuate, the Soldier takes part
    assert t.units(0, A) == [0] * 5
    assert t.player(0)["units"] == []


@pytest.mark.rule("M2.5")
def test_enemy_ship(engine: str) -> None:
    """Neither entered nor passed, by Units with Engage either."""
    assert ends(mover(engine, "soldier", A, {"ship": C})) == {A, B}
    assert ends(mover(engine, "powermech", A, {"ship": C})) == {A, B}


@pytest.mark.rule("M2.6", "K1.1", "K1.2", "U4.2")
@pytest.mark.parametrize("unit", ENGAGE)
def test_engage_initiates_a_combat(engine: str, unit: str) -> None:
    """Ending on Unlocked enemies: a Combat with the mover as Attacker, everybody there Locked."""
    t = mover(engine, unit, A, {"units": {C: "speaker, miner"}})
    t.do(C)
    assert t.attacker(C) == 0
    assert [e[1:4] for e in t.events("COMBAT_BEGIN")] == [(0, C, 1)]
    assert t.units(0, C) == counted(unit)
    t.end_turn().turn("speakers")
    assert t.kind != "ACT_SPACE", "the Locked Speaker cannot act"


@pytest.mark.rule("M2.8", "RUL-M9")
@pytest.mark.parametrize(
    ("unit", "ours", "fits"),
    [
        ("speaker", "soldier", True),
        ("miner", "2 speaker", True),
        ("harvester", "2 soldier", True),
        ("soldier", "miner", True),
        ("speaker", "3 soldier", False),
        ("harvester", "powermech", False),
        ("powermech", "2 soldier, miner", False),
    ],
)
def test_joining_an_own_combat(engine: str, unit: str, ours: str, fits: bool) -> None:
    """With or without Engage, within the own side's capacity; a Combat is never passed."""
    t = mover(engine, unit, A, {"units": {B: "2 soldier, powermech"}}, us={B: ours}, combats={B: 1})
    if not fits:
        assert t.kind != "MOVE_TO"
        return
    assert ends(t) == {A, B}
    t.do(B)
    assert t.attacker(B) == 1
    assert t.events("COMBAT_BEGIN") == []


@pytest.mark.rule("M2.8", "U4.2", "U4.3")
def test_joining_locks(engine: str) -> None:
    """A Speaker that joins a Combat on a Habitat is Locked and cannot Persuade in the next Section."""
    for end, asked in ((B, False), (A, True)):
        t = mover(
            engine,
            "speaker",
            A,
            {"units": {B: "soldier"}},
            us={B: "soldier"},
            combats={B: 1},
            tiles=corridor(A="camp", B="camp"),
        )
        t.do(end)
        assert (t.kind == "ACT_SPACE") == asked


@pytest.mark.rule("M2.9", "K1.4")
@pytest.mark.parametrize("unit", UNIT_NAMES)
def test_third_faction(engine: str, unit: str) -> None:
    """Nobody enters or passes a Combat of two others."""
    t = mover(engine, unit, A, {"units": {B: "soldier"}}, {"units": {B: "miner"}}, combats={B: 1})
    assert t.kind != "MOVE_TO"
    assert t.units(0, A) == counted(unit)


@pytest.mark.rule("M2.9", "M5.1", "M5.2", "K1.4")
def test_third_faction_jumping(engine: str) -> None:
    """A Jumpjet Move passes such a Combat but cannot land in it."""
    t = mover(
        engine,
        "powermech",
        A,
        {"units": {B: "soldier"}},
        {"units": {B: "miner"}},
        combats={B: 1},
        action="jumpjet",
    )
    found = ends(t)
    assert B not in found
    assert {A, C, D} <= found


# ---------------------------------------------------------------- M3 TUNL
TUNLS = ("wetlands-5-0", "savannah-2-1", "rocky-5-3")


def by_tunl(tunls: Iterable[str | int]) -> Any:
    spots = {space(s) for s in tunls}
    return lambda n: NEAR[n] | (spots - {n} if n in spots else set())


@pytest.mark.rule("M3.1", "P4.3")
@pytest.mark.parametrize("unit", UNIT_NAMES)
def test_tunl(engine: str, unit: str) -> None:
    """All TUNL spaces are one step apart; a Unit that ends there is in the space, within its capacity."""
    t = mover(
        engine,
        unit,
        A,
        {"ship": "forest-4-1"},
        us={"rocky-5-3": "3 speaker"},
        ship="desert-3-1",
        tiles=dict.fromkeys(TUNLS, "tunl"),
    )
    expected = ball(A, MOVEMENT[unit], by_tunl(TUNLS)) - {
        space(s) for s in ("forest-4-1", "desert-3-1", "rocky-5-3")
    }
    assert ends(t) == expected
    assert space("savannah-2-1") in expected
    t.do("savannah-2-1")
    assert t.units(0, "savannah-2-1") == counted(unit)


@pytest.mark.rule("M3.1")
def test_tunl_enemies(engine: str) -> None:
    """The usual rules hold at its far end: enemies block those without Engage."""
    tiles = {**corridor(), A: "tunl", "savannah-2-1": "tunl", B: "lake"}
    them = {"units": {"savannah-2-1": "miner"}}
    assert ends(mover(engine, "soldier", A, them, tiles=tiles)) == {A, space("savannah-2-1")}
    assert mover(engine, "speaker", A, them, tiles=tiles).kind != "MOVE_TO"


@pytest.mark.rule("M3.2", "M5.3")
def test_no_jumpjet_by_tunl(engine: str) -> None:
    """A Jumpjet Move goes by sides and arrows only; the walk of the same Unit may use the TUNL."""
    tiles = dict.fromkeys(TUNLS, "tunl")
    ships = {space("savannah-4-2"), space("forest-4-2")}
    walk = mover(engine, "powermech", A, tiles=tiles)
    jump = mover(engine, "powermech", A, tiles=tiles, action="jumpjet")
    assert space("savannah-2-1") in ends(walk)
    assert ends(jump) == ball(A, 3) - ships
    assert space("savannah-2-1") not in ends(jump)


@pytest.mark.rule("M3.2", "M4.3")
def test_no_ship_by_tunl(engine: str) -> None:
    """The Ship's step is to a neighbour; TUNLs around do not help it, one it enters is erased."""
    t = scenario(engine, {"ship": "wetlands-4-1"}, tiles={"wetlands-5-1": "tunl", "savannah-2-1": "tunl"})
    t.turn("colony_ship").expect("MOVE_TO")
    assert t.spaces() == SIDES[space("wetlands-4-1")]
    t.do("wetlands-5-1").answer("ACT_SPACE", "wetlands-5-1").expect("MOVE_TO")
    assert t.spaces() == SIDES[space("wetlands-5-1")] | {space("wetlands-5-1")}
    assert t.tile("wetlands-5-1") == "plain"


# ---------------------------------------------------------------- M4 the Ship
@pytest.mark.rule("M4.1", "M4.3", "A7.2", "A7.3")
def test_where_a_ship_may_go(engine: str) -> None:
    """Not into Lake, Mountain, Abyss or a Ship's space; one space, arrows too; Stabilize must move."""
    home = space("savannah-6-1")
    t = scenario(
        engine,
        {"ship": home},
        {"ship": "forest-6-1"},
        tiles={
            "savannah-6-2": "lake",
            "savannah-5-0": "mountain",
            "savannah-5-1": "none",
            "rocky-6-1": "none",
            "wetlands-6-1": "mountain",
        },
    )
    # savannah-5-1 shows Abyss, rocky-6-1 Devastated; forest-6-1 has the other Ship.
    expected = {space(s) for s in ("savannah-6-0", "rocky-6-1", "tundra-6-1", "desert-6-1")}
    assert is_abyss(space("savannah-5-1"))
    t.turn("colony_ship").expect("MOVE_TO", 0)
    assert t.spaces() == expected
    t.do("desert-6-1").answer("ACT_SPACE", "desert-6-1").expect("MOVE_TO", 0)
    here = space("desert-6-1")
    barred = {space(s) for s in ("forest-6-1", "wetlands-6-1")}
    # savannah-6-1 has Collapsed to Devastated ground (6 + 1), which a Ship may enter.
    assert t.spaces() == (NEAR[here] | {here}) - barred
    t.do(here)
    assert t.player(0)["ship"] == here
    assert len(t.events("TREMOR")) == len(t.events("COLLAPSE")) == 1


@pytest.mark.rule("M4.2", "RUL-M6", "U5.3", "K8.1")
def test_ship_enters_anything_else(engine: str) -> None:
    """Own Units, enemies, even a Combat: everything there is destroyed and the Combat is over."""
    t = scenario(
        engine,
        {"ship": A, "units": {B: "soldier, speaker"}},
        {"units": {B: "powermech, miner"}},
        combats={B: 1},
        tiles=corridor(B="outpost"),
        control={B: 1},
    )
    t.turn("colony_ship")
    assert t.player(0)["ship"] == B, "the only neighbour"
    assert t.player(0)["units"] == []
    assert t.player(1)["units"] == []
    after = t.snapshot()
    assert after["combats"] == []
    assert after["control"] == []
    assert after["tiles"][B] == "plain"
    assert [e[1:4] for e in t.events("RELIC_TOKEN")] == [(-1, A, 1)], (
        "only the one on the ground the Ship left"
    )
    assert sorted(e[1:] for e in t.events("LEAVE")) == [
        (0, 0, B, 0),
        (0, 2, B, 0),
        (1, 1, B, 0),
        (1, 3, B, 0),
    ]


@pytest.mark.rule("M4.2", "M2.7")
def test_ship_moves_onto_own_units(engine: str) -> None:
    t = scenario(engine, {"ship": A, "units": {B: "3 miner"}}, tiles=corridor())
    t.turn("colony_ship")
    assert t.player(0)["units"] == []


@pytest.mark.rule("M4.4", "RUL-M5")
def test_ship_that_must_move_skips_illegal_spaces(engine: str) -> None:
    """With no legal neighbour Stabilize leads to one of the nearest legal spaces, the owner's choice."""
    home = space("wetlands-4-1")
    near = SIDES[home]
    second = ball(home, 2) - near - {home}
    free = sorted(second)[2:4]
    t = scenario(
        engine,
        {"ship": home},
        tiles=dict.fromkeys((near | second) - set(free), "mountain"),
        players=2,
    )
    t.turn("colony_ship").expect("MOVE_TO", 0)
    assert t.spaces() == set(free)
    t.do(free[0])
    assert t.player(0)["ship"] == free[0]
    assert t.tile(home) == "none"
    assert len(t.events("TREMOR")) == 1


@pytest.mark.rule("M4.4", "RUL-M5")
def test_ship_skips_other_ships(engine: str) -> None:
    """Another Ship next door is an illegal space like a Lake, to be skipped."""
    t = scenario(engine, {"ship": A}, {"ship": B}, tiles=corridor())
    t.turn("colony_ship")
    legal = set(SPACES) - {A, B} - {n for n, f in corridor().items() if f == "lake"}
    distance = 1
    while not ball(A, distance) & legal:
        distance += 1
    nearest = ball(A, distance) & legal
    assert distance == 2
    assert t.expect("MOVE_TO").spaces() == nearest


@pytest.mark.rule("M4.4", "RUL-M5", "T4.9")
def test_ship_with_no_legal_space_at_all(engine: str) -> None:
    """It stays, nothing Collapses, no Tremor; the next Section follows."""
    other = space("rocky-3-1")
    tiles: dict[str | int, str] = dict.fromkeys(set(range(1, 127)) - {A, other}, "lake")
    tiles[0] = "none"
    t = scenario(engine, {"ship": A}, {"ship": other}, tiles=tiles)
    t.turn("colony_ship")
    assert t.player(0)["ship"] == A
    assert t.tile(A) == "plain"
    assert t.events("TREMOR") == t.events("COLLAPSE") == []


# ---------------------------------------------------------------- M5 Jumpjet Move
@pytest.mark.rule("M5.1", "M5.2", "M5.3", "RUL-M7")
def test_jump_over_everything(engine: str) -> None:
    """Over Lakes, Mountains, Abyss, Ships, enemies, Combats and full spaces; to land the usual rules hold."""
    start = space("wetlands-5-2")
    ring = sorted(SIDES[start])
    third = {"units": {ring[3]: "miner"}, "ship": "savannah-2-0"}
    t = mover(
        engine,
        "powermech",
        start,
        {"ship": ring[5], "units": {ring[2]: "speaker", ring[3]: "soldier"}},
        third,
        ship="forest-2-0",
        us={ring[4]: "3 soldier"},
        combats={ring[3]: 1},
        tiles={ring[0]: "lake", ring[1]: "mountain"},
        action="jumpjet",
    )
    barred = {ring[0], ring[1], ring[3], ring[4], ring[5]}
    assert ends(t) == ball(start, 3) - barred
    t.do(ring[2])
    assert t.attacker(ring[2]) == 0


@pytest.mark.rule("M5.1", "M1.1")
def test_jump_range(engine: str) -> None:
    """Movement is counted in steps over anything: from the closed end of the corridor in all directions."""
    t = mover(engine, "powermech", A, action="jumpjet")
    lakes = {n for n, tile in corridor().items() if tile == "lake"}
    assert ends(t) == ball(A, 3) - lakes
    assert ends(mover(engine, "powermech", A)) == {A, B, C, D}


@pytest.mark.rule("M5.2")
def test_jump_lands_within_capacity(engine: str) -> None:
    """No landing where the Unit could not stop: next to an own Vehicle, on the own Ship."""
    t = mover(engine, "powermech", A, us={C: "powermech", D: "2 soldier"}, ship=B, action="jumpjet")
    found = ends(t)
    assert not {B, C} & found
    assert {A, D} <= found


@pytest.mark.rule("M5.5", "T4.8", "RUL-T14")
@pytest.mark.parametrize("end", [A, B, D])
def test_one_tremor_per_jump(engine: str, end: int) -> None:
    """One Tremor whatever the distance, 0 included, when the Unit has landed; a walk causes none."""
    t = mover(
        engine,
        "powermech",
        A,
        action="jumpjet",
        cysmograph={"singles": 4, "stack": 6},
        script={"fracture_token": ["wetlands-5"]},
    )
    t.do(end)
    assert len(t.events("TREMOR")) == len(t.events("FRACTURE")) == 1
    # Wetlands ring 5 Collapses after the landing: the Powermech is hit in A only.
    assert t.units(0, end) == ([0] * 5 if end == A else counted("powermech"))
    walk = mover(engine, "powermech", A)
    walk.do(end)
    assert walk.events("TREMOR") == []


@pytest.mark.rule("M5.6", "A4.1")
@pytest.mark.parametrize("unit", UNIT_NAMES)
def test_who_jumps(engine: str, unit: str) -> None:
    """Powermechs choose between the two; no other Unit is offered a Jumpjet Move."""
    t = scenario(engine, {"units": {A: unit}})
    t.turn(CARD[unit]).answer("ACT_SPACE", A)
    if unit == "powermech":
        assert t.expect("ACT_ACTION").options() == ["action:move", "action:jumpjet"]
        t.do("action:jumpjet", B)
        assert t.kind != "ACT_SPACE", "one or the other, not both"
    else:
        t.expect("MOVE_TO")


# ---------------------------------------------------------------- M6 Relic Tokens
def gain(t: Table, keep: str, seat: int = 0) -> Table:
    """The two Relic Cards just drawn: keep one, Activate nothing."""
    t.answer("KEEP_RELIC", f"card:{keep}", seat=seat)
    return t.answer("RELIC_WINDOW", "done", seat=seat)


@pytest.mark.rule("M6.1", "M6.3", "RUL-M1", "G3.1")
def test_token_may_be_taken(engine: str) -> None:
    """Declined it stays; taken it returns to the supply and brings one Relic Card of two."""
    t = mover(engine, tiles=corridor(B="none"), relic_tokens=[B], relics=RELICS)
    t.do(B)
    assert t.expect("TAKE_TOKEN", 0).options() == ["done", f"space:{B}"]
    left = t.fork()
    left.do("done")
    assert left.snapshot()["relic_tokens"] == [B]
    assert left.player(0)["relics"] == []
    t.do(B)
    assert t.expect("KEEP_RELIC", 0).options() == ["card:R01", "card:R02"]
    gain(t, "R02")
    after = t.snapshot()
    assert after["relic_tokens"] == []
    assert after["players"][0]["relics"] == ["R02"]
    assert after["relics"]["discard"] == ["R01"]
    assert [e[1:] for e in t.events("RELIC_TOKEN")] == [(0, B, -1, 0)]


@pytest.mark.rule("M6.1")
@pytest.mark.parametrize("unit", UNIT_NAMES)
def test_every_troop_and_vehicle_collects(engine: str, unit: str) -> None:
    t = mover(engine, unit, tiles=corridor(B="none"), relic_tokens=[B], relics=RELICS)
    t.do(B)
    assert t.expect("TAKE_TOKEN").options() == ["done", f"space:{B}"]


@pytest.mark.rule("M6.2", "RUL-M2")
def test_token_on_the_way(engine: str) -> None:
    """Taking one does not end the Move; one of the two on the path, the other stays."""
    t = mover(engine, tiles=corridor(B="none", D="none"), relic_tokens=[B, D], relics=RELICS)
    t.do(D)
    assert t.expect("TAKE_TOKEN").options() == ["done", f"space:{D}", f"space:{B}"]
    t.do(B)
    gain(t, "R01")
    assert t.kind != "TAKE_TOKEN"
    assert t.units(0, D) == counted("soldier")
    assert t.snapshot()["relic_tokens"] == [D]


@pytest.mark.rule("M6.2", "M6.6", "RUL-M2")
@pytest.mark.parametrize(
    ("unit", "end", "tokens"),
    [
        ("soldier", A, {B}),  # out and back
        ("soldier", B, {B}),  # by way of D it would be five steps
        ("soldier", C, {B}),  # by way of D four
        ("soldier", D, {B, D}),
        ("miner", A, {B}),
        ("miner", C, {B}),
        ("speaker", D, {B, D}),
    ],
)
def test_tokens_within_reach(engine: str, unit: str, end: int, tokens: set[int]) -> None:
    """Whatever some path within Movement to that end visits, detours and coming back included."""
    t = mover(engine, unit, tiles=corridor(B="none", D="none"), relic_tokens=[B, D], relics=RELICS)
    t.do(end)
    assert t.expect("TAKE_TOKEN").spaces() == tokens


@pytest.mark.rule("M6.2")
def test_one_token_per_unit_and_move(engine: str) -> None:
    """The next Unit of the card may collect the other one."""
    t = mover(
        engine, us={A: "soldier"}, tiles=corridor(B="none", D="none"), relic_tokens=[B, D], relics=RELICS
    )
    t.do(D).answer("TAKE_TOKEN", B)
    gain(t, "R01")
    t.answer("ACT_SPACE", A).answer("MOVE_TO", D).answer("TAKE_TOKEN", D)
    gain(t, "R03")
    assert t.snapshot()["relic_tokens"] == []
    assert t.player(0)["relics"] == ["R01", "R03"]


@pytest.mark.rule("M6.2", "M2.3")
def test_no_token_behind_enemies(engine: str) -> None:
    """A token in a space that could be entered but not left again is only for a Move that ends there."""
    t = mover(
        engine,
        "soldier",
        A,
        {"units": {B: "miner"}},
        tiles=corridor(B="none"),
        relic_tokens=[B],
        relics=RELICS,
    )
    back = t.fork()
    back.do(A)
    assert back.kind != "TAKE_TOKEN"
    t.do(B)
    assert t.expect("TAKE_TOKEN").spaces() == {B}


@pytest.mark.rule("M6.4", "U5.3")
def test_ship_destroys_the_token(engine: str) -> None:
    t = scenario(engine, {"ship": A}, tiles=corridor(B="none"), relic_tokens=[B], relics=RELICS)
    t.turn("colony_ship")
    assert t.player(0)["ship"] == B
    assert t.kind not in ("TAKE_TOKEN", "KEEP_RELIC")
    assert t.snapshot()["relic_tokens"] == [A], "only the one on the ground the Ship left"
    assert t.events("DRAW") == []
    assert sorted(e[1:4] for e in t.events("RELIC_TOKEN")) == [(-1, B, -1), (-1, A, 1)]


@pytest.mark.rule("M6.5", "RUL-M13")
def test_token_underfoot(engine: str) -> None:
    """A Unit that cannot step out and back in does not enter, so it gets nothing."""
    t = mover(engine, tiles=corridor(A="none", B="lake"), relic_tokens=[A], relics=RELICS, us={D: "soldier"})
    assert t.kind == "ACT_SPACE", "the Move of 0 spaces is done"
    assert t.snapshot()["relic_tokens"] == [A]


@pytest.mark.rule("M6.5", "M6.6", "RUL-M13")
@pytest.mark.parametrize(
    ("unit", "action"), [("soldier", ""), ("miner", ""), ("powermech", "move"), ("powermech", "jumpjet")]
)
def test_out_and_back(engine: str, unit: str, action: str) -> None:
    """Leaving the space and coming back enters it, as far as the Movement allows."""
    t = mover(
        engine, unit, tiles=corridor(A="none"), relic_tokens=[A], relics=RELICS, action=action or "move"
    )
    away = t.fork()
    away.do(B)
    # Out, back and out again are three steps; a Jumpjet Move collects only where it lands.
    assert (away.kind == "TAKE_TOKEN") == (MOVEMENT[unit] == 3 and action != "jumpjet")
    t.do(A)
    assert t.expect("TAKE_TOKEN").options() == ["done", f"space:{A}"]
    t.do(A).answer("KEEP_RELIC", "card:R01")
    assert t.units(0, A) == counted(unit)


@pytest.mark.rule("M6.6", "K1.1")
def test_entering_a_combat_is_entering(engine: str) -> None:
    """The Soldier that starts a Combat on a token may take it, Locked or not."""
    t = mover(
        engine,
        "soldier",
        A,
        {"units": {D: "speaker"}},
        tiles=corridor(D="none"),
        relic_tokens=[D],
        relics=RELICS,
    )
    t.do(D).expect("TAKE_TOKEN", 0)
    t.do(D)
    assert t.attacker(D) == 0
    gain(t, "R01")
    assert t.player(0)["relics"] == ["R01"]


@pytest.mark.rule("M5.4", "M6.2")
def test_jump_collects_only_where_it_lands(engine: str) -> None:
    tiles = corridor(B="none", D="none")
    t = mover(engine, "powermech", tiles=tiles, relic_tokens=[B, D], relics=RELICS, action="jumpjet")
    walk = mover(engine, "powermech", tiles=tiles, relic_tokens=[B, D], relics=RELICS)
    beyond, back = t.fork(), t.fork()
    t.do(D)
    assert t.expect("TAKE_TOKEN").spaces() == {D}
    walk.do(D)
    assert walk.expect("TAKE_TOKEN").spaces() == {B, D}
    for other, end in ((beyond, C), (back, A)):
        other.do(end)
        assert other.kind != "TAKE_TOKEN"


@pytest.mark.rule("M5.5", "M5.4", "RUL-M2")
def test_relic_card_before_the_tremor(engine: str) -> None:
    """The token of the landing space is turned into a card before the Tremor Collapses that ground."""
    t = mover(
        engine,
        "powermech",
        tiles=corridor(B="none"),
        relic_tokens=[B],
        relics=RELICS,
        action="jumpjet",
        cysmograph={"singles": 4, "stack": 6},
        script={"fracture_token": ["devastated"]},
    )
    t.do(B).answer("TAKE_TOKEN", B)
    assert t.events("TREMOR") == []
    gain(t, "R01")
    assert len(t.events("TREMOR")) == 1
    assert t.units(0, B) == [0] * 5
    assert t.player(0)["relics"] == ["R01"]


@pytest.mark.rule("M6.1", "M6.7", "RUL-M16")
def test_token_and_deploying(engine: str) -> None:
    """A Deployed Troop takes the token at once: the card is gained before the next one is Deployed."""
    t = scenario(engine, {"ship": A}, tiles=corridor(B="none"), relic_tokens=[B], relics=RELICS)
    t.turn("recruit")
    t.answer("RECRUIT_TYPE", "unit:soldier").answer("RECRUIT_TYPE", "unit:soldier").answer(
        "RECRUIT_TYPE", "done"
    )
    assert t.expect("TAKE_TOKEN", 0).options() == ["done", f"space:{B}"]
    assert t.units(0, B) == counted("soldier")
    t.do(B)
    gain(t, "R01")
    assert t.units(0, B) == counted("2 soldier")


@pytest.mark.rule("M6.1", "M6.7", "Y5.3", "RUL-M16")
def test_token_and_escape(engine: str) -> None:
    """A group that escapes is asked once, and the card is gained before the next group escapes."""
    t = scenario(
        engine,
        {
            "ship": "savannah-3-1",
            "units": {"savannah-5-2": "2 miner", "savannah-5-0": "miner", "tundra-5-0": "harvester"},
        },
        {"ship": "forest-3-1"},
        tiles={"savannah-4-1": "none", "tundra-5-0": "lorium"},
        relic_tokens=["savannah-4-1"],
        relics=RELICS,
        cysmograph={"singles": 4, "stack": 6},
        script={"fracture_token": ["savannah-5"]},
    )
    t.turn("harvesters").answer("ACT_SPACE", "done").answer("ACT_SPACE", "tundra-5-0")
    t.answer("ESCAPE", "savannah-5-2").answer("ESCAPE_TO", "savannah-4-1").answer("ESCAPE_UNIT", "unit:miner")
    t.answer("TAKE_TOKEN", "savannah-4-1", seat=0)
    gain(t, "R01")
    assert t.expect("ESCAPE", 0).spaces() == {space("savannah-5-0")}
    assert t.units(0, "savannah-4-1") == counted("2 miner")
    assert t.tile("savannah-5-2") != "none", "the Collapse waits for all escapes"


@pytest.mark.rule("M6.1", "M6.7", "K7.6", "RUL-K20", "RUL-M16")
def test_token_and_flight(engine: str) -> None:
    """Units that flee to a token are asked once; the Relic Card is theirs at once."""
    t = scenario(
        engine,
        {"units": {A: "2 miner"}},
        {"units": {A: "soldier"}},
        combats={A: 1},
        tiles=corridor(B="none"),
        relic_tokens=[B],
        relics=RELICS,
    )
    t.turn("battle").answer("STRIKE_OR_FLEE", "flee", seat=0)
    t.answer("FINAL_STRIKE", "no", seat=1).answer("TAKE_TOKEN", B, seat=0)
    gain(t, "R01")
    assert t.units(0, B) == counted("2 miner")
    assert t.player(0)["relics"] == ["R01"]


# ---------------------------------------------------------------- any position, against an oracle
class Walker(Board):
    """What the rules say about Moves of seat 0's Units of one type in a random crowded position."""

    def __init__(self, seed: int, unit: str) -> None:
        super().__init__(seed, [unit])
        self.unit, self.index = unit, UNIT_NAMES.index(unit)

    def unlocked(self) -> set[int]:
        return {n for n, counts in self.units[0].items() if counts[self.index] and not self.enemies(0, n)}

    def passable(self, n: int) -> bool:
        return not (self.impassable(n) or n in self.ships[1:] or self.enemies(0, n))

    def may_stop(self, n: int, start: int) -> bool:
        if self.impassable(n) or n in self.ships:
            return False
        if n != start and not self.has_room(0, n, self.index):
            return False
        others = self.enemies(0, n)
        return not others or n in self.units[0] or (len(others) == 1 and self.unit in ENGAGE)

    def walks(self, start: int) -> dict[int, set[int]]:
        """Each legal end -> tokens that can be collected on some walk to it."""
        found: dict[int, set[int]] = {start: set()}

        def step(path: list[int]) -> None:
            for n in self.near(path[-1]):
                if self.may_stop(n, start):
                    found.setdefault(n, set()).update(self.tokens.intersection([*path[1:], n]))
                if len(path) < MOVEMENT[self.unit] and self.passable(n):
                    step([*path, n])

        step([start])
        return found

    def jumps(self, start: int) -> dict[int, set[int]]:
        """The same for Jumpjet Moves."""
        ends = {n for n in ball(start, MOVEMENT[self.unit]) if n == start or self.may_stop(n, start)}
        return {n: {n} & self.tokens for n in ends}  # the start's by jumping out and back


@pytest.mark.rule(
    "M1.1", "M1.2", "M2.1", "M2.2", "M2.3", "M2.4", "M2.5", "M2.6", "M2.7", "M2.8", "M2.9", "M6.2", "M6.6"
)
@pytest.mark.parametrize("unit", UNIT_NAMES)
@pytest.mark.parametrize("seed", range(16))
def test_walks_against_enumeration(engine: str, unit: str, seed: int) -> None:
    """Who may act, where each may end, which tokens can be had on the way, in random crowded positions."""
    board = Walker(1000 * seed + UNIT_NAMES.index(unit), unit)
    t = board.load(engine, relics=RELICS).turn(CARD[unit])
    t.expect("ACT_SPACE", 0)
    assert t.spaces() == board.unlocked()
    for start in sorted(board.unlocked()):
        for action, expected in (("move", board.walks(start)), ("jumpjet", board.jumps(start))):
            if action == "jumpjet" and unit != "powermech":
                continue
            one = t.fork()
            one.do(start)
            if unit == "powermech":
                one.answer("ACT_ACTION", f"action:{action}")
            if len(expected) == 1:
                assert one.kind != "MOVE_TO"
                continue
            assert ends(one) == set(expected)
            for end in board.rng.sample(sorted(expected), min(6, len(expected))):
                moved = one.fork()
                moved.do(end)
                if expected[end]:
                    assert moved.expect("TAKE_TOKEN").spaces() == expected[end]
                    moved.do("done")
                else:
                    assert moved.kind != "TAKE_TOKEN"
                if action == "move":
                    own = list(board.units[0].get(end, [0] * 5))
                    own[UNIT_NAMES.index(unit)] += end != start
                    assert moved.units(0, end) == own
