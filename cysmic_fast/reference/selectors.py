"""Selectors: which Units and spaces a step or condition means (docs/cards.md, section 3)."""

from __future__ import annotations

from collections.abc import Iterable

from cysmic_fast.content.effect_words import (
    CombatAxis,
    ControlAxis,
    Denial,
    Owner,
    Register,
    SpaceFeature,
    State,
)
from cysmic_fast.content.effect_words import Where as WhereAxis
from cysmic_fast.content.effects import Near, SpaceSelector, UnitSelector
from cysmic_fast.reference.frame import Frame
from cysmic_fast.reference.hexmap import locate
from cysmic_fast.reference.model import Game, Space, Unit, Where
from cysmic_fast.reference.modifiers import denied, health_of
from cysmic_fast.reference.planet import neighbours
from cysmic_fast.vocabulary import Feature

__all__ = ["spaces", "steps_from", "units"]

FEATURES = {
    SpaceFeature.CAMP: Feature.CAMP,
    SpaceFeature.OUTPOST: Feature.OUTPOST,
    SpaceFeature.SETTLEMENT: Feature.SETTLEMENT,
    SpaceFeature.CITY: Feature.COLONY_CITY,
    SpaceFeature.EXPLORABLE: Feature.EXPLORABLE,
    SpaceFeature.LORIUM: Feature.LORIUM,
    SpaceFeature.TUNL: Feature.TUNL,
    SpaceFeature.LAKE: Feature.LAKE,
    SpaceFeature.MOUNTAIN: Feature.MOUNTAIN,
}


# ---------------------------------------------------------------------- Units
def units(game: Game, frame: Frame, sel: UnitSelector, mover: int | None = None) -> list[Unit]:
    """Units that fit all axes, by space, owner, type; ``mover``: owner of the Unit being moved.

    Captured Units come by holder, owner, type.
    """
    if sel.register:
        group = frame.regs.unit
        pool = [] if group is None else group.units(game)
        return [u for u in pool if not u.confused or sel.confused]
    if sel.where == WhereAxis.PLANET:
        at = None if sel.at is None else set(spaces(game, frame, sel.at, mover))
        pool = [u for u in game.units if u.where == Where.PLANET and (at is None or u.place in at)]
    else:
        pool = [u for u in game.units if u.where == Where.CAPTIVE]
        if sel.where == WhereAxis.HELD_OTHER:
            pool = [u for u in pool if frame.seat not in (u.place, u.owner)]
    found = [
        u
        for u in pool
        if u.type in sel.types
        and _owner_fits(frame, sel.owner, u.owner, mover)
        and (sel.where != WhereAxis.PLANET or _state_fits(game, sel, u))
        and _health_fits(game, frame, sel, u)
    ]
    return sorted(found, key=lambda u: (u.place, u.owner, u.type))


def _owner_fits(frame: Frame, axis: Owner, owner: int, mover: int | None) -> bool:
    match axis:
        case Owner.SELF:
            return owner == frame.seat
        case Owner.ENEMY:
            return owner != frame.seat
        case Owner.FOREIGN:
            return owner != mover
        case Owner.REGISTER:
            return owner == frame.regs.player
        case _:
            return True


def _state_fits(game: Game, sel: UnitSelector, unit: Unit) -> bool:
    """Confused Troops are neither Locked nor Unlocked (V3.2)."""
    if unit.confused:
        return sel.confused or sel.state == State.CONFUSED
    match sel.state:
        case State.CONFUSED:
            return False
        case State.LOCKED:
            return game.is_locked(unit)
        case State.UNLOCKED:
            return not game.is_locked(unit)
        case _:
            return True


def _health_fits(game: Game, frame: Frame, sel: UnitSelector, unit: Unit) -> bool:
    """Only Troops have one Health number."""
    most = frame.regs.n if sel.health_n else sel.health
    if most is None:
        return not sel.health_n
    return unit.is_troop and health_of(game, unit)[0] <= most


