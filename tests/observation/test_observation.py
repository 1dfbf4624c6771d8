"""Observations: both engines alike at every decision, ranges, rotation, arrays given, nothing leaked."""

from __future__ import annotations

import copy
import random
import re
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cysmic_fast
from cysmic_fast import observation as obs
from cysmic_fast._crosscheck_data import CONFIGS, load_pair
from cysmic_fast.errors import OptionError
from cysmic_fast.interface import Game, State
from cysmic_fast.policies import RandomPolicy
from cysmic_fast.vocabulary import CommandCard, DecisionKind, Feature, UnitType

PAGE = Path(__file__).resolve().parents[2] / "docs" / "observation.md"
CONFIGURATIONS = [
    ("2p:everything", 900),
    ("3p:factions", 500),
    ("3p:cards3", 500),
    ("4p:plain", 600),
    ("4p:core+events", 300),
    ("4p:quick+base+simultaneous", 500),
    ("5p:wide", 300),
    ("6p:everything", 250),
]


def walk(game: Game, seed: int, index: int = 0) -> Any:
    """A state at all decisions of a random game, the end included."""
    state, policy = game.new_initial_state(seed, index=index), RandomPolicy(seed, index)
    yield state
    while not state.is_terminal():
        state.apply_action(policy(state))
        yield state


def different(spec: obs.ObservationSpec, a: Any, b: Any) -> list[str]:
    return [name for name in spec.fields if not np.array_equal(spec.view(a, name), spec.view(b, name))]


# ------------------------------------------------------------------ the two writers
@pytest.mark.parametrize(("name", "most"), CONFIGURATIONS)
def test_both_engines_see_the_same(name: str, most: int) -> None:
    """At every decision of a random game, for who decides and one other; every value is in its range."""
    config = CONFIGS[name]
    games = load_pair(config)
    spec = cysmic_fast.observation_spec(games[1])
    for at, states in enumerate(zip(*(walk(game, 5, 2) for game in games), strict=True)):
        for seat in {at % config.players, max(0, states[1].current_player())}:
            a, b = (state.observation(seat) for state in states)
            assert a.dtype == b.dtype == np.int8
            assert not different(spec, a, b), f"decision {at} ({states[1].decision().name}), seat {seat}"
            assert (spec.low <= b).all()
            assert (b <= spec.high).all()
        if at == most:
            break


def test_what_the_walks_above_come_across() -> None:
    """Fields that are rarely filled are filled in games of the native engine, at these decisions too."""
    game = cysmic_fast.load_game(players=4, factions=True, events=True, molten_core=True)
    spec = cysmic_fast.observation_spec(game)
    filled = np.zeros(spec.size, dtype=np.bool_)
    kinds: Counter[DecisionKind] = Counter()
    for index in range(12):
        for state in walk(game, 1, index):
            seen = state.observation(max(0, state.current_player()))
            kinds[state.decision()] += 1
            filled |= seen != 0
    assert kinds[DecisionKind.MODIFIER_CARD]
    assert kinds[DecisionKind.CHOOSE_FACTION]
    rare = {"missing", "launched", "final_turn", "looked_relics"}  # launches: the quick configurations above
    assert set(spec.fields) - rare <= {name for name, values in spec.views(filled).items() if values.any()}


def test_dice_lie_on_the_table_while_they_matter() -> None:
    game = cysmic_fast.load_game(players=3)
    spec = cysmic_fast.observation_spec(game)
    seen = 0
    for state in walk(game, 8):
        views = spec.views(state.observation(0))
        pool = views["dice_red"] + views["dice_yellow"]
        legal = [a - 288 for a in state.legal_actions() if 288 <= a < 312]
        assert all(pool[die] for die in legal)
        if state.decision() in (DecisionKind.BURN, DecisionKind.PLAY, DecisionKind.NONE):
            assert not pool.any()
        seen += bool(legal)
    assert seen


