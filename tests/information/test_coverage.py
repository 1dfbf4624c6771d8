"""Every rule of docs/information.md is named by a test."""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).parent
RULES = (HERE.parents[1] / "docs" / "information.md").read_text(encoding="utf-8")


def test_every_rule_is_named() -> None:
    rules = set(re.findall(r"^- \*\*([IJ]\d+)\*\*", RULES, re.MULTILINE))
    assert {"I1", "I26", "J01"} <= rules
    named = set()
    for path in HERE.glob("test_*.py"):
        for first, last, one in re.findall(
            r"\bI(\d+) to I(\d+)\b|\b([IJ]\d+)\b", path.read_text(encoding="utf-8")
        ):
            named |= {one} if one else {f"I{i}" for i in range(int(first), int(last) + 1)}
    assert rules - named == set()
