"""Whole playouts, many at a time: :func:`rollouts` (docs/rollouts.md)."""

from __future__ import annotations

import math
import operator
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from cysmic_fast.census import Census, GameNotes
from cysmic_fast.errors import ContentError, OptionError, PolicyError
from cysmic_fast.game import BaseGame, is_state, make_game
from cysmic_fast.names import shown, suggest
from cysmic_fast.playout import PlayoutPolicy, playout_rows
from cysmic_fast.policies import callable_name, check_flag, check_word, checked_values, policy_error
from cysmic_fast.significance import wilson
from cysmic_fast.stats import GAME_STATS

if TYPE_CHECKING:
    import numpy.typing as npt

    from cysmic_fast.compiled import CompiledEvaluator, CompiledPolicy
    from cysmic_fast.interface import Game, State

    #: What can choose for a seat.
    Policy: TypeAlias = str | CompiledPolicy | Callable[[State], Any]
    #: What can give a playout that was cut off its returns.
    Evaluator: TypeAlias = CompiledEvaluator | Callable[[State], Sequence[float]]

__all__ = ["POLICIES", "RolloutResult", "Spread", "play_records", "rollouts"]

#: The built-in policies.
POLICIES: Final = ("random", "playout")

#: Playouts whose records are held at a time.
_CHUNK: Final = 1 << 16
#: How the native loop gets at a policy (BY_... in src/rollout.pxi).
_BY_RANDOM, _BY_RULES, _BY_CODE, _BY_PYTHON = range(4)
_REASONS: Final = ("launch", "no_tiles", "cap", "cut")


# ---------------------------------------------------------------------- the result
@dataclass(frozen=True, slots=True)
class Spread:
    """Mean and extremes of a number over playouts."""

    mean: float
    min: int
    max: int

    def __str__(self) -> str:
        return f"{self.mean:,.1f} ({self.min:,} to {self.max:,})"


def _comparable(value: Any) -> Any:
    """A value that can be hashed, in which nan equals nan."""
    if isinstance(value, dict):
        return _comparable(tuple(value.items()))
    if isinstance(value, tuple):
        return tuple(map(_comparable, value))
    return "nan" if isinstance(value, float) and math.isnan(value) else value


@dataclass(frozen=True, slots=True, eq=False)
class RolloutResult:
    """What playouts came to. Results compare equal if the playouts did, nan equal to nan: time, threads and
    arrays do not count. They hash accordingly; a pickled one equals its original.

    A playout that is cut off has no result of its own: it is in ``ends["cut"]``, and in nothing that is
    said of wins.
    """

    n: int  #: playouts
    players: int
    policy: tuple[str, ...]  #: by seat
    seed: int
    first: int  #: index of the first playout
    wins: tuple[int, ...]  #: by seat: playouts in which it Launched (several may share a win)
    win_rate: tuple[float, ...]  #: wins / playouts that were not cut off; nan without any
    win_interval: tuple[tuple[float, float], ...]  #: 95 % Wilson intervals of the win rates
    returns_count: int  #: playouts with returns: those that ended, and those with the evaluator's
    mean_returns: tuple[float, ...]  #: by seat, over these; nan without any
    returns_error: tuple[float, ...]  #: standard errors of the means; nan with fewer than two
    ends: dict[str, int]  #: how playouts ended: "launch", "no_tiles", "cap" (of rounds), "cut"
    launch_clean: int  #: Launches with nobody stranded, and all under build_it and guilty
    launch_die: int  #: Launches by the Humanity Die
    rounds: Spread  #: round in which the playout ended, counted from the game's first
    decisions: Spread  #: decisions taken in the playout: with two or more options
    options: float  #: mean number of legal options
    threads: int = field(compare=False)
    seconds: float = field(compare=False)
    records: npt.NDArray[np.void] | None = field(default=None, compare=False, repr=False)  #: (n,) GAME_STATS
    returns: npt.NDArray[np.float64] | None = field(default=None, compare=False, repr=False)  #: (n, players)

    def _key(self) -> tuple[Any, ...]:
        return tuple(_comparable(getattr(self, spec.name)) for spec in fields(self) if spec.compare)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RolloutResult):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    @property
    def decisions_per_second(self) -> float:
        """Decisions taken in a second."""
        return self.decisions.mean * self.n / self.seconds if self.seconds else math.inf

    @property
    def games_per_second(self) -> float:
        """Playouts played in a second."""
        return self.n / self.seconds if self.seconds else math.inf

    def __str__(self) -> str:
        policy = self.policy[0] if len(set(self.policy)) == 1 else ", ".join(self.policy)
        lines = [
            f"{self.n:,} playouts, policy {policy}, seed {self.seed}, from index {self.first}",
            "seat      wins   win rate (95 %)             mean return",
        ]
        for seat in range(self.players):
            low, high = self.win_interval[seat]
            rate, mean, error = self.win_rate[seat], self.mean_returns[seat], self.returns_error[seat]
            share = "-" if math.isnan(rate) else f"{100 * rate:.2f} % ({100 * low:.2f} to {100 * high:.2f})"
            value = (
                "-" if math.isnan(mean) else f"{mean:.4f}" + ("" if math.isnan(error) else f" ± {error:.4f}")
            )
            lines.append(f"{seat:<4}{self.wins[seat]:>10,}   {share:<28}{value}")
        ends = self.ends
        launches = f"{self.launch_clean:,} clean, {self.launch_die:,} by the Humanity Die"
        others = (
            f"{ends['no_tiles']:,} without tiles, {ends['cap']:,} at the round cap, {ends['cut']:,} cut off"
        )
        speed = f"{self.decisions_per_second:,.0f} decisions/s, {self.games_per_second:,.0f} games/s"
        threads = f"{self.threads} thread" + "s" * (self.threads > 1)
        lines += [
            f"ended: {ends['launch']:,} by Launch (Launches: {launches}), {others}",
            f"length: {self.rounds} rounds, {self.decisions} decisions with {self.options:.2f} options each",
            f"speed: {speed}, {self.seconds:.3g} s on {threads}",
        ]
        return "\n".join(lines)


