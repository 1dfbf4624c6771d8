"""The command that measures other libraries beside ours runs, whichever of them are installed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_command(tmp_path: Path) -> None:
    file = tmp_path / "peers.json"
    command = [sys.executable, "-P", str(ROOT / "benchmarks" / "peers" / "run.py")]
    done = subprocess.run(
        [*command, "--seconds", "0.01", "--repeat", "1", "--python", sys.executable, "--json", str(file)],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(file.read_text(encoding="utf-8"))
    ours = found["rows"][0]
    assert ours["title"] == "cysmic_fast"
    assert ours["ratios"] == {"native": 1.0, "python": 1.0, "clone": 1.0}
    assert ours["choices_per_game"] > 100
    assert ours["mean_legal_options"] >= 2
    assert 0 < ours["forced_share"] < 1
    measured = {row["title"] for row in found["rows"]} | set(found["skipped"])
    assert len(measured) == 4
    for package, line in found["skipped"].items():
        assert f"pip install {package}" in line
        assert f"skipped: {package} is not installed; {line}" in done.stdout
