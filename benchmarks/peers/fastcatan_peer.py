"""fastcatan (C++): Catan for four players.

Its wheel has no loop of whole games in compiled code; the fastest way it offers is ``BatchedEnv``, many games
stepped at once. Legal actions are picked there by a compiled function (Numba) that takes the masks that
``write_masks`` gives: a mask a game, uniformly among its bits. The batch is as large as does it best.
"""

from __future__ import annotations

from random import random
from typing import Any

from measuring import Case, Counts, clock, repeat, time_copies

TITLE = "fastcatan"
PACKAGE = "fastcatan"
REQUIRES = (3, 12)


def version() -> str:
    """Version."""
    import fastcatan

    return str(fastcatan.__version__)


def _picker() -> Any:
    """A compiled function: for each row of masks a random set bit; choices and options are counted."""
    import numba
    import numpy as np

    u = np.uint64

    @numba.njit(inline="always")
    def ones(m: Any) -> Any:
        m = m - ((m >> u(1)) & u(0x5555555555555555))
        m = (m & u(0x3333333333333333)) + ((m >> u(2)) & u(0x3333333333333333))
        m = (m + (m >> u(4))) & u(0x0F0F0F0F0F0F0F0F)
        return (m * u(0x0101010101010101)) >> u(56)

    @numba.njit
    def choose(masks: Any, hidden: Any, actions: Any, seed: Any, counted: Any) -> None:
        x = seed[0]
        for row in range(masks.shape[0]):
            total = u(0)
            for word in range(masks.shape[1]):
                total += ones(masks[row, word] & ~hidden[word])
            x ^= x << u(13)
            x ^= x >> u(7)
            x ^= x << u(17)
            k = ((x >> u(32)) * total) >> u(32)
            if total > u(1):
                counted[0] += 1
                counted[1] += np.int64(total)
            for word in range(masks.shape[1]):
                m = masks[row, word] & ~hidden[word]
                here = ones(m)
                if k < here:
                    while k:
                        m &= m - u(1)
                        k -= u(1)
                    actions[row] = word * 64 + np.int64(ones((m & (~m + u(1))) - u(1)))
                    break
                k -= here
        seed[0] = x

    return choose


class Catan(Case):
    """Catan with or without trade between players; all other legal actions are played."""

    def __init__(self, trading: bool) -> None:
        import fastcatan

        self.lib = fastcatan
        # An offer is put together piece by piece, in any order: without a first piece there is none.
        ids, number = fastcatan.action, fastcatan.NUM_RESOURCES
        pieces = {int(ids.TRADE_OPEN)}
        for base in (int(ids.TRADE_ADD_GIVE_BASE), int(ids.TRADE_ADD_WANT_BASE)):
            pieces |= set(range(base, base + number))
        self.hidden = frozenset() if trading else frozenset(pieces)
        self.seed = 0
        self.notes = {"batch": "", "python": "legal_actions(), step()", "clone": "load_snapshot(snapshot())"}
        env = fastcatan.Env()
        env.reset(seed=1)
        for _ in range(400):
            actions = self._legal(env)
            env.step(actions[int(random() * len(actions))])
        assert not env.done
        self.env, self.copy = env, fastcatan.Env()
        self.copy.reset(seed=2)
        self._batch: tuple[Any, ...] | None = None

    def _legal(self, env: Any) -> list[int]:
        actions: list[int] = env.legal_actions()
        return [action for action in actions if action not in self.hidden] if self.hidden else actions

    def _start_batch(self) -> None:
        """Everything of a batch that is made once; the size that is fastest."""
        import numpy as np

        choose = _picker()
        hidden = np.zeros(self.lib.MASK_WORDS, dtype=np.uint64)
        for action in self.hidden:
            hidden[action // 64] |= np.uint64(1 << action % 64)
        best = 0.0
        for size in (64, 256, 1024):
            games = self.lib.BatchedEnv(size, seed=size)
            games.reset()
            made = (
                games,
                choose,
                np.zeros((size, self.lib.MASK_WORDS), dtype=np.uint64),
                hidden,
                np.zeros(size, dtype=np.uint32),
                np.zeros(size, dtype=np.uint8),
                np.array([88172645463325252], dtype=np.uint64),
            )
            self._batch = made
            for _ in range(2):  # the first compiles, and spreads the games out
                counts = self._step_batch(0.4)
            if counts.decisions / counts.seconds > best:
                best, chosen = counts.decisions / counts.seconds, made
                self.notes["batch"] = f"BatchedEnv, {size} games, a compiled function picks"
        self._batch = chosen

    def batch(self, seconds: float) -> Counts:  # type: ignore[override]
        """All games of a batch by one decision, again and again; finished ones begin anew."""
        if self._batch is None:
            self._start_batch()
        return self._step_batch(seconds).check()

    def _step_batch(self, seconds: float) -> Counts:
        import numpy as np

        assert self._batch is not None
        games, choose, masks, hidden, actions, dones, seed = self._batch
        counted = np.zeros(2, dtype=np.int64)
        counts = Counts(whole=False)
        start = clock()
        while counts.seconds < seconds or not counts.games:
            for _ in range(100):
                games.write_masks(masks)
                choose(masks, hidden, actions, seed, counted)
                games.step_autoreset(actions, dones)
                counts.games += int(dones.sum())
            counts.decisions += 100 * len(actions)
            counts.seconds = clock() - start
        legal = masks[np.arange(len(actions)), actions // 64] >> (actions % 64).astype(np.uint64) & np.uint64(
            1
        )
        assert legal.all()
        counts.choices, counts.options = int(counted[0]), int(counted[1])
        return counts

    def python(self, seconds: float) -> Counts:  # type: ignore[override]
        """One game, played from Python."""
        return repeat(seconds, self._play)

    def _play(self, counts: Counts) -> None:
        env = self.lib.Env()
        self.seed += 1
        env.reset(seed=self.seed)
        legal_actions, step, hidden = env.legal_actions, env.step, self.hidden
        decisions = choices = options = 0
        over = False
        while not over:
            actions = legal_actions()
            if hidden:
                actions = [action for action in actions if action not in hidden]
            number = len(actions)
            decisions += 1
            if number > 1:
                choices += 1
                options += number
            over = step(actions[int(random() * number)])
        assert env.done
        assert env.winner < self.lib.NUM_PLAYERS
        counts.games += 1
        counts.decisions += decisions
        counts.choices += choices
        counts.options += options

    def clone(self, seconds: float) -> float:  # type: ignore[override]
        """From one Env into another that is there already, its snapshot as bytes in between."""
        load, snapshot = self.copy.load_snapshot, self.env.snapshot
        taken = time_copies(lambda: load(snapshot()), seconds)
        assert self.copy.snapshot() == self.env.snapshot()
        return taken


CASES = {
    "Catan, 4 players, with trade": lambda: Catan(True),
    "Catan, 4 players, without trade between players": lambda: Catan(False),
}
