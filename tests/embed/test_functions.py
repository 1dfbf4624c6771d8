"""The functions of the table by address: the games of the Python interface, and every refusal."""

from __future__ import annotations

import gc
import tempfile
import weakref
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from small_packs import write_pack

import cysmic_fast
from cysmic_fast import embed
from cysmic_fast.embed import CONSTANTS, copy_state, handle, state_buffer
from cysmic_fast.errors import OptionError
from cysmic_fast.interface import Game, State
from cysmic_fast.layout import STATE_DTYPE, state_record
from cysmic_fast.policies import RandomPolicy

OK, OVER = CONSTANTS["OK"], CONSTANTS["OVER"]
ILLEGAL, GAME_OVER, ENDLESS = CONSTANTS["ILLEGAL"], CONSTANTS["GAME_OVER"], CONSTANTS["ENDLESS"]
BAD_STATE, BAD_ARGUMENT = CONSTANTS["BAD_STATE"], CONSTANTS["BAD_ARGUMENT"]


class Held:
    """A state in a buffer, driven by address."""

    def __init__(self, api: Any, game: Game, room: np.ndarray | None = None) -> None:
        self.api = api
        self.game = game
        self.handle = handle(game)
        self.room = state_buffer()[0] if room is None else room
        self.at = self.room.ctypes.data

    def new(self, seed: int, index: int = 0) -> int:
        return int(self.api.new_state(self.handle, seed, index, self.at))

    def mask(self) -> tuple[int, np.ndarray]:
        words = np.zeros(8, np.uint64)
        return self.api.legal_mask(self.handle, self.at, words.ctypes.data), words

    def legal(self) -> list[int]:
        count, words = self.mask()
        found = [a for a in range(512) if int(words[a >> 6]) >> (a & 63) & 1]
        assert len(found) == count
        return found

    def apply(self, action: int) -> int:
        return int(self.api.apply(self.handle, self.at, action))

    def record(self) -> bytes:
        return self.room[: STATE_DTYPE.itemsize].tobytes()

    def agrees(self, state: State) -> None:
        """Everything that can be asked is what the Python state says."""
        assert self.legal() == state.legal_actions()
        assert self.api.is_terminal(self.handle, self.at) == state.is_terminal()
        assert self.api.current_player(self.handle, self.at) == state.current_player()
        assert self.api.decision(self.handle, self.at) == int(state.decision())
        reason = np.full(1, 99, np.int32)
        assert self.api.end_reason(self.handle, self.at, reason.ctypes.data) == OK
        assert reason[0] == state.end_reason()
        values = np.full(7, 9.0)
        assert self.api.returns(self.handle, self.at, values.ctypes.data) == OK
        players = self.game.num_players
        assert values.tolist() == state.returns() + [9.0] * (7 - players)


@pytest.mark.parametrize("options", [{"players": 2}, {"players": 6, "factions": True, "molten_core": True}])
def test_a_game_in_step_with_python(options: dict[str, Any], api: Any) -> None:
    """Decision by decision, with the random stream of a playout; the last apply says OVER."""
    game = cysmic_fast.load_game(**options)
    state, policy = game.new_initial_state(11, index=5), RandomPolicy(11, 5)
    held = Held(api, game)
    assert held.new(11, 5) == OK
    assert api.num_players(held.handle) == game.num_players
    rng = np.zeros(10, np.uint64)
    api.rng_init(rng.ctypes.data, 11, 5)
    status, steps = OK, 0
    while status == OK:
        if steps % 16 == 0:
            held.agrees(state)
        action = api.random_action(held.handle, held.at, rng.ctypes.data)
        assert action == policy(state)
        state.apply_action(action)
        status = (held.apply if steps % 2 else lambda a: api.apply_unchecked(held.handle, held.at, a))(action)
        steps += 1
    assert status == OVER
    assert state.is_terminal()
    held.agrees(state)
    assert held.legal() == []
    assert api.random_action(held.handle, held.at, rng.ctypes.data) == GAME_OVER
    before = held.room.copy()
    for action in (0, 64, -1, 511, 512):
        assert held.apply(action) == GAME_OVER
    assert (held.room == before).all()


