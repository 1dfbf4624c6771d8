"""Chapter R: Recruit, Deploy, Field Promote, Upgrade."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from cysmic_fast.content.effect_words import Denial, Kind, Mod, Part, TremorAction
from cysmic_fast.reference.cysmograph import icon_tremor
from cysmic_fast.reference.decision import Flow, choose_space, choose_type
from cysmic_fast.reference.frame import Frame, Registers, Source
from cysmic_fast.reference.goods import pay_lorium
from cysmic_fast.reference.influence import influence, unlimited
from cysmic_fast.reference.model import TROOPS, VEHICLES, Game, Mark, Unit, Where
from cysmic_fast.reference.modifiers import denied, mods, no_tremor, price_part, total
from cysmic_fast.reference.movement import may_stop
from cysmic_fast.reference.rest import offer_token, unit_rests
from cysmic_fast.reference.selectors import spaces
from cysmic_fast.reference.units import fewest_marks, place, swap
from cysmic_fast.vocabulary import CardAction, DecisionKind, UnitType

__all__ = [
    "affordable",
    "can_deploy",
    "can_promote",
    "can_recruit",
    "can_upgrade",
    "choose_troops",
    "deploy",
    "deploy_locations",
    "deploy_one",
    "deploy_spaces",
    "promote",
    "recruit",
    "recruit_budget",
    "upgradable",
    "upgrade",
    "upgrade_price",
    "upgrade_unit",
]

#: Spaces to which Units of a type may be Deployed now, besides the rules for every space.
Ground: TypeAlias = Callable[[], Sequence[int]]


# ---------------------------------------------------------------------- Deploy
def deploy_locations(game: Game, seat: int) -> list[int]:
    """Controlled Habitats, what is adjacent to the own Ship, arrows included, what effects add (R2.1)."""
    found = set(game.habitats(seat))
    ship = game.ship(seat)
    if ship is not None:
        found |= set(game.map.adjacent[ship.place])
    for mod in mods(game, seat, Mod.DEPLOY_AT):
        if mod.space is not None:
            found |= set(spaces(game, Frame(seat, Source.RELIC, "", Registers()), mod.space))
    return sorted(found)


def deploy_spaces(
    game: Game, seat: int, kind: UnitType, *, peaceful: bool = False, ground: Ground | None = None
) -> list[int]:
    """Where a Unit may be Deployed now (R2.2 to R2.7); ``peaceful``: not onto enemies (S4.11).

    ``ground``: the spaces of an effect instead of the Deploy Locations.
    """
    where = deploy_locations(game, seat) if ground is None else ground()
    found = [s for s in where if may_stop(game, s, seat, kind)]
    if peaceful:
        found = [s for s in found if not game.spaces[s].others(seat)]
    return found


def can_deploy(
    game: Game, seat: int, kinds: Iterable[UnitType] = TROOPS, ground: Ground | None = None
) -> bool:
    """A Unit of one of these types is in Reserve and has a legal Deploy space."""
    return any(deploy_spaces(game, seat, k, ground=ground) for k in game.in_reserve(seat, kinds))


def deploy(
    game: Game,
    seat: int,
    chosen: Sequence[Unit],
    *,
    peaceful: bool = False,
    new: bool = False,
    ground: Ground | None = None,
    cause: int | None = None,
    quiet: bool = False,
    landed: list[tuple[Unit, int]] | None = None,
) -> Flow[None]:
    """Deploy chosen Units one at a time while any has a place; the rest stays in Reserve (R1.4, R1.5).

    ``quiet``: set-up, which fires no events. Units set down, and where, are added to ``landed``.
    """
    waiting = list(chosen)
    for unit in waiting:
        unit.where = Where.CHOSEN
    while True:
        kinds = sorted({u.type for u in waiting})
        ways = {k: deploy_spaces(game, seat, k, peaceful=peaceful, ground=ground) for k in kinds}
        able = [k for k, places in ways.items() if places]
        if not able:
            break
        kind = yield from choose_type(game, seat, DecisionKind.DEPLOY_TYPE, able)
        assert kind is not None
        unit = next(u for u in waiting if u.type == kind)
        waiting.remove(unit)
        yield from _deploy_unit(game, unit, ways[kind], new=new, cause=cause, quiet=quiet, landed=landed)
    for unit in waiting:
        unit.where = Where.RESERVE


def _deploy_unit(
    game: Game,
    unit: Unit,
    places: list[int],
    *,
    new: bool,
    cause: int | None,
    quiet: bool,
    landed: list[tuple[Unit, int]] | None,
) -> Flow[None]:
    """Set down, then at rest: token, ``entered``, ``combat_begun`` (V7.8)."""
    space = yield from choose_space(game, unit.owner, DecisionKind.DEPLOY_SPACE, places)
    assert space is not None
    peace = game.spaces[space].attacker is None
    place(game, unit, space)
    began = peace and game.spaces[space].attacker is not None
    if new:
        unit.marks.add(Mark.NEW)
    if landed is not None:
        landed.append((unit, space))
    yield from offer_token(game, unit.owner, space)
    if not quiet:
        who = unit.owner if cause is None else cause
        yield from unit_rests(game, unit, space, Kind.DEPLOY, who, began=began)


def deploy_one(
    game: Game,
    seat: int,
    kinds: Iterable[UnitType] = TROOPS,
    *,
    ground: Ground | None = None,
    cause: int | None = None,
    optional: bool = False,
    landed: list[tuple[Unit, int]] | None = None,
) -> Flow[None]:
    """One Unit of some types from the Reserve, if there is one, Cost ignored (N1.5)."""
    able = [k for k in game.in_reserve(seat, kinds) if deploy_spaces(game, seat, k, ground=ground)]
    if not able:
        return
    kind = yield from choose_type(game, seat, DecisionKind.DEPLOY_TYPE, able, done=optional)
    if kind is None:
        return
    unit = game.reserve(seat, kind)[0]
    places = deploy_spaces(game, seat, kind, ground=ground)
    yield from _deploy_unit(game, unit, places, new=False, cause=cause, quiet=False, landed=landed)


# ---------------------------------------------------------------------- Recruit
def can_recruit(game: Game, seat: int) -> bool:
    """A Troop in Reserve is affordable and could be Deployed."""
    budget = recruit_budget(game, seat)
    return can_deploy(game, seat, [k for k in TROOPS if affordable(game, k, budget)])


def recruit_budget(game: Game, seat: int) -> int | None:
    """Influence is the limit of a Recruit; None: unlimited (R1.1, R1.2)."""
    if unlimited(game, seat):
        return None
    return max(0, influence(game, seat) + total(game, seat, Mod.RECRUIT_BUDGET))


def affordable(game: Game, kind: UnitType, budget: int | None) -> bool:
    """The Cost of a type is within the budget."""
    return budget is None or game.content.units[kind].influence_cost <= budget


def recruit(game: Game, seat: int) -> Flow[None]:
    """Choose Troops by Cost, then Deploy them (R1, A6.1); they are new in this resolution."""
    chosen = yield from choose_troops(game, seat, recruit_budget(game, seat), None)
    yield from deploy(game, seat, chosen, new=True)


def choose_troops(
    game: Game,
    seat: int,
    budget: int | None,
    most: int | None,
    kinds: Iterable[UnitType] = TROOPS,
    *,
    optional: bool = True,
) -> Flow[list[Unit]]:
    """Pick Units from the Reserve, types ascending, within a budget of Cost and a number."""
    wanted = list(kinds)
    chosen: list[Unit] = []
    while most is None or len(chosen) < most:
        able = [k for k in game.in_reserve(seat, wanted) if affordable(game, k, budget)]
        able = [k for k in able if not chosen or k >= chosen[-1].type]
        if not able:
            break
        kind = yield from choose_type(game, seat, DecisionKind.RECRUIT_TYPE, able, done=optional)
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
    """Own Troops, not Confused, for which a Troop of another type is in Reserve (R3.1, R3.3, U4.5)."""
    reserve = game.in_reserve(seat, TROOPS)
    return [
        u
        for u in game.on_planet(seat)
        if u.is_troop
        and not u.confused
        and (locked or not game.is_locked(u))
        and any(k != u.type for k in reserve)
    ]


def can_promote(game: Game, seat: int, *, locked: bool = False) -> bool:
    """Some Field Promote is possible; ``locked``: of Locked Troops, too (N3.3)."""
    return bool(_promotable(game, seat, locked=locked)) and not denied(game, seat, Denial.PROMOTE)


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
def vehicle_of(game: Game, troop: UnitType) -> UnitType | None:
    """The Vehicle a Troop is Upgraded to (R4.1)."""
    return next((v for v in VEHICLES if game.content.units[v].upgrades_from == troop), None)


def upgrade_form(game: Game, unit: Unit) -> CardAction:
    """Standard in a Deploy Location, elsewhere by Dropship (R4.3, R4.6)."""
    standard = unit.place in deploy_locations(game, unit.owner)
    return CardAction.STANDARD_UPGRADE if standard else CardAction.DROPSHIP_UPGRADE


def upgrade_price(game: Game, unit: Unit, discount: int = 0) -> int:
    """Vehicle Cost, and more outside Deploy Locations, each part at least 0 (R4.2, R4.3, R4.6)."""
    seat, vehicle = unit.owner, vehicle_of(game, unit.type)
    assert vehicle is not None
    printed = game.content.units[vehicle].lorium_cost
    price = max(0, printed - discount + price_part(game, seat, Mod.UPGRADE_COST, Part.VEHICLE, vehicle))
    if upgrade_form(game, unit) == CardAction.DROPSHIP_UPGRADE:
        extra = price_part(game, seat, Mod.UPGRADE_COST, Part.DROPSHIP)
        price += max(0, game.content.dropship_lorium + extra)
    return price


def upgradable(
    game: Game, unit: Unit, form: CardAction | None = None, *, locked: bool, discount: int = 0
) -> bool:
    """A Troop can be Upgraded in a form (None: either) by its owner (R4)."""
    vehicle = vehicle_of(game, unit.type) if unit.is_troop else None
    if vehicle is None or unit.confused or (game.is_locked(unit) and not locked):
        return False
    its_form = upgrade_form(game, unit)
    if its_form == CardAction.DROPSHIP_UPGRADE and denied(game, unit.owner, Denial.DROPSHIP):
        return False
    return (
        form in (None, its_form)
        and bool(game.reserve(unit.owner, vehicle))
        and _vehicle_fits(game, unit)
        and upgrade_price(game, unit, discount) <= game.players[unit.owner].total_lorium
    )


def _upgradable(game: Game, seat: int, form: CardAction | None, *, locked: bool) -> list[Unit]:
    """Own Troops that can be Upgraded in a form (None: either) (R4)."""
    return [u for u in game.on_planet(seat) if upgradable(game, u, form, locked=locked)]


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
    yield from upgrade_unit(game, fewest_marks(here, kind), seat, new=True)
    return True


def upgrade_unit(
    game: Game,
    old: Unit,
    cause: int,
    *,
    discount: int = 0,
    new: bool = False,
    drawer: int | None = None,
) -> Flow[Unit]:
    """Pay for a Vehicle and set it in place of a Troop; a Dropship's Tremor follows (A6.5)."""
    seat, vehicle = old.owner, vehicle_of(game, old.type)
    assert vehicle is not None
    dropship = upgrade_form(game, old) == CardAction.DROPSHIP_UPGRADE
    pay_lorium(game, seat, upgrade_price(game, old, discount))
    piece = game.reserve(seat, vehicle)[0]
    swap(game, old, piece)
    if new:
        piece.marks.add(Mark.NEW)
    if dropship and not no_tremor(game, seat, TremorAction.DROPSHIP):
        yield from icon_tremor(game, cause, CardAction.DROPSHIP_UPGRADE, drawer=drawer)
    return piece
