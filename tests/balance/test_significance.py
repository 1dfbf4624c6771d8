"""Statistics against SciPy, and the test of the tables against games made up of pure chance."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from cysmic_fast.balance.tables import make_tables
from cysmic_fast.census import Census, GameNotes
from cysmic_fast.significance import holm, mark, two_sided, two_sided_t
from cysmic_fast.vocabulary import CensusRow

NAMES = {
    deck: [(f"{deck[0].upper()}{n}", f"{deck} {n}") for n in range(128)]
    for deck in ("faction", "discovery", "relic", "seat", "place")
}


@pytest.mark.parametrize("x", [0.0, 0.3, -1.0, 1.96, 4.2, -8.0])
def test_tails(x: float) -> None:
    assert two_sided(x) == pytest.approx(2 * stats.norm.sf(abs(x)))
    for freedom in (3, 7, 31, 63):
        assert two_sided_t(x, freedom) == pytest.approx(2 * stats.t.sf(abs(x), freedom), rel=1e-6, abs=1e-14)


def test_even_degrees_of_freedom_are_refused() -> None:
    for freedom in (0, 1, 4):
        with pytest.raises(ValueError, match="degrees"):
            two_sided_t(1.0, freedom)


def test_holm() -> None:
    assert holm([]) == []
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.6]) == [1.0, 1.0]
    assert [mark(p) for p in (None, 1.0, 0.049, 0.009, 0.0009)] == ["?", "", "*", "**", "***"]


def made_up(games: int, seed: int, help_of: float) -> Census:
    """Games of 4 of which nobody, one or two win; hands differ in size and so do the winners' chances.

    Design 7 adds ``help_of`` to the strength of whoever holds it. Whoever holds more cards is stronger.
    """
    rng = np.random.default_rng(seed)
    census = Census(4)
    for index in range(games):
        notes = GameNotes()
        strength = np.array([1.0, 1.2, 0.9, 0.9])
        for seat in range(4):
            size = rng.integers(2, 14)
            strength[seat] *= 1 + size / 10
            for design in rng.permutation(20)[:size]:
                notes.seen.add((CensusRow.DISCOVERY_HELD, seat, int(design)))
                strength[seat] += help_of * (design == 7)
        # dealt without repetition: players of one game are as unlike as can be
        for seat, faction in enumerate(rng.permutation(8)[:4]):
            notes.seen.add((CensusRow.FACTION, seat, int(faction)))
        winners = rng.choice(4, rng.integers(0, 3), replace=False, p=strength / strength.sum())
        census.add_game(notes, index, winners.tolist(), 10)
    return census


def test_chance_alone_is_not_significant() -> None:
    """Every z has variance 1 whatever the games are like: several winners, unequal seats and hands."""
    scores: dict[str, list[float]] = {}
    marked = 0
    for seed in range(12):
        for table in make_tables(made_up(400, seed, 0.0), NAMES):
            if table.key in ("faction", "discovery_held"):
                assert all(line.z is not None for line in table.lines)
                scores.setdefault(table.key, []).extend(line.z or 0.0 for line in table.lines)
                marked += any(line.mark for line in table.lines)
    for key, z in scores.items():
        assert 0.65 < np.var(z) < 1.35, (key, np.var(z))
        assert abs(np.mean(z)) < 0.1
    assert marked <= 4  # of 24 tables 5 % each


def test_a_card_that_helps_is_found_and_no_other() -> None:
    tables = {t.key: t for t in make_tables(made_up(1500, 1, 0.8), NAMES)}
    lines = {line.id: line for line in tables["discovery_held"].lines}
    assert [i for i, line in lines.items() if line.mark == "***"] == ["D7"]
    assert lines["D7"].difference > 4 * lines["D7"].error
    assert not any(line.mark for line in tables["faction"].lines)
    # the difference within games is near the plain one, and tables balance
    plain = lines["D7"].rate - tables["discovery_held"].rate
    assert lines["D7"].difference == pytest.approx(plain, abs=0.02)
    assert sum(x.difference * x.seen for x in lines.values()) == pytest.approx(0, abs=1e-6)


def test_rare_things_are_not_tested() -> None:
    census = made_up(60, 3, 0.0)
    seen = census.seen(CensusRow.FACTION).sum(axis=1)
    table = {t.key: t for t in make_tables(census, NAMES, min_seen=int(np.median(seen[:8])))}["faction"]
    assert 0 < table.comparisons < 8
    for line in table.lines:
        assert (line.p is None) == (line.adjusted is None) == (line.mark == "?")


def test_two_players_with_the_same_card_say_nothing() -> None:
    census = Census(2)
    notes = GameNotes()
    notes.seen = {(CensusRow.RELIC_HELD, seat, 3) for seat in (0, 1)}
    for index in range(400):
        census.add_game(notes, index, [index % 2], 10)
    (line,) = {t.key: t for t in make_tables(census, NAMES)}["relic_held"].lines
    assert (line.seen, line.rate, line.difference, line.error, line.mark) == (800, 0.5, 0.0, 0.0, "?")


def test_an_event_that_shortens_games_is_found() -> None:
    rng = np.random.default_rng(0)
    census = Census(2)
    for index in range(800):
        notes = GameNotes()
        rounds = int(rng.integers(20, 60))
        drawn = rng.permutation(10)[: rounds // 8].tolist()  # long games see more Events
        for event in drawn:
            notes.seen.add((CensusRow.EVENT_DRAWN, int(rng.integers(2)), event))
        census.add_game(notes, index, [0] if rng.random() < 0.5 else [], rounds - 6 * (4 in drawn))
    table = {t.key: t for t in make_tables(census, NAMES)}["event_happened"]
    marks = {line.id: line.rounds_mark for line in table.lines}  # type: ignore[attr-defined]
    assert marks.pop("D4") == "***"
    assert set(marks.values()) <= {"", "*"}  # the others are longer than a mean that has D4 in it
    assert not any(line.mark for line in table.lines)
    assert table.comparisons == 20
