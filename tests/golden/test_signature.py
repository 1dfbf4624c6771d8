"""The golden signature is the same however the games are played.

After a change that is meant to alter games:
``python -m cysmic_fast.signature --write tests/golden/signature.json``, and the commit says why.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cysmic_fast import signature as s

FILE = Path(__file__).with_name("signature.json")
GOLDEN: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
HASHES: dict[str, dict[str, str]] = GOLDEN["configurations"]
#: One of each kind, for whatever costs a process.
SOME = ("2p:plain", "3p:everything", "4p:quick+guilty+equality", "5p:random0", "6p:cards1", "3p:blueprints1")
#: Short games, for the reference engine.
SHORT = (
    "2p:core+plain",
    "2p:short",
    "3p:everything",
    "4p:quick+base+immediate",
    "5p:tight",
    "6p:short",
    "2p:cards1",
)


def test_the_golden_signature() -> None:
    assert s.differences(GOLDEN, s.document()) == []


def test_the_file_is_whole() -> None:
    """Every kind of game for every number of players; one hash over all; hashes that tell games apart."""
    assert GOLDEN["signature"] == s.sum_up(HASHES)
    assert tuple(HASHES) == s.NAMES
    assert {name[0] for name in HASHES} == set("23456")
    assert len({both["played"] for both in HASHES.values()}) == len(HASHES)
    assert set(SOME) | set(SHORT) <= set(HASHES)


def test_what_differs_is_named() -> None:
    other = json.loads(json.dumps(GOLDEN))
    other["configurations"]["2p:plain"]["records"] = "0"
    other["seed"] = 1
    del other["configurations"]["6p:cards1"]
    assert s.differences(GOLDEN, other) == [
        "seed: 2026 / 1",
        "2p:plain: other records",
        "6p:cards1: only before",
    ]


@pytest.mark.parametrize("threads", [2, 3, 16])
def test_threads(threads: int) -> None:
    for name in SOME:
        assert s.records(name, threads=threads) == HASHES[name]["records"], name


@pytest.mark.parametrize("hash_seed", ["0", "1", "4711"])
def test_hash_seeds(hash_seed: str) -> None:
    script = (
        "import json, sys; from cysmic_fast import signature as s;"
        "print(json.dumps({name: s.signature(name) for name in sys.argv[1:]}))"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", script, *SOME],
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert json.loads(done.stdout) == {name: HASHES[name] for name in SOME}


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_start_methods(method: str) -> None:
    """Games are sent to the workers by name; the first is played in the parent too, before them."""
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"{method} is not offered here")
    assert s.signature(SOME[0]) == HASHES[SOME[0]]
    with multiprocessing.get_context(method).Pool(2) as pool:
        found = pool.map_async(s.signature, SOME, chunksize=1).get(120)
    assert dict(zip(SOME, found, strict=True)) == {name: HASHES[name] for name in SOME}


@pytest.mark.parametrize("name", SHORT)
def test_the_reference_engine_plays_the_same(name: str) -> None:
    assert s.played(name, "reference") == HASHES[name]["played"]


def test_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(s, "NAMES", SOME[:2])
    file = tmp_path / "signature.json"
    assert s.main(["--write", str(file)]) == 0
    assert s.main(["--check", str(file), "--threads", "2"]) == 0
    assert f"as in {file}" in capsys.readouterr().out
    file.write_text(file.read_text().replace(HASHES[SOME[0]]["played"], "0" * 16))
    assert s.main(["--check", str(file)]) == 1
    assert f"{SOME[0]}: other played" in capsys.readouterr().out
