"""Conditions, metrics and counts; and which registers a step needs (docs/cards.md, sections 2 and 3)."""

from __future__ import annotations

import operator
from dataclasses import fields
from functools import cache
from typing import Any

from cysmic_fast.content.effect_words import (
    ControlAxis,
    CountKind,
    Metric,
    Op,
    Owner,
    Register,
    Role,
    Turn,
    Who,
)
from cysmic_fast.content.effects import (
    Condition,
    Count,
    Modifier,
    SpaceSelector,
    Step,
    UnitSelector,
)
from cysmic_fast.reference.frame import Frame
from cysmic_fast.reference.hexmap import locate
from cysmic_fast.reference.influence import influence
from cysmic_fast.reference.model import Game, Where
from cysmic_fast.reference.modifiers import role_in
from cysmic_fast.reference.selectors import spaces, units

__all__ = ["count", "holds", "lacks_register", "metric", "needs", "plays_role"]

OPS = {Op.LT: operator.lt, Op.LE: operator.le, Op.EQ: operator.eq, Op.GE: operator.ge, Op.GT: operator.gt}


# ---------------------------------------------------------------------- conditions
def holds(game: Game, frame: Frame, cond: Condition) -> bool:
    """All keys given hold; an empty register that is needed makes it fail."""
    if lacks_register(game, frame, cond):
        return False
    found: list[bool] = []
    if cond.exists is not None:
        found.append(_within(cond, len(units(game, frame, cond.exists))))
    if cond.site is not None:
        found.append(_within(cond, len(spaces(game, frame, cond.site))))
    if cond.metric is not None:
        found.append(_compare(game, frame, cond))
    if cond.role is not None:
        found.append(plays_role(game, frame, cond.role))
    if cond.turn is not None:
        found.append((game.active == frame.seat) == (cond.turn == Turn.OWN))
    return all(found)


def _within(cond: Condition, number: int) -> bool:
    return number >= cond.low and (cond.high is None or number <= cond.high)


def _compare(game: Game, frame: Frame, cond: Condition) -> bool:
    """A metric of one player, of some opponent, or of every one; never a question."""
    assert cond.metric is not None
    which = cond.metric

    def fits(seat: int) -> bool:
        value = metric(game, frame, which, seat)
        return value is not None and OPS[cond.op](value, cond.value)

    everybody = game.seated(game.active)
    others = [s for s in everybody if s != frame.seat]
    match cond.who:
        case Who.OPPONENT:
            return any(map(fits, others))
        case Who.ANY_PLAYER:
            return any(map(fits, everybody))
        case Who.EACH_OPPONENT:
            return all(map(fits, others))
        case Who.ALL:
            return all(map(fits, everybody))
        case Who.HOLDER:
            return fits(game.marker)
        case Who.REGISTER:
            return frame.regs.player is not None and fits(frame.regs.player)
        case _:
            return fits(frame.seat)


def plays_role(game: Game, frame: Frame, role: Role) -> bool:
    """The part of ``self`` in the Combat of the event's space; false without a Combat there."""
    space = frame.event.space if frame.event is not None else None
    if space is None or game.spaces[space].attacker is None:
        return False
    part = role_in(game, space, frame.seat)
    if role == Role.INVOLVED:
        return part is not None
    if role == Role.BYSTANDER:
        return part is None
    return part == role


