"""The snippets of docs/embedding.md: Python runs, C and Cython compile."""

from __future__ import annotations

import re
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import pytest
from embedding import ROOT

import cysmic_fast

PAGE = ROOT / "docs" / "embedding.md"
TEXT = PAGE.read_text(encoding="utf-8")


def snippets(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", TEXT, re.DOTALL)


def test_python(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("numba")
    found = snippets("python")
    assert len(found) == 2
    names: dict[str, Any] = {}
    for snippet in found:
        exec(compile(snippet, str(PAGE), "exec"), names)
    same, played = capsys.readouterr().out.splitlines()
    assert len(set(same.split())) == 1
    assert int(same.split()[0]) == names["decisions"] > 500
    assert int(played) > 50000


def test_c(cc: list[str], tmp_path: Path) -> None:
    (snippet,) = snippets("c")
    head, body = snippet.split("\n\n", 1)
    source = tmp_path / "snippet.c"
    play = "int play(PyObject *object, uint64_t seed, uint64_t index)"
    source.write_text(
        f"{head}\n{play};\n{play} {{\n{body}\n(void)copy; return status; }}\n", encoding="utf-8"
    )
    flags = ["-isystem", sysconfig.get_paths()["include"], "-I", cysmic_fast.get_include()]
    command = [*cc, "-std=c11", "-Wall", "-Werror", "-Wno-unused-but-set-variable", *flags, "-fsyntax-only"]
    done = subprocess.run([*command, str(source)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_cython(tmp_path: Path) -> None:
    """Out of tree, with nothing but the installed declarations."""
    pytest.importorskip("Cython")
    (snippet,) = snippets("cython")
    source = tmp_path / "snippet.pyx"
    source.write_text(snippet, encoding="utf-8")
    packages = str(Path(cysmic_fast.__file__).parent.parent)
    command = [sys.executable, "-m", "cython", "-3", "-Werror", "-I", packages, str(source)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert '#include "cysmic.h"' in source.with_suffix(".c").read_text(encoding="utf-8")


def test_statuses_are_explained() -> None:
    from cysmic_fast import embed

    for name, value in embed.CONSTANTS.items():
        if value < 0 and name != "TERMINAL_PLAYER":
            assert f"| `CYSMIC_{name}` |" in TEXT
