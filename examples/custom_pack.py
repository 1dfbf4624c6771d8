"""Other prices in a text file, another game: packs override the standard one key by key."""

from pathlib import Path

import cysmic_fast

pack = Path(__file__).parent / "cheap_modules"
for packs in [(), (pack,)]:
    game = cysmic_fast.load_game("competitive", players=4, packs=packs, ending="build_it")
    records = game.simulate(seed=1, first=0, count=200)
    print(
        f"{game.content.name}: {records['modules'].mean():.2f} Modules a game, hash {game.content.hash[:12]}"
    )
