"""Chapter I: Influence, Lorium storage, Habitats and Control Flags."""

from __future__ import annotations

from typing import Any

import pytest
from scenario import TERRAINS, Table, make_game, scenario, space

from cysmic_fast.errors import PositionError

HERE, BESIDE = "tundra-4-1", "tundra-4-2"
QUAKE = {"singles": 7, "stack": 7}  # every Tremor is a Fracture
WORTH = {"camp": 1, "outpost": 2, "settlement": 3}


def holding(influence: int, seat: int = 0) -> dict[str, Any]:
    """Tiles and control that give a seat this Influence (4 by itself, at most seven Habitats)."""
    left = influence - 4
    control: dict[str | int, int] = {}
    tiles: dict[str | int, str] = {}
    if left >= 5:
        control["city"], left = seat, left - 5
    for terrain in TERRAINS:
        for value, feature in ((3, "settlement"), (2, "outpost"), (1, "camp")):
            if left >= value:
                tiles[f"{terrain}-2-0"] = feature
                control[f"{terrain}-2-0"], left = seat, left - value
                break
    assert left == 0
    return {"tiles": tiles, "control": control}


def seven(engine: str, seat: dict[str, Any], *others: dict[str, Any], **position: Any) -> Table:
    """Seat 0 controls seven Camps, ring 2 offset 0 of each terrain and savannah-2-1."""
    camps = [*(f"{terrain}-2-0" for terrain in TERRAINS), "savannah-2-1"]
    tiles = {**dict.fromkeys(camps, "camp"), **position.pop("tiles", {})}
    control = {**dict.fromkeys(camps, 0), **position.pop("control", {})}
    return scenario(engine, seat, *others, tiles=tiles, control=control, **position)


def persuade(engine: str, **position: Any) -> Table:
    """Seat 0's Speaker in HERE is about to Persuade."""
    t = scenario(engine, {"units": {HERE: "speaker"}}, **position)
    return t.turn("speakers").answer("ACT_SPACE", "done", seat=0)


# ------------------------------------------------------------------ I1
@pytest.mark.rule("I1.1", "I1.2")
@pytest.mark.parametrize("habitat", [*WORTH, "colony_city"])
def test_influence_is_the_start_and_the_habitats(engine: str, habitat: str) -> None:
    """It rises with control, falls with its loss, and never below the Starting Influence."""
    where = 0 if habitat == "colony_city" else space(HERE)
    value = {**WORTH, "colony_city": 5}[habitat]
    t = scenario(engine, {"units": {where: "speaker"}}, {"units": {}}, tiles={where: habitat})
    assert [t.state.influence(seat) for seat in (0, 1)] == [4, 4]
    t.turn("speakers").answer("ACT_SPACE", "done").answer("ACT_SPACE", where)
    assert t.controller(where) == 0
    assert [t.state.influence(seat) for seat in (0, 1)] == [4 + value, 4]
    # the other player's Speaker takes it
    t = scenario(
        engine,
        {},
        {"units": {where: "speaker"}},
        tiles={where: habitat},
        control={where: 0},
        current_player=1,
    )
    assert t.state.influence(0) == 4 + value
    t.turn("speakers").answer("ACT_SPACE", "done").answer("ACT_SPACE", where, seat=1)
    assert [t.state.influence(seat) for seat in (0, 1)] == [4, 4 + value]


@pytest.mark.rule("I1.1")
def test_influence_adds_up(engine: str) -> None:
    """Habitats of every value together."""
    for influence in (4, 5, 9, 14, 19, 27):
        t = scenario(engine, {}, {}, **holding(influence))
        assert [t.state.influence(seat) for seat in (0, 1)] == [influence, 4]
        t = scenario(engine, {}, {}, **holding(influence, seat=1))
        assert [t.state.influence(seat) for seat in (0, 1)] == [4, influence]


