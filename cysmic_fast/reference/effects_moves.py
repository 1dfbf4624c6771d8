"""Verbs that change the place of Units: move, place (docs/cards.md, 4.4)."""

from __future__ import annotations

from cysmic_fast.content.effect_words import Denial, Immunity, Kind, MoveMode
from cysmic_fast.content.effects import Move, Place
from cysmic_fast.reference.conditions import count
from cysmic_fast.reference.decision import Flow, choose_space
from cysmic_fast.reference.defeat import reach, safe_from
from cysmic_fast.reference.effects import Handlers
from cysmic_fast.reference.effects_flow import visit
from cysmic_fast.reference.effects_units import enough, report
from cysmic_fast.reference.frame import Frame
from cysmic_fast.reference.model import Game, Mark, Unit
from cysmic_fast.reference.modifiers import denied, protected
from cysmic_fast.reference.movement import (
    can_jump,
    jump_ends,
    jump_tremor,
    may_stop,
    ship_ends,
    ship_spaces,
    steer,
    steer_ship,
    walk_ends,
    ways_home,
)
from cysmic_fast.reference.planet import nearest
from cysmic_fast.reference.recruit import deploy_locations
from cysmic_fast.reference.rest import group_rests, offer_token, unit_rests
from cysmic_fast.reference.selectors import spaces, units
from cysmic_fast.reference.targets import choose_unit
from cysmic_fast.reference.units import move_units, swap_places
from cysmic_fast.vocabulary import DecisionKind

__all__ = ["VERBS"]


# ---------------------------------------------------------------------- move
def _ways(game: Game, frame: Frame, step: Move, unit: Unit) -> tuple[list[int], list[int]]:
    """Legal ends of a Move by walk and by jump; a Ship only walks (M4)."""
    if unit.is_ship:
        ends = [unit.place, *ship_ends(game, unit)]
        if step.must:
            ends = nearest(game, unit.place, ship_spaces(game, unit))  # (M4.4)
        return [s for s in ends if _may_end(game, frame, step, unit, s)], []
    walks: list[int] = []
    jumps: list[int] = []
    if step.board:
        walks, jumps = ways_home(game, unit, step.steps)
    else:
        if step.mode != MoveMode.JUMP:
            walks = walk_ends(game, unit, step.steps)
        if (step.mode == MoveMode.JUMP and not denied(game, unit.owner, Denial.JUMPJET)) or (
            step.mode == MoveMode.EITHER and can_jump(game, unit)
        ):
            jumps = jump_ends(game, unit, step.steps)
    return (
        [s for s in walks if _may_end(game, frame, step, unit, s)],
        [s for s in jumps if _may_end(game, frame, step, unit, s)],
    )


def _may_end(game: Game, frame: Frame, step: Move, unit: Unit, end: int) -> bool:
    """The last space matches, no Combat is begun against ``engage``; the own space only without ``must``."""
    if end == unit.place:
        return not step.must
    there = game.spaces[end]
    if not unit.is_ship and not step.engage and there.others(unit.owner) and not there.of(unit.owner):
        return False
    return step.end is None or end in spaces(game, frame, step.end, unit.owner)


def _movable(game: Game, frame: Frame, step: Move, *, listed: bool) -> list[Unit]:
    """Matching Units with a legal end, not immune, not moved in this step yet."""
    return [
        u
        for u in units(game, frame, step.units)
        if not (listed and Mark.LISTED in u.marks)
        and not u.confused
        and not safe_from(game, u, Immunity.DRIVE, frame.seat)
        and any(_ways(game, frame, step, u))
    ]


def _can_move(game: Game, frame: Frame, step: Move, performer: int) -> bool:
    del performer
    return enough(game, frame, step, len(_movable(game, frame, step, listed=False)))


def _move(game: Game, frame: Frame, step: Move, performer: int) -> Flow[bool]:
    """One after the other, each once; the performer steers, all else is the owner's (M7)."""
    n = count(game, frame, step.n)
    listed = n != 1
    moved = 0
    worked: list[tuple[Unit, int]] = []
    start: int | None = None
    while n is None or moved < n:
        pool = _movable(game, frame, step, listed=listed)
        unit = yield from choose_unit(game, performer, pool, done=step.upto)
        if unit is None:
            break
        if listed:
            unit.marks.add(Mark.LISTED)
        moved += 1
        start = unit.place
        reach(frame, step.units, unit)
        worked.append((unit, (yield from _move_one(game, frame, step, performer, unit))))
        unit.reached = None
    if listed:
        game.unmark(Mark.LISTED)
    report(frame, worked, origin=start)
    frame.regs.n = moved
    return n is None or moved >= n


def _move_one(game: Game, frame: Frame, step: Move, performer: int, unit: Unit) -> Flow[int]:
    """One Move, with the Tremor of a jump; returns where it ended."""
    walks, jumps = _ways(game, frame, step, unit)
    if unit.is_ship:
        yield from steer_ship(game, unit, performer, frame.seat, walks)
        return unit.place
    home = game.ship(unit.owner) if step.board else None
    end, jumped = yield from steer(
        game,
        unit,
        performer,
        frame.seat,
        walks,
        jumps,
        most=step.steps,
        ship_space=None if home is None else home.place,
    )
    if jumped and step.tremor:
        yield from jump_tremor(game, unit, frame.seat, drawer=performer)
    return end


