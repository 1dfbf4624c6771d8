"""History: undo, redo, branches, on both engines."""

from __future__ import annotations

import random
from typing import Any

import pytest

import cysmic_fast
from cysmic_fast import History
from cysmic_fast.errors import IllegalActionError, OptionError, ReplayError


def played(engine: str, moves: int, **options: Any) -> History:
    history = History(cysmic_fast.load_game(players=3, engine=engine, **options), seed=4, index=1)
    rng = random.Random(6)
    for _ in range(moves):
        history.apply_action(rng.choice(history.state.legal_actions()))
    return history


def test_undo_and_redo_go_through_every_state(engine: str) -> None:
    """Chance included: what is done again brings the same dice and cards."""
    history = History(cysmic_fast.load_game(players=3, engine=engine), seed=4)
    rng, states = random.Random(6), [history.state.snapshot()]
    for _ in range(90):
        history.apply_action(rng.choice(history.state.legal_actions()))
        states.append(history.state.snapshot())
    for ply in [*range(89, -1, -7), 0]:
        history.undo(len(history) - ply)
        assert history.state.snapshot() == states[ply]
    assert (len(history), history.undone, history.actions) == (0, 90, [])
    for ply in (1, 2, 15, 16, 17, 90):
        assert history.redo(ply - len(history)).snapshot() == states[ply]
    assert history.undone == 0


def test_single_steps(engine: str) -> None:
    history = played(engine, 40)
    before = history.state.clone()
    history.apply_action(history.state.legal_actions()[0])
    assert history.undo() == before
    assert history.redo() != before


def test_a_branch_forgets_what_was_undone(engine: str) -> None:
    history = played(engine, 40)
    actions = history.actions
    history.undo(25)
    legal = history.state.legal_actions()
    other = next(a for a in legal if a != actions[15])
    history.apply_action(other)
    assert history.undone == 0
    assert history.actions == [*actions[:15], other]
    twin = history.start
    for action in history.actions:
        twin.apply_action(action)
    assert twin == history.state
    with pytest.raises(OptionError):
        history.redo()


def test_moves(engine: str) -> None:
    history = played(engine, 30)
    twin = history.start
    for move in history.moves:
        assert move.player == twin.current_player()
        assert move.decision == twin.decision()
        assert move.name == twin.action_to_string(move.action)
        twin.apply_action(move.action)
    assert [move.ply for move in history.moves] == list(range(1, 31))
    assert twin == history.state
    assert "30 actions, 0 undone" in repr(history)


def test_a_state_is_copied(engine: str) -> None:
    state: Any = cysmic_fast.load_game(players=2, engine=engine).new_initial_state(3)
    before = state.clone()
    history = History(state)
    history.apply_action(history.state.legal_actions()[0])
    assert state == before == history.start
    assert history.game is state.game


def test_bad_input(engine: str) -> None:
    history = played(engine, 20)
    before, actions = history.state.clone(), history.actions
    history.undo(2)
    with pytest.raises(IllegalActionError):
        history.apply_action(511)
    assert history.undone == 2
    assert history.redo(2) == before
    for n in (-1, 21, 1.5, "1", None):
        with pytest.raises(OptionError):
            history.undo(n)  # type: ignore[arg-type]
    with pytest.raises(OptionError):
        history.redo(1)
    assert history.actions == actions
    for start in (3, None, history):
        with pytest.raises(OptionError, match=r"start: .* given; allowed: a game or a state"):
            History(start)  # type: ignore[arg-type]
    with pytest.raises(OptionError):
        History(before, seed=3)


def test_acting_past_the_history_is_told(engine: str) -> None:
    """With the ply at which its actions no longer lead where the game went."""
    history = played(engine, 20)
    history.state.apply_action(history.state.legal_actions()[0])
    with pytest.raises(ReplayError, match=r"ply 21: .*other than the history") as caught:
        history.to_replay()
    assert caught.value.ply == 21

    for _ in range(3):
        history.apply_action(history.state.legal_actions()[-1])
    with pytest.raises(ReplayError, match=r"ply 2[1-4]: ") as caught:
        history.to_replay()
    assert caught.value.ply is not None
    history.undo(3)  # back to the last copy, and on from there
    with pytest.raises(ReplayError, match=r"ply 2[1-3]: ") as told:
        history.redo(3)
    assert told.value.ply == caught.value.ply


def test_a_whole_game_keeps_few_copies() -> None:
    history = History(cysmic_fast.load_game(players=4), seed=1)
    rng = random.Random(1)
    while not history.state.is_terminal():
        history.apply_action(rng.choice(history.state.legal_actions()))
    assert len(history) > 500
    assert len(history._copies) == 1 + len(history) // 16
