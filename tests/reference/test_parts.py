"""Parts of the reference engine against brute force and known answers."""

from __future__ import annotations

import random
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest
from reference_play import CONTENT, lively, make_game

from cysmic_fast.errors import ChanceError
from cysmic_fast.names import parse_script
from cysmic_fast.reference import hexmap
from cysmic_fast.reference.chance import Chance, Stream
from cysmic_fast.reference.construction import choose_recall
from cysmic_fast.reference.decision import Decision
from cysmic_fast.reference.hits import defeatable, printed_health
from cysmic_fast.reference.influence import influence
from cysmic_fast.reference.model import TROOPS, Game, Unit, Where
from cysmic_fast.reference.movement import _may_pass, may_stop, walk_ends, walk_tokens
from cysmic_fast.reference.planet import neighbours
from cysmic_fast.vocabulary import ChanceKind, DecisionKind, UnitType


# ---------------------------------------------------------------------- map
def test_sides_are_distance_one_in_cube_coordinates() -> None:
    """P1.4, P1.6."""
    for a, b in product(hexmap.SPACES, repeat=2):
        distance = max(abs(x - y) for x, y in zip(hexmap.cube(a), hexmap.cube(b), strict=True))
        assert (b in hexmap.SIDES[a]) == (distance == 1)
    assert sum(map(len, hexmap.SIDES)) == 2 * 342


def test_numbers_and_places_are_inverse() -> None:
    """P1.7."""
    for space in hexmap.SPACES[1:]:
        spot = hexmap.locate(space)
        assert spot is not None
        assert hexmap.number(spot.terrain, spot.ring, spot.offset) == space


def test_arrows_add_ninety_pairs() -> None:
    """P-EX2."""
    assert len(hexmap.HexMap(CONTENT.planet.arrows).pairs) == 432


def test_inner_spaces() -> None:
    """S4.9."""
    spots = [hexmap.locate(s) for s in hexmap.SPACES if hexmap.is_inner(s)]
    places = {(s.ring, s.offset) for s in spots if s is not None}
    assert len(spots) == 36
    assert places == {(3, 1), (4, 1), (4, 2), (5, 1), (5, 2), (5, 3)}


# ---------------------------------------------------------------------- chance
def test_streams_resume_at_any_word() -> None:
    """A stream is its key and the number of words used."""
    source = np.random.Philox(
        key=np.array([9, 4], dtype=np.uint64), counter=np.array([0, 2, 0, 0], dtype=np.uint64)
    )
    words = [int(w) for w in source.random_raw(100)]
    for used in range(40):
        stream = Stream(9, 4, 2, used)
        assert [stream.word() for _ in range(50)] == words[used : used + 50]


def test_bounded_rejects_the_biased_low_end() -> None:
    """With n just above half the range nearly half of all words are rejected."""
    n = (1 << 63) + 1
    stream, plain = Stream(1, 2, 0), Stream(1, 2, 0)
    for _ in range(20):
        value = stream.bounded(n)
        while True:
            product_ = plain.word() * n
            if product_ % (1 << 64) >= (1 << 64) % n:
                break
        assert value == product_ >> 64
    assert stream.used == plain.used > 20
    assert Stream(1, 2, 0).bounded(1) == 0


def test_scripted_items_come_first() -> None:
    """The generator orders only the rest."""
    chance = Chance(3)
    chance.extend(parse_script({"discovery_shuffle": [["c", "a"]]}))
    first, rest = chance.order(ChanceKind.DISCOVERY_SHUFFLE, [0, 1, 2, 3], list("abcd"))
    assert first == [2, 0]
    assert sorted(rest) == [1, 3]
    chance.extend(parse_script({"discovery_shuffle": [["a", "a"]]}))
    with pytest.raises(ChanceError):
        chance.order(ChanceKind.DISCOVERY_SHUFFLE, [0, 1], list("ab"))


@pytest.mark.parametrize(
    "script",
    [
        {"red": ["4"]},
        {"red_die": "4"},
        {"red_die": [4]},
        {"discovery_shuffle": ["D01"]},
        {3: ["4"]},
        ["red_die"],
    ],
)
def test_malformed_scripts(script: Any) -> None:
    """Refused at once, before anything is drawn."""
    with pytest.raises(ChanceError):
        make_game().new_initial_state(1, script=script)


def test_an_impossible_outcome_changes_nothing() -> None:
    """The error comes at the draw; the state is as before the action, whatever was done on the way."""
    state = make_game(players=2).new_initial_state(1, record=True)
    state.script({"fracture_token": ["nonsense"], "red_die": ["7"], "humanity_die": ["9"]})
    rng, errors = random.Random(1), 0
    for _ in range(3000):
        if state.is_terminal() or errors == 5:
            break
        before = (state.snapshot(), state.legal_actions(), state.events())
        action = rng.choice(state.legal_actions())
        try:
            state.apply_action(action)
        except ChanceError:
            errors += 1
            assert (state.snapshot(), state.legal_actions(), state.events()) == before
            with pytest.raises(ChanceError):
                state.apply_action(action)
    assert errors == 5


