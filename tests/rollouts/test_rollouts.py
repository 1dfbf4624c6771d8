"""Playouts of games and states by the built-in policies and by callables, on both engines."""

from __future__ import annotations

import itertools
import math
import os
import pickle
import random
import signal
import subprocess
import sys
import time
from typing import Any

import numpy as np
import pytest

import cysmic_fast
from cysmic_fast import PolicyError, rollouts
from cysmic_fast.errors import OptionError
from cysmic_fast.policies import RandomPolicy
from cysmic_fast.stats import GAME_STATS


def load(engine: str = "native", **options: Any) -> Any:
    return cysmic_fast.load_game(engine=engine, **{"players": 3, "max_rounds": 4, **options})


def advanced(game: Any, decisions: int, seed: int = 8) -> Any:
    """A state some random decisions into a game."""
    state, policy = game.new_initial_state(seed), RandomPolicy(99)
    for _ in range(decisions):
        state.apply_action(policy(state))
    return state


def same(one: Any, two: Any) -> bool:
    """Equal results, with equal arrays if they have any."""
    if one != two:
        return False
    if one.records is None:
        return two.records is None
    arrays = np.array_equal(one.returns, two.returns, equal_nan=True)
    return bool((one.records == two.records).all()) and arrays


def last(state: Any) -> int:
    return state.legal_actions()[-1]


def thrifty(state: Any) -> Any:
    """Depends on more than the legal actions; returns a NumPy integer."""
    legal = state.legal_actions()
    return np.int16(legal[(state.influence(state.current_player()) + state.round) % len(legal)])


def standing(state: Any) -> list[float]:
    return [state.influence(seat) + seat / 8 for seat in range(state.game.num_players)]


# ---------------------------------------------------------------------- games
def test_playouts_of_a_game_are_those_of_simulate(engine: str) -> None:
    game = load(engine)
    result = rollouts(game, 5, seed=3, first=7, per_game=True)
    records = game.simulate(3, 7, 5)
    assert (result.records == records).all()
    assert result.records.dtype == GAME_STATS
    assert result.n == 5
    assert result.ends == {
        "launch": int((records["reason"] == 0).sum()),
        "no_tiles": int((records["reason"] == 1).sum()),
        "cap": int((records["reason"] == 2).sum()),
        "cut": 0,
    }
    assert result.rounds.mean == records["rounds"].mean()
    assert (result.rounds.min, result.rounds.max) == (records["rounds"].min(), records["rounds"].max())
    assert result.decisions.mean == records["decisions"].mean()
    assert result.options == records["options"].sum() / records["decisions"].sum()


@pytest.mark.parametrize("policy", ["random", "playout", last, ["random", "playout", thrifty]])
def test_both_engines_play_the_same(policy: Any) -> None:
    one, two = (
        rollouts(load(engine), 3, policy, seed=5, per_game=True) for engine in ("native", "reference")
    )
    assert same(one, two)
    assert one.decisions.min > 20


@pytest.mark.parametrize("policy", ["random", ["playout", last, "random"]])
@pytest.mark.parametrize("decisions", [0, 3, 61])
def test_both_engines_play_on_from_a_state(policy: Any, decisions: int) -> None:
    """From set-up, and from the middle of a turn; counts are those of the playout alone."""
    results = []
    for engine in ("native", "reference"):
        state = advanced(load(engine), decisions)
        before = state.snapshot()
        results.append(rollouts(state, 3, policy, seed=4, first=2, max_rounds=3, per_game=True))
        assert state.snapshot() == before
    assert same(*results)
    assert results[0].rounds.max <= 3


def test_a_playout_of_a_state_is_a_clone_with_chance_and_policy_keyed_anew(engine: str) -> None:
    state = advanced(load(engine), 40)
    state.script({"red_die": ["6"]})
    result = rollouts(state, 3, seed=state.snapshot()["chance"]["seed"], first=0, per_game=True)
    # ``clone(seed)`` keeps the index: that of the playout with the state's own index is the same.
    twin = state.clone(seed=result.seed)
    policy = RandomPolicy(result.seed, 0)
    decisions = 0
    while not twin.is_terminal():
        twin.apply_action(policy(twin))
        decisions += 1
    assert result.records["decisions"][0] == decisions
    assert result.records["rounds"][0] == twin.round
    assert len({tuple(record) for record in result.records}) == 3


