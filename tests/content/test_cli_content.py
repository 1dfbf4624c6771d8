"""``cysmic content``, run as a user runs it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cysmic_fast import __version__
from cysmic_fast.cli import app, main
from cysmic_fast.content import load_content

RUNNER = CliRunner()


@pytest.fixture
def bad_pack(tmp_path: Path) -> Path:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "units.toml").write_text("[soldier]\nmovment = 4\nred = 99\n")
    return folder


@pytest.fixture
def good_pack(tmp_path: Path) -> Path:
    folder = tmp_path / "good"
    folder.mkdir()
    (folder / "units.toml").write_text("[soldier]\nmovement = 4\nred = 2\n")
    return folder


def test_report_counts_and_lists_every_stand_in() -> None:
    result = RUNNER.invoke(app, ["content", "report"], env={"COLUMNS": "200"})
    assert result.exit_code == 0
    content = load_content()
    out = result.stdout
    assert content.hash in out
    number = sum(e.status == "stand-in" for e in content.entries)
    assert str(number) in out
    listed = sum(int(line.rpartition(" ")[2]) for line in out.splitlines() if line.startswith("stand-in in "))
    assert listed == number
    words = " ".join(out.split())
    for ids in (content.discovery, content.relics, content.factions):
        assert all(card.id in words for card in ids)
    assert "red = [1, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 6]" in words


def test_report_as_json(good_pack: Path) -> None:
    result = RUNNER.invoke(app, ["content", "report", "--json", "--pack", str(good_pack)])
    data = json.loads(result.stdout)
    content = load_content(good_pack)
    assert (data["name"], data["hash"]) == ("standard+good", content.hash)
    assert len(data["values"]) == len(content.entries) == sum(data["counts"].values())
    assert data["counts"]["custom"] == 2
    assert data["files"]["units.toml"]["custom"] == 2
    only = RUNNER.invoke(app, ["content", "report", "--json", "--pack", str(good_pack), "--status", "custom"])
    assert json.loads(only.stdout)["values"][0] == {
        "path": "units.toml: soldier.movement",
        "value": 4,
        "status": "custom",
        "basis": "",
        "pack": "good",
    }


def test_report_refuses_unknown_statuses() -> None:
    result = RUNNER.invoke(app, ["content", "report", "--status", "guess"])
    assert result.exit_code == 2
    assert "rulebook, derived, stand-in, custom" in result.output


def test_validate(good_pack: Path, bad_pack: Path, tmp_path: Path) -> None:
    good = RUNNER.invoke(app, ["content", "validate", str(good_pack)])
    assert good.exit_code == 0
    assert "valid; it sets 2 of" in good.stdout
    bad = RUNNER.invoke(app, ["content", "validate", str(bad_pack)])
    assert bad.exit_code == 1
    assert "mine/units.toml: soldier.movment: found unknown key" in bad.stdout
    assert "mine/units.toml: soldier.red: found 99" in bad.stdout
    assert "2 defects" in bad.output
    none = RUNNER.invoke(app, ["content", "validate", str(tmp_path / "none")])
    assert none.exit_code == 1
    assert "is not a folder" in none.output


def test_errors_are_messages(
    bad_pack: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["cysmic", "content", "report", "--pack", str(bad_pack)])
    with pytest.raises(SystemExit) as caught:
        main()
    assert caught.value.code == 1
    assert capsys.readouterr().err.startswith("cysmic: content pack 'standard+mine' has 2 defects:")


def test_version_and_help() -> None:
    assert RUNNER.invoke(app, ["--version"]).stdout == f"cysmic_fast {__version__}\n"
    assert "content" in RUNNER.invoke(app, ["--help"]).stdout


def test_the_command_line_starts_light() -> None:
    program = (
        "import sys, cysmic_fast.cli\n"
        "heavy = ('numpy', 'numba', 'rich.table', 'msgspec', 'cysmic_fast.content')\n"
        "print([module for module in heavy if module in sys.modules])"
    )
    out = subprocess.run(
        [sys.executable, "-P", "-c", program],
        capture_output=True,
        text=True,
        check=True,
    )
    assert out.stdout.strip() == "[]"
