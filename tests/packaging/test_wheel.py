"""The shipped artefact: a complete wheel that runs in a fresh environment, and an editable install."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.packaging


def run(*command: str | Path, cwd: Path) -> str:
    # A clean environment: nothing of the checkout may be importable by accident.
    env = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    done = subprocess.run(
        [str(c) for c in command], cwd=cwd, env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def fresh_python(path: Path) -> Path:
    venv.create(path, with_pip=True)
    return path / "bin" / "python"


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the tracked sources, so that no build output of the checkout takes part."""
    target = tmp_path_factory.mktemp("source")
    tracked = run("git", "ls-files", "-z", cwd=ROOT).split("\0")
    for name in filter(None, tracked):
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, target / name)
    return target


@pytest.fixture(scope="module")
def wheel(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("dist")
    run(
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "-w",
        out,
        ".",
        cwd=source,
    )
    (built,) = out.glob("*.whl")
    return built


def test_wheel_contents(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert any(n.startswith("cysmic_fast/_native.") and n.endswith(".so") for n in names)
    for wanted in (
        "cysmic_fast/_native.pyi",
        "cysmic_fast/_native.pxd",
        "cysmic_fast/embed.pxd",
        "cysmic_fast/include/cysmic.h",
        "cysmic_fast/py.typed",
        "cysmic_fast/__init__.py",
    ):
        assert wanted in names
    packs = {n for n in names if n.startswith("cysmic_fast/content/packs/standard/") and n.endswith(".toml")}
    assert packs == {
        f"cysmic_fast/content/packs/standard/{p.name}"
        for p in (ROOT / "cysmic_fast" / "content" / "packs" / "standard").glob("*.toml")
    }
    assert not [n for n in names if n.startswith(("tests/", "src/", "build/")) or n.endswith((".pxi", ".c"))]


def test_wheel_in_a_fresh_environment(wheel: Path, tmp_path: Path) -> None:
    python = fresh_python(tmp_path / "env")
    run(python, "-m", "pip", "install", "--quiet", wheel, cwd=tmp_path)
    cysmic = python.parent / "cysmic"
    info = json.loads(run(cysmic, "info", "--json", cwd=tmp_path))
    assert info["num_actions"] == 512
    assert info["state_bytes"] <= 2048
    result = tmp_path / "result.json"
    run(cysmic, "simulate", "--players", "3", "--games", "20", "--seed", "5", "--json", result, cwd=tmp_path)
    assert json.loads(result.read_text())["games"] == 20
    run(python, "-c", "import cysmic_fast, sys; assert 'numba' not in sys.modules", cwd=tmp_path)
    # C against the installed header
    shutil.copytree(ROOT / "examples" / "embed_c", tmp_path / "embed_c")
    played = run(python, tmp_path / "embed_c" / "run.py", "50", cwd=tmp_path)
    assert len(re.findall(r"^decisions [1-9]\d+$", played, re.MULTILINE)) == 2


def test_editable_install(source: Path, tmp_path: Path) -> None:
    python = fresh_python(tmp_path / "env")
    tools = ["numpy", "cython", "scikit-build-core", "cython-cmake", "ninja"]
    run(python, "-m", "pip", "install", "--quiet", *tools, cwd=tmp_path)
    run(python, "-m", "pip", "install", "--quiet", "--no-build-isolation", "-e", source, cwd=tmp_path)
    where = run(python, "-c", "import cysmic_fast; print(cysmic_fast.__file__)", cwd=tmp_path).strip()
    assert Path(where).resolve().is_relative_to(source.resolve())
    play = "import cysmic_fast as c; print(len(c.load_game(players=2).new_initial_state(1).legal_actions()))"
    assert int(run(python, "-c", play, cwd=tmp_path)) >= 2
