"""Many threads on one game: results are those of one thread, whatever the interpreter.

With the GIL the switching is made as frequent as it can be; without it (free-threaded Python) threads run at
the same time. ``tools/checked.sh threads`` runs this file under ThreadSanitizer.
"""

from __future__ import annotations

import contextlib
import pickle
import random
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from cysmic_fast import Batch, load_game, rollouts
from cysmic_fast.content import load_content
from cysmic_fast.errors import CysmicError, GameOverError, IllegalActionError
from cysmic_fast.game import make_game
from cysmic_fast.interface import Game
from cysmic_fast.options import make_options
from cysmic_fast.policies import RandomPolicy

THREADS = 8


@pytest.fixture(scope="module")
def game() -> Game:
    return load_game(players=4, factions=True, molten_core=True, events=True)


@pytest.fixture(autouse=True)
def _switch_often() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


def together(*tasks: Callable[[], Any]) -> list[Any]:
    """Runs the tasks in threads that start at the same moment; their results, or the first exception."""
    results: list[Any] = [None] * len(tasks)
    failures: list[BaseException] = []
    barrier = threading.Barrier(len(tasks))

    def run(place: int) -> None:
        try:
            barrier.wait(60)
            results[place] = tasks[place]()
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=run, args=(place,)) for place in range(len(tasks))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(300)
        assert not thread.is_alive()
    if failures:
        raise failures[0]
    return results


def play(game: Game, index: int, decisions: int) -> tuple[Any, ...]:
    """Part of a random game, with everything a caller may do on the way."""
    state, policy, rng = (
        game.new_initial_state(7, index=index, record=True),
        RandomPolicy(7, index),
        random.Random(index),
    )
    trail = []
    for number in range(decisions):
        if state.is_terminal():
            break
        action = policy.choose(state.legal_actions())
        trail.append(action)
        if number % 50 == 0:
            state = state.clone()
            trail.append(hash(str(state.snapshot())) if number % 200 == 0 else len(state.events()))
        if number % 97 == 0:
            with contextlib.suppress(IllegalActionError):
                state.apply_action(rng.randrange(512, 600))
            with contextlib.suppress(CysmicError):
                copy = game.state_from_position(state.to_position())
                trail.append(copy.legal_actions())
        state.apply_action(action)
    return (*map(str, trail), str(state.snapshot()))


def test_states_of_one_game_in_many_threads(game: Game) -> None:
    alone = [play(game, index, 400) for index in range(THREADS)]
    shared = together(*(lambda index=index: play(game, index, 400) for index in range(THREADS)))
    assert shared == alone


def test_simulate_in_many_threads(game: Game) -> None:
    """Each call with threads of its own, while others play by hand."""
    alone = game.simulate(3, 0, 12)
    *found, trail = together(
        *(lambda n=n: game.simulate(3, 0, 12, threads=n) for n in (1, 2, 3, 1, 4)), lambda: play(game, 1, 200)
    )
    for records in found:
        np.testing.assert_array_equal(records, alone)
    assert trail == play(game, 1, 200)


def test_rollouts_of_a_state_that_is_being_played(game: Game) -> None:
    """They begin at the state as it was when they were asked for."""
    state: Any = game.new_initial_state(6)
    alone = rollouts(state.clone(), 30, seed=2, threads=2, per_game=True).records
    asked = threading.Event()

    def roll() -> Any:
        asked.set()
        return rollouts(state, 30, seed=2, threads=2, per_game=True).records

    def disturb() -> int:
        asked.wait(60)
        rng, done = random.Random(1), 0
        while not state.is_terminal() and done < 500:
            state.apply_action(rng.choice(state.legal_actions()))
            done += 1
        return done

    records, done = together(roll, disturb)
    assert done > 100
    assert alone is not None
    assert len(records) == len(alone)
    assert np.isin(records["reason"], (0, 1, 2)).all()


def test_batches_in_many_threads(game: Game) -> None:
    """A batch for each, with threads of its own."""

    def step(seed: int) -> list[int]:
        batch = Batch(game, 64, seed, threads=2)
        for _ in range(60):
            batch.step(batch.random_actions())
        return batch.legal_mask.sum(axis=1).tolist()  # type: ignore[no-any-return]

    alone = [step(seed) for seed in range(4)]
    assert together(*(lambda seed=seed: step(seed) for seed in range(4))) == alone


