"""Policies and evaluators compiled by Numba, called inside the native loop without the lock.

Importing this module imports Numba (``pip install cysmic-fast[numba]``); ``@cysmic_fast.policy`` and
``@cysmic_fast.evaluator`` do it when they are first used. docs/rollouts.md explains how such functions are
written.
"""

# mypy: allow-untyped-decorators
from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from importlib import import_module
from types import FunctionType
from typing import Any, Final

import numpy as np

from cysmic_fast._native import policy_functions
from cysmic_fast.errors import OptionError
from cysmic_fast.layout import STATE_DTYPE
from cysmic_fast.names import shown

try:
    numba: Any = import_module("numba")
    numpy_support: Any = import_module("numba.np.numpy_support")
except ModuleNotFoundError as error:
    raise ImportError("compiled policies need Numba: pip install cysmic-fast[numba]") from error
types = numba.types

__all__ = [
    "CompiledEvaluator",
    "CompiledPolicy",
    "compile_evaluator",
    "compile_policy",
    "count_bits",
    "count_legal",
    "has_bit",
    "is_legal",
    "legal_ids",
    "next_legal",
    "nth_legal",
    "policy_bounded",
    "policy_word",
]

_RECORD: Final = numpy_support.from_dtype(STATE_DTYPE)
_MASK: Final = types.Array(types.uint64, 1, "C")
_VALUES: Final = types.Array(types.float64, 1, "C")
_SEATS: Final = 6
_WORDS: Final = 8

_ADDRESSES: Final = policy_functions()
_word: Final = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_void_p)(_ADDRESSES["word"])
_bounded: Final = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_void_p, ctypes.c_uint64)(_ADDRESSES["bounded"])


# ---------------------------------------------------------------------- helpers for compiled functions
@numba.njit
def policy_word(rng: int) -> int:
    """The next uint64 of the playout's policy stream; ``rng`` is the third argument of a policy."""
    return _word(rng)  # type: ignore[no-any-return]


@numba.njit
def policy_bounded(rng: int, n: int) -> int:
    """An unbiased integer from 0 to n - 1 (n at most 2**32 - 1) from the playout's policy stream."""
    return np.int64(_bounded(rng, np.uint64(max(n, 1))))  # type: ignore[return-value]


@numba.njit
def _bits(word: Any) -> Any:
    """How many bits of a uint64 are set."""
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@numba.njit
def _lowest(word: Any) -> Any:
    """The lowest bit set of a uint64 that is not 0."""
    return _bits((word & (~word + np.uint64(1))) - np.uint64(1))


@numba.njit
def has_bit(words: Any, i: int) -> bool:
    """Whether a set of spaces (two uint64) or a mask (eight) has member ``i``."""
    return (words[i >> 6] >> np.uint64(i & 63)) & np.uint64(1) != np.uint64(0)  # type: ignore[no-any-return]


@numba.njit
def count_bits(words: Any) -> int:
    """How many members a set of spaces or a mask has."""
    count = 0
    for word in words:
        count += _bits(word)
    return count


@numba.njit
def is_legal(mask: Any, action: int) -> bool:
    """Whether an action id, any integer, is legal."""
    return 0 <= action < 512 and bool(has_bit(mask, action))


@numba.njit
def count_legal(mask: Any) -> int:
    """How many actions are legal: two or more."""
    return count_bits(mask)  # type: ignore[no-any-return]


@numba.njit
def next_legal(mask: Any, after: int) -> int:
    """The lowest legal action above ``after`` (-1: the lowest of all), -1 if there is none."""
    start = after + 1
    if start >= 512:
        return -1
    place = start >> 6
    word = (mask[place] >> np.uint64(start & 63)) << np.uint64(start & 63)
    while word == np.uint64(0):
        place += 1
        if place == 8:
            return -1
        word = mask[place]
    return 64 * place + _lowest(word)  # type: ignore[no-any-return]


@numba.njit
def nth_legal(mask: Any, k: int) -> int:
    """The k-th legal action from 0, ascending; -1 if there is none."""
    if k < 0:
        return -1
    for place in range(8):
        word = mask[place]
        count = _bits(word)
        if k < count:
            for _ in range(k):
                word &= word - np.uint64(1)
            return 64 * place + _lowest(word)  # type: ignore[no-any-return]
        k -= count
    return -1


@numba.njit
def legal_ids(mask: Any) -> Iterator[int]:
    """The legal actions, ascending."""
    for place in range(8):
        word = mask[place]
        while word != np.uint64(0):
            yield 64 * place + _lowest(word)
            word &= word - np.uint64(1)


