"""Chapter R: Recruit, Deploy, Field Promote, Upgrade."""

from __future__ import annotations

from typing import Any

import pytest
from geometry import ARROWS, SIDES
from scenario import TERRAINS, Table, scenario, space

from cysmic_fast.vocabulary import UnitType

SHIP, BY_SHIP = "savannah-4-2", "savannah-4-1"
HERE, BESIDE = "tundra-4-1", "tundra-4-2"
AROUND = SIDES[space(SHIP)]
#: Settlements and Colony City: 4 + 5 + 3 n Influence.
SETTLEMENTS = [f"{terrain}-1-0" for terrain in TERRAINS]


def recruit(
    engine: str, seat: dict[str, Any] | None = None, *others: dict[str, Any], **position: Any
) -> Table:
    """Seat 0 Plays Recruit; its Ship is on savannah-4-2, its Influence 4."""
    return scenario(engine, seat or {}, *others, **position).turn("recruit")


def take(t: Table, *kinds: str) -> Table:
    """Chooses Troops and nothing more."""
    for kind in kinds:
        t.answer("RECRUIT_TYPE", f"unit:{kind}", seat=0)
    return t.do("done") if t.kind == "RECRUIT_TYPE" else t


def influence_21(number: int) -> dict[str, Any]:
    """Position with Influence 9 + 3 x ``number`` for seat 0: Colony City and Settlements."""
    tiles = dict.fromkeys(SETTLEMENTS[:number], "settlement")
    return {"tiles": tiles, "control": {**dict.fromkeys(tiles, 0), "city": 0}}


def only_around(free: tuple[str, ...]) -> dict[str | int, str]:
    """Tiles that leave only some of the spaces beside the Ship open."""
    return {s: "lake" for s in AROUND if s not in {space(name) for name in free}}


# ------------------------------------------------------------------ R1
@pytest.mark.rule("R1.1")
def test_recruiting_within_the_influence(engine: str) -> None:
    """Any Troops of total Cost 4; the Influence is still there afterwards."""
    t = recruit(engine).expect("RECRUIT_TYPE", 0)
    assert t.options() == ["done", "unit:soldier", "unit:miner", "unit:speaker"]
    t.do("unit:soldier").expect("RECRUIT_TYPE", 0)
    assert t.options() == ["done", "unit:soldier", "unit:miner", "unit:speaker"]  # 3 are left
    t.do("unit:soldier").expect("RECRUIT_TYPE", 0)
    assert t.options() == ["done", "unit:soldier", "unit:speaker"]  # 2 are left
    t.do("unit:speaker").expect("DEPLOY_TYPE", 0)
    assert t.options() == ["unit:soldier", "unit:speaker"]
    assert t.state.influence(0) == 4
    t = recruit(engine).do("unit:soldier", "unit:miner").expect("DEPLOY_TYPE", 0)
    assert t.state.influence(0) == 4


@pytest.mark.rule("R1.1", "I1.1")
def test_influence_from_habitats_counts(engine: str) -> None:
    """With a Settlement more, 7 Influence buy two Miners and a Soldier, not three Miners."""
    t = recruit(engine, tiles={BESIDE: "settlement"}, control={BESIDE: 0}).do("unit:soldier", "unit:miner")
    assert t.options() == ["done", "unit:miner", "unit:speaker"]
    t.do("unit:miner").expect("DEPLOY_TYPE", 0)


@pytest.mark.rule("R1.2", "I1.4")
def test_any_number_from_influence_21(engine: str) -> None:
    """At 21 the whole Reserve can be Recruited; at 18 its Cost of 38 is too much."""
    t = recruit(engine, **influence_21(4))
    assert t.state.influence(0) == 21
    for kind, number in (("soldier", 10), ("miner", 6), ("speaker", 5)):
        for _ in range(number):
            t.expect("RECRUIT_TYPE", 0).do(f"unit:{kind}")
    t.expect("DEPLOY_TYPE", 0)
    t = recruit(engine, **influence_21(3))
    assert t.state.influence(0) == 18
    t.do(*["unit:miner"] * 6)
    assert t.kind == "DEPLOY_SPACE"  # 18 spent on six Miners: nothing else fits


