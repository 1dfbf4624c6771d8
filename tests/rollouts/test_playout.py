"""The playout policy: the same on both engines, and after a Launch."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cysmic_fast
from cysmic_fast import _native
from cysmic_fast.errors import GameOverError, OptionError
from cysmic_fast.playout import MOVE_RULES, RULES, PlayoutPolicy, playout_rows, playout_weights
from cysmic_fast.playout_groups import FIRST_GROUP, MAX_PLAYOUT_RULES, Group
from cysmic_fast.policies import RandomPolicy
from cysmic_fast.vocabulary import DecisionKind, UnitType

GAMES: list[tuple[int, dict[str, Any]]] = [
    (2, {}),
    (3, {"factions": True, "molten_core": True}),
    (4, {"ending": "guilty", "events": True, "factions": True}),
    (3, {"blueprint_variant": 1, "abilities": False}),
    (6, {"max_rounds": 12}),
]


def test_the_table_is_sound() -> None:
    rows = playout_rows()
    assert len(rows) == len(DecisionKind) + len(UnitType)
    assert set(MOVE_RULES) == set(UnitType)
    for kind, row in RULES.items():
        assert rows[kind] == row
        assert row, kind
    for row in rows:
        assert len(row) <= MAX_PLAYOUT_RULES
        assert len({what for what, _ in row}) == len(row)
        for what, weight in row:
            assert 0 <= what < FIRST_GROUP or what in set(Group)
            assert 1 <= weight <= 10_000
    assert min(Group) == FIRST_GROUP
    used = {what for row in rows for what, _ in row if what >= FIRST_GROUP}
    assert used >= {Group.ALL, Group.TO_RAID, Group.SHIP_CARD, Group.HOME, Group.ENOUGH}


@pytest.mark.parametrize(("players", "options"), GAMES)
def test_both_engines_weigh_the_same(players: int, options: dict[str, Any]) -> None:
    """At every decision of a whole game, action by action."""
    one, two = (
        cysmic_fast.load_game(players=players, engine=engine, **options).new_initial_state(5, index=players)
        for engine in ("native", "reference")
    )
    policy = PlayoutPolicy(5, players)
    kinds = Counter()
    while not one.is_terminal():
        weights = playout_weights(one)
        assert weights == playout_weights(two), (one.decision(), kinds.total())
        legal = one.legal_actions()
        assert all(set(actions) <= set(legal) and actions for _, actions in weights)
        action = policy.draw(weights) if weights else policy.choose(legal)
        kinds[one.decision()] += 1
        one.apply_action(action)
        two.apply_action(action)
    assert two.is_terminal()
    assert playout_weights(one) == []
    assert {DecisionKind.MOVE_TO, DecisionKind.PLAY, DecisionKind.BONUS, DecisionKind.RECRUIT_TYPE} <= set(
        kinds
    )


@pytest.mark.parametrize("group", list(Group))
def test_every_group_is_the_same_on_both_engines(group: Group) -> None:
    """Each group alone, with the rules replaced, wherever it can hold something."""
    rows = [((int(group), 3),)] * len(playout_rows())
    one, two = (
        cysmic_fast.load_game(players=3, engine=engine, max_rounds=12, ending="build_it").new_initial_state(2)
        for engine in ("native", "reference")
    )
    from cysmic_fast.reference.playout import playout_weights as of_reference

    policy = PlayoutPolicy(3)
    held = 0
    while not one.is_terminal():
        weights = _native.playout_weights(one, rows)
        assert weights == of_reference(two, rows)
        held += bool(weights)
        action = policy(one)
        one.apply_action(action)
        two.apply_action(action)
    # Nobody has completed a Ship by then.
    assert (held > 0) == (group not in (Group.HOME, Group.ENOUGH))


def completed_position(engine: str) -> Any:
    """A state at a turn of seat 0, whose Ship is completed."""
    game = cysmic_fast.load_game(players=2, engine=engine)
    state = game.new_initial_state(6)
    policy = PlayoutPolicy(6)
    while state.snapshot()["phase"] != "turn":
        state.apply_action(policy(state))
    doc = state.to_position()
    seat = state.active_player
    names = [module.id for module in game.content.modules]
    doc["players"][seat]["blueprints"] = doc["players"][seat]["modules"] = names
    return game.state_from_position(doc, seed=4)


def test_a_completed_ship_brings_its_units_home() -> None:
    """Evacuation and Launch; the same on both engines all the way."""
    one, two = completed_position("native"), completed_position("reference")
    policy = PlayoutPolicy(8)
    seen = set()
    while not one.is_terminal():
        weights = playout_weights(one)
        assert weights == playout_weights(two)
        action = policy.draw(weights) if weights else policy.choose(one.legal_actions())
        seen.add(one.action_to_string(action) if one.decision() != DecisionKind.LAUNCH else "launch")
        one.apply_action(action)
        two.apply_action(action)
    assert one.end_reason() == 0
    assert "launch" in seen


@given(st.lists(st.tuples(st.integers(1, 50), st.lists(st.integers(0, 511), min_size=1, max_size=9))))
def test_draws_are_in_proportion_to_the_weights(layers: list[tuple[int, list[int]]]) -> None:
    """Every action that is weighed can come, none else, and the draw is the stream's."""
    if not layers:
        return
    total = sum(weight * len(actions) for weight, actions in layers)
    expected = [action for weight, actions in layers for action in actions for _ in range(weight)]
    assert len(expected) == total
    for index in range(3):
        place = PlayoutPolicy(1, index).bounded(total)
        assert PlayoutPolicy(1, index).draw(layers) == expected[place]


