"""Chapter X: Cyber Attacks."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from geometry import NEAR, SIDES
from scenario import COLOURS, UNIT_NAMES, Table, scenario, space
from scenario import units as counted

SHIP = space("forest-4-1")
AROUND = sorted(SIDES[SHIP])
#: The Module of each colour's Blueprint, and its Target Value.
MODULE = {
    "blue": "crew_bridge",
    "grey": "control_systems",
    "orange": "colonist_quarters",
    "yellow": "power_core",
    "green": "fuel_cells",
    "purple": "warp_drive",
}
TARGET = {colour: value for value, colour in enumerate(MODULE, start=1)}
RED, YELLOW = 6, 7
PLUS = {1: "D07", 2: "D10", 3: "D11"}
MINUS = {1: "D04", 2: "D15", 3: "D18"}


def attack(
    engine: str,
    units: Mapping[str | int, str],
    *others: Mapping[str, Any],
    colours: Sequence[str] = ("orange", "grey"),
    cards: Sequence[str] = (),
    their_cards: Sequence[str] = (),
    red: Sequence[int] = (),
    yellow: Sequence[int] = (),
    options: Mapping[str, Any] | None = None,
    them: Mapping[str, Any] | None = None,
    us: Mapping[str, Any] | None = None,
    play: str = "negotiate",
    **more: Any,
) -> Table:
    """Seat 0 Plays Negotiate with Units around seat 1's Ship; the Marker is its own already."""
    t = scenario(
        engine,
        {"units": units, "discovery": sorted(cards), "ship": "wetlands-4-1", **(us or {})},
        {"ship": SHIP, "discovery": sorted(their_cards), **(them or {})},
        *others,
        options={"colours": tuple(colours), "trading": False, **(options or {})},
        script={"red_die": [str(v) for v in red], "yellow_die": [str(v) for v in yellow]},
        **more,
    )
    return t.turn(play)


def acquired(t: Table, seat: int = 0) -> set[str]:
    return set(t.player(seat)["blueprints"])


def rolled(t: Table) -> list[int]:
    return [e[2] for e in t.events("CHANCE")]


def attacking(t: Table) -> bool:
    return t.kind.startswith(("CYBER", "MODIFIER"))


@pytest.mark.rule("X1.1", "X1.2", "A9.2")
def test_by_negotiate(engine: str) -> None:
    """The card offers the spaces of Unlocked Units next to the enemy Ship, and to stop."""
    t = attack(engine, {AROUND[0]: "soldier", AROUND[3]: "harvester", "tundra-5-1": "soldier"})
    t.expect("CYBER_SPACE", 0)
    assert t.options()[0] == "done"
    assert t.spaces() == {AROUND[0], AROUND[3]}
    t.do("done")
    assert not attacking(t)
    assert rolled(t) == []


@pytest.mark.rule("X1.1", "N4.1")
def test_by_bonus_action(engine: str) -> None:
    """Red 004 is one attempt: once chosen it is made, and there is no second one."""
    t = attack(engine, {AROUND[0]: "soldier", AROUND[3]: "miner"}, play="soldiers", round=4, red=[1])
    t.skip("BONUS").do("bonus:cyber_attack")
    assert t.expect("CYBER_SPACE", 0).options() == [f"space:{AROUND[0]}", f"space:{AROUND[3]}"]
    t.do(AROUND[0])
    assert not attacking(t)
    assert rolled(t) == [RED]


@pytest.mark.rule("X1.2", "U4.3")
def test_locked_units_cannot(engine: str) -> None:
    t = attack(
        engine,
        {AROUND[0]: "powermech", AROUND[2]: "miner"},
        them={"units": {AROUND[0]: "soldier"}},
        combats={AROUND[0]: 0},
    )
    assert t.expect("CYBER_SPACE").spaces() == {AROUND[2]}


@pytest.mark.rule("X1.2", "P4.5", "RUL-M8")
def test_adjacent_by_arrow(engine: str) -> None:
    """Edge spaces with the arrow of the Ship's space are next to it."""
    ship = space("forest-6-2")
    near = [space("forest-5-1"), space("rocky-6-2"), space("desert-6-2")]
    t = attack(
        engine,
        {**dict.fromkeys(near, "soldier"), "rocky-6-3": "soldier", "forest-4-1": "soldier"},
        them={"ship": ship},
    )
    assert set(near) <= NEAR[ship]
    assert t.expect("CYBER_SPACE").spaces() == set(near)


