"""``cysmic simulate`` and ``cysmic info``."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, get_type_hints

import numpy as np
import pytest
from scipy import stats
from typer.testing import CliRunner

import cysmic_fast
from cysmic_fast.cli import app
from cysmic_fast.cli.info import collect
from cysmic_fast.cli.simulate import run_chunks, summarise
from cysmic_fast.errors import OptionError
from cysmic_fast.significance import wilson

RUNNER = CliRunner()
TIMING = {"seconds", "games_per_second", "decisions_per_second", "threads", "engine"}


def simulate(*arguments: str) -> dict[str, Any]:
    result = RUNNER.invoke(app, ["simulate", "--max-rounds", "2", "--seed", "1", *arguments, "--json", "-"])
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert isinstance(found, dict)
    return found


# ------------------------------------------------------------------ figures
@pytest.mark.parametrize(("hits", "trials"), [(0, 10), (3, 10), (10, 10), (250, 1000), (1, 100000)])
def test_wilson(hits: int, trials: int) -> None:
    interval = stats.binomtest(hits, trials).proportion_ci(method="wilson")
    assert wilson(hits, trials) == pytest.approx((interval.low, interval.high))
    assert wilson(0, 0) == (0.0, 1.0)


def test_summary_of_known_records() -> None:
    records = np.zeros(5, dtype=cysmic_fast.GAME_STATS)
    records["winners"] = [1, 2, 3, 0, 0]
    records["reason"] = [0, 0, 0, 1, 2]
    records["launch_clean"] = [1, 0, 1, 0, 0]
    records["launch_die"] = [0, 1, 1, 0, 0]
    records["first_player"] = [1, 1, 0, 0, 0]
    records["rounds"] = [1, 2, 3, 4, 100]
    records["decisions"] = 10
    records["options"] = 35
    records["forced"] = 10
    found = summarise(records, 2)
    assert found["wins"] == [2, 2]
    assert found["wins_by_place"] == [2, 2]
    assert found["no_winner"] == 2
    assert found["endings"] == {
        "launch_clean": 1,
        "launch_die": 1,
        "launch_mixed": 1,
        "no_tiles": 1,
        "cap": 1,
    }
    assert found["rounds"]["median"] == 3
    assert found["rounds"]["mean"] == 22
    assert found["mean_legal_options"] == 3.5
    assert found["forced_share"] == 0.5
    json.dumps(found)
    json.dumps(summarise(records[:0], 2))


def test_policies_of_the_command(engine: str, tmp_path: Path) -> None:
    file = tmp_path / "figures.json"
    arguments = ["simulate", "--games", "3", "--players", "2", "--max-rounds", "3", "--engine", engine]
    result = CliRunner().invoke(app, [*arguments, "--policy", "playout", "--json", str(file)])
    assert result.exit_code == 0, result.output
    figures = json.loads(file.read_text())
    assert figures["policy"] == "playout"
    game = cysmic_fast.load_game(players=2, max_rounds=3, engine=engine)
    assert figures["decisions"] == game.simulate(0, 0, 3, policy="playout")["decisions"].sum()


def test_chunks_are_the_games(engine: str) -> None:
    game = cysmic_fast.load_game(players=2, engine=engine, max_rounds=1)
    seen: list[int] = []
    records, finished = run_chunks(game, 5, 7, 9, 2, seen.append)
    assert finished
    assert seen[-1] == 9
    np.testing.assert_array_equal(records, game.simulate(5, 7, 9))


# ------------------------------------------------------------------ commands
def test_json_holds_what_is_promised() -> None:
    found = simulate("--players", "3", "--games", "20")
    promised = (
        "games decisions mean_legal_options wins endings rounds games_per_second decisions_per_second "
        "seconds threads engine options content_hash rules_version seed first"
    )
    assert set(promised.split()) <= set(found)
    assert found["games"] == 20
    assert len(found["wins"]) == 3
    assert sum(found["endings"].values()) == 20
    game = cysmic_fast.load_game(players=3, max_rounds=2)
    assert found["decisions"] == int(game.simulate(1, 0, 20)["decisions"].sum())


def test_threads_and_engines_give_the_same_figures() -> None:
    runs = [
        simulate("--games", "12", "--players", "2", *extra)
        for extra in (["--threads", "1"], ["--threads", "3"], ["--engine", "reference"])
    ]
    figures = [{k: x for k, x in run.items() if k not in TIMING} for run in runs]
    assert figures[0] == figures[1] == figures[2]


def test_options_arrive() -> None:
    found = simulate(
        *("--games", "2", "--players", "2", "--ending", "guilty+equality", "--factions", "--molten-core"),
        *("--events", "--no-trading", "--blueprint-variant", "1", "--first", "5"),
    )
    options = found["options"]
    assert (options["launch"], options["end_trigger"]) == ("guilty", "equality")
    assert options["factions"]
    assert options["molten_core"]
    assert options["events"]
    assert not options["trading"]
    assert options["blueprint_variant"] == 1
    assert found["first"] == 5


def test_table_and_file(tmp_path: Path) -> None:
    file = tmp_path / "out.json"
    result = RUNNER.invoke(
        app, ["simulate", "--games", "5", "--players", "2", "--max-rounds", "1", "--json", str(file)]
    )
    assert result.exit_code == 0, result.output
    assert "95% interval" in result.output
    assert "round cap" in result.output
    assert json.loads(file.read_text())["games"] == 5


@pytest.mark.parametrize(
    "arguments",
    [
        ["--games", "0"],
        ["--threads", "0"],
        ["--players", "9"],
        ["--seed", "-1"],
        ["--policy", "clever"],
        ["--engine", "quick"],
        ["--ending", "never"],
        ["--mode", "solo"],
        ["--pack", "/nowhere"],
        ["--json", "/nowhere/at/all.json"],
        ["--replays", "/proc/nowhere"],
        ["--replays", "/dev/null"],
        ["--replays", "/tmp", "--games", "10001"],
        ["--json", "/"],
        ["--json", "/proc/version", "--games", "1000000000"],  # refused before anything is played
        ["--json", "/dev/full", "--games", "1", "--max-rounds", "1"],
        ["--max-rounds", "0"],
    ],
)
def test_wrong_arguments_end_with_one_message(arguments: list[str]) -> None:
    command = [sys.executable, "-P", "-c", "from cysmic_fast.cli import main; main()", "simulate", *arguments]
    result = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert result.returncode in (1, 2)
    assert "Traceback" not in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1 or result.returncode == 2


def test_no_folder_of_replays_for_wrong_options(tmp_path: Path) -> None:
    result = RUNNER.invoke(app, ["simulate", "--players", "9", "--replays", str(tmp_path / "games")])
    assert isinstance(result.exception, OptionError)
    assert not any(tmp_path.iterdir())


def test_interrupt_prints_what_is_done() -> None:
    command = [
        *(sys.executable, "-P", "-c", "from cysmic_fast.cli import main; main()", "simulate"),
        *("--games", "100000000", "--players", "2", "--max-rounds", "2", "--json", "-"),
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        time.sleep(3)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    found = json.loads(out)
    assert found["interrupted"]
    assert 0 < found["games"] < 100000000
    assert sum(found["endings"].values()) == found["games"]


def test_info() -> None:
    found = collect()
    assert found["num_actions"] == 512
    assert found["native"] == "built"
    assert 0 < found["state_bytes"] <= 2048
    assert sum(found["content_counts"].values()) > 1000
    result = RUNNER.invoke(app, ["info", "--json"])
    assert json.loads(result.stdout) == found
    text = RUNNER.invoke(app, ["info"]).output
    assert found["content_hash"] in text
    assert "rules version" in text


def test_divergence_report_can_be_read() -> None:
    from cysmic_fast.crosscheck import CONFIGS, Divergence, differences

    error = Divergence(
        "snapshot", differences({"a": [1, 2, 3]}, {"a": [1, 5, 3]}), config=CONFIGS["2p:plain"], seed=4
    )
    assert "a[1]: reference 2 / native 5" in str(error)
    assert "--config 2p:plain --seed 4" in str(error)


def test_commands_that_play_games_share_their_options() -> None:
    """The same name takes the same and says the same, except where the games themselves differ."""
    one, two = (
        get_type_hints(command.callback, include_extras=True)
        for command in app.registered_commands
        if command.callback is not None and command.callback.__name__ in ("simulate", "balance")
    )
    shared = (one.keys() & two.keys()) - {"ending", "factions", "molten_core", "events", "return"}
    assert {"players", "games", "policy", "seed", "first", "threads", "engine", "pack"} <= shared
    assert {"max_rounds", "json_file"} <= shared
    for name in shared:
        assert one[name] == two[name], name
