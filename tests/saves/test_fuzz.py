"""Bytes with a checksum that fits: whatever they say, nothing crashes, hangs or comes to an impossible state.

Mutations of saves of very different moments, most of them in the agenda. Everything that is accepted is
played on, with its integrity worked out anew after each action. A hang ends the run with a traceback.
"""

from __future__ import annotations

import faulthandler
import random
from typing import Any

import pytest

import cysmic_fast
from cysmic_fast import _native
from cysmic_fast.errors import ContentError, SaveError

GAMES: list[dict[str, Any]] = [
    {"players": 4},
    {"players": 2, "blueprint_variant": 2},
    {"players": 6, "factions": True, "molten_core": True, "events": True},
    {"players": 3, "factions": True, "molten_core": True, "events": True, "end_trigger": "simultaneous"},
    {"players": 5, "factions": True, "events": True, "end_trigger": "equality"},
    {"players": 3, "abilities": False},
]


def corpus(seed: int, games: int) -> list[tuple[Any, bytes]]:
    """Bodies of saves, one of each kind of moment: what the three innermost procedures are doing."""
    rng = random.Random(seed)
    found: dict[Any, tuple[Any, bytes]] = {}
    for options in GAMES:
        game: Any = cysmic_fast.load_game(**options)
        for index in range(games):
            state = game.new_initial_state(seed, index=index)
            while not state.is_terminal():
                moment = tuple(frame[:2] for frame in _native.kernel_frames(state)[:3])
                if moment not in found or rng.random() < 0.1:
                    found[moment] = (game, state._save_parts()[0])
                state.apply_action(rng.choice(state.legal_actions()))
    return list(found.values())


def mutate(body: bytes, rng: random.Random) -> bytes:
    data = bytearray(body)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        first = max(0, len(data) - 90) if rng.random() < 0.7 else 0
        place, how = rng.randrange(first, len(data)), rng.random()
        if how < 0.4:
            data[place] = (data[place] + rng.choice((-2, -1, 1, 2))) % 256
        elif how < 0.7:
            data[place] ^= 1 << rng.randrange(8)
        elif how < 0.92:
            data[place] = rng.choice((0, 1, 2, 5, 6, 7, 126, 127, 128, 254, 255, rng.randrange(256)))
        elif how < 0.96:
            del data[place]
        else:
            data.insert(place, rng.randrange(256))
    return bytes(data)


def attack(seed: int, games: int, times: int, moves: int) -> int:
    """How many mutations were accepted; all of them were played on."""
    rng = random.Random(seed)
    bodies, accepted = corpus(seed, games), 0
    for number in range(times):
        game, body = rng.choice(bodies)
        broken = mutate(body, rng)
        faulthandler.dump_traceback_later(60, exit=True)
        try:
            state = game._state_from_parts(broken, None, False)
        except SaveError:
            continue
        finally:
            faulthandler.cancel_dump_traceback_later()
        accepted += 1
        faulthandler.dump_traceback_later(60, exit=True)
        try:
            for _ in range(moves):
                if state.is_terminal():
                    break
                state.apply_action(rng.choice(state.legal_actions()))
                assert state.check_integrity() is None, f"mutation {number} of seed {seed}: {broken.hex()}"
            state.snapshot()
        except ContentError:  # effects that do not come to an end are told
            pass
        finally:
            faulthandler.cancel_dump_traceback_later()
    return accepted


def test_a_grant_where_there_are_none() -> None:
    """Without Abilities no step can be granted, whatever its number: one of these zeros counts grants."""
    game: Any = cysmic_fast.load_game(players=3, abilities=False)
    state = game.new_initial_state(1)
    while state.round < 2:
        state.apply_action(state.legal_actions()[-1])
    body = state._save_parts()[0]
    refused = set()
    for place in (i for i, byte in enumerate(body) if byte == 0):
        for number in (b"\x00", b"\xa0\x9c\x01"):
            forged = body[:place] + b"\x01" + number + b"\x01" + body[place + 1 :]
            try:
                assert game._state_from_parts(forged, None, False).check_integrity() is None
            except SaveError:
                refused.add((place, number))
    assert len(refused) > 100


def test_a_few_thousand_mutations() -> None:
    assert attack(seed=1, games=1, times=3000, moves=30) > 100


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(2, 6))
def test_many_mutations(seed: int) -> None:
    assert attack(seed=seed, games=6, times=50_000, moves=60) > 2000
