"""The embedding examples, built out of tree, play the very games of the Python interface."""

from __future__ import annotations

import re
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from embedding import EXAMPLES, load_module, run

import cysmic_fast
from cysmic_fast.errors import OptionError
from cysmic_fast.interface import Game, State
from cysmic_fast.policies import RandomPolicy

GAMES = 150


def totals(records: np.ndarray, players: int) -> tuple[int, int, list[int]]:
    """What the examples report, from records."""
    wins = [int((records["winners"] >> seat & 1).sum()) for seat in range(players)]
    return int(records["decisions"].sum()), int(records["options"].sum()), wins


# ---------------------------------------------------------------------- C
@pytest.mark.parametrize("players", [2, 5])
def test_the_program_that_embeds_python(players: int, cc: list[str], tmp_path: Path) -> None:
    del cc
    build = load_module("embed_c_build", EXAMPLES / "embed_c" / "build.py")
    try:
        program = build.compile_program(tmp_path)
    except SystemExit as error:
        pytest.skip(str(error))
    out = run(program, str(GAMES), "7", str(players), cwd=tmp_path)
    found = {line.split()[0]: [int(x) for x in line.split()[1:]] for line in out.splitlines()}
    records = cysmic_fast.load_game(players=players).simulate(7, 0, GAMES)
    decisions, options, wins = totals(records, players)
    assert found == {
        "games": [GAMES],
        "decisions": [decisions],
        "options": [options],
        "rounds": [int(records["rounds"].sum())],
        "wins": wins,
    }


def test_the_extension_plays_the_games_of_simulate(player: Any, game: Game) -> None:
    assert player.play(game, 3, 20, GAMES) == totals(game.simulate(3, 20, GAMES), 4)
    assert player.play(game, 3, 20, 0) == (0, 0, [0, 0, 0, 0])


def test_the_extension_plays_the_playouts_of_rollouts(player: Any, late: State) -> None:
    result = cysmic_fast.rollouts(late, GAMES, "random", seed=9, per_game=True)
    assert result.records is not None
    assert min(result.wins[0], GAMES - result.wins[0]) > 0  # both ends occur
    assert player.playouts(late, 9, GAMES) == totals(result.records, 2)
    assert list(result.wins) == player.playouts(late, 9, GAMES)[2]


@pytest.mark.parametrize("steps", [0, 1, 40, 700, 10**6])
def test_a_state_walked_in_c(steps: int, player: Any, game: Game) -> None:
    """The state that C hands back is the one that Python comes to, and goes on like it."""
    walked = player.walk(game, 3, 4, steps)
    state, policy = game.new_initial_state(3, index=4), RandomPolicy(3, 4)
    while steps and not state.is_terminal():
        state.apply_action(policy(state))
        steps -= 1
    assert walked.game is game
    assert walked.snapshot() == state.snapshot()
    assert walked.legal_actions() == state.legal_actions()
    assert walked.returns() == state.returns()
    while not state.is_terminal():
        action = policy(state)
        state.apply_action(action)
        walked.apply_action(action)
    assert walked.snapshot() == state.snapshot()


def test_the_extension_in_threads(player: Any, game: Game) -> None:
    """Threads that share a game each get what one would."""
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda i: player.play(game, 3, 10 * i, 10), range(12)))
    assert found == [totals(game.simulate(3, 10 * i, 10), 4) for i in range(12)]


def test_wrong_objects_are_refused_in_c(player: Any, game: Game) -> None:
    reference = cysmic_fast.load_game(players=2, engine="reference")
    for wrong in (None, 7, "game", reference, game.new_initial_state()):
        with pytest.raises(OptionError, match="allowed: a game of the native engine"):
            player.play(wrong, 1, 0, 1)
        with pytest.raises(OptionError, match="allowed: a game of the native engine"):
            player.walk(wrong, 1, 0, 1)
    for wrong in (None, game, reference.new_initial_state()):
        with pytest.raises(OptionError, match="allowed: a state of the native engine"):
            player.playouts(wrong, 1, 1)
    scripted = game.new_initial_state()
    scripted.script({"red_die": ["3"]})
    with pytest.raises(OptionError, match="scripted outcomes of red_die left"):
        player.playouts(scripted, 1, 1)


# ---------------------------------------------------------------------- Cython
def test_the_cython_module(searcher: Any, game: Game, late: State) -> None:
    assert searcher.play(game, 3, GAMES) == game.simulate(3, 0, GAMES)["decisions"].sum()
    result = cysmic_fast.rollouts(late, GAMES, "random", seed=9, per_game=True)
    assert result.records is not None
    assert searcher.playouts(late, 9, GAMES) == (list(result.wins), result.records["decisions"].sum())
    with pytest.raises(OptionError, match="a game of the native engine"):
        searcher.play(late, 3, 1)
    with pytest.raises(OptionError, match="a state of the native engine"):
        searcher.playouts(game, 3, 1)


def test_flat_monte_carlo_in_cython(searcher: Any, late: State) -> None:
    values = searcher.action_values(late, 5, 40)
    assert list(values) == late.legal_actions()
    assert len(set(values.values())) > 1
    for action, value in values.items():
        after = late.clone()
        after.apply_action(action)
        assert value == cysmic_fast.rollouts(after, 40, "random", seed=5).mean_returns[late.current_player()]


# ---------------------------------------------------------------------- as a reader runs them
@pytest.fixture
def expected() -> list[int]:
    records = cysmic_fast.load_game(players=4).simulate(1, 0, 60)
    return [int(records[name].sum()) for name in ("decisions", "options")]


def test_run_of_the_c_examples(cc: list[str], expected: list[int], tmp_path: Path) -> None:
    del cc
    out = run(sys.executable, EXAMPLES / "embed_c" / "run.py", "60", cwd=tmp_path)
    for name, number in zip(("decisions", "options"), expected, strict=True):
        assert re.findall(rf"^{name} (\d+)$", out, re.MULTILINE) == [str(number)] * 2
    assert list(tmp_path.iterdir()) == []


def test_run_of_the_cython_example(cc: list[str], expected: list[int], tmp_path: Path) -> None:
    del cc
    pytest.importorskip("Cython")
    pytest.importorskip("setuptools")
    out = run(sys.executable, EXAMPLES / "embed_cython" / "run.py", "60", cwd=tmp_path)
    assert re.findall(r"^decisions (\d+)$", out, re.MULTILINE)[0] == str(expected[0])
    assert list(tmp_path.iterdir()) == []
