"""The Python snippets of docs/rollouts.md run, one after another."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("numba")

PAGE = Path(__file__).resolve().parents[2] / "docs" / "rollouts.md"


def test_the_snippets_run(capsys: pytest.CaptureFixture[str]) -> None:
    snippets = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert len(snippets) >= 3
    names: dict[str, Any] = {}
    for snippet in snippets:
        exec(compile(snippet, str(PAGE), "exec"), names)
    assert "win rate" in capsys.readouterr().out
    assert names["result"].n == 200
