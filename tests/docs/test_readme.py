"""Every Python snippet of the README and every program in examples/ runs as it stands."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SNIPPETS = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


def run(*command: str | Path, cwd: Path) -> str:
    done = subprocess.run(
        [sys.executable, *map(str, command)],
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_there_is_something_to_run() -> None:
    assert len(SNIPPETS) >= 3
    assert len(EXAMPLES) >= 4


@pytest.mark.parametrize("number", range(len(SNIPPETS)))
def test_readme_snippet(number: int, tmp_path: Path) -> None:
    program = tmp_path / "snippet.py"
    program.write_text(SNIPPETS[number], encoding="utf-8")
    assert run(program, cwd=tmp_path).strip()


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda p: p.name)
def test_example(example: Path, tmp_path: Path) -> None:
    assert run(example, cwd=tmp_path).strip()


def test_links_of_the_documentation() -> None:
    """Relative links between the documents lead somewhere."""
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\(([^)#:]+?)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.relative_to(ROOT)}: {target}"