def test_rng(api: Any) -> None:
    """The stream POLICY of a playout, whatever it is asked for."""
    from cysmic_fast._native import kernel_bounded, kernel_words
    from cysmic_fast.vocabulary import ChanceFamily

    family = int(ChanceFamily.POLICY)
    rng = np.zeros(10, np.uint64)
    api.rng_init(rng.ctypes.data, 2**64 - 1, 3)
    words = [api.rng_word(rng.ctypes.data) for _ in range(9)]
    assert words == kernel_words(2**64 - 1, 3, family, 9).tolist()
    api.rng_init(rng.ctypes.data, 4, 3)
    assert [api.rng_below(rng.ctypes.data, 1000) for _ in range(50)] == kernel_bounded(
        4, 3, family, 1000, 50
    ).tolist()
    before = rng.copy()
    assert api.rng_below(rng.ctypes.data, 0) == api.rng_below(rng.ctypes.data, 1) == 0
    assert (rng == before).all()


def test_only_legal_actions_are_taken(api: Any, game: Game) -> None:
    """Every id and others, at decisions of many kinds: refused ones leave every byte alone."""
    held, kinds = Held(api, game), set()
    assert held.new(2) == OK
    rng = np.zeros(10, np.uint64)
    api.rng_init(rng.ctypes.data, 2, 0)
    for _ in range(400):
        kind = api.decision(held.handle, held.at)
        if kind not in kinds:
            kinds.add(kind)
            legal, before = held.legal(), held.room.copy()
            for action in [*range(-3, 516), -(2**31), 2**31 - 1]:
                if action not in legal:
                    assert held.apply(action) == ILLEGAL
            assert (held.room == before).all()
            for action in legal:
                assert held.apply(action) in (OK, OVER)
                held.room[:] = before
        held.apply(api.random_action(held.handle, held.at, rng.ctypes.data))
    assert len(kinds) >= 15


def test_a_copy_is_a_clone(api: Any, game: Game) -> None:
    """By bytes or by `clone`, chance to come included; `reseed` gives other chance."""
    one = Held(api, game)
    one.new(3)
    rooms = state_buffer(3)
    two, three, four = (Held(api, game, room) for room in rooms)
    two.room[:] = one.room
    assert api.clone(one.at, three.at) == OK
    assert api.clone(one.at, four.at) == OK
    assert api.reseed(four.handle, four.at, 77, 8) == OK
    assert four.legal() == one.legal()
    for held in (one, two, three, four):
        rng = np.zeros(10, np.uint64)
        api.rng_init(rng.ctypes.data, 1, 1)
        for _ in range(150):
            held.apply(api.random_action(held.handle, held.at, rng.ctypes.data))
    assert (one.room == two.room).all()
    assert (one.room == three.room).all()
    assert one.record() != four.record()
    assert api.clone(one.at, one.at) == OK


def test_rollouts_from_a_state_and_from_the_beginning(api: Any, game: Game, late: State) -> None:
    result, values = np.zeros(1, embed.RESULT_DTYPE), np.zeros(6)
    for start, owner in ((late, late.game), (None, game)):
        found = cysmic_fast.rollouts(start or owner, 60, "random", seed=8, first=100, per_game=True)
        assert found.records is not None
        assert found.returns is not None
        room = copy_state(start) if start else None
        before = room.copy() if room is not None else None
        at = room.ctypes.data if room is not None else None
        for i in range(60):
            status = api.rollout(handle(owner), at, 8, 100 + i, values.ctypes.data, result.ctypes.data)
            assert status == OK
            assert values[: owner.num_players].tolist() == found.returns[i].tolist()
            for name in embed.RESULT_DTYPE.names or ():
                assert result[0][name] == found.records[i][name], name
        assert api.rollout(handle(owner), at, 8, 100, None, None) == OK
        assert room is None or (room == before).all()


def test_a_finished_state_is_its_own_rollout(api: Any) -> None:
    game = cysmic_fast.load_game(players=2, max_rounds=1)
    held = Held(api, game)
    held.new(1)
    rng = np.zeros(10, np.uint64)
    api.rng_init(rng.ctypes.data, 1, 1)
    while held.apply(api.random_action(held.handle, held.at, rng.ctypes.data)) == OK:
        pass
    result = np.zeros(1, embed.RESULT_DTYPE)
    assert api.rollout(held.handle, held.at, 1, 1, None, result.ctypes.data) == OK
    assert result[0].tolist() == (0, 0, 1, 2, 0)


def test_copies_of_python_states(api: Any, game: Game) -> None:
    """The bytes are the record of the state, and the game goes on alike; nothing is shared."""
    state, policy = game.new_initial_state(5, record=True), RandomPolicy(5, 0)
    for _ in range(60):
        state.apply_action(policy(state))
    held = Held(api, game, copy_state(state))
    assert held.record() == state_record(state).tobytes()
    held.agrees(state)
    while not state.is_terminal():
        action = policy(state)
        state.apply_action(action)
        assert held.apply(action) == (OVER if state.is_terminal() else OK)
    held.agrees(state)
    finished = Held(api, game, copy_state(state))
    finished.agrees(state)


