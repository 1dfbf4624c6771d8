"""Decisions as generators: ``choice = yield from choose(...)`` suspends a rule until a player has chosen."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

from cysmic_fast.reference.knowledge import choice_seen
from cysmic_fast.vocabulary import DONE, SPACE, UNIT, DecisionKind, EventKind, UnitType

if TYPE_CHECKING:
    from cysmic_fast.reference.model import Game

__all__ = [
    "CHECKPOINT",
    "Checkpoint",
    "Decision",
    "Flow",
    "choose",
    "choose_space",
    "choose_type",
    "choose_yes",
]


@dataclass(frozen=True, slots=True)
class Decision:
    """One player picks one of at least two legal actions."""

    player: int
    kind: DecisionKind
    options: tuple[int, ...]  #: action ids, ascending
    unit: UnitType | None = None  #: of MOVE_TO: the type of the Unit that moves


class Checkpoint:
    """Yielded where the state alone says how to go on: the start of set-up, of the Ships, of every turn."""


CHECKPOINT: Final = Checkpoint()

T = TypeVar("T")
#: A piece of the game's flow: yields decisions, is sent the actions chosen, returns a ``T``.
Flow: TypeAlias = Generator[Decision | Checkpoint, int, T]


def choose(
    game: Game, player: int, kind: DecisionKind, options: Iterable[int], unit: UnitType | None = None
) -> Flow[int]:
    """Ask ``player`` for one of ``options``; a single option is applied at once.

    A decision with no other option than DONE is not raised at all: there is nothing to be declined.
    """
    legal = tuple(sorted(set(options)))
    if legal == (DONE,):
        return DONE
    assert legal, f"{kind.name} without options"
    if len(legal) == 1:
        choice = legal[0]
        game.stats.forced += 1
    else:
        choice = yield Decision(player, kind, legal, unit)
        game.steps = 0
        game.stats.decisions += 1
        game.stats.options += len(legal)
    game.fresh = False
    seen = choice_seen(game, player, kind, choice)
    game.emit(EventKind.CHOICE, player, kind, choice, int(len(legal) == 1), seen=seen)
    return choice


def choose_space(
    game: Game,
    player: int,
    kind: DecisionKind,
    spaces: Iterable[int],
    *,
    done: bool = False,
    unit: UnitType | None = None,
) -> Flow[int | None]:
    """Ask for a space; None if declined."""
    options = [SPACE + s for s in spaces] + [DONE] * done
    choice = yield from choose(game, player, kind, options, unit)
    return None if choice == DONE else choice - SPACE


def choose_type(
    game: Game, player: int, kind: DecisionKind, types: Iterable[UnitType], *, done: bool = False
) -> Flow[UnitType | None]:
    """Ask for a Unit type; None if declined."""
    options = [UNIT + t for t in types] + [DONE] * done
    choice = yield from choose(game, player, kind, options)
    return None if choice == DONE else UnitType(choice - UNIT)


def choose_yes(game: Game, player: int, kind: DecisionKind) -> Flow[bool]:
    """Ask YES or NO."""
    from cysmic_fast.vocabulary import NO, YES

    return (yield from choose(game, player, kind, (YES, NO))) == YES