def test_a_finished_state_gives_its_own_result(engine: str) -> None:
    game = load(engine, ending="build_it", max_rounds=2)
    state = game.new_initial_state(1)
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    result = rollouts(state, 4, "playout", seed=9, per_game=True)
    assert result.decisions.max == 0
    assert math.isnan(result.options)
    assert (result.returns == np.array(state.returns())).all()
    assert (result.records["reason"] == state.end_reason()).all()
    assert result.ends["cap"] == 4


# ---------------------------------------------------------------------- results
def test_wins_intervals_and_returns() -> None:
    game = load(players=2, max_rounds=None, ending="build_it+equality")
    result = rollouts(game, 60, "playout", seed=2, per_game=True)
    assert result.records is not None
    assert result.returns is not None
    assert result.ends["launch"] > 30
    for seat in range(2):
        wins = int((result.records["winners"] >> seat & 1).sum())
        assert result.wins[seat] == wins == result.returns[:, seat].sum()
        assert result.win_rate[seat] == wins / 60
        low, high = result.win_interval[seat]
        assert 0 <= low < wins / 60 < high <= 1
        column = result.returns[:, seat]
        assert result.mean_returns[seat] == pytest.approx(column.mean())
        assert result.returns_error[seat] == pytest.approx(column.std(ddof=1) / math.sqrt(60))
    assert result.launch_clean == result.records["launch_clean"].sum() > 0
    assert result.launch_die == 0
    text = str(result)
    assert f"{result.ends['launch']} by Launch" in text
    assert "60 playouts, policy playout" in text
    assert len(text.splitlines()) == 2 + 2 + 3


