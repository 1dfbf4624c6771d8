"""Windows, durations, flags, modifiers, Confused Troops on small tables (docs/cards.md, sections 6 to 8)."""

from __future__ import annotations

from typing import Any

import pytest
from effect_bench import Bench, modifiers
from reference_play import build
from scenario import space, units

from cysmic_fast.content import load_content
from cysmic_fast.content.effect_words import (
    Denial,
    DieColour,
    Duration,
    Immunity,
    Kind,
    Mod,
    Once,
    Role,
    Trigger,
)
from cysmic_fast.options import make_options
from cysmic_fast.reference import combat
from cysmic_fast.reference.combat import Resolution, resolve
from cysmic_fast.reference.confused import recover
from cysmic_fast.reference.dice import Die, count_dice
from cysmic_fast.reference.flight import flee_by_effect, flee_spaces
from cysmic_fast.reference.frame import Frame, Happening, Registers, Source
from cysmic_fast.reference.goods import discard_slot
from cysmic_fast.reference.grants import end_of_resolution, end_of_strike, end_of_turn, give, turn_of
from cysmic_fast.reference.model import Mark
from cysmic_fast.reference.modifiers import by_colour, denied, health_of, immune, total
from cysmic_fast.reference.position import is_loadable
from cysmic_fast.reference.units import line_up
from cysmic_fast.reference.windows import fire, reset_once
from cysmic_fast.vocabulary import EventKind, UnitType

A, B, C = "tundra-5-1", "tundra-5-2", "tundra-5-3"
FIGHT: Any = ({"units": {A: "2 soldier"}}, {"units": {A: "soldier, speaker"}})


def tremor(cause: int) -> Happening:
    return Happening(Trigger.TREMOR, cause, kinds=(Kind.EFFECT,))


def window(bench: Bench, event: Happening, *choices: str) -> Happening:
    bench.drive(fire(bench.table, event), choices)
    return event


def emitted(bench: Bench, kind: EventKind) -> list[tuple[int, int, int]]:
    return [(e[1], e[2], e[3]) for e, _ in bench.table.events if e[0] == kind]


# ---------------------------------------------------------------------- order
def test_round_and_round_until_all_pass_in_a_row() -> None:
    """V7.2, V7.3: one card at a time, from the active player clockwise; who has nothing is not asked."""
    event = Happening(Trigger.STRIKE_ROLLED, 0, 1, (Kind.VALUE,), space(A), dice=[])
    bench = Bench(*FIGHT, {}, combats={A: 0})
    for seat in (1, 2):
        bench.hold(seat, ["D09"])
    event.dice = [Die(DieColour.RED, 2), Die(DieColour.RED, 3)]
    window(bench, event, "done", "card:D09", "die:0", "card:D09", "die:1")
    assert [(kind, seat) for kind, seat, _ in bench.asked] == [
        ("REACT", 1),
        ("REACT", 2),
        ("DIE", 2),
        ("REACT", 1),
        ("DIE", 1),
    ]
    assert [d.value for d in event.dice] == [6, 6]
    assert emitted(bench, EventKind.PLAY_CARD) == [(2, 8, 1), (1, 8, 1)]


def test_classes_in_their_order() -> None:
    """T9.2: Reactions, then Relics, then Factions; a mandatory rule alone is not asked for."""
    event = Happening(Trigger.GATHERED, 1, kinds=(Kind.LORIUM,), n=2)
    bench = Bench({"faction": "F15"}, {"faction": "F01"}, {"faction": "F10"})
    bench.hold(0, ["D74"])
    window(bench, event, "card:D74")
    assert bench.table.players[0].lorium == 3
    kinds = [e[0] for e, _ in bench.table.events if e[0] in (EventKind.PLAY_CARD, EventKind.RULE)]
    assert kinds == [EventKind.PLAY_CARD, EventKind.RULE]
    assert bench.table.players[0].once == {("F", 0)}
    window(bench, event)  # used up for the round
    assert bench.table.players[0].lorium == 3


