"""A loop as for reinforcement learning: 256 games side by side, observations and masks for a policy.

The policy here is a random one, in NumPy: put a network in the place of ``scores``.
"""

from __future__ import annotations

import numpy as np

import cysmic_fast

ROWS, STEPS = 256, 1500

game = cysmic_fast.load_game(players=2, max_rounds=20)
spec = cysmic_fast.observation_spec(game)
batch = cysmic_fast.Batch(game, ROWS, seed=1)
rng = np.random.default_rng(1)

# Everything that a step writes to is made once.
seen = np.empty((ROWS, spec.size), dtype=np.int8)
legal = np.empty((ROWS, cysmic_fast.NUM_ACTIONS), dtype=np.bool_)
scores = np.empty((ROWS, cysmic_fast.NUM_ACTIONS), dtype=np.float32)
ended = decisions = 0
reasons: dict[int, int] = {}

for _ in range(STEPS):
    batch.observe(out=seen)  # of the player who decides in each game
    batch.legal_mask_bool(out=legal)
    rng.random(out=scores, dtype=np.float32)  # a network would look at `seen`
    scores[~legal] = -1
    batch.step(scores.argmax(axis=1))
    over = batch.episode_ended  # such rows have begun their next game
    ended += int(over.sum())
    decisions += int(batch.final_lengths.sum())
    for reason in batch.reason[over].tolist():
        reasons[reason] = reasons.get(reason, 0) + 1

assert ended > 0
names = {0: "Launch", 1: "no tiles left", 2: "round cap"}
print(f"{ended} games ended, {decisions / ended:.0f} decisions each")
print({names[reason]: count for reason, count in sorted(reasons.items())})
