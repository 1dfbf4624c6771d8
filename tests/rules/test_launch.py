"""Chapter L: who may Launch, the Humanity Die, the twelve endings, Echoes of Humanity."""

from __future__ import annotations

import itertools
import math
from pathlib import Path
from typing import Any

import pytest
from plays import MODULES, at_bonus, held, on_planet, pick, reserve, turns
from scenario import Table, new_game, scenario, space
from scenario import units as counted

from cysmic_fast.errors import ChanceError
from cysmic_fast.vocabulary import YES, ChanceKind

BUILT: dict[str, Any] = {"blueprints": list(MODULES), "modules": list(MODULES)}
A, B, C = "tundra-5-1", "tundra-5-3", "wetlands-5-1"
#: The bottom layer under it is no Abyss, so it may be Devastated.
OPEN_SHIP = "savannah-4-1"
FACES = ["0", "1", "2", "3", "4", "any"]
LAUNCHES = ("base", "build_it", "guilty", "guilty_ignore_captives")
TRIGGERS = ("immediate", "simultaneous", "equality")


def launch_step(engine: str, *seats: dict[str, Any], **more: Any) -> Table:
    """Seat 0, Ship completed, has nothing left to do before step 6 of its turn."""
    first = {**BUILT, "ship": OPEN_SHIP, **(seats[0] if seats else {})}
    return at_bonus(engine, "two_cards", first, *seats[1:], **more).do("done")


def rolls(t: Table) -> list[int]:
    """Faces of the Humanity Die rolled."""
    return [e[3] for e in t.events("CHANCE") if e[2] == ChanceKind.HUMANITY_DIE]


def launches(t: Table) -> list[tuple[int, ...]]:
    """(seat, success, stranded) of each attempt."""
    return [e[1:4] for e in t.events("LAUNCH")]


# ------------------------------------------------------------------ L1
@pytest.mark.rule("L1.1", "T6.1", "T7.1")
def test_once_a_turn_before_the_surplus(engine: str) -> None:
    """An attempt may be left out; it comes before the discard, and a failed one is not repeated in the
    turn."""
    hand = ["D03", "D04", "D07", "D19", "D20", "D21"]
    me = {"units": {A: "soldier"}, "discovery": hand}
    t = launch_step(engine, me, script={"humanity_die": ["0"]}).expect("LAUNCH", 0)
    assert t.options() == ["yes", "no"]
    t.fork().do("no").expect("DISCARD_DISCOVERY", 0)
    t.do("yes").expect("DISCARD_DISCOVERY", 0)
    assert launches(t) == [(0, 0, 1)]
    t.do("card:D03").expect("BURN", 1)


@pytest.mark.rule("L1.1")
def test_only_the_active_player(engine: str) -> None:
    """A completed Ship waits for its own player's step 6."""
    t = at_bonus(engine, "two_cards", {}, {**BUILT, "units": {A: "soldier"}}).do("done").expect("BURN", 1)
    t.turn("upgrade").skip("LAUNCH").expect("LAUNCH", 1)


@pytest.mark.rule("L1.1", "RUL-T6")
def test_the_window_comes_before_the_attempt(engine: str) -> None:
    """A Relic may be Activated, then the Launch is asked."""
    t = launch_step(engine, {"relics": ["R06"]})
    t.answer("RELIC_WINDOW", "card:R06", seat=0).expect("LAUNCH", 0)


@pytest.mark.rule("L1.2", "B5.5")
@pytest.mark.parametrize("lacking", MODULES)
@pytest.mark.parametrize("launch", LAUNCHES)
def test_every_module_is_needed(engine: str, lacking: str, launch: str) -> None:
    """With any five of them there is no Launch, whatever the ending."""
    me = {"modules": [m for m in MODULES if m != lacking]}
    launch_step(engine, me, options={"launch": launch}).expect("BURN", 1)


@pytest.mark.rule("L1.3", "L-EX2", "RUL-L4")
@pytest.mark.parametrize("launch", LAUNCHES)
def test_devastated_ground(engine: str, launch: str) -> None:
    """All Units in Reserve, but no Launch from a Devastated space; completion itself still wins If You
    Build It."""
    t = launch_step(engine, tiles={OPEN_SHIP: "none"}, options={"launch": launch})
    if launch == "build_it":
        assert t.kind == "NONE"
        assert t.state.winners() == [0]
    else:
        t.expect("BURN", 1)
        assert launches(t) == []
    t = launch_step(engine, options={"launch": launch})
    assert t.kind == ("LAUNCH" if launch == "base" else "NONE")