def test_games_are_made_in_many_threads() -> None:
    content = load_content()

    def make(players: int) -> list[int]:
        made = make_game(make_options(players=players, factions=True), content)
        again = pickle.loads(pickle.dumps(made.options))
        assert again == made.options
        return made.simulate(1, 0, 3)["decisions"].tolist()  # type: ignore[no-any-return]

    alone = [make(2 + number % 5) for number in range(THREADS)]
    assert together(*(lambda number=number: make(2 + number % 5) for number in range(THREADS))) == alone


@pytest.mark.parametrize("record", [False, True])
def test_one_state_in_many_threads(game: Game, record: bool) -> None:
    """Each call is atomic: it finds a whole state, and leaves one. Who comes first is nobody's concern."""
    state: Any = game.new_initial_state(5, record=record)

    def disturb(seed: int) -> int:
        rng, done = random.Random(seed), 0
        for number in range(600):
            with contextlib.suppress(IllegalActionError, GameOverError):
                legal = state.legal_actions()
                if not legal:
                    return done
                assert len(legal) >= 2
                state.apply_action(rng.choice(legal))
                done += 1
            if number % 40 == seed:
                copy = state.clone(number)
                assert copy.check_integrity() is None
                assert copy.legal_actions_mask().nonzero()[0].tolist() == copy.legal_actions()
                assert state.snapshot()["players"]
                assert str(state)
                state.events()
                state.clear_events()
                state.script({"red_die": []})
        return done

    assert sum(together(*(lambda seed=seed: disturb(seed) for seed in range(THREADS)))) > 600
    assert state.check_integrity() is None


@pytest.mark.parametrize("record", [False, True])
def test_whatever_is_read_is_of_one_moment(record: bool) -> None:
    """A game that is being played is read by others: all they find is how it stood at some decision."""
    game = load_game(players=3, factions=True, molten_core=True, events=True)
    looks: dict[str, Callable[[Any], Any]] = {
        "bytes": lambda state: state.to_bytes(),
        "str": str,
        "repr": repr,
        "view": lambda state: str(state.view(1)),
        "snapshot": lambda state: str(state.snapshot()),
        "observation": lambda state: state.observation(2).tobytes(),
        "events": lambda state: len(state.events()),
        "seen": lambda state: str(state.events(0)[-3:]),
        "clone": lambda state: state.clone().to_bytes(),
    }
    start: Any = game.new_initial_state(12, record=record)
    state, rng, actions = start.clone(), random.Random(4), []
    for _ in range(700):
        actions.append(rng.choice(state.legal_actions()))
        state.apply_action(actions[-1])
    ready = actions[:500]  # nobody knows much before
    for action in ready:
        start.apply_action(action)
    state, found = start.clone(), {name: set[Any]() for name in looks}
    for action in [*actions[500:], None]:
        for name, look in looks.items():
            found[name].add(look(state))
        if action is not None:
            state.apply_action(action)
    end = time.monotonic() + 1
    counts = dict.fromkeys(looks, 0)
    while time.monotonic() < end:
        state, over = start.clone(), threading.Event()

        def act(state: Any = state, over: threading.Event = over) -> None:
            for action in actions[500:]:
                state.apply_action(action)
            over.set()

        def read(name: str, state: Any = state, over: threading.Event = over) -> None:
            while True:
                last = over.is_set()
                assert looks[name](state) in found[name], name
                counts[name] += 1
                if last:
                    return

        together(act, *(lambda name=name: read(name) for name in looks))
    assert all(counts.values())


def test_one_state_of_the_reference_engine_is_for_one_thread() -> None:
    """Others are told so; what is done is whole, so that the state is the one its log leads to."""
    game = load_game(players=3, engine="reference", factions=True)
    state: Any = game.new_initial_state(5)

    def disturb(seed: int) -> tuple[int, list[str]]:
        rng, done = random.Random(seed), 0
        told: list[str] = []
        for number in range(150):
            try:
                legal = state.legal_actions()
                if not legal:
                    break
                state.apply_action(rng.choice(legal))
                done += 1
                if number % 10 == seed:
                    copies = state.clone(), pickle.loads(pickle.dumps(state))
                    assert all(copy.legal_actions() for copy in copies if not copy.is_terminal())
            except IllegalActionError:
                pass
            except CysmicError as error:
                told.append(str(error))
        return done, told

    counts = together(*(lambda seed=seed: disturb(seed) for seed in range(4)))
    assert sum(done for done, _ in counts) > 0
    messages = [message for _, told in counts for message in told]
    assert messages
    assert all("another thread" in message for message in messages)
    assert state.clone() == state
    assert state.clone().snapshot() == state.snapshot()
    assert game.state_from_bytes(state.to_bytes()).snapshot() == state.snapshot()
