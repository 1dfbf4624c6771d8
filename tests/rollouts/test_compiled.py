"""Policies and evaluators compiled by Numba, inside the native loop."""

from __future__ import annotations

import functools
import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

pytest.importorskip("numba")

import cysmic_fast
from cysmic_fast import PolicyError, compiled, rollouts
from cysmic_fast.compiled import (
    count_bits,
    count_legal,
    has_bit,
    is_legal,
    legal_ids,
    next_legal,
    nth_legal,
    policy_bounded,
    policy_word,
)
from cysmic_fast.errors import OptionError
from cysmic_fast.layout import state_record
from cysmic_fast.policies import RandomPolicy
from cysmic_fast.vocabulary import DecisionKind

PLAY = int(DecisionKind.PLAY)


@cysmic_fast.policy
def uniform(state: Any, mask: Any, rng: int) -> int:
    return nth_legal(mask, policy_bounded(rng, count_legal(mask)))


@cysmic_fast.policy
def last(state: Any, mask: Any, rng: int) -> int:
    found = -1
    for action in legal_ids(mask):
        found = action
    return found


@cysmic_fast.policy
def wealthy(state: Any, mask: Any, rng: int) -> int:
    """Looks at numbers, arrays and sets of the record."""
    me = state.seat[state.player]
    key = me.lorium + me.reserve[1] + count_bits(me.occupied) + state.round
    if me.ship >= 0 and has_bit(state.ships, me.ship):
        key += 3
    return nth_legal(mask, key % count_legal(mask))


def wealthy_in_python(state: Any) -> int:
    record: Any = state_record(state)
    me = record["seat"][record["player"]]
    legal = state.legal_actions()
    occupied = sum(bin(int(word)).count("1") for word in me["occupied"])
    key = int(me["lorium"]) + int(me["reserve"][1]) + occupied + int(record["round"])
    return legal[(key + 3 * (me["ship"] >= 0)) % len(legal)]


@pytest.fixture(scope="module")
def game() -> Any:
    return cysmic_fast.load_game(players=3, max_rounds=4)


def records(what: Any, n: int, policy: Any, **more: Any) -> Any:
    return rollouts(what, n, policy, per_game=True, **more).records


# ---------------------------------------------------------------------- what it plays
def test_a_uniform_policy_is_the_random_policy(game: Any) -> None:
    """Same words of the same stream, same choice: the very same games."""
    assert (records(game, 40, uniform, seed=3) == records(game, 40, "random", seed=3)).all()


def test_it_plays_what_a_callable_with_the_same_rule_plays(game: Any) -> None:
    expected = records(game, 6, lambda state: state.legal_actions()[-1])
    assert (records(game, 6, last) == expected).all()
    expected = records(game, 6, wealthy_in_python, seed=2)
    assert (records(game, 6, wealthy, seed=2) == expected).all()


def test_seats_may_have_policies_of_all_kinds(game: Any) -> None:
    mixed = records(game, 5, [uniform, lambda state: state.legal_actions()[-1], "playout"])
    assert (mixed == records(game, 5, ["random", last, "playout"])).all()


def test_threads_do_not_matter(game: Any) -> None:
    state = game.new_initial_state(4)
    one, two = (records(state, 150, [uniform, wealthy, "random"], threads=n) for n in (1, 3))
    assert (one == two).all()


def test_the_words_are_those_of_the_policy_stream(game: Any) -> None:
    @cysmic_fast.policy
    def worded(state: Any, mask: Any, rng: int) -> int:
        return nth_legal(mask, np.int64(policy_word(rng) % np.uint64(count_legal(mask))))

    stream: list[RandomPolicy] = []

    def in_python(state: Any) -> int:
        legal = state.legal_actions()
        return legal[stream[0]._word() % len(legal)]

    for index in range(3):
        stream[:] = [RandomPolicy(5, index)]
        expected = records(game, 1, in_python, seed=5, first=index)
        assert (records(game, 1, worded, seed=5, first=index) == expected).all()


