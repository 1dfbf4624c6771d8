"""Verbs of Combat: combat, flee, die, alter, cancel (docs/cards.md, 4.7)."""

from __future__ import annotations

from cysmic_fast.content.effect_words import Alteration, CombatAxis, DieOp, Role, Who
from cysmic_fast.content.effects import Alter, Cancel, Combat, Die, Flee
from cysmic_fast.reference.combat import resolve_several
from cysmic_fast.reference.conditions import count
from cysmic_fast.reference.decision import Flow
from cysmic_fast.reference.dice import Die as OneDie
from cysmic_fast.reference.dice import choose_die, fitting_dice, roll
from cysmic_fast.reference.effects import Handlers, meant
from cysmic_fast.reference.effects_units import enough, report
from cysmic_fast.reference.flight import flee_by_effect, places_to_flee
from cysmic_fast.reference.frame import Frame, Source
from cysmic_fast.reference.model import Game
from cysmic_fast.reference.modifiers import role_in
from cysmic_fast.vocabulary import DecisionKind

__all__ = ["VERBS"]


# ---------------------------------------------------------------------- combat
def _combats(game: Game, step: Combat, performer: int) -> list[int]:
    return game.combats(performer if step.which == CombatAxis.MINE else None)


def _can_combat(game: Game, frame: Frame, step: Combat, performer: int) -> bool:
    return enough(game, frame, step, len(_combats(game, step, performer)))


def _combat(game: Game, frame: Frame, step: Combat, performer: int) -> Flow[bool]:
    """Resolve some Combats; ``first`` is preset, in the ability of an Action card claimed (V7.7)."""
    n = count(game, frame, step.n)
    first: int | Role = Role.ATTACKER
    if step.first == Who.DEFENDER:
        first = Role.DEFENDER
    elif step.first != Who.ATTACKER:
        first = next(iter(meant(game, frame, step.first)), Role.ATTACKER)
    done = yield from resolve_several(
        game,
        performer,
        frame.seat,
        lambda: _combats(game, step, performer),
        first,
        most=n,
        optional=step.upto,
        claim=Source.ACTION if frame.source == Source.ACTION else None,
        captures=step.captures,
    )
    if done:
        frame.regs.space, frame.regs.area = done[-1], False
    return n is None or len(done) >= n


# ---------------------------------------------------------------------- flee
def _can_flee(game: Game, frame: Frame, step: Flee, performer: int) -> bool:
    del frame, step
    return bool(places_to_flee(game, performer))


def _flee(game: Game, frame: Frame, step: Flee, performer: int) -> Flow[bool]:
    if not places_to_flee(game, performer):
        return False
    left, fled = yield from flee_by_effect(game, performer, final_strike=step.final_strike)
    report(frame, fled, origin=left)
    return bool(fled)


# ---------------------------------------------------------------------- dice
def _dice(frame: Frame, step: Die) -> list[OneDie]:
    """Dice of the colour on the table of the event."""
    table = frame.event.dice if frame.event is not None else None
    return fitting_dice(table or [], step.colour)


def _can_die(game: Game, frame: Frame, step: Die, performer: int) -> bool:
    del performer
    return enough(game, frame, step, len(_dice(frame, step)))


def _die(game: Game, frame: Frame, step: Die, performer: int) -> Flow[bool]:
    """``n`` different Combat Dice are changed, rerolled or taken away."""
    n = count(game, frame, step.n)
    table = frame.event.dice if frame.event is not None else None
    changed: list[OneDie] = []
    while table and (n is None or len(changed) < n):
        able = [d for d in _dice(frame, step) if d not in changed]
        die = yield from choose_die(game, performer, DecisionKind.DIE, table, able, done=step.upto)
        if die is None:
            break
        changed.append(die)
        match step.op:
            case DieOp.ADD:
                die.value += step.value
            case DieOp.SET:
                die.value = step.value
            case DieOp.REROLL:
                die.value = roll(game, die.colour)
            case DieOp.DROP:
                table.remove(die)
    return n is None or len(changed) >= n


# ---------------------------------------------------------------------- alter, cancel
def _always(game: Game, frame: Frame, step: Alter | Cancel, performer: int) -> bool:
    del game, frame, step, performer
    return True


def _alter(game: Game, frame: Frame, step: Alter, performer: int) -> Flow[bool]:
    """The waiting event changes; the last change of a kind holds."""
    del performer
    event = frame.event
    assert event is not None
    match step.what:
        case Alteration.FINAL_STRIKE:
            event.final_strike = False
        case Alteration.REDRAW:
            event.redraw = bool(game.bag)  # with an empty bag nothing happens
        case Alteration.ASSIGNER | Alteration.FIRST_STRIKE:
            assert step.to is not None
            seats = meant(game, frame, step.to)
            if not seats:
                return False
            (seat,) = seats
            if step.what == Alteration.ASSIGNER:
                event.assigner = seat
            else:
                assert event.space is not None
                role = role_in(game, event.space, seat)
                if role is not None:  # nobody else can strike first
                    event.claims[frame.source] = role
    yield from ()
    return True


def _cancel(game: Game, frame: Frame, step: Cancel, performer: int) -> Flow[bool]:
    """The waiting event does not happen."""
    del game, step, performer
    assert frame.event is not None
    frame.event.cancelled = True
    yield from ()
    return True


VERBS: Handlers = {
    Combat: (_can_combat, _combat),
    Flee: (_can_flee, _flee),
    Die: (_can_die, _die),
    Alter: (_always, _alter),
    Cancel: (_always, _cancel),
}
