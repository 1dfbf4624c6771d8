"""Chapter B: Blueprints, Holding Cells, Recall, constructing Modules."""

from __future__ import annotations

from collections.abc import Iterable

from cysmic_fast.content.effect_words import Denial, Kind, LimitOf, Method, Mod, Part
from cysmic_fast.reference.decision import Flow, choose, choose_space, choose_type
from cysmic_fast.reference.goods import captive_id, pay_lorium
from cysmic_fast.reference.model import Game, Unit
from cysmic_fast.reference.modifiers import denied, limit, price_part, total
from cysmic_fast.reference.units import fewest_marks, free_captive, recall
from cysmic_fast.reference.windows import gained
from cysmic_fast.vocabulary import DONE, MODULE, PLAYER, DecisionKind, EventKind

__all__ = [
    "BY_CYBER_ATTACK",
    "BY_EFFECT",
    "acquire",
    "can_ransom",
    "choose_blueprint",
    "choose_recall",
    "completed",
    "construct",
    "construct_robotically",
    "fits_cells",
    "largest_recall",
    "obtainable",
    "payable",
    "ransom",
    "sellers",
]

#: Field b of MODULE.
HOW = {Method.MANUAL: 0, Method.ROBOTIC: 1, Method.FREE: 2}
BY_CYBER_ATTACK, BY_EXCHANGE, BY_EFFECT = 0, 1, 2  # field b of BLUEPRINT


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
    elif how == BY_CYBER_ATTACK:
        game.stats.blueprints_cyber += 1
    game.emit(EventKind.BLUEPRINT, seat, module, how)


def choose_blueprint(game: Game, seat: int, modules: list[int]) -> Flow[int]:
    """One of several Blueprints."""
    options = [MODULE + m for m in modules]
    return (yield from choose(game, seat, DecisionKind.CHOOSE_BLUEPRINT, options)) - MODULE


def _needed(game: Game, seat: int, unit: Unit) -> int:
    """Captured Units of the class of ``unit`` that buy a Blueprint (B3.2)."""
    limits = game.content.limits
    if unit.is_vehicle:
        return limits.blueprint_vehicles
    return max(1, limits.blueprint_troops + total(game, seat, Mod.RANSOM_RATE))


def _ransoms(game: Game, seat: int, opponent: int) -> list[Unit]:
    """Captured Units of an opponent whose class is held in sufficient number."""
    held = [u for u in game.captives(seat) if u.owner == opponent]
    return [u for u in held if sum(v.is_vehicle == u.is_vehicle for v in held) >= _needed(game, seat, u)]


def sellers(game: Game, seat: int) -> list[int]:
    """Opponents with whom an exchange can be made."""
    return [s for s in game.seats if s != seat and obtainable(game, seat, s) and _ransoms(game, seat, s)]


def can_ransom(game: Game, seat: int) -> bool:
    """An exchange of Captured Units for a Blueprint can be made (N0.3)."""
    return bool(sellers(game, seat))


def ransom(game: Game, seat: int, *, optional: bool) -> Flow[bool]:
    """Return Captured Units of one opponent for a Blueprint (B3.2, B3.3); False if declined or impossible."""
    able = sellers(game, seat)
    if not able:
        return False
    options = [PLAYER + s for s in able] + [DONE] * optional
    choice = yield from choose(game, seat, DecisionKind.RANSOM_PLAYER, options)
    if choice == DONE:
        return False
    opponent = choice - PLAYER
    pool = _ransoms(game, seat, opponent)
    returned: list[Unit] = []
    while not returned or len(returned) < _needed(game, seat, returned[0]):
        left = [u for u in pool if u not in returned]
        if returned:
            left = [u for u in left if u.is_vehicle == returned[0].is_vehicle]
        choice = yield from choose(game, seat, DecisionKind.RANSOM_UNIT, [captive_id(u) for u in left])
        returned.append(next(u for u in left if captive_id(u) == choice))
    modules = obtainable(game, seat, opponent)
    module = modules[0]
    if game.options.blueprint_variant:
        module = yield from choose_blueprint(game, seat, modules)
    for unit in returned:
        free_captive(game, unit)
    acquire(game, seat, module, BY_EXCHANGE)
    yield from gained(game, seat, Kind.BLUEPRINT)
    return True


