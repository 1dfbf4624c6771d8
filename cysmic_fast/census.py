"""What is counted of many games to tell how cards, Factions and seats fare (``docs/balance.md``).

A :class:`Census` is a heap of integer sums. Each game adds what its event record shows: who received, played
and Activated which designs, and who won. Games can be added in any order, by any number of threads, and the
sums of disjoint games can be added up, always with the same result. The native engine does the same without
writing events down (``src/census.pxi``).

Of a game with P players of whom W won, a design that H of them had, X of them winners, has the *score*
``P * X - W * H``: P times the number of wins beyond those that chance would give its holders if the winners
of this game were any of its players. The test of ``cysmic_fast.balance`` rests on the sums of scores.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from cysmic_fast.errors import OptionError
from cysmic_fast.names import shown
from cysmic_fast.vocabulary import (
    CARD,
    MAX_DESIGNS,
    MAX_PLAYERS,
    CensusRow,
    ChanceKind,
    DecisionKind,
    EventKind,
)

__all__ = ["BATCHES", "NUM_SUMS", "Census", "GameNotes", "check_census"]

#: Numbers of one design in one row: seen by seat, won by seat, seats with it x winners (fair), the square of
#: the score, the score x the score of the whole row.
TALLY: Final = 2 * MAX_PLAYERS + 3
_FAIR, _SQUARE, _CROSS = range(2 * MAX_PLAYERS, TALLY)
#: Games are also summed in batches by their index modulo this: the same games played with other content fall
#: into the same batches, which shows how much of a change is chance.
BATCHES: Final = 32
#: Shapes of the sums after the number of games, in this order. ``event`` is by design, power of the number of
#: Events in the game, outcome (rounds, somebody Launched), power of the outcome.
_SHAPES: Final = {
    "count": (len(CensusRow), MAX_DESIGNS, TALLY),
    "row_square": (len(CensusRow),),
    "event": (MAX_DESIGNS, 2, 2, 3),
    "all_events": (3, 2, 3),
    "batch": (len(CensusRow), MAX_DESIGNS, BATCHES),
}
#: How many integers the sums are.
NUM_SUMS: Final = 1 + sum(int(np.prod(shape)) for shape in _SHAPES.values())

_PLAYED: Final = (CensusRow.DISCOVERY_ACTION, CensusRow.DISCOVERY_REACTION, CensusRow.DISCOVERY_REWARD)


class GameNotes:
    """What the events of one game tell the census. Feed it with all events, in pieces if need be."""

    def __init__(self) -> None:
        self.seen: set[tuple[CensusRow, int, int]] = set()  #: (row, seat, design)
        self.opener = 0  #: the first First Player

    def hear(self, events: Iterable[tuple[int, int, int, int, int]]) -> None:
        """Note events in the order in which they happened."""
        for kind, player, a, b, c in events:
            if kind == EventKind.RECEIVE:
                row = CensusRow.RELIC_HELD if a else CensusRow.DISCOVERY_HELD
                self.seen.add((row, player, b))
            elif kind == EventKind.PLAY_CARD:
                self.seen.add((CensusRow(CensusRow.DISCOVERY_ACTION + b), player, a))
            elif kind == EventKind.RELIC and c == 1:
                self.seen.add((CensusRow.RELIC_ACTIVATED, player, a))
            elif kind == EventKind.CHOICE and a == DecisionKind.CHOOSE_FACTION:
                self.seen.add((CensusRow.FACTION, player, b - CARD))
            elif kind == EventKind.CHANCE and a == ChanceKind.FIRST_PLAYER:
                self.opener = b


class Census:
    """Sums over games of one number of players.

    ``data`` is all of them, int64, shape (NUM_SUMS,); ``count``, ``row_square``, ``event``, ``all_events``
    and ``batch`` are views of it.
    """

    def __init__(self, players: int) -> None:
        if not 2 <= players <= MAX_PLAYERS:
            raise OptionError(f"players: {shown(players)} given; allowed: 2 to {MAX_PLAYERS}")
        self.players = players
        self.data: npt.NDArray[np.int64] = np.zeros(NUM_SUMS, dtype=np.int64)
        views = {}
        at = 1
        for name, shape in _SHAPES.items():
            size = int(np.prod(shape))
            views[name] = self.data[at : at + size].reshape(shape)
            at += size
        self.count = views["count"]  #: (row, design, TALLY)
        self.row_square = views["row_square"]  #: (row,)
        self.event = views["event"]
        self.all_events = views["all_events"]
        self.batch = views["batch"]  #: scores: (row, design, index % BATCHES)

    # ------------------------------------------------------------------ adding
    def add(self, data: npt.NDArray[np.int64]) -> None:
        """Add the sums of other games: int64, shape (NUM_SUMS,)."""
        self.data += data

    def add_game(self, notes: GameNotes, index: int, winners: Iterable[int], rounds: int) -> None:
        """Add the finished game of an index, all of whose events ``notes`` has heard."""
        won = np.zeros(self.players, dtype=np.int64)
        won[list(winners)] = 1
        seen = np.zeros((len(CensusRow), self.players, MAX_DESIGNS), dtype=np.int64)
        for row, seat, design in notes.seen:
            seen[row, seat, design] = 1
        for seat in range(self.players):
            seen[CensusRow.SEAT, seat, seat] = 1
            seen[CensusRow.PLACE, seat, (seat - notes.opener) % self.players] = 1
        seen[CensusRow.DISCOVERY_PLAYED] = seen[list(_PLAYED)].max(axis=0)
        wins = seen * won[:, None]
        fair = won.sum() * seen.sum(axis=1)
        score = self.players * wins.sum(axis=1) - fair
        total = score.sum(axis=1)
        self.data[0] += 1
        self.count[..., : self.players] += seen.transpose(0, 2, 1)
        self.count[..., MAX_PLAYERS : MAX_PLAYERS + self.players] += wins.transpose(0, 2, 1)
        self.count[..., _FAIR] += fair
        self.count[..., _SQUARE] += score * score
        self.count[..., _CROSS] += score * total[:, None]
        self.row_square += total * total
        self.batch[..., index % BATCHES] += score
        happened = seen[CensusRow.EVENT_DRAWN].max(axis=0)
        powers = happened.sum() ** np.arange(3)
        outcomes = np.array([rounds, won.any()], dtype=np.int64)[:, None] ** np.arange(3)
        self.event += happened[:, None, None, None] * powers[:2, None, None] * outcomes
        self.all_events += powers[:, None, None] * outcomes

    # ------------------------------------------------------------------ reading
    @property
    def games(self) -> int:
        """Games counted."""
        return int(self.data[0])

    def seen(self, row: CensusRow) -> npt.NDArray[np.int64]:
        """How often seats had designs, int64, shape (MAX_DESIGNS, players)."""
        return self.count[row, :, : self.players]

    def won(self, row: CensusRow) -> npt.NDArray[np.int64]:
        """How often the seats that had designs won, int64, shape (MAX_DESIGNS, players)."""
        return self.count[row, :, MAX_PLAYERS : MAX_PLAYERS + self.players]

    def fair(self, row: CensusRow) -> npt.NDArray[np.int64]:
        """Players times the wins that equal chances within each game would give, shape (MAX_DESIGNS,)."""
        return self.count[row, :, _FAIR]

    def square(self, row: CensusRow) -> npt.NDArray[np.int64]:
        """Sum of the squares of the scores, shape (MAX_DESIGNS,)."""
        return self.count[row, :, _SQUARE]

    def cross(self, row: CensusRow) -> npt.NDArray[np.int64]:
        """Sum of the products of the scores with that of the whole row, shape (MAX_DESIGNS,)."""
        return self.count[row, :, _CROSS]

    # ------------------------------------------------------------------ JSON
    def to_dict(self) -> dict[str, Any]:
        """All sums that are not 0, JSON-able; :meth:`from_dict` reads it back."""
        return {
            "players": self.players,
            "sums": {str(i): int(self.data[i]) for i in np.flatnonzero(self.data)},
        }

    @classmethod
    def from_dict(cls, found: Mapping[str, Any]) -> Census:
        """A census of :meth:`to_dict`; OptionError for anything else."""
        try:
            census = cls(int(found["players"]))
            for place, number in found["sums"].items():
                if type(number) is not int or not 0 <= int(place) < NUM_SUMS:
                    raise ValueError(place)
                census.data[int(place)] = number
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
            raise OptionError(f"census: no sums of games: {error!r}") from None
        return census

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Census):
            return NotImplemented
        return self.players == other.players and bool((self.data == other.data).all())

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Census of {self.games} games, {self.players} players>"


def check_census(census: object, players: int) -> Census:
    """A census for a game of so many players; OptionError for anything else."""
    if not isinstance(census, Census) or census.players != players:
        raise OptionError(f"census: {shown(census)} given; allowed: None or a Census for {players} players")
    return census
