"""Chapter P: spaces, coordinates, features, capacity, adjacency."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from geometry import ball
from scenario import TERRAINS, Table, new_game, scenario, space

from cysmic_fast.errors import PositionError

FAR = ("tundra-4-1", "savannah-4-1", "rocky-4-1")
FEATURES = {"camp", "outpost", "settlement", "mountain", "lorium", "explorable", "tunl", "lake"}


def place(number: int) -> tuple[int, int, int]:
    """(terrain, ring, offset) of a space by P1.7; the centre is (0, 0, 0)."""
    if number == 0:
        return 0, 0, 0
    ring = next(r for r in range(1, 7) if number <= 3 * r * (r + 1))
    terrain, offset = divmod(number - 1 - 3 * ring * (ring - 1), ring)
    return terrain, ring, offset


def sides(number: int) -> set[int]:
    """Side-neighbours of a space by the formula of P1.6."""
    t, r, k = place(number)
    if r == 0:
        return {space(f"{terrain}-1-0") for terrain in TERRAINS}
    near = [(t, r, k - 1), (t, r, k + 1), (t, r - 1, k), (t, r + 1, k), (t, r + 1, k + 1)]
    near.append((t, r - 1, k - 1) if k > 0 else (t - 1, r + 1, r))
    found = set()
    for terrain, ring, offset in near:
        if ring == 0:
            found.add(0)
        elif ring <= 6:
            if offset == ring:
                terrain, offset = terrain + 1, 0
            elif offset == -1:
                terrain, offset = terrain - 1, ring - 1
            found.add(1 + 3 * ring * (ring - 1) + ring * (terrain % 6) + offset)
    return found


def arrows(number: int) -> set[int]:
    """Edge spaces with the same arrow: the same offset in the other wedges (F:arrows)."""
    t, r, k = place(number)
    return {space(f"{TERRAINS[other]}-6-{k}") for other in range(6) if other != t} if r == 6 else set()


def stabilize(engine: str, where: int | str, other: str | None = None, **position: Any) -> Table:
    """A table on which the Ship of seat 0 is about to leave ``where``: its options are its neighbours."""
    if other is None:
        near = sides(space(where)) | arrows(space(where)) | {space(where)}
        other = next(far for far in FAR if space(far) not in near)
    tiles: dict[str | int, str] = {0: "plain", **position.pop("tiles", {})}
    t = scenario(engine, {"ship": where}, {"ship": other}, tiles=tiles, **position)
    return t.turn("colony_ship").expect("MOVE_TO", 0)


def soldier_moves(
    engine: str, where: str, kind: str = "soldier", seats: tuple[Mapping[str, Any], ...] = (), **position: Any
) -> set[int]:
    """Where one Unit of seat 0 may end its Move."""
    first = {"units": {where: kind}, **(seats[0] if seats else {})}
    t = scenario(engine, first, *seats[1:], **position)
    t.turn(f"{kind}s").answer("ACT_SPACE", where)
    if t.kind == "ACT_ACTION":
        t.do("action:move")
    return t.expect("MOVE_TO", 0).spaces()


# ------------------------------------------------------------------ P1
@pytest.mark.rule("P1.3", "P1.4", "P1.6", "P1.7", "P4.1", "P4.2", "P-EX2", "RUL-S14", "RUL-P2")
def test_every_space_borders_exactly_its_sides_and_arrows(engine: str) -> None:
    """A Ship on each of the 127 spaces may step to the spaces of the formula, 432 pairs in all."""
    pairs = set()
    for number in range(127):
        near = stabilize(engine, number).spaces()
        assert near == sides(number) | arrows(number), place(number)
        pairs |= {frozenset((number, other)) for other in near}
    side_pairs = {frozenset((n, m)) for n in range(127) for m in sides(n)}
    degrees = [len(sides(n)) for n in range(127)]
    assert (len(side_pairs), len(pairs), len(pairs - side_pairs)) == (342, 432, 90)
    assert [degrees.count(d) for d in (6, 4, 3)] == [91, 30, 6]
    assert {place(n)[1:] for n in range(127) if degrees[n] == 3} == {(6, 0)}


@pytest.mark.rule("P-EX1", "P1.5", "P1.6")
def test_neighbours_of_savannah_5_4(engine: str) -> None:
    """The worked example: two of the six neighbours lie in the next terrain, Forest."""
    expected = [
        "savannah-5-3", "savannah-4-3", "savannah-6-4", "savannah-6-5", "forest-5-0", "forest-4-0",
    ]  # fmt: skip
    assert stabilize(engine, "savannah-5-4").spaces() == {space(s) for s in expected}


@pytest.mark.rule("P1.5")
@pytest.mark.parametrize("terrain", range(6))
def test_terrains_follow_each_other_clockwise(engine: str, terrain: int) -> None:
    """The last space of a ring borders the first one of the next terrain, and of no other."""
    here, following = TERRAINS[terrain], TERRAINS[(terrain + 1) % 6]
    t = stabilize(engine, f"{here}-5-4")
    assert list(t.game.content.planet.terrains) == list(TERRAINS)
    assert t.spaces() - {space(f"{here}-{r}-{k}") for r in range(1, 7) for k in range(r)} == {
        space(f"{following}-5-0"),
        space(f"{following}-4-0"),
    }


@pytest.mark.rule("P1.2")
def test_rings_between_colony_city_and_the_edge(engine: str) -> None:
    """Ring 1 is what surrounds the centre; beyond the 36 spaces of ring 6 there is nothing."""
    assert stabilize(engine, 0).spaces() == {1, 2, 3, 4, 5, 6}
    edge = range(91, 127)
    assert [place(n)[1] for n in edge] == [6] * 36
    for number in (91, 93, 126):
        t = stabilize(engine, number)
        assert max(t.spaces()) <= 126
        assert len(t.spaces() - arrows(number)) == (3 if place(number)[2] == 0 else 4)
    tiles = t.snapshot()["tiles"]
    assert len(tiles) == 127


@pytest.mark.rule("P1.1", "RUL-P3")
def test_a_space_shows_its_tile_and_then_its_bottom(engine: str) -> None:
    """A Lake keeps a Ship out until it is gone; an Abyss lets it in until its tile is gone."""
    lake, abyss = "savannah-5-2", "savannah-4-2"  # ring + offset: 7 is Devastated below, 6 Abyss
    near = {space(lake), space(abyss)}
    with_tiles = stabilize(engine, "savannah-4-1", tiles={lake: "lake"}).spaces()
    assert with_tiles & near == {space(abyss)}
    without = stabilize(engine, "savannah-4-1", tiles={lake: "none", abyss: "none"}).spaces()
    assert without & near == {space(lake)}


# ------------------------------------------------------------------ P2
@pytest.mark.rule("P2.1")
def test_every_tile_has_one_feature_and_a_terrain(engine: str) -> None:
    """A new planet shows one of eight features on each landscape tile and Colony City once."""
    tiles = new_game(engine, 2, factions=False).snapshot()["tiles"]
    assert set(tiles[1:]) == FEATURES
    assert tiles[0] == "colony_city"


@pytest.mark.rule("P2.1")
@pytest.mark.parametrize("terrain", TERRAINS)
def test_colony_city_belongs_to_no_terrain(engine: str, terrain: str) -> None:
    """The ring 1 token of a terrain takes that one tile and leaves the centre alone."""
    t = scenario(
        engine,
        {"ship": f"{terrain}-5-2"},
        {"ship": f"{TERRAINS[TERRAINS.index(terrain) - 3]}-5-2"},
        cysmograph={"singles": 7, "stack": 7},
        script={"fracture_token": [f"{terrain}-1"]},
    )
    t.turn("colony_ship").answer("MOVE_TO", f"{terrain}-5-1")
    gone = {a for _, _, a, _, _ in t.events("COLLAPSE")}
    assert gone == {space(f"{terrain}-5-2"), space(f"{terrain}-1-0")}
    assert t.tile("city") == "colony_city"


@pytest.mark.rule("P2.2", "P1.1")
@pytest.mark.parametrize("feature", ["lake", "mountain", "abyss"])
def test_no_unit_can_be_in_impassable_spaces(engine: str, feature: str) -> None:
    """Neither Troop, Vehicle nor Ship may end there, whatever brings it, and no position has one there."""
    where, home = "tundra-4-2", "tundra-4-1"  # 4 + 2 = 6: an Abyss once its tile is gone
    tiles = {where: "none" if feature == "abyss" else feature}
    expected = sides(space(home))
    assert soldier_moves(engine, home, tiles=tiles) & sides(space(home)) == expected - {space(where)}
    assert space(where) not in soldier_moves(engine, home, "harvester", tiles=tiles)
    assert stabilize(engine, home, "savannah-4-1", tiles=tiles).spaces() == expected - {space(where)}
    jump = scenario(engine, {"units": {home: "powermech"}}, tiles=tiles)
    jump.turn("powermechs").do(home, "action:jumpjet").expect("MOVE_TO")
    assert space(where) not in jump.spaces()
    deploy = scenario(engine, {"ship": home}, tiles=tiles).turn("recruit").do("unit:soldier", "done")
    deploy.expect("DEPLOY_SPACE")
    assert deploy.spaces() == expected - {space(where)}
    for bad in ({"units": {where: "soldier"}}, {"ship": where}):
        with pytest.raises(PositionError):
            scenario(engine, bad, tiles=tiles)


@pytest.mark.rule("P2.3", "P2.4", "U5.4", "RUL-P1")
@pytest.mark.parametrize("ground", ["none", "plain"])
def test_bare_ground_is_passable_and_yields_nothing(engine: str, ground: str) -> None:
    """Devastated ground and a tile without feature can be entered and crossed, and hold nothing to gather."""
    here = "tundra-4-1"  # 4 + 1 = 5: Devastated below
    around = dict.fromkeys((n for n in range(1, 127) if place(n)[0] == 3 and sum(place(n)[1:]) % 3), ground)
    around |= {n: "mountain" for n in range(127) if place(n)[0] != 3 or sum(place(n)[1:]) % 3 == 0}
    around |= {space("savannah-4-1"): "plain", space("forest-4-1"): "plain", 0: "none"}
    passable = {n for n in range(127) if place(n)[0] == 3 and place(n)[1] and sum(place(n)[1:]) % 3}
    ships: tuple[dict[str, Any], ...] = ({"ship": "savannah-4-1"}, {"ship": "forest-4-1"})
    ends = soldier_moves(engine, here, seats=ships, tiles=around)
    assert ends == ball(space(here), 3, lambda n: sides(n) & passable)
    assert len(ends) > 6
    t = scenario(
        engine,
        {"ship": "savannah-4-1", "units": {here: "miner, harvester"}},
        {"ship": "forest-4-1"},
        tiles=around,
    )
    t.turn("miners").answer("ACT_SPACE", "done").expect("BONUS", 0)  # no Mine or Explore Section is asked
    t = scenario(
        engine,
        {"ship": "savannah-4-1", "units": {here: "miner, harvester"}},
        {"ship": "forest-4-1"},
        tiles=around,
    )
    t.turn("harvesters").answer("ACT_SPACE", "done").expect("BONUS", 0)


# ------------------------------------------------------------------ P3
@pytest.mark.rule("P3.1")
@pytest.mark.parametrize(
    ("there", "kind", "fits"),
    [
        ("2 soldier", "soldier", True),
        ("3 soldier", "soldier", False),
        ("soldier, miner, speaker", "soldier", False),
        ("2 miner, harvester", "soldier", False),
        ("miner, harvester", "soldier", True),
        ("2 soldier", "powermech", True),
        ("harvester", "powermech", False),
        ("powermech", "harvester", False),
        ("3 speaker", "harvester", False),
    ],
)
def test_capacity_of_a_faction_in_a_space(engine: str, there: str, kind: str, fits: bool) -> None:
    """Three Units, one Vehicle among them at most."""
    home, full = "tundra-4-1", "tundra-4-2"
    ends = soldier_moves(engine, home, kind, seats=({"units": {home: kind, full: there}},))
    assert (space(full) in ends) is fits


@pytest.mark.rule("P3.1")
def test_no_position_exceeds_the_capacity(engine: str) -> None:
    """Four Units or two Vehicles of one Faction in a space are a defect."""
    for too_many in ("4 soldier", "powermech, harvester", "2 harvester"):
        with pytest.raises(PositionError):
            scenario(engine, {"units": {"tundra-4-1": too_many}})


@pytest.mark.rule("P3.2", "P3.1")
def test_two_factions_share_a_space_only_in_combat(engine: str) -> None:
    """Both sides of a Combat have a capacity of their own, six Units in all; a third Faction stays out."""
    here, beside = "tundra-4-1", "tundra-4-2"
    two = {"units": {here: "2 soldier, miner"}}
    t = scenario(
        engine,
        {"units": {here: "2 soldier", beside: "soldier"}},
        {"units": {here: "2 soldier, powermech"}},
        combats={here: 1},
    )
    t.turn("soldiers").answer("ACT_SPACE", beside).answer("MOVE_TO", here)
    assert t.units(0, here) == [3, 0, 0, 0, 0]
    assert t.units(1, here) == [2, 0, 0, 1, 0]
    assert t.attacker(here) == 1

    t = scenario(engine, {"units": {beside: "soldier"}}, two, {"units": {here: "soldier"}}, combats={here: 1})
    t.turn("soldiers").answer("ACT_SPACE", beside).expect("MOVE_TO")
    assert space(here) not in t.spaces()
    with pytest.raises(PositionError):  # shared without a Combat
        scenario(engine, two, {"units": {here: "soldier"}})
    with pytest.raises(PositionError):  # three Factions
        scenario(engine, two, {"units": {here: "soldier"}}, {"units": {here: "miner"}}, combats={here: 0})


@pytest.mark.rule("P3.3", "P3.1")
def test_a_full_space_can_be_crossed(engine: str) -> None:
    """In a corridor of mountains a Soldier walks through a full space of its own and stops behind it."""
    corridor = ["tundra-6-1", "tundra-5-1", "tundra-4-1", "tundra-3-1"]
    home, full, behind, last = map(space, corridor)
    assert full in sides(home)
    assert behind in sides(full)
    assert last in sides(behind)
    others = {n for n in range(127) if place(n)[0] == 3 and n not in (home, full, behind, last)}
    others |= arrows(home)  # the arrow spaces are shut as well
    tiles = dict.fromkeys(others, "mountain") | dict.fromkeys(arrows(home), "mountain")
    ends = soldier_moves(
        engine,
        "tundra-6-1",
        seats=({"units": {corridor[0]: "soldier", corridor[1]: "3 miner"}},),
        tiles=tiles,
    )
    assert ends == {home, behind, last}


# ------------------------------------------------------------------ P4
@pytest.mark.rule("P4.3", "P4.5", "M3.1")
@pytest.mark.parametrize("kind", ["soldier", "harvester"])
def test_tunls_are_adjacent_for_troops_and_vehicles(engine: str, kind: str) -> None:
    """One step leads from a TUNL to any other, in any wedge, and the next step goes on from there."""
    here, there, third = "tundra-4-1", "rocky-3-1", "wetlands-3-1"
    tiles = dict.fromkeys((here, there, third), "tunl")
    ends = soldier_moves(engine, here, kind, tiles=tiles)
    assert {space(there), space(third)} <= ends
    assert sides(space(there)) <= ends
    # without the tile under its feet there is no tunnel, and the wedge's far side is out of reach
    assert not {space(there), space(third)} & soldier_moves(
        engine, here, "harvester", tiles={there: "tunl", third: "tunl"}
    )


@pytest.mark.rule("P4.3", "P4.4")
def test_tunls_are_not_for_ships(engine: str) -> None:
    """A Ship beside a TUNL reaches only that space by it; once a Ship entered, the tunnel is closed."""
    here, there = "tundra-4-1", "rocky-3-1"
    tiles = dict.fromkeys((here, there), "tunl")
    home = "tundra-5-1"
    t = stabilize(engine, home, tiles=tiles)
    assert t.spaces() == sides(space(home))
    t.do(here)
    assert t.tile(here) == "plain"
    t.skip("ACT_SPACE").do(here)  # the Ship's second Move: it stands on what was a TUNL
    t.expect("MOVE_TO", 0)
    assert t.spaces() == (sides(space(here)) | {space(here)}) - {
        space(home)
    }  # 5 + 1 = 6: home is an Abyss now


@pytest.mark.rule("P4.4")
@pytest.mark.parametrize("ground", ["plain", "none"])
def test_a_space_without_its_tunl_tile_is_no_tunl(engine: str, ground: str) -> None:
    """After a Ship or a Collapse the other TUNLs are no longer one step away."""
    here, there, third = "tundra-4-1", "rocky-3-1", "wetlands-3-1"
    opened = soldier_moves(engine, here, "miner", tiles={here: "tunl", there: "tunl", third: "tunl"})
    closed = soldier_moves(engine, here, "miner", tiles={here: ground, there: "tunl", third: "tunl"})
    assert opened & {space(there), space(third)} == {space(there), space(third)}
    assert not closed & {space(there), space(third)}


@pytest.mark.rule("P4.2", "P4.6", "RUL-P5")
def test_arrows_outlast_tiles_and_ships(engine: str) -> None:
    """Arrow adjacency holds on Collapsed edge spaces, and a Ship on one keeps it for what comes later."""
    ring = [f"{terrain}-6-1" for terrain in TERRAINS]  # 6 + 1 = 7: Devastated below
    t = stabilize(engine, ring[0], tiles=dict.fromkeys(ring, "none"))
    assert t.spaces() == sides(space(ring[0])) | {space(s) for s in ring[1:]}
    # a Ship stands on one of them: it is closed, the others are not
    t = stabilize(engine, ring[0], ring[3], tiles=dict.fromkeys(ring, "none"))
    assert t.spaces() == sides(space(ring[0])) | {space(s) for s in ring[1:] if s != ring[3]}
    # after the Ship has left by the arrow, its space is still one step away by it
    t.do(ring[1]).skip("ACT_SPACE").do(ring[1]).expect("MOVE_TO")
    assert space(ring[0]) in t.spaces()


@pytest.mark.rule("P4.5", "P4.6", "RUL-M8")
def test_deploying_uses_arrows(engine: str) -> None:
    """Deploy Locations around a Ship on the edge include the other spaces with its arrow."""
    t = scenario(engine, {"ship": "savannah-6-2"}).turn("recruit").do("unit:soldier", "done")
    t.expect("DEPLOY_SPACE", 0)
    assert t.spaces() == sides(space("savannah-6-2")) | arrows(space("savannah-6-2"))


@pytest.mark.rule("P4.5", "RUL-M8")
def test_a_ship_on_a_former_tunl_deploys_by_sides_only(engine: str) -> None:
    """TUNL adjacency needs TUNL spaces at both ends: a Ship's space is none."""
    t = scenario(engine, {"ship": "savannah-4-1"}, tiles={"tundra-4-1": "tunl"}).turn("recruit")
    t.do("unit:soldier", "done").expect("DEPLOY_SPACE", 0)
    assert t.spaces() == sides(space("savannah-4-1"))