# ---------------------------------------------------------------------- Holding Cells
def fits_cells(game: Game, seat: int) -> bool:
    """Vehicles and Troops held fit the open cells (B2.1 to B2.3)."""
    limits = game.content.limits
    held = game.captives(seat)
    vehicles = sum(u.is_vehicle for u in held)
    troops = len(held) - vehicles
    cells = -(-vehicles // limits.cell_vehicles) - (-troops // limits.cell_troops)
    extra = limit(game, seat, LimitOf.CELLS)  # these never close
    return cells <= max(0, limits.cells - len(game.players[seat].modules) + extra)


# ---------------------------------------------------------------------- Modules
def completed(game: Game, seat: int) -> bool:
    """All Modules are constructed (B5.5)."""
    return len(game.players[seat].modules) == len(game.content.modules)


def _lorium_price(game: Game, seat: int, module: int, method: Method, discount: int) -> int:
    """The Lorium cost, at least 0; a free Module costs nothing."""
    if method == Method.FREE:
        return 0
    extra = price_part(game, seat, Mod.MODULE_COST, Part.LORIUM)
    return max(0, game.content.modules[module].lorium + extra - discount)


def _influence_price(game: Game, seat: int, module: int, method: Method) -> int:
    """The Influence cost of Manual Construction, at least 0 (B4.4)."""
    if method != Method.MANUAL:
        return 0
    extra = price_part(game, seat, Mod.MODULE_COST, Part.INFLUENCE)
    return max(0, game.content.modules[module].influence + extra)


def payable(game: Game, seat: int, method: Method, discount: int = 0) -> list[int]:
    """Modules that can be constructed and paid now (B5.1 to B5.3)."""
    if method == Method.ROBOTIC and denied(game, seat, Denial.ROBOTIC):
        return []
    player = game.players[seat]
    attainable = largest_recall(game, seat)
    return [
        i
        for i in range(len(game.content.modules))
        if i in player.acquired
        and i not in player.modules
        and _lorium_price(game, seat, i, method, discount) <= player.total_lorium
        and _influence_price(game, seat, i, method) <= attainable
    ]


def construct_robotically(game: Game, seat: int) -> Flow[None]:
    """Any number of Modules, one after another, for their Lorium cost (A7.4, B5.3, RUL-B4)."""
    while (yield from construct(game, seat, Method.ROBOTIC, optional=True)):
        pass


def construct(
    game: Game, seat: int, method: Method, *, discount: int = 0, optional: bool = False
) -> Flow[bool]:
    """One Module for Lorium and, manually, a Recall (N0.4, B5.2 to B5.4, B5.6); False if there is none."""
    options = [MODULE + m for m in payable(game, seat, method, discount)]
    if not options:
        return False
    choice = yield from choose(game, seat, DecisionKind.CONSTRUCT, options + [DONE] * optional)
    if choice == DONE:
        return False
    module = choice - MODULE
    if method == Method.MANUAL:
        price = _influence_price(game, seat, module, method)
        recall(game, (yield from choose_recall(game, seat, price)))
    pay_lorium(game, seat, _lorium_price(game, seat, module, method, discount))
    game.players[seat].modules.add(module)
    game.stats.modules += 1
    game.emit(EventKind.MODULE, seat, module, HOW[method])
    yield from gained(game, seat, Kind.MODULE)
    return True


# ---------------------------------------------------------------------- Recall
def _recallable(game: Game, seat: int) -> list[Unit]:
    """Own Unlocked Troops anywhere on the planet (B4.1)."""
    return [u for u in game.unlocked(seat) if u.is_troop]


def _cost(game: Game, units: Iterable[Unit]) -> int:
    return sum(game.content.units[u.type].influence_cost for u in units)


def largest_recall(game: Game, seat: int) -> int:
    """The highest Cost the player's Troops can be Recalled for."""
    return _cost(game, _recallable(game, seat))


def _totals(game: Game, units: Iterable[Unit]) -> set[int]:
    """Every total Cost some of the Troops can have."""
    totals = {0}
    for unit in units:
        totals |= {t + _cost(game, [unit]) for t in totals}
    return totals


def choose_recall(game: Game, seat: int, cost: int) -> Flow[list[Unit]]:
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
