"""Build both C examples in a temporary folder and run them: ``python run.py [GAMES]``, else 10,000."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from importlib import import_module
from pathlib import Path

import build
import cysmic_fast

games = sys.argv[1] if len(sys.argv) > 1 else "10000"

with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    print("the program that embeds Python:", flush=True)
    program = build.compile_program(folder)
    subprocess.run([program, games, "1", "4"], check=True)

    print("the extension module:")
    build.compile_extension(folder)
    sys.path.insert(0, name)
    player = import_module("player")
    game = cysmic_fast.load_game(players=4)
    decisions, options, wins = player.play(game, 1, 0, int(games))
    print(f"games {games}\ndecisions {decisions}\noptions {options}\nwins {' '.join(map(str, wins))}")
