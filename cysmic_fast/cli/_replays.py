"""Replays of the games that ``cysmic simulate`` has played."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from cysmic_fast.interface import Game, State
    from cysmic_fast.policies import RandomPolicy
    from cysmic_fast.replay import Replay

__all__ = ["MOST", "check_folder", "replay_of", "write_replays"]

#: 2 GB of four-player games. More are better written when they are looked at: seed and index say which.
MOST: Final = 10_000


def check_folder(folder: Path, games: int) -> None:
    """Make the folder; OptionError for one that cannot be written to, and for too many games."""
    from cysmic_fast.errors import OptionError

    if games > MOST:
        raise OptionError(f"option 'replays': {games} games; allowed: {MOST:,} or fewer")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / ".cysmic-replays"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise OptionError(
            f"option 'replays': {str(folder)!r}: {error.strerror}; allowed: a folder that can be written to"
        ) from None


def replay_of(game: Game, seed: int, index: int, policy: str) -> Replay:
    """The replay of game ``index`` of ``game.simulate(seed, ..., policy=policy)``."""
    from cysmic_fast.playout import PlayoutPolicy
    from cysmic_fast.policies import RandomPolicy
    from cysmic_fast.replay import Replay

    chooser = (PlayoutPolicy if policy == "playout" else RandomPolicy)(seed, index)
    start = game.new_initial_state(seed, index=index)
    return Replay.of(start, _choices(start.clone(), chooser))


def _choices(state: State, chooser: RandomPolicy) -> Iterator[int]:
    while not state.is_terminal():
        action = chooser(state)
        yield action
        state.apply_action(action)


def write_replays(
    game: Game,
    seed: int,
    first: int,
    games: int,
    policy: str,
    folder: Path,
    progress: Callable[[int], None] | None = None,
) -> int:
    """Write ``SEED-INDEX.jsonl`` for each game, over what is there; how many: Ctrl-C ends it."""
    done = 0
    try:
        for index in range(first, first + games):
            replay, path = replay_of(game, seed, index, policy), folder / f"{seed}-{index}.jsonl"
            replay.write(path)
            done += 1
            if progress is not None:
                progress(done)
    except KeyboardInterrupt:
        pass
    return done
