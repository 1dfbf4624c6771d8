"""Playing games for a balance report."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from cysmic_fast.balance.report import MAX_GAMES, BalanceReport, Run, make_report
from cysmic_fast.balance.tables import MIN_SEEN
from cysmic_fast.census import Census
from cysmic_fast.errors import OptionError
from cysmic_fast.names import shown, suggest
from cysmic_fast.policies import check_word

if TYPE_CHECKING:
    from cysmic_fast.interface import Game

__all__ = ["POLICIES", "check_policy", "measure"]

#: How all seats may play. What ``Game.simulate`` learns is added here and passed on in :func:`_play`.
POLICIES: Final = ("random", "playout")

#: Seconds that one call of the engine should take: progress is told, and Ctrl-C kept waiting, that often.
_CHUNK_SECONDS: Final = 0.25


def check_policy(policy: object) -> str:
    """A known policy; OptionError for any other."""
    if not isinstance(policy, str) or policy not in POLICIES:
        hint = suggest(policy, POLICIES) if isinstance(policy, str) else ""
        raise OptionError(f"option 'policy': {shown(policy)} given; allowed: {', '.join(POLICIES)}{hint}")
    return policy


def measure(
    game: Game,
    games: int,
    seed: int = 0,
    first: int = 0,
    threads: int = 1,
    policy: str = "random",
    min_seen: int = MIN_SEEN,
    progress: Callable[[int], None] | None = None,
    partial: bool = False,
) -> BalanceReport:
    """Play games ``first`` ... ``first + games - 1`` of ``seed`` and report how cards and seats fared.

    Parameters
    ----------
    game
        On either engine; both give the same report.
    games, first, seed
        1 to 10**8 games, whose indices and seed are integers from 0 to 2**64 - 1.
    threads
        The report does not depend on it.
    policy
        How all seats play, one of :data:`POLICIES`.
    min_seen
        Things seen less often are not tested.
    progress
        Called now and then with the number of games played.
    partial
        On Ctrl-C return the report of the games played so far, instead of raising KeyboardInterrupt.

    Memory does not grow with the number of games. OptionError for arguments that cannot be.
    """
    check_policy(policy)
    games = check_word(games, "games", 1, MAX_GAMES)
    seed, first = check_word(seed, "seed"), check_word(first, "first")
    check_word(first + games - 1, "first + games - 1")
    threads = check_word(threads, "threads", 1, 1024)
    min_seen = check_word(min_seen, "min_seen", 1)
    census = Census(game.num_players)
    done, size = 0, threads
    try:
        while done < games:
            size = min(size, games - done)
            start = time.perf_counter()
            _play(game, seed, first + done, size, threads, policy, census)
            done += size
            if progress is not None:
                progress(done)
            # At most four times as many as before: one call says little about the next.
            elapsed = max(time.perf_counter() - start, 1e-6)
            size = max(threads, min(4 * size, int(size * _CHUNK_SECONDS / elapsed)))
    except KeyboardInterrupt:
        if not partial:
            raise
    return make_report(game, policy, (Run(seed, first, census.games),), census, min_seen)


def _play(game: Game, seed: int, first: int, games: int, threads: int, policy: str, census: Census) -> None:
    """Games by a policy, counted. The one place where a policy is handed to the engine."""
    game.simulate(seed, first, games, threads=threads, policy=policy, census=census)