def test_a_cancelled_event_ends_its_window() -> None:
    """4.7 cancel, V7.6: later classes and seats are not asked."""
    event = Happening(Trigger.HABITAT_LOST, 0, 1, (Kind.TAKEN,), space(A), gone=lambda: False)
    bench = Bench({"faction": "F01"}, {"faction": "F20"})
    bench.hold(1, ["D76"])
    window(bench, event, "card:D76")
    assert event.cancelled
    assert not emitted(bench, EventKind.RULE)


def test_a_veto_meets_a_veto() -> None:
    """V7.5: the last one played takes effect first; each costs a card."""
    event = Happening(Trigger.BONUS_CHOSEN, 0, kinds=(Kind.RED,), card=4)
    bench = Bench({"lorium": 5}, {})
    bench.hold(0, ["D18"])
    bench.hold(1, ["D80", "D18"])
    window(bench, event, "card:D80", "card:D18", "card:D18", "option:1")
    assert event.cancelled, "the Veto on Red Tape was met by another Veto"
    assert [d.aside for d in (bench.table.discovery, bench.table.relics)] == [[], []]
    assert len(bench.table.discovery.discard) == 3


def test_an_optional_rule_passed_over_is_over() -> None:
    """13.2: DONE passes over all optional ones of that class and player in this window."""
    bench = Bench({"faction": "F17", "units": {A: "soldier"}}, {"faction": "F01"})
    bench.hold(0, ["D01"])
    event = Happening(Trigger.TURN_START, 0)
    window(bench, event, "done")
    assert bench.asked == [("RULE", 0, ["done", "option:0"])]
    window(bench, event, "option:0", "unit:miner")
    assert bench.table.players[0].once == {("F", 0)}
    assert bench.units(0, A) == ["miner"]


def test_a_launched_player_fires_nothing() -> None:
    """L4.10, V3.1: no Reaction, no rule; the modifiers go on."""
    event = Happening(Trigger.GATHERED, 1, kinds=(Kind.LORIUM,), n=2)
    bench = Bench({"faction": "F15"}, {"faction": "F01"}, {"faction": "F10"})
    bench.table.players[0].launched = True
    bench.hold(0, ["D74"])
    window(bench, event)
    assert bench.table.players[0].lorium == 0
    assert immune(bench.table, 0, Immunity.STEAL)


def test_no_reaction_at_the_bound() -> None:
    """V1.13: with ten programs in progress nothing fits."""
    event = Happening(Trigger.GATHERED, 1, kinds=(Kind.LORIUM,), n=2)
    bench = Bench({"faction": "F15"}, {"faction": "F01"}, {"faction": "F10"})
    bench.table.programs = bench.game.content.limits.programs
    bench.hold(0, ["D74"])
    window(bench, event)
    assert bench.table.players[0].lorium == 0


# ---------------------------------------------------------------------- flags and durations
def test_flags_are_free_again_in_time() -> None:
    """Section 8, V8.1: turn, round, cycle; a card that leaves its slot takes its flag along."""
    bench = Bench({"faction": "F03", "slots": [{"relic": "R45"}, None]}, {"faction": "F17"})
    mine, other = bench.table.players
    mine.once = {("F", 1), ("R", 0)}
    other.once = {("F", 0), ("F", 1)}
    reset_once(bench.table, Once.TURN, [0, 1])
    assert (mine.once, other.once) == ({("F", 1)}, {("F", 1)})
    reset_once(bench.table, Once.ROUND, [1])
    assert mine.once == {("F", 1)}
    reset_once(bench.table, Once.ROUND, [0])
    assert not mine.once
    reset_once(bench.table, Once.CYCLE, [0, 1])
    assert not other.once
    mine.once = {("R", 0)}
    discard_slot(bench.table, 0, 0)
    assert not mine.once


def test_grants_end_in_time() -> None:
    """Section 8: strike, combat, turn, round."""
    bench = Bench({}, {})
    mods = modifiers({"mod": "move", "n": 1})
    for duration in Duration:
        give(bench.table, 0, 1, mods, duration)
    left: list[int] = []
    for end in (
        lambda: end_of_strike(bench.table, 1),
        lambda: end_of_strike(bench.table, 0),
        lambda: end_of_resolution(bench.table),
        lambda: end_of_turn(bench.table),
        lambda: turn_of(bench.table, 0),
        lambda: turn_of(bench.table, 1),
    ):
        end()
        left.append(total(bench.table, 0, Mod.MOVE))
    assert left == [4, 3, 2, 1, 1, 0]


