"""Tests of the C interface: a compiler, games, and what the tests build."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from embedding import EXAMPLES, load_module, run

import cysmic_fast
from cysmic_fast import embed
from cysmic_fast.interface import Game, State


@pytest.fixture(scope="session")
def cc() -> list[str]:
    """The C compiler."""
    command = shlex.split(os.environ.get("CC", "cc"))
    if shutil.which(command[0]) is None:
        pytest.skip(f"no C compiler: {command[0]} is not there")
    if not (Path(sysconfig.get_paths()["include"]) / "Python.h").is_file():
        pytest.skip("no Python.h: the headers of this Python are not installed")
    return command


@pytest.fixture(scope="session")
def cxx() -> list[str]:
    """The C++ compiler."""
    command = shlex.split(os.environ.get("CXX", "c++"))
    if shutil.which(command[0]) is None:
        pytest.skip(f"no C++ compiler: {command[0]} is not there")
    return command


@pytest.fixture(scope="session")
def compile_extension(cc: list[str]) -> Callable[..., Path]:
    """Compiles one C file to an extension module in a folder, against a header folder; its path."""

    def build(source: Path, folder: Path, include: str | None = None) -> Path:
        target = folder / (source.stem + sysconfig.get_config_var("EXT_SUFFIX"))
        flags = ["-isystem", sysconfig.get_paths()["include"], "-I", include or cysmic_fast.get_include()]
        done = subprocess.run(
            [*cc, "-std=c11", "-fPIC", "-shared", *flags, str(source), "-o", str(target)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return target

    return build


@pytest.fixture(scope="session")
def player(cc: list[str], tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The C extension of examples/embed_c, built out of tree."""
    del cc
    folder = tmp_path_factory.mktemp("embed_c")
    build = load_module("embed_c_build", EXAMPLES / "embed_c" / "build.py")
    return load_module("player", build.compile_extension(folder))


@pytest.fixture(scope="session")
def searcher(cc: list[str], tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The Cython extension of examples/embed_cython, built out of tree."""
    del cc
    pytest.importorskip("Cython")
    pytest.importorskip("setuptools")
    folder = tmp_path_factory.mktemp("embed_cython")
    code = "import sys, pathlib, build; print(build.compile_extension(pathlib.Path(sys.argv[1])))"
    # In a process of its own: setuptools changes what it finds.
    built = run(sys.executable, "-c", code, folder, cwd=EXAMPLES / "embed_cython").splitlines()[-1]
    return load_module("searcher", Path(built))


@pytest.fixture(scope="session")
def game() -> Game:
    """A game with everything in it."""
    return cysmic_fast.load_game(players=4, factions=True, molten_core=True, events=True)


@pytest.fixture(scope="session")
def late() -> State:
    """A state near the end of a game, from which the player who decides wins some random playouts."""
    short = cysmic_fast.load_game(players=2, ending="build_it")
    state, policy = short.new_initial_state(1), cysmic_fast.PlayoutPolicy(1, 0)
    passed = []
    while not state.is_terminal():
        passed.append(state.clone())
        state.apply_action(policy(state))
    return [state for state in passed[:-60] if state.current_player() == 0][-1]


@pytest.fixture(scope="session")
def api() -> Any:
    """The functions of the table, by name, for ctypes."""
    return SimpleNamespace(**{name: function.ctypes() for name, function in embed.functions().items()})
