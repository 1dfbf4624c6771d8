"""Batches made with ``knowledge=True``: their rows know what the seats of games played by hand know."""

from __future__ import annotations

from typing import Any

import cysmic_fast
from cysmic_fast import Batch

ROWS = 3


def load() -> Any:
    return cysmic_fast.load_game(players=2, factions=True, max_rounds=12)


def seen(state: Any) -> list[Any]:
    """Views of all seats, and a world of each."""
    return [(state.view(seat), state.resample(seat, 7).snapshot()) for seat in range(2)]


def known(state: Any) -> int:
    """Command Cards that somebody excludes, cards that somebody knows to be in a hand."""
    others = [state.view(seat)["players"][1 - seat] for seat in range(2)]
    return sum(
        sum(map(len, player["excluded"])) + len(player["discovery"]["known"]) + len(player["relics"]["known"])
        for player in others
    )


def test_rows_know_what_single_games_know() -> None:
    """Through ends of games, whose successors begin without what was known."""
    game = load()
    batch = Batch(game, ROWS, seed=5, knowledge=True)
    assert batch.knowledge
    states = [game.new_initial_state(5, index=i) for i in range(ROWS)]
    most = 0
    ended = 0
    while ended < 2 * ROWS:
        actions = batch.random_actions()
        batch.step(actions)
        for i, action in enumerate(actions):
            states[i].apply_action(action)
            if batch.episode_ended[i]:
                ended += 1
                states[i] = game.new_initial_state(5, index=int(batch.game_index[i]))
                assert known(batch.state(i)) == 0
        if batch.lengths[0] % 32 == 0 or batch.episode_ended.any():
            assert [seen(batch.state(i)) for i in range(ROWS)] == [seen(state) for state in states]
            most = max(most, *map(known, states))
    assert most > 5


def test_it_goes_in_and_out_with_states_and_into_clones() -> None:
    """Without ``knowledge`` it stays outside."""
    game = load()
    keeps, forgets = Batch(game, ROWS, knowledge=True), Batch(game, ROWS)
    assert not forgets.knowledge
    state = game.new_initial_state(1)
    while known(state) < 6:
        state.apply_action(state.legal_actions()[-1])
    for batch in (keeps, forgets):
        batch.set_state(1, state)
    assert seen(keeps.state(1)) == seen(state)
    assert known(forgets.state(1)) == 0
    twin = keeps.clone()
    assert twin.knowledge
    for _ in range(40):
        actions = twin.random_actions()
        twin.step(actions)
        state.apply_action(actions[1])
        assert seen(twin.state(1)) == seen(state)
    keeps.reset()
    assert known(keeps.state(1)) == 0
