"""catanatron (Python): Catan for four players. Its own random player's choice, not checked once more."""

from __future__ import annotations

from importlib.metadata import version as package_version
from random import random

from measuring import Case, Counts, repeat, time_copies

TITLE = "catanatron"
PACKAGE = "catanatron"
REQUIRES = (3, 11)


def version() -> str:
    """Version."""
    import catanatron  # noqa: F401

    return package_version("catanatron")


class Catan(Case):
    """Catan; a game ends by a victory or after the library's limit of turns."""

    def __init__(self) -> None:
        from catanatron.game import TURNS_LIMIT, Game
        from catanatron.models.player import Color, RandomPlayer

        self.make = lambda: Game([RandomPlayer(color) for color in list(Color)[:4]])
        self.limit = TURNS_LIMIT
        self.notes = {
            "python": "state.playable_actions, execute(validate_action=False)",
            "clone": "Game.copy()",
        }
        self.state = self.make()
        for _ in range(300):
            actions = self.state.state.playable_actions
            self.state.execute(actions[int(random() * len(actions))], validate_action=False)

    def python(self, seconds: float) -> Counts:  # type: ignore[override]
        """One game, played from Python."""
        return repeat(seconds, self._play)

    def _play(self, counts: Counts) -> None:
        game = self.make()
        state, execute, winner = game.state, game.execute, game.winning_color
        decisions = choices = options = 0
        while winner() is None and state.num_turns < self.limit:
            actions = state.playable_actions
            number = len(actions)
            decisions += 1
            if number > 1:
                choices += 1
                options += number
            execute(actions[int(random() * number)], validate_action=False)
        counts.games += 1
        counts.decisions += decisions
        counts.choices += choices
        counts.options += options

    def clone(self, seconds: float) -> float:  # type: ignore[override]
        """A copy in the middle of a game."""
        return time_copies(self.state.copy, seconds)


CASES = {"Catan, 4 players": Catan}