@pytest.mark.rule("L1.3", "RUL-L4")
def test_devastated_ground_as_another_ruling(engine: str, tmp_path: Path) -> None:
    """The bar can be switched on for If You Build It."""
    (tmp_path / "rulings.toml").write_text("build_it_on_devastated = false\n", encoding="utf-8")
    options = {"launch": "build_it", "packs": [tmp_path]}
    launch_step(engine, tiles={OPEN_SHIP: "none"}, options=options).expect("BURN", 1)
    assert launch_step(engine, options=options).kind == "NONE"


@pytest.mark.rule("L1.4", "L1.5", "L2.1")
def test_nobody_stranded(engine: str) -> None:
    """With all Units in Reserve the Launch succeeds without a roll, ends the game at once and wins."""
    t = launch_step(engine, {}, {"units": {A: "3 soldier"}}, {}).expect("LAUNCH", 0)
    t.do("yes")
    assert t.kind == "NONE"
    assert t.state.is_terminal()
    assert rolls(t) == []
    assert launches(t) == [(0, 1, 0)]
    assert t.state.winners() == [0]
    assert t.state.returns() == [1.0, 0.0, 0.0]
    assert t.state.end_reason() == 0
    assert [e[1:] for e in t.events("GAME_OVER")] == [(-1, 0, 0, 0)]
    assert t.snapshot()["phase"] == "over"


@pytest.mark.rule("L1.6", "RUL-L12")
@pytest.mark.parametrize("launch", LAUNCHES)
def test_a_choice_only_in_the_base_ending(engine: str, launch: str) -> None:
    """There it may be declined even with nobody stranded, elsewhere it happens by itself."""
    t = launch_step(engine, options={"launch": launch})
    if launch == "base":
        assert t.expect("LAUNCH", 0).options() == ["yes", "no"]
        t.do("no").expect("BURN", 1)
        assert launches(t) == []
    else:
        assert t.kind == "NONE"
        assert t.state.winners() == [0]


# ------------------------------------------------------------------ L2
@pytest.mark.rule("L2.1", "U1.3")
@pytest.mark.parametrize(
    ("here", "elsewhere", "stranded"),
    [
        ({}, "", 0),
        ({A: "soldier"}, "", 1),
        ({A: "powermech, miner"}, "", 2),
        ({}, "speaker", 1),
        ({A: "3 soldier", C: "harvester"}, "2 miner, powermech", 7),
    ],
)
def test_who_is_stranded(engine: str, here: dict[str, str], elsewhere: str, stranded: int) -> None:
    """Troops and Vehicles on the planet, Locked ones too, and captured ones; not the Ship, the Reserve, the
    enemy."""
    other = {"units": {A: "soldier", B: "2 miner"}, "captured": {0: elsewhere} if elsewhere else {}}
    combats = {A: 0} if A in here else {}
    t = launch_step(engine, {"units": here}, other, combats=combats, script={"humanity_die": ["any"]})
    t.answer("LAUNCH", "yes", seat=0)
    assert launches(t) == [(0, 1, stranded)]
    assert len(rolls(t)) == (1 if stranded else 0)


def stranded(engine: str, number: int, *, bare: bool = False, **more: Any) -> Table:
    """At LAUNCH with so many own Units on the planet; ``bare``: without a record of events."""
    places = [f"tundra-6-{k}" for k in range(6)]
    units = {where: f"{min(3, number - 3 * i)} soldier" for i, where in enumerate(places) if number > 3 * i}
    me = {**BUILT, "ship": OPEN_SHIP, "units": units}
    t = scenario(engine, me, **more)
    if bare:
        t = Table(t.game.state_from_position(t.state.to_position()), t.game)
    return t.turn("upgrade").skip("LAUNCH").expect("LAUNCH", 0)


