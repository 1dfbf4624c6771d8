"""Gatherings: what Mine, Explore, Harvest and Scavenge produce (A2, A5, docs/cards.md 4.5)."""

from __future__ import annotations

from cysmic_fast.content.effect_words import Good, Kind, Mod, Per, Trigger
from cysmic_fast.reference.decision import Flow
from cysmic_fast.reference.frame import Happening
from cysmic_fast.reference.goods import draw_discovery, gain_lorium
from cysmic_fast.reference.model import Game, Gathering, Unit
from cysmic_fast.reference.modifiers import mods
from cysmic_fast.reference.windows import fire
from cysmic_fast.vocabulary import CardAction, Feature

__all__ = ["GATHERS", "close", "close_gatherings", "produce"]

#: Where a gathering Action can be performed (A2.1, A5.1, A5.2).
GATHERS = {
    CardAction.MINE: Feature.LORIUM,
    CardAction.HARVEST: Feature.LORIUM,
    CardAction.EXPLORE: Feature.EXPLORABLE,
    CardAction.SCAVENGE: Feature.EXPLORABLE,
}


def produce(
    game: Game, gathering: Gathering, unit: Unit, action: CardAction, *, lorium_only: bool = False
) -> Flow[None]:
    """One Unit gathers: Lorium first, then Discovery Cards one by one."""
    amounts = _yields(game, gathering, unit, action)
    gathering.spaces.add(unit.place)
    gathering.actions.add(action)
    gain_lorium(game, gathering.player, amounts[Good.LORIUM])
    gathering.lorium += amounts[Good.LORIUM]
    if not lorium_only:
        gathering.discovery += yield from draw_discovery(game, gathering.player, amounts[Good.DISCOVERY])


def _yields(game: Game, gathering: Gathering, unit: Unit, action: CardAction) -> dict[Good, int]:
    """The table, plus the bonus per Unit, for the first Unit of a space and of an action; at least 0."""
    printed = game.content.yields[action]
    amounts = {Good.LORIUM: printed.lorium, Good.DISCOVERY: printed.discovery}
    counts = {
        Per.UNIT: True,
        Per.SPACE: unit.place not in gathering.spaces,
        Per.ACTION: action not in gathering.actions,
    }
    for m in mods(game, unit.owner, Mod.GATHER_BONUS):
        if m.res is not None and action in m.gathers and counts[m.per]:
            amounts[m.res] += m.n
    return {good: max(0, n) for good, n in amounts.items()}


def close(game: Game, gathering: Gathering) -> Flow[None]:
    """The gathering is over: Lorium, then Discovery Cards, each with an amount above 0."""
    for kind, amount in ((Kind.LORIUM, gathering.lorium), (Kind.DISCOVERY, gathering.discovery)):
        if amount:
            yield from fire(game, Happening(Trigger.GATHERED, gathering.player, kinds=(kind,), n=amount))


def close_gatherings(game: Game, gatherings: dict[int, Gathering]) -> Flow[None]:
    """The gatherings of the verb ``gather`` in a program, in the order in which they began."""
    for gathering in list(gatherings.values()):
        yield from close(game, gathering)