# ---------------------------------------------------------------------- compiling
class _Compiled:
    """A function compiled twice: as a C function for the native loop, and for calls from Python."""

    def __init__(self, function: Callable[..., Any], arguments: tuple[Any, ...], what: str) -> None:
        if not isinstance(function, FunctionType):
            raise OptionError(f"{what}: {shown(function)} given; allowed: a function written in Python")
        self.__name__ = function.__name__
        self.__doc__ = function.__doc__
        self.function = function
        self.jitted = numba.njit(boundscheck=True)(function)
        try:
            self.jitted.compile(arguments)
        except Exception as error:  # NumbaError, and TypeError for a wrong number of arguments
            raise OptionError(f"{what} {self.__name__}: Numba cannot compile it: {error}") from error
        self.result = self.jitted.overloads[arguments].signature.return_type

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.__name__}>"

    def __reduce__(self) -> tuple[Any, ...]:
        # Numba pickles functions by value: the name of a decorated one is no longer its own
        return _compile_again, (type(self), self.jitted)

    def _exception(self, *arguments: Any) -> BaseException | None:
        """What the function raises, called from Python; None if nothing."""
        try:
            self.jitted(*arguments)
        except Exception as error:
            return error
        return None


class CompiledPolicy(_Compiled):
    """A policy ``f(state, mask, rng) -> action id``, compiled; for ``rollouts`` on the native engine."""

    def __init__(self, function: Callable[[Any, Any, int], int]) -> None:
        super().__init__(function, (_RECORD, _MASK, types.intp), "policy")
        if not isinstance(self.result, types.Integer):
            raise OptionError(f"policy {self.__name__}: it returns {self.result}; allowed: an integer")
        chosen = self.jitted
        self._unsigned: bool = not self.result.signed

        def entry(state: Any, mask: Any, rng: int) -> Any:
            # 0 is an exception, above are the actions, below what can be none
            try:
                action = np.int64(chosen(numba.carray(state, 1)[0], numba.carray(mask, _WORDS), rng))
            except Exception:
                return 0
            return action if action < 0 else action + 1

        signature = types.int64(types.CPointer(_RECORD), types.CPointer(types.uint64), types.intp)
        self._entry = numba.cfunc(signature)(entry)
        #: Address of the C function ``int64_t f(const State *, const uint64_t mask[8], void *rng)``.
        self.address: int = self._entry.address

    def __call__(self, state: Any, mask: Any, rng: int) -> int:
        """Call the compiled function from Python: a record of STATE_DTYPE, uint64 array of 8, stream."""
        return int(self.jitted(state, mask, rng))

    def told(self, given: int) -> str:
        """What the function returned, of what :attr:`address` did."""
        if given == -(2**63):
            other = 2**63 if self._unsigned else given
            return f"{2**63 - 1} or {other}"
        if given < 0:
            return str(given + 2**64 if self._unsigned else given)
        return str(given - 1)

    def repeat(self, state: bytes, mask: bytes, rng: int) -> BaseException | None:
        """The exception of a call that ended with one."""
        record = np.frombuffer(bytearray(state), STATE_DTYPE)[0]
        return self._exception(record, np.frombuffer(bytearray(mask), np.uint64), rng)


class CompiledEvaluator(_Compiled):
    """An evaluator ``f(state, returns)`` that fills ``returns``, compiled."""

    def __init__(self, function: Callable[[Any, Any], None]) -> None:
        super().__init__(function, (_RECORD, _VALUES), "evaluator")
        fill = self.jitted

        def entry(state: Any, values: Any) -> int:
            try:
                fill(numba.carray(state, 1)[0], numba.carray(values, _SEATS))
            except Exception:
                return 0
            return 1

        signature = types.int64(types.CPointer(_RECORD), types.CPointer(types.float64))
        self._entry = numba.cfunc(signature)(entry)
        #: Address of the C function ``int64_t f(const State *, double returns[6])``.
        self.address: int = self._entry.address

    def __call__(self, state: Any, returns: Any) -> None:
        """Call the compiled function from Python: a record of STATE_DTYPE, float64 array of 6."""
        self.jitted(state, returns)

    def repeat(self, state: bytes) -> BaseException | None:
        """The exception of a call that ended with one."""
        record = np.frombuffer(bytearray(state), STATE_DTYPE)[0]
        return self._exception(record, np.full(_SEATS, np.nan))


def _compile_again(kind: Callable[[Any], _Compiled], jitted: Any) -> _Compiled:
    """What a pickle brings back."""
    return kind(jitted.py_func)


def compile_policy(function: Callable[[Any, Any, int], int]) -> CompiledPolicy:
    """Compile a policy: what ``@cysmic_fast.policy`` does. OptionError for what Numba cannot compile."""
    return CompiledPolicy(function)


def compile_evaluator(function: Callable[[Any, Any], None]) -> CompiledEvaluator:
    """Compile an evaluator: what ``@cysmic_fast.evaluator`` does; OptionError likewise."""
    return CompiledEvaluator(function)