def test_a_grant_for_a_strike_is_for_the_receivers_next_one() -> None:
    """Section 8: whoever strikes first; a Combat's grants last for all Strikes."""
    die = {"mod": "dice", "n": 1, "colour": "red", "per": "strike"}
    script = {
        "attacker_strike_die": ["reroll yellow"] * 4,
        "defender_strike_die": ["reroll red"] * 4,
        "red_die": ["1"] * 40,
        "yellow_die": ["1"] * 40,
    }
    bench = Bench(*FIGHT, combats={A: 0}, script=script)
    give(bench.table, 0, 0, modifiers(die), Duration.STRIKE)
    give(bench.table, 1, 1, modifiers(die), Duration.COMBAT)
    answers: list[str] = []
    flow = resolve(bench.table, space(A), 1, 1)
    item: Any = next(flow)
    for _ in range(60):
        kind = item.kind.name
        if kind == "STRIKE_OR_FLEE":
            answers.append("strike")
            if len(answers) == 5:
                break
        names = {bench.name(a, item.kind): a for a in item.options}
        item = flow.send(names.get("strike", names.get("done", item.options[0])))
    strikes = [e[4] for e, _ in bench.table.events if e[0] == EventKind.STRIKE]
    assert strikes[:4] == [2 + 1, 2 + 1, 2 + 1, 2]


def test_round_grants_survive_a_position_document() -> None:
    """Section 16 of the protocol: what can be in force when a turn starts is written down."""
    game = build(
        make_options(players=3, abilities=True, molten_core=True, events=True), load_content(), "reference"
    )
    ion = {"player": 1, "by": 2, "mods": [{"mod": "move", "n": -1}], "for": "round"}
    ion["mods"] = [
        {"mod": "deny", "actions": ["jumpjet", "cyber"]},
        {"mod": "move", "n": -1, "types": ["unit"]},
    ]
    ships = ["savannah-4-2", "forest-4-2", "rocky-4-2"]
    players: list[dict[str, Any]] = [{"ship": s} for s in ships]
    players[1]["units"] = {A: {"soldier": 2}}
    players[1]["confused"] = {A: {"soldier": 1}}
    state = game.state_from_position({"version": 1, "players": players, "grants": [ion]}, 3)
    assert is_loadable(state.table, state._decision)
    doc = state.to_position()
    assert [g["by"] for g in doc["grants"]] == [2]
    assert doc["players"][1]["confused"] == [[space(A), [1, 0, 0]]]
    assert game.state_from_position(doc).to_position() == doc
    assert denied(state.table, 1, Denial.CYBER)


# ---------------------------------------------------------------------- modifiers
def test_sums_are_clamped_once() -> None:
    """Section 6: added up over all sources, then to the printed value, then clamped."""
    bench = Bench({"units": {A: "soldier"}}, {})
    unit = bench.unit(0, A, "soldier")
    for n in (-9, 8):
        give(bench.table, 0, 0, modifiers({"mod": "health", "n": n, "types": ["soldier"]}), Duration.TURN)
    assert health_of(bench.table, unit) == (3,)
    give(bench.table, 0, 0, modifiers({"mod": "health", "n": -9}), Duration.TURN)
    assert health_of(bench.table, unit) == (1,)


def test_roles_count_on_their_side_only() -> None:
    """Section 6: ``role`` attacker or defender."""
    bench = Bench(*FIGHT, combats={A: 0})
    mod = {"mod": "rerolls", "n": 2, "colour": "red", "role": "defender"}
    for seat in (0, 1):
        give(bench.table, seat, seat, modifiers(mod), Duration.TURN)
    assert by_colour(bench.table, 0, Mod.REROLLS, Role.ATTACKER)[DieColour.RED] == 0
    assert by_colour(bench.table, 1, Mod.REROLLS, Role.DEFENDER)[DieColour.RED] == 2