def test_writing_into_the_record_changes_nothing(game: Any) -> None:
    """It is a copy."""

    @cysmic_fast.policy
    def vandal(state: Any, mask: Any, rng: int) -> int:
        action = nth_legal(mask, policy_bounded(rng, count_legal(mask)))
        state.round = 59
        state.depth = 200
        state.seat[0].lorium = 1000
        for i in range(8):
            mask[i] = 0
        return action

    assert (records(game, 20, vandal) == records(game, 20, "random")).all()


# ---------------------------------------------------------------------- helpers
def test_helpers_agree_with_the_list_of_legal_actions(game: Any) -> None:
    state, policy = game.new_initial_state(9), RandomPolicy(9)
    while not state.is_terminal():
        legal = state.legal_actions()
        mask = np.packbits(state.legal_actions_mask(), bitorder="little").view(np.uint64)
        assert list(legal_ids(mask)) == legal
        assert count_legal(mask) == len(legal) == count_bits(mask)
        assert [nth_legal(mask, k) for k in range(len(legal))] == legal
        assert nth_legal(mask, len(legal)) == -1
        walked = [next_legal(mask, -1)]
        while walked[-1] >= 0:
            walked.append(next_legal(mask, walked[-1]))
        assert walked == [*legal, -1]
        assert [a for a in range(-3, 600) if is_legal(mask, a)] == legal
        assert has_bit(mask, legal[0])
        state.apply_action(policy(state))


def test_helpers_at_the_ends_of_a_mask() -> None:
    full = np.full(8, 2**64 - 1, dtype=np.uint64)
    assert count_legal(full) == 512
    assert list(legal_ids(full)) == [nth_legal(full, k) for k in range(512)] == list(range(512))
    assert next_legal(full, 511) == -1
    empty = np.zeros(8, dtype=np.uint64)
    assert list(legal_ids(empty)) == []
    assert (next_legal(empty, -1), nth_legal(empty, 0), count_legal(empty)) == (-1, -1, 0)
    for k in (-1, -2, -512, 512, 2**40):
        assert nth_legal(full, k) == -1


# ---------------------------------------------------------------------- errors
def raises(state: Any, mask: Any, rng: int) -> int:
    if state.kind == PLAY:
        raise ValueError("not my game")
    return next_legal(mask, -1)


def divides(state: Any, mask: Any, rng: int) -> int:
    return next_legal(mask, -1) + 0 * (1 // (state.kind - PLAY))


def beyond(state: Any, mask: Any, rng: int) -> int:
    return next_legal(mask, -1) + np.int64(mask[state.round + 7])


@pytest.mark.parametrize(
    ("function", "cause", "kind"),
    [(raises, ValueError, "PLAY"), (divides, ZeroDivisionError, "PLAY"), (beyond, IndexError, "")],
)
def test_exceptions_are_errors_never_moves(
    game: Any, capfd: pytest.CaptureFixture[str], function: Any, cause: type[Exception], kind: str
) -> None:
    policy = cysmic_fast.policy(function)
    message = (
        rf"policy {function.__name__} of seat \d, in playout 5, decision \d+ \({kind}.*raised an exception"
    )
    for threads in (1, 3):
        with pytest.raises(PolicyError, match=message) as caught:
            rollouts(game, 40, policy, first=5, threads=threads)
        assert isinstance(caught.value.__cause__, cause)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("value", [-1, 511, 2**40])
def test_what_is_no_legal_action_is_an_error(game: Any, value: int) -> None:
    @cysmic_fast.policy
    def bad(state: Any, mask: Any, rng: int) -> int:
        return value if state.kind == PLAY else next_legal(mask, -1)

    with pytest.raises(
        PolicyError, match=rf"in playout 0, decision \d+ \(PLAY\): it returned {value}; allowed: "
    ):
        rollouts(game, 20, ["random", bad, bad], threads=2)


def test_the_first_playout_with_an_error_is_told(game: Any) -> None:
    """However many threads: here the one whose seat 0 first has a hand of six cards."""

    @cysmic_fast.policy
    def full(state: Any, mask: Any, rng: int) -> int:
        if count_bits(state.seat[0].hand) == 6:
            return -1
        return nth_legal(mask, policy_bounded(rng, count_legal(mask)))

    messages = set()
    for threads in (1, 2, 7):
        with pytest.raises(PolicyError) as caught:
            rollouts(game, 500, full, threads=threads)
        messages.add(str(caught.value))
    assert len(messages) == 1
    assert "playout 0," not in messages.pop()  # not at once, or it would prove little


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda state, mask, rng: 1.5, "float64; allowed: an integer"),
        (lambda state, mask, rng: True, "bool.*; allowed: an integer"),
        (lambda state, mask, rng: None, "none; allowed: an integer"),
        (lambda state, mask, rng: state.no_such_field, "cannot compile"),
        (lambda state: 1, "cannot compile"),
        (7, "allowed: a function"),
    ],
)
def test_what_cannot_be_compiled(function: Any, message: str) -> None:
    with pytest.raises(OptionError, match=f"(?s){message}"):
        cysmic_fast.policy(function)


