"""Confused Troops: a third state, neither Locked nor Unlocked (U4.5, D7.1, D7.2, RUL-U2, RUL-D8)."""

from __future__ import annotations

from collections.abc import Iterable

from cysmic_fast.reference.model import Game, Unit, Where
from cysmic_fast.reference.units import spare
from cysmic_fast.vocabulary import EventKind, UnitType

__all__ = ["confuse", "may_be_activated", "recover"]

RECOVERED, CONFUSED = 0, 1  # field c of CONFUSE


def confuse(game: Game, units: Iterable[Unit]) -> None:
    """Unlocked Troops become Confused."""
    for unit in units:
        spare(game, unit, becomes=True)
        unit.confused = True
        game.emit(EventKind.CONFUSE, unit.owner, unit.type, unit.place, CONFUSED)


def recover(game: Game, seat: int, kind: UnitType) -> None:
    """All Confused Troops of a player's type recover: their card is resolved, or one is Activated (D7.2)."""
    for unit in game.army(seat):
        if unit.type == kind and unit.confused:
            spare(game, unit, becomes=False)
            unit.confused = False
            game.emit(EventKind.CONFUSE, unit.owner, unit.type, unit.place, RECOVERED)


def may_be_activated(game: Game, unit: Unit) -> bool:
    """Unlocked, or Confused in a space without enemies: such a one recovers when it is chosen (D7.2)."""
    if unit.confused:
        return unit.where == Where.PLANET and not game.spaces[unit.place].others(unit.owner)
    return game.is_unlocked(unit)