@pytest.mark.rule("R1.3")
def test_an_empty_reserve_and_vehicles(engine: str) -> None:
    """Without a Troop in Reserve Recruit is passed over; Vehicles and the Ship are never offered."""
    spots = [
        f"{terrain}-{r}-{k}" for terrain in ("tundra", "rocky") for r, k in ((2, 0), (2, 1), (3, 0), (3, 1))
    ]
    stock = [
        "3 soldier",
        "3 soldier",
        "3 soldier",
        "soldier, 2 miner",
        "3 miner",
        "miner, 2 speaker",
        "3 speaker",
    ]
    everyone = dict(zip(spots, stock, strict=False))
    t = recruit(engine, {"units": everyone, "lorium": 5})
    t.expect("BONUS", 0)
    t = recruit(engine, {"units": everyone, "lorium": 5}, **influence_21(4))
    t.expect("BONUS", 0)
    t = recruit(engine, {"lorium": 5}, **influence_21(6))
    assert t.options() == ["done", "unit:soldier", "unit:miner", "unit:speaker"]


@pytest.mark.rule("R1.4", "RUL-R1", "R2.3")
def test_troops_without_a_place_return(engine: str) -> None:
    """All are chosen before the first is Deployed; with room for one of three, two go back."""
    tiles = only_around((BY_SHIP,))
    t = recruit(engine, {"units": {BY_SHIP: "2 miner"}}, tiles=tiles).do("unit:soldier", "unit:soldier")
    assert sum(t.units(0, BY_SHIP)) == 2  # nothing is Deployed before the choice is complete
    t.do("unit:speaker").answer("DEPLOY_TYPE", "unit:speaker", seat=0)
    assert t.units(0, BY_SHIP) == [0, 2, 1, 0, 0]
    t.skip("BONUS")
    assert t.player(0)["units"] == [[space(BY_SHIP), [0, 2, 1, 0, 0]]]
    assert [e[1:] for e in t.events("ENTER")] == [(0, UnitType.SPEAKER, space(BY_SHIP), 0)]  # Deployed


@pytest.mark.rule("R1.5", "RUL-R1")
def test_each_troop_goes_where_one_likes_until_none_fits(engine: str) -> None:
    """Type and space are chosen each time; while one of them has a place there is no stopping."""
    a, b = BY_SHIP, "savannah-5-2"
    tiles = only_around((a, b))
    t = recruit(engine, {"units": {a: "2 soldier", b: "soldier"}}, tiles=tiles)
    take(t, "soldier", "soldier", "speaker").expect("DEPLOY_TYPE", 0)
    assert t.options() == ["unit:soldier", "unit:speaker"]
    t.do("unit:speaker").expect("DEPLOY_SPACE", 0)
    assert t.spaces() == {space(a), space(b)}
    t.do(b).expect("DEPLOY_SPACE", 0)  # two Soldiers are left: one type, so only the space is asked
    assert t.spaces() == {space(a), space(b)}
    t.do(b)  # b is full, one place is left in a for the last Soldier: nothing is asked
    assert t.units(0, a) == [3, 0, 0, 0, 0]
    assert t.units(0, b) == [2, 0, 1, 0, 0]


@pytest.mark.rule("R1.5", "RUL-R1", "R2.4")
def test_a_troop_must_even_be_deployed_onto_enemies(engine: str) -> None:
    """The one place left holds an enemy: a Soldier goes there, a Miner alone back to the Reserve."""
    tiles = only_around((BY_SHIP,))
    t = recruit(engine, {}, {"units": {BY_SHIP: "miner"}}, tiles=tiles).do("unit:soldier", "unit:miner")
    # the Soldier is forced, and then there is a Combat that the Miner can join
    assert t.units(0, BY_SHIP) == [1, 1, 0, 0, 0]
    assert t.attacker(BY_SHIP) == 0
    t = recruit(engine, {}, {"units": {BY_SHIP: "miner"}}, tiles=tiles)
    assert t.options() == ["done", "unit:soldier", "unit:miner", "unit:speaker"]
    take(t, "miner")
    assert t.units(0, BY_SHIP) == [0] * 5  # without Engage it has no place
    t.expect("BONUS", 0)


