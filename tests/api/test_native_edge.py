"""The edge of the native engine: nothing that Python can do reaches memory that is not its own."""

from __future__ import annotations

import contextlib
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cysmic_fast import _native, load_game
from cysmic_fast.crosscheck import Config, check_game
from cysmic_fast.errors import ChanceError, IllegalActionError, OptionError, PositionError
from cysmic_fast.interface import Game, State
from cysmic_fast.policies import RandomPolicy, play_random_game
from cysmic_fast.stats import GAME_STATS
from cysmic_fast.vocabulary import Bonus, DecisionKind, EventKind


@pytest.fixture(scope="module")
def game() -> Game:
    return load_game(players=3)


def play(state: State, decisions: int, seed: int = 0) -> None:
    """Random legal actions."""
    choice = random.Random(seed)
    for _ in range(decisions):
        if state.is_terminal():
            return
        state.apply_action(choice.choice(state.legal_actions()))


# ------------------------------------------------------------------ objects that nobody made
def test_states_are_made_by_games_alone(game: Game) -> None:
    for make in (
        lambda: _native.NativeState.__new__(_native.NativeState),
        lambda: _native.NativeState.__new__(_native.NativeState, object()),
        lambda: type("Mine", (_native.NativeState,), {})(),
        lambda: _native.Playouts.__new__(_native.Playouts),
        lambda: _native.Playouts(),
    ):
        with pytest.raises(TypeError):
            make()
    with pytest.raises(TypeError):
        game.new_initial_state(1).__init__()  # type: ignore[misc]


def test_games_are_made_once(game: Game) -> None:
    with pytest.raises(TypeError):
        _native.NativeGame.__new__(_native.NativeGame)  # type: ignore[call-arg]
    with pytest.raises(OptionError):
        _native.NativeGame(game.options, None)  # type: ignore[arg-type]
    with pytest.raises(OptionError):
        _native.NativeGame({}, game.content)  # type: ignore[arg-type]
    state = game.new_initial_state(1)
    with pytest.raises(TypeError):
        game.__init__(load_game(players=6).options, game.content)  # type: ignore[misc]
    assert game.num_players == 3
    play(state, 500)


# ------------------------------------------------------------------ interruption
class Interrupted(Exception):
    """What the signal handler of a test raises."""


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_simulate_can_be_interrupted(game: Game, threads: int) -> None:
    moments: list[float] = []

    def interrupt(*_: object) -> None:
        moments.append(time.monotonic())
        raise Interrupted

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with pytest.raises(Interrupted):
            game.simulate(1, 0, 10**7, threads=threads)
        assert time.monotonic() - moments[0] < 1.5
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_simulate_can_be_interrupted_twice() -> None:
    """The second signal comes while the threads are waited for: what they write to must outlive them."""
    script = """
import gc, os, signal, time
from cysmic_fast import load_game

class Interrupted(Exception):
    pass

def interrupt(*_):
    raise Interrupted

game = load_game(players=4)
signal.signal(signal.SIGALRM, interrupt)
for trial in range(12):
    try:
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.05 + 0.003 * trial, 0.0005)
            game.simulate(1, 0, 10**6, threads=4)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    except Interrupted:
        pass
    del game
    gc.collect()
    rubbish = [bytearray(10**6) for _ in range(30)]
    game = load_game(players=4)
print("alive")
"""
    done = subprocess.run([sys.executable, "-P", "-c", script], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout) == (0, "alive\n"), done.stderr


