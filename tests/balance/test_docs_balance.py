"""What docs/balance.md says runs as it stands, with fewer games."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "balance.md").read_text(encoding="utf-8")


def test_program(tmp_path: Path) -> None:
    (snippet,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    program = tmp_path / "snippet.py"
    program.write_text(snippet, encoding="utf-8")
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.rstrip().endswith("0.0")


def test_designers_loop(tmp_path: Path) -> None:
    """The shell commands of the loop; 400 games show the changed Relic as the most certain change."""
    (loop,) = re.findall(r"<!-- loop -->\n```bash\n(.*?)```", PAGE, re.DOTALL)
    command = tmp_path / "cysmic"
    command.write_text(
        f"#!/bin/sh\nexec {sys.executable} -P -c 'from cysmic_fast.cli import main; main()' \"$@\"\n",
        encoding="utf-8",
    )
    command.chmod(0o755)
    done = subprocess.run(
        ["sh", "-e", "-c", loop.replace("--games 4000", "--games 400")],
        cwd=tmp_path,
        env=os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    changes = done.stdout.partition("Relic Cards Activated: changes")[2].splitlines()
    best = next(line for line in changes if re.match(r" R\d", line))
    assert "Victor's Tithe" in best
    assert "***" in best
    assert "+" in best