def test_a_reseeded_clone_draws_otherwise() -> None:
    """Same table, other future; the script is dropped."""
    state = make_game(players=2).new_initial_state(1)
    state.script({"red_die": ["6"]})
    twin = state.clone(seed=8)
    mine, other = state.snapshot(), twin.snapshot()
    assert other.pop("chance") == {"seed": 8, "index": 0, "words": [0, 0, 0]}
    mine.pop("chance")
    assert mine == other
    assert not twin.table.chance.script[ChanceKind.RED_DIE]
    assert twin.clone().snapshot() == twin.snapshot()


# ---------------------------------------------------------------------- Combat
@pytest.mark.parametrize("seed", range(150))
def test_hits_against_brute_force(seed: int) -> None:
    """K6.1 to K6.3, K6.6: every assignment of different dice is tried."""
    rng = random.Random(seed)
    game = make_game(players=2).new_initial_state(1).table
    kinds = sorted(
        rng.choices(TROOPS, k=rng.randint(1, 2))
        + rng.choices([UnitType.POWERMECH, UnitType.HARVESTER], k=rng.randint(0, 1))
    )
    enemies = [Unit(1, kind) for kind in kinds]
    values = [rng.randint(0, 7) for _ in range(rng.randint(0, 6))]

    def possible(bits: int) -> bool:
        wanted = [n for i, u in enumerate(enemies) if bits >> i & 1 for n in printed_health(game, u)]
        return any(
            all(v >= n for v, n in zip(dice, wanted, strict=True))
            for dice in permutations(values, len(wanted))
        )

    def first_ones(bits: int) -> bool:
        return all(
            not (bits >> i & 1) or bits >> (i - 1) & 1
            for i in range(1, len(enemies))
            if enemies[i].type == enemies[i - 1].type
        )

    expected = [m for m in range(1 << len(enemies)) if possible(m) and first_ones(m)]
    assert defeatable(enemies, values, lambda u: printed_health(game, u)) == expected


# ---------------------------------------------------------------------- movement
def all_walks(game: Game, unit: Unit, most: int) -> list[list[int]]:
    """Every walk of the rules, step by step."""
    done = [[unit.place]]
    for walk in done:
        if len(walk) <= most and (len(walk) == 1 or _may_pass(game, walk[-1], unit.owner)):
            done.extend([*walk, n] for n in neighbours(game, walk[-1], tunl=True))
    return done


@pytest.mark.parametrize("seed", range(12))
def test_moves_against_every_walk(seed: int) -> None:
    """M1, M2, M6.2: ends and tokens are those of some walk."""
    rng = random.Random(seed)
    game = make_game(players=4)
    table = game.state_from_position(lively(game, rng), seed).table
    for unit in table.unlocked(0)[:4]:
        most = CONTENT.units[unit.type].movement
        walks = all_walks(table, unit, most)
        ends = {unit.place} | {w[-1] for w in walks if may_stop(table, w[-1], unit.owner, unit.type)}
        assert walk_ends(table, unit) == sorted(ends)
        for end in sorted(ends):
            tokens = {
                s
                for w in walks
                if w[-1] == end and (end == unit.place or may_stop(table, end, unit.owner, unit.type))
                for s in w[1:]
                if table.spaces[s].token
            }
            assert walk_tokens(table, unit, end) == sorted(tokens)


# ---------------------------------------------------------------------- Recall
@pytest.mark.parametrize("seed", range(60))
def test_recall_is_the_smallest_that_reaches_the_cost(seed: int) -> None:
    """B4.2: whatever is chosen on the way, the total is the best of all subsets."""
    rng = random.Random(seed)
    game = make_game(players=2).new_initial_state(seed).table
    spaces = [s.number for s in game.spaces if not s.impassable and not s.units][:6]
    for kind in rng.choices(TROOPS, k=rng.randint(1, 6)):
        unit = game.reserve(0, kind)[0]
        unit.where, unit.place = Where.PLANET, rng.choice(spaces)
        game.spaces[unit.place].units.append(unit)
    costs = [CONTENT.units[u.type].influence_cost for u in game.on_planet(0)]
    totals = {
        sum(c for c, taken in zip(costs, take, strict=True) if taken)
        for take in product([0, 1], repeat=len(costs))
    }
    for cost in range(max(totals) + 1):
        flow, item = choose_recall(game, 0, cost), None
        try:
            item = next(flow)
            while True:
                assert isinstance(item, Decision)
                assert item.kind in (DecisionKind.RECALL_SPACE, DecisionKind.RECALL_TYPE)
                item = flow.send(rng.choice(item.options))
        except StopIteration as end:
            chosen = end.value
        total = sum(CONTENT.units[u.type].influence_cost for u in chosen)
        assert total == min(t for t in totals if t >= cost)


# ---------------------------------------------------------------------- the model
def test_a_copy_is_independent() -> None:
    """Nothing of a copied table is shared with its original."""
    state = make_game(players=3).new_initial_state(2)
    table = state.table
    twin = table.copy()
    assert not {id(u) for u in table.units} & {id(u) for u in twin.units}
    before = state.snapshot()
    for space in twin.spaces:
        space.units.clear()
        space.control = 0
    for player in twin.players:
        player.hand.clear()
        player.discovery.append(0)
        player.slots[0].lorium = 3
    twin.bag.clear()
    twin.discovery.draw.clear()
    assert state.snapshot() == before
    assert influence(table, 0) == state.influence(0)