@pytest.mark.rule("L2.2", "L2.3", "L-EX1", "RUL-L1")
@pytest.mark.parametrize("number", range(1, 8))
def test_all_faces_of_the_humanity_die(engine: str, number: int) -> None:
    """Each face allows its number at most; of the six, max(1, 6 - number) succeed."""
    t = stranded(engine, number)
    good = 0
    for index, face in enumerate(FACES):
        roll = t.fork()
        roll.state.script({"humanity_die": [face]})
        roll.do("yes")
        assert rolls(roll) == [index]
        success = face == "any" or int(face) >= number
        assert launches(roll) == [(0, int(success), number)]
        assert (roll.kind == "NONE") == success
        assert roll.state.returns() == ([1.0, 0.0] if success else [0.0, 0.0])
        good += success
    assert good == {1: 5, 2: 4, 3: 3, 4: 2}.get(number, 1)


@pytest.mark.rule("L2.2")
def test_the_die_has_no_other_face(engine: str) -> None:
    """A 5 or 6 cannot be rolled, and what cannot be leaves the game as it was."""
    t = stranded(engine, 1)
    for face in ("5", "6", "-1"):
        roll = t.fork()
        roll.state.script({"humanity_die": [face]})
        with pytest.raises(ChanceError):
            roll.do("yes")
        roll.expect("LAUNCH", 0)
    t.expect("LAUNCH", 0).do("yes")


@pytest.mark.rule("L-EX1", "L2.3", "L2.2")
def test_how_often_a_launch_succeeds(engine: str) -> None:
    """10^5 Launches by the generator (fewer on the reference engine): within five deviations of the exact
    chances."""
    each = 20_000 if engine == "native" else 200
    for number, chance in ((1, 5 / 6), (2, 4 / 6), (3, 3 / 6), (4, 2 / 6), (5, 1 / 6)):
        state = stranded(engine, number, bare=True).state
        won = 0
        for seed in range(each):
            game = state.clone(seed=number * each + seed)
            game.apply_action(YES)
            won += game.is_terminal()
        deviation = math.sqrt(each * chance * (1 - chance))
        assert abs(won - each * chance) < 5 * deviation, (number, won)


@pytest.mark.rule("L2.4")
def test_trying_again(engine: str) -> None:
    """After a failure the game goes on, and the next own turn allows another attempt."""
    t = stranded(engine, 2, script={"humanity_die": ["1", "0", "2"]}).do("yes").expect("BURN", 1)
    assert t.state.end_reason() == -1
    for burn, play in (("soldiers", "harvesters"), ("miners", "powermechs")):
        t.turn("speakers" if play == "harvesters" else "powermechs").end_turn().expect("BURN", 0)
        assert on_planet(t, 0) == counted("2 soldier")
        t.turn(play, burn).skip("LAUNCH").expect("LAUNCH", 0).do("yes")
    assert launches(t) == [(0, 0, 2), (0, 0, 2), (0, 1, 2)]
    assert t.kind == "NONE"


# ------------------------------------------------------------------ L3
@pytest.mark.rule("L3.1", "A7.5", "A7.6", "U4.3")
def test_evacuation_empties_the_planet(engine: str) -> None:
    """Units that reach the Ship are in Reserve and no longer stranded; Locked and captured ones cannot use
    it."""
    near, far = "savannah-5-1", "tundra-6-2"
    me = {**BUILT, "ship": OPEN_SHIP, "units": {near: "soldier, miner", far: "soldier"}}
    other = {"units": {far: "speaker"}, "captured": {0: "miner"}}
    t = scenario(engine, me, other, combats={far: 0}).turn("harvesters", "battle").skip("BONUS")
    t.do("bonus:hand_action").answer("COMMAND_CARD", "command:colony_ship").answer(
        "COMMAND_ACTION", "action:evacuate"
    )
    t.answer("ACT_SPACE", OPEN_SHIP, seat=0).expect("ACT_SPACE", 0)
    assert t.options() == ["done", f"space:{space(near)}"]
    for kind in ("miner", "soldier"):
        t.answer("ACT_SPACE", near)
        if t.kind == "ACT_TYPE":
            t.do(f"unit:{kind}")
        pick(t, "MOVE_TO", OPEN_SHIP)  # the only nearer place
    t.expect("LAUNCH", 0)
    assert on_planet(t, 0) == counted("soldier")
    assert reserve(t, 0) == [9, 5, 5, 2, 2]
    assert [e[2:5] for e in t.events("LEAVE")] == [(1, space(OPEN_SHIP), 2), (0, space(OPEN_SHIP), 2)]
    t.state.script({"humanity_die": ["2"]})
    t.do("yes")
    assert launches(t) == [(0, 1, 2)]


