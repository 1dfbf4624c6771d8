"""Verbs of the planet: control, tremor, fracture, collapse, token (docs/cards.md, 4.6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cysmic_fast.content.effect_words import (
    ControlAs,
    Denial,
    Immunity,
    Kind,
    ReachAction,
    TokenOp,
    Who,
)
from cysmic_fast.content.effects import Collapse, Control, Fracture, SpaceSelector, Token, Tremor
from cysmic_fast.reference.conditions import count
from cysmic_fast.reference.cysmograph import collapse, fracture, tremor, tremor_back
from cysmic_fast.reference.decision import Flow, choose_space
from cysmic_fast.reference.effects import Handlers, meant
from cysmic_fast.reference.effects_units import enough
from cysmic_fast.reference.frame import Frame
from cysmic_fast.reference.influence import neutralize_habitat, take_habitat
from cysmic_fast.reference.model import Game
from cysmic_fast.reference.modifiers import denied, protected, reach
from cysmic_fast.reference.planet import lose_token, place_token, token_supply
from cysmic_fast.reference.rest import collect
from cysmic_fast.reference.selectors import spaces
from cysmic_fast.vocabulary import DecisionKind

__all__ = ["VERBS"]


def _set_space(frame: Frame, space: int) -> None:
    frame.regs.space, frame.regs.area = space, False


# ---------------------------------------------------------------------- control
REACHES = {ControlAs.PERSUADE: ReachAction.PERSUADE, ControlAs.NEUTRALIZE: ReachAction.NEUTRALIZE}
DENIALS = {ControlAs.PERSUADE: Denial.PERSUADE, ControlAs.NEUTRALIZE: Denial.NEUTRALIZE}


def _reached(game: Game, step: Control, performer: int) -> SpaceSelector:
    """The selector, ``near`` widened by the performer's ``reach`` in the two Unit actions."""
    at = step.at
    if step.means not in REACHES or at.near is None:
        return at
    further = at.near.high + reach(game, performer, REACHES[step.means])
    return replace(at, near=replace(at.near, high=further))


def _habitats(game: Game, frame: Frame, step: Control, performer: int, receiver: int | None) -> list[int]:
    """Matching Habitats that do not have the wanted controller yet, nor one who is immune."""
    if step.means in DENIALS and denied(game, performer, DENIALS[step.means]):
        return []
    found = []
    for space in spaces(game, frame, _reached(game, step, performer)):
        owner = game.spaces[space].control
        safe = owner is not None and protected(game, owner, Immunity.CONTROL, frame.seat)
        if game.is_habitat(space) and owner != receiver and not safe:
            found.append(space)
    return found


def _receivers(game: Game, frame: Frame, step: Control, performer: int) -> list[int | None]:
    """Who may become controller; None is nobody."""
    if step.to == Who.NONE:
        return [None] if _habitats(game, frame, step, performer, None) else []
    return [s for s in meant(game, frame, step.to) if _habitats(game, frame, step, performer, s)]


def _can_control(game: Game, frame: Frame, step: Control, performer: int) -> bool:
    return any(
        enough(game, frame, step, len(_habitats(game, frame, step, performer, receiver)))
        for receiver in _receivers(game, frame, step, performer)
    )


def _control(game: Game, frame: Frame, step: Control, performer: int) -> Flow[bool]:
    """Habitat by Habitat: choice, ``habitat_lost``, a Flag given up, the change, ``gained``."""
    n = count(game, frame, step.n)
    receiver: int | None = next(iter(_receivers(game, frame, step, performer)), None)
    done = 0
    chosen: set[int] = set()  # each once: kept by a Reaction, or given up for the next one (C83)
    while (n is None or len(chosen) < n) and (step.to == Who.NONE or receiver is not None):
        options = [s for s in _habitats(game, frame, step, performer, receiver) if s not in chosen]
        if not options:
            break
        space = yield from choose_space(game, performer, DecisionKind.REWARD_HABITAT, options, done=step.upto)
        if space is None:
            break
        former = game.spaces[space].control
        if receiver is None:
            changed = yield from neutralize_habitat(game, space, frame.seat)
        else:
            changed = yield from take_habitat(game, space, receiver, frame.seat)
        if changed:
            done += 1
            _set_space(frame, space)
            frame.regs.player = former
        chosen.add(space)
    frame.regs.n = done
    return n is None or done >= n


