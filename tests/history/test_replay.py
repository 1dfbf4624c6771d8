"""Replays: written, read, verified on both engines; whatever is changed in one is found and named."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import cysmic_fast
from cysmic_fast import History, Replay
from cysmic_fast.cli import app
from cysmic_fast.errors import CysmicError, IllegalActionError, OptionError, ReplayError
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


def at_a_turn(game: Any, turns: int) -> Any:
    """A state at the start of a turn, after some."""
    state, moves = game.new_initial_state(3), random.Random(2)
    while state.snapshot()["phase"] != "turn" or state.snapshot()["round"] <= turns:
        state.apply_action(moves.choice(state.legal_actions()))
    return state


def in_the_middle(game: Any) -> Any:
    state, moves = at_a_turn(game, 1), random.Random(2)
    while state.snapshot()["phase"] != "mid_turn":
        state.apply_action(moves.choice(state.legal_actions()))
    return state


def with_a_script(state: Any, **script: list[str]) -> Any:
    state.script(script)
    return state


STARTS: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "new game": ("seed", lambda game: game.new_initial_state(3)),
    "outcomes to come": ("seed", lambda game: game.new_initial_state(3, script={"red_die": ["3"] * 9})),
    # what was scripted of set-up is over, so that no seed brings it back
    "scripted set-up": (
        "position",
        lambda game: game.new_initial_state(3, script={"first_player": ["green"], "red_die": ["3"] * 9}),
    ),
    "position": (
        "position",
        lambda game: game.state_from_position(at_a_turn(game, 4).to_position()),
    ),
    "position and script": (
        "position",
        lambda game: with_a_script(
            game.state_from_position(at_a_turn(game, 4).to_position()), yellow_die=["2"] * 9, red_die=["4"]
        ),
    ),
    "turn": ("save", lambda game: at_a_turn(game, 4)),  # the seats know something
    "mid turn": ("save", in_the_middle),
    "mid turn and script": ("save", lambda game: with_a_script(in_the_middle(game), red_die=["3"] * 9)),
}


@pytest.mark.parametrize("where", STARTS)
def test_starts(engine: str, where: str) -> None:
    """The first of seed, position and save that says it; the first two are verified by either engine."""
    kind, make = STARTS[where]
    history = play(History(make(cysmic_fast.load_game(players=2, engine=engine))), 200)
    replay = Replay.parse(b"\n".join(history.to_replay().lines()))
    assert replay == history.to_replay()
    start = replay.header.start
    assert {"seed": start.seed, "position": start.position, "save": start.save}[kind] is not None
    assert replay.verify().snapshot() == history.state.snapshot()
    other = {"native": "reference", "reference": "native"}[engine]
    if kind == "save":
        with pytest.raises(
            ReplayError, match=f"save of the {engine} engine, which the {other} engine cannot"
        ):
            replay.verify(engine=other)
    else:
        assert replay.verify(engine=other).snapshot() == history.state.snapshot()


def test_starts_keep_what_the_seats_know(engine: str) -> None:
    game: Any = cysmic_fast.load_game(players=3, engine=engine)
    for turns in range(3, 12):
        state = at_a_turn(game, turns)
        began = next(History(state).to_replay().states())
        views = [state.view(seat) for seat in range(3)]
        assert [began.view(seat) for seat in range(3)] == views
        position = game.state_from_position(state.to_position())
        if [position.view(seat) for seat in range(3)] != views:
            break
    else:
        pytest.fail("nobody ever knew anything")


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
    for gone, words in (
        (tmp_path / "nothing", "nothing: cannot be read: no such file"),
        (tmp_path, "cannot be read: is a directory"),
        ("a\0b", "null byte"),
        (None, "None: cannot be read"),
        (3, "3: cannot be read"),
    ):
        with pytest.raises(ReplayError, match=words):
            Replay.read(gone)  # type: ignore[arg-type]
    with pytest.raises(ReplayError, match="None given; allowed: bytes"):
        Replay.parse(None)  # type: ignore[arg-type]
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
    for start, actions in ((None, []), (History(next(made.states())), []), (next(made.states()), None)):
        with pytest.raises(ReplayError, match=r"given; allowed: (a state|action ids)"):
            Replay.of(start, actions)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("players", "words"),
    [
        (["a", "b"], "2 names"),
        (None, "None given; allowed: a list of names"),
        ("abc", "'abc' given; allowed: a list of names"),
        ([1, 2, 3], "1 given; allowed: names, as text"),
        (["a", "b", "\ud800"], "allowed: names, as text"),
    ],
)
def test_names_that_cannot_be(made: Replay, players: Any, words: str) -> None:
    with pytest.raises(ReplayError, match=words):
        History(next(made.states())).to_replay(players=players)


def test_files_that_cannot_be_written(made: Replay, tmp_path: Path) -> None:
    for path in (None, 3, tmp_path, tmp_path / "no" / "file", "a\0b"):
        with pytest.raises(ReplayError, match="cannot be written: "):
            made.write(path)  # type: ignore[arg-type]


@pytest.mark.parametrize("engine", ["fast", "", 3])
def test_engines_and_packs_that_cannot_be(made: Replay, engine: Any) -> None:
    """Those of the caller are no fault of the header."""
    with pytest.raises(OptionError, match=r"^option 'engine': .*allowed: native, reference"):
        made.verify(engine=engine)
    with pytest.raises(OptionError, match="option 'packs'"):
        made.verify(packs=np.array(2))  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="game: 3 given"):
        next(made.states(3))  # type: ignore[arg-type]


# ------------------------------------------------------------------ cysmic replay
def run_command(*arguments: object, given: bytes | None = None) -> subprocess.CompletedProcess[bytes]:
    code = "from cysmic_fast.cli import main; main()"
    return subprocess.run(
        [sys.executable, "-P", "-c", code, "replay", *map(str, arguments)],
        input=given,
        capture_output=True,
        check=False,
        timeout=60,
    )


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
        found = run_command(*arguments, file)
        assert found.returncode == 1
        assert found.stderr.startswith(b"cysmic: ply 50: action 511")
        assert b"Traceback" not in found.stderr


def test_command_reads_pipes(file: Path) -> None:
    found = run_command("/dev/stdin", given=file.read_bytes())
    assert (found.returncode, found.stderr) == (0, b"")
    assert found.stdout == run_command(file).stdout
    cut = run_command("--quiet", "/dev/stdin", given=file.read_bytes()[:2000])
    assert (cut.returncode, cut.stderr[:30]) == (1, b"cysmic: /dev/stdin, line 17: n"), cut.stderr


def test_command_names_what_is_at_fault(file: Path, tmp_path: Path) -> None:
    for arguments, words in (
        ((file, "--engine", "foo"), "cysmic: option 'engine': 'foo' given; allowed: native, reference\n"),
        ((tmp_path,), f"cysmic: {tmp_path}: cannot be read: is a directory\n"),
        ((tmp_path / "x",), f"cysmic: {tmp_path / 'x'}: cannot be read: no such file or directory\n"),
    ):
        found = run_command(*arguments)
        assert (found.returncode, found.stderr.decode()) == (1, words)


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


@pytest.mark.parametrize("policy", ["random", "playout"])
def test_simulate_writes_replays(engine: str, policy: str, tmp_path: Path) -> None:
    """Of the games it has played, under the numbers by which they are called."""
    folder = tmp_path / "new" / "games"
    game = cysmic_fast.load_game(players=2, max_rounds=3, factions=True)
    records = game.simulate(5, 7, 3, policy=policy)
    arguments = ["--players", "2", "--max-rounds", "3", "--factions", "--engine", engine]
    arguments += ["--policy", policy, "--seed", "5", "--first", "7", "--games", "3", "--replays", str(folder)]
    for _ in range(2):  # the second time over what is there
        result = RUNNER.invoke(app, ["simulate", *arguments])
        assert result.exit_code == 0, result.output
        assert f"3 replays in {folder}" in result.stdout
    assert sorted(path.name for path in folder.iterdir()) == [f"5-{index}.jsonl" for index in (7, 8, 9)]
    for number, record in enumerate(records):
        replay = Replay.read(folder / f"5-{7 + number}.jsonl")
        assert (replay.header.start.seed, replay.header.start.index) == (5, 7 + number)
        assert len(replay) == record["decisions"]
        assert sum(1 << seat for seat in replay.end.winners) == record["winners"]
        assert replay.end.reason == record["reason"]
        assert replay.verify().is_terminal()
    assert len({replay.read(path).end.hash for path in folder.iterdir()}) == 3


def test_an_interrupt_ends_the_writing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whole files only, and the figures of all games."""
    replace = Path.replace

    def interrupted(self: Path, target: Path) -> Path:
        """At the last moment: the file is there, but not yet under its name."""
        if target.name == "0-2.jsonl":
            raise KeyboardInterrupt
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", interrupted)
    arguments = ["--players", "2", "--max-rounds", "1", "--games", "5", "--replays", str(tmp_path)]
    result = RUNNER.invoke(app, ["simulate", *arguments, "--json", "-"])
    assert result.exit_code == 130, result.output
    found = json.loads(result.stdout)
    assert (found["games"], found["interrupted"], found["replays"]) == (5, False, 2)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["0-0.jsonl", "0-1.jsonl"]
