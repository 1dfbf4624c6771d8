"""Replays: written, read, verified on both engines; whatever is changed in one is found and named."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import cysmic_fast
from cysmic_fast import History, Replay
from cysmic_fast.cli import app
from cysmic_fast.errors import CysmicError, IllegalActionError, ReplayError
from cysmic_fast.replay import state_hash

ROOT = Path(__file__).parents[2]
STORM = ROOT / "examples" / "pack_storm_season"
RUNNER = CliRunner()


def play(history: History, moves: int, seed: int = 6) -> History:
    rng = random.Random(seed)
    for _ in range(moves):
        if history.state.is_terminal():
            break
        history.apply_action(rng.choice(history.state.legal_actions()))
    return history


@pytest.fixture(scope="module")
def made() -> Replay:
    game = cysmic_fast.load_game(players=3, factions=True, events=True)
    return play(History(game, seed=4, index=1), 120).to_replay(players=["Ann", "Bob", "Cat"])


@pytest.fixture
def file(made: Replay, tmp_path: Path) -> Path:
    made.write(tmp_path / "game.jsonl")
    return tmp_path / "game.jsonl"


def test_round_trip(made: Replay, file: Path) -> None:
    back = Replay.read(file)
    assert back == made
    assert len(back) == 120
    assert back.actions == made.actions
    assert [check.ply for check in back.checks] == [32, 64, 96]
    assert back.header.players == ["Ann", "Bob", "Cat"]
    assert back.header.start.seed == 4
    assert back.header.start.index == 1
    for line in file.read_text("utf-8").splitlines():
        assert json.loads(line)["type"] in ("header", "action", "hash", "end")


def test_verified_by_either_engine(made: Replay, engine: str) -> None:
    state = made.verify(engine=engine)
    assert state.game.engine == engine
    assert state_hash(state) == made.end.hash


def test_the_same_lines_in_any_process(made: Replay, file: Path) -> None:
    code = (
        "import sys, cysmic_fast; r = cysmic_fast.Replay.read(sys.argv[1]); "
        "sys.stdout.buffer.write(b'\\n'.join(cysmic_fast.Replay.of(next(r.states()), r.actions, "
        "players=r.header.players).lines()) + b'\\n')"
    )
    for seed in ("0", "7"):
        found = subprocess.run(
            [sys.executable, "-P", "-c", code, str(file)],
            capture_output=True,
            check=True,
            env={"PYTHONHASHSEED": seed},
        )
        assert found.stdout == file.read_bytes()


def test_states(made: Replay) -> None:
    count = 0
    for state in made.states(record=True):
        count += 1
        assert state.events()
    assert count == 121


def test_whole_game_with_a_pack(tmp_path: Path) -> None:
    game = cysmic_fast.load_game(players=2, packs=STORM, max_rounds=3)
    replay = play(History(game, seed=1), 5000).to_replay()
    assert replay.end.over
    assert replay.end.reason == 2
    replay.write(tmp_path / "storm.jsonl")
    back = Replay.read(tmp_path / "storm.jsonl")
    assert back.verify(packs=STORM).is_terminal()
    with pytest.raises(ReplayError) as caught:
        back.verify()
    assert game.content.hash in str(caught.value)
    assert cysmic_fast.load_content().hash in str(caught.value)


@pytest.mark.parametrize("where", ["fresh", "turn", "mid_turn", "script"])
def test_starts(engine: str, where: str) -> None:
    """From a new game, a position, anywhere else, and with outcomes to come."""
    game: Any = cysmic_fast.load_game(players=2, engine=engine)
    if where == "script":
        history = History(game, seed=3, script={"first_player": ["green"], "red_die": ["3"]})
        assert history.to_replay().header.start.save or engine == "reference"
    else:
        state = game.new_initial_state(3)
        moves = random.Random(2)
        while where != "fresh" and state.snapshot()["phase"] != where:
            state.apply_action(moves.choice(state.legal_actions()))
        history = History(state)
        start = history.to_replay().header.start
        assert (start.seed is not None) == (where == "fresh")
    play(history, 40)
    replay = history.to_replay()
    assert replay.verify().snapshot() == history.state.snapshot()
    assert Replay.parse(b"\n".join(replay.lines())) == replay


# ------------------------------------------------------------------ divergence
Change = Callable[[list[dict[str, Any]]], None]


def edited(file: Path, change: Change) -> Path:
    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    change(lines)
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return file


def act(lines: list[dict[str, Any]], ply: int) -> dict[str, Any]:
    return next(line for line in lines if line["type"] == "action" and line["ply"] == ply)


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("action", 511, "action 511"),
        ("player", 5, "of seat 5; asked is"),
        ("decision", "LAUNCH", "'LAUNCH' of seat"),
        ("name", "space:1000", "is called 'space:1000'; its name is"),
    ],
)
def test_edited_actions_are_named(file: Path, key: str, value: object, words: str) -> None:
    edited(file, lambda lines: act(lines, 50).update({key: value}))
    with pytest.raises(ReplayError, match=words) as caught:
        Replay.read(file).verify()
    assert caught.value.ply == 50
    assert str(caught.value).startswith("ply 50: ")


def test_another_legal_action_is_found(made: Replay, file: Path) -> None:
    """A changed action that was legal shows at the first action or hash that no longer fits."""
    state = next(made.states())
    for ply, action in enumerate(made.actions, 1):
        others = [a for a in state.legal_actions() if a != action]
        if ply > 40:
            break
        state.apply_action(action)
    name = state.action_to_string(others[0])
    edited(file, lambda lines: act(lines, ply).update({"action": others[0], "name": name}))
    with pytest.raises(ReplayError) as caught:
        Replay.read(file).verify()
    assert caught.value.ply is not None
    assert 33 <= caught.value.ply <= 64  # an action from 41 on, or the plies of the hash that fails


def test_a_wrong_hash_names_the_plies(file: Path) -> None:
    edited(
        file,
        lambda lines: next(x for x in lines if x.get("ply") == 64 and x["type"] == "hash").update(
            hash="0" * 32
        ),
    )
    with pytest.raises(
        ReplayError, match=r"after ply 64 differs.*after ply 32 fits, so look at plies 33 to 64"
    ) as caught:
        Replay.read(file).verify()
    assert caught.value.ply == 33


def test_a_wrong_end_is_found(file: Path) -> None:
    edited(file, lambda lines: lines[-1].update(winners=[1]))
    with pytest.raises(ReplayError, match=r"winners \[1\]"):
        Replay.read(file).verify()


# ------------------------------------------------------------------ bad files
@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda lines: lines.pop(), "cut short: the line of the end is missing"),
        (lambda lines: lines.pop(0), "the header is missing"),
        (lambda lines: lines.pop(30), "ply"),
        (lambda lines: lines.insert(5, lines[0]), "a second header"),
        (lambda lines: lines.append(lines[3]), "something behind the last line"),
        (lambda lines: lines[0].update(version=2), "version 2; allowed: 'cysmic-replay' version 1"),
        (lambda lines: lines[0].update(format="chess"), "'chess' version 1"),
        (lambda lines: lines[0].update(extra=1), "unknown field"),
        (lambda lines: lines[4].update(action="done"), "Expected `int`"),
        (lambda lines: lines[-1].update(plies=7), "7 plies; 120 are there"),
        (lambda lines: lines[4].update(type="move"), "Invalid value"),
    ],
)
def test_malformed(file: Path, change: Change, words: str) -> None:
    edited(file, change)
    with pytest.raises(ReplayError, match=words):
        Replay.read(file)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda head: head.update(rules="9.9"), "rules version '9.9'"),
        (lambda head: head["options"].update(players=9), "the header is damaged"),
        (lambda head: head["content"].update(hash="00"), "given is 'standard'"),
        (lambda head: head.update(engine="fast"), "the header is damaged"),
        (lambda head: head.update(start={}), "one of them"),
        (lambda head: head.update(start={"seed": -1, "index": 0}), "cannot be"),
        (lambda head: head.update(start={"save": "no base64!"}), "cannot be read"),
        (lambda head: head.update(start={"position": {"version": 1}}), "cannot be"),
        (lambda head: head.update(start={"seed": 1, "index": 0, "script": {"dice": ["1"]}}), "cannot be"),
        (lambda head: head.update(start={"seed": 5, "index": 1}), "ply|differs"),
    ],
)
def test_damaged_headers(file: Path, change: Callable[[dict[str, Any]], None], words: str) -> None:
    edited(file, lambda lines: change(lines[0]))
    with pytest.raises(ReplayError, match=words):
        Replay.read(file).verify()


def test_no_replay_at_all(tmp_path: Path) -> None:
    path = tmp_path / "x"
    for data in (
        b"",
        b"\n\n",
        bytes(range(256)) * 40,
        b"[" * 100_000,
        b'{"type":"header"',
        b"x" * 2_000_000,
        b"\xff\xfe",
    ):
        path.write_bytes(data)
        with pytest.raises(ReplayError):
            Replay.read(path)
    for gone in (tmp_path / "nothing", tmp_path, "a\0b"):
        with pytest.raises(ReplayError):
            Replay.read(gone)
    assert issubclass(ReplayError, CysmicError)
    assert issubclass(ReplayError, ValueError)


def test_cut_anywhere(file: Path) -> None:
    data = file.read_bytes()
    for end in range(0, len(data) - 1, 97):
        with pytest.raises(ReplayError):
            Replay.parse(data[:end])


def test_huge_files_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cysmic_fast.replay.MAX_BYTES", 1000)
    (tmp_path / "x").write_bytes(b"\n" * 1001)
    with pytest.raises(ReplayError, match="larger than a replay can be"):
        Replay.read(tmp_path / "x")


def test_illegal_actions_make_no_replay(made: Replay) -> None:
    with pytest.raises(IllegalActionError):
        Replay.of(next(made.states()), [511])
    with pytest.raises(ReplayError, match="2 names"):
        Replay.of(next(made.states()), [], players=["a", "b"])


# ------------------------------------------------------------------ cysmic replay
def test_command_prints_the_game(made: Replay, file: Path) -> None:
    result = RUNNER.invoke(app, ["replay", str(file)])
    assert result.exit_code == 0, result.output
    assert "Verified on the native engine: 120 actions, 4 hashes." in result.output
    assert "\nRound 1, Column 1: " in result.output
    for words in ("Ann, ", "chance, first player", "place ship: ", "burn: ", "draws "):
        assert words in result.output
    choices = sum(
        line.startswith("  ") and line[2:5] in ("Ann", "Bob", "Cat") for line in result.output.splitlines()
    )
    assert choices >= 120
    assert RUNNER.invoke(app, ["replay", str(file), "--text"]).output == result.output


def test_command_json_and_quiet(made: Replay, file: Path) -> None:
    result = RUNNER.invoke(app, ["replay", str(file), "--json", "--engine", "reference"])
    found = json.loads(result.stdout)
    assert (found["verified"], found["plies"], found["engine"]) == (True, 120, "reference")
    assert found["hash"] == made.end.hash
    result = RUNNER.invoke(app, ["replay", "--quiet", str(file)])
    assert (result.exit_code, result.output) == (0, "")
    assert RUNNER.invoke(app, ["replay", "--quiet", "--json", str(file)]).exit_code == 2


def test_command_says_what_is_wrong(file: Path) -> None:
    edited(file, lambda lines: act(lines, 50).update(action=511))
    for arguments in (["--quiet"], []):
        found = subprocess.run(
            [
                sys.executable,
                "-P",
                "-c",
                "from cysmic_fast.cli import main; main()",
                "replay",
                *arguments,
                str(file),
            ],
            capture_output=True,
            text=True,
            check=False,
        )
        assert found.returncode == 1
        assert found.stderr.startswith("cysmic: ply 50: action 511")
        assert "Traceback" not in found.stderr


def test_command_with_a_pack(tmp_path: Path) -> None:
    game = cysmic_fast.load_game(players=2, packs=STORM, max_rounds=2)
    play(History(game, seed=1), 5000).to_replay().write(tmp_path / "storm.jsonl")
    result = RUNNER.invoke(app, ["replay", str(tmp_path / "storm.jsonl"), "--pack", str(STORM)])
    assert result.exit_code == 0
    assert "The game is over: the round cap" in result.output
    assert "Won by nobody." in result.output


# ------------------------------------------------------------------ the example
def test_example(tmp_path: Path) -> None:
    found = subprocess.run(
        [sys.executable, "-P", str(ROOT / "examples" / "replay.py"), str(tmp_path / "game.jsonl")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stderr
    assert "the replay holds" in found.stdout
    Replay.read(tmp_path / "game.jsonl").verify()
