"""Playing through the public interface: determinism, clones, scripts, threads; on both engines."""

from __future__ import annotations

import json
import random
from typing import Any

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import cysmic_fast
from cysmic_fast import vocabulary as v
from cysmic_fast.errors import PositionError
from cysmic_fast.policies import RandomPolicy


def load(engine: str, **options: Any) -> Any:
    return cysmic_fast.load_game("competitive", engine=engine, **{"players": 3, "max_rounds": 4, **options})


def play(state: Any, decisions: int, seed: int = 0) -> list[int]:
    """Plays on at random; returns the actions."""
    rng = random.Random(seed)
    actions = []
    for _ in range(decisions):
        if state.is_terminal():
            break
        actions.append(rng.choice(state.legal_actions()))
        state.apply_action(actions[-1])
    return actions


def test_a_game_has_what_the_interface_says(engine: str) -> None:
    from cysmic_fast.interface import Game, State

    game = load(engine)
    assert isinstance(game, Game)
    assert (game.engine, game.num_players, game.num_actions) == (engine, 3, v.NUM_ACTIONS)
    assert game.options.max_rounds == 4
    state = game.new_initial_state(5)
    assert isinstance(state, State)
    assert state.game is game
    assert game == load(engine)
    assert game != load(engine, players=4)
    assert engine in repr(game)


def test_masks_and_lists_agree(engine: str) -> None:
    state = load(engine).new_initial_state(5)
    while not state.is_terminal():
        legal, mask = state.legal_actions(), state.legal_actions_mask()
        assert mask.shape == (v.NUM_ACTIONS,)
        assert mask.dtype == np.bool_
        assert np.flatnonzero(mask).tolist() == legal
        assert len(legal) >= 2
        assert all(type(a) is int for a in legal)
        assert 0 <= state.current_player() < 3
        names = [state.action_to_string(a) for a in legal]
        assert len(set(names)) == len(names)
        play(state, 7, len(legal))
    assert state.end_reason() in (0, 1, 2)
    assert state.winners() == [s for s, r in enumerate(state.returns()) if r == 1.0]


def test_the_mask_is_a_copy(engine: str) -> None:
    state = load(engine).new_initial_state(5)
    legal = state.legal_actions()
    state.legal_actions_mask()[:] = True
    state.legal_actions().clear()
    assert state.legal_actions() == legal


def test_the_same_seed_is_the_same_game(engine: str) -> None:
    game = load(engine)
    one, two = (cysmic_fast.play_random_game(game, 9, 4, record=True) for _ in range(2))
    assert one.snapshot() == two.snapshot()
    assert one.events() == two.events()
    other = cysmic_fast.play_random_game(game, 9, 5)
    assert other.snapshot() != one.snapshot()


def test_simulate_plays_those_games(engine: str) -> None:
    game = load(engine, max_rounds=2)
    records = game.simulate(9, 3, 4)
    assert records.dtype == cysmic_fast.GAME_STATS
    for index, record in zip(range(3, 7), records, strict=True):
        state, policy = game.new_initial_state(9, index=index), RandomPolicy(9, index)
        decisions = options = 0
        while not state.is_terminal():
            legal = state.legal_actions()
            decisions, options = decisions + 1, options + len(legal)
            state.apply_action(policy.choose(legal))
        assert record["decisions"] == decisions
        assert record["options"] == options
        assert record["reason"] == state.end_reason()
        assert [s for s in range(3) if record["winners"] >> s & 1] == state.winners()


def test_threads_and_chunks_do_not_matter(engine: str) -> None:
    game = load(engine, max_rounds=1)
    count = 60 if engine == "native" else 6
    whole = game.simulate(2, 10, count)
    for threads in (1, 2, 3, 5):
        np.testing.assert_array_equal(game.simulate(2, 10, count, threads=threads), whole)
    parts = [game.simulate(2, 10 + k, 1) for k in range(count)]
    np.testing.assert_array_equal(np.concatenate(parts), whole)


def test_the_engines_play_the_same_games() -> None:
    one, two = load("reference", max_rounds=2), load("native", max_rounds=2)
    np.testing.assert_array_equal(one.simulate(3, 0, 5), two.simulate(3, 0, 5))


# ------------------------------------------------------------------ clones
def test_clones_are_exact_and_independent(engine: str) -> None:
    state = load(engine).new_initial_state(5)
    while not state.is_terminal():
        twin = state.clone()
        assert twin.snapshot() == state.snapshot()
        assert twin.game is state.game
        before = state.snapshot()
        actions = play(twin, 25, 1)
        assert state.snapshot() == before
        again = state.clone()
        for action in actions:
            again.apply_action(action)
        assert again.snapshot() == twin.snapshot()
        play(state, 23, 2)


def test_clones_with_a_seed_have_another_future(engine: str) -> None:
    state = load(engine).new_initial_state(5)
    play(state, 30)
    one, two, other = state.clone(seed=1), state.clone(seed=1), state.clone(seed=2)
    assert one.snapshot()["chance"] == {"seed": 1, "index": 0, "words": [0, 0, 0]}
    for twin in (one, two, other):
        assert twin.legal_actions() == state.legal_actions()
        play(twin, 200, 3)
    assert one.snapshot() == two.snapshot()
    assert one.snapshot() != other.snapshot()