# ------------------------------------------------------------------ what stands where
def test_a_position_in_numbers() -> None:
    """A small position, read off field by field."""
    game = cysmic_fast.load_game("competitive", players=3)
    spec = cysmic_fast.observation_spec(game)
    state = game.state_from_position(
        {
            "version": 1,
            "round": 2,
            "tiles": {1: "lake", 2: "camp", 9: "none"},
            "relic_tokens": [9],
            "control": [[2, 2]],
            "current_player": 1,
            "marker": 2,
            "first_player": 1,
            "combats": {"4": 2},
            "players": [
                {"ship": 40, "units": {"4": {"soldier": 2}}, "lorium": 300, "discovery": ["D07"]},
                {"ship": 50, "captured": {"2": {"miner": 1}}, "discovery": ["D09", "D10"], "relics": ["R03"]},
                {
                    "ship": 60,
                    "units": {"4": {"miner": 1, "harvester": 1}},
                    "slots": [{"relic": "R04"}, {"lorium": 2}],
                    "board": [["recruit", "battle"], *[[None, None]] * 4],
                },
            ],
        }
    )
    me = spec.views(state.observation(1))
    assert me["feature"].sum(axis=0).tolist() == [1] * 127
    assert me["feature"][Feature.LAKE].nonzero()[0].tolist() == [1]
    assert me["feature"][Feature.NONE].nonzero()[0].tolist() == [9]
    assert me["impassable"].nonzero()[0].tolist() == [1]
    assert me["relic_token"].nonzero()[0].tolist() == [9]
    assert me["combat"].nonzero()[0].tolist() == [4]
    # seats clockwise from the observer: 1, 2, 0
    assert me["attacker"][:, 4].tolist() == [0, 1, 0]
    assert me["control"][:, 2].tolist() == [0, 1, 0]
    assert [s.nonzero()[0].tolist() for s in me["ship"]] == [[50], [60], [40]]
    assert me["units"][2, UnitType.SOLDIER, 4] == 2
    assert me["units"][1, :, 4].tolist() == [0, 1, 0, 0, 1]
    assert me["units"].sum() == 4
    assert me["captured"][0, 1].tolist() == [0, 1, 0, 0, 0]
    assert me["captured"].sum() == 1
    supply = [game.content.units[t].supply for t in range(5)]
    assert me["reserve"][1].tolist() == [supply[0], supply[1] - 2, *supply[2:4], supply[4] - 1]
    assert me["lorium"].tolist() == [0, 0, 127]  # as much as an int8 can tell
    assert me["stored"][1].tolist() == [0, 2]
    assert me["active_relics"].nonzero() == (1, 0, 3)
    assert me["played"][1, 0].nonzero()[0].tolist() == [CommandCard.BATTLE]
    assert me["burned"].tolist() == [[0] * 5, [1, 0, 0, 0, 0], [0] * 5]
    assert me["discovery_count"].tolist() == [2, 0, 1]
    assert me["relic_count"].tolist() == [1, 0, 0]
    assert me["own_discovery"].nonzero()[0].tolist() == [8, 9]
    assert me["own_relics"].nonzero()[0].tolist() == [2]
    assert me["own_commands"].all()
    assert me["active"].tolist() == [1, 0, 0]
    assert me["marker"].tolist() == [0, 1, 0]
    assert me["round"] == 2
    assert me["column"].tolist() == [0, 1, 0, 0, 0]
    assert me["phase"].tolist() == [0, 1, 0]
    assert me["decision"].nonzero()[0].tolist() == [state.decision()]
    other = spec.views(state.observation(2))
    assert not other["decision"].any()
    assert other["decider"].tolist() == [0, 0, 1]
    assert other["own_burned"].nonzero() == (0, CommandCard.RECRUIT)


def test_seats_are_rotated() -> None:
    """What everybody knows of the players is the same from every seat, turned."""
    game = cysmic_fast.load_game(players=4)
    spec = cysmic_fast.observation_spec(game)
    turned = [
        field.name for field in spec.fields.values() if field.shape[0] == 4 and field.name != "captured"
    ]
    assert len(turned) > 20
    for at, state in enumerate(walk(game, 3)):
        if at % 40:
            continue
        first = spec.views(state.observation(0))
        for seat in range(1, 4):
            views = spec.views(state.observation(seat))
            for name in turned:
                np.testing.assert_array_equal(np.roll(views[name], seat, axis=0), first[name], err_msg=name)
            rolled = np.roll(views["captured"], (seat, seat), axis=(0, 1))
            np.testing.assert_array_equal(rolled, first["captured"])
            for name in ("feature", "bag", "discovery_discard", "round", "dice_value"):
                np.testing.assert_array_equal(views[name], first[name])