@pytest.mark.rule("X1.2", "X1.6")
def test_only_for_a_missing_blueprint(engine: str) -> None:
    """With the opponent's Blueprint Acquired there is nothing to attack for."""
    have = sorted(set(MODULE.values()))
    t = attack(engine, {AROUND[0]: "soldier"}, us={"blueprints": have})
    assert not attacking(t)
    t = attack(engine, {AROUND[0]: "soldier"})
    t.expect("CYBER_SPACE")


@pytest.mark.rule("X1.2", "RUL-X4")
def test_between_two_ships(engine: str) -> None:
    """A Unit next to two Ships chooses one of them, and has one attempt."""
    here = AROUND[0]
    second = next(n for n in sorted(SIDES[here]) if n not in SIDES[SHIP] and n != SHIP)
    t = attack(
        engine,
        {here: "soldier"},
        {"ship": second},
        colours=("orange", "grey", "blue"),
        red=[1],
    )
    t.answer("CYBER_SPACE", here)
    assert t.expect("CYBER_TARGET", 0).options() == ["player:1", "player:2"]
    t.do("player:2")
    assert acquired(t) == {"colonist_quarters", "crew_bridge", "power_core", "fuel_cells", "warp_drive"}
    assert not attacking(t)


@pytest.mark.rule("X1.2", "X1.8")
def test_targets_are_those_still_missing(engine: str) -> None:
    """Between two Ships, one of them already hacked: no choice of target."""
    here = AROUND[0]
    second = next(n for n in sorted(SIDES[here]) if n not in SIDES[SHIP] and n != SHIP)
    t = attack(
        engine,
        {here: "soldier"},
        {"ship": second},
        colours=("orange", "grey", "blue"),
        red=[2],
        us={"blueprints": [m for m in MODULE.values() if m != "control_systems"]},
    )
    t.answer("CYBER_SPACE", here)
    assert "control_systems" in acquired(t)


@pytest.mark.rule("X1.3", "X1.6", "X1.11")
@pytest.mark.parametrize("value", range(1, 7))
@pytest.mark.parametrize("target", COLOURS)
def test_target_values(engine: str, target: str, value: int) -> None:
    """Exactly the Target Value of the opponent's colour succeeds, neither less nor more."""
    me = "blue" if target != "blue" else "green"
    t = attack(engine, {AROUND[0]: "soldier"}, colours=(me, target), red=[value])
    t.answer("CYBER_SPACE", AROUND[0])
    success = value == TARGET[target]
    assert (MODULE[target] in acquired(t)) == success
    found = [e[1:] for e in t.events("BLUEPRINT")]
    assert found == ([(0, list(MODULE.values()).index(MODULE[target]), 0, 0)] if success else [])


@pytest.mark.rule("X1.6")
def test_the_opponent_loses_nothing(engine: str) -> None:
    """Both have the Blueprint afterwards; the Unit stays where it was."""
    t = attack(engine, {AROUND[0]: "soldier"}, red=[2])
    before = acquired(t, 1)
    t.answer("CYBER_SPACE", AROUND[0])
    assert "control_systems" in acquired(t, 0)
    assert acquired(t, 1) == before
    assert "control_systems" in before
    assert t.units(0, AROUND[0]) == counted("soldier")


@pytest.mark.rule("X1.4", "U2.7", "RUL-X3")
@pytest.mark.parametrize(
    ("unit", "dice"),
    [
        ("soldier", [RED]),
        ("miner", [YELLOW]),
        ("speaker", [YELLOW]),
        ("powermech", [RED] * 4),
        ("harvester", [YELLOW] * 3),
    ],
)
def test_dice_of_one_unit(engine: str, unit: str, dice: list[int]) -> None:
    """The one Unit's Combat Dice, whoever else is there; no Strike Die, no Shields."""
    t = attack(
        engine,
        {AROUND[0]: f"{unit}, 2 speaker" if unit != "speaker" else "3 speaker"},
        red=[1] * 4,
        yellow=[1] * 3,
        them={"units": {AROUND[1]: "3 speaker"}},
        their_cards=[PLUS[1]],
    )
    t.answer("CYBER_SPACE", AROUND[0])
    if unit != "speaker":
        t.answer("CYBER_TYPE", f"unit:{unit}")
    assert rolled(t) == dice
    t.expect("MODIFIER_CARD", 1)