@pytest.mark.parametrize(
    ("claims", "relics", "first"),
    [
        ({}, (None, None), 1),
        ({}, (None, "R17"), 1),
        ({Source.REACTION: Role.ATTACKER}, (None, "R17"), 0),
        ({Source.ACTION: Role.ATTACKER}, (None, "R17"), 0),
        ({Source.FACTION: Role.ATTACKER}, (None, "R17"), 1),
        ({Source.FACTION: Role.ATTACKER}, (None, None), 0),
    ],
)
def test_first_strike_by_class(
    claims: dict[Source, Role], relics: tuple[str | None, str | None], first: int
) -> None:
    """V7.7: the claim of the highest class holds; First-Light Prism claims as a Relic for the Defender."""
    players = [dict(p) for p in FIGHT]
    for player, relic in zip(players, relics, strict=True):
        if relic is not None:
            player["slots"] = [{"relic": relic}, None]
    bench = Bench(*players, combats={A: 0})
    running = Resolution(bench.table, space(A), True)

    def claiming(event: Happening) -> Any:
        event.claims.update(claims)
        yield from ()
        return event

    original = combat.fire
    combat.fire = lambda game, event: claiming(event)
    try:
        role = bench.drive(running._first_strike(1, 1, None), [])
    finally:
        combat.fire = original
    assert running.seat(role) == first


# ---------------------------------------------------------------------- Confused Troops
def confused_fight() -> Bench:
    bench = Bench(*FIGHT, combats={A: 0})
    bench.unit(1, A, "speaker").confused = True
    return bench


def test_confused_troops_in_a_combat() -> None:
    """D7.1, D7.9, D7.10: no dice, no flight; a side of them alone cannot choose anything."""
    bench = confused_fight()
    here = bench.table.spaces[space(A)]
    assert count_dice(bench.table, 1, here.of(1), Role.DEFENDER) == (1, 0)
    bench.unit(1, A, "soldier").confused = True
    assert count_dice(bench.table, 1, here.of(1), Role.DEFENDER) == (0, 0)
    assert flee_spaces(bench.table, space(A), 1) == []
    bench.drive(resolve(bench.table, space(A), 1, 1), [])
    assert len(bench.table.captives(0)) == 2


def test_who_is_left_behind_by_a_flight() -> None:
    """D7.9: outside a resolution Confused Troops stay, and the Combat with them."""
    bench = confused_fight()
    end = f"space:{flee_spaces(bench.table, space(A), 1)[0]}"
    left, fled = bench.drive(flee_by_effect(bench.table, 1, final_strike=False), [end])
    assert left == space(A)
    assert [u.type for u, _ in fled] == [UnitType.SOLDIER]
    assert bench.units(1, A) == ["speaker?"]
    assert bench.table.spaces[space(A)].is_combat


def test_recovery_is_of_a_type() -> None:
    """D7.2: all of a player's Troops of the type, Locked or Unlocked then."""
    bench = Bench({"units": {A: "2 soldier, miner", B: "soldier"}}, {})
    for unit in bench.table.on_planet(0):
        unit.confused = True
    recover(bench.table, 0, UnitType.SOLDIER)
    assert bench.units(0, A) == ["miner?", "soldier", "soldier"]
    assert bench.units(0, B) == ["soldier"]
    assert len(emitted(bench, EventKind.CONFUSE)) == 3


def test_like_units_by_state_and_marks() -> None:
    """V3.3, C97: Confused ones after the others, then by marks, an attacker last."""
    bench = Bench({"units": {A: "3 soldier"}}, {})
    one, two, three = bench.table.on_planet(0)
    one.marks, two.marks = {Mark.PART, Mark.ONCE}, {Mark.PART, Mark.ACTED}
    three.confused = True
    assert line_up([three, one, two]) == [two, one, three]
    one.marks = set(two.marks)
    two.attacking = True
    assert line_up([three, two, one]) == [one, two, three]
    assert units("soldier") == [1, 0, 0, 0, 0]


def test_the_frame_of_an_event() -> None:
    """V7.1: $player is the cause, or for the cause itself the affected player."""
    event = Happening(Trigger.STRIKE_START, 0, 1, space=5)
    assert event.registers(0).player == 1
    assert event.registers(1).player == 0
    assert event.registers(2).player == 0
    assert Frame(0, Source.ACTION, "", Registers()).probe().regs is not event.registers(0)
