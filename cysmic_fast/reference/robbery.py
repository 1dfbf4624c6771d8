"""Goods about to be taken by another player's effect: the event ``robbed``."""

from __future__ import annotations

from cysmic_fast.content.effect_words import Kind, Trigger
from cysmic_fast.reference.decision import Flow
from cysmic_fast.reference.frame import Happening
from cysmic_fast.reference.model import Game
from cysmic_fast.reference.windows import fire

__all__ = ["rob"]


def rob(game: Game, cause: int, victim: int, kind: Kind, n: int) -> Flow[bool]:
    """Whether ``n`` goods of a kind may be taken; nobody else's reaction is asked for the own goods."""
    if cause == victim or n == 0:
        return True
    event = yield from fire(game, Happening(Trigger.ROBBED, cause, victim, (kind,), n=n))
    return not event.cancelled
