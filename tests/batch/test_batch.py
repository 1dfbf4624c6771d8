"""Batches: rows equal single games, with any number of threads; autoreset; bad input; nothing allocated."""

from __future__ import annotations

import copy
import multiprocessing
import os
import pickle
import re
import tempfile
import threading
import tracemalloc
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from card_strategies import write_pack

import cysmic_fast
from cysmic_fast import Batch, _native, vocabulary
from cysmic_fast.errors import ContentError, CysmicError, IllegalActionError, OptionError
from cysmic_fast.policies import RandomPolicy

ARRAYS = (
    "current_player",
    "decision",
    "legal_mask",
    "rewards",
    "terminated",
    "episode_ended",
    "reason",
    "lengths",
    "final_lengths",
    "last_player",
    "game_index",
)
CONFIGURATIONS: list[dict[str, Any]] = [
    {"players": 4, "max_rounds": 2},
    {"players": 2, "max_rounds": 3, "factions": True, "events": True, "molten_core": True},
    {"players": 3, "max_rounds": 2, "abilities": False},
    {"players": 6, "max_rounds": 1, "ending": "build_it+simultaneous"},
]


def make(n: int = 6, seed: int = 1, **arguments: Any) -> Batch:
    game = cysmic_fast.load_game(players=3, max_rounds=2)
    return Batch(game, n, seed, **arguments)


def arrays(batch: Batch) -> dict[str, np.ndarray]:
    return {name: getattr(batch, name).copy() for name in ARRAYS}


def assert_same(a: dict[str, np.ndarray], b: dict[str, np.ndarray]) -> None:
    for name in a:
        np.testing.assert_array_equal(a[name], b[name], err_msg=name)


def legal_bits(batch: Batch, row: int) -> list[int]:
    words = [int(word) for word in batch.legal_mask[row]]
    return [a for a in range(512) if words[a >> 6] >> (a & 63) & 1]


# ------------------------------------------------------------------ the same games
@pytest.mark.parametrize("options", CONFIGURATIONS, ids=str)
def test_rows_equal_single_games(options: dict[str, Any]) -> None:
    """Every row and every array at every step, over several games of each row."""
    game = cysmic_fast.load_game(**options)
    n, seed, first = 5, 11, 40
    batch = Batch(game, n, seed, first=first, final_observation=True)
    singles = [game.new_initial_state(seed, index=first + i) for i in range(n)]
    policies = [RandomPolicy(seed, first + i) for i in range(n)]
    games, taken = [1] * n, [0] * n
    step = 0
    while min(games) < 3:
        for i, state in enumerate(singles):
            assert batch.current_player[i] == state.current_player()
            assert batch.decision[i] == state.decision()
            assert legal_bits(batch, i) == state.legal_actions()
            assert batch.lengths[i] == taken[i]
            assert batch.game_index[i] == first + i + (games[i] - 1) * n
        actions = batch.random_actions()
        assert actions.dtype == np.int16
        assert actions.tolist() == [policy(state) for policy, state in zip(policies, singles, strict=True)]
        if step % 37 == 0:
            seen, own = batch.observe(), batch.observe(player=1)
            for i, state in enumerate(singles):
                assert batch.state(i).snapshot() == state.snapshot()
                np.testing.assert_array_equal(seen[i], state.observation(state.current_player()))
                np.testing.assert_array_equal(own[i], state.observation(1))
        deciders = batch.current_player.copy()
        batch.step(actions)
        step += 1
        assert batch.last_player.tolist() == deciders.tolist()
        for i, state in enumerate(singles):
            state.apply_action(actions[i])
            taken[i] += 1
            over = state.is_terminal()
            assert batch.terminated[i] == batch.episode_ended[i] == over
            assert batch.reason[i] == state.end_reason()
            assert batch.rewards[i].tolist() == (state.returns() if over else [0.0] * game.num_players)
            assert batch.final_lengths[i] == (taken[i] if over else 0)
            if over:
                final = state.observation(int(deciders[i]))
                np.testing.assert_array_equal(batch.final_observation[i], final)
                index = first + i + games[i] * n
                singles[i], policies[i] = game.new_initial_state(seed, index=index), RandomPolicy(seed, index)
                games[i], taken[i] = games[i] + 1, 0
                assert batch.state(i).snapshot() == singles[i].snapshot()