# ------------------------------------------------------------------ R2
@pytest.mark.rule("R2.1", "P4.5", "I3.4")
def test_deploy_locations(engine: str) -> None:
    """Spaces with an own Habitat, anywhere, and those beside the own Ship, by side or arrow."""
    camp, foreign, neutral = "tundra-6-3", "tundra-6-1", "tundra-4-1"
    t = recruit(
        engine,
        {"ship": "savannah-6-2"},
        tiles={camp: "camp", foreign: "camp", neutral: "camp"},
        control={camp: 0, foreign: 1},
    )
    take(t, "soldier", "speaker").answer("DEPLOY_TYPE", "unit:speaker", seat=0)
    ship = space("savannah-6-2")
    assert t.spaces() == SIDES[ship] | ARROWS[ship] | {space(camp)}
    t.do(camp).expect("DEPLOY_SPACE", 0)  # split among two Locations
    assert t.spaces() == SIDES[ship] | ARROWS[ship] | {space(camp)}
    t.do("savannah-6-1")
    assert (t.units(0, camp), t.units(0, "savannah-6-1")) == ([0, 0, 1, 0, 0], [1, 0, 0, 0, 0])


@pytest.mark.rule("R2.1", "RUL-R6")
def test_locations_are_checked_for_each_troop(engine: str) -> None:
    """The Soldier opens a Combat, which the next Troop may then join."""
    t = recruit(engine, {}, {"units": {BY_SHIP: "soldier"}}).do("unit:soldier", "unit:miner")
    t.answer("DEPLOY_TYPE", "unit:miner", seat=0).expect("DEPLOY_SPACE", 0)
    assert t.spaces() == AROUND - {space(BY_SHIP)}
    t = recruit(engine, {}, {"units": {BY_SHIP: "soldier"}}).do("unit:soldier", "unit:miner")
    t.answer("DEPLOY_TYPE", "unit:soldier").answer("DEPLOY_SPACE", BY_SHIP).expect("DEPLOY_SPACE", 0)
    assert t.spaces() == AROUND


@pytest.mark.rule("R2.2", "P2.2")
def test_where_nothing_is_deployed(engine: str) -> None:
    """Lake, Mountain, Abyss and a space with any Ship are left out."""
    lake, mountain, ship = "savannah-4-1", "savannah-5-2", "savannah-4-3"
    t = recruit(engine, {}, {"ship": ship}, tiles={lake: "lake", mountain: "mountain"}).do(
        "unit:soldier", "done"
    )
    assert t.spaces() == AROUND - {space(lake), space(mountain), space(ship)}
    # beside savannah-4-2 lies no Abyss (no two of them touch), so this Ship stands elsewhere
    home = "savannah-4-1"
    bottoms = dict.fromkeys(SIDES[space(home)], "none")
    t = recruit(engine, {"ship": home}, tiles=bottoms).do("unit:soldier", "done")
    gone = {space("savannah-4-2"), space("savannah-3-0"), space("savannah-5-1")}  # ring + offset: 6, 3, 6
    assert gone < SIDES[space(home)]
    assert t.spaces() == SIDES[space(home)] - gone


@pytest.mark.rule("R2.3", "P3.1")
def test_deploying_within_the_capacity(engine: str) -> None:
    """A full space is no longer offered."""
    t = recruit(engine, {"units": {BY_SHIP: "3 miner", "savannah-5-2": "miner, harvester"}}).do(
        "unit:soldier", "done"
    )
    assert t.expect("DEPLOY_SPACE", 0).spaces() == AROUND - {space(BY_SHIP)}


@pytest.mark.rule("R2.4", "R2.5", "K1.1", "RUL-R5")
@pytest.mark.parametrize(("kind", "engages"), [("soldier", True), ("miner", False), ("speaker", False)])
def test_deploying_onto_enemies(engine: str, kind: str, engages: bool) -> None:
    """With Engage a Combat begins with the Deploying player as Attacker; without it the space is closed."""
    t = recruit(engine, {}, {"units": {BY_SHIP: "soldier, powermech"}})
    take(t, kind)
    assert (space(BY_SHIP) in t.expect("DEPLOY_SPACE", 0).spaces()) is engages
    if engages:
        t.do(BY_SHIP)
        assert t.attacker(BY_SHIP) == 0
        assert [e[1:4] for e in t.events("COMBAT_BEGIN")] == [(0, space(BY_SHIP), 1)]
        t.expect("BONUS", 0)  # Locked, so not Motivated


