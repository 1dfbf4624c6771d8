"""Chapter U: Units come to spaces and leave them; Combats begin and end with that (K1.1, K8.1)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from cysmic_fast.content.effect_words import Kind, Trigger
from cysmic_fast.reference.decision import Flow
from cysmic_fast.reference.frame import Happening
from cysmic_fast.reference.model import Ended, Game, Space, Unit, Where
from cysmic_fast.reference.planet import erase_feature, lose_token
from cysmic_fast.reference.windows import fire
from cysmic_fast.vocabulary import EventKind, UnitType

__all__ = [
    "begin_combat",
    "board_ship",
    "capture",
    "destroy",
    "fewest_marks",
    "free_captive",
    "line_up",
    "move_units",
    "place",
    "recall",
    "settle_ends",
    "ship_departs",
    "ship_lands",
    "spare",
    "swap",
    "swap_places",
    "take_captive",
]

DEPLOYED, SWAPPED_IN = 0, 1  # field c of ENTER
DESTROYED, RECALLED, BOARDED, SWAPPED_OUT, LAUNCHED = range(5)  # field c of LEAVE


T = TypeVar("T")


def line_up(units: Iterable[Unit]) -> list[Unit]:
    """Unit order: by type; of like Units the one with the fewest marks first (RUL-U4, V3.3).

    Confused Troops come after the others of their type, of equal ones the one whose Cyber Attack it is.
    """
    return sorted(
        units, key=lambda u: (u.type, u.confused, len(u.marks), sum(m.value for m in u.marks), u.attacking)
    )


def fewest_marks(units: Iterable[Unit], kind: UnitType) -> Unit:
    """The Unit of a type that is taken when a decision does not tell like Units apart (RUL-U4)."""
    return next(u for u in line_up(units) if u.type == kind)


def _settle(game: Game, space: Space, newcomer: int | None = None) -> None:
    """Begin or end the Combat of a space after Units have come or gone (K1.1, K8.1)."""
    sides = space.sides
    if len(sides) == 2 and space.attacker is None:
        assert newcomer is not None
        (defender,) = sides - {newcomer}
        begin_combat(game, space, newcomer, defender)  # the entering Unit's Faction attacks (K1.2)
        game.emit(EventKind.COMBAT_BEGIN, newcomer, space.number, defender)
    elif len(sides) < 2 and space.attacker is not None:
        assert space.defender is not None
        game.emit(EventKind.COMBAT_END, next(iter(sides), -1), space.number)
        for stays in sides:  # one at most
            left = space.defender if stays == space.attacker else space.attacker
            game.ended.append(Ended(space.number, stays, left))
        space.attacker = space.defender = None
        space.serial = 0


def begin_combat(game: Game, space: Space, attacker: int, defender: int) -> None:
    """The two sides of a new Combat (K1.2, K1.3)."""
    game.combats_begun += 1
    space.attacker, space.defender, space.serial = attacker, defender, game.combats_begun


def settle_ends(game: Game, flow: Flow[T], *, fled: bool = False) -> Flow[T]:
    """Carry something out, then tell the ends of the Combats it has ended with one side left (V1.7)."""
    outer, game.ended = game.ended, []
    result = yield from flow
    mine, game.ended = game.ended, outer
    for end in mine:
        kind = Kind.FLED if fled else Kind.WON
        yield from fire(game, Happening(Trigger.COMBAT_END, end.stays, end.left, (kind,), end.space))
    return result


def _put(game: Game, unit: Unit, space: int) -> None:
    unit.where, unit.place = Where.PLANET, space
    game.spaces[space].units.append(unit)


def spare(game: Game, unit: Unit, becomes: bool | None = None) -> None:
    """A Unit leaves its space, or is about to be Confused or not, while ``defeated`` is answered (C19).

    Where all its like are about to go, or where it is taken by way of the event's ``$unit``, one less of
    them is, or it goes as what it has become.
    """
    like = (unit.type, unit.confused)
    there = 0
    for doom in game.dooms:
        if (doom.owner, doom.space) != (unit.owner, unit.place) or not doom.counts[like]:
            continue
        there = there or sum(
            (u.owner, u.type, u.confused) == (unit.owner, *like) for u in game.spaces[unit.place].units
        )
        if doom.counts[like] >= there or doom is unit.reached:
            doom.counts[like] -= 1
            if becomes is not None:
                doom.counts[unit.type, becomes] += 1
    unit.reached = None


def _take(game: Game, unit: Unit, where: Where, place: int = -1) -> None:
    """Off the planet; marks are lost (RUL-U4)."""
    spare(game, unit)
    game.spaces[unit.place].units.remove(unit)
    unit.where, unit.place = where, place
    unit.marks.clear()
    unit.confused = unit.attacking = False


def place(game: Game, unit: Unit, space: int) -> None:
    """A Unit from the Reserve is set down: Deployed, or the Ship at its start (R2, S4.8)."""
    _put(game, unit, space)
    game.emit(EventKind.ENTER, unit.owner, unit.type, space, DEPLOYED)
    _settle(game, game.spaces[space], unit.owner)


def move_units(game: Game, units: Sequence[Unit], space: int) -> None:
    """Units of one space move together to another one."""
    origins = {u.place for u in units}
    for unit in units:
        game.emit(EventKind.MOVE, unit.owner, unit.type, unit.place, space)
        if unit.place != space:
            spare(game, unit)
        game.spaces[unit.place].units.remove(unit)
        _put(game, unit, space)
    for origin in origins - {space}:
        _settle(game, game.spaces[origin])
    _settle(game, game.spaces[space], units[0].owner)


def swap_places(game: Game, mine: Sequence[Unit], theirs: Sequence[Unit]) -> None:
    """Two groups of different Factions change spaces at once; the newcomers take over a Combat's side."""
    first, second = mine[0].place, theirs[0].place
    seats = {mine[0].owner: theirs[0].owner, theirs[0].owner: mine[0].owner}
    for units, end in ((mine, second), (theirs, first)):
        for unit in units:
            game.emit(EventKind.MOVE, unit.owner, unit.type, unit.place, end)
            spare(game, unit)
            game.spaces[unit.place].units.remove(unit)
    for units, end in ((mine, second), (theirs, first)):
        for unit in units:
            _put(game, unit, end)
    for number in (first, second):
        space = game.spaces[number]
        if space.attacker is not None and space.defender is not None:
            space.attacker = seats.get(space.attacker, space.attacker)
            space.defender = seats.get(space.defender, space.defender)