def test_clones_copy_the_script_and_seeds_drop_it(engine: str) -> None:
    game = load(engine)
    state = game.new_initial_state(5)
    state.script({"red_die": ["6"] * 500, "yellow_die": ["1"] * 500})
    doubles = [state.clone(), state.clone()]
    for twin in doubles:
        play(twin, 400, 3)
    assert doubles[0].snapshot() == doubles[1].snapshot()


# ------------------------------------------------------------------ chance and events
def test_scripted_set_up(engine: str) -> None:
    layout = ["settlement", "camp", "tunl"]
    game = load(engine)
    state = game.new_initial_state(
        5,
        script={
            "first_player": ["grey"],
            "terrain_layout": [layout],
            "discovery_shuffle": [["D03", "D07"]],
        },
        record=True,
    )
    doc = state.snapshot()
    assert doc["first_player"] == 2
    assert [doc["tiles"][s] for s in (1, 7, 8)] == layout
    # From the First Player clockwise each draws one card (generic set-up).
    assert doc["players"][2]["discovery"] == ["D03"]
    assert doc["players"][0]["discovery"] == ["D07"]
    kinds = [e[0] for e in state.events()]
    assert kinds.count(v.EventKind.SHUFFLE) >= 8


def test_events_only_on_request(engine: str) -> None:
    game = load(engine)
    quiet, loud = game.new_initial_state(5), game.new_initial_state(5, record=True)
    play(quiet, 20)
    play(loud, 20)
    assert quiet.events() == []
    events = loud.events()
    assert sum(e[0] == v.EventKind.CHOICE and not e[4] for e in events) == 20
    assert all(isinstance(e, tuple) and len(e) == 5 and all(type(x) is int for x in e) for e in events)
    assert loud.clone().events() == events
    loud.clear_events()
    assert loud.events() == []
    assert loud.snapshot() == quiet.snapshot()


# ------------------------------------------------------------------ positions
def test_positions_come_back(engine: str) -> None:
    game = load(engine, max_rounds=8)
    state, found = game.new_initial_state(5), 0
    while not state.is_terminal():
        try:
            doc = state.to_position()
        except PositionError:
            assert state.snapshot()["phase"].startswith("mid_")
        else:
            found += 1
            assert doc == state.snapshot()
            assert doc["phase"] in ("turn", "setup")
            again = game.state_from_position(json.loads(json.dumps(doc)))
            assert again.to_position() == doc
            assert again.legal_actions() == state.legal_actions()
            twin = state.clone()
            play(again, 60, found)
            play(twin, 60, found)
            assert again.snapshot() == twin.snapshot()
        play(state, 1, found)
    assert found > 8


def test_rest_of_a_deck_is_shuffled(engine: str) -> None:
    game = load(engine)
    doc: dict[str, Any] = {
        "version": 1,
        "players": [{"ship": f"{terrain}-4-2"} for terrain in ("savannah", "forest", "rocky")],
        "discovery": {"draw": ["D07", "D03"], "discard": ["D04"]},
    }
    one, two = (game.state_from_position(doc, seed).to_position() for seed in (1, 2))
    deck = sorted(game.content.discovery[n].id for n in game.content.discovery_deck(False, False))
    for canonical in (one, two):
        assert canonical["discovery"]["draw"][:2] == ["D07", "D03"]
        assert sorted(canonical["discovery"]["draw"] + ["D04"]) == deck
    assert one["discovery"]["draw"] != two["discovery"]["draw"]
    scripted = game.state_from_position(doc, 1, script={"discovery_shuffle": [["D09"]]}).to_position()
    assert scripted["discovery"]["draw"][:3] == ["D07", "D03", "D09"]


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_legal_play_keeps_the_state_sound(engine: str, data: st.DataObject) -> None:
    """Random games from random seeds: every position met is one that the validator accepts."""
    from cysmic_fast.position import normalise_position

    players = data.draw(st.integers(2, 6))
    game = load(engine, players=players, max_rounds=3, molten_core=data.draw(st.booleans()))
    state = game.new_initial_state(
        data.draw(st.integers(0, 2**64 - 1)), index=data.draw(st.integers(0, 2**64 - 1))
    )
    moves = data.draw(st.lists(st.integers(0, 511), min_size=5, max_size=120))
    for move in moves:
        if state.is_terminal():
            break
        legal = state.legal_actions()
        state.apply_action(legal[move % len(legal)])
        doc = state.snapshot()
        loadable = {**doc, "phase": "setup" if doc["phase"].endswith("setup") else "turn"}
        if doc["phase"] in ("turn", "setup"):
            assert normalise_position(loadable, game.content, game.options) == doc


def test_text_of_a_state(engine: str) -> None:
    state = load(engine).new_initial_state(5)
    play(state, 40)
    text = str(state)
    assert v.DecisionKind(state.decision()).name in text
    assert "blue" in text
    play(state, 10**6)
    assert "over" in str(state)
