"""Chapter Y, section 5: escapes by Early Warning before spaces collapse."""

from __future__ import annotations

from cysmic_fast.content.effect_words import Kind, Mod, UnitAbility
from cysmic_fast.reference.decision import Flow, choose, choose_space, choose_type
from cysmic_fast.reference.model import Game, Unit
from cysmic_fast.reference.modifiers import has_ability, present
from cysmic_fast.reference.movement import adjacent_to, can_jump, has_room, jump_ends, ship_spaces, walk_ends
from cysmic_fast.reference.planet import nearest
from cysmic_fast.reference.rest import group_rests, ship_enters
from cysmic_fast.reference.units import fewest_marks, move_units
from cysmic_fast.vocabulary import DONE, SPACE, UNIT, DecisionKind, UnitType

__all__ = ["escapes"]


def escapes(game: Game, doomed: set[int]) -> Flow[None]:
    """Escape by Early Warning, player by player (Y5.7). A Ship that cannot leave saves its space (Y5.6)."""
    for seat in game.clockwise(game.active):
        used: set[int] = set()
        ship = game.ship(seat)
        ship_waits = ship is not None and ship.place in doomed
        while True:
            alone = present(game, seat, Mod.ESCAPE_MOVE)
            options = [SPACE + s for s in _ways_out(game, seat, doomed, used, alone=alone)]
            if ship is not None and ship_waits:
                options.append(SPACE + ship.place)
            else:
                options.append(DONE)
            choice = yield from choose(game, seat, DecisionKind.ESCAPE, options)
            if choice == DONE:
                break
            space = choice - SPACE
            if ship is not None and ship_waits and space == ship.place:
                ship_waits = False
                yield from _ship_escapes(game, ship, doomed)
            elif alone:
                yield from _unit_escapes(game, space, seat, doomed)
            else:
                used.add(space)
                yield from _group_escapes(game, space, seat, doomed)


def _ways_out(game: Game, seat: int, doomed: set[int], used: set[int], *, alone: bool) -> list[int]:
    """Spaces from which a player's Units may escape; ``alone``: each makes a Move of its own (D7.4)."""
    if alone:
        return [s for s in sorted(doomed) if any(_ends(game, u, doomed) for u in _wakers(game, s, seat))]
    return [
        s
        for s in sorted(doomed - used)
        if any(_wakers(game, s, seat)) and _group_destinations(game, s, seat, doomed)
    ]


# ---------------------------------------------------------------------- Ships
def _ship_escapes(game: Game, ship: Unit, doomed: set[int]) -> Flow[None]:
    """A Ship always escapes, destroying what is there; with nowhere to go it stays (Y5.5, Y5.6, RUL-Y11)."""
    ends = nearest(game, ship.place, ship_spaces(game, ship, closed=doomed))
    start = ship.place
    if ends:
        end = yield from choose_space(game, ship.owner, DecisionKind.ESCAPE_TO, ends)
        assert end is not None
        yield from ship_enters(game, ship, end, Kind.ESCAPE, ship.owner)
    if ship.place == start:
        doomed.remove(start)
        game.collapsing -= {start}


# ---------------------------------------------------------------------- groups
def _wakers(game: Game, space: int, seat: int) -> list[Unit]:
    """Unlocked Units with Early Warning that may start an escape (Y5.1); no Confused Troop (D7.1)."""
    here = game.spaces[space].of(seat)
    return [
        u for u in here if game.is_unlocked(u) and has_ability(game, seat, u.type, UnitAbility.EARLY_WARNING)
    ]


def _is_open(game: Game, end: int, seat: int, doomed: set[int]) -> bool:
    """A space to escape to: not collapsing, passable, no Ship, no other player's Units (Y5.1, Y5.2)."""
    there = game.spaces[end]
    return not (end in doomed or there.impassable or there.ship is not None or there.others(seat))


def _group_destinations(game: Game, space: int, seat: int, doomed: set[int]) -> list[int]:
    """Adjacent spaces with room for at least one Unit that can start the escape (Y5.1, Y5.2)."""
    return [
        end
        for end in adjacent_to(game, space, seat)
        if _is_open(game, end, seat, doomed)
        and any(has_room(game, end, seat, [u]) for u in _wakers(game, space, seat))
    ]


def _group_escapes(game: Game, space: int, seat: int, doomed: set[int]) -> Flow[None]:
    """One destination per space; a Unit with Early Warning and any others of the space (Y5.3, RUL-Y7)."""
    destinations = _group_destinations(game, space, seat, doomed)
    end = yield from choose_space(game, seat, DecisionKind.ESCAPE_TO, destinations)
    assert end is not None
    group: list[Unit] = []
    while True:
        pool = game.spaces[space].sober(seat) if group else _wakers(game, space, seat)  # (Y5.9)
        fitting = [u for u in pool if u not in group and has_room(game, end, seat, [*group, u])]
        options = [UNIT + u.type for u in fitting] + [DONE] * bool(group)
        choice = yield from choose(game, seat, DecisionKind.ESCAPE_UNIT, options)
        if choice == DONE:
            break
        group.append(fewest_marks(fitting, UnitType(choice - UNIT)))
    move_units(game, group, end)
    yield from group_rests(game, group, Kind.ESCAPE, seat)


# ---------------------------------------------------------------------- one by one
def _ends(game: Game, unit: Unit, doomed: set[int]) -> list[int]:
    """Where a Unit that makes a whole Move, or with Jumpjets a jump, may escape to (D7.4)."""
    ends = set(walk_ends(game, unit))
    if can_jump(game, unit):
        ends |= set(jump_ends(game, unit))
    return [s for s in sorted(ends) if _is_open(game, s, unit.owner, doomed)]


def _unit_escapes(game: Game, space: int, seat: int, doomed: set[int]) -> Flow[None]:
    """One Unit to a space of its own; a jump causes no Tremor (D7.4)."""
    able = [u for u in _wakers(game, space, seat) if _ends(game, u, doomed)]
    kinds = {u.type for u in able}
    kind: UnitType | None = next(iter(kinds))
    if len(kinds) > 1:
        kind = yield from choose_type(game, seat, DecisionKind.UNIT_TYPE, kinds)
    assert kind is not None
    unit = fewest_marks(able, kind)
    end = yield from choose_space(game, seat, DecisionKind.ESCAPE_TO, _ends(game, unit, doomed))
    assert end is not None
    move_units(game, [unit], end)
    yield from group_rests(game, [unit], Kind.ESCAPE, seat)