# ---------------------------------------------------------------------- place
def _places(game: Game, frame: Frame, step: Place, unit: Unit) -> list[int]:
    """Where a Unit may be set down (M8.1); never its own space, nor one that is collapsing now."""
    if step.deploy:
        where = deploy_locations(game, unit.owner)
    else:
        assert step.to is not None
        where = spaces(game, frame, step.to, unit.owner)
    return [
        s
        for s in where
        if s != unit.place
        and s not in game.collapsing
        and may_stop(game, s, unit.owner, unit.type)
        and (step.engage or not game.spaces[s].others(unit.owner) or bool(game.spaces[s].of(unit.owner)))
    ]


def _placeable(game: Game, frame: Frame, step: Place) -> list[Unit]:
    """Matching Units with a legal space, not immune, not placed in this step yet."""
    return [
        u
        for u in units(game, frame, step.units)
        if not u.is_ship
        and not u.confused
        and Mark.LISTED not in u.marks
        and not safe_from(game, u, Immunity.DRIVE, frame.seat)
        and _places(game, frame, step, u)
    ]


def _can_place(game: Game, frame: Frame, step: Place, performer: int) -> bool:
    del performer
    if step.swap is not None:
        return bool(_partners(game, frame, step))
    return enough(game, frame, step, len(_placeable(game, frame, step)))


def _place(game: Game, frame: Frame, step: Place, performer: int) -> Flow[bool]:
    """Set down without a path, one after the other; with ``swap`` all at once."""
    if step.swap is not None:
        return (yield from _swap(game, frame, step, performer))
    n = count(game, frame, step.n)
    worked: list[tuple[Unit, int]] = []
    origin: int | None = None
    if n is None:
        start = frame.probe()
        for unit in visit(lambda: _placeable(game, start, step)):
            origin = unit.place
            yield from _place_one(game, start, step, performer, unit, worked, listed=True)
    else:
        while len(worked) < n:
            pool = _placeable(game, frame, step)
            chosen = yield from choose_unit(game, performer, pool, done=step.upto)
            if chosen is None:
                break
            origin = chosen.place
            yield from _place_one(game, frame, step, performer, chosen, worked, listed=n > 1)
    if n != 1:
        game.unmark(Mark.LISTED)
    report(frame, worked, origin=origin)
    frame.regs.n = len(worked)
    return n is None or len(worked) >= n


def _place_one(
    game: Game,
    frame: Frame,
    step: Place,
    performer: int,
    unit: Unit,
    worked: list[tuple[Unit, int]],
    *,
    listed: bool,
) -> Flow[None]:
    """One Unit to a space of the performer's choice, then it rests (V7.8)."""
    places = _places(game, frame, step, unit)
    end = yield from choose_space(game, performer, DecisionKind.PLACE_TO, places)
    assert end is not None
    worked.append((unit, end))
    if listed:
        unit.marks.add(Mark.LISTED)
    peace = game.spaces[end].attacker is None
    reach(frame, step.units, unit)
    move_units(game, [unit], end)
    began = peace and game.spaces[end].attacker is not None
    yield from offer_token(game, unit.owner, end)
    yield from unit_rests(game, unit, end, Kind.PLACE, frame.seat, began=began)


# ---------------------------------------------------------------------- place with swap
def _partners(game: Game, frame: Frame, step: Place) -> dict[int, int]:
    """Spaces whose one Faction can change places with the own Units: space -> its seat."""
    assert step.swap is not None
    group = _group(game, frame, step)
    if not group:
        return {}
    first = game.spaces[group[0].place]
    if len(group) < len(first.of(group[0].owner)):  # a Confused Troop would stay behind
        return {}
    found: dict[int, int] = {}
    for unit in units(game, frame, step.swap):
        there = game.spaces[unit.place]
        alone = len(there.sides) == 1 and there is not first and not any(u.confused for u in there.units)
        safe = protected(game, unit.owner, Immunity.DRIVE, frame.seat)
        if alone and unit.owner not in first.sides and not safe:
            found[unit.place] = unit.owner
    return found


def _group(game: Game, frame: Frame, step: Place) -> list[Unit]:
    """The own Units of the first space."""
    found = [u for u in units(game, frame, step.units) if not u.is_ship]
    return [u for u in found if u.place == found[0].place]


def _swap(game: Game, frame: Frame, step: Place, performer: int) -> Flow[bool]:
    """Two groups change places at once; the arriving Faction takes over the side of a Combat."""
    partners = _partners(game, frame, step)
    if not partners:
        frame.regs.n = 0
        return False
    mine = _group(game, frame, step)
    start = mine[0].place
    end = yield from choose_space(game, performer, DecisionKind.PLACE_TO, partners)
    assert end is not None
    theirs = game.spaces[end].of(partners[end])
    swap_places(game, mine, theirs)
    for group in sorted((mine, theirs), key=lambda units_: units_[0].place):
        yield from group_rests(game, group, Kind.PLACE, frame.seat)
    report(frame, [(u, end) for u in mine], origin=start)
    frame.regs.n = len(mine)
    return True


VERBS: Handlers = {
    Move: (_can_move, _move),
    Place: (_can_place, _place),
}
