"""A balance report: what was played, the sums, the tables; as JSON; several jobs merged into one."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from cysmic_fast.balance.tables import MIN_SEEN, EventLine, Names, Table, make_tables
from cysmic_fast.census import Census
from cysmic_fast.errors import OptionError
from cysmic_fast.names import shown
from cysmic_fast.vocabulary import CensusRow

if TYPE_CHECKING:
    from cysmic_fast.interface import Game

__all__ = ["FEW_WINS", "MAX_GAMES", "BalanceReport", "LeftOut", "Run", "make_report", "merge", "unlike"]

#: With fewer wins in all a report says next to nothing.
FEW_WINS: Final = 200
#: Most games of a report: beyond them sums might not fit into 64 bits.
MAX_GAMES: Final = 10**8
_FORMAT: Final = "cysmic-balance 1"
#: What two reports must share to be merged.
_SAME: Final = (
    "version",
    "rules_version",
    "content_hash",
    "options",
    "policy",
)


@dataclass(frozen=True, slots=True, order=True)
class Run:
    """Games ``first`` ... ``first + games - 1`` of a seed."""

    seed: int
    first: int
    games: int


@dataclass(frozen=True, slots=True, order=True)
class LeftOut:
    """A game that was not played to its end."""

    seed: int
    index: int
    why: str  #: the error, which names the card


@dataclass(frozen=True, eq=False)
class BalanceReport:
    """Sums over games and what they say. Compare with :func:`cysmic_fast.balance.compare`."""

    version: str  #: of the package
    rules_version: str
    content: str  #: name and version of the content pack
    content_hash: str
    packs: tuple[str, ...]  #: names, the standard pack first
    options: Mapping[str, Any]  #: as GameOptions.to_dict()
    policy: str
    runs: tuple[Run, ...]  #: which games, ascending
    names: Names
    census: Census
    min_seen: int = MIN_SEEN
    left_out: tuple[LeftOut, ...] = ()  #: games in no run, because their cards do not come to an end

    @property
    def games(self) -> int:
        """Games played."""
        return self.census.games

    @property
    def players(self) -> int:
        """Players of each game."""
        return self.census.players

    @property
    def wins(self) -> int:
        """Wins of all seats together; several seats may win a game."""
        return int(self.census.won(CensusRow.SEAT).sum())

    @property
    def warning(self) -> str:
        """What makes the report worthless, "" if nothing does."""
        if self.wins >= FEW_WINS:
            return ""
        text = f"only {self.wins} wins in {self.games:,} games: too few to tell anything about a card. "
        return text + (
            "Play more games, or a game that ends: random play hardly ever Launches under the base "
            "ending; with --ending build_it --max-rounds 400 nearly every game has a winner."
        )

    @cached_property
    def tables(self) -> tuple[Table, ...]:
        """All tables that have a line."""
        return make_tables(self.census, self.names, self.min_seen)

    def table(self, key: str) -> Table:
        """The table of a key such as ``"relic_held"``; KeyError if it has no line."""
        return {table.key: table for table in self.tables}[key]

    # ------------------------------------------------------------------ JSON, CSV, text
    def to_dict(self) -> dict[str, Any]:
        """Everything, JSON-able; :meth:`from_dict` reads it back."""
        return {
            "format": _FORMAT,
            "version": self.version,
            "rules_version": self.rules_version,
            "content": self.content,
            "content_hash": self.content_hash,
            "packs": list(self.packs),
            "options": dict(self.options),
            "policy": self.policy,
            "games": self.games,
            "wins": self.wins,
            "runs": [asdict(run) for run in self.runs],
            "left_out": [asdict(game) for game in self.left_out],
            "warning": self.warning,
            "min_seen": self.min_seen,
            "tables": {
                table.key: {
                    "title": table.title,
                    "rate": table.rate,
                    "comparisons": table.comparisons,
                    "lines": [line.to_dict() for line in table.lines],
                }
                for table in self.tables
            },
            "names": {deck: [list(pair) for pair in names] for deck, names in self.names.items()},
            "census": self.census.to_dict(),
        }

    @classmethod
    def from_dict(cls, found: object) -> BalanceReport:
        """A report of :meth:`to_dict`; the tables are made anew from the sums. OptionError if it is none."""
        if not isinstance(found, Mapping) or found.get("format") != _FORMAT:
            given = found.get("format") if isinstance(found, Mapping) else found
            raise OptionError(f"no balance report: format {shown(given)}; allowed: {_FORMAT!r}")
        try:
            report = cls(
                **{key: str(found[key]) for key in ("version", "rules_version", "content", "content_hash")},
                packs=tuple(map(str, found["packs"])),
                options=dict(found["options"]),
                policy=str(found["policy"]),
                runs=tuple(Run(int(r["seed"]), int(r["first"]), int(r["games"])) for r in found["runs"]),
                names={
                    str(deck): [(str(card), str(name)) for card, name in names]
                    for deck, names in found["names"].items()
                },
                census=Census.from_dict(found["census"]),
                min_seen=int(found["min_seen"]),
                left_out=tuple(
                    LeftOut(int(g["seed"]), int(g["index"]), str(g["why"])) for g in found.get("left_out", ())
                ),
            )
            report.tables  # noqa: B018 - sums of cards without a name show here
        except (KeyError, IndexError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
            if isinstance(error, OptionError):
                raise
            raise OptionError(f"no balance report: {error!r}") from None
        if sum(run.games for run in report.runs) != report.games:
            raise OptionError(f"no balance report: its runs are not its {report.games} games")
        return report

    def to_csv(self) -> str:
        """All lines of all tables as comma-separated values, with a header."""
        out = io.StringIO()
        columns = ["table", *(f for f in EventLine.__dataclass_fields__), "mark", "rounds_mark"]
        writer = csv.DictWriter(out, columns, lineterminator="\n")
        writer.writeheader()
        for table in self.tables:
            for line in table.lines:
                writer.writerow(
                    {"table": table.key, "rounds_mark": getattr(line, "rounds_mark", "")} | line.to_dict()
                )
        return out.getvalue()

    def __str__(self) -> str:
        from cysmic_fast.balance.text import report_text

        return report_text(self)

    def __repr__(self) -> str:
        return f"<BalanceReport: {self.games} games, {self.players} players, {self.content}>"


def make_report(
    game: Game,
    policy: str,
    runs: tuple[Run, ...],
    census: Census,
    min_seen: int,
    left_out: tuple[LeftOut, ...] = (),
) -> BalanceReport:
    """The report of games of one kind."""
    from cysmic_fast import __version__
    from cysmic_fast.vocabulary import RULES_VERSION

    content = game.content
    return BalanceReport(
        version=__version__,
        rules_version=RULES_VERSION,
        content=f"{content.name} {content.version}",
        content_hash=content.hash,
        packs=tuple(content.name.split("+")),
        options=game.options.to_dict(),
        policy=policy,
        runs=runs,
        names={
            "faction": [(card.id, card.name) for card in content.factions],
            "discovery": [(card.id, card.name) for card in content.discovery],
            "relic": [(card.id, card.name) for card in content.relics],
            "seat": [(str(seat), colour) for seat, colour in enumerate(game.options.colours)],
            "place": [(str(place + 1), "") for place in range(game.num_players)],
        },
        census=census,
        min_seen=min_seen,
        left_out=left_out,
    )


def merge(reports: Iterable[BalanceReport]) -> BalanceReport:
    """One report of the games of several, in any order.

    OptionError if there is none, if they differ in package, rules, content, options or policy, or if two of
    them hold the same game.
    """
    found = list(reports)
    if not found:
        raise OptionError("merge: no reports given; allowed: one or more")
    first = found[0]
    for other in found[1:]:
        for key in _SAME:
            mine, theirs = getattr(first, key), getattr(other, key)
            if mine != theirs:
                raise OptionError(f"merge: reports differ in {key}: {unlike(mine, theirs)}")
    runs = sorted(run for report in found for run in report.runs)
    for one, two in pairwise(runs):
        if one.seed == two.seed and two.first < one.first + one.games:
            raise OptionError(
                f"merge: game {two.first} of seed {two.seed} is in two reports; allowed: disjoint games"
            )
    games = sum(run.games for run in runs)
    if games > MAX_GAMES:
        raise OptionError(f"merge: {games} games given; allowed: at most {MAX_GAMES}")
    census = Census(first.players)
    for report in found:
        census.add(report.census.data)
    return BalanceReport(
        **{key: getattr(first, key) for key in _SAME},
        content=first.content,
        packs=first.packs,
        runs=tuple(runs),
        names=first.names,
        census=census,
        min_seen=first.min_seen,
        left_out=tuple(sorted(game for report in found for game in report.left_out)),
    )


def unlike(mine: object, theirs: object) -> str:
    """Where two values differ, options by name."""
    if isinstance(mine, Mapping) and isinstance(theirs, Mapping):
        names = [name for name in {**mine, **theirs} if mine.get(name) != theirs.get(name)]
        return ", ".join(f"{name} {shown(mine.get(name))} and {shown(theirs.get(name))}" for name in names)
    return f"{shown(mine)} and {shown(theirs)}"