# ------------------------------------------------------------------ L4: endings
def rest(t: Table) -> list[tuple[int, int, int]]:
    """Plays on, declining everything that can be, and gives the turns that follow."""
    begun = len(turns(t))
    for _ in range(20):
        if t.kind == "NONE":
            break
        if t.kind == "LAUNCH":
            t.do("no")
        elif t.kind.startswith("DISCARD"):
            t.do(t.options()[0])
        elif "done" in t.options():
            t.do("done")
        else:
            t.turn("harvesters").end_turn()
    assert t.kind == "NONE"
    return turns(t)[begun:]


def round_three(
    engine: str, launch: str, trigger: str, *changes: dict[str, Any], seat: int = 2, **more: Any
) -> Table:
    """L-EX3: four players, the first is First Player, the third (or ``seat``) is on turn in round 3, its
    Ship completed."""
    seats: list[dict[str, Any]] = [{}, {}, {}, {}]
    for number, change in enumerate(changes):
        seats[number] = dict(change)
    seats[seat] = {**BUILT, **seats[seat]}
    options = {"launch": launch, "end_trigger": trigger}
    round_ = more.pop("round", 3)
    t = scenario(engine, *seats, options=options, round=round_, current_player=seat, first_player=0, **more)
    return t.turn("harvesters").skip("BONUS").expect("BONUS", seat)


AFTER = {"immediate": [], "simultaneous": [(3, 3, 3), (0, 4, 4), (1, 4, 4)], "equality": [(3, 3, 3)]}


@pytest.mark.rule("L4.6", "L1.5", "L4.4", "L4.5", "L4.7", "L-EX3", "RUL-L3", "RUL-L6", "RUL-L7")
@pytest.mark.parametrize("launch", LAUNCHES)
@pytest.mark.parametrize("trigger", TRIGGERS)
def test_twelve_endings(engine: str, launch: str, trigger: str) -> None:
    """C Launches in round 3 with nobody stranded: who still has a turn, when the game ends, who has won."""
    t = round_three(engine, launch, trigger)
    begun = len(turns(t))
    t.do("done")
    if launch == "base":
        t.answer("LAUNCH", "yes", seat=2)
    rest(t)
    assert turns(t)[begun:] == AFTER[trigger]
    assert launches(t) == [(2, 1, 0)]
    assert rolls(t) == []
    assert t.state.winners() == [2]
    assert t.state.returns() == [0.0, 0.0, 1.0, 0.0]
    assert t.state.end_reason() == 0


@pytest.mark.rule("L4.6", "L4.1", "L4.2", "L4.3", "L1.4", "RUL-L5")
@pytest.mark.parametrize("where", ["planet", "captured", "both"])
@pytest.mark.parametrize("launch", LAUNCHES)
@pytest.mark.parametrize("trigger", TRIGGERS)
def test_twelve_endings_with_units_left_behind(engine: str, launch: str, trigger: str, where: str) -> None:
    """The die, nothing at all, everybody home, or everybody but the captives: each condition with each
    trigger."""
    left = {"units": {A: "miner"}} if where != "captured" else {}
    jailer = {"captured": {2: "soldier"}} if where != "planet" else {}
    number = 2 if where == "both" else 1
    t = round_three(engine, launch, trigger, {}, jailer, left)
    t.do("done")
    if launch == "base":
        t.expect("LAUNCH", 2)
        lost = t.fork()
        for game, face, success in ((lost, "0", False), (t, str(number), True)):
            game.state.script({"humanity_die": [face]})
            game.do("yes")
            assert launches(game) == [(2, int(success), number)]
        lost.expect("BURN", 3)
        launched = True
    else:
        launched = launch == "build_it" or (launch == "guilty_ignore_captives" and where == "captured")
        assert rolls(t) == []
    assert [e[:2] for e in launches(t)] == ([(2, 1)] if launched else [])
    if launched and trigger == "immediate":
        assert t.kind == "NONE"
    else:
        t.expect("BURN", 3)
    assert t.state.returns() == [0.0, 0.0, float(launched), 0.0]


