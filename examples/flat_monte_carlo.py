"""A small bot: tries every legal action with a few random playouts and takes the one that built most.

It shows the loop every search is made of: clone with a fresh future, play out, look at the result.
"""

import cysmic_fast
from cysmic_fast.policies import RandomPolicy

HORIZON = 40  # decisions of a playout


def value(state: cysmic_fast.State, seat: int) -> float:
    """How far a seat has come: Blueprints, Modules, Influence."""
    me = state.snapshot()["players"][seat]
    return 3 * len(me["modules"]) + len(me["blueprints"]) + 0.1 * state.influence(seat)


def best_action(state: cysmic_fast.State, playouts: int, seed: int) -> int:
    seat = state.current_player()
    totals = {}
    for action in state.legal_actions():
        totals[action] = 0.0
        for number in range(playouts):
            trial = state.clone(seed=seed + number)  # same position, other dice
            policy = RandomPolicy(seed, number)
            trial.apply_action(action)
            for _ in range(HORIZON):
                if trial.is_terminal():
                    break
                trial.apply_action(policy(trial))
            totals[action] += value(trial, seat)
    return max(totals, key=lambda action: totals[action])


game = cysmic_fast.load_game("competitive", players=2)
state = game.new_initial_state(seed=5)
for step in range(12):
    action = best_action(state, playouts=3, seed=1000 * step)
    print(f"seat {state.current_player()} {state.decision().name}: {state.action_to_string(action)}")
    state.apply_action(action)