class _Tally:
    """Sums over playouts, filled chunk by chunk in order: the same for any number of threads."""

    def __init__(self, players: int) -> None:
        self.players = players
        self.n = 0
        self.wins = [0] * players
        self.ends = [0, 0, 0, 0]
        self.launch_clean = self.launch_die = self.options = 0
        self.rounds: list[tuple[int, int, int]] = []  # (sum, least, most) by chunk
        self.decisions: list[tuple[int, int, int]] = []
        self.count = 0  # of playouts with returns
        self.mean = np.zeros(players)
        self.squares = np.zeros(players)  # of the differences from the mean

    def add(self, records: npt.NDArray[np.void], returns: npt.NDArray[np.float64]) -> None:
        """One chunk more."""
        self.n += len(records)
        for seat in range(self.players):
            self.wins[seat] += int(((records["winners"] >> seat) & 1)[records["reason"] >= 0].sum())
        for place, reason in enumerate((0, 1, 2, -1)):
            self.ends[place] += int((records["reason"] == reason).sum())
        self.launch_clean += int(records["launch_clean"].sum())
        self.launch_die += int(records["launch_die"].sum())
        self.options += int(records["options"].sum())
        for name, sums in (("rounds", self.rounds), ("decisions", self.decisions)):
            sums.append(
                (int(records[name].sum(dtype=np.uint64)), int(records[name].min()), int(records[name].max()))
            )
        valued = returns[~np.isnan(returns[:, 0])]
        if len(valued):
            mean = valued.mean(axis=0)
            total = self.count + len(valued)
            step = mean - self.mean
            self.squares += ((valued - mean) ** 2).sum(axis=0)
            self.squares += step**2 * (self.count * len(valued) / total)
            self.mean = self.mean + step * (len(valued) / total)
            self.count = total

    def spread(self, sums: list[tuple[int, int, int]]) -> Spread:
        """Mean and extremes over all chunks."""
        return Spread(sum(s[0] for s in sums) / self.n, min(s[1] for s in sums), max(s[2] for s in sums))

    def result(self, **more: Any) -> RolloutResult:
        """The finished result."""
        ended = self.n - self.ends[3]
        missing = (math.nan,) * self.players
        errors = missing
        if self.count > 1:
            errors = tuple(np.sqrt(self.squares / (self.count - 1) / self.count).tolist())
        decisions = self.spread(self.decisions)
        taken = sum(s[0] for s in self.decisions)
        return RolloutResult(
            n=self.n,
            players=self.players,
            wins=tuple(self.wins),
            win_rate=tuple(w / ended for w in self.wins) if ended else missing,
            win_interval=tuple(wilson(w, ended) for w in self.wins),
            returns_count=self.count,
            mean_returns=tuple(self.mean.tolist()) if self.count else missing,
            returns_error=errors,
            ends=dict(zip(_REASONS, self.ends, strict=True)),
            launch_clean=self.launch_clean,
            launch_die=self.launch_die,
            rounds=self.spread(self.rounds),
            decisions=decisions,
            options=self.options / taken if taken else math.nan,
            **more,
        )