def test_the_policy_object_plays_what_rollouts_plays(engine: str) -> None:
    game = cysmic_fast.load_game(players=3, engine=engine, max_rounds=5)
    result = cysmic_fast.rollouts(game, 2, "playout", seed=4, first=6, per_game=True)
    assert result.records is not None
    for i in range(2):
        state, policy = game.new_initial_state(4, index=6 + i), PlayoutPolicy(4, 6 + i)
        decisions = 0
        while not state.is_terminal():
            state.apply_action(policy(state))
            decisions += 1
        assert result.records["decisions"][i] == decisions
        with pytest.raises(GameOverError):
            policy(state)


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("ending", ["base", "build_it"])
def test_it_is_after_a_launch(players: int, ending: str) -> None:
    """At least one playout in ten ends by a Launch, of random ones hardly any (docs/rollouts.md)."""
    game = cysmic_fast.load_game(players=players, ending=ending)
    playout = cysmic_fast.rollouts(game, 100, "playout", threads=2)
    assert playout.ends["launch"] >= 10
    assert cysmic_fast.rollouts(game, 100, "random", threads=2).ends["launch"] <= 2
    assert sum(playout.ends.values()) == 100


def test_it_does_what_a_launch_needs() -> None:
    """Recruits, mines, captures, exchanges, attacks, builds: more than random play does."""
    game = cysmic_fast.load_game(players=4)
    playout = game.simulate(1, 0, 100, policy="playout")
    chance = game.simulate(1, 0, 100)
    for name, times in (
        ("modules", 2),
        ("blueprints_exchange", 5),
        ("blueprints_cyber", 1.5),
        ("captures", 5),
    ):
        assert playout[name].sum(dtype=np.int64) > times * chance[name].sum(dtype=np.int64), name


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [()] * 3,
        [((0, 1),) * (MAX_PLAYOUT_RULES + 1)] * 200,
        [((9999, 1),)] * (len(DecisionKind) + 6),
        [((0, -1),)] * (len(DecisionKind) + 6),
        [((0, 10**6),)] * (len(DecisionKind) + 6),
    ],
)
def test_a_table_that_cannot_be_is_refused(rows: Any) -> None:
    state = cysmic_fast.load_game().new_initial_state()
    with pytest.raises(OptionError, match="playout rules"):
        _native.playout_weights(state, rows)


@pytest.mark.parametrize("what", [None, 3, cysmic_fast.load_game()])
def test_what_is_no_state(what: Any) -> None:
    for look in (PlayoutPolicy(), RandomPolicy(), playout_weights):
        with pytest.raises(OptionError, match="given; allowed: a state"):
            look(what)