# ---------------------------------------------------------------------- what is refused
TAKING_A_STATE: dict[str, tuple[Any, ...]] = {
    "legal_mask": (None,),
    "apply": (0,),
    "is_terminal": (),
    "current_player": (),
    "decision": (),
    "end_reason": (None,),
    "returns": (None,),
    "reseed": (1, 1),
    "random_action": (None,),
}


@pytest.mark.parametrize("name", TAKING_A_STATE)
def test_what_is_no_state_of_the_game(name: str, api: Any, game: Game) -> None:
    more, call = TAKING_A_STATE[name], getattr(api, name)
    held = Held(api, game)
    assert call(held.handle, held.at, *more) == BAD_STATE  # never set up
    held.room[:] = np.random.default_rng(1).integers(0, 256, embed.STATE_SIZE)
    assert call(held.handle, held.at, *more) == BAD_STATE  # noise
    held.new(1)
    twin = cysmic_fast.load_game(players=4, factions=True, molten_core=True, events=True)
    assert call(handle(twin), held.at, *more) == BAD_STATE  # an equal game, but another
    assert call(held.handle, None, *more) == BAD_ARGUMENT
    assert call(None, held.at, *more) == BAD_ARGUMENT
    assert call(held.handle, held.at + 4, *more) == BAD_ARGUMENT


def test_what_is_missing(api: Any, game: Game) -> None:
    held = Held(api, game)
    assert api.new_state(None, 1, 1, held.at) == BAD_ARGUMENT
    assert api.new_state(held.handle, 1, 1, None) == BAD_ARGUMENT
    assert api.new_state(held.handle, 1, 1, held.at + 8) == BAD_ARGUMENT
    assert not held.room.any()
    assert api.rollout(held.handle, held.at, 1, 1, None, None) == BAD_STATE
    held.new(1)
    assert api.rollout(None, held.at, 1, 1, None, None) == BAD_ARGUMENT
    assert api.rollout(None, None, 1, 1, None, None) == BAD_ARGUMENT
    assert api.returns(held.handle, held.at, None) == BAD_ARGUMENT
    assert api.end_reason(held.handle, held.at, None) == BAD_ARGUMENT
    assert api.random_action(held.handle, held.at, None) == BAD_ARGUMENT
    assert api.clone(None, held.at) == api.clone(held.at, None) == BAD_ARGUMENT
    assert api.num_players(None) == BAD_ARGUMENT
    assert api.legal_mask(held.handle, held.at, None) == len(held.legal())


def test_wrong_arguments_of_the_module(game: Game) -> None:
    reference = cysmic_fast.load_game(players=2, engine="reference")
    for wrong in (None, 5, reference, game.new_initial_state()):
        with pytest.raises(OptionError, match="allowed: a game of the native engine"):
            handle(wrong)  # type: ignore[arg-type]
    state = game.new_initial_state()
    for wrong in (None, 5, game, reference.new_initial_state()):
        with pytest.raises(OptionError, match="allowed: a state of the native engine"):
            copy_state(wrong)  # type: ignore[arg-type]
    good = state_buffer()[0]
    for out in (
        good[:-1],
        good[1:],
        np.zeros(2 * embed.STATE_SIZE, np.uint8)[::2],
        np.zeros(embed.STATE_SIZE, np.int8),
        np.zeros((1, embed.STATE_SIZE), np.uint8),
        bytes(embed.STATE_SIZE),
        "room",
    ):
        with pytest.raises(OptionError, match="allowed: "):
            copy_state(state, out)  # type: ignore[arg-type]
    wide = np.zeros(embed.STATE_SIZE + 64, np.uint8)
    start = -wide.ctypes.data % 64 + 8
    with pytest.raises(OptionError, match="at a multiple of 16"):
        copy_state(state, wide[start : start + embed.STATE_SIZE])
    assert not wide.any()
    assert copy_state(state, good) is good
    for n in (0, -1, 1.5, "2", 2**40 + 1, 2**64):
        with pytest.raises(OptionError, match="allowed: "):
            state_buffer(n)  # type: ignore[arg-type]
    with pytest.raises(MemoryError, match=r"[0-9]"):
        state_buffer(2**40)
    assert state_buffer(3).shape == (3, embed.STATE_SIZE)
    assert state_buffer(3).ctypes.data % 64 == 0
    with pytest.raises(AttributeError):
        embed.NOTHING  # noqa: B018


