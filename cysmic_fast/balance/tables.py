"""From the sums of a census to tables: win rates, differences, significance (``docs/balance.md``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from math import sqrt
from typing import Any, Final

import numpy as np

from cysmic_fast.census import Census
from cysmic_fast.significance import holm, mark, two_sided, wilson
from cysmic_fast.vocabulary import CensusRow

__all__ = ["DETAILS", "MIN_SEEN", "TITLES", "EventLine", "Line", "Names", "Table", "deck_of", "make_tables"]

#: Things seen less often are not tested unless somebody asks for it.
MIN_SEEN: Final = 100
#: Nor are those whose scores vary less, in wins squared: a normal approximation needs some wins.
_MIN_VARIANCE: Final = 5.0

#: What a table shows, in the order of printing.
TITLES: Final = {
    CensusRow.FACTION: "Factions",
    CensusRow.SEAT: "Seats",
    CensusRow.PLACE: "Places in turn order, from the first First Player",
    CensusRow.DISCOVERY_HELD: "Discovery Cards held",
    CensusRow.DISCOVERY_PLAYED: "Discovery Cards played as Action, as Reaction or for Rewards",
    CensusRow.DISCOVERY_ACTION: "Discovery Cards played as Action",
    CensusRow.DISCOVERY_REACTION: "Discovery Cards played as Reaction",
    CensusRow.DISCOVERY_REWARD: "Discovery Cards played for Rewards",
    CensusRow.DISCOVERY_MODIFIER: "Discovery Cards played as modifier",
    CensusRow.RELIC_HELD: "Relic Cards held",
    CensusRow.RELIC_ACTIVATED: "Relic Cards Activated",
    CensusRow.EVENT_DRAWN: "Planetary Events by who drew them",
}
#: Tables that are printed on request only.
DETAILS: Final = frozenset(
    {CensusRow.DISCOVERY_ACTION, CensusRow.DISCOVERY_REACTION, CensusRow.DISCOVERY_REWARD}
)
_EVENTS_TITLE: Final = "Planetary Events: games in which they happened"

#: (id, name) of every design by number, by deck: "faction", "discovery", "relic", "seat", "place".
Names = Mapping[str, Sequence[tuple[str, str]]]


@dataclass(frozen=True, slots=True)
class Line:
    """One design in one table. Counts are of (game, seat) pairs; shares are from 0 to 1."""

    id: str
    name: str
    seen: int  #: how often a seat had it
    won: int  #: how often that seat won
    rate: float  #: win rate: ``won / seen``
    low: float  #: its 95 % interval (Wilson)
    high: float
    expected: float  #: win rate that equal chances within each game, and the seats, would give
    difference: float  #: ``rate - expected``, less the same of the whole table
    error: float  #: standard error of the difference, games as units
    z: float | None  #: difference / error; None: too few to be tested
    p: float | None  #: two-sided
    adjusted: float | None  #: ``p`` after Holm's correction for the whole table

    @property
    def mark(self) -> str:
        """``*``, ``**``, ``***``: significant at 5, 1, 0.1 % in the whole table. ``?``: not tested."""
        return mark(self.adjusted)

    def to_dict(self) -> dict[str, Any]:
        """All fields and the mark, JSON-able."""
        return {spec.name: getattr(self, spec.name) for spec in fields(self)} | {"mark": self.mark}


@dataclass(frozen=True, slots=True)
class EventLine(Line):
    """A Planetary Event. Counts are of games: happened, somebody Launched; the rate is that of a Launch."""

    rounds: float  #: mean length of the games
    rounds_difference: float  #: to the games of all Events
    rounds_error: float
    rounds_adjusted: float | None  #: both outcomes of all Events are one family of comparisons

    @property
    def rounds_mark(self) -> str:
        """The mark of the length."""
        return mark(self.rounds_adjusted)


@dataclass(frozen=True, slots=True)
class Table:
    """One kind of thing compared with each other."""

    key: str  #: name of the census row in lower case, or "event_happened"
    title: str
    lines: tuple[Line, ...]  #: by design number
    rate: float  #: win rate of the whole table
    detail: bool = False  #: printed on request only

    @property
    def comparisons(self) -> int:
        """How many tests the marks account for."""
        tests = [line.adjusted for line in self.lines]
        tests += [line.rounds_adjusted for line in self.lines if isinstance(line, EventLine)]
        return sum(adjusted is not None for adjusted in tests)


def make_tables(census: Census, names: Names, min_seen: int = MIN_SEEN) -> tuple[Table, ...]:
    """All tables that have a line, in the order of printing."""
    found = [_table(census, row, names[deck_of(row)], min_seen) for row in TITLES]
    found.append(_event_table(census, names["discovery"], min_seen))
    return tuple(table for table in found if table.lines)


def deck_of(row: CensusRow) -> str:
    """The key of ``Names`` that a row is about."""
    word = row.name.lower().partition("_")[0]
    return "discovery" if word == "event" else word


def _table(census: Census, row: CensusRow, names: Sequence[tuple[str, str]], min_seen: int) -> Table:
    """The score test within games: each game's winners against chance among its own players."""
    players, games = census.players, census.games
    seen, won = census.seen(row), census.won(row)
    rate = int(won.sum()) / max(1, int(seen.sum()))
    seats = census.won(CensusRow.SEAT).diagonal() / max(1, games)
    # Seats differ by their colours: what one wins beyond the mean is expected of whoever sits there.
    beyond = np.zeros(players) if row == CensusRow.SEAT else seats - seats.mean()
    expected = census.fair(row) / players + seen @ beyond
    excess = won.sum(axis=1) - expected
    everything = int(seen.sum())
    whole_excess, whole_square = float(excess.sum()), float(census.row_square[row])
    lines = []
    for design in np.flatnonzero(seen.sum(axis=1)).tolist():
        n, wins = int(seen[design].sum()), int(won[design].sum())
        share = n / everything
        square, cross = float(census.square(row)[design]), float(census.cross(row)[design])
        variance = max(0.0, square - 2 * share * cross + share * share * whole_square) / players**2
        beyond_mean = float(excess[design]) - share * whole_excess
        enough = n >= min_seen and variance >= _MIN_VARIANCE
        z = beyond_mean / sqrt(variance) if enough else None
        card, name = names[design]
        lines.append(
            Line(
                id=card,
                name=name,
                seen=n,
                won=wins,
                rate=wins / n,
                low=wilson(wins, n)[0],
                high=wilson(wins, n)[1],
                expected=float(expected[design]) / n,
                difference=beyond_mean / n,
                error=sqrt(variance) / n,
                z=z,
                p=None if z is None else two_sided(z),
                adjusted=None,
            )
        )
    marks = iter(holm([line.p for line in lines if line.p is not None]))
    lines = [line if line.p is None else replace(line, adjusted=next(marks)) for line in lines]
    return Table(row.name.lower(), TITLES[row], tuple(lines), rate, row in DETAILS)


