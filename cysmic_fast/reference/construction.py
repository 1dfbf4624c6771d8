"""Chapter B: Blueprints, Holding Cells, Recall, constructing Modules."""

from __future__ import annotations

from collections.abc import Iterable

from cysmic_fast.reference.decision import Flow, choose, choose_space, choose_type
from cysmic_fast.reference.goods import captive_id, pay_lorium
from cysmic_fast.reference.model import Game, Unit
from cysmic_fast.reference.units import fewest_marks, free_captive, recall
from cysmic_fast.vocabulary import DONE, MODULE, PLAYER, DecisionKind, EventKind

__all__ = [
    "acquire",
    "can_ransom",
    "completed",
    "construct_manually",
    "construct_robotically",
    "fits_cells",
    "obtainable",
    "payable",
    "ransom",
]

MANUAL, ROBOTIC = 0, 1  # field b of MODULE
BY_CYBER_ATTACK, BY_EXCHANGE = 0, 1  # field b of BLUEPRINT


# ---------------------------------------------------------------------- Blueprints
def obtainable(game: Game, seat: int, opponent: int) -> list[int]:
    """Missing Blueprints that can be gained from an opponent (B3.2, X1.2; variant: S5.3)."""
    colours = {game.players[opponent].colour}
    if game.options.blueprint_variant:
        in_play = {p.colour for p in game.players}
        colours |= {m.colour for m in game.content.modules} - in_play
    acquired = game.players[seat].acquired
    return [i for i, m in enumerate(game.content.modules) if m.colour in colours and i not in acquired]


def acquire(game: Game, seat: int, module: int, how: int) -> None:
    """The own token flips; the opponent loses nothing (B3.4, X1.6)."""
    game.players[seat].acquired.add(module)
    if how == BY_EXCHANGE:
        game.stats.blueprints_exchange += 1
    else:
        game.stats.blueprints_cyber += 1
    game.emit(EventKind.BLUEPRINT, seat, module, how)


def _needed(game: Game, unit: Unit) -> int:
    """Captured Units of the class of ``unit`` that buy a Blueprint (B3.2)."""
    limits = game.content.limits
    return limits.blueprint_vehicles if unit.is_vehicle else limits.blueprint_troops


def _ransoms(game: Game, seat: int, opponent: int) -> list[Unit]:
    """Captured Units of an opponent whose class is held in sufficient number."""
    held = [u for u in game.captives(seat) if u.owner == opponent]
    return [u for u in held if sum(v.is_vehicle == u.is_vehicle for v in held) >= _needed(game, u)]


def _sellers(game: Game, seat: int) -> list[int]:
    """Opponents with whom an exchange can be made."""
    return [s for s in game.seats if s != seat and obtainable(game, seat, s) and _ransoms(game, seat, s)]


def can_ransom(game: Game, seat: int) -> bool:
    """An exchange of Captured Units for a Blueprint can be made (N0.3)."""
    return bool(_sellers(game, seat))


def ransom(game: Game, seat: int, *, optional: bool) -> Flow[bool]:
    """Return Captured Units of one opponent for a Blueprint (B3.2, B3.3); False if declined or impossible."""
    sellers = _sellers(game, seat)
    if not sellers:
        return False
    options = [PLAYER + s for s in sellers] + [DONE] * optional
    choice = yield from choose(game, seat, DecisionKind.RANSOM_PLAYER, options)
    if choice == DONE:
        return False
    opponent = choice - PLAYER
    pool = _ransoms(game, seat, opponent)
    returned: list[Unit] = []
    while not returned or len(returned) < _needed(game, returned[0]):
        left = [u for u in pool if u not in returned]
        if returned:
            left = [u for u in left if u.is_vehicle == returned[0].is_vehicle]
        choice = yield from choose(game, seat, DecisionKind.RANSOM_UNIT, [captive_id(u) for u in left])
        returned.append(next(u for u in left if captive_id(u) == choice))
    modules = obtainable(game, seat, opponent)
    module = modules[0]
    if game.options.blueprint_variant:
        options = [MODULE + m for m in modules]
        module = (yield from choose(game, seat, DecisionKind.CHOOSE_BLUEPRINT, options)) - MODULE
    for unit in returned:
        free_captive(game, unit)
    acquire(game, seat, module, BY_EXCHANGE)
    return True