def test_random_actions_play_the_games_of_simulate() -> None:
    game = cysmic_fast.load_game(players=4)
    records = game.simulate(3, 2**64 - 50, 50)
    batch = Batch(game, 50, 3, first=2**64 - 50, autoreset=False)
    while not batch.terminated.all():
        batch.step(batch.random_actions())
    np.testing.assert_array_equal(batch.reason, records["reason"])
    np.testing.assert_array_equal(batch.lengths, records["decisions"])
    batch.reset()  # the second games: indices go round
    assert batch.game_index[0] == 0
    assert batch.game_index[49] == 49


def test_rewards_tell_who_has_launched() -> None:
    """Games that end in Launches: cheap Modules."""
    from cysmic_fast._crosscheck_data import CONFIGS, load_pair

    _, game = load_pair(CONFIGS["3p:quick+build_it+simultaneous"])
    records = game.simulate(5, 0, 80)
    assert (records["reason"] == 0).any()
    batch = Batch(game, 80, 5)
    rewards = np.full((80, 3), -1.0, dtype=np.float32)
    while (rewards < 0).any():
        batch.step(batch.random_actions())
        first = batch.episode_ended & (rewards[:, 0] < 0)
        rewards[first] = batch.rewards[first]
        assert not batch.rewards[~batch.episode_ended].any()
    bits = (records["winners"][:, None] >> np.arange(3)) & 1
    np.testing.assert_array_equal(rewards, bits)


@pytest.mark.parametrize("threads", [2, 3, 7])
def test_threads_do_not_matter(threads: int) -> None:
    game = cysmic_fast.load_game(players=4, max_rounds=2)
    alone = Batch(game, 400, 7, final_observation=True)
    many = Batch(game, 400, 7, threads=threads, final_observation=True)
    for step in range(150):
        actions = alone.random_actions()
        np.testing.assert_array_equal(actions, many.random_actions())
        alone.step(actions)
        many.step(actions)
        if step % 30 == 0:
            assert_same(arrays(alone), arrays(many))
            np.testing.assert_array_equal(alone.observe(), many.observe())
            np.testing.assert_array_equal(alone.legal_mask_bool(), many.legal_mask_bool())
    assert alone.episode_ended.any() or (alone.game_index >= 400).any()
    assert_same(arrays(alone), arrays(many))
    np.testing.assert_array_equal(alone.final_observation, many.final_observation)


def _step_in_child(batch: Batch, expected: np.ndarray) -> None:
    batch.step(batch.random_actions())
    np.testing.assert_array_equal(batch.legal_mask, expected)


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="no fork here")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_forked_process_goes_on_with_threads() -> None:
    game = cysmic_fast.load_game(players=2)
    batch = Batch(game, 200, 7, threads=2)
    batch.step(batch.random_actions())
    twin = batch.clone()
    twin.step(twin.random_actions())
    process = multiprocessing.get_context("fork").Process(
        target=_step_in_child, args=(batch, twin.legal_mask)
    )
    process.start()
    process.join(60)
    assert process.exitcode == 0


def _go_on_in_child(batch: Batch) -> None:
    """Exit 0: it goes on as it was; 3: its games were amid a step, and it says so until a reset."""
    torn = 0
    try:
        batch.state(0)
    except CysmicError:
        torn = 3
        with pytest.raises(CysmicError, match="forked while another thread was changing the batch"):
            batch.step(np.zeros(len(batch), dtype=np.int16))
        with pytest.raises(CysmicError, match="forked"):
            batch.state(0)
        with pytest.raises(CysmicError, match="forked"):
            batch.reset(np.ones(len(batch), dtype=np.bool_))
        batch.reset()
    for _ in range(3):
        batch.step(batch.random_actions())
    for row in (0, len(batch) - 1):
        state = batch.state(row)
        assert state.check_integrity() is None  # type: ignore[attr-defined]
        if torn:
            assert batch.lengths[row] == 3
    os._exit(torn)


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="no fork here")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_process_forked_during_a_call_goes_on() -> None:
    """The thread that was stepping is not there any more; its claim and its half-done games are."""
    batch = Batch(cysmic_fast.load_game(players=2), 4000, 7)
    over = threading.Event()

    def step() -> None:
        while not over.is_set():
            batch.step(batch.random_actions())

    thread = threading.Thread(target=step)
    thread.start()
    codes = []
    try:
        for _ in range(12):
            process = multiprocessing.get_context("fork").Process(target=_go_on_in_child, args=(batch,))
            process.start()
            process.join(60)
            codes.append(process.exitcode)
            if codes.count(3) > 2:
                break
    finally:
        over.set()
        thread.join(60)
    assert set(codes) <= {0, 3}
    assert 3 in codes
    batch.step(batch.random_actions())  # the parent goes on