@pytest.mark.rule("X1.5", "K5.1", "K5.3", "RUL-X1")
def test_modifiers_as_in_a_strike(engine: str) -> None:
    """The attacker in the striker's role: batches, each die once in a batch; the target's pass ends it."""
    t = attack(
        engine,
        {AROUND[0]: "harvester"},
        yellow=[5, 3, 1],
        cards=[MINUS[3], MINUS[1], PLUS[2]],
        their_cards=[PLUS[1], MINUS[2]],
    )
    t.answer("CYBER_SPACE", AROUND[0])
    t.answer("MODIFIER_CARD", "done", seat=0)
    t.answer("MODIFIER_CARD", "card:D15", seat=1).answer("MODIFIER_DIE", "die:0", seat=1)  # 3 3 1
    assert t.expect("MODIFIER_CARD", 1).options() == ["done", "card:D07"]
    t.do("card:D07")
    assert t.expect("MODIFIER_DIE", 1).options() == ["die:1", "die:2"]
    t.do("die:2")  # 3 3 2: the target helps the attacker
    t.answer("MODIFIER_CARD", "card:D10", seat=0)
    assert t.expect("MODIFIER_DIE", 0).options() == ["die:0", "die:2"], "two yellow 3, one stands for both"
    t.do("die:2")  # 3 3 4
    t.answer("MODIFIER_CARD", "card:D04", seat=0)  # onto the first of the two: 2 3 4
    assert t.expect("MODIFIER_CARD", 0).options() == ["done", "card:D18"]
    t.do("done")  # the target has no card left and passes
    assert "control_systems" in acquired(t)
    assert t.player(0)["discovery"] == ["D18"]


@pytest.mark.rule("X1.5", "K5.3")
def test_targets_pass_ends_the_step(engine: str) -> None:
    """The attacker's remaining cards cannot be played after it."""
    t = attack(engine, {AROUND[0]: "soldier"}, red=[3], cards=[MINUS[1], PLUS[1]], their_cards=[PLUS[2]])
    t.answer("CYBER_SPACE", AROUND[0])
    t.answer("MODIFIER_CARD", "card:D07", seat=0).answer("MODIFIER_CARD", "done", seat=1)
    assert not attacking(t)
    assert "control_systems" not in acquired(t)
    assert t.player(0)["discovery"] == ["D04"]


@pytest.mark.rule("X1.7", "X1.8", "RUL-X2")
def test_a_unit_tries_once(engine: str) -> None:
    """After a failure the same Unit is out for this Action; like Units in its space are not."""
    t = attack(engine, {AROUND[0]: "2 soldier", AROUND[1]: "miner"}, red=[1, 3], yellow=[4])
    t.answer("CYBER_SPACE", AROUND[0])
    assert t.expect("CYBER_SPACE").spaces() == {AROUND[0], AROUND[1]}
    t.do(AROUND[0])
    assert t.expect("CYBER_SPACE").spaces() == {AROUND[1]}
    t.do(AROUND[1])
    assert not attacking(t)
    assert rolled(t) == [RED, RED, YELLOW]
    assert t.units(0, AROUND[0]) == counted("2 soldier")
    assert "control_systems" not in acquired(t)


@pytest.mark.rule("X1.7")
def test_again_in_a_later_action(engine: str) -> None:
    """A Unit that failed may try again on the next turn."""
    t = attack(engine, {AROUND[0]: "soldier"}, red=[1, 2])
    t.answer("CYBER_SPACE", AROUND[0])
    assert not attacking(t)
    for theirs, mine in (("battle", "recruit"), ("recruit", "upgrade"), ("upgrade", "soldiers")):
        t.end_turn().turn(theirs).end_turn().turn(mine)
    t.skip("BONUS").do("bonus:cyber_attack")
    assert "control_systems" in acquired(t)


@pytest.mark.rule("X1.8", "A9.2", "RUL-X2")
def test_three_attempts(engine: str) -> None:
    """At most three, each by another Unit."""
    t = attack(engine, dict.fromkeys(AROUND[:5], "soldier"), red=[1, 1, 1, 1, 1])
    for n in AROUND[:3]:
        assert n in t.expect("CYBER_SPACE").spaces()
        t.do(n)
    assert not attacking(t)
    assert rolled(t) == [RED] * 3


