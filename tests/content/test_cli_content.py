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
from cysmic_fast.content.show import card_text

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
    in_part = sum(e.status == "inferred" for e in content.entries)
    listed = sum(int(line.rpartition(" ")[2]) for line in out.splitlines() if line.startswith("inferred in "))
    assert listed == in_part > 0
    words = " ".join(out.split())
    for ids in (content.discovery, content.relics, content.factions):
        assert all(card.id in words for card in ids)
    assert "red = [1, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 6]" in words


def test_validate_warns_and_passes(tmp_path: Path) -> None:
    (tmp_path / "discovery.toml").write_text(
        "[[card]]\nid = 'D74'\nability = [ { do = 'gain', res = 'discovery', n = 3 } ]\n"
    )
    result = RUNNER.invoke(app, ["content", "validate", str(tmp_path)])
    assert result.exit_code == 0
    assert "warning: discovery.toml: D74: a Reaction that draws up to 3 cards" in result.output
    assert ": valid; it sets 1 of" in result.output


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
    assert "rulebook, derived, inferred, stand-in, custom" in result.output


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


def test_show_prints_a_card_by_id_or_name() -> None:
    result = RUNNER.invoke(app, ["content", "show", "discovery", "D17"])
    assert result.exit_code == 0
    assert result.stdout == card_text(load_content(), "discovery", load_content().discovery[16]) + "\n"
    assert "Assign the hits." in result.stdout
    named = RUNNER.invoke(app, ["content", "show", "relic", "forge drone"])
    assert named.stdout.startswith("R27 Forge Drone\n")
    assert "Piecework" in RUNNER.invoke(app, ["content", "show", "faction", "F13"]).stdout
    assert "Sinkhole" in RUNNER.invoke(app, ["content", "show", "event", "p12"]).stdout


def test_show_all_of_a_kind_and_of_all_kinds() -> None:
    relics = RUNNER.invoke(app, ["content", "show", "relic", "--all"]).stdout
    assert [line.split()[0] for line in relics.splitlines() if line.startswith("R")] == [
        card.id for card in load_content().relics
    ]
    everything = RUNNER.invoke(app, ["content", "show", "--all"]).stdout
    assert relics.strip() in everything
    assert everything.count("\n  Source") == 81 + 12 + 45 + 27


def test_show_takes_packs(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "events.toml").write_text('[[card]]\nid = "P02"\neffect = [ { do = "tremor", n = 2 } ]\n')
    result = RUNNER.invoke(app, ["content", "show", "event", "P02", "--pack", str(folder)])
    assert "Cause two Tremors." in result.stdout
    assert "custom, mine: effect" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["monster", "D17"], "allowed: discovery, event, relic, faction"),
        (["discovery"], "give a card, or --all"),
        (["discovery", "D17", "--all"], "give a card, or --all"),
        ([], "give a card, or --all"),
    ],
)
def test_show_refuses_other_arguments(arguments: list[str], message: str) -> None:
    result = RUNNER.invoke(app, ["content", "show", *arguments])
    assert result.exit_code == 2
    assert message in " ".join(result.output.replace("│", " ").split())


def test_show_suggests_a_card(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["cysmic", "content", "show", "discovery", "Snipper"])
    with pytest.raises(SystemExit):
        main()
    assert "did you mean 'Sniper'?" in capsys.readouterr().err


def test_new_pack_is_valid_and_changes_adds_removes_and_counts(tmp_path: Path) -> None:
    folder = tmp_path / "my cards"
    result = RUNNER.invoke(app, ["content", "new-pack", str(folder)])
    assert result.exit_code == 0
    assert sorted(path.name for path in folder.iterdir()) == ["discovery.toml", "pack.toml", "relics.toml"]
    assert all(path.read_text().startswith("# ") for path in folder.iterdir())
    assert "valid; it sets" in RUNNER.invoke(app, ["content", "validate", str(folder)]).stdout

    standard, content = load_content(), load_content(folder)
    old = {card.id: card for card in standard.discovery}
    new = {card.id: card for card in content.discovery}
    assert content.name == "standard+my cards"
    assert new["D17"].trigger != old["D17"].trigger
    assert new["D17"].ability == old["D17"].ability
    assert new["D02"].count != old["D02"].count
    assert set(old) - set(new) == {"D42"}
    assert set(new) - set(old) == {"X01", "X02"}
    assert new["X02"].trigger is not None
    assert "XR1" in {card.id for card in content.relics}
    for kind in ("discovery", "relic"):
        shown = RUNNER.invoke(app, ["content", "show", kind, "--all", "--pack", str(folder)])
        assert shown.exit_code == 0


def test_new_pack_keeps_what_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    for folder, message in ((tmp_path, "is not empty"), (tmp_path / "notes.txt", "cannot be written")):
        monkeypatch.setattr(sys, "argv", ["cysmic", "content", "new-pack", str(folder)])
        with pytest.raises(SystemExit):
            main()
        assert message in capsys.readouterr().err
    assert (tmp_path / "notes.txt").read_text() == "mine"
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


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
