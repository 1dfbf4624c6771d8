"""A state is guarded by its own lock, or by the GIL: every method that Python can call takes it, or reads
from a copy of one moment, as whoever puts several Python objects together must.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "state_api.pxi"
#: They touch nothing that another thread could be changing, or go through a method that does.
FREE = {"__cinit__", "__init__", "__dealloc__", "__copy__", "__deepcopy__", "__reduce__", "game"}
FREE |= {"to_bytes", "__eq__", "__hash__"}
#: What a method may touch of the state itself where it reads from a copy: what never changes.
FIXED = re.compile(r"self\.(?:moment|owner)\b")


@pytest.mark.skipif(not SOURCE.exists(), reason="the sources are not here")
def test_every_method_of_a_state_takes_its_lock() -> None:
    text = SOURCE.read_text(encoding="utf-8")
    body = re.search(r"^cdef class NativeState:\n(.*?)^(?=\S)", text, re.DOTALL | re.MULTILINE)
    assert body is not None
    methods = re.findall(
        r"((?:^    @[^\n]+\n)*)^    def (\w+)\((.*?)(?=^    (?:@|def |cdef |# ---)|\Z)",
        body[1],
        re.MULTILINE | re.DOTALL,
    )
    assert len(methods) > 20
    unlocked = [
        name
        for marks, name, text in methods
        if "critical_section" not in marks
        and name not in FREE
        and not ("self.moment(" in text and "self." not in FIXED.sub("", text))
    ]
    assert unlocked == []
