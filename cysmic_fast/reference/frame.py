"""A program in progress: whose it is, its registers, its event (docs/cards.md, sections 1, 2 and 7.1)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import TYPE_CHECKING

from cysmic_fast.content.effect_words import Kind, Role, Trigger
from cysmic_fast.reference.model import Doom, Game, Gathering, Unit, Where
from cysmic_fast.vocabulary import UnitType

if TYPE_CHECKING:
    from cysmic_fast.reference.dice import Die

__all__ = ["Frame", "Group", "Happening", "Registers", "Source", "group_of"]


class Source(IntEnum):
    """Kinds of cards in their order of precedence (T9.2, V7.2)."""

    REACTION = 1
    ACTION = 2
    RELIC = 3
    FACTION = 4
    EVENT = 5  #: a Planetary Event, which claims nothing


@dataclass(frozen=True, slots=True)
class Group:
    """``$unit``: a number of each type of one owner in one space (V2.4)."""

    owner: int
    space: int
    counts: tuple[tuple[UnitType, int], ...]  #: types ascending
    doom: Doom | None = None  #: of a ``defeated`` that is being answered: who is taken now is spared (C19)

    def units(self, game: Game) -> list[Unit]:
        """Those still there and not Confused (C77), of like Units the ones with the fewest marks."""
        from cysmic_fast.reference.units import line_up

        here = [u for u in game.spaces[self.space].units if u.owner == self.owner and not u.confused]
        found: list[Unit] = []
        for kind, count in self.counts:
            found += line_up(u for u in here if u.type == kind)[:count]
        return found


def group_of(units: list[Unit]) -> Group | None:
    """The group of some Units of one owner in one space; None without Units."""
    if not units:
        return None
    counts = {kind: sum(u.type == kind for u in units) for kind in sorted({u.type for u in units})}
    return Group(units[0].owner, units[0].place, tuple(counts.items()))


def doomed_group(doom: Doom) -> Group | None:
    """``$unit`` of ``defeated``: who is about to go, Confused Troops left out; None: nobody."""
    counts = {kind: doom.counts[kind, False] for kind in UnitType if doom.counts[kind, False]}
    return Group(doom.owner, doom.space, tuple(counts.items()), doom) if counts else None


@dataclass(slots=True)
class Registers:
    """What the steps of a program tell each other. None: empty."""

    space: int | None = None
    area: bool = False  #: ``$space`` is the area, a set of the whole state (V2.4)
    unit: Group | None = None
    player: int | None = None
    origin: int | None = None  #: ``$from``
    terrain: int | None = None
    n: int | None = None
    card: int | None = None

    def spaces(self, game: Game) -> tuple[int, ...]:
        """The spaces of ``$space``; () if the register is empty."""
        if self.area:
            return game.area
        return () if self.space is None else (self.space,)

    def copy(self) -> Registers:
        """Registers that change by themselves."""
        return replace(self)


@dataclass(eq=False, slots=True)
class Happening:
    """An event for which windows open (docs/cards.md, section 7.1), and what was done about it."""

    trigger: Trigger
    cause: int
    affected: int | None = None
    kinds: tuple[Kind, ...] = ()
    space: int | None = None
    area: bool = False
    units: list[Unit] = field(default_factory=list)  #: of one owner in one space
    doom: Doom | None = None  #: ``defeated``: those about to go
    n: int | None = None
    card: int | None = None
    dice: list[Die] | None = None  #: the dice on the table
    gone: Callable[[], bool] | None = None  #: whether what the event is about is gone (V7.6)
    # what Reactions and rules did
    cancelled: bool = False
    claims: dict[Source, Role] = field(default_factory=dict)  #: First Strike, the later of a class (V7.7)
    assigner: int | None = None
    final_strike: bool = True
    redraw: bool = False
    redrawn: bool = False  #: the program that redraws is over

    @property
    def over(self) -> bool:
        """The window ends at once (V7.6)."""
        return self.cancelled or self.redrawn or (self.gone is not None and self.gone())

    def registers(self, seat: int) -> Registers:
        """The registers of a program of ``seat`` on this event (V2.1, V7.1)."""
        units = [u for u in self.units if u.where == Where.PLANET and u.place == self.space]
        return Registers(
            space=self.space,
            area=self.area,
            unit=group_of(units) if self.doom is None else doomed_group(self.doom),
            player=self.cause if self.cause != seat else self.affected,
            n=self.n,
            card=self.card,
        )


@dataclass(eq=False, slots=True)
class Frame:
    """One program being performed, or tested."""

    seat: int  #: ``self``: the player to whom the card or rule belongs
    source: Source
    name: str  #: id of the card, for messages
    regs: Registers
    event: Happening | None = None
    gatherings: dict[int, Gathering] = field(default_factory=dict)  #: of the verb ``gather``, by player
    second: int | None = None  #: whom a step's other player word (``from``, ``to``, ``of``, ``first``) means

    def probe(self) -> Frame:
        """The same frame with registers of its own, to test something."""
        return Frame(self.seat, self.source, self.name, self.regs.copy(), self.event, second=self.second)
