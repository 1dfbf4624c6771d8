"""What callables in playouts see: the states they get know what those of a game played by hand know."""

from __future__ import annotations

from typing import Any

import pytest

import cysmic_fast
from cysmic_fast import rollouts
from cysmic_fast.policies import RandomPolicy

DECISIONS = 250


def seen(state: Any) -> list[Any]:
    """Views of all seats; on the native engine, which resamples anywhere, a world of each besides."""
    players = range(state.game.num_players)
    worlds = [state.resample(seat, 7).snapshot() for seat in players] if state.game.engine == "native" else []
    return [state.view(seat) for seat in players] + worlds


class Watcher:
    """A policy that depends on the position alone, and keeps what can be seen when it is asked."""

    def __init__(self) -> None:
        self.pages: list[list[Any]] = []

    def __call__(self, state: Any) -> int:
        if len(self.pages) % 10 == 0:
            self.pages.append(seen(state))
        else:
            self.pages.append([])
        legal = state.legal_actions()
        return int(legal[(7 * len(legal) + state.round + state.influence(0)) % len(legal)])


def by_hand(state: Any, watcher: Watcher, decisions: int) -> None:
    while decisions and not state.is_terminal():
        state.apply_action(watcher(state))
        decisions -= 1


def middle(engine: str) -> Any:
    """A state of a game of which much is known: cards excluded, known in hands or on top of piles."""
    game = cysmic_fast.load_game(players=3, factions=True, max_rounds=20, engine=engine)
    state, policy = game.new_initial_state(4), RandomPolicy(5)
    while state.round < 8:
        state.apply_action(policy(state))
    return state


def knowing(pages: list[list[Any]]) -> int:
    """Things that views tell of hidden cards: known in a hand, placed, excluded."""
    found = 0
    for page in pages:
        for doc in page:
            if "viewer" in doc:
                found += len(doc["discovery"]["placed"]) + len(doc["relics"]["placed"])
                for player in doc["players"]:
                    found += sum(map(len, player.get("excluded", [])))
                    if "excluded" in player:  # another's
                        found += len(player["discovery"]["known"]) + len(player["relics"]["known"])
    return found


def test_from_a_game(engine: str) -> None:
    """Nothing of one playout is known in the next."""
    game = cysmic_fast.load_game(players=2, engine=engine)
    asked, hand = Watcher(), Watcher()
    rollouts(game, 2, asked, seed=3, first=1, cutoff=DECISIONS)
    for index in (1, 2):
        by_hand(game.new_initial_state(3, index=index), hand, DECISIONS)
    assert asked.pages == hand.pages
    assert knowing(asked.pages) > 20


def test_from_a_state(engine: str) -> None:
    """What the state knew is known at once, in every playout."""
    state = middle(engine)
    before = seen(state)
    asked, hand = Watcher(), Watcher()
    rollouts(state, 2, asked, seed=6, first=0, cutoff=DECISIONS)
    assert knowing(asked.pages[:1]) == knowing([before]) > 0
    assert asked.pages[0][:3] == asked.pages[DECISIONS][:3] == before[:3]
    by_hand(state.clone(seed=6), hand, DECISIONS)
    assert asked.pages[:DECISIONS] == hand.pages
    assert seen(state) == before


@pytest.mark.parametrize("others", ["random", "playout"])
def test_beside_policies_of_another_kind(others: str) -> None:
    """What happens at the other seats' decisions is seen as well."""
    views = []
    for engine in ("native", "reference"):
        watcher = Watcher()
        rollouts(middle(engine), 1, [others, watcher, others], seed=6, cutoff=DECISIONS)
        views.append([page[:3] for page in watcher.pages])
    assert views[0] == views[1]
    assert knowing(views[0]) > knowing(views[0][:1]) > 0


def test_evaluators_see_it_too(engine: str) -> None:
    """An evaluator alone makes a playout keep what is seen."""
    state = middle(engine)
    found: list[Any] = []

    def value(state: Any) -> list[float]:
        found.append(seen(state))
        return [0.0] * 3

    rollouts(state, 1, "random", seed=6, cutoff=DECISIONS, evaluator=value)
    twin, policy = state.clone(seed=6), RandomPolicy(6, 0)
    for _ in range(DECISIONS):
        twin.apply_action(policy(twin))
    assert found == [seen(twin)]
    assert knowing(found) > 0