def test_rows_are_the_states_of_single_games_to_the_byte() -> None:
    """The same actions by another path through the machine: nothing of the memory around is in a state."""
    game = cysmic_fast.load_game(players=4, factions=True, molten_core=True)
    batch = Batch(game, 24, 3, knowledge=True, autoreset=False)
    states: list[Any] = [game.new_initial_state(3, index=row) for row in range(24)]
    trades = 0
    for _ in range(600):
        actions = batch.random_actions()
        trades += int((batch.decision == vocabulary.DecisionKind.TRADE_ANSWER).sum())
        batch.step(actions)
        for row, state in enumerate(states):
            if actions[row] >= 0:
                state.apply_action(actions[row])
                assert batch.state(row) == state, row
    assert trades > 50


# ------------------------------------------------------------------ arrays
def test_arrays_are_views_that_steps_write_to() -> None:
    batch = make()
    held = {name: getattr(batch, name) for name in ARRAYS}
    before = arrays(batch)
    for _ in range(5):
        batch.step(batch.random_actions())
    for name, array in held.items():
        assert getattr(batch, name) is array
        assert array.ctypes.data % 64 == 0
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.flags.writeable = True
    assert held["lengths"].tolist() == [5] * 6
    assert not np.array_equal(held["legal_mask"], before["legal_mask"])
    del batch
    assert held["lengths"].tolist() == [5] * 6  # the memory lives as long as somebody looks at it


def test_masks_in_both_forms() -> None:
    batch = make(70)
    out = np.ones((70, 512), dtype=np.bool_)
    for _ in range(30):
        assert batch.legal_mask_bool(out) is out
        for row in (0, 33, 69):
            assert out[row].nonzero()[0].tolist() == legal_bits(batch, row)
            np.testing.assert_array_equal(out[row], batch.state(row).legal_actions_mask())
        batch.step(batch.random_actions())


def test_a_step_allocates_nothing() -> None:
    game = cysmic_fast.load_game(players=4, max_rounds=1)
    batch = Batch(game, 500, 1, final_observation=True)
    actions = np.empty(500, dtype=np.int16)
    seen = np.empty((500, cysmic_fast.observation_spec(game).size), dtype=np.int8)
    mask = np.empty((500, 512), dtype=np.bool_)

    def once() -> None:
        batch.step(batch.random_actions(actions))
        batch.observe(seen)
        batch.legal_mask_bool(mask)

    once()
    tracemalloc.start()
    try:
        once()
        tracemalloc.reset_peak()
        held, _ = tracemalloc.get_traced_memory()
        for _ in range(60):
            once()
        left, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (batch.game_index >= 500).any()
    assert peak - held < 8192  # a few views of the arrays given; the smallest array of rows has 500 bytes ...
    assert left - held < 2048  # ... and 60 of them would show


# ------------------------------------------------------------------ life of a row
def test_without_autoreset_rows_stay_where_they_end() -> None:
    batch = make(4, autoreset=False)
    ends: dict[int, Any] = {}
    while len(ends) < 4:
        actions = batch.random_actions()
        for i in ends:
            assert actions[i] == -1
        actions[list(ends)] = 511  # of no account
        batch.step(actions)
        for i in batch.episode_ended.nonzero()[0].tolist():
            assert i not in ends
            ends[i] = batch.state(i).snapshot()
        for i in ends:
            assert batch.current_player[i] == vocabulary.TERMINAL_PLAYER
            assert batch.decision[i] == 0
            assert not batch.legal_mask[i].any()
            assert batch.terminated[i]
            assert batch.reason[i] == 2
            assert batch.state(i).is_terminal()
            assert batch.state(i).snapshot() == ends[i]
    viewed = batch.observe()
    for i in range(4):
        np.testing.assert_array_equal(viewed[i], batch.state(i).observation(batch.last_player[i]))
    mask = np.array([True, False, False, True])
    batch.reset(mask)
    assert batch.terminated.tolist() == [False, True, True, False]
    assert batch.game_index.tolist() == [4, 1, 2, 7]
    assert (batch.current_player[[0, 3]] >= 0).all()
    assert batch.lengths[0] == 0
    assert batch.reason.tolist() == [-1, 2, 2, -1]