def test_chunks_are_put_together(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load(players=2, max_rounds=3)
    whole = rollouts(game, 50, cutoff=60, evaluator=standing, per_game=True)
    monkeypatch.setattr("cysmic_fast.rollout._CHUNK", 7)
    parts = rollouts(game, 50, cutoff=60, evaluator=standing, per_game=True)
    assert (parts.records == whole.records).all()
    assert (parts.returns == whole.returns).all()
    assert parts.mean_returns == pytest.approx(whole.mean_returns)
    assert parts.returns_error == pytest.approx(whole.returns_error)
    assert (parts.wins, parts.ends, parts.rounds, parts.decisions) == (
        whole.wins,
        whole.ends,
        whole.rounds,
        whole.decisions,
    )


@pytest.mark.parametrize("policy", ["random", "playout", ["playout", "random", "playout"]])
def test_threads_do_not_matter(policy: Any) -> None:
    game = load(max_rounds=6)
    state = advanced(game, 25)
    for what in (game, state):
        results = [rollouts(what, 150, policy, threads=n, seed=6, per_game=True) for n in (1, 2, 5)]
        assert same(results[0], results[1])
        assert same(results[0], results[2])


def test_the_first_playouts_of_many_are_the_few() -> None:
    game = load()
    many, few = rollouts(game, 40, "playout", per_game=True), rollouts(game, 9, "playout", per_game=True)
    later = rollouts(game, 31, "playout", first=9, per_game=True)
    assert many.records is not None
    assert (many.records[:9] == few.records).all()
    assert (many.records[9:] == later.records).all()


# ---------------------------------------------------------------------- where playouts end
def test_max_rounds_is_a_round_of_the_game(engine: str) -> None:
    game = load(engine)
    short = load(engine, max_rounds=2)
    capped = rollouts(game, 3, max_rounds=2, per_game=True)
    assert (capped.records == short.simulate(0, 0, 3)).all()
    state = advanced(game, 0)
    while state.round < 3:
        state.apply_action(state.legal_actions()[0])
    beyond = rollouts(state, 2, max_rounds=1)
    assert (beyond.rounds.min, beyond.rounds.max) == (3, 3)  # the round at hand is finished
    assert beyond.ends["cap"] == 2


def test_cut_off_playouts_have_no_result(engine: str) -> None:
    game = load(engine)
    result = rollouts(game, 4, cutoff=30, per_game=True)
    assert result.ends["cut"] == 4
    assert (result.records["reason"] == -1).all()
    assert (result.records["decisions"] == 30).all()
    assert np.isnan(result.returns).all()
    assert result.returns_count == 0
    assert all(math.isnan(rate) for rate in result.win_rate)
    assert "4 cut off" in str(result)
    assert rollouts(game, 2, cutoff=10**6).ends["cut"] == 0
    assert rollouts(advanced(game, 9), 2, cutoff=0).decisions.max == 0


def test_the_evaluator_values_what_was_cut_off() -> None:
    whole = rollouts(load(), 6, "playout", per_game=True).records
    assert whole is not None
    cutoff = sorted(whole["decisions"])[3]
    results = [
        rollouts(load(engine), 6, "playout", cutoff=cutoff, evaluator=standing, per_game=True)
        for engine in ("native", "reference")
    ]
    assert same(*results)
    records, returns = results[0].records, results[0].returns
    assert records is not None
    assert returns is not None
    cut = records["reason"] == -1
    assert 0 < cut.sum() < 6
    assert (cut == (whole["decisions"] > cutoff)).all()
    assert (returns[~cut] == 0).all()
    assert (returns[cut] % 1 == np.array([0, 1 / 8, 2 / 8])).all()
    assert results[0].returns_count == 6


@pytest.mark.parametrize("n", [1, 3])
def test_results_are_values(n: int) -> None:
    """With nan in them, where there is nothing to take a mean of, too."""
    result = rollouts(load(), n, cutoff=3)
    assert math.isnan(result.mean_returns[0])
    back = pickle.loads(pickle.dumps(result))
    assert back == result == rollouts(load(), n, cutoff=3, threads=2)
    assert len({back, result, rollouts(load(), n, cutoff=3, per_game=True)}) == 1
    assert result != rollouts(load(), n, cutoff=3, seed=1)
    assert result != rollouts(load(), n)
    assert result != 3


# ---------------------------------------------------------------------- callables
def test_a_callable_may_do_to_its_state_what_it_wants() -> None:
    """On the native engine it is given a copy."""
    kept = []

    def wild(state: Any) -> int:
        action = state.legal_actions()[-1]
        if len(kept) < 50:
            kept.append(state)
        state.apply_action(action)
        return action

    one, two = (rollouts(load(), 2, policy, per_game=True).records for policy in (wild, last))
    assert one is not None
    assert (one == two).all()
    assert all(not state.is_terminal() for state in kept)


def test_a_callable_may_clone_but_not_change_a_reference_state() -> None:
    def clones(state: Any) -> int:
        state.clone().apply_action(state.legal_actions()[0])
        return state.legal_actions()[-1]

    def changes(state: Any) -> int:
        action = state.legal_actions()[-1]
        state.apply_action(action)
        return action

    game = load("reference", max_rounds=1)
    one, two = (rollouts(game, 1, policy, per_game=True).records for policy in (clones, last))
    assert one is not None
    assert (one == two).all()
    with pytest.raises(PolicyError, match="changes: it changed the state"):
        rollouts(game, 1, changes)


@pytest.mark.parametrize("given", [-1, 512, 10**30, None, "done", 1.0, True, [0]])
def test_what_is_no_legal_action_is_an_error(engine: str, given: Any) -> None:
    calls = []

    def bad(state: Any) -> Any:
        calls.append(state)
        return given if len(calls) > 5 else state.legal_actions()[0]

    with pytest.raises(PolicyError, match=r"policy bad of seat \d, in playout 3, decision 5 \(.*it returned"):
        rollouts(load(engine), 2, bad, first=3)
    assert len(calls) == 6


def test_exceptions_of_callables_pass(engine: str) -> None:
    def broken(state: Any) -> int:
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        rollouts(load(engine), 2, ["random", broken, "random"])
    with pytest.raises(ZeroDivisionError, match="mine"):
        rollouts(load(engine), 2, cutoff=3, evaluator=broken)


@pytest.mark.parametrize(
    "given",
    [
        *(None, 3, math.inf, [1, 2], [0, 0, 0, 0], [1, 2, math.nan], [1, 2, 10**400]),
        *([1, 2, "x"], ["1", "2", "3"], "123", [1, 2, 1e101], [-1e308, 0, 0], itertools.count()),
    ],
)
def test_evaluators_give_a_number_a_seat(engine: str, given: Any) -> None:
    with pytest.raises(PolicyError, match=r"evaluator, in playout 0.*3 finite numbers.*1e\+100"):
        rollouts(load(engine), 2, cutoff=3, evaluator=lambda state: given)
    numbers = [True, np.float32(2), np.int64(3)]
    assert rollouts(load(engine), 2, cutoff=3, evaluator=lambda state: numbers).mean_returns == (1, 2, 3)


def test_sums_of_the_largest_values_are_finite(engine: str) -> None:
    values = [1e100, -1e100, 0.0]
    found = rollouts(load(engine), 3, cutoff=3, evaluator=lambda state: values)
    assert found.mean_returns == pytest.approx(values)
    assert np.isfinite(found.returns_error).all()


@pytest.mark.parametrize("name", [3, "x" * 10_000, "\x1b[31m"])
def test_names_of_callables_are_printable(engine: str, name: Any) -> None:
    class Odd:
        __name__ = name

        def __call__(self, state: Any) -> int:
            return -1

    with pytest.raises(PolicyError) as caught:
        rollouts(load(engine), 1, Odd())
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 1000


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n": 0}, "n is 0"),
        ({"n": 2.5}, "n is 2.5"),
        ({"policy": "rnadom"}, "'rnadom' given.*random, playout.*did you mean"),
        ({"policy": 7}, "7 given"),
        ({"policy": ["random"]}, "1 policies given"),
        ({"policy": ["random", None, "random"]}, "None given"),
        ({"threads": 0}, "threads"),
        ({"seed": -1}, "seed"),
        ({"first": 2**64 - 1}, "first"),
        ({"max_rounds": 0}, "max_rounds"),
        ({"max_rounds": 5}, "max_rounds.*1 to 4"),
        ({"cutoff": -1}, "cutoff"),
        ({"evaluator": standing}, "evaluator given without cutoff"),
        ({"evaluator": 3, "cutoff": 1}, "evaluator: 3 given"),
    ],
)
def test_bad_arguments(engine: str, arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=f"(?i){message}"):
        rollouts(load(engine), **{"n": 2, **arguments})


