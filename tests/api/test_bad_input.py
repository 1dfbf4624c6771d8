"""Bad input to every entry point: one clear error of our family, the state unchanged."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cysmic_fast
from cysmic_fast import vocabulary as v
from cysmic_fast.errors import (
    ChanceError,
    ContentError,
    CysmicError,
    GameOverError,
    IllegalActionError,
    OptionError,
    PositionError,
)

INTEGERS = [
    np.int8,
    np.uint8,
    np.int16,
    np.uint16,
    np.int32,
    np.uint32,
    np.int64,
    np.uint64,
    np.intp,
    np.longlong,
]


def load(engine: str, **options: Any) -> Any:
    return cysmic_fast.load_game("competitive", engine=engine, **{"players": 2, **options})


# ------------------------------------------------------------------ load_game
@pytest.mark.parametrize(
    "options",
    [
        {"players": 1},
        {"players": 7},
        {"players": "4"},
        {"players": None},
        {"players": True},
        {"players": 2**70},
        {"engine": "fast"},
        {"engine": None},
        {"player": 4},
        {"mode": "solo"},
        {"mode": None},
        {"ending": "quick"},
        {"ending": 3},
        {"launch": "base", "ending": "base"},
        {"factions": 1},
        {"trading": "no"},
        {"max_rounds": 0},
        {"max_rounds": -1},
        {"max_rounds": 2**40},
        {"blueprint_variant": 1, "players": 4},
        {"colours": ["blue", "blue"]},
        {"colours": ["red", "blue"]},
        {"echoes": {5: {"miner": 1}}},
        {"echoes": {0: {"miner": 9}}},
        {"espionage": True},
        {"content": "standard"},
        {"packs": 3},
        {"packs": None},
        {"packs": np.array(2)},
    ],
)
def test_wrong_options(options: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        cysmic_fast.load_game(**{"mode": "competitive", "players": 2, "engine": "reference", **options})


def test_close_matches_are_offered() -> None:
    with pytest.raises(OptionError, match="players"):
        cysmic_fast.load_game("competitive", playrs=4)
    with pytest.raises(OptionError, match="reference"):
        cysmic_fast.load_game("competitive", engine="refrence")


def test_abilities_are_the_default(engine: str) -> None:
    """Cards have their Abilities unless they are declined."""
    assert load(engine).options.abilities is True
    game = load(engine, abilities=False)
    assert game.options.abilities is False
    assert not any(card.ability or card.effect for card in game.content.discovery)
    assert not game.new_initial_state(1).is_terminal()


@pytest.mark.parametrize("wrong", [0, 1, "yes", None])
def test_wrong_abilities(engine: str, wrong: Any) -> None:
    with pytest.raises(OptionError, match="abilities"):
        load(engine, abilities=wrong)


def test_wrong_packs(tmp_path: Path) -> None:
    with pytest.raises(ContentError):
        cysmic_fast.load_game(packs=[tmp_path / "none"], engine="reference")
    (tmp_path / "units.toml").write_text("[soldier\n", encoding="utf-8")
    with pytest.raises(ContentError, match=r"units\.toml"):
        cysmic_fast.load_game(packs=[tmp_path], engine="reference")


# ------------------------------------------------------------------ new states
@pytest.mark.parametrize(
    "seed", [-1, 2**64, None, "1", 1.0, [], True, np.int8(-1), np.float64(1), np.array([1, 2])]
)
def test_wrong_seeds(engine: str, seed: Any) -> None:
    game = load(engine)
    with pytest.raises(OptionError):
        game.new_initial_state(seed)
    with pytest.raises(OptionError):
        game.new_initial_state(0, index=seed)
    with pytest.raises(OptionError):
        game.simulate(seed, 0, 1)
    with pytest.raises(OptionError):
        game.simulate(0, seed, 1)
    state = game.new_initial_state(1)
    if seed is not None:
        with pytest.raises(OptionError):
            state.clone(seed)
        doc = position()
        with pytest.raises(OptionError):
            game.state_from_position(doc, seed)
        with pytest.raises(OptionError):
            game.state_from_position(doc, index=seed)


@pytest.mark.parametrize("kind", INTEGERS)
def test_any_integer_is_a_seed(engine: str, kind: Any) -> None:
    game = load(engine)
    assert (
        game.new_initial_state(kind(7), index=kind(3)).snapshot()
        == game.new_initial_state(7, index=3).snapshot()
    )


def test_largest_seed(engine: str) -> None:
    game = load(engine)
    state = game.new_initial_state(2**64 - 1, index=2**64 - 1)
    assert state.snapshot()["chance"]["seed"] == 2**64 - 1


@pytest.mark.parametrize("wrong", [0, -1, None, "2", 1.5, True])
def test_wrong_threads(engine: str, wrong: Any) -> None:
    with pytest.raises(OptionError):
        load(engine).simulate(1, 0, 1, threads=wrong)


@pytest.mark.parametrize("wrong", [-1, None, "2", 1.5, 2**64])
def test_wrong_counts(engine: str, wrong: Any) -> None:
    with pytest.raises(OptionError):
        load(engine).simulate(1, 0, wrong)


def test_no_games(engine: str) -> None:
    records = load(engine).simulate(1, 0, 0)
    assert records.shape == (0,)
    assert records.dtype == cysmic_fast.GAME_STATS


def test_indices_do_not_run_over(engine: str) -> None:
    with pytest.raises(OptionError):
        load(engine).simulate(1, 2**64 - 1, 2)


# ------------------------------------------------------------------ actions
WRONG_ACTIONS: list[Any] = [
    -1,
    512,
    2**31,
    2**63,
    2**64,
    -(2**63),
    10**5000,
    None,
    "done",
    "0",
    1.0,
    0j,
    b"0",
    [],
    [0],
    {},
    object(),
    True,
    False,
    np.bool_(True),
    np.float32(1),
    np.array([1]),
    np.int64(-1),
    np.uint64(2**64 - 1),
]


class BrokenIndex:
    def __index__(self) -> int:
        raise RuntimeError("no number")


@pytest.mark.parametrize("action", [*WRONG_ACTIONS, BrokenIndex()], ids=lambda a: type(a).__name__)
def test_wrong_actions(engine: str, action: Any) -> None:
    state = load(engine).new_initial_state(3)
    before = state.snapshot()
    with pytest.raises(IllegalActionError) as caught:
        state.apply_action(action)
    assert not isinstance(caught.value, GameOverError)
    assert isinstance(caught.value, ValueError)
    assert state.snapshot() == before


def test_illegal_actions_of_the_vocabulary(engine: str) -> None:
    state = load(engine).new_initial_state(3, record=True)
    for _ in range(30):
        before, events = state.snapshot(), state.events()
        legal = state.legal_actions()
        for action in range(v.NUM_ACTIONS):
            if action not in legal:
                with pytest.raises(IllegalActionError):
                    state.apply_action(action)
        assert state.snapshot() == before
        assert state.events() == events
        assert state.legal_actions() == legal
        state.apply_action(legal[len(legal) // 2])


def test_the_message_says_what_is_asked_and_allowed(engine: str) -> None:
    state = load(engine).new_initial_state(3)
    with pytest.raises(IllegalActionError) as caught:
        state.apply_action(v.DONE)
    message = str(caught.value).lower()
    assert v.DecisionKind(state.decision()).name.lower() in message
    allowed = message.split("allowed:")[1]
    for action in state.legal_actions()[:10]:
        assert f"{action} ({state.action_to_string(action)})" in allowed
    assert "done" not in allowed


@pytest.mark.parametrize("kind", INTEGERS)
def test_any_integer_is_an_action(engine: str, kind: Any) -> None:
    game = load(engine)
    state, twin = game.new_initial_state(3), game.new_initial_state(3)
    for _ in range(40):
        legal = state.legal_actions()
        fitting = [a for a in legal if a <= np.iinfo(kind).max]
        action = fitting[-1] if fitting else legal[0]
        state.apply_action(kind(action) if fitting else action)
        twin.apply_action(action)
    assert state.snapshot() == twin.snapshot()


def test_a_finished_game_takes_no_action(engine: str) -> None:
    state = cysmic_fast.play_random_game(load(engine, max_rounds=1), 1)
    before = state.snapshot()
    assert state.is_terminal()
    for action in (0, 5, 511, -1, None, True):
        with pytest.raises(GameOverError):
            state.apply_action(action)
    assert state.snapshot() == before
    assert state.legal_actions() == []
    assert not state.legal_actions_mask().any()
    assert state.current_player() == v.TERMINAL_PLAYER
    assert state.decision() == v.DecisionKind.NONE
    with pytest.raises(PositionError):
        state.to_position()


@pytest.mark.parametrize("seat", [-1, 2, 6, None, "0", 2**64])
def test_wrong_seats(engine: str, seat: Any) -> None:
    state = load(engine).new_initial_state(3)
    with pytest.raises(CysmicError):
        state.influence(seat)


@pytest.mark.parametrize("action", [-1, 512, 7, 2**63, None])
def test_names_of_no_action(engine: str, action: Any) -> None:
    state = load(engine).new_initial_state(3)
    with pytest.raises(IllegalActionError):
        state.action_to_string(action)


# ------------------------------------------------------------------ scripts
SCRIPTS: list[Any] = [
    {"red_dice": ["1"]},
    {"": []},
    {3: ["1"]},
    {None: ["1"]},
    {"RED_DIE": ["1"]},
    {"Red_Die": ["1"]},
    {"red_die": {"1"}},
    {"red_die": {"1": 1}},
    {"red_die": (n for n in "1")},
    {"red_die": b"1"},
    {"red_die": ["1", 2]},
    {"relic_shuffle": [{"R01"}]},
    {"red_die": "1"},
    {"red_die": None},
    {"red_die": 3},
    {"red_die": [["1"]]},
    {"red_die": [None]},
    {"terrain_layout": ["lake"]},
    {"discovery_shuffle": ["D03"]},
    {"discovery_shuffle": [[None]]},
    ["red_die"],
    "red_die",
    5,
]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda s: repr(s)[:30])
def test_malformed_scripts(engine: str, script: Any) -> None:
    game = load(engine)
    with pytest.raises(ChanceError):
        game.new_initial_state(1, script=script)
    with pytest.raises(ChanceError):
        game.state_from_position(position(), 1, script=script)
    state = game.new_initial_state(1)
    before = state.snapshot()
    with pytest.raises(ChanceError):
        state.script(script)
    assert state.snapshot() == before


@pytest.mark.parametrize(
    "script",
    [
        {"first_player": ["yellow"]},
        {"first_player": ["red"]},
        {"terrain_layout": [["camp"] * 4]},
        {"terrain_layout": [["swamp"]]},
        {"terrain_layout": [["colony_city"]]},
        {"terrain_layout": [["lake"] * 22]},
        {"discovery_shuffle": [["D01"]]},  # Molten Core
        {"discovery_shuffle": [["X01"]]},
        {"relic_shuffle": [["R01"] * 9]},
    ],
)
def test_impossible_outcomes_of_set_up(engine: str, script: Any) -> None:
    with pytest.raises(ChanceError):
        load(engine).new_initial_state(1, script=script)


def test_an_impossible_token_changes_nothing(engine: str) -> None:
    game = load(engine)
    doc = position()
    doc["bag"] = ["savannah-1"]
    doc["cysmograph"] = {"singles": 7, "stack": 7}
    state = game.state_from_position(doc, 1, script={"fracture_token": ["forest-2"]}, record=True)
    # The Colony Ship's Stabilize causes the Tremor.
    state.apply_action(game.action_id("command:recruit"))
    state.apply_action(game.action_id("command:colony_ship"))
    for _ in range(20):
        before, legal, events = state.snapshot(), state.legal_actions(), state.events()
        try:
            state.apply_action(legal[-1])
        except ChanceError as error:
            message = str(error)
            break
    else:
        pytest.fail("no token was drawn")
    assert "forest-2" in message
    assert state.snapshot() == before
    assert state.legal_actions() == legal
    assert state.events() == events
    assert [e for e in events if e[0] == v.EventKind.CHANCE] == []
    # The outcome still waits: the same action fails again.
    with pytest.raises(ChanceError):
        state.apply_action(legal[-1])
    assert state.snapshot() == before


# ------------------------------------------------------------------ positions
def position() -> dict[str, Any]:
    return {
        "version": 1,
        "players": [
            {"ship": "savannah-4-2"},
            {"ship": "forest-4-2", "units": {"forest-4-1": {"soldier": 1}}},
        ],
    }


@pytest.mark.parametrize("doc", [None, [], "x", 3, {}, {"version": 1}, {"version": 1, "players": [{}, {}]}])
def test_malformed_positions(engine: str, doc: Any) -> None:
    with pytest.raises(PositionError):
        load(engine).state_from_position(doc)


def test_positions_of_another_game(engine: str) -> None:
    doc = load(engine).state_from_position(position()).to_position()
    with pytest.raises(PositionError, match=r"options\.molten_core"):
        load(engine, molten_core=True).state_from_position(doc)
    with pytest.raises(PositionError, match="players"):
        load(engine, players=3).state_from_position(position())
    changed = copy.deepcopy(doc)
    changed["content_hash"] = "0" * 64
    with pytest.raises(PositionError, match="content_hash"):
        load(engine).state_from_position(changed)


def test_keys_of_abilities_need_the_option(engine: str) -> None:
    """Without Abilities a document neither has nor takes what only their effects leave behind."""
    game = load(engine, abilities=False)
    doc = game.new_initial_state(1).to_position()
    assert "grants" not in doc
    assert not {"confused", "tokens", "once"} & set(doc["players"][0])
    with pytest.raises(PositionError) as error:
        game.state_from_position(doc | {"grants": []})
    assert [defect[:2] for defect in error.value.defects] == [("document", "unknown key 'grants'")]
    for key, nothing in (("confused", []), ("tokens", 0), ("once", [])):
        players = copy.deepcopy(doc["players"])
        players[1][key] = nothing
        with pytest.raises(PositionError) as error:
            game.state_from_position(doc | {"players": players})
        assert [defect[:2] for defect in error.value.defects] == [("players[1]", f"unknown key '{key}'")]


def test_no_position_in_the_middle_of_a_turn(engine: str) -> None:
    state = load(engine).state_from_position(position())
    state.apply_action(state.legal_actions()[0])
    with pytest.raises(PositionError):
        state.to_position()
    snapshot = state.snapshot()
    assert snapshot["phase"] == "mid_turn"
    with pytest.raises(PositionError, match="phase"):
        load(engine).state_from_position(snapshot)
