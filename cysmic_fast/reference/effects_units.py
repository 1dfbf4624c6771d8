"""Verbs on Units: deploy, convert, recall, destroy, capture, confuse (docs/cards.md, 4.4)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import Protocol, TypeAlias

from cysmic_fast.content.effect_words import ConvertTo, Dropship, Immunity, Kind, Where
from cysmic_fast.content.effects import Capture, Confuse, Convert, Count, Deploy, Destroy, Recall
from cysmic_fast.reference.conditions import count
from cysmic_fast.reference.confused import confuse
from cysmic_fast.reference.decision import Flow, choose_type
from cysmic_fast.reference.defeat import doom_of, effect_captures, effect_destroys, reach, safe_from
from cysmic_fast.reference.effects import Handlers
from cysmic_fast.reference.frame import Frame, group_of
from cysmic_fast.reference.model import TROOPS, Game, Unit
from cysmic_fast.reference.model import Where as Place
from cysmic_fast.reference.modifiers import protected
from cysmic_fast.reference.recruit import (
    Ground,
    affordable,
    can_deploy,
    choose_troops,
    deploy,
    deploy_one,
    recruit_budget,
    upgradable,
    upgrade_unit,
)
from cysmic_fast.reference.robbery import rob
from cysmic_fast.reference.selectors import spaces, units
from cysmic_fast.reference.targets import choose_from, choose_unit
from cysmic_fast.reference.units import free_captive, recall, swap, take_captive
from cysmic_fast.vocabulary import CardAction, DecisionKind, UnitType

__all__ = ["VERBS", "enough", "report"]


class Counted(Protocol):
    """A step done ``n`` times."""

    @property
    def must(self) -> bool:
        """See :class:`~cysmic_fast.content.effects.Step`."""

    @property
    def n(self) -> Count | int:
        """How often."""


#: Steps that treat Units of a selector, ``n`` of them.
Treating: TypeAlias = Recall | Destroy | Capture | Confuse


def report(frame: Frame, worked: Sequence[tuple[Unit, int]], *, origin: int | None = None) -> None:
    """Registers after a verb worked on Units, each in a space (V2.4).

    ``$unit`` are those worked on last in one space without a break that are still there (C77).
    """
    if not worked:
        return
    last, space = worked[-1]
    row = takewhile(lambda pair: (pair[0].owner, pair[1]) == (last.owner, space), reversed(worked))
    there = [u for u, _ in row if u.where == Place.PLANET and u.place == space]
    frame.regs.unit = group_of(list(dict.fromkeys(there)))
    frame.regs.space, frame.regs.area = space, False
    if origin is not None:
        frame.regs.origin = origin


# ---------------------------------------------------------------------- deploy
def _ground(game: Game, frame: Frame, step: Deploy) -> Ground | None:
    """The spaces of ``at``, judged anew for each Unit."""
    at = step.at
    return None if at is None else lambda: spaces(game, frame, at)


def _budget(game: Game, step: Deploy, performer: int) -> int | None:
    return recruit_budget(game, performer) if step.influence else step.budget


def _can_deploy(game: Game, frame: Frame, step: Deploy, performer: int) -> bool:
    """A listed type in Reserve, within the budget, has a legal space."""
    budget = _budget(game, step, performer)
    kinds = [k for k in step.types if affordable(game, k, budget)]
    ground = _ground(game, frame, step)
    if step.must and step.budget is None and not step.influence:
        able = [k for k in kinds if can_deploy(game, performer, [k], ground)]
        return enough(game, frame, step, sum(len(game.reserve(performer, k)) for k in able))
    return can_deploy(game, performer, kinds, ground)


def _deploy(game: Game, frame: Frame, step: Deploy, performer: int) -> Flow[bool]:
    """One Unit at once; several are chosen first, then Deployed one by one (R1.4, R1.5)."""
    ground = _ground(game, frame, step)
    by_budget = step.influence or step.budget is not None
    n = None if by_budget else count(game, frame, step.n)
    landed: list[tuple[Unit, int]] = []
    if n == 1:
        yield from deploy_one(
            game,
            performer,
            step.types,
            ground=ground,
            cause=frame.seat,
            optional=step.upto,
            landed=landed,
        )
    elif n != 0:
        budget = _budget(game, step, performer)
        chosen = yield from choose_troops(game, performer, budget, n, step.types, optional=step.upto)
        yield from deploy(game, performer, chosen, ground=ground, cause=frame.seat, landed=landed)
    report(frame, landed)
    frame.regs.n = len(landed)
    return n is None or len(landed) >= n


# ---------------------------------------------------------------------- convert
def _replacements(game: Game, step: Convert, unit: Unit) -> list[UnitType]:
    """Types that may replace a Unit, Vehicles and prices apart."""
    match step.to:
        case ConvertTo.TROOP:
            kinds = [k for k in TROOPS if k != unit.type] if unit.is_troop else []
        case ConvertTo.BASE:
            source = game.content.units[unit.type].upgrades_from
            kinds = [] if source is None or not unit.is_vehicle else [source]
        case _:
            kind = UnitType(step.to)
            kinds = [kind] if unit.is_troop and kind != unit.type else []
    return game.in_reserve(unit.owner, kinds)


def _convertible(game: Game, frame: Frame, step: Convert, performer: int) -> list[Unit]:
    """Matching Units, not immune, that can be replaced."""
    forms = {Dropship.NEVER: CardAction.STANDARD_UPGRADE, Dropship.ONLY: CardAction.DROPSHIP_UPGRADE}
    found = []
    for unit in units(game, frame, step.units):
        if unit.confused or safe_from(game, unit, Immunity.CONVERT, frame.seat):
            continue
        if step.to == ConvertTo.VEHICLE:
            form = forms.get(step.dropship)
            able = upgradable(game, unit, form, locked=True, discount=step.discount)
            if unit.owner == performer and able:
                found.append(unit)
        elif _replacements(game, step, unit):
            found.append(unit)
    return found


def _can_convert(game: Game, frame: Frame, step: Convert, performer: int) -> bool:
    return enough(game, frame, step, len(_convertible(game, frame, step, performer)))


def enough(game: Game, frame: Frame, step: Counted, there: int) -> bool:
    """At least one, or in full if the step is ``must``."""
    if not step.must:
        return there > 0
    n = step.n if isinstance(step.n, int) else count(game, frame, step.n)
    return there > 0 if n is None else there >= n


def _convert(game: Game, frame: Frame, step: Convert, performer: int) -> Flow[bool]:
    """Replaced in place, one after the other, the same one again if it still matches; fires nothing."""
    n = count(game, frame, step.n)
    worked: list[tuple[Unit, int]] = []
    while n is None or len(worked) < n:
        pool = _convertible(game, frame, step, performer)
        if n is None:  # all: each once
            pool = [u for u in pool if u not in [w for w, _ in worked]]
        old = yield from choose_unit(game, performer, pool, done=step.upto)
        if old is None:
            break
        space = old.place
        reach(frame, step.units, old)
        if step.to == ConvertTo.VEHICLE:
            new = yield from upgrade_unit(game, old, frame.seat, discount=step.discount, drawer=performer)
        else:
            kinds = _replacements(game, step, old)
            kind: UnitType | None = kinds[0]
            if step.to == ConvertTo.TROOP:
                kind = yield from choose_type(game, performer, DecisionKind.PROMOTE_TO, kinds)
            assert kind is not None
            new = game.reserve(old.owner, kind)[0]
            swap(game, old, new)
        worked.append((new, space))
    report(frame, worked)
    frame.regs.n = len(worked)
    return n is None or len(worked) >= n


# ---------------------------------------------------------------------- recall, destroy, capture, confuse
IMMUNITIES = {
    Destroy: Immunity.DESTROY,
    Capture: Immunity.CAPTURE,
    Confuse: Immunity.CONFUSE,
}


def _treatable(game: Game, frame: Frame, step: Treating, performer: int) -> list[Unit]:
    """Matching Units that the verb can treat; immune ones are passed over (V1.8)."""
    found = [u for u in units(game, frame, step.units) if not u.is_ship]
    if step.units.where != Where.PLANET:
        if isinstance(step, Capture):  # never one's own, nor what one holds; holders may be immune
            found = [
                u
                for u in found
                if performer not in (u.owner, u.place)
                and not protected(game, u.place, Immunity.STEAL, frame.seat)
            ]
        return found
    word = IMMUNITIES.get(type(step))
    if word is not None:
        found = [u for u in found if not safe_from(game, u, word, frame.seat)]
    match step:
        case Recall():
            return [u for u in found if not u.confused]
        case Capture():
            return [u for u in found if u.owner != performer]
        case Confuse():
            return [u for u in found if u.is_troop and game.is_unlocked(u)]
        case _:
            return found


def _can_treat(game: Game, frame: Frame, step: Treating, performer: int) -> bool:
    return enough(game, frame, step, len(_treatable(game, frame, step, performer)))


def _treat(game: Game, frame: Frame, step: Treating, performer: int) -> Flow[bool]:
    """Choose and treat Units one after the other, or (n = all) at once; then the registers (V1.4, V2.4)."""
    n = count(game, frame, step.n)
    treated: list[tuple[Unit, int]] = []
    for _ in range(1 if n is None else n):
        group = _treatable(game, frame, step, performer)
        if n is not None:
            unit = yield from choose_from(game, performer, group, step.units, done=step.upto)
            group = [] if unit is None else [unit]
        if not group:
            break
        for part in _parts(step, group):
            if n is None and isinstance(step, (Destroy, Capture)):
                part = [u for u in _treatable(game, frame, step, performer) if u.place == part[0].place]
            places = {id(u): u.place for u in part}
            space = part[0].place  # of those defeated: like Units may have gone in their stead (C19)
            done = yield from _carry_out(game, frame, step, performer, part)
            treated += [(u, places.get(id(u), space)) for u in done]
    if treated:
        frame.regs.unit = None
        if step.units.where == Where.PLANET and not isinstance(step, Recall):
            report(frame, treated)
    frame.regs.n = len(treated)
    return n is None or len(treated) >= n


def _parts(step: Treating, group: list[Unit]) -> list[list[Unit]]:
    """What is treated together: Units destroyed or captured space by space, others all at once."""
    if step.units.where != Where.PLANET or not isinstance(step, (Destroy, Capture)):
        return [group]
    return [[u for u in group if u.place == space] for space in sorted({u.place for u in group})]


def _carry_out(
    game: Game, frame: Frame, step: Treating, performer: int, group: list[Unit]
) -> Flow[list[Unit]]:
    """Treat some Units together; returns those it was done to."""
    held = step.units.where != Where.PLANET
    match step:
        case Destroy():
            return (yield from effect_destroys(game, group, frame.seat, doom_of(frame, step.units)))
        case Capture() if held:
            return (yield from _take_captives(game, frame.seat, performer, group))
        case Capture():
            doom = doom_of(frame, step.units)
            return (yield from effect_captures(game, group, performer, frame.seat, doom))
        case Confuse():
            reach(frame, step.units, *group)
            confuse(game, group)
        case Recall() if held:
            for unit in group:
                free_captive(game, unit)
        case _:
            reach(frame, step.units, *group)
            recall(game, group)
    return group


def _take_captives(game: Game, cause: int, captor: int, group: list[Unit]) -> Flow[list[Unit]]:
    """Out of other players' Holding Areas, after ``robbed`` once for each holder (G4.3)."""
    taken: list[Unit] = []
    for holder in sorted({u.place for u in group}):
        held = [u for u in group if u.place == holder]
        if (yield from rob(game, cause, holder, Kind.CAPTIVE, len(held))):
            taken += [u for u in held if u.where == Place.CAPTIVE and u.place == holder]
    for unit in taken:
        take_captive(game, unit, captor)
    return taken


VERBS: Handlers = {
    Deploy: (_can_deploy, _deploy),
    Convert: (_can_convert, _convert),
    Recall: (_can_treat, _treat),
    Destroy: (_can_treat, _treat),
    Capture: (_can_treat, _treat),
    Confuse: (_can_treat, _treat),
}