@pytest.mark.rule("L-EX4", "L4.4", "L4.5", "T1.6", "RUL-L6")
@pytest.mark.parametrize("launch", LAUNCHES)
@pytest.mark.parametrize("trigger", TRIGGERS)
def test_a_launch_at_the_end_of_a_cycle(engine: str, launch: str, trigger: str) -> None:
    """D Launches in round 5: the final turns are A, B, C in Column 001 after a Reset, whoever has the
    Marker."""
    t = round_three(engine, launch, trigger, seat=3, round=5, marker=2)
    begun = len(turns(t))
    t.do("done")
    if launch == "base":
        t.answer("LAUNCH", "yes", seat=3)
    if trigger == "simultaneous":
        t.expect("BURN", 0)
        assert len(t.options()) == 10
        assert len(t.events("RESET")) == 1
    rest(t)
    assert turns(t)[begun:] == ([(0, 6, 1), (1, 6, 1), (2, 6, 1)] if trigger == "simultaneous" else [])
    assert len(t.events("RESET")) == (1 if trigger == "simultaneous" else 0)
    assert t.state.winners() == [3]


@pytest.mark.rule("L4.4", "L4.5", "L4.9", "L4.7", "RUL-L6")
@pytest.mark.parametrize("launch", LAUNCHES)
@pytest.mark.parametrize("trigger", TRIGGERS)
def test_several_launches(engine: str, launch: str, trigger: str) -> None:
    """Whoever Launches in the turns left shares the win; a later Launch gives nobody another turn."""
    t = round_three(engine, launch, trigger, BUILT, {}, {}, BUILT)
    begun = len(turns(t))
    t.do("done")
    while t.kind != "NONE":
        if t.kind == "LAUNCH":
            t.do("yes")
        elif t.kind == "BURN":
            t.turn("harvesters")
        else:
            t.do("done")
    assert turns(t)[begun:] == AFTER[trigger]
    winners = {"immediate": [2], "equality": [2, 3], "simultaneous": [0, 2, 3]}[trigger]
    assert t.state.winners() == winners
    assert t.state.returns() == [float(seat in winners) for seat in range(4)]
    assert t.snapshot()["players"][1]["launched"] is False


@pytest.mark.rule("L4.4", "L4.9")
def test_final_turns_start_with_the_first_launch_only(engine: str) -> None:
    """B, the last to play, Launches in its final turn: the game is over, D has no further turn."""
    t = round_three(engine, "build_it", "simultaneous", {}, BUILT)
    begun = len(turns(t))
    t.do("done")
    rest(t)
    assert turns(t)[begun:] == [(3, 3, 3), (0, 4, 4), (1, 4, 4)]
    assert t.state.winners() == [1, 2]


@pytest.mark.rule("L4.4", "T1.9")
def test_final_turns_are_not_cut_off(engine: str) -> None:
    """A Launch in the last round before the cut-off still gives everybody else a turn."""
    seats = [{}, {}, BUILT, {}]
    for trigger, expected in AFTER.items():
        options = {"launch": "guilty", "end_trigger": trigger, "max_rounds": 3}
        t = scenario(engine, *seats, options=options, round=3, current_player=2).turn("harvesters")
        begun = len(turns(t))
        t.do("done")
        rest(t)
        assert turns(t)[begun:] == expected
        assert t.state.end_reason() == 0
        assert t.state.winners() == [2]


@pytest.mark.rule("L4.5", "RUL-L7")
def test_equality_without_turns_left(engine: str) -> None:
    """The last player of a round Launches: nobody plays after it. The first one: all others do."""
    t = round_three(engine, "guilty", "equality", seat=3)
    t.do("done")
    assert t.kind == "NONE"
    t = round_three(engine, "guilty", "equality", seat=0)
    begun = len(turns(t))
    t.do("done")
    rest(t)
    assert turns(t)[begun:] == [(1, 3, 3), (2, 3, 3), (3, 3, 3)]