def test_compiled_code_is_for_the_native_engine(game: Any) -> None:
    reference = cysmic_fast.load_game(players=3, engine="reference")
    with pytest.raises(OptionError, match="native engine only"):
        rollouts(reference, 1, last)
    with pytest.raises(OptionError, match="native engine only"):
        rollouts(reference, 1, cutoff=1, evaluator=influence)
    with pytest.raises(OptionError, match="policy"):
        rollouts(game, 1, influence)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="evaluator"):
        rollouts(game, 1, cutoff=1, evaluator=last)  # type: ignore[arg-type]


# ---------------------------------------------------------------------- evaluators
@cysmic_fast.evaluator
def influence(state: Any, returns: Any) -> None:
    for seat in range(6):
        returns[seat] = count_bits(state.seat[seat].control) + state.seat[seat].lorium / 64


def influence_in_python(state: Any) -> list[float]:
    record: Any = state_record(state)
    return [
        sum(bin(int(word)).count("1") for word in seat["control"]) + int(seat["lorium"]) / 64
        for seat in record["seat"][: state.game.num_players]
    ]


def test_a_compiled_evaluator_values_what_a_callable_does(game: Any) -> None:
    one = rollouts(game, 30, cutoff=90, evaluator=influence, per_game=True, threads=2)
    two = rollouts(game, 30, cutoff=90, evaluator=influence_in_python, per_game=True)
    assert one == two
    assert one.returns is not None
    assert two.returns is not None
    assert (one.returns == two.returns).all()
    assert len(np.unique(one.returns)) > 5
    assert one.returns_count == 30


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (np.uint64(2**63 + 5), str(2**63 + 5)),
        (np.uint64(2**64 - 1), str(2**64 - 1)),
        (np.uint64(2**63), f"{2**63 - 1} or {2**63}"),
        (np.int64(-7), "-7"),
        (np.int64(-(2**63)), f"{2**63 - 1} or {-(2**63)}"),
        (np.int64(600), "600"),
    ],
)
def test_what_a_policy_returned_is_told_as_it_is(game: Any, value: Any, told: str) -> None:
    @cysmic_fast.policy
    def odd(state: Any, mask: Any, rng: int) -> Any:
        return value

    with pytest.raises(PolicyError, match=f"it returned {told}; allowed: "):
        rollouts(game, 1, odd)


@pytest.mark.parametrize("value", [np.nan, np.inf, -1e101])
def test_evaluators_give_finite_numbers(game: Any, value: float) -> None:
    @cysmic_fast.evaluator
    def odd(state: Any, returns: Any) -> None:
        returns[:] = 1.0
        returns[2] = value

    message = rf"in playout 0: it returned \[1.0, 1.0, {value}.*; allowed: \d finite numbers, one a seat"
    with pytest.raises(PolicyError, match=message.replace("+", r"\+")) as caught:
        rollouts(game, 3, cutoff=5, evaluator=odd)
    assert caught.value.__cause__ is None


