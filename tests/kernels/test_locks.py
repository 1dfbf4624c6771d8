"""Without the GIL a state is guarded by its own lock: every method that Python can call takes it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "state_api.pxi"
#: They touch nothing that another thread could be changing, or go through a method that does.
FREE = {"__cinit__", "__init__", "__dealloc__", "__copy__", "__deepcopy__", "__reduce__", "game"}
FREE |= {"to_bytes", "__eq__", "__hash__"}


@pytest.mark.skipif(not SOURCE.exists(), reason="the sources are not here")
def test_every_method_of_a_state_takes_its_lock() -> None:
    text = SOURCE.read_text(encoding="utf-8")
    body = re.search(r"^cdef class NativeState:\n(.*?)^(?=\S)", text, re.DOTALL | re.MULTILINE)
    assert body is not None
    methods = re.findall(r"((?:^    @[^\n]+\n)*)^    def (\w+)\(", body[1], re.MULTILINE)
    assert len(methods) > 20
    unlocked = [name for marks, name in methods if "critical_section" not in marks and name not in FREE]
    assert unlocked == []
