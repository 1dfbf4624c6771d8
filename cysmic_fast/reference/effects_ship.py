"""Verbs of the Ship and of lasting effects: cyber, ransom, construct, grant (docs/cards.md, 4.8, 4.9)."""

from __future__ import annotations

from cysmic_fast.content.effects import Construct, Cyber, Grant, Ransom
from cysmic_fast.reference.conditions import count
from cysmic_fast.reference.construction import construct, payable, ransom, sellers
from cysmic_fast.reference.cyber import attackers, cyber_attacks
from cysmic_fast.reference.decision import Flow
from cysmic_fast.reference.effects import Handlers, meant
from cysmic_fast.reference.effects_units import enough
from cysmic_fast.reference.frame import Frame
from cysmic_fast.reference.grants import give
from cysmic_fast.reference.model import Game

__all__ = ["VERBS"]


def _can_cyber(game: Game, frame: Frame, step: Cyber, performer: int) -> bool:
    return enough(game, frame, step, len(attackers(game, performer, step.range)))


def _cyber(game: Game, frame: Frame, step: Cyber, performer: int) -> Flow[bool]:
    """``n`` Cyber Attacks; ``$n`` is how many succeeded."""
    tried, won = yield from cyber_attacks(
        game, performer, step.n, optional=step.upto, distance=step.range, dice=step.dice
    )
    frame.regs.n = won
    return tried >= step.n


def _can_ransom(game: Game, frame: Frame, step: Ransom, performer: int) -> bool:
    return enough(game, frame, step, len(sellers(game, performer)))


def _ransom(game: Game, frame: Frame, step: Ransom, performer: int) -> Flow[bool]:
    n = count(game, frame, step.n)
    done = 0
    while (n is None or done < n) and (yield from ransom(game, performer, optional=step.upto)):
        done += 1
    frame.regs.n = done
    return n is None or done >= n


def _can_construct(game: Game, frame: Frame, step: Construct, performer: int) -> bool:
    return enough(game, frame, step, len(payable(game, performer, step.method, step.discount)))


def _construct(game: Game, frame: Frame, step: Construct, performer: int) -> Flow[bool]:
    n = count(game, frame, step.n)
    done = 0
    while n is None or done < n:
        built = yield from construct(game, performer, step.method, discount=step.discount, optional=step.upto)
        if not built:
            break
        done += 1
    frame.regs.n = done
    return n is None or done >= n


def _always(game: Game, frame: Frame, step: Grant, performer: int) -> bool:
    del game, frame, step, performer
    return True


def _grant(game: Game, frame: Frame, step: Grant, performer: int) -> Flow[bool]:
    """Modifiers for a while; ``self`` gives them."""
    del performer
    for seat in meant(game, frame, step.to):
        give(game, seat, frame.seat, step.mods, step.duration)
    yield from ()
    return True


VERBS: Handlers = {
    Cyber: (_can_cyber, _cyber),
    Ransom: (_can_ransom, _ransom),
    Construct: (_can_construct, _construct),
    Grant: (_always, _grant),
}
