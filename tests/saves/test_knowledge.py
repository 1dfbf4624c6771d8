"""What the seats know of hidden cards is part of a save."""

from __future__ import annotations

import copy
import random
import zlib
from collections import Counter
from typing import Any

import msgspec
import pytest

import cysmic_fast
from cysmic_fast import saves
from cysmic_fast.errors import SaveError


def game_of(players: int, engine: str = "native") -> Any:
    return cysmic_fast.load_game(players=players, engine=engine, factions=True, molten_core=True, events=True)


@pytest.mark.parametrize(
    ("engine", "players"), [("native", 2), ("native", 4), ("native", 6), ("reference", 3)]
)
def test_views_and_worlds_come_back(engine: str, players: int) -> None:
    game, rng = game_of(players, engine), random.Random(players)
    state, known = game.new_initial_state(5), 0
    for number in range(900):
        if number % 30 == 0 if engine == "native" else number > 450 and state.snapshot()["phase"] == "turn":
            back = game.state_from_bytes(state.to_bytes())
            assert back == state
            for seat in range(players):
                view = state.view(seat)
                assert back.view(seat) == view
                if engine == "native" or state.snapshot()["phase"] == "turn":
                    worlds = [some.resample(seat, number).snapshot() for some in (back, state)]
                    assert worlds[0] == worlds[1]
                known += sum(len(p[d]["known"]) for p in view["players"] for d in ("discovery", "relics")
                             if isinstance(p[d], dict))  # fmt: skip
        if state.is_terminal():
            break
        state.apply_action(rng.choice(state.legal_actions()))
    assert known > 0


def test_knowledge_counts_for_equality() -> None:
    """The same position without what the seats know is another state, with other bytes."""
    state = game_of(3).new_initial_state(2)
    rng = random.Random(2)
    while not state._save_parts()[2] or len(state._save_parts()[2]) < 40:
        state.apply_action(rng.choice(state.legal_actions()))
    body, script, knowledge = state._save_parts()
    assert state.game._state_from_parts(body, script, False, knowledge) == state
    assert state.game._state_from_parts(body, script, False) != state


def test_damaged_knowledge() -> None:
    """Refused, or something that can be known: then worlds are drawn from it."""
    game, rng = game_of(4), random.Random(7)
    state, accepted, refused = game.new_initial_state(9), 0, 0
    while not state.is_terminal() and accepted + refused < 1500:
        state.apply_action(rng.choice(state.legal_actions()))
        body, script, knowledge = state._save_parts()
        if len(knowledge) < 40 or rng.random() < 0.7:
            continue
        for _ in range(4):
            broken = bytearray(knowledge)
            for _ in range(rng.randrange(1, 3)):
                broken[rng.randrange(len(broken))] = rng.choice((0, 1, 2, 3, 4, 8, 63, 64, 65, 127, 128, 255))
            try:
                other = game._state_from_parts(body, script, False, bytes(broken))
            except SaveError:
                refused += 1
                continue
            accepted += 1
            for seat in range(4):
                other.view(seat)
                assert other.resample(seat, 1).check_integrity() is None
    assert accepted > 50
    assert refused > 300


