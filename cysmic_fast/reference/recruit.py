"""Chapter R: Recruit, Deploy, Field Promote, Upgrade."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cysmic_fast.reference.cysmograph import icon_tremor
from cysmic_fast.reference.decision import Flow, choose_space, choose_type
from cysmic_fast.reference.goods import pay_lorium
from cysmic_fast.reference.influence import influence, unlimited
from cysmic_fast.reference.model import TROOPS, VEHICLES, Game, Mark, Unit, Where
from cysmic_fast.reference.movement import may_stop, offer_token
from cysmic_fast.reference.units import fewest_marks, place, swap
from cysmic_fast.vocabulary import CardAction, DecisionKind, UnitType

__all__ = [
    "can_deploy_troop",
    "can_promote",
    "can_recruit",
    "can_upgrade",
    "choose_troops",
    "deploy",
    "deploy_locations",
    "deploy_one",
    "promote",
    "recruit",
    "upgrade",
]


# ---------------------------------------------------------------------- Deploy
def deploy_locations(game: Game, seat: int) -> list[int]:
    """Controlled Habitats and what is adjacent to the own Ship, arrows included (R2.1)."""
    spaces = set(game.habitats(seat))
    ship = game.ship(seat)
    if ship is not None:
        spaces |= set(game.map.adjacent[ship.place])
    return sorted(spaces)


def deploy_spaces(game: Game, seat: int, kind: UnitType, *, peaceful: bool = False) -> list[int]:
    """Where a Troop may be Deployed now (R2.2 to R2.7); ``peaceful``: not onto enemies (S4.11)."""
    spaces = [s for s in deploy_locations(game, seat) if may_stop(game, s, seat, kind)]
    if peaceful:
        spaces = [s for s in spaces if not game.spaces[s].others(seat)]
    return spaces


def can_deploy_troop(game: Game, seat: int, kinds: Iterable[UnitType] = TROOPS) -> bool:
    """A Troop of one of these types is in Reserve and has a legal Deploy space."""
    return any(deploy_spaces(game, seat, k) for k in game.in_reserve(seat, kinds))


def deploy(
    game: Game, seat: int, chosen: Sequence[Unit], *, peaceful: bool = False, new: bool = False
) -> Flow[None]:
    """Deploy chosen Troops one at a time while any has a place; the rest stays in Reserve (R1.4, R1.5)."""
    waiting = list(chosen)
    for unit in waiting:
        unit.where = Where.CHOSEN
    while True:
        ways = {k: deploy_spaces(game, seat, k, peaceful=peaceful) for k in {u.type for u in waiting}}
        kinds = [k for k, spaces in ways.items() if spaces]
        if not kinds:
            break
        kind = yield from choose_type(game, seat, DecisionKind.DEPLOY_TYPE, kinds)
        assert kind is not None
        unit = next(u for u in waiting if u.type == kind)
        waiting.remove(unit)
        yield from _deploy_unit(game, unit, ways[kind], new=new)
    for unit in waiting:
        unit.where = Where.RESERVE


def _deploy_unit(game: Game, unit: Unit, spaces: list[int], *, new: bool) -> Flow[None]:
    space = yield from choose_space(game, unit.owner, DecisionKind.DEPLOY_SPACE, spaces)
    assert space is not None
    place(game, unit, space)
    if new:
        unit.marks.add(Mark.NEW)
    yield from offer_token(game, unit.owner, space)


def deploy_one(game: Game, seat: int) -> Flow[None]:
    """One Troop of any type from the Reserve, Cost ignored (N1.5)."""
    kinds = [k for k in game.in_reserve(seat, TROOPS) if deploy_spaces(game, seat, k)]
    if not kinds:
        return
    kind = yield from choose_type(game, seat, DecisionKind.DEPLOY_TYPE, kinds)
    assert kind is not None
    unit = game.reserve(seat, kind)[0]
    yield from _deploy_unit(game, unit, deploy_spaces(game, seat, kind), new=False)


# ---------------------------------------------------------------------- Recruit
def can_recruit(game: Game, seat: int) -> bool:
    """A Troop in Reserve is affordable and could be Deployed."""
    return can_deploy_troop(game, seat, [k for k in TROOPS if _affordable(game, k, _budget(game, seat))])


def _budget(game: Game, seat: int) -> int | None:
    """Influence is the limit of a Recruit; None: unlimited (R1.1, R1.2)."""
    return None if unlimited(game, seat) else influence(game, seat)


def _affordable(game: Game, kind: UnitType, budget: int | None) -> bool:
    return budget is None or game.content.units[kind].influence_cost <= budget


def recruit(game: Game, seat: int) -> Flow[None]:
    """Choose Troops by Cost, then Deploy them (R1, A6.1); they are new in this resolution."""
    chosen = yield from choose_troops(game, seat, _budget(game, seat), None)
    yield from deploy(game, seat, chosen, new=True)


def choose_troops(game: Game, seat: int, budget: int | None, most: int | None) -> Flow[list[Unit]]:
    """Pick Troops from the Reserve, types ascending, within a budget of Cost and a number."""
    chosen: list[Unit] = []
    while most is None or len(chosen) < most:
        kinds = [k for k in game.in_reserve(seat, TROOPS) if _affordable(game, k, budget)]
        kinds = [k for k in kinds if not chosen or k >= chosen[-1].type]
        kind = yield from choose_type(game, seat, DecisionKind.RECRUIT_TYPE, kinds, done=True)
        if kind is None:
            break
        unit = game.reserve(seat, kind)[0]
        unit.where = Where.CHOSEN
        chosen.append(unit)
        if budget is not None:
            budget -= game.content.units[kind].influence_cost
    return chosen


# ---------------------------------------------------------------------- Field Promote
def _promotable(game: Game, seat: int, *, locked: bool) -> list[Unit]:
    """Own Troops for which a Troop of another type is in Reserve (R3.1, R3.3)."""
    reserve = game.in_reserve(seat, TROOPS)
    return [
        u
        for u in game.on_planet(seat)
        if u.is_troop and (locked or not game.is_locked(u)) and any(k != u.type for k in reserve)
    ]


def can_promote(game: Game, seat: int, *, locked: bool = False) -> bool:
    """Some Field Promote is possible; ``locked``: of Locked Troops, too (N3.3)."""
    return bool(_promotable(game, seat, locked=locked))


def promote(game: Game, seat: int, *, locked: bool = False) -> Flow[None]:
    """Swap one Troop for one of another type from the Reserve (R3)."""
    able = _promotable(game, seat, locked=locked)
    space = yield from choose_space(game, seat, DecisionKind.PROMOTE_SPACE, {u.place for u in able})
    here = [u for u in able if u.place == space]
    old = yield from choose_type(game, seat, DecisionKind.PROMOTE_FROM, {u.type for u in here})
    assert old is not None
    others = [k for k in game.in_reserve(seat, TROOPS) if k != old]
    new = yield from choose_type(game, seat, DecisionKind.PROMOTE_TO, others)
    assert new is not None
    swap(game, fewest_marks(here, old), game.reserve(seat, new)[0])


# ---------------------------------------------------------------------- Upgrade
def _vehicle_of(game: Game, troop: UnitType) -> UnitType | None:
    """The Vehicle a Troop is Upgraded to (R4.1)."""
    return next((v for v in VEHICLES if game.content.units[v].upgrades_from == troop), None)


def _price(game: Game, seat: int, unit: Unit) -> int:
    """Vehicle Cost, and more outside Deploy Locations (R4.2, R4.3, R4.6)."""
    vehicle = _vehicle_of(game, unit.type)
    assert vehicle is not None
    extra = 0 if unit.place in deploy_locations(game, seat) else game.content.dropship_lorium
    return game.content.units[vehicle].lorium_cost + extra


def _upgradable(game: Game, seat: int, form: CardAction | None, *, locked: bool) -> list[Unit]:
    """Own Troops that can be Upgraded in a form (None: either) (R4)."""
    found = []
    places = deploy_locations(game, seat)
    for unit in game.on_planet(seat):
        vehicle = _vehicle_of(game, unit.type) if unit.is_troop else None
        if vehicle is None or (game.is_locked(unit) and not locked):
            continue
        its_form = CardAction.STANDARD_UPGRADE if unit.place in places else CardAction.DROPSHIP_UPGRADE
        if (
            form in (None, its_form)
            and game.reserve(seat, vehicle)
            and _vehicle_fits(game, unit)
            and _price(game, seat, unit) <= game.players[seat].total_lorium
        ):
            found.append(unit)
    return found


def _vehicle_fits(game: Game, unit: Unit) -> bool:
    """A space with an own Vehicle allows no Upgrade (R4.4)."""
    vehicles = sum(u.is_vehicle for u in game.spaces[unit.place].of(unit.owner))
    return vehicles < game.content.limits.capacity_vehicles


def can_upgrade(game: Game, seat: int, form: CardAction | None = None, *, locked: bool = False) -> bool:
    """Some Upgrade of a form (None: either) is possible."""
    return bool(_upgradable(game, seat, form, locked=locked))


def upgrade(
    game: Game, seat: int, form: CardAction | None = None, *, locked: bool = False, optional: bool = True
) -> Flow[bool]:
    """One Upgrade, paid, with a Dropship's Tremor (R4, A6.5); False if declined or impossible."""
    able = _upgradable(game, seat, form, locked=locked)
    if not able:
        return False
    space = yield from choose_space(
        game, seat, DecisionKind.UPGRADE_SPACE, {u.place for u in able}, done=optional
    )
    if space is None:
        return False
    here = [u for u in able if u.place == space]
    kind = yield from choose_type(game, seat, DecisionKind.UPGRADE_TYPE, {u.type for u in here})
    assert kind is not None
    old = fewest_marks(here, kind)
    vehicle = _vehicle_of(game, kind)
    assert vehicle is not None
    dropship = old.place not in deploy_locations(game, seat)
    pay_lorium(game, seat, _price(game, seat, old))
    new = game.reserve(seat, vehicle)[0]
    swap(game, old, new)
    new.marks.add(Mark.NEW)
    if dropship:
        yield from icon_tremor(game, seat, CardAction.DROPSHIP_UPGRADE)
    return True