@pytest.mark.rule("P4.5", "RUL-M8")
def test_fleeing_uses_arrows_and_tunls(engine: str) -> None:
    """A side may flee along an arrow, and from TUNL to TUNL."""
    for here, beyond, tiles in (
        ("tundra-6-2", {space(f"{terrain}-6-2") for terrain in TERRAINS if terrain != "tundra"}, {}),
        ("tundra-4-1", {space("rocky-3-1")}, {"tundra-4-1": "tunl", "rocky-3-1": "tunl"}),
    ):
        t = scenario(
            engine,
            {"units": {here: "soldier"}},
            {"units": {here: "soldier"}},
            combats={here: 1},
            tiles=tiles,
        )
        t.turn("battle").answer("STRIKE_OR_FLEE", "flee").expect("FLEE_TO", 0)
        assert t.spaces() == sides(space(here)) | beyond


@pytest.mark.rule("P4.5", "RUL-M8")
def test_escaping_uses_arrows_and_tunls(engine: str) -> None:
    """A Miner may escape along an arrow, or through a TUNL, never into the ring that is going down."""
    for here, token, beyond, tiles in (
        ("tundra-6-2", "tundra-6", {space(f"{t}-6-2") for t in TERRAINS if t != "tundra"}, {}),
        ("tundra-4-1", "tundra-4", {space("rocky-3-1")}, {"tundra-4-1": "tunl", "rocky-3-1": "tunl"}),
    ):
        t = scenario(
            engine,
            {"ship": "savannah-4-1", "units": {here: "miner"}},
            {"ship": "forest-4-1"},
            tiles=tiles,
            cysmograph={"singles": 7, "stack": 7},
            script={"fracture_token": [token]},
        )
        t.turn("colony_ship").do("savannah-4-2").answer("ESCAPE", here).expect("ESCAPE_TO", 0)
        collapsing = {n for n in range(127) if place(n)[:2] == (3, place(space(here))[1])}
        assert t.spaces() == (sides(space(here)) | beyond) - collapsing


@pytest.mark.rule("P4.5", "RUL-M8")
def test_cyber_attacks_use_arrows(engine: str) -> None:
    """A Troop one arrow away from an enemy Ship is beside it."""
    t = scenario(
        engine, {"units": {"tundra-6-2": "soldier", "tundra-4-1": "soldier"}}, {"ship": "forest-6-2"}
    )
    t.turn("negotiate").skip("CYBER_SPACE")
    assert t.spaces() == {space("tundra-6-2")}