# ---------------------------------------------------------------------- the arguments
def _compiled(value: object, kind: str) -> bool:
    """Whether a value is a ``CompiledPolicy`` or ``CompiledEvaluator``; without importing Numba."""
    return any(
        base.__module__ == "cysmic_fast.compiled" and base.__name__ == kind for base in type(value).__mro__
    )


def _seat_policies(policy: object, players: int) -> list[Any]:
    """The policy of each seat."""
    seats = list(policy) if isinstance(policy, (list, tuple)) else [policy] * players
    if len(seats) != players:
        raise OptionError(
            f"policy: {len(seats)} policies given; allowed: one, or a list of {players}, one a seat"
        )
    for one in seats:
        if isinstance(one, str):
            if one not in POLICIES:
                raise OptionError(
                    f"policy: {shown(one)} given; allowed: {', '.join(POLICIES)}, a callable, "
                    f"a compiled policy{suggest(one, POLICIES)}"
                )
        elif _compiled(one, "CompiledEvaluator") or not callable(one):
            raise OptionError(
                f"policy: {shown(one)} given; allowed: {', '.join(POLICIES)}, a callable, a compiled policy"
            )
    return seats


@lru_cache(maxsize=16)
def _capped(game: Any, max_rounds: int) -> Any:
    """The game with an earlier round cap."""
    return make_game(replace(game.options, max_rounds=max_rounds), game.content, game.engine)


@dataclass(frozen=True)
class _Job:
    """Checked arguments."""

    game: Any
    start: Any  # None: new games
    seed: int
    first: int
    seats: list[Any]
    cutoff: int | None
    evaluator: Any
    threads: int
    census: Census | None = None  #: counts the playouts

    def play(self, done: int, records: npt.NDArray[np.void], returns: npt.NDArray[np.float64]) -> None:
        """Play the playouts from number ``done`` on that fill the arrays."""
        if self.game.engine == "native":
            self._native(self.first + done, records, returns)
            return
        counted = None if self.census is None else Census(self.game.num_players)
        for i in range(len(records)):
            index = self.first + done + i
            try:
                _play_one(self, index, records[i : i + 1], returns[i], counted)
            except ContentError as error:
                what = f"game {index} of seed {self.seed}" if self.start is None else f"playout {index}"
                raise error.at(index, what) from None
        if self.census is not None and counted is not None:
            self.census.add(counted.data)

    def _native(self, first: int, records: npt.NDArray[np.void], returns: npt.NDArray[np.float64]) -> None:
        from cysmic_fast._native import run_playouts

        codes = []
        compiled = python = False
        for seat in self.seats:
            if isinstance(seat, str):
                codes.append((POLICIES.index(seat), 0))
            elif _compiled(seat, "CompiledPolicy"):
                codes.append((_BY_CODE, seat.address))
                compiled = True
            else:
                codes.append((_BY_PYTHON, 0))
                python = True
        address = self.evaluator.address if _compiled(self.evaluator, "CompiledEvaluator") else 0
        python = python or (self.evaluator is not None and not address)
        run_playouts(
            self.game,
            self.start,
            self.seed,
            first,
            records,
            returns,
            self.seats,
            codes,
            playout_rows(),
            -1 if self.cutoff is None else self.cutoff,
            self.evaluator,
            address,
            # Callables are called one after another, in the order of the playouts.
            1 if python else self.threads,
            # Compiled code may take its time: signals are seen by a thread that does not run it.
            compiled or address != 0,
            self.census,
        )


