"""The installed package imports, stays light, and carries what it should."""

from __future__ import annotations

import importlib.resources
import subprocess
import sys


def test_import_is_light() -> None:
    """Nothing heavy is imported before it is used."""
    heavy = {"numba", "scipy", "networkx", "typer"}
    code = f"import sys, cysmic_fast; print(sorted({heavy!r} & set(sys.modules)))"
    result = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


def test_the_compiled_module_is_there() -> None:
    from cysmic_fast import _native

    assert _native.__file__ is not None
    assert _native.__file__.endswith((".so", ".pyd"))


def test_typing_and_embedding_files_are_there() -> None:
    files = {entry.name for entry in importlib.resources.files("cysmic_fast").iterdir()}
    assert {"py.typed", "_native.pyi", "_native.pxd", "embed.pxd", "include"} <= files