@pytest.mark.rule("R2.6", "U4.2", "RUL-R5", "RUL-M9")
@pytest.mark.parametrize("kind", ["soldier", "miner", "speaker"])
def test_deploying_into_the_own_combat(engine: str, kind: str) -> None:
    """Any Troop may join and is Locked; who is Attacker does not change."""
    t = recruit(engine, {"units": {BY_SHIP: "miner"}}, {"units": {BY_SHIP: "soldier"}}, combats={BY_SHIP: 1})
    take(t, kind).answer("DEPLOY_SPACE", BY_SHIP, seat=0)
    assert sum(t.units(0, BY_SHIP)) == 2
    assert t.attacker(BY_SHIP) == 1
    t.expect("BONUS", 0)  # Locked, so not Motivated


@pytest.mark.rule("R2.7", "M2.9")
def test_no_deploying_into_a_combat_of_others(engine: str) -> None:
    """Two other Factions fight beside the Ship: not even a Soldier goes there."""
    t = recruit(
        engine,
        {},
        {"units": {BY_SHIP: "soldier"}},
        {"units": {BY_SHIP: "miner"}},
        combats={BY_SHIP: 1},
    )
    t.do("unit:soldier", "done")
    assert t.expect("DEPLOY_SPACE", 0).spaces() == AROUND - {space(BY_SHIP)}


@pytest.mark.rule("R2.8")
def test_a_ship_is_never_deployed(engine: str) -> None:
    """Green 001 and Yellow 002 offer Troops only, though Vehicles are in Reserve, too."""
    for column, bonus in ((1, "deploy_one"), (2, "deploy_two")):
        t = scenario(engine, {"lorium": 5}, round=column).turn("battle")
        t.answer("BONUS", f"bonus:{bonus}", seat=0)
        assert {o for o in t.options() if o != "done"} == {"unit:soldier", "unit:miner", "unit:speaker"}


# ------------------------------------------------------------------ R3
def promote(engine: str, seat: dict[str, Any], *others: dict[str, Any], **position: Any) -> Table:
    """Seat 0 Plays Speakers and declines to Move and to Persuade."""
    return scenario(engine, seat, *others, **position).turn("speakers").answer("ACT_SPACE", "done", seat=0)


@pytest.mark.rule("R3.1", "R3.2", "R3.3", "RUL-R3", "A1.2")
def test_field_promote(engine: str) -> None:
    """One Troop anywhere, the Speaker itself included, for one of another type from the Reserve."""
    seat = {"units": {HERE: "speaker", BESIDE: "miner", "rocky-6-2": "soldier, powermech"}}
    t = promote(engine, seat).answer("ACT_SPACE", HERE).expect("PROMOTE_SPACE", 0)
    assert t.spaces() == {space(HERE), space(BESIDE), space("rocky-6-2")}
    t.do("rocky-6-2").expect("PROMOTE_TO", 0)  # the Vehicle cannot be swapped
    assert t.options() == ["unit:miner", "unit:speaker"]
    t.do("unit:miner")
    assert t.units(0, "rocky-6-2") == [0, 1, 0, 1, 0]
    t.expect("BONUS", 0)  # one Speaker, one swap
    assert t.state.influence(0) == 4
    swaps = [(e[0], e[1], UnitType(e[2]).name, e[3], e[4]) for e in t.events("LEAVE") + t.events("ENTER")]
    assert [swap[1:] for swap in swaps] == [
        (0, "SOLDIER", space("rocky-6-2"), 3), (0, "MINER", space("rocky-6-2"), 1),
    ]  # fmt: skip

    t = (
        promote(engine, seat)
        .answer("ACT_SPACE", HERE)
        .answer("PROMOTE_SPACE", HERE)
        .answer("PROMOTE_TO", "unit:soldier")
    )
    assert t.units(0, HERE) == [1, 0, 0, 0, 0]
    t.expect("BONUS", 0)


