"""The hooks of the kernels take nothing out of range."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cysmic_fast import _native, load_game

GAME: Any = load_game(players=2)
STATE: Any = GAME.new_initial_state()
MAP = _native.KernelMap()

CALLS: list[Callable[[], object]] = [
    lambda: _native.kernel_words(0, 0, -1, 1),
    lambda: _native.kernel_words(0, 0, 6, 1),
    lambda: _native.kernel_words(0, 0, 2**40, 1),
    lambda: _native.kernel_words(0, 0, 0, -1),
    lambda: _native.kernel_words(0, 0, 0, 1, -1),
    lambda: _native.kernel_words(0, 0, 0, 1, 2**63),
    lambda: _native.kernel_bounded(0, 0, 6, 6, 1),
    lambda: _native.kernel_bounded(0, 0, 0, 0, 1),
    lambda: _native.kernel_bounded(0, 0, 0, -1, 1),
    lambda: _native.kernel_bounded(0, 0, 0, 6, -1),
    lambda: _native.kernel_shuffle(0, 0, 9, 6),
    lambda: _native.kernel_shuffle(0, 0, 0, 0),
    lambda: _native.kernel_shuffle(0, 0, 0, 257),
    lambda: _native.kernel_shuffle(0, 0, 0, 6, -1),
    lambda: _native.kernel_hits(None, [1, 0, 0, 0, 0], []),  # type: ignore[arg-type]
    lambda: _native.kernel_hits(GAME, [], []),
    lambda: _native.kernel_hits(GAME, [0] * 5, []),
    lambda: _native.kernel_hits(GAME, [0] * 6, []),
    lambda: _native.kernel_hits(GAME, [2, 2, 0, 0, 0], []),
    lambda: _native.kernel_hits(GAME, [0, 0, 0, 1, 1], []),
    lambda: _native.kernel_hits(GAME, [-1, 2, 0, 0, 0], []),
    lambda: _native.kernel_hits(GAME, [1, 0, 0, 0, 0], [1] * 25),
    lambda: _native.kernel_hits(GAME, [1, 0, 0, 0, 0], [10**6]),
    lambda: _native.kernel_clone(None, 1),  # type: ignore[arg-type]
    lambda: _native.kernel_clone(STATE, -1),
    lambda: _native.kernel_event_limit(None, 1),  # type: ignore[arg-type]
    lambda: _native.kernel_event_limit(STATE, 1),
    lambda: _native.kernel_select([1] * 7, 0),
    lambda: _native.kernel_select([1] * 8, 8),
    lambda: _native.kernel_select([1] * 8, -1),
    lambda: _native.kernel_select([0] * 8, 0),
    lambda: _native.kernel_record(-1),
    lambda: _native.KernelMap([[127]]),
    lambda: _native.KernelMap([[-1]]),
    lambda: _native.KernelMap([[]] * 128 + [[3]]),
    lambda: MAP.number(6, 1, 0),
    lambda: MAP.number(0, 7, 0),
    lambda: MAP.number(0, 3, 3),
    lambda: MAP.place(127),
    lambda: MAP.side(-1),
    lambda: MAP.near(127),
    lambda: MAP.inner(6),
    lambda: MAP.area(0, 7),
    lambda: MAP.area(-1, 1),
    lambda: MAP.reach(127, 1, 0),
    lambda: MAP.reach(0, 1, 1 << 127),
    lambda: MAP.reach(0, 1, -1),
    lambda: MAP.distance(-1, 1, 1),
    lambda: MAP.distance(0, 1 << 127, 1),
]


@pytest.mark.parametrize("number", range(len(CALLS)))
def test_out_of_range(number: int) -> None:
    with pytest.raises((ValueError, OverflowError, TypeError)):
        CALLS[number]()


@given(st.integers(0, 2**50), st.integers(0, 4))
def test_a_stream_can_be_entered_very_late(skip: int, family: int) -> None:
    """Numbers of words beyond 32 bits."""
    key = np.array([3, 4], dtype=np.uint64)
    counter = np.array([skip // 4, family, 0, 0], dtype=np.uint64)
    expected = np.random.Philox(key=key, counter=counter).random_raw(skip % 4 + 6)[skip % 4 :]
    np.testing.assert_array_equal(_native.kernel_words(3, 4, family, 6, skip), expected)


@pytest.mark.parametrize("dice", [[200], [127, 128], [-200, 300], [1000]])
def test_hits_of_great_and_small_dice(dice: list[int]) -> None:
    """Values beyond 8 bits are what they are."""
    enough = sum(die > 50 for die in dice)
    assert _native.kernel_hits(GAME, [1, 0, 0, 0, 0], dice) == [0, 1]
    assert _native.kernel_hits(GAME, [2, 0, 0, 0, 0], dice) == ([0, 1, 3] if enough == 2 else [0, 1])