def metric(game: Game, frame: Frame, which: Metric, seat: int) -> int | None:
    """One of the numbers of section 3; None: not known in this version."""
    player = game.players[seat]
    match which:
        case Metric.INFLUENCE:
            return influence(game, seat)
        case Metric.LORIUM:
            return player.lorium
        case Metric.DISCOVERY:
            return len(player.discovery)
        case Metric.RELICS:
            return len(player.relics) + len(player.active_relics)
        case Metric.ACTIVE_RELICS:
            return len(player.active_relics)
        case Metric.CAPTIVES:
            return len(game.captives(seat))
        case Metric.OWN_CAPTIVES:
            return sum(u.where == Where.CAPTIVE for u in game.army(seat))
        case Metric.HABITATS:
            return len(game.habitats(seat))
        case Metric.BLUEPRINTS:
            return len(player.acquired)
        case Metric.MODULES:
            return len(player.modules)
        case Metric.TOKENS:
            return player.tokens
        case Metric.UNITS_PLANET:
            return len(game.on_planet(seat))
        case Metric.TERRAINS_OCCUPIED:
            spots = [locate(u.place) for u in game.on_planet(seat) if game.spaces[u.place].has_tile]
            return len({spot.terrain for spot in spots if spot is not None})
        case Metric.N:
            return frame.regs.n
        case _:
            return None


# ---------------------------------------------------------------------- counts
def count(game: Game, frame: Frame, n: Count) -> int | None:
    """How often a step is done; None: all."""
    value: int | None
    match n.kind:
        case CountKind.NUMBER:
            value = n.number
        case CountKind.ALL:
            return None
        case CountKind.REGISTER:
            value = frame.regs.n
        case CountKind.UNITS:
            assert n.units is not None
            value = len(units(game, frame, n.units))
        case CountKind.SPACES:
            assert n.space is not None
            value = len(spaces(game, frame, n.space))
        case CountKind.METRIC:
            assert n.metric is not None
            value = metric(game, frame, n.metric, frame.seat)
    value = max(0, value or 0)
    return value if n.most is None else min(value, n.most)


# ---------------------------------------------------------------------- registers
def lacks_register(
    game: Game, frame: Frame, thing: Step | Condition | Count | SpaceSelector | UnitSelector
) -> bool:
    """A register that the own words of a step or condition use is empty (V2.3).

    Counters of the turn are kept in other modes only: what asks for them is treated alike.
    """
    needed = needs(thing)
    return needed is None or any(_empty(game, frame, register) for register in needed)


def _empty(game: Game, frame: Frame, register: Register) -> bool:
    regs = frame.regs
    match register:
        case Register.PLAYER:
            return regs.player is None
        case Register.UNIT:
            return regs.unit is None or not regs.unit.units(game)
        case Register.SPACE:
            return not regs.spaces(game)
        case Register.FROM:
            return regs.origin is None
        case Register.TERRAIN:
            return regs.terrain is None
        case Register.N:
            return regs.n is None
        case Register.CARD:
            return regs.card is None
        case _:
            return False


@cache
def needs(thing: Any) -> tuple[Register, ...] | None:
    """Registers used by a selector, condition or step, lists inside a step left out.

    None if it asks for a counter of the turn.
    """
    found: set[Register] = set()
    match thing:
        case UnitSelector():
            found |= {Register.UNIT} if thing.register else set()
            found |= {Register.PLAYER} if thing.owner == Owner.REGISTER else set()
            found |= {Register.N} if thing.health_n else set()
        case SpaceSelector():
            found |= {thing.register} if thing.register else set()
            found |= {Register.TERRAIN} if thing.terrain_register else set()
            found |= {Register.PLAYER} if ControlAxis.REGISTER in thing.control else set()
        case Count() | Condition() if thing.metric is not None and thing.metric > Metric.N:
            return None
        case Count():
            found |= {Register.N} if thing.kind == CountKind.REGISTER or thing.metric == Metric.N else set()
        case Condition():
            found |= {Register.N} if thing.metric == Metric.N else set()
        case _:
            pass
    lists = thing.lists if isinstance(thing, Step) else ()
    for field_ in fields(thing):
        value = getattr(thing, field_.name)
        if value is Who.REGISTER:
            found.add(Register.PLAYER)
        elif (
            hasattr(value, "__dataclass_fields__") and not isinstance(value, Modifier) and value not in lists
        ):
            inner = needs(value)
            if inner is None:
                return None
            found |= set(inner)
    return tuple(sorted(found))