@pytest.mark.rule("R3.2")
def test_two_speakers_swap_two_troops(engine: str) -> None:
    """One each, at no Cost: two Soldiers become two Miners at 4 Influence."""
    t = promote(engine, {"units": {HERE: "2 speaker", BESIDE: "2 soldier"}})
    t.answer("ACT_SPACE", HERE).answer("PROMOTE_SPACE", BESIDE).answer("PROMOTE_TO", "unit:miner")
    t.answer("ACT_SPACE", HERE).answer("PROMOTE_SPACE", BESIDE).expect("PROMOTE_FROM", 0)
    assert t.options() == ["unit:soldier", "unit:miner"]
    t.do("unit:soldier").answer("PROMOTE_TO", "unit:miner").expect("BONUS", 0)
    assert t.units(0, BESIDE) == [0, 2, 0, 0, 0]


@pytest.mark.rule("R3.1", "S1.3")
def test_the_other_type_must_be_in_reserve(engine: str) -> None:
    """All Miners out, all Soldiers captured: a Miner can become a Speaker, a Speaker nothing."""
    units = {HERE: "speaker", BESIDE: "3 miner", "tundra-6-1": "3 miner"}
    t = promote(engine, {"units": units}, {"captured": {0: "10 soldier"}})
    t.answer("ACT_SPACE", HERE).expect("PROMOTE_SPACE", 0)
    assert t.spaces() == {space(BESIDE), space("tundra-6-1")}
    t.do(BESIDE)  # Miner to Speaker is the only swap
    assert t.units(0, BESIDE) == [0, 2, 1, 0, 0]


@pytest.mark.rule("R3.4", "RUL-R10", "RUL-T4")
def test_a_new_speaker_waits_for_a_later_effect(engine: str) -> None:
    """It takes no part in the card that made it; Blue 003 may use it in the same turn."""
    seat = {"units": {HERE: "speaker", BESIDE: "miner"}, "discovery": ["D32"]}
    t = promote(engine, seat, tiles={BESIDE: "camp"}).answer("ACT_SPACE", HERE)
    t.answer("PROMOTE_SPACE", BESIDE).answer("PROMOTE_TO", "unit:speaker")
    t.answer("BONUS", "bonus:play_card", seat=0)  # its Reward: a Blue Bonus Action of any Column
    # of those only Blue 003 is possible, with the Speakers card as the only face-up Unit card
    t.answer("COMMAND_ACTION", "action:persuade", seat=0).expect("ACT_SPACE", 0)
    assert t.options() == ["done", f"space:{space(BESIDE)}"]
    t.do(BESIDE)
    assert t.controller(BESIDE) == 0


@pytest.mark.rule("R3.5", "RUL-R4", "RUL-R8", "M6.5")
def test_swapping_is_not_entering(engine: str) -> None:
    """No Relic Token is collected under the swapped Troop, and a promoted Soldier in a Combat starts none."""
    t = promote(
        engine,
        {"units": {HERE: "speaker", "tundra-5-2": "miner"}},
        tiles={"tundra-5-2": "none"},
        relic_tokens=["tundra-5-2"],
    )
    t.answer("ACT_SPACE", HERE).answer("PROMOTE_SPACE", "tundra-5-2").answer("PROMOTE_TO", "unit:soldier")
    t.expect("BONUS", 0)
    assert t.snapshot()["relic_tokens"] == [space("tundra-5-2")]
    t = scenario(engine, {"units": {HERE: "miner"}}, {"units": {HERE: "soldier"}}, combats={HERE: 1}, round=3)
    t.turn("soldiers").do("bonus:promote").answer("PROMOTE_TO", "unit:soldier", seat=0)
    assert t.units(0, HERE) == [1, 0, 0, 0, 0]
    assert t.attacker(HERE) == 1
    assert t.events("COMBAT_BEGIN") == t.events("COMBAT_END") == []


# ------------------------------------------------------------------ R4
def upgrade(
    engine: str, units: dict[str, str], lorium: int, *others: dict[str, Any], **position: Any
) -> Table:
    """Seat 0 Plays Upgrade; savannah-4-1 is beside its Ship, tundra far away."""
    return scenario(engine, {"units": units, "lorium": lorium}, *others, **position).turn("upgrade")


