"""Plays a game, takes something back, writes a replay and checks it: ``python examples/replay.py [FILE]``."""

import random
import sys

import cysmic_fast

history = cysmic_fast.History(cysmic_fast.load_game("competitive", players=3, max_rounds=4), seed=7)
rng = random.Random(1)
while not history.state.is_terminal():
    history.apply_action(rng.choice(history.state.legal_actions()))

history.undo(10)  # the last ten actions, dice and cards too
print("ten actions ago:", history.state)
history.redo(10)

file = sys.argv[1] if len(sys.argv) > 1 else "game.jsonl"
history.to_replay(players=["Ann", "Bob", "Cat"]).write(file)
final = cysmic_fast.Replay.read(file).verify(engine="reference")  # by the other engine
print(f"{len(history)} actions, the replay holds; read it with: cysmic replay {file}")

saved = history.state.to_bytes()  # any moment, as bytes
assert cysmic_fast.state_from_bytes(saved) == history.state
