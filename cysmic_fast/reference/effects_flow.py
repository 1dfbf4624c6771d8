"""Verbs of flow: choose, if, each, pick, roll (docs/cards.md, 4.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from cysmic_fast.content.effect_words import PickWhat, Who
from cysmic_fast.content.effects import Choose, Each, If, Pick, Roll, SpaceSelector, Steps, UnitSelector
from cysmic_fast.reference.conditions import holds
from cysmic_fast.reference.decision import Flow, choose, choose_yes
from cysmic_fast.reference.dice import roll
from cysmic_fast.reference.effects import (
    ONE_OF_SEVERAL,
    Handlers,
    choose_player,
    picks,
    players,
    put,
    run,
    startable,
)
from cysmic_fast.reference.frame import Frame, group_of
from cysmic_fast.reference.hexmap import SPACES
from cysmic_fast.reference.model import Game, Mark, Unit
from cysmic_fast.reference.selectors import spaces, units
from cysmic_fast.reference.units import line_up
from cysmic_fast.vocabulary import OPTION, PLAYER, SPACE, TERRAIN, DecisionKind

__all__ = ["VERBS", "pick", "pickable", "visit"]


# ---------------------------------------------------------------------- choose, if
def _can_choose(game: Game, frame: Frame, step: Choose, performer: int) -> bool:
    del performer
    return any(startable(game, frame.probe(), option) for option in step.options)


def _choose(game: Game, frame: Frame, step: Choose, performer: int) -> Flow[bool]:
    """One startable option; none: nothing happens."""
    able = [i for i, option in enumerate(step.options) if startable(game, frame.probe(), option)]
    if not able:
        return False
    choice = yield from choose(game, performer, DecisionKind.CHOOSE, [OPTION + i for i in able])
    yield from run(game, frame, step.options[choice - OPTION])
    return True


def _branch(game: Game, frame: Frame, step: If) -> Steps:
    return step.then if holds(game, frame, step.cond) else step.otherwise


def _can_branch(game: Game, frame: Frame, step: If, performer: int) -> bool:
    del performer
    branch = _branch(game, frame, step)
    return bool(branch) and startable(game, frame.probe(), branch)


def _if(game: Game, frame: Frame, step: If, performer: int) -> Flow[bool]:
    del performer
    branch = _branch(game, frame, step)
    yield from run(game, frame, branch)
    return bool(branch)


# ---------------------------------------------------------------------- each
def _can_each(game: Game, frame: Frame, step: Each, performer: int) -> bool:
    """The list has an item left."""
    del performer
    match step.over:
        case UnitSelector():
            return bool(_matching(game, frame, step, step.over))
        case SpaceSelector():
            return bool(spaces(game, frame, step.over))
        case _:
            return bool(players(game, frame, step.over))


def _each(game: Game, frame: Frame, step: Each, performer: int) -> Flow[bool]:
    """``run`` for every item in order; then the registers it sets are empty (V2.2)."""
    taken = 0
    regs = frame.regs
    start = frame.probe()  # the list is judged with the registers as they are now
    match step.over:
        case UnitSelector():
            over = step.over
            for unit in visit(lambda: _matching(game, start, step, over)):
                if step.most is not None and taken >= step.most:
                    break
                regs.unit, regs.player = group_of([unit]), unit.owner
                regs.space, regs.area = unit.place, False
                if (yield from _wanted(game, frame, step, performer)):
                    taken += 1
                    if step.once:
                        unit.marks.add(Mark.ONCE)
                    yield from run(game, frame, step.run)
            regs.unit = regs.player = regs.space = None
            regs.area = False
        case SpaceSelector():
            for space in SPACES:
                if step.most is not None and taken >= step.most:
                    break
                if space not in spaces(game, start, step.over):
                    continue
                regs.space, regs.area = space, False
                if (yield from _wanted(game, frame, step, performer)):
                    taken += 1
                    yield from run(game, frame, step.run)
            regs.space, regs.area = None, False
        case _:
            for seat in (yield from _seats(game, frame, step, step.over)):
                if step.most is not None and taken >= step.most:
                    break
                regs.player = seat
                if (yield from _wanted(game, frame, step, performer)):
                    taken += 1
                    yield from run(game, frame, step.run)
            regs.player = None
    return True


def _seats(game: Game, frame: Frame, step: Each, word: Who) -> Flow[list[int]]:
    """The players of a word; ``opponent`` and ``any_player`` are one whose ``run`` is startable."""
    seats = players(game, frame, word)
    if word not in ONE_OF_SEVERAL:
        return seats
    able = []
    for seat in seats:
        probe = frame.probe()
        probe.regs.player = seat
        if startable(game, probe, step.run):
            able.append(seat)
    chosen = yield from choose_player(game, frame, able)
    return [s for s in seats if s == chosen]


def _wanted(game: Game, frame: Frame, step: Each, performer: int) -> Flow[bool]:
    """With ``opt`` or ``n`` the performer is asked for each item whose ``run`` is startable."""
    if not step.asks:
        return True
    if not startable(game, frame.probe(), step.run):
        return False
    return (yield from choose_yes(game, performer, DecisionKind.EACH_ITEM))


def _matching(game: Game, frame: Frame, step: Each, over: UnitSelector) -> list[Unit]:
    """Units that fit now; with ``once`` only those that take part in the Unit card and were not taken yet."""
    found = units(game, frame, over)
    if step.once:
        found = [u for u in found if Mark.PART in u.marks and Mark.ONCE not in u.marks]
    return found


def visit(matching: Callable[[], list[Unit]]) -> Iterator[Unit]:
    """Space by space, owner by owner, type by type: as many as fit on arrival, while one is still there.

    ``matching`` gives the Units that fit when it is called.
    """
    last = (-1, -1, -1)
    while True:
        ahead = [u for u in matching() if _key(u) > last]
        if not ahead:
            return
        last = min(map(_key, ahead))
        for _ in range(sum(_key(u) == last for u in ahead)):
            left = [u for u in matching() if _key(u) == last]
            if not left:
                break
            yield line_up(left)[0]


def _key(unit: Unit) -> tuple[int, int, int]:
    return unit.place, unit.owner, unit.type


# ---------------------------------------------------------------------- pick, roll
def pickable(game: Game, frame: Frame, step: Pick) -> list[int]:
    """Spaces, seats or terrains that may be picked."""
    match step.what:
        case PickWhat.SPACE:
            assert step.space is not None
            return spaces(game, frame, step.space)
        case PickWhat.PLAYER:
            assert step.player is not None
            return sorted(players(game, frame, step.player))
        case PickWhat.TERRAIN:
            return list(range(len(game.content.planet.terrains)))


ASKS: Final = {
    PickWhat.SPACE: (DecisionKind.PICK_SPACE, SPACE),
    PickWhat.PLAYER: (DecisionKind.PICK_PLAYER, PLAYER),
    PickWhat.TERRAIN: (DecisionKind.PICK_TERRAIN, TERRAIN),
}


def _can_pick(game: Game, frame: Frame, step: Pick, performer: int) -> bool:
    del performer
    return bool(pickable(game, frame, step))


def pick(game: Game, frame: Frame, step: Pick, performer: int, rest: Steps) -> Flow[bool]:
    """Fill a register with what leaves the rest of the head possible; nothing to pick: the list ends."""
    kind, base = ASKS[step.what]
    options = [base + value for value in picks(game, frame, step, rest)]
    if not options:
        return False
    put(frame, step.what, (yield from choose(game, performer, kind, options)) - base)
    return True


def _always(game: Game, frame: Frame, step: Roll, performer: int) -> bool:
    del game, frame, step, performer
    return True


def _roll(game: Game, frame: Frame, step: Roll, performer: int) -> Flow[bool]:
    """Combat Dice that no modifier, card or reroll touches; ``$n`` is the highest."""
    del performer
    frame.regs.n = max(roll(game, step.dice) for _ in range(step.n))
    yield from ()
    return True


def _never(game: Game, frame: Frame, step: Pick, performer: int) -> Flow[bool]:
    """``pick`` is performed by :func:`pick`, which needs to know the rest of the head."""
    raise AssertionError("pick")


VERBS: Handlers = {
    Choose: (_can_choose, _choose),
    If: (_can_branch, _if),
    Each: (_can_each, _each),
    Pick: (_can_pick, _never),
    Roll: (_always, _roll),
}