def _play_one(
    job: _Job,
    index: int,
    record: npt.NDArray[np.void],
    returns: npt.NDArray[np.float64],
    counted: Census | None,
) -> None:
    """One playout on the reference engine, whatever the policies; ``counted`` gets it if it is a game."""
    notes = GameNotes()
    if job.start is None:
        state = job.game.new_initial_state(job.seed, index=index, record=counted is not None)
    else:
        state = job.start.replica(job.game, job.seed, index)
    builtin = PlayoutPolicy(job.seed, index)  # one stream for all seats
    decisions = options = 0
    while not state.is_terminal() and decisions != job.cutoff:
        legal = state.legal_actions()
        policy = job.seats[state.current_player()]
        if policy == "random":
            action = builtin.choose(legal)
        elif policy == "playout":
            action = builtin(state)
        else:
            # A copy costs the replay of the turn: the policy gets the state itself, to read and to clone.
            asked = state.asked
            given = policy(state)
            if state.asked is not asked:
                raise PolicyError(
                    f"policy {callable_name(policy)}: it changed the state; it may only read and clone it"
                )
            if not _is_action(given, legal):
                raise policy_error(policy, state, index, decisions, f"returned {shown(given)}")
            action = int(given)
        decisions += 1
        options += len(legal)
        state.apply_action(action)
        if counted is not None:
            notes.hear(state.events())
            state.clear_events()
    if counted is not None:
        notes.hear(state.events())
        counted.add_game(notes, index, state.winners(), state.round)
    record[0] = state.stats_record()
    record["decisions"], record["options"] = min(decisions, 2**32 - 1), options
    if state.is_terminal():
        returns[:] = state.returns()
    elif job.evaluator is not None:
        who = f"the evaluator, in playout {index}"
        returns[:] = checked_values(job.evaluator(state), len(returns), who)
    else:
        returns[:] = math.nan


def _is_action(given: object, legal: list[int]) -> bool:
    """Whether it is one of the legal actions, as any integer type."""
    if not hasattr(type(given), "__index__") or isinstance(given, (bool, np.bool_)):
        return False
    try:
        return operator.index(given) in legal  # type: ignore[arg-type]
    except TypeError:  # an array
        return False


def _checked(
    state_or_game: Game | State,
    n: int,
    policy: Policy | Sequence[Policy],
    threads: int,
    seed: int,
    first: int,
    max_rounds: int | None = None,
    cutoff: int | None = None,
    evaluator: Evaluator | None = None,
) -> tuple[_Job, int]:
    """The arguments of :func:`rollouts`, and how many playouts there are to be."""
    game: Any = state_or_game if isinstance(state_or_game, BaseGame) else getattr(state_or_game, "game", None)
    if not isinstance(game, BaseGame) or not (game is state_or_game or is_state(state_or_game)):
        raise OptionError(f"{shown(state_or_game)} given; allowed: a state or a game")
    n = check_word(n, "n", 1, 10**9)
    threads = check_word(threads, "threads", 1, 1024)
    seed, first = check_word(seed, "seed"), check_word(first, "first")
    check_word(first + n - 1, "first + n - 1")
    seats = _seat_policies(policy, game.num_players)
    if cutoff is not None:
        cutoff = check_word(cutoff, "cutoff", 0, 2**62)
    if evaluator is not None:
        if not callable(evaluator) or _compiled(evaluator, "CompiledPolicy"):
            raise OptionError(
                f"evaluator: {shown(evaluator)} given; allowed: a callable, a compiled evaluator"
            )
        if cutoff is None:
            raise OptionError("evaluator given without cutoff; allowed: both, or cutoff alone")
    if game.engine != "native":
        for one in (*seats, evaluator):
            if _compiled(one, "CompiledPolicy") or _compiled(one, "CompiledEvaluator"):
                raise OptionError(f"{shown(one)} given: compiled code reads states of the native engine only")
    if max_rounds is not None:
        cap = game.options.rounds_cap(game.content)
        max_rounds = check_word(max_rounds, "max_rounds", 1, cap)
        if max_rounds < cap:
            game = _capped(game, max_rounds)
    start = None if isinstance(state_or_game, BaseGame) else state_or_game
    return _Job(game, start, seed, first, seats, cutoff, evaluator, threads), n