@pytest.mark.rule("L4.8", "L4.4", "L4.5", "RUL-L6")
@pytest.mark.parametrize("trigger", ["simultaneous", "equality"])
def test_the_launching_turn_is_finished(engine: str, trigger: str) -> None:
    """Step 7 follows the Launch: the Launched player's surplus is discarded too; the final turns are
    ordinary."""
    hand = ["D03", "D04", "D07", "D19", "D20", "D21"]
    t = round_three(engine, "build_it", trigger, {}, {}, {"discovery": hand, "lorium": 7}, {"lorium": 6})
    t.do("done").expect("DISCARD_DISCOVERY", 2)
    assert launches(t) == [(2, 1, 0)]
    assert t.player(2)["launched"] is True
    t.do("card:D04").expect("BURN", 3)
    assert [t.player(seat)["lorium"] for seat in (2, 3)] == [5, 5]
    t.turn("recruit").answer("RECRUIT_TYPE", "unit:soldier", seat=3).do("done").expect("DEPLOY_SPACE", 3)
    t.do(t.options()[0]).skip("BONUS").do("bonus:gain_card")
    assert len(t.player(3)["discovery"]) == 1


@pytest.mark.rule("L4.1", "L4.2")
@pytest.mark.parametrize(("launch", "immediate"), [("build_it", True), ("guilty", False)])
def test_completion_alone(engine: str, launch: str, immediate: bool) -> None:
    """The Module built in this turn is enough If You Build It; a Guilty Conscience waits until all are
    home."""
    me = {
        "blueprints": list(MODULES), "modules": list(MODULES[1:]), "lorium": 2,
        "units": {A: "2 soldier", B: "speaker, harvester"},
    }  # fmt: skip
    t = at_bonus(engine, "two_cards", me, options={"launch": launch}).do("bonus:construct", A)
    assert on_planet(t, 0) == counted("speaker, harvester")
    assert (t.kind == "NONE") == immediate
    assert t.state.winners() == ([0] if immediate else [])


@pytest.mark.rule("L4.2", "L4.3", "RUL-L5")
def test_guilty_conscience_waits_for_the_own_step_6(engine: str) -> None:
    """The last Unit comes home in another player's turn; the Launch happens in the own next turn."""
    me = {**BUILT, "units": {A: "soldier"}, "ship": OPEN_SHIP}
    other = {"units": {A: "speaker, miner"}}
    t = scenario(engine, me, other, combats={A: 0}, round=2, current_player=1, options={"launch": "guilty"})
    t.turn("harvesters").skip("BONUS").do("bonus:destroy_troop").expect("BURN", 0)
    assert on_planet(t, 0) == [0] * 5
    t.turn("harvesters").expect("BONUS", 0).do("done")
    assert t.state.winners() == [0]


@pytest.mark.rule("L4.10", "L4.7", "RUL-L8")
def test_what_a_launched_player_leaves_behind(engine: str) -> None:
    """Ship gone, its space plain ground; Units, Flags, captives, Lorium and cards stay and count as
    before."""
    me = {
        **BUILT,
        "ship": OPEN_SHIP,
        "units": {A: "2 soldier"},
        "lorium": 3,
        "discovery": ["D19"],
        "relics": ["R06"],
        "slots": [{"relic": "R07"}, {"lorium": 1}],
    }
    t = scenario(
        engine, me, {"captured": {0: "miner"}}, {"units": {"savannah-5-1": "speaker"}},
        tiles={B: "outpost"}, control={B: 0}, options={"launch": "build_it", "end_trigger": "simultaneous"},
    )  # fmt: skip
    t.turn("harvesters").skip("BONUS").do("done").answer("RELIC_WINDOW", "done", seat=0).expect("BURN", 1)
    p = t.player(0)
    assert (p["ship"], p["launched"]) == (None, True)
    assert t.tile(OPEN_SHIP) == "plain"
    assert (p["lorium"], p["discovery"], p["relics"], p["slots"]) == (
        3,
        ["D19"],
        ["R06"],
        [{"relic": "R07"}, {"lorium": 1}],
    )
    assert on_planet(t, 0) == counted("2 soldier")
    assert held(t, 0) == counted("miner")
    assert t.controller(B) == 0
    assert t.state.influence(0) == 4 + 2
    assert [e[1:] for e in t.events("LEAVE")] == [(0, 5, space(OPEN_SHIP), 4)]
    t.turn("harvesters").end_turn()
    t.turn("speakers").answer("ACT_SPACE", "savannah-5-1", seat=2).expect("MOVE_TO", 2)
    assert space(OPEN_SHIP) in t.spaces()
    t.do(OPEN_SHIP)
    assert t.units(2, OPEN_SHIP) == counted("speaker")


