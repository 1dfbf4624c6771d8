"""Playouts: how strong a position is, and a bot that asks playouts for advice."""

import cysmic_fast

game = cysmic_fast.load_game("competitive", players=3)

# Whole games, all seats by the rule of thumb that is after a Launch.
print(cysmic_fast.rollouts(game, 200, "playout", threads=2, seed=1))

# One good player among careless ones.
mixed = cysmic_fast.rollouts(game, 200, ["playout", "random", "random"], seed=1)
print("\nwin rate of seat 0 against two random players:", mixed.win_rate[0], mixed.win_interval[0])

# A choice by playouts: every legal action, the same futures for each.
state = game.new_initial_state(seed=5)
seat = state.current_player()
values = {}
for action in state.legal_actions():
    trial = state.clone()
    trial.apply_action(action)
    values[action] = cysmic_fast.rollouts(trial, 40, "playout", seed=9).mean_returns[seat]
best = max(values, key=lambda action: values[action])
print(f"\nseat {seat}, {state.decision().name}: {state.action_to_string(best)}, won in {values[best]:.0%}")


# Cut short and valued by a function of ours: who has built most.
def progress(state: cysmic_fast.State) -> list[float]:
    return [len(player["modules"]) / 6 for player in state.snapshot()["players"]]


short = cysmic_fast.rollouts(state, 50, "playout", cutoff=400, evaluator=progress, per_game=True)
assert short.returns is not None
print("\nmean progress by seat:", [round(value, 2) for value in short.mean_returns], short.returns.shape)