# ---------------------------------------------------------------------- playing
def rollouts(
    state_or_game: Game | State,
    n: int,
    policy: Policy | Sequence[Policy] = "random",
    *,
    threads: int = 1,
    seed: int = 0,
    first: int = 0,
    max_rounds: int | None = None,
    cutoff: int | None = None,
    evaluator: Evaluator | None = None,
    per_game: bool = False,
) -> RolloutResult:
    """Play ``n`` playouts to their ends, the interpreter lock released; the same for any number of threads.

    Parameters
    ----------
    state_or_game
        Of a game, playout i is the game (seed, index ``first`` + i) of ``game.simulate``. Of a state, it
        goes on from a copy with chance keyed anew with (seed, ``first`` + i); the state's script is
        dropped, nothing of it changes. A finished state gives its own result n times.
    n
        How many playouts, 1 to 10**9.
    policy
        ``"random"``, ``"playout"`` (:mod:`cysmic_fast.playout`), a policy compiled with
        ``@cysmic_fast.policy``, or any callable that is given a state and returns a legal action (slow:
        with the lock, one at a time). Or a list of these, one a seat. What is drawn comes from the POLICY
        stream of (seed, ``first`` + i).
    threads
        How many. Playouts that call Python use one.
    seed, first
        Integers, 0 to 2**64 - 1.
    max_rounds
        Playouts end after this round of the game (not: this many rounds), as they do at the game's own cap,
        of which it is at most equal; one that is beyond already ends with the round at hand.
    cutoff
        Stop a playout after so many decisions, if it has not ended by then.
    evaluator
        Gives the returns of playouts that were cut off: a callable ``f(state)`` that returns a number a
        seat, each from -1e100 to 1e100, or one compiled with ``@cysmic_fast.evaluator``. Without it they
        have no result (nan in ``returns``).
    per_game
        Whether the result has ``records``, shape (n,), dtype GAME_STATS, and ``returns``, shape (n,
        players), float64. The counts of a record are those of the playout, not of what came before;
        ``reason`` is -1 if it was cut off.

    Raises
    ------
    OptionError
        For arguments that cannot be.
    PolicyError
        For a policy that returns what is no legal action, an evaluator that does not give a finite number a
        seat, compiled ones that raise an exception. Exceptions of Python callables pass unchanged.
    """
    start = time.perf_counter()
    per_game = check_flag(per_game, "per_game")
    job, n = _checked(state_or_game, n, policy, threads, seed, first, max_rounds, cutoff, evaluator)
    players = job.game.num_players
    tally = _Tally(players)
    rows = n if per_game else min(n, _CHUNK)
    records, returns = np.zeros(rows, dtype=GAME_STATS), np.zeros((rows, players))
    for done in range(0, n, _CHUNK):
        offset, count = (done if per_game else 0), min(_CHUNK, n - done)
        part = slice(offset, offset + count)
        job.play(done, records[part], returns[part])
        tally.add(records[part], returns[part])
    return tally.result(
        policy=tuple(map(callable_name, job.seats)),
        seed=job.seed,
        first=job.first,
        threads=job.threads,
        seconds=time.perf_counter() - start,
        records=records if per_game else None,
        returns=returns if per_game else None,
    )


def play_records(
    game: Game,
    seed: int,
    first: int,
    count: int,
    threads: int,
    policy: Policy | Sequence[Policy],
    census: Census | None = None,
) -> npt.NDArray[np.void]:
    """Records of whole games, shape (count,), dtype GAME_STATS: ``game.simulate`` with a policy."""
    records = np.zeros(count, dtype=GAME_STATS)
    if count:
        job, _ = _checked(game, count, policy, threads, seed, first)
        counted = None if census is None else Census(game.num_players)
        job = replace(job, census=counted)
        for done in range(0, count, _CHUNK):
            part = records[done : done + _CHUNK]
            job.play(done, part, np.zeros((len(part), game.num_players)))
        if census is not None and counted is not None:
            census.add(counted.data)
    return records
