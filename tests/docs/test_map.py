"""The map in docs/architecture.md names every source file, and none that there is not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MAP = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8").split("## The map\n")[1]
SOURCES = {".py", ".pyi", ".pyx", ".pxd", ".pxi", ".h"}
FOLDERS = [
    "src",
    *("cysmic_fast" + part for part in ("", "/balance", "/cli", "/content", "/include", "/reference")),
]


def named(folder: str) -> list[str]:
    """What the map names in a folder: files, or other folders with a slash at the end."""
    found = re.search(rf"^    {folder}/ *[^\n]*\n((?:      .*\n)+)", MAP, re.MULTILINE)
    assert found, f"{folder}/ is not in the map"
    names: list[str] = []
    for line in found[1].splitlines():
        names += re.split(r", ?", re.split(r"  +", line.strip())[0].rstrip(","))
    return names


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_source_file_is_in_the_map(folder: str) -> None:
    there = {path.name for path in (ROOT / folder).iterdir() if path.suffix in SOURCES}
    assert sorted(named(folder)) == sorted(there)


def test_every_folder_is_in_the_map() -> None:
    packages = {str(path.parent.relative_to(ROOT)) for path in (ROOT / "cysmic_fast").rglob("__init__.py")}
    assert packages <= set(FOLDERS)
    tests = {path.relative_to(ROOT / "tests").parts[0] + "/" for path in (ROOT / "tests").rglob("*.py")}
    assert sorted(named("tests")) == sorted(tests)
