"""cysmic_fast: four players, all cards, launch condition build_it, the standard cap of rounds."""

from __future__ import annotations

from random import random
from typing import Any

from measuring import Case, Counts, clock, repeat, time_copies

TITLE = "cysmic_fast"
PACKAGE = "cysmic-fast"
REQUIRES = (3, 11)
OPTIONS: dict[str, Any] = {
    "players": 4,
    "factions": True,
    "molten_core": True,
    "events": True,
    "ending": "build_it",
}


def version() -> str:
    """Version, and how it was compiled."""
    import cysmic_fast
    from cysmic_fast import _native

    flags = str(_native.build_info()["build_flags"]).split()
    target = next((flag for flag in flags if flag.startswith("-march")), "")
    return f"{cysmic_fast.__version__} ({target})"


class Cysmic(Case):
    """A game; decisions are asked only with two or more options, forced ones are counted by the engine."""

    def __init__(self) -> None:
        import cysmic_fast

        self.lib = cysmic_fast
        self.game = cysmic_fast.load_game(**OPTIONS)
        self.games: Any = None
        self.next = 0
        self.notes = {
            "native": "game.simulate",
            "batch": "",
            "python": "legal_actions(), apply_action()",
            "clone": "State.clone()",
        }
        state = self.game.new_initial_state(1)
        for _ in range(400):
            actions = state.legal_actions()
            state.apply_action(actions[int(random() * len(actions))])
        self.state = state

    def native(self, seconds: float) -> Counts:  # type: ignore[override]
        """``simulate``: whole games in compiled code, the records of all of them read."""
        return repeat(seconds, self._simulate)

    def _simulate(self, counts: Counts) -> None:
        records = self.game.simulate(2026, self.next, 100)
        self.next += 100
        assert set(records["reason"]) <= {0, 1, 2}
        asked = int(records["decisions"].sum())
        counts.games += 100
        counts.choices += asked
        counts.decisions += asked + int(records["forced"].sum())
        counts.options += int(records["options"].sum())

    def batch(self, seconds: float) -> Counts:  # type: ignore[override]
        """All games of a batch by one decision, again and again; finished ones begin anew."""
        if self.games is None:
            self._start_batch()
        return self._step_batch(seconds).check()

    def _start_batch(self) -> None:
        """The size that is fastest, of the same that fastcatan may choose from."""
        best = 0.0
        chosen = None
        for size in (64, 256, 1024):
            self.games = self.lib.Batch(self.game, size, seed=size)
            for _ in range(2):  # the first spreads the games out
                counts = self._step_batch(0.4)
            if counts.decisions / counts.seconds > best:
                best, chosen = counts.decisions / counts.seconds, self.games
                self.notes["batch"] = f"Batch, {size} games, random_actions() picks"
        self.games = chosen

    def _step_batch(self, seconds: float) -> Counts:
        import numpy as np

        games = self.games
        assert games is not None
        actions = np.empty(games.num_rows, dtype=np.int16)
        counts = Counts(whole=False)
        counted = []
        start = clock()
        while counts.seconds < seconds or not counts.games:
            for _ in range(100):
                games.step(games.random_actions(actions))
                counts.games += int(games.episode_ended.sum())
            counts.choices += 100 * games.num_rows  # forced ones are not asked
            counts.seconds = clock() - start
            counted.append(int(np.bitwise_count(games.legal_mask).sum()))
        assert (games.current_player >= 0).all()
        counts.decisions = counts.choices
        counts.options = sum(counted) / len(counted) * counts.choices / games.num_rows
        return counts

    def python(self, seconds: float) -> Counts:  # type: ignore[override]
        """One state, played from Python."""
        return repeat(seconds, self._play)

    def _play(self, counts: Counts) -> None:
        state = self.game.new_initial_state(2027, index=self.next)
        self.next += 1
        legal_actions, apply_action = state.legal_actions, state.apply_action
        actions = legal_actions()
        choices = options = 0
        while actions:
            choices += 1
            options += len(actions)
            apply_action(actions[int(random() * len(actions))])
            actions = legal_actions()
        assert state.is_terminal()
        counts.games += 1
        counts.choices += choices
        counts.decisions += choices
        counts.options += options

    def clone(self, seconds: float) -> float:  # type: ignore[override]
        """A copy in the middle of a game."""
        return time_copies(self.state.clone, seconds)


CASES = {"Cysmic, 4 players, all cards": Cysmic}
