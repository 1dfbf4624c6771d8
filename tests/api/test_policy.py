"""The random policy of the contract, and that importing the package stays light."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import cysmic_fast
from cysmic_fast.errors import GameOverError, OptionError
from cysmic_fast.policies import RandomPolicy, check_word
from cysmic_fast.vocabulary import ChanceFamily

WORD = st.integers(0, 2**64 - 1)


@given(WORD, WORD, st.lists(st.integers(1, 600), min_size=1, max_size=40))
def test_draws_are_those_of_the_stream(seed: int, index: int, sizes: list[int]) -> None:
    """Protocol, sections 3 and 19: the high half of word times n, words of the POLICY family."""
    key = np.array([seed, index], dtype=np.uint64)
    counter = np.array([0, int(ChanceFamily.POLICY), 0, 0], dtype=np.uint64)
    words = [int(w) for w in np.random.Philox(key=key, counter=counter).random_raw(80)]
    policy = RandomPolicy(seed, index)
    for n in sizes:
        expected = 0
        if n > 1:
            while (product := words.pop(0) * n) % 2**64 < 2**64 % n:
                pass
            expected = product >> 64
        assert policy.bounded(n) == expected


def test_a_finished_game_has_no_action() -> None:
    with pytest.raises(GameOverError):
        RandomPolicy(1).choose([])


def test_choices_are_uniform() -> None:
    policy = cysmic_fast.random_policy(3, 4)
    legal = [2, 3, 5, 7, 11, 13]
    counts = np.bincount([policy.choose(legal) for _ in range(30_000)], minlength=14)[legal]
    assert stats.chisquare(counts).pvalue > 1e-6


@pytest.mark.parametrize("seed", [-1, 2**64, None, "1", 1.0, True, np.float64(2)])
def test_seeds_are_words(seed: Any) -> None:
    with pytest.raises(OptionError, match="seed"):
        RandomPolicy(seed)
    with pytest.raises(OptionError, match="index"):
        RandomPolicy(0, seed)


def test_words_may_be_numpy_integers() -> None:
    for kind in (np.int8, np.uint64, np.int32):
        assert check_word(kind(5), "x") == 5
    assert check_word(np.array(5), "x") == 5


def test_all_public_names_exist() -> None:
    for name in cysmic_fast.__all__:
        assert getattr(cysmic_fast, name) is not None
    with pytest.raises(AttributeError, match="load_gam"):
        cysmic_fast.load_gam  # noqa: B018


def test_importing_is_light() -> None:
    heavy = {"numpy", "numba", "typer", "rich", "scipy", "cysmic_fast.content", "cysmic_fast.reference"}
    code = f"import sys, cysmic_fast; print(sorted({heavy!r} & set(sys.modules)))"
    result = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


def test_public_names_are_no_modules() -> None:
    """Or what a name is would depend on what has been imported."""
    for name in cysmic_fast.__all__:
        assert importlib.util.find_spec(f"cysmic_fast.{name}") is None, name
        assert not isinstance(getattr(cysmic_fast, name), ModuleType)


def test_decorators_import_numba_when_they_are_used() -> None:
    code = (
        "import sys, cysmic_fast, cysmic_fast.policies; from cysmic_fast import evaluator, policy, rollouts\n"
        "print(type(policy).__name__, type(evaluator).__name__, 'numba' in sys.modules)"
    )
    result = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.split() == ["function", "function", "False"]
