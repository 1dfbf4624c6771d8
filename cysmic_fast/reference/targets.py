"""Choosing Units one by one: space, owner, type (docs/cards.md, 13.2)."""

from __future__ import annotations

from collections.abc import Sequence

from cysmic_fast.content.effect_words import Where
from cysmic_fast.content.effects import UnitSelector
from cysmic_fast.reference.decision import Flow, choose, choose_space, choose_type
from cysmic_fast.reference.goods import captive_id
from cysmic_fast.reference.model import Game, Unit
from cysmic_fast.reference.units import fewest_marks
from cysmic_fast.vocabulary import DONE, PLAYER, DecisionKind

__all__ = ["choose_captive", "choose_from", "choose_unit"]


def choose_unit(game: Game, chooser: int, pool: Sequence[Unit], *, done: bool = False) -> Flow[Unit | None]:
    """UNIT_SPACE (or DONE), UNIT_OWNER, UNIT_TYPE; None if declined or nobody is there."""
    if not pool:
        return None
    places = {u.place for u in pool}
    space = yield from choose_space(game, chooser, DecisionKind.UNIT_SPACE, places, done=done)
    if space is None:
        return None
    here = [u for u in pool if u.place == space]
    owner = yield from _choose_owner(game, chooser, here)
    here = [u for u in here if u.owner == owner]
    kind = yield from choose_type(game, chooser, DecisionKind.UNIT_TYPE, {u.type for u in here})
    assert kind is not None
    return fewest_marks(here, kind)


def _choose_owner(game: Game, chooser: int, units: Sequence[Unit]) -> Flow[int]:
    options = [PLAYER + u.owner for u in units]
    return (yield from choose(game, chooser, DecisionKind.UNIT_OWNER, options)) - PLAYER


def choose_captive(
    game: Game, chooser: int, pool: Sequence[Unit], where: Where, *, done: bool = False
) -> Flow[Unit | None]:
    """A Captured Unit: its holder (or DONE), then which; None if declined or nobody is there."""
    if not pool:
        return None
    own = where == Where.CAPTIVE
    kind = DecisionKind.RESCUE_HOLDER if own else DecisionKind.STEAL_HOLDER
    choice = yield from choose(game, chooser, kind, [PLAYER + u.place for u in pool] + [DONE] * done)
    if choice == DONE:
        return None
    here = [u for u in pool if u.place == choice - PLAYER]
    if not own:
        options = [captive_id(u) for u in here]
        choice = yield from choose(game, chooser, DecisionKind.STEAL_CAPTIVE, options)
        return next(u for u in here if captive_id(u) == choice)
    if len({u.owner for u in here}) > 1:
        owner = yield from _choose_owner(game, chooser, here)
        here = [u for u in here if u.owner == owner]
    captive = yield from choose_type(game, chooser, DecisionKind.RESCUE_TYPE, {u.type for u in here})
    return next(u for u in here if u.type == captive)


def choose_from(
    game: Game, chooser: int, pool: Sequence[Unit], selector: UnitSelector, *, done: bool = False
) -> Flow[Unit | None]:
    """One of the Units that match a selector, wherever it looks."""
    if selector.where == Where.PLANET:
        return (yield from choose_unit(game, chooser, pool, done=done))
    return (yield from choose_captive(game, chooser, pool, selector.where, done=done))