def test_reset_starts_the_next_games() -> None:
    batch = make(3, first=10)
    for _ in range(7):
        batch.step(batch.random_actions())
    batch.reset()
    assert batch.game_index.tolist() == [13, 14, 15]
    assert batch.lengths.tolist() == [0, 0, 0]
    assert batch.last_player.tolist() == [-1, -1, -1]
    assert_same(arrays(batch), {**arrays(make(3, first=13))})


def test_states_go_in_and_out() -> None:
    batch = make(3)
    state = batch.state(2)
    for _ in range(40):
        state.apply_action(state.legal_actions()[-1])
    before = arrays(batch)
    assert batch.state(2).snapshot() != state.snapshot()
    assert_same(before, arrays(batch))
    batch.set_state(0, state)
    assert batch.state(0).snapshot() == state.snapshot()
    assert legal_bits(batch, 0) == state.legal_actions()
    assert batch.game_index.tolist() == [2, 1, 2]
    for _ in range(20):
        actions = batch.random_actions()
        batch.step(actions)
        state.apply_action(actions[0])
    assert batch.state(0).snapshot() == state.snapshot()


@pytest.mark.parametrize("autoreset", [True, False])
def test_a_finished_game_that_is_put_in_is_reported(autoreset: bool) -> None:
    """By the next step, like one that has just ended, and restarted; without autoreset it stays over."""
    game = cysmic_fast.load_game(players=2, factions=True)
    batch = Batch(game, 3, 1, autoreset=autoreset, final_observation=True)
    index = int(game.simulate(1, 0, 2000)["winners"].nonzero()[0][0])  # a Launch is rare in random play
    state: Any = game.new_initial_state(1, index=index)
    policy = RandomPolicy(1, index)
    while not state.is_terminal():
        state.apply_action(policy.choose(state.legal_actions()))
    assert state.winners()
    batch.set_state(1, state)
    assert batch.terminated.tolist() == [False, True, False]
    assert not batch.episode_ended.any()
    assert batch.current_player[1] == vocabulary.TERMINAL_PLAYER
    assert batch.reason[1] == state.end_reason()
    for _ in range(2):
        batch.step(batch.random_actions())
        if not autoreset:
            assert batch.terminated.tolist() == [False, True, False]
            assert not batch.episode_ended.any()
            assert not batch.rewards.any()
            continue
        first = batch.lengths[1] == 0
        assert batch.terminated.tolist() == batch.episode_ended.tolist() == [False, first, False]
        assert batch.rewards[1].tolist() == (state.returns() if first else [0.0] * 2)
        assert batch.reason[1] == (state.end_reason() if first else -1)
        assert batch.game_index[1] == 4
        assert batch.final_lengths[1] == 0
        if first:
            assert batch.last_player[1] == -1
            np.testing.assert_array_equal(batch.final_observation[1], state.observation(0))
            assert batch.state(1) == batch.game.new_initial_state(1, index=4)
    assert batch.lengths[1] == autoreset


def test_more_rows_than_there_is_memory_for() -> None:
    with pytest.raises(
        OptionError, match=r"n: 1000000000 given, which needs 2,\d\d\d,\d\d\d,\d\d\d,\d\d\d bytes"
    ):
        make(10**9)