@pytest.mark.rule("X1.8", "RUL-X2")
def test_attempts_choose_their_own_targets(engine: str) -> None:
    """A success removes that target; the next attempt may go for another opponent."""
    second = space("tundra-4-1")
    ours = {AROUND[0]: "soldier", AROUND[1]: "soldier", min(SIDES[second]): "soldier"}
    t = attack(engine, ours, {"ship": second}, colours=("orange", "grey", "blue"), red=[2, 1])
    assert t.expect("CYBER_SPACE").spaces() == set(ours)
    t.do(AROUND[0])
    assert t.expect("CYBER_SPACE").spaces() == {min(SIDES[second])}
    t.do(min(SIDES[second]))
    assert {"control_systems", "crew_bridge"} <= acquired(t)
    assert not attacking(t)


# ---------------------------------------------------------------- variant S5
@pytest.mark.rule("X1.9", "X1.10", "RUL-X5")
def test_variant_success_on_any_obtainable_value(engine: str) -> None:
    """The opponent's own colour and those not in play may come from it; several matches leave a choice."""
    have = ["colonist_quarters", "warp_drive"]  # own and one chosen
    t = attack(
        engine,
        {AROUND[0]: "powermech"},
        options={"blueprint_variant": 1},
        us={"blueprints": have},
        red=[2, 5, 6, 6],
    )
    t.answer("CYBER_SPACE", AROUND[0])
    assert t.expect("CHOOSE_BLUEPRINT", 0).options() == ["module:control_systems", "module:fuel_cells"]
    t.do("module:fuel_cells")
    assert acquired(t) == {*have, "fuel_cells"}
    assert not attacking(t)


@pytest.mark.rule("X1.9", "RUL-X5")
@pytest.mark.parametrize(("value", "gained"), [(1, "crew_bridge"), (4, "power_core"), (3, None), (6, None)])
def test_variant_single_values(engine: str, value: int, gained: str | None) -> None:
    """One match is taken unasked; what is Acquired already counts for nothing."""
    have = ["colonist_quarters", "warp_drive"]
    t = attack(
        engine, {AROUND[0]: "soldier"}, options={"blueprint_variant": 1}, us={"blueprints": have}, red=[value]
    )
    t.answer("CYBER_SPACE", AROUND[0])
    assert acquired(t) == set(have) | ({gained} if gained else set())


@pytest.mark.rule("X1.10", "RUL-X5")
def test_variant_after_the_opponents_own_colour(engine: str) -> None:
    """Once the opponent's own is Acquired its Ship can be attacked for other colours, but not for nothing."""
    t = attack(
        engine,
        {AROUND[0]: "soldier"},
        options={"blueprint_variant": 1},
        red=[1],
        us={"blueprints": ["colonist_quarters", "control_systems", "warp_drive"]},
    )
    t.answer("CYBER_SPACE", AROUND[0])
    assert "crew_bridge" in acquired(t)
    full = attack(
        engine,
        {AROUND[0]: "soldier"},
        options={"blueprint_variant": 1},
        us={"blueprints": list(MODULE.values())},
    )
    assert not attacking(full)


@pytest.mark.rule("X1.9", "X1.10", "S5.3")
def test_variant_three_players(engine: str) -> None:
    """A third player's own colour cannot be had from this opponent."""
    t = attack(
        engine,
        {AROUND[0]: "powermech"},
        {"ship": "tundra-4-1"},
        colours=("orange", "grey", "blue"),
        options={"blueprint_variant": 1},
        us={"blueprints": ["colonist_quarters", "warp_drive"]},
        red=[1, 1, 4, 5],
    )
    t.answer("CYBER_SPACE", AROUND[0])
    assert t.expect("CHOOSE_BLUEPRINT").options() == ["module:power_core", "module:fuel_cells"]


# ---------------------------------------------------------------- what no die can show, examples
@pytest.mark.rule("X1.11", "X1.3")
def test_attempt_without_a_fitting_face(engine: str) -> None:
    """A Speaker may try for the 6 though yellow dice end at 5; a card makes it."""
    t = attack(engine, {AROUND[0]: "speaker"}, colours=("orange", "purple"), yellow=[5], cards=[PLUS[1]])
    t.answer("CYBER_SPACE", AROUND[0]).answer("MODIFIER_CARD", "card:D07", seat=0)
    assert "warp_drive" in acquired(t)


