"""What the tests of the C interface share: built modules, programs, addresses."""

from __future__ import annotations

import importlib.util
import os
import subprocess
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"


def load_module(name: str, path: Path) -> ModuleType:
    """A module, compiled or not, by its file."""
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run(*command: str | Path, cwd: Path) -> str:
    """Standard output of a program that must end well."""
    done = subprocess.run(
        [str(c) for c in command],
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env={**os.environ, "CFLAGS": "-O0"},  # setuptools: compiling takes longer than what is compiled
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
