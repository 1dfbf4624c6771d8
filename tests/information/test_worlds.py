"""`resample`: worlds agree with what a seat knows, at every kind of decision of random games; bad input."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from abilities import everything
from worlds import assert_sound

import cysmic_fast
from cysmic_fast.errors import OptionError, PositionError
from cysmic_fast.game import make_game
from cysmic_fast.options import make_options
from cysmic_fast.policies import RandomPolicy
from cysmic_fast.vocabulary import DecisionKind, EventKind

#: Kinds of which every game shows several; the others are looked at whenever they come up.
OFTEN = 3
GAMES: dict[str, Callable[[str], Any]] = {
    "2 players": lambda engine: cysmic_fast.load_game(players=2, engine=engine),
    "6 players, Factions": lambda engine: cysmic_fast.load_game(players=6, factions=True, engine=engine),
    "core rules": lambda engine: cysmic_fast.load_game(players=3, abilities=False, engine=engine),
    "all cards": lambda engine: make_game(
        make_options("competitive", players=4, factions=True, molten_core=True, events=True),
        everything(),
        engine,
    ),
    "Molten Core": lambda engine: cysmic_fast.load_game(players=3, molten_core=True, engine=engine),
}


def hidden(state: Any, viewer: int) -> tuple[Any, ...]:
    """What a seat cannot see, as far as a snapshot tells."""
    doc = state.snapshot()
    others = [p for seat, p in enumerate(doc["players"]) if seat != viewer]
    return (
        doc["discovery"]["draw"],
        doc["relics"]["draw"],
        [(p["discovery"], p["relics"], p["hand"], p["board"], p["faction"]) for p in others],
    )


def assert_world(state: Any, world: Any, viewer: int) -> None:
    """A world for a seat is like the state in all that the seat sees, and sound."""
    assert_sound(world)
    assert world.view(viewer) == state.view(viewer)
    assert world.decision() == state.decision()
    assert world.current_player() == state.current_player()
    if state.current_player() == viewer:
        assert world.legal_actions() == state.legal_actions()
    elif not state.is_terminal():
        assert len(world.legal_actions()) >= 2
    assert world.returns() == state.returns()
    assert world.events() == []
    before, after = state.snapshot(), world.snapshot()
    assert before["players"][viewer] == after["players"][viewer]
    for pile in ("discovery", "relics"):
        assert before[pile]["discard"] == after[pile]["discard"]
        assert len(before[pile]["draw"]) == len(after[pile]["draw"])
    for one, other in zip(before["players"], after["players"], strict=True):
        for cards in ("discovery", "relics", "hand"):
            assert len(one[cards]) == len(other[cards])
        burned = [{*p["hand"], *(b for b, _ in p["board"] if b)} for p in (one, other)]
        assert burned[0] == burned[1]
        open_things = [{k: v for k, v in p.items() if k not in HIDDEN} for p in (one, other)]
        assert open_things[0] == open_things[1]
        assert [played for _, played in one["board"]] == [played for _, played in other["board"]]


HIDDEN = {"discovery", "relics", "hand", "board", "faction"}


def play_on(world: Any, seed: int, most: int) -> None:
    """A world can be played on, and is as sound as any state."""
    policy = RandomPolicy(seed, 1)
    for step in range(most):
        if world.is_terminal():
            return
        world.apply_action(policy(world))
        if step % 25 == 0:
            assert_sound(world)
    assert_sound(world)


def test_who_sees_what_is_received(engine: str) -> None:
    """J10: that a card has come to a hand is told to all, which one to its new owner alone."""
    state = cysmic_fast.play_random_game(GAMES["all cards"](engine), 3, record=True)
    everything_told = [e for e in state.events() if e[0] == EventKind.RECEIVE]
    assert len(everything_told) > 50
    for seat in range(4):
        seen = [e for e in state.events(seat) if e[0] == EventKind.RECEIVE]
        assert seen == [e if e[1] == seat else (*e[:3], -1, e[4]) for e in everything_told]


@pytest.mark.parametrize("name", GAMES)
def test_worlds_agree_with_the_view_at_every_kind_of_decision(name: str) -> None:
    """I20 to I26, J13, J14: for every seat, finished games included."""
    game = GAMES[name]("native")
    looked_at: dict[DecisionKind, int] = {}
    changed = 0
    choose = random.Random(name)
    for seed in range(3):
        state = game.new_initial_state(seed, record=True)
        policy = RandomPolicy(seed)
        while True:
            assert_sound(state)
            kind = state.decision()
            looked_at[kind] = looked_at.get(kind, 0) + 1
            if looked_at[kind] <= OFTEN or choose.random() < 0.002 or state.is_terminal():
                for viewer in range(game.num_players):
                    key = choose.randrange(2**64)
                    world = state.resample(viewer, key)
                    assert_world(state, world, viewer)
                    assert hidden(world, viewer) == hidden(state.resample(viewer, key), viewer)
                    changed += hidden(world, viewer) != hidden(state, viewer)
                    # a world tells nothing of the state it was drawn from: it has the same worlds
                    assert hidden(world.resample(viewer, 7), viewer) == hidden(
                        state.resample(viewer, 7), viewer
                    )
                    if choose.random() < 0.05:
                        play_on(world, seed, 100_000 if choose.random() < 0.1 else 150)
            if state.is_terminal():
                break
            state.apply_action(policy(state))
    assert changed > 100
    assert len(looked_at) > 40


@pytest.mark.parametrize("name", ["all cards", "core rules"])
def test_worlds_of_the_reference_engine(name: str) -> None:
    """I20 to I22, I26, J13, J16: at the starts of turns; elsewhere it says that it cannot."""
    game = GAMES[name]("reference")
    state = game.new_initial_state(2, record=True)
    policy = RandomPolicy(2)
    choose = random.Random(2)
    changed = refused = 0
    for step in range(400):
        if state.is_terminal():
            break
        state.apply_action(policy(state))
        if step % 10 == 0:
            assert_sound(state)
        try:
            state.to_position()
        except PositionError:
            with pytest.raises(PositionError, match="start of a turn"):
                state.resample(0, 1)
            refused += 1
            continue
        for viewer in range(game.num_players):
            world = state.resample(viewer, choose.randrange(2**64))
            assert_world(state, world, viewer)
            changed += hidden(world, viewer) != hidden(state, viewer)
            other = world.resample((viewer + 1) % game.num_players, 3)
            assert_world(world, other, (viewer + 1) % game.num_players)
        if choose.random() < 0.2:
            play_on(other, 7, 60)
    assert changed > 20
    assert refused > 20


def seen_by(state: Any, seat: int) -> dict[str, Any]:
    """All that a bot in a seat, or a person, may look at; the record aside."""
    return {
        "observation": state.observation(seat).tobytes(),
        "view": json.dumps(state.view(seat)),
        "text": cysmic_fast.view_text(state, seat),
        "repr": repr(state),
        "legal actions": state.legal_actions() if state.current_player() == seat else None,
        "decision": (state.current_player(), state.decision() if state.current_player() == seat else None),
        "results": (state.round, state.active_player, state.returns(), state.winners(), state.end_reason()),
    }


@pytest.mark.parametrize("name", GAMES)
def test_nothing_that_a_seat_looks_at_tells_what_is_hidden(name: str) -> None:
    """I1, I11, I20 to I24: whatever is drawn anew, what a seat sees is the same, byte for byte, at every
    decision; for all seats where the kind is rare and when the game is over.
    """
    game = GAMES[name]("native")
    state = game.new_initial_state(31)
    policy = RandomPolicy(31)
    changed = step = 0
    kinds: Counter[DecisionKind] = Counter()
    while True:
        over = state.is_terminal()
        kinds[state.decision()] += 1
        if over or step < 1200 or kinds[state.decision()] <= OFTEN:
            all_of_them = over or kinds[state.decision()] <= OFTEN
            for viewer in range(game.num_players) if all_of_them else [step % game.num_players]:
                world = state.resample(viewer, step)
                assert seen_by(world, viewer) == seen_by(state, viewer)
                changed += hidden(world, viewer) != hidden(state, viewer)
        if over:
            break
        state.apply_action(policy(state))
        step += 1
    assert changed > 200


#: Answers that name something hidden (J10).
HIDING = {
    DecisionKind.BURN,
    DecisionKind.RECLAIM,
    DecisionKind.KEEP_RELIC,
    DecisionKind.SCRY_KEEP,
    DecisionKind.SCRY_PUT,
    DecisionKind.TRADE_CARD,
    DecisionKind.TRADE_RELIC,
    DecisionKind.PAY_CARD,
    DecisionKind.PAY_RELIC,
    DecisionKind.CHOOSE_FACTION,
}


def may_hide(event: tuple[int, ...]) -> bool:
    """Whether an event of another can have something in it that a seat must not see."""
    kind, _, first, *_ = event
    if kind == EventKind.CHOICE:
        return first in HIDING
    return kind in (EventKind.DRAW, EventKind.RECEIVE)


@pytest.mark.parametrize("name", GAMES)
def test_a_record_tells_no_more_than_what_is_seen(name: str) -> None:
    """I11, J10: two worlds that look alike to a seat, with the same chance and the same answers. Its records
    are the same until something open sets the worlds apart; what is hidden in them may differ.
    """
    game = GAMES[name]("native")
    policy, choose = RandomPolicy(8), random.Random(8)
    state = game.new_initial_state(8)
    compared = hiding = apart = 0
    for step in range(1000):
        if state.is_terminal():
            break
        for viewer in range(game.num_players) if step % 4 == 0 else []:
            here, there = (
                game.state_from_bytes(world.to_bytes(), record=True)
                for world in (state.clone(step), state.resample(viewer, step))
            )
            for _ in range(6):
                both = sorted({*here.legal_actions()} & {*there.legal_actions()})
                if not both:
                    break
                action = choose.choice(both)
                here.apply_action(action)
                there.apply_action(action)
                records = here.events(viewer), there.events(viewer)
                for one, other in zip(*records, strict=False):
                    if one != other:
                        is_open = not may_hide(one) or one[:3] != other[:3] or one[1] == viewer
                        assert is_open, (step, viewer, one, other)
                        break
                compared += len(records[0])
                hiding += here.events() != there.events() and records[0] == records[1]
                apart += records[0] != records[1]
                if records[0] != records[1] or here.view(viewer) != there.view(viewer):
                    break
        state.apply_action(policy(state))
    assert compared > 1000
    assert hiding > 5
    assert apart < compared / 50


@pytest.mark.parametrize("name", GAMES)
def test_the_text_of_a_view_is_the_same_on_both_engines(name: str) -> None:
    """Seats that look on read no Burned card, and no card that their view does not have."""
    native, reference = (GAMES[name](engine).new_initial_state(17) for engine in ("native", "reference"))
    policy = RandomPolicy(17)
    card = re.compile(r"\b[DPR]\d\d\b")
    burned = own = 0
    for _ in range(250):
        if native.is_terminal():
            break
        action = policy(native)
        native.apply_action(action)
        reference.apply_action(action)
        assert repr(native).replace("native", "reference") == repr(reference)
        for seat in range(native.game.num_players):
            text = cysmic_fast.view_text(native, seat)
            assert text == cysmic_fast.view_text(reference, seat)
            head, *lines = text.splitlines()
            view = native.view(seat)
            asked = view["decision"]
            if asked is not None and asked["player"] != seat:
                assert "options" not in head
            assert set(card.findall("\n".join(lines))) <= set(card.findall(json.dumps(view)))
            boards = [line for line in lines if line.startswith("  board: ")]
            for other, player in enumerate(native.snapshot()["players"]):
                for place, (lies, _) in zip(boards[other].split()[1:], player["board"], strict=True):
                    if lies is not None:
                        assert place.split("/")[0] == (lies if other == seat else "hidden")
                        burned += other != seat
                        own += other == seat
    assert burned > 50
    assert own > 20


@pytest.mark.parametrize("state", [None, 3, "x", [], object()])
def test_the_text_of_what_is_no_state(state: Any) -> None:
    with pytest.raises(OptionError, match="allowed: a state"):
        cysmic_fast.view_text(state, 0)
    good = cysmic_fast.load_game(players=2).new_initial_state(1)
    for seat in (-1, 2, None, "0"):
        with pytest.raises(OptionError, match="player"):
            cysmic_fast.view_text(good, seat)  # type: ignore[arg-type]


def test_all_seats_of_a_world_can_go_on_guessing() -> None:
    """J13: worlds of worlds, for any seats, stay sound."""
    game = cysmic_fast.load_game(players=4, engine="native")
    state = game.new_initial_state(11)
    policy = RandomPolicy(11)
    choose = random.Random(5)
    for step in range(1500):
        if state.is_terminal():
            break
        state.apply_action(policy(state))
        if step % 50 == 0:
            viewer = choose.randrange(4)
            world = state.resample(viewer, step)
            assert_world(state, world, viewer)
            other = choose.randrange(4)
            assert_world(world, world.resample(other, 3), other)
            state = world
    assert_sound(state)


def test_chance_goes_on_with_the_new_key(engine: str) -> None:
    """I26: key (seed, same index), all words at 0; script and record are dropped; the original stays."""
    game = cysmic_fast.load_game(players=2, engine=engine)
    state = game.new_initial_state(3, index=5, record=True, script={"first_player": ["blue"]})
    state.script({"red_die": ["1"] * 3})
    before, events = state.snapshot(), state.events()
    world = state.resample(0, 77)
    assert world.snapshot()["chance"] == {"seed": 77, "index": 5, "words": [0, 0, 0]}
    assert world.events() == []
    assert (state.snapshot(), state.events()) == (before, events)
    assert world.game is state.game


def test_a_world_is_the_same_on_any_machine(engine: str) -> None:
    """I26: a golden world; its words are the native engine's own affair."""
    if engine != "native":
        pytest.skip("another engine draws in another way")
    game = cysmic_fast.load_game(players=3, engine=engine)
    state = game.new_initial_state(8)
    policy = RandomPolicy(8)
    for _ in range(300):
        state.apply_action(policy(state))
    world = state.resample(1, 2**64 - 1).snapshot()
    assert world["discovery"]["draw"][:6] == GOLDEN