def test_scripted_states_are_refused_until_the_script_is_used_up(game: Game) -> None:
    state = game.new_initial_state(1)
    state.script({"red_die": ["3"]})
    with pytest.raises(OptionError, match="scripted outcomes of red_die left; allowed: none"):
        copy_state(state)
    assert copy_state(state.clone(seed=1)).any()


def test_effects_that_never_end(api: Any) -> None:
    """ENDLESS, with the state as it was; a rollout that meets them says so."""
    run: list[dict[str, Any]] = [{"do": "gain", "res": "lorium", "n": 1}]
    for _ in range(2):
        run = [{"do": "each", "over": {"space": {}}, "run": run}]
    text = "\n".join(
        f'[[card]]\nid = "{name}"\ncount = 9\nability = {_toml(run)}\n' for name in ("D01", "D02")
    )
    with tempfile.TemporaryDirectory() as folder:
        pack = write_pack(Path(folder) / "ants", {"discovery.toml": text})
        game = cysmic_fast.load_game(players=2, molten_core=True, packs=pack)
    held, met = Held(api, game), 0
    rng = np.zeros(10, np.uint64)
    for index in range(10):
        assert held.new(1, index) == OK
        api.rng_init(rng.ctypes.data, 1, index)
        for _ in range(5000):
            action = api.random_action(held.handle, held.at, rng.ctypes.data)
            before, legal = held.room.copy(), held.legal()
            status = held.apply(action)
            if status == ENDLESS:
                assert (held.room == before).all()
                assert held.legal() == legal
                met += 1
                assert api.apply_unchecked(held.handle, held.at, action) == ENDLESS
                assert held.apply(action) == api.is_terminal(held.handle, held.at) == ENDLESS
                break
            if status == OVER:
                break
        statuses = {api.rollout(held.handle, None, 1, index, None, None)}
        assert statuses <= {OK, ENDLESS}
        met += 100 * (ENDLESS in statuses)
    assert met >= 101
    assert met % 100 > 0


def _toml(value: Any) -> str:
    """A value as inline TOML."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{k} = {_toml(v)}" for k, v in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return f'"{value}"' if isinstance(value, str) else str(value)


# ---------------------------------------------------------------------- life and threads
def test_a_handle_keeps_nothing_alive() -> None:
    """The Python game owns what the handle points to; the buffers own nothing."""
    game = cysmic_fast.load_game(players=2)
    state = game.new_initial_state()
    room = copy_state(state)
    gone = weakref.ref(room)
    before = handle(game)
    assert handle(state.game) == before
    del room
    gc.collect()
    assert gone() is None


def test_threads_without_the_lock(api: Any, game: Game) -> None:
    """Rollouts by ctypes in threads, from one shared state, are those of one thread."""
    room = copy_state(game.new_initial_state(4))

    def play(index: int) -> Any:
        result = np.zeros(1, embed.RESULT_DTYPE)
        assert api.rollout(handle(game), room.ctypes.data, 4, index, None, result.ctypes.data) == OK
        return result[0].tolist()

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(play, range(60))) == [play(i) for i in range(60)]


def test_numba_calls_them() -> None:
    """A compiled loop over the addresses plays the games of simulate."""
    numba = pytest.importorskip("numba")
    functions = {name: function.ctypes() for name, function in embed.functions().items()}
    new_state, apply = functions["new_state"], functions["apply"]
    random_action, rng_init = functions["random_action"], functions["rng_init"]

    @numba.njit(nogil=True)  # type: ignore[untyped-decorator]
    def play(game: int, seed: int, games: int, state: Any, rng: Any) -> int:
        decisions = 0
        for index in range(games):
            rng_init(rng.ctypes.data, seed, index)
            status = new_state(game, seed, index, state.ctypes.data)
            while status == 0:
                action = random_action(game, state.ctypes.data, rng.ctypes.data)
                status = apply(game, state.ctypes.data, action)
                decisions += 1
        return decisions

    game = cysmic_fast.load_game(players=3)
    state, rng = state_buffer()[0], np.zeros(10, np.uint64)
    expected = game.simulate(6, 0, 50)["decisions"].sum()
    assert play(handle(game), 6, 50, state, rng) == expected
    for function in embed.functions().values():  # the signatures are Numba's
        assert numba.core.sigutils.normalize_signature(function.signature)