def test_the_fields_fill_the_array() -> None:
    game = cysmic_fast.load_game(players=5)
    spec = cysmic_fast.observation_spec(game)
    at = 0
    for name, field in spec.fields.items():
        assert (field.name, field.start) == (name, at)
        at += field.size
    assert spec.shape == (at,) == (spec.size,) == game.new_initial_state().observation(0).shape
    many = np.zeros((3, 2, spec.size), dtype=np.float32)
    assert spec.planes(many).shape == (3, 2, spec.num_planes, 127)
    assert spec.vector(many).shape == (3, 2, spec.size - 127 * spec.num_planes)
    spec.view(many, "units")[1, 0, 4, 3, 77] = 5
    assert many[1, 0].max() == 5
    assert spec.planes(many)[1, 0].max() == 5
    assert not many[0].any()
    assert spec.view(many, "own_relics").base is not None


def test_the_page_lists_the_fields() -> None:
    """The tables of docs/observation.md are these; to change them, paste what the message shows."""
    rows = []
    for name, shape, low, high, meaning in obs.FIELDS:
        rows.append(f"| `{name}` | {' × '.join(map(str, shape))} | {low} … {high} | {meaning} |")
    table = re.findall(r"^\| `.*$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert table == rows, "\n" + "\n".join(rows)


# ------------------------------------------------------------------ calling it
@pytest.mark.parametrize("engine", ["native", "reference"])
def test_an_array_of_the_caller(engine: str) -> None:
    game = cysmic_fast.load_game(players=2, engine=engine)
    spec = cysmic_fast.observation_spec(game)
    state = game.new_initial_state(1)
    fresh = state.observation(1)
    room = np.full((3, spec.size), 99, dtype=np.int8)
    assert state.observation(1, room[1]) is not None
    np.testing.assert_array_equal(room[1], fresh)
    assert (room[[0, 2]] == 99).all()
    out = np.full(spec.size, 99, dtype=np.int8)
    assert state.observation(np.int64(1), out) is out
    before = out.copy()
    locked = out.copy()
    locked.flags.writeable = False
    bad: list[Any] = [
        [0] * spec.size,
        np.zeros(spec.size),
        np.zeros(spec.size, dtype=np.uint8),
        np.zeros(spec.size + 1, dtype=np.int8),
        np.zeros((1, spec.size), dtype=np.int8),
        np.zeros(2 * spec.size, dtype=np.int8)[::2],
        locked,
    ]
    for wrong in bad:
        with pytest.raises(OptionError, match=r"out: .* given; allowed: a writeable C-contiguous int8 array"):
            state.observation(1, wrong)
    for seat in (-1, 2, 1.0, True, None, "0", 2**70):
        with pytest.raises(OptionError, match="player"):
            state.observation(seat, out)  # type: ignore[arg-type]
    np.testing.assert_array_equal(out, before)


def test_bad_arguments_of_the_description() -> None:
    game = cysmic_fast.load_game(players=2)
    spec = cysmic_fast.observation_spec(game)
    with pytest.raises(OptionError, match="a game"):
        cysmic_fast.observation_spec("competitive")  # type: ignore[arg-type]
    seen = game.new_initial_state().observation(0)
    with pytest.raises(OptionError, match="did you mean 'units'"):
        spec.view(seen, "unitz")
    with pytest.raises(OptionError, match=r"arrays of shape"):
        spec.planes(seen[1:])


# ------------------------------------------------------------------ secrets
def shuffled_secrets(
    doc: dict[str, Any], observer: int, rng: random.Random, events: set[str]
) -> dict[str, Any]:
    """Another world that looks the same to a player: hands, Inactive Relics, Burned cards, deck orders."""
    world = copy.deepcopy(doc)
    others = [p for seat, p in enumerate(world["players"]) if seat != observer]
    for deck, key in (("discovery", "discovery"), ("relics", "relics")):
        draw = world[deck]["draw"]
        rng.shuffle(draw)
        cards = [c for p in others for c in p[key]] + [c for c in draw if c not in events]
        rng.shuffle(cards)
        for player in others:
            count = len(player[key])
            player[key], cards = cards[:count], cards[count:]
        world[deck]["draw"] = [c if c in events else cards.pop() for c in draw]
    for player in others:
        hidden = player["hand"] + [burned for burned, _ in player["board"] if burned]
        rng.shuffle(hidden)
        player["board"] = [[hidden.pop() if burned else None, played] for burned, played in player["board"]]
        player["hand"] = hidden
    return world


@pytest.mark.parametrize("engine", ["native", "reference"])
@pytest.mark.parametrize("players", [2, 4])
def test_secrets_are_kept(engine: str, players: int) -> None:
    """Worlds that differ only in what the observer cannot know give the same bytes."""
    native = cysmic_fast.load_game(players=players, events=True, factions=True)
    game = cysmic_fast.load_game(players=players, events=True, factions=True, engine=engine)
    rng, share = random.Random(7), (0.6 if engine == "native" else 0.2) / players
    events = {card.id for card in game.content.discovery if card.event}
    compared: Counter[str] = Counter()
    index = 0
    while index < 3:
        for at, state in enumerate(walk(native, 2, index)):
            if rng.random() > share:
                continue
            try:
                doc = state.to_position()
            except cysmic_fast.PositionError:
                continue
            for observer in range(players):
                here = game.state_from_position(doc)
                there = game.state_from_position(shuffled_secrets(doc, observer, rng, events))
                # Where the first thing asked depends on hidden cards, it is not the same moment.
                if (here.current_player(), here.decision()) != (there.current_player(), there.decision()):
                    compared["elsewhere"] += 1
                    continue
                a, b = here.observation(observer), there.observation(observer)
                assert a.tobytes() == b.tobytes(), (at, observer)
                compared["same"] += 1
                for seat in range(players):
                    if here.observation(seat).tobytes() != there.observation(seat).tobytes():
                        compared["seen by others"] += 1
        index += 1
    assert compared["same"] > 40
    assert compared["same"] > compared["elsewhere"]
    assert compared["seen by others"] > 20  # the worlds did differ


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_a_faction_is_secret_until_all_have_chosen(engine: str) -> None:
    game = cysmic_fast.load_game(players=3, factions=True, engine=engine)
    spec = cysmic_fast.observation_spec(game)
    worlds: list[State] = []
    for choice in (0, 1):
        state = game.new_initial_state(4)
        assert state.decision() == DecisionKind.CHOOSE_FACTION
        state.apply_action(state.legal_actions()[choice])
        assert state.decision() == DecisionKind.CHOOSE_FACTION
        worlds.append(state)
    for seat in (1, 2):
        a, b = (state.observation(seat) for state in worlds)
        assert a.tobytes() == b.tobytes()
        assert not spec.view(a, "faction").any()
    assert different(spec, *(state.observation(0) for state in worlds))[:1] == ["faction"]
    for state in worlds:
        while state.decision() == DecisionKind.CHOOSE_FACTION:
            state.apply_action(state.legal_actions()[0])
        for seat in range(3):
            assert spec.view(state.observation(seat), "faction").sum(axis=1).tolist() == [1, 1, 1]


def test_the_kind_of_a_decision_is_for_who_decides() -> None:
    game = cysmic_fast.load_game(players=4)
    spec = cysmic_fast.observation_spec(game)
    for state in walk(game, 6):
        decider = state.current_player()
        for seat in range(4):
            kinds = spec.view(state.observation(seat), "decision").nonzero()[0].tolist()
            assert kinds == ([state.decision()] if seat == decider else [])


def test_a_finished_game_keeps_its_secrets() -> None:
    """Hands and Burned cards of others stay hidden after the end."""
    game = cysmic_fast.load_game(players=2, max_rounds=3)
    spec = cysmic_fast.observation_spec(game)
    *_, state = walk(game, 9)
    assert state.is_terminal()
    for seat in range(2):
        views = spec.views(state.observation(seat))
        assert views["phase"].tolist() == [0, 0, 1]
        assert not views["decider"].any()
        assert not views["decision"].any()
        doc = state.snapshot()["players"]
        assert views["own_commands"].sum() == len(doc[seat]["hand"])
        assert views["discovery_count"][1] == len(doc[1 - seat]["discovery"])
    assert "own_discovery" in different(spec, state.observation(0), state.observation(1))


def test_the_snippet_of_the_page_runs() -> None:
    (snippet,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    found: dict[str, Any] = {}
    exec(snippet, found)
    assert found["units"].shape == (4, 5, 127)
    spec = found["spec"]
    assert f"there are {spec.num_planes} planes and {spec.size:,} numbers" in PAGE.read_text(encoding="utf-8")