# ---------------------------------------------------------------------- spaces
def spaces(game: Game, frame: Frame, sel: SpaceSelector, mover: int | None = None) -> list[int]:
    """Spaces that fit all axes, ascending."""
    if sel.register == Register.SPACE:
        return sorted(frame.regs.spaces(game))
    if sel.register == Register.FROM:
        return [] if frame.regs.origin is None else [frame.regs.origin]
    near = None if sel.near is None else _near(game, frame, sel.near, mover)
    held = None if sel.holds is None else {u.place for u in units(game, frame, sel.holds, mover)}
    return [
        s.number
        for s in game.spaces
        if (near is None or s.number in near)
        and (held is None or s.number in held)
        and _space_fits(game, frame, sel, s)
    ]


def _space_fits(game: Game, frame: Frame, sel: SpaceSelector, space: Space) -> bool:
    if sel.features and not any(_has(game, space, f) for f in sel.features):
        return False
    if sel.terrains or sel.terrain_register:
        spot = locate(space.number)
        wanted = (frame.regs.terrain,) if sel.terrain_register else sel.terrains
        if spot is None or not space.has_tile or spot.terrain not in wanted:
            return False
    if sel.ring is not None:
        spot = locate(space.number)
        ring = 0 if spot is None else spot.ring
        if not sel.ring[0] <= ring <= sel.ring[1]:
            return False
    if sel.empty and space.units:
        return False
    if sel.combat is not None and not _combat_fits(frame, sel.combat, space):
        return False
    habitat = game.is_habitat(space.number)
    if sel.control and not (habitat and any(_control_fits(frame, axis, space) for axis in sel.control)):
        return False
    if sel.value is None:
        return True
    return habitat and sel.value[0] <= game.habitat_value(space.number) <= sel.value[1]


def _has(game: Game, space: Space, feature: SpaceFeature) -> bool:
    match feature:
        case SpaceFeature.HABITAT:
            return game.is_habitat(space.number)
        case SpaceFeature.TILE:
            return space.has_tile
        case SpaceFeature.DEVASTATED:
            return space.devastated
        case SpaceFeature.ABYSS:
            return not space.has_tile and space.abyss
        case SpaceFeature.RELIC_TOKEN:
            return space.token
        case _:
            return space.feature == FEATURES[feature]


def _combat_fits(frame: Frame, axis: CombatAxis, space: Space) -> bool:
    if axis == CombatAxis.NONE:
        return not space.is_combat
    return space.is_combat and (axis == CombatAxis.ANY or frame.seat in space.sides)


def _control_fits(frame: Frame, axis: ControlAxis, space: Space) -> bool:
    match axis:
        case ControlAxis.SELF:
            return space.control == frame.seat
        case ControlAxis.ENEMY:
            return space.control not in (None, frame.seat)
        case ControlAxis.REGISTER:
            return space.control is not None and space.control == frame.regs.player
        case _:
            return space.control is None


# ---------------------------------------------------------------------- distances
def _near(game: Game, frame: Frame, near: Near, mover: int | None) -> set[int]:
    """Spaces whose nearest match is between ``low`` and ``high`` steps away."""
    if near.units is not None:
        matches = {u.place for u in units(game, frame, near.units, mover)}
    else:
        assert near.space is not None
        matches = set(spaces(game, frame, near.space, mover))
    steps = steps_from(game, frame.seat, matches, near.high)
    return {s for s, n in steps.items() if n >= near.low}


def steps_from(game: Game, seat: int, starts: Iterable[int], most: int) -> dict[int, int]:
    """Adjacency steps (P4.5) from the nearest of some spaces as a player sees them, obstacles ignored."""
    tunl = not denied(game, seat, Denial.TUNL)  # (V3.4)
    steps = dict.fromkeys(sorted(starts), 0)
    edge = list(steps)
    for length in range(1, most + 1):
        edge = sorted({n for s in edge for n in neighbours(game, s, tunl=tunl)} - steps.keys())
        steps.update(dict.fromkeys(edge, length))
    return steps