@pytest.mark.rule("R4.1", "R4.2", "R4.3", "A6.3")
@pytest.mark.parametrize(
    ("troop", "after", "price"), [("soldier", [0, 0, 0, 1, 0], 3), ("miner", [0, 0, 0, 0, 1], 1)]
)
@pytest.mark.parametrize("dropship", [False, True])
def test_upgrade(engine: str, troop: str, after: list[int], price: int, dropship: bool) -> None:
    """Soldier to Powermech, Miner to Harvester; 1 Lorium and a Tremor more away from Deploy Locations."""
    where = HERE if dropship else BY_SHIP
    t = upgrade(engine, {where: troop}, 5).answer("UPGRADE_SPACE", where, seat=0)
    assert t.units(0, where) == after
    assert t.player(0)["lorium"] == 5 - price - dropship
    assert len(t.events("TREMOR")) == dropship
    t.skip("BONUS")
    # with exactly one Lorium too little it is not possible
    upgrade(engine, {where: troop}, price + dropship - 1).expect("BONUS", 0)
    upgrade(engine, {where: troop}, price + dropship).expect("UPGRADE_SPACE", 0)


@pytest.mark.rule("R4.1")
def test_what_cannot_be_upgraded(engine: str) -> None:
    """Speakers, and Troops whose Vehicle is not in Reserve."""
    upgrade(engine, {BY_SHIP: "speaker"}, 5).expect("BONUS", 0)
    t = upgrade(engine, {BY_SHIP: "soldier, miner", HERE: "powermech", BESIDE: "powermech"}, 5)
    t.answer("UPGRADE_SPACE", BY_SHIP, seat=0)
    assert t.units(0, BY_SHIP) == [1, 0, 0, 0, 1]  # only the Harvester was left


@pytest.mark.rule("R4.1", "A6.5")
def test_several_upgrades_of_one_card(engine: str) -> None:
    """One after the other, each paid before the next; the replaced Troops are in Reserve."""
    t = upgrade(engine, {BY_SHIP: "soldier, miner", "savannah-5-2": "miner", HERE: "miner"}, 7)
    t.expect("UPGRADE_SPACE", 0)
    assert t.spaces() == {space(BY_SHIP), space("savannah-5-2")}
    t.do(BY_SHIP).expect("UPGRADE_TYPE", 0)
    assert t.options() == ["unit:soldier", "unit:miner"]
    t.do("unit:soldier").answer("UPGRADE_SPACE", "savannah-5-2", seat=0)
    assert t.player(0)["lorium"] == 3
    t.answer("UPGRADE_SPACE", HERE)  # now the Dropship Upgrades
    assert t.player(0)["lorium"] == 1
    assert len(t.events("TREMOR")) == 1
    assert t.player(0)["units"] == [
        [space(s), c]
        for s, c in sorted(
            {BY_SHIP: [0, 1, 0, 1, 0], "savannah-5-2": [0, 0, 0, 0, 1], HERE: [0, 0, 0, 0, 1]}.items(),
            key=lambda item: space(item[0]),
        )
    ]


@pytest.mark.rule("R4.3", "RUL-R2")
def test_the_place_decides_the_form(engine: str) -> None:
    """No Dropship Upgrade in a Deploy Location, whether declined before or not; a Habitat counts as one."""
    t = upgrade(
        engine, {BY_SHIP: "soldier", BESIDE: "soldier"}, 5, tiles={BESIDE: "camp"}, control={BESIDE: 0}
    )
    t.expect("UPGRADE_SPACE", 0)
    assert t.spaces() == {space(BY_SHIP), space(BESIDE)}
    t.do("done").expect("BONUS", 0)
    assert t.events("TREMOR") == []
    # an enemy's or neutral Habitat is none
    t = upgrade(engine, {BESIDE: "soldier"}, 5, tiles={BESIDE: "camp"}, control={BESIDE: 1})
    t.answer("UPGRADE_SPACE", BESIDE, seat=0)
    assert t.player(0)["lorium"] == 1
    assert len(t.events("TREMOR")) == 1


