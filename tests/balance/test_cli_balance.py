"""``cysmic balance``."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from cysmic_fast.cli import app
from cysmic_fast.errors import CysmicError

RUNNER = CliRunner()
SMALL = ("--players", "2", "--ending", "build_it", "--max-rounds", "120", "--games")


def balance(*arguments: str | Path) -> str:
    result = RUNNER.invoke(app, ["balance", *map(str, arguments)])
    assert result.exit_code == 0, result.output + repr(result.exception)
    return result.stdout


def refused(*arguments: str | Path) -> str:
    result = RUNNER.invoke(app, ["balance", *map(str, arguments)])
    assert result.exit_code != 0
    if result.exit_code == 2:  # by the reader of options itself
        return result.output
    assert isinstance(result.exception, CysmicError), repr(result.exception)
    return str(result.exception)


def data(*arguments: str | Path) -> dict[str, Any]:
    found = json.loads(balance(*arguments, "--json", "-"))
    assert isinstance(found, dict)
    return found


def test_tables_files_and_default_options(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("a.json", "a.csv", "a.svg")]
    text = balance(
        *SMALL, "150", "--seed", "2", "--top", "4", "--sort", "p", "--detail", "--min-seen", "20",
        "--json", files[0], "--csv", files[1], "--plot", files[2],
    )  # fmt: skip
    assert "Discovery Cards played for Rewards" in text
    assert "; 4 of" in text
    found = json.loads(files[0].read_text(encoding="utf-8"))
    assert found["options"]["factions"]
    assert found["options"]["molten_core"]
    assert found["options"]["events"]
    assert found["games"] == 150
    assert found["min_seen"] == 20
    assert found["engine"] == "native"
    assert not found["interrupted"]
    assert len(files[1].read_text(encoding="utf-8").splitlines()) > 100
    assert files[2].stat().st_size > 1000


def test_options_arrive() -> None:
    found = data(
        *("--players", "3", "--games", "2", "--no-factions", "--no-molten-core", "--no-events"),
        *("--max-rounds", "1", "--ending", "guilty+equality", "--seed", "9", "--first", "4"),
    )
    options = found["options"]
    assert not options["factions"]
    assert not options["molten_core"]
    assert not options["events"]
    assert (options["launch"], options["end_trigger"]) == ("guilty", "equality")
    assert found["runs"] == [{"seed": 9, "first": 4, "games": 2}]
    assert "too few" in found["warning"]


def test_merge(tmp_path: Path) -> None:
    files = [tmp_path / f"{n}.json" for n in range(2)]
    for n, file in enumerate(files):
        balance(*SMALL, "30", "--first", str(30 * n), "--json", file)
    whole = data(*SMALL, "60")
    merged = data("--merge", *files)
    assert merged["tables"] == whole["tables"]
    assert merged["census"] == whole["census"]
    assert "two reports" in refused("--merge", files[0], files[0])
    (tmp_path / "bad.json").write_text("{", encoding="utf-8")
    assert "bad.json" in refused("--merge", files[0], tmp_path / "bad.json")
    assert "nowhere" in refused("--merge", tmp_path / "nowhere")
    assert "--merge" in refused(files[0])
    assert "--merge" in refused("--merge")


def test_compare_with_a_file_and_with_a_pack(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    assert RUNNER.invoke(app, ["content", "new-pack", str(folder)]).exit_code == 0
    base = tmp_path / "base.json"
    balance(*SMALL, "60", "--json", base)
    with_file = data(*SMALL, "60", "--pack", folder, "--compare", base)["comparison"]
    with_pack = data(*SMALL, "60", "--pack", folder, "--compare", "standard")["comparison"]
    assert with_file == with_pack
    assert {c["id"] for c in with_file["tables"]["discovery_held"]} >= {"X01", "D42"}
    text = balance(*SMALL, "60", "--compare", folder)
    assert "Changes from standard+mine" in text
    assert "reports differ in options" in refused(*SMALL, "60", "--players", "3", "--compare", base)
    assert "compare" in refused("--merge", base, "--compare", folder)


@pytest.mark.parametrize(
    "arguments",
    [
        ["--games", "0"],
        ["--games", "1000000000"],
        ["--threads", "0"],
        ["--players", "9"],
        ["--policy", "clever"],
        ["--sort", "beauty"],
        ["--top", "0"],
        ["--min-seen", "0"],
        ["--plot", "a.pdf"],
        ["--plot", "/nowhere/a.svg"],
        ["--json", "/nowhere/a.json"],
        ["--csv", "/nowhere/a.csv"],
        ["--compare", "/nowhere/base.json"],
        ["--pack", "/nowhere"],
        ["--ending", "never"],
    ],
    ids=" ".join,
)
def test_wrong_arguments(arguments: list[str]) -> None:
    refused("--max-rounds", "1", *arguments)


def test_the_command_ends_with_one_message() -> None:
    command = [
        sys.executable,
        "-P",
        "-c",
        "from cysmic_fast.cli import main; main()",
        "balance",
        "--sort",
        "x",
    ]
    result = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert result.returncode == 1
    assert len(result.stderr.strip().splitlines()) == 1
