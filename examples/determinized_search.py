"""A bot that plays fair: it guesses the hidden cards, plays each guess on at random, takes the best action.

``resample`` gives a world that agrees with everything the bot's seat knows, so that the bot never looks at
cards that it could not see.
"""

import cysmic_fast
from cysmic_fast.policies import RandomPolicy

HORIZON = 60  # decisions of a playout


def value(state: cysmic_fast.State, seat: int) -> float:
    """How far a seat has come: a Launch, else Blueprints, Modules, Influence."""
    if state.is_terminal() and state.returns()[seat]:
        return 100.0
    me = state.view(seat)["players"][seat]
    return 3 * len(me["modules"]) + len(me["blueprints"]) + 0.1 * state.influence(seat)


def best_action(state: cysmic_fast.State, worlds: int, seed: int) -> int:
    seat = state.current_player()
    totals = dict.fromkeys(state.legal_actions(), 0.0)
    for number in range(worlds):
        world = state.resample(seat, seed + number)  # the same for all actions, so that luck evens out
        for action in totals:
            trial = world.clone()
            policy = RandomPolicy(seed, number)
            trial.apply_action(action)
            for _ in range(HORIZON):
                if trial.is_terminal():
                    break
                trial.apply_action(policy(trial))
            totals[action] += value(trial, seat)
    return max(totals, key=lambda action: totals[action])


game = cysmic_fast.load_game("competitive", players=3)
state = game.new_initial_state(seed=5)
opening = RandomPolicy(5)
while state.round < 3:
    state.apply_action(opening(state))
for step in range(12):
    action = best_action(state, worlds=4, seed=1000 * step)
    print(f"seat {state.current_player()} {state.decision().name}: {state.action_to_string(action)}")
    state.apply_action(action)
