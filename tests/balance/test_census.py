"""The census: what it counts, the same on both engines, for any number of threads."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from cysmic_fast import load_game
from cysmic_fast._crosscheck_data import CONFIGS, load_pair
from cysmic_fast.census import BATCHES, Census, GameNotes
from cysmic_fast.errors import OptionError
from cysmic_fast.interface import Game
from cysmic_fast.policies import RandomPolicy, play_random_game
from cysmic_fast.vocabulary import CensusRow, EventKind

KINDS = [
    "2p:quick+build_it+immediate",
    "2p:quick+blueprints2",
    "3p:quick+guilty+simultaneous",
    "4p:quick+build_it+equality",
    "4p:core+quick+build_it+simultaneous",
    "5p:quick+build_it+simultaneous",
    "6p:quick+base+immediate",
    "3p:tight",
    "4p:wide",
]


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("cards", [False, True], ids=["plain", "everything"])
def test_both_engines_count_the_same(name: str, cards: bool) -> None:
    if name not in CONFIGS:
        pytest.fail(f"no such configuration: {name}")
    config = CONFIGS[name]
    options = dict(config.options) | {"max_rounds": 25}
    if cards:
        options |= {"factions": True, "molten_core": True, "events": True}
    reference, native = load_pair(replace(config, options=tuple(options.items())))
    counts = []
    for game in (reference, native):
        census = Census(game.num_players)
        records = game.simulate(11, 3, 2, census=census)
        np.testing.assert_array_equal(records, game.simulate(11, 3, 2))  # counting changes nothing
        counts.append(census)
    assert counts[0] == counts[1]
    assert counts[0].games == 2
    assert counts[0].seen(CensusRow.DISCOVERY_HELD).sum() > 0
    assert (counts[0].seen(CensusRow.FACTION).sum() > 0) == options.get("factions", False)


def test_there_are_winners_among_the_games_compared() -> None:
    """Otherwise the comparison above would say nothing of wins."""
    _, native = load_pair(CONFIGS["4p:quick+build_it+equality"])
    census = Census(4)
    native.simulate(11, 3, 200, census=census)
    assert census.won(CensusRow.DISCOVERY_HELD).sum() > 100


def test_numbers_of_one_game_by_hand(quick_game: Game) -> None:
    """Against the events of the same game, read in another way."""
    for index in range(6):
        census = Census(3)
        quick_game.simulate(2, index, 1, census=census)
        state = play_random_game(quick_game, 2, index, record=True)
        won = state.winners()
        events = state.events()
        held = {(p, b) for k, p, a, b, _ in events if k == EventKind.RECEIVE and a == 0}
        gained = {(p, b) for k, p, a, b, _ in events if k == EventKind.RECEIVE and a == 1}
        active = {(p, a) for k, p, a, _, c in events if k == EventKind.RELIC and c == 1}
        played = {(p, a) for k, p, a, b, _ in events if k == EventKind.PLAY_CARD and b in (0, 1, 2)}
        modifier = {(p, a) for k, p, a, b, _ in events if k == EventKind.PLAY_CARD and b == 4}
        drawn = {(p, a) for k, p, a, b, _ in events if k == EventKind.PLAY_CARD and b == 3}
        seats = {(p, p) for p in range(3)}
        factions = {(p, n["faction"]) for p, n in enumerate(state.snapshot()["players"])}
        ids = {card.id: number for number, card in enumerate(quick_game.content.factions)}
        for row, pairs in {
            CensusRow.DISCOVERY_HELD: held,
            CensusRow.RELIC_HELD: gained,
            CensusRow.RELIC_ACTIVATED: active,
            CensusRow.DISCOVERY_PLAYED: played,
            CensusRow.DISCOVERY_MODIFIER: modifier,
            CensusRow.EVENT_DRAWN: drawn,
            CensusRow.SEAT: seats,
            CensusRow.FACTION: {(p, ids[f]) for p, f in factions},
        }.items():
            assert {(p, d) for d, p in np.argwhere(census.seen(row))} == pairs
            assert {(p, d) for d, p in np.argwhere(census.won(row))} == {x for x in pairs if x[0] in won}
            holders = Counter(d for _, d in pairs)
            winners = Counter(d for p, d in pairs if p in won)
            total = sum(3 * winners[d] - len(won) * holders[d] for d in holders)
            for d in holders:
                score = 3 * winners[d] - len(won) * holders[d]
                assert census.fair(row)[d] == len(won) * holders[d]
                assert census.square(row)[d] == score**2
                assert census.cross(row)[d] == score * total
                assert census.batch[row, d, index % BATCHES] == score
            assert census.row_square[row] == total**2
        happened = {d for _, d in drawn}
        n, outcome = len(happened), (state.round, bool(won))
        for k, x in enumerate(outcome):
            for power in range(3):
                for i in range(3):
                    assert census.all_events[i, k, power] == n**i * x**power
                for d in happened:
                    assert [census.event[d, i, k, power] for i in (0, 1)] == [x**power, n * x**power]
        assert set(np.flatnonzero(census.event[:, 0, 0, 0])) == happened


def test_hands_hold_what_was_received() -> None:
    """At every decision; on the engine without scruples about who got a card from whom."""
    game = load_game(players=4, factions=True, molten_core=True, events=True, max_rounds=30)
    policy = RandomPolicy(8, 1)
    state = game.new_initial_state(8, index=1, record=True)
    received: set[tuple[int, int, int]] = set()
    ids = ({c.id: n for n, c in enumerate(game.content.discovery)},)
    ids += ({c.id: n for n, c in enumerate(game.content.relics)},)
    decisions = 0
    while not state.is_terminal():
        received |= {(p, a, b) for k, p, a, b, _ in state.events() if k == EventKind.RECEIVE}
        state.clear_events()
        decisions += 1
        if decisions % 7 == 0:
            for seat, player in enumerate(state.snapshot()["players"]):
                for deck, key in enumerate(("discovery", "relics")):
                    assert {(seat, deck, ids[deck][card]) for card in player[key]} <= received
        state.apply_action(policy(state))
    assert len(received) > 50


def test_threads_and_shares_do_not_matter(quick_game: Game) -> None:
    whole, threaded, parts = Census(3), Census(3), Census(3)
    quick_game.simulate(4, 0, 300, census=whole)
    quick_game.simulate(4, 0, 300, threads=4, census=threaded)
    for first, count in ((170, 130), (0, 1), (1, 169)):
        quick_game.simulate(4, first, count, threads=2, census=parts)
    assert whole == threaded == parts
    assert whole.games == 300


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_a_census_of_another_kind_is_refused(engine: str) -> None:
    game = load_game(players=2, engine=engine, max_rounds=1)
    for wrong in (Census(3), 5, object()):
        with pytest.raises(OptionError, match="census"):
            game.simulate(0, 0, 1, census=wrong)  # type: ignore[arg-type]
    with pytest.raises(OptionError):
        Census(7)
    census = Census(2)
    game.simulate(0, 0, 0, census=census)
    assert census.games == 0


def test_sums_survive_json(quick_report: object) -> None:
    census = quick_report.census  # type: ignore[attr-defined]
    assert Census.from_dict(census.to_dict()) == census
    for wrong in ({}, {"players": 2}, {"players": 2, "sums": {"-1": 3}}, {"players": 2, "sums": {"0": 1.5}}):
        with pytest.raises(OptionError):
            Census.from_dict(wrong)
    with pytest.raises(OptionError):
        Census.from_dict({"players": 2, "sums": {"0": 2**70}})


def test_notes_may_be_fed_in_pieces(quick_game: Game) -> None:
    events = play_random_game(quick_game, 2, 0, record=True).events()
    whole, pieces = GameNotes(), GameNotes()
    whole.hear(events)
    for event in events:
        pieces.hear([event])
    assert (whole.seen, whole.opener) == (pieces.seen, pieces.opener)
