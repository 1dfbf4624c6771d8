"""Playing games for a balance report."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from cysmic_fast.balance.report import MAX_GAMES, BalanceReport, LeftOut, Run, make_report
from cysmic_fast.balance.tables import MIN_SEEN
from cysmic_fast.census import Census
from cysmic_fast.errors import ContentError, OptionError
from cysmic_fast.names import shown, suggest
from cysmic_fast.policies import check_word

if TYPE_CHECKING:
    from cysmic_fast.interface import Game

__all__ = ["MOST_LEFT_OUT", "POLICIES", "check_policy", "measure"]

#: How all seats may play. What ``Game.simulate`` learns is added here and passed on in :func:`_play`.
POLICIES: Final = ("random", "playout")

#: So many games may be left out because their cards do not come to an end; of more than 1,000 games, 1 %.
MOST_LEFT_OUT: Final = 10
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

    Memory does not grow with the number of games. OptionError for arguments that cannot be. Games whose cards
    do not come to an end (docs/cards.md, V1.13 and V1.15) are left out and listed; ContentError if they are
    more than 1 %, and more than :data:`MOST_LEFT_OUT`.
    """
    check_policy(policy)
    games = check_word(games, "games", 1, MAX_GAMES)
    seed, first = check_word(seed, "seed"), check_word(first, "first")
    check_word(first + games - 1, "first + games - 1")
    threads = check_word(threads, "threads", 1, 1024)
    min_seen = check_word(min_seen, "min_seen", 1)
    census = Census(game.num_players)
    done, size = 0, threads
    left_out: list[LeftOut] = []
    most = max(MOST_LEFT_OUT, games // 100)
    try:
        while done < games:
            size = min(size, games - done)
            start = time.perf_counter()
            _play(game, seed, first + done, size, threads, policy, census, left_out, most)
            done += size
            if progress is not None:
                progress(done)
            # At most four times as many as before: one call says little about the next.
            elapsed = max(time.perf_counter() - start, 1e-6)
            size = max(threads, min(4 * size, int(size * _CHUNK_SECONDS / elapsed)))
    except KeyboardInterrupt:
        if not partial:
            raise
    return make_report(
        game,
        policy,
        _runs(seed, first, census.games + len(left_out), left_out),
        census,
        min_seen,
        tuple(left_out),
    )


def _play(
    game: Game,
    seed: int,
    first: int,
    games: int,
    threads: int,
    policy: str,
    census: Census,
    left_out: list[LeftOut],
    most: int,
) -> None:
    """Games by a policy, counted; those that cannot be played to ``left_out``. All or, on Ctrl-C, none.

    The one place where a policy is handed to the engine.
    """
    counted, last = Census(game.num_players), first + games
    missed: list[LeftOut] = []
    while first < last:
        try:
            game.simulate(seed, first, last - first, threads=threads, policy=policy, census=counted)
        except ContentError as error:
            if error.index is None:
                raise
            missed.append(LeftOut(seed, error.index, str(error)))
            if len(left_out) + len(missed) > most:
                raise
            if error.index > first:  # it is the first that cannot be played
                game.simulate(
                    seed, first, error.index - first, threads=threads, policy=policy, census=counted
                )
            first = error.index + 1
        else:
            break
    census.add(counted.data)
    left_out.extend(missed)


def _runs(seed: int, first: int, games: int, left_out: list[LeftOut]) -> tuple[Run, ...]:
    """The games between those that were left out."""
    edges = [first - 1, *(game.index for game in left_out), first + games]
    return tuple(Run(seed, low + 1, high - low - 1) for low, high in pairwise(edges) if high - low > 1)