def test_masked_arrays_are_refused() -> None:
    """What is masked would be played all the same."""
    batch = make(3)
    masked = np.ma.masked_array(batch.random_actions(), mask=[True, False, False])
    before = arrays(batch)
    with pytest.raises(OptionError, match="a masked array given"):
        batch.step(masked)
    with pytest.raises(OptionError, match="a masked array given"):
        batch.reset(np.ma.masked_array([True, True, True], mask=[True, False, False]))
    with pytest.raises(OptionError, match="a masked array given"):
        batch.random_actions(out=masked)
    with pytest.raises(OptionError, match="a masked array given"):
        batch.state(0).observation(0, out=np.ma.masked_array(batch.state(0).observation(0)))
    assert_same(before, arrays(batch))


def test_a_recording_state_may_go_in_a_scripted_one_may_not() -> None:
    batch = make(2)
    state = batch.game.new_initial_state(9, record=True)
    batch.set_state(1, state)
    assert batch.state(1).events() == []
    state.script({"red_die": ["1"]})
    with pytest.raises(OptionError, match="script"):
        batch.set_state(1, state)
    other = cysmic_fast.load_game(players=3, max_rounds=3).new_initial_state()
    with pytest.raises(OptionError, match="states of"):
        batch.set_state(1, other)
    equal = cysmic_fast.load_game(players=3, max_rounds=2).new_initial_state(77)
    batch.set_state(1, equal)
    assert batch.state(1).snapshot() == equal.snapshot()


@pytest.mark.parametrize("how", [lambda b: b.clone(), copy.copy, copy.deepcopy])
def test_clones_are_exact_and_independent(how: Any) -> None:
    batch = make(80, threads=2, first=5, final_observation=True)
    for _ in range(60):
        batch.step(batch.random_actions())
    twin = how(batch)
    assert_same(arrays(batch), arrays(twin))
    assert (twin.seed, twin.first, twin.threads, twin.autoreset) == (1, 5, 2, True)
    before = arrays(batch)
    for _ in range(300):
        twin.step(twin.random_actions())
    assert_same(arrays(batch), before)
    for _ in range(300):
        batch.step(batch.random_actions())
    assert_same(arrays(batch), arrays(twin))
    np.testing.assert_array_equal(batch.final_observation, twin.final_observation)


# ------------------------------------------------------------------ bad input
def test_illegal_actions_are_told_by_row_and_nothing_is_stepped() -> None:
    batch = make(20)
    for _ in range(9):
        batch.step(batch.random_actions())
    before = arrays(batch)
    snapshots = [batch.state(i).snapshot() for i in range(20)]
    good = batch.random_actions()
    for wrong in (-1, 512, 2**15 - 1, -(2**15), 511):
        actions = good.copy()
        actions[[3, 17]] = wrong
        with pytest.raises(IllegalActionError) as caught:
            batch.step(actions)
        text = str(caught.value)
        kind = vocabulary.DecisionKind(batch.decision[3]).name
        assert text.startswith("2 of 20 actions are illegal; nothing is stepped")
        assert f"row 3: action {wrong} given in {kind} of seat {batch.current_player[3]}; allowed: " in text
        assert f"row 17: action {wrong}" in text
    large = good.astype(np.int64)
    large[3] += 2**32
    with pytest.raises(IllegalActionError, match=rf"row 3: action {large[3]} given"):
        batch.step(large)
    with pytest.raises(IllegalActionError, match=r"20 of 20 .*[\s\S]*row 4: [\s\S]* and 15 more rows$"):
        batch.step(np.full(20, 500, dtype=np.int32))
    assert_same(arrays(batch), before)
    assert [batch.state(i).snapshot() for i in range(20)] == snapshots
    batch.step(large * 0 + good)
    assert batch.lengths.tolist() == [10] * 20


@pytest.mark.parametrize("dtype", [np.int16, np.int32, np.int64])
def test_dtypes_of_actions(dtype: Any) -> None:
    batch, twin = make(), make()
    for _ in range(20):
        actions = batch.random_actions()
        batch.step(actions)
        twin.step(actions.astype(dtype))
    assert_same(arrays(batch), arrays(twin))
    locked = batch.random_actions().astype(dtype)
    locked.flags.writeable = False
    batch.step(locked)