@pytest.mark.rule("I1.3", "G1.1")
def test_influence_is_not_spent_or_traded(engine: str) -> None:
    """Recruiting and constructing leave it; it is no Resource to offer."""
    t = (
        scenario(engine, {"units": {HERE: "miner"}, "lorium": 3})
        .turn("recruit")
        .do("unit:soldier", "unit:soldier", "done")
    )
    t.answer("DEPLOY_SPACE", "savannah-4-1").answer("DEPLOY_SPACE", "savannah-4-1").skip("BONUS")
    t.do("bonus:construct").answer("CONSTRUCT", "module:crew_bridge", seat=0)
    t.expect("BURN", 1)  # the two Soldiers are Recalled
    assert t.units(0, "savannah-4-1") == [0] * 5
    assert t.state.influence(0) == 4
    t = scenario(engine, {"lorium": 1}, {"lorium": 1}).turn("negotiate").skip("TRADE_PARTNER").do("player:1")
    # one Lorium each is all there is to give, so the lists are complete without a question
    t.expect("TRADE_ANSWER", 1)


@pytest.mark.rule("I1.4", "RUL-I4", "R1.2", "I2.3")
@pytest.mark.parametrize(("influence", "unlimited"), [(20, False), (21, True), (22, True)])
def test_unlimited_influence(engine: str, influence: int, unlimited: bool) -> None:
    """From 21 on Recruit and storage know no limit; the number stays what it is."""
    t = scenario(engine, {"lorium": 40}, **holding(influence))
    assert t.state.influence(0) == influence
    t.turn("recruit").do(*["unit:miner"] * 6)  # 18
    t.answer("RECRUIT_TYPE", "unit:speaker")  # 20
    assert (t.kind == "RECRUIT_TYPE") is unlimited
    t = scenario(engine, {"lorium": 40}, **holding(influence)).turn("battle").end_turn()
    assert (t.player(0)["lorium"] == 40) is unlimited


@pytest.mark.rule("I1.4", "I2.4")
def test_unlimited_only_while_it_lasts(engine: str) -> None:
    """A Settlement is taken away: 40 Lorium stay until the end of that turn and shrink to 12 then."""
    position = holding(21)
    where = next(s for s, feature in position["tiles"].items() if feature == "settlement")
    t = scenario(engine, {"lorium": 40}, {"units": {where: "speaker"}}, current_player=1, **position)
    t.turn("speakers").answer("ACT_SPACE", "done").answer("ACT_SPACE", where, seat=1)
    assert t.state.influence(0) == 18
    assert t.player(0)["lorium"] == 40
    t.end_turn()
    assert t.player(0)["lorium"] == 12


# ------------------------------------------------------------------ I2
@pytest.mark.rule("I2.1", "I2.2", "I2.3", "I-EX1", "RUL-I1")
@pytest.mark.parametrize(
    ("influence", "capacity"),
    [
        (4, 5),
        (6, 5),
        (7, 8),
        (10, 8),
        (11, 10),
        (14, 10),
        (15, 12),
        (18, 12),
        (19, 14),
        (20, 14),
        (21, 30),
        (27, 30),
    ],
)
def test_lorium_capacity(engine: str, influence: int, capacity: int) -> None:
    """What of 30 Lorium is kept at the end of a turn."""
    t = scenario(engine, {"lorium": 30}, **holding(influence)).turn("battle").end_turn()
    assert t.player(0)["lorium"] == capacity
    assert make_game(engine).content.storage(influence) == (None if influence >= 21 else capacity)
    # and one less than that stays as it is
    t = scenario(engine, {"lorium": capacity - 1}, **holding(influence)).turn("battle").end_turn()
    assert t.player(0)["lorium"] == capacity - 1


@pytest.mark.rule("I2.4", "T7.1", "T7.4")
def test_a_drop_counts_at_the_next_surplus_discard(engine: str) -> None:
    """The victim keeps the Lorium until the end of that turn, and loses it then, not in its own."""
    t = scenario(
        engine,
        {"lorium": 8},
        {"units": {HERE: "soldier"}},
        tiles={HERE: "settlement"},
        control={HERE: 0},
        current_player=1,
    )
    assert t.state.influence(0) == 7
    t.turn("soldiers").do(HERE, HERE).answer("ACT_SPACE", HERE, seat=1)
    assert t.state.influence(0) == 4
    assert t.player(0)["lorium"] == 8
    t.answer("BONUS", "done")
    assert t.player(0)["lorium"] == 5


