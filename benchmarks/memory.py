"""Memory over a million games: resident pages while whole games are played, flat or not.

``python benchmarks/memory.py [--games 1000000] [--threads 1]`` plays random 4-player games with all cards
in ``simulate`` and, one in a thousand, in a state of its own from Python; it prints resident memory on the
way and fails if it grows by more than 4 MiB after the first tenth. Some minutes for a million. Linux.
"""

from __future__ import annotations

import argparse
import gc
import os
import random
import sys
import time
from pathlib import Path

import numpy as np

import cysmic_fast

SHARE = 2_000  #: games at a time
MARGIN = 4 << 20  #: bytes


def resident() -> int:
    """Bytes of resident memory."""
    gc.collect()
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


def play_from_python(game: cysmic_fast.Game, index: int) -> None:
    """A game in a state of its own, with a clone every hundred decisions."""
    state, rng, asked = game.new_initial_state(1, index=index), random.Random(index), 0
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
        asked += 1
        if asked % 100 == 0:
            state = state.clone()
    assert state.end_reason() in (0, 1, 2)


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    game = cysmic_fast.load_game(players=4, factions=True, molten_core=True, events=True, ending="build_it")
    start, decisions, marks = time.perf_counter(), 0, [resident()]
    shares = max(10, options.games // SHARE)
    for share in range(shares):
        records = game.simulate(1, share * SHARE, SHARE, threads=options.threads)
        assert np.isin(records["reason"], (0, 1, 2)).all()
        decisions += int(records["decisions"].sum())
        for number in range(SHARE // 1000):
            play_from_python(game, share * SHARE + number)
        if (share + 1) % (shares // 10) == 0:
            marks.append(resident())
            seconds = time.perf_counter() - start
            print(
                f"{(share + 1) * SHARE:>10,} games {decisions:>15,} decisions {seconds:>7,.0f} s"
                f"  resident {marks[-1] / 2**20:.2f} MiB",
                flush=True,
            )
    grown = max(marks[2:]) - marks[1]
    print(f"growth after the first tenth: {grown / 1024:,.0f} KiB")
    return int(grown > MARGIN)


if __name__ == "__main__":
    sys.exit(main())