@pytest.mark.rule("R4.3", "T4.7")
def test_one_tremor_for_each_dropship_upgrade(engine: str) -> None:
    """Two of them cause two."""
    t = upgrade(engine, {HERE: "miner", BESIDE: "miner"}, 4).answer("UPGRADE_SPACE", HERE, seat=0)
    assert len(t.events("TREMOR")) == 1
    t.answer("UPGRADE_SPACE", BESIDE, seat=0)
    assert len(t.events("TREMOR")) == 2
    assert t.player(0)["lorium"] == 0


@pytest.mark.rule("R4.4", "P3.1")
def test_no_second_vehicle_in_a_space(engine: str) -> None:
    """A Troop beside an own Vehicle cannot be Upgraded."""
    upgrade(engine, {BY_SHIP: "soldier, harvester"}, 5).expect("BONUS", 0)
    upgrade(engine, {HERE: "miner, powermech"}, 5).expect("BONUS", 0)
    t = upgrade(engine, {BY_SHIP: "2 miner"}, 5).answer("UPGRADE_SPACE", BY_SHIP, seat=0)
    assert t.units(0, BY_SHIP) == [0, 1, 0, 0, 1]
    t.expect("ACT_SPACE", 0)  # no further Upgrade there: Startup


@pytest.mark.rule("R4.5", "RUL-R7", "N5.3", "R4.7", "RUL-R4")
@pytest.mark.parametrize("attacker", [0, 1])
def test_an_upgraded_locked_troop_stays_in_its_combat(engine: str, attacker: int) -> None:
    """Yellow 005: the Vehicle is Locked on the same side, and no Combat begins or ends."""
    t = scenario(
        engine,
        {"units": {HERE: "soldier"}, "lorium": 4},
        {"units": {HERE: "miner"}},
        combats={HERE: attacker},
        round=5,
    )
    t.turn("soldiers").do("bonus:upgrade_one")
    assert t.units(0, HERE) == [0, 0, 0, 1, 0]
    assert t.attacker(HERE) == attacker
    assert t.events("COMBAT_BEGIN") == t.events("COMBAT_END") == []
    assert t.player(0)["lorium"] == 0  # a Dropship Upgrade, away from every Deploy Location
    t.expect("BURN", 1).turn("recruit").skip("BONUS").do("done")
    t.turn("powermechs").expect("BONUS", 0)  # Locked: its card has no effect
    assert t.attacker(HERE) == attacker


@pytest.mark.rule("R4.6", "RUL-R11")
@pytest.mark.parametrize("there", ["full", "combat"])
def test_full_and_combat_spaces_are_deploy_locations_for_the_price(engine: str, there: str) -> None:
    """Nothing could be Deployed to a full space, and yet the Upgrade there is a Standard one."""
    if there == "full":
        t = upgrade(engine, {BY_SHIP: "soldier, 2 speaker"}, 3).answer("UPGRADE_SPACE", BY_SHIP, seat=0)
        assert t.units(0, BY_SHIP) == [0, 0, 2, 1, 0]
    else:
        t = scenario(
            engine,
            {"units": {BY_SHIP: "soldier"}, "lorium": 3},
            {"units": {BY_SHIP: "miner"}},
            combats={BY_SHIP: 1},
            round=5,
        )
        t.turn("soldiers").do("bonus:upgrade_one")
        assert t.units(0, BY_SHIP) == [0, 0, 0, 1, 0]
    assert t.player(0)["lorium"] == 0
    assert t.events("TREMOR") == []


@pytest.mark.rule("R4.7", "RUL-R4")
def test_an_upgrade_collects_no_relic_token(engine: str) -> None:
    """The Troop stands on a token; its Vehicle does not enter."""
    t = upgrade(engine, {"tundra-5-2": "miner"}, 2, tiles={"tundra-5-2": "none"}, relic_tokens=["tundra-5-2"])
    t.answer("UPGRADE_SPACE", "tundra-5-2", seat=0).expect("ACT_SPACE", 0)
    assert t.snapshot()["relic_tokens"] == [space("tundra-5-2")]
    assert t.events("DRAW") == []