@pytest.mark.rule("L4.10", "RUL-L8")
def test_no_trade_and_no_cyber_attack_with_a_launched_player(engine: str) -> None:
    """Its goods are out of Resource Trading and its Ship is gone; a Blueprint exchange cannot be refused,
    though."""
    seats = [
        {**BUILT, "ship": OPEN_SHIP, "lorium": 3, "discovery": ["D19"]},
        {"lorium": 2, "captured": {0: "2 soldier"}, "units": {"savannah-5-1": "soldier"}},
        {"lorium": 1},
    ]
    options = {"launch": "build_it", "end_trigger": "simultaneous"}
    t = (
        scenario(engine, *seats, options=options)
        .turn("harvesters")
        .skip("BONUS")
        .do("done")
        .expect("BURN", 1)
    )
    t.turn("negotiate").expect("SECTION", 1).do("no").expect("TRADE_PARTNER", 1)  # no Cyber Attack in between
    assert t.options() == ["done", "player:2"]
    t.do("done").answer("RANSOM_PLAYER", "player:0", seat=1).expect("BONUS", 1)
    assert "crew_bridge" in t.player(1)["blueprints"]
    assert reserve(t, 0)[0] == 10
    # while it stands the Ship can be attacked
    before = scenario(engine, {**seats[0], "modules": []}, *seats[1:], current_player=1).turn("negotiate")
    before.expect("SECTION", 1).do("no").expect("CYBER_SPACE", 1)


@pytest.mark.rule("L4.10", "K3.1", "K4.7", "RUL-L8")
def test_a_launched_player_decides_in_combat(engine: str) -> None:
    """Its Units left behind fight on: it places its Shield, plays modifiers, strikes and chooses hits."""
    me = {**BUILT, "units": {A: "soldier, speaker"}, "discovery": ["D19"]}
    t = scenario(
        engine, me, {"units": {A: "soldier"}}, combats={A: 1},
        options={"launch": "build_it", "end_trigger": "equality"},
        script={
            "attacker_strike_die": ["reroll yellow"], "red_die": ["4", "4"],
            "defender_strike_die": ["reroll yellow"], "yellow_die": ["1"],
        },
    )  # fmt: skip
    t.turn("harvesters").skip("BONUS").do("done").expect("BURN", 1)
    t.turn("battle").answer("STRIKE_OR_FLEE", "strike", seat=1)
    t.answer("SHIELD_DIE", "done", seat=0).answer("MODIFIER_CARD", "card:D19", seat=0)
    while t.seat == 0 and t.kind.startswith("MODIFIER"):
        t.do(t.options()[0])
    t.answer("HITS", "hits:0", seat=1)
    t.answer("STRIKE_OR_FLEE", "strike", seat=0).answer("REROLL_DIE", "done", seat=0)
    t.answer("HITS", "hits:1", seat=0)
    assert t.captured(0, 1) == counted("soldier")


@pytest.mark.rule("L4.10", "Y5.7", "RUL-L8")
def test_a_launched_player_escapes(engine: str) -> None:
    """A Collapse under Units it left behind: it decides whether and where they go."""
    me = {**BUILT, "units": {"tundra-5-1": "miner"}}
    t = scenario(
        engine, me, {"units": {"wetlands-5-1": "harvester"}}, tiles={"wetlands-5-1": "lorium"},
        options={"launch": "build_it", "end_trigger": "equality"}, script={"fracture_token": ["tundra-5"]},
        cysmograph={"singles": 4, "stack": 6},
    )  # fmt: skip
    t.turn("speakers").skip("BONUS").do("done").expect("BURN", 1)
    t.turn("harvesters").answer("ACT_SPACE", "done").answer("ACT_SPACE", "wetlands-5-1", seat=1)
    t.answer("ESCAPE", "tundra-5-1", seat=0).answer("ESCAPE_TO", "tundra-4-0", seat=0)
    assert t.units(0, "tundra-4-0") == counted("miner")
    assert t.tile("tundra-5-1") == "none"