def test_exceptions_of_evaluators_are_errors(game: Any, capfd: pytest.CaptureFixture[str]) -> None:
    @cysmic_fast.evaluator
    def broken(state: Any, returns: Any) -> None:
        returns[state.round + 5] = 1.0

    with pytest.raises(PolicyError, match="the evaluator, in playout 2: it raised an exception") as caught:
        rollouts(game, 3, cutoff=5, evaluator=broken, first=2)
    assert isinstance(caught.value.__cause__, IndexError)
    assert capfd.readouterr() == ("", "")


# ---------------------------------------------------------------------- around it
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_they_can_be_pickled(game: Any, protocol: int) -> None:
    """Decorated functions of a module and of a function, with what they refer to."""
    least = 2

    @cysmic_fast.policy
    def local(state: Any, mask: Any, rng: int) -> int:
        return nth_legal(mask, least % count_legal(mask))

    for policy in (wealthy, local):
        back = pickle.loads(pickle.dumps(policy, protocol))
        assert (repr(back), back.__doc__) == (repr(policy), policy.__doc__)
        assert (records(game, 5, back) == records(game, 5, policy)).all()
    back = pickle.loads(pickle.dumps(influence, protocol))
    assert rollouts(game, 5, cutoff=9, evaluator=back) == rollouts(game, 5, cutoff=9, evaluator=influence)


@pytest.mark.parametrize("what", [uniform, influence, len, functools.partial(max, 3), 3, None])
def test_only_functions_are_compiled(what: Any) -> None:
    for decorate in (cysmic_fast.policy, cysmic_fast.evaluator):
        with pytest.raises(OptionError, match="given; allowed: a function written in Python"):
            decorate(what)


def test_a_compiled_policy_says_what_it_is() -> None:
    assert repr(last) == "<CompiledPolicy last>"
    assert wealthy.__doc__ == "Looks at numbers, arrays and sets of the record."
    assert isinstance(uniform, compiled.CompiledPolicy)
    record = state_record(cysmic_fast.load_game().new_initial_state())
    assert last(record, np.array([6, 0, 0, 0, 0, 0, 0, 8], dtype=np.uint64), 0) == 7 * 64 + 3


WITHOUT_NUMBA = """
import sys
sys.modules["numba"] = None
import cysmic_fast
from cysmic_fast import *
cysmic_fast.rollouts(cysmic_fast.load_game(players=2, max_rounds=1), 2, "playout")
try:
    cysmic_fast.policy(lambda state, mask, rng: 0)
except ImportError as error:
    print(error)
"""

SLOW = """
import signal
import cysmic_fast

@cysmic_fast.policy
def slow(state, mask, rng):
    total = 0
    for i in range(3_000_000 * len(mask)):
        total += i ^ state.round
    return cysmic_fast.compiled.next_legal(mask, -1 if total else 0)

signal.signal(signal.SIGINT, signal.default_int_handler)  # children of a job in the background ignore it
game = cysmic_fast.load_game(players=4)
print("ready", flush=True)
try:
    cysmic_fast.rollouts(game, 1, slow)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


def test_without_numba_everything_else_works() -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-c", WITHOUT_NUMBA], capture_output=True, text=True, check=True
    )
    assert "pip install cysmic-fast[numba]" in done.stdout


def test_ctrl_c_ends_it_within_a_playout() -> None:
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", "import cysmic_fast.compiled\n" + SLOW],
        stdout=subprocess.PIPE,
        text=True,
        env=dict(os.environ),
    )
    assert process.stdout is not None
    try:
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=60)
    finally:
        process.kill()
    assert output == "interrupted\n"


def test_a_policy_can_be_used_after_the_function_is_forgotten(game: Any) -> None:
    """The compiled code stays alive as long as the policy does."""

    def make() -> Callable[..., Any]:
        @cysmic_fast.policy
        def lowest(state: Any, mask: Any, rng: int) -> int:
            return next_legal(mask, -1)

        return lowest

    expected = records(game, 3, lambda state: state.legal_actions()[0])
    assert (records(game, 3, make()) == expected).all()