# ---------------------------------------------------------------------- tremor, fracture
def _always(game: Game, frame: Frame, step: Tremor | Fracture, performer: int) -> bool:
    del game, frame, step, performer
    return True


def _tremor(game: Game, frame: Frame, step: Tremor, performer: int) -> Flow[bool]:
    """Tremors one after the other, Fractures drawn by the performer; or the stack goes back."""
    if step.n < 0:
        tremor_back(game, -step.n)
    for _ in range(step.n):
        yield from tremor(game, frame.seat, Kind.EFFECT, drawer=performer)
    return True


def _fracture(game: Game, frame: Frame, step: Fracture, performer: int) -> Flow[bool]:
    yield from fracture(game, frame.seat, step.draw, drawer=performer)
    return True


# ---------------------------------------------------------------------- collapse
def _tiles(game: Game, frame: Frame, step: Collapse) -> list[int]:
    return [s for s in spaces(game, frame, step.space) if game.spaces[s].has_tile]


def _can_collapse(game: Game, frame: Frame, step: Collapse, performer: int) -> bool:
    del performer
    return enough(game, frame, step, len(_tiles(game, frame, step)))


def _collapse(game: Game, frame: Frame, step: Collapse, performer: int) -> Flow[bool]:
    """Spaces are chosen, then go down together; nothing inside a quake (V1.11)."""
    n = count(game, frame, step.n)
    chosen: list[int] = []
    if not game.cysmograph.busy:
        while n is None or len(chosen) < n:
            options = [s for s in _tiles(game, frame, step) if s not in chosen]
            if not options:
                break
            space = yield from choose_space(
                game, performer, DecisionKind.COLLAPSE_SPACE, options, done=step.upto
            )
            if space is None:
                break
            chosen.append(space)
    if chosen:
        yield from collapse(game, sorted(chosen), frame.seat, placer=performer)
        frame.regs.space, frame.regs.area = None, True
    frame.regs.n = len(chosen)
    return n is None or len(chosen) >= n


# ---------------------------------------------------------------------- token
def _token_spaces(game: Game, frame: Frame, step: Token) -> list[int]:
    """Spaces where a Relic Token can be put, or lies."""
    found = [game.spaces[s] for s in spaces(game, frame, step.space)]
    if step.op != TokenOp.ADD:
        return [s.number for s in found if s.token]
    if not token_supply(game):
        return []
    return [s.number for s in found if s.devastated and not s.token and s.ship is None]


def _can_token(game: Game, frame: Frame, step: Token, performer: int) -> bool:
    del performer
    return enough(game, frame, step, len(_token_spaces(game, frame, step)))


def _token(game: Game, frame: Frame, step: Token, performer: int) -> Flow[bool]:
    """Added, removed or collected one after the other; n = all by ascending spaces, without questions."""
    n = count(game, frame, step.n)
    done: list[int] = []
    queue: Sequence[int] = _token_spaces(game, frame, step) if n is None else ()
    while n is None or len(done) < n:
        options = _token_spaces(game, frame, step)
        space: int | None
        if n is None:
            left = [s for s in queue if s in options and s not in done]
            space = left[0] if left else None
        elif options:
            space = yield from choose_space(
                game, performer, DecisionKind.TOKEN_SPACE, options, done=step.upto
            )
        else:
            space = None
        if space is None:
            break
        done.append(space)
        match step.op:
            case TokenOp.ADD:
                place_token(game, space)
            case TokenOp.REMOVE:
                lose_token(game, space)
            case TokenOp.COLLECT:
                yield from collect(game, performer, space)
    if done:
        _set_space(frame, done[-1])
    frame.regs.n = len(done)
    return n is None or len(done) >= n


VERBS: Handlers = {
    Control: (_can_control, _control),
    Tremor: (_always, _tremor),
    Fracture: (_always, _fracture),
    Collapse: (_can_collapse, _collapse),
    Token: (_can_token, _token),
}