# ------------------------------------------------------------------ I3
@pytest.mark.rule("I3.1", "I3.2", "A1.1", "A3.1", "RUL-I2")
def test_control_is_gained_lost_and_taken(engine: str) -> None:
    """Neutral to mine, mine to neutral, the enemy's to mine in one step."""
    t = persuade(engine, tiles={HERE: "camp"}).answer("ACT_SPACE", HERE)
    assert t.snapshot()["control"] == [[space(HERE), 0]]
    assert [e[1:4] for e in t.events("INFLUENCE_CONTROL")] == [(0, space(HERE), -1)]

    t = persuade(engine, tiles={HERE: "camp"}, control={HERE: 1}).answer("ACT_SPACE", HERE)
    assert t.snapshot()["control"] == [[space(HERE), 0]]
    assert [e[1:4] for e in t.events("INFLUENCE_CONTROL")] == [(0, space(HERE), 1)]

    t = scenario(engine, {"units": {HERE: "soldier"}}, tiles={HERE: "camp"}, control={HERE: 1})
    t.turn("soldiers").answer("ACT_SPACE", "done").answer("ACT_SPACE", HERE, seat=0)
    assert t.snapshot()["control"] == []
    assert [e[1:4] for e in t.events("INFLUENCE_CONTROL")] == [(-1, space(HERE), 1)]


@pytest.mark.rule("I3.1")
def test_one_controller_at_most(engine: str) -> None:
    """A Habitat has one Flag, and only a Habitat has one."""
    with pytest.raises(PositionError):
        scenario(engine, tiles={HERE: "lorium"}, control={HERE: 0})
    t = scenario(engine, {"units": {HERE: "speaker"}}, tiles={HERE: "camp"}, control={HERE: 0})
    t.turn("speakers").answer("ACT_SPACE", "done").expect(
        "ACT_SPACE", 0
    )  # Field Promote: nothing to Persuade
    t.do(HERE).expect("PROMOTE_TO", 0)


@pytest.mark.rule("I3.3", "RUL-I3")
def test_an_eighth_habitat_costs_a_flag(engine: str) -> None:
    """Before the gain a Flag of one's choice comes off; that Habitat is neutral then."""
    t = seven(engine, {"units": {HERE: "speaker"}}, tiles={HERE: "outpost"})
    assert t.state.influence(0) == 11
    t.turn("speakers").answer("ACT_SPACE", "done").answer("ACT_SPACE", HERE).expect("GIVE_UP_FLAG", 0)
    camps = {space(f"{terrain}-2-0") for terrain in TERRAINS} | {space("savannah-2-1")}
    assert t.spaces() == camps
    assert "done" not in t.options()
    assert t.controller(HERE) is None
    t.do("rocky-2-0")
    assert t.controller("rocky-2-0") is None
    assert t.controller(HERE) == 0
    assert {s for s, _ in t.snapshot()["control"]} == (camps | {space(HERE)}) - {space("rocky-2-0")}
    assert t.state.influence(0) == 12
    # the optional effect may be declined instead
    t = seven(engine, {"units": {HERE: "speaker"}}, tiles={HERE: "outpost"})
    t.turn("speakers").answer("ACT_SPACE", "done").answer("ACT_SPACE", "done").skip("BONUS")
    assert {s for s, _ in t.snapshot()["control"]} == camps


@pytest.mark.rule("I3.3")
def test_a_seventh_habitat_is_free(engine: str) -> None:
    """With six of them nothing is asked."""
    camps = [f"{terrain}-2-0" for terrain in TERRAINS]
    t = scenario(
        engine, {"units": {HERE: "speaker"}}, tiles={**dict.fromkeys(camps, "camp"), HERE: "camp"},
        control=dict.fromkeys(camps, 0),
    )  # fmt: skip
    t.turn("speakers").answer("ACT_SPACE", "done").answer("ACT_SPACE", HERE, seat=0)
    assert len(t.snapshot()["control"]) == 7