# ------------------------------------------------------------------ threads
@pytest.mark.parametrize("record", [False, True])
def test_threads_may_share_a_state(game: Game, record: bool) -> None:
    """Each call is atomic: whatever comes between, the state stays consistent."""
    state = game.new_initial_state(4, record=record)
    failures: list[BaseException] = []
    interval = sys.getswitchinterval()

    def worker(seed: int) -> None:
        choice = random.Random(seed)
        try:
            for turn in range(1500):
                legal = state.legal_actions()
                if not legal:
                    return
                with contextlib.suppress(IllegalActionError):
                    state.apply_action(choice.choice(legal))
                if turn % 100 == seed:
                    assert state.clone().check_integrity() is None  # type: ignore[attr-defined]
                    state.snapshot()
                    state.clear_events()
        except BaseException as error:
            failures.append(error)

    sys.setswitchinterval(1e-5)
    try:
        threads = [threading.Thread(target=worker, args=(seed,)) for seed in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert not failures
    assert state.check_integrity() is None  # type: ignore[attr-defined]


# ------------------------------------------------------------------ position documents
def leaves(node: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Paths of everything in a document."""
    if path:
        yield path
    items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, child in items:
        yield from leaves(child, (*path, key))


def at_a_turn(game: Game, turns: int) -> dict[str, Any]:
    """A canonical document some turns into a random game."""
    state, policy = game.new_initial_state(7), RandomPolicy(7)
    while turns:
        state.apply_action(policy.choose(state.legal_actions()))
        turns -= state.decision() == DecisionKind.BURN
    while True:
        try:
            return state.to_position()
        except PositionError:
            state.apply_action(policy.choose(state.legal_actions()))


STRANGE = (
    -1,
    -129,
    5,
    7,
    15,
    16,
    126,
    127,
    128,
    255,
    256,
    32768,
    2**31,
    2**63,
    2**64,
    None,
    True,
    1.5,
    "x",
    [],
    {},
)


@pytest.mark.parametrize("turns", [0, 2, 30])
def test_a_document_that_is_not_canonical(game: Game, turns: int) -> None:
    """Every value of a document replaced, removed, or given twice: PositionError, or a consistent state."""
    document = at_a_turn(game, turns)
    refused = loaded = 0
    choice = random.Random(turns)
    for path in leaves(document):
        for value in (*choice.sample(STRANGE, 5), "remove", "twice"):
            changed = deepcopy(document)
            node = changed
            for key in path[:-1]:
                node = node[key]
            if value == "remove":
                del node[path[-1]]
            elif value == "twice":
                if isinstance(node, list):
                    node.append(deepcopy(node[path[-1]]))
            else:
                node[path[-1]] = deepcopy(value)
            try:
                state = game._from_canonical(changed, 1)  # type: ignore[attr-defined]
            except PositionError:
                refused += 1
                continue
            loaded += 1
            assert state.check_integrity() is None
            play(state, 15)
    assert refused > 500
    assert loaded > 100


@pytest.mark.parametrize("document", [None, [], {}, "x", 1])
def test_no_document(game: Game, document: object) -> None:
    with pytest.raises(PositionError):
        game._from_canonical(document)  # type: ignore[attr-defined]


def test_much_lorium(engine: str) -> None:
    """More than 16 bits of it, in positions and in events."""
    game = load_game(players=2, engine=engine)
    document = at_a_turn(game, 1)
    document["players"][0]["lorium"] = 1_000_000
    state = game.state_from_position(document, record=True)
    assert state.to_position()["players"][0]["lorium"] == 1_000_000
    while not any(event[0] == EventKind.LORIUM and event[2] < -32768 for event in state.events()):
        assert state.snapshot()["players"][0]["lorium"] > 900_000
        state.apply_action(state.legal_actions()[0])


def test_many_words_of_chance(game: Game) -> None:
    """A stream that is entered late goes on where it is."""
    document = at_a_turn(game, 3)
    document["chance"]["words"] = [2**31 - 1] * 3
    state = game.state_from_position(document)
    play(state, 3000)
    assert all(words >= 2**31 - 1 for words in state.snapshot()["chance"]["words"])
    assert max(state.snapshot()["chance"]["words"]) >= 2**31


# ------------------------------------------------------------------ actions that fail
def test_no_room_for_events(game: Game) -> None:
    """MemoryError, and the state is as before."""
    state = game.new_initial_state(2, record=True)
    play(state, 100)
    twin = state.clone()
    _native.kernel_event_limit(state, len(state.events()))  # type: ignore[arg-type]
    before = state.snapshot(), state.legal_actions(), state.events()
    for _ in range(3):
        with pytest.raises(MemoryError):
            state.apply_action(state.legal_actions()[0])
        assert (state.snapshot(), state.legal_actions(), state.events()) == before
        assert state.check_integrity() is None  # type: ignore[attr-defined]
    state.clear_events()
    play(state, 5, 9)
    play(twin, 5, 9)
    assert state.snapshot() == twin.snapshot()


def test_an_impossible_outcome_changes_nothing(game: Game) -> None:
    """The state plays on like its twin which never had the script, policy and all."""
    state, choice = game.new_initial_state(5, record=True), random.Random(3)
    failed = 0
    while failed < 5 and not state.is_terminal():
        twin, action = state.clone(), choice.choice(state.legal_actions())
        trial = state.clone()
        trial.script(
            {"red_die": ["no such face"], "discovery_shuffle": [["X99"]], "fracture_token": ["none"]}
        )
        try:
            trial.apply_action(action)
        except ChanceError:
            failed += 1
            assert trial.legal_actions() == state.legal_actions()
            assert trial.snapshot() == state.snapshot()
            assert trial.events() == state.events()
            other, one = trial.clone(seed=3), twin.clone(seed=3)
            play(other, 40, 8)
            play(one, 40, 8)
            assert other.snapshot() == one.snapshot()
        state.apply_action(action)
    assert failed == 5


# ------------------------------------------------------------------ numbers
def test_deploy_one_may_be_more(engine: str, tmp_path: Path) -> None:
    """The Troops of the Bonus Action come one by one, as many as the content pack says."""
    (tmp_path / "bonus.toml").write_text("[deploy_one]\namount = 3\n", encoding="utf-8")
    game = load_game(players=2, engine=engine, packs=tmp_path)
    longest, placing = 0, [DecisionKind.DEPLOY_TYPE, DecisionKind.DEPLOY_SPACE]
    for index in range(4 if engine == "reference" else 40):
        events = play_random_game(game, 1, index, record=True).events()
        choices = [(event[2], event[3]) for event in events if event[0] == EventKind.CHOICE]
        for i, (_, action) in enumerate(choices):
            if choices[i][0] == DecisionKind.BONUS and action == game.action_id("bonus:deploy_one"):
                following = choices[i + 1 : i + 7]
                kinds = [kind for kind, _ in following]
                troops = 0
                while kinds[2 * troops : 2 * troops + 2] == placing:
                    troops += 1
                longest = max(longest, troops)
    assert longest == 3
    assert game.content.bonus[Bonus.DEPLOY_ONE].amount == 3


@pytest.mark.parametrize("amount", [2, 3])
def test_both_engines_deploy_alike(amount: int) -> None:
    pack = (("bonus.toml", f"[deploy_one]\namount = {amount}"),)
    check_game(Config("2p:deploy", 2, (), pack), 1, amount, limit=2500)


def test_counters_stop_at_their_maximum() -> None:
    for value in (0, 255, 256, 65535, 65536, 2**32 - 1, 2**32, 2**64 - 1):
        record = _native.kernel_record(value)[0]
        for name in GAME_STATS.names or ():
            if name not in ("winners", "reason", "rounds", "first_player"):
                assert record[name] == min(value, np.iinfo(GAME_STATS[name]).max)


def test_flags_are_those_of_the_build() -> None:
    flags = _native.build_info()["build_flags"].split()
    assert "-fvisibility=hidden" in flags
    assert any(flag.startswith("-O") for flag in flags)
