"""cysmic_fast: four players, all cards, launch condition build_it, the standard cap of rounds."""

from __future__ import annotations

from random import random
from typing import Any

from measuring import Case, Counts, repeat, time_copies

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
        from cysmic_fast import load_game

        self.game = load_game(**OPTIONS)
        self.next = 0
        self.notes = {
            "native": "game.simulate",
            "python": "legal_actions(), apply_action()",
            "clone": "State.clone()",
        }
        if self.batch is not None:
            self.notes["batch"] = "Batch"
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
