"""A hundred random games in one call, and what is in their records."""

import cysmic_fast

game = cysmic_fast.load_game("competitive", players=4, ending="build_it")
records = game.simulate(seed=1, first=0, count=100)  # a NumPy structured array, one record a game

launched = records[records["reason"] == 0]
print(f"{len(launched)} of {len(records)} games ended by a Launch")
print(f"rounds: {records['rounds'].mean():.1f}, real choices: {records['decisions'].mean():.0f} a game")
print(f"legal options per choice: {records['options'].sum() / records['decisions'].sum():.2f}")