def _event_table(census: Census, names: Sequence[tuple[str, str]], min_seen: int) -> Table:
    """Length and Launches of the games in which an Event happened against those of all Events.

    Long games see more Events, so that a game counts as often as it saw one: were they all alike, which of
    them it saw would not depend on how long it was.
    """
    event = census.event.astype(np.float64)  # design, power of the number of Events, outcome, power of it
    whole = census.all_events.astype(np.float64)
    happened = census.event[:, 0, 0, 0]
    everything = float(whole[1, 0, 0])
    raw = []
    for design in np.flatnonzero(happened).tolist():
        n = int(happened[design])
        share = n / everything
        outcomes = []
        for k in range(2):
            mean = whole[0, k, 1] / whole[0, k, 0]
            spread = whole[0, k, 2] / whole[0, k, 0] - mean * mean
            difference = event[design, 0, k, 1] / n - whole[1, k, 1] / everything
            weights = np.array([mean * mean, -2 * mean, 1.0])
            variance = (
                1.0 * event[design, 0, k] - 2 * share * event[design, 1, k] + share**2 * whole[2, k]
            ) @ weights
            enough = n >= min_seen and variance >= _MIN_VARIANCE * (spread if k == 0 else 1.0) > 0
            error = sqrt(max(0.0, float(variance))) / n
            p = two_sided(float(difference) / error) if enough else None
            outcomes.append((float(event[design, 0, k, 1]), float(difference), error, p))
        raw.append((*names[design], n, outcomes))
    marks = iter(holm([p for *_, outcomes in raw for *_, p in outcomes if p is not None]))
    lines = []
    for card, name, n, ((rounds, longer, longer_error, longer_p), (launched, more, error, p)) in raw:
        rounds_adjusted = None if longer_p is None else next(marks)
        adjusted = None if p is None else next(marks)
        low, high = wilson(int(launched), n)
        lines.append(
            EventLine(
                id=card,
                name=name,
                seen=n,
                won=int(launched),
                rate=launched / n,
                low=low,
                high=high,
                expected=launched / n - more,
                difference=more,
                error=error,
                z=more / error if p is not None else None,
                p=p,
                adjusted=adjusted,
                rounds=rounds / n,
                rounds_difference=longer,
                rounds_error=longer_error,
                rounds_adjusted=rounds_adjusted,
            )
        )
    rate = float(whole[0, 1, 1]) / max(1, census.games)
    return Table("event_happened", _EVENTS_TITLE, tuple(lines), rate)
