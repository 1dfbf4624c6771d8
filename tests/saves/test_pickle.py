"""Pickles, copies and other processes."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
import random
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from elsewhere import follow

import cysmic_fast
from cysmic_fast.errors import ContentError

STORM = Path(__file__).parents[2] / "examples" / "pack_storm_season"


def some(engine: str, **options: Any) -> Any:
    state: Any = cysmic_fast.load_game(players=3, engine=engine, **options).new_initial_state(
        4, script={"red_die": ["3"]}
    )
    rng = random.Random(3)
    for _ in range(45):
        state.apply_action(rng.choice(state.legal_actions()))
    return state


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickle(engine: str, protocol: int) -> None:
    state = some(engine)
    back = pickle.loads(pickle.dumps(state, protocol))
    assert back == state
    assert back.game == state.game
    assert back.snapshot() == state.snapshot()
    first, second = pickle.loads(pickle.dumps([state, state.clone()], protocol))
    assert first.game is second.game


def test_recording_goes_on(engine: str) -> None:
    state: Any = cysmic_fast.load_game(players=2, engine=engine).new_initial_state(4, record=True)
    back = pickle.loads(pickle.dumps(state))
    assert back.events() == []
    back.apply_action(back.legal_actions()[0])
    assert back.events()
    assert copy.deepcopy(state).events() == state.events() != []


def test_deepcopy(engine: str) -> None:
    state = some(engine)
    twin = copy.deepcopy({"a": [state]})["a"][0]
    assert twin == state
    twin.apply_action(twin.legal_actions()[0])
    assert twin != state


def test_packs_of_the_package_travel_by_hash() -> None:
    game: Any = cysmic_fast.load_game(players=4)
    assert len(pickle.dumps(game)) < 1000
    assert pickle.loads(pickle.dumps(game.content)) is game.content
    bare: Any = cysmic_fast.load_game(players=4, abilities=False)
    back = pickle.loads(pickle.dumps(bare))
    assert back == bare
    assert not any(relic.rules for relic in back.content.relics)
    assert len(pickle.dumps(bare)) < 1000
    mine: Any = cysmic_fast.load_game(players=4, packs=STORM)
    back = pickle.loads(pickle.dumps(mine))
    assert back.content == mine.content
    assert back.content.discovery == mine.content.discovery
    assert back.content.entries == mine.content.entries
    from cysmic_fast.content.loader import packed_content

    with pytest.raises(ContentError, match="with hash 00"):
        packed_content("standard", "00")


@pytest.mark.parametrize("method", ["spawn", "fork"])
def test_other_processes(method: str) -> None:
    states = [some("native"), some("native", packs=STORM), some("reference", packs=STORM)]
    with ProcessPoolExecutor(1, multiprocessing.get_context(method)) as pool:
        for state, (back, data) in zip(states, pool.map(follow, states, timeout=60), strict=True):
            wanted, mine = follow(state.clone())
            assert back == wanted
            assert data == mine
