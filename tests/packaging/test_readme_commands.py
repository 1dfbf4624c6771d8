"""The README's main command, run as it stands in a copy of the tracked sources (CI runs the other one)."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.packaging


def test_main_command(tmp_path: Path) -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    for name in filter(None, listed.stdout.split("\0")):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, tmp_path / name)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    found = re.search(r"<!-- main command -->\n```bash\n(.*?)```", readme, re.DOTALL)
    assert found is not None
    env = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "VIRTUAL_ENV"))}
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", found[1]],
        cwd=tmp_path,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    for words in ("10,000 games", "95% interval", "choices"):
        assert words in done.stdout, done.stdout
