"""The dtypes of the native structs are what the C compiler made of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import cysmic_fast
from cysmic_fast import _native, layout
from cysmic_fast.errors import OptionError
from cysmic_fast.layout import STATE_DTYPE, Field, parse_structs, state_record, struct_dtype
from cysmic_fast.policies import RandomPolicy
from cysmic_fast.vocabulary import DecisionKind

STRUCTS = _native.struct_layout()


@pytest.mark.parametrize("name", STRUCTS)
def test_size_and_offset_of_every_field(name: str) -> None:
    size, fields = STRUCTS[name]
    dtype = struct_dtype(name)
    assert dtype.itemsize == size
    assert dtype.names == tuple(fields)
    assert dtype.fields is not None
    for field, (offset, width) in fields.items():
        assert dtype.fields[field][1] == offset, field
        assert dtype.fields[field][0].itemsize == width, field


def test_the_state_is_among_them() -> None:
    assert {"State", "Seat", "Frame", "Rng"} <= set(STRUCTS)
    assert STATE_DTYPE.itemsize == _native.build_info()["state_bytes"]
    assert STATE_DTYPE is layout.struct_dtype("State")
    assert STATE_DTYPE["seat"].shape == (6,)
    assert STATE_DTYPE["combat"].shape == (2,)
    with pytest.raises(KeyError, match="Tabels"):
        struct_dtype("Tabels")


def members(words: np.ndarray) -> list[int]:
    return [i for i in range(128) if int(words[i >> 6]) >> (i & 63) & 1]


def test_a_record_shows_the_state() -> None:
    """Against the public interface, at every decision of a game."""
    game = cysmic_fast.load_game(players=4, max_rounds=8)
    state, policy = game.new_initial_state(3), RandomPolicy(3)
    while not state.is_terminal():
        record: Any = state_record(state)
        assert record.dtype == STATE_DTYPE
        assert (record["round"], record["active"]) == (state.round, state.active_player)
        assert (record["kind"], record["player"]) == (state.decision(), state.current_player())
        state.apply_action(policy(state))
    record = state_record(state)
    assert record["reason"] == state.end_reason()
    assert record["kind"] == DecisionKind.NONE
    players = state.snapshot()["players"]
    for seat in range(4):
        assert record["seat"][seat]["lorium"] == players[seat]["lorium"]
        assert bin(record["seat"][seat]["modules"]).count("1") == len(players[seat]["modules"])
    ships = [int(record["seat"][seat]["ship"]) for seat in range(4)]
    assert members(record["ships"]) == sorted(ship for ship in ships if ship >= 0)


def test_a_record_is_a_copy() -> None:
    state = cysmic_fast.load_game().new_initial_state(1)
    record: Any = state_record(state)
    record["round"] = 77
    assert state.round == 1


def test_only_native_states_have_records() -> None:
    for what in (cysmic_fast.load_game(engine="reference").new_initial_state(), None, 3):
        with pytest.raises(OptionError, match="native engine"):
            state_record(what)


def test_parsing() -> None:
    text = """
cdef struct A:
    uint8_t x   # why
    int16_t y[3]


cdef struct B:
    A a[2][2]
    u128 s

cdef struct Skipped:
    int *pointer

cdef class C:
    cdef int z
"""
    assert parse_structs(text) == {
        "A": (Field("x", "uint8_t", (), "why"), Field("y", "int16_t", (3,), "")),
        "B": (Field("a", "A", (2, 2), ""), Field("s", "u128", (), "")),
    }