GOLDEN = ["D33", "D42", "D34", "D31", "D07", "D77"]


@pytest.mark.parametrize("player", [-1, 3, 2**70, 1.0, "0", None, True])
def test_a_seat_that_does_not_exist(engine: str, player: Any) -> None:
    """J15."""
    state = cysmic_fast.load_game(players=3, engine=engine).new_initial_state(1, record=True)
    with pytest.raises(OptionError, match="player"):
        state.view(player)
    with pytest.raises(OptionError, match="player"):
        state.resample(player, 1)
    if player is not None:
        with pytest.raises(OptionError, match="player"):
            state.events(player)


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, "1", None, False])
def test_a_seed_that_is_none(engine: str, seed: Any) -> None:
    """J15."""
    state = cysmic_fast.load_game(players=2, engine=engine).new_initial_state(1)
    before = state.snapshot()
    with pytest.raises(OptionError, match="seed"):
        state.resample(0, seed)
    assert state.snapshot() == before


def test_numpy_integers_are_seats_and_seeds(engine: str) -> None:
    state = cysmic_fast.load_game(players=2, engine=engine).new_initial_state(1)
    world = state.resample(np.int8(1), np.uint64(9))
    assert world.view(np.int64(1)) == state.view(1)
    assert world.snapshot() == state.resample(1, 9).snapshot()