@pytest.mark.rule("L4.10", "T7.3", "RUL-L8")
def test_a_launched_player_discards_surplus(engine: str) -> None:
    """Whatever others bring it beyond its limits goes at the end of their turns."""
    me = {**BUILT, "lorium": 5, "discovery": ["D19"], "ship": OPEN_SHIP}
    other = {"lorium": 3}
    t = scenario(
        engine, me, other, round=5, marker=0, options={"launch": "guilty", "end_trigger": "equality"},
    )  # fmt: skip
    t.turn("harvesters").skip("BONUS").do("done").expect("BURN", 1)
    t.turn("powermechs").expect("BONUS", 1).do("bonus:take_marker")
    assert t.kind == "NONE"
    assert t.snapshot()["marker"] == 1
    assert (t.player(0)["lorium"], t.player(1)["lorium"]) == (5, 2)


@pytest.mark.rule("L4.7")
@pytest.mark.parametrize("players", [2, 3, 6])
def test_nobody_plays_after_launching(engine: str, players: int) -> None:
    """Everybody has a completed Ship: each has one turn, then the game is over."""
    for trigger in ("simultaneous", "equality"):
        t = scenario(engine, *[BUILT] * players, options={"launch": "guilty", "end_trigger": trigger})
        for seat in range(players):
            t.expect("BURN", seat)
            t.turn("harvesters").expect("BONUS", seat).do("done")
        assert t.kind == "NONE"
        assert t.state.winners() == list(range(players))


# ------------------------------------------------------------------ L5
MISSING = {0: {"soldier": 8, "miner": 6, "powermech": 1}}


@pytest.mark.rule("L5.1", "L5.3", "RUL-L9")
def test_echoes_at_the_start(engine: str) -> None:
    """Missing pieces are out before Starting Units are placed: what has no piece is not placed, nor
    replaced."""
    for echoes, expected in ((MISSING, "2 soldier, speaker"), ({}, "3 soldier, miner, speaker")):
        t = new_game(engine, 2, echoes=echoes)
        while not turns(t):
            t.state.apply_action(t.state.legal_actions()[0])
        assert on_planet(t, 0) == counted(expected)
        assert on_planet(t, 1) == counted("3 soldier, miner, speaker")
        assert t.player(0)["missing"] == ([8, 6, 0, 1, 0] if echoes else [0] * 5)


@pytest.mark.rule("L5.1", "R1.1")
def test_echoes_in_the_stock(engine: str) -> None:
    """They cannot be Recruited or Upgraded to in this game; in one without echoes they can."""
    for echoes, types in (
        (MISSING, ["unit:soldier", "unit:speaker"]),
        ({}, ["unit:soldier", "unit:miner", "unit:speaker"]),
    ):
        t = scenario(engine, {}, options={"echoes": echoes}).turn("recruit").expect("RECRUIT_TYPE", 0)
        assert t.options() == ["done", *types]
        t.do("unit:soldier").do("unit:soldier").expect("RECRUIT_TYPE", 0)
        third = "unit:soldier" in t.options()
        assert third == (not echoes), "only two Soldiers are in stock"


@pytest.mark.rule("L5.1", "L5.2")
def test_echoes_are_not_stranded(engine: str) -> None:
    """Missing Units neither count nor bar any Launch."""
    for launch in LAUNCHES:
        t = launch_step(engine, options={"echoes": MISSING, "launch": launch})
        if launch == "base":
            t.answer("LAUNCH", "yes", seat=0)
        assert t.state.winners() == [0]
        assert launches(t) == [(0, 1, 0)]
        assert rolls(t) == []


@pytest.mark.rule("L5.1")
def test_only_troops_and_vehicles_left_behind_matter(engine: str) -> None:
    """By type and number: every part of a stock can be missing."""
    everything = {"soldier": 10, "miner": 6, "speaker": 5, "powermech": 2, "harvester": 2}
    for names in itertools.combinations(everything, 2):
        t = scenario(engine, {}, options={"echoes": {0: {name: everything[name] for name in names}}})
        assert [reserve(t, 0)[i] for i, name in enumerate(everything) if name in names] == [0, 0]
        t.turn("recruit").expect("RECRUIT_TYPE", 0)
        assert t.options()[1:] == [f"unit:{n}" for n in ("soldier", "miner", "speaker") if n not in names]
