"""The groups of the playout policy, worked out from the table (``cysmic_fast/playout.py`` has its rules)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from cysmic_fast.playout_groups import FIRST_GROUP, Group
from cysmic_fast.reference.construction import completed
from cysmic_fast.reference.model import Game
from cysmic_fast.vocabulary import COMMAND, DONE, SPACE, CommandCard, DecisionKind, Feature

if TYPE_CHECKING:
    from cysmic_fast.reference.state import ReferenceState

__all__ = ["playout_weights"]

#: Cards that are never idle.
_TACTICS = {CommandCard.RECRUIT, CommandCard.UPGRADE}


def playout_weights(
    state: ReferenceState, rows: Sequence[Sequence[tuple[int, int]]]
) -> list[tuple[int, list[int]]]:
    """(weight, legal actions ascending) for each rule of the decision's row that applies."""
    legal = state.legal_actions()
    kind, unit = state.decision(), state.decision_unit
    row = rows[kind]
    if kind == DecisionKind.MOVE_TO:
        assert unit is not None
        row = rows[len(DecisionKind) + unit]
    layers = []
    for what, weight in row:
        if what < FIRST_GROUP:
            actions = [what] if what in legal else []
        elif what == Group.ALL:
            actions = legal
        else:
            group = _members(state.table, state.current_player(), Group(what), legal)
            actions = [a for a in legal if a in group]
        if actions and weight:
            layers.append((weight, actions))
    return layers


def _members(game: Game, seat: int, group: Group, legal: list[int]) -> set[int]:
    """The actions of a group, legal or not."""
    if group == Group.ENOUGH:
        return {DONE} if completed(game, seat) else set()
    if group in _CARDS:
        return {COMMAND + card for card in _CARDS[group](game, seat)}
    if group == Group.HOME and not completed(game, seat):
        return set()
    if group in _NEAREST:
        offered = {a - SPACE for a in legal if SPACE <= a < SPACE + len(game.spaces)}
        return {SPACE + s for s in _nearest(game, _SPACES[_NEAREST[group]](game, seat), offered)}
    return {SPACE + s for s in _SPACES[group](game, seat)}


# ---------------------------------------------------------------------- spaces
def _wanted_from(game: Game, seat: int) -> list[int]:
    """Opponents whose Blueprint the player misses."""
    missing = {m.colour for i, m in enumerate(game.content.modules) if i not in game.players[seat].acquired}
    return [p.seat for p in game.players if p.seat != seat and p.colour in missing]


def _own_ship(game: Game, seat: int) -> set[int]:
    ship = game.ship(seat)
    return set() if ship is None else {ship.place}


def _tiles(game: Game, seat: int) -> set[int]:
    return {s.number for s in game.spaces if s.has_tile}


def _lorium(game: Game, seat: int) -> set[int]:
    return {s.number for s in game.spaces if s.feature == Feature.LORIUM}


def _explorable(game: Game, seat: int) -> set[int]:
    return {s.number for s in game.spaces if s.feature == Feature.EXPLORABLE}


def _habitats(game: Game, seat: int) -> set[int]:
    return {s.number for s in game.spaces if game.is_habitat(s.number) and s.control != seat}


def _raid(game: Game, seat: int) -> set[int]:
    ships = (game.ship(opponent) for opponent in _wanted_from(game, seat))
    return {s for ship in ships if ship is not None for s in game.map.adjacent[ship.place]}


def _prey(game: Game, seat: int) -> set[int]:
    return {u.place for opponent in _wanted_from(game, seat) for u in game.on_planet(opponent)}


_SPACES = {
    Group.OWN_SHIP: _own_ship,
    Group.TILES: _tiles,
    Group.LORIUM: _lorium,
    Group.EXPLORABLE: _explorable,
    Group.HABITATS: _habitats,
    Group.RAID: _raid,
    Group.PREY: _prey,
}

_NEAREST = {
    Group.TO_RAID: Group.RAID,
    Group.TO_LORIUM: Group.LORIUM,
    Group.TO_HABITAT: Group.HABITATS,
    Group.TO_PREY: Group.PREY,
    Group.HOME: Group.OWN_SHIP,
}


def _nearest(game: Game, goals: Iterable[int], offered: set[int]) -> set[int]:
    """Those of the spaces offered that are the fewest steps from a goal, over what is not impassable."""
    edge = set(goals)
    seen = set(edge)
    while edge and not edge & offered:
        around = {n for s in edge for n in game.map.adjacent[s]}
        edge = {s for s in around - seen if not game.spaces[s].impassable}
        seen |= edge
    return edge & offered


# ---------------------------------------------------------------------- Command Cards
def _ship_card(game: Game, seat: int) -> set[int]:
    player = game.players[seat]
    if completed(game, seat):
        useful = bool(game.on_planet(seat))
    else:
        prices = [game.content.modules[m].lorium for m in player.acquired - player.modules]
        useful = any(price <= player.total_lorium for price in prices)
    return {CommandCard.COLONY_SHIP} if useful else set()


def _deal_card(game: Game, seat: int) -> set[int]:
    limits = game.content.limits
    raid = _raid(game, seat)
    # A Confused Troop that shares its space with nobody counts here as well.
    useful = any(u.place in raid and not game.spaces[u.place].is_combat for u in game.on_planet(seat))
    for opponent in _wanted_from(game, seat):
        held = [u for u in game.captives(seat) if u.owner == opponent]
        vehicles = sum(u.is_vehicle for u in held)
        enough = vehicles >= limits.blueprint_vehicles or len(held) - vehicles >= limits.blueprint_troops
        useful = useful or (bool(held) and enough)
    return {CommandCard.NEGOTIATE} if useful else set()


def _battle_card(game: Game, seat: int) -> set[int]:
    return {CommandCard.BATTLE} if game.combats(seat) else set()


def _unit_card(game: Game, seat: int) -> set[int]:
    types = {u.type for u in game.on_planet(seat) if not u.confused and not game.spaces[u.place].is_combat}
    return {card for card in CommandCard if game.content.commands[card].unit in types}


def _idle_card(game: Game, seat: int) -> set[int]:
    useful = (
        _ship_card(game, seat) | _deal_card(game, seat) | _battle_card(game, seat) | _unit_card(game, seat)
    )
    return {int(card) for card in CommandCard} - useful - _TACTICS


_CARDS = {
    Group.SHIP_CARD: _ship_card,
    Group.DEAL_CARD: _deal_card,
    Group.BATTLE_CARD: _battle_card,
    Group.UNIT_CARD: _unit_card,
    Group.IDLE_CARD: _idle_card,
}
