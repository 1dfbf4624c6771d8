"""Random games of every configuration: invariants, clones, reloaded positions, records."""

from __future__ import annotations

import random
from typing import Any

import pytest
from reference_invariants import check_state
from reference_play import eager, lively, make_game

from cysmic_fast.options import END_TRIGGERS, LAUNCHES
from cysmic_fast.vocabulary import DecisionKind, EventKind

STARTS = (
    DecisionKind.BURN,
    DecisionKind.RECLAIM,
    DecisionKind.RELIC_WINDOW,
    DecisionKind.REACT,
    DecisionKind.RULE,
    DecisionKind.PLACE_SHIP,
)


def configuration(seed: int) -> dict[str, Any]:
    """Options that vary with the seed; all player counts, endings and variants occur."""
    rng = random.Random(seed)
    players = 2 + seed % 5
    options: dict[str, Any] = {
        "players": players,
        "factions": rng.random() < 0.5,
        "molten_core": rng.random() < 0.5,
        "events": rng.random() < 0.5,
        "launch": LAUNCHES[seed % 4],
        "end_trigger": END_TRIGGERS[seed % 3],
        "trading": rng.random() < 0.8,
        "abilities": rng.random() < 0.8,
        "max_rounds": 14,
    }
    if players <= 3 and rng.random() < 0.6:
        options["blueprint_variant"] = rng.randint(1, 4 - players)
    if rng.random() < 0.4:
        options["echoes"] = {0: {"soldier": rng.randint(1, 9), "miner": rng.randint(1, 6)}}
    return options


def same(a: Any, b: Any) -> bool:
    """Two states that cannot be told apart."""
    return (a.snapshot(), a.legal_actions(), a.current_player(), a.decision()) == (
        b.snapshot(),
        b.legal_actions(),
        b.current_player(),
        b.decision(),
    )


def drive(state: Any, rng: random.Random, most: int, *, settled: bool = True) -> None:
    """Play on, checking every state, with clones and reloaded positions following now and then.

    ``settled`` False: limits may change between two turns, so that of T7.2 nothing is known.
    """
    twins: list[Any] = []
    for step in range(most):
        check_state(state, settled=settled and step > 0)
        if state.is_terminal():
            break
        assert all(same(state, twin) for twin in twins)
        if step % 40 == 0:
            twins = [state.clone()]
        if rng.random() < 0.1 and state.table.fresh and state.decision() in STARTS:
            doc = state.to_position()
            twins = [state.game.state_from_position(doc)]
            assert twins[0].to_position() == doc
        action = eager(state, rng)
        for one in [state, *twins]:
            one.apply_action(action)


@pytest.mark.parametrize("seed", range(15))
def test_whole_games(seed: int) -> None:
    """From set-up to the end."""
    state = make_game(**configuration(seed)).new_initial_state(seed, record=True)
    drive(state, random.Random(seed), 800)
    kinds = [e[0] for e in state.events()]
    if state.is_terminal():
        assert kinds.count(EventKind.GAME_OVER) == 1
        assert kinds[-1] == EventKind.GAME_OVER
        assert state.returns() == [float(s in state.winners()) for s in range(state.game.num_players)]


@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("seed", range(4))
def test_everything_in_play(players: int, seed: int) -> None:
    """Factions, Molten Core and Events together, for every number of players."""
    rng = random.Random(f"{players} {seed}")
    game = make_game(players=players, factions=True, molten_core=True, events=True, max_rounds=14)
    state = game.state_from_position(lively(game, rng), seed) if seed % 2 else game.new_initial_state(seed)
    drive(state, rng, 200)


@pytest.mark.parametrize("seed", range(60))
def test_lively_positions(seed: int) -> None:
    """From positions with Units everywhere, Combats, prisoners and nearly completed Ships."""
    game, rng = make_game(**configuration(seed)), random.Random(seed)
    drive(game.state_from_position(lively(game, rng), seed), rng, 250)


def test_simulated_games_are_the_games_of_the_random_policy() -> None:
    """``simulate`` counts exactly what playing decision by decision shows."""
    from cysmic_fast.policies import RandomPolicy

    game = make_game(players=3, max_rounds=20)
    record = game.simulate(5, 7, 1)[0]
    state, policy = game.new_initial_state(5, index=7, record=True), RandomPolicy(5, 7)
    asked = options = 0
    while not state.is_terminal():
        legal = state.legal_actions()
        asked, options = asked + 1, options + len(legal)
        state.apply_action(policy.choose(legal))
    assert (record["decisions"], record["options"]) == (asked, options)
    events = state.events()
    assert record["forced"] == sum(e[0] == EventKind.CHOICE and e[4] == 1 for e in events)
    assert record["tremors"] == sum(e[0] == EventKind.TREMOR for e in events)
    assert record["fractures"] == sum(e[0] == EventKind.FRACTURE for e in events)
    assert record["collapsed"] == sum(e[0] == EventKind.COLLAPSE for e in events)
    assert record["strikes"] == sum(e[0] == EventKind.STRIKE for e in events)
    assert record["captures"] == sum(e[0] == EventKind.CAPTURE and e[4] >= 0 for e in events)
    assert record["destroyed"] == sum(e[0] == EventKind.LEAVE and e[4] == 0 for e in events)
    assert record["rounds"] == state.round == 20
    assert record["reason"] == state.end_reason() == 2
