"""The C interface from Python: the header's folder, handles, buffers, addresses (docs/embedding.md).

For C and Cython the table of functions is the capsule ``cysmic_fast._native._C_API``, which
``cysmic_import()`` of ``cysmic.h`` gets. Here the same functions are given as plain addresses, for ctypes,
cffi and Numba.

A :func:`handle` is good for as long as its Python game lives: keep a reference to it.
"""

from __future__ import annotations

import ctypes
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from cysmic_fast._native import embed_constants, embed_copy, embed_functions, embed_handle
from cysmic_fast.errors import OptionError
from cysmic_fast.names import shown
from cysmic_fast.policies import check_word

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from cysmic_fast.interface import Game, State

    RESULT_DTYPE: np.dtype[np.void]

__all__ = [
    "ABI_VERSION",
    "CONSTANTS",
    "RESULT_DTYPE",
    "STATE_ALIGNMENT",
    "STATE_SIZE",
    "Function",
    "copy_state",
    "functions",
    "get_include",
    "handle",
    "state_buffer",
]

#: The constants of ``cysmic.h`` without their prefix: ``OK``, ``OVER``, ``ILLEGAL`` ...
CONSTANTS: Final[dict[str, int]] = embed_constants()
ABI_VERSION: Final = CONSTANTS["ABI_VERSION"]
STATE_SIZE: Final = CONSTANTS["STATE_SIZE"]  #: bytes of a state
STATE_ALIGNMENT: Final = CONSTANTS["STATE_ALIGNMENT"]

#: Memory of a cache line: more than states need.
_LINE: Final = 64

# Pointers are voidptr: an address, such as `array.ctypes.data`.
_SIGNATURES: Final = {
    "num_players": "int32(voidptr)",
    "new_state": "int32(voidptr, uint64, uint64, voidptr)",
    "legal_mask": "int32(voidptr, voidptr, voidptr)",
    "apply": "int32(voidptr, voidptr, int32)",
    "apply_unchecked": "int32(voidptr, voidptr, int32)",
    "is_terminal": "int32(voidptr, voidptr)",
    "current_player": "int32(voidptr, voidptr)",
    "decision": "int32(voidptr, voidptr)",
    "end_reason": "int32(voidptr, voidptr, voidptr)",
    "returns": "int32(voidptr, voidptr, voidptr)",
    "clone": "int32(voidptr, voidptr)",
    "reseed": "int32(voidptr, voidptr, uint64, uint64)",
    "rollout": "int32(voidptr, voidptr, uint64, uint64, voidptr, voidptr)",
    "rng_init": "void(voidptr, uint64, uint64)",
    "rng_word": "uint64(voidptr)",
    "rng_below": "uint32(voidptr, uint32)",
    "random_action": "int32(voidptr, voidptr, voidptr)",
}

_C_TYPES: Final[dict[str, Any]] = {
    "void": None,
    "voidptr": ctypes.c_void_p,
    "int32": ctypes.c_int32,
    "uint32": ctypes.c_uint32,
    "uint64": ctypes.c_uint64,
}


class Function(NamedTuple):
    """A function of the table: its address, and its signature as Numba writes it."""

    address: int
    signature: str  #: such as ``"int32(voidptr, uint64, uint64, voidptr)"``

    def ctypes(self) -> Any:
        """The function for ctypes, which releases the interpreter lock while it runs; Numba takes it too.

        Pointers are addresses (``array.ctypes.data``); whether they lead anywhere nobody checks.
        """
        result, arguments = self.signature.rstrip(")").split("(")
        types = [_C_TYPES[name] for name in (result, *arguments.split(", "))]
        return ctypes.CFUNCTYPE(*types)(self.address)


@cache
def _functions() -> dict[str, Function]:
    addresses = embed_functions()
    return {name: Function(addresses[name], signature) for name, signature in _SIGNATURES.items()}


def functions() -> dict[str, Function]:
    """The functions of the table that need no interpreter lock, by name; ``cysmic.h`` explains them."""
    return dict(_functions())


def get_include() -> str:
    """The folder of ``cysmic.h``, for the include path of a C compiler."""
    return str(Path(__file__).parent / "include")


def handle(game: Game) -> int:
    """The ``cysmic_game *`` of a game of the native engine, valid while the game lives; else OptionError."""
    return embed_handle(game)


def state_buffer(n: int = 1) -> npt.NDArray[np.uint8]:
    """Zeroed room for ``n`` states: uint8, shape (n, STATE_SIZE), row i at ``out[i].ctypes.data``.

    The first row begins at a cache line. None is a state yet. OptionError unless n is an integer from
    1 to 2**40; MemoryError, with the size, if there is no such room.
    """
    import numpy as np

    rows = check_word(n, "n", 1, 2**40)
    room = np.zeros(rows * STATE_SIZE + _LINE, np.uint8)
    start = -room.ctypes.data % _LINE
    return room[start : start + rows * STATE_SIZE].reshape(rows, STATE_SIZE)


def copy_state(state: State, out: npt.NDArray[np.uint8] | None = None) -> npt.NDArray[np.uint8]:
    """A state of the native engine as a ``cysmic_state``: uint8, shape (STATE_SIZE,).

    Written into ``out`` if given. It is a state of ``handle(state.game)``; recorded events stay behind.

    Raises
    ------
    OptionError
        For any other object, a state with scripted outcomes left, and for an ``out`` that is no
        contiguous, writeable uint8 array of STATE_SIZE bytes at a multiple of STATE_ALIGNMENT.
    """
    if out is None:
        out = state_buffer()[0]
    try:
        embed_copy(state, out)
    except (BufferError, TypeError, ValueError) as error:
        if isinstance(error, OptionError):
            raise
        raise OptionError(
            f"out: {shown(out)} given; allowed: a writeable, contiguous uint8 array of shape ({STATE_SIZE},)"
        ) from error
    return out


def __getattr__(name: str) -> Any:
    if name == "RESULT_DTYPE":  # struct cysmic_result
        import numpy as np

        globals()[name] = np.dtype(
            [
                ("options", "u8"),
                ("decisions", "u4"),
                ("rounds", "u4"),
                ("reason", "i4"),
                ("winners", "u4"),
            ]
        )
        return globals()[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