class Wrapper:
    """Has a game, and is no state."""

    game = load()


@pytest.mark.parametrize("what", [None, 3, "competitive", object(), Wrapper()])
def test_only_states_and_games_are_played(what: Any) -> None:
    with pytest.raises(OptionError, match="a state or a game"):
        rollouts(what, 1)


def test_simulate_takes_a_policy(engine: str) -> None:
    game = load(engine)
    result = rollouts(game, 3, "playout", seed=1, per_game=True)
    assert (game.simulate(1, 0, 3, policy="playout") == result.records).all()
    assert len(game.simulate(1, 0, 0, policy="playout")) == 0
    with pytest.raises(OptionError, match="policy"):
        game.simulate(1, 0, 3, policy="best")


# ---------------------------------------------------------------------- signals
INTERRUPTED = """
import signal, sys
import cysmic_fast

signal.signal(signal.SIGINT, signal.default_int_handler)  # children of a job in the background ignore it
game = cysmic_fast.load_game(players=4)
policy, threads = sys.argv[1], int(sys.argv[2])
if policy == "last":
    policy = lambda state: state.legal_actions()[-1]
cysmic_fast.rollouts(game, 1, policy)  # everything is imported
print("ready", flush=True)
try:
    cysmic_fast.rollouts(game, 10**9, policy, threads=threads)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.parametrize(("policy", "threads"), [("random", 1), ("playout", 2), ("last", 1)])
def test_ctrl_c_ends_it(policy: str, threads: int) -> None:
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", INTERRUPTED, policy, str(threads)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert process.stdout is not None
    try:
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=30)
    finally:
        process.kill()
    assert output == "interrupted\n"


def test_callables_may_draw_from_a_generator_of_their_own() -> None:
    """They are called one after another, in the order of the playouts, whatever ``threads`` says."""

    def play(threads: int) -> Any:
        rng = random.Random(1)
        return rollouts(
            load(), 6, lambda state: rng.choice(state.legal_actions()), threads=threads, per_game=True
        )

    assert same(play(1), play(4))


@pytest.mark.parametrize("engine", ["native", "reference"])
@pytest.mark.parametrize("answer", [np.array([148]), "148", 1.5, True, None, 512, -1])
def test_answers_that_are_no_action(engine: str, answer: Any) -> None:
    """Whatever a policy returns is a legal action, or a PolicyError that names policy, seat and decision."""
    game = cysmic_fast.load_game(players=2, engine=engine, max_rounds=2)
    with pytest.raises(PolicyError, match="seat 0, in playout 0, decision 0"):
        rollouts(game, 1, lambda state: answer)