# ---------------------------------------------------------------------- Holding Cells
def fits_cells(game: Game, seat: int) -> bool:
    """Vehicles and Troops held fit the open cells (B2.1 to B2.3)."""
    limits = game.content.limits
    held = game.captives(seat)
    vehicles = sum(u.is_vehicle for u in held)
    troops = len(held) - vehicles
    cells = -(-vehicles // limits.cell_vehicles) - (-troops // limits.cell_troops)
    return cells <= limits.cells - len(game.players[seat].modules)


# ---------------------------------------------------------------------- Modules
def completed(game: Game, seat: int) -> bool:
    """All Modules are constructed (B5.5)."""
    return len(game.players[seat].modules) == len(game.content.modules)


def payable(game: Game, seat: int, *, manual: bool) -> list[int]:
    """Modules that can be constructed and paid now (B5.1 to B5.3)."""
    player = game.players[seat]
    attainable = _largest_recall(game, seat) if manual else 0
    return [
        i
        for i, module in enumerate(game.content.modules)
        if i in player.acquired
        and i not in player.modules
        and module.lorium <= player.total_lorium
        and (not manual or module.influence <= attainable)
    ]


def _build(game: Game, seat: int, module: int, how: int) -> None:
    """Pay the Lorium, close the cell (B5.2 to B5.4)."""
    pay_lorium(game, seat, game.content.modules[module].lorium)
    game.players[seat].modules.add(module)
    game.stats.modules += 1
    game.emit(EventKind.MODULE, seat, module, how)


def construct_robotically(game: Game, seat: int) -> Flow[None]:
    """Any number of Modules, one after another, for their Lorium cost (A7.4, B5.3, RUL-B4)."""
    while True:
        options = [MODULE + m for m in payable(game, seat, manual=False)]
        choice = yield from choose(game, seat, DecisionKind.CONSTRUCT, [*options, DONE])
        if choice == DONE:
            break
        _build(game, seat, choice - MODULE, ROBOTIC)


def construct_manually(game: Game, seat: int) -> Flow[None]:
    """One Module for Lorium and a Recall (N0.4, B5.2, B5.6)."""
    options = [MODULE + m for m in payable(game, seat, manual=True)]
    if not options:
        return
    module = (yield from choose(game, seat, DecisionKind.CONSTRUCT, options)) - MODULE
    recalled = yield from _choose_recall(game, seat, game.content.modules[module].influence)
    recall(game, recalled)
    _build(game, seat, module, MANUAL)


# ---------------------------------------------------------------------- Recall
def _recallable(game: Game, seat: int) -> list[Unit]:
    """Own Unlocked Troops anywhere on the planet (B4.1)."""
    return [u for u in game.unlocked(seat) if u.is_troop]


def _cost(game: Game, units: Iterable[Unit]) -> int:
    return sum(game.content.units[u.type].influence_cost for u in units)


def _largest_recall(game: Game, seat: int) -> int:
    return _cost(game, _recallable(game, seat))


def _totals(game: Game, units: Iterable[Unit]) -> set[int]:
    """Every total Cost some of the Troops can have."""
    totals = {0}
    for unit in units:
        totals |= {t + _cost(game, [unit]) for t in totals}
    return totals


def _choose_recall(game: Game, seat: int, cost: int) -> Flow[list[Unit]]:
    """Troops with the smallest attainable total that reaches the cost (B4.2, B4.4, RUL-B1)."""
    chosen: list[Unit] = []
    left = _recallable(game, seat)
    goal = min(t for t in _totals(game, left) if t >= cost)
    while _cost(game, chosen) < goal:
        missing = goal - _cost(game, chosen)
        able = []
        for unit in left:
            rest = [u for u in left if u is not unit]
            if missing - _cost(game, [unit]) in _totals(game, rest):
                able.append(unit)
        space = yield from choose_space(game, seat, DecisionKind.RECALL_SPACE, {u.place for u in able})
        here = [u for u in able if u.place == space]
        kind = yield from choose_type(game, seat, DecisionKind.RECALL_TYPE, {u.type for u in here})
        assert kind is not None
        unit = fewest_marks(here, kind)
        chosen.append(unit)
        left.remove(unit)
    return chosen