def test_positions_and_clones_keep_what_is_known(engine: str) -> None:
    """J01: a clone knows what the state knows; a position starts anew."""
    game = cysmic_fast.load_game(players=4, engine=engine)
    state = game.new_initial_state(21)
    policy = RandomPolicy(21)
    while not any(state.view(v)["discovery"]["placed"] for v in range(4)) and not state.is_terminal():
        state.apply_action(policy(state))
    copies = [state.clone(), state.clone(seed=4)]
    for copy in copies:
        assert [copy.view(v) for v in range(4)] == [state.view(v) for v in range(4)]
    before = [state.view(v) for v in range(4)]
    play_on(copies[0], 1, 100)
    assert [state.view(v) for v in range(4)] == before


def test_an_action_refused_leaves_knowledge_alone(engine: str) -> None:
    """A script that cannot be is told at the draw; what the seats know is as before."""
    game = cysmic_fast.load_game(players=2, engine=engine)
    state = game.new_initial_state(5)
    policy = RandomPolicy(5)
    refused = 0
    for _ in range(1500 if engine == "native" else 600):
        if state.is_terminal():
            break
        action = policy(state)
        trial = state.clone()
        trial.script({"discovery_shuffle": [["nothing"]], "fracture_token": ["nothing"]})
        before = [trial.view(v) for v in range(2)]
        try:
            trial.apply_action(action)
        except cysmic_fast.ChanceError:
            refused += 1
            assert [trial.view(v) for v in range(2)] == before
        state.apply_action(action)
        if refused and engine == "reference":  # it is slow
            break
    assert refused