def test_arrays_that_are_no_actions() -> None:
    batch = make()
    before = arrays(batch)
    good = batch.random_actions()
    bad: list[Any] = [
        good.tolist(),
        None,
        3,
        good.astype(np.float32),
        good.astype(np.uint16),
        good.astype(np.int8),
        good.astype(">i4"),
        good.astype(object),
        good[:-1],
        good[None],
        np.zeros(7, dtype=np.int16),
        np.repeat(good, 2)[::2],
        np.int16(3),
    ]
    for wrong in bad:
        with pytest.raises(
            OptionError, match=r"actions: .* given; allowed: a C-contiguous array of shape \(6,\)"
        ):
            batch.step(wrong)
    assert_same(arrays(batch), before)


def test_arrays_that_cannot_be_written_to() -> None:
    batch = make()
    size = cysmic_fast.observation_spec(batch.game).size
    locked = np.zeros(6, dtype=np.int16)
    locked.flags.writeable = False
    calls: list[tuple[Any, Any]] = [
        (batch.random_actions, locked),
        (batch.random_actions, np.zeros(6, dtype=np.int32)),
        (batch.random_actions, batch.reason),
        (batch.observe, np.zeros((6, size), dtype=np.uint8)),
        (batch.observe, np.zeros((size, 6), dtype=np.int8).T),
        (batch.observe, np.zeros((5, size), dtype=np.int8)),
        (batch.legal_mask_bool, np.zeros((6, 512), dtype=np.uint8)),
        (batch.legal_mask_bool, [[False] * 512] * 6),
    ]
    for call, out in calls:
        with pytest.raises(OptionError, match=r"out: .* given; allowed: a writeable C-contiguous"):
            call(out)
    for mask in ([True] * 6, np.ones(6, dtype=np.int8), np.ones(5, dtype=np.bool_), 1):
        with pytest.raises(OptionError, match=r"mask: .* given; allowed: a bool array"):
            batch.reset(mask)  # type: ignore[arg-type]
    for seat in (-1, 3, "0", True, 1.5):
        with pytest.raises(OptionError, match="player"):
            batch.observe(player=seat)  # type: ignore[arg-type]
    for row in (-1, 6, "0", True, None):
        with pytest.raises(OptionError, match="row"):
            batch.state(row)  # type: ignore[arg-type]
        with pytest.raises(OptionError, match="row"):
            batch.set_state(row, batch.state(0))  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="state"):
        batch.set_state(0, "x")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="final_observation=True"):
        _ = batch.final_observation


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n": 0}, "n is 0"),
        ({"n": -3}, "n is -3"),
        ({"n": 2.0}, "n is 2.0"),
        ({"n": 2**31}, "n is 2147483648"),
        ({"seed": -1}, "seed"),
        ({"seed": 2**64}, "seed"),
        ({"first": 2**64 - 3}, r"first \+ n - 1"),
        ({"threads": 0}, "threads"),
        ({"threads": 1025}, "threads"),
        ({"autoreset": 1}, "autoreset"),
        ({"final_observation": None}, "final_observation"),
        ({"knowledge": 1}, "knowledge"),
        ({"game": "competitive"}, "game"),
        ({"game": None}, "game"),
    ],
)
def test_bad_arguments(arguments: dict[str, Any], message: str) -> None:
    game = cysmic_fast.load_game(players=2)
    with pytest.raises(OptionError, match=message):
        Batch(**{"game": game, "n": 4, **arguments})


def test_the_reference_engine_has_no_batches() -> None:
    with pytest.raises(OptionError, match="native engine"):
        Batch(cysmic_fast.load_game(players=2, engine="reference"), 3)


def test_batches_are_not_pickled() -> None:
    """What to do instead is told, and does it."""
    batch = make(3, autoreset=False)
    for _ in range(30):
        batch.step(batch.random_actions())
    with pytest.raises(CysmicError, match=r"pickle \[batch\.state\(i\) for i in range\(3\)\] .* set_state"):
        pickle.dumps(batch)
    states = pickle.loads(pickle.dumps([batch.state(i) for i in range(3)]))
    other = make(3, seed=2, autoreset=False)
    for i, state in enumerate(states):
        other.set_state(i, state)
    for _ in range(30):
        actions = batch.random_actions()
        batch.step(actions)
        other.step(actions)
    assert [other.state(i) for i in range(3)] == [batch.state(i) for i in range(3)]


