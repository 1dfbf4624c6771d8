"""The built-in random policy, whose draws are part of the contract (``docs/protocol.md``, section 19).

Also what any policy or evaluator is checked by, and the decorators that compile them with Numba
(docs/rollouts.md).
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from cysmic_fast.errors import GameOverError, OptionError, PolicyError
from cysmic_fast.names import plain, shown
from cysmic_fast.vocabulary import ChanceFamily

if TYPE_CHECKING:
    from cysmic_fast.compiled import CompiledEvaluator, CompiledPolicy
    from cysmic_fast.interface import Game, State

__all__ = [
    "MAX_VALUE",
    "RandomPolicy",
    "allowed_values",
    "callable_name",
    "check_flag",
    "check_word",
    "checked_values",
    "evaluator",
    "play_random_game",
    "policy",
    "policy_error",
    "random_policy",
]

_WORD: Final = 2**64
#: The largest number of an evaluator: the squares of 10**9 of them can be added up. MAX_VALUE in
#: src/rollout.pxi.
MAX_VALUE: Final = 1e100
_BLOCK: Final = 512


def check_word(value: object, what: str, least: int = 0, most: int = _WORD - 1) -> int:
    """An integer argument, by default a seed or game index, as a plain ``int``.

    OptionError unless it is a Python or NumPy integer (no bool) from ``least`` to ``most``.
    """
    index = getattr(type(value), "__index__", None)
    number = least - 1
    if index is not None and not isinstance(value, bool):
        with contextlib.suppress(Exception):  # arrays that are no scalar
            number = int(index(value))
    if not least <= number <= most:
        span = "2**64 - 1" if most == _WORD - 1 else str(most)
        raise OptionError(f"{what} is {shown(value)}; allowed: an integer from {least} to {span}")
    return number


def check_flag(value: object, what: str) -> bool:
    """A flag, as a plain ``bool``; OptionError unless it is Python's or NumPy's: ``"no"`` would be true."""
    if not isinstance(value, bool) and type(value).__name__ not in ("bool", "bool_"):
        raise OptionError(f"{what} is {shown(value)}; allowed: True or False")
    return bool(value)


def policy_error(policy: object, state: State, index: int, decision: int, what: str) -> PolicyError:
    """The error of a policy that has chosen nothing legal: who, where, what, and what is allowed."""
    legal = state.legal_actions()
    allowed = ", ".join(f"{a} ({state.action_to_string(a)})" for a in legal[:8])
    if len(legal) > 8:
        allowed += f", ... ({len(legal)} in all)"
    return PolicyError(
        f"policy {callable_name(policy)} of seat {state.current_player()}, in playout {index}, "
        f"decision {decision} ({state.decision().name}): it {what}; allowed: {allowed}"
    )


def checked_values(values: object, players: int, who: str) -> list[float]:
    """What an evaluator returned, as one float a seat, none beyond MAX_VALUE; PolicyError otherwise."""
    try:
        given: list[Any] = list(islice(values, players + 1))  # type: ignore[call-overload]  # it may be endless
        # isfinite, as float() would take texts
        usable = len(given) == players and all(
            math.isfinite(value) and abs(float(value)) <= MAX_VALUE for value in given
        )
    except (TypeError, ValueError, OverflowError):
        usable = False
    if not usable:
        raise PolicyError(f"{who}: it returned {shown(values, 200)}; allowed: {allowed_values(players)}")
    return [float(value) for value in given]


def allowed_values(players: int) -> str:
    """What an evaluator may give, for messages."""
    return f"{players} finite numbers, one a seat, from {-MAX_VALUE:g} to {MAX_VALUE:g}"


def callable_name(given: object) -> str:
    """What a policy is called in messages and results."""
    if isinstance(given, str):
        return given
    try:
        name = getattr(given, "__name__", None)
    except Exception:  # of an attribute that is worked out
        name = None
    name = name if isinstance(name, str) and name else type(given).__name__
    return plain(name[:60])


class RandomPolicy:
    """Uniformly random legal play from the POLICY stream of (seed, index).

    Used with the states of a game of the same (seed, index), it plays exactly the game that ``Game.simulate``
    plays. The stream is the policy's own: a state's chance never depends on it.
    """

    def __init__(self, seed: int = 0, index: int = 0) -> None:
        self.seed = check_word(seed, "seed")
        self.index = check_word(index, "index")
        self._source: object = None
        self._words: list[int] = []

    def __repr__(self) -> str:
        return f"RandomPolicy(seed={self.seed}, index={self.index})"

    def _word(self) -> int:
        if not self._words:
            import numpy as np

            if self._source is None:
                self._source = np.random.Philox(
                    key=np.array([self.seed, self.index], dtype=np.uint64),
                    counter=np.array([0, int(ChanceFamily.POLICY), 0, 0], dtype=np.uint64),
                )
            assert isinstance(self._source, np.random.Philox)
            self._words = self._source.random_raw(_BLOCK).tolist()
            self._words.reverse()
        return self._words.pop()

    def bounded(self, n: int) -> int:
        """A uniform integer in [0, n), n from 1 to 2**64 - 1; OptionError for others."""
        return self._below(check_word(n, "n", 1))

    def _below(self, n: int) -> int:
        """The same unchecked: high half of word times n, biased low end rejected."""
        if n == 1:
            return 0
        limit = _WORD % n
        while True:
            product = self._word() * n
            if product % _WORD >= limit:
                return product // _WORD

    def choose(self, legal: Sequence[int]) -> int:
        """One of the legal actions, which are in ascending order; GameOverError if there is none.

        OptionError for what is no list or other sequence.
        """
        if not isinstance(legal, Sequence) or isinstance(legal, (str, bytes)):
            raise OptionError(f"{shown(legal)} given; allowed: a list of legal actions")
        if not legal:
            raise GameOverError("the game is over; there is no action to choose")
        return legal[self._below(len(legal))]

    def __call__(self, state: State) -> int:
        """The action for a state that is not over; OptionError for what is no state."""
        from cysmic_fast.game import is_state

        if not is_state(state):
            raise OptionError(f"{shown(state)} given; allowed: a state")
        return self.choose(state.legal_actions())


def random_policy(seed: int = 0, index: int = 0) -> RandomPolicy:
    """A fresh :class:`RandomPolicy`."""
    return RandomPolicy(seed, index)


def play_random_game(game: Game, seed: int = 0, index: int = 0, *, record: bool = False) -> State:
    """Plays game ``index`` of ``seed`` with the random policy to its end and returns the finished state.

    The same game as record ``index`` of ``game.simulate(seed, 0, ...)``, on either engine. OptionError for
    what is no game, and for a seed, index or record that cannot be.
    """
    from cysmic_fast.game import BaseGame

    given: object = game
    if not isinstance(given, BaseGame):
        raise OptionError(f"game: {shown(given)} given; allowed: a game")
    chooser = RandomPolicy(seed, index)
    state = game.new_initial_state(seed, index=index, record=record)
    while not state.is_terminal():
        state.apply_action(chooser.choose(state.legal_actions()))
    return state


# ---------------------------------------------------------------------- compiled ones
def policy(function: Callable[[Any, Any, int], int]) -> CompiledPolicy:
    """Compile a policy ``f(state, mask, rng) -> action id`` with Numba."""
    from cysmic_fast.compiled import compile_policy

    return compile_policy(function)


def evaluator(function: Callable[[Any, Any], None]) -> CompiledEvaluator:
    """Compile an evaluator ``f(state, returns)`` with Numba; it fills ``returns``, a float64 a seat."""
    from cysmic_fast.compiled import compile_evaluator

    return compile_evaluator(function)
