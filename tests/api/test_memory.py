"""What is made and dropped is given back: memory stays flat, measured as resident pages of this process.

A case is run to warm up, then several times as often; growth beyond a margin fails. The margin is far below
what one lost object a round would cost, and ``test_a_leak_would_show`` proves that the measuring can fail.
"""

from __future__ import annotations

import copy
import ctypes
import gc
import os
import random
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cysmic_fast import load_game
from cysmic_fast.content import load_content
from cysmic_fast.errors import ChanceError, CysmicError, IllegalActionError, PositionError
from cysmic_fast.game import make_game
from cysmic_fast.interface import State
from cysmic_fast.options import GameOptions, make_options

LIBC = ctypes.CDLL(None)
STATM = Path("/proc/self/statm")
MARGIN = 2 << 20  #: bytes
resident_only = pytest.mark.skipif(not STATM.exists(), reason="resident memory is read from /proc/self/statm")

CONTENT = load_content()
GAME: Any = load_game(players=4, factions=True, molten_core=True, events=True)


def middle(record: bool = False) -> Any:
    """A state some turns into a game, at the start of a turn."""
    state, rng = GAME.new_initial_state(3, record=record), random.Random(3)
    while True:
        state.apply_action(rng.choice(state.legal_actions()))
        if state.round < 4:
            continue
        try:
            state.to_position()
        except PositionError:
            continue
        return state


STATE, RECORDED = middle(), middle(record=True)
POSITION = STATE.to_position()
BAD_POSITION = {**POSITION, "players": POSITION["players"][:-1]}


def resident() -> int:
    """Bytes of resident memory; rubbish is collected, and what malloc keeps for later given back."""
    gc.collect()
    if hasattr(LIBC, "malloc_trim"):
        LIBC.malloc_trim(0)
    return int(STATM.read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")


def growth(case: Callable[[int], object], rounds: int) -> int:
    """By how much memory grows over so many rounds, after a third as many; the least of three tries."""
    found = []
    for _ in range(3):
        for number in range(rounds // 3 + 1):
            case(number)
        before = resident()
        for number in range(rounds):
            case(number)
        found.append(resident() - before)
        if found[-1] <= MARGIN:
            break
    return min(found)


def refuse(error: type[CysmicError], call: Callable[..., object], *arguments: Any, **more: Any) -> None:
    try:
        call(*arguments, **more)
    except error:
        return
    raise AssertionError("not refused")


def play_on(state: State, decisions: int, seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(decisions):
        if state.is_terminal():
            return
        state.apply_action(rng.choice(state.legal_actions()))


def scripted(number: int) -> None:
    state = STATE.clone()
    state.script({"red_die": [str(CONTENT.dice.red[0])] * 50})
    state.clone().clone(number)


def broken_script(number: int) -> None:
    refuse(ChanceError, GAME.new_initial_state, number, script={"relic_shuffle": [["nothing"]]})


def games(number: int) -> None:
    """Tables of a game, effects included."""
    options: GameOptions = make_options(players=2 + number % 5, factions=True, events=True, molten_core=True)
    make_game(options, CONTENT).new_initial_state(number)


#: What is done in a round, and how many rounds; a lost state is 2 KiB, a lost game 40 KiB and more.
CASES: dict[str, tuple[Callable[[int], object], int]] = {
    "new states": (lambda n: GAME.new_initial_state(n), 6000),
    "clones": (lambda n: STATE.clone(), 20_000),
    "reseeded clones": (lambda n: STATE.clone(n), 20_000),
    "clones with events": (lambda n: RECORDED.clone(), 1500),
    "deep copies": (lambda n: copy.deepcopy(STATE), 5000),
    "play": (lambda n: play_on(STATE.clone(), 40, n), 1500),
    "play with events": (lambda n: play_on(RECORDED.clone(), 40, n), 800),
    "reading": (
        lambda n: (STATE.legal_actions(), STATE.legal_actions_mask(), STATE.returns(), repr(STATE)),
        5000,
    ),
    "snapshots": (lambda n: STATE.snapshot(), 1200),
    "text": (lambda n: str(STATE), 300),
    "events": (lambda n: RECORDED.events(), 300),
    "positions": (lambda n: GAME.state_from_position(POSITION, n), 250),
    "positions refused": (lambda n: refuse(PositionError, GAME.state_from_position, BAD_POSITION), 250),
    "actions refused": (lambda n: refuse(IllegalActionError, STATE.apply_action, -1), 4000),
    "scripts": (scripted, 3000),
    "scripts refused": (broken_script, 2000),
    "games": (games, 60),
    "games refused": (lambda n: refuse(CysmicError, load_game, players=9), 2000),
    "simulate": (lambda n: GAME.simulate(n, 0, 4), 60),
    "simulate in threads": (lambda n: GAME.simulate(n, 0, 6, threads=3), 40),
}


@resident_only
@pytest.mark.parametrize("name", CASES)
def test_memory_stays_flat(name: str) -> None:
    case, rounds = CASES[name]
    assert growth(case, rounds) <= MARGIN


@resident_only
@pytest.mark.parametrize("name", ["new states", "clones", "clones with events"])
def test_a_leak_would_show(name: str) -> None:
    """The same cases with what they make kept."""
    case, rounds = CASES[name]
    kept: list[object] = []
    assert growth(lambda number: kept.append(case(number)), rounds) > 2 * MARGIN


def test_reference_states_are_given_back() -> None:
    """Suspended generators and their frames too: Python's own memory, traced."""
    game = load_game(players=3, factions=True, engine="reference")
    start = game.new_initial_state(1)
    play_on(start, 60, 1)

    def use(number: int) -> None:
        state = start.clone()
        play_on(state, 15, number)
        refuse(IllegalActionError, state.apply_action, -1)
        state.snapshot()

    use(0)
    gc.collect()
    tracemalloc.start()
    try:
        use(1)
        gc.collect()
        before = tracemalloc.get_traced_memory()[0]
        for number in range(2, 9):
            use(number)
        gc.collect()
        lost = tracemalloc.get_traced_memory()[0] - before
        kept = start.clone()
        size = tracemalloc.get_traced_memory()[0] - before - lost
    finally:
        tracemalloc.stop()
    assert not kept.is_terminal()
    assert size > 20_000  # of one state: a round that lost its own would show
    assert lost < size