def test_made_half_or_twice() -> None:
    """Neither leaves something that could be stepped astray."""
    game = cysmic_fast.load_game(players=2)
    batch = Batch.__new__(Batch, game, 3)
    assert (batch.current_player >= 0).all()
    batch.step(batch.random_actions())
    before = arrays(batch)
    batch.__init__(game, 3)  # type: ignore[misc]
    assert_same(arrays(batch), before)
    with pytest.raises(TypeError):
        Batch.__new__(Batch)


def test_two_threads_cannot_use_a_batch_at_once() -> None:
    """Calls are refused, or come one after the other; nothing is played twice or astray."""
    game = cysmic_fast.load_game(players=4)
    batch = Batch(game, 3000, 1)
    refused, done = [0], [0]
    errors: list[BaseException] = []

    def play() -> None:
        for _ in range(40):
            try:
                batch.step(batch.random_actions())
                done[0] += 1
            except IllegalActionError:  # chosen before the other thread's step
                refused[0] += 1
            except CysmicError as error:
                refused[0] += 1
                if "one at a time" not in str(error):
                    errors.append(error)
            except BaseException as error:
                errors.append(error)
                raise

    threads = [threading.Thread(target=play) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    assert done[0] > 0
    assert (batch.lengths >= 0).all()
    for row in (0, 1500, 2999):
        assert batch.state(row).check_integrity() is None
        assert batch.state(row).legal_actions() == legal_bits(batch, row)


def test_the_snippet_of_the_page_runs() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "batch.md").read_text(encoding="utf-8")
    (snippet,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    found: dict[str, Any] = {}
    exec(snippet, found)
    assert found["batch"].lengths.tolist() == [100] * 256
    for name in [*ARRAYS, "final_observation"]:
        assert re.search(rf"^\| `{name}` \|", page, re.MULTILINE), name


class Eager:
    """A pool whose threads are quicker than the thread that hands out work."""

    def __init__(self, threads: int, name: str) -> None:
        pass

    def submit(self, job: Callable[[], None]) -> Future[None]:
        future: Future[None] = Future()
        job()
        future.set_result(None)
        return future


@pytest.mark.parametrize(("threads", "eager"), [(1, False), (3, False), (3, True)])
@pytest.mark.parametrize("autoreset", [True, False])
def test_cards_that_do_too_much_end_the_game_of_their_row(
    threads: int, eager: bool, autoreset: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """ContentError names row and card; all other rows are stepped, and the batch can be used further."""
    if eager:
        monkeypatch.setattr(_native, "ThreadPoolExecutor", Eager)
    endless: list[dict[str, Any]] = [{"do": "gain", "res": "lorium", "n": 1}]
    for _ in range(2):
        endless = [{"do": "each", "over": {"space": {}}, "run": endless}]
    cards = [{"id": name, "ability": endless, "count": 9} for name in ("D01", "D02")]
    with tempfile.TemporaryDirectory() as folder:
        pack = write_pack(Path(folder) / "ants", {"discovery.toml": {"card": cards}})
        game = cysmic_fast.load_game(players=2, molten_core=True, packs=pack)
    batch = Batch(game, 200, 1, threads=threads, autoreset=autoreset)
    stopped: list[int] = []
    for _ in range(300):
        lengths = batch.lengths.copy()
        over = batch.terminated.copy()
        try:
            batch.step(batch.random_actions())
        except ContentError as error:
            found = re.match(
                r"row (\d+): D0[12] .* steps without a decision; the game of the row is over", str(error)
            )
            if found is None:
                raise
            rows = (batch.episode_ended & (batch.reason == -1)).nonzero()[0].tolist()
            assert rows[0] == int(found[1])
            stopped += rows
            going = ~batch.episode_ended & ~(over & (not autoreset))
            assert (batch.lengths[going] == lengths[going] + 1).all()
            for row in rows:
                assert batch.terminated[row]
                assert not batch.rewards[row].any()
                assert batch.state(row).is_terminal() == (not autoreset)
                assert batch.observe().shape[0] == 200
        else:
            assert (batch.reason[batch.episode_ended] >= 0).all()
    assert len(stopped) > 1
    assert autoreset or len(set(stopped)) == len(stopped)
