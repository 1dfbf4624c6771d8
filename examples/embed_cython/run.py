"""Build the Cython example in a temporary folder and run it: ``python run.py [GAMES]``, else 10,000."""

from __future__ import annotations

import sys
import tempfile
from importlib import import_module
from pathlib import Path

import build
import cysmic_fast

games = int(sys.argv[1]) if len(sys.argv) > 1 else 10000

with tempfile.TemporaryDirectory() as name:
    build.compile_extension(Path(name))
    sys.path.insert(0, name)
    searcher = import_module("searcher")
    game = cysmic_fast.load_game(players=4)
    print(f"games {games}\ndecisions {searcher.play(game, 1, games)}")

    state = game.new_initial_state(seed=1)
    wins, decisions = searcher.playouts(state, 1, games)
    print(f"playouts {games}\ndecisions {decisions}\nwins {' '.join(map(str, wins))}")
