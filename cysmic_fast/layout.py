"""Memory layout of the native engine's structs as NumPy dtypes, read from their definition, ``_native.pxd``.

>>> from cysmic_fast.layout import STATE_DTYPE
>>> STATE_DTYPE.fields["round"]

``struct_dtype(name)`` gives any struct made of numbers, arrays and such structs (``State``, ``Seat``,
``Frame`` ...). A set of 128 bits (C: ``unsigned __int128``) is two ``uint64``, low word first: member ``i``
is bit ``i & 63`` of word ``i >> 6``. A test compares size and offset of every field with what the C
compiler says (``_native.struct_layout()``).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import numpy as np

    STATE_DTYPE: np.dtype[np.void]

__all__ = ["STATE_DTYPE", "Field", "parse_structs", "state_record", "struct_dtype"]

#: NumPy format, size and alignment of the types that fields are made of.
_SCALARS: Final[dict[str, tuple[Any, int, int]]] = {
    "u128": (("<u8", (2,)), 16, 16),
    "double": ("<f8", 8, 8),
    **{f"{sign}int{8 * n}_t": (f"<{sign or 'i'}{n}", n, n) for sign in ("u", "") for n in (1, 2, 4, 8)},
}


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a struct: its type's name, and its dimensions if it is an array."""

    name: str
    type: str
    shape: tuple[int, ...]
    comment: str


_STRUCT: Final = re.compile(r"cdef struct (\w+):")
_FIELD: Final = re.compile(r"    (\w+) (\w+)((?:\[\d+\])*)\s*(?:#\s*(.*))?")


def parse_structs(text: str) -> dict[str, tuple[Field, ...]]:
    """The structs declared in the text of a ``.pxd``, by name: those without pointers."""
    structs: dict[str, tuple[Field, ...]] = {}
    name = ""
    fields: list[Field] = []
    for line in [*text.splitlines(), "# end"]:
        if match := _STRUCT.match(line):
            name, fields = match[1], []
        elif name and (match := _FIELD.fullmatch(line.rstrip())):
            shape = tuple(int(n) for n in re.findall(r"\d+", match[3]))
            fields.append(Field(match[2], match[1], shape, match[4] or ""))
        elif name and not line.startswith("    "):
            if fields and all(f.type in _SCALARS or f.type in structs for f in fields):
                structs[name] = tuple(fields)
            name = ""
        elif name and line.strip() and not line.lstrip().startswith("#"):
            name = ""  # something else: a pointer
    return structs


@cache
def _structs() -> dict[str, tuple[Field, ...]]:
    return parse_structs((Path(__file__).parent / "_native.pxd").read_text(encoding="utf-8"))


@cache
def _layout(name: str) -> tuple[Any, int, int]:
    """(dtype or format, size, alignment) of a type, by the rules of C."""
    if name in _SCALARS:
        return _SCALARS[name]
    import numpy as np

    names, formats, offsets = [], [], []
    end, alignment = 0, 1
    for field in _structs()[name]:
        base, size, align = _layout(field.type)
        count = 1
        for n in field.shape:
            count *= n
        offset = -(-end // align) * align
        names.append(field.name)
        formats.append((base, field.shape) if field.shape else base)
        offsets.append(offset)
        end, alignment = offset + count * size, max(alignment, align)
    size = -(-end // alignment) * alignment
    dtype = np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": size})
    return dtype, size, alignment


def struct_dtype(name: str) -> np.dtype[np.void]:
    """The dtype of a struct of ``_native.pxd``; KeyError if there is no such struct of plain data."""
    if name not in _structs():
        raise KeyError(f"struct {name!r}; there are {', '.join(_structs())}")
    dtype: np.dtype[np.void] = _layout(name)[0]
    return dtype


def state_record(state: Any) -> np.void:
    """A copy of the struct ``State`` of a state of the native engine, as a record of ``STATE_DTYPE``.

    What a compiled policy sees. It shows everything, what the players cannot see included.
    """
    import numpy as np

    from cysmic_fast._native import NativeState, state_bytes
    from cysmic_fast.errors import OptionError
    from cysmic_fast.names import shown

    if not isinstance(state, NativeState):
        raise OptionError(f"{shown(state)} given; allowed: a state of the native engine")
    record: np.void = np.frombuffer(bytearray(state_bytes(state)), struct_dtype("State"))[0]
    return record


def __getattr__(name: str) -> Any:
    if name == "STATE_DTYPE":
        globals()[name] = struct_dtype("State")
        return globals()[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
