"""Philox, bounded integers and shuffles, held to numpy.random.Philox and to chi-square."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from cysmic_fast import _native
from cysmic_fast.errors import OptionError

WORD = st.integers(0, 2**64 - 1)


def numpy_words(seed: int, index: int, family: int, count: int) -> np.ndarray:
    key = np.array([seed, index], dtype=np.uint64)
    counter = np.array([0, family, 0, 0], dtype=np.uint64)
    return np.random.Philox(key=key, counter=counter).random_raw(count)


@given(WORD, WORD, st.integers(0, 4), st.integers(1, 40))
def test_words_are_numpys(seed: int, index: int, family: int, count: int) -> None:
    ours = _native.kernel_words(seed, index, family, count)
    np.testing.assert_array_equal(ours, numpy_words(seed, index, family, count))


@given(WORD, WORD, st.integers(0, 4), st.integers(0, 100))
def test_a_stream_can_be_entered_anywhere(seed: int, index: int, family: int, skip: int) -> None:
    ours = _native.kernel_words(seed, index, family, 9, skip)
    np.testing.assert_array_equal(ours, numpy_words(seed, index, family, skip + 9)[skip:])


def lemire(words: list[int], n: int) -> int:
    """The next unbiased integer below n, eating words from the front of the list."""
    while True:
        product = words.pop(0) * n
        if product % 2**64 >= (2**64 - n) % n:
            return product >> 64


@given(WORD, WORD, st.integers(0, 2), st.integers(1, 2**32 - 1))
def test_bounded(seed: int, index: int, family: int, n: int) -> None:
    words = [int(word) for word in numpy_words(seed, index, family, 64)]
    expected = [lemire(words, n) for _ in range(12)]
    assert _native.kernel_bounded(seed, index, family, n, 12).tolist() == expected


@given(WORD, WORD, st.integers(1, 128), st.integers(1, 3))
def test_shuffle(seed: int, index: int, n: int, times: int) -> None:
    words = [int(word) for word in numpy_words(seed, index, 1, 128 * 3 + 16)]
    for order in _native.kernel_shuffle(seed, index, 1, n, times).tolist():
        expected = list(range(n))
        for i in range(n - 1, 0, -1):
            j = lemire(words, i + 1)
            expected[i], expected[j] = expected[j], expected[i]
        assert order == expected


@pytest.mark.parametrize("n", [6, 12, 42])
def test_bounded_is_uniform(n: int) -> None:
    counts = np.bincount(_native.kernel_bounded(1, 2, 2, n, 120_000), minlength=n)
    assert stats.chisquare(counts).pvalue > 1e-6


def test_shuffle_is_uniform() -> None:
    orders = _native.kernel_shuffle(1, 2, 1, 4, 48_000)
    codes = orders @ np.array([64, 16, 4, 1], dtype=np.uint8)
    _, counts = np.unique(codes, return_counts=True)
    assert len(counts) == 24
    assert stats.chisquare(counts).pvalue > 1e-6


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_a_seed_is_a_word(seed: int) -> None:
    with pytest.raises(OptionError):
        _native.kernel_words(seed, 0, 0, 1)
