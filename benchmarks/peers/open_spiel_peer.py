"""OpenSpiel (C++): three games with dice or several players.

Whole games in compiled code: the evaluator of its tree search, ``RandomRolloutEvaluator``, plays so many
uniformly random games from a state; a search of one simulation (``MCTSBot``) calls it once, at the root. It
tells no counts: decisions and options are games times the means of the games played from Python. Chance nodes
(dice) are no decisions; they are drawn inside the same time.
"""

from __future__ import annotations

from importlib.metadata import version as package_version
from random import random
from typing import Any

from measuring import Case, Counts, repeat, time_copies

TITLE = "OpenSpiel"
PACKAGE = "open_spiel"
REQUIRES = (3, 11)


def version() -> str:
    """Version."""
    import pyspiel  # noqa: F401

    return package_version("open_spiel")


class Game(Case):
    """A game of the library."""

    def __init__(self, name: str, at: int) -> None:
        import pyspiel

        self.lib = pyspiel
        self.game = pyspiel.load_game(name)
        self.total = Counts()
        self.share = 20
        self.bot: Any = None
        self.seed = 0
        self.notes = {
            "native": "RandomRolloutEvaluator through MCTSBot; decisions by their mean a game",
            "python": "legal_actions(), apply_action(); chance_outcomes()",
            "clone": "State.clone()",
        }
        state = self.game.new_initial_state()
        while at > 0 or state.is_chance_node():
            self._advance(state)
            at -= 1
        assert not state.is_terminal()
        self.state = state

    def _advance(self, state: Any) -> None:
        actions = [a for a, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
        state.apply_action(actions[int(random() * len(actions))])

    def native(self, seconds: float) -> Counts:  # type: ignore[override]
        """Shares of games by the evaluator."""
        if self.total.games < 30:
            self.python(0.5)
        counts = repeat(seconds, self._rollouts)
        mean = self.total
        counts.exact = False
        counts.decisions = counts.games * mean.decisions / mean.games
        counts.choices = counts.games * mean.choices / mean.games
        counts.options = counts.games * mean.options / mean.games
        return counts

    def _rollouts(self, counts: Counts) -> None:
        self.seed += 1
        evaluator = self.lib.RandomRolloutEvaluator(self.share, self.seed)
        bot = self.lib.MCTSBot(self.game, evaluator, 1.0, 1, 10, False, self.seed, False)
        state = self.game.new_initial_state()
        while state.is_chance_node():  # a search begins at a decision
            self._advance(state)
        root = bot.mcts_search(state)
        assert root.explore_count == 1  # one evaluation: exactly ``share`` games, of which each has ended
        counts.games += self.share
        counts.choices += 2 * self.share  # replaced above; the counts are checked before
        counts.decisions += 2 * self.share
        counts.options += 4 * self.share

    def python(self, seconds: float) -> Counts:  # type: ignore[override]
        """One state, played from Python."""
        counts = repeat(seconds, self._play)
        for field in ("games", "decisions", "choices", "options"):
            setattr(self.total, field, getattr(self.total, field) + getattr(counts, field))
        return counts

    def _play(self, counts: Counts) -> None:
        state = self.game.new_initial_state()
        is_terminal, is_chance = state.is_terminal, state.is_chance_node
        legal_actions, apply_action, outcomes = state.legal_actions, state.apply_action, state.chance_outcomes
        decisions = choices = options = 0
        while not is_terminal():
            if is_chance():
                left = random()
                for outcome, probability in outcomes():  # noqa: B007 (the last one stays)
                    left -= probability
                    if left < 0:
                        break
                apply_action(outcome)
                continue
            actions = legal_actions()
            number = len(actions)
            decisions += 1
            if number > 1:
                choices += 1
                options += number
            apply_action(actions[int(random() * number)])
        assert len(state.returns()) == self.game.num_players()
        counts.games += 1
        counts.decisions += decisions
        counts.choices += choices
        counts.options += options

    def clone(self, seconds: float) -> float:  # type: ignore[override]
        """A copy in the middle of a game."""
        return time_copies(self.state.clone, seconds)


CASES = {
    "maedn (ludo), 4 players": lambda: Game("maedn(players=4)", 100),
    "chinese checkers, 6 players": lambda: Game("chinese_checkers(players=6)", 100),
    "backgammon": lambda: Game("backgammon", 60),
}