@pytest.mark.rule("X-EX1", "X-EX2", "X-EX3", "X1.2", "X1.5", "X1.7", "X1.8")
def test_printed_example(engine: str) -> None:
    """Orange's two attempts on grey: the Soldier's 4 cannot be saved, the Powermech's 5 - 3 succeeds."""
    t = attack(
        engine,
        {AROUND[0]: "soldier", AROUND[1]: "powermech", AROUND[2]: "miner"},
        them={"units": {AROUND[2]: "soldier"}},
        combats={AROUND[2]: 1},
        cards=[PLUS[2], MINUS[3]],
        their_cards=[PLUS[1]],
        red=[4, 2, 5, 1, 6],
    )
    # EX1: three Units next to the Ship, two of them Unlocked.
    assert t.expect("CYBER_SPACE", 0).spaces() == {AROUND[0], AROUND[1]}
    # EX2: 4, with +2 or -3 to play: 6 or 1.
    t.do(AROUND[0])
    for card in ("card:D10", "card:D18"):
        one = t.fork()
        one.answer("MODIFIER_CARD", card, seat=0).answer("MODIFIER_CARD", "done", seat=1)
        assert "control_systems" not in acquired(one)
    t.answer("MODIFIER_CARD", "done", seat=0).answer("MODIFIER_CARD", "done", seat=1)
    assert t.expect("CYBER_SPACE", 0).spaces() == {AROUND[1]}
    # EX3: a 2 and a 5 among four red.
    t.do(AROUND[1])
    assert rolled(t) == [RED] * 5
    t.answer("MODIFIER_CARD", "done", seat=0)
    t.answer("MODIFIER_CARD", "card:D07", seat=1).answer("MODIFIER_DIE", "die:0", seat=1)  # 2 -> 3
    t.answer("MODIFIER_CARD", "card:D18", seat=0).answer("MODIFIER_DIE", "die:1", seat=0)  # 5 -> 2
    t.answer("MODIFIER_CARD", "done", seat=0)
    assert "control_systems" in acquired(t)
    assert not attacking(t), "two attempts, and nothing is at stake any more"


@pytest.mark.rule("X1.5", "X1.6", "X1.7")
@pytest.mark.parametrize("seed", range(30))
def test_success_against_a_model(engine: str, seed: int) -> None:
    """Random Units, dice, hands and targets: success exactly if a final value equals the Target Value."""
    rng = random.Random(seed)
    unit = rng.choice(UNIT_NAMES)
    colours = rng.sample(COLOURS, 2)
    count, kind, top = {
        "soldier": (1, "red", 6),
        "miner": (1, "yellow", 5),
        "speaker": (1, "yellow", 5),
        "powermech": (4, "red", 6),
        "harvester": (3, "yellow", 5),
    }[unit]
    dice = [rng.randint(1, top) for _ in range(count)]
    values = {c: v for v, c in PLUS.items()} | {c: -v for v, c in MINUS.items()}
    hands = [sorted(rng.sample(sorted(values), rng.randint(0, 3))) for _ in range(2)]
    hands[1] = [c for c in hands[1] if c != "D11" or c not in hands[0]]  # one copy in the deck
    t = attack(
        engine,
        {AROUND[0]: unit},
        colours=colours,
        cards=hands[0],
        their_cards=hands[1],
        red=dice if kind == "red" else [],
        yellow=dice if kind == "yellow" else [],
    )
    t.answer("CYBER_SPACE", AROUND[0])
    seat = 0
    while True:
        used: set[int] = set()
        while hands[seat] and len(used) < count:
            assert t.expect("MODIFIER_CARD", seat).options() == ["done", *(f"card:{c}" for c in hands[seat])]
            choice = rng.choice(t.options())
            t.do(choice)
            if choice == "done":
                break
            free = [i for i in range(count) if i not in used]
            first = [i for i in free if dice[i] not in [dice[j] for j in free if j < i]]
            die = first[0]
            if len(first) > 1:
                assert t.expect("MODIFIER_DIE", seat).options() == [f"die:{i}" for i in first]
                die = rng.choice(first)
                t.do(f"die:{die}")
            card = choice.removeprefix("card:")
            dice[die] += values[card]
            used.add(die)
            hands[seat].remove(card)
        if seat == 1 and not used:
            break
        seat = 1 - seat
    assert not attacking(t)
    assert (MODULE[colours[1]] in acquired(t)) == (TARGET[colours[1]] in dice)
    assert [t.player(s)["discovery"] for s in (0, 1)] == hands