@pytest.mark.parametrize(("players", "seed"), [(2, 5), (4, 9), (6, 3)])
def test_every_bit_of_what_is_known(players: int, seed: int) -> None:
    """Turned over, with a checksum that fits: refused, or a state that is whole and stays so in play."""
    game, rng = game_of(players), random.Random(seed)
    state, moments = game.new_initial_state(seed), []
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
        if state._save_parts()[2]:
            moments.append(state.clone())
    moments = moments[:: len(moments) // 8]
    accepted = refused = 0
    for moment in moments:
        sections = saves.read_save(moment.to_bytes()).sections
        known = sections[saves.KNOWLEDGE]
        for bit in range(8 * len(known)):
            broken = bytearray(known)
            broken[bit >> 3] ^= 1 << (bit & 7)
            data = saves._pack({**sections, saves.KNOWLEDGE: bytes(broken)})
            try:
                other = game.state_from_bytes(data)
            except SaveError:
                refused += 1
                continue
            accepted += 1
            assert other.to_bytes() == data
            assert other.check_integrity() is None
            for _ in range(40):
                if other.is_terminal():
                    break
                other.apply_action(rng.choice(other.legal_actions()))
                assert other.check_integrity() is None
            assert game.state_from_bytes(other.to_bytes()) == other
    assert accepted > 100
    assert refused > 500


def test_every_bit_of_what_is_known_to_the_reference_engine() -> None:
    """The same, of the JSON in which it is."""
    game, rng = game_of(3, "reference"), random.Random(7)
    state = moment = game.new_initial_state(9)
    while state.round < 14:
        state.apply_action(rng.choice(state.legal_actions()))
        if state.snapshot()["phase"] == "turn":
            moment = state.clone()
    accepted = refused = 0
    sections = saves.read_save(moment.to_bytes()).sections
    text = zlib.decompress(sections[saves.START])
    knows = msgspec.json.encode(msgspec.json.decode(text)["knows"])
    first = text.index(knows)
    for bit in range(8 * first, 8 * (first + len(knows))):
        broken = bytearray(text)
        broken[bit >> 3] ^= 1 << (bit & 7)
        data = saves._pack({**sections, saves.START: zlib.compress(bytes(broken))})
        try:
            other = game.state_from_bytes(data)
        except SaveError:
            refused += 1
            continue
        accepted += 1
        back = game.state_from_bytes(other.to_bytes())
        assert back == other
        for seat in range(3):
            assert back.view(seat) == other.view(seat)
        if rng.random() < 0.1:
            for _ in range(8):
                other.apply_action(rng.choice(other.legal_actions()))
            assert game.state_from_bytes(other.to_bytes()) == other
    assert accepted > 20
    assert refused > 500


def test_late_cards_that_have_no_place() -> None:
    """The reference engine: late copies lie in the pile or in hands with room for them, all at once."""
    from cysmic_fast.reference import save_knowledge

    fit = save_knowledge._late_ones_fit
    places: dict[Any, Counter[int]] = {"draw": Counter({1: 1}), 0: Counter({1: 1, 2: 1}), 1: Counter({2: 2})}
    assert fit(Counter({1: 2, 2: 1}), places, [1, 1])
    assert fit(Counter({2: 1, 1: 2}), places, [1, 1])  # 2 has to make room for 1
    assert fit(Counter({2: 3}), places, [1, 2])
    assert not fit(Counter({2: 3}), places, [2, 1])
    assert not fit(Counter({1: 2, 2: 2}), places, [1, 1])
    assert not fit(Counter({1: 2}), places, [0, 3])
    assert not fit(Counter({1: 3}), places, [2, 2])  # no more than seat 0 and the pile have


def test_known_cards_that_are_elsewhere() -> None:
    """The reference engine: what is known of several copies can be true of all of them at once."""
    from cysmic_fast.reference import save_knowledge

    fit = save_knowledge._copies_fit
    places: dict[Any, Counter[int]] = {"draw": Counter({1: 1}), 0: Counter({1: 1, 2: 1}), 1: Counter()}
    assert fit([(1, frozenset({0, "draw"})), (1, frozenset({0}))], places)
    assert fit([(2, frozenset({0, 1}))], places)
    assert not fit([(1, frozenset({0})), (1, frozenset({0}))], places)
    assert not fit([(2, frozenset({"draw", 1}))], places)


def test_damaged_knowledge_of_the_reference_engine() -> None:
    """The same: what it knows is a part of the body, as JSON."""
    game, rng = game_of(3, "reference"), random.Random(7)
    state = game.new_initial_state(9)
    body: dict[str, Any] = {}
    while state.round < 12:
        state.apply_action(rng.choice(state.legal_actions()))
        if state.snapshot()["phase"] == "turn":
            found = msgspec.json.decode(zlib.decompress(state._save_parts()[0]))
            body = max(body, found, key=lambda body: len(str(body.get("knows"))))
    accepted = refused = 0
    for _ in range(150):
        broken = copy.deepcopy(body)
        _damage(broken["knows"], rng)
        data = zlib.compress(msgspec.json.encode(broken))
        try:
            other = game._state_from_parts(data, None, False)
        except SaveError:
            refused += 1
            continue
        accepted += 1
        for seat in range(3):
            other.view(seat)
            other.resample(seat, 1)
        for _ in range(5):
            other.apply_action(rng.choice(other.legal_actions()))
    assert accepted > 10
    assert refused > 50


def _damage(part: Any, rng: random.Random) -> None:
    """Put something else somewhere into lists of lists."""
    while isinstance(part, list) and part:
        place = rng.randrange(len(part))
        if not isinstance(part[place], list) or not part[place]:
            part[place] = rng.choice([-1, 0, 1, 2, 3, 5, 9, 40, 300, "draw", "table", None, [], [1], True])
            return
        part = part[place]