def swap(game: Game, old: Unit, new: Unit) -> None:
    """Field Promote or Upgrade: another piece in the same space, which is not entering (R3.5, R4.7)."""
    space = game.spaces[old.place]
    _take(game, old, Where.RESERVE)
    _put(game, new, space.number)
    game.emit(EventKind.LEAVE, old.owner, old.type, space.number, SWAPPED_OUT)
    game.emit(EventKind.ENTER, new.owner, new.type, space.number, SWAPPED_IN)


def _leave(game: Game, units: Sequence[Unit], how: int) -> None:
    touched = sorted({u.place for u in units})
    for unit in units:
        game.emit(EventKind.LEAVE, unit.owner, unit.type, unit.place, how)
        _take(game, unit, Where.RESERVE)
    for space in touched:
        _settle(game, game.spaces[space])


def destroy(game: Game, units: Sequence[Unit]) -> None:
    """Destroyed Units go to their owners' Reserves (U1.4); those given leave together."""
    game.stats.destroyed += len(units)
    _leave(game, units, DESTROYED)


def recall(game: Game, units: Sequence[Unit]) -> None:
    """Recalled Troops go to the Reserve (B4.1)."""
    _leave(game, units, RECALLED)


def board_ship(game: Game, unit: Unit, ship_space: int) -> None:
    """Evacuate: the Unit enters its Ship's space and so the Reserve (A7.6)."""
    game.emit(EventKind.MOVE, unit.owner, unit.type, unit.place, ship_space)
    game.emit(EventKind.LEAVE, unit.owner, unit.type, ship_space, BOARDED)
    origin = game.spaces[unit.place]
    _take(game, unit, Where.RESERVE)
    _settle(game, origin)


def capture(game: Game, units: Sequence[Unit], captor: int) -> None:
    """Units on the planet are captured; those given leave together (K6.5)."""
    touched = sorted({u.place for u in units})
    for unit in units:
        game.emit(EventKind.CAPTURE, captor, unit.owner, unit.type, unit.place)
        _take(game, unit, Where.CAPTIVE, captor)
    game.stats.captures += len(units)
    for space in touched:
        _settle(game, game.spaces[space])


def take_captive(game: Game, unit: Unit, new_holder: int) -> None:
    """A Captured Unit changes hands; its owner gets it back into the Reserve (G4.2, G4.3, G5.4)."""
    if new_holder == unit.owner:
        free_captive(game, unit)
    else:
        game.emit(EventKind.CAPTURE, new_holder, unit.owner, unit.type, -1)
        unit.place = new_holder


def free_captive(game: Game, unit: Unit) -> None:
    """A Captured Unit returns to its owner's Reserve (G4.2)."""
    game.emit(EventKind.RELEASE, unit.place, unit.owner, unit.type)
    unit.where, unit.place = Where.RESERVE, -1


def ship_lands(game: Game, ship: Unit, space: int) -> None:
    """A Ship comes to a space; everything there is destroyed: Units, Habitat, Relic Token, feature (U5.3)."""
    here = game.spaces[space]
    crushed = sorted((u for u in here.units if u is not ship), key=lambda u: (u.owner, u.type))
    if ship.where == Where.PLANET:
        game.emit(EventKind.MOVE, ship.owner, ship.type, ship.place, space)
        game.spaces[ship.place].units.remove(ship)
    else:
        game.emit(EventKind.ENTER, ship.owner, ship.type, space, DEPLOYED)
    destroy(game, crushed)
    _put(game, ship, space)
    lose_token(game, space)
    erase_feature(game, space)


def ship_departs(game: Game, ship: Unit) -> None:
    """The Ship of a Launched player leaves the planet (L4.10)."""
    game.emit(EventKind.LEAVE, ship.owner, ship.type, ship.place, LAUNCHED)
    _take(game, ship, Where.GONE)