@pytest.mark.rule("I3.4")
def test_control_needs_no_units(engine: str) -> None:
    """It stays when the Speaker leaves, and even when enemy Units stand there."""
    t = scenario(
        engine,
        {"units": {HERE: "speaker"}},
        {"units": {BESIDE: "soldier"}},
        tiles={HERE: "camp"},
        control={HERE: 0},
    )
    t.turn("speakers").answer("ACT_SPACE", HERE).answer("MOVE_TO", "tundra-5-1").end_turn()
    assert t.controller(HERE) == 0
    t.turn("soldiers").answer("ACT_SPACE", BESIDE, seat=1).answer("MOVE_TO", HERE)
    assert t.controller(HERE) == 0
    assert t.state.influence(0) == 5


@pytest.mark.rule("I3.5", "I3.7", "RUL-I5")
@pytest.mark.parametrize("cause", ["collapse", "ship"])
def test_a_destroyed_habitat_is_lost_and_its_flag_returns(engine: str, cause: str) -> None:
    """Six Habitats and the Flag in the supply: a seventh can be taken without giving one up."""
    ship = "savannah-4-1" if cause == "collapse" else "rocky-3-1"
    t = seven(
        engine,
        {"ship": ship, "units": {HERE: "speaker"}},
        tiles={HERE: "camp"},
        cysmograph=QUAKE if cause == "collapse" else {"singles": 4, "stack": 4},
        script={"fracture_token": ["rocky-2"]},
    )
    t.turn("colony_ship").answer("MOVE_TO", "savannah-4-2" if cause == "collapse" else "rocky-2-0", seat=0)
    assert t.controller("rocky-2-0") is None
    assert t.tile("rocky-2-0") == ("none" if cause == "collapse" else "plain")
    assert t.state.influence(0) == 10
    assert (-1, space("rocky-2-0"), 0) in {e[1:4] for e in t.events("INFLUENCE_CONTROL")}
    t.skip("BONUS").do("done").turn("battle").end_turn()
    t.turn("speakers").answer("ACT_SPACE", "done").answer("ACT_SPACE", HERE, seat=0)
    assert t.kind != "GIVE_UP_FLAG"
    assert t.controller(HERE) == 0
    assert t.state.influence(0) == 11


@pytest.mark.rule("I3.6", "RUL-I5", "G5.8", "G5.1")
def test_an_exchange_of_habitats_at_seven_flags(engine: str) -> None:
    """One Camp for another: both change hands together, nothing is given up."""
    t = (
        seven(engine, {}, tiles={HERE: "settlement"}, control={HERE: 1})
        .turn("negotiate")
        .skip("TRADE_PARTNER")
    )
    t.do("player:1", "rocky-2-0", "done").answer("TRADE_ANSWER", "yes", seat=1)
    assert t.controller("rocky-2-0") == 1
    assert t.controller(HERE) == 0
    assert t.kind != "GIVE_UP_FLAG"
    assert [t.state.influence(seat) for seat in (0, 1)] == [4 + 6 + 3, 4 + 1]


@pytest.mark.rule("I3.6", "I3.3", "G5.8")
def test_a_habitat_bought_at_seven_flags(engine: str) -> None:
    """For Lorium the result exceeds the limit: afterwards another Flag than the new one has to go."""
    t = seven(engine, {"lorium": 1}, tiles={HERE: "settlement"}, control={HERE: 1}).turn("negotiate")
    t.skip("TRADE_PARTNER").do("player:1", "resource:lorium", "done").answer("TRADE_ANSWER", "yes", seat=1)
    t.expect("GIVE_UP_FLAG", 0)
    assert len(t.spaces()) == 7
    assert space(HERE) not in t.spaces()
    t.do("rocky-2-0")
    assert t.controller("rocky-2-0") is None
    assert len([1 for _, seat in t.snapshot()["control"] if seat == 0]) == 7


@pytest.mark.rule("I-EX2", "N4.3", "G1.4")
def test_a_camp_for_colony_city(engine: str) -> None:
    """Yellow 004 paid with a Camp: 1 less and 5 more."""
    t = scenario(engine, tiles={HERE: "camp"}, control={HERE: 0}, round=4).turn("soldiers")
    assert t.state.influence(0) == 5
    t.answer("BONUS", "bonus:colony_city", seat=0)  # the Camp is the only Resource
    assert t.controller(HERE) is None
    assert t.controller("city") == 0
    assert t.state.influence(0) == 5 + 4
